"""Rows of an extract: what they quote, under which heading they stand, and which are dropped first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from heapq import nlargest
from typing import Final


class Section(Enum):
    """pi's headings, in pi's order; each with the most rows it may hold and its share of the size."""

    GOAL = ("## Goal", 14, 0.35)
    CONSTRAINTS = ("## Constraints & Preferences", 24, 0.35)
    DONE = ("### Done", 30, 0.4)
    IN_PROGRESS = ("### In Progress", 8, 0.3)
    BLOCKED = ("### Blocked", 8, 0.3)
    DECISIONS = ("## Key Decisions", 14, 0.3)
    NEXT = ("## Next Steps", 10, 0.3)
    CRITICAL = ("## Critical Context", 20, 0.35)

    def __init__(self, heading: str, most_rows: int, share: float) -> None:
        self.heading = heading
        self.most_rows = most_rows
        self.share = share


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        section: The heading it stands under.
        form: Our words around the quotes, with `{}` for each.
        quotes: What is copied from the messages, each on one line.
        weight: What is lighter is dropped first; 0 to 100.
        at: The place of its message; earlier summaries come before 0.
    """

    section: Section
    form: str
    quotes: tuple[str, ...]
    weight: float
    at: int

    @property
    def text(self) -> str:
        """The row without the mark of its list."""
        return self.form.format(*self.quotes)

    @property
    def key(self) -> str:
        """What two rows that say the same have in common."""
        return plain(" ".join(self.quotes))


_PLAIN = re.compile(r"[\W_]+")
_LISTED: Final = 4
"""What the mark of a list and the end of a line take."""
_ABOUT: Final = ": {}"
"""What a row says about its subject at its end, left out where another row says it."""
_REMAINDER = 40
_MOST_MISSES = 60
_MOST_LOOKED_AT = 120


def plain(text: str) -> str:
    """Only letters and digits, all small."""
    return _PLAIN.sub("", text.casefold())


def heaviest(rows: Iterable[Row]) -> list[Row]:
    """The heaviest rows of each heading, many more than are ever taken, so that the choice has a bound."""
    by_section: dict[Section, list[Row]] = {}
    for row in rows:
        by_section.setdefault(row.section, []).append(row)
    return [row for found in by_section.values() for row in nlargest(_MOST_LOOKED_AT, found, key=_rank)]


def _rank(row: Row) -> tuple[float, int]:
    return row.weight, row.at


def without_repeats(rows: Iterable[Row]) -> dict[tuple[Section, str], Row]:
    """The rows by heading and key, without those that quote the same as a heavier one under the same heading."""
    best: dict[tuple[Section, str], Row] = {}
    for row in rows:
        place = (row.section, row.key)
        if place[1] and (place not in best or best[place].weight < row.weight):
            best[place] = row
    return best


def chosen(rows: Iterable[Row], size: int, *, said_once: bool = False) -> list[Row]:
    """The heaviest rows that fit into so many characters, headings not counted, in the order of their places.

    Args:
        rows: All rows.
        size: The most characters.
        said_once: Do not repeat as a constraint what a request says in the same words.
    """
    choice = _Choice(size, said_once=said_once)
    different = [(row, key) for (_, key), row in without_repeats(heaviest(rows)).items()]
    for row, key in sorted(different, key=lambda pair: (-pair[0].weight, -pair[0].at)):
        choice.offer(row, key)
        if choice.is_full:
            break
    return sorted(choice.taken, key=lambda row: row.at)


