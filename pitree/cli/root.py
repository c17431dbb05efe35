"""The command `pitree`: its subcommands, and what it does with a session that is named without one.

Subcommands are imported when they are run: counting the entries of a file should not wait for what draws a report.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping

import click

OPEN = "open"


def _compact() -> click.Command:
    from pitree.cli.compact import compact

    return compact


def _inspect() -> click.Command:
    from pitree.cli.inspect import inspect

    return inspect


def _outline() -> click.Command:
    from pitree.cli.outline import outline

    return outline


def _open() -> click.Command:
    from pitree.cli.open import open_session_screen

    return open_session_screen


LOADERS: Mapping[str, Callable[[], click.Command]] = {
    "compact": _compact,
    "inspect": _inspect,
    "open": _open,
    "outline": _outline,
}
"""Subcommand name -> what imports it."""


class Root(click.Group):
    """A group in which a first word that is no subcommand means `open`; subcommand names win over files."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command.parse_args`."""
        own = {"--help", "-h", "--version"}
        if not args or (args[0] not in self.list_commands(ctx) and args[0] not in own):
            args = [OPEN, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        return sorted({*LOADERS, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        loader = LOADERS.get(cmd_name)
        return super().get_command(ctx, cmd_name) if loader is None else loader()


HELP = """See, preview and commit what Pi's compaction would do to a session. Looking never changes a file.

\b
pitree FILE            open that session on the screen
pitree ID              open the session whose id starts so
pitree --continue      open the latest session of this folder
pitree --demo [NAME]   open a built-in session; nothing has to be set up
pitree                 list the sessions of this folder

A first word that is a command is the command, also where a file has that name: ./inspect is the file. Without a
command the options of open count; pitree open --help names them. --rules, --window, --reserve and --keep-recent go with
every command.

Exit codes: 0 done, 1 error, 2 wrong usage, 3 blocked.
"""


@click.group(
    cls=Root,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="",
    subcommand_metavar="[FILE | ID | --continue | --demo [NAME] | COMMAND ...]",
)
@click.version_option(package_name="pitree", message="pitree %(version)s")
def root() -> None:
    """Run a subcommand."""


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 error, 2 usage, 3 blocked."""
    # A session makes many objects that stay; looking through them again and again would cost half of a large plan.
    gc.set_threshold(50_000, 20, 100)
    root.main(prog_name="pitree")
