"""Sessions drawn as rows of cells: u user, a assistant, t tool result; each counts 100 tokens."""

from __future__ import annotations

from typing import Any

from pitree.planning.branch import NavigationPlan, plan_navigation
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.session import Session
from tests.session.build import Value, chain, said, session_of, stamp

ROLES = {"u": "user", "a": "assistant", "t": "toolResult"}
LABEL: Value = {"type": "label", "targetId": "e1", "label": "x"}


def cells(letters: str) -> list[Value]:
    """One message of 100 tokens for each letter."""
    return [said(ROLES[letter], 100) for letter in letters]


def omission(target: str) -> Value:
    """An edit that omits an entry."""
    return {"type": "context_edit", "targetId": target, "replacement": None}


def planned(values: list[Value], keep: int, rules: Rules) -> CompactionPlan | None:
    """The plan at the end of entries e1, e2, ... in a line."""
    session = session_of(chain(values))
    return plan_compaction(session, session.leaf_id, rules, Settings(keep_recent_tokens=keep))


def sure(plan: CompactionPlan | None) -> CompactionPlan:
    assert plan is not None
    return plan


def named(parents: str, bodies: list[Value]) -> Session:
    """A tree of entries A, B, ...; `parents` names the parent of each by its letter, `-` for a root."""
    values = [
        {**body, "id": "ABCDEFGHIJ"[n], "parentId": None if parents[n] == "-" else parents[n], "timestamp": stamp(n)}
        for n, body in enumerate(bodies)
    ]
    return session_of(values)


def moved(session: Session, leaf: Any, target: Any, rules: Rules, budget: int = 183_616) -> NavigationPlan:
    """The move from a leaf to a target with so many tokens for the summary request."""
    return plan_navigation(session, leaf, target, rules, Settings(context_window=budget + 16_384))


def names(session: Session, indices: Any) -> str:
    """The letters of entries."""
    return "".join(session.id_of(index) for index in indices)
