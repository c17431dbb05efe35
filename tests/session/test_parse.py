"""The skeleton of a line says what the whole value says, or it says nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.decode import decode
from pitree.session.entries import Flag, Kind, code_of
from pitree.session.parse import UNDECIDED, skeleton_code, skeletons

ODD: st.SearchStrategy[Any] = st.sampled_from([None, 0, 1, "", "x", True, [], {}, [None], 1.5])
WORDS = st.sampled_from(["", " ", "\ufeff", "\u0085", "\x1c", "\u200b", "hello", "\ud800", "\u2003\u3000"])
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "thinking", "toolCall", "image", "new"])}, optional={"text": WORDS}
    )
    | ODD,
    max_size=3,
)
ROLES = st.sampled_from(
    ["user", "assistant", "toolResult", "bashExecution", "custom", "system", "hookMessage", "future", None, 5, ""]
)
STOPS = st.sampled_from(["stop", "toolUse", "length", "error", "aborted", "", None, 0, ["stop"]])
MESSAGES = (
    st.fixed_dictionaries(
        {"role": ROLES},
        optional={"content": BLOCKS | WORDS | ODD, "stopReason": STOPS, "isError": st.booleans() | ODD, "extra": ODD},
    )
    | ODD
)
TYPES = st.sampled_from(
    [
        *("message", "compaction", "branch_summary", "custom", "custom_message", "label", "session_info"),
        *("model_change", "thinking_level_change", "usage", "context_edit", "session", "future", "", None, 5),
    ]
)
ENTRIES = st.fixed_dictionaries(
    {"type": TYPES, "id": st.text() | ODD, "parentId": st.text() | ODD}, optional={"message": MESSAGES, "extra": ODD}
)


def agrees(line: bytes) -> bool:
    """Whether the skeleton of a line says what the whole value says; where it is undecided it says nothing."""
    (skeleton,) = skeletons([line])
    code = skeleton_code(skeleton)
    if skeleton is None or code == UNDECIDED:
        return True
    whole = decode(line)
    fields = (skeleton.type, skeleton.id, skeleton.parentId)
    return code == code_of(whole) and fields == (whole["type"], whole["id"], whole["parentId"])


@given(ENTRIES)
def test_the_skeleton_agrees_with_the_whole_value(value: Any) -> None:
    assert agrees(json.dumps(value).encode())


@given(
    ENTRIES,
    st.lists(st.tuples(st.integers(0, 200), st.sampled_from(b'"\\{}[],:0e.-+ \t\x00\x1f\xff\xc3/ux')), max_size=3),
)
def test_a_damaged_line_gives_no_skeleton_that_the_exact_decoder_would_not_give(
    value: Any, damage: list[tuple[int, int]]
) -> None:
    line = bytearray(json.dumps(value).encode())
    for place, byte in damage:
        line[place % len(line)] = byte
    assert agrees(bytes(line))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"role": "user", "content": "x"}, Kind.USER),
        ({"role": "assistant", "content": []}, Kind.ASSISTANT),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]}, Kind.ASSISTANT),
        ({"role": "assistant", "content": [{"type": "text", "text": " \ufeff"}]}, Kind.ASSISTANT),
        ({"role": "assistant", "content": [{"type": "text", "text": "\u0085"}]}, Kind.ASSISTANT | Flag.TEXT),
        ({"role": "assistant", "content": [], "stopReason": "toolUse"}, Kind.ASSISTANT),
        ({"role": "assistant", "content": [], "stopReason": "length"}, Kind.ASSISTANT | Flag.STOPPED),
        ({"role": "assistant", "content": [], "stopReason": "error"}, Kind.ASSISTANT | Flag.STOPPED | Flag.ERROR),
        ({"role": "toolResult", "content": [], "isError": True}, Kind.TOOL_RESULT | Flag.ERROR),
        ({"role": "toolResult", "content": []}, Kind.TOOL_RESULT),
        ({"role": "bashExecution"}, Kind.BASH),
        ({"role": "custom"}, Kind.CUSTOM_ROLE),
        ({"role": "system"}, Kind.SYSTEM),
    ],
)
def test_what_pi_writes_is_decided_by_the_skeleton(message: Any, code: int) -> None:
    line = json.dumps({"type": "message", "id": "a", "parentId": None, "message": message}).encode()
    assert skeleton_code(*skeletons([line])) == code
    assert code_of(decode(line)) == code


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"role": "future"}, Kind.OTHER_ROLE),
        ({"role": ["user"]}, Kind.OTHER_ROLE),
        ({"role": "assistant", "content": "said"}, Kind.ASSISTANT | Flag.TEXT),
        ({"role": "assistant", "content": [None, 5, {"type": "text", "text": "x"}]}, Kind.ASSISTANT | Flag.TEXT),
        ({"role": "assistant", "stopReason": 1}, Kind.ASSISTANT | Flag.STOPPED),
        ({"role": "toolResult", "isError": 1}, Kind.TOOL_RESULT | Flag.ERROR),
        (None, Kind.OTHER_ROLE),
        ("user", Kind.OTHER_ROLE),
    ],
)
def test_odd_messages_have_a_kind_too(message: Any, code: int) -> None:
    assert code_of({"type": "message", "message": message}) == code


@pytest.mark.parametrize("value", [None, 5, "message", [], {}, {"type": 5}, {"type": "future"}, {"type": ["message"]}])
def test_what_is_no_known_entry_is_unknown(value: Any) -> None:
    assert code_of(value) == Kind.UNKNOWN


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":NaN}}',
        b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[1,]}}',
        b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"\t"}}',
        b'{"type":"custom","id":"a","parentId":null} x',
        b'{"type":"custom","id":"a","parentId":null,"data":01}',
        b'{"type":"custom","id":"\xff","parentId":null}',
        b'{"type":"custom","id":"a","parentId":null,"data":"\\x41"}',
        b'{"type":"custom","id":"a","parentId":null,"data":"\\u12"}',
        b'{"type":"custom","id":"a","parentId":null,"data":\xff}',
        b'\xef\xbb\xbf{"type":"custom","id":"a","parentId":null}',
        b'{"type":"custom","parentId":null}',
        b'{"type":"custom","id":7,"parentId":null}',
        b'{"type":"custom","id":"a"}',
        b'{"type":"custom","id":"","parentId":null}',
        b'{"type":"custom","id":"a","parentId":null,"data":"\xff"}',
        b'{"type":"message","id":"a","parentId":null}',
        b'{"type":"label","id":"a","parentId":null}',
        b'{"type":"session_info","id":"a","parentId":null}',
        b'{"type":"session","id":"a","parentId":null}',
    ],
)
def test_what_is_not_certain_is_left_to_the_exact_decoder(line: bytes) -> None:
    good = b'{"type":"custom","id":"a","parentId":null}'
    assert [skeleton_code(skeleton) for skeleton in skeletons([good, line, good])] == [
        Kind.CUSTOM,
        UNDECIDED,
        Kind.CUSTOM,
    ]


def test_the_last_of_several_values_counts_as_in_javascript() -> None:
    (skeleton,) = skeletons([b'{"type":"custom","id":"a","parentId":null,"id":"b","type":"usage"}'])
    assert skeleton is not None
    assert (skeleton.type, skeleton.id) == ("usage", "b")
