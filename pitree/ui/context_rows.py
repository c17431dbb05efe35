"""The rows of the Context pane: the context now and after the commit, with what pi will not send of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from pitree.context import sent
from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.context.sent import SentRow, sent_rows
from pitree.context.switches import ContextSwitches
from pitree.context.tokens import estimate_or_nan
from pitree.session.javascript import JSON
from pitree.session.problems import PiFails
from pitree.ui.figures import exact
from pitree.ui.message_lines import line_of, role_word
from pitree.ui.rows import RowText
from pitree.ui.text import one_line

TEXT_LIMIT: Final = 240
NOTES: Final[Mapping[str, str]] = {
    sent.AS_SYSTEM: "as system prompt",
    sent.THINKING_LEFT_OUT: "thinking left out",
    sent.THINKING_AS_TEXT: "thinking as text",
    sent.NO_RESULT: "added by pi",
    sent.NO_CALL: "no call before it",
}
"""What a row has room for of the notes on what is sent."""
_COLORS: Final[Mapping[str, str]] = {
    "user": "pitree-user",
    "custom": "pitree-user",
    "bashExecution": "pitree-user",
    "assistant": "pitree-assistant",
    COMPACTION_SUMMARY: "pitree-summary",
    BRANCH_SUMMARY: "pitree-summary",
}
_STRONG: Final = frozenset({"user", COMPACTION_SUMMARY, BRANCH_SUMMARY})
_SUMMARIES: Final = frozenset({COMPACTION_SUMMARY, BRANCH_SUMMARY})


@dataclass(frozen=True, eq=False)
class Section:
    """A context with a heading.

    Attributes:
        title: The heading, such as `context now`.
        messages: The context, in order.
        rules: The release of pi that is followed.
        states: What becomes of an entry, by index; names of `marks.MARKS`.
        model: {"provider", "modelId"} of the model that is asked next, or None where it is not known.
        mark: The mark of the heading.
    """

    title: str
    messages: Sequence[Message]
    rules: ContextSwitches
    states: Mapping[int, str]
    model: JSON = None
    mark: str = "path"


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A row and where enter leads; a heading has no message."""

    entry: int | None
    row: RowText | None = None
    sent: SentRow | None = None
    section: Section | None = None


class ContextRows:
    """Provides the rows of sections; see `RowProvider`. Everything is worked out at once but the texts."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._lines = [line for section in sections for line in _lines(section)]

    def __len__(self) -> int:
        return len(self._lines)

    def entry_at(self, row: int) -> int | None:
        """The index of the entry that a row comes from; None for headings and for what is not in the file."""
        return self._lines[row].entry

    def row(self, index: int, /) -> RowText:
        """See `RowProvider`."""
        line = self._lines[index]
        if line.row is not None or line.sent is None or line.section is None:
            return line.row or RowText()
        return _row(line.sent, line.section)


def _lines(section: Section) -> Iterator[_Line]:
    rows, failure = _sent(section)
    total = sum(estimate_or_nan(message, section.rules) for message in section.messages)
    left_out = sum(row.sent is None for row in rows)
    noun = "message" if len(section.messages) == 1 else "messages"
    words = f"{section.title} · {len(section.messages):,} {noun} · est {exact(total)}"
    if left_out:
        words += f" · {left_out} not sent"
    yield _Line(None, RowText(state=section.mark, text=words, rule=True))
    if failure:
        yield _Line(None, RowText(state="problem", text=failure, rule=True))
    for row in rows:
        yield _Line(row.message.entry, None, row, section)


def _sent(section: Section) -> tuple[Sequence[SentRow], str]:
    """What becomes of each message; where pi itself fails, the messages alone and a sentence on it."""
    try:
        return sent_rows(section.messages, section.rules, section.model), ""
    except PiFails as failure:
        plain = [SentRow(message, message) for message in section.messages]
        return plain, one_line(f"pi fails when it sends this. {failure}", TEXT_LIMIT)


def _row(row: SentRow, section: Section) -> RowText:
    message = row.message
    role = message.role if isinstance(message.role, str) else ""
    text = one_line(line_of(message), TEXT_LIMIT)
    figure = estimate_or_nan(message, section.rules)
    is_added = row.note == sent.NO_RESULT
    note = NOTES.get(row.note or "", row.note or "")
    state = "" if is_added else section.states.get(message.entry, "kept") if message.entry is not None else "kept"
    if message.entry is None and role in _SUMMARIES:
        state, note = "new_leaf", "new summary"
    elif message.entry is None and role == "system":
        note = "replayed"
    return RowText(
        state=state,
        kind=one_line(role_word(message), 20),
        kind_color=_COLORS.get(role, "pitree-tool"),
        strong=role in _STRONG,
        text=f"✗ not sent, {one_line(row.why_not, 80)} · {text}" if row.why_not else text,
        note=note,
        figure="" if is_added or (isfinite(figure) and not figure) else exact(figure),
        dim=row.why_not is not None or is_added,
    )
