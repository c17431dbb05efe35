"""The skeleton of a line: just enough of an entry for the tree and the filters, decoded by msgspec without the rest.

What the skeleton cannot decide with certainty raises, and goes to the exact decoder: msgspec is as strict as
`JSON.parse` also in what it passes over, and what it rejects beyond that (lone surrogates, great depth, other shapes
than pi writes) is decided there. A new entry type needs a line in `entries.TYPES` only.
"""

from __future__ import annotations

import msgspec

from pitree.session.entries import STOPS_AS_PLANNED, TYPES, Flag, Kind
from pitree.session.javascript import trim

SKELETON_ERRORS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


class _Block(msgspec.Struct, tag_field="type", gc=False):
    """A content block of an assistant."""


class _Text(_Block, tag="text", gc=False):
    text: str


class _Thinking(_Block, tag="thinking", gc=False):
    """Passed over."""


class _ToolCall(_Block, tag="toolCall", gc=False):
    """Passed over."""


class _Message(msgspec.Struct, tag_field="role", gc=False):
    """A message whose role alone is asked for."""


class _User(_Message, tag="user", gc=False):
    """Passed over."""


class _Assistant(_Message, tag="assistant"):
    content: list[_Text | _Thinking | _ToolCall]
    stopReason: str | None = None


class _ToolResult(_Message, tag="toolResult", gc=False):
    isError: bool = False


class _Bash(_Message, tag="bashExecution", gc=False):
    """Passed over."""


class _Custom(_Message, tag="custom", gc=False):
    """Passed over."""


class _System(_Message, tag="system", gc=False):
    """Passed over."""


class Skeleton(msgspec.Struct, gc=False):
    """The fields of a line that place an entry in the tree."""

    type: str
    id: str
    parentId: str | None
    message: _User | _Assistant | _ToolResult | _Bash | _Custom | _System | None = None


class _Timestamp(msgspec.Struct, gc=False):
    timestamp: str


decode_skeleton = msgspec.json.Decoder(Skeleton).decode
decode_timestamp = msgspec.json.Decoder(_Timestamp).decode

NEEDS_BODY = frozenset({"session", "label", "session_info"})
"""Types whose content decides something about the whole session."""

_PLAIN: dict[type[object], int] = {
    _User: Kind.USER,
    _Bash: Kind.BASH,
    _Custom: Kind.CUSTOM_ROLE,
    _System: Kind.SYSTEM,
    type(None): Kind.OTHER_ROLE,
}


def skeleton_code(skeleton: Skeleton) -> int:
    """The byte that `entries.code_of` gives for the whole value."""
    if skeleton.type != "message":
        return TYPES.get(skeleton.type, Kind.UNKNOWN)
    message = skeleton.message
    plain = _PLAIN.get(type(message))
    if plain is not None:
        return plain
    if isinstance(message, _ToolResult):
        return Kind.TOOL_RESULT | Flag.ERROR if message.isError else Kind.TOOL_RESULT
    return _assistant_code(message)  # type: ignore[arg-type]


def _assistant_code(message: _Assistant) -> int:
    code = int(Kind.ASSISTANT)
    for block in message.content:
        if type(block) is _Text and trim(block.text):
            code |= Flag.TEXT
            break
    stop = message.stopReason
    if stop and stop not in STOPS_AS_PLANNED:
        code |= Flag.STOPPED
        if stop == "error":
            code |= Flag.ERROR
    return code
