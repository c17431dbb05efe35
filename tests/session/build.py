"""Session files for tests, as bytes: a header, and entries with as little in them as a test needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pitree.session.load import session_from_bytes
from pitree.session.session import Session

Value = dict[str, Any]

HEADER: Value = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-11-30T10:00:00.000Z", "cwd": "/w"}


def stamp(second: int) -> str:
    """A timestamp so many seconds after the header's."""
    return f"2026-11-30T{10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"


def file_of(values: Iterable[Any], header: Any = HEADER) -> bytes:
    """The bytes of a session file; a value that is bytes is a line as it stands."""
    lines = [value if isinstance(value, bytes) else json.dumps(value).encode() for value in (header, *values)]
    return b"".join(line + b"\n" for line in lines)


def session_of(values: Iterable[Any], header: Any = HEADER) -> Session:
    """The session in such a file."""
    return session_from_bytes(file_of(values, header))


def chain(values: Iterable[Value]) -> list[Value]:
    """Entries in a line: those without an id are named e1, e2, ...; each hangs below the one before it.

    A `parentId` that is given stays.
    """
    out: list[Value] = []
    for number, value in enumerate(values, 1):
        parent = out[-1]["id"] if out else None
        out.append({"id": f"e{number}", "parentId": parent, "timestamp": stamp(number), **value})
    return out


def message(role: str, content: Any = None, **more: Any) -> Value:
    """An entry of type message."""
    body = {} if content is None else {"content": content}
    return {"type": "message", "message": {"role": role, **body, **more}}


def said(role: str, tokens: int, letter: str = "x") -> Value:
    """A message whose text counts so many tokens."""
    return message(role, [{"type": "text", "text": letter * 4 * tokens}])


def called(name: str, arguments: Any, **more: Any) -> Value:
    """An assistant message with one tool call and nothing said."""
    return message(
        "assistant", [{"type": "toolCall", "id": f"call_{name}", "name": name, "arguments": arguments}], **more
    )


def tree_of(parents: Sequence[int | None], seconds: Sequence[int] | None = None) -> list[Value]:
    """Entries n0, n1, ... by the number of their parent; None is a root."""
    return [
        {
            "type": "message",
            "id": f"n{number}",
            "parentId": None if parent is None else f"n{parent}",
            "timestamp": stamp(number if seconds is None else seconds[number]),
            "message": {"role": "user", "content": f"entry {number}"},
        }
        for number, parent in enumerate(parents)
    ]
