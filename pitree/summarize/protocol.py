"""What every summarizer does: requests in; text, usage and a reason for the end out.

A summarizer is an async iterator, so whoever listens may stop it at any time by closing it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from pitree.planning.summary_text import Part
from pitree.session.javascript import JSON
from pitree.summarize.requests import SummaryRequest


class Finish(Enum):
    """Why a summary ended."""

    DONE = "done"
    CUT_OFF = "cut off by the answer limit"
    REFUSED = "refused"
    TOOL_CALL = "the model called a tool"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of a part."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What a part has used, in the form in which pi stores it."""

    part: Part
    usage: JSON


@dataclass(frozen=True, slots=True)
class Progress:
    """A word to show while nothing arrives: which request, or why it waits."""

    words: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end.

    Attributes:
        reason: Why.
        message: What happened and what to do, in one sentence; "" where all went well.
    """

    reason: Finish
    message: str = ""


Event = TextDelta | UsageReport | Progress | Finished


class Summarizer(Protocol):
    """One way to write a summary."""

    @property
    def name(self) -> str:
        """As what a draft of it is named on the screen: `extract`, `recorded`, or the model."""
        ...

    def run(self, requests: Sequence[SummaryRequest]) -> AsyncIterator[Event]:
        """Do the requests one after the other; the last event is `Finished`."""
        ...
