"""A field for long texts that shows control characters as marks and keeps the text as it is."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import TextArea

from pitree.ui.text import INVISIBLE, safe


def one_to_one(text: str) -> str:
    """A line with a harmless character in the place of each one that a terminal could act on; tabs stay.

    An editor counts characters, so no mark may take two of them.
    """
    if safe(text.replace("\t", "")) == text.replace("\t", ""):
        return text
    marks = (character if character == "\t" else safe(character) for character in text)
    return "".join(mark if len(mark) == 1 else INVISIBLE for mark in marks)


class TextEditor(TextArea):
    """Plain text, softly wrapped."""

    DEFAULT_CSS = """
    TextEditor {
        border: none;
        padding: 0 1;
        background: $surface;
        color: $pitree-assistant;
        scrollbar-size-vertical: 1;
        & .text-area--cursor-line { background: $pitree-cursor-blurred; }
        &:focus { border: none; }
    }
    """

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, show_line_numbers=False, tab_behavior="focus")
        self._given = self._loaded = ""
        self.fill(text)

    def fill(self, text: str) -> None:
        """Put a text into the field; the cursor goes to its start."""
        self._given = text
        self.load_text(text.replace("\r\n", "\n").replace("\r", "\n"))
        self._loaded = self.text

    @property
    def result(self) -> str:
        """What stands in the field; a text that nobody has changed comes back character for character."""
        return self._given if self.text == self._loaded else self.text

    def get_line(self, line_index: int) -> Text:
        """See `TextArea`."""
        line = super().get_line(line_index)
        line.plain = one_to_one(self.document.get_line(line_index))
        return line
