"""What the summary is to pay attention to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from pitree.ui.text import content
from pitree.ui.widgets.text_editor import TextEditor


class InstructionsField(TextEditor):
    """One text over several rows: enter takes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take", show=False),
        Binding("escape", "leave", "Leave", show=False),
    ]

    @dataclass
    class Done(Message):
        """Typing is over; None leaves the instructions as they were."""

        text: str | None

    def on_key(self, event: events.Key) -> None:
        """Enter is no text here."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_take()

    def action_take(self) -> None:
        """Take what stands there, as one line: pi's `/compact` has no more."""
        self.post_message(self.Done(" ".join(self.result.split())))

    def action_leave(self) -> None:
        """Leave it as it was."""
        self.post_message(self.Done(None))


class InstructionsScreen(ModalScreen[str | None]):
    """Dismisses with the instructions, "" for none, or None to leave them as they were.

    Args:
        instructions: What stands there at first.
        note: A sentence on what they do here, such as that the prefix of a split turn does not get them.
    """

    DEFAULT_CSS = """
    InstructionsScreen {
        align: center middle;
        & > #instructions {
            width: 76;
            max-width: 100%;
            height: auto;
            padding: 1 2;
            background: $surface;
            border: round $pitree-frame-focus;
            border-title-color: $pitree-user;
            border-title-style: bold;
            border-subtitle-color: $pitree-quiet;
        }
        & InstructionsField { height: 5; background: $background; }
        & #instructions-about { height: auto; margin: 0 0 1 0; color: $pitree-quiet; }
    }
    """

    field = getters.query_one("#instructions-field", InstructionsField)

    def __init__(self, instructions: str = "", note: str = "") -> None:
        super().__init__()
        self._instructions = instructions
        self._note = note

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        about = "What the next summary is to pay attention to. Empty means nothing special."
        with Vertical(id="instructions") as box:
            box.border_title = content("Focus instructions")
            box.border_subtitle = content("enter takes them · esc leaves")
            yield Static(content(f"{about} {self._note}".strip()), id="instructions-about")
            yield InstructionsField(self._instructions, id="instructions-field")

    def on_mount(self) -> None:
        """Type at once, at the end of what is there."""
        self.field.highlight_cursor_line = False
        self.field.focus()
        self.field.move_cursor(self.field.document.end)

    def on_instructions_field_done(self, event: InstructionsField.Done) -> None:
        """Close with the answer."""
        event.stop()
        self.dismiss(event.text)
