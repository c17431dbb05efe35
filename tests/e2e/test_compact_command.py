"""`pitree compact` as a person runs it; pi takes what it has written, and goes on from there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitree.context.projection import project
from pitree.planning.rules import RULES
from pitree.store.reader import open_session
from tests.e2e.cases import Case, at_home
from tests.e2e.committing import AT_THE_END, PROMPT
from tests.e2e.holding import assert_held, predicted
from tests.e2e.pi import Pi
from tests.e2e.wire import rows_of_body

RICH = next(case for case in AT_THE_END if case.name == "rich")
SOME = [case for case in AT_THE_END if case.name in ("split-turn", "pi-native-current")]
OLD = [case for case in AT_THE_END if case.name == "real-large-session"]


def compact(pi: Pi, case: Case, file: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """The exit status and the object that is printed; warnings are accepted, since that pi runs in the folder."""
    settings = ["--rules", pi.rules, "--keep-recent", str(case.keep_recent_tokens)]
    command = [sys.executable, "-m", "pitree", "compact", str(file), "--yes", "--json", *settings, *options]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    answer: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, answer


def assert_goes_on(pi: Pi, file: Path, answer: dict[str, Any]) -> None:
    """pi sends what pitree says that the written file holds, the new summary included."""
    session = open_session(file)
    assert session.leaf_id == answer["entry"]["id"]
    messages = project(session, session.path(session.last), RULES[pi.rules]).messages
    state = pi.state(file)
    assert state.leaf_of_file(session.count) == session.leaf_id
    assert_held(messages, state.messages, RULES[pi.rules])
    (body,) = pi.prompt(PROMPT)
    rows = rows_of_body(body)
    assert rows == [*predicted(messages, pi), ("user", "text", PROMPT)]
    assert answer["entry"]["summary"] in rows[0][2]


@pytest.mark.parametrize("case", [RICH, *SOME], ids=str)
def test_pi_goes_on_from_what_the_command_wrote(pi: Pi, case: Case, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    old = at_home(case.data(), pi.cwd)
    file.write_bytes(old)
    status, answer = compact(pi, case, file)
    assert (status, answer["written"]) == (0, True), answer["reason"]
    assert file.read_bytes() == old + answer["line"].encode()
    assert_goes_on(pi, file, answer)


def test_pi_goes_on_from_a_fork(pi: Pi, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    old = at_home(RICH.data(), pi.cwd)
    file.write_bytes(old)
    status, answer = compact(pi, RICH, file, "--fork")
    assert (status, answer["written"]) == (0, True), answer["reason"]
    assert file.read_bytes() == old
    assert_goes_on(pi, Path(answer["path"]), answer)


@pytest.mark.parametrize("case", OLD, ids=str)
def test_an_old_session_goes_to_a_copy(pi: Pi, case: Case, tmp_path: Path) -> None:
    file, copy = tmp_path / "session.jsonl", tmp_path / "copy.jsonl"
    old = at_home(case.data(), pi.cwd, migrated=False)
    file.write_bytes(old)
    status, answer = compact(pi, case, file)
    assert (status, answer["written"]) == (3, False)
    assert "--copy-to" in answer["reason"]
    status, answer = compact(pi, case, file, "--copy-to", str(copy))
    assert (status, answer["written"]) == (0, True), answer["reason"]
    assert file.read_bytes() == old
    assert_goes_on(pi, copy, answer)
