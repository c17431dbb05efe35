"""A recorded summary arrives like one of a model."""

from __future__ import annotations

import pytest

from pitree.lessons.recorded import RECORDED
from pitree.summarize.protocol import Finish, Finished, Progress, TextDelta, UsageReport
from pitree.summarize.recorded import Recorded, deltas
from pitree.summarize.requests import compaction_requests
from tests.summarize.plans import demo_plan


async def test_the_rich_demo_is_streamed_part_by_part() -> None:
    paused: list[float] = []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    plan = demo_plan("rich")
    assert plan is not None
    requests = compaction_requests(plan)
    summarizer = Recorded(RECORDED["rich"], pause)
    events = [event async for event in summarizer.run(requests)]
    for part, text in RECORDED["rich"].items():
        assert "".join(event.text for event in events if isinstance(event, TextDelta) and event.part == part) == text
    usages = [event.usage for event in events if isinstance(event, UsageReport)]
    assert [isinstance(usage, dict) and usage["output"] for usage in usages] == [
        -(-len(text) // 4) for text in RECORDED["rich"].values()
    ]
    assert isinstance(events[0], Progress)
    assert events[-1] == Finished(Finish.DONE)
    assert 5 < sum(paused) < 30
    assert summarizer.name == "recorded"


async def test_a_part_that_was_not_recorded_fails_in_words() -> None:
    async def pause(seconds: float) -> None:
        return

    plan = demo_plan("plain-cut")
    assert plan is not None
    events = [event async for event in Recorded({}, pause).run(compaction_requests(plan))]
    assert events == [Finished(Finish.FAILED, "No summary was recorded for the history of this plan.")]


@pytest.mark.parametrize(
    "text", ["", "one", "  two  words \n\n", "上下文压缩：当对话太长", "x" * 100, "a\u3000b 12 `c`\n"]
)
def test_deltas_are_the_text(text: str) -> None:
    assert "".join(deltas(text)) == text
    assert all(len(delta) < 40 for delta in deltas(text))
