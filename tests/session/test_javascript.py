"""What JavaScript answers. The literals are what Node.js 22 (V8 12.4) printed."""

from __future__ import annotations

import json
import math
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session import javascript
from pitree.session.decode import decode_text
from pitree.session.javascript import UNDEFINED

TEXTS = st.text(st.characters(exclude_categories=()))
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS
VALUES = st.recursive(
    SCALARS | st.floats(allow_nan=False), lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
)


def units(text: str) -> list[int]:
    """The UTF-16 units of a text, computed from the code points by the rule of the Unicode standard."""
    out: list[int] = []
    for point in map(ord, text):
        out += (
            [point] if point < 0x10000 else [0xD800 + ((point - 0x10000) >> 10), 0xDC00 + ((point - 0x10000) & 0x3FF)]
        )
    return out


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("abc", 3), ("é", 1), ("😀", 2), ("a😀b", 4), ("\ud83d", 1), ("\ud83d\ude00", 2)]
)
def test_the_length_counts_utf16_units(text: str, length: int) -> None:
    assert javascript.utf16_length(text) == length


@pytest.mark.parametrize(
    ("text", "count", "head", "head_in_whole_pairs"),
    [
        ("abcdef", 3, "abc", "abc"),
        ("abc", 9, "abc", "abc"),
        ("a😀b", 1, "a", "a"),
        ("a😀b", 2, "a\ud83d", "a"),
        ("a😀b", 3, "a😀", "a😀"),
        ("a😀", 3, "a😀", "a😀"),
        ("😀😀", 3, "😀\ud83d", "😀"),
        ("a\ud83db", 2, "a\ud83d", "a\ud83d"),
        ("xy\ude00z", 3, "xy\ude00", "xy\ude00"),
        ("é\ud83d", 2, "é\ud83d", "é\ud83d"),
        ("a\ud83d\ud83d\ude00", 2, "a\ud83d", "a\ud83d"),
        ("😀", 0, "", ""),
    ],
)
def test_a_head_may_leave_half_a_pair_out(text: str, count: int, head: str, head_in_whole_pairs: str) -> None:
    assert javascript.utf16_head(text, count, whole_pairs=False) == head
    assert javascript.utf16_head(text, count, whole_pairs=True) == head_in_whole_pairs


@given(TEXTS, st.integers(0, 20))
def test_units_add_up(text: str, count: int) -> None:
    assert javascript.utf16_length(text) == len(units(text))
    assert units(javascript.utf16_head(text, count, whole_pairs=False)) == units(text)[:count]
    assert javascript.utf16_key(text) == b"".join(unit.to_bytes(2, "big") for unit in units(text))
    assert units(javascript.well_paired(text)) == units(text)


def test_texts_sort_by_units() -> None:
    texts = ["\ufffd", "😀", "z", "Z", "a\0", "a", "é", "\ue000"]
    assert sorted(texts, key=javascript.utf16_key) == ["Z", "a", "a\0", "z", "é", "😀", "\ue000", "\ufffd"]


def test_surrogates_that_meet_become_one_character() -> None:
    assert javascript.well_paired("a\ud83d" + "\ude00b") == "a😀b"
    assert javascript.well_paired("\ude00\ud83d") == "\ude00\ud83d"


@pytest.mark.parametrize(
    ("text", "trimmed"),
    [
        ("\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeffx\ufeff", "x"),
        ("\u0085x\u0085", "\u0085x\u0085"),
        ("\u180ex", "\u180ex"),
        ("\u200bx", "\u200bx"),
        ("\u2060x", "\u2060x"),
        ("\x1cx\x1f", "\x1cx\x1f"),
        (" a b ", "a b"),
    ],
)
def test_trim_strips_what_javascript_calls_space(text: str, trimmed: str) -> None:
    assert javascript.trim(text) == trimmed


@pytest.mark.parametrize("value", [nan, 0, -0.0, "", None, False, UNDEFINED])
def test_falsy(value: object) -> None:
    assert not javascript.truthy(value)


