"""The one safe door of the interface: text from a file becomes something that Textual may show.

`safe_text` makes a text harmless to the terminal; here it also becomes content that no markup parser ever reads.
Nothing else in the interface turns text from a file into something shown.
"""

from __future__ import annotations

from textual.content import Content

from pitree.safe_text import ELLIPSIS, INVISIBLE, TAB, cell_fit, cell_pad, one_line, safe

__all__ = ["ELLIPSIS", "INVISIBLE", "TAB", "cell_fit", "cell_pad", "content", "one_line", "safe"]


def content(text: str, style: str = "") -> Content:
    """Safe text as content that no markup parser ever reads.

    Args:
        text: Any text from a file; line breaks are kept.
        style: A style of ours for the whole, such as `bold $text-muted`.

    Returns:
        A value that every Textual widget takes where it takes a string.
    """
    shown = safe(text, newlines=True)
    return Content.styled(shown, style) if style else Content(shown)
