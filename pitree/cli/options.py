"""The options that several subcommands understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pitree.cli.subject import DEMO_DEFAULT, DemoName

if TYPE_CHECKING:
    from pitree.store.in_force import Flags

F = TypeVar("F", bound=Callable[..., Any])

_TOKENS = click.IntRange(min=0, max=10**12)


def plan_options(command: F) -> F:
    """Add what a plan depends on beside the session: `--rules --window --reserve --keep-recent`."""
    options = [
        click.option("--rules", type=click.Choice(["auto", "0.84", "1.6"]), default="auto", show_default=True,
                     help="The release of pi to follow; auto takes the one that ran here last."),
        click.option("--window", type=_TOKENS, metavar="N", help="The model's context window in tokens."),
        click.option("--reserve", type=_TOKENS, metavar="N",
                     help="reserveTokens, for compactions and for branch summaries."),
        click.option("--keep-recent", type=_TOKENS, metavar="N", help="keepRecentTokens."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def demo_option(command: F) -> F:
    """Add `--demo [NAME]`."""
    text = f"A built-in session instead of a file; {DEMO_DEFAULT} where no name is given."
    return click.option("--demo", type=DemoName(), is_flag=False, flag_value=DEMO_DEFAULT, metavar="[NAME]", help=text)(
        command
    )


def flags_of(rules: str, window: int | None, reserve: int | None, keep_recent: int | None) -> Flags:
    """The options as the store takes them."""
    from pitree.store.in_force import Flags

    return Flags(rules, window, reserve, keep_recent)
