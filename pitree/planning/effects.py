"""The context after a plan has been committed."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.context.projection import project, project_entries, without_system
from pitree.context.system import replay_system
from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.session.entries import Entry, Kind
from pitree.session.javascript import JSON, truthy


def context_after_compaction(plan: CompactionPlan, summary: JSON = None) -> list[Message]:
    """The messages of the context once the compaction is the leaf; those not written yet have no entry.

    Raises:
        PiFails: when pi itself throws while it replays the system messages.
    """
    kept = plan.path[list(plan.path).index(plan.first_kept) :]
    new: list[Message] = []
    if plan.rules.system_messages:
        system = replay_system(plan.projection.messages)
        new = [] if system is None else [system]
    new.append(Message({"role": COMPACTION_SUMMARY, "summary": summary}, None))
    return [*new, *_kept_messages(plan, kept)]


def _kept_messages(plan: CompactionPlan, kept: Sequence[int]) -> list[Message]:
    """What stays visible: with the new compaction before them, no compaction among them is the newest."""
    entries = plan.session.entries(without_system(plan.session, kept, plan.rules))
    newest = Entry(-1, Kind.COMPACTION, {"type": "compaction"})
    items = project_entries([newest, *entries], plan.rules)[1:]
    return [message for item in items for message in item.messages]


def _path_after_navigation(plan: NavigationPlan) -> list[int]:
    """The path above the new leaf; a summary hangs nowhere, and without one pi takes the last entry, if its id is none.

    "None" is what JavaScript takes for false.
    """
    session, leaf = plan.session, plan.new_leaf
    if leaf is None or truthy(session.id_of(leaf)):
        return session.path(leaf)
    return [] if plan.entries else session.context_path(session.id_of(leaf))


def context_after_navigation(plan: NavigationPlan, summary: JSON = None) -> list[Message]:
    """The messages of the context once the move is made, with the summary of what was left if there is any."""
    messages = project(plan.session, _path_after_navigation(plan), plan.rules).messages
    new = [Message({"role": BRANCH_SUMMARY, "summary": summary}, None)] if plan.entries else []
    return [*messages, *new]
