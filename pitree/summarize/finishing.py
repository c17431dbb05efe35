"""Which open items of an earlier summary have been finished since, and which rows a focus makes heavier."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from pitree.summarize.rows import Row, Section
from pitree.summarize.wording import CODE

_OPEN: Final = frozenset({Section.IN_PROGRESS, Section.NEXT, Section.BLOCKED})
_ENOUGH: Final = 0.6
_FEWEST: Final = 2
_BONUS: Final = 40.0
_WORD = re.compile(r"[a-záéíóúñü]{4,}|\d{2,}|[\u4e00-\u9fff]{2}", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/])[\w@.-]*(?:/[\w@.-]+)*\.[A-Za-z]{1,5}(?!\w)|[\w@.-]+/[\w@./-]*\w")
_EMPTY_WORDS = frozenset("with that this from into have been will then than when which should para como está".split())


def finished_rows(carried: Iterable[Row], own: Sequence[Row], changed: Collection[str]) -> Iterator[Row]:
    """The rows of earlier summaries, open ones moved to what is done where the range shows it.

    Args:
        carried: The rows of earlier summaries.
        own: The rows of the range.
        changed: The paths that were changed in the range, and the commands that went well.
    """
    open_rows = list(carried)
    done = [words_of(row.text) for row in own if row.section is Section.DONE] if open_rows else []
    for row in open_rows:
        if row.section in _OPEN and _is_finished(row.text, done, changed):
            yield replace(row, section=Section.DONE, weight=row.weight - 4)
        else:
            yield row


def _is_finished(text: str, done: Sequence[frozenset[str]], changed: Collection[str]) -> bool:
    """Whether all files that it names were changed, or a finished item is about the same."""
    quoted = CODE.findall(text)
    if quoted and all(code.strip("`") in changed for code in quoted):
        return True
    paths = set(_PATH.findall(text))
    if paths and all(any(path == name or name.endswith(f"/{path}") for name in changed) for path in paths):
        return True
    words = words_of(text)
    return any(len(words & other) >= max(_FEWEST, _ENOUGH * len(words)) for other in done)


def words_of(text: str) -> frozenset[str]:
    """The words of a text by which it can be known again."""
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _EMPTY_WORDS


def focused(rows: Iterable[Row], focus: str) -> Iterator[Row]:
    """The rows, those heavier that share a word with what to pay attention to."""
    wanted = words_of(focus)
    for row in rows:
        yield replace(row, weight=row.weight + _BONUS) if wanted and wanted & words_of(row.text) else row
