"""What a compaction at a leaf would do, before it is done (pi's `prepareCompaction`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pitree.context.file_operations import FileOperations, stored_details
from pitree.context.messages import Message, entry_messages
from pitree.context.projection import Projected, Projection, newest_compaction, project
from pitree.context.transcript import transcript
from pitree.context.usage import ContextSize, context_size
from pitree.planning.cut import Cut, cut_by_hand, find_cut
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.entries import Kind
from pitree.session.javascript import JSON, truthy
from pitree.session.session import Session


@dataclass(frozen=True, eq=False)
class CompactionPlan:
    """A compaction as pi would make it: a pure value.

    Attributes:
        path: Indices from the root to the leaf.
        projection: The context before.
        size: The size of the context before, in tokens; its `tokens` are pi's `tokensBefore`.
        items: The entries among which the cut was looked for, from the oldest to the newest.
        boundary: Place in `items` where the search for the cut ended.
        cut: Where the cut falls, and why.
        previous: Index of the previous compaction, or None.
        previous_summary: Its summary, None without one.
        summarized: The messages to summarize, without those of the turn prefix.
        prefix: The messages before the cut of the turn that is split; empty where none is.
    """

    session: Session
    rules: Rules
    settings: Settings
    path: Sequence[int]
    projection: Projection
    size: ContextSize
    items: Sequence[Projected]
    boundary: int
    cut: Cut
    previous: int | None
    previous_summary: JSON
    summarized: tuple[Message, ...]
    prefix: tuple[Message, ...]

    @property
    def first_kept(self) -> int:
        """Index of the first entry that is kept."""
        return self.items[self.cut.at].entry.index

    @property
    def first_kept_id(self) -> JSON:
        """What pi writes as `firstKeptEntryId`."""
        return self.session.id_of(self.first_kept)

    @property
    def is_split_turn(self) -> bool:
        """Whether the cut falls inside a turn."""
        return self.cut.turn_start is not None

    @property
    def turn_start(self) -> int | None:
        """Index of the entry that starts the turn that is split."""
        return None if self.cut.turn_start is None else self.items[self.cut.turn_start].entry.index

    @property
    def kept_items(self) -> Sequence[Projected]:
        """The entries from the first kept one on."""
        return self.items[self.cut.at :]

    @cached_property
    def files(self) -> tuple[list[JSON], list[JSON]]:
        """Files only read and files modified, those of the previous compaction included.

        Raises:
            PiFails: when pi itself throws on one of the messages.
        """
        operations = FileOperations()
        if self.previous is not None:
            operations.add_details(stored_details(self.session.entry(self.previous).value))
        for message in (*self.summarized, *self.prefix):
            operations.add_message(message, nested=self.rules.nested_calls)
        return operations.lists()

    def conversation_text(self) -> str:
        """The text of the history to summarize.

        Raises:
            PiFails: when pi itself throws on one of the messages.
        """
        return transcript(self.summarized, self.rules)

    def prefix_text(self) -> str:
        """The text of the turn prefix to summarize; empty where no turn is split.

        Raises:
            PiFails: when pi itself throws on one of the messages.
        """
        return transcript(self.prefix, self.rules)


def plan_compaction(
    session: Session, leaf_id: JSON, rules: Rules, settings: Settings, cut_at: int | None = None
) -> CompactionPlan | None:
    """The compaction that pi would make at a leaf; None where it would make none.

    Args:
        session: The session.
        leaf_id: The id of the leaf.
        rules: The release of pi that is followed.
        settings: The settings that decide the cut.
        cut_at: Index of an entry to cut at in place of pi's choice.

    Raises:
        PiFails: when pi itself throws on the way.
        CutNotPossible: when pi could never cut at `cut_at`.
    """
    path = session.branch(leaf_id)
    if not path or session.kind(path[-1]) is Kind.COMPACTION:
        return None
    projection = project(session, path, rules)
    items, boundary, previous = _search_range(session, projection, rules)
    size = context_size(session, projection, rules)
    if cut_at is None:
        cut = find_cut(items, boundary, settings.keep_recent_tokens, rules)
    else:
        cut = cut_by_hand(items, boundary, cut_at)
    if cut.at >= len(items) or not truthy(items[cut.at].entry.id):
        return None
    history_end = cut.at if cut.turn_start is None else cut.turn_start
    summarized = _messages(items[boundary:history_end], rules)
    prefix = _messages(items[history_end : cut.at], rules)
    if not summarized and not prefix:
        return None
    summary = None if previous is None else session.entry(previous).get("summary")
    return CompactionPlan(
        session, rules, settings, path, projection, size, items, boundary, cut, previous, summary, summarized, prefix
    )


def _search_range(
    session: Session, projection: Projection, rules: Rules
) -> tuple[Sequence[Projected], int, int | None]:
    """The entries among which a cut is looked for, where the search ends, and the previous compaction."""
    if rules.plan_from_context:
        items = projection.items
        at = next((n for n, item in enumerate(items) if item.entry.kind is Kind.COMPACTION and item.messages), None)
        return (items, 0, None) if at is None else (items, at + 1, items[at].entry.index)
    path = projection.path
    entries = session.entries(path)
    items = [Projected(entry, entry_messages(entry, rules)) for entry in entries]
    at = newest_compaction(session, path)
    if at is None:
        return items, 0, None
    kept = session.find(entries[at].get("firstKeptEntryId"))
    return items, path.index(kept) if kept in path else at + 1, path[at]


def _messages(items: Iterable[Projected], rules: Rules) -> tuple[Message, ...]:
    """The messages that go into a summary: no system message, which is state of the prompt, and no older summary."""
    return tuple(
        message
        for item in items
        if item.entry.kind is not Kind.COMPACTION
        for message in item.messages
        if not (rules.system_messages and message.role == "system")
    )


def why_no_plan(session: Session, leaf_id: JSON, settings: Settings) -> str:
    """Why `plan_compaction` gives nothing at a leaf, in one sentence."""
    path = session.branch(leaf_id)
    if not path:
        return "There is no entry with an id to compact up to."
    if session.kind(path[-1]) is Kind.COMPACTION:
        return "The leaf is a compaction, and nothing has come after it."
    return f"All that is not yet summarized would be kept: keepRecentTokens is {settings.keep_recent_tokens:,}."
