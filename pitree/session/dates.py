"""Dates as JavaScript reads them: `new Date(value).getTime()` for a value that came from JSON.

pi sorts siblings by these numbers, so pitree has to agree with V8 even about dates that no one should write. Text is
first read by the grammar of ECMA-262 (Date Time String Format), with V8's leniences; what is left over goes to a
tolerant reader whose rules are those of V8's `Date.parse`: words before the first number are ignored, text in
parentheses too, and numbers go by what follows them to the time, the time zone or the day.

Where JavaScript would use the machine's own time zone, UTC is used: the order of siblings must not depend on where
pitree runs, and pi's recorded answers were made with `TZ=UTC`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import NamedTuple

from pitree.session.javascript import to_string

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = 8.64e15
_FURTHEST_YEAR = 1_000_000
_DAYS_OF_400_YEARS = 146_097
_DAY, _HOUR, _MINUTE, _SECOND = 86_400_000, 3_600_000, 60_000, 1000
_NUMBER_DIGITS = 9

# What ends a word for V8: line and paragraph separators do not.
_SPACE = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff"
_TOKEN = re.compile(rf"(?P<number>[0-9]+)|(?P<space>[{_SPACE}])|(?P<word>[^\0-@{_SPACE}]+)|.", re.DOTALL)
_PARENTHESIS = re.compile(r"[()]")
# The year -000000 is none, yet V8 has read over it by then; a dash too, when no month or day follows it.
_ISO_DATE = re.compile(
    r"-0{6}(?![0-9])|(?P<year>[+-][0-9]{6}|[0-9]{4})(?![0-9])"
    r"(?:-(?:(?P<month>0[1-9]|1[0-2])(?![0-9])(?:-(?:(?P<day>0[1-9]|[12][0-9]|3[01])(?![0-9]))?)?)?)?"
)
_TIME_FOLLOWS = re.compile(rf"[Tt](?![^\0-@{_SPACE}])")
_ISO_TIME = re.compile(
    r"[Tt](?P<hour>[01][0-9]|2[0-4]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.(?P<fraction>[0-9]+))?)?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<zone_hour>[01][0-9]|2[0-3]):?(?P<zone_minute>[0-5][0-9]))?"
)

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_HALF_DAYS = {"am": 0, "pm": 12}
_ZONES = {"ut": 0, "utc": 0, "z": 0, "gmt": 0} | {
    "edt": -4, "est": -5, "cdt": -5, "cst": -6, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8,
}  # fmt: skip


def date_ms(value: object) -> float:
    """Return what `new Date(value).getTime()` is in JavaScript, with UTC as the local time.

    Args:
        value: A value as read from JSON. Any other object, such as UNDEFINED, gives an invalid date.

    Returns:
        Whole milliseconds since 1970, at most 8.64e15 either way; `nan` when the date is invalid.
    """
    if isinstance(value, str):
        if len(value) == 24 and value[4:20:3] == "--T::." and value[23] == "Z":
            try:
                since = datetime.fromisoformat(value) - _EPOCH
            except ValueError:
                return _read(value)
            return since.days * 86_400_000.0 + since.seconds * 1000 + since.microseconds // 1000
        return _read(value)
    if value is None:
        return 0.0
    if isinstance(value, (int, float)):
        return _clip(value)
    if isinstance(value, list):
        return _read(to_string(value))
    return math.nan


def _clip(milliseconds: float) -> float:
    # A NaN compares false and so is invalid as well; adding 0.0 turns -0.0 into 0.0.
    return math.trunc(milliseconds) + 0.0 if abs(milliseconds) <= _LATEST else math.nan


class _NotADateError(Exception):
    """Text in which V8 finds no date."""


class _Token(NamedTuple):
    """A piece of a date: `kind` is one of `: - + . )`, number, space, month, half, zone, word, other or end."""

    kind: str
    value: int = 0
    text: str = ""


_END = _Token("end")


def _read(text: str) -> float:
    """Return the date that `text` means, `nan` when none."""
    text = text.partition("\0")[0]
    prefix = _ISO_DATE.match(text)
    fields = [int(field) for field in prefix.group("year", "month", "day") if field] if prefix else []
    rest = text[prefix.end() :] if prefix else text
    is_whole = bool(fields) and not text.endswith("-", 0, len(text) - len(rest))
    try:
        if is_whole and not rest:
            return _clip(_day(*_padded(fields)))
        if is_whole and _TIME_FOLLOWS.match(rest):
            return _clip(_day(*_padded(fields)) + _iso_time(rest))
        return _clip(_TolerantReader(fields, _tokens(rest)).read())
    except _NotADateError:
        return math.nan


def _iso_time(text: str) -> int:
    """Return the milliseconds that a time such as `T10:00:00.5+02:00` adds to the day."""
    match = _ISO_TIME.fullmatch(text)
    if match is None:
        raise _NotADateError
    hour, minute, second = (int(field or 0) for field in match.group("hour", "minute", "second"))
    fraction = match["fraction"] or ""
    if hour == 24 and (minute or second or fraction.strip("0")):
        raise _NotADateError
    offset = int(match["zone_hour"] or 0) * _HOUR + int(match["zone_minute"] or 0) * _MINUTE
    since_midnight = hour * _HOUR + minute * _MINUTE + second * _SECOND + _fraction_ms(fraction)
    return since_midnight + (offset if match["sign"] == "-" else -offset)


def _day(year: int, month: int, day: int) -> int:
    """Return the milliseconds from 1970 to a day; the 31st of a short month runs over into the next one."""
    if abs(year) > _FURTHEST_YEAR:
        raise _NotADateError
    cycles, year_of_cycle = divmod(year, 400)
    ordinal = date(year_of_cycle + 400, month, 1).toordinal() + day - 1 + (cycles - 1) * _DAYS_OF_400_YEARS
    return (ordinal - _EPOCH.toordinal()) * _DAY


def _padded(fields: list[int]) -> list[int]:
    return [*fields, 1, 1][:3]


def _digits(text: str) -> int:
    """Return the number V8 reads: zeros in front are skipped, then nine digits count."""
    return int(text.lstrip("0")[:_NUMBER_DIGITS] or 0)


def _fraction_ms(text: str) -> int:
    # V8 takes the number it read apart again by its length, which goes wrong for more than nine digits with zeros in
    # front; that is reproduced.
    return _digits(text) * 1000 // int(10 ** min(len(text), _NUMBER_DIGITS))


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the pieces of `text`; parentheses, nested ones too, are left out up to their end."""
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None
        piece, kind = match[0], match.lastgroup
        position = _end_of_parentheses(text, position) if piece == "(" else match.end()
        if kind == "number":
            yield _Token("number", _digits(piece), piece)
        elif kind == "word":
            yield _word(piece)
        else:
            yield _Token(piece if piece in ":-+.)" else kind or "other")


