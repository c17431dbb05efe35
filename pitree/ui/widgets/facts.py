"""A list of facts: a name, and what is so, wrapped beside it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from pitree.ui.facts import Fact
from pitree.ui.marks import mark
from pitree.ui.text import cell_pad
from pitree.ui.wrapping import wrap_line

NAME_WIDTH = 13
Piece = tuple[str, str]


class Facts(Widget):
    """Shows `facts`, one under the other."""

    DEFAULT_CSS = """
    Facts { height: auto; padding: 0 1; }
    """

    facts: reactive[Sequence[Fact]] = reactive[Sequence[Fact]]((), layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """See `Widget`."""
        return sum(len(_rows(fact, width)) for fact in self.facts)

    def render(self) -> Content:
        """All of them; what does not fit is cut off by the window."""
        width = self.content_size.width
        pieces: list[Piece] = []
        for fact in self.facts:
            for number, row in enumerate(_rows(fact, width)):
                pieces += [] if fact.is_heading else _margin(fact, first=not number)
                pieces.append((f"{row}\n", fact.style))
        return Content.assemble(*pieces)


def _margin(fact: Fact, *, first: bool) -> list[Piece]:
    shown = mark(fact.state) if fact.state and first else None
    return [
        (f"{shown.glyph} " if shown else "  ", f"${shown.color}" if shown else ""),
        (cell_pad(fact.name if first else "", NAME_WIDTH), "$pitree-quiet"),
    ]


def _rows(fact: Fact, width: int) -> list[str]:
    room = max(8, width - (0 if fact.is_heading else NAME_WIDTH + 2))
    return [row.rstrip() for line in fact.value.split("\n") for row in wrap_line(line, room)]
