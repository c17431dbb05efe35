"""The size of a context: what the provider recorded plus what came after. Literal answers of both releases of pi."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.usage import ContextSize, context_size, good_usage, known_size, recorded_tokens, should_compact
from pitree.planning.rules import Rules
from pitree.session.javascript import UNDEFINED
from pitree.session.problems import PiFails
from tests.context.asking import NEW, OLD, both, compaction, context, edit, line, text
from tests.session.build import Value, message, said

U1, U3 = said("user", 1), said("user", 3)


def used(total: Any, **more: Any) -> Value:
    """An assistant message of 1 token with a usage record whose parts are 20 together."""
    usage = {"input": 10, "output": 5, "cacheRead": 3, "cacheWrite": 2, "totalTokens": total}
    return message("assistant", [text("abcd")], usage=usage, **more)


def size(values: list[Value], rules: Rules) -> ContextSize:
    session = line(values)
    return context_size(session, context(session, rules), rules)


@both
@pytest.mark.parametrize(
    ("values", "tokens", "usage", "trailing", "last"),
    [
        ([U1, said("assistant", 2), U3], 6, 0, 6, None),
        ([U1, used(0), U3], 23, 20, 3, 1),
        ([U1, used(99), U3], 102, 99, 3, 1),
        ([U1, used(99), used(50)], 50, 50, 0, 2),
        ([U1, used(99), used(7, stopReason="error"), used(7, stopReason="aborted"), U3], 104, 99, 5, 1),
        ([U1, message("assistant", [text("abcd")], usage={"totalTokens": 0}), U3], 5, 0, 5, None),
        ([U1, message("assistant", [text("abcd")], usage={"totalTokens": "12"}), U3], "123", "12", 3, 1),
        ([], 0, 0, 0, None),
    ],
)
def test_recorded_usage_and_what_came_after(
    values: list[Value], tokens: Any, usage: Any, trailing: int, last: int | None, rules: Rules
) -> None:
    assert size(values, rules) == ContextSize(tokens, usage, trailing, last)


def test_usage_from_before_an_edit_is_not_trusted_any_more() -> None:
    values = [U1, used(99), edit("e1"), U3]
    assert size(values, OLD) == ContextSize(102, 99, 3, 1)
    assert size(values, NEW) == ContextSize(4, 0, 4, None)
    assert size([*values, used(50)], NEW) == ContextSize(50, 50, 0, 2)


def test_usage_that_a_compaction_kept_is_not_trusted_any_more() -> None:
    values = [U1, used(99), compaction("e2"), U3]
    assert size(values, OLD) == ContextSize(102, 99, 3, 1)
    assert size(values, NEW) == ContextSize(6, 0, 6, None)


def test_the_replayed_system_message_counts_in_place_of_all_of_them() -> None:
    system = message("system", "x" * 400, timestamp=5), message("system", "y" * 40, timestamp=6)
    # 400 + 2 + 40 units are 111 tokens; one by one they would be 100 and 10.
    assert size([system[0], U1, system[1]], NEW).tokens == 112
    assert size([system[0], U1, system[1]], OLD).tokens == 1


def test_system_messages_without_a_time_and_tools_are_replayed_as_none() -> None:
    values = [
        message("system", "abcd"),
        U1,
        compaction("e1", systemMessage={"role": "system", "content": "abcdefgh"}),
        U1,
    ]
    assert size(values, NEW).tokens == 4


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"totalTokens": 5, "input": 9}, 5),
        ({"totalTokens": 0, "input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}, 10),
        ({"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": None}, 6),
        ({"input": "1", "output": 2, "cacheRead": 3, "cacheWrite": 4}, "1234"),
    ],
)
def test_recorded_tokens(usage: Any, tokens: Any) -> None:
    assert recorded_tokens(usage) == tokens


def test_a_part_that_is_missing_makes_no_number() -> None:
    assert math.isnan(recorded_tokens({"input": 1}))
    assert good_usage(Message({"role": "assistant", "usage": {"input": 1}}, 0)) is UNDEFINED


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "usage": {"totalTokens": 5}},
        {"role": "assistant"},
        {"role": "assistant", "usage": None},
        {"role": "assistant", "usage": {"totalTokens": -5}},
        {"role": "assistant", "usage": {"totalTokens": 5}, "stopReason": "error"},
    ],
)
def test_usage_that_does_not_count(value: Any) -> None:
    assert good_usage(Message(value, 0)) is UNDEFINED


@both
def test_where_pi_throws(rules: Rules) -> None:
    session = line([message("user", 5)])
    projection = context(session, rules)
    with pytest.raises(PiFails):
        context_size(session, projection, rules)
    assert known_size(session, projection, rules) is None


def test_pi_estimates_what_came_after_even_when_it_does_not_trust_the_usage() -> None:
    with pytest.raises(PiFails):
        size([used(99), message("user", 5), edit("e9")], NEW)


@pytest.mark.parametrize(
    ("tokens", "due"),
    [(183_616, False), (183_617, True), ("183617", True), (math.nan, False), (None, False), (0, False)],
)
def test_the_threshold_is_strict(tokens: Any, due: bool) -> None:
    assert should_compact(tokens, 200_000, 16_384, enabled=True) is due
    assert not should_compact(tokens, 200_000, 16_384, enabled=False)
