"""Why nothing, or not all, could be written: each as one sentence that also says what to do."""

from __future__ import annotations

import errno
from pathlib import Path

from pitree.store.errors import StoreError


class WriteError(StoreError):
    """Something went wrong while writing.

    Attributes:
        written: The new line stands in the file all the same. When False the file holds nothing new that counts.
    """

    written = False


class Gone(WriteError):
    """There is no such file or folder any more."""


class NotAFile(WriteError):
    """A folder, a pipe or a device has that name."""


class ReadOnly(WriteError):
    """The file or its folder may not be written."""


class DiskFull(WriteError):
    """The disk is full, or a quota or a size limit is reached."""


class ChangedUnderneath(WriteError):
    """The file is not what was read."""


class AlreadyThere(WriteError):
    """A new file would have replaced another one."""


class WrongPlace(WriteError):
    """A new file may not lie there."""


class CannotWrite(WriteError):
    """Any other answer of the system."""


class Unconfirmed(WriteError):
    """The line was written, but the disk has not confirmed it."""

    written = True


class Interleaved(WriteError):
    """The line was written, and another program wrote just before it: what was shown may not hold any more."""

    written = True


_KINDS: dict[int, tuple[type[WriteError], str]] = {
    errno.ENOENT: (Gone, "{path} is gone; it may have been moved or deleted."),
    errno.ENOTDIR: (Gone, "{path} is gone; a part of its path is no folder."),
    errno.EISDIR: (NotAFile, "{path} is a folder; name a file."),
    errno.EACCES: (ReadOnly, "{path} may not be written: change its permissions, or write to another file."),
    errno.EPERM: (ReadOnly, "{path} may not be written: it is protected; write to another file."),
    errno.EROFS: (ReadOnly, "{path} lies on a file system that is read-only; write to another file."),
    errno.ETXTBSY: (ReadOnly, "{path} is being run as a program; write to another file."),
    errno.EEXIST: (AlreadyThere, "{path} exists already; choose another name."),
    errno.ENOSPC: (DiskFull, "The disk of {path} is full; make room and try again."),
    errno.EDQUOT: (DiskFull, "Your quota on the disk of {path} is used up; make room and try again."),
    errno.EFBIG: (DiskFull, "{path} would become larger than the system allows; write to another file."),
}


def write_error(path: Path, error: OSError) -> WriteError:
    """The error for what the system answered about a file."""
    kind, text = _KINDS.get(error.errno or 0, (CannotWrite, "{path} cannot be written: {reason}."))
    return kind(text.format(path=path, reason=error.strerror or type(error).__name__))
