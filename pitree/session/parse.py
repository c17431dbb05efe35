"""The skeleton of a line: just enough of an entry for the tree and the filters, decoded by msgspec without the rest.

What the skeleton cannot decide with certainty raises, and goes to the exact decoder: msgspec is as strict as
`JSON.parse` also in what it passes over (but for bytes that are no UTF-8, which both take), and what it rejects beyond
that (lone surrogates, great depth, other shapes than pi writes) is decided there. A new entry type needs a line in
`entries.TYPES` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from pitree.session.entries import STOPS_AS_PLANNED, TYPES, Flag, Kind
from pitree.session.javascript import trim
from pitree.session.lines import is_utf8

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


class _Assistant(_Message, tag="assistant", gc=False):
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
    id: Annotated[str, msgspec.Meta(min_length=1)]
    parentId: str | None
    message: _User | _Assistant | _ToolResult | _Bash | _Custom | _System | None = None


class _Timestamp(msgspec.Struct, gc=False):
    timestamp: str


decode_skeleton = msgspec.json.Decoder(Skeleton).decode
decode_timestamp = msgspec.json.Decoder(_Timestamp).decode

UNDECIDED = 255
"""In place of the byte of an entry: the exact decoder decides, or the body says something beyond its entry."""

_UNDECIDED_TYPES = frozenset({"session", "label", "session_info"})
_PLAIN: dict[type[object], int] = {
    _User: Kind.USER,
    _Bash: Kind.BASH,
    _Custom: Kind.CUSTOM_ROLE,
    _System: Kind.SYSTEM,
}


def skeletons(lines: Sequence[bytes]) -> list[Skeleton | None]:
    """The skeletons of lines; None where only the exact decoder can tell."""
    try:
        # msgspec does not look at the bytes of a text that it passes over, but what is no UTF-8 has to be reported.
        for line in lines:
            if not line.isascii():
                line.decode("utf-8")
        return [*map(decode_skeleton, lines)]
    except SKELETON_ERRORS:
        return [_skeleton(line) for line in lines]


def _skeleton(line: bytes) -> Skeleton | None:
    try:
        return decode_skeleton(line) if is_utf8(line) else None
    except SKELETON_ERRORS:
        return None


def skeleton_code(skeleton: Skeleton | None) -> int:
    """The byte that `entries.code_of` gives for the whole value, or UNDECIDED."""
    if skeleton is None or skeleton.type in _UNDECIDED_TYPES:
        return UNDECIDED
    if skeleton.type != "message":
        return TYPES.get(skeleton.type, Kind.UNKNOWN)
    message = skeleton.message
    if message is None:
        return UNDECIDED
    if type(message) is _Assistant:
        return _assistant_code(message)
    if type(message) is _ToolResult:
        return _FAILED_RESULT if message.isError else _RESULT
    return _PLAIN[type(message)]


_RESULT = int(Kind.TOOL_RESULT)
_FAILED_RESULT = Kind.TOOL_RESULT | Flag.ERROR
_ASSISTANT = int(Kind.ASSISTANT)
_SPEAKING_ASSISTANT = Kind.ASSISTANT | Flag.TEXT


def _assistant_code(message: _Assistant) -> int:
    code = _ASSISTANT
    for block in message.content:
        if type(block) is _Text and trim(block.text):
            code = _SPEAKING_ASSISTANT
            break
    stop = message.stopReason
    if stop and stop not in STOPS_AS_PLANNED:
        code |= Flag.STOPPED
        if stop == "error":
            code |= Flag.ERROR
    return code