@pytest.mark.parametrize("value", ["0", [], {}, 1, -1, "false", True, inf, 5e-324])
def test_truthy(value: object) -> None:
    assert javascript.truthy(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1, "-1"),
        (100, "100"),
        (1.5, "1.5"),
        (0.1, "0.1"),
        (-0.1, "-0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1234.5678, "1234.5678"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (10**21, "1e+21"),
        (1.2e21, "1.2e+21"),
        (123456789012345680000, "123456789012345680000"),
        (1e23, "1e+23"),
        (1e300, "1e+300"),
        (0.000001, "0.000001"),
        (0.000001234, "0.000001234"),
        (1e-7, "1e-7"),
        (-1.5e-7, "-1.5e-7"),
        (1.23e-18, "1.23e-18"),
        (5e-324, "5e-324"),
        (2.2250738585072014e-308, "2.2250738585072014e-308"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1.0000000000000002, "1.0000000000000002"),
        (2**53 - 1, "9007199254740991"),
        (2**53 + 1, "9007199254740992"),
        (2**63, "9223372036854776000"),
        (2**64, "18446744073709552000"),
        (-(2**64), "-18446744073709552000"),
        (10**400, "Infinity"),
        (-inf, "-Infinity"),
        (nan, "NaN"),
    ],
)
def test_numbers_as_texts(value: float, text: str) -> None:
    assert javascript.number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_as_text_is_the_same_number(value: float) -> None:
    assert float(javascript.number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("", 0),
        ("  ", 0),
        ("12", 12),
        ("-12", -12),
        ("+5", 5),
        (" 7 ", 7),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5),
        ("+.5", 0.5),
        ("-.5e1", -5),
        ("1e3", 1000),
        ("1E-2", 0.01),
        ("00012", 12),
        ("0x10", 16),
        ("0X1f", 31),
        ("0b101", 5),
        ("0o17", 15),
        ("Infinity", inf),
        ("-Infinity", -inf),
        ("1e400", inf),
        ("9007199254740993", 9007199254740992),
        ("\ufeff3\u00a0", 3),
        ("\u2028 4 \u3000", 4),
        *(
            (text, nan)
            for text in (
                *("-0x10", "0x", "0x1_0", "infinity", "inf", "1_000", "12px", "\u00853", "NaN", "nan", "null", "true"),
                *("1n", "٣", "1e", "e5", "0b102", "0o8", "--5", "\u180e5"),
            )
        ),
        (None, 0),
        (True, 1),
        (False, 0),
        ([], 0),
        ([5], 5),
        (["5"], 5),
        ([[7]], 7),
        ([[]], 0),
        ([None], 0),
        (["0x10"], 16),
        ([1, 2], nan),
        ([True], nan),
        ({}, nan),
        (UNDEFINED, nan),
        (10**400, inf),
        (2**53 + 1, 9007199254740992),
        (1.5, 1.5),
    ],
)
def test_values_as_numbers(value: object, number: float) -> None:
    found = javascript.to_number(value)
    assert found == number or (math.isnan(found) and math.isnan(number))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (UNDEFINED, "undefined"),
        (True, "true"),
        (1.5, "1.5"),
        (1e21, "1e+21"),
        ("x", "x"),
        ([], ""),
        ([1, [2, [3, None]], "x"], "1,2,3,,x"),
        ([None], ""),
        ([[], []], ","),
        ([None, None], ","),
        (["a", ["b"]], "a,b"),
        ([True, False], "true,false"),
        ({}, "[object Object]"),
        ([{}], "[object Object]"),
    ],
)
def test_values_as_texts(value: object, text: str) -> None:
    assert javascript.to_string(value) == text


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        (1, 2, 3),
        (1, "2", "12"),
        ("a", None, "anull"),
        (None, 1, 1),
        (None, None, 0),
        (True, 1, 2),
        (True, True, 2),
        ([1], 2, "12"),
        ({}, 1, "[object Object]1"),
        (1.5, 2, 3.5),
        ([], [], ""),
        ("", False, "false"),
        (UNDEFINED, "x", "undefinedx"),
    ],
)
def test_addition(one: object, other: object, result: object) -> None:
    assert javascript.add(one, other) == result


def test_adding_undefined_gives_no_number() -> None:
    assert math.isnan(javascript.add(UNDEFINED, 1))


@pytest.mark.parametrize(
    ("read", "written"),
    [
        (
            '{"b":1,"10":2,"9":3,"a":4,"0":5,"01":6,"4294967294":7,"4294967295":8,"-1":9,"1.5":10}',
            '{"0":5,"9":3,"10":2,"4294967294":7,"b":1,"a":4,"01":6,"4294967295":8,"-1":9,"1.5":10}',
        ),
        ('{"1":{"2":{"1":[]},"0":0}}', '{"1":{"0":0,"2":{"1":[]}}}'),
        ('{"²":1,"٣":2,"3":3}', '{"3":3,"²":1,"٣":2}'),
        ('{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'),
        ('{"__proto__":1,"constructor":2}', '{"__proto__":1,"constructor":2}'),
        (
            "[1.0,1e21,-0,1e400,-1e400,9007199254740993,12345678901234567890,0.1,1e-7]",
            "[1,1e+21,0,null,null,9007199254740992,12345678901234567000,0.1,1e-7]",
        ),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("[0.1e1,100e-2,1E2]", "[1,1,100]"),
        ('[[],{},[{}],null,true,false,""]', '[[],{},[{}],null,true,false,""]'),
        (
            '{"x":"\\ud800","\\udc00":"\\ud83d\\ude00\\ude00"}',
            '{"x":"\\ud800","\\udc00":"😀\\ude00"}',
        ),
        (
            '"\\u007f\\u2028\\u0001\\b\\f\\n\\r\\t\\u001f\\"\\\\/é"',
            '"\x7f\u2028\\u0001\\b\\f\\n\\r\\t\\u001f\\"\\\\/é"',
        ),
    ],
)
def test_stringify(read: str, written: str) -> None:
    value = decode_text(read)
    assert javascript.stringify(value) == written
    assert javascript.stringify_length(value) == len(written) + written.count("😀")


