from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session import new_entries
from pitree.session.decode import decode
from pitree.session.javascript import UNDEFINED
from tests.session.node import ask_node

MS = 1796032800123
"""2026-11-30T10:00:00.123Z"""
START: dict[str, Any] = {"entry_id": "0a1b2c3d", "parent_id": "99aabbcc", "ms": MS}
USAGE = {"input": 1, "output": 2, "cost": {"total": 0.5}}

TEXTS = st.text(st.characters(codec=None))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def test_times_are_those_of_javascript() -> None:
    times = [0, 1, 999, 1000, MS, 951782399999, 4102444800000, -1, -62135596800000]
    assert [new_entries.iso_time(ms) for ms in times] == ask_node("values.map((x) => new Date(x).toISOString())", times)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (MS, "2026-11-30T10:00:00.123Z"),
        (1709164800000, "2024-02-29T00:00:00.000Z"),
    ],
)
def test_time_has_milliseconds_and_z(ms: int, text: str) -> None:
    assert new_entries.iso_time(ms) == text


def test_id_is_the_head_of_a_uuid() -> None:
    assert new_entries.new_id({}, lambda: "12345678-9abc-4def-8123-456789abcdef") == "12345678"


def test_id_is_fresh_in_the_file() -> None:
    drawn = iter(["aaaaaaaa-1", "bbbbbbbb-1", "cccccccc-1"])
    assert new_entries.new_id({"aaaaaaaa": 1, "bbbbbbbb": 2}, lambda: next(drawn)) == "cccccccc"


def test_id_after_100_collisions_is_the_whole_uuid() -> None:
    drawn: list[str] = []

    def draw() -> str:
        drawn.append("aaaaaaaa-0000-4000-8000-000000000000")
        return drawn[-1]

    assert new_entries.new_id({"aaaaaaaa"}, draw) == "aaaaaaaa-0000-4000-8000-000000000000"
    assert len(drawn) == 101


@given(st.integers(0, 2**48 - 1))
def test_session_id_is_a_uuid_of_version_7(ms: int) -> None:
    text = new_entries.new_session_id(ms, os.urandom)
    read = uuid.UUID(text)
    assert text == str(read)
    assert (read.version, read.variant) == (7, uuid.RFC_4122)
    assert read.int >> 80 == ms


def test_session_id_is_all_chance_besides() -> None:
    low = new_entries.new_session_id(MS, lambda count: b"\x00" * count)
    high = new_entries.new_session_id(MS, lambda count: b"\xff" * count)
    assert (low, high) == ("01a22be5-a57b-7000-8000-000000000000", "01a22be5-a57b-7fff-bfff-ffffffffffff")


def test_file_name_is_time_and_id() -> None:
    assert new_entries.session_file_name(MS, "abc") == "2026-11-30T10-00-00-123Z_abc.jsonl"


def lines() -> Iterator[tuple[str, dict[str, object], str]]:
    begin = '"id":"0a1b2c3d","parentId":"99aabbcc","timestamp":"2026-11-30T10:00:00.123Z"'
    details = {"readFiles": ["a"], "modifiedFiles": []}
    yield (
        "compaction",
        new_entries.compaction(
            **START, summary="S", first_kept_id="11111111", tokens_before=1234, details=details, usage=USAGE,
            system_message={"role": "system", "content": "x", "timestamp": 5},
        ),
        '{"type":"compaction",' + begin + ',"summary":"S","firstKeptEntryId":"11111111","tokensBefore":1234,'
        '"details":{"readFiles":["a"],"modifiedFiles":[]},"usage":{"input":1,"output":2,"cost":{"total":0.5}},'
        '"fromHook":false,"systemMessage":{"role":"system","content":"x","timestamp":1796032800123}}',
    )  # fmt: skip
    yield (
        "compaction by hand",
        new_entries.compaction(
            **START, summary="S", first_kept_id=UNDEFINED, tokens_before=7, usage=None, from_hook=UNDEFINED,
            system_message=None,
        ),
        '{"type":"compaction",' + begin + ',"summary":"S","firstKeptEntryId":"0a1b2c3d","tokensBefore":7}',
    )  # fmt: skip
    yield (
        "branch summary",
        new_entries.branch_summary(**START, from_id="22222222", summary="S", details=details, usage=USAGE),
        '{"type":"branch_summary",' + begin + ',"fromId":"22222222","summary":"S","details":{"readFiles":["a"],'
        '"modifiedFiles":[]},"usage":{"input":1,"output":2,"cost":{"total":0.5}},"fromHook":false}',
    )
    yield (
        "branch summary before the first entry",
        new_entries.branch_summary(**{**START, "parent_id": None}, from_id=None, summary="S"),
        '{"type":"branch_summary","id":"0a1b2c3d","parentId":null,"timestamp":"2026-11-30T10:00:00.123Z",'
        '"fromId":"root","summary":"S","fromHook":false}',
    )
    yield (
        "label",
        new_entries.label(**START, target_id="22222222", text="here"),
        '{"type":"label",' + begin + ',"targetId":"22222222","label":"here"}',
    )
    yield (
        "label cleared",
        new_entries.label(**START, target_id="22222222", text=""),
        '{"type":"label",' + begin + ',"targetId":"22222222"}',
    )
    yield (
        "name",
        new_entries.session_info(**START, name="\ufeff one\r\n\ntwo \n"),
        '{"type":"session_info",' + begin + ',"name":"one two"}',
    )
    yield (
        "custom",
        new_entries.custom(**START, custom_type="pitree.move", data={"a": 1}),
        '{"type":"custom","customType":"pitree.move","data":{"a":1},' + begin + "}",
    )
    yield (
        "custom without data",
        new_entries.custom(**START, custom_type="pitree.move"),
        '{"type":"custom","customType":"pitree.move",' + begin + "}",
    )
    yield (
        "header",
        new_entries.header(session_id="s", ms=MS, cwd="/w", parent_session=None),
        '{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T10:00:00.123Z","cwd":"/w"}',
    )
    yield (
        "header of a fork",
        new_entries.header(session_id="s", ms=MS, cwd=UNDEFINED, parent_session="/old"),
        '{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T10:00:00.123Z","parentSession":"/old"}',
    )


@pytest.mark.parametrize(("value", "text"), [pytest.param(*case[1:], id=case[0]) for case in lines()])
def test_bytes_are_those_of_pi(value: dict[str, object], text: str) -> None:
    assert new_entries.line_of(value) == text.encode() + b"\n"


def test_line_leaves_out_what_is_undefined() -> None:
    assert new_entries.line_of({"a": UNDEFINED, "b": None}) == b'{"b":null}\n'


def test_line_is_written_as_javascript_writes_it() -> None:
    value = {"summary": 'é \ud83d "\n\u2028 \U0001f600', "10": 1.0, "2": 1e21, "\udc00": 2**60}
    assert (
        new_entries.line_of(value)
        == ('{"2":1e+21,"10":1,"summary":"é \\ud83d \\"\\n\u2028 \U0001f600","\\udc00":1152921504606847000}\n').encode()
    )


@given(st.dictionaries(TEXTS, VALUES))
def test_line_is_one_line_of_json_in_utf8(value: dict[str, object]) -> None:
    line = new_entries.line_of(value)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert isinstance(json.loads(line), dict)
    assert new_entries.line_of(decode(line)) == line
