"""A session as an immutable value: entries in file order, their index, labels, name and leaf.

Entries are addressed by their index, 0 for the first after the header. Only columns are kept (ids, places in the file,
a byte of kind and flags, the breaks in the line of parents); the body of an entry is read and decoded when looked at.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from pitree.session.decode import decode
from pitree.session.entries import KIND_MASK, Entry, Flag, Kind
from pitree.session.javascript import JSON, get, map_key, truthy
from pitree.session.migrate import Migration, has_kept_index, migrated_kind, ordinal_id, renamed, renumbered
from pitree.session.parse import SKELETON_ERRORS, decode_timestamp
from pitree.session.problems import Problem
from pitree.session.tree import Chains, Tree, build_tree

_KINDS = tuple(Kind(min(code & KIND_MASK, Kind.UNKNOWN)) for code in range(256))
_CACHED_ENTRIES = 4096
_CACHED_BYTES = 16 * 1024 * 1024


class Source(Protocol):
    """Where the bytes of a session file are read again."""

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes from `offset`; fewer only where the file has become shorter."""
        ...


@dataclass(frozen=True, slots=True)
class BytesSource:
    """A session file in memory."""

    data: bytes

    def read(self, offset: int, length: int) -> bytes:
        """See `Source`."""
        return self.data[offset : offset + length]


