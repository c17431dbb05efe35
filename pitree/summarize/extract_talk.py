"""What assistant and user agreed on, what was concluded, what is still to do, and what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pitree.summarize.extract_requests import MEANWHILE
from pitree.summarize.record import Said
from pitree.summarize.rows import Row, Section
from pitree.summarize.sentences import sentences, shortened
from pitree.summarize.wording import (
    CODE,
    COMING,
    CONFIRMED,
    DECIDED,
    DEFERRED,
    DENIED,
    EXPLAINED,
    FACT,
    FINISHED,
    HEDGED,
    INTENDED,
    PROPOSED,
    REASON,
    SUBJECT,
    TEMPORARY,
    questions,
)

SENTENCE: Final = 260
ANSWER: Final = 120
_ALONE = 45
"""A shorter proposal needs the sentence before it."""
_CONCLUDING = 2
"""So many sentences at the end of a turn say what it came to."""
_EMPTY = 26
"""A shorter conclusion says nothing: `Done.`, `All clean.`."""
_ANNOUNCING = (":", "：", "...", "…")


@dataclass
class Talk:
    """Collects sentences of the assistant, and answers of the user to them."""

    _rows: list[tuple[str, Row]] = field(default_factory=list)
    _latest: dict[str, int] = field(default_factory=dict)
    _last: Said | None = None
    _answered: bool = False
    _changed: bool = False

    def note_change(self) -> None:
        """A file was changed in this turn, so that what the assistant says at its end is about that."""
        self._changed = True

    def add(self, said: Said) -> None:
        """Take over what was said."""
        if said.who == "user":
            self._answer(said)
            self._changed = False
        elif said.who == "assistant":
            for row in _of_assistant(said, changed=self._changed):
                self._keep(row)
            self._last, self._answered = said, False

    def _answer(self, said: Said) -> None:
        """A confirmation takes up what the assistant proposed last."""
        last, answers = self._last, sentences(said.text)
        if last is None or self._answered or not answers:
            return
        self._answered = True
        if not last.closing or not CONFIRMED.match(said.text):
            return
        proposal = _proposal(sentences(last.text))
        if proposal:
            section = Section.NEXT if DEFERRED.search(answers[0]) else Section.DECISIONS
            form = " ".join("{}" for _ in proposal) + " (user: {})"
            quotes = (*(shortened(text, SENTENCE) for text in proposal), shortened(answers[0], ANSWER))
            self._keep(Row(section, form, quotes, 78, said.at))

    def _keep(self, row: Row) -> None:
        subject = SUBJECT.match(row.quotes[0])
        self._rows.append((subject[1] if subject else "", row))
        if subject:
            self._latest[subject[1]] = row.at

    def rows(self) -> Iterator[Row]:
        """What was said, with what the end leaves open."""
        for subject, row in self._rows:
            # What a later row says about the same thing overtakes it.
            if not subject or self._latest[subject] == row.at:
                yield row
        if self._last is not None:
            yield from _left_open(self._last, answered=self._answered)


def _proposal(found: Sequence[str]) -> Sequence[str]:
    """The last proposal, with the sentence before it where it is too short to stand alone."""
    at = next((at for at in reversed(range(len(found))) if PROPOSED.search(found[at])), None)
    if at is None:
        return ()
    return found[max(0, at - 1) : at + 1] if len(found[at]) < _ALONE else found[at : at + 1]


def _of_assistant(said: Said, *, changed: bool) -> Iterator[Row]:
    for place, sentence in enumerate(sentences(said.text)):
        if not sentence.endswith(_ANNOUNCING) and not questions(sentence):
            concludes = said.closing and place < _CONCLUDING and (changed or FINISHED.search(sentence) is not None)
            yield from _classified(said, sentence, concludes=concludes)


def _classified(said: Said, sentence: str, *, concludes: bool) -> Iterator[Row]:
    named = len(CODE.findall(sentence))
    exact = (8 if FACT.search(sentence) else 0) + min(3 * named, 8)
    quote = shortened(sentence, SENTENCE)
    announces = INTENDED.match(sentence) is not None
    if TEMPORARY.search(sentence):
        yield Row(Section.DECISIONS, MEANWHILE, (quote,), 74 + exact, said.at)
    elif weight := _resolve(sentence, announces=announces):
        yield _decision(sentence, weight + exact, said.at)
    if concludes and not announces and not _is_empty(sentence) and not DENIED.search(sentence):
        telling = FINISHED.search(sentence) is not None
        yield Row(Section.DONE, "{}", (quote,), 34 + 10 * telling + exact, said.at)
    elif DEFERRED.search(sentence) and said.closing:
        yield Row(Section.NEXT, "{}", (quote,), 52 + exact, said.at)
    if not announces and (exact >= 8 or (said.closing and (named > 1 or sentence.startswith("**")))):
        yield Row(Section.CRITICAL, "{}", (quote,), 34 + exact + 8 * said.closing, said.at)


def _is_empty(sentence: str) -> bool:
    """Whether a conclusion only says that there is one; a sentence of Chinese says more in fewer letters."""
    return sentence.isascii() and len(sentence) <= _EMPTY and not CODE.search(sentence)


def _resolve(sentence: str, *, announces: bool) -> float:
    """How much a sentence weighs as a decision, 0 for none."""
    if HEDGED.search(sentence):
        return 0
    if DECIDED.search(sentence):
        return 0 if announces and not DECIDED.match(sentence) else 46
    return 36 if EXPLAINED.search(sentence) and not announces else 0


def _decision(sentence: str, weight: float, at: int) -> Row:
    parts = REASON.split(sentence, maxsplit=1)
    if len(parts) == 2 and len(parts[0]) > 8 and len(sentence) <= SENTENCE and "**" not in sentence:
        return Row(Section.DECISIONS, "**{}**: {}", (parts[0].strip(), parts[1].strip()), weight + 10, at)
    return Row(Section.DECISIONS, "{}", (shortened(sentence, SENTENCE),), weight, at)


def _left_open(last: Said, *, answered: bool) -> Iterator[Row]:
    """The question that nobody answered, and what was about to be done."""
    found = sentences(last.text)
    asked = [sentence for sentence in found[-3:] if questions(sentence)]
    if asked and not answered:
        yield Row(Section.NEXT, "Asked, not answered: {}", (shortened(asked[-1], SENTENCE),), 82, last.at)
    if not last.closing:
        begun = next((text for text in reversed(found) if not questions(text)), None)
        if begun is not None:
            yield Row(Section.IN_PROGRESS, "{}", (shortened(begun.rstrip(":："), SENTENCE),), 80, last.at)
    coming = [text for text in found if COMING.search(text) and not questions(text) and not DECIDED.match(text)]
    for text in coming[-3:] if last.closing else ():
        yield Row(Section.NEXT, "{}", (shortened(text, SENTENCE),), 68, last.at)
