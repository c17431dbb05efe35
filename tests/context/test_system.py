"""The system message as it stands after every change, as pi 1.6.0 replays it."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.system import replay_system
from pitree.context.tokens import estimate
from pitree.session.problems import PiFails
from tests.context.asking import NEW, text


def system(**fields: Any) -> Message:
    return Message({"role": "system", "content": "", **fields}, 3)


FIRST = system(
    content=[text("one"), text("two")],
    sections={"a": "A", "b": "B"},
    toolsAdded=[{"name": "x", "v": 1}, {"name": "y"}],
    timestamp=7,
)
SECOND = system(
    content="three",
    sections={"a": None, "c": "C"},
    toolsRemoved=[{"name": "y"}],
    toolsAdded=[{"name": "x", "v": 2}, {"name": "z"}],
    timestamp=9,
)


def replayed(*messages: Message) -> dict[str, Any]:
    found = replay_system(messages)
    assert found is not None
    assert found.entry is None
    return found.value


def test_contents_sections_and_tools_are_replayed() -> None:
    user = Message({"role": "user", "content": "hello"}, 1)
    assert replayed(FIRST, user, SECOND) == {
        "role": "system",
        "content": "one\ntwo\n\nthree",
        "sections": {"b": "B", "c": "C"},
        "toolsAdded": [{"name": "x", "v": 2}, {"name": "z"}],
        "timestamp": 7,
    }
    # pi 1.6.0 estimates 11 for the first, 10 for the second and 13 for both as replayed.
    assert estimate(FIRST, NEW) == 11
    assert estimate(SECOND, NEW) == 10
    assert estimate(replay_system([FIRST, SECOND]) or FIRST, NEW) == 13


def test_nothing_to_replay() -> None:
    assert replay_system([]) is None
    assert replay_system([Message({"role": "user", "content": "x"}, 0)]) is None
    assert replay_system([system(content="no time")]) is None


def test_a_time_of_null_is_0_and_the_first_time_counts() -> None:
    assert replayed(system(timestamp=None))["timestamp"] == 0
    assert replayed(system(), system(timestamp=5), system(timestamp=6))["timestamp"] == 5
    assert replayed(system(toolsAdded=[{"name": "x"}]))["timestamp"] == 0


def test_what_is_empty_is_left_out() -> None:
    assert replayed(system(sections={}, toolsAdded=[], timestamp=1)) == {
        "role": "system",
        "content": "",
        "timestamp": 1,
    }
    assert replayed(system(content="a", timestamp=1), system(), system(content="b"))["content"] == "a\n\nb"


def test_a_tool_that_is_added_again_keeps_its_place() -> None:
    tools = replayed(
        system(toolsAdded=[{"name": "a"}, {"name": "b"}], timestamp=1),
        system(toolsAdded=[{"name": "a", "v": 2}]),
    )["toolsAdded"]
    assert tools == [{"name": "a", "v": 2}, {"name": "b"}]
    tools = replayed(
        system(toolsAdded=[{"name": "a"}, {"name": "b"}], timestamp=1),
        system(toolsRemoved=[{"name": "a"}], toolsAdded=[{"name": "a", "v": 2}]),
    )["toolsAdded"]
    assert tools == [{"name": "b"}, {"name": "a", "v": 2}]


@pytest.mark.parametrize(
    "fields", [{"content": 5}, {"content": None}, {"toolsAdded": 5}, {"toolsAdded": [None]}, {"toolsRemoved": {}}]
)
def test_where_pi_throws(fields: dict[str, Any]) -> None:
    with pytest.raises(PiFails) as raised:
        replay_system([system(timestamp=1, **fields)])
    assert raised.value.entry == 3
