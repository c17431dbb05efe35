"""The outline: a list of any length drawn line by line, with a cursor.

It knows nothing of sessions. Rows come from a provider, moves go out as messages, and only what is in sight is drawn:
a cursor move costs the same at a thousand rows and at a million.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from pitree.ui.command import OUTLINE
from pitree.ui.commands import bindings_for
from pitree.ui.rows import NoRows, RowProvider, RowText
from pitree.ui.widgets.row_drawing import Look, draw

PAN_STEP = 8
INDENT_MARGIN = 24
"""Cells that stay free right of the cursor row's connectors at the least when the outline pans by itself."""


class OutlineView(ScrollView, can_focus=True, inherit_bindings=False):
    """A virtual list with a cursor; see `show` for how it is filled."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings_for(OUTLINE))

    DEFAULT_CSS = """
    OutlineView {
        background: $background;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """
    ALLOW_SELECT = False

    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    pan: reactive[int] = reactive(0, repaint=False, init=False)

    @dataclass
    class CursorMoved(Message):
        """The cursor is on another row now."""

        outline: OutlineView
        row: int

        @property
        def control(self) -> OutlineView:
            """The outline it happened in."""
            return self.outline

    @dataclass
    class Selected(Message):
        """The row under the cursor was chosen, by enter or by a second click."""

        outline: OutlineView
        row: int

        @property
        def control(self) -> OutlineView:
            """The outline it happened in."""
            return self.outline

    def __init__(self, rows: RowProvider | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: RowProvider = rows or NoRows()
        self._strips: LRUCache[tuple[RowText, Look], Strip] = LRUCache(1024)
        self._styles: dict[str, Style] = {}
        self._pans_itself = True

    def show(self, rows: RowProvider, cursor: int | None = None, *, keep_place: bool = True) -> None:
        """Draw other rows, or the same provider after it changed.

        Args:
            rows: Where rows come from now.
            cursor: The row of the cursor, kept within the rows; without it the cursor stays at its number.
            keep_place: Keep the cursor at the same height of the window where that can be, as folding needs it.
                Otherwise it is only brought into sight. No `CursorMoved` is posted: the caller knows.
        """
        height = self.cursor - self.scroll_offset.y
        was_in_sight = 0 <= height < self.size.height
        self._rows = rows
        self.virtual_size = Size(0, len(rows))
        wanted = self.cursor if cursor is None else cursor
        with self.prevent(self.CursorMoved):
            self.cursor = max(0, min(wanted, len(rows) - 1))
        if keep_place and was_in_sight and self.size.height:
            self.scroll_to(y=self.cursor - height, animate=False, force=True)
        self.keep_in_sight()
        self.refresh()

    def refresh_rows(self) -> None:
        """Draw what is in sight again, after the provider's rows changed but not their number."""
        self.refresh()

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, len(self._rows) - 1))

    def validate_pan(self, pan: int) -> int:
        """Panning stops at the left edge."""
        return max(0, pan)

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw the two rows concerned, bring the cursor into sight and tell."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        self.keep_in_sight()
        if len(self._rows):
            self.post_message(self.CursorMoved(self, new))

    def watch_pan(self) -> None:
        """Every row in sight moves."""
        self.refresh()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The cursor row looks different without the focus."""
        super().watch_has_focus(_has_focus)
        self.refresh_lines(self.cursor)

    def keep_in_sight(self) -> None:
        """Scroll as little as needed to show the cursor row, and pan when its connectors fill the width."""
        height = self.size.height
        if not height or not len(self._rows):
            return
        top = self.scroll_offset.y
        bottom = max(0, self.cursor - height + 1)
        wanted = min(max(top, bottom), self.cursor)
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True)
        self._follow_indent()

    def center_cursor(self) -> None:
        """Scroll so that there is as much to see above the cursor as below it."""
        self.scroll_to(y=max(0, self.cursor - max(2, self.size.height // 2)), animate=False, force=True)

    def _follow_indent(self) -> None:
        indent = cell_len(self._rows.row(self.cursor).prefix)
        room = max(PAN_STEP, self._columns - max(INDENT_MARGIN, self._columns * 2 // 3))
        over = max(0, indent - room)
        if over > self.pan or indent < self.pan:
            self._pans_itself = True
            self.pan = -(-over // PAN_STEP) * PAN_STEP

    def on_resize(self) -> None:
        """The cursor stays in sight whatever the size."""
        self.virtual_size = Size(0, len(self._rows))
        self.keep_in_sight()

    def notify_style_update(self) -> None:
        """Colors may be others now."""
        super().notify_style_update()
        self._strips.clear()
        self._styles.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        index = self.scroll_offset.y + y
        width = self._columns
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        at_cursor = index == self.cursor
        look = Look(width, self.pan, self._pans_itself, at_cursor, self.has_focus if at_cursor else False)
        row = self._rows.row(index)
        strip = self._strips.get((row, look))
        if strip is None:
            strip = self._strips[row, look] = self._strip(row, look)
        return strip

    def _strip(self, row: RowText, look: Look) -> Strip:
        base = self.visual_style
        if look.cursor:
            base += self._style("on $pitree-cursor" if look.focused else "on $pitree-cursor-blurred")
        segments = [Segment(text, (base + self._style(style)).rich_style) for text, style in draw(row, look) if text]
        return Strip(segments).adjust_cell_length(look.width, base.rich_style)

    @property
    def _columns(self) -> int:
        """Cells left of the scrollbar."""
        return self.scrollable_content_region.width

    def _style(self, name: str) -> Style:
        style = self._styles.get(name)
        if style is None:
            style = self._styles[name] = Style.parse(name, self.app.theme_variables)
        return style

    def move_cursor(self, row: int) -> None:
        """Put the cursor on a row, as near as there is one, and tell by `CursorMoved` when that is another one."""
        self.cursor = row

    def action_cursor_down(self) -> None:
        """Move one row down."""
        self.move_cursor(self.cursor + 1)

    def action_cursor_up(self) -> None:
        """Move one row up."""
        self.move_cursor(self.cursor - 1)

    def action_page_down(self) -> None:
        """Move as far as the window is high."""
        self.move_cursor(self.cursor + max(1, self.size.height - 1))

    def action_page_up(self) -> None:
        """Move back as far as the window is high."""
        self.move_cursor(self.cursor - max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Move to the first row."""
        self.move_cursor(0)

    def action_last(self) -> None:
        """Move to the last row."""
        self.move_cursor(len(self._rows) - 1)

    def action_pan_left(self) -> None:
        """Show what lies further left."""
        self._pans_itself = False
        self.pan -= PAN_STEP

    def action_pan_right(self) -> None:
        """Show what lies further right."""
        self._pans_itself = False
        self.pan += PAN_STEP

    def action_select(self) -> None:
        """Choose the row under the cursor."""
        if len(self._rows):
            self.post_message(self.Selected(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a double click chooses."""
        row = self.scroll_offset.y + event.get_content_offset_capture(self).y
        if row >= len(self._rows):
            return
        self.move_cursor(row)
        if event.chain == 2:
            self.action_select()
