"""The context bar: what fills the model's window, where pi compacts by itself, and both rulers in words."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from pitree.ui.figures import percent, short
from pitree.ui.text import cell_fit
from pitree.ui.widgets.context_shares import CATEGORIES, ContextShares, divide

WIDE: Final = 100
"""Columns from which the bar takes two lines."""

Piece = tuple[str, str]


def bar_line(shares: ContextShares, width: int, *, rulers: bool) -> Content:
    """The bar as one line.

    Args:
        shares: What to show.
        width: Cells of the line.
        rulers: Whether the rulers stand at its end, or in a line of their own.

    Returns:
        Content of `width` cells.
    """
    words = f" {_rulers(shares)}" if rulers else ""
    cells = max(10, width - cell_len(words))
    return Content.assemble(*_bar(shares, cells), (words, "$pitree-assistant"))


def legend_line(shares: ContextShares, width: int) -> Content:
    """The line under the bar: every category with its estimate, and the rulers at the end."""
    rulers = _rulers(shares, full=True)
    room = max(0, width - cell_len(rulers) - 1)
    whole = (_legend(shares, level) for level in (-1, -2, 0))
    pieces = next((pieces for pieces in whole if _cells(pieces) <= room), None)
    if pieces is None:
        pieces = _legend(shares, 0)
        while _cells(pieces) > room:
            del pieces[-2:]
    return Content.assemble(*pieces, (" " * (room - _cells(pieces) + 1), ""), (rulers, "$pitree-assistant"))


def _legend(shares: ContextShares, level: int) -> list[Piece]:
    """Each category with its tokens, in its longest (-1), middle (-2) or shortest (0) word."""
    pieces: list[Piece] = []
    for name, tokens in shares.segments():
        words = CATEGORIES[name].words
        word = words[-1] if name == "not_in_file" else words[level if len(words) + level >= 0 else 0]
        pieces += [("■ ", f"${_legend_color(name)}"), (f"{word} {short(tokens)}  ", "$pitree-quiet")]
    return pieces


def _cells(pieces: list[Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


def _legend_color(name: str) -> str:
    return "pitree-guide" if name == "free" else CATEGORIES[name].color


def _rulers(shares: ContextShares, *, full: bool = False) -> str:
    est = f"est {short(shares.estimated)}"
    of = f" of {short(shares.window)}" if full else ""
    if shares.used is None:
        return f"{est}{of} {percent(shares.estimated, shares.window)}"
    used = f"used {short(shares.used)}{of} {percent(shares.used, shares.window)}"
    return f"{est} · {used}" if full else used


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
    words = [f"{category.words[-1]} {short(tokens)}", *reversed(category.words), ""]
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
        label, start = "┆", at
    return _overlay(pieces, start, label)


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
            return bar_line(self.shares, width, rulers=True)
        return Content("\n").join([bar_line(self.shares, width, rulers=False), legend_line(self.shares, width)])
