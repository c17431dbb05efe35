"""What pi inherits from JavaScript: the length of a text, its order, `JSON.stringify`, truth and conversion.

Values are JSON values as Python has them. Texts may hold lone surrogates; a number may be an `int` of any size (it
counts as the nearest double) or a `float`, infinities included, as `JSON.parse` gives them. Nothing else in pitree
knows UTF-16.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

JSON: TypeAlias = Any
"""None, bool, int, float, str, list or dict, as deep as the file has it."""


class Undefined:
    """The type of `UNDEFINED`, what JavaScript gives for a key that is not there."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = Undefined()

_SURROGATE = re.compile("[\ud800-\udfff]")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_MAX_ARRAY_INDEX = 4294967294
_MAX_SAFE = 2**53
_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_quote: Callable[[str], str] = json.encoder.encode_basestring
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_head(text: str, units: int, *, whole_pairs: bool) -> str:
    """The first `units` UTF-16 units of a text; with `whole_pairs` half a pair at the end is left out."""
    if text.isascii():
        return text[:units]
    data = text.encode("utf-16-le", "surrogatepass")
    if whole_pairs and _splits_pair(data, units):
        units -= 1
    return data[: units * 2].decode("utf-16-le", "surrogatepass")


def _splits_pair(data: bytes, units: int) -> bool:
    before, after = data[units * 2 - 2 : units * 2], data[units * 2 : units * 2 + 2]
    return len(before) == 2 and 0xD8 <= before[1] <= 0xDB and len(after) == 2 and 0xDC <= after[1] <= 0xDF


def utf16_key(text: str) -> bytes:
    """A sort key that puts texts into the order of their UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")


def well_paired(text: str) -> str:
    """The same UTF-16 units with surrogates that meet written as one character."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def trim(text: str) -> str:
    """`String.prototype.trim`: strips U+FEFF, but not U+0085."""
    return text.strip(_SPACE)


def truthy(value: object) -> bool:
    """What `if (value)` does: empty lists and objects are true, NaN is false."""
    if isinstance(value, list | dict):
        return True
    return bool(value) and value == value


def nullish(value: object) -> bool:
    """Whether `value ?? other` takes the other."""
    return value is None or value is UNDEFINED


def get(value: object, key: str) -> JSON:
    """`value?.[key]` on a JSON value; UNDEFINED where there is no such key."""
    return value.get(key, UNDEFINED) if isinstance(value, dict) else UNDEFINED


def map_key(value: object) -> object:
    """A hashable key by which a `Map` finds a JSON value: 1 is 1.0, true is not 1, no two objects are one."""
    if isinstance(value, str) or value is None or value is UNDEFINED:
        return value
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int | float):
        return ("number", _double(value))
    return ("object", id(value))


def same(one: object, other: object) -> bool:
    """Strict equality (`===`) of two JSON values."""
    return one is other or map_key(one) == map_key(other)


def length(value: object) -> float:
    """`value.length`: units of a text, items of a list, NaN for what has none.

    Raises:
        TypeError: for null and undefined, as JavaScript does.
    """
    if isinstance(value, str):
        return utf16_length(value)
    if isinstance(value, list):
        return len(value)
    if isinstance(value, dict):
        return to_number(value.get("length", UNDEFINED))
    if nullish(value):
        raise TypeError(f"{shown(value)} has no length")
    return math.nan


def _double(value: float) -> float:
    if isinstance(value, int):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return value


def to_number(value: object) -> float:
    """`Number(value)`: NaN where it is none; an `int` stays an `int` where a double holds it exactly."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value if -_MAX_SAFE <= value <= _MAX_SAFE else _double(value)
    if isinstance(value, float):
        return value
    if value is None:
        return 0
    if isinstance(value, str):
        return _text_to_number(value)
    if isinstance(value, list):
        return _text_to_number(to_string(value))
    return math.nan


_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|Infinity)")
_RADIX = {"0x": 16, "0o": 8, "0b": 2}


def _text_to_number(text: str) -> float:
    text = trim(text)
    if not text:
        return 0
    if _DECIMAL.fullmatch(text):
        value = float(text.replace("Infinity", "inf"))
        return int(value) if value.is_integer() and abs(value) <= _MAX_SAFE else value
    base = _RADIX.get(text[:2].lower())
    if base and re.fullmatch(r"[0-9a-zA-Z]+", text[2:]):
        try:
            return _double(int(text[2:], base))
        except ValueError:
            return math.nan
    return math.nan


def number_text(value: float) -> str:
    """A number as `String(value)` writes it."""
    value = _double(value) if not isinstance(value, int) or abs(value) > _MAX_SAFE else value
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    return _shortest(value)


def _shortest(value: float) -> str:
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, part = mantissa.partition(".")
    part = "" if part == "0" else part
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + part) - len((whole + part).lstrip("0")))
    digits = digits.rstrip("0") or "0"
    sign = "-" if value < 0 else ""
    if 0 < point <= 21:
        body = digits.ljust(point, "0")
        return sign + (body if len(body) == point else f"{body[:point]}.{body[point:]}")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if power >= 0 else '-'}{abs(power)}"


def to_string(value: object) -> str:
    """`String(value)` of a JSON value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, list):
        return _join_list(value)
    return "undefined"


