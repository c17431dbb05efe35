"""`JSON.parse` of one line. What is taken and what is rejected is what Node.js 22 (V8 12.4) did."""

from __future__ import annotations

import json
import math
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.decode import decode, decode_text
from pitree.session.javascript import stringify

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
SNIPPETS = st.lists(
    st.sampled_from(
        [
            *'[]{},:"',
            "1",
            "-",
            ".5",
            "e3",
            "01",
            "true",
            "null",
            " ",
            "\n",
            '"a"',
            '"\\ud800"',
            "NaN",
            "\x00",
            "é",
            "\\",
        ]
    )
).map("".join)

TAKEN: tuple[tuple[str, Any], ...] = (
    ('"\\ud800"', "\ud800"),
    ('"\\uD83D\\uDE00"', "😀"),
    ('"\\u00e9"', "é"),
    ('"\\/"', "/"),
    ('"\u2028"', "\u2028"),
    ('"\x7f"', "\x7f"),
    ("1e400", inf),
    ("-1e400", -inf),
    ("1.5E+3", 1500),
    ("0e0", 0),
    ("-0", 0),
    ("\t\r\n 1 \t\r\n", 1),
    ('{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
)
REJECTED = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "--1",
        "-",
        "-a",
        "0x10",
        "1_0",
        "1 2",
        "undefined",
    ),
    *("[1,]", "[,1]", "[1 2]", "[1,,2]", "[]]", "[", "[1", '{"a":1,}', "{'a':1}", "{a:1}", "{1:2}", "{,}", '{"a" 1}'),
    *(
        '{"a":}',
        '{"a":1 "b":2}',
        '{"a":1}}',
        "{",
        '{"a"',
        '{"a":1',
        '"',
        '"\t"',
        '"\x00"',
        '"a\nb"',
        '"\\x41"',
        '"\\u12"',
    ),
    *('"\\a"', '"abc" "d"', "tru", "nul", "nullx", "True", "", "  ", "\ufeff1", "\u00a01", "1\u0085", "// c\n1"),
    *("\\u0031", "\f1", "\v1", '["\\ud800",]', '["\\ud800"', '["\\ud800" 1]', '{"\\ud800":}', '["\\ud800", NaN]'),
)


@pytest.mark.parametrize(("text", "value"), TAKEN, ids=[ascii(text) for text, _ in TAKEN])
def test_taken(text: str, value: object) -> None:
    assert decode(text.encode()) == value


@pytest.mark.parametrize("text", REJECTED, ids=ascii)
def test_rejected(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- that it is one is all that counts
        decode(text.encode())


def deep(text: str, levels: int = 5000) -> str:
    """A text inside so many lists that only the iterative parser takes it."""
    return "[" * levels + text + "]" * levels


def innermost(value: Any, levels: int = 5000) -> Any:
    for _ in range(levels):
        (value,) = value
    return value


@pytest.mark.parametrize(("text", "value"), TAKEN, ids=[ascii(text) for text, _ in TAKEN])
def test_taken_in_the_depth(text: str, value: object) -> None:
    assert innermost(decode(deep(text).encode())) == value


@pytest.mark.parametrize("text", [text for text in REJECTED if text.strip()], ids=ascii)
def test_rejected_in_the_depth(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- that it is one is all that counts
        decode(deep(text).encode())


@pytest.mark.parametrize("tail", ["1", "]", ",", "null", "\u00a0"])
def test_nothing_follows_a_deep_value(tail: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- that it is one is all that counts
        decode((deep("1") + tail).encode())


def test_a_deep_value_may_have_blanks_around_it() -> None:
    assert innermost(decode((" \t" + deep(" [ ] ") + " \r\n").encode())) == []


@given(VALUES)
def test_json_text_is_read_as_python_reads_it(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, separators=(",", ":"))):
        assert decode(text.encode()) == json.loads(text)


@given(VALUES)
def test_both_slow_ways_agree_with_the_fast_one(value: Any) -> None:
    text = json.dumps(value)
    assert decode_text(text) == decode(text.encode())
    assert innermost(decode(deep(text, 1500).encode()), 1500) == value


@given(SNIPPETS)
def test_the_deep_parser_takes_what_the_shallow_one_takes(text: str) -> None:
    try:
        shallow = decode_text(f"[{text}]")
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 -- that it is one is all that counts
            decode_text(deep(text, 1200))
    else:
        assert innermost(decode_text(deep(text, 1200)), 1199) == shallow


@given(SNIPPETS)
def test_the_fast_way_takes_nothing_that_the_exact_one_rejects(text: str) -> None:
    try:
        exact = decode_text(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 -- that it is one is all that counts
            decode(text.encode())
    else:
        assert decode(text.encode()) == exact


def test_integers_of_any_length() -> None:
    assert decode(b"9" * 30) == 10**30 - 1
    assert decode(b"-" + b"9" * 5000) == -inf
    assert decode(b"9" * 5000) == inf
    assert decode(b"[" + b"9" * 399 + b"]") == [10**399 - 1]
    assert stringify(decode(b'{"a":' + b"1" * 5000 + b"}")) == '{"a":null}'
    assert stringify(decode(b'{"a":' + b"1" + b"0" * 300 + b"}")) == '{"a":1e+300}'
    assert innermost(decode(deep("9" * 5000).encode())) == inf


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    # As new TextDecoder("utf-8").decode answers.
    for data, text in (
        (b"\xff", "\ufffd"),
        (b"a\xc3", "a\ufffd"),
        (b"\xe2\x82", "\ufffd"),
        (b"\xe2\x82z", "\ufffdz"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\xf0\x9f\x98", "\ufffd"),
        (b"\xc0\xaf", "\ufffd\ufffd"),
        (b"\xf5\x80", "\ufffd\ufffd"),
        (b"\xf0\x80\x80\x80", "\ufffd\ufffd\ufffd\ufffd"),
    ):
        assert decode(b'["' + data + b'"]') == [text]


def test_depth_has_no_end() -> None:
    value: Any = decode(b'{"a":[' * 50_000 + b"1" + b"]}" * 50_000)
    for _ in range(50_000):
        (value,) = value["a"]
    assert value == 1
    with pytest.raises(ValueError, match="no JSON"):
        decode(b"[" * 100_000)


def test_numbers_beyond_a_double_are_infinite() -> None:
    assert math.isinf(decode(b"1e309"))
    assert decode(b"1e-400") == 0
