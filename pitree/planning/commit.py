"""What committing a draft would append, what the context would be then, and what speaks against it: all pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitree.context.messages import Message
from pitree.context.system import replay_system
from pitree.context.tokens import estimate_or_nan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft, digest_of
from pitree.planning.effects import context_after_compaction
from pitree.planning.summary_text import stored_summary
from pitree.session import new_entries
from pitree.session.describe import tool_calls
from pitree.session.javascript import JSON, UNDEFINED, get, map_key, to_number, truthy, utf16_length


@dataclass(frozen=True, slots=True)
class Check:
    """Something that speaks against a commit.

    Attributes:
        kind: A short name.
        message: What, and what to do, in one sentence.
        blocks: It must not be committed; otherwise a person may go on knowingly.
    """

    kind: str
    message: str
    blocks: bool = False


def block(kind: str, message: str) -> Check:
    """A check that blocks."""
    return Check(kind, message, blocks=True)


@dataclass(frozen=True, eq=False)
class CompactionCommit:
    """A draft of a compaction on its way into a file.

    Attributes:
        entry: The entry, keys in pi's order.
        line: Its exact bytes, newline included.
        after: The context once it is the leaf.
        checks: What speaks against it, as far as the session itself tells.
    """

    plan: CompactionPlan
    draft: Draft
    entry: dict[str, JSON]
    line: bytes
    after: Sequence[Message]
    checks: Sequence[Check]


def compaction_commit(plan: CompactionPlan, draft: Draft, *, entry_id: str, ms: int) -> CompactionCommit:
    """What committing a draft for a plan would append.

    Args:
        plan: The compaction, with its cut where the draft has it.
        draft: The summary.
        entry_id: A fresh id.
        ms: Now, in milliseconds since 1970.

    Raises:
        PiFails: when pi itself throws on what the plan holds.
    """
    read_files, modified_files = plan.files
    summary = stored_summary(draft.text, read_files, modified_files)
    system = replay_system(plan.projection.messages) if plan.rules.system_messages else None
    entry = new_entries.compaction(
        entry_id=entry_id,
        parent_id=plan.session.id_of(plan.path[-1]),
        ms=ms,
        summary=summary,
        first_kept_id=plan.first_kept_id,
        tokens_before=_numeric(plan.size.tokens),
        details={"readFiles": read_files, "modifiedFiles": modified_files},
        usage=UNDEFINED if draft.usage is None else draft.usage,
        system_message=None if system is None else system.value,
    )
    after = context_after_compaction(plan, summary)
    checks = tuple(_checks(plan, draft, summary, after))
    return CompactionCommit(plan, draft, entry, new_entries.line_of(entry), after, checks)


def _numeric(tokens: JSON) -> float:
    """pi fails on a compaction whose `tokensBefore` is no number, also where it would write none itself."""
    number = to_number(tokens) if isinstance(tokens, int | float) else math.nan
    return number if math.isfinite(number) else 0


def _checks(plan: CompactionPlan, draft: Draft, summary: str, after: Sequence[Message]) -> Iterator[Check]:
    if not draft.text.strip():
        yield block("empty", "The draft is empty: write something, or take another draft.")
    if not draft.complete:
        yield block("incomplete", f"The draft is not complete ({draft.note}): edit it, or try again.")
    if draft.digest != digest_of(plan):
        yield block("redo", "The draft is about other entries than this plan: make a new one.")
    if not truthy(plan.session.id_of(plan.path[-1])):
        yield block("leaf", "The leaf has no usable id, so nothing can hang below it.")
    replaced = replaced_tokens(plan)
    written = -(-utf16_length(summary) // 4)
    if written > replaced:
        yield Check("larger", f"The summary (est {written:,}) is larger than what it replaces (est {replaced:,}).")
    yield from _dangling(after)


def replaced_tokens(plan: CompactionPlan) -> int:
    """The estimate of what a compaction takes out of the context, the earlier summary included."""
    gone = [*plan.summarized, *plan.prefix]
    if plan.previous is not None:
        gone += [m for item in plan.projection.items if item.entry.index == plan.previous for m in item.messages]
    total = sum(estimate_or_nan(message, plan.rules) for message in gone if message.role != "system")
    return int(total) if math.isfinite(total) else 0


def _dangling(after: Sequence[Message]) -> Iterator[Check]:
    """Results without their call, and calls without a result, in what is kept."""
    called: set[object] = set()
    answered: set[object] = set()
    for message in after:
        if message.role == "assistant":
            called |= {map_key(get(call, "id")) for call in tool_calls(message.value)}
        elif message.role == "toolResult":
            answered.add(map_key(message.get("toolCallId")))
    if answered - called:
        yield Check("orphan-results", f"{_count(len(answered - called), 'kept tool result')} lost the call before it.")
    if called - answered:
        yield Check("open-calls", f"{_count(len(called - answered), 'kept tool call')} without a result.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
