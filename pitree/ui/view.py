"""What the session screen shows, as one frozen value, and what follows from it.

A key press makes another `View`; plans, order and rows are worked out from it when somebody asks, and kept while the
values they depend on stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from pitree.context.projection import context_indices
from pitree.planning.branch import Fate, NavigationError, NavigationPlan, plan_navigation
from pitree.planning.compaction import CompactionPlan, plan_compaction, why_no_plan
from pitree.planning.cut import CutNotPossible
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.planning.status import compaction_statuses
from pitree.session.outline import Filter, Rows, Shape, shape_of, visible_rows
from pitree.session.problems import PiFails
from pitree.session.session import Session
from pitree.store.in_force import InForce
from pitree.ui.lenses import Lens

FATE_STATES = {Fate.SENT: "left", Fate.DROPPED: "dropped", Fate.LEFT_OUT: "left_out", Fate.UNSEEN: "unseen"}


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Settings tried out in place of those in force; None leaves them. Tokens."""

    keep_recent: int | None = None
    reserve: int | None = None
    window: int | None = None
    rules: str | None = None

    def applied(self, settings: Settings) -> Settings:
        """The settings with what is tried out; the reserve stands for both reserves."""

        def tried(value: int | None, in_force: int) -> int:
            return in_force if value is None else value

        return replace(
            settings,
            keep_recent_tokens=tried(self.keep_recent, settings.keep_recent_tokens),
            reserve_tokens=tried(self.reserve, settings.reserve_tokens),
            branch_reserve_tokens=tried(self.reserve, settings.branch_reserve_tokens),
            context_window=tried(self.window, settings.context_window),
        )


NOTHING_TRIED = WhatIf()


@dataclass(frozen=True)
class Failure:
    """Why there is no plan, in one sentence."""

    why: str


@dataclass(frozen=True, eq=False)
class View:
    """The state of the session screen.

    Attributes:
        session: The session as loaded.
        title: What the session is called on the screen; unsafe text.
        found: Rules and settings in force.
        lens: How rows are marked.
        as_of: Index of the entry as of which the session is seen; None for its end.
        target: Index of the entry that is targeted, or None.
        filter: Which entries show.
        folds: Indices of entries whose descendants are folded away.
        what_if: Settings tried out.
        query: What is searched for, or "".
        hits: Indices of the entries found, ascending.
        cut_at: Index of the entry at which a person cuts in place of pi, or None.
        path_name: The session file; "" for a demo.
        demo: The name of the demo; "" for a file.
    """

    session: Session
    title: str
    found: InForce
    lens: Lens = "structure"
    as_of: int | None = None
    target: int | None = None
    filter: Filter = Filter.DEFAULT
    folds: frozenset[int] = frozenset()
    what_if: WhatIf = NOTHING_TRIED
    query: str = ""
    hits: tuple[int, ...] = ()
    cut_at: int | None = None
    path_name: str = ""
    demo: str = ""

    def but(self, **changes: Any) -> View:
        """Another view with some values changed."""
        return replace(self, **changes)

    @cached_property
    def rules(self) -> Rules:
        """The rules that plans follow."""
        return RULES[self.what_if.rules] if self.what_if.rules else self.found.rules

    @cached_property
    def settings(self) -> Settings:
        """The settings that plans follow."""
        return self.what_if.applied(self.found.settings)

    @property
    def leaf(self) -> int | None:
        """Index of the entry that plans start from."""
        return self.session.last if self.as_of is None else self.as_of

    @property
    def leaf_id(self) -> Any:
        """Its id."""
        return None if self.leaf is None else self.session.id_of(self.leaf)

    @cached_property
    def path(self) -> Sequence[int]:
        """Indices from the root to the leaf."""
        return _path(self.session, self.leaf)

    @cached_property
    def on_path(self) -> frozenset[int]:
        """The path as a set."""
        return _path_set(self.session, self.leaf)

    @cached_property
    def in_context(self) -> frozenset[int]:
        """The entries that the context at the leaf is made of."""
        return _context_set(self.session, self.leaf, self.rules)

    @property
    def outcome(self) -> CompactionPlan | Failure:
        """The plan of a compaction at the leaf, or why there is none."""
        return _compaction(self.session, self.leaf, self.rules, self.settings, self.cut_at)

    @property
    def plan(self) -> CompactionPlan | None:
        """The plan of a compaction at the leaf."""
        outcome = self.outcome
        return outcome if isinstance(outcome, CompactionPlan) else None

    @property
    def move(self) -> NavigationPlan | Failure | None:
        """What going to the target would do; None without a target."""
        if self.target is None:
            return None
        return _navigation(self.session, self.leaf, self.target, self.rules, self.settings)

    @property
    def shape(self) -> Shape:
        """The order of the whole tree."""
        return _shape(self.session, self.leaf)

    @cached_property
    def states(self) -> Mapping[int, str]:
        """The mark of each entry under the lens; entries that are not named have a mark by their place alone."""
        if self.lens == "compaction" and self.plan is not None:
            return {index: status.value for index, status in compaction_statuses(self.plan).items()}
        if self.lens == "branch":
            return _branch_states(self.move, self.session)
        return {}

    def state_of(self, index: int) -> str:
        """The mark of an entry."""
        named = self.states.get(index)
        if named is not None:
            return named
        if index not in self.on_path:
            return "abandoned"
        return "path" if index in self.in_context else "gone"

    @property
    def pinned(self) -> frozenset[int]:
        """Entries that show under every filter: what the lens speaks of, and search hits."""
        pinned = {*self.hits} if self.query else set()
        if self.lens == "compaction" and self.plan is not None:
            pinned.add(self.plan.first_kept)
            pinned |= {self.plan.turn_start} if self.plan.turn_start is not None else set()
        move = self.move
        if isinstance(move, NavigationPlan):
            places = (move.target, move.common_ancestor, move.new_leaf)
            pinned |= {place for place in places if place is not None}
        return frozenset(pinned)

    @property
    def rows(self) -> Rows:
        """What shows of the tree."""
        folds = self.folds
        if folds:
            # A fold whose own row the filter hides would hide what is below it without a word.
            unfolded = _rows(self.shape, self.filter, frozenset(), self.pinned)
            folds = frozenset(index for index in folds if unfolded.row_of(index) is not None)
        return _rows(self.shape, self.filter, folds, self.pinned)


