"""One line about a message of the context: who, in a word, and what; text as it stands in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.session.describe import describe_call, head_text, tool_calls
from pitree.session.javascript import JSON, get, nullish, to_string, truthy

WORDS: Final[Mapping[str, str]] = {
    COMPACTION_SUMMARY: "summary",
    BRANCH_SUMMARY: "left branch",
    "bashExecution": "bash",
}
"""Shorter words for pi's long roles."""


def role_word(message: Message) -> str:
    """Whose message it is."""
    role = message.role
    return WORDS.get(role, role) if isinstance(role, str) else "no role"


def line_of(message: Message) -> str:
    """What it says."""
    role = message.role
    writer = _WRITERS.get(role) if isinstance(role, str) else None
    return (writer or _content)(message)


def _content(message: Message) -> str:
    content = message.get("content")
    images = sum(get(block, "type") == "image" for block in content) if isinstance(content, list) else 0
    return f"{'[image] ' * min(images, 3)}{head_text(content)}"


def _assistant(message: Message) -> str:
    text = _content(message)
    if not text.strip() and truthy(message.get("errorMessage")):
        text = to_string(message.get("errorMessage"))
    if text.strip():
        return text
    calls = tool_calls(message.value)
    more = f" · {len(calls) - 3} more" if len(calls) > 3 else ""
    return " · ".join(describe_call(get(call, "name"), get(call, "arguments")) for call in calls[:3]) + more


def _tool_result(message: Message) -> str:
    failed = " failed" if truthy(message.get("isError")) else ""
    return f"{_shown(message.get('toolName'))}{failed} → {_content(message)}"


def _system(message: Message) -> str:
    sections = message.get("sections")
    names = ", ".join(map(to_string, sections)) if isinstance(sections, dict) else ""
    text = _content(message)
    return f"{text} · sections {names}" if text and names else text or f"sections {names}"


def _summary(message: Message) -> str:
    return _shown(message.get("summary"))


def _shown(value: JSON) -> str:
    return "" if nullish(value) else to_string(value)


_WRITERS: Final[Mapping[str, Callable[[Message], str]]] = {
    "assistant": _assistant,
    "toolResult": _tool_result,
    "system": _system,
    "bashExecution": lambda message: f"$ {_shown(message.get('command'))}",
    COMPACTION_SUMMARY: _summary,
    BRANCH_SUMMARY: _summary,
}
