"""What a screen gets that can do commands: keys, palette and footer all end in `run_command`."""

from __future__ import annotations

from inspect import isawaitable
from typing import Protocol, runtime_checkable

from pitree.ui.command import Situation
from pitree.ui.commands import BY_ID


@runtime_checkable
class Host(Protocol):
    """What palette and help need of a screen."""

    def situation(self) -> Situation:
        """What commands need to know now."""

    async def run_command(self, command_id: str) -> None:
        """Do a command, or say why not."""


class CommandHost:
    """Mix this into a screen, before `Screen`; give it `situation` and a `do_<id>` for each command it can do."""

    def situation(self) -> Situation:
        """What commands need to know now; a screen with conditions of its own says more."""
        return Situation()

    async def action_command(self, command_id: str) -> None:
        """What keys are bound to."""
        await self.run_command(command_id)

    async def run_command(self, command_id: str) -> None:
        """Do a command when it is possible, else say why it is not.

        Args:
            command_id: The id of a command of the registry.

        Raises:
            AttributeError: The screen has no method for it.
        """
        command = BY_ID[command_id]
        self.app.clear_notifications()  # type: ignore[attr-defined]
        if (reason := command.when(self.situation())) is not None:
            self.say_why_not(command.name, reason)
            return
        if command.action is not None:
            await self.run_own_action(command.action)
            return
        await self.perform(command_id)

    async def perform(self, command_id: str) -> None:
        """Do a command that is possible: the method `do_<id>`."""
        done = getattr(self, f"do_{command_id}")()
        if isawaitable(done):
            await done

    def say_why_not(self, name: str, reason: str) -> None:
        """Tell a person why a command did nothing."""
        self.notify(f"{name}: {reason}", severity="warning", markup=False)  # type: ignore[attr-defined]

    async def run_own_action(self, action: str) -> None:
        """Run an action of the widget that has the focus, as its key would."""
        app = self.app  # type: ignore[attr-defined]
        await app.run_action(action, default_namespace=self.focused or self)  # type: ignore[attr-defined]
