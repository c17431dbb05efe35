"""Where the jumping keys lead: along the tree, to compactions, to messages of the user, between the segments of pi."""

from __future__ import annotations

from pitree.session.entries import Kind
from pitree.session.outline import Rows
from pitree.session.session import Session
from pitree.session.tree import ROOT


def parent(session: Session, index: int) -> int | None:
    """The entry above in the tree."""
    above = session.tree.parent(index)
    return None if above == ROOT else above


def fork_above(session: Session, index: int) -> int | None:
    """The nearest entry above with more than one child."""
    for _ in range(session.count):
        index = session.tree.parent(index)
        if index == ROOT:
            return None
        if len(session.tree.children(index)) > 1:
            return index
    return None


def sibling(session: Session, index: int, step: int) -> int | None:
    """The next or the one before of the branches that part at the nearest fork above."""
    for _ in range(session.count):
        above = session.tree.parent(index)
        family = session.tree.roots if above == ROOT else session.tree.children(above)
        if len(family) > 1 and index in family:
            at = list(family).index(index) + step
            return family[at] if 0 <= at < len(family) else None
        if above == ROOT:
            return None
        index = above
    return None


def nearest_of_kind(rows: Rows, row: int, step: int, kind: Kind) -> int | None:
    """The entry of a kind in the nearest visible row in one direction."""
    session = rows.shape.session
    row += step
    while 0 <= row < len(rows):
        if session.kind(rows.entry(row)) is kind:
            return rows.entry(row)
        row += step
    return None


def segment(rows: Rows, row: int, step: int) -> int:
    """The row at which the visible chain begins, or the next one down."""
    starts = [block.row for block in rows.blocks]
    if step < 0:
        return max((start for start in starts if start < row), default=0)
    return min((start for start in starts if start > row), default=len(rows) - 1)


def branch_heads(rows: Rows) -> frozenset[int]:
    """The entries at which branches begin: folding all of them leaves the trunk and these heads."""
    starts = (block.row for block in rows.blocks if block.above is not None)
    return frozenset(rows.entry(row) for row in starts if rows.is_foldable(row))
