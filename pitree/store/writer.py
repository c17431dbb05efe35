"""Appends to session files: the only module that opens one for writing.

pi takes no lock and appends whole lines, so this does the same: one write to a descriptor that always writes at the
end. Nothing that was in the file is ever changed; only a line of ours that did not go in whole is taken back.

Two gaps no system call can close. A process killed while the kernel copies a line of more than a page may leave its
beginning. And between the look whether somebody wrote after a half line of ours and its removal another program could
write; so the half line is made blank first, which makes the removal a matter of tidiness, and left where it is when
anything has moved.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pitree.store.file_state import FileState, hash_of, state_of, tail_before
from pitree.store.write_errors import (
    CannotWrite,
    ChangedUnderneath,
    DiskFull,
    Interleaved,
    NotAFile,
    Unconfirmed,
    write_error,
)

_FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
_NO_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
_COUNTED: Final = 1024 * 1024


class System:
    """What is asked of the operating system; a test puts faults in between."""

    def open(self, path: Path, flags: int) -> int:
        """Open a file that exists; links are followed."""
        return os.open(path, flags)

    def fstat(self, fd: int) -> os.stat_result:
        """What the file is."""
        return os.fstat(fd)

    def pread(self, fd: int, length: int, offset: int) -> bytes:
        """Bytes from a place."""
        return os.pread(fd, length, offset)

    def write(self, fd: int, data: bytes) -> int:
        """One write at the end; how many bytes went in."""
        return os.write(fd, data)

    def position(self, fd: int) -> int:
        """Where the last write ended."""
        return os.lseek(fd, 0, os.SEEK_CUR)

    def fsync(self, fd: int) -> None:
        """Wait for the disk."""
        os.fsync(fd)

    def overwrite(self, fd: int, data: bytes, offset: int) -> int:
        """Write at a place. Linux ignores the place as long as the descriptor writes at the end."""
        fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) & ~os.O_APPEND)
        return os.pwrite(fd, data, offset)

    def ftruncate(self, fd: int, size: int) -> None:
        """Cut the end off."""
        os.ftruncate(fd, size)

    def close(self, fd: int) -> None:
        """Let go of the file."""
        os.close(fd)


def append(path: Path, state: FileState, data: bytes, system: System | None = None) -> FileState:
    """Append whole lines to a session file, and answer what it is then.

    Args:
        path: The file; links are followed.
        state: The file as it was read (`FileSource.state`).
        data: One or more lines, each with its newline.
        system: The operating system.

    Raises:
        ChangedUnderneath: when it is not what was read.
        WriteError: when it cannot be written; `written` says whether the lines stand in it all the same.
        ValueError: when `data` does not end a line.
    """
    if not data.endswith(b"\n"):
        raise ValueError("only whole lines are appended")
    system = system or System()
    try:
        fd = system.open(path, _FLAGS)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        return _OpenFile(path, state, system, fd).append(data)
    finally:
        with suppress(OSError):
            system.close(fd)


@dataclass(frozen=True)
class _OpenFile:
    path: Path
    state: FileState
    system: System
    fd: int

    def append(self, data: bytes) -> FileState:
        try:
            self._verify()
            lead = self._lead()
        except OSError as error:
            raise CannotWrite(f"{self.path} cannot be read: {error.strerror}; nothing was written.") from error
        payload = lead + data
        count = self._write(payload)
        start = self._end(count == len(payload)) - count
        if count < len(payload):
            kept = self._take_back(payload[:count], start, lead)
            took = f"The disk took only {count:,} of {len(payload):,} bytes for {self.path}"
            raise DiskFull(f"{took}; it is full, or a quota or a size limit is reached. {kept}")
        return self._confirm(payload, start, lead)

    def _read(self, offset: int, length: int) -> bytes:
        return self.system.pread(self.fd, length, offset)

    def _size(self) -> int:
        return self.system.fstat(self.fd).st_size

    # -- before -------------------------------------------------------------------------------------------------------

    def _verify(self) -> None:
        """Raise where the file is not what was read."""
        status, state = self.system.fstat(self.fd), self.state
        if not stat.S_ISREG(status.st_mode):
            raise NotAFile(f"{self.path} is no regular file; name a session file.")
        if (status.st_dev, status.st_ino) != (state.device, state.inode):
            raise self._changed("another file has been put in its place")
        if status.st_size < state.size:
            raise self._changed(f"it has become {state.size - status.st_size:,} bytes shorter")
        if hash_of(tail_before(self._read, state.size)) != state.tail:
            raise self._changed("its contents have been rewritten")
        if status.st_size > state.size:
            raise self._changed(self._growth(status.st_size - state.size))

    def _changed(self, what: str) -> ChangedUnderneath:
        advice = "Nothing was written; read it again, and close the pi that has it open."
        return ChangedUnderneath(f"{self.path} is not what was read: {what}. {advice}")

    def _growth(self, count: int) -> str:
        lines = self._read(self.state.size, min(count, _COUNTED)).count(b"\n")
        more = " or more" if count > _COUNTED else ""
        return f"another program, perhaps a running pi, has appended {lines:,}{more} line(s), {count:,} bytes"

    def _lead(self) -> bytes:
        """The newline that the last line lacks."""
        size = self.state.size
        return b"\n" if size and self._read(size - 1, 1) != b"\n" else b""

    # -- the write, and after -----------------------------------------------------------------------------------------

    def _write(self, payload: bytes) -> int:
        try:
            return self.system.write(self.fd, payload)
        except OSError as error:
            raise write_error(self.path, error) from error

    def _end(self, is_whole: bool) -> int:
        """Where our write ended: later than expected where another one came in between."""
        try:
            return self.system.position(self.fd)
        except OSError as error:
            # Without knowing where our bytes are nothing may be taken back.
            kind, what = (Unconfirmed, "The line") if is_whole else (CannotWrite, "Only a part of the line")
            raise kind(f"{what} was appended to {self.path}, and then the system failed: look at its end.") from error

    def _confirm(self, payload: bytes, start: int, lead: bytes) -> FileState:
        """The state after a write of all bytes; raises where it is not what was wanted."""
        added = f"The line was appended to {self.path}"
        sync_error, end = self._sync(), start + len(payload)
        try:
            found, before = self._read(start, len(payload)), self._read(start - 1, 1) if start else b""
            state = state_of(self.system.fstat(self.fd), end, tail_before(self._read, end))
        except OSError as error:
            raise Unconfirmed(f"{added}, but cannot be read back ({error.strerror}): look at its end.") from error
        if found != payload:
            raise Unconfirmed(f"{added}, but reads back otherwise: another program writes to it; look at its end.")
        if not lead and before not in (b"", b"\n"):
            kept = self._take_back(payload, start, lead)
            raise ChangedUnderneath(f"Another program was writing a line to {self.path}. {kept} Read it again.")
        if sync_error:
            raise Unconfirmed(f"{added}, but the disk did not confirm it ({sync_error}): look after the disk.")
        if start != self.state.size:
            gap = f"but another program wrote {start - self.state.size:,} bytes just before it"
            raise Interleaved(f"{added}, {gap}: look at the session again, and close the pi that has it open.")
        return state

    def _sync(self) -> str:
        """Wait for the disk; what it answered, "" where all is well or it cannot be asked."""
        try:
            self.system.fsync(self.fd)
        except OSError as error:
            return "" if error.errno in _NO_SYNC else error.strerror or type(error).__name__
        return ""

    # -- taking back --------------------------------------------------------------------------------------------------

    def _take_back(self, part: bytes, start: int, lead: bytes) -> str:
        """Undo a write of ours that did not end well; a sentence that says what is left of it."""
        if not part:
            return "Nothing of it is in the file."
        blank = (lead + b" " * len(part))[: len(part) - 1] + b"\n"
        blanked = False
        with suppress(OSError):
            if self._read(start, len(part)) != part:
                return "What went in was changed by another program."
            blanked = self.system.overwrite(self.fd, blank, start) == len(blank)
        with suppress(OSError):
            if start == self.state.size and self._size() == start + len(part):
                self.system.ftruncate(self.fd, start)
                self._sync()
                return "What went in was taken back; the file is as it was."
        if blanked:
            return "What went in was made a blank line, which pi skips."
        return f"{len(part):,} bytes of it are left at byte {start:,}; copy the file before pi goes on with it."
