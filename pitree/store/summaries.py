"""What a list of sessions shows of one file, from its beginning and its end only.

pi reads every file whole for this, and a list of large sessions then takes seconds. What is exact here and what is not
stands at `SessionSummary`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pitree.session.decode import decode
from pitree.session.javascript import trim, truthy

HEAD_BYTES = 64 * 1024
TAIL_BYTES = 64 * 1024
HEADER_LIMIT = 1024 * 1024
_FIRST_READ = 4096
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class SessionSummary:
    """One row of a list of sessions.

    Always exact: `path`, `id`, `cwd`, `modified`, `size`, `problem`. All is exact for a file of up to 128 KB. Of a
    larger one only the first and the last 64 KB are looked at: `name` misses a name that was given or cleared in
    between and not again later, `first_message` is None when the first message of the user starts or ends further down,
    and `messages` is None.

    Attributes:
        path: the file, absolute where the folder was.
        id: the id in the header; "" when there is a problem.
        name: the name the session was given last, trimmed; None when it has none.
        cwd: the project in the header; "" when it names none or there is a problem.
        modified: when the file was written last, seconds since 1970 (pi sorts its own list by the time of the last
            message instead).
        size: bytes.
        first_message: text of the first message of the user that has text; None when there is none.
        messages: how many entries are messages, of whatever role; None when it would take reading the whole file.
        problem: why this is no session pi could open, as the end of a sentence that starts with the file; else None.
    """

    path: Path
    id: str
    name: str | None
    cwd: str
    modified: float
    size: int
    first_message: str | None
    messages: int | None
    problem: str | None = None


def summarize_file(path: Path, status: os.stat_result | None = None) -> SessionSummary:
    """Read what a list shows of a file; what cannot be read becomes a problem, never an exception.

    Args:
        path: the file.
        status: what `os.stat` says of it, when that is known already.
    """
    try:
        status = status or os.stat(path)
        with _open(path) as file:
            return _summarize(path, file, status)
    except OSError as error:
        reason = f"cannot be read ({error.strerror or error})"
    except ValueError as error:
        reason = str(error)
    modified, size = (status.st_mtime, status.st_size) if status else (0.0, 0)
    return SessionSummary(path, "", None, "", modified, size, None, None, reason)


def read_header(path: Path) -> Mapping[str, Any] | None:
    """Return the header of a session file, or None when pi would not list the file.

    The header is the first line that parses to something true; it must be an object with `type` "session" and a text as
    `id`, and end within the first megabyte (pi 1.6.0, `readSessionHeader`).
    """
    try:
        with _open(path) as file:
            return _header(file)
    except (OSError, ValueError):
        return None


def _open(path: Path) -> BinaryIO:
    """Open a regular file for reading; a pipe or a device would block."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return open(descriptor, "rb", buffering=0)
    os.close(descriptor)
    raise ValueError("is a folder" if stat.S_ISDIR(mode) else "is no regular file")


def _header(file: BinaryIO) -> Mapping[str, Any]:
    """Read the header from the start of a file.

    Raises:
        ValueError: when there is none; the message is the end of a sentence that starts with the file.
    """
    data = bytearray()
    looked_at = 0
    while True:
        piece = file.read(min(max(_FIRST_READ, len(data)), HEADER_LIMIT + 1 - len(data)))
        data += piece
        # The line must end within the limit, by a line feed or by the end of the file.
        end = data.rfind(b"\n", looked_at, HEADER_LIMIT) + 1 if piece else len(data)
        if end:
            for value in _values(bytes(data[looked_at:end])):
                return _checked(value, bytes(data))
            looked_at = end
        if not piece:
            raise ValueError("is empty" if not data else "holds no line that can be read as JSON")
        if len(data) > HEADER_LIMIT:
            raise ValueError("has no header in its first megabyte")


def _checked(value: Any, data: bytes) -> Mapping[str, Any]:
    if isinstance(value, dict) and value.get("type") == "session" and isinstance(value.get("id"), str):
        return value
    if data.startswith(_BOM):
        raise ValueError("starts with a byte order mark, which hides the header")
    raise ValueError("does not start with the header of a session")


def _values(data: bytes) -> Iterator[Any]:
    """Yield what pi keeps of the lines: neither what does not parse nor what is false in JavaScript."""
    for line in data.split(b"\n"):
        try:
            value = decode(line)
        except ValueError:
            continue
        if truthy(value):
            yield value


def _summarize(path: Path, file: BinaryIO, status: os.stat_result) -> SessionSummary:
    header = _header(file)
    cwd = header.get("cwd")
    whole = status.st_size <= HEAD_BYTES + TAIL_BYTES
    file.seek(0)
    if whole:
        # Not `status.st_size`: the file may have grown since.
        head = list(_values(_read_up_to(file, 2 * (HEAD_BYTES + TAIL_BYTES))))[1:]
        tail: list[Any] = []
    else:
        head = list(_values(_without_last_line(_read_up_to(file, HEAD_BYTES))))[1:]
        file.seek(-TAIL_BYTES, os.SEEK_END)
        tail = list(_names_only(_read_up_to(file, 2 * TAIL_BYTES)))
    return SessionSummary(
        path=path,
        id=header["id"],
        name=_name([*head, *tail]),
        cwd=cwd if isinstance(cwd, str) else "",
        modified=status.st_mtime,
        size=status.st_size,
        first_message=next(_user_texts(head), None),
        messages=sum(1 for entry in head if _type(entry) == "message") if whole else None,
    )


def _read_up_to(file: BinaryIO, limit: int) -> bytes:
    pieces = []
    while limit > 0 and (piece := file.read(limit)):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def _without_last_line(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def _names_only(data: bytes) -> Iterator[Any]:
    """Yield the entries of the last bytes that can change the name; the first line of them is cut off and left out."""
    lines = data[data.find(b"\n") + 1 :].split(b"\n")
    yield from _values(b"\n".join(line for line in lines if b"session_info" in line))


def _type(entry: Any) -> object:
    return entry.get("type") if isinstance(entry, dict) else None


def _name(entries: Iterable[Any]) -> str | None:
    name: str | None = None
    for entry in entries:
        if _type(entry) == "session_info":
            given = entry.get("name")
            name = (trim(given) or None) if isinstance(given, str) else None
    return name


def _user_texts(entries: Iterable[Any]) -> Iterator[str]:
    """Yield the texts of the user's messages that have one, as pi joins them."""
    for entry in entries:
        message = entry.get("message") if _type(entry) == "message" else None
        if isinstance(message, dict) and message.get("role") == "user":
            text = _text(message.get("content"))
            if text:
                yield text


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return " ".join(text for text in texts if isinstance(text, str))
