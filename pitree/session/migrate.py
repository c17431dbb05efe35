"""Sessions of version 1 and 2 as pi migrates them to version 3: as copies, in memory only.

Source of the rules: pi's `migrateSessionEntries`. In version 1 a session is a line: ids and parents are given afresh,
and a compaction names what it keeps by its place among the parsed lines, the header being 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from pitree.session.entries import Kind
from pitree.session.javascript import JSON, UNDEFINED, get, nullish, to_number

CURRENT_VERSION = 3


def ordinal_id(index: int) -> str:
    """The id that pitree gives to an entry of a version 1 file: its ordinal, 8 hex digits, 1 for the first."""
    return f"{index + 1:08x}"


@dataclass(frozen=True, slots=True)
class Migration:
    """What has to be done to the entries of a file.

    Attributes:
        renumber: Version 1: ids and parents are given afresh.
        rename: Version 1 and 2: the role `hookMessage` is `custom`.
    """

    renumber: bool
    rename: bool

    @classmethod
    def of(cls, declared: JSON) -> Migration:
        """The migration of a file by the version that its header declares, compared as JavaScript compares."""
        version = 1 if nullish(declared) else to_number(declared)
        return cls(renumber=version < 2, rename=version < CURRENT_VERSION)

    @property
    def needed(self) -> bool:
        """Whether pi would rewrite the file for what it changes in it."""
        return self.renumber or self.rename


NO_MIGRATION = Migration(renumber=False, rename=False)


def renamed(value: JSON) -> JSON:
    """An entry with the role `hookMessage` as `custom` (version 2 to 3)."""
    message = get(value, "message")
    if get(value, "type") != "message" or get(message, "role") != "hookMessage":
        return value
    return {**value, "message": {**message, "role": "custom"}}


def renumbered(value: JSON, index: int, kept_id: JSON) -> JSON:
    """An entry of a version 1 file with its new id and parent; `kept_id` is what a numeric kept index names.

    `kept_id` None leaves `firstKeptEntryId` as it was, UNDEFINED takes it away.
    """
    if not isinstance(value, dict | list):
        return value
    # A list takes an id and a parent like any object in JavaScript.
    fields = value if isinstance(value, dict) else {}
    new = {**fields, "id": ordinal_id(index), "parentId": ordinal_id(index - 1) if index else None}
    if has_kept_index(value):
        del new["firstKeptEntryIndex"]
        if kept_id is UNDEFINED:
            new.pop("firstKeptEntryId", None)
        elif kept_id is not None:
            new["firstKeptEntryId"] = kept_id
    return new


def has_kept_index(value: JSON) -> bool:
    """Whether an entry is a compaction that names what it keeps by a number."""
    place = get(value, "firstKeptEntryIndex")
    return get(value, "type") == "compaction" and isinstance(place, int | float) and not isinstance(place, bool)


def migrated_kind(value: JSON, kind: Kind) -> Kind:
    """The kind of an entry after the rename."""
    is_hook = kind is Kind.OTHER_ROLE and get(get(value, "message"), "role") == "hookMessage"
    return Kind.CUSTOM_ROLE if is_hook else kind
