"""The rows of the outline for a view: entries with their marks, and the rows that a lens puts between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pitree.context.messages import entry_messages
from pitree.context.tokens import estimate_or_nan
from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.rules import Rules
from pitree.session.describe import Line, describe
from pitree.session.javascript import to_string
from pitree.session.session import Session
from pitree.ui.figures import exact
from pitree.ui.rows import RowText
from pitree.ui.text import one_line
from pitree.ui.view import View

TEXT_LIMIT = 240
_COLORS = {
    "user": "pitree-user",
    "bash": "pitree-user",
    "custom_message": "pitree-user",
    "assistant": "pitree-assistant",
    "toolResult": "pitree-tool",
    "compaction": "pitree-summary",
    "branch_summary": "pitree-summary",
}
_STRONG = frozenset({"user", "compaction", "branch_summary"})


@dataclass(frozen=True, slots=True)
class Inserted:
    """A row of the lens's own: it stands before the row of an entry."""

    before: int
    row: RowText


class OutlineRows:
    """Provides the rows; an inserted row belongs to the entry that stands below it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rows = view.rows
        placed = [(row, item) for item in inserted_rows(view) if (row := self.rows.row_of(item.before)) is not None]
        placed.sort(key=lambda pair: pair[0])
        self._places = [row + number for number, (row, _) in enumerate(placed)]
        self._inserted = [item.row for _, item in placed]
        self._tags = _tags(view)

    def __len__(self) -> int:
        return len(self.rows) + len(self._places)

    def entry_at(self, row: int) -> int:
        """The index of the entry that a row shows, or stands above."""
        return self.rows.entry(row - bisect_left(self._places, row))

    def row_of(self, index: int | None) -> int:
        """The row of an entry, or of the nearest one above it in the tree that shows."""
        row = self.rows.nearest_row(index)
        return 0 if row is None else self._shifted(row)

    def shown_row_of(self, index: int) -> int | None:
        """The row of an entry, None where it does not show."""
        row = self.rows.row_of(index)
        return None if row is None else self._shifted(row)

    def _shifted(self, row: int) -> int:
        for place in self._places:
            if place <= row:
                row += 1
        return row

    def row(self, index: int, /) -> RowText:
        """See `RowProvider`."""
        at = bisect_left(self._places, index)
        if at < len(self._places) and self._places[at] == index:
            return self._inserted[at]
        return self._entry_row(index - bisect_right(self._places, index))

    def _entry_row(self, row: int) -> RowText:
        view, index = self.view, self.rows.entry(row)
        line = described(view.session, index)
        text = one_line(line.text, TEXT_LIMIT)
        tags = self._tags.get(index, ())
        hidden = self.rows.hidden_below(row)
        return RowText(
            state=view.state_of(index),
            prefix=self.rows.prefix(row),
            kind=one_line(line.word, 20),
            kind_color="pitree-problem" if line.is_error else _COLORS.get(line.word, "pitree-quiet"),
            strong=line.word in _STRONG,
            text=text,
            highlights=_highlights(text, view.query) if index in view.hits else (),
            tags=(*tags, "folded") if hidden else tags,
            note=_note(view.session, index, hidden),
            figure=figure(view.session, index, view.rules),
            dim=index not in view.on_path and index not in view.states,
        )


@lru_cache(maxsize=2048)
def described(session: Session, index: int) -> Line:
    """The line about an entry, kept while it is in sight."""
    return describe(session, index)


@lru_cache(maxsize=2048)
def figure(session: Session, index: int, rules: Rules) -> str:
    """pi's estimate of an entry's messages; empty for an entry that the model does not see."""
    messages = entry_messages(session.entry(index), rules)
    total = sum(estimate_or_nan(message, rules) for message in messages)
    return exact(total) if messages else ""


def _note(session: Session, index: int, hidden: int) -> str:
    label = session.label(index)
    parts = ["" if label is None else f"⚑ {one_line(to_string(label.text), 24)}", f"{hidden:,} below" if hidden else ""]
    return " ".join(part for part in parts if part)


def _highlights(text: str, query: str) -> tuple[tuple[int, int], ...]:
    needle, low = query.lower(), text.lower()
    found: list[tuple[int, int]] = []
    start = low.find(needle) if needle and len(low) == len(text) else -1
    while start >= 0:
        found.append((start, start + len(needle)))
        start = low.find(needle, start + len(needle))
    return tuple(found)


def _tags(view: View) -> dict[int, tuple[str, ...]]:
    """The states that a row names beside its text, by entry."""
    pairs: list[tuple[int | None, str]] = [(view.session.last, "leaf"), (view.as_of, "as_of")]
    if view.lens == "compaction" and view.plan is not None:
        pairs += [(view.plan.first_kept, "first_kept"), (view.plan.turn_start, "turn_start")]
    move = view.move
    if isinstance(move, NavigationPlan):
        pairs += [(move.common_ancestor, "ancestor"), (move.target, "target"), (move.new_leaf, "new_leaf")]
    pairs += [(index, "hit") for index in view.hits]
    tags: dict[int, tuple[str, ...]] = {}
    for index, tag in pairs:
        if index is not None:
            tags[index] = (*tags.get(index, ()), tag)
    return tags


def inserted_rows(view: View) -> Sequence[Inserted]:
    """The rows that the lens puts between entries."""
    if view.lens != "compaction" or view.plan is None:
        return ()
    plan = view.plan
    rows = [Inserted(plan.first_kept, RowText(state="cut", text=cut_words(plan), rule=True))]
    if plan.turn_start is not None:
        start = f"the turn that is split starts here · prefix est {_estimate(view, plan)}"
        rows.append(Inserted(plan.turn_start, RowText(state="turn_start", text=start, rule=True)))
    return rows


def cut_words(plan: CompactionPlan) -> str:
    """What the cut row says."""
    kept = sum(estimate_or_nan(m, plan.rules) for item in plan.kept_items for m in item.messages)
    return f"firstKeptEntryId {one_line(to_string(plan.first_kept_id), 40)} · keeps est {exact(kept)}"


def _estimate(view: View, plan: CompactionPlan) -> str:
    return exact(sum(estimate_or_nan(message, view.rules) for message in plan.prefix))
