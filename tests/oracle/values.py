"""Seeded makers of the small things a session holds: texts, numbers, timestamps, tool arguments; and their JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

MISSING = object()
"""A value that stands for a key that is not written at all."""

ODD_VALUES: tuple[Any, ...] = (None, 0, "", [], {}, True, False, "x", 5, 1.5, -1, [None], ["a"], {"a": 1}, MISSING)

_ALPHABETS = (
    "abcdefghij klmnop qrstu vwxyz",
    "abc ABC 123 .,;:!?()[]{}<>`*_-#@/\\\"'",
    "日本語のテキスト 漢字 한국어",
    "😀🎉👩‍💻🇪🇺 ok ",
    "é ñ ü \u0301 \u200b \u00a0 \u2028 \u2029 \ufeff \x85 \x7f",
    "\n\t\r \n\n x",
)
_HALVES = "\ud83d\ude00a"
_LENGTHS = (0, 1, 2, 3, 4, 5, 8, 10, 16, 40, 41, 43, 100, 150, 400)
_LONG_LENGTHS = (1998, 1999, 2000, 2001, 2002, 2500, 4000)
_WORDS = (
    "path",
    "command",
    "oldText",
    "newText",
    "0",
    "10",
    "2",
    "01",
    "-1",
    "4294967294",
    "4294967295",
    "é",
    "",
    "a b",
)
_PATHS = (
    "a.ts",
    "b.ts",
    "src/c.py",
    "B.ts",
    "10",
    "9",
    "é.md",
    "日本.txt",
    "😀.md",
    "z/../a.ts",
    "a b.txt",
    "\uffee.x",
)
_NUMBERS = (
    "0", "1", "-1", "42", "-0", "-0.0", "1.0", "1.5", "0.1", "1e2", "1E+3", "1e21", "1e-7", "123456789012345680000",
    "9007199254740991", "9007199254740993", "12345678901234567890", "1e400", "-1e400", "5e-324", "2.5e-8", "0.000001",
    "100000000000000000000000", "1.7976931348623157e308", "3.0e0", "4294967296", "1" * 420,
)  # fmt: skip
_TIMESTAMPS: tuple[Any, ...] = (
    None, 0, 1, -1, 1767225601000, 1767225601000.9, True, False, "", " ", "x", {}, [], ["2026-01-01"], [1, 2],
    "2026-01-01", "2026", "2026-01", "2026-1-1", "2026-01-01T00:00:08", "2026-01-01 00:00:07", "2026-01-01T00:00Z",
    "Thu, 01 Jan 2026 00:00:06 GMT", "1767225604000", "2026-01-01T02:00:09+02:00", "2026-01-01T00:00:02.123456789Z",
    "2026-01-01t00:00:01z", "1/1/2026", "2025-12-31T24:00:00Z", "2026-13-01", "2026-02-30T00:00:00Z", "Jan 1 2026",
    "1 January 2026 10:00 PM", "2026/01/01 10:00", "+002026-01-01T00:00:00Z", "-000001-01-01T00:00:00Z", "12", "99",
    "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00,5Z", "2026-01-01T25:00:00Z", "Sat Jan 03 2026 12:00:00 GMT+0100",
    " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00 Z", "8640000000000001", 8.64e15, 8.65e15,
    "2026-W01", "tomorrow", "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+02", "Jan 2026", "2026-01-01 (note) 5:00",
)  # fmt: skip


@dataclass(frozen=True)
class Raw:
    """JSON text that is written as it stands."""

    text: str


def chance(rng: Random, odds: float) -> bool:
    """Whether something that happens with these odds happens now."""
    return rng.random() < odds


def one_of(rng: Random, pool: Sequence[Any]) -> Any:
    """One of the values, as a copy where it could be changed later."""
    chosen = rng.choice(pool)
    return chosen.copy() if isinstance(chosen, list | dict) else chosen


def text(rng: Random, odds: float) -> str:
    """A text; with the given odds one with half a surrogate pair."""
    alphabet = _HALVES if chance(rng, odds / 2) else rng.choice(_ALPHABETS)
    length = rng.choice(_LONG_LENGTHS if chance(rng, 0.04) else _LENGTHS)
    if chance(rng, 0.3):
        length += rng.randrange(4)
    unit = "".join(rng.choices(alphabet, k=min(length, 60)))
    whole = (unit * (length // max(1, len(unit)) + 1))[:length]
    if chance(rng, odds):
        at = rng.randrange(len(whole) + 1)
        whole = whole[:at] + rng.choice(("\ud83d", "\ude00", "\ud800x", "\ude00\ud83d")) + whole[at:]
    return whole


def number(rng: Random) -> Raw:
    """A number in one of the ways JSON can write it."""
    return Raw(rng.choice(_NUMBERS))


def odd_value(rng: Random) -> Any:
    """Something that does not belong where it is put."""
    return number(rng) if chance(rng, 0.1) else one_of(rng, ODD_VALUES)


def path(rng: Random) -> str:
    """A file's path."""
    return rng.choice(_PATHS)


def timestamp(rng: Random, at: int, odds: float) -> Any:
    """The time of the `at`-th entry in pi's form, with the given odds anything that `new Date` may be given."""
    if chance(rng, odds):
        return one_of(rng, _TIMESTAMPS)
    if chance(rng, 0.1):
        at = rng.randrange(max(1, at))
    return f"2026-01-{1 + at // 86400:02}T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}.000Z"


def arguments(rng: Random, odds: float) -> Any:
    """Arguments of a tool call: mostly a path and texts, sometimes whatever JSON allows."""
    if chance(rng, odds):
        return odd_value(rng)
    given: dict[str, Any] = {}
    if chance(rng, 0.7):
        given["path"] = path(rng) if not chance(rng, odds) else odd_value(rng)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        given[rng.choice(_WORDS)] = value(rng, odds, 2)
    if chance(rng, odds / 4):
        depth = rng.choice((50, 900, 1100, 3000))
        given["deep"] = Raw("[" * depth + "]" * depth)
    return given


def value(rng: Random, odds: float, depth: int) -> Any:
    """Any JSON value, nested at most `depth` levels."""
    kind = rng.randrange(10 if depth else 7)
    if kind < 4:
        return text(rng, odds)
    if kind == 4:
        return number(rng)
    if kind < 7:
        return rng.choice((None, True, False, 3, 'a/b\u2028\x7f\x01"\\'))
    if kind == 7:
        return [value(rng, odds, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(_WORDS): value(rng, odds, depth - 1) for _ in range(rng.randrange(5))}


def write(item: Any, rng: Random, odds: float) -> str:
    """JSON text, keys in their order; with the given odds a key is written twice, the last value being the true one."""
    if isinstance(item, Raw):
        return item.text
    if isinstance(item, dict):
        parts = []
        for key, inner in item.items():
            if inner is MISSING:
                continue
            if chance(rng, odds / 20):
                parts.append(f"{_string(key, rng)}:{write(odd_value(rng), rng, 0) or 'null'}")
            parts.append(f"{_string(key, rng)}:{write(inner, rng, odds)}")
        return "{" + ",".join(parts) + "}"
    if isinstance(item, list):
        return "[" + ",".join(write(inner, rng, odds) for inner in item if inner is not MISSING) + "]"
    if item is MISSING:
        return "null"
    if isinstance(item, str):
        return _string(item, rng)
    if isinstance(item, float) and not math.isfinite(item):
        return "1e400"
    return json.dumps(item)


def _string(item: str, rng: Random) -> str:
    written = json.dumps(item, ensure_ascii=chance(rng, 0.3))
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in written)
