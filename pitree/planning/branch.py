"""What leaving a leaf for another entry would carry over (pi's `collectEntriesForBranchSummary` and `navigateTree`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from pitree.context.file_operations import FileOperations, stored_details
from pitree.context.messages import Message, branch_summary, compaction_summary, custom_message, raw_message
from pitree.context.projection import edited_messages, latest_edits
from pitree.context.tokens import estimate, text_of
from pitree.context.transcript import transcript
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.entries import MESSAGE_KINDS, Entry, Kind
from pitree.session.javascript import JSON, get, map_key, nullish, same, shown, truthy
from pitree.session.problems import PiFails
from pitree.session.session import Session
from pitree.session.tree import ROOT

SUMMARY_SHARE = 0.9
"""A summary entry that does not fit is taken all the same while less than this share of the budget is used."""


_SUMMARIES = frozenset({Kind.COMPACTION, Kind.BRANCH_SUMMARY})
_SPEAKING = MESSAGE_KINDS | _SUMMARIES | {Kind.CUSTOM_MESSAGE}


class NavigationError(ValueError):
    """There is nowhere to go; the message says why in one sentence."""


class Fate(Enum):
    """What becomes of an entry of the left branch in the request for its summary."""

    SENT = "sent"
    DROPPED = "dropped"
    LEFT_OUT = "left out"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """What a summary of the left branch is made from (pi's `prepareBranchEntries`).

    Attributes:
        fates: What becomes of each entry of the left branch.
        messages: The messages that are sent to be summarized, oldest first.
        total_tokens: Their estimate.
        read_files: Files only read on the left branch.
        modified_files: Files modified there.
    """

    fates: Sequence[Fate]
    messages: tuple[Message, ...]
    total_tokens: float
    read_files: list[JSON]
    modified_files: list[JSON]


@dataclass(frozen=True, eq=False)
class NavigationPlan:
    """A move to another entry as pi would make it: a pure value.

    Attributes:
        old_leaf: Index of the entry that is left, or None before the first entry.
        target: Index of the entry that is gone to.
        noop: The target is the leaf: nothing happens.
        common_ancestor: Index of the deepest entry on both paths, or None.
        entries: The left branch: indices from below the common ancestor to the old leaf.
        new_leaf: Index of the entry that the next one hangs below, or None for before the first entry.
        editor_text: What is put into the editor, None where nothing is.
    """

    session: Session
    rules: Rules
    settings: Settings
    old_leaf: int | None
    target: int
    noop: bool
    common_ancestor: int | None
    entries: Sequence[int]
    new_leaf: int | None
    editor_text: JSON

    @property
    def budget(self) -> int:
        """The most that is sent to be summarized, in tokens."""
        return self.settings.context_window - self.settings.branch_reserve_tokens

    @cached_property
    def carried(self) -> Carried:
        """What a summary of the left branch is made from.

        Raises:
            PiFails: when pi itself throws on one of the messages.
        """
        collector = _Collector(self.session, self.rules, self.budget)
        collector.collect(self.entries)
        read_files, modified_files = collector.files.lists()
        return Carried(tuple(collector.fates), tuple(collector.messages), collector.total, read_files, modified_files)

    def conversation_text(self) -> str:
        """The text of the left branch to summarize.

        Raises:
            PiFails: when pi itself throws on one of the messages.
        """
        return transcript(self.carried.messages, self.rules)


def plan_navigation(
    session: Session, leaf_id: JSON, target_id: JSON, rules: Rules, settings: Settings
) -> NavigationPlan:
    """What going from a leaf to a target would do.

    Raises:
        NavigationError: when the target is not in the file, or its new leaf is not.
        PiFails: when pi itself throws on the way.
    """
    target = session.find(target_id)
    if target is None:
        raise NavigationError(f"There is no entry {shown(target_id)} in this session.")
    old_leaf = session.find(leaf_id) if truthy(leaf_id) else None
    noop = same(target_id, leaf_id)
    # Where the target has no id, pi takes the path of the leaf for the target's.
    target_path = session.branch(leaf_id if nullish(target_id) else target_id)
    ancestor, entries = _left_branch(session, old_leaf, target_path)
    new_leaf, editor_text = (target, None) if noop else _new_leaf(session, target)
    return NavigationPlan(session, rules, settings, old_leaf, target, noop, ancestor, entries, new_leaf, editor_text)


def _left_branch(session: Session, old_leaf: int | None, target_path: Sequence[int]) -> tuple[int | None, list[int]]:
    """The common ancestor, and the entries from below it to the old leaf."""
    if old_leaf is None:
        return None, []
    old_path = session.path(old_leaf)
    on_old_path = set(old_path)
    ancestor = next((index for index in reversed(target_path) if index in on_old_path), ROOT)
    if ancestor == ROOT:
        return None, old_path
    return ancestor, old_path[old_path.index(ancestor) + 1 :]


def _new_leaf(session: Session, target: int) -> tuple[int | None, JSON]:
    """Where the next entry hangs: a message of the user is taken back into the editor, so its parent is the leaf."""
    entry = session.entry(target)
    if entry.kind is Kind.USER:
        content = get(entry.message, "content")
    elif entry.kind is Kind.CUSTOM_MESSAGE:
        content = entry.get("content")
    else:
        return target, None
    try:
        text = text_of(content, "")
    except TypeError as error:
        raise PiFails(f"A message that pi cannot put into the editor: {error}.", target) from None
    if entry.parent_id is None:
        return None, text
    parent = session.find(entry.parent_id)
    if parent is None:
        names = f"{shown(entry.parent_id)}, the parent of {shown(entry.id)}"
        raise NavigationError(f"The new leaf would be {names}, which is not in the file.")
    return parent, text


class _Collector:
    """Takes the messages of the left branch from the newest back until the budget is used (`prepareBranchEntries`)."""

    def __init__(self, session: Session, rules: Rules, budget: int) -> None:
        self.session = session
        self.rules = rules
        self.budget = budget
        self.files = FileOperations()
        self.messages: list[Message] = []
        self.fates: list[Fate] = []
        self.total: float = 0
        self._full = False

    def collect(self, indices: Sequence[int]) -> None:
        entries = self.session.entries(indices)
        for entry in entries:
            if entry.kind is Kind.BRANCH_SUMMARY:
                self.files.add_details(stored_details(entry.value))
        edits = latest_edits(entries, self.rules)
        self.fates = [self._visit(entry, edits) for entry in reversed(entries)][::-1]
        self.messages.reverse()

    def _visit(self, entry: Entry, edits: dict[object, Entry]) -> Fate:
        if entry.kind is Kind.TOOL_RESULT:
            return Fate.LEFT_OUT
        if self._full:
            return Fate.DROPPED if entry.kind in _SPEAKING else Fate.UNSEEN
        message = self._message(entry, edits)
        if message is None:
            return Fate.UNSEEN
        return Fate.SENT if self._take(entry, message) else Fate.DROPPED

    def _message(self, entry: Entry, edits: dict[object, Entry]) -> Message | None:
        """The message of an entry in a branch transcript: summaries even where they are empty, raw ones unmended."""
        kind = entry.kind
        if kind in MESSAGE_KINDS or kind is Kind.CUSTOM_MESSAGE:
            if map_key(entry.id) in edits:
                return next(iter(edited_messages(entry, edits, self.rules)), None)
            return raw_message(entry) if kind in MESSAGE_KINDS else custom_message(entry, entry.get("content"))
        if kind is Kind.BRANCH_SUMMARY:
            return branch_summary(entry)
        return compaction_summary(entry) if kind is Kind.COMPACTION else None

    def _take(self, entry: Entry, message: Message) -> bool:
        """Take a message, or close the collection at the first that does not fit."""
        self.files.add_message(message, nested=self.rules.nested_calls)
        tokens = estimate(message, self.rules)
        self._full = self.budget > 0 and self.total + tokens > self.budget
        if self._full and not (entry.kind in _SUMMARIES and self.total < self.budget * SUMMARY_SHARE):
            return False
        self.messages.append(message)
        self.total += tokens
        return True
