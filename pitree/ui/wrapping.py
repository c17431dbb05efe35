"""Very long texts as rows of a given width, wrapped only as far as somebody looks.

A tool result of five megabytes opens at once: lines are found, made safe and wrapped one after the other, and the rest
is an estimate until it is reached.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size

from pitree.ui.text import safe

_PIECE = 4096
# A row of cells never needs more characters than this times its width: marks for stacks bound what a cell can hold.
_CHARACTERS_PER_CELL = 6


@dataclass(frozen=True, slots=True)
class Block:
    """A section of a long text that looks alike.

    Attributes:
        text: Any text, as it is in the file; line breaks are kept.
        style: A style of ours for the text, such as `bold $pitree-user`.
        gutter: Drawn before every row of the block; safe text of ours.
        gutter_style: Its style.
        key: A name to scroll to, unique among the blocks, or "".
    """

    text: str
    style: str = "$pitree-assistant"
    gutter: str = ""
    gutter_style: str = "$pitree-guide"
    key: str = ""


class Row(NamedTuple):
    """One row: where it begins and what it shows.

    Attributes:
        block: Which block.
        line: Which line of the block's text.
        offset: How many characters of that line, made safe, come before.
        text: Safe text. All rows of a line joined are the whole line; a space at a break hangs over the width.
    """

    block: int
    line: int
    offset: int
    text: str


def break_after(text: str, start: int, width: int) -> int:
    """Where the row that begins at `start` ends: after a space when there is one, else where the width is full.

    Args:
        text: Safe text without line breaks.
        start: Where the row begins.
        width: Cells of the row, at least 2 where the text holds wide characters.

    Returns:
        A position greater than `start`, unless `start` is the end already.
    """
    end = _full_at(text, start, width)
    if end >= len(text) or text[end] == " ":
        return min(end + 1, len(text))
    space = text.rfind(" ", start, end)
    # Breaking inside the indentation would leave a row of nothing.
    return space + 1 if space > start and not text[start:space].isspace() else end


def _full_at(text: str, start: int, width: int) -> int:
    part = text[start : start + width]
    if part.isascii() and text[start + len(part) : start + len(part) + 1].isascii():
        return start + len(part)
    cells = 0
    for place in range(start, len(text)):
        cells += get_character_cell_size(text[place])
        if cells > width:
            return max(place, start + 1)
    return len(text)


def wrap_line(line: str, width: int) -> Iterator[str]:
    """The rows of one line, made safe piece by piece so that a line of megabytes begins at once.

    Args:
        line: Any text without line breaks.
        width: Cells of a row.

    Yields:
        At least one row.
    """
    needed = width * _CHARACTERS_PER_CELL + _CHARACTERS_PER_CELL
    buffer = ""
    for start in range(0, len(line), _PIECE):
        buffer += safe(line[start : start + _PIECE], newlines=True)
        place = 0
        while len(buffer) - place > needed:
            end = break_after(buffer, place, width)
            yield buffer[place:end]
            place = end
        buffer = buffer[place:]
    place = 0
    while place < len(buffer):
        end = break_after(buffer, place, width)
        yield buffer[place:end]
        place = end
    if not line:
        yield ""


class WrappedText:
    """Blocks as rows of one width; rows are made when `reach` asks for them.

    Args:
        blocks: What to show.
        width: Cells of a row, gutter included; at least 4.
    """

    def __init__(self, blocks: Sequence[Block], width: int) -> None:
        self.blocks = list(blocks)
        self.width = max(4, width)
        self.rows: list[Row] = []
        self.complete = False
        self._line_start = 0
        self._characters_left = sum(len(block.text) for block in blocks)
        self._lines_left = sum(block.text.count("\n") + 1 for block in blocks)
        self._maker = self._make(0, 0, 0)

    @property
    def height(self) -> int:
        """Rows altogether; an estimate unless `complete`."""
        if self.complete:
            return len(self.rows)
        return len(self.rows) + self._lines_left + self._characters_left // self.width

    def reach(self, count: int) -> None:
        """Make the first `count` rows, or all there are."""
        missing = count - len(self.rows)
        while missing > 0 and not self.complete:
            row = next(self._maker, None)
            if row is None:
                self.complete = True
            else:
                self.rows.append(row)
                missing -= 1

    def reach_end(self) -> None:
        """Make all rows."""
        self.rows.extend(self._maker)
        self.complete = True

    def place(self, index: int) -> tuple[int, int, int]:
        """What begins at a row, as block, line and offset: it means the same at another width."""
        self.reach(index + 1)
        return self.rows[min(index, len(self.rows) - 1)][:3] if self.rows else (0, 0, 0)

    def row_at(self, place: tuple[int, int, int]) -> int:
        """The row that shows a place; the last one when the text ends before it."""
        while not self.complete and (not self.rows or self.rows[-1][:3] <= place):
            self.reach(len(self.rows) + 256)
        return max(0, bisect_right(self.rows, place, key=lambda row: row[:3]) - 1)

    def row_of_key(self, key: str) -> int | None:
        """The first row of the block with a key, or None when there is none."""
        for number, block in enumerate(self.blocks):
            if block.key == key:
                return self.row_at((number, 0, 0))
        return None

    def append(self, text: str) -> None:
        """Add text to the last block; only its last line is wrapped again."""
        if not self.blocks:
            self.blocks.append(Block(""))
            self._lines_left += 1
            self._maker, self.complete = self._make(0, 0, 0), False
        last = len(self.blocks) - 1
        self.blocks[last] = replace(self.blocks[last], text=self.blocks[last].text + text)
        self._characters_left += len(text)
        self._lines_left += text.count("\n")
        if self.rows and self.rows[-1].block == last:
            line = self.rows[-1].line
            while self.rows and self.rows[-1][:2] == (last, line):
                self._characters_left += len(self.rows.pop().text)
            self._lines_left += 1
            self._maker, self.complete = self._make(last, line, self._line_start), False

    def _make(self, block: int, line: int, start: int) -> Iterator[Row]:
        while block < len(self.blocks):
            shown = self.blocks[block]
            width = max(2, self.width - cell_len(shown.gutter))
            end = shown.text.find("\n", start)
            self._line_start = start
            self._lines_left -= 1
            offset = 0
            for text in wrap_line(shown.text[start : end if end >= 0 else None], width):
                self._characters_left -= len(text)
                yield Row(block, line, offset, text)
                offset += len(text)
            block, line, start = (block, line + 1, end + 1) if end >= 0 else (block + 1, 0, 0)
