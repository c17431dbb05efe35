"""From an entry to the messages that it puts into the context (pi's `sessionEntryToContextMessages`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pitree.context.switches import ContextSwitches
from pitree.session.entries import MESSAGE_KINDS, Entry, Kind
from pitree.session.javascript import JSON, UNDEFINED, nullish, truthy
from pitree.session.problems import PiFails

COMPACTION_SUMMARY: Final = "compactionSummary"
BRANCH_SUMMARY: Final = "branchSummary"

_EMPTY_CONTENT_ROLES = frozenset({"user", "assistant", "toolResult"})


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message of pi's session context.

    Attributes:
        value: The message as pi holds it, with its `role`.
        entry: Index of the entry it comes from; None for a summary that is not written yet.
    """

    value: dict[str, JSON]
    entry: int | None

    @property
    def role(self) -> JSON:
        """As pi names it: user, assistant, toolResult, bashExecution, custom, system or one of the two summaries."""
        return self.value.get("role", UNDEFINED)

    def get(self, key: str) -> JSON:
        """A field of the message."""
        return self.value.get(key, UNDEFINED)


def entry_messages(entry: Entry, rules: ContextSwitches) -> tuple[Message, ...]:
    """The messages of an entry before any edit; most entries have one or none, a compaction may have two."""
    if entry.kind in MESSAGE_KINDS:
        return _message(entry, rules)
    if entry.kind is Kind.CUSTOM_MESSAGE:
        content = entry.get("content")
        return (custom_message(entry, [] if nullish(content) else content),)
    if entry.kind is Kind.BRANCH_SUMMARY:
        return (branch_summary(entry),) if truthy(entry.get("summary")) else ()
    if entry.kind is Kind.COMPACTION:
        return _compaction(entry, rules)
    return ()


def _message(entry: Entry, rules: ContextSwitches) -> tuple[Message, ...]:
    value = entry.message
    if not isinstance(value, dict):
        # A text or a number has no role, but it is a message all the same; on null pi throws.
        return () if nullish(value) else (Message({}, entry.index),)
    if nullish(value.get("content")):
        role = value.get("role")
        if role == "system" and rules.system_messages:
            return (Message({**value, "content": ""}, entry.index),)
        if isinstance(role, str) and role in _EMPTY_CONTENT_ROLES:
            return (Message({**value, "content": []}, entry.index),)
    return (Message(value, entry.index),)


def _compaction(entry: Entry, rules: ContextSwitches) -> tuple[Message, ...]:
    summary = compaction_summary(entry)
    system = entry.get("systemMessage")
    if not rules.system_messages or not truthy(system):
        return (summary,)
    return (Message(system if isinstance(system, dict) else {}, entry.index), summary)


def raw_message(entry: Entry) -> Message:
    """The message of a message entry just as it stands there.

    Raises:
        PiFails: when there is none.
    """
    if nullish(entry.message):
        raise PiFails("A message entry without a message.", entry.index)
    return Message(entry.message if isinstance(entry.message, dict) else {}, entry.index)


def custom_message(entry: Entry, content: JSON) -> Message:
    """The message that an extension put into the context."""
    return Message(
        {"role": "custom", "content": content, **_copy(entry, "customType", "display", "details")}, entry.index
    )


def branch_summary(entry: Entry) -> Message:
    """The summary of a branch that was left."""
    return Message({"role": BRANCH_SUMMARY, **_copy(entry, "summary", "fromId")}, entry.index)


def compaction_summary(entry: Entry) -> Message:
    """The summary of a compaction."""
    return Message({"role": COMPACTION_SUMMARY, **_copy(entry, "summary", "tokensBefore")}, entry.index)


def _copy(entry: Entry, *keys: str) -> dict[str, JSON]:
    return {key: value for key in keys if (value := entry.get(key)) is not UNDEFINED}
