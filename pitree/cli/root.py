"""The command `pitree`: its subcommands, and what it does with a session that is named without one."""

from __future__ import annotations

import click

from pitree.cli.inspect import inspect

OPEN = "open"


class Root(click.Group):
    """A group in which a first word that is no subcommand means `open`; subcommand names win over files."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command.parse_args`."""
        own = {"--help", "-h", "--version"}
        if not args or (args[0] not in self.commands and args[0] not in own):
            args = [OPEN, *args]
        return super().parse_args(ctx, args)


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="pitree", message="pitree %(version)s")
def root() -> None:
    """See, preview and commit what Pi's compaction would do to a session."""


root.add_command(inspect)


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 error, 2 usage, 3 blocked."""
    root.main(prog_name="pitree")
