"""What pi 0.84.1 and 1.6.0 answered for these sessions stands here as literals; both agree."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pitree.lessons.demos import DEMOS
from pitree.lessons.diagrams import filled


def entries(name: str) -> list[dict[str, Any]]:
    lines = DEMOS[name].build().decode().split("\n")
    assert lines.pop() == ""
    header, *rest = map(json.loads, lines)
    assert header["type"] == "session"
    assert header["version"] == 3
    return rest


def characters(entry: Mapping[str, Any]) -> int:
    """Pi's count for a message without images."""
    total = 0
    for block in entry["message"]["content"]:
        arguments = json.dumps(block.get("arguments"), separators=(",", ":"), ensure_ascii=False)
        total += len(block["text"]) if block["type"] == "text" else len(block["name"]) + len(arguments)
    return total


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("plain-cut", "user assistant toolResult user assistant toolResult toolResult assistant"),
        ("after-compaction", "user assistant toolResult user assistant toolResult toolResult assistant toolResult -"),
        ("split-turn", "user assistant toolResult assistant toolResult toolResult assistant toolResult"),
        (
            "repeated",
            "user assistant toolResult user assistant toolResult toolResult assistant toolResult - "
            "user assistant toolResult user assistant",
        ),
        ("branch", "user assistant user assistant user assistant"),
        ("branch-user", "user assistant user assistant assistant user"),
    ],
)
def test_the_cells_are_those_of_the_diagram_and_count_100_tokens(name: str, roles: str) -> None:
    found = entries(name)
    assert [entry.get("message", {}).get("role", "-") for entry in found] == roles.split()
    assert {characters(entry) for entry in found if "message" in entry} == {400}


@pytest.mark.parametrize("name", ["plain-cut", "after-compaction", "split-turn", "repeated"])
def test_the_entry_number_is_the_id(name: str) -> None:
    found = entries(name)
    assert [entry["id"] for entry in found] == [f"{number:08x}" for number in range(1, len(found) + 1)]
    assert [entry["parentId"] for entry in found] == [None, *(entry["id"] for entry in found[:-1])]


@pytest.mark.parametrize(
    ("name", "first_kept"), [("plain-cut", 4), ("split-turn", 7), ("repeated", 14)], ids=lambda value: str(value)
)
def test_the_budget_is_reached_where_the_diagram_cuts(name: str, first_kept: int) -> None:
    keep = DEMOS[name].keep_recent_tokens
    assert keep is not None
    assert len(entries(name)) - first_kept + 1 == keep // 100


def test_the_compaction_keeps_from_entry_4() -> None:
    for name in ("after-compaction", "repeated"):
        compaction = entries(name)[9]
        assert compaction["type"] == "compaction"
        assert compaction["firstKeptEntryId"] == "00000004"
        assert compaction["tokensBefore"] == 900


@pytest.mark.parametrize(
    ("name", "used"), [("plain-cut", 800), ("split-turn", 700), ("repeated", 1236), ("branch", 300)]
)
def test_the_last_usage_is_the_sum_of_the_cells(name: str, used: int) -> None:
    last = [entry for entry in entries(name) if entry.get("message", {}).get("role") == "assistant"][-1]
    assert last["message"]["usage"]["totalTokens"] == used


@pytest.mark.parametrize("name", ["branch", "branch-user"])
def test_the_branches_meet_at_a(name: str) -> None:
    demo = DEMOS[name]
    assert (demo.leaf_id, demo.target_id) == ("dddddddd", "ffffffff")
    parents = {entry["id"][0]: entry["parentId"] and entry["parentId"][0] for entry in entries(name)}
    assert parents == {"a": None, "b": "a", "c": "b", "d": "c", "e": "a", "f": "e"}


def test_a_text_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        filled("x" * 401)


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_the_same_every_time(name: str) -> None:
    assert DEMOS[name].name == name
    assert DEMOS[name].build() == DEMOS[name].build()
    assert DEMOS[name].about.endswith(".")
