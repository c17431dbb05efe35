"""Copy as: a small menu of what can be copied besides the text of an entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from pitree.ui.copy_offers import CopyOffer
from pitree.ui.text import cell_fit, content, one_line

NAME_WIDTH = 23
VALUE_WIDTH = 44


class CopyAsScreen(ModalScreen[str | None]):
    """Dismisses with the text to copy, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Leave"),
        Binding("j", "step(1)", "Down"),
        Binding("k", "step(-1)", "Up"),
        *(Binding(str(at), f"choose({at - 1})", f"Copy {at}") for at in range(1, 10)),
    ]

    DEFAULT_CSS = """
    CopyAsScreen {
        align: center middle;
        & > #copy-as {
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
        & OptionList {
            height: auto;
            border: none;
            padding: 0;
            background: $surface;
            & > .option-list--option { padding: 0; }
            & > .option-list--option-disabled { color: $pitree-quiet; }
            &:focus > .option-list--option-highlighted {
                background: $pitree-cursor;
                color: $pitree-assistant;
                text-style: none;
            }
            &:focus { border: none; background-tint: transparent; }
        }
    }
    """

    menu = getters.query_one(OptionList)

    def __init__(self, offers: Sequence[CopyOffer]) -> None:
        super().__init__()
        self._offers = tuple(offers)

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        with Vertical(id="copy-as") as box:
            box.border_title = content("Copy as")
            box.border_subtitle = content("enter or its number copies · esc leaves")
            yield OptionList(*(_option(at, offer) for at, offer in enumerate(self._offers)))

    def on_mount(self) -> None:
        """The keys go to the menu."""
        self.menu.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose(event.option_index)

    def action_choose(self, at: int) -> None:
        """Copy one by its place, or say why not."""
        if at >= len(self._offers):
            return
        offer = self._offers[at]
        if offer.why_not:
            self.notify(offer.why_not, severity="warning", markup=False)
        else:
            self.dismiss(offer.text)

    def action_step(self, step: int) -> None:
        """As the arrow keys do."""
        self.menu.action_cursor_down() if step > 0 else self.menu.action_cursor_up()


def _option(at: int, offer: CopyOffer) -> Option:
    quiet = bool(offer.why_not)
    shown = _middle(one_line(offer.why_not or offer.text, 400), VALUE_WIDTH - (2 if quiet else 0))
    words = Content.assemble(
        (f"{at + 1}  ", "bold $pitree-key" if not quiet else "$pitree-quiet"),
        (offer.name.ljust(NAME_WIDTH), "$pitree-quiet"),
        (f"✗ {shown}" if quiet else shown, "$pitree-quiet" if quiet else "$pitree-assistant"),
    )
    return Option(words, disabled=quiet)


def _middle(text: str, width: int) -> str:
    """A text with its middle left out where it is too long: of a path the end says most."""
    if cell_len(text) <= width:
        return text
    head = cell_fit(text, width // 3)
    tail = text[-width:]
    while cell_len(head) + cell_len(tail) > width:
        tail = tail[1:]
    return head + tail
