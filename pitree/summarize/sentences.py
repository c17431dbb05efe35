"""Prose out of messages: sentences without code and pasted output, shortened at the end of a sentence.

Every piece is a part of the text as it stands, with runs of white space made one blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

MOST_CHARACTERS: Final = 16_000
"""As much of one text is looked at: its head, and its tail where results usually stand."""
_TAIL = 4_000
_WRAPPED = 60
"""A line at least this long is taken for wrapped, so that the next one goes on with it."""
_CUT = " …"

_FENCE = re.compile(r"^\s*(```|~~~)")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+|#{1,6}\s+|>\s*)")
_NOT_PROSE = re.compile(
    r"^\s*(?:\||[-=_*~─━═]{3,}\s*$|at \S+ \(|\$ |➜|>>> |File \"|[{}()\[\];<]|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:|\w+(?:\.\w+)*\(.*\)[;:]?$|(?:import|from|const|let|def|class|return|function) .*[;:{]$)"
)
_END = re.compile(r"(?<=[.!?…])[\"'”’)*_`]*\s+|(?<=[。！？；])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|p\. ?ej|no|sr|sra)|(?:^|\s)\d{1,2})\.$", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:，、；：)] ?| - | — ")
_SPACE = re.compile(r"\s+")


def bounded(text: str) -> str:
    """The head and the tail of a text too long to be looked at whole."""
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[: MOST_CHARACTERS - _TAIL]}\n{text[-_TAIL:]}"


def is_prose(text: str, length: int) -> bool:
    """Whether nothing in the beginning of a text looks pasted."""
    lines = text[: 2 * length].splitlines()
    return not any(_NOT_PROSE.match(line) or _FENCE.match(line) for line in lines)


def flat(text: str) -> str:
    """A text on one line."""
    return _SPACE.sub(" ", text).strip()


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text's prose, in order."""
    return tuple(sentence for block in _blocks(bounded(text)) for sentence in _split(block))


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and list items, each on one line, without fenced code and what looks pasted."""
    open_lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        is_fence = _FENCE.match(line) is not None
        fenced ^= is_fence
        mark = _LIST_MARK.match(line)
        ends = is_fence or fenced or mark or not line.strip() or _NOT_PROSE.match(line)
        if open_lines and (ends or len(open_lines[-1]) < _WRAPPED):
            yield flat(" ".join(open_lines))
            open_lines = []
        if is_fence or fenced or not line.strip() or (not mark and _NOT_PROSE.match(line)):
            continue
        open_lines.append(line[mark.end() :] if mark else line)
    if open_lines:
        yield flat(" ".join(open_lines))


def _split(block: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(block):
        piece = block[start : match.end()].strip()
        if _ABBREVIATION.search(piece):
            continue
        if piece:
            yield piece
        start = match.end()
    rest = block[start:].strip()
    if rest:
        yield rest


def shortened(text: str, limit: int) -> str:
    """The text on one line, cut at the last end of a sentence, clause or word before the limit and marked so."""
    text = flat(text)
    if len(text) <= limit:
        return text
    head = text[:limit]
    ends = [match.end() for match in _END.finditer(head)] or [match.end() for match in _CLAUSE.finditer(head)]
    at = next((end for end in reversed(ends) if end >= limit // 2), head.rfind(" "))
    return head[: at if at > 0 else limit].rstrip(" ,;:，、；：-—") + _CUT
