"""A draft: a summary for a plan, not yet committed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import Enum

from pitree.planning.compaction import CompactionPlan
from pitree.session.javascript import JSON, stringify


class Fit(Enum):
    """Whether a draft is about what a plan would summarize."""

    EXACT = "fits"
    STILL = "still fits"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary for a plan.

    Attributes:
        text: All of it, without the file lists, which are added at the commit.
        origin: Who wrote it: `extract`, `recorded`, or a model's name.
        cut_id: The first kept entry that it was made for.
        digest: Of what it summarizes.
        complete: It was written to its end and may be committed.
        note: Why it is not complete, or what else is to be known; "" for nothing.
        usage: What it has used, in pi's form, or None.
        instructions: What it was told to pay attention to.
        edited: A person has changed it.
        made_ms: When it was made, in milliseconds since 1970.
    """

    text: str
    origin: str
    cut_id: str
    digest: str
    complete: bool = True
    note: str = ""
    usage: JSON = None
    instructions: str = ""
    edited: bool = False
    made_ms: int = 0

    def with_text(self, text: str) -> Draft:
        """The draft as a person has edited it, who then answers for its being complete."""
        return self if text == self.text else replace(self, text=text, edited=True, complete=True, note="")


def digest_of(plan: CompactionPlan) -> str:
    """Names what a plan would summarize: the same for the same messages and the same earlier summary."""
    digest = hashlib.sha256(stringify([plan.rules.name, plan.previous_summary]).encode("utf-8", "replace"))
    for message in (*plan.summarized, None, *plan.prefix):
        entry = None if message is None or message.entry is None else plan.session.id_of(message.entry)
        digest.update(stringify([entry, message is None]).encode("utf-8", "replace"))
    return digest.hexdigest()[:16]


def fit(draft: Draft, plan: CompactionPlan) -> Fit:
    """Whether a draft can be committed for a plan of its own cut.

    Args:
        draft: The draft.
        plan: The plan with its cut at the draft's first kept entry.
    """
    if draft.digest != digest_of(plan):
        return Fit.REDO
    return Fit.EXACT if plan.cut.landing.by_pi else Fit.STILL
