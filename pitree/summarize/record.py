"""What happened in a range of messages, as plain events: what was said, and what tools did.

Nothing here fails on odd messages: what has not the expected form says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.session.javascript import JSON, get, truthy
from pitree.summarize.sentences import bounded

Speaker = Literal["user", "assistant", "extension", "summary"]


@dataclass(frozen=True, slots=True)
class Said:
    """A text that somebody said.

    Attributes:
        who: The user, the assistant, an extension, or an earlier summary that stands among the messages.
        text: The text.
        at: Its place among the messages.
        closing: The assistant called no tool along with it, so that its turn ended there.
    """

    who: Speaker
    text: str
    at: int
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A tool call with its result, or a command that the user ran.

    Attributes:
        tool: The name of the tool; `bash` for a command of the user.
        arguments: What it was called with.
        output: The text of the result, its middle left out where it is long.
        failed: Whether it failed; None without a result.
        about: What the assistant said before it, "" for nothing.
        at: Its place among the messages.
    """

    tool: str
    arguments: Mapping[str, JSON]
    output: str
    failed: bool | None
    about: str
    at: int

    def argument(self, name: str) -> str:
        """A text among the arguments, "" where there is none."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""


Event = Said | Run


def results_by_call(messages: Sequence[Message]) -> dict[JSON, Message]:
    """The tool results by the id of their call."""
    found: dict[JSON, Message] = {}
    for message in messages:
        call_id = message.get("toolCallId")
        if message.role == "toolResult" and isinstance(call_id, str):
            found[call_id] = message
    return found


def events(message: Message, at: int, results: Mapping[JSON, Message], before: str) -> Iterator[Event]:
    """The events of one message.

    Args:
        message: The message.
        at: Its place.
        results: The results of all calls.
        before: What the assistant said last before it.
    """
    role = message.role
    if role == "assistant":
        yield from _of_assistant(message, at, results, before)
    elif role == "bashExecution" and not truthy(message.get("excludeFromContext")):
        yield _of_shell(message, at)
    elif role == "user":
        yield from _said("user", text_in(message.get("content")), at)
    elif role == "custom":
        yield from _said("extension", text_in(message.get("content")), at)
    elif role in (BRANCH_SUMMARY, COMPACTION_SUMMARY):
        yield from _said("summary", text_in(message.get("summary")), at)


def text_in(content: JSON) -> str:
    """The texts of a content, one below the other; what is no text is left out."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    texts = (get(block, "text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))


def _said(who: Speaker, text: str, at: int, *, closing: bool = False) -> Iterator[Said]:
    if text.strip():
        yield Said(who, text, at, closing)


def _of_assistant(message: Message, at: int, results: Mapping[JSON, Message], before: str) -> Iterator[Event]:
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = [block for block in blocks if block.get("type") == "toolCall"]
    text = text_in(content)
    yield from _said("assistant", text, at, closing=not calls)
    for call in calls:
        yield from _of_call(call, at, results, text if text.strip() else before)


def _of_call(call: dict[str, JSON], at: int, results: Mapping[JSON, Message], about: str) -> Iterator[Run]:
    name, arguments, call_id = call.get("name"), call.get("arguments"), call.get("id")
    result = results.get(call_id) if isinstance(call_id, str) else None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return
    output = "" if result is None else bounded(text_in(result.get("content")))
    failed = None if result is None else truthy(result.get("isError"))
    yield Run(name, arguments, output, failed, about, at)
    nested = get(result.get("nestedCalls"), "calls") if result is not None else None
    for inner in nested if isinstance(nested, list) else ():
        inner_name, inner_arguments = get(inner, "name"), get(inner, "arguments")
        if isinstance(inner_name, str) and isinstance(inner_arguments, dict):
            yield Run(inner_name, inner_arguments, "", failed, about, at)


def _of_shell(message: Message, at: int) -> Run:
    command, output, code = message.get("command"), message.get("output"), message.get("exitCode")
    failed = truthy(message.get("cancelled")) or (isinstance(code, int | float) and code != 0)
    shown = bounded(output) if isinstance(output, str) else ""
    return Run("bash", {"command": command if isinstance(command, str) else ""}, shown, failed, "", at)
