"""What fills a context: the shares of all categories are together what pi estimates."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pitree.context.messages import Message
from pitree.context.shares import CATEGORIES, shares
from pitree.context.tokens import estimate_or_nan
from pitree.planning.rules import RULES
from tests.context.asking import NEW, OLD, text

WORDS = st.text(max_size=30) | st.none() | st.integers()
BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "toolCall", "image", "new"])},
    optional={
        "text": WORDS,
        "thinking": WORDS,
        "name": WORDS,
        "arguments": st.dictionaries(st.text(max_size=3), WORDS),
    },
)
MESSAGES = st.fixed_dictionaries(
    {
        "role": st.sampled_from(
            [*("user", "assistant", "toolResult", "bashExecution", "custom", "system", "future"), "branchSummary", None]
        )
    },
    optional={
        "content": st.lists(BLOCKS, max_size=4) | WORDS,
        "command": WORDS,
        "output": WORDS,
        "summary": WORDS,
        "sections": st.dictionaries(st.text(max_size=3), WORDS),
        "toolsAdded": st.lists(st.dictionaries(st.text(max_size=3), WORDS)),
    },
).map(lambda value: Message(value, 0))


@given(st.lists(MESSAGES, max_size=5), st.sampled_from(sorted(RULES)))
def test_the_shares_add_up_to_the_estimates(messages: list[Message], name: str) -> None:
    rules = RULES[name]
    found = shares(messages, rules)
    tokens = [estimate_or_nan(message, rules) for message in messages]
    assert sum(found.values()) == sum(count for count in tokens if not math.isnan(count))
    assert set(found) <= set(CATEGORIES)
    assert all(count > 0 for count in found.values())


def split(role: str, rules: Any = NEW, **fields: Any) -> dict[str, int]:
    return shares([Message({"role": role, **fields}, 0)], rules)


def test_one_message_is_split_by_the_units_of_its_parts() -> None:
    call = {"type": "toolCall", "name": "read", "arguments": {"path": "abcdefg"}}
    talk = [text("x" * 40), {"type": "thinking", "thinking": "y" * 80}, call]
    # 4 + 18 units of the call: 142 units are 36 tokens; 36 * 40 / 142 is 10.1, of the call 5.6, of thinking 20.3.
    assert split("assistant", content=talk) == {"assistant": 10, "thinking": 21, "tool_calls": 5}
    assert split("user", content=[text("x" * 8), {"type": "image"}]) == {"images": 1200, "user": 2}


def test_a_message_of_one_kind_goes_whole_into_its_category() -> None:
    assert split("user", content="x" * 9) == {"user": 3}
    assert split("custom", content="x" * 9) == {"user": 3}
    assert split("bashExecution", command="ls", output="x" * 7) == {"user": 3}
    assert split("toolResult", content=[text("x" * 9)]) == {"tool_results": 3}
    assert split("branchSummary", summary="x" * 9) == {"summaries": 3}
    assert split("compactionSummary", summary="x" * 9) == {"summaries": 3}
    assert split("system", content="x" * 9) == {"system": 3}
    assert split("system", OLD, content="x" * 9) == {}
    assert split("future", content="x" * 9) == {}
    assert split("user", content=5) == {}
