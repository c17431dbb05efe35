"""Everything that can be wrong with a session file, as data, each kind with its advice."""

from __future__ import annotations

from dataclasses import dataclass

ADVICE: dict[str, str] = {
    "malformed-line": "pi skips this line; what hangs below it becomes a root of its own.",
    "dropped-value": "pi drops the values null, 0, false and the empty text; nothing is lost but the line.",
    "no-object": "pi keeps this value as an entry without an id; it can never be reached.",
    "bad-utf8": "Bytes that are no UTF-8 are read as U+FFFD, as pi does; copy the file before pi rewrites it.",
    "torn-tail": "The last line has no newline at its end: a writer was stopped, or is still writing.",
    "empty-file": "pi writes a fresh header into an empty file when it opens it.",
    "second-header": "Only the first header counts; pi leaves the others out of the entries.",
    "old-version": "pi migrates this file when it opens it; pitree does so in memory only.",
    "odd-version": "pi compares the version as JavaScript does; set it to 3.",
    "missing-id": "An entry without a usable id cannot be a leaf, a parent or a kept entry.",
    "duplicate-id": "The last entry with an id is the one pi finds; the earlier one is out of reach.",
    "missing-parent": "The parent is not in the file, so pi treats the entry as a root.",
    "self-parent": "pi never ends the walk from an entry that is its own parent; do not make it the leaf.",
    "cycle": "pi never ends the walk around this circle of parents; do not make one of its entries the leaf.",
    "missing-message": "pi fails on an entry of type message that holds none.",
    "pi-fails": "pi itself fails on this; mend or leave out the entry before compacting.",
    "kept-elsewhere": "The compaction keeps from an entry that is not before it on its path, so nothing is kept.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Damage found in a file.

    Attributes:
        line: Physical line, the header being 0; None where it is about the whole file.
        kind: A key of `ADVICE`.
        message: What is wrong, in one sentence.
    """

    line: int | None
    kind: str
    message: str

    @property
    def advice(self) -> str:
        """What it means and what to do, in one sentence."""
        return ADVICE[self.kind]


class NotASession(ValueError):
    """The file is no pi session; the message says why in one sentence."""


class PiFails(ValueError):
    """pi itself throws at this point; the message says on what, `entry` is the index of the entry or None."""

    def __init__(self, message: str, entry: int | None = None) -> None:
        super().__init__(message)
        self.entry = entry
