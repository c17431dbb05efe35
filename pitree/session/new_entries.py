"""New entries and headers, as values and as their exact bytes.

Keys, their order, ids and times are those of pi's `session-manager` (0.84.1 and 1.6.0, which differ only in the
`systemMessage` of a compaction). A key whose value is UNDEFINED is left out, as `JSON.stringify` does. Clock and chance
are arguments: times are milliseconds since 1970, `draw` gives something fresh at every call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from datetime import UTC, datetime, timedelta
from typing import Final

from pitree.session.javascript import JSON, UNDEFINED, nullish, stringify, trim, truthy
from pitree.session.migrate import CURRENT_VERSION

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TRIES: Final = 100
_ID_LENGTH: Final = 8
_LINE_BREAKS = re.compile(r"[\r\n]+")


def iso_time(ms: int) -> str:
    """A time as `new Date(ms).toISOString()` writes it.

    Raises:
        OverflowError: before the year 1 or after 9999.
    """
    return (_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id(taken: Container[object], draw: Callable[[], str]) -> str:
    """A fresh entry id: 8 hex digits, after 100 collisions the whole UUID.

    Args:
        taken: The ids in the file; `Session.indices` will do.
        draw: Gives a random UUID as text.
    """
    for _ in range(_TRIES):
        short = draw()[:_ID_LENGTH]
        if short not in taken:
            return short
    return draw()


def new_session_id(ms: int, draw: Callable[[int], bytes]) -> str:
    """A fresh session id: a UUID of version 7, so that ids sort by time.

    Args:
        ms: Now.
        draw: Gives so many random bytes (`os.urandom`).
    """
    chance = bytearray(draw(10))
    chance[0] = 0x70 | chance[0] & 0x0F
    chance[2] = 0x80 | chance[2] & 0x3F
    digits = (ms.to_bytes(6, "big") + chance).hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def session_file_name(ms: int, session_id: str) -> str:
    """The name of the file of a session that begins at a time."""
    return f"{re.sub('[:.]', '-', iso_time(ms))}_{session_id}.jsonl"


def line_of(value: JSON) -> bytes:
    """An entry or header as its line in the file, with the newline."""
    shown = _defined(value) if isinstance(value, dict) else value
    return f"{stringify(shown)}\n".encode()


def header(*, session_id: str, ms: int, cwd: JSON, parent_session: JSON = UNDEFINED) -> dict[str, JSON]:
    """The first line of a session.

    Args:
        session_id: See `new_session_id`.
        ms: When the session begins.
        cwd: The project folder; UNDEFINED where the session it comes from names none.
        parent_session: The path of the session that it was forked from.
    """
    return _defined(
        {
            "type": "session",
            "version": CURRENT_VERSION,
            "id": session_id,
            "timestamp": iso_time(ms),
            "cwd": cwd,
            "parentSession": _given(parent_session),
        }
    )


def compaction(
    *,
    entry_id: str,
    parent_id: JSON,
    ms: int,
    summary: str,
    first_kept_id: JSON,
    tokens_before: JSON,
    details: JSON = UNDEFINED,
    usage: JSON = UNDEFINED,
    from_hook: JSON = False,
    system_message: JSON = UNDEFINED,
) -> dict[str, JSON]:
    """A compaction.

    Args:
        entry_id: See `new_id`.
        parent_id: The leaf that it follows.
        ms: Now.
        summary: The whole text, file lists included.
        first_kept_id: Where the kept range begins; UNDEFINED keeps nothing, which pi writes as the entry's own id.
        tokens_before: The size of the context so far; pi fails on an entry without it.
        details: `{readFiles, modifiedFiles}`.
        usage: In pi's form, with `cost`; None or UNDEFINED where no model was asked.
        from_hook: False as pi itself writes it; True keeps later compactions from carrying the file lists on.
        system_message: The system message as replayed at the leaf (1.6), or None. Its time becomes that of the entry.
    """
    return _defined(
        {
            **_start("compaction", entry_id, parent_id, ms),
            "summary": summary,
            "firstKeptEntryId": entry_id if nullish(first_kept_id) else first_kept_id,
            "tokensBefore": tokens_before,
            "details": details,
            "usage": _given(usage),
            "fromHook": from_hook,
            "systemMessage": UNDEFINED if nullish(system_message) else {**system_message, "timestamp": ms},
        }
    )


def branch_summary(
    *,
    entry_id: str,
    parent_id: JSON,
    ms: int,
    from_id: JSON,
    summary: str,
    details: JSON = UNDEFINED,
    usage: JSON = UNDEFINED,
    from_hook: JSON = False,
) -> dict[str, JSON]:
    """A branch summary under the new leaf.

    Args:
        entry_id: See `new_id`.
        parent_id: The new leaf, None before the first entry.
        ms: Now.
        from_id: By rules the old leaf (1.6) or the new parent (0.84); None is written as `root`.
        summary: The whole text, preamble and file lists included.
        details: `{readFiles, modifiedFiles}`.
        usage: As in a compaction.
        from_hook: As in a compaction.
    """
    return _defined(
        {
            **_start("branch_summary", entry_id, parent_id, ms),
            "fromId": "root" if nullish(from_id) else from_id,
            "summary": summary,
            "details": details,
            "usage": _given(usage),
            "fromHook": from_hook,
        }
    )


def label(*, entry_id: str, parent_id: JSON, ms: int, target_id: JSON, text: JSON) -> dict[str, JSON]:
    """A label on an entry; without a text the label is cleared."""
    shown = text if truthy(text) else UNDEFINED
    return _defined({**_start("label", entry_id, parent_id, ms), "targetId": target_id, "label": shown})


def session_info(*, entry_id: str, parent_id: JSON, ms: int, name: str) -> dict[str, JSON]:
    """The name of the session; an empty one clears it. Line breaks become spaces."""
    return {**_start("session_info", entry_id, parent_id, ms), "name": trim(_LINE_BREAKS.sub(" ", name))}


def custom(*, entry_id: str, parent_id: JSON, ms: int, custom_type: str, data: JSON = UNDEFINED) -> dict[str, JSON]:
    """An entry that pi keeps for others and never sends."""
    start = _start("custom", entry_id, parent_id, ms)
    return _defined({"type": start.pop("type"), "customType": custom_type, "data": data, **start})


def _start(kind: str, entry_id: str, parent_id: JSON, ms: int) -> dict[str, JSON]:
    return {"type": kind, "id": entry_id, "parentId": parent_id, "timestamp": iso_time(ms)}


def _given(value: JSON) -> JSON:
    """A value that is never written as null."""
    return UNDEFINED if value is None else value


def _defined(value: dict[str, JSON]) -> dict[str, JSON]:
    return {key: item for key, item in value.items() if item is not UNDEFINED}
