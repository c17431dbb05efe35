"""The rows of pi's tree selector, worked out in the plainest way: recursion over the visible entries.

Facts of pi's selector: the branch with the leaf comes first; hidden entries hand their children to the nearest visible
entry above; children of a fork, and the first generation below one, go one level in; several roots count as children
of a fork that is not drawn, so everything is drawn one level further left; a connector stands in the last level of a
child of a fork; below it a line runs at the level of the connector while siblings follow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitree.session.outline import Filter

SETTINGS = ("label", "context_edit", "custom", "model_change", "thinking_level_change", "session_info")

Forest = Mapping[int | None, Sequence[int]]
"""The children of each entry in order; those of None are the roots."""


@dataclass(frozen=True)
class Row:
    """One visible row.

    Attributes:
        entry: Number of the entry.
        prefix: The lines before its text.
        hidden: How many rows it hides.
    """

    entry: int
    prefix: str
    hidden: int


def shows(value: Mapping[str, Any], name: Filter, labeled: bool) -> bool:
    """Whether pi's filter lets an entry through that is not the leaf."""
    role = value["message"]["role"] if value["type"] == "message" else None
    if value["type"] == "usage":
        return False
    if role == "assistant":
        content, stop = value["message"].get("content"), value["message"].get("stopReason")
        texts = [content] if isinstance(content, str) else [b.get("text", "") for b in content if b["type"] == "text"]
        if not any(text.strip() for text in texts) and stop in (None, "", "stop", "toolUse"):
            return False
    if name is Filter.USER_ONLY:
        return role == "user"
    if name is Filter.LABELED_ONLY:
        return labeled
    if name is Filter.ALL:
        return True
    return value["type"] not in SETTINGS and not (name is Filter.NO_TOOLS and role == "toolResult")


def active_first(forest: Forest, path: Collection[int]) -> Forest:
    """The same forest with the branch of the leaf first."""
    return {parent: sorted(children, key=lambda child: child not in path) for parent, children in forest.items()}


def below(forest: Forest, entry: int) -> list[int]:
    """All entries below an entry, in order."""
    return [each for child in forest.get(entry, ()) for each in (child, *below(forest, child))]


def visible(forest: Forest, shown: Collection[int], folds: Collection[int]) -> dict[int | None, list[int]]:
    """The visible children of each visible entry."""
    out: dict[int | None, list[int]] = {None: []}

    def visit(entry: int, above: int | None) -> None:
        if entry in shown:
            out[above].append(entry)
            above = entry
            out[entry] = []
        if entry not in folds:
            for child in forest.get(entry, ()):
                visit(child, above)

    for root in forest[None]:
        visit(root, None)
    return out


def rows(forest: Forest, shown: Collection[int], folds: Collection[int]) -> list[Row]:
    """The rows with their lines; `forest` has the branch of the leaf first already."""
    children = visible(forest, shown, folds)
    several = len(children[None]) > 1
    out: list[Row] = []

    def draw(entry: int, indent: int, is_branch: bool, is_last: bool, lines: Mapping[int, bool], is_root: bool) -> None:
        levels = indent - several if indent else 0
        hidden = sum(each in shown for each in below(forest, entry)) if entry in folds else 0
        hangs = is_branch and not is_root
        cells = [" "] * (3 * levels)
        for level, runs in lines.items():
            if level < levels:
                cells[3 * level] = "│" if runs else " "
        if hangs and levels:
            cells[3 * levels - 3 :] = ["└" if is_last else "├", "⊞" if hidden else "─", " "]
        out.append(Row(entry, "".join(cells), hidden))
        inner = {**lines, max(0, levels - 1): not is_last} if hangs else lines
        many = len(children[entry]) > 1
        deeper = indent + (many or (is_branch and indent > 0))
        for child in children[entry]:
            draw(child, deeper, many, child == children[entry][-1], inner, False)

    for root in children[None]:
        draw(root, int(several), several, root == children[None][-1], {}, True)
    return out
