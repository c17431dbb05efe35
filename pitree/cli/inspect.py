"""`pitree inspect`: what pi would do to sessions, as JSON lines or as a report for a person."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pitree.cli.inspect_json import NoSuchEntry, Question, inspect_session
from pitree.cli.options import flags_of, plan_options
from pitree.session.javascript import JSON, stringify
from pitree.store.errors import StoreError
from pitree.store.in_force import Flags, in_force
from pitree.store.locations import Environment
from pitree.store.reader import open_session


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file and line.")
@click.option("--leaf", metavar="ID", help="Plan from this entry: an id, @N (line N of the file) or @null.")
@click.option("--target", metavar="ID", help="Also plan the move from the leaf to this entry.")
@plan_options
def inspect(
    files: tuple[str, ...], as_json: bool, leaf: str | None, target: str | None, rules: str, window: int | None,
    reserve: int | None, keep_recent: int | None,
) -> None:  # fmt: skip
    """Tell what a compaction would do, and what leaving a branch would carry over. Never changes a file."""
    flags = flags_of(rules, window, reserve, keep_recent)
    environment = Environment.current()
    failed = False
    for file in files:
        answer = inspect_file(file, environment, flags, leaf, target)
        failed = failed or "error" in answer
        if as_json:
            _print_line(stringify(answer))
    sys.exit(1 if failed else 0)


def _print_line(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def inspect_file(
    file: str, environment: Environment, flags: Flags, leaf: str | None = None, target: str | None = None
) -> dict[str, JSON]:
    """The object that `--json` prints for one file; `file` and `error` where it cannot be opened."""
    try:
        session = open_session(Path(file))
        found = in_force(session, environment, flags)
        return inspect_session(session, file, Question(found.rules, found.settings, leaf, target))
    except (StoreError, NoSuchEntry) as error:
        return {"file": file, "error": str(error)}
