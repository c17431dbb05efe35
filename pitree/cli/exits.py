"""How a command ends: the exit codes, and errors as one sentence on stderr."""

from __future__ import annotations

from enum import IntEnum
from typing import IO, Any

import click


class Exit(IntEnum):
    """The exit codes of every subcommand."""

    DONE = 0
    ERROR = 1
    USAGE = 2
    BLOCKED = 3


class Failed(click.ClickException):
    """The command could not do its work; the message is one sentence and may hold text of a file."""

    exit_code = int(Exit.ERROR)

    def show(self, file: IO[Any] | None = None) -> None:
        """See `click.ClickException.show`."""
        complain(self.message)


class Blocked(Failed):
    """pitree refused for safety; the message says what to do first."""

    exit_code = int(Exit.BLOCKED)


def complain(message: str) -> None:
    """Print one sentence on stderr, made safe."""
    from pitree.safe_text import safe

    click.echo(f"pitree: {safe(message)}", err=True)
