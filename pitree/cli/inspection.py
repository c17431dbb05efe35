"""What `pitree inspect` reports of one session, worked out before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pitree.cli.entry_ids import NoSuchEntry, resolve_id, resolve_target
from pitree.cli.subject import Subject
from pitree.context.messages import Message
from pitree.context.projection import Projection, project
from pitree.context.shares import shares
from pitree.context.tokens import estimate_or_nan
from pitree.context.usage import ContextSize, known_size, should_compact
from pitree.planning.branch import NavigationError, NavigationPlan, plan_navigation
from pitree.planning.compaction import CompactionPlan, plan_compaction, why_no_plan
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.entries import Kind
from pitree.session.javascript import JSON
from pitree.session.problems import PiFails
from pitree.session.session import Session
from pitree.store.in_force import InForce

T = TypeVar("T")


@dataclass(frozen=True)
class Nothing:
    """There is no plan; `why` says it in one sentence, `is_failure` that pi itself fails there."""

    why: str
    is_failure: bool = False


@dataclass(frozen=True, eq=False)
class Inspection:
    """A session with what is in force for it, looked at from a leaf.

    Attributes:
        leaf_id: The id of the leaf; None before the first entry.
        before_first: The leaf is before the first entry because that was asked for.
        target: As the person named it, or None.
        cut_at: Index of the entry to cut at in place of pi's choice, or None.
    """

    subject: Subject
    found: InForce
    leaf_id: JSON
    before_first: bool
    target: str | None
    cut_at: int | None = None

    @property
    def session(self) -> Session:
        """The session."""
        return self.subject.session

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.found.rules

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.found.settings

    @cached_property
    def leaf(self) -> int | None:
        """Index of the leaf."""
        path = self.session.branch(self.leaf_id)
        return path[-1] if path else None

    @cached_property
    def projection(self) -> Projection:
        """The context at the leaf."""
        return project(self.session, self.session.context_path(self.leaf_id), self.rules)

    @cached_property
    def size(self) -> ContextSize | None:
        """pi's size of the context, or None where pi itself fails on it."""
        return known_size(self.session, self.projection, self.rules, self.session.branch(self.leaf_id))

    @cached_property
    def shares(self) -> dict[str, int]:
        """The context by category, est tokens."""
        return shares(self.projection.messages, self.rules)

    @property
    def compacts_now(self) -> bool:
        """Whether pi would compact by itself at this size."""
        settings, size = self.settings, self.size
        tokens = None if size is None else size.tokens
        return should_compact(tokens, settings.context_window, settings.reserve_tokens, enabled=settings.enabled)

    @cached_property
    def compaction(self) -> CompactionPlan | Nothing:
        """The compaction that pi would make, or with the cut by hand, or why there is none.

        Raises:
            CutNotPossible: when pi could never cut at `cut_at`.
        """
        cut_at = self.cut_at
        plan = self._try(lambda: plan_compaction(self.session, self.leaf_id, self.rules, self.settings, cut_at))
        return Nothing(self._why_nothing()) if plan is None else plan

    def _why_nothing(self) -> str:
        if self.cut_at is not None and self.leaf is not None and self.session.kind(self.leaf) is not Kind.COMPACTION:
            return "With the cut there nothing would be left to summarize."
        return why_no_plan(self.session, self.leaf_id, self.settings)

    @cached_property
    def move(self) -> NavigationPlan | Nothing | None:
        """The move to the target, or why there is none; None where no target was given."""
        target = self.target
        if target is None:
            return None
        try:
            target_id = resolve_target(self.session, target)
            return self._try(lambda: plan_navigation(self.session, self.leaf_id, target_id, self.rules, self.settings))
        except (NavigationError, NoSuchEntry) as error:
            return Nothing(str(error))

    def _try(self, work: Callable[[], T]) -> T | Nothing:
        try:
            return work()
        except PiFails as failure:
            return Nothing(self.failure(failure), is_failure=True)

    def failure(self, failure: PiFails) -> str:
        """What to say where pi itself fails."""
        where = "" if failure.entry is None else f" (line {self.session.line(failure.entry)})"
        return f"pi itself fails here{where}: {failure}"


def inspection_of(
    subject: Subject, found: InForce, leaf: str | None, target: str | None, cut: str | None = None
) -> Inspection:
    """Look at a session from a leaf: as named, else the demo's, else the last entry.

    Args:
        subject: The session.
        found: What is in force for it.
        leaf: The leaf as the person named it.
        target: The entry to go to as the person named it.
        cut: The entry to cut at as the person named it.

    Raises:
        NoSuchEntry: when `leaf` or `cut` names nothing.
    """
    demo = subject.demo
    leaf = demo.leaf_id if leaf is None and demo is not None else leaf
    target = demo.target_id if target is None and demo is not None else target
    leaf_id = subject.session.leaf_id if leaf is None else resolve_id(subject.session, leaf)
    cut_at = None if cut is None else _cut_at(subject.session, cut)
    return Inspection(subject, found, leaf_id, leaf == "@null", target, cut_at)


def _cut_at(session: Session, cut: str) -> int:
    found = None if cut == "@null" else session.find(resolve_id(session, cut))
    if found is None:
        raise NoSuchEntry(f"{cut} names no entry with an id, so nothing can be kept from it on.")
    return found


def estimate_of(messages: Iterable[Message], rules: Rules) -> float:
    """pi's estimate of messages, in tokens; nan where pi cannot count one."""
    return sum(estimate_or_nan(message, rules) for message in messages)
