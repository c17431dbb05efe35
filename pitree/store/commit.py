"""A commit from the side of the disk: what speaks against a destination, and writing it there.

The command line and the screen both commit by these functions. What the session itself says against a commit is in
`planning.commit`; the bytes come from there too. Clock, chance and the look for a running pi are arguments.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from pitree.planning.commit import Check, block
from pitree.session.fork import fork
from pitree.session.javascript import JSON, get, to_string
from pitree.session.new_entries import line_of
from pitree.session.session import Session
from pitree.store.copies import check_destination, copy_session, fork_session
from pitree.store.file_state import FileState, hash_of, tail_before
from pitree.store.locations import Environment, custom_sessions_dir, sessions_root
from pitree.store.pi_settings import read_settings
from pitree.store.reader import FileSource
from pitree.store.running_pi import CannotTell, PiProcess, find_pi, recent_write
from pitree.store.write_errors import WriteError, WrongPlace, write_error
from pitree.store.writer import System, append

RECENT: Final = 60.0
"""A write so many seconds ago is recent: whoever made it may go on."""

PiSearch = Callable[[Path], tuple[PiProcess, ...] | CannotTell]
"""Looks for a running pi in the folder of a session; see `running_pi.find_pi`."""


class Where(Enum):
    """Where a commit goes, in words."""

    HERE = "this file"
    COPY = "a copy"
    FORK = "a fork"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a commit is to go.

    Attributes:
        where: The kind of place.
        copy_to: The new file, for a copy.
        folders: Where pi looks for sessions, and a copy must not lie; see `pi_folders`.
    """

    where: Where
    copy_to: Path | None = None
    folders: tuple[Path, ...] = ()

    @classmethod
    def copy(cls, copy_to: Path, folders: Iterable[Path]) -> Destination:
        """A copy in a new file."""
        return cls(Where.COPY, copy_to, tuple(folders))

    def file(self, path: Path | None) -> Path | None:
        """The file that would be written; None for a fork, which gets its name when it is written."""
        return {Where.HERE: path, Where.COPY: self.copy_to, Where.FORK: None}[self.where]


HERE: Final = Destination(Where.HERE)
FORK: Final = Destination(Where.FORK)


@dataclass(frozen=True, slots=True)
class Draws:
    """Clock and chance of a commit.

    Attributes:
        ms: Now, in milliseconds since 1970.
        draw_bytes: Gives so many random bytes (`os.urandom`).
        draw_id: Gives a random UUID as text.
    """

    ms: int
    draw_bytes: Callable[[int], bytes]
    draw_id: Callable[[], str]


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A commit that was made.

    Attributes:
        path: The file that holds it.
        entry: The new entry as it stands there.
        state: That file as it is now, for the next commit; None for a new file, which has to be read first.
    """

    path: Path
    entry: dict[str, JSON]
    state: FileState | None = None

    @property
    def command(self) -> str:
        """What to type to go on with pi."""
        return pi_command(self.path)


def pi_command(path: Path) -> str:
    """What to type to go on with a session in pi, whatever the shell's folder is then."""
    return f"pi --session {shlex.quote(os.path.abspath(path))}"


def pi_folders(environment: Environment) -> tuple[Path, ...]:
    """The folders in which pi looks for sessions: where a copy must not lie."""
    custom = custom_sessions_dir(environment, read_settings(environment).session_dir)
    return (sessions_root(environment), *(() if custom is None else (custom,)))


# -- what speaks against it ------------------------------------------------------------------------------------------


def destination_checks(
    session: Session, path: Path | None, destination: Destination, *, leaf: int, now_ns: int, look: PiSearch = find_pi
) -> tuple[Check, ...]:
    """What the disk says against a commit to a destination, as far as it can be seen beforehand.

    The writer looks again at the moment of the write, because all of this may change until then.

    Args:
        session: What was read.
        path: Its file; None for a session that is built in.
        destination: Where the commit goes.
        leaf: Index of the entry that the new one hangs below.
        now_ns: Now, in nanoseconds since 1970.
        look: Looks for a running pi.
    """
    if destination.copy_to is not None:
        return tuple(_copy(path, destination.copy_to, destination.folders))
    if path is None:
        return (block("built-in", "This session is built in and has no file: make a copy."),)
    if destination.where is Where.FORK:
        return ()
    return tuple(_checks_here(session, path, leaf, now_ns, look))


def _copy(path: Path | None, copy_to: Path, folders: Iterable[Path]) -> Iterator[Check]:
    try:
        check_destination(path, copy_to, sessions_folders=folders)
    except WriteError as error:
        yield block("copy", str(error))


def advised(checks: Iterable[Check]) -> Where:
    """Where a commit should rather go, by what speaks against this file."""
    kinds = {check.kind for check in checks}
    if kinds & {"version", "built-in"}:
        return Where.COPY
    return Where.FORK if "pi-open" in kinds else Where.HERE


def _checks_here(session: Session, path: Path, leaf: int, now_ns: int, look: PiSearch) -> Iterator[Check]:
    yield from version_checks(session)
    yield from _file(session, path)
    if leaf != session.last:
        message = "The leaf is not the end of the file: pi will go on below the new entry, and that end stays a branch."
        yield Check("leaf-elsewhere", message)
    yield from _writers(session, path, now_ns, look)


def version_checks(session: Session) -> tuple[Check, ...]:
    """That a session of version 1 or 2 is not written to."""
    if not session.migration.needed:
        return ()
    version = to_string(session.version)[:20]
    message = (
        f"The file is of version {version}, which pi rewrites when it opens it, and pitree never does: "
        "make a copy, which is written in version 3."
    )
    return (block("version", message),)


