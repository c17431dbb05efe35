"""The blocks of the Request pane: the prompt to the letter, cut marks, and what is left out in words."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.transcript import transcript
from pitree.lessons.demos import DEMOS
from pitree.planning.branch import plan_navigation
from pitree.planning.rules import NEWEST, RULES
from pitree.planning.settings import Settings
from pitree.session.load import session_from_bytes
from pitree.summarize.requests import SummaryRequest, branch_requests, compaction_requests
from pitree.ui.left_out import LeftOut, left_out_of, left_out_of_move
from pitree.ui.request_blocks import ShownRequest, prompt_blocks, request_blocks
from pitree.ui.widgets.marked_view import MarkedView
from tests.ui.parts import Parts, plan_of

MARK = "[... 500 more characters truncated]"


def request(conversation: str, **more: Any) -> SummaryRequest:
    prompt = f"<conversation>\n{conversation}\n</conversation>\n\nWrite it.\n"
    return SummaryRequest("history", "You write.", prompt, conversation, more.get("max_tokens"))


def joined(one: SummaryRequest) -> str:
    return "\n".join(block.text for block in prompt_blocks(one))


@pytest.mark.parametrize("rules", ["0.84", "1.6"])
@pytest.mark.parametrize("name", ["rich", "plain-cut", "split-turn", "repeated"])
def test_the_prompt_is_shown_to_the_letter(name: str, rules: str) -> None:
    for one in compaction_requests(plan_of(name, RULES[rules]), "the clock"):
        assert joined(one) == one.prompt


@pytest.mark.parametrize("text", ["", "x", "\n", "[User]: a\n\n[User]: b", "</conversation>", "\n\n[User]: a\n"])
def test_any_conversation_is_shown_to_the_letter(text: str) -> None:
    assert joined(request(text)) == request(text).prompt


def test_the_head_says_what_it_is() -> None:
    left_out = LeftOut(thinking=2, images=1, results=3, units=83_640, shell=1)
    shown = [
        ShownRequest(request("[User]: hi", max_tokens=13_107), left_out, 21),
        ShownRequest(request("[User]: ho"), counted=30),
    ]
    texts = [
        (getattr(block, "lead", "").strip(), block.text)
        for block in request_blocks(shown)
        if block.style != "$pitree-summary"
    ]
    assert texts[:10] == [
        ("", "Request 1 of 2 · history"),
        ("size", "est 17 (system 3, prompt 14)"),
        ("", "tiktoken 21, approximate"),
        ("", "count_tokens not asked"),
        ("answer", "at most 13,107 tokens"),
        ("left out", "2 blocks of thinking"),
        ("", "1 image"),
        ("", "83,640 units of 3 tool results beyond 2,000 each"),
        ("", "1 shell run kept out of the context"),
        (
            "how",
            "goes without cache and under a routing id of its own, so that it disturbs nothing of the session's",
        ),
    ]
    second = texts.index(("", "Request 2 of 2 · history"))
    assert texts[second + 2 : second + 6] == [
        ("", "tiktoken counting…"),
        ("", "count_tokens 30"),
        ("answer", "the model's own limit"),
        ("left out", "nothing"),
    ]
    assert [block.text for block in request_blocks((), "There is no plan.")] == ["No request", "There is no plan."]


def test_only_what_was_cut_is_marked_as_cut() -> None:
    said = f"[User]: I saw\n\n{MARK}\n\nthere"
    fake = f"[Tool result]: short\n\n{MARK}"
    cut = f"[Tool result]: {'é' * 2000}\n\n{MARK}"
    blocks = prompt_blocks(request("\n\n".join([said, fake, cut, "[Assistant]: ok"])))
    marked = [(number, block) for number, block in enumerate(blocks) if block.gutter == "✂ "]
    assert [block.text for _, block in marked] == [MARK]
    assert blocks[marked[0][0] - 1].text.endswith("é\n")
    assert blocks[marked[0][0] + 2].text == "[Assistant]: ok"
    assert [block.text for block in blocks if "italic" in block.style] == ["<conversation>", "</conversation>"]


def test_counts_what_a_transcript_leaves_out() -> None:
    messages = [
        Message({"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "x"}]}, 0),
        Message({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, 1),
        Message({"role": "toolResult", "content": [{"type": "text", "text": "😀" * 1500}]}, 2),
        Message({"role": "bashExecution", "command": "ls", "excludeFromContext": True}, 3),
        Message({"role": "toolResult", "content": [None]}, 4),
    ]
    assert left_out_of(messages, RULES["1.6"]) == LeftOut(1, 1, 1, 1000, 1)
    assert left_out_of(messages, RULES["0.84"]) == LeftOut(0, 1, 1, 1000, 1)
    assert "[... 1000 more characters truncated]" in transcript(messages[2:3], RULES["1.6"])


def test_counts_what_a_branch_leaves_out() -> None:
    demo = DEMOS["branch"]
    session = session_from_bytes(demo.build())
    move = plan_navigation(session, demo.leaf_id, demo.target_id, NEWEST, Settings())
    left_out = left_out_of_move(move)
    assert left_out == LeftOut(tool_results=left_out.tool_results)
    for one in branch_requests(move):
        assert joined(one) == one.prompt


async def test_a_long_prompt_opens_at_once() -> None:
    text = "\n\n".join(f"[Tool result]: {'word ' * 400}\n\n{MARK}" for _ in range(200))
    one = request(text)
    assert len(one.prompt) > 400_000
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.show_only("request")
        assert isinstance(view, MarkedView)
        await pilot.pause()
        start = perf_counter()
        view.show(request_blocks([ShownRequest(one)]))
        await pilot.pause()
        assert perf_counter() - start < 1
        assert len(view.wrapped.rows) < 200
