"""What a plan means for each entry of its path, for marking rows."""

from __future__ import annotations

from enum import Enum

from pitree.planning.compaction import CompactionPlan
from pitree.session.entries import Kind


class Status(Enum):
    """What becomes of an entry on the path when a compaction is made."""

    GONE = "gone"
    SUMMARIZED = "summarized"
    PREFIX = "prefix"
    KEPT = "kept"
    UNSEEN = "unseen"


def compaction_statuses(plan: CompactionPlan) -> dict[int, Status]:
    """The status of every entry on the path, by index.

    Entries that an earlier compaction already took out of the context are gone; what puts no message there is not seen
    by the model; the previous compaction itself is gone, since its summary is carried on in the new one.
    """
    statuses = dict.fromkeys(plan.path, Status.GONE)
    cut, start = plan.cut.at, plan.cut.turn_start
    for at in range(plan.boundary, len(plan.items)):
        item = plan.items[at]
        if item.entry.kind is Kind.COMPACTION:
            continue
        if not item.messages or (plan.rules.system_messages and item.entry.kind is Kind.SYSTEM):
            statuses[item.entry.index] = Status.UNSEEN
        elif at >= cut:
            statuses[item.entry.index] = Status.KEPT
        elif start is not None and at >= start:
            statuses[item.entry.index] = Status.PREFIX
        else:
            statuses[item.entry.index] = Status.SUMMARIZED
    return statuses
