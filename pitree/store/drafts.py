"""The drafts of a session, kept in pitree's state folder until they are thrown away.

One small JSON file per session id, so that drafts follow a session that is moved. It is private, because it holds what
the session holds. A file that cannot be understood is set aside before another one takes its place.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Final

from pitree.planning.draft import Draft
from pitree.session.javascript import JSON, get, stringify
from pitree.store.json_files import read_json
from pitree.store.whole_files import private_folder, replace_file, set_aside

VERSION: Final = 1
MOST: Final = 50
"""How many drafts of a session are kept; the oldest go first."""
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_TYPES: Final = {"str": str, "bool": bool, "int": int}


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for a session.

    Attributes:
        drafts: Oldest first.
        problem: Why the file could not be understood, as the end of a sentence that starts with its name; None when all
            is well. Nothing is lost: it is set aside when drafts are saved.
    """

    drafts: tuple[Draft, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class DraftStore:
    """The drafts of all sessions.

    Attributes:
        folder: Where they are, for example `state_dir(environment) / "drafts"`; it need not exist.
    """

    folder: Path

    def path(self, session_id: str) -> Path:
        """The file for a session; an id that would make an odd file name is hashed."""
        plain = _PLAIN_ID.fullmatch(session_id)
        name = session_id if plain else hashlib.sha256(stringify(session_id).encode()).hexdigest()
        return self.folder / f"{name}.json"

    def load(self, session_id: str) -> Kept:
        """The drafts of a session; never raises, changes nothing."""
        return self._read(session_id)[0]

    def add(self, session_id: str, draft: Draft, replacing: Draft | None = None) -> tuple[Draft, ...]:
        """Keep a draft, in the place of an earlier form of it if there was one; the drafts that are kept then.

        What another pitree has saved meanwhile stays.

        Raises:
            WriteError: when it cannot be saved.
        """

        def change(drafts: list[Draft]) -> list[Draft]:
            if replacing in drafts:
                return [draft if old == replacing else old for old in drafts]
            return [*(old for old in drafts if old != draft), draft]

        return self._change(session_id, change)

    def remove(self, session_id: str, draft: Draft) -> tuple[Draft, ...]:
        """Throw a draft away; the drafts that are kept then.

        Raises:
            WriteError: when that cannot be saved.
        """
        return self._change(session_id, lambda drafts: [old for old in drafts if old != draft])

    def _change(self, session_id: str, change: Callable[[list[Draft]], list[Draft]]) -> tuple[Draft, ...]:
        private_folder(self.folder)
        with _locked(self.folder):
            kept, exists, why = self._read(session_id)
            drafts = tuple(change([*kept.drafts])[-MOST:])
            if kept.problem and exists:
                set_aside(self.path(session_id), why)
            value = {"version": VERSION, "session": session_id, "drafts": [draft_value(draft) for draft in drafts]}
            replace_file(self.path(session_id), [f"{stringify(value)}\n".encode()])
        return drafts

    def _read(self, session_id: str) -> tuple[Kept, bool, str]:
        """What is kept, whether there is a file, and under what name it would be set aside."""
        file = read_json(self.path(session_id))
        if not file.exists or file.problem is not None:
            return Kept((), file.problem), file.exists, "broken"
        version = get(file.value, "version")
        if isinstance(version, int) and version > VERSION:
            return Kept((), f"was written by a newer pitree (version {version})"), True, "newer"
        try:
            return Kept(_drafts(file.value)), True, ""
        except ValueError as error:
            return Kept((), f"holds no drafts ({error})"), True, "broken"


def draft_value(draft: Draft) -> dict[str, JSON]:
    """A draft as a JSON value."""
    return {field.name: getattr(draft, field.name) for field in fields(Draft)}


def draft_of(value: JSON) -> Draft:
    """A draft from its JSON value; what is not known is passed over.

    Raises:
        ValueError: when something is missing or of another kind.
    """
    if not isinstance(value, dict):
        raise ValueError("a draft is no object")
    given: dict[str, JSON] = {}
    for field in fields(Draft):
        if field.name not in value:
            if field.default is MISSING:
                raise ValueError(f"a draft has no {field.name}")
            continue
        kind = _TYPES.get(str(field.type), object)
        if not isinstance(value[field.name], kind) or (kind is int and isinstance(value[field.name], bool)):
            raise ValueError(f"{field.name} of a draft is no {kind.__name__}")
        given[field.name] = value[field.name]
    return Draft(**given)


def _drafts(value: JSON) -> tuple[Draft, ...]:
    drafts = get(value, "drafts")
    if get(value, "version") != VERSION or not isinstance(drafts, list):
        raise ValueError("another format")
    return tuple(map(draft_of, drafts))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one pitree at a time change drafts; file systems without locks go without."""
    fd = -1
    try:
        with suppress(OSError):
            fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        if fd >= 0:
            os.close(fd)
