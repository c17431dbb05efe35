"""What the outline draws: one row as a plain value, and the protocol of whoever provides rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RowText:
    """One row of the outline, ready to be drawn.

    Attributes:
        state: How the lens marks this row; a name of `marks.MARKS`, or "" for none. Shown in the first column.
        prefix: Connectors before the kind, such as `│  ├─ `.
        kind: The word for the entry's kind, such as `user`.
        kind_color: The theme variable of the kind's color, without `$`.
        strong: Draw the kind bold, as for the messages that begin a turn.
        text: One line about the entry.
        highlights: Ranges `(start, end)` of `text` in characters that a search found.
        tags: Further states, shown with glyph and word before the figure: leaf, target, ancestor, …
        note: A short plain word among the tags, such as the label's text.
        figure: Shown at the right end, such as a number of tokens.
        dim: Draw the text quietly, for rows off the path.
        rule: Draw `text` as a line across the whole width, as the cut row is. Such a row may still hold the cursor.
    """

    state: str = ""
    prefix: str = ""
    kind: str = ""
    kind_color: str = "pitree-assistant"
    strong: bool = False
    text: str = ""
    highlights: tuple[tuple[int, int], ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    figure: str = ""
    dim: bool = False
    rule: bool = False


class RowProvider(Protocol):
    """Whoever knows the rows: folds, filters and lenses are its business."""

    def __len__(self) -> int:
        """How many rows there are."""

    def row(self, index: int, /) -> RowText:
        """The row at a position from 0 to `len(self) - 1`."""


class NoRows:
    """A provider without rows, for the time before a session is there."""

    def __len__(self) -> int:
        """No rows."""
        return 0

    def row(self, index: int, /) -> RowText:
        """Never called by a widget that looks at the length."""
        raise IndexError(index)
