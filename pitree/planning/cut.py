"""Where a compaction cuts (pi's `findCutPoint`): the walk back from the newest entry, and what each rule did.

The walk adds estimates until they reach `keepRecentTokens`; the cut then falls on a message that may stand first in a
context, slides back over entries that the model does not see, and may split a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pitree.context.messages import entry_messages
from pitree.context.projection import Projected
from pitree.context.tokens import estimate_all
from pitree.planning.rules import Rules
from pitree.session.entries import Kind
from pitree.session.javascript import map_key

TURN_STARTS: Final = frozenset({"user", "bashExecution", "custom", "branchSummary", "compactionSummary"})
"""Roles that start a turn."""
CUT_ROLES: Final = TURN_STARTS | {"assistant"}
"""Roles that may stand first after a cut: never a tool result."""


class Landing(Enum):
    """How the cut point was chosen."""

    AT_OR_AFTER = "the first cut point at or after the entry that reached keepRecentTokens"
    LAST = "no cut point at or after the entry that reached keepRecentTokens: the last cut point"
    FIRST = "no cut point at or after the entry that reached keepRecentTokens: the first cut point"
    NOT_REACHED = "the walk never reached keepRecentTokens: the first cut point"
    NO_CUT_POINT = "there is no cut point: the boundary of the search"
    CHOSEN = "chosen by hand"

    @property
    def by_pi(self) -> bool:
        """Whether pi itself would cut there."""
        return self is not Landing.CHOSEN


class CutNotPossible(ValueError):
    """No cut can be made at an entry; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the walk back.

    Attributes:
        at: Place of the entry among the items.
        tokens: Its estimate; steps of 0 tokens are not counted.
        total: The sum so far, this entry included.
    """

    at: int
    tokens: float
    total: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the cut falls among the items, and why.

    Attributes:
        at: Place of the first entry that is kept; past the end where there are no items.
        turn_start: Place of the entry that starts the turn that is split, or None.
        steps: The walk back, newest first, up to the entry that reached the budget.
        reached: Place of that entry, or None.
        landing: How the cut point was chosen.
        cut_point: Place of the cut point before the slide.
        passed_omissions: The cut was moved past an attempt that edits omit altogether.
    """

    at: int
    turn_start: int | None
    steps: tuple[Step, ...]
    reached: int | None
    landing: Landing
    cut_point: int
    passed_omissions: bool

    @property
    def slid_over(self) -> int:
        """How many entries that the model does not see the cut slid back over."""
        return self.cut_point + self.passed_omissions - self.at


def find_cut(items: Sequence[Projected], boundary: int, keep_recent_tokens: float, rules: Rules) -> Cut:
    """The cut among items, looked for from the newest back to the boundary.

    Raises:
        PiFails: when pi itself throws on a message of the walk.
    """
    points = [at for at in range(boundary, len(items)) if is_cut_point(items[at])]
    if not points:
        return Cut(boundary, None, (), None, Landing.NO_CUT_POINT, boundary, passed_omissions=False)
    steps, reached = _walk(items, boundary, keep_recent_tokens, rules)
    point, landing = _choose(points, reached, rules)
    passed = reached is not None and rules.recovery_omissions and _is_omitted_attempt(items, point, rules)
    at = _slide(items, point + passed, boundary)
    return Cut(at, _turn_start(items, at, boundary), steps, reached, landing, point, passed)


def cut_by_hand(items: Sequence[Projected], boundary: int, entry: int) -> Cut:
    """The cut at an entry that a person has chosen, with the slide and the turn start as pi would have them.

    Raises:
        CutNotPossible: where pi could never cut.
    """
    at = next((at for at in range(len(items)) if items[at].entry.index == entry), None)
    if at is None or (items[at].entry.kind is Kind.COMPACTION and at >= boundary):
        raise CutNotPossible("This entry is not in the context, so nothing can be kept from it on.")
    if at < boundary:
        raise CutNotPossible("This entry lies before what the last compaction kept.")
    if not is_cut_point(items[at]):
        raise CutNotPossible("pi cuts only before user, assistant, bash and custom messages and branch summaries.")
    slid = _slide(items, at, boundary)
    return Cut(slid, _turn_start(items, slid, boundary), (), None, Landing.CHOSEN, at, passed_omissions=False)


def is_cut_point(item: Projected) -> bool:
    """Whether a context may begin with this entry after a cut."""
    return item.entry.kind is not Kind.COMPACTION and any(
        _has_role(message.role, CUT_ROLES) for message in item.messages
    )


def starts_turn(item: Projected) -> bool:
    """Whether a turn begins with this entry."""
    is_compaction = item.entry.kind is Kind.COMPACTION
    return not is_compaction and any(_has_role(message.role, TURN_STARTS) for message in item.messages)


def _has_role(role: object, roles: frozenset[str]) -> bool:
    return isinstance(role, str) and role in roles


def _walk(
    items: Sequence[Projected], boundary: int, budget: float, rules: Rules
) -> tuple[tuple[Step, ...], int | None]:
    steps: list[Step] = []
    total: float = 0
    for at in range(len(items) - 1, boundary - 1, -1):
        tokens = estimate_all(items[at].messages, rules)
        if tokens == 0:
            continue
        total += tokens
        steps.append(Step(at, tokens, total))
        if total >= budget:
            return tuple(steps), at
    return tuple(steps), None


def _choose(points: Sequence[int], reached: int | None, rules: Rules) -> tuple[int, Landing]:
    if reached is None:
        return points[0], Landing.NOT_REACHED
    later = next((point for point in points if point >= reached), None)
    if later is not None:
        return later, Landing.AT_OR_AFTER
    return (points[-1], Landing.LAST) if rules.last_cut_point else (points[0], Landing.FIRST)


def _is_omitted_attempt(items: Sequence[Projected], point: int, rules: Rules) -> bool:
    """Whether all that follows the cut point is an attempt of the assistant that edits omit, with its bookkeeping.

    pi omits a failed attempt by edits before it tries again; the input before it has then been answered by nothing the
    model sees, and may be summarized. An edit that replaces something else in between speaks against it.
    """
    suffix = items[point + 1 :]
    seen = [_is_seen_without_edits(item, rules) for item in suffix]
    omitted = {
        map_key(item.entry.id) for item, visible in zip(suffix, seen, strict=True) if visible and not item.messages
    }
    replaces_other = any(
        item.entry.kind is Kind.CONTEXT_EDIT
        and item.entry.get("replacement") is not None
        and map_key(item.entry.get("targetId")) not in omitted
        for item in suffix
    )
    closed = all(
        item.entry.kind is not Kind.COMPACTION and (not visible or not item.messages)
        for item, visible in zip(suffix, seen, strict=True)
    )
    has_attempt = any(item.entry.kind is Kind.ASSISTANT and not item.messages for item in suffix)
    return has_attempt and closed and not replaces_other


def _is_seen_without_edits(item: Projected, rules: Rules) -> bool:
    return item.entry.kind is not Kind.CONTEXT_EDIT and bool(entry_messages(item.entry, rules))


def _slide(items: Sequence[Projected], at: int, boundary: int) -> int:
    """Back over entries that the model does not see; a compaction or a message stops the slide."""
    while at > boundary and items[at - 1].entry.kind is not Kind.COMPACTION and not items[at - 1].messages:
        at -= 1
    return at


def _turn_start(items: Sequence[Projected], at: int, boundary: int) -> int | None:
    if at >= len(items) or starts_turn(items[at]):
        return None
    return next((start for start in range(at, boundary - 1, -1) if starts_turn(items[start])), None)
