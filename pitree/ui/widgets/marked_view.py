"""A view of long texts with marked ranges, bullets and hanging indents; see `marked_text`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual.selection import Selection
from textual.strip import Strip

from pitree.ui.marked_text import MarkedBlock, Span, replace_last
from pitree.ui.text import safe
from pitree.ui.widgets.line_view import LineView
from pitree.ui.wrapping import Block, Row


class MarkedView(LineView):
    """A `LineView` that draws what `MarkedBlock`s say besides their text."""

    def replace_last(self, blocks: Sequence[Block]) -> None:
        """Put blocks in place of the last one; whoever reads at the end stays at the end."""
        at_end = self._text.complete and self.scroll_offset.y >= self.max_scroll_y
        replace_last(self._text, blocks)
        self._grow()
        if at_end:
            self.action_scroll_end()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        strip = super().render_line(y)
        index = self.scroll_offset.y + y
        if index >= len(self._text.rows):
            return strip
        row = self._text.rows[index]
        block = self._text.blocks[row.block]
        return self._marked(strip, row, block) if isinstance(block, MarkedBlock) else strip

    def _marked(self, strip: Strip, row: Row, block: MarkedBlock) -> Strip:
        margin = cell_len(block.gutter)
        if block.lead and row.offset == 0 and margin < strip.cell_length:
            strip = Strip.join([self._lead(block), strip.crop(margin)])
        for span in block.spans:
            strip = self._styled(strip, row, span, margin)
        return strip

    def _lead(self, block: MarkedBlock) -> Strip:
        style = (self.visual_style + self._style(block.lead_style)).rich_style
        return Strip([Segment(safe(block.lead), style)]).adjust_cell_length(cell_len(block.gutter), style)

    def _styled(self, strip: Strip, row: Row, span: Span, margin: int) -> Strip:
        start, end = (max(0, min(place - row.offset, len(row.text))) for place in (span.start, span.end))
        if start >= end:
            return strip
        first, last = (margin + cell_len(row.text[:place]) for place in (start, end))
        style = self._style(span.style).rich_style
        chosen = Strip(list(Segment.apply_style(strip.crop(first, last), post_style=style)))
        return Strip.join([strip.crop(0, first), chosen, strip.crop(last)])

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text with the lines it had, bullets in their own form."""
        if selection.end is None:
            self._text.reach_end()
        rows = self._text.rows
        first = selection.start.y if selection.start is not None else 0
        last = selection.end.y if selection.end is not None else len(rows) - 1
        parts: list[str] = []
        for index in range(first, min(last, len(rows) - 1) + 1):
            row, block = rows[index], self._text.blocks[rows[index].block]
            start, end = selection.get_span(index) or (0, 0)
            begins = row.offset == 0
            parts.append("\n" if begins and index > first else "")
            parts.append(block.source if isinstance(block, MarkedBlock) and begins and not start else "")
            parts.append(row.text[start:] if end < 0 else row.text[start:end])
        return "".join(parts), "\n"
