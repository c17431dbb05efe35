"""The object that `pitree compact --json` prints: what was written or would be, where, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.cli.commit_offer import Offer
from pitree.cli.compact_report import estimates
from pitree.planning.commit import Check
from pitree.planning.compaction import CompactionPlan
from pitree.session.javascript import JSON, UNDEFINED, stringify
from pitree.store.commit import Where, Written, pi_command

SCHEMA = 1
_PLACES = {Where.HERE: "file", Where.COPY: "copy", Where.FORK: "fork"}


def nothing_object(file: str, reason: str, checks: Sequence[Check]) -> dict[str, JSON]:
    """The object where there is nothing to compact."""
    start = {"file": file, "schema": SCHEMA, "written": False, "reason": reason}
    return {**start, "compaction": None, "checks": _checks(checks)}


def offer_object(file: str, offer: Offer, written: Written | None, reason: str) -> dict[str, JSON]:
    """The object for a compaction.

    Args:
        file: As the person named it.
        offer: What would be committed.
        written: What was committed, if it was.
        reason: Why nothing was written, or what went wrong with it; "" where all is well.
    """
    before, after = estimates(offer)
    path = offer.path if written is None else written.path
    entry = offer.entry if written is None else written.entry
    return {
        "file": file,
        "schema": SCHEMA,
        "written": written is not None,
        "reason": reason or None,
        "destination": _PLACES[offer.destination.where],
        "path": None if path is None else str(path),
        "command": None if path is None else pi_command(path),
        "rules": offer.inspection.rules.name,
        "compaction": _plan(offer.made.plan),
        "draft": {"origin": offer.made.draft.origin, "instructions": offer.made.draft.instructions},
        "context": {"before": before, "after": after},
        "checks": _checks(offer.checks),
        "entry": entry,
        "line": f"{stringify(entry)}\n",
    }


def _checks(checks: Sequence[Check]) -> JSON:
    return [{"kind": check.kind, "message": check.message, "blocks": check.blocks} for check in checks]


def _plan(plan: CompactionPlan) -> dict[str, JSON]:
    start = plan.turn_start
    return {
        "leafId": _plain(plan.session.id_of(plan.path[-1])),
        "firstKeptEntryId": _plain(plan.first_kept_id),
        "isSplitTurn": plan.is_split_turn,
        "turnStartId": None if start is None else _plain(plan.session.id_of(start)),
        "summarizedMessages": len(plan.summarized),
        "prefixMessages": len(plan.prefix),
        "cut": plan.cut.landing.value,
    }


def _plain(value: JSON) -> JSON:
    return None if value is UNDEFINED else value
