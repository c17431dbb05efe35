"""What fills a context, by category, in pi's estimated tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.context.switches import ContextSwitches
from pitree.context.tokens import IMAGE_UNITS, estimate_or_nan
from pitree.session.javascript import JSON, UNDEFINED, get, length, stringify_length

CATEGORIES = ("system", "summaries", "user", "assistant", "thinking", "tool_calls", "tool_results", "images")

_WHOLE = {
    "system": "system",
    COMPACTION_SUMMARY: "summaries",
    BRANCH_SUMMARY: "summaries",
    "user": "user",
    "custom": "user",
    "bashExecution": "user",
    "toolResult": "tool_results",
}


def shares(messages: Iterable[Message], rules: ContextSwitches) -> dict[str, int]:
    """Tokens by category; together they are the estimate of all messages that pi can count."""
    total: Counter[str] = Counter()
    for message in messages:
        tokens = estimate_or_nan(message, rules)
        if tokens == tokens and tokens:
            total.update(_split(message, int(tokens)))
    return {name: total[name] for name in CATEGORIES if total[name]}


def _split(message: Message, tokens: int) -> dict[str, int]:
    """The tokens of a message divided by the UTF-16 units of its parts; the largest part takes what is left over."""
    role = message.role
    units = _assistant(message) if role == "assistant" else _with_images(message, _WHOLE.get(role, "user"))
    whole = sum(units.values())
    if not whole:
        return {}
    parts = {name: tokens * count // whole for name, count in units.items()}
    largest = max(parts, key=lambda name: parts[name])
    parts[largest] += tokens - sum(parts.values())
    return parts


def _assistant(message: Message) -> Counter[str]:
    units: Counter[str] = Counter()
    for block in _blocks(message):
        kind = get(block, "type")
        if kind == "text":
            units["assistant"] += _units(get(block, "text"))
        elif kind == "thinking":
            units["thinking"] += _units(get(block, "thinking"))
        elif kind == "toolCall" and get(block, "arguments") is not UNDEFINED:
            units["tool_calls"] += _units(get(block, "name")) + int(stringify_length(get(block, "arguments")))
    return units


def _with_images(message: Message, name: str) -> Counter[str]:
    images = sum(get(block, "type") == "image" for block in _blocks(message))
    if not images:
        return Counter({name: 1})
    texts = sum(_units(get(block, "text")) for block in _blocks(message) if get(block, "type") == "text")
    return Counter({"images": images * IMAGE_UNITS, name: texts})


def _blocks(message: Message) -> list[JSON]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _units(value: JSON) -> int:
    return int(length(value)) if isinstance(value, str) else 0
