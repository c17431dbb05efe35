"""Commits of ours on sessions of a pi, and whether that pi takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pitree.planning.commit import CompactionCommit, compaction_commit
from pitree.planning.draft import Draft, digest_of
from pitree.planning.rules import RULES
from pitree.planning.summary_text import Part, join_parts
from pitree.store.reader import FileSource, open_session
from pitree.store.writer import append
from tests.e2e.cases import ENDS_COMPACTED, Case, at_home, cases, plan_of
from tests.e2e.holding import assert_held, predicted
from tests.e2e.pi import Pi
from tests.e2e.provider import Body
from tests.e2e.wire import rows_of_body

PROMPT = "And now?"
PARTS: Mapping[Part, str] = {
    "history": "## Goal\nLimits for every client.\n\n## Next Steps\n1. “Ship it” — 日本語 🎉",
    "prefix": "## Original Request\nOne step more.",
}
MS = 1_800_000_000_000
ENTRY_ID = "0f1e2d3c"

CASES = [case for case in cases() if case.name != ENDS_COMPACTED]
AT_THE_END = [case for case in CASES if case.leaf_id is None]
"""pi stands at the end of a file that it opens, so only these it can compact itself."""


class NothingToCompact(Exception):
    """There is no plan, which a case should have."""


@dataclass(frozen=True)
class Prepared:
    """A commit that is not written yet, and the file that it is about."""

    file: Path
    old: bytes
    commit: CompactionCommit

    def write(self) -> None:
        """Append it as pitree does."""
        source = self.commit.plan.session.source
        assert isinstance(source, FileSource)
        append(self.file, source.state(), self.commit.line)


def prepared(case: Case, pi: Pi, folder: Path) -> Prepared:
    """A copy of the session, and our summary for it."""
    file = folder / "session.jsonl"
    file.write_bytes(at_home(case.data(), pi.cwd))
    return prepare(file, case, pi)


def prepare(file: Path, case: Case, pi: Pi, cut_at: int | None = None) -> Prepared:
    """Our summary for a file, with pi's cut or one by hand."""
    plan = plan_of(open_session(file), case, RULES[pi.rules], cut_at)
    if plan is None:
        raise NothingToCompact(f"{case}: nothing to compact")
    draft = Draft(join_parts(plan, PARTS), "extract", str(plan.first_kept_id), digest_of(plan))
    commit = compaction_commit(plan, draft, entry_id=ENTRY_ID, ms=MS)
    assert [check for check in commit.checks if check.blocks] == []
    return Prepared(file, file.read_bytes(), commit)


def assert_taken(pi: Pi, file: Path, commit: CompactionCommit, count: int) -> None:
    """pi opens the file of so many entries with the commit as its leaf, and holds what was foretold."""
    state = pi.state(file)
    assert state.leaf_of_file(count) == ENTRY_ID
    assert_held(commit.after, state.messages, RULES[pi.rules])


def assert_sent(pi: Pi, body: Body, commit: CompactionCommit) -> None:
    """The request holds what was foretold, and nothing else."""
    assert rows_of_body(body) == [*predicted(commit.after, pi), ("user", "text", PROMPT)]
