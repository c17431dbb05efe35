"""What a change of a file defines that was not there before: functions, classes, constants, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitree.session.javascript import JSON, get
from pitree.summarize.record import Run

_MOST_CHARACTERS = 20_000
_DEFINED = re.compile(
    r"(?m)^[ \t]*(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+)?"
    r"(?:public\s+|private\s+|static\s+|async\s+|abstract\s+)*"
    r"(?:def|class|func|fn|function|interface|struct|enum|trait|type|module|const(?=\s+\w+\s*=\s*(?:async\s*)?\())\s+"
    r"(?:\([^)]*\)\s*)?([A-Za-z_]\w+)|^#{1,3}\s+(.{3,50})$|^([A-Z][A-Z0-9_]{2,})\s*(?::\s*\w+\s*)?=(?!=)"
)


def new_names(run: Run) -> Iterator[str]:
    """The names that a `write` or an `edit` brings in, in their order; none of tests and none that are private."""
    for old, new in _replacements(run):
        known = set(_names_in(old))
        yield from (name for name in _names_in(new) if name not in known)


def _replacements(run: Run) -> Iterator[tuple[str, str]]:
    if run.tool == "write":
        yield "", run.argument("content")
        return
    edits: JSON = run.arguments.get("edits")
    for edit in [*(edits if isinstance(edits, list) else ()), dict(run.arguments)]:
        old, new = get(edit, "oldText"), get(edit, "newText")
        if isinstance(new, str):
            yield old if isinstance(old, str) else "", new


def _names_in(text: str) -> list[str]:
    found = ("".join(groups).strip() for groups in _DEFINED.findall(text[:_MOST_CHARACTERS]))
    return [name for name in found if not name.startswith(("_", "test_"))]
