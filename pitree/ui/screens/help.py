"""What can be done here: every command by heading, why some are not possible, and what the marks mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from pitree.ui.commands import Offer
from pitree.ui.marks import MARKS
from pitree.ui.text import cell_pad, content, safe

KEYS_WIDTH = 20
NARROW_KEYS_WIDTH = 15
NAME_WIDTH = 24
NARROW = 84
"""Cells under which names and sentences share a column."""

Piece = tuple[str, str]


def help_text(offers: Sequence[Offer], width: int) -> Content:
    """The whole help as content.

    Args:
        offers: What `commands.offers` says for the situation there.
        width: Cells of a row; a longer sentence goes on under itself.

    Returns:
        Headings, one row or more per command, then the marks.
    """
    pieces: list[Piece] = []
    for group, members in groupby(offers, key=lambda offer: offer.command.group):
        pieces.append((f"{group}\n", "bold $pitree-cut"))
        for offer in members:
            pieces += _row(offer, width)
        pieces.append(("\n", ""))
    return Content.assemble(*pieces, *_legend())


def _row(offer: Offer, width: int) -> list[Piece]:
    possible = offer.why_not is None
    narrow = width < NARROW
    keys = cell_pad(safe("  ".join(offer.keys)), NARROW_KEYS_WIDTH if narrow else KEYS_WIDTH)
    name = f"{offer.command.name} · " if narrow else cell_pad(offer.command.name, NAME_WIDTH)
    mark = "" if possible else "✗ "
    start = 2 + len(keys) + (0 if narrow else NAME_WIDTH)
    first = len(name) + len(mark) if narrow else len(mark)
    rows = wrap(safe(offer.why_not or offer.command.help), max(16, width - start), initial_indent=" " * first)
    sentence = f"\n{' ' * start}".join(rows)[first:]
    if possible:
        return [(f"  {keys}", "bold $pitree-key"), (name, "$pitree-assistant"), (f"{sentence}\n", "$pitree-quiet")]
    return [
        (f"  {keys}{name}", "$pitree-quiet"),
        (mark, "$pitree-dropped"),
        (f"{sentence}\n", "italic $pitree-quiet"),
    ]


def _legend() -> list[Piece]:
    pieces: list[Piece] = [("Marks\n", "bold $pitree-cut")]
    for mark in MARKS.values():
        pieces += [(f"  {mark.glyph}", f"bold ${mark.color}"), (f"  {mark.word}\n", "$pitree-assistant")]
    return pieces


class HelpText(Static):
    """The text, laid out for the width it gets."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        super().__init__()
        self._offers = tuple(offers)

    def on_resize(self) -> None:
        """Lay the text out again."""
        self.update(help_text(self._offers, self.size.width))


class HelpScreen(ModalScreen[None]):
    """Shows help over the screen it is about.

    Args:
        offers: What `commands.offers` says for the situation there.
        where: What is helped with, such as `the session`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q", "dismiss", "Close", show=False),
        Binding("j", "scroll_by(1)", show=False),
        Binding("k", "scroll_by(-1)", show=False),
        Binding("g", "scroll_far(False)", show=False),
        Binding("G", "scroll_far(True)", show=False),
    ]

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > VerticalScroll {
            width: 92%;
            max-width: 112;
            height: 90%;
            background: $surface;
            border: round $pitree-frame-focus;
            border-title-color: $pitree-key;
            border-subtitle-color: $pitree-quiet;
            padding: 0 1;
            scrollbar-size-vertical: 1;
        }
        & HelpText { width: 1fr; height: auto; }
    }
    """

    def __init__(self, offers: Sequence[Offer], where: str = "here") -> None:
        super().__init__()
        self._offers = tuple(offers)
        self._where = where

    def compose(self) -> ComposeResult:
        """One scrolling text."""
        with VerticalScroll() as scroll:
            scroll.border_title = content(f"What can be done {self._where}")
            scroll.border_subtitle = "esc closes"
            yield HelpText(self._offers)

    def on_mount(self) -> None:
        """The keys go to the text at once."""
        self.query_one(VerticalScroll).focus()

    def action_scroll_by(self, rows: int) -> None:
        """Scroll some rows."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_scroll_far(self, down: bool) -> None:
        """Scroll to an end."""
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_end(animate=False) if down else scroll.scroll_home(animate=False)
