"""Finding session files: of a project, of all projects, by id, and the one that pi would continue.

Rules of pi 1.6.0 (`session-manager`, `main`). Where pi passes over a file that it cannot use, or takes the first of
several that fit, this says so instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pitree.store.errors import AmbiguousSessionError, SessionNotFoundError, StoreError
from pitree.store.locations import Environment, custom_sessions_dir, resolve, sessions_folder, sessions_root
from pitree.store.summaries import SessionSummary, read_header, summarize_file

_NAMED = 5


@dataclass(frozen=True)
class _Candidate:
    """A file that is named like a session.

    Attributes:
        path: the file.
        links: how many of the folder and the file are symbolic links.
        status: what `stat` says; None when it cannot be looked at (a dangling link).
        identity: equal for the same file under two paths.
    """

    path: Path
    links: int
    status: os.stat_result | None
    identity: object

    @property
    def milliseconds(self) -> float:
        """When it was written, as the double that pi sorts by."""
        if self.status is None:
            return 0.0
        seconds, nanoseconds = divmod(self.status.st_mtime_ns, 1_000_000_000)
        return seconds * 1e3 + nanoseconds / 1e6


def project_sessions(
    environment: Environment, cwd: Path | None = None, *, session_dir: Path | None = None
) -> Iterator[SessionSummary]:
    """List the sessions of a project, the one that was written last first.

    A file that is no session comes with its problem. The folders are looked at once, at the call; each file is opened
    when its turn comes.

    Args:
        environment: variables, home and working folder.
        cwd: the project, absolute; the working folder when not given.
        session_dir: the `sessionDir` setting (`PiSettings.session_dir`). In a folder that projects share, a session
            belongs to the project that its header names, and files with a problem belong to all.

    Raises:
        StoreError: when the folder exists but cannot be listed.
    """
    folder = sessions_folder(environment, cwd, session_dir=session_dir)
    rows = _summaries(_distinct(_files(folder.path)))
    if not folder.shared:
        return rows
    return (row for row in rows if row.problem or _belongs(row.cwd, environment, cwd))


def all_sessions(environment: Environment, *, session_dir: Path | None = None) -> Iterator[SessionSummary]:
    """List the sessions of all projects, the one that was written last first.

    Those are the files of the folder that the variable or the setting names, else of every project's folder in pi's
    agent folder. A session that is also reachable by a symbolic link is listed once, under its own path.

    Args:
        environment: variables, home and working folder.
        session_dir: the `sessionDir` setting (`PiSettings.session_dir`).

    Raises:
        StoreError: when the folder exists but cannot be listed.
    """
    return _summaries(_distinct(_all_files(environment, session_dir)))


def latest(environment: Environment, cwd: Path | None = None, *, session_dir: Path | None = None) -> Path:
    """Return the session that `pi --continue` would open: the file with a header that was written last.

    Of files written at the same time the first by name counts. A name that cannot be looked at is passed over (pi gives
    up there and starts a new session).

    Args:
        environment: variables, home and working folder.
        cwd: the project, absolute; the working folder when not given.
        session_dir: the `sessionDir` setting; in a folder that projects share, the header must name the project.

    Raises:
        SessionNotFoundError: when there is none.
        StoreError: when the folder exists but cannot be listed.
    """
    folder = sessions_folder(environment, cwd, session_dir=session_dir)
    files = sorted(_files(folder.path), key=lambda file: os.fsencode(file.path.name))
    for file in sorted(files, key=lambda file: -file.milliseconds):
        header = read_header(file.path)
        if header is not None and (not folder.shared or _belongs(header.get("cwd"), environment, cwd)):
            return file.path
    project = cwd or environment.cwd
    advice = "start pi in the project first, or give a session file"
    raise SessionNotFoundError(f"There is no session of {project} in {folder.path}; {advice}.")


def find_session(
    environment: Environment, text: str, cwd: Path | None = None, *, session_dir: Path | None = None
) -> Path:
    """Return the session file that a person means by a path, an id or the start of an id.

    A text with a slash or backslash or with `.jsonl` at its end is a path, and so is the name of a file that exists.
    Else it is looked for first among the sessions of the project and then among all: each time the full id before the
    start of one.

    Args:
        environment: variables, home and working folder.
        text: what the person gave.
        cwd: the project, absolute; the working folder when not given. Relative paths count from it.
        session_dir: the `sessionDir` setting (`PiSettings.session_dir`).

    Raises:
        AmbiguousSessionError: when several sessions fit; it names them.
        SessionNotFoundError: when none fits or there is no such file.
        StoreError: when a folder of sessions cannot be listed.
    """
    if not text:
        raise SessionNotFoundError("An empty text names no session; give a path, an id or the start of an id.")
    path = resolve(text, environment, cwd)
    if "/" in text or "\\" in text or text.endswith(".jsonl") or _is_file(path):
        return _existing(path)
    folder = sessions_folder(environment, cwd, session_dir=session_dir)
    local = _ids(_distinct(_files(folder.path)), lambda of: not folder.shared or _belongs(of, environment, cwd))
    found = _match(text, local)
    if found is None:
        found = _match(text, _ids(_distinct(_all_files(environment, session_dir)), lambda _: True))
    if found is None:
        raise SessionNotFoundError(
            f'No session has an id that starts with "{text}"; pitree without arguments lists those of the project.'
        )
    return found


def _existing(path: Path) -> Path:
    if path.is_dir():
        raise SessionNotFoundError(f"{path} is a folder; give a session file, or start pitree in the project's folder.")
    if not os.path.lexists(path):
        raise SessionNotFoundError(f"There is no file {path}; check the path, or give the id of a session.")
    return path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except ValueError:  # a NUL in the name
        return False


def _ids(files: Iterable[_Candidate], belongs: Callable[[object], bool]) -> list[tuple[str, Path]]:
    """Return id and path of the files that have a header and belong."""
    headers = ((read_header(file.path), file.path) for file in files)
    return [(header["id"], path) for header, path in headers if header is not None and belongs(header.get("cwd"))]


def _match(text: str, sessions: list[tuple[str, Path]]) -> Path | None:
    """Return the one session that fits, or None when none does."""
    exact = [(id_, path) for id_, path in sessions if id_ == text]
    fitting = exact or [(id_, path) for id_, path in sessions if id_.startswith(text)]
    if len(fitting) < 2:
        return fitting[0][1] if fitting else None
    named = "; ".join(str(path) if exact else f"{id_} in {path.parent.name}" for id_, path in fitting[:_NAMED])
    more = f"; and {len(fitting) - _NAMED} more" if len(fitting) > _NAMED else ""
    advice = "Give the path of the one you mean." if exact else "Give more of the id, or the path."
    raise AmbiguousSessionError(
        f'"{text}" fits {len(fitting)} sessions: {named}{more}. {advice}', tuple(str(path) for _, path in fitting)
    )


def _belongs(header_cwd: object, environment: Environment, cwd: Path | None) -> bool:
    """Tell whether a header's `cwd` names the project."""
    if not isinstance(header_cwd, str) or not header_cwd:
        return False
    return resolve(header_cwd, environment) == resolve(str(cwd or environment.cwd), environment)


