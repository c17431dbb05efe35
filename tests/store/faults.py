"""An operating system that fails where it is told to, and lets another program write in between."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pitree.store.writer import System


def intrude(path: Path, data: bytes) -> None:
    """Append as another program does."""
    with path.open("ab") as file:
        file.write(data)


@dataclass
class Faulty(System):
    """The real system with faults.

    Attributes:
        between: Called before every call, with its number and name.
        errors: By the name of a call, the error number it fails with.
        short: How many bytes a write takes at most.
        overwrites: Whether bytes in the middle can be written.
        calls: The names of the calls so far.
    """

    between: Callable[[int, str], None] = lambda number, name: None
    errors: dict[str, int] = field(default_factory=dict)
    short: int | None = None
    calls: list[str] = field(default_factory=list)

    def _step(self, name: str) -> None:
        self.between(len(self.calls), name)
        self.calls.append(name)
        if name in self.errors:
            raise OSError(self.errors[name], os.strerror(self.errors[name]))

    def open(self, path: Path, flags: int) -> int:
        self._step("open")
        return super().open(path, flags)

    def fstat(self, fd: int) -> os.stat_result:
        self._step("fstat")
        return super().fstat(fd)

    def pread(self, fd: int, length: int, offset: int) -> bytes:
        self._step("pread")
        return super().pread(fd, length, offset)

    def write(self, fd: int, data: bytes) -> int:
        self._step("write")
        return super().write(fd, data if self.short is None else data[: self.short])

    def position(self, fd: int) -> int:
        self._step("position")
        return super().position(fd)

    def fsync(self, fd: int) -> None:
        self._step("fsync")
        super().fsync(fd)

    def overwrite(self, fd: int, data: bytes, offset: int) -> int:
        self._step("overwrite")
        return super().overwrite(fd, data, offset)

    def ftruncate(self, fd: int, size: int) -> None:
        self._step("ftruncate")
        super().ftruncate(fd, size)

    def close(self, fd: int) -> None:
        super().close(fd)
        self._step("close")


FAULTS: dict[str, dict[str, int]] = {
    "none": {},
    "write ENOSPC": {"write": errno.ENOSPC},
    "write EIO": {"write": errno.EIO},
    "fsync EIO": {"fsync": errno.EIO},
    "close EIO": {"close": errno.EIO},
    "ftruncate EPERM": {"ftruncate": errno.EPERM},
    "overwrite ENOSPC": {"overwrite": errno.ENOSPC},
}
