"""Why a running pi matters, and that pitree sees it."""

from __future__ import annotations

import json
from pathlib import Path

from pitree.store.running_pi import find_pi
from tests.e2e.committing import CASES, ENTRY_ID, PROMPT, prepare, prepared
from tests.e2e.pi import Pi


def pids(folder: Path) -> set[int]:
    found = find_pi(folder)
    assert isinstance(found, tuple)
    return {process.pid for process in found}


def test_a_running_pi_is_found_by_its_folder(pi: Pi, tmp_path: Path) -> None:
    pi.rpc("get_state")
    assert pids(pi.cwd) == {pi.pid}
    assert pids(tmp_path) == set()
    pi.close()
    assert pids(pi.cwd) == set()


def test_a_running_pi_goes_on_beside_the_commit(pi: Pi, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "plain-cut")
    file = prepared(case, pi, tmp_path).file
    pi.open(file)
    leaf = pi.rpc("get_entries")["leafId"]
    made = prepare(file, case, pi)
    made.write()
    pi.prompt(PROMPT)
    written = file.read_bytes()
    assert written.startswith(made.old + made.commit.line)
    added = [json.loads(line) for line in written[len(made.old + made.commit.line) :].splitlines()]
    assert [entry["parentId"] for entry in added] == [leaf, *(entry["id"] for entry in added[:-1])]
    assert ENTRY_ID not in {entry["parentId"] for entry in added}