@dataclass(frozen=True, slots=True)
class Label:
    """A label on an entry; `timestamp` as in the file."""

    text: JSON
    timestamp: JSON


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What is kept of each entry.

    Attributes:
        ids: As in the file, or as migrated.
        codes: A byte each: `Kind` and `Flag`.
        offsets: Where the line begins, in bytes.
        lengths: Of the line without its newline, in bytes.
        lines: Physical line numbers, the first line of the file being 0.
        places: Only in version 1: the place among the parsed lines, the header being 0.
    """

    ids: list[JSON] = field(default_factory=list)
    codes: bytearray = field(default_factory=bytearray)
    offsets: array[int] = field(default_factory=lambda: array("q"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))


@dataclass(frozen=True, eq=False)
class Session:
    """One session file.

    Attributes:
        source: Where bodies are read.
        columns: What is kept of each entry.
        header: The header as in the file, or None for an empty file.
        migration: What pi would change when it opens the file.
        indices: From `map_key(id)` to the last entry with that id.
        again: For an entry whose id comes again, the last entry with it.
        chains: Parents as the tree has them.
        branches: Parents as a path follows them: an id that JavaScript takes for false ends it.
        labels: By `map_key` of the target id.
        name: The session name, or None (also when it was cleared).
        size: Bytes read.
        problems: Damage, in the order of the file.
    """

    source: Source
    columns: Columns
    header: JSON
    migration: Migration
    indices: Mapping[object, int]
    again: Mapping[int, int]
    chains: Chains
    branches: Chains
    labels: Mapping[object, Label]
    name: str | None
    size: int
    problems: Sequence[Problem]
    _entries: OrderedDict[int, Entry] = field(default_factory=OrderedDict, repr=False)

    @property
    def count(self) -> int:
        """Entries, the header excluded."""
        return self.chains.count

    @property
    def version(self) -> JSON:
        """What the header declares; 1 where it declares nothing, None without a header."""
        return None if self.header is None else self.header.get("version", 1)

    @property
    def last(self) -> int | None:
        """The last entry of the file, where pi puts the leaf; None in an empty session."""
        return self.count - 1 if self.count else None

    @property
    def leaf_id(self) -> JSON:
        """The id of the last entry as in the file, UNDEFINED where it has none; None in an empty session."""
        return self.id_of(self.count - 1) if self.count else None

    def id_of(self, index: int) -> JSON:
        """The id of an entry as in the file; UNDEFINED where it has none."""
        return self.columns.ids[index]

    def find(self, entry_id: object) -> int | None:
        """The entry that pi finds by an id: the last one with it."""
        return self.indices.get(map_key(entry_id))

    def kind(self, index: int) -> Kind:
        """What an entry is, without reading it."""
        return _KINDS[self.columns.codes[index]]

    def flags(self, index: int) -> Flag:
        """What filters ask of an entry, without reading it."""
        return Flag(self.columns.codes[index] & ~KIND_MASK)

    def line(self, index: int) -> int:
        """The physical line of an entry, the first line of the file being 0."""
        return self.columns.lines[index]

    def raw(self, index: int) -> bytes:
        """The line of an entry as it stands in the file, without its newline."""
        return self.source.read(self.columns.offsets[index], self.columns.lengths[index])

    def entry(self, index: int) -> Entry:
        """An entry, read and decoded when first looked at."""
        found = self._entries.get(index)
        if found is None:
            found = Entry(index, self.kind(index), self._migrated(index, self._value(index)))
            if self.columns.lengths[index] < _CACHED_BYTES:
                self._entries[index] = found
            if len(self._entries) > _CACHED_ENTRIES:
                self._entries.popitem(last=False)
        return found

    def entries(self, indices: Iterable[int]) -> list[Entry]:
        """Several entries."""
        return [self.entry(index) for index in indices]

    def label(self, index: int) -> Label | None:
        """The label on an entry, if any."""
        return self.labels.get(map_key(self.id_of(index)))

    def path(self, index: int | None) -> list[int]:
        """The indices from the root to an entry (pi's `getBranch`); empty for None."""
        return [] if index is None else self.branches.path(index)

    def branch(self, leaf_id: JSON) -> list[int]:
        """The path to the entry with an id; empty where the id is missing, null, 0 or "" or not in the file."""
        return self.path(self.find(leaf_id)) if truthy(leaf_id) else []

    def context_path(self, leaf_id: JSON) -> list[int]:
        """The path whose context pi takes for a leaf id: the last entry's where no entry can be found by it.

        The id null is before the first entry, even where an entry has it.
        """
        if leaf_id is None:
            return []
        found = self.find(leaf_id) if truthy(leaf_id) else None
        return self.path(self.last if found is None else found)

    @cached_property
    def tree(self) -> Tree:
        """The tree that pi's `getTree` builds."""
        return build_tree(self.chains, self.again, self._by_age)

    def _by_age(self, siblings: list[int]) -> list[int]:
        # Here, and not above, because counting a tree should not wait for what reads dates.
        from pitree.session.dates import date_ms
        from pitree.session.sorting import sort_by_dates

        return sort_by_dates(siblings, [date_ms(self.timestamp(index)) for index in siblings])

    def timestamp(self, index: int) -> JSON:
        """The timestamp of an entry as in the file."""
        try:
            return decode_timestamp(self.raw(index)).timestamp
        except SKELETON_ERRORS:
            return self.entry(index).timestamp

    def _value(self, index: int) -> JSON:
        try:
            return decode(self.raw(index))
        except ValueError:
            # The file has changed under us; the follower notices, and until then the entry is shown as unknown.
            return {"type": "unreadable", "id": self.id_of(index)}

    def _migrated(self, index: int, value: JSON) -> JSON:
        if self.migration.renumber:
            value = renumbered(value, index, self._kept_by_place(index, value))
        return renamed(value) if self.migration.rename else value

    def _kept_by_place(self, index: int, value: JSON) -> JSON:
        """The id that pi writes for a numeric kept index: of an entry not yet numbered it takes the old one."""
        if not has_kept_index(value):
            return None
        place = value["firstKeptEntryIndex"]
        try:
            kept = self.columns.places.index(int(place)) if place == int(place) else None
        except (ValueError, OverflowError):
            return None
        if kept is None:
            return None
        return ordinal_id(kept) if kept <= index else get(self._value(kept), "id")


def kind_after(migration: Migration, value: JSON, code: int) -> int:
    """The byte of an entry after its migration."""
    return migrated_kind(value, Kind(code & KIND_MASK)) if migration.rename and code == Kind.OTHER_ROLE else code
