"""How the parts of a summary become the text that is stored (pi's `compact`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pitree.context.file_operations import file_tags
from pitree.planning.compaction import CompactionPlan
from pitree.session.javascript import JSON, to_string, truthy

Part = Literal["history", "prefix", "branch"]
"""Which part of a summary a request asks for."""
NO_PRIOR_HISTORY: Final = "No prior history."
NO_CONTENT: Final = "No content to summarize"
_SPLIT = "\n\n---\n\n**Turn Context (split turn):**\n\n"


def join_parts(plan: CompactionPlan, texts: Mapping[Part, str]) -> str:
    """The text of a compaction's summary from its parts `history` and `prefix`, without the file lists.

    While the prefix has not begun to arrive the history stands alone. Where a split turn has no history of its own the
    earlier summary is kept under both rules; pi 0.84 loses it there.
    """
    if not plan.is_split_turn or (plan.summarized and "prefix" not in texts):
        return texts.get("history", "")
    earlier = to_string(plan.previous_summary) if truthy(plan.previous_summary) else NO_PRIOR_HISTORY
    history = texts.get("history", "") if plan.summarized else earlier
    return f"{history}{_SPLIT}{texts.get('prefix', '')}"


def stored_summary(text: str, read_files: Iterable[JSON], modified_files: Iterable[JSON]) -> str:
    """The text as it is written to the file: the file lists stand at its end."""
    return text + file_tags(read_files, modified_files)
