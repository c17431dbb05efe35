"""A summary without a model: pi's headings filled from the messages themselves.

The same messages give the same text. What it says is copied, not put in other words; what does not fit is dropped, the
least telling first.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pitree.context.messages import Message, raw_message
from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.summary_text import Part
from pitree.session.entries import Kind
from pitree.session.javascript import JSON, get, to_string, truthy
from pitree.summarize import earlier
from pitree.summarize.extract_requests import Requests
from pitree.summarize.extract_talk import Talk
from pitree.summarize.extract_work import CHANGING, Work
from pitree.summarize.finishing import finished_rows, focused
from pitree.summarize.protocol import Event as Answer
from pitree.summarize.protocol import Finish, Finished, TextDelta
from pitree.summarize.record import Event, Run, Said, events, results_by_call
from pitree.summarize.requests import SummaryRequest
from pitree.summarize.rows import Row, Section, chosen, full_form, prefix_form

Plan = CompactionPlan | NavigationPlan

SLICE: Final = 30_000
"""Characters that are looked at between two pauses: about 5 ms."""
MOST: Final = 2_500 * 4
"""The longest extract, in characters."""
LEAST: Final = 600 * 4
"""What a big plan gets at least."""
_GROWTH = 40
"""One character more of an extract for so many characters of what it replaces."""
_SHOWN = 2_000
_PER_MESSAGE = 400
_SMALL = 6_000
"""Below so many characters empty headings are left out."""
_ASIDE = 12
"""So much less weighs what a summary among the messages says than the summary that is carried on."""
_SHARE = 0.75
_NOTHING_SAID = "## Goal\n(none)"


@dataclass(frozen=True, slots=True)
class _Source:
    """What a part is made of.

    Attributes:
        messages: What it summarizes.
        after: What follows in the same summary, which may show that a failure was mended.
        previous: The earlier summary that it carries on.
    """

    part: Part
    messages: Sequence[Message]
    after: Sequence[Message] = ()
    previous: str = ""


class Extract:
    """The extract as a summarizer."""

    name: Final = "extract"

    def __init__(self, plan: Plan, focus: str = "") -> None:
        self._plan = plan
        self._focus = focus

    async def run(self, requests: Sequence[SummaryRequest]) -> AsyncIterator[Answer]:
        """Give the parts that are asked for, each at once."""
        texts = extract(self._plan, self._focus)
        for request in requests:
            yield TextDelta(request.part, texts.get(request.part, ""))
        yield Finished(Finish.DONE)


def extract(plan: Plan, focus: str = "") -> dict[Part, str]:
    """The extract of a plan by part: `history`, `prefix`, or `branch`.

    Args:
        plan: A compaction, or a move to another branch.
        focus: What to pay attention to: rows that share words with it are dropped later.

    Raises:
        PiFails: when pi itself throws on a message of a branch.
    """
    return next(result for result in extract_slices(plan, focus) if result is not None)


def extract_slices(plan: Plan, focus: str = "") -> Iterator[dict[Part, str] | None]:
    """The extract in slices of work: None after each, the result after the last.

    Raises:
        PiFails: when pi itself throws on a message of a branch.
    """
    texts: dict[Part, str] = {}
    for source in _sources(plan):
        reader = _Reader(source, _folder(plan))
        for spent in reader.read():
            if spent:
                yield None
        yield from reader.gather()
        rows = list(focused(reader.rows, focus))
        texts[source.part] = _written(plan, source.part, rows, reader.size)
        yield None
    yield texts


def extracted_rows(plan: Plan) -> dict[Part, list[Row]]:
    """All rows of each part before any is dropped: what the extract knows."""
    found: dict[Part, list[Row]] = {}
    for source in _sources(plan):
        reader = _Reader(source, _folder(plan))
        for _ in (*reader.read(), *reader.gather()):
            pass
        found[source.part] = reader.rows
    return found


def _sources(plan: Plan) -> Iterator[_Source]:
    if isinstance(plan, NavigationPlan):
        if plan.carried.messages:
            yield _Source("branch", _with_results(plan))
        return
    previous = to_string(plan.previous_summary) if truthy(plan.previous_summary) else ""
    if plan.summarized or not plan.is_split_turn:
        yield _Source("history", plan.summarized, plan.prefix, previous)
    if plan.is_split_turn:
        yield _Source("prefix", plan.prefix)


def _with_results(plan: NavigationPlan) -> list[Message]:
    """The messages of a left branch and the tool results that pi leaves out of them, oldest first."""
    entries = plan.session.entries(plan.entries)
    results = [
        raw_message(entry) for entry in entries if entry.kind is Kind.TOOL_RESULT and isinstance(entry.message, dict)
    ]
    order = {index: place for place, index in enumerate(plan.entries)}
    return sorted([*plan.carried.messages, *results], key=lambda message: order.get(message.entry or 0, 0))


def _folder(plan: Plan) -> str:
    folder = get(plan.session.header, "cwd")
    return folder.rstrip("/") if isinstance(folder, str) else ""


class _Reader:
    """Reads the messages of a part."""

    def __init__(self, source: _Source, folder: str) -> None:
        self._source = source
        self._requests = Requests(whole=source.part == "prefix")
        self._talk = Talk()
        self._work = Work(folder)
        self._summaries: list[tuple[int, str]] = []
        self._before = ""
        self.size = len(source.previous)
        self.rows: list[Row] = []

    def read(self) -> Iterator[bool]:
        """Read message by message; True whenever a slice of work is done."""
        messages = [*self._source.messages, *self._source.after]
        results = results_by_call(messages)
        spent = 0
        for at, message in enumerate(messages):
            spent += self._message(message, at, results)
            yield spent >= SLICE
            spent = spent if spent < SLICE else 0

    def _message(self, message: Message, at: int, results: Mapping[JSON, Message]) -> int:
        """Take over a message; returns how much work it was, in characters."""
        spent = _PER_MESSAGE
        within = at < len(self._source.messages)
        for event in events(message, at, results, self._before):
            size = _size(event)
            spent += size
            if within:
                self.size += min(size, _SHOWN)
                self._take(event)
            elif isinstance(event, Run):
                self._work.mend(event)
        return spent

    def _take(self, event: Event) -> None:
        if isinstance(event, Run):
            self._work.add(event)
            if event.tool in CHANGING:
                self._talk.note_change()
            return
        if event.who == "summary":
            self._summaries.append((event.at, event.text))
            return
        self._before = event.text if event.who == "assistant" and not event.closing else ""
        if event.who == "user":
            self._requests.add(event)
        self._talk.add(event)

    def gather(self) -> Iterator[None]:
        """Make rows of all that was read, in a few steps; `rows` are complete after the last."""
        own: list[Row] = []
        for found in (self._requests.rows(), self._talk.rows(), self._work.rows(len(self._source.messages))):
            own.extend(found)
            yield
        carried = list(earlier.rows(self._source.previous))
        for at, text in self._summaries:
            carried += [replace(row, weight=row.weight - _ASIDE, at=at) for row in earlier.rows(text)]
        # What an earlier summary left open and was finished since is moved to what is done.
        self.rows = [*finished_rows(carried, own, self._work.finished()), *own]


def _size(event: Event) -> int:
    if isinstance(event, Said):
        return len(event.text)
    return len(event.output) + sum(len(value) for value in event.arguments.values() if isinstance(value, str))


def _written(plan: Plan, part: Part, rows: Sequence[Row], size: int) -> str:
    """The text of a part: as many rows as its size allows, and where that is possible no more than what it replaces."""
    limit = min(MOST, LEAST + size // _GROWTH, int(size * _SHARE))
    text = _formed(plan, part, rows, limit, empty=size > _SMALL)
    while len(text) > size and limit > 1:
        limit = limit * 2 // 3
        text = _formed(plan, part, rows, limit, empty=False)
    return text or _NOTHING_SAID


def _formed(plan: Plan, part: Part, rows: Sequence[Row], limit: int, *, empty: bool) -> str:
    if part == "prefix":
        return prefix_form(chosen(rows, limit, said_once=True), plan.rules.prefix_headings, empty=empty)
    if part == "history":
        return full_form(chosen(rows, limit), Section, empty=empty)
    # A branch has no heading for what else must be known, which is most often why the branch was left.
    told = [replace(row, section=Section.DECISIONS) if row.section is Section.CRITICAL else row for row in rows]
    sections = [section for section in Section if section is not Section.CRITICAL]
    return full_form(chosen(told, limit), sections, empty=empty)
