"""A commit into a new file: a copy outside of pi's folders, or a fork beside the session.

The old file is only read. Sessions of version 1 and 2 are written in version 3.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pitree.session.fork import current_version_lines, fork
from pitree.session.javascript import JSON
from pitree.session.session import Session
from pitree.store.file_state import hash_of, tail_before
from pitree.store.reader import CHUNK, FileSource
from pitree.store.whole_files import PRIVATE, create_file, replace_file
from pitree.store.write_errors import AlreadyThere, ChangedUnderneath, Gone, NotAFile, WrongPlace, write_error


@dataclass(frozen=True, slots=True, eq=False)
class ForkedFile:
    """A fork that was written.

    Attributes:
        path: Its file.
        session_id: Its id, which `pi --session` takes.
        entry: The new entry as it stands in it.
    """

    path: Path
    session_id: str
    entry: dict[str, JSON]


def copy_session(
    session: Session,
    source: Path | None,
    destination: Path,
    data: bytes,
    *,
    sessions_folders: Iterable[Path],
    overwrite: bool = False,
) -> None:
    """Write a new file with the same bytes and new lines after them.

    Args:
        session: What was read.
        source: Its file; None for a session in memory.
        destination: The new file.
        data: The new lines, each with its newline.
        sessions_folders: Where pi looks for sessions: two files with one session id would confuse it there.
        overwrite: Replace a file that is there.

    Raises:
        WrongPlace: when the destination lies in one of these folders, or is the session itself.
        AlreadyThere: when there is such a file and it is not to be replaced.
        ChangedUnderneath: when the session's file is not what was read.
        WriteError: when it cannot be written.
    """
    check_destination(source, destination, sessions_folders=sessions_folders, overwrite=overwrite)
    _check_unchanged(session, source)
    write = replace_file if overwrite else create_file
    write(Path(os.path.realpath(destination)), _copied(session, data), _mode(source))


def check_destination(
    source: Path | None, destination: Path, *, sessions_folders: Iterable[Path], overwrite: bool = False
) -> None:
    """Raise where a copy may not lie, as `copy_session` does; nothing is written.

    Raises:
        WrongPlace: when the destination lies in a folder of pi, or is the session itself.
        AlreadyThere: when there is such a file and it is not to be replaced.
        WriteError: when the destination is a folder, or lies in none.
    """
    _check_place(source, destination, sessions_folders)
    if destination.is_dir():
        raise NotAFile(f"{destination} is a folder; name a file in it.")
    if not destination.parent.is_dir():
        raise Gone(f"{destination} cannot be written: there is no folder {destination.parent}; make it first.")
    if not overwrite and os.path.lexists(destination):
        raise AlreadyThere(f"{destination} exists already; choose another name.")


def fork_session(
    session: Session,
    source: Path,
    entry: dict[str, JSON],
    *,
    ms: int,
    draw_bytes: Callable[[int], bytes],
    draw_id: Callable[[], str],
    folder: Path | None = None,
) -> ForkedFile:
    """Write a new session beside the old one: the path to the entry's parent, and the entry.

    Args:
        session: What was read.
        source: Its file.
        entry: The new entry as it would be appended to that file.
        ms: Now.
        draw_bytes: Gives so many random bytes (`os.urandom`).
        draw_id: Gives a random UUID as text.
        folder: Where it goes when not beside the old one.

    Raises:
        ChangedUnderneath: when the session's file is not what was read.
        WriteError: when it cannot be written.
    """
    _check_unchanged(session, source)
    source = Path(os.path.abspath(source))
    made = fork(session, entry, parent_session=str(source), ms=ms, draw_bytes=draw_bytes, draw_id=draw_id)
    path = (folder or source.parent) / made.file_name
    create_file(path, made.lines, _mode(source))
    return ForkedFile(path, made.session_id, made.entry)


def _check_place(source: Path | None, destination: Path, folders: Iterable[Path]) -> None:
    real = Path(os.path.realpath(destination))
    if source is not None and real == Path(os.path.realpath(source)):
        raise WrongPlace(f"{destination} is the session itself; choose another name.")
    for folder in folders:
        if real.is_relative_to(os.path.realpath(folder)):
            raise WrongPlace(
                f"{destination} lies in {folder}, where pi would find two sessions with one id; "
                "choose another folder, or make a fork."
            )


def _check_unchanged(session: Session, source: Path | None) -> None:
    """Raise where the open file does not hold any more what was read."""
    if not isinstance(session.source, FileSource):
        return
    state = session.source.state()
    try:
        same = hash_of(tail_before(session.source.read, state.size)) == state.tail
    except OSError as error:
        raise write_error(source or Path("the session"), error) from error
    if not same or session.size != state.size:
        raise ChangedUnderneath(f"{source} is not what was read: its contents have changed. Read it again.")


def _mode(source: Path | None) -> int:
    """As open as the old file, so that a copy shows to nobody what the session does not."""
    if source is None:
        return PRIVATE
    try:
        return source.stat().st_mode & 0o666 | PRIVATE
    except FileNotFoundError as error:
        raise Gone(f"{source} is gone; it may have been moved or deleted.") from error
    except OSError as error:
        raise write_error(source, error) from error


def _copied(session: Session, data: bytes) -> Iterator[bytes]:
    if session.migration.needed:
        yield from current_version_lines(session)
    else:
        yield from _same_bytes(session)
    yield data


def _same_bytes(session: Session) -> Iterator[bytes]:
    """The bytes that were read, and a newline where the last line has none."""
    offset, part = 0, b"\n"
    while offset < session.size and (part := session.source.read(offset, min(CHUNK, session.size - offset))):
        yield part
        offset += len(part)
    if not part.endswith(b"\n"):
        yield b"\n"
