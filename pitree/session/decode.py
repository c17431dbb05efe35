"""`JSON.parse` of one line, exact: what msgspec decodes at once, and what only JavaScript takes.

JavaScript takes lone surrogate escapes, numbers beyond a double, integers of any length and any depth; it rejects NaN
and Infinity. Bad UTF-8 has become U+FFFD before pi parses.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Literal

import msgspec

from pitree.session.javascript import JSON

_MAX_INT_DIGITS = 400
_fast = msgspec.json.Decoder().decode
_TOKEN = re.compile(
    r"[ \t\n\r]*(?:([\[\]{},:])|(\")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))"
)
_BLANK = re.compile(r"[ \t\n\r]*")
_WORDS = {"true": True, "false": False, "null": None}


def decode(line: bytes) -> JSON:
    """The value of one line.

    Raises:
        ValueError: when `JSON.parse` would throw.
    """
    try:
        return _fast(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return decode_text(line.decode("utf-8", "replace"))


def decode_text(text: str) -> JSON:
    """The value of one line of text.

    Raises:
        ValueError: when `JSON.parse` would throw.
    """
    try:
        return json.loads(text, parse_constant=_reject, parse_int=_integer)
    except RecursionError:
        return _decode_deep(text)


def _reject(name: str) -> JSON:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> float:
    """An integer; of 400 digits and more (no double holds it, and Python counts every digit) an infinity."""
    return int(digits) if len(digits) < _MAX_INT_DIGITS else math.copysign(math.inf, -1 if digits[0] == "-" else 1)


def _number(text: str) -> float:
    return float(text) if any(c in text for c in ".eE") else _integer(text)


def _decode_deep(text: str) -> JSON:
    """The value of a text that nests too deep for a recursive parser: containers on a stack of our own."""
    parser = _DeepParser(text)
    value = parser.run()
    if _BLANK.match(text, parser.at).end() != len(text):  # type: ignore[union-attr]
        raise ValueError("more than one value")
    return value


class _DeepParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def token(self) -> tuple[str, Any]:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            raise ValueError(f"no JSON at {self.at}")
        self.at = match.end()
        mark, quote, number, word = match.groups()
        if mark:
            return mark, None
        if quote:
            value, self.at = json.decoder.scanstring(self.text, self.at, True)  # type: ignore[attr-defined]
            return "text", value
        return "value", _number(number) if number else _WORDS[word]

    def key(self, *, first: bool) -> str | None:
        """The next key with its colon, or None where the object ends."""
        kind, value = self.token()
        if kind == "}" and first:
            return None
        if kind != "text" or self.token()[0] != ":":
            raise ValueError(f"no key at {self.at}")
        return str(value)

    def run(self) -> JSON:
        stack: list[tuple[Any, str | None]] = []
        key: str | None = None
        while True:
            kind, value = self.token()
            if kind in ("[", "{"):
                container: Any = [] if kind == "[" else {}
                opened = self._open(kind)
                if opened is not False:
                    stack.append((container, key))
                    key = opened
                    continue
                value = container
            elif kind not in ("text", "value"):
                raise ValueError(f"no value at {self.at}")
            while stack:
                container, outer = stack[-1]
                if isinstance(container, list):
                    container.append(value)
                else:
                    container[key] = value
                mark = self.token()[0]
                if mark == ",":
                    key = self.key(first=False) if isinstance(container, dict) else None
                    break
                if mark != ("]" if isinstance(container, list) else "}"):
                    raise ValueError(f"no comma at {self.at}")
                stack.pop()
                value, key = container, outer
            else:
                return value

    def _open(self, mark: str) -> str | Literal[False] | None:
        """The first key of the object that opens (None in a list), or False where the container is empty."""
        if mark == "{":
            key = self.key(first=True)
            return False if key is None else key
        match = _BLANK.match(self.text, self.at)
        end = match.end() if match else self.at
        if self.text[end : end + 1] == "]":
            self.at = end + 1
            return False
        return None
