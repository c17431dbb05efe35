"""Lazy wrapping: rows join to the safe line, never leave the width, and come only when asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pitree.ui.text import safe
from pitree.ui.wrapping import Block, WrappedText, wrap_line

texts = st.text(st.one_of(st.sampled_from("ab 日\t\x1b\u0301\n"), st.characters()))


@given(texts.map(lambda text: text.replace("\n", "")), st.integers(2, 40))
def test_rows_join_to_the_safe_line(text: str, width: int) -> None:
    rows = list(wrap_line(text, width))
    assert "".join(rows) == safe(text, newlines=True)
    assert all(cell_len(row.removesuffix(" ")) <= width for row in rows)
    assert all(rows) or rows == [""]


def test_words_stay_whole_where_they_can() -> None:
    assert list(wrap_line("one two three", 8)) == ["one two ", "three"]
    assert list(wrap_line("one two three", 7)) == ["one two ", "three"]
    assert list(wrap_line("unbreakable", 4)) == ["unbr", "eaka", "ble"]
    assert list(wrap_line("        indented", 10)) == ["        in", "dented"]
    assert list(wrap_line("日本語", 4)) == ["日本", "語"]


def test_a_line_of_megabytes_begins_at_once() -> None:
    wrapped = WrappedText([Block("x" * 5_000_000)], 80)
    wrapped.reach(40)
    assert len(wrapped.rows) == 40
    assert not wrapped.complete
    assert abs(wrapped.height - 62_500) < 100
    wrapped.reach_end()
    assert wrapped.height == len(wrapped.rows) == 62_500


@given(st.lists(texts, max_size=4), st.integers(4, 30), st.integers(4, 30), st.integers(0, 20))
def test_a_place_means_the_same_at_another_width(parts: list[str], one: int, other: int, row: int) -> None:
    blocks = [Block(part, gutter="│ " if number % 2 else "") for number, part in enumerate(parts)]
    before, after = WrappedText(blocks, one), WrappedText(blocks, other)
    place = before.place(row)
    found = after.row_at(place)
    if not blocks:
        assert found == 0
        return
    block, line, offset = after.rows[found][:3]
    assert (block, line) == place[:2]
    assert offset <= place[2]
    after.reach_end()
    assert found + 1 == len(after.rows) or after.rows[found + 1][:3] > place


@given(st.lists(texts, min_size=1, max_size=6), st.integers(4, 20), st.integers(0, 12))
def test_appending_gives_the_same_rows_as_having_it_all(parts: list[str], width: int, seen: int) -> None:
    grown = WrappedText([], width)
    for part in parts:
        grown.append(part)
        grown.reach(seen)
    grown.reach_end()
    whole = WrappedText([Block("".join(parts))], width)
    whole.reach_end()
    assert grown.rows == whole.rows


def test_the_estimate_is_exact_in_the_end() -> None:
    wrapped = WrappedText([Block("a\nb\nc"), Block("d", key="last")], 20)
    assert wrapped.height >= 4
    wrapped.reach_end()
    assert (wrapped.height, wrapped.row_of_key("last"), wrapped.row_of_key("no")) == (4, 3, None)
