"""Which entry a person means on the command line: an id, or the line of the file it stands on."""

from __future__ import annotations

from pitree.session.javascript import JSON
from pitree.session.session import Session

_LONGEST_LINE_NUMBER = 16


class NoSuchEntry(ValueError):
    """An id names no entry; the message says which."""


def resolve_id(session: Session, name: str) -> JSON:
    """The id that `@N` (physical line N, the header being line 0) or an id names; `@null` is before the first entry.

    Raises:
        NoSuchEntry: when it names nothing.
    """
    if name == "@null":
        return None
    if session.find(name) is not None:
        return name
    if name.startswith("@") and name[1:].isdecimal() and len(name) <= _LONGEST_LINE_NUMBER:
        line = int(name[1:])
        index = next((i for i in range(session.count) if session.line(i) == line), None)
        if index is not None:
            return session.id_of(index)
    raise NoSuchEntry(f"There is no entry {name} in this session.")


def resolve_target(session: Session, name: str) -> JSON:
    """The id of an entry to go to, as `resolve_id`.

    Raises:
        NoSuchEntry: when it names nothing, or the place before the first entry.
    """
    if name == "@null":
        raise NoSuchEntry("There is nowhere to go before the first entry.")
    return resolve_id(session, name)
