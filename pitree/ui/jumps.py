"""Where the jumping keys lead, by the command's id: an entry, or a sentence on why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from pitree.session.entries import Kind
from pitree.session.outline import Rows
from pitree.session.tree import ROOT
from pitree.ui.view import View

Jump = Callable[[View, int], int | str]


def parent(view: View, index: int) -> int | str:
    """The entry above in the tree."""
    above = view.session.tree.parent(index)
    return "This entry is a root." if above == ROOT else above


def fork_above(view: View, index: int) -> int | str:
    """The nearest entry above with more than one child."""
    tree = view.session.tree
    for _ in range(view.session.count):
        index = tree.parent(index)
        if index == ROOT:
            break
        if len(tree.children(index)) > 1:
            return index
    return "No fork lies above."


def sibling(step: int, view: View, index: int) -> int | str:
    """The next or the one before of the branches that part at the nearest fork above, in the order of the rows."""
    tree = view.session.tree
    for _ in range(view.session.count):
        above = tree.parent(index)
        family = sorted(tree.roots if above == ROOT else tree.children(above), key=view.shape.where.__getitem__)
        if len(family) > 1 and index in family:
            at = family.index(index) + step
            return (
                family[at] if 0 <= at < len(family) else f"This is the {'last' if step > 0 else 'first'} branch here."
            )
        if above == ROOT:
            break
        index = above
    return "No fork lies above."


def of_kind(step: int, kind: Kind, word: str, view: View, index: int) -> int | str:
    """The entry of a kind in the nearest visible row in one direction."""
    rows = view.rows
    row = rows.row_of(index)
    row = (len(rows) if step < 0 else -1) if row is None else row
    row += step
    while 0 <= row < len(rows):
        if view.session.kind(rows.entry(row)) is kind:
            return rows.entry(row)
        row += step
    return f"There is no {word} {'below' if step > 0 else 'above'}."


def segment(step: int, view: View, index: int) -> int | str:
    """Where the visible chain begins, or the next one."""
    rows = view.rows
    row = rows.row_of(index)
    if row is None:
        return "This entry does not show."
    starts = [block.row for block in rows.blocks]
    if step < 0:
        return rows.entry(max((start for start in starts if start < row), default=0))
    return rows.entry(min((start for start in starts if start > row), default=len(rows) - 1))


def hit(step: int, view: View, index: int) -> int | str:
    """The next entry that the search found, or the one before; after the last one the first."""
    rows = view.rows
    found = sorted((row, hit) for hit in view.hits if (row := rows.row_of(hit)) is not None)
    if not found:
        return "What was found is folded away; Z unfolds everything."
    here = rows.row_of(index)
    here = -1 if here is None else here
    if step > 0:
        return next((hit for row, hit in found if row > here), found[0][1])
    return next((hit for row, hit in reversed(found) if row < here), found[-1][1])


def branch_heads(rows: Rows) -> frozenset[int]:
    """The entries at which branches begin: folding all of them leaves the trunk and these heads."""
    starts = (block.row for block in rows.blocks if block.above is not None)
    return frozenset(rows.entry(row) for row in starts if rows.is_foldable(row))


JUMPS: Final[Mapping[str, Jump]] = {
    "parent": parent,
    "fork": fork_above,
    "previous_sibling": partial(sibling, -1),
    "next_sibling": partial(sibling, 1),
    "previous_compaction": partial(of_kind, -1, Kind.COMPACTION, "compaction"),
    "next_compaction": partial(of_kind, 1, Kind.COMPACTION, "compaction"),
    "previous_user": partial(of_kind, -1, Kind.USER, "message of the user"),
    "next_user": partial(of_kind, 1, Kind.USER, "message of the user"),
    "next_hit": partial(hit, 1),
    "previous_hit": partial(hit, -1),
}
