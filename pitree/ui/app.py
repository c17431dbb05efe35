"""The application: themes, the palette, and which screen is in front."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import Provider

from pitree.session.javascript import well_paired
from pitree.store.commit import Draws
from pitree.store.locations import Environment
from pitree.ui.chance import real_draws
from pitree.ui.driver import tolerant_driver
from pitree.ui.loading import Opening
from pitree.ui.palette import PitreeCommands
from pitree.ui.screens.session import SessionScreen
from pitree.ui.screens.sessions import SessionsScreen
from pitree.ui.theme import DARK, THEMES, variable_defaults


class PitreeApp(App[None]):
    """Shows one session, or a list to choose from when none is named."""

    TITLE = "pitree"
    CSS_PATH = Path(__file__).with_name("pitree.tcss")
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {PitreeCommands}
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(
        self,
        opening: Opening | None,
        environment: Environment,
        draws: Callable[[], Draws] = real_draws,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Make the application.

        Args:
            opening: What is to be opened; None for a list to choose from.
            environment: What the process is told from outside.
            draws: Clock and chance of new entries.
            pause: Waits for so many seconds, while a recorded summary is streamed.
        """
        super().__init__(driver_class=tolerant_driver())
        self.opening = opening
        self.environment = environment
        self.draws = draws
        self.pause = pause

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """See `App`."""
        return variable_defaults()

    def on_mount(self) -> None:
        """Themes, then the first screen."""
        self._leave_in_order_on_signals()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name
        if self.opening is None:
            self.choose_session()
        else:
            self.push_screen(self._session_screen(self.opening))

    def _leave_in_order_on_signals(self) -> None:
        """A terminal that closes, or a polite kill, ends the program as its own key does: nothing is lost."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, lambda: self.call_later(self.action_quit))

    def _session_screen(self, opening: Opening) -> SessionScreen:
        return SessionScreen(opening, self.environment, self.draws, self.pause)

    def copy_to_clipboard(self, text: str) -> None:
        """See `App`; what no encoding takes goes as a question mark."""
        super().copy_to_clipboard(well_paired(text).encode("utf-8", "replace").decode("utf-8"))

    async def action_quit(self) -> None:
        """Leave; what is being edited is kept as a draft."""
        for screen in self.screen_stack:
            if isinstance(screen, SessionScreen):
                screen.keep_edit()
        self.exit()

    def choose_session(self) -> None:
        """Let a person choose a session of this project, or of all."""
        self.push_screen(SessionsScreen(self.environment), self._chosen)

    def _chosen(self, path: Path | str | None) -> None:
        if path is None:
            if not isinstance(self.screen, SessionScreen):
                self.exit()
            return
        opening = Opening(demo=path) if isinstance(path, str) else Opening(path=path)
        if isinstance(self.screen, SessionScreen):
            self.screen.open(opening)
        else:
            self.push_screen(self._session_screen(opening))
