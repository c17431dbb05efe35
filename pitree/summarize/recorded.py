"""Recorded summaries of the built-in sessions, streamed as if a model wrote them, without key and network."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Final

from pitree.planning.summary_text import Part
from pitree.session.javascript import JSON, utf16_length
from pitree.summarize.protocol import Event, Finish, Finished, Progress, TextDelta, UsageReport
from pitree.summarize.requests import SummaryRequest

_DELTA = re.compile(r"\s*(?:[^\s\u3000-\u9fff]{1,16}|[\u3000-\u9fff]{1,4}|\s+$)")
_DELTAS_PER_SECOND: Final = 90
_FIRST_WORD: Final = 0.6
"""Seconds until a model begins to answer."""
_PER_TOKEN: Final = 4
_INPUT_PRICE: Final = 3.0
_OUTPUT_PRICE: Final = 15.0
"""Dollars for a million tokens of the model that the built-in sessions name."""


class Recorded:
    """A recorded summary as a summarizer."""

    name: Final = "recorded"

    def __init__(self, texts: Mapping[Part, str], pause: Callable[[float], Awaitable[None]]) -> None:
        """Stream texts.

        Args:
            texts: The text of each part that was recorded.
            pause: Waits for so many seconds.
        """
        self._texts = texts
        self._pause = pause

    async def run(self, requests: Sequence[SummaryRequest]) -> AsyncIterator[Event]:
        """Stream the parts that are asked for, one after the other."""
        for request in requests:
            text = self._texts.get(request.part)
            if text is None:
                yield Finished(Finish.FAILED, f"No summary was recorded for the {request.part} of this plan.")
                return
            yield Progress(f"Recorded {request.part}")
            await self._pause(_FIRST_WORD)
            for delta in deltas(text):
                yield TextDelta(request.part, delta)
                await self._pause(1 / _DELTAS_PER_SECOND)
            yield UsageReport(request.part, usage_of(request, text))
        yield Finished(Finish.DONE)


def deltas(text: str) -> list[str]:
    """A text in pieces of about a word, which together are the text."""
    pieces = _DELTA.findall(text)
    return pieces if "".join(pieces) == text else [text]


def usage_of(request: SummaryRequest, text: str) -> JSON:
    """What a model would have used for it by pi's estimate, in pi's form; costs in dollars."""
    given = -(-utf16_length(request.system + request.prompt) // _PER_TOKEN)
    written = -(-utf16_length(text) // _PER_TOKEN)
    paid_in, paid_out = given * _INPUT_PRICE / 1e6, written * _OUTPUT_PRICE / 1e6
    cost: JSON = {"input": paid_in, "output": paid_out, "cacheRead": 0, "cacheWrite": 0, "total": paid_in + paid_out}
    return {
        "input": given,
        "output": written,
        "cacheRead": 0,
        "cacheWrite": 0,
        "totalTokens": given + written,
        "cost": cost,
    }
