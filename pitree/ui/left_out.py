"""What a request for a summary leaves out of the messages it is about, counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pitree.context.messages import Message
from pitree.context.switches import ContextSwitches
from pitree.context.tokens import text_of
from pitree.context.transcript import RESULT_UNITS
from pitree.planning.branch import Fate, NavigationPlan
from pitree.session.javascript import JSON, get, truthy, utf16_length


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a request leaves out.

    Attributes:
        thinking: Blocks of thinking.
        images: Images.
        results: Tool results that are cut.
        units: UTF-16 units that were cut off from them.
        shell: Shell runs that were kept out of the context.
        tool_results: Tool results that are left out whole, as they are of branches.
        dropped: Entries that the budget drops, as it does of branches.
    """

    thinking: int = 0
    images: int = 0
    results: int = 0
    units: int = 0
    shell: int = 0
    tool_results: int = 0
    dropped: int = 0

    def words(self) -> list[str]:
        """Each kind in words, with its count; empty where nothing is left out."""
        parts = (
            (self.thinking, f"{_count(self.thinking, 'block')} of thinking"),
            (self.images, _count(self.images, "image")),
            (
                self.results,
                f"{self.units:,} units of {_count(self.results, 'tool result')} beyond {RESULT_UNITS:,} each",
            ),
            (self.tool_results, f"{_count(self.tool_results, 'tool result')}, which are never sent for a branch"),
            (self.dropped, f"{_count(self.dropped, 'message')} dropped by the budget"),
            (self.shell, f"{_count(self.shell, 'shell run')} kept out of the context"),
        )
        return [words for number, words in parts if number]


NOTHING_LEFT_OUT: Final = LeftOut()


def left_out_of(messages: Iterable[Message], rules: ContextSwitches) -> LeftOut:
    """What the transcript of some messages leaves out of them."""
    thinking = images = results = units = shell = 0
    for message in messages:
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        images += _of_type(blocks, "image")
        if message.role == "assistant" and not rules.thinking_in_transcript:
            thinking += _of_type(blocks, "thinking")
        elif message.role == "toolResult":
            over = _units(content) - RESULT_UNITS
            results += over > 0
            units += max(0, over)
        elif message.role == "bashExecution":
            shell += truthy(message.get("excludeFromContext"))
    return LeftOut(thinking, images, results, units, shell)


def left_out_of_move(move: NavigationPlan) -> LeftOut:
    """What the request for the summary of a branch leaves out."""
    seen = left_out_of(move.carried.messages, move.rules)
    fates = list(move.carried.fates)
    return LeftOut(
        seen.thinking,
        seen.images,
        shell=seen.shell,
        tool_results=fates.count(Fate.LEFT_OUT),
        dropped=fates.count(Fate.DROPPED),
    )


def _of_type(blocks: Iterable[JSON], name: str) -> int:
    return sum(get(block, "type") == name for block in blocks)


def _units(content: JSON) -> int:
    """The units of what the transcript takes of a result; none where pi would fail on it."""
    try:
        return utf16_length(text_of(content, ""))
    except TypeError:
        return 0


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
