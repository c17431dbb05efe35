"""Commits into new files: pi takes a copy and a fork as it takes the session, and clones one as pitree forks it."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import Any

import pytest

from pitree.session.javascript import JSON
from pitree.store.copies import ForkedFile, copy_session, fork_session
from tests.e2e.cases import Case, at_home
from tests.e2e.committing import AT_THE_END, CASES, MS, PROMPT, Prepared, assert_sent, assert_taken, prepare, prepared
from tests.e2e.pi import Pi

CLONED = [case for case in AT_THE_END if case.label == "" and not case.name.startswith("real")]


def forked(made: Prepared) -> ForkedFile:
    session = made.commit.plan.session
    return fork_session(
        session, made.file, made.commit.entry, ms=MS, draw_bytes=os.urandom, draw_id=lambda: str(uuid.uuid4())
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pi_takes_a_copy(pi: Pi, case: Case, tmp_path: Path) -> None:
    old, copy = tmp_path / "session.jsonl", tmp_path / "elsewhere" / "copy.jsonl"
    old.write_bytes(at_home(case.data(), pi.cwd, migrated=False))
    copy.parent.mkdir()
    made = prepare(old, case, pi)
    session = made.commit.plan.session
    copy_session(session, old, copy, made.commit.line, sessions_folders=[tmp_path / "sessions"])

    assert old.read_bytes() == made.old
    if not session.migration.needed:
        assert copy.read_bytes() == made.old + made.commit.line
    assert_taken(pi, copy, made.commit, session.count + 1)
    (body,) = pi.prompt(PROMPT)
    assert_sent(pi, body, made.commit)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pi_takes_a_fork(pi: Pi, case: Case, tmp_path: Path) -> None:
    made = prepared(case, pi, tmp_path)
    fork = forked(made)
    header, *entries = read(fork.path)
    assert header["parentSession"] == str(made.file)
    assert made.file.read_bytes() == made.old

    assert_taken(pi, fork.path, made.commit, len(entries))
    assert pi.rpc("get_state")["sessionId"] == fork.session_id == header["id"]
    (body,) = pi.prompt(PROMPT)
    assert_sent(pi, body, made.commit)


@pytest.mark.parametrize("case", CLONED, ids=str)
def test_pi_clones_a_session_as_pitree_forks_it(pi: Pi, case: Case, tmp_path: Path) -> None:
    made = prepared(case, pi, tmp_path)
    fork = forked(made)
    pi.open(made.file)
    pi.rpc("clone")
    clone = Path(pi.rpc("get_state")["sessionFile"])
    ours, theirs = read(fork.path), read(clone)
    assert list(ours[0]) == list(theirs[0])
    assert {**ours[0], "id": 0, "timestamp": 0} == {**theirs[0], "id": 0, "timestamp": 0}
    assert without_labels(ours[1:-1]) == without_labels(theirs[1:])[: len(without_labels(ours[1:-1]))]
    assert labels(ours) == labels(theirs)


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def without_labels(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry["type"] != "label"]


def labels(entries: list[dict[str, Any]]) -> list[tuple[JSON, JSON, JSON]]:
    """Target, text and time: the ids are made afresh."""
    found = [entry for entry in entries if entry["type"] == "label"]
    return [(entry["targetId"], entry.get("label"), entry["timestamp"]) for entry in found]
