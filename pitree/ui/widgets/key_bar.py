"""The footer: the keys that matter here, as many as fit, help always among them; a click does what the key does.

Textual's own footer mounts a widget per key anew at each change; this one is a line of text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from pitree.ui.commands import Offer


def fitting(offers: Iterable[Offer], width: int) -> list[Offer]:
    """The offers of the footer that fit a width: low ranks first in the choice, help at the end of the line."""
    ranked = sorted(
        (offer for offer in offers if offer.command.footer is not None), key=lambda offer: offer.command.footer or 0
    )
    chosen: list[Offer] = []
    for offer in ranked:
        if sum(map(_cells, [*chosen, offer])) > width:
            break
        chosen.append(offer)
    return chosen[1:] + chosen[:1]


def _label(offer: Offer) -> tuple[str, str]:
    return offer.keys[0], f" {offer.command.footer_name or offer.command.name}  "


def _cells(offer: Offer) -> int:
    return sum(map(cell_len, _label(offer)))


class KeyBar(Widget):
    """Shows `offers`; those that are not possible stay in their place, quiet and struck through."""

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """
    ALLOW_SELECT = False

    offers: reactive[tuple[Offer, ...]] = reactive[tuple[Offer, ...]](())

    @dataclass
    class Pressed(Message):
        """A command was clicked."""

        command_id: str

    def render(self) -> Content:
        """As many as fit."""
        pieces: list[tuple[str, str]] = []
        for offer in fitting(self.offers, self.content_size.width):
            key, name = _label(offer)
            quiet = offer.why_not is not None
            pieces.append((key, "strike $pitree-quiet" if quiet else "bold $pitree-key"))
            pieces.append((name, "$pitree-quiet" if quiet else "$pitree-assistant"))
        return Content.assemble(*pieces)

    def on_click(self, event: events.Click) -> None:
        """Tell which command was clicked."""
        place = event.get_content_offset_capture(self).x
        for offer in fitting(self.offers, self.content_size.width):
            if 0 <= place < _cells(offer):
                self.post_message(self.Pressed(offer.command.id))
                return
            place -= _cells(offer)
