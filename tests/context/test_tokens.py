"""Estimates: what pi 0.84.1 and 1.6.0 answered, and counts by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.context.messages import Message
from pitree.context.tokens import estimate, estimate_all, estimate_or_nan, text_of
from pitree.planning.rules import Rules
from pitree.session.problems import PiFails
from tests.context.asking import NEW, OLD, both, text

IMAGE = {"type": "image", "data": "x" * 100, "mimeType": "image/png"}


def tool_call(arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": "c", "name": "read", "arguments": arguments}


CASES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"role": "user", "content": "hello"}, 2),
    ({"role": "user", "content": "😀"}, 1),
    ({"role": "user", "content": "😀😀a"}, 2),
    ({"role": "user", "content": ""}, 0),
    ({"role": "user", "content": [text("abcd"), IMAGE]}, 1201),
    ({"role": "user", "content": [text(""), {"type": "new", "text": "zzzz"}]}, 0),
    ({"role": "user", "content": []}, 0),
    ({"role": "assistant", "content": [text("abc"), {"type": "thinking", "thinking": "abcdef"}, IMAGE]}, 3),
    # 4 for the name and 27 for {"1":1e+21,"2":1,"path":"a"}.
    ({"role": "assistant", "content": [tool_call({"path": "a", "2": 1.0, "1": 1e21})]}, 8),
    ({"role": "toolResult", "content": [text("x" * 9), IMAGE]}, 1203),
    ({"role": "bashExecution", "command": "ls", "output": "abc", "excludeFromContext": True}, 2),
    ({"role": "custom", "content": "abcde"}, 2),
    ({"role": "branchSummary", "summary": "abcde"}, 2),
    ({"role": "compactionSummary", "summary": "abcde"}, 2),
    ({"role": "future", "content": "abcd"}, 0),
    ({"role": ["user"], "content": "abcd"}, 0),
    ({"content": "abcd"}, 0),
)


@both
@pytest.mark.parametrize(("value", "tokens"), CASES)
def test_estimates(value: dict[str, Any], tokens: int, rules: Rules) -> None:
    assert estimate(Message(value, 0), rules) == tokens


def test_system_messages_count_under_the_newer_rules() -> None:
    # 4 + 5 + 14 for [{"name":"t"}] is 23 units.
    value = {"role": "system", "content": "abcd", "sections": {"a": "12345", "b": None}, "toolsAdded": [{"name": "t"}]}
    assert estimate(Message(value, 0), NEW) == 6
    assert estimate(Message(value, 0), OLD) == 0


@both
def test_the_sum(rules: Rules) -> None:
    messages = [Message(value, 0) for value, _ in CASES]
    assert estimate_all(messages, rules) == sum(tokens for _, tokens in CASES)
    assert estimate_all([], rules) == 0


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user"},
        {"role": "user", "content": 5},
        {"role": "user", "content": [None]},
        {"role": "assistant", "content": {}},
        {"role": "assistant", "content": [text("a"), {"type": "text"}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "read"}]},
        {"role": "assistant", "content": [{"type": "toolCall", "arguments": {}}]},
        {"role": "bashExecution", "command": "ls"},
        {"role": "branchSummary", "summary": None},
    ],
)
def test_where_pi_throws(value: dict[str, Any]) -> None:
    with pytest.raises(PiFails) as raised:
        estimate(Message(value, 7), NEW)
    assert raised.value.entry == 7
    assert math.isnan(estimate_or_nan(Message(value, 7), NEW))


def test_where_pi_gets_no_number() -> None:
    assert math.isnan(estimate(Message({"role": "bashExecution", "command": 5, "output": "x"}, 0), NEW))
    assert math.isnan(estimate(Message({"role": "branchSummary", "summary": {}}, 0), OLD))


@given(st.lists(st.text()), st.integers(0, 3))
def test_a_user_message_counts_its_units(words: list[str], images: int) -> None:
    units = sum(len(word.encode("utf-16-le")) // 2 for word in words) + 4800 * images
    content = [*map(text, words), *[IMAGE] * images]
    assert estimate(Message({"role": "user", "content": content}, 0), NEW) == -(-units // 4)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("as it is", "as it is"),
        ([], ""),
        ([text("a"), IMAGE, text("b")], "a|b"),
        ([{"type": "text", "text": None}, {"type": "text"}, text("b")], "||b"),
        ([{"type": "text", "text": 1.0}, {"type": "text", "text": [1, None]}], "1|1,"),
    ],
)
def test_the_text_of_a_content(content: Any, expected: str) -> None:
    assert text_of(content, "|") == expected


@pytest.mark.parametrize("content", [None, 5, {}, [None]])
def test_what_has_no_text(content: Any) -> None:
    with pytest.raises(TypeError):
        text_of(content, "")
