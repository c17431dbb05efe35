"""A comparison of two texts as blocks: side by side, or in one column; what differs has marks beside its color."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from pitree.ui.marked_text import MarkedBlock, Span
from pitree.ui.text import cell_pad, safe
from pitree.ui.word_diff import Kind, Pair
from pitree.ui.wrapping import Block, wrap_line

SIDE_BY_SIDE: Final = 90
"""Cells from which both texts stand side by side."""
_BETWEEN: Final = " │ "
_MARKS: Final[dict[Kind, tuple[str, str, str]]] = {
    "same": ("", "", ""),
    "gone": ("[-", "-]", "$pitree-dropped"),
    "new": ("{+", "+}", "$pitree-leaf"),
}
Marked = tuple[str, tuple[Span, ...]]


def comparison_blocks(pairs: Sequence[Pair], width: int) -> list[Block]:
    """The comparison for a width in cells."""
    if width < SIDE_BY_SIDE:
        return [MarkedBlock(*_block(marked(pair, ("same", "gone", "new")))) for pair in pairs]
    return [block for pair in pairs for block in _beside(pair, width)]


def differences(pairs: Sequence[Pair]) -> tuple[int, int]:
    """How many words only the left text has, and how many only the right one."""
    count = {"gone": 0, "new": 0, "same": 0}
    for pair in pairs:
        for part in pair.parts:
            count[part.kind] += len(part.text.split())
    return count["gone"], count["new"]


def marked(pair: Pair, kinds: Sequence[Kind]) -> Marked:
    """The words of some kinds as safe text with marks, and where their colors go."""
    text, spans = "", []
    is_heading = "".join(part.text for part in pair.parts).startswith("#")
    for kind, part in pair.parts:
        if kind not in kinds or (not part and kind != "same"):
            continue
        shown, style = _shown(kind, safe(part, newlines=True))
        style = f"bold {style or '$pitree-summary'}" if is_heading else style
        if style:
            spans.append(Span(len(text), len(text) + len(shown), style))
        text += shown
    return text, tuple(spans)


def _shown(kind: Kind, text: str) -> tuple[str, str]:
    """Words with their marks, blanks around them outside, and their color."""
    before, after, style = _MARKS[kind]
    words = text.strip(" ")
    if not words or not before:
        return f"{before}{text}{after}", style
    head, tail = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
    return f"{head}{before}{words}{after}{tail}", style


def _block(line: Marked) -> tuple[str, str, str, str, str, tuple[Span, ...]]:
    text, spans = line
    return text, "$pitree-assistant", "", "", "", spans


def _beside(pair: Pair, width: int) -> Iterator[Block]:
    """As many rows as the longer of both sides needs."""
    column = (width - len(_BETWEEN)) // 2
    left = list(_rows(marked(pair, ("same", "gone")), column)) if pair.left else []
    right = list(_rows(marked(pair, ("same", "new")), column)) if pair.right else []
    start = column + len(_BETWEEN)
    for (old, old_spans), (new, new_spans) in zip_longest(left, right, fillvalue=("", ())):
        text = cell_pad(old, column)
        shift = len(text) + len(_BETWEEN)
        between = Span(len(text), shift, "$pitree-guide")
        spans = (*old_spans, between, *(Span(a + shift, b + shift, style) for a, b, style in new_spans))
        yield MarkedBlock(text + _BETWEEN + cell_pad(new, width - start).rstrip(), spans=spans)


def _rows(line: Marked, width: int) -> Iterator[Marked]:
    text, spans = line
    offset = 0
    for row in wrap_line(text, width):
        shown = row.rstrip()
        end = offset + len(shown)
        yield (
            shown,
            tuple(
                Span(max(a, offset) - offset, min(b, end) - offset, s) for a, b, s in spans if a < end and b > offset
            ),
        )
        offset += len(row)
