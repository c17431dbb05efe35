"""What pitree commits, pi takes: as the leaf, as the context that was foretold, and into its next request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pitree.planning.compaction import CompactionPlan
from pitree.planning.cut import CutNotPossible
from pitree.planning.summary_text import NO_PRIOR_HISTORY
from pitree.session.javascript import stringify
from pitree.session.load import session_from_bytes
from tests.e2e.cases import Case, at_home
from tests.e2e.committing import (
    AT_THE_END,
    CASES,
    PARTS,
    PROMPT,
    NothingToCompact,
    Prepared,
    assert_sent,
    assert_taken,
    prepare,
    prepared,
)
from tests.e2e.pi import Pi
from tests.e2e.provider import Reply
from tests.e2e.wire import rows_of_body

CARRIED = [case for case in CASES if case.name in ("rich", "pi-native-older", "real-large-session")]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_pi_takes_the_commit(pi: Pi, case: Case, tmp_path: Path) -> None:
    made = prepared(case, pi, tmp_path)
    made.write()
    assert made.file.read_bytes() == made.old + made.commit.line

    assert_taken(pi, made.file, made.commit, made.commit.plan.session.count + 1)
    assert_sent(pi, pi.next_request(made.file, PROMPT), made.commit)
    assert made.file.read_bytes().startswith(made.old + made.commit.line)


def cuts_by_hand(case: Case, pi: Pi, file: Path) -> Iterator[Prepared]:
    """A commit for every entry at which a person may cut."""
    data = at_home(case.data(), pi.cwd)
    for index in range(session_from_bytes(data).count):
        file.write_bytes(data)
        with suppress(CutNotPossible, NothingToCompact):
            yield prepare(file, case, pi, index)


@pytest.mark.parametrize("case", [case for case in AT_THE_END if len(case.data()) < 20_000], ids=str)
def test_pi_takes_every_cut_by_hand(pi: Pi, case: Case, tmp_path: Path) -> None:
    kept = set()
    for made in cuts_by_hand(case, pi, tmp_path / "session.jsonl"):
        made.write()
        assert_taken(pi, made.file, made.commit, made.commit.plan.session.count + 1)
        (body,) = pi.prompt(PROMPT)
        assert_sent(pi, body, made.commit)
        kept.add(made.commit.plan.first_kept)
    assert len(kept) > 1


@pytest.mark.parametrize("case", AT_THE_END, ids=str)
def test_pi_itself_would_write_that_entry(pi: Pi, case: Case, tmp_path: Path) -> None:
    made = prepared(case, pi, tmp_path)
    pi.configure(case.keep_recent_tokens)
    plan = made.commit.plan
    pi.provider.say(*(Reply(PARTS[part]) for part in ("history", "prefix") if parts_of(plan)[part]))
    pi.compact(made.file)
    pi.provider.take()
    written = json.loads(made.file.read_bytes()[len(made.old) :].splitlines()[-1])
    ours: dict[str, Any] = json.loads(stringify(made.commit.entry))
    assert written.pop("usage")
    assert list(written) == list(ours)
    if pi.rules == "0.84" and plan.previous_summary and not plan.summarized:
        # This release loses the earlier summary here; pitree keeps it, as 1.6 does.
        assert ours["summary"].startswith(str(plan.previous_summary))
        ours["summary"] = ours["summary"].replace(str(plan.previous_summary), NO_PRIOR_HISTORY)
    assert forgetting(written) == forgetting(ours)


def parts_of(plan: CompactionPlan) -> dict[str, bool]:
    """Which requests pi makes for a plan."""
    return {"history": bool(plan.summarized), "prefix": plan.is_split_turn}


def forgetting(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without what is another each time; pi may put its own setting of thinking before it."""
    system = {**entry.get("systemMessage", {}), "timestamp": None}
    return {**entry, "id": None, "parentId": None, "timestamp": None, "systemMessage": system}


@pytest.mark.parametrize("case", CARRIED, ids=str)
def test_the_next_compaction_of_pi_carries_it_on(pi: Pi, case: Case, tmp_path: Path) -> None:
    made = prepared(case, pi, tmp_path)
    made.write()
    details: Any = made.commit.entry["details"]
    assert details["modifiedFiles"]
    pi.configure(keep_recent_tokens=500)
    pi.open(made.file)
    pi.prompt(PROMPT)
    pi.rpc("compact", customInstructions="Mind the files.")
    requests = [row[2] for body in pi.provider.take() for row in rows_of_body(body)]
    assert str(made.commit.entry["summary"]) in requests[0]

    written = json.loads(made.file.read_bytes().splitlines()[-1])
    assert written["type"] == "compaction"
    files = {name for names in written["details"].values() for name in names}
    assert {*details["readFiles"], *details["modifiedFiles"]} <= files
    assert {*details["modifiedFiles"]} <= {*written["details"]["modifiedFiles"]}


def test_a_line_that_pi_left_without_its_newline(pi: Pi, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "plain-cut")
    file = tmp_path / "session.jsonl"
    file.write_bytes(at_home(case.data(), pi.cwd).removesuffix(b"\n"))
    made = prepare(file, case, pi)
    made.write()
    assert file.read_bytes() == made.old + b"\n" + made.commit.line
    assert_taken(pi, file, made.commit, made.commit.plan.session.count + 1)
