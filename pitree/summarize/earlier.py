"""An earlier summary taken apart, leniently: models write headings freely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pitree.summarize.rows import Row, Section

_HEADINGS: Final = (
    (Section.CONSTRAINTS, r"constraint|preferenc|requirement|rule|restricc|preferencia|约束|偏好|要求|限制"),
    (Section.IN_PROGRESS, r"in[ -]progress|current (?:task|work|state|status)|ongoing|en curso|进行中|当前"),
    (Section.BLOCKED, r"block|issue|problem|obstac|bloque|阻|问题"),
    (Section.NEXT, r"next|to-?do|remaining|outstanding|pendiente|pr[óo]xim|siguiente|下一步|待办|后续"),
    (Section.DECISIONS, r"decision|rationale|decisi[óo]n|决策|决定"),
    (
        Section.DONE,
        r"\bdone\b|complete|finished|progress|accomplish|hecho|terminad|completad|progreso|已完成|完成|进度|进展",
    ),
    (Section.GOAL, r"goal|objective|\btask|request|purpose|objetivo|meta|tarea|目标|任务|请求"),
    (
        Section.CRITICAL,
        r"context|critical|note|key|file|command|reference|error|cr[íi]tic|nota|关键|上下文|注意",
    ),
)
_TABLE = tuple((section, re.compile(words, re.IGNORECASE)) for section, words in _HEADINGS)
_WEIGHTS = {
    Section.GOAL: 92,
    Section.CONSTRAINTS: 87,
    Section.DONE: 53,
    Section.IN_PROGRESS: 66,
    Section.BLOCKED: 62,
    Section.DECISIONS: 64,
    Section.NEXT: 56,
    Section.CRITICAL: 54,
}
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.+?)\s*#*$|^\s{0,3}\*\*([^*]{2,60}?):?\*\*:?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•]|\d{1,2}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$")
_TAGS = re.compile(r"<(read-files|modified-files)>.*?</\1>", re.DOTALL)
_NOTHING = re.compile(
    r"^\W*(?:none(?: yet)?|nothing|n/a|ninguno|ninguna|nada|无|没有)?\W*$|^No prior history", re.IGNORECASE
)
_OUR_WORDS = re.compile(r"^(?:(?:Latest|Then|Changed|Begun|Next): )+")
_MOST_CODE = 900


@dataclass(frozen=True, slots=True)
class Item:
    """A bullet, a paragraph or a block of code of an earlier summary."""

    section: Section
    text: str
    in_code: bool = False


def items(summary: str) -> list[Item]:
    """The items of a summary, in order, each under the nearest of pi's headings."""
    return [item for item in _Reader().read(_TAGS.sub("", summary)) if not _NOTHING.match(item.text)]


def rows(summary: str) -> Iterator[Row]:
    """The items as rows; the first request of the whole session stays the first."""
    found = items(summary)
    for place, item in enumerate(found):
        weight = _WEIGHTS[item.section] - (30 if item.in_code or len(item.text) > _MOST_CODE else 0)
        yield Row(item.section, "{}", (_OUR_WORDS.sub("", item.text),), weight, place - len(found))


class _Reader:
    """Reads line by line."""

    def __init__(self) -> None:
        self._section = Section.GOAL
        self._open: list[str] = []
        self._state: Section | None = None
        self._indent = 0
        self._in_code = False

    def read(self, text: str) -> Iterator[Item]:
        for line in text.splitlines():
            yield from self._line(line)
        yield from self._close()

    def _line(self, line: str) -> Iterator[Item]:
        if _FENCE.match(line) or self._in_code:
            yield from self._code(line)
        elif heading := _HEADING.match(line):
            yield from self._close()
            self._enter(heading)
        elif not line.strip() or _RULE.match(line):
            yield from self._close()
        elif item := _ITEM.match(line):
            yield from self._item(item, line)
        else:
            self._open.append(line.strip())

    def _code(self, line: str) -> Iterator[Item]:
        if not self._in_code:
            yield from self._close()
        self._open.append(line)
        if _FENCE.match(line):
            if self._in_code:
                yield Item(self._section, "\n".join(self._open), in_code=True)
                self._open = []
            self._in_code = not self._in_code

    def _enter(self, heading: re.Match[str]) -> None:
        title = heading[2] or heading[3]
        known = next((section for section, words in _TABLE if words.search(title)), None)
        # The title of the whole text says nothing of its own; an unknown heading below stays with the one above.
        if known is not None and heading[1] != "#":
            self._section = known
        elif heading[1] == "##":
            self._section = Section.CRITICAL

    def _item(self, item: re.Match[str], line: str) -> Iterator[Item]:
        indent = len(item[1].expandtabs())
        if self._open and indent > self._indent:
            self._open.append(f"\n{line.rstrip()}")
            return
        yield from self._close()
        self._indent = indent
        self._state = {"x": Section.DONE, "X": Section.DONE, " ": Section.IN_PROGRESS}.get(item[2] or "")
        self._open = [item[3].strip()]

    def _close(self) -> Iterator[Item]:
        text = " ".join(self._open).replace(" \n", "\n").strip()
        section = self._state if self._state and self._section is not Section.NEXT else self._section
        self._open, self._state, self._indent = [], None, 0
        if text:
            yield Item(section, text)
