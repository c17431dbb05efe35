"""What the user asked for, demanded, forbade, and decided for the time being."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

from pitree.summarize.commands import error_line
from pitree.summarize.record import Said
from pitree.summarize.rows import Row, Section
from pitree.summarize.sentences import bounded, flat, is_prose, sentences, shortened
from pitree.summarize.wording import DEMANDED, FACT, FORBIDDEN, TEMPORARY, TURNED, WANTED, questions

FIRST_LENGTH: Final = 480
LATEST_LENGTH: Final = 480
OTHER_LENGTH: Final = 200
WHOLE_LENGTH: Final = 1400
"""How much of the request of a split turn is quoted: the rest of the turn was said in answer to it."""
RULE_LENGTH: Final = 300
MEANWHILE: Final = "For the time being: {}"
_SUBSTANCE = 12
"""A request says something from this many letters on; Chinese needs fewer."""
_DENSE = 4
_MOST_REQUESTS = 60
"""Many more than are ever taken."""
_RULE_WEIGHTS = ((FORBIDDEN, 88.0), (DEMANDED, 84.0), (WANTED, 62.0))
_TOLD = 66.0
"""What figures weigh that the user gave."""
_PASTED = 30.0
"""So much less weighs a sentence of a text that is pasted in part."""
_PICTURE = re.compile(r"^['\"]?/\S.*\.(?:png|jpe?g|gif|webp)['\"]?\s*")
_ERROR = re.compile(r"(?m)^\s*(?:\w+(?:Error|Exception)\b|error\b|fatal\b|Traceback|FAILED)", re.IGNORECASE)
_SLASH = re.compile(r"^/\w*$")


@dataclass
class Requests:
    """Collects what the user said.

    Attributes:
        whole: Quote the first request whole: it is the one of a split turn.
    """

    whole: bool = False
    _said: list[tuple[int, str]] = field(default_factory=list)
    _rules: list[Row] = field(default_factory=list)

    def add(self, said: Said) -> None:
        """Take over what the user said."""
        if not has_substance(said.text):
            return
        self._said.append((said.at, said.text))
        self._rules.extend(_rules(said))

    def rows(self) -> Iterator[Row]:
        """The requests and the rules."""
        yield from self._rules
        yield from self._requests()

    def _requests(self) -> Iterator[Row]:
        if not self._said:
            return
        first, latest = self._said[0], self._said[-1]
        yield _request(first, "{}", WHOLE_LENGTH if self.whole else FIRST_LENGTH, 96)
        if latest is not first:
            yield _request(latest, "Latest: {}", LATEST_LENGTH, 94)
        for said in nlargest(_MOST_REQUESTS, self._said[1:-1], key=_weight):
            form = "Changed: {}" if _turns(said[1]) else "Then: {}"
            yield _request(said, form, OTHER_LENGTH, _weight(said)[0])

    def last_place(self) -> int:
        """Where the user spoke last, -1 for nowhere."""
        return self._said[-1][0] if self._said else -1


def has_substance(text: str) -> bool:
    """Whether a text asks for something: more than a word, and no command of the terminal program."""
    letters = sum(_DENSE if "\u3000" < letter < "\uff00" else 1 for letter in text[:60] if letter.isalnum())
    return letters >= _SUBSTANCE and not _SLASH.match(text.strip())


def _turns(text: str) -> bool:
    return TURNED.search(text[:120]) is not None


def _weight(said: tuple[int, str]) -> tuple[float, int]:
    """How much a request between the first and the latest weighs; of two that weigh the same the later one more."""
    at, text = said
    return (64.0 if _turns(text) else 34 + min(len(text), 300) / 15), at


def _request(said: tuple[int, str], form: str, length: int, weight: float) -> Row:
    at, text = said
    own = _PICTURE.sub("", text)
    spoken = [sentence for sentence in sentences(own) if has_substance(sentence)]
    if len(flat(own[: 2 * length])) <= length or not spoken or is_prose(own, length):
        return Row(Section.GOAL, form, (shortened(own, length),), weight, at)
    # A text with pasted output in it: what was said about it, and what the output says.
    error = error_line(bounded(own)) if _ERROR.search(own) else ""
    quotes = [shortened(spoken[0], length), *([error] if error and error not in spoken[0] else [])]
    return Row(Section.GOAL, form + " — {}" * (len(quotes) - 1), tuple(quotes), weight, at)


def _rules(said: Said) -> Iterator[Row]:
    text = _PICTURE.sub("", said.text)
    told = is_prose(text, FIRST_LENGTH)
    for sentence in sentences(text):
        weight = max((weight for table, weight in _RULE_WEIGHTS if table.search(sentence)), default=0.0)
        meanwhile = TEMPORARY.search(sentence) is not None
        if sentence.endswith((":", "：")) or (questions(sentence) and weight < _RULE_WEIGHTS[0][1]):
            continue
        if weight or meanwhile:
            form = MEANWHILE if meanwhile else "{}"
            figures = (4 if FACT.search(sentence) else 0) - (0 if told else _PASTED)
            yield Row(
                Section.CONSTRAINTS,
                form,
                (shortened(sentence, RULE_LENGTH),),
                max(weight, 86 if meanwhile else 0) + figures,
                said.at,
            )
        elif told and FACT.search(sentence):
            yield Row(Section.CRITICAL, "{}", (shortened(sentence, RULE_LENGTH),), _TOLD, said.at)
