"""Lines end at newlines and nowhere else, wherever the chunks end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.lines import LineSplitter

CHUNKS = st.lists(st.lists(st.sampled_from([b"\n", b"\r", b"a", b"\xe2\x80\xa8", b"\x00"])).map(b"".join))


def split(chunks: list[bytes]) -> tuple[list[bytes], bytes]:
    splitter = LineSplitter()
    return [line for chunk in chunks for line in splitter.feed(chunk)], splitter.tail


@pytest.mark.parametrize(
    ("chunks", "lines", "tail"),
    [
        ([], [], b""),
        ([b""], [], b""),
        ([b"a"], [], b"a"),
        ([b"a\n"], [b"a"], b""),
        ([b"\n\n"], [b"", b""], b""),
        ([b"a\r\nb\rc"], [b"a\r"], b"b\rc"),
        ([b"a", b"b", b"", b"c\nd"], [b"abc"], b"d"),
        ([b"a\nb", b"\n", b"\n"], [b"a", b"b", b""], b""),
        ([b"a\xe2\x80\xa8b\n"], [b"a\xe2\x80\xa8b"], b""),
    ],
)
def test_splitting(chunks: list[bytes], lines: list[bytes], tail: bytes) -> None:
    assert split(chunks) == (lines, tail)


@given(CHUNKS)
def test_any_chunks_give_the_lines_of_the_whole(chunks: list[bytes]) -> None:
    *lines, tail = b"".join(chunks).split(b"\n")
    assert split(chunks) == (lines, tail)