@lru_cache(maxsize=4)
def _path(session: Session, leaf: int | None) -> Sequence[int]:
    return session.path(leaf)


@lru_cache(maxsize=4)
def _path_set(session: Session, leaf: int | None) -> frozenset[int]:
    return frozenset(_path(session, leaf))


@lru_cache(maxsize=4)
def _context_set(session: Session, leaf: int | None, rules: Rules) -> frozenset[int]:
    return frozenset(context_indices(session, _path(session, leaf), rules))


@lru_cache(maxsize=8)
def _compaction(
    session: Session, leaf: int | None, rules: Rules, settings: Settings, cut_at: int | None
) -> CompactionPlan | Failure:
    leaf_id = None if leaf is None else session.id_of(leaf)
    try:
        plan = plan_compaction(session, leaf_id, rules, settings, cut_at)
    except PiFails as failure:
        return Failure(f"pi itself fails here. {failure}")
    except CutNotPossible as failure:
        return Failure(str(failure))
    return plan or Failure(why_no_plan(session, leaf_id, settings))


@lru_cache(maxsize=8)
def _navigation(
    session: Session, leaf: int | None, target: int, rules: Rules, settings: Settings
) -> NavigationPlan | Failure:
    leaf_id = None if leaf is None else session.id_of(leaf)
    try:
        plan = plan_navigation(session, leaf_id, session.id_of(target), rules, settings)
        _ = plan.carried
    except PiFails as failure:
        return Failure(f"pi itself fails here. {failure}")
    except NavigationError as error:
        return Failure(str(error))
    return plan


@lru_cache(maxsize=4)
def _shape(session: Session, leaf: int | None) -> Shape:
    return shape_of(session, leaf)


@lru_cache(maxsize=8)
def _rows(shape: Shape, name: Filter, folds: frozenset[int], pinned: frozenset[int]) -> Rows:
    return visible_rows(shape, name, folds, pinned)


def _branch_states(move: NavigationPlan | Failure | None, session: Session) -> dict[int, str]:
    if not isinstance(move, NavigationPlan):
        return {}
    states = dict.fromkeys(session.path(move.target), "target_path")
    if move.common_ancestor is not None:
        states |= dict.fromkeys(session.path(move.common_ancestor), "path")
        states[move.common_ancestor] = "ancestor"
    states |= {index: FATE_STATES[fate] for index, fate in zip(move.entries, move.carried.fates, strict=True)}
    return states | {move.target: "target"}
