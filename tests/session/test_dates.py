"""`date_ms` against what V8 answers: `new Date(value).getTime()` with UTC as the local time."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.dates import date_ms
from pitree.session.javascript import UNDEFINED
from tests.session.node import ask_node

# Literal values that Node.js 22 (V8 12.4) answered with TZ=UTC.
ANSWERS: tuple[tuple[object, float], ...] = (
    # The form pi writes, and its borders.
    ("2026-11-30T10:00:00.123Z", 1_796_032_800_123),
    ("1969-12-31T23:59:59.999Z", -1),
    ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2024-02-29T00:00:00.000Z", 1_709_164_800_000),
    ("2026-02-29T00:00:00.000Z", 1_772_323_200_000),
    ("2026-13-01T00:00:00.000Z", nan),
    ("2026-11-30T25:00:00.000Z", nan),
    ("2026-11-30T10:60:00.000Z", nan),
    ("2026-W01-1T00:00:00.000Z", nan),
    ("2026-11-30T10:00:00,123Z", nan),
    # Other ISO forms: shorter, longer, with offsets, at midnight of the other end.
    ("2026", 1_767_225_600_000),
    ("2026-11", 1_793_491_200_000),
    ("2026-11-30", 1_795_996_800_000),
    ("2026-11-30T10:00", 1_796_032_800_000),
    ("2026-11-30T10:00:00", 1_796_032_800_000),
    ("2026-11-30T10:00:00.5", 1_796_032_800_500),
    ("2026-11-30T10:00:00.123456789Z", 1_796_032_800_123),
    ("2026-11-30T10:00:00.00000000012Z", 1_796_032_800_000),
    ("2026-11-30t10:00z", 1_796_032_800_000),
    ("2026-11-30T10:00+05:30", 1_796_013_000_000),
    ("2026-11-30T10:00-0530", 1_796_052_600_000),
    ("2026-11-30T10:00+24:00", nan),
    ("2026-11-30T24:00:00", 1_796_083_200_000),
    ("2026-11-30T24:00:00.0001", nan),
    ("2026-11-30T10", nan),
    ("2026-11-30T10:00 ", nan),
    ("2026-11-30T10:00:00.", nan),
    ("2026-11-31", 1_796_083_200_000),
    ("2026-11-32", nan),
    ("20261130T100000Z", nan),
    # Expanded years, and the ends of time.
    ("+002026-11-30", 1_795_996_800_000),
    ("-002026-11-30T10:00:00Z", -126_072_770_400_000),
    ("+275760-09-13T00:00:00.000Z", 8_640_000_000_000_000),
    ("+275760-09-13T00:00:00.001Z", nan),
    ("-271821-04-20T00:00:00.000Z", -8_640_000_000_000_000),
    ("-271821-04-19T23:59:59.999Z", nan),
    ("-000000-01-01T00:00:00Z", nan),
    ("-000000", nan),
    ("-000000-11-30", 1_007_078_400_000),
    ("+000000-01-01", -62_167_219_200_000),
    ("+2026-11-30", 1_795_996_800_000),
    ("-002026-11-30 10:00", -126_072_770_400_000),
    # ISO that stops being ISO.
    ("2026-", 1_767_225_600_000),
    ("2026-11-", 1_793_491_200_000),
    ("0020-", nan),
    ("2026-1-5", 1_767_571_200_000),
    ("2026-11-30 10:00", 1_796_032_800_000),
    ("2026:11", 1_793_491_200_000),
    ("2026.11", 1_793_491_200_000),
    ("2026-T10:00", nan),
    ("2026-11-30Z", 1_795_996_800_000),
    ("2026-11-30 T10:00", nan),
    # RFC 2822, toString and everyday forms.
    ("Mon, 30 Nov 2026 10:00:00 GMT", 1_796_032_800_000),
    ("Mon Nov 30 2026 10:00:00 GMT+0100 (Central European Standard Time)", 1_796_029_200_000),
    ("30 November 2026 10:00 PM GMT+0200 (text)", 1_796_068_800_000),
    ("Nov 30 2026 10:00", 1_796_032_800_000),
    ("November 30, 2026 10:00:00 am EST", 1_796_050_800_000),
    ("2026/11/30", 1_795_996_800_000),
    ("11/30/2026", 1_795_996_800_000),
    ("11/30/26", 1_795_996_800_000),
    ("30/11/2026", nan),
    ("11/30", 1_007_078_400_000),
    ("30-Nov-2026", 1_795_996_800_000),
    ("Nov 2026", 1_793_491_200_000),
    ("30 2026 Nov", 1_795_996_800_000),
    ("2026 Nov 30", 1_795_996_800_000),
    ("Novembrist 30 2026", 1_795_996_800_000),
    ("Nove", nan),
    ("No 30 2026", nan),
    # Two-digit years, and none.
    ("Jan 1 0", 946_684_800_000),
    ("Jan 1 49", 2_493_072_000_000),
    ("Jan 1 50", -631_152_000_000),
    ("Jan 1 99", 915_148_800_000),
    ("Jan 1 100", -59_011_459_200_000),
    ("Jan 1", 978_307_200_000),
    ("1", 978_307_200_000),
    ("0", 946_684_800_000),
    ("12", 1_007_164_800_000),
    ("13", nan),
    ("31", nan),
    ("32", 1_956_528_000_000),
    ("49", 2_493_072_000_000),
    ("50", -631_152_000_000),
    ("99", 915_148_800_000),
    ("100", -59_011_459_200_000),
    ("-1", 978_307_200_000),
    ("1e3", nan),
    ("1764496800000", nan),
    # Times.
    ("Jan 1 2026 12:00 am", 1_767_225_600_000),
    ("Jan 1 2026 12:00 pm", 1_767_268_800_000),
    ("Jan 1 2026 13:00 pm", nan),
    ("Jan 1 2026 pm 1:00", nan),
    ("Jan 1 2026 24:00", 1_767_312_000_000),
    ("Jan 1 2026 24:01", nan),
    ("Jan 1 2026 5::30", 1_767_243_630_000),
    ("Jan 1 2026 10:00:00.5", 1_767_261_600_500),
    ("Jan 1 2026 10:30.5", nan),
    ("Jan 1 2026 10:00x", nan),
    ("Jan 1 2026 10:00Z", 1_767_261_600_000),
    ("Jan 1 2026 10:", 1_767_261_600_000),
    ("10:00", nan),
    ("1:2:3:4 Jan 1 2026", 1_767_229_323_004),
    ("1:2:3:4:5 Jan 1 2026", 978_656_523_004),
    # Time zones.
    ("Jan 1 2026 10:00 PST", 1_767_290_400_000),
    ("Jan 1 2026 10:00 edt", 1_767_276_000_000),
    ("Jan 1 2026 UTC+5", 1_767_207_600_000),
    ("Jan 1 2026 GMT-0130", 1_767_231_000_000),
    ("Jan 1 2026 10:00 +2", 1_767_254_400_000),
    ("Jan 1 2026 10:00 +130", 1_767_256_200_000),
    ("Jan 1 2026 10:00 +02:30", 1_767_252_600_000),
    ("Jan 1 2026 10:00 +02:", 1_767_254_400_000),
    ("Jan 1 2026 10:00 +", nan),
    ("Jan 1 2026 10:00 +12345", nan),
    ("Jan 1 2026 +2", nan),
    ("Jan 1 2026 10:00 CET", nan),
    ("UTC Jan 1 2026", 1_767_225_600_000),
    ("Jan 1 2026 10:00 +999999999:00", 949_859_248_000),
    ("Jan 1 2026 10:00 +1193046:00", nan),
    # Words, parentheses, spaces and other characters.
    ("foo Jan 1 2026", 1_767_225_600_000),
    ("foo1 Jan 2026", nan),
    ("foo-1 Jan 2026", 1_767_225_600_000),
    ("Jan 1 2026 foo", nan),
    ("Jan 1 2026 (foo", 1_767_225_600_000),
    ("(a(b)c) Jan 1 2026", 1_767_225_600_000),
    ("Jan 1) 2026", nan),
    (") Jan 1 2026", 1_767_225_600_000),
    ("Jan 1 2026\0 foo", 1_767_225_600_000),
    ("\ufeffJan\u00a01\u30002026", 1_767_225_600_000),
    ("\u2028Jan 1 2026", nan),
    ("Jan\u20281 2026", 1_767_225_600_000),
    ("Jan 1 2026 \ud83d\ude00", nan),
    ("\ud83d\ude00 Jan 1 2026", 1_767_225_600_000),
    ("Jan,1;2026", 1_767_225_600_000),
    ("1 2 3 4", nan),
    ("", nan),
    (" ", nan),
    ("Invalid Date", nan),
    # Values that are no text.
    (None, 0),
    (True, 1),
    (False, 0),
    (0, 0),
    (-0.5, 0),
    (1.9, 1),
    (-1.9, -1),
    (1764496800000, 1_764_496_800_000),
    (8640000000000000.0, 8_640_000_000_000_000),
    (8640000000000001, nan),
    (-8640000000000000.0, -8_640_000_000_000_000),
    (1e300, nan),
    ([], nan),
    ([None], nan),
    ([2026], 1_767_225_600_000),
    ([2026, 11, 30], 1_795_996_800_000),
    ([[["2026-11-30"]]], 1_795_996_800_000),
    (["Nov 30", 2026], 1_795_996_800_000),
    ([1e21], nan),
    ([True], nan),
    ([{}], nan),
    ({}, nan),
    ({"a": 1}, nan),
)

PIECES = (
    *("0", "1", "2", "9", "12", "13", "24", "31", "32", "49", "50", "59", "60", "99", "100", "1000", "2026", "00"),
    *("000000000123", "1234567890", "-000000", "+002026", "2026-11-30", "2026-11-30T", "10:00", "10:00:00.5", "+02:30"),
    *("T", "t", "Z", "GMT", "utc", "UT", "est", "pDt", "am", "PM", "amx", "Jan", "FEBRUARY", "Sept", "maybe", "foo"),
    *("-", "+", ":", "::", ".", "(", ")", ",", "/", "@", "[", "\0", "\t", "\u00a0", "\u2028", "\ufeff", "\u0085", "é"),
    *(" ", " ", " ", " "),
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize(("value", "answer"), ANSWERS, ids=[ascii(value) for value, _ in ANSWERS])
def test_answers_as_v8_did(value: object, answer: float) -> None:
    assert same(date_ms(value), answer)


@pytest.mark.parametrize("value", [UNDEFINED, nan, math.inf, -math.inf, 10**400, -(10**400), object()])
def test_has_no_date_for(value: object) -> None:
    assert math.isnan(date_ms(value))


def test_never_answers_minus_zero() -> None:
    assert [math.copysign(1, date_ms(value)) for value in (-0.0, -0.9, False)] == [1, 1, 1]


@given(st.datetimes(timezones=st.just(UTC)))
def test_reads_back_what_to_iso_string_writes(moment: datetime) -> None:
    milliseconds = (moment - EPOCH) // timedelta(milliseconds=1)
    text = moment.replace(tzinfo=None).isoformat(timespec="milliseconds")
    assert date_ms(f"{text}Z") == milliseconds
    assert date_ms(text) == milliseconds
    assert date_ms(f"{text}+00:00") == milliseconds
    assert date_ms(milliseconds) == milliseconds


@given(st.from_regex(r"[0-9W-]{4}-[0-9W]{2}-[0-9]{2}T[0-9]{2}:[0-6][0-9]:[0-6][0-9]\.[0-9,]{3}Z", fullmatch=True))
def test_short_cut_for_the_usual_form_changes_nothing(text: str) -> None:
    # A longer fraction keeps the text off the short cut.
    assert same(date_ms(text), date_ms(f"{text[:-1]}0Z"))


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_any_text_is_a_whole_number_in_range_or_nan(text: str) -> None:
    milliseconds = date_ms(text)
    assert math.isnan(milliseconds) or (milliseconds.is_integer() and abs(milliseconds) <= 8.64e15)


def test_agrees_with_node() -> None:
    chance = random.Random(20261130)
    texts = ["".join(chance.choices(PIECES, k=chance.randint(1, 12))) for _ in range(20_000)]
    answers = ask_node("values.map((value) => new Date(value).getTime())", texts)
    expected = [nan if answer is None else answer for answer in answers]
    assert sum(answer == answer for answer in expected) > 1000
    assert [text for text, answer in zip(texts, expected, strict=True) if not same(date_ms(text), answer)] == []