class _Choice:
    """Takes rows from the heaviest on."""

    def __init__(self, size: int, *, said_once: bool) -> None:
        self._said_once = said_once
        self.taken: list[Row] = []
        self._size = size
        self._left = size
        self._counts: dict[Section, int] = {}
        self._used: dict[Section, int] = {}
        self._keys: list[str] = []
        self._progress: list[str] = []
        self._closed: set[Section] = set()
        self._misses: dict[Section, int] = {}

    @property
    def is_full(self) -> bool:
        return self._left < _REMAINDER or len(self._closed) == len(Section)

    def offer(self, row: Row, key: str) -> None:
        """Take a row if it fits and says something new."""
        if row.section in self._closed:
            return
        if row.section in PROGRESS and row.form.endswith(_ABOUT) and self._is_taken(plain(row.quotes[-1])):
            row = replace(row, form=row.form.removesuffix(_ABOUT), quotes=row.quotes[:-1])
            key = row.key
        if self._fits(row) and not self._is_said(row, key):
            self._take(row, key)
        else:
            self._miss(row.section)

    def _fits(self, row: Row) -> bool:
        length = len(row.text) + _LISTED
        used = self._used.get(row.section, 0)
        return length <= self._left and (not used or used + length <= row.section.share * self._size)

    def _take(self, row: Row, key: str) -> None:
        length = len(row.text) + _LISTED
        section = row.section
        self.taken.append(row)
        self._keys.append(key)
        if section in PROGRESS:
            self._progress.append(key)
        self._left -= length
        self._used[section] = self._used.get(section, 0) + length
        self._counts[section] = self._counts.get(section, 0) + 1
        if self._counts[section] >= section.most_rows:
            self._closed.add(section)

    def _miss(self, section: Section) -> None:
        """After many rows that did not fit the lighter ones are not looked at."""
        self._misses[section] = self._misses.get(section, 0) + 1
        if self._misses[section] >= _MOST_MISSES:
            self._closed.add(section)

    def _is_said(self, row: Row, key: str) -> bool:
        """Whether rows that were taken say it already; what was forbidden is said under its own heading too."""
        if row.section is Section.CONSTRAINTS and not self._said_once:
            return key in self._keys
        if row.section in PROGRESS:
            # That a file was to be changed does not say that it was.
            return any(key in taken for taken in self._progress)
        return self._is_taken(key)

    def _is_taken(self, key: str) -> bool:
        return any(key in taken for taken in self._keys)


_MARKS = {Section.DONE: "- [x] ", Section.IN_PROGRESS: "- [ ] "}
_NONE = "(none)"
PROGRESS: Final = frozenset({Section.DONE, Section.IN_PROGRESS, Section.BLOCKED})


def full_form(rows: Sequence[Row], sections: Iterable[Section], *, empty: bool) -> str:
    """pi's headings with the rows; with `empty` also headings without rows, which then say so."""
    parts: list[str] = []
    for section in sections:
        lines = _lines(section, [row for row in rows if row.section is section])
        if not lines and not empty:
            continue
        if section in PROGRESS and "## Progress" not in parts:
            parts.append("## Progress")
        lines = lines or [_NONE if section is Section.GOAL else f"- {_NONE}"]
        parts.append("\n".join([section.heading, *lines]))
    return "\n\n".join(parts).replace("## Progress\n\n", "## Progress\n", 1)


def _lines(section: Section, rows: Sequence[Row]) -> list[str]:
    if section is Section.NEXT:
        return [f"{number}. {row.text}" for number, row in enumerate(rows, 1)]
    return [f"{_MARKS.get(section, '- ')}{row.text}" for row in rows]


def prefix_form(rows: Sequence[Row], headings: Sequence[str], *, empty: bool) -> str:
    """The three headings of a turn prefix, with the rows under the nearest of them."""
    parts = []
    for heading, sections in zip(headings, _PREFIX_SECTIONS, strict=True):
        lines = [line for section in sections for line in _prefix_lines(section, rows)]
        if lines or empty:
            parts.append("\n".join([f"## {heading}", *(lines or [f"- {_NONE}"])]))
    return "\n\n".join(parts)


_PREFIX_SECTIONS = (
    (Section.GOAL,),
    (Section.DONE, Section.IN_PROGRESS, Section.BLOCKED, Section.DECISIONS),
    (Section.CONSTRAINTS, Section.NEXT, Section.CRITICAL),
)
_PREFIX_WORDS = {Section.IN_PROGRESS: "Begun: ", Section.NEXT: "Next: "}


def _prefix_lines(section: Section, rows: Sequence[Row]) -> list[str]:
    found = [row.text for row in rows if row.section is section]
    if section is Section.GOAL:
        return found
    return [f"- {_PREFIX_WORDS.get(section, '')}{text}" for text in found]
