"""From a row as a value to styled pieces of text: pure, so that the outline's strips are easy to test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from pitree.ui.marks import mark, short_word
from pitree.ui.rows import RowText
from pitree.ui.text import ELLIPSIS, cell_fit, cell_pad, safe

KIND_WIDTH = 11
KIND_LIMIT = 14
"""Cells of the longest word of pi's own, such as `branch_summary`: it is shown whole and pushes the text on."""
FIGURE_WIDTH = 8
TEXT_FLOOR = 14
"""Cells of text that tags may not take away."""

Piece = tuple[str, str]
"""Safe text and the style it is drawn in, such as `bold $pitree-user`."""


@dataclass(frozen=True, slots=True)
class Look:
    """Everything besides the row that its pixels depend on.

    Attributes:
        width: Cells of the row.
        pan: Cells by which prefix, kind and text are shifted to the left.
        prefix_only: Shift no further than the connectors of the row reach, so that its text stays whole.
        cursor: Whether the cursor is here.
        focused: Whether the outline has the focus.
    """

    width: int
    pan: int = 0
    prefix_only: bool = False
    cursor: bool = False
    focused: bool = True


def draw(row: RowText, look: Look) -> list[Piece]:
    """The pieces of a row, together at most `look.width` cells.

    Args:
        row: What to draw; its texts may come from a file.
        look: Width, pan and cursor.

    Returns:
        Pieces from left to right.
    """
    pointer = ("❯" if look.focused else "›") if look.cursor else " "
    shown = mark(row.state)
    head = [(pointer, "bold $pitree-key"), (shown.glyph if row.state else " ", f"${shown.color}"), (" ", "")]
    room = max(0, look.width - 3)
    if row.rule:
        return head + _rule(row, shown.color, room)
    figure = _figure(row, room)
    room -= sum(cell_len(text) for text, _ in figure)
    prefix = cell_len(row.prefix)
    pan = min(look.pan, max(0, prefix - 1)) if look.prefix_only else look.pan
    indent = max(0, prefix - pan)
    tags = list(_tags(row, max(0, room - indent - KIND_WIDTH - TEXT_FLOOR)))
    room -= sum(cell_len(text) for text, _ in tags)
    return head + _panned(list(_body(row)), pan, room) + tags + figure


def _rule(row: RowText, color: str, room: int) -> list[Piece]:
    text = cell_fit(safe(row.text), max(0, room - 6))
    line = cell_fit("─" * (room - cell_len(text) - 5), room)
    return [("── "[:room], f"${color}"), (text, f"bold ${color}"), (f" {line} "[: max(0, room - 3)], f"${color}")]


def _figure(row: RowText, room: int) -> list[Piece]:
    if not row.figure or room < FIGURE_WIDTH + TEXT_FLOOR:
        return []
    return [(cell_pad(safe(row.figure), FIGURE_WIDTH - 1, right=True) + " ", "$pitree-quiet")]


def _tags(row: RowText, room: int) -> Iterator[Piece]:
    """Glyphs of as many tags as fit, then their words in order, then the note: what is cut first matters least."""
    tags = row.tags[: room // 2]
    spare = room - 2 * len(tags)
    for state in tags:
        shown, word = mark(state), short_word(state)
        text = f" {shown.glyph}"
        if word and cell_len(word) < spare:
            text += f" {word}"
            spare -= cell_len(word) + 1
        yield text, f"bold ${shown.color}"
    if row.note and spare >= 5:
        yield " " + cell_fit(safe(row.note), min(24, spare - 1)), "$pitree-label"


def _body(row: RowText) -> Iterator[Piece]:
    yield safe(row.prefix), "$pitree-guide"
    if row.kind:
        weight = "bold " if row.strong and not row.dim else ""
        color = "pitree-abandoned" if row.dim else row.kind_color
        kind = cell_fit(safe(row.kind), KIND_LIMIT)
        yield cell_pad(kind, max(KIND_WIDTH - 1, cell_len(kind))) + " ", f"{weight}${color}"
    yield from _text(row)


def _text(row: RowText) -> Iterator[Piece]:
    style = "$pitree-abandoned" if row.dim else "$pitree-assistant"
    done = 0
    for start, end in row.highlights:
        yield safe(row.text[done:start]), style
        yield safe(row.text[start:end]), "bold underline $pitree-hit"
        done = end
    yield safe(row.text[done:]), style


def _panned(pieces: list[Piece], pan: int, room: int) -> list[Piece]:
    """The part of the pieces from `pan` on as exactly `room` cells; what is cut on either side shows as an ellipsis."""
    shown: list[Piece] = []
    skip, left = pan, room
    if pan and room > 1:
        shown.append((ELLIPSIS, "$pitree-quiet"))
        skip, left = pan + 1, room - 1
    for text, style in pieces:
        text, skip = _without_head(text, skip)
        if not text:
            continue
        fitted = cell_fit(text, left)
        shown.append((fitted, style))
        left -= cell_len(fitted)
        if left <= 0:
            break
    return [*shown, (" " * left, "")] if left > 0 else _ended(shown, pieces, pan, room)


def _ended(shown: list[Piece], pieces: list[Piece], pan: int, room: int) -> list[Piece]:
    """Say with an ellipsis that later pieces were cut, when the last one shown happened to fit exactly."""
    whole = sum(cell_len(text) for text, _ in pieces) - pan
    if shown and whole > room and not shown[-1][0].endswith(ELLIPSIS):
        text, style = shown[-1]
        shown[-1] = (cell_fit(text + "  ", cell_len(text)), style)
    return shown


def _without_head(text: str, skip: int) -> tuple[str, int]:
    """A text without its first `skip` cells, and the cells still to skip; half a wide character becomes a space."""
    if skip <= 0:
        return text, 0
    if cell_len(text) == len(text):
        return text[skip:], max(0, skip - len(text))
    width = 0
    for place, character in enumerate(text):
        if width >= skip:
            return " " * (width - skip) + text[place:], 0
        width += cell_len(character)
    return " " * max(0, width - skip), max(0, skip - width)
