"""The one safe door of the reports: text from a file becomes something that rich may print."""

from __future__ import annotations

from math import isfinite

from rich.text import Text

from pitree.safe_text import one_line, safe
from pitree.session.javascript import JSON, UNDEFINED, to_number, to_string


def shown(text: str, style: str = "") -> Text:
    """Safe text that no markup parser ever reads.

    Args:
        text: Any text; one line.
        style: A style of ours for the whole.
    """
    return Text(safe(text), style)


def excerpt(text: str, style: str = "", limit: int = 200) -> Text:
    """The beginning of a longer text, on one line."""
    return Text(one_line(text, limit), style)


def joined(*parts: Text | str) -> Text:
    """Pieces one after the other; a str among them is a text of ours or from a file, made safe all the same.

    Where a piece wants to stay on one line, the whole does.
    """
    line = Text()
    for part in parts:
        line.append_text(shown(part) if isinstance(part, str) else part)
        line.no_wrap = line.no_wrap or (isinstance(part, Text) and part.no_wrap)
    return line


def figure(number: JSON) -> str:
    """A number of tokens in full, such as `84,117`; what pi would have instead of a number as it would print it."""
    if number is None or number is UNDEFINED:
        return "?"
    if isinstance(number, float | int) and not isinstance(number, bool):
        number = to_number(number)
        return f"{number:,.0f}" if isfinite(number) else "NaN"
    return one_line(to_string(number), 40)


def counted(number: int, word: str, plural: str = "") -> str:
    """A number with its noun, such as `1 message` or `88 messages`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {plural or word + 's'}"


def percent(part: float, whole: float) -> str:
    """A share in words, such as `66 %`; what is there is never shown as nothing."""
    if not whole or not isfinite(part):
        return "?"
    share = 100 * part / whole
    return "under 1 %" if 0 < share < 1 else f"{share:.0f} %"
