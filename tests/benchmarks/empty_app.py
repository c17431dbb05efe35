"""The least that shows rows with Textual's line API: what pitree's first paint is held against."""

from __future__ import annotations

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

MARK = "row 3 of nothing"


class Rows(ScrollView, can_focus=True):
    """A thousand rows of the same text."""

    def on_mount(self) -> None:
        """See `Widget`."""
        self.virtual_size = Size(80, 1000)

    def render_line(self, y: int) -> Strip:
        """See `Widget`."""
        return Strip([Segment(f"row {self.scroll_offset.y + y} of nothing")])


class EmptyApp(App[None]):
    """Nothing but rows."""

    def compose(self) -> ComposeResult:
        """See `App`."""
        yield Rows()


if __name__ == "__main__":
    EmptyApp().run()
