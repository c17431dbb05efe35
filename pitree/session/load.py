"""From bytes to a `Session`, in one pass over the lines (pi's `loadEntriesFromFile` and `_buildIndex`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from pitree.session.decode import decode
from pitree.session.entries import code_of
from pitree.session.javascript import JSON, UNDEFINED, get, map_key, same, trim, truthy
from pitree.session.javascript import shown as show
from pitree.session.lines import LineSplitter, is_utf8
from pitree.session.migrate import NO_MIGRATION, Migration, ordinal_id
from pitree.session.parse import UNDECIDED, skeleton_code, skeletons
from pitree.session.problems import NotASession, Problem
from pitree.session.session import BytesSource, Columns, Label, Session, Source, kind_after
from pitree.session.tree import ROOT, Chains

_UNKNOWN_PARENT = object()
MOST_OF_A_KIND = 1000
"""How many problems of one kind are told one by one."""


@dataclass(eq=False)
class Loader:
    """Reads a session chunk by chunk.

    Attributes:
        parents: The parent ids of the entries that do not name the entry before them.
        counts: How often each kind of damage was found.
    """

    columns: Columns = field(default_factory=Columns)
    parents: dict[int, JSON] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    header: JSON = None
    migration: Migration = NO_MIGRATION
    labels: dict[object, Label] = field(default_factory=dict)
    name: str | None = None
    size: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    _lines: LineSplitter = field(default_factory=LineSplitter)
    _offset: int = 0
    _line: int = 0
    _parsed: int = 0
    _last_id: JSON = _UNKNOWN_PARENT
    _odd_ids: bool = False

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the file."""
        self.size += len(chunk)
        lines = self._lines.feed(chunk)
        start = 0
        while start < len(lines) and self._is_special():
            self._feed_exactly(lines[start])
            start += 1
        self._feed_fast(lines[start:] if start else lines)

    def _is_special(self) -> bool:
        return self.header is None or self.migration.renumber

    def _feed_exactly(self, line: bytes) -> None:
        if line:
            self._take(line)
        self._offset += len(line) + 1
        self._line += 1

    def _feed_fast(self, lines: list[bytes]) -> None:
        """Take lines by their skeletons, and those that a skeleton cannot decide one by one."""
        found = skeletons(lines)
        codes = bytes(map(skeleton_code, found))
        start = 0
        while (stop := codes.find(UNDECIDED, start)) >= 0:
            self._take_run(lines[start:stop], found[start:stop], codes[start:stop])
            self._feed_exactly(lines[stop])
            start = stop + 1
        self._take_run(lines[start:], found[start:], codes[start:])

    def _take_run(self, lines: list[bytes], found: list[Any], codes: bytes) -> None:
        """Append to the columns a column at a time: this is what loading waits for."""
        if not lines:
            return
        columns, first = self.columns, len(self.columns.ids)
        ids = [skeleton.id for skeleton in found]
        parents = [skeleton.parentId for skeleton in found]
        before = [self._last_id, *ids[:-1]]
        if parents != before:
            pairs = enumerate(zip(parents, before, strict=True), first)
            self.parents.update({index: parent for index, (parent, last) in pairs if parent != last})
        columns.ids.extend(ids)
        columns.codes.extend(codes)
        columns.lines.fromlist([*range(self._line, self._line + len(lines))])
        self._line += len(lines)
        columns.lengths.fromlist([*map(len, lines)])
        offsets = [*accumulate([len(line) + 1 for line in lines], initial=self._offset)]
        self._offset = offsets.pop()
        columns.offsets.fromlist(offsets)
        self._last_id = ids[-1]

    def _take(self, line: bytes) -> None:
        """Take one line exactly as pi does."""
        try:
            value = decode(line)
        except ValueError:
            self._take_malformed(line)
            return
        if not truthy(value):
            self._problem("dropped-value", f"The value {line.decode('ascii', 'replace').strip()[:20]} is no entry.")
        elif self.header is None:
            self._take_header(value)
        elif get(value, "type") == "session":
            self._parsed += 1
            self._problem("second-header", "There is another header here.")
        else:
            self._take_entry(value, line)

    def _take_malformed(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        if not trim(text):
            return
        hint = " It begins with a byte order mark." if text.startswith("\ufeff") else ""
        self._problem("malformed-line", f"This line is no JSON.{hint}")

    def _take_header(self, value: JSON) -> None:
        if get(value, "type") != "session" or not isinstance(get(value, "id"), str):
            bom = any("byte order mark" in problem.message for problem in self.problems)
            detail = " (a byte order mark hides its header)" if bom else ""
            raise NotASession(f"This is no pi session: its first entry is no header with an id{detail}.")
        self.header = value
        self._parsed = 1
        self.migration = Migration.of(get(value, "version"))
        declared = value.get("version")
        if self.migration.needed:
            self._problem("old-version", f"This file is of version {show(1 if declared is None else declared)}.")
        elif not isinstance(declared, int) or isinstance(declared, bool):
            self._problem("odd-version", "The version is no whole number.")

    def _take_entry(self, value: JSON, line: bytes) -> None:
        index = len(self.columns.ids)
        entry_id, parent = get(value, "id"), get(value, "parentId")
        if self.migration.renumber:
            entry_id, parent = ordinal_id(index), ordinal_id(index - 1) if index else None
            self.columns.places.append(self._parsed)
        self._parsed += 1
        if not isinstance(parent, str) or parent != self._last_id:
            self.parents[index] = parent
        # An id that JavaScript takes for false ends a path even when it names the line before.
        self._last_id = entry_id if truthy(entry_id) else _UNKNOWN_PARENT
        self._note_damage(value, entry_id, line)
        columns = self.columns
        columns.ids.append(entry_id)
        self._odd_ids = self._odd_ids or not isinstance(entry_id, str)
        columns.codes.append(kind_after(self.migration, value, code_of(value)))
        columns.offsets.append(self._offset)
        columns.lengths.append(len(line))
        columns.lines.append(self._line)
        self._take_body(value, entry_id)

    def _take_body(self, value: JSON, entry_id: JSON) -> None:
        """What labels and names decide about the whole session."""
        kind = get(value, "type")
        if kind == "label":
            target, text = map_key(get(value, "targetId")), get(value, "label")
            if truthy(text):
                self.labels[target] = Label(text, get(value, "timestamp"))
            else:
                self.labels.pop(target, None)
        elif kind == "session_info":
            name = get(value, "name")
            self.name = (trim(name) or None) if isinstance(name, str) else None

    def _note_damage(self, value: JSON, entry_id: JSON, line: bytes) -> None:
        if not isinstance(value, dict):
            self._problem("no-object", "This line is JSON, but no object.")
        elif not truthy(entry_id):
            self._problem("missing-id", "This entry has no usable id.")
        elif get(value, "type") == "message" and not isinstance(get(value, "message"), dict):
            self._problem("missing-message", "This message entry holds no message.")
        if not is_utf8(line):
            self._problem("bad-utf8", "This line holds bytes that are no UTF-8.")

    def _problem(self, kind: str, message: str) -> None:
        self._add_problem(self._line, kind, message)

    def _add_problem(self, line: int, kind: str, message: str) -> None:
        """Note damage; of one kind no more than anybody will read."""
        count = self.counts[kind] = self.counts.get(kind, 0) + 1
        if count <= MOST_OF_A_KIND:
            self.problems.append(Problem(line, kind, message))

    def finish(self, source: Source) -> Session:
        """The session of all that was fed; what is not ended by a newline counts as a line.

        Raises:
            NotASession: when pi would refuse the file.
        """
        tail = self._lines.tail
        if tail:
            self._take(tail)
            self._problem("torn-tail", "The file does not end with a newline.")
        if self.header is None:
            if self.size:
                raise NotASession("This is no pi session: it holds no header.")
            self.problems.append(Problem(None, "empty-file", "The file is empty."))
        return self._session(source)

    def _session(self, source: Source) -> Session:
        indices = self._index()
        again = self._again(indices)
        tree, path = self._breaks(indices, again)
        chains = Chains(len(self.columns.ids), tree)
        branches = Chains(len(self.columns.ids), path) if path != tree else chains
        self._note_circles(branches, path)
        for kind, count in self.counts.items():
            if count > MOST_OF_A_KIND:
                more = f"There are {count - MOST_OF_A_KIND:,} more of this kind."
                self.problems.append(Problem(None, kind, more))
        self.problems.sort(key=lambda problem: -1 if problem.line is None else problem.line)
        return Session(
            source, self.columns, self.header, self.migration, indices, again, chains, branches, dict(self.labels),
            self.name, self.size, tuple(self.problems),
        )  # fmt: skip

    def _index(self) -> dict[object, int]:
        """From `map_key(id)` to the last entry with that id; made in the end: by runs it takes twice as long."""
        keys = map(map_key, self.columns.ids) if self._odd_ids else self.columns.ids
        return dict(zip(keys, range(len(self.columns.ids)), strict=True))

    def _again(self, indices: dict[object, int]) -> dict[int, int]:
        """For each entry whose id comes again, the last entry with it."""
        ids = self.columns.ids
        if len(indices) == len(ids):
            return {}
        again = {i: last for i, entry_id in enumerate(ids) if (last := indices[map_key(entry_id)]) != i}
        for index in again:
            if truthy(ids[index]):
                self._late_problem(index, "duplicate-id", f"The id {show(ids[index])} comes again later.")
        return again

    def _breaks(self, indices: dict[object, int], again: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
        """The breaks of the tree and of paths; with an id that comes again every entry is one."""
        named = self.parents if not again else self._all_parents()
        tree: dict[int, int] = {}
        path: dict[int, int] = {}
        for index, parent in named.items():
            tree[index] = path[index] = self._resolve(index, parent, indices)
            if not truthy(parent):
                path[index] = ROOT
        return tree, path

    def _all_parents(self) -> dict[int, JSON]:
        ids = self.columns.ids
        return {i: self.parents[i] if i in self.parents else ids[i - 1] for i in range(len(ids))}

    def _resolve(self, index: int, parent: JSON, indices: dict[object, int]) -> int:
        if parent is None:
            return ROOT
        if same(parent, self.columns.ids[index]):
            if truthy(parent):
                self._late_problem(index, "self-parent", "This entry is its own parent.")
            return ROOT
        found = indices.get(map_key(parent))
        if found is None:
            shown = "missing" if parent is UNDEFINED else f"{show(parent)}, which is not in the file"
            self._late_problem(index, "missing-parent", f"The parent is {shown}.")
            return ROOT
        return found

    def _note_circles(self, chains: Chains, breaks: dict[int, int]) -> None:
        """A circle of parents has an entry whose parent comes later in the file."""
        for index in sorted(chains.circles()):
            if breaks[index] > index:
                self._late_problem(index, "cycle", "The parents of this entry lead back to it.")

    def _late_problem(self, index: int, kind: str, message: str) -> None:
        self._add_problem(self.columns.lines[index], kind, message)


def load(chunks: Iterable[bytes], source: Source) -> Session:
    """The session in a file that is read in chunks.

    Raises:
        NotASession: when pi would refuse the file.
    """
    loader = Loader()
    for chunk in chunks:
        loader.feed(chunk)
    return loader.finish(source)


def session_from_bytes(data: bytes) -> Session:
    """The session in a file that is held in memory.

    Raises:
        NotASession: when pi would refuse the file.
    """
    return load([data] if data else [], BytesSource(data))
