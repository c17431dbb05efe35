"""Damage done to a session that was whole: to its values, then to its lines and bytes."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.values import MISSING, chance, odd_value

_BLANK = (
    b"",
    b" ",
    b"\t",
    b"\r",
    "\u00a0".encode(),
    "\ufeff".encode(),
    "\u2028".encode(),
    "\x85".encode(),
    b"\x0b\x0c",
)
_FALSY = (b"null", b"0", b"false", b'""', b"-0", b" null ")
_ALONE = (b"42", b"[1]", b"{}", b'"x"', b"true", b"[]", b'{"type":"message"}', b'{"type":"session"}', b'{"id":"e1"}')
_BROKEN = (b"{", b'{"type":', b"nonsense", b"{'a':1}", b'{"a":NaN}', b'{"a":1,}', b"\xff\xfe", b'{"a":01}', b'"\\ud8"')
_BYTES = (b"\xff", b"\x80", b"\xe2\x82", b"\xf0\x9f", b"\xed\xa0\x80", b"\xc0\xaf", b"\x00", b"\n", b"\r", b'"')


def damage_values(rng: Random, odds: float, entries: list[dict[str, Any]]) -> None:
    """Replaces or removes a few values somewhere in the entries, in place."""
    for _ in range(rng.choice((0, 0, 0, 1, 1, 3)) if odds else 0):
        holder: Any = rng.choice(entries)
        for _ in range(rng.choice((0, 0, 1, 2, 3, 4))):
            inner = [item for item in _items(holder) if isinstance(item, dict | list) and item]
            holder = rng.choice(inner) if inner else holder
        if isinstance(holder, dict) and holder:
            key = rng.choice(list(holder))
            holder[key] = odd_value(rng) if key != "message" else rng.choice((None, MISSING, "x", {}, [], 5))
        elif isinstance(holder, list) and holder:
            holder[rng.randrange(len(holder))] = odd_value(rng)


def _items(holder: Any) -> list[Any]:
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


def damage_lines(rng: Random, odds: float, lines: list[bytes]) -> bytes:
    """Joins the lines to a file, with strange lines between them and strange ends."""
    lines = list(lines)
    if chance(rng, 0.15) or chance(rng, odds):
        for _ in range(rng.randrange(1, 4)):
            lines.insert(rng.randrange(0 if chance(rng, 0.1) else 1, len(lines) + 1), _strange(rng, lines))
    if chance(rng, odds / 2) and len(lines) > 2:
        _move(rng, lines)
    end = b"\r\n" if chance(rng, 0.04) else b"\n"
    content = end.join(lines) + _tail(rng)
    if chance(rng, odds / 2):
        at = rng.randrange(len(content) + 1)
        content = content[:at] + rng.choice(_BYTES) + content[at + rng.randrange(2) :]
    if chance(rng, odds / 8):
        content = rng.choice((b"\xef\xbb\xbf" + content, content.replace(b"\n", b"\r"), b"", b"\n\n", content[:-20]))
    return content


def _strange(rng: Random, lines: list[bytes]) -> bytes:
    pool = rng.choice((_BLANK, _BLANK, _FALSY, _ALONE, _BROKEN))
    if chance(rng, 0.1):
        return lines[rng.randrange(len(lines))]
    return rng.choice(pool)


def _move(rng: Random, lines: list[bytes]) -> None:
    at = rng.randrange(1, len(lines))
    line = lines.pop(at)
    if chance(rng, 0.7):
        lines.insert(rng.randrange(1, len(lines) + 1), line)


def _tail(rng: Random) -> bytes:
    return rng.choice((b"\n",) * 12 + (b"", b"\n\n", b"\n  ", b"\r\n", b'\n{"type":"mess'))
