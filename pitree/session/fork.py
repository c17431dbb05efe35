"""What a session becomes in a new file: a fork of one path, or the whole of it in the current version.

Rules of pi 1.6.0: `createBranchedSession` and `migrateSessionEntries`. A line in which nothing changes keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pitree.session import new_entries
from pitree.session.entries import Kind
from pitree.session.javascript import JSON, get, map_key, same, truthy
from pitree.session.migrate import CURRENT_VERSION
from pitree.session.session import Label, Session


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """A new session that holds one path of another one.

    Attributes:
        session_id: Its id.
        file_name: The name of its file.
        entry: The new entry, hung below the last entry of the fork.
        lines: The whole file, a line each with its newline; the last one is the new entry.
    """

    session_id: str
    file_name: str
    entry: dict[str, JSON]
    lines: tuple[bytes, ...]


def fork(
    session: Session,
    entry: dict[str, JSON],
    *,
    parent_session: str,
    ms: int,
    draw_bytes: Callable[[int], bytes],
    draw_id: Callable[[], str],
) -> Fork:
    """A fork of the path to an entry's parent, with the entry at its end.

    Labels are taken out of the path and written again after it; what pointed at one of them points at the entry after
    it (under 0.84 pi leaves the pointers dangling, which would keep nothing).

    Args:
        session: The old session.
        entry: The new entry as it would be appended to the old session.
        parent_session: The path of the old session's file.
        ms: Now.
        draw_bytes: Gives so many random bytes.
        draw_id: Gives a random UUID as text.
    """
    path = session.path(session.find(parent) if truthy(parent := get(entry, "parentId")) else None)
    chain = _Chain(session)
    chain.extend(path)
    last_id = chain.add_labels(path, entry["id"], draw_id)
    last = {**entry, "parentId": last_id}
    if "firstKeptEntryId" in entry:
        last["firstKeptEntryId"] = chain.kept(entry["firstKeptEntryId"], entry["id"])
    session_id = new_entries.new_session_id(ms, draw_bytes)
    cwd = get(session.header, "cwd")
    head = new_entries.header(session_id=session_id, ms=ms, cwd=cwd, parent_session=parent_session)
    lines = (new_entries.line_of(head), *chain.lines, new_entries.line_of(last))
    return Fork(session_id, new_entries.session_file_name(ms, session_id), last, lines)


class _Chain:
    """A path without its labels, hung together anew."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lines: list[bytes] = []
        self.last_id: JSON = None
        self._instead: dict[object, JSON] = {}
        self._pending: list[JSON] = []

    def extend(self, path: list[int]) -> None:
        """Take the entries of a path, in its order."""
        for index in path:
            if self.session.kind(index) is Kind.LABEL:
                self._pending.append(self.session.id_of(index))
            else:
                self._take(index)

    def _take(self, index: int) -> None:
        value, entry_id = self.session.entry(index).value, self.session.id_of(index)
        self._instead.update((map_key(label), entry_id) for label in self._pending)
        self._pending.clear()
        changes: dict[str, JSON] = {"parentId": self.last_id}
        if self.session.kind(index) is Kind.COMPACTION:
            changes["firstKeptEntryId"] = self.kept(get(value, "firstKeptEntryId"), entry_id)
        self.lines.append(_line(self.session, index, changes))
        self.last_id = entry_id

    def kept(self, kept_id: JSON, own_id: JSON) -> JSON:
        """Where a kept range begins once the labels are gone: a label with nothing after it keeps nothing."""
        if any(same(kept_id, label) for label in self._pending):
            return own_id
        return own_id if same(kept_id, own_id) else self._instead.get(map_key(kept_id), kept_id)

    def add_labels(self, path: list[int], new_id: str, draw_id: Callable[[], str]) -> JSON:
        """Write the labels of the path's entries again; the id of the last entry then."""
        kept = [index for index in path if self.session.kind(index) is not Kind.LABEL]
        ids = {map_key(entry_id): entry_id for entry_id in map(self.session.id_of, kept)}
        taken: set[object] = {*ids, new_id}
        self.last_id = self.last_id if truthy(self.last_id) else None
        for target, label in self.session.labels.items():
            if target in ids:
                self._add_label(new_entries.new_id(taken, draw_id), ids[target], label)
                taken.add(self.last_id)
        return self.last_id

    def _add_label(self, entry_id: str, target_id: JSON, label: Label) -> None:
        value = new_entries.label(entry_id=entry_id, parent_id=self.last_id, ms=0, target_id=target_id, text=label.text)
        self.lines.append(new_entries.line_of({**value, "timestamp": label.timestamp}))
        self.last_id = entry_id


def current_version_lines(session: Session) -> Iterator[bytes]:
    """The lines of a session of version 1 or 2 as pi would write them in version 3."""
    yield new_entries.line_of({**session.header, "version": CURRENT_VERSION})
    for index in range(session.count):
        yield _line(session, index, {})


def _line(session: Session, index: int, changes: dict[str, JSON]) -> bytes:
    """An entry as a line: with its own bytes where nothing changes."""
    value = session.entry(index).value
    migration = session.migration
    is_migrated = migration.renumber or (migration.rename and session.kind(index) is Kind.CUSTOM_ROLE)
    if not isinstance(value, dict) or not (is_migrated or _changes(value, changes)):
        return session.raw(index) + b"\n"
    return new_entries.line_of({**value, **changes})


def _changes(value: dict[str, JSON], changes: dict[str, JSON]) -> bool:
    return not all(same(get(value, key), new) for key, new in changes.items())
