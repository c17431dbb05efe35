"""Blocks of long texts that look different within a line: ranges with a style, and a lead such as a bullet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.content import Content

from pitree.ui.wrapping import Block, WrappedText


class Span(NamedTuple):
    """A range of characters with a style.

    Attributes:
        start: The first character.
        end: The one behind the last.
        style: A style of ours, laid over the style of the block.
    """

    start: int
    end: int
    style: str


@dataclass(frozen=True, slots=True)
class MarkedBlock(Block):
    """A block of one line whose text is safe already, since its spans count characters.

    Attributes:
        spans: Ranges that look different.
        lead: Stands in place of the gutter in the first row, with as many cells: a bullet, a name.
        lead_style: Its style.
        source: What the lead stands for, given back when the text is copied.
    """

    spans: tuple[Span, ...] = ()
    lead: str = ""
    lead_style: str = "$pitree-guide"
    source: str = ""


def block_of(content: Content) -> MarkedBlock:
    """One line of content as a block."""
    spans = tuple(Span(span.start, span.end, str(span.style)) for span in content.spans)
    return MarkedBlock(content.plain, spans=spans)


def block_of_pieces(pieces: Iterable[tuple[str, str]]) -> MarkedBlock:
    """Pieces of safe text with a style each as a block."""
    text, spans = "", []
    for piece, style in pieces:
        if piece and style:
            spans.append(Span(len(text), len(text) + len(piece), style))
        text += piece
    return MarkedBlock(text, spans=tuple(spans))


def replace_last(text: WrappedText, blocks: Sequence[Block]) -> None:
    """Put blocks in place of the last one; only what comes from there on is wrapped again.

    Args:
        text: The wrapped text, which is changed.
        blocks: What stands at its end from now on.
    """
    last = max(0, len(text.blocks) - 1)
    begun = text.complete
    while text.rows and text.rows[-1].block >= last:
        text.rows.pop()
        begun = True
    lines, characters = _size(blocks)
    if begun:
        text._lines_left, text._characters_left = lines, characters
        text._maker, text.complete = text._make(last, 0, 0), False
    else:
        old_lines, old_characters = _size(text.blocks[last:])
        text._lines_left += lines - old_lines
        text._characters_left += characters - old_characters
    text.blocks[last:] = blocks


def _size(blocks: Sequence[Block]) -> tuple[int, int]:
    return sum(block.text.count("\n") + 1 for block in blocks), sum(len(block.text) for block in blocks)
