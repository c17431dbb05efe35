"""pi's estimate of tokens (`estimateTokens`): UTF-16 units of a message divided by four, rounded up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pitree.context.messages import Message
from pitree.context.switches import ContextSwitches
from pitree.session.javascript import (
    JSON,
    entries_of,
    get,
    length,
    nullish,
    stringify_length,
    to_string,
    truthy,
)
from pitree.session.problems import PiFails

IMAGE_UNITS = 4800
"""What an image counts in place of UTF-16 units."""


def estimate(message: Message, rules: ContextSwitches) -> float:
    """The estimated tokens of a message: an int, or NaN where pi's own arithmetic gives none.

    Raises:
        PiFails: when pi itself throws on the message.
    """
    role = message.role
    count = _COUNTS.get(role) if isinstance(role, str) else None
    if count is None or (role == "system" and not rules.system_messages):
        return 0
    try:
        units = count(message)
    except TypeError as error:
        raise PiFails(f"A message of the role {role} that pi cannot count: {error}.", message.entry) from None
    return math.ceil(units / 4) if math.isfinite(units) else units


def estimate_all(messages: Sequence[Message], rules: ContextSwitches) -> float:
    """The sum of the estimates.

    Raises:
        PiFails: when pi itself throws on one of them.
    """
    return sum(estimate(message, rules) for message in messages)


def estimate_or_nan(message: Message, rules: ContextSwitches) -> float:
    """The estimate, NaN also where pi throws: for showing."""
    try:
        return estimate(message, rules)
    except PiFails:
        return math.nan


def _content_units(content: JSON) -> float:
    if isinstance(content, str):
        return length(content)
    units: float = 0
    for block in _iterate(content):
        if _field(block, "type") == "text" and truthy(get(block, "text")):
            units += length(get(block, "text"))
        elif get(block, "type") == "image":
            units += IMAGE_UNITS
    return units


def _iterate(value: JSON) -> Sequence[JSON]:
    """What `for (const x of value)` runs over."""
    if isinstance(value, list | str):
        return value
    raise TypeError("its content is no list")


def _field(block: JSON, key: str) -> JSON:
    """`block[key]`, which JavaScript refuses for null."""
    if nullish(block):
        raise TypeError("a block is null")
    return get(block, key)


def _user(message: Message) -> float:
    return _content_units(message.get("content"))


def _assistant(message: Message) -> float:
    units: float = 0
    for block in _iterate(message.get("content")):
        kind = _field(block, "type")
        if kind == "text" or kind == "thinking":
            units += length(get(block, kind))
        elif kind == "toolCall":
            units += length(get(block, "name")) + stringify_length(get(block, "arguments"))
    return units


def _bash(message: Message) -> float:
    return length(message.get("command")) + length(message.get("output"))


def _summary(message: Message) -> float:
    return length(message.get("summary"))


def _system(message: Message) -> float:
    units = _content_units(message.get("content"))
    sections = message.get("sections")
    if truthy(sections):
        units += sum(length(text) for _, text in entries_of(sections) if truthy(text))
    tools = message.get("toolsAdded")
    return units + stringify_length(tools) if truthy(tools) else units


_COUNTS: dict[str, Callable[[Message], float]] = {
    "user": _user,
    "custom": _user,
    "toolResult": _user,
    "assistant": _assistant,
    "bashExecution": _bash,
    "branchSummary": _summary,
    "compactionSummary": _summary,
    "system": _system,
}


def text_of(content: JSON, separator: str) -> str:
    """The text blocks of a content joined; a text is itself.

    Raises:
        TypeError: for what JavaScript cannot filter.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise TypeError("its content is no list")
    texts = [get(block, "text") for block in content if _field(block, "type") == "text"]
    return separator.join("" if nullish(text) else to_string(text) for text in texts)
