"""The context of a session at its end, in short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.projection import Projection, project
from pitree.context.tokens import estimate
from pitree.planning.rules import RULES, Rules
from pitree.session.session import Session
from tests.session.build import Value, chain, session_of

OLD, NEW = RULES["0.84"], RULES["1.6"]

both = pytest.mark.parametrize("rules", [OLD, NEW], ids=["0.84", "1.6"])


def text(words: str) -> Value:
    return {"type": "text", "text": words}


def line(values: Iterable[Value]) -> Session:
    """A session whose entries e1, e2, ... hang below each other."""
    return session_of(chain(values))


def context(session: Session, rules: Rules) -> Projection:
    return project(session, session.path(session.last), rules)


def weighed(messages: Iterable[Message], rules: Rules) -> list[tuple[Any, float]]:
    """Role and estimate of each message."""
    return [(message.role, estimate(message, rules)) for message in messages]


def compaction(kept: str, **more: Any) -> Value:
    """A compaction whose summary counts 2 tokens."""
    return {"type": "compaction", "summary": "S" * 8, "firstKeptEntryId": kept, "tokensBefore": 7, **more}


def edit(target: str, content: Any = None) -> Value:
    """A context edit: an omission without content, else a replacement."""
    return {
        "type": "context_edit",
        "targetId": target,
        "replacement": None if content is None else {"content": content},
    }
