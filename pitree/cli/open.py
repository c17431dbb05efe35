"""`pitree [SESSION]`: opens the screen on a file, an id, the latest session, a demo, or a list to choose from."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pitree.cli.exits import Failed
from pitree.cli.options import demo_option, flags_of, plan_options
from pitree.store.in_force import Flags
from pitree.store.locations import Environment


@click.command("open", short_help="Open a session on the screen (the default).")
@click.argument("session", required=False, metavar="[FILE|ID]")
@click.option("--continue", "-c", "latest_one", is_flag=True, help="Open the session that pi would continue here.")
@demo_option
@plan_options
def open_session_screen(
    session: str | None, latest_one: bool, demo: str | None, rules: str, window: int | None, reserve: int | None,
    keep_recent: int | None,
) -> None:  # fmt: skip
    """Open a session on the screen: a file, an id or the beginning of one; without any, a list to choose from."""
    if sum(map(bool, (session, latest_one, demo))) > 1:
        raise click.UsageError("Name a session, or --continue, or --demo: one of them.")
    flags = flags_of(rules, window, reserve, keep_recent)
    environment = Environment.current()
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        raise Failed("The screen needs a terminal; pitree inspect and pitree outline print instead.")
    _run(session, latest_one, demo, flags, environment)


def _run(session: str | None, latest_one: bool, demo: str | None, flags: Flags, environment: Environment) -> None:
    from pitree.ui.app import PitreeApp
    from pitree.ui.loading import Opening

    opening = None
    if demo is not None:
        opening = Opening(demo=demo, flags=flags)
    elif session is not None or latest_one:
        opening = Opening(path=_path(session, environment), flags=flags)
    app = PitreeApp(opening, environment)
    app.run()
    sys.exit(app.return_code or 0)


def _path(session: str | None, environment: Environment) -> Path:
    from pitree.store.discovery import find_session, latest
    from pitree.store.errors import StoreError
    from pitree.store.pi_settings import read_settings

    folder = read_settings(environment).session_dir
    try:
        if session is None:
            return latest(environment, session_dir=folder)
        return find_session(environment, session, session_dir=folder)
    except StoreError as error:
        raise Failed(str(error)) from error
