"""Opens a session file for reading: the bytes in chunks, and any part of them again."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from pitree.session.load import load
from pitree.session.problems import NotASession
from pitree.session.session import Session
from pitree.store.errors import StoreError
from pitree.store.file_state import TAIL, FileState, state_of

CHUNK = 128 * 1024
"""How much is read at a time, in bytes: what stays in the processor's cache until its lines have been taken."""
REPORT = 4 * 1024 * 1024
"""After how many bytes progress is told."""


class CannotOpen(StoreError):
    """The file cannot be read, or is no session; the message says what to do."""


class NotAFile(CannotOpen):
    """A pipe, a device or a folder; the message says what to do."""


class FileSource:
    """A session file on disk, kept open so that a file put in its place is not taken for it."""

    def __init__(self, path: Path) -> None:
        # A named pipe would wait for a writer, and a device never ends: only a real file is a session.
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0))
        self._size = 0
        self._tail = b""
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            raise NotAFile(f"{path} is no ordinary file; name a session file.")

    def read(self, offset: int, length: int) -> bytes:
        """See `session.Source`."""
        return os.pread(self._fd, length, offset)

    def chunks(self, progress: Callable[[int], bool] | None = None) -> Iterator[bytes]:
        """The file from its start; `progress` gets the bytes read so far and says whether to go on."""
        offset = told = self._size = 0
        self._tail = b""
        while data := os.pread(self._fd, CHUNK, offset):
            offset = self._size = offset + len(data)
            # Kept as it was read: read again later it would hide what somebody has changed since.
            self._tail = data[-TAIL:] if len(data) >= TAIL else (self._tail + data)[-TAIL:]
            yield data
            if progress is not None and (offset - told >= REPORT or len(data) < CHUNK):
                told = offset
                if not progress(offset):
                    return

    def state(self) -> FileState:
        """The file as `chunks` has read it: what a writer compares before it appends."""
        return state_of(os.fstat(self._fd), self._size, self._tail)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._fd)

    def __del__(self) -> None:
        try:
            self.close()
        except (OSError, AttributeError):
            return


def open_session(path: Path, progress: Callable[[int], bool] | None = None) -> Session:
    """The session in a file. The file is never changed.

    Args:
        path: The file.
        progress: Gets the bytes read so far and says whether to go on; the answer False ends the session there.

    Raises:
        CannotOpen: when it cannot be read or is no session.
    """
    try:
        if path.is_dir():
            raise CannotOpen(f"{path} is a folder; name a session file in it.")
        source = FileSource(path)
        return load(source.chunks(progress), source)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CannotOpen(f"{path} cannot be read: {reason}.") from error
    except NotASession as error:
        raise CannotOpen(f"{path}: {error}") from error
