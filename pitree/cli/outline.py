"""`pitree outline`: the tree of a session as the screen shows it, its rows as JSON, or only how large it is."""

from __future__ import annotations

import click

from pitree.cli.exits import Failed
from pitree.cli.options import demo_option, flags_of, plan_options
from pitree.cli.output import is_colored, is_terminal, print_json, print_lines, tolerate_encoding, width
from pitree.cli.subject import Subject, demo_subject, subject_of
from pitree.session.javascript import JSON
from pitree.session.session import Session
from pitree.session.tree import ROOT, build_tree
from pitree.store.errors import StoreError
from pitree.store.locations import Environment

FILTERS = ("default", "no-tools", "user-only", "labeled-only", "all")
"""pi's filters (`session.outline.Filter`)."""


@click.command(short_help="Print the tree of a session, or only how large it is.")
@click.argument("name", required=False, metavar="FILE|ID")
@demo_option
@click.option(
    "--filter",
    "filter_name",
    type=click.Choice(FILTERS),
    default="default",
    show_default=True,
    help="Which entries show, as in pi; the leaf always does.",
)
@click.option("--leaf", metavar="ID", help="Stand on this entry: an id, or @N (line N of the file).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per row.")
@click.option("--count", is_flag=True, help="Print only how many entries, roots, forks and tips there are.")
@plan_options
def outline(
    name: str | None, demo: str | None, filter_name: str, leaf: str | None, as_json: bool, count: bool, rules: str,
    window: int | None, reserve: int | None, keep_recent: int | None,
) -> None:  # fmt: skip
    """Print the tree of a session, like git log --graph. Never changes a file.

    Each row: a mark (● leaf, • on its path, ░ compacted away, ◦ on another branch), the id, the lines of the tree, the
    kind, the beginning of the text, the label after ⚑, and pi's estimate in tokens.
    """
    environment = Environment.current()
    subject = _subject(name, demo, environment)
    tolerate_encoding()
    if count:
        _print_count(subject.session, as_json=as_json)
        return
    flags = flags_of(rules, window, reserve, keep_recent)
    _print_rows(subject, environment, flags.rules, leaf, filter_name, as_json=as_json)


def _subject(name: str | None, demo: str | None, environment: Environment) -> Subject:
    if (name is None) == (demo is None):
        raise click.UsageError("Give one session: a file, an id or the start of one, or --demo.")
    if name is None:
        return demo_subject(str(demo))
    try:
        return subject_of(name, environment)
    except StoreError as error:
        raise Failed(str(error)) from None


def count_tree(session: Session) -> dict[str, JSON]:
    """How many entries, roots, forks and tips a session has; no line of the file is read for it."""
    tree = build_tree(session.chains, session.again, list)
    tips = sum(child == ROOT for child in tree.jumps.values())
    return {"entries": session.count, "roots": len(tree.roots), "forks": len(tree.forks), "tips": tips}


def _print_count(session: Session, *, as_json: bool) -> None:
    numbers = count_tree(session)
    if as_json:
        print_json([numbers])
        return
    print_lines(f"{word:<8}{number:>12,}" for word, number in numbers.items())


def _print_rows(
    subject: Subject, environment: Environment, rules: str | None, leaf: str | None, filter_name: str, *, as_json: bool
) -> None:
    # Here, and not above, because `--count` should not wait for what describes and estimates entries.
    from pitree.cli.outline_rows import Layout, describe_rows, draw_row, rows_of

    rows = rows_of(subject, environment, rules, leaf, filter_name)
    if as_json:
        print_json(row.as_json() for row in describe_rows(rows))
        return
    layout = Layout(width(), right_aligned=is_terminal(), color=is_colored())
    print_lines(draw_row(row, layout) for row in describe_rows(rows))
