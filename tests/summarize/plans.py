"""Plans to summarize: those of the demos, and those of a few messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitree.lessons.demos import DEMOS
from pitree.planning.branch import NavigationPlan, plan_navigation
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.session.load import session_from_bytes
from tests.planning.drawing import sure
from tests.session.build import Value, chain, message, said, session_of

NEW = RULES["1.6"]
FOLDER = "/w"
_KEPT = said("user", 100, "k")


def demo_plan(name: str, rules: Rules = NEW) -> CompactionPlan | None:
    """The compaction of a demo at the leaf where it stands."""
    demo = DEMOS[name]
    session = session_from_bytes(demo.build())
    settings = Settings(
        reserve_tokens=demo.reserve_tokens or 16384,
        keep_recent_tokens=demo.keep_recent_tokens or 20000,
        context_window=demo.context_window or 200_000,
    )
    return plan_compaction(session, demo.leaf_id or session.leaf_id, rules, settings)


def demo_move(name: str, rules: Rules = NEW) -> NavigationPlan | None:
    """The move of a demo that is about leaving a branch."""
    demo = DEMOS[name]
    session = session_from_bytes(demo.build())
    return None if demo.target_id is None else plan_navigation(session, demo.leaf_id, demo.target_id, rules, Settings())


def history(*values: Value, previous: str | None = None, rules: Rules = NEW) -> CompactionPlan:
    """A plan that summarizes just these entries as its history, carrying an earlier summary on."""
    first: list[Value] = []
    if previous is not None:
        first = [{"type": "compaction", "summary": previous, "firstKeptEntryId": "none", "tokensBefore": 1}]
    return _planned([*first, *values, _KEPT], rules)


def prefix(*values: Value, rules: Rules = NEW) -> CompactionPlan:
    """A plan that summarizes just these entries as the beginning of a turn that is split."""
    return _planned([*values, said("assistant", 100, "k")], rules)


def _planned(values: Sequence[Value], rules: Rules) -> CompactionPlan:
    session = session_of(chain(values))
    return sure(plan_compaction(session, session.leaf_id, rules, Settings(keep_recent_tokens=100)))


def user(text: str) -> Value:
    return message("user", [{"type": "text", "text": text}])


def assistant(text: str, *calls: Value) -> Value:
    blocks = [{"type": "text", "text": text}] if text else []
    return message("assistant", [*blocks, *calls])


def ran(name: str, output: str, *, failed: bool = False, about: str = "", **arguments: Any) -> list[Value]:
    """A call and its result, as two entries."""
    identity = f"{name} {output} {arguments}"
    call = {"type": "toolCall", "id": identity, "name": name, "arguments": arguments}
    content = [{"type": "text", "text": output}]
    result = message("toolResult", content, toolCallId=identity, toolName=name, isError=failed)
    return [assistant(about, call), result]


def sections(text: str) -> dict[str, list[str]]:
    """The lines below each heading of a summary."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            found[line.lstrip("# ")] = []
        elif line and found:
            found[list(found)[-1]].append(line)
    return found
