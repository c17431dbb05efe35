"""pi's size of a context (`estimateContextTokens`): what the provider recorded, and estimates for what came after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitree.context.messages import Message
from pitree.context.projection import Projection
from pitree.context.switches import ContextSwitches
from pitree.context.system import replay_system
from pitree.context.tokens import estimate, estimate_all
from pitree.session.entries import Kind
from pitree.session.javascript import JSON, UNDEFINED, add, get, nullish, to_number, truthy
from pitree.session.problems import PiFails
from pitree.session.session import Session


@dataclass(frozen=True, slots=True)
class ContextSize:
    """How large a context is, in tokens.

    Attributes:
        tokens: `usage` plus `trailing`; pi joins texts where usage holds texts, so it may be a str.
        usage: What the provider recorded with the last good assistant; 0 where nothing was.
        trailing: The estimate of the messages after it.
        last_usage: Place among the messages of that assistant, or None where everything is estimated.
    """

    tokens: JSON
    usage: JSON
    trailing: float
    last_usage: int | None


def recorded_tokens(usage: JSON) -> JSON:
    """The tokens of a usage record: the total, else the sum of its parts (pi's `calculateContextTokens`)."""
    total = get(usage, "totalTokens")
    if truthy(total):
        return to_number(total) if isinstance(total, int | float) else total
    result = get(usage, "input")
    for part in ("output", "cacheRead", "cacheWrite"):
        result = add(result, get(usage, part))
    return result


def good_usage(message: Message) -> JSON:
    """The usage of an assistant message that counts: not aborted, no error, not all zero; else UNDEFINED."""
    if message.role != "assistant" or message.get("stopReason") in ("aborted", "error"):
        return UNDEFINED
    usage = message.get("usage")
    return usage if truthy(usage) and to_number(recorded_tokens(usage)) > 0 else UNDEFINED


def context_size(
    session: Session, projection: Projection, rules: ContextSwitches, branch: Sequence[int] | None = None
) -> ContextSize:
    """The size of a context.

    Under the newer rules usage counts only when it was recorded after the last compaction or edit on the branch, which
    is the path of the context unless it is given: pi finds none for a leaf without an id.

    Raises:
        PiFails: when pi itself throws on a message that has to be estimated.
    """
    messages = projection.messages
    last = _last_usage(messages)
    branch = projection.path if branch is None else branch
    if last is not None and (rules.trust_usage_before_edit or _is_fresh(session, branch, messages[last])):
        usage = recorded_tokens(messages[last].get("usage"))
        trailing = estimate_all(messages[last + 1 :], rules)
        return ContextSize(add(usage, trailing), usage, trailing, last)
    if not rules.trust_usage_before_edit and last is not None:
        _fail_as_pi(messages[last + 1 :], rules)
    tokens = _estimate_replayed(messages, rules) if not rules.trust_usage_before_edit else estimate_all(messages, rules)
    return ContextSize(tokens, 0, tokens, None)


def _last_usage(messages: Sequence[Message]) -> int | None:
    return next((at for at in range(len(messages) - 1, -1, -1) if good_usage(messages[at]) is not UNDEFINED), None)


def _is_fresh(session: Session, path: Sequence[int], message: Message) -> bool:
    stale = (Kind.CONTEXT_EDIT, Kind.COMPACTION)
    changed = next((at for at in range(len(path) - 1, -1, -1) if session.kind(path[at]) in stale), -1)
    entry = message.entry
    return entry is not None and truthy(session.id_of(entry)) and entry in path and path.index(entry) > changed


def _fail_as_pi(messages: Sequence[Message], rules: ContextSwitches) -> None:
    """pi estimates these before it decides not to trust the usage; what throws there throws all the same."""
    estimate_all(messages, rules)


def _estimate_replayed(messages: Sequence[Message], rules: ContextSwitches) -> float:
    system = replay_system(messages)
    others = [message for message in messages if message.role != "system"]
    return (0 if system is None else estimate(system, rules)) + estimate_all(others, rules)


def known_size(
    session: Session, projection: Projection, rules: ContextSwitches, branch: Sequence[int] | None = None
) -> ContextSize | None:
    """The size of a context, or None where pi itself fails on it: for showing."""
    try:
        return context_size(session, projection, rules, branch)
    except PiFails:
        return None


def should_compact(tokens: JSON, window: int, reserve: int, *, enabled: bool) -> bool:
    """pi's test for auto-compaction: strictly more than the window leaves."""
    return enabled and not nullish(tokens) and to_number(tokens) > window - reserve