def _file(session: Session, path: Path) -> Iterator[Check]:
    """Whether the file is still there, what was read, and to be written."""
    source = session.source
    try:
        status = path.stat()
        if isinstance(source, FileSource) and not _is_same(path, status, source.state()):
            yield block("changed", f"{path} is not what was read: read it again, and close the pi that has it open.")
        if not os.access(path, os.W_OK):
            yield block("read-only", str(write_error(path, OSError(errno.EACCES, os.strerror(errno.EACCES)))))
    except OSError as error:
        yield block("gone", str(write_error(path, error)))


def _is_same(path: Path, status: os.stat_result, state: FileState) -> bool:
    found = (status.st_dev, status.st_ino, status.st_size)
    if not stat.S_ISREG(status.st_mode) or found != (state.device, state.inode, state.size):
        return False
    return hash_of(tail_before(FileSource(path).read, state.size)) == state.tail


def _writers(session: Session, path: Path, now_ns: int, look: PiSearch) -> Iterator[Check]:
    """Whether somebody else may be writing."""
    seconds = recent_write(path, now_ns)
    is_recent = seconds is not None and seconds < RECENT
    if is_recent and lacks_newline(session):
        yield block("torn", "The last line has no newline yet and was written just now: wait, and read it again.")
    yield from _running(session, look)
    if is_recent:
        yield Check("recent", f"The file was written {seconds:.0f} s ago: close what has it open before you go on.")


def _running(session: Session, look: PiSearch) -> Iterator[Check]:
    cwd = get(session.header, "cwd")
    if not isinstance(cwd, str) or not cwd or "\0" in cwd:
        return
    found = look(Path(cwd))
    if isinstance(found, CannotTell):
        yield Check("pi-unknown", f"Whether a pi is open there cannot be told: {found.reason}.")
    elif found:
        numbers = ", ".join(str(process.pid) for process in found[:4])
        yield Check(
            "pi-open",
            f"A pi seems to be open there (process {numbers}): it would not see the new entry, and go on beside it. "
            "Close it, or make a fork or a copy.",
        )


def lacks_newline(session: Session) -> bool:
    """Whether the last line has no newline; the writer then puts one before what it appends."""
    return bool(session.size) and session.source.read(session.size - 1, 1) != b"\n"


# -- doing it --------------------------------------------------------------------------------------------------------


def as_written(
    session: Session, destination: Destination, entry: dict[str, JSON], draws: Draws
) -> tuple[dict[str, JSON], bytes]:
    """A new entry and its line as they would stand at a destination: in a fork the labels hang elsewhere."""
    if destination.where is not Where.FORK:
        return entry, line_of(entry)
    made = fork(session, entry, parent_session="", ms=draws.ms, draw_bytes=draws.draw_bytes, draw_id=draws.draw_id)
    return made.entry, made.lines[-1]


def commit(
    session: Session, path: Path | None, destination: Destination, entry: dict[str, JSON], draws: Draws
) -> Written:
    """Write a new entry to where it is to go; see the functions below.

    Args:
        session: What was read.
        path: Its file; None for a session that is built in, which can only be copied.
        destination: Where it goes.
        entry: The new entry as it would be appended to the file.
        draws: Clock and chance.

    Raises:
        WriteError: when it cannot be written; `written` says whether it stands there all the same.
    """
    if destination.copy_to is not None:
        return commit_copy(session, path, destination.copy_to, entry, folders=destination.folders)
    if path is None:
        raise WrongPlace("This session is built in and has no file; make a copy. Nothing was written.")
    if destination.where is Where.FORK:
        return commit_fork(session, path, entry, draws)
    return commit_here(session, path, entry)


def commit_here(session: Session, path: Path, entry: dict[str, JSON], *, system: System | None = None) -> Written:
    """Append a new entry to the file that was read.

    Args:
        session: What was read.
        path: Its file.
        entry: The new entry.
        system: The operating system.

    Raises:
        WrongPlace: when the file is of an older version, or the session was not read from a file.
        ChangedUnderneath: when the file is not what was read.
        WriteError: when it cannot be written; `written` says whether the line stands in it all the same.
    """
    if session.migration.needed or not isinstance(session.source, FileSource):
        raise WrongPlace(f"{path} cannot take a line of version 3; make a copy. Nothing was written.")
    return Written(path, entry, append(path, session.source.state(), line_of(entry), system))


def commit_copy(
    session: Session, path: Path | None, copy_to: Path, entry: dict[str, JSON], *, folders: Iterable[Path]
) -> Written:
    """Write a copy of the session with a new entry at its end; one of version 1 or 2 in version 3.

    Args:
        session: What was read.
        path: Its file; None for a session that is built in.
        copy_to: The new file.
        entry: The new entry.
        folders: Where pi looks for sessions (`pi_folders`).

    Raises:
        WrongPlace: when the new file lies in one of these folders, or is the session itself.
        WriteError: when it cannot be written.
    """
    copy_session(session, path, copy_to, line_of(entry), sessions_folders=folders)
    return Written(copy_to, entry)


def commit_fork(session: Session, path: Path, entry: dict[str, JSON], draws: Draws) -> Written:
    """Write a new session beside the old one: the path to the entry's parent, and the entry.

    Args:
        session: What was read.
        path: Its file.
        entry: The new entry as it would be appended to that file.
        draws: Clock and chance.

    Raises:
        WriteError: when it cannot be written.
    """
    made = fork_session(session, path, entry, ms=draws.ms, draw_bytes=draws.draw_bytes, draw_id=draws.draw_id)
    return Written(made.path, made.entry)
