"""The options that every subcommand understands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from pitree.store.in_force import Flags

F = TypeVar("F", bound=Callable[..., Any])

_TOKENS = click.IntRange(min=0)


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


def flags_of(rules: str, window: int | None, reserve: int | None, keep_recent: int | None) -> Flags:
    """The options as the store takes them."""
    return Flags(rules, window, reserve, keep_recent)
