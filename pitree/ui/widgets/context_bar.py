"""The context bar: what fills the model's window, where pi compacts by itself, and both rulers in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from pitree.ui.context_shares import CATEGORIES, ContextShares, divide
from pitree.ui.figures import percent, rough, short
from pitree.ui.text import cell_fit

WIDE: Final = 100
"""Columns from which the bar takes two lines."""

Piece = tuple[str, str]
MIN_BAR = 10
"""Cells that the bar itself has at the least."""


def bar_line(shares: ContextShares, width: int, *, both: bool = False) -> Content:
    """The bar with its ruler at the end.

    Args:
        shares: What to show.
        width: Cells of the line.
        both: Name the estimate as well where the provider recorded usage.

    Returns:
        Content of `width` cells.
    """
    words = next((words for words in _words(shares, both=both) if cell_len(words) + MIN_BAR <= width), "")
    cells = width - cell_len(words)
    return Content.assemble(*_bar(shares, cells), (words, "$pitree-assistant"))


def legend_line(shares: ContextShares, width: int) -> Content:
    """The line under the bar: every category in words, with as much of its figure as there is room for."""
    ways = (("long", short), ("middle", short), ("middle", rough), ("short", rough))
    for word, figure in ways:
        for gap in ("  ", " "):
            pieces = _legend(shares, word, figure, gap)
            if _cells(pieces) <= width:
                return Content.assemble(*pieces)
    while _cells(pieces) > width:
        del pieces[-2:]
    return Content.assemble(*pieces)


def _legend(shares: ContextShares, word: str, figure: Callable[[float], str], gap: str) -> list[Piece]:
    pieces: list[Piece] = []
    for name, tokens in shares.segments():
        if name != "free":
            category = CATEGORIES[name]
            label = f"{getattr(category, word)} {figure(tokens)}"
            pieces += [(f"{gap if pieces else ''}■ ", f"${category.color}"), (label, "$pitree-quiet")]
    return pieces


def _cells(pieces: list[Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


def _words(shares: ContextShares, *, both: bool) -> tuple[str, str]:
    """What stands at the end of the bar, and what stands there where that leaves no room for the bar."""
    return f" {_rulers(shares, both=both)}", f" {_rulers(shares, both=False)}"


def _rulers(shares: ContextShares, *, both: bool) -> str:
    est = f"est {short(shares.estimated)}"
    if shares.used is None:
        return f"{est} {percent(shares.estimated, shares.window)}"
    used = f"used {short(shares.used)} {percent(shares.used, shares.window)}"
    return f"{est} · {used}" if both else used


def _bar(shares: ContextShares, cells: int) -> list[Piece]:
    segments = shares.segments()
    widths = divide([tokens for _, tokens in segments], cells)
    painted: list[list[Piece]] = [
        _segment(name, tokens, width) for (name, tokens), width in zip(segments, widths, strict=True)
    ]
    return _with_threshold([piece for pieces in painted for piece in pieces], shares, cells)


def _segment(name: str, tokens: int, width: int) -> list[Piece]:
    """One segment: an edge that shows without color too, and the longest word that fits."""
    category = CATEGORIES[name]
    text = "pitree-bar-free-text" if name == "free" else "pitree-bar-text"
    words = [f"{category.long} {short(tokens)}", category.long, category.middle, category.short, ""]
    word = next(word for word in words if cell_len(word) < width or not word)
    return [(cell_fit("▏" + word.ljust(width - 1), width), f"${text} on ${category.color}")] if width else []


def _with_threshold(pieces: list[Piece], shares: ContextShares, cells: int) -> list[Piece]:
    """Lay the mark where pi compacts by itself over the bar, with its figure where that hides no word."""
    whole = max(shares.window, shares.filled)
    if shares.threshold is None or not 0 < shares.threshold < whole:
        return pieces
    at = min(cells - 1, cells * shares.threshold // whole)
    figure = short(shares.threshold)
    text = "".join(piece for piece, _ in pieces)
    after, before = text[at + 1 : at + 1 + len(figure)], text[max(0, at - len(figure)) : at]
    if len(after) == len(figure) and not after.strip():
        label, start = f"┆{figure}", at
    elif len(before) == len(figure) and not before.strip():
        label, start = f"{figure}┆", at - len(figure)
    else:
        pieces = _word_off_the_mark(pieces, at)
        label, start = "┆", at
    return _overlay(pieces, start, label)


def _word_off_the_mark(pieces: list[Piece], at: int) -> list[Piece]:
    """The word of the free part, where a mark would stand in it, goes behind the mark, or away without room."""
    *filled, (text, style) = pieces
    place = at - sum(len(piece) for piece, _ in filled)
    word = text[1:].strip()
    if not style.endswith("free") or not 0 <= place <= len(word):
        return pieces
    room = len(text) - place - 1
    word = f" {word}" if len(word) < room else ""
    return [*filled, (text[:1].ljust(place + 1) + word.ljust(room), style)]


def _overlay(pieces: list[Piece], start: int, label: str) -> list[Piece]:
    """Draw a label over the pieces, on the colors that are there."""
    done: list[Piece] = []
    place = 0
    for text, style in pieces:
        first, last = max(start, place) - place, min(start + len(label), place + len(text)) - place
        if first >= last:
            done.append((text, style))
        else:
            behind = style.partition(" on ")[2]
            part = label[place + first - start : place + last - start]
            color = "$pitree-bar-threshold" if behind.endswith("free") else "$pitree-bar-text"
            done += [(text[:first], style), (part, f"bold {color} on {behind}"), (text[last:], style)]
        place += len(text)
    return [piece for piece in done if piece[0]]


class ContextBar(Widget):
    """Shows `shares`: one line when the screen is under 100 columns, else two."""

    DEFAULT_CSS = """
    ContextBar {
        height: 2;
        padding: 0 1;
        background: $background;
    }
    ContextBar.-one-line {
        height: 1;
    }
    """
    ALLOW_SELECT = False

    shares: reactive[ContextShares | None] = reactive[ContextShares | None](None)

    def on_resize(self) -> None:
        """One line or two, as the width asks."""
        self.set_class(self.app.size.width < WIDE, "-one-line")

    def render(self) -> Content:
        """Both lines, or the one."""
        width = self.content_size.width
        if self.shares is None or width < 12:
            return Content("")
        if self.has_class("-one-line"):
            return bar_line(self.shares, width)
        return Content("\n").join([bar_line(self.shares, width, both=True), legend_line(self.shares, width)])