def _summaries(files: Iterable[_Candidate]) -> Iterator[SessionSummary]:
    return (summarize_file(file.path, file.status) for file in files)


def _all_files(environment: Environment, session_dir: Path | None) -> list[_Candidate]:
    custom = custom_sessions_dir(environment, session_dir)
    if custom is not None:
        return _files(custom)
    files: list[_Candidate] = []
    for entry in _entries(sessions_root(environment)):
        try:
            files += _files(Path(entry.path), linked=entry.is_symlink()) if entry.is_dir() else ()
        except (StoreError, OSError):
            continue  # a folder of another project that is closed to us must not hide the rest
    return files


def _files(folder: Path, *, linked: bool = False) -> list[_Candidate]:
    """Return the files of one folder that are named like sessions, in no order."""
    return [_candidate(entry, linked) for entry in _entries(folder) if entry.name.endswith(".jsonl")]


def _candidate(entry: os.DirEntry[str], linked: bool) -> _Candidate:
    status = _status(entry, follow=True)
    own = status or _status(entry, follow=False)
    identity = (own.st_dev, own.st_ino) if own else entry.path
    return _Candidate(Path(entry.path), linked + entry.is_symlink(), status, identity)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise StoreError(f"The folder {folder} cannot be listed: its name holds what no name may hold.") from error
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"The folder {folder} cannot be listed ({reason}); check it and its permissions.") from error


def _status(entry: os.DirEntry[str], *, follow: bool) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=follow)
    except OSError:
        return None


def _distinct(files: Iterable[_Candidate]) -> list[_Candidate]:
    """Return each file once, under its own path rather than a link's; newest first, then by name downwards as in pi."""
    kept: dict[object, _Candidate] = {}
    for file in sorted(files, key=lambda file: (file.links, os.fsencode(file.path))):
        kept.setdefault(file.identity, file)
    by_name = sorted(kept.values(), key=lambda file: os.fsencode(file.path.name), reverse=True)
    return sorted(by_name, key=lambda file: -file.milliseconds)
