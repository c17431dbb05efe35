"""The conversation as a text to summarize (pi's `serializeConversation`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pitree.context.conversion import to_model
from pitree.context.messages import Message
from pitree.context.switches import ContextSwitches
from pitree.context.tokens import text_of
from pitree.session.javascript import (
    JSON,
    entries_of,
    get,
    nullish,
    stringify,
    to_string,
    utf16_head,
    utf16_length,
    well_paired,
)
from pitree.session.problems import PiFails

RESULT_UNITS = 2000
"""How much of a tool result is printed, in UTF-16 units."""


def transcript(messages: Sequence[Message], rules: ContextSwitches) -> str:
    """The text that stands between `<conversation>` and `</conversation>`.

    Raises:
        PiFails: when pi itself throws on one of the messages.
    """
    return well_paired("\n\n".join(part for message in messages for part in _parts(message, rules)))


def _parts(message: Message, rules: ContextSwitches) -> list[str]:
    try:
        sent = to_model(message)
        writer = _WRITERS.get(sent.role) if sent else None
        return list(writer(sent, rules)) if writer and sent else []
    except TypeError as error:
        raise PiFails(f"A message that pi cannot write as text: {error}.", message.entry) from None


def _user(message: Message, _rules: ContextSwitches) -> Iterator[str]:
    text = text_of(message.get("content"), "")
    if text:
        yield f"[User]: {text}"


def _assistant(message: Message, rules: ContextSwitches) -> Iterator[str]:
    content = message.get("content")
    if not isinstance(content, list):
        raise TypeError("its content is no list")
    kinds = [_type(block) for block in content]
    if rules.thinking_in_transcript and "thinking" in kinds:
        thoughts = [get(block, "thinking") for block in content if get(block, "type") == "thinking"]
        yield "[Assistant thinking]: " + "\n".join("" if nullish(text) else to_string(text) for text in thoughts)
    if "text" in kinds:
        yield f"[Assistant]: {text_of(content, chr(10))}"
    if "toolCall" in kinds:
        yield "[Assistant tool calls]: " + "; ".join(_call(b) for b in content if get(b, "type") == "toolCall")


def _type(block: JSON) -> JSON:
    if nullish(block):
        raise TypeError("a block is null")
    return get(block, "type")


def _call(block: JSON) -> str:
    arguments = ", ".join(f"{key}={stringify(value)}" for key, value in entries_of(get(block, "arguments")))
    return f"{to_string(get(block, 'name'))}({arguments})"


def _tool_result(message: Message, rules: ContextSwitches) -> Iterator[str]:
    text = text_of(message.get("content"), "")
    if text:
        yield f"[Tool result]: {cut_result(text, rules)}"


def cut_result(text: str, rules: ContextSwitches) -> str:
    """A tool result as it is printed: its first 2000 UTF-16 units and how many were left out."""
    left_out = utf16_length(text) - RESULT_UNITS
    if left_out <= 0:
        return text
    head = utf16_head(text, RESULT_UNITS, whole_pairs=rules.whole_pairs)
    return f"{head}\n\n[... {left_out} more characters truncated]"


_WRITERS: dict[JSON, Callable[[Message, ContextSwitches], Iterator[str]]] = {
    "user": _user,
    "assistant": _assistant,
    "toolResult": _tool_result,
}
