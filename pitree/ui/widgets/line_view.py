"""A view of very long texts, drawn line by line; what streams in goes to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from pitree.ui.command import LINES
from pitree.ui.commands import bindings_for
from pitree.ui.text import safe
from pitree.ui.wrapping import Block, WrappedText


class LineView(ScrollView, can_focus=True, inherit_bindings=False):
    """Blocks of text with a style and a gutter each, wrapped lazily; see `show`."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings_for(LINES))

    DEFAULT_CSS = """
    LineView {
        background: $background;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, blocks: Sequence[Block] = (), *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._text = WrappedText(blocks, 80)
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(1024)
        self._styles: dict[str, Style] = {}

    @property
    def blocks(self) -> Sequence[Block]:
        """What is shown."""
        return tuple(self._text.blocks)

    @property
    def wrapped(self) -> WrappedText:
        """The rows made so far."""
        return self._text

    def show(self, blocks: Sequence[Block], *, keep_place: bool = False) -> None:
        """Show other blocks.

        Args:
            blocks: What to show from now on; their texts may come from a file.
            keep_place: Stay where the reader is, as folding a block needs it. Otherwise the text begins at its top.
        """
        place = self._text.place(self.scroll_offset.y) if keep_place else (0, 0, 0)
        self._wrap_again(blocks, place)

    def append(self, text: str) -> None:
        """Add text to the last block; whoever reads at the end stays at the end."""
        at_end = self._text.complete and self.scroll_offset.y >= self.max_scroll_y
        self._text.append(text)
        self._grow()
        if at_end:
            self.action_scroll_end()
        self.refresh()

    def scroll_to_block(self, key: str) -> bool:
        """Bring the beginning of a block to the top.

        Args:
            key: The block's key.

        Returns:
            Whether there is such a block.
        """
        row = self._text.row_of_key(key)
        if row is not None:
            self._go(row)
        return row is not None

    def on_resize(self) -> None:
        """Wrap at the new width; what was at the top stays there."""
        if self._columns and self._columns != self._text.width:
            self._wrap_again(self._text.blocks, self._text.place(self.scroll_offset.y))
        self._grow()

    def _wrap_again(self, blocks: Sequence[Block], place: tuple[int, int, int]) -> None:
        self._text = WrappedText(blocks, self._columns or 80)
        self._go(self._text.row_at(place) if place != (0, 0, 0) else 0)
        self.refresh()

    def _grow(self) -> None:
        """Make the rows in sight and a window more, and say how high the text is as far as that is known."""
        height = self.size.height or 1
        self._text.reach(self.scroll_offset.y + 2 * height)
        size = Size(0, self._text.height)
        if size != self.virtual_size:
            self.virtual_size = size
        if self.scroll_offset.y > max(0, size.height - height):
            self.scroll_to(y=max(0, size.height - height), animate=False, force=True)

    def _go(self, row: int) -> None:
        self._text.reach(row + 2 * (self.size.height or 1))
        self._grow()
        self.scroll_to(y=row, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Make rows before they come into sight."""
        super().watch_scroll_y(old_value, new_value)
        self._grow()

    def notify_style_update(self) -> None:
        """Colors may be others now."""
        super().notify_style_update()
        self._strips.clear()
        self._styles.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        index = self.scroll_offset.y + y
        width = self._columns
        if index >= len(self._text.rows):
            return Strip.blank(width, self.rich_style)
        row = self._text.rows[index]
        block = self._text.blocks[row.block]
        selection = self.text_selection
        span = selection.get_span(index) if selection is not None else None
        key = (index, row.text, block.style, block.gutter, block.gutter_style, width, span)
        strip = self._strips.get(key)
        if strip is None:
            shown = self._strip(row.text, block, span).apply_offsets(0, index)
            strip = Strip.join([self._gutter(block), shown]).adjust_cell_length(width, self.rich_style)
            self._strips[key] = strip
        return strip

    def _gutter(self, block: Block) -> Strip:
        style = (self.visual_style + self._style(block.gutter_style)).rich_style
        return Strip([Segment(safe(block.gutter), style)] if block.gutter else [])

    def _strip(self, text: str, block: Block, span: tuple[int, int] | None) -> Strip:
        plain = (self.visual_style + self._style(block.style)).rich_style
        start, end = span or (0, 0)
        end = len(text) if end < 0 else end
        chosen = plain + self.screen.get_component_rich_style("screen--selection") if span else plain
        pieces = ((text[:start], plain), (text[start:end], chosen), (text[end:], plain))
        return Strip([Segment(piece, style) for piece, style in pieces if piece])

    @property
    def _columns(self) -> int:
        """Cells left of the scrollbar."""
        return self.scrollable_content_region.width

    def _style(self, name: str) -> Style:
        style = self._styles.get(name)
        if style is None:
            style = self._styles[name] = Style.parse(name, self.app.theme_variables)
        return style

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text with the lines it had before wrapping."""
        if selection.end is None:
            self._text.reach_end()
        first = selection.start.y if selection.start is not None else 0
        last = selection.end.y if selection.end is not None else len(self._text.rows) - 1
        parts: list[str] = []
        for index in range(first, min(last, len(self._text.rows) - 1) + 1):
            row = self._text.rows[index]
            start, end = selection.get_span(index) or (0, 0)
            begins = index > first and row.offset == 0
            parts.append(("\n" if begins else "") + (row.text[start:] if end < 0 else row.text[start:end]))
        return "".join(parts), "\n"

    def _scroll_by(self, rows: int) -> None:
        self._go(max(0, min(self.scroll_offset.y + rows, self.max_scroll_y)))

    def action_scroll_up(self) -> None:
        """One row up."""
        self._scroll_by(-1)

    def action_scroll_down(self) -> None:
        """One row down."""
        self._scroll_by(1)

    def action_page_up(self) -> None:
        """One window up, with one row in common."""
        self._scroll_by(1 - max(2, self.size.height))

    def action_page_down(self) -> None:
        """One window down, with one row in common."""
        self._scroll_by(max(2, self.size.height) - 1)

    def action_scroll_home(self) -> None:
        """To the first row."""
        self._go(0)

    def action_scroll_end(self) -> None:
        """To the last row, which makes all rows."""
        self._text.reach_end()
        self._go(max(0, len(self._text.rows) - self.size.height))