def _join_list(items: list[JSON]) -> str:
    out: list[str] = []
    stack: list[Iterator[JSON]] = [iter(items)]
    first = [True]
    while stack:
        item = next(stack[-1], stack)
        if item is stack:
            stack.pop()
            first.pop()
            continue
        if not first[-1]:
            out.append(",")
        first[-1] = False
        if isinstance(item, list):
            stack.append(iter(item))
            first.append(True)
        elif not nullish(item):
            out.append(to_string(item))
    return "".join(out)


def shown(value: object, limit: int = 60) -> str:
    """A JSON value in a few characters, for a sentence about it, however long or deep it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if value is UNDEFINED:
        return "nothing"
    text = stringify(value[: limit + 1] if isinstance(value, str) else value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def add(one: object, other: object) -> JSON:
    """`one + other`: a sum, or texts joined where one of them is no number."""
    if isinstance(one, str | list | dict) or isinstance(other, str | list | dict):
        return to_string(one) + to_string(other)
    return to_number(one) + to_number(other)


def ordered_items(value: dict[str, JSON]) -> list[tuple[str, JSON]]:
    """`Object.entries`: array-index keys first, in ascending order, then the others as they were first named."""
    if not any(key[:1].isdigit() for key in value):
        return list(value.items())
    index_keys = [key for key in value if _is_array_index(key)]
    if not index_keys:
        return list(value.items())
    index_keys.sort(key=int)
    named = set(index_keys)
    return [(key, value[key]) for key in index_keys] + [pair for pair in value.items() if pair[0] not in named]


def _is_array_index(key: str) -> bool:
    return bool(_ARRAY_INDEX.fullmatch(key)) and int(key) <= _MAX_ARRAY_INDEX


def entries_of(value: object) -> list[tuple[str, JSON]]:
    """`Object.entries` of any JSON value but null: a list's and a text's are numbered, a number has none.

    Raises:
        TypeError: for null and undefined, as JavaScript does.
    """
    if isinstance(value, dict):
        return ordered_items(value)
    if isinstance(value, list):
        return [(str(i), item) for i, item in enumerate(value)]
    if isinstance(value, str):
        data = value.encode("utf-16-le", "surrogatepass")
        units = [data[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(data), 2)]
        return [(str(i), unit) for i, unit in enumerate(units)]
    if nullish(value):
        raise TypeError(f"{shown(value)} has no entries")
    return []


def stringify(value: JSON) -> str:
    """`JSON.stringify(value)` of a JSON value, however deep."""
    return _dump(value) if _is_plain(value, 50) else "".join(_pieces(value))


def stringify_length(value: object) -> float:
    """`JSON.stringify(value).length` in UTF-16 units.

    Raises:
        TypeError: for undefined, as JavaScript does.
    """
    if value is UNDEFINED:
        raise TypeError("undefined has no JSON text")
    return utf16_length(stringify(value))


def _is_plain(value: JSON, depth: int) -> bool:
    """Whether Python's encoder writes the value as JavaScript does."""
    # recursive because: the depth is bounded, and no stack of our own is as fast
    if isinstance(value, str):
        return value.isascii() or not _SURROGATE.search(value)
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int):
        return -_MAX_SAFE <= value <= _MAX_SAFE
    if depth == 0 or isinstance(value, float):
        return False
    if isinstance(value, list):
        return all(_is_plain(item, depth - 1) for item in value)
    return all(key.isascii() and not key[:1].isdigit() for key in value) and all(
        _is_plain(item, depth - 1) for item in value.values()
    )


def _pieces(value: JSON) -> Iterator[str]:
    """The pieces of the JSON text; containers are opened on a stack of our own."""
    stack: list[tuple[Iterator[tuple[str, JSON]], str]] = [(iter([("", value)]), "")]
    while stack:
        members, closing = stack[-1]
        lead, item = next(members, (closing, stack))
        yield lead
        if item is stack:
            stack.pop()
        elif isinstance(item, dict):
            yield "{"
            stack.append((_members(item), "}"))
        elif isinstance(item, list):
            yield "["
            stack.append((_items(item), "]"))
        else:
            yield _scalar(item)


def _members(value: dict[str, JSON]) -> Iterator[tuple[str, JSON]]:
    for number, (key, item) in enumerate(ordered_items(value)):
        yield f"{',' if number else ''}{_scalar(key)}:", item


def _items(value: list[JSON]) -> Iterator[tuple[str, JSON]]:
    for number, item in enumerate(value):
        yield "," if number else "", item


def _scalar(value: object) -> str:
    if isinstance(value, str):
        text = _quote(value)
        return text if text.isascii() else _SURROGATE.sub(_escape, well_paired(text))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "null" if not isinstance(value, bool) else ("true" if value else "false")
    return number_text(value) if math.isfinite(_double(value)) else "null"


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
