"""The kinds of entry that pi 0.84.1 and 1.6.0 write, and Unknown for what they did not know.

An entry is kept as the JSON value that stands in the file; pi reads its files unchecked, so every accessor answers
UNDEFINED where there is nothing, never an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

from pitree.session.javascript import JSON, get, trim, truthy


class Kind(IntEnum):
    """What an entry is: its `type`, messages told apart by their role. Fits into five bits."""

    USER = 0
    ASSISTANT = 1
    TOOL_RESULT = 2
    BASH = 3
    CUSTOM_ROLE = 4
    SYSTEM = 5
    OTHER_ROLE = 6
    COMPACTION = 7
    BRANCH_SUMMARY = 8
    CUSTOM = 9
    CUSTOM_MESSAGE = 10
    LABEL = 11
    SESSION_INFO = 12
    MODEL_CHANGE = 13
    THINKING_LEVEL_CHANGE = 14
    USAGE = 15
    CONTEXT_EDIT = 16
    UNKNOWN = 17


class Flag(IntFlag):
    """What filters ask of a message, in the three bits above the kind."""

    TEXT = 32
    """The assistant says something."""
    STOPPED = 64
    """The assistant stopped for another reason than `stop` or `toolUse`."""
    ERROR = 128
    """A tool result that is an error, or an assistant that ended in one."""


KIND_MASK = 31

ROLES: dict[str, Kind] = {
    "user": Kind.USER,
    "assistant": Kind.ASSISTANT,
    "toolResult": Kind.TOOL_RESULT,
    "bashExecution": Kind.BASH,
    "custom": Kind.CUSTOM_ROLE,
    "system": Kind.SYSTEM,
}
TYPES: dict[str, Kind] = {
    "compaction": Kind.COMPACTION,
    "branch_summary": Kind.BRANCH_SUMMARY,
    "custom": Kind.CUSTOM,
    "custom_message": Kind.CUSTOM_MESSAGE,
    "label": Kind.LABEL,
    "session_info": Kind.SESSION_INFO,
    "model_change": Kind.MODEL_CHANGE,
    "thinking_level_change": Kind.THINKING_LEVEL_CHANGE,
    "usage": Kind.USAGE,
    "context_edit": Kind.CONTEXT_EDIT,
}
MESSAGE_KINDS = frozenset({*ROLES.values(), Kind.OTHER_ROLE})
STOPS_AS_PLANNED = frozenset({"stop", "toolUse"})


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One entry of a session.

    Attributes:
        index: Position in the file among the entries, 0 for the first after the header.
        kind: What it is.
        value: The JSON value as in the file; of old versions, as pi migrates it.
    """

    index: int
    kind: Kind
    value: JSON

    @property
    def id(self) -> JSON:
        """As in the file: normally 8 hex digits."""
        return get(self.value, "id")

    @property
    def parent_id(self) -> JSON:
        """As in the file: an id, or None for a root."""
        return get(self.value, "parentId")

    @property
    def timestamp(self) -> JSON:
        """As in the file: normally ISO 8601 with milliseconds."""
        return get(self.value, "timestamp")

    @property
    def type(self) -> JSON:
        """The name that pi gives to the entry type."""
        return get(self.value, "type")

    @property
    def message(self) -> JSON:
        """The message of an entry of type `message`."""
        return get(self.value, "message")

    def get(self, key: str) -> JSON:
        """Any other field of the entry."""
        return get(self.value, key)


def code_of(value: JSON) -> int:
    """The kind and the flags of a JSON value as one byte."""
    kind_name = get(value, "type")
    if kind_name != "message":
        return TYPES.get(kind_name, Kind.UNKNOWN) if isinstance(kind_name, str) else Kind.UNKNOWN
    message = get(value, "message")
    role = get(message, "role")
    kind = ROLES.get(role, Kind.OTHER_ROLE) if isinstance(role, str) else Kind.OTHER_ROLE
    if kind is Kind.ASSISTANT:
        return kind | _assistant_flags(message)
    if kind is Kind.TOOL_RESULT and truthy(get(message, "isError")):
        return kind | Flag.ERROR
    return kind


def _assistant_flags(message: JSON) -> int:
    flags = Flag.TEXT if says_something(get(message, "content")) else Flag(0)
    stop = get(message, "stopReason")
    if truthy(stop) and stop not in ("stop", "toolUse"):
        flags |= Flag.STOPPED
    return flags | Flag.ERROR if stop == "error" else flags


def says_something(content: JSON) -> bool:
    """Whether a content holds text that is not blank (pi's `hasTextContent` of the tree selector)."""
    if isinstance(content, str):
        return bool(trim(content))
    if not isinstance(content, list):
        return False
    texts = (get(block, "text") for block in content if get(block, "type") == "text")
    return any(isinstance(text, str) and trim(text) for text in texts)
