from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pitree.session.decode import decode
from pitree.session.fork import current_version_lines, fork
from pitree.session.load import session_from_bytes
from pitree.session.session import Session
from tests.oracle.installation import MissingError, find
from tests.session.build import chain, file_of, message, session_of

Value = dict[str, Any]
MS = 1796032800123
NEW: Value = {"type": "compaction", "id": "new", "parentId": "e5", "firstKeptEntryId": "e3", "tokensBefore": 9}


def label(target: str, text: str | None, **more: Any) -> Value:
    return {"type": "label", "targetId": target, **({"label": text} if text else {}), **more}


def labelled() -> list[Value]:
    return chain(
        [
            message("user", "one"),
            label("e1", "first"),
            label("e9", "elsewhere"),
            message("assistant", []),
            message("user", "two"),
            label("e5", "gone"),
            label("e5", None),
            {"type": "compaction", "summary": "S", "firstKeptEntryId": "e3", "tokensBefore": 5},
            message("user", "side") | {"parentId": "e1"},
        ]
    )


def forked(session: Session, entry: Value) -> list[Value]:
    drawn = iter(f"0000000{number}-" for number in range(1, 9))
    made = fork(
        session, entry, parent_session="/s/old.jsonl", ms=MS, draw_bytes=lambda n: b"\x00" * n,
        draw_id=lambda: next(drawn),
    )  # fmt: skip
    assert made.session_id == "01a22be5-a57b-7000-8000-000000000000"
    assert made.file_name == f"2026-11-30T10-00-00-123Z_{made.session_id}.jsonl"
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in made.lines)
    values = [decode(line) for line in made.lines]
    assert values[-1] == made.entry
    return values


def test_header_names_the_old_session() -> None:
    values = forked(session_of(labelled()), NEW)
    assert list(values[0].items()) == [
        ("type", "session"),
        ("version", 3),
        ("id", "01a22be5-a57b-7000-8000-000000000000"),
        ("timestamp", "2026-11-30T10:00:00.123Z"),
        ("cwd", "/w"),
        ("parentSession", "/s/old.jsonl"),
    ]


def test_path_is_hung_together_without_its_labels() -> None:
    values = forked(session_of(labelled()), NEW)
    assert [(value["id"], value["parentId"]) for value in values[1:]] == [
        ("e1", None),
        ("e4", "e1"),
        ("e5", "e4"),
        ("00000001", "e5"),
        ("new", "00000001"),
    ]


def test_labels_of_the_path_come_again_with_their_times() -> None:
    values = forked(session_of(labelled()), NEW)
    assert values[4] == {
        "type": "label",
        "id": "00000001",
        "parentId": "e5",
        "timestamp": "2026-11-30T10:00:02.000Z",
        "targetId": "e1",
        "label": "first",
    }


def test_kept_range_that_began_at_a_label_begins_after_it() -> None:
    assert forked(session_of(labelled()), NEW)[-1]["firstKeptEntryId"] == "e4"


def test_compaction_on_the_path_moves_off_the_label_too() -> None:
    entry: Value = {"type": "custom", "id": "new", "parentId": "e8", "customType": "x"}
    values = forked(session_of(labelled()), entry)
    assert [value.get("firstKeptEntryId") for value in values if value["type"] == "compaction"] == ["e4"]
    assert "firstKeptEntryId" not in values[-1]


@pytest.mark.parametrize(("kept", "expected"), [("e2", "new"), ("new", "new"), ("e1", "e1"), ("nowhere", "nowhere")])
def test_kept_range_of_the_new_entry(kept: str, expected: str) -> None:
    entries = chain([message("user", "one"), label("e1", "last")])
    values = forked(session_of(entries), NEW | {"parentId": "e2", "firstKeptEntryId": kept})
    assert [(value["id"], value["parentId"]) for value in values[1:]] == [
        ("e1", None), ("00000001", "e1"), ("new", "00000001"),
    ]  # fmt: skip
    assert values[-1]["firstKeptEntryId"] == expected


def test_entry_before_the_first_one_is_alone() -> None:
    values = forked(session_of(labelled()), NEW | {"parentId": None})
    assert [value["id"] for value in values[1:]] == ["new"]


def test_new_ids_of_labels_are_fresh() -> None:
    entries = chain([message("user", "one") | {"id": "00000001"}, label("00000001", "l")])
    values = forked(session_of(entries), NEW | {"id": "00000002", "parentId": "e2"})
    assert [value["id"] for value in values[1:]] == ["00000001", "00000003", "00000002"]


