"""One line about any entry, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.describe import HEAD, Line, call_of_result, describe
from tests.session.build import Value, called, chain, message, session_of
from tests.session.test_parse import ENTRIES

ODD: st.SearchStrategy[Any] = st.sampled_from([None, 0, 1.5, "", "x\ny", True, [], {}, [None], [{}], "\ud800", 10**30])
FIELDS = (
    *("summary", "tokensBefore", "firstKeptEntryId", "content", "customType", "label", "targetId", "name", "provider"),
    *("modelId", "thinkingLevel", "kind", "model", "replacement", "fromId"),
)
MESSAGE_FIELDS = (
    *("role", "content", "stopReason", "errorMessage", "isError", "toolName", "toolCallId", "command", "exitCode"),
    *("excludeFromContext", "customType", "sections", "toolsAdded"),
)
BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "toolCall", None])},
    optional={
        "text": ODD,
        "name": st.sampled_from(["bash", "grep", "read"]) | ODD,
        "arguments": ODD
        | st.dictionaries(st.sampled_from(["path", "command", "pattern", "offset", "limit", "file_path"]), ODD),
    },
)


def line(value: Value) -> Line:
    return describe(session_of(chain([value])), 0)


@given(
    ENTRIES,
    st.dictionaries(st.sampled_from(FIELDS), ODD),
    st.dictionaries(st.sampled_from(MESSAGE_FIELDS), ODD | st.lists(BLOCKS, max_size=3)),
)
def test_any_entry_has_a_line(entry: Any, fields: Any, body: Any) -> None:
    value = {**entry, **fields}
    if isinstance(value.get("message"), dict):
        value["message"] = {**value["message"], **body}
    session = session_of([value, {"id": "r", "parentId": value.get("id"), **message("toolResult", toolCallId="c")}])
    for index in range(session.count):
        found = describe(session, index)
        assert isinstance(found.word, str)
        assert isinstance(found.text, str)


@pytest.mark.parametrize("value", [42, [1], {}, True, "x", {"type": None, "id": []}])
def test_a_value_that_is_no_entry_has_one_too(value: Any) -> None:
    session = session_of([json.dumps(value).encode()])
    assert describe(session, 0).word in ("no type", "null")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (message("user", "hello"), Line("user", "hello")),
        (message("user", [{"type": "image"}, {"type": "text", "text": "look"}]), Line("user", "[image] look")),
        (message("user", [{"type": "image"}] * 2), Line("user", "[2 images] ")),
        (message("assistant", [{"type": "text", "text": "done"}]), Line("assistant", "done")),
        (message("assistant", [], stopReason="error", errorMessage="529"), Line("assistant", "(error) 529", True)),
        (message("assistant", [], stopReason="aborted"), Line("assistant", "(aborted) ", True)),
        (called("bash", {"command": "ls"}), Line("assistant", "bash ls")),
        (called("grep", {"pattern": "x", "path": "src"}), Line("assistant", "grep x in src")),
        (called("find", {"path": "src"}), Line("assistant", "find src")),
        (called("new", {"path": "src", "pattern": "x", "command": "ls"}), Line("assistant", "new src")),
        (called("read", {"path": "a.py", "offset": 10, "limit": 5}), Line("assistant", "read a.py:10-14")),
        (called("read", {"path": "a.py", "offset": 10}), Line("assistant", "read a.py:10")),
        (called("read", {"path": "a.py", "limit": 5}), Line("assistant", "read a.py:1-5")),
        (called("edit", {"file_path": "a.py"}), Line("assistant", "edit a.py")),
        (called("new", {"b": 1, "0": 2}), Line("assistant", 'new {"0":2,"b":1}')),
        (called("new", {}), Line("assistant", "new {}")),
        (message("toolResult", [], toolName="read"), Line("toolResult", "read")),
        (
            message("toolResult", [{"type": "text", "text": "no such file\nx"}], toolName="read", isError=True),
            Line("toolResult", "read → no such file", True),
        ),
        (message("bashExecution", command="ls", output="", exitCode=0), Line("bash", "$ ls")),
        (message("bashExecution", command="ls", exitCode=2), Line("bash", "$ ls", True)),
        (message("bashExecution", command="ls", excludeFromContext=True), Line("bash", "$ ls (not sent)")),
        (message("custom", "note", customType="my"), Line("custom", "my: note")),
        (message("system", "be", sections={"a": "x"}, toolsAdded=[{}]), Line("system", "be · sections a · 1 tools")),
        (message("future", "x"), Line("future", "x")),
        (
            {"type": "compaction", "summary": "## Goal\nTests", "tokensBefore": 12345, "firstKeptEntryId": "k"},
            Line("compaction", "from 12,345 tokens · keeps from k · Tests"),
        ),
        ({"type": "branch_summary", "summary": "# A\n\nB"}, Line("branch_summary", "B")),
        ({"type": "custom_message", "customType": "c", "content": "x"}, Line("custom_message", "c: x")),
        ({"type": "label", "label": "here", "targetId": "t"}, Line("label", "here on t")),
        ({"type": "label", "targetId": "t"}, Line("label", "cleared on t")),
        ({"type": "session_info", "name": "n"}, Line("session_info", "name: n")),
        ({"type": "session_info", "name": ""}, Line("session_info", "name cleared")),
        ({"type": "model_change", "provider": "p", "modelId": "m"}, Line("model_change", "p/m")),
        ({"type": "thinking_level_change", "thinkingLevel": "high"}, Line("thinking_level", "high")),
        ({"type": "custom", "customType": "pitree.move"}, Line("custom", "pitree.move")),
        ({"type": "context_edit", "targetId": "t", "replacement": None}, Line("context_edit", "omits t")),
        (
            {"type": "context_edit", "targetId": "t", "replacement": {"content": "x"}},
            Line("context_edit", "replaces t"),
        ),
    ],
)
def test_lines(value: Value, expected: Line) -> None:
    assert line(value) == expected


def test_a_tool_result_names_its_call() -> None:
    values = chain(
        [called("read", {"path": "a.py"}), message("toolResult", "x", toolCallId="call_read", toolName="other")]
    )
    session = session_of(values)
    assert describe(session, 1) == Line("toolResult", "read a.py")
    assert call_of_result(session, 1)["name"] == "read"
    assert call_of_result(session, 0) is None


def test_a_long_text_is_not_looked_at_whole() -> None:
    assert line(message("user", "x" * 9999)).text == "x" * HEAD


def test_an_unknown_entry_shows_its_json() -> None:
    found = line({"type": "future", "data": 1})
    assert found.word == "future"
    assert found.text.startswith('{"id":"e1","parentId":null')
