"""Plays the program for a test: opens something, presses keys, and tells what a person would see."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Static

from pitree.store.commit import Draws
from pitree.store.in_force import Flags
from pitree.store.locations import Environment
from pitree.ui.app import PitreeApp
from pitree.ui.loading import Opening
from pitree.ui.screens.session import SessionScreen
from pitree.ui.view import View
from pitree.ui.widgets.context_bar import ContextBar
from pitree.ui.widgets.outline_view import OutlineView
from tests.scenes import NARROW, NOWHERE, WIDE, at_once, fixed_draws, settle

ROUNDS = 5
_CHARACTERS = {"plus": "+", "minus": "-"}

__all__ = ["NARROW", "NOWHERE", "WIDE", "Played", "demo", "playing", "send_key"]


def demo(name: str, **flags: int | str) -> Opening:
    """A built-in session, with flags as the command line takes them."""
    return Opening(demo=name, flags=Flags(**flags))  # type: ignore[arg-type]


class Listening(PitreeApp):
    """The program, which remembers what it has said."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.said: list[str] = []

    def notify(self, message: str, **options: Any) -> None:
        """See `App`."""
        self.said.append(message)
        super().notify(message, **options)


class Played:
    """A running program and its pilot; texts come from the lines that are drawn."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def app(self) -> PitreeApp:
        assert isinstance(self.pilot.app, PitreeApp)
        return self.pilot.app

    @property
    def screen(self) -> SessionScreen:
        """The session screen, which may have a small one over it."""
        return next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, SessionScreen))

    @property
    def view(self) -> View:
        assert self.screen.view is not None
        return self.screen.view

    @property
    def at(self) -> Any:
        """The id of the entry under the cursor."""
        entry = self.screen.entry
        return None if entry is None else self.view.session.id_of(entry)

    @property
    def focus(self) -> str | None:
        """The name of the widget that takes the keys."""
        return None if self.app.focused is None else self.app.focused.id

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each when what the one before has started is done."""
        for key in keys:
            await send_key(self.pilot, key)
            while any(worker.group != "shares" for worker in self.app.workers if not worker.is_finished):
                await settle(self.pilot)
            # A worker that has ended just now has left a message.
            await self.pilot._wait_for_screen()
            await self.pilot._wait_for_screen()
        await settle(self.pilot)

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await settle(self.pilot)

    def rows(self, outline: OutlineView | None = None) -> list[str]:
        """Every row of an outline in full width, in sight or not, without the pointer of the cursor."""
        shown = outline or self.screen.outline
        provider = shown._rows
        return [_row_text(provider.row(number)) for number in range(len(provider))]

    def lines(self) -> list[str]:
        """The rows of the outline that are in sight, as they are drawn."""
        outline = self.screen.outline
        return [outline.render_line(y).text.rstrip() for y in range(outline.size.height)]

    def marks(self) -> dict[str, str]:
        """The marks of the entries that show, by id; entries that share an id share a key."""
        rows = self.view.rows
        entries = [rows.entry(row) for row in range(len(rows))]
        return {str(self.view.session.id_of(entry)): self.view.state_of(entry) for entry in entries}

    def facts(self) -> dict[str, str]:
        """What the Plan pane says, by name; headings under ""."""
        facts: dict[str, str] = {}
        for fact in self.screen.pane.facts.facts:
            name = fact.name if not fact.is_heading else ""
            facts[name] = " ".join(filter(None, [facts.get(name, ""), " ".join(fact.value.split())]))
        return facts

    def entry_text(self) -> str:
        """What the Entry pane holds, before it is made safe."""
        return "\n".join(block.text for block in self.screen.pane.entry.blocks)

    def text_of(self, selector: str) -> str:
        """The text of a `Static` of the screen in front."""
        return str(self.app.screen.query_one(selector, Static).render())

    def bar(self) -> str:
        return str(self.screen.query_one(ContextBar).render())

    def notices(self) -> list[str]:
        """Everything that was notified since the start; the next command takes a notice off the screen."""
        assert isinstance(self.app, Listening)
        return self.app.said


async def send_key(pilot: Pilot[None], key: str) -> None:
    """What `Pilot.press` does, but it waits for messages to be handled and not for the machine to be idle.

    A key becomes an action, an action a message, a message another one: that is what the rounds are for.
    """
    name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    character = key if len(key) == 1 else " " if key == "space" else _CHARACTERS.get(name)
    event = events.Key(name, character)
    event.set_sender(pilot.app)
    driver = pilot.app._driver
    assert driver is not None
    driver.send_message(event)
    for _ in range(ROUNDS):
        await pilot._wait_for_screen()


def _row_text(row: object) -> str:
    parts = [getattr(row, name) for name in ("kind", "text", "note", "figure")]
    return " ".join(str(part) for part in parts if part)


@asynccontextmanager
async def playing(
    opening: Opening | Path | None,
    size: tuple[int, int] = WIDE,
    environment: Environment = NOWHERE,
    draws: Callable[[], Draws] = fixed_draws,
    pause: Callable[[float], Awaitable[None]] = at_once,
) -> AsyncIterator[Played]:
    """The program with a session opened, ready for keys."""
    if isinstance(opening, Path):
        opening = Opening(path=opening)
    app = Listening(opening, environment, draws, pause)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield Played(pilot)
