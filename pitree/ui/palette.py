"""The command palette's source: the same table as the keys, with the reason beside what is not possible."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from pitree.ui.command import SESSION
from pitree.ui.command_host import Host
from pitree.ui.commands import Offer, offers
from pitree.ui.text import content


class PitreeCommands(Provider):
    """Commands of the screen that is shown; put it into `App.COMMANDS`."""

    def _offers(self) -> list[Offer]:
        host = self.screen
        if not isinstance(host, Host):
            return []
        return [
            offer
            for offer in offers(host.situation())
            if offer.command.action is None or (offer.command.scope == SESSION and offer.command.id != "palette")
        ]

    async def discover(self) -> Hits:
        """Everything, before anything is typed."""
        for offer in self._offers():
            yield DiscoveryHit(
                content(offer.command.name), self._run(offer), text=offer.command.name, help=_help(offer)
            )

    async def search(self, query: str) -> Hits:
        """What fits the letters typed."""
        matcher = self.matcher(query)
        for offer in self._offers():
            score = matcher.match(offer.command.name)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(offer.command.name),
                    self._run(offer),
                    text=offer.command.name,
                    help=_help(offer),
                )

    def _run(self, offer: Offer) -> IgnoreReturnCallbackType:
        host = self.screen
        assert isinstance(host, Host)
        return partial(host.run_command, offer.command.id)


def _help(offer: Offer) -> str:
    """The help line. The palette reads it as markup, and `[` is a key."""
    keys = " ".join(offer.keys).replace("[", "\\[")
    return f"{keys} · {offer.why_not or offer.command.help}"
