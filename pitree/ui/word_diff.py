"""What differs between two texts: lines are aligned first, then the words of lines that belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Kind = Literal["same", "gone", "new"]
MOST_WORDS = 400_000
"""Beyond so many pairs of words two lines are not compared word by word."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]+")
_SIGN = re.compile(r"\s{0,12}(?:#{1,6}|(?:[-*+]|\d{1,3}[.)])(?: +\[[ xX]\])?) +")
_AHEAD = 12
_ALIKE = 0.35


class Part(NamedTuple):
    """Some words of a line, and whether the other text has them."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Lines that belong together.

    Attributes:
        parts: The words of both lines in their order; `gone` ones are only left, `new` ones only right.
        left: Whether the left text has such a line.
        right: Whether the right text has one.
    """

    parts: tuple[Part, ...]
    left: bool = True
    right: bool = True


def compare(left: str, right: str) -> list[Pair]:
    """Compare two texts.

    Args:
        left: The one that counts as older.
        right: The one that counts as newer.

    Returns:
        All lines of both, in order.
    """
    old, new = left.split("\n"), right.split("\n")
    pairs: list[Pair] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            pairs += [Pair((Part("same", line),)) for line in old[a:b]]
        else:
            pairs += _changed(old[a:b], new[c:d])
    return pairs


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Pair]:
    """Lines that differ: each old one with the next new one that is like it."""
    bags = [_bag(line) for line in new]
    at = 0
    for line in old:
        bag = _bag(line)
        ahead = range(at, min(at + _AHEAD, len(new)))
        match = next((place for place in ahead if _are_alike(bag, bags[place])), None)
        if match is None:
            yield Pair(_whole("gone", line), right=False)
            continue
        yield from (Pair(_whole("new", added), left=False) for added in new[at:match])
        yield Pair(tuple(_words(line, new[match])))
        at = match + 1
    yield from (Pair(_whole("new", added), left=False) for added in new[at:])


def _whole(kind: Kind, line: str) -> tuple[Part, ...]:
    """A line that only one text has; its bullet or the signs of a heading are no words."""
    sign = _SIGN.match(line)
    parts = (Part("same", sign.group()), Part(kind, line[sign.end() :])) if sign else (Part(kind, line),)
    return tuple(part for part in parts if part.text)


def _bag(line: str) -> frozenset[str]:
    """The words of a line, with what makes a heading one."""
    words = _WORDS.findall(line[:4000])
    return frozenset(word for word in words if word[0].isalnum() or word[0] == "#")


def _are_alike(old: frozenset[str], new: frozenset[str]) -> bool:
    is_heading = any(word.startswith("#") for word in old), any(word.startswith("#") for word in new)
    return is_heading[0] == is_heading[1] and 2 * len(old & new) > _ALIKE * (len(old) + len(new))


def _words(old: str, new: str) -> list[Part]:
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    if len(a) * len(b) > MOST_WORDS:
        return [Part("gone", old), Part("new", new)]
    changes: list[tuple[str, str]] = []
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        gone, added = "".join(a[i:j]), "".join(b[k:m])
        after_change = bool(changes) and changes[-1][0] != changes[-1][1]
        # Words with nothing but blanks between them read better as one change than as many.
        if after_change and (tag != "equal" or gone.isspace()):
            changes[-1] = (changes[-1][0] + gone, changes[-1][1] + added)
        else:
            changes.append((gone, added))
    return [part for gone, added in changes for part in _parts(gone, added)]


def _parts(gone: str, added: str) -> Iterator[Part]:
    """A change as parts; blanks that both end in are no part of it."""
    if gone == added:
        yield Part("same", gone)
        return
    tail = ""
    while gone and added and gone[-1] == added[-1] and gone[-1].isspace():
        tail = gone[-1] + tail
        gone, added = gone[:-1], added[:-1]
    yield from (part for part in (Part("gone", gone), Part("new", added), Part("same", tail)) if part.text)
