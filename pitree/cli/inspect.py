"""`pitree inspect`: what pi would do to sessions, as JSON lines or as a report for a person."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import click

from pitree.cli.entry_ids import NoSuchEntry
from pitree.cli.exits import Exit, complain
from pitree.cli.inspect_json import Question, inspect_session
from pitree.cli.options import demo_option, flags_of, plan_options
from pitree.cli.output import console, print_json
from pitree.cli.subject import Subject, demo_subject, subject_of
from pitree.session.javascript import JSON
from pitree.store.errors import StoreError
from pitree.store.in_force import Flags
from pitree.store.locations import Environment

Opener = Callable[[], Subject]


@click.command(short_help="Report what pi would do with sessions; --json for programs.")
@click.argument("files", nargs=-1, metavar="[FILE|ID]...")
@demo_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file and line.")
@click.option("--leaf", metavar="ID", help="Plan from this entry: an id, @N (line N of the file) or @null.")
@click.option("--target", metavar="ID", help="Also plan the move from the leaf to this entry: an id or @N.")
@plan_options
def inspect(
    files: tuple[str, ...], demo: str | None, as_json: bool, leaf: str | None, target: str | None, rules: str,
    window: int | None, reserve: int | None, keep_recent: int | None,
) -> None:  # fmt: skip
    """Tell what a compaction would do, and what leaving a branch would carry over. Never changes a file.

    The report says what fills the context, whether pi would compact now, where firstKeptEntryId falls and why, what is
    summarized and what is kept; with --target also where the two branches meet. Line 0 of a file is its header.
    """
    if not files and demo is None:
        raise click.UsageError("Give at least one session: a file, an id or the start of one, or --demo.")
    environment = Environment.current()
    question = _Asked(environment, flags_of(rules, window, reserve, keep_recent), leaf, target)
    answer = question.print_json if as_json else question.print_report
    done = [answer(name, opener) for name, opener in _subjects(files, demo, environment)]
    sys.exit(Exit.DONE if all(done) else Exit.ERROR)


def _subjects(files: tuple[str, ...], demo: str | None, environment: Environment) -> Iterator[tuple[str, Opener]]:
    for file in files:
        yield file, lambda file=file: subject_of(file, environment)  # type: ignore[misc]
    if demo is not None:
        yield f"--demo {demo}", lambda: demo_subject(demo)


class _Asked:
    """What the command line asks of every session."""

    def __init__(self, environment: Environment, flags: Flags, leaf: str | None, target: str | None) -> None:
        self.environment = environment
        self.flags = flags
        self.leaf = leaf
        self.target = target

    def print_json(self, name: str, opener: Opener) -> bool:
        """Print one object; where the session cannot be used, `file` and `error`. Whether it could."""
        answer: dict[str, JSON]
        try:
            subject = opener()
            found = subject.in_force(self.environment, self.flags)
            demo = subject.demo
            leaf = self.leaf if self.leaf is not None or demo is None else demo.leaf_id
            target = self.target if self.target is not None or demo is None else demo.target_id
            answer = inspect_session(subject.session, name, Question(found.rules, found.settings, leaf, target))
        except (StoreError, NoSuchEntry) as error:
            answer = {"file": name, "error": str(error)}
        print_json([answer])
        return "error" not in answer

    def print_report(self, name: str, opener: Opener) -> bool:
        """Print one report; where the session cannot be used, one sentence on stderr. Whether it could."""
        from pitree.cli.inspection import inspection_of
        from pitree.cli.report import print_report

        try:
            subject = opener()
            found = subject.in_force(self.environment, self.flags)
            inspection = inspection_of(subject, found, self.leaf, self.target)
        except StoreError as error:
            complain(str(error))
            return False
        except NoSuchEntry as error:
            complain(f"{name}: {error}")
            return False
        print_report(console(), inspection)
        return True