def _end_of_parentheses(text: str, start: int) -> int:
    depth = 0
    for match in _PARENTHESIS.finditer(text, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _word(piece: str) -> _Token:
    """Return the token of a word: only months may be longer than the three letters that are looked at."""
    start = "".join(chr(ord(letter) | 0x20) for letter in piece[:3])
    if start in _MONTHS:
        return _Token("month", _MONTHS[start], piece)
    if len(piece) > 3:
        return _Token("word")
    if start in _HALF_DAYS:
        return _Token("half", _HALF_DAYS[start], piece)
    if start in _ZONES:
        return _Token("zone", _ZONES[start], piece)
    return _Token("word")


class _TolerantReader:
    """Reads what is no ISO date, in one pass: each number goes to the time, the zone or the day."""

    def __init__(self, day: list[int], tokens: Iterator[_Token]) -> None:
        self._day = day
        self._month: int | None = None
        self._time: list[int] = []
        self._half_day: int | None = None
        self._sign = 1
        self._zone_hour: int | None = None
        self._zone_minute: int | None = None
        self._number_seen = bool(day)
        self._tokens = tokens
        self._peek = next(tokens, _END)

    def read(self) -> int:
        """Return the milliseconds since 1970, not yet checked for their range."""
        while (token := self._next()) is not _END:
            if token.kind == "number":
                self._number_seen = True
                self._take_number(token)
            elif token.kind in ("month", "half", "zone", "word"):
                self._take_word(token)
            elif token.kind in ("+", "-") and (self._time or (self._zone_hour == 0 and self._zone_minute == 0)):
                self._number_seen = True
                self._take_offset(-1 if token.kind == "-" else 1)
            elif token.kind in ("+", "-", ")") and self._number_seen:
                raise _NotADateError
        return self._composed_day() + self._composed_time() - self._composed_offset()

    def _next(self) -> _Token:
        token, self._peek = self._peek, next(self._tokens, _END)
        return token

    def _skip(self, kind: str) -> bool:
        found = self._peek.kind == kind
        if found:
            self._next()
        return found

    def _take_number(self, token: _Token) -> None:
        if self._skip(":"):
            self._take_before_colon(token.value)
        elif self._skip(".") and self._is_next_in_time(token.value):
            self._time.append(token.value)
            if self._peek.kind != "number":
                raise _NotADateError
            self._finish_time(_fraction_ms(self._next().text))
        elif self._zone_hour is not None and self._zone_minute is None and token.value < 60:
            self._zone_minute = token.value
        elif self._is_next_in_time(token.value):
            self._finish_time(token.value)
            peek = self._peek
            if peek.kind not in ("end", "space", "+", "-") and not (peek.kind == "zone" and len(peek.text) == 1):
                raise _NotADateError
        else:
            self._add(self._day, token.value, 3)
            self._skip("-")

    def _take_before_colon(self, value: int) -> None:
        if self._skip(":"):
            if self._time:
                raise _NotADateError
            self._time += [value, 0]
        else:
            self._add(self._time, value, 4)
            self._skip(".")

    def _take_word(self, token: _Token) -> None:
        if token.kind == "half" and self._time:
            self._half_day = token.value
        elif token.kind == "month":
            self._month = token.value
            self._skip("-")
        elif token.kind == "zone" and self._number_seen:
            self._sign = -1 if token.value < 0 else 1
            self._zone_hour, self._zone_minute = abs(token.value), 0
        elif self._number_seen or self._peek.kind == "number":
            raise _NotADateError

    def _take_offset(self, sign: int) -> None:
        """Read what follows a sign after a time: `+2`, `+02`, `+200`, `+0200`, `+02:` or nothing."""
        number = self._next() if self._peek.kind == "number" else _Token("number")
        self._sign = sign
        if self._peek.kind == ":":
            self._zone_hour, self._zone_minute = number.value, None
        elif len(number.text) in (1, 2):
            self._zone_hour, self._zone_minute = number.value, 0
        elif len(number.text) in (3, 4):
            self._zone_hour, self._zone_minute = divmod(number.value, 100)
        else:
            raise _NotADateError

    def _is_next_in_time(self, value: int) -> bool:
        return value < (0, 60, 60, 1000, 0)[len(self._time)]

    def _finish_time(self, value: int) -> None:
        self._time = [*self._time, value, 0, 0, 0][:4]

    @staticmethod
    def _add(fields: list[int], value: int, size: int) -> None:
        if len(fields) == size:
            raise _NotADateError
        fields.append(value)

    def _composed_day(self) -> int:
        if not self._day:
            raise _NotADateError
        first, second, third = _padded(self._day)
        is_first_a_day = 1 <= first <= 31
        if self._month is not None:
            year, month, day = (second, self._month, first) if is_first_a_day else (first, self._month, second)
        else:
            year, month, day = (third, first, second) if is_first_a_day else (first, second, third)
        if not (1 <= month <= 12 and 1 <= day <= 31):
            raise _NotADateError
        if 0 <= year <= 99:
            year += 2000 if year < 50 else 1900
        return _day(year, month, day)

    def _composed_time(self) -> int:
        hour, minute, second, millisecond = [*self._time, 0, 0, 0, 0][:4]
        if self._half_day is not None:
            if hour > 12:
                raise _NotADateError
            hour = hour % 12 + self._half_day
        is_midnight = hour == 24 and not (minute or second or millisecond)
        if not is_midnight and (hour > 23 or minute > 59 or second > 59 or millisecond > 999):
            raise _NotADateError
        return hour * _HOUR + minute * _MINUTE + second * _SECOND + millisecond

    def _composed_offset(self) -> int:
        # V8 adds up in 32 bits: hours of nine digits wrap around.
        seconds = ((self._zone_hour or 0) * 3600 + (self._zone_minute or 0) * 60) % 2**32
        if seconds >= 2**31:
            raise _NotADateError
        return self._sign * seconds * _SECOND
