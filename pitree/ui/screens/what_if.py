"""The what-if form: other settings, tried out while they are typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from pitree.planning.rules import RULES
from pitree.ui.figures import exact
from pitree.ui.text import content
from pitree.ui.view import NOTHING_TRIED, View, WhatIf

FIELDS = (
    ("keep_recent", "keepRecentTokens", "keep_recent_tokens"),
    ("reserve", "reserveTokens", "reserve_tokens"),
    ("window", "window", "context_window"),
)


class WhatIfScreen(ModalScreen[None]):
    """Every change goes to `changed` at once; escape closes the form and keeps what was tried."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("enter", "dismiss", "Close", priority=False),
        Binding("ctrl+r", "reset", "Back to the settings"),
    ]

    def __init__(self, view: View, changed: Callable[[WhatIf], None]) -> None:
        super().__init__()
        self._view = view
        self._changed = changed

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        tried, settings = self._view.what_if, self._view.found.settings
        form = Vertical(id="what-if")
        form.border_title = content("What if")
        form.border_subtitle = content("enter close · ctrl+r back to the settings")
        with form:
            for name, word, key in FIELDS:
                value = getattr(tried, name)
                with Horizontal(classes="row"):
                    yield Label(content(word))
                    yield Input(
                        "" if value is None else str(value), str(getattr(settings, key)), id=name, type="integer"
                    )
                    yield Static(content(f"in force {exact(getattr(settings, key))}"), classes="hint")
            with Horizontal(classes="row"):
                yield Label(content("rules"))
                yield Input(tried.rules or "", self._view.found.rules.name, id="rules", max_length=4)
                yield Static(content(" or ".join(RULES)), classes="hint")
            yield Static(content("The cut moves while you type. An empty field takes what is in force."))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Try out what stands in the fields."""
        event.stop()
        numbers = {name: self._number(name) for name, _, _ in FIELDS}
        rules = self.query_one("#rules", Input).value
        self._changed(WhatIf(**numbers, rules=rules if rules in RULES else None))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter closes the form."""
        event.stop()
        self.dismiss()

    def action_reset(self) -> None:
        """Empty every field."""
        for field in self.query(Input):
            field.value = ""
        self._changed(NOTHING_TRIED)

    def _number(self, name: str) -> int | None:
        value = self.query_one(f"#{name}", Input).value
        return int(value) if value.isdecimal() and len(value) < 16 else None
