"""`pitree compact`: makes a compaction without a screen; shows everything, asks, and only then writes."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

import click

from pitree.cli.commit_offer import NoOffer, Offer, Surroundings, offer_of
from pitree.cli.entry_ids import NoSuchEntry
from pitree.cli.exits import Blocked, Exit, Failed
from pitree.cli.inspection import Inspection, Nothing, inspection_of
from pitree.cli.options import flags_of, plan_options
from pitree.cli.output import console, print_json, print_lines
from pitree.cli.subject import subject_of
from pitree.planning.commit import Check
from pitree.planning.cut import CutNotPossible
from pitree.safe_text import safe
from pitree.store.commit import FORK, HERE, Destination, pi_folders, version_checks
from pitree.store.errors import StoreError
from pitree.store.in_force import Flags
from pitree.store.prompt_file import read_prompt
from pitree.store.write_errors import AlreadyThere, ChangedUnderneath, WriteError, WrongPlace

_REFUSALS: Final = (ChangedUnderneath, AlreadyThere, WrongPlace)
"""Writing failed because it would not have been safe."""
_ADVICE: Final = {
    "version": "--copy-to FILE makes that copy.",
    "pi-open": "--fork or --copy-to FILE leaves this file alone.",
}
"""Which option does what a check advises."""


@dataclass(frozen=True)
class _Wanted:
    """What the command line asks for, beside where and how to plan."""

    instructions: str
    destination: Destination
    dry_run: bool
    yes: bool
    as_json: bool


@click.command(short_help="Make a compaction: show it, ask, and append it to the session.")
@click.argument("file", metavar="FILE|ID")
@click.option(
    "--summarizer",
    type=click.Choice(["offline"]),
    default="offline",
    show_default=True,
    help="Who writes the summary; offline fills it from the messages, without a model.",
)
@click.option("--leaf", metavar="ID", help="Compact up to this entry: an id, or @N (line N of the file).")
@click.option("--instructions", metavar="TEXT", default="", help="What the summary should pay attention to.")
@click.option("--cut", metavar="ID", help="Keep from this entry on, in place of pi's choice: an id, or @N.")
@click.option(
    "--copy-to",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a copy instead, outside pi's folder of sessions.",
)
@click.option("--fork", is_flag=True, help="Write a new session beside this one instead.")
@click.option("--dry-run", is_flag=True, help="Show everything and the exact line, and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking, warnings or not; never what is blocked.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; nothing is asked, so it needs --yes.")
@click.option(
    "--prompt-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Instructions of your own for a model; offline makes no use of them.",
)
@plan_options
def compact(
    file: str, summarizer: str, leaf: str | None, instructions: str, cut: str | None, copy_to: Path | None, fork: bool,
    dry_run: bool, yes: bool, as_json: bool, prompt_file: Path | None, rules: str, window: int | None,
    reserve: int | None, keep_recent: int | None,
) -> None:  # fmt: skip
    """Make the compaction that pi would make, with a summary to read before it is kept.

    Shows the plan, the summary and what speaks against it, and asks before it writes. One line is appended to the
    session, or goes to a copy or a fork; nothing that was in the file is ever changed. Exit status 3: not written,
    because something blocks it, or because it could not be asked.
    """
    if copy_to is not None and fork:
        raise click.UsageError("--copy-to or --fork: one of them.")
    surroundings = Surroundings.current()
    destination = FORK if fork else HERE
    if copy_to is not None:
        destination = Destination.copy(copy_to, pi_folders(surroundings.environment))
    wanted = _Wanted(instructions.strip(), destination, dry_run, yes, as_json)
    try:
        if prompt_file is not None:
            read_prompt(prompt_file)
        inspection = _inspection(file, surroundings, flags_of(rules, window, reserve, keep_recent), leaf, cut)
        outcome = inspection.compaction
        offer = None
        if not isinstance(outcome, Nothing):
            offer = offer_of(inspection, outcome, wanted.instructions, wanted.destination, surroundings)
    except (StoreError, NoSuchEntry, CutNotPossible, NoOffer) as error:
        _fail(file, str(error) if isinstance(error, StoreError) else f"{file}: {error}", as_json=as_json)
    if offer is None:
        assert isinstance(outcome, Nothing)
        _say_nothing(file, inspection, outcome, wanted)
    elif as_json:
        _answer_json(file, offer, wanted)
    else:
        _answer(offer, wanted)


def _inspection(file: str, surroundings: Surroundings, flags: Flags, leaf: str | None, cut: str | None) -> Inspection:
    subject = subject_of(file, surroundings.environment)
    return inspection_of(subject, subject.in_force(surroundings.environment, flags), leaf, None, cut)


def _fail(file: str, message: str, *, as_json: bool) -> NoReturn:
    if not as_json:
        raise Failed(message)
    print_json([{"file": file, "error": message}])
    sys.exit(Exit.ERROR)


def _say_nothing(file: str, inspection: Inspection, outcome: Nothing, wanted: _Wanted) -> None:
    """There is nothing to compact, and so nothing to write."""
    from pitree.cli.compact_json import nothing_object
    from pitree.cli.compact_report import print_plan

    # An older version is refused before anything else, so that a script learns it from any such file.
    checks = version_checks(inspection.session) if wanted.destination is HERE else ()
    if wanted.as_json:
        print_json([nothing_object(file, outcome.why, checks)])
    else:
        print_plan(console(), inspection)
        print_lines(["", "Nothing was written."])
    if checks and not wanted.as_json:
        raise Blocked(_in_the_way(checks[0]))
    sys.exit(Exit.BLOCKED if checks else Exit.ERROR if outcome.is_failure else Exit.DONE)


def _answer(offer: Offer, wanted: _Wanted) -> None:
    """Show everything; then write, unless something or somebody says no."""
    from pitree.cli.compact_report import print_offer

    print_offer(console(), offer, line=wanted.dry_run)
    refusal = _refusal(offer, wanted, can_ask=sys.stdin.isatty() and sys.stdout.isatty())
    if refusal:
        raise Blocked(refusal)
    if wanted.dry_run:
        print_lines(["Nothing was written: this was a dry run."])
        return
    if not wanted.yes and not _ask(offer):
        raise Blocked("Nothing was written.")
    try:
        written = offer.write()
    except WriteError as error:
        raise (Blocked if isinstance(error, _REFUSALS) else Failed)(str(error)) from error
    print_lines([f"Written to {safe(str(written.path))}", f"Go on with {safe(written.command)}"])


def _answer_json(file: str, offer: Offer, wanted: _Wanted) -> None:
    """The same as one object."""
    from pitree.cli.compact_json import offer_object

    reason, written, stands, code = _refusal(offer, wanted, can_ask=False), None, False, Exit.BLOCKED
    if not reason and wanted.dry_run:
        reason, code = "Nothing was written: this was a dry run.", Exit.DONE
    elif not reason:
        try:
            written, stands, code = offer.write(), True, Exit.DONE
        except WriteError as error:
            code = Exit.BLOCKED if isinstance(error, _REFUSALS) else Exit.ERROR
            reason, stands = str(error), error.written
    print_json([{**offer_object(file, offer, written, reason), "written": stands}])
    sys.exit(code)


def _refusal(offer: Offer, wanted: _Wanted, *, can_ask: bool) -> str:
    """Why nothing may be written, and which option helps; "" where it may."""
    if offer.blocking:
        return _in_the_way(offer.blocking[0])
    if wanted.dry_run or wanted.yes or can_ask:
        return ""
    return "Nothing was written: there is no terminal to ask on; --yes writes without asking, warnings or not."


def _in_the_way(check: Check) -> str:
    return f"Nothing was written. {check.message} {_ADVICE.get(check.kind, '')}".rstrip()


def _ask(offer: Offer) -> bool:
    """Ask on the terminal; the answer is no unless somebody says yes."""
    advice = [_ADVICE[check.kind] for check in offer.checks if check.kind in _ADVICE]
    print_lines(safe(text) for text in advice)
    what = "Append it to this file" if offer.destination is HERE else "Write it"
    despite = " in spite of the warnings" if offer.checks else ""
    try:
        return click.confirm(f"{what}{despite}?", default=False)
    except click.Abort:
        print_lines([""])
        return False
