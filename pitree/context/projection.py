"""Which entries of a path the model sees, and as which messages (pi's `buildContextEntries` and projection)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitree.context.messages import Message, entry_messages
from pitree.context.switches import ContextSwitches
from pitree.session.entries import Entry, Kind
from pitree.session.javascript import JSON, UNDEFINED, get, map_key
from pitree.session.session import Session

_EDITABLE_ROLES = frozenset({"user", "assistant", "toolResult", "custom"})
_BLOCK_ROLES = frozenset({"assistant", "toolResult"})


@dataclass(frozen=True, slots=True, eq=False)
class Projected:
    """An entry of the context with the messages that it puts there, edits applied."""

    entry: Entry
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """The context at a leaf.

    Attributes:
        path: Indices of all entries from the root to the leaf.
        items: The entries of the context in its order, the newest compaction first.
        thinking_level: As the last change on the path says, else "off".
        model: {"provider", "modelId"} of the last change or assistant on the path, or None.
    """

    path: Sequence[int]
    items: Sequence[Projected]
    thinking_level: JSON
    model: JSON

    @property
    def messages(self) -> list[Message]:
        """The messages of the context in order."""
        return [message for item in self.items for message in item.messages]


def project(session: Session, path: Sequence[int], rules: ContextSwitches) -> Projection:
    """The context at the end of a path."""
    thinking_level, model = settings_at(session, path)
    return Projection(path, project_entries(context_entries(session, path, rules), rules), thinking_level, model)


def newest_compaction(session: Session, path: Sequence[int]) -> int | None:
    """The place on a path of its last compaction."""
    return next((at for at in range(len(path) - 1, -1, -1) if session.kind(path[at]) is Kind.COMPACTION), None)


def context_entries(session: Session, path: Sequence[int], rules: ContextSwitches) -> list[Entry]:
    """The entries of the context: the newest compaction, what it keeps, and what came after it."""
    return session.entries(context_indices(session, path, rules))


def context_indices(session: Session, path: Sequence[int], rules: ContextSwitches) -> Sequence[int]:
    """The indices of the entries of the context, in its order."""
    at = newest_compaction(session, path)
    if at is None:
        return path
    kept = kept_from(session, path[:at], session.entry(path[at]).get("firstKeptEntryId"))
    return [path[at], *without_system(session, kept, rules), *path[at + 1 :]]


def kept_from(session: Session, path: Sequence[int], kept_id: JSON) -> Sequence[int]:
    """The part of a path from the entry with an id on; empty where the id is not on it."""
    kept = session.find(kept_id)
    return path[path.index(kept) :] if kept is not None and kept in path else ()


def without_system(session: Session, indices: Sequence[int], rules: ContextSwitches) -> list[int]:
    """What of a kept range stays: system messages do not, since a compaction replays them."""
    if not rules.system_messages:
        return list(indices)
    return [index for index in indices if session.kind(index) is not Kind.SYSTEM]


def project_entries(entries: Sequence[Entry], rules: ContextSwitches) -> list[Projected]:
    """Entries of a context with their messages."""
    edits = latest_edits(entries, rules)
    return [
        Projected(entry, () if _is_silent(entry, at, rules) else edited_messages(entry, edits, rules))
        for at, entry in enumerate(entries)
    ]


def _is_silent(entry: Entry, at: int, rules: ContextSwitches) -> bool:
    return entry.kind is Kind.COMPACTION and at > 0 and not rules.older_summaries


def latest_edits(entries: Sequence[Entry], rules: ContextSwitches) -> dict[object, Entry]:
    """The last edit of each target, by `map_key` of the target's id."""
    if not rules.context_edits:
        return {}
    return {map_key(entry.get("targetId")): entry for entry in entries if entry.kind is Kind.CONTEXT_EDIT}


def edited_messages(entry: Entry, edits: dict[object, Entry], rules: ContextSwitches) -> tuple[Message, ...]:
    """The messages of an entry after its edit, if it has one: none where it is omitted, else with other content."""
    messages = entry_messages(entry, rules)
    edit = edits.get(map_key(entry.id)) if edits else None
    if edit is None:
        return messages
    replacement = edit.get("replacement")
    if replacement is None:
        return ()
    return tuple(_replaced(message, get(replacement, "content")) for message in messages)


def _replaced(message: Message, content: JSON) -> Message:
    role = message.role
    if not isinstance(role, str) or role not in _EDITABLE_ROLES:
        return message
    if role in _BLOCK_ROLES and isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return Message({**message.value, "content": content}, message.entry)


def settings_at(session: Session, path: Sequence[int]) -> tuple[JSON, JSON]:
    """Thinking level and model as in `Projection`: the last word of each on the path."""
    level: JSON = "off"
    for index in reversed(path):
        if session.kind(index) is Kind.THINKING_LEVEL_CHANGE:
            level = session.entry(index).get("thinkingLevel")
            break
    for index in reversed(path):
        kind = session.kind(index)
        if kind is Kind.MODEL_CHANGE:
            return level, _model(session.entry(index).value, "modelId")
        if kind is Kind.ASSISTANT:
            return level, _model(session.entry(index).message, "model")
    return level, None


def _model(value: JSON, key: str) -> JSON:
    named = {"provider": get(value, "provider"), "modelId": get(value, key)}
    return {name: None if part is UNDEFINED else part for name, part in named.items()}
