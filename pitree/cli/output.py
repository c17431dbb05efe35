"""Writing to the terminal: whether there is one, its width and colors, and JSON that cannot act on it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from pitree.session.javascript import JSON, stringify

if TYPE_CHECKING:
    from rich.console import Console

REPORT_WIDTH: Final = 100
"""A report is not made wider than this many cells: longer lines are hard to read."""
_PLAIN_WIDTH: Final = 80
_ACTING = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")


def is_terminal() -> bool:
    """Whether stdout goes to a terminal."""
    return sys.stdout.isatty()


def is_colored() -> bool:
    """Whether colors may be used: on a terminal without NO_COLOR; FORCE_COLOR asks for them anywhere."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal() and os.environ.get("TERM") != "dumb")


def width() -> int | None:
    """The cells of a line on the terminal (COLUMNS goes first); None where there is none and COLUMNS says nothing."""
    if not is_terminal() and not os.environ.get("COLUMNS", "").isdigit():
        return None
    return max(20, shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns)


def tolerate_encoding() -> None:
    """Let characters that stdout's encoding lacks become question marks, not an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of safe text as they come, in blocks: a flush after each line would cost more than the line."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    # Here, where click looks after a reader that has gone away, and not when Python ends.
    sys.stdout.flush()


def print_json(values: Iterable[JSON]) -> None:
    """Print each value as a line of JSON; what could act on a terminal is escaped, which changes no value."""
    for value in values:
        text = _ACTING.sub(lambda match: json.dumps(match.group())[1:-1], stringify(value))
        sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def console() -> Console:
    """A console for a report: no markup, no highlighting, no more than `REPORT_WIDTH` cells."""
    from rich.console import Console

    tolerate_encoding()
    colored = is_colored()
    return Console(
        color_system="auto" if colored else None,
        force_terminal=colored,
        width=min(width() or _PLAIN_WIDTH, REPORT_WIDTH),
        markup=False,
        highlight=False,
        emoji=False,
    )
