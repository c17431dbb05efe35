"""The figures were asked of pi 0.84.1 and 1.6.0, which agree on all of them."""

import base64
import json
import re
import zlib
from collections import Counter
from functools import cache
from typing import Any

from pitree.lessons import rich
from pitree.lessons.demos import DEFAULT, DEMOS

Entry = dict[str, Any]


@cache
def entries() -> tuple[Entry, ...]:
    header, *rest = map(json.loads, rich.build().decode().splitlines())
    assert header["cwd"] == "/srv/shortlinks"
    return tuple(rest)


@cache
def by_id() -> dict[str, Entry]:
    return {entry["id"]: entry for entry in entries()}


def messages(role: str) -> list[Entry]:
    return [entry["message"] for entry in entries() if entry.get("message", {}).get("role") == role]


def path(entry_id: str | None) -> list[str]:
    found = []
    while entry_id is not None:
        found.append(entry_id)
        entry_id = by_id()[entry_id]["parentId"]
    return found[::-1]


def test_it_is_the_default_and_of_a_size_that_opens_at_once() -> None:
    assert DEMOS[DEFAULT].build is rich.build
    assert len(entries()) == 327
    assert 400_000 < len(rich.build()) < 900_000


def test_ids_are_fresh_and_parents_come_first() -> None:
    seen: set[str | None] = {None}
    for entry in entries():
        assert re.fullmatch("[0-9a-f]{8}", entry["id"])
        assert entry["id"] not in seen
        assert entry["parentId"] in seen
        seen.add(entry["id"])


def test_time_never_goes_back() -> None:
    stamps = [entry["timestamp"] for entry in entries()]
    assert stamps == sorted(stamps)


def test_it_has_one_of_everything() -> None:
    kinds = Counter(entry["type"] if entry["type"] != "message" else entry["message"]["role"] for entry in entries())
    assert dict(kinds) == {
        "system": 1,
        "model_change": 2,
        "thinking_level_change": 2,
        "session_info": 1,
        "user": 19,
        "assistant": 123,
        "toolResult": 166,
        "bashExecution": 5,
        "branch_summary": 1,
        "compaction": 2,
        "custom": 1,
        "custom_message": 1,
        "label": 2,
        "context_edit": 1,
    }
    assert entries()[0]["message"]["role"] == "system"
    assert Counter(message["stopReason"] for message in messages("assistant"))["error"] == 1
    assert Counter(message["stopReason"] for message in messages("assistant"))["aborted"] == 1
    assert [message.get("excludeFromContext", False) for message in messages("bashExecution")] == [
        False,
        False,
        False,
        True,
        False,
    ]
    assert sum(message["isError"] for message in messages("toolResult")) == 9


def test_five_tips() -> None:
    parents = {entry["parentId"] for entry in entries()}
    assert [number for number, entry in enumerate(entries(), 1) if entry["id"] not in parents] == [
        36,
        98,
        166,
        240,
        327,
    ]


def test_the_compactions_keep_what_pi_would_keep() -> None:
    found = [entry for entry in entries() if entry["type"] == "compaction"]
    assert [entries().index(by_id()[entry["firstKeptEntryId"]]) + 1 for entry in found] == [81, 180]
    assert [entry["tokensBefore"] for entry in found] == [77691, 76767]
    assert all("**Turn Context (split turn):**" in entry["summary"] for entry in found)
    assert all(entry["systemMessage"]["role"] == "system" for entry in found)
    for entry in found:
        assert entry["firstKeptEntryId"] in path(entry["id"])
        for name in (*entry["details"]["readFiles"], *entry["details"]["modifiedFiles"]):
            assert f"\n{name}\n" in entry["summary"]


def test_the_leaf_is_where_a_third_compaction_would_split_a_turn() -> None:
    """Pi cuts at entry 269 with 20,000 tokens to keep; the turn begins 28 messages before it."""
    way = path(entries()[-1]["id"])
    first_kept = way.index(entries()[268]["id"])
    assert by_id()[way[first_kept]]["message"]["role"] == "assistant"
    before = [by_id()[entry_id] for entry_id in way[first_kept - 28 : first_kept]]
    assert [entry["message"]["role"] for entry in before].count("user") == 1
    assert before[0]["message"]["role"] == "user"
    assert messages("assistant")[-1]["usage"]["totalTokens"] == 95335


def test_the_branch_summary_tells_of_the_branch_that_was_left() -> None:
    summary = next(entry for entry in entries() if entry["type"] == "branch_summary")
    assert entries().index(by_id()[summary["fromId"]]) + 1 == 166
    assert summary["parentId"] in path(summary["fromId"])
    assert summary["details"] == {"readFiles": [], "modifiedFiles": ["app/limits_sqlite.py"]}


def test_every_tool_call_has_its_result() -> None:
    calls = {
        block["id"]: block["name"]
        for message in messages("assistant")
        for block in message["content"]
        if block["type"] == "toolCall"
    }
    assert calls == {message["toolCallId"]: message["toolName"] for message in messages("toolResult")}


def test_edits_fit_the_files_but_for_the_one_that_is_meant_not_to() -> None:
    edits = [message for message in messages("toolResult") if message["toolName"] == "edit"]
    assert [message["content"][0]["text"] for message in edits if message["isError"]] == [
        "Could not find the exact text in app/limits.py. "
        "The old text must match exactly including all whitespace and newlines."
    ]
    good = next(message for message in edits if not message["isError"])
    assert list(good["details"]) == ["diff", "patch", "firstChangedLine"]
    reads = [message for message in messages("toolResult") if message["toolName"] == "read"]
    assert not any(message["isError"] for message in reads)


def test_the_picture_is_a_png() -> None:
    images = [block for message in messages("user") for block in message["content"] if block["type"] == "image"]
    assert len(images) == 1
    data = base64.b64decode(images[0]["data"])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at = data.index(b"IDAT")
    size = int.from_bytes(data[at - 4 : at], "big")
    assert len(zlib.decompress(data[at + 4 : at + 4 + size])) == 96 * (1 + 24)


def test_no_output_is_longer_than_pi_lets_through() -> None:
    for message in messages("toolResult"):
        text = message["content"][0]["text"]
        assert len(text.encode()) <= 50 * 1024
        assert text.count("\n") <= 2000
