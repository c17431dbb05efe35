"""Text from a file made safe for a terminal: what acts, hides or has no width becomes a visible mark.

A session file holds whatever a model, a tool or an attacker wrote. ESC and C1 characters drive the terminal (OSC 52
writes the clipboard), bidi controls reorder what is read, and characters without width break every column. Each of
them becomes a visible mark here. What is plain text goes through `safe` or `one_line` before anybody prints it; the
interface has its own door in `ui/text`, the reports theirs in `cli/report_text`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rich.cells import cell_len, get_character_cell_size, split_text

TAB: Final = "    "
ELLIPSIS: Final = "…"
INVISIBLE: Final = "◌"
"""Stands for one character that has no shape of its own: a joiner, a filler, a variation selector out of place."""

# Longer stacks of combining characters than any script needs are drawn over neighboring rows.
_STACK_LIMIT = 4
_JOINERS = frozenset((0x00AD, 0x034F, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))
_FILLERS = frozenset((0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x3164, 0xFFA0))
_SELECTORS = (range(0x180B, 0x180E), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_LONE_PRESENTATION = re.compile("(?<=[^\ufe0e\ufe0f\n])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])")
_NAMED_CATEGORIES = frozenset(("Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def _mark(code: int) -> str:
    """The visible form of one code point: itself when it is safe to draw."""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0:
        # A C1 character means ESC and a letter: showing that pair says which one it was.
        return "\u241b" + chr(code - 0x40)
    if code in _JOINERS or code in _FILLERS or any(code in selectors for selectors in _SELECTORS):
        return INVISIBLE
    character = chr(code)
    category = unicodedata.category(character)
    if category in _NAMED_CATEGORIES:
        return f"‹{code:04X}›"
    if category == "Zs":
        return " " * max(1, get_character_cell_size(character))
    return character


class _Table(dict[int, str]):
    """A translate table that learns each code point when it is first met."""

    def __init__(self, **known: str) -> None:
        super().__init__({ord(character): mark for character, mark in known.items()})
        self._stacking: set[str] = set()
        self._stacks: re.Pattern[str] | None = None

    def __missing__(self, code: int) -> str:
        mark = _mark(code)
        if len(mark) == 1 and get_character_cell_size(mark) == 0:
            self._stacking.add(mark)
            self._stacks = None
        self[code] = mark
        return mark

    def apply(self, text: str) -> str:
        """Translate, then give stacks of combining characters a base and an end."""
        text = text.translate(self)
        if not self._stacking:
            return text
        if self._stacks is None:
            stacking = "".join(re.escape(character) for character in sorted(self._stacking))
            self._stacks = re.compile(f"(^|\n)?([{stacking}]+)")
        return self._stacks.sub(_bounded_stack, text)


def _bounded_stack(match: re.Match[str]) -> str:
    start, stack = match.group(1), match.group(2)
    base = "" if start is None else start + INVISIBLE
    return base + (stack if len(stack) <= _STACK_LIMIT else stack[:_STACK_LIMIT] + INVISIBLE)


_ONE_LINE = _Table()
_LINES = _Table(**{"\n": "\n", "\t": TAB})


def safe(text: str, *, newlines: bool = False) -> str:
    r"""Replace everything a terminal could act on, or that hides or has no width, by visible marks.

    The result is idempotent and its width is exactly `rich.cells.cell_len`.

    Args:
        text: Any text, lone surrogates included.
        newlines: Keep `\n` and show a tab as four spaces. Otherwise both become control pictures.

    Returns:
        Text without a character of the categories Cc (but `\n` when asked), Cf, Cs, Co, Cn, Zl and Zp.
    """
    if text.isascii() and (text if not newlines else text.replace("\n", "")).isprintable():
        return text
    if not text.isascii():
        text = _LONE_PRESENTATION.sub("", text)
    return (_LINES if newlines else _ONE_LINE).apply(text)


def one_line(text: str, limit: int = 200) -> str:
    """The beginning of a text as one safe line, with every run of white space as one space.

    Args:
        text: Any text; only its beginning is looked at, so a text of megabytes costs nothing.
        limit: Most characters taken.

    Returns:
        Safe text, ending in an ellipsis when something was left out.
    """
    head = text[: limit * 8].lstrip() or text.lstrip()
    words = " ".join(head[: limit * 4].split())
    cut = len(words) > limit or len(head) > limit * 4 or len(text) > limit * 8
    shown = safe(words[:limit])
    return shown + ELLIPSIS if cut else shown


def cell_fit(text: str, width: int) -> str:
    """Safe text cut to a number of cells, with an ellipsis in the last one when something was cut.

    Args:
        text: Text that is safe already.
        width: Cells that may be used.

    Returns:
        Text of at most `width` cells; a wide character never hangs over.
    """
    if width <= 0:
        return ""
    if len(text) <= width and text.isascii():
        return text
    # No base carries more than a bounded stack, so what lies beyond cannot reach the cells in question.
    head = text[: width * (_STACK_LIMIT + 2) + _STACK_LIMIT]
    if len(head) == len(text) and cell_len(head) <= width:
        return text
    return split_text(head, width - 1)[0] + ELLIPSIS


def cell_pad(text: str, width: int, *, right: bool = False) -> str:
    """Safe text as exactly `width` cells: cut as `cell_fit` does, or filled with spaces.

    Args:
        text: Text that is safe already.
        width: Cells of the result.
        right: Put the text at the right end.

    Returns:
        Text of exactly `width` cells.
    """
    fitted = cell_fit(text, width)
    space = " " * max(0, width - cell_len(fitted))
    return space + fitted if right else fitted + space