def test_lines_in_which_nothing_changes_keep_their_bytes() -> None:
    odd = b'{ "type":"message", "id":"a","parentId":null,"message":{"role":"user","content":"\xff"}}\r'
    data = file_of([odd, b"torn {", b'{"type":"custom","parentId":"a","id":"b","x":1.0}'])
    made = fork(
        session_from_bytes(data), NEW | {"parentId": "b"}, parent_session="/o", ms=MS, draw_bytes=os.urandom,
        draw_id=lambda: "12345678",
    )  # fmt: skip
    assert made.lines[1:3] == (odd + b"\n", b'{"type":"custom","parentId":"a","id":"b","x":1.0}\n')


V1 = file_of(
    [
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "a"}},
        b"broken",
        {"type": "message", "message": {"role": "hookMessage", "content": "b"}},
        {"type": "compaction", "summary": "S", "firstKeptEntryIndex": 2, "tokensBefore": 1},
        {"type": "session", "id": "again"},
    ],
    {"type": "session", "id": "s", "cwd": "/w"},
)


def test_version_1_is_written_as_version_3() -> None:
    lines = b"".join(current_version_lines(session_from_bytes(V1)))
    assert [json.loads(line) for line in lines.splitlines()] == [
        {"type": "session", "id": "s", "cwd": "/w", "version": 3},
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "a"}, "id": "00000001",
         "parentId": None},
        {"type": "message", "message": {"role": "custom", "content": "b"}, "id": "00000002", "parentId": "00000001"},
        {"type": "compaction", "summary": "S", "tokensBefore": 1, "id": "00000003", "parentId": "00000002",
         "firstKeptEntryId": "00000002"},
    ]  # fmt: skip


def test_version_2_keeps_the_lines_that_stay_as_they_are() -> None:
    plain = b'{"type":"message","id":"a","parentId":null, "message":{"role":"user"}}'
    hook = b'{"type":"message","id":"b","parentId":"a", "message":{"role":"hookMessage","content":1.0}}'
    session = session_from_bytes(file_of([plain, hook], {"type": "session", "version": 2, "id": "s"}))
    assert list(current_version_lines(session)) == [
        b'{"type":"session","version":3,"id":"s"}\n',
        plain + b"\n",
        b'{"type":"message","id":"b","parentId":"a","message":{"role":"custom","content":1}}\n',
    ]


def test_fork_of_version_1_has_its_new_ids() -> None:
    values = forked(session_from_bytes(V1), NEW | {"parentId": "00000003", "firstKeptEntryId": "00000002"})
    assert [(value["id"], value["parentId"]) for value in values[1:]] == [
        ("00000001", None), ("00000002", "00000001"), ("00000003", "00000002"), ("new", "00000003"),
    ]  # fmt: skip


# -- as pi does it ---------------------------------------------------------------------------------------------------

ASK_PI = """
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
const [core, file, leaf] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(`${core}/session-manager.js`));
console.log(readFileSync(SessionManager.open(file).createBranchedSession(leaf), "utf8"));
"""


@pytest.mark.parametrize("leaf", [f"e{number}" for number in range(1, 10)])
def test_fork_is_that_of_pi(tmp_path: Path, leaf: str) -> None:
    try:
        pi = find("1.6")
    except MissingError as missing:
        pytest.skip(str(missing))
    file, program = tmp_path / "old.jsonl", tmp_path / "ask.mjs"
    file.write_bytes(file_of(labelled()))
    program.write_text(ASK_PI, encoding="utf-8")
    done = subprocess.run(
        [pi.node, program, pi.package / "dist/core", file, leaf], capture_output=True, text=True, check=True
    )
    theirs = [json.loads(line) for line in done.stdout.splitlines() if line]
    ours = forked(session_of(labelled()), {"type": "custom", "id": "new", "parentId": leaf})[:-1]
    assert [list(value) for value in ours] == [list(value) for value in theirs]
    renamed = {value["id"]: value["id"] for value in ours} | {
        old["id"]: new["id"] for old, new in zip(theirs[1:], ours[1:], strict=True)
    }
    for old, new in zip(theirs[1:], ours[1:], strict=True):
        old |= {"id": renamed[old["id"]], "parentId": old["parentId"] and renamed[old["parentId"]]}
        assert new == old
    assert theirs[0]["parentSession"] == str(file)