def test_halves_that_meet_in_one_value_are_written_as_one_character() -> None:
    assert javascript.stringify("\ud800" + "\udc00") == '"\U00010000"'


@given(VALUES)
def test_what_is_written_reads_as_the_same_value(value: Any) -> None:
    written = javascript.stringify(value)
    expected = json.loads(json.dumps(value), parse_constant=lambda _: None, parse_int=float)
    assert json.loads(written, parse_int=float) == expected
    assert javascript.stringify(json.loads(written)) == written


@given(VALUES)
def test_what_python_writes_as_javascript_does_is_written_alike_by_both_ways(value: Any) -> None:
    # Below 50 levels the fast way may be taken; inside 60 lists it never is.
    wrapped = value
    for _ in range(60):
        wrapped = [wrapped]
    assert javascript.stringify(wrapped) == "[" * 60 + javascript.stringify(value) + "]" * 60


def test_depth_has_no_end() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    deep: Any = None
    for _ in range(20_000):
        deep = {"a": deep}
    assert javascript.stringify(value) == "[" * 100_000 + "1" + "]" * 100_000
    assert javascript.stringify(deep) == '{"a":' * 20_000 + "null" + "}" * 20_000
    assert javascript.to_string(value) == "1"
    assert javascript.to_number(value) == 1


def test_undefined_has_no_json() -> None:
    with pytest.raises(TypeError):
        javascript.stringify_length(UNDEFINED)


@pytest.mark.parametrize(
    ("value", "length"), [("ab😀", 4), ([1, 2, 3], 3), ({"length": "7"}, 7), ({"length": None}, 0), ("", 0)]
)
def test_length(value: object, length: float) -> None:
    assert javascript.length(value) == length


@pytest.mark.parametrize("value", [{}, 5, True])
def test_what_has_no_length_has_nan(value: object) -> None:
    assert math.isnan(javascript.length(value))


@pytest.mark.parametrize("value", [None, UNDEFINED])
def test_null_is_not_asked_for_its_length_or_its_entries(value: object) -> None:
    with pytest.raises(TypeError):
        javascript.length(value)
    with pytest.raises(TypeError):
        javascript.entries_of(value)


def test_entries() -> None:
    assert javascript.entries_of("a😀") == [("0", "a"), ("1", "\ud83d"), ("2", "\ude00")]
    assert javascript.entries_of([5, 6]) == [("0", 5), ("1", 6)]
    assert javascript.entries_of(5) == []
    assert javascript.entries_of({"b": 1, "2": 2, "a": 3, "1": 4}) == [("1", 4), ("2", 2), ("b", 1), ("a", 3)]


def test_strict_equality() -> None:
    one: dict[str, Any] = {}
    assert javascript.same(1, 1.0)
    assert javascript.same("a", "a")
    assert javascript.same(None, None)
    assert javascript.same(one, one)
    assert javascript.same(2**53, 2**53 + 1)
    assert javascript.same(0, -0.0)
    for left, right in ((1, True), (0, False), (1, "1"), (None, UNDEFINED), (one, {}), ([], []), ("", None), (0, None)):
        assert not javascript.same(left, right)


def test_keys_of_a_map() -> None:
    keys = [javascript.map_key(value) for value in (1, 1.0, True, "1", None, UNDEFINED, False, 0, "")]
    assert len(set(keys)) == 8
    assert javascript.map_key(1) == javascript.map_key(1.0)
    assert javascript.map_key("a") == "a"


def test_fields_of_anything() -> None:
    assert javascript.get({"a": None}, "a") is None
    nothing: tuple[object, ...] = ({}, [], "text", 5, None, UNDEFINED)
    for value in nothing:
        assert javascript.get(value, "a") is UNDEFINED
    assert javascript.nullish(None)
    assert javascript.nullish(UNDEFINED)
    assert not javascript.nullish(0)
    assert not UNDEFINED
    assert repr(UNDEFINED) == "undefined"
