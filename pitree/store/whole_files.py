"""Writes whole files, at once or not at all: a reader sees the old one or the new one and never a part."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pitree.store.write_errors import Gone, write_error

PRIVATE = 0o600
"""For its owner only."""
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def create_file(path: Path, parts: Iterable[bytes], mode: int = PRIVATE) -> None:
    """Write a new file.

    Args:
        path: The file; its folder exists.
        parts: Its contents.
        mode: Its permissions.

    Raises:
        AlreadyThere: when something of that name exists; it is left alone.
        WriteError: when it cannot be written; then there is no such file.
    """
    _write(path, parts, mode, replace=False)


def replace_file(path: Path, parts: Iterable[bytes], mode: int = PRIVATE) -> None:
    """Write a file, in the place of the one that may be there.

    Raises:
        WriteError: when it cannot be written; then the old one is as it was.
    """
    _write(path, parts, mode, replace=True)


def private_folder(path: Path) -> None:
    """Make a folder, and what leads to it, that only its owner may look into.

    Raises:
        WriteError: when that is not possible.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.stat().st_mode & 0o077:
            path.chmod(0o700)
    except OSError as error:
        raise write_error(path, error) from error


def set_aside(path: Path, why: str) -> Path:
    """Give a file another name beside its own, and answer that: `name.why`, `name.why-2`, ...

    Raises:
        WriteError: when that is not possible.
    """
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.{why}" + (f"-{number}" if number > 1 else ""))
        try:
            _rename_new(path, aside)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise write_error(path, error) from error
        else:
            return aside


def _write(path: Path, parts: Iterable[bytes], mode: int, *, replace: bool) -> None:
    if not path.parent.is_dir():
        raise Gone(f"{path} cannot be written: there is no folder {path.parent}; make it first.")
    try:
        fd, name = tempfile.mkstemp(prefix=".pitree-", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise write_error(path, error) from error
    temporary = Path(name)
    try:
        with open(fd, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            with suppress(OSError):  # a file system without permissions; until here the file is private
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        if replace:
            os.replace(temporary, path)
        else:
            _rename_new(temporary, path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _rename_new(old: Path, new: Path) -> None:
    """Rename where nothing has the new name yet."""
    try:
        os.link(old, new)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: the name is taken first, and then the file is put over it.
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE))
        os.replace(old, new)
    else:
        os.unlink(old)


def _sync_folder(folder: Path) -> None:
    """Make a new name last; file systems that cannot are left to themselves."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
