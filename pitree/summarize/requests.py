"""From a plan to the requests for its summary: one, or two where a turn is split.

Source of the rules: pi's `compact` and `generateBranchSummary`. The frame around the conversation, where the focus goes
and how much may be answered are pi's; the instructions are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.rules import Rules
from pitree.planning.summary_text import Part
from pitree.session.javascript import to_string, truthy
from pitree.summarize.prompts import Prompts, built_in

HISTORY_SHARE = 0.8
PREFIX_SHARE = 0.5
BRANCH_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One request: a system text and one message of the user with one text.

    Attributes:
        part: Which part of the summary is asked for.
        system: The system text.
        prompt: The whole text of the message.
        conversation: The conversation text inside it, byte for byte pi's.
        max_tokens: The most that may be answered, None for the model's own limit.
    """

    part: Part
    system: str
    prompt: str
    conversation: str
    max_tokens: int | None


def prompts_for(rules: Rules) -> Prompts:
    """Our prompts under a set of rules."""
    return built_in(rules.prefix_headings)


def compaction_requests(
    plan: CompactionPlan, instructions: str = "", prompts: Prompts | None = None
) -> tuple[SummaryRequest, ...]:
    """The requests for the summary of a compaction: the history where there is one, then the turn prefix.

    Args:
        plan: The compaction.
        instructions: What to pay attention to; "" for nothing special.
        prompts: In place of ours.

    Raises:
        PiFails: when pi itself throws on one of the messages.
    """
    prompts = prompts or prompts_for(plan.rules)
    history = (_history(plan, instructions, prompts),) if plan.summarized or not plan.is_split_turn else ()
    return (*history, _prefix(plan, instructions, prompts)) if plan.is_split_turn else history


def branch_requests(
    plan: NavigationPlan, instructions: str = "", prompts: Prompts | None = None
) -> tuple[SummaryRequest, ...]:
    """The request for the summary of a branch that is left; none where there is nothing to summarize.

    Raises:
        PiFails: when pi itself throws on one of the messages.
    """
    if not plan.carried.messages:
        return ()
    prompts = prompts or prompts_for(plan.rules)
    text = plan.conversation_text()
    prompt = f"{_framed(text)}{with_focus(prompts.branch, instructions)}"
    limit = BRANCH_TOKENS if plan.rules.fixed_answer_limits else None
    return (SummaryRequest("branch", prompts.system, prompt, text, limit),)


def _history(plan: CompactionPlan, instructions: str, prompts: Prompts) -> SummaryRequest:
    text = plan.conversation_text()
    previous = to_string(plan.previous_summary) if truthy(plan.previous_summary) else ""
    earlier = f"<previous-summary>\n{previous}\n</previous-summary>\n\n" if previous else ""
    task = with_focus(prompts.update if previous else prompts.first, instructions)
    limit = _limit(plan, HISTORY_SHARE)
    return SummaryRequest("history", prompts.system, f"{_framed(text)}{earlier}{task}", text, limit)


def _prefix(plan: CompactionPlan, instructions: str, prompts: Prompts) -> SummaryRequest:
    text = plan.prefix_text()
    if plan.rules.prefix_with_headings:
        task = with_focus(prompts.prefix, instructions)
        prompt = f"# Conversation\n{text}\n\n# Instructions\n{task}"
    else:
        prompt = f"{_framed(text)}{prompts.prefix}"
    return SummaryRequest("prefix", prompts.system, prompt, text, _limit(plan, PREFIX_SHARE))


def _limit(plan: CompactionPlan, share: float) -> int | None:
    return int(plan.settings.reserve_tokens * share) if plan.rules.fixed_answer_limits else None


def _framed(text: str) -> str:
    return f"<conversation>\n{text}\n</conversation>\n\n"


def with_focus(task: str, instructions: str) -> str:
    """Instructions with what to pay attention to, in pi's form."""
    return f"{task}\n\nAdditional focus: {instructions}" if instructions else task
