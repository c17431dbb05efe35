"""What `pitree compact` shows a person: the plan, the summary, what committing it means, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from pitree.cli.commit_offer import Offer
from pitree.cli.inspection import Inspection
from pitree.cli.report_layout import QUIET, STRONG, WARNING, WRONG, Section, entry_text, id_text, print_section
from pitree.cli.report_plan import compaction_section
from pitree.cli.report_text import counted, excerpt, figure, joined, shown
from pitree.context.messages import Message
from pitree.context.shares import shares
from pitree.planning.commit import Check
from pitree.session.javascript import to_string
from pitree.store.commit import Where, lacks_newline

_PLACES = {
    Where.HERE: "this file, at its end",
    Where.COPY: "a copy with the same entries",
    Where.FORK: "a fork beside this file: the path to the leaf, under a new id and name",
}


def print_plan(console: Console, inspection: Inspection) -> None:
    """Print what would be compacted, or why nothing."""
    print_section(console, compaction_section(inspection))


def print_offer(console: Console, offer: Offer, *, line: bool) -> None:
    """Print all that there is to know before a commit.

    Args:
        console: Where to.
        offer: What would be committed.
        line: Print the exact line, too.
    """
    print_plan(console, offer.inspection)
    _print_summary(console, offer)
    print_section(console, _commit_section(offer))
    print_section(console, _check_section(offer.checks))
    if line:
        print_section(console, Section("The line"))
        console.print(shown(offer.line.decode("utf-8", "replace").removesuffix("\n")), soft_wrap=True)
    console.print()


def _print_summary(console: Console, offer: Offer) -> None:
    draft = offer.made.draft
    title = "Summary: an extract, made without a model" if draft.origin == "extract" else f"Summary by {draft.origin}"
    print_section(console, Section(title))
    for text in to_string(offer.entry["summary"]).split("\n"):
        for line in shown(text).wrap(console, console.width - 1, overflow="fold") or [shown("")]:
            line.rstrip()
            console.print(joined(" " if line else "", line), no_wrap=True, overflow="ignore", crop=False)


def _commit_section(offer: Offer) -> Section:
    section = Section("Commit")
    where = offer.destination.where
    section.say("into", _PLACES[where])
    section.say("file", excerpt(str(offer.path if offer.path is not None else offer.file.parent), "", 400))
    section.say("new entry", "compaction ", id_text(offer.entry["id"]), " below the leaf")
    section.say("", entry_text(offer.session, offer.made.plan.path[-1]))
    section.say("context", *_context(offer))
    newline = ", after the newline that the last line lacks" if _puts_newline(offer) else ""
    section.say("line", shown(f"{len(offer.line):,}", STRONG), f" bytes{newline}")
    section.say(
        "rules", f"pi {offer.inspection.rules.release}", shown(f"  {offer.inspection.found.rules_origin}", QUIET)
    )
    return section


def _puts_newline(offer: Offer) -> bool:
    return offer.destination.where is not Where.FORK and lacks_newline(offer.session)


def _context(offer: Offer) -> Iterator[Text]:
    before, after = estimates(offer)
    messages = offer.made.after
    yield shown("est ", QUIET)
    yield shown(figure(before), STRONG)
    yield shown(" now, ")
    yield shown("est ", QUIET)
    yield shown(figure(after), STRONG)
    yield shown(f" after it, in {counted(len(messages), 'message')}")


def estimates(offer: Offer) -> tuple[int, int]:
    """The context at the leaf now and after the commit, est tokens."""
    return _estimate(offer, offer.made.plan.projection.messages), _estimate(offer, offer.made.after)


def _estimate(offer: Offer, messages: Sequence[Message]) -> int:
    return sum(shares(messages, offer.inspection.rules).values())


def _check_section(checks: Sequence[Check]) -> Section:
    section = Section("Checks")
    for check in checks:
        mark = shown("✗ ", WRONG) if check.blocks else shown("! ", WARNING)
        section.say("blocks" if check.blocks else "warning", mark, check.message)
    if not checks:
        section.say("none", shown("✓ ", "green"), "nothing speaks against it")
    return section
