"""Blocks put in place of the last one are wrapped as if they had always been there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from pitree.ui.marked_text import MarkedBlock, Span, block_of, block_of_pieces, replace_last
from pitree.ui.wrapping import Block, WrappedText

TEXTS = st.lists(st.text("ab \n", max_size=20), min_size=1, max_size=4)


@given(TEXTS, TEXTS, st.integers(0, 12))
def test_a_replaced_end_is_wrapped_as_from_the_start(before: list[str], after: list[str], reached: int) -> None:
    wrapped = WrappedText([Block(text) for text in before], 6)
    wrapped.reach(reached)
    replace_last(wrapped, [Block(text) for text in after])
    fresh = WrappedText([Block(text) for text in [*before[:-1], *after]], 6)
    wrapped.reach_end()
    fresh.reach_end()
    assert wrapped.rows == fresh.rows
    assert wrapped.height == fresh.height


def test_an_empty_text_gets_its_first_blocks() -> None:
    wrapped = WrappedText([], 6)
    wrapped.reach_end()
    replace_last(wrapped, [Block("a"), Block("b")])
    wrapped.reach_end()
    assert [row.text for row in wrapped.rows] == ["a", "b"]


def test_content_and_pieces_as_blocks() -> None:
    block = MarkedBlock("ab", spans=(Span(0, 1, "bold"),))
    assert block_of_pieces([("a", "bold"), ("b", "")]) == block
    assert block_of(Content.assemble(("a", "bold"), "b")) == block
