"""What `pitree compact` would commit, worked out before anything is shown, asked or written."""

from __future__ import annotations

import os
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from pitree.cli.inspection import Inspection
from pitree.planning.commit import Check, CompactionCommit, compaction_commit
from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft, digest_of
from pitree.planning.summary_text import join_parts
from pitree.session import new_entries
from pitree.session.javascript import JSON, to_string
from pitree.session.problems import PiFails
from pitree.session.session import Session
from pitree.store.commit import Destination, Draws, PiSearch, Written, as_written, commit, destination_checks
from pitree.store.locations import Environment
from pitree.store.running_pi import find_pi
from pitree.summarize.offline import Extract, extract


class NoOffer(ValueError):
    """pi itself fails on what would be committed; the message says where and on what."""


@dataclass(frozen=True)
class Surroundings:
    """What a commit takes from outside.

    Attributes:
        environment: Variables and folders.
        now_ns: Now, in nanoseconds since 1970.
        draws: The same in milliseconds, and chance.
        look: Looks for a running pi.
    """

    environment: Environment
    now_ns: int
    draws: Draws
    look: PiSearch

    @classmethod
    def current(cls) -> Surroundings:
        """The real ones."""
        now_ns = time.time_ns()
        return cls(
            Environment.current(), now_ns, Draws(now_ns // 1_000_000, os.urandom, lambda: str(uuid.uuid4())), find_pi
        )


@dataclass(frozen=True, eq=False)
class Offer:
    """A compaction that only has to be written.

    Attributes:
        inspection: The session and its plan.
        made: What would be appended to its file.
        destination: Where it would go.
        entry: The new entry as it would stand there.
        line: Its bytes there, newline included.
        checks: What speaks against it, what blocks first.
    """

    surroundings: Surroundings
    inspection: Inspection
    made: CompactionCommit
    destination: Destination
    entry: dict[str, JSON]
    line: bytes
    checks: tuple[Check, ...]

    @property
    def session(self) -> Session:
        """The session."""
        return self.inspection.session

    @property
    def file(self) -> Path:
        """The file of the session."""
        return file_of(self.inspection)

    @property
    def path(self) -> Path | None:
        """The file that would be written; None for a fork."""
        return self.destination.file(self.file)

    @property
    def blocking(self) -> list[Check]:
        """What must not be written over."""
        return [check for check in self.checks if check.blocks]

    def write(self) -> Written:
        """Commit it.

        Raises:
            WriteError: when it cannot be written; `written` says whether it stands there all the same.
        """
        return commit(self.session, self.file, self.destination, self.made.entry, self.surroundings.draws)


def offer_of(
    inspection: Inspection,
    plan: CompactionPlan,
    instructions: str,
    destination: Destination,
    around: Surroundings,
) -> Offer:
    """Summarize a plan by the offline extract, and look at what committing it would mean.

    Raises:
        NoOffer: when pi itself fails on it.
    """
    session = inspection.session
    draft = extract_draft(plan, instructions, around.draws.ms)
    entry_id = new_entries.new_id(session.indices, around.draws.draw_id)
    try:
        made = compaction_commit(plan, draft, entry_id=entry_id, ms=around.draws.ms)
    except PiFails as failure:
        raise NoOffer(inspection.failure(failure)) from failure
    checks = [*made.checks, *_disk_checks(inspection, plan, destination, around)]
    entry, line = as_written(session, destination, made.entry, around.draws)
    ordered = tuple(sorted(checks, key=lambda check: not check.blocks))
    return Offer(around, inspection, made, destination, entry, line, ordered)


def extract_draft(plan: CompactionPlan, instructions: str, ms: int) -> Draft:
    """The draft that needs no model."""
    return Draft(
        join_parts(plan, extract(plan, instructions)),
        origin=Extract.name,
        cut_id=to_string(plan.first_kept_id),
        digest=digest_of(plan),
        instructions=instructions,
        made_ms=ms,
    )


def file_of(inspection: Inspection) -> Path:
    """The file of a session that was read from one."""
    assert inspection.subject.path is not None
    return inspection.subject.path


def _disk_checks(
    inspection: Inspection, plan: CompactionPlan, destination: Destination, around: Surroundings
) -> tuple[Check, ...]:
    return destination_checks(
        inspection.session,
        file_of(inspection),
        destination,
        leaf=plan.path[-1],
        now_ns=around.now_ns,
        look=around.look,
    )
