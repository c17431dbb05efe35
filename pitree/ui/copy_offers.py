"""What can be copied besides the text of an entry: its id, the file, and lines to go on with in pi."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pitree.safe_text import safe
from pitree.store.commit import pi_command

NO_FILE = "This session is a demo and has no file."


@dataclass(frozen=True, slots=True)
class CopyOffer:
    """One thing to copy.

    Attributes:
        name: What it is.
        text: What is copied.
        why_not: Why there is nothing to copy, or "".
    """

    name: str
    text: str
    why_not: str = ""


def copy_offers(entry_id: object, path: str | None, instructions: str = "") -> tuple[CopyOffer, ...]:
    """What can be copied at an entry.

    Args:
        entry_id: Its id as it is in the file, which may be anything.
        path: The session file, None for a demo.
        instructions: What the summary is to pay attention to, for the line to paste into a running pi.
    """
    has_id = isinstance(entry_id, str) and bool(entry_id)
    command = safe(" ".join(["/compact", *instructions.split()]))
    no_file = "" if path else NO_FILE
    return (
        CopyOffer("entry id", str(entry_id) if has_id else "", "" if has_id else "This entry has no id."),
        CopyOffer("session file", path or "", no_file),
        CopyOffer("line for a running pi", command),
        CopyOffer("command to go on", pi_command(Path(path)) if path else "", no_file),
    )
