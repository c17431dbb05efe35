"""Small JSON files of pi, read as pi reads them and never with an exception."""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from pitree.session.decode import decode_text
from pitree.session.javascript import JSON

MAX_BYTES = 64 * 1024 * 1024
_BOM = "\ufeff"
# A string is kept whole (an unfinished one up to the end: it fails in the parser). Possessive, so that a hostile file
# cannot make it backtrack.
_COMMENT_OR_COMMA = re.compile(
    r'("(?:[^"\\]|\\.)*+(?:"|\Z)?)|//[^\n]*+|,(?=(?:\s|//[^\n]*+)*+[}\]])',
    re.DOTALL,
)


@dataclass(frozen=True)
class JsonFile:
    """What one file holds.

    Attributes:
        path: the file.
        exists: False when there is nothing of that name.
        value: the parsed value; None when there is none.
        problem: why there is no value although something of that name exists, as the end of a sentence that starts
            with the name of the file; None when all is well.
    """

    path: Path
    exists: bool
    value: JSON = None
    problem: str | None = None


def read_json(path: Path, *, comments: bool = False, empty: bool = False) -> JsonFile:
    """Read a JSON file the way pi 1.6.0 does; never raise and never wait.

    A byte order mark at the start is dropped (0.84 refuses the file), bad UTF-8 becomes U+FFFD, of duplicate
    keys the last one counts.

    Args:
        path: the file.
        comments: take out `//` comments and commas before a closing bracket, as pi does for `models.json` only.
        empty: take a file of 0 bytes as an empty object, as pi does for its settings and its model store.
    """
    try:
        data = _read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return JsonFile(path, exists=False)
    except (OSError, ValueError) as error:
        return JsonFile(path, exists=True, problem=f"cannot be read ({_reason(error)})")
    if not data and empty:
        return JsonFile(path, exists=True, value={})
    text = data.decode("utf-8", "replace").removeprefix(_BOM)
    try:
        return JsonFile(path, exists=True, value=decode_text(strip_comments(text) if comments else text))
    except ValueError as error:
        return JsonFile(path, exists=True, problem=f"is not JSON ({error})")


def strip_comments(text: str) -> str:
    """Take `//` comments and trailing commas out of a JSON text; strings stay as they are."""
    return _COMMENT_OR_COMMA.sub(lambda match: match[1] or "", text)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a JSON value is a number that JavaScript holds as a finite one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _read_regular(path: Path) -> bytes:
    """Read a regular file of bearable size; a pipe or a device would block."""
    # Without O_NONBLOCK the opening of a pipe that nobody writes to does not return.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise ValueError("it is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is no regular file")
        if status.st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES // (1024 * 1024)} MB")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES)
    finally:
        os.close(descriptor)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
