"""What tells whether a file is still the one that was read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass

TAIL = 64 * 1024
"""How much before the end is compared, in bytes."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was read.

    Attributes:
        device: The file system.
        inode: The file on it: another one in its place has another.
        size: Bytes read.
        tail: A hash of the last `TAIL` bytes of these.
    """

    device: int
    inode: int
    size: int
    tail: bytes


def state_of(status: os.stat_result, size: int, tail: bytes) -> FileState:
    """The state of a file of which `size` bytes were read, the last of them `tail`."""
    return FileState(status.st_dev, status.st_ino, size, hash_of(tail[-TAIL:]))


def tail_before(read: Callable[[int, int], bytes], size: int) -> bytes:
    """The last `TAIL` bytes before `size`; `read` takes an offset and a length."""
    start = max(0, size - TAIL)
    parts: list[bytes] = []
    while start < size and (part := read(start, size - start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def hash_of(tail: bytes) -> bytes:
    """The hash of a tail."""
    return hashlib.sha256(tail).digest()
