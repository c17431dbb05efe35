"""The report's part on compaction: whether pi would compact, where the cut falls, what it does, and why there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.padding import Padding
from rich.text import Text

from pitree.cli.inspection import Inspection, Nothing, estimate_of
from pitree.cli.report_layout import QUIET, STRONG, WARNING, EntryRow, Section, entry_table, entry_text
from pitree.cli.report_text import counted, excerpt, figure, shown
from pitree.context.messages import Message
from pitree.planning.compaction import CompactionPlan
from pitree.planning.status import Status, compaction_statuses
from pitree.session.javascript import JSON, to_string
from pitree.session.problems import PiFails

WALK_SHOWN = 6
FILES_SHOWN = 12
CUT = "bold bright_red"
# Status: glyph and color. The glyphs are those of the screen (`ui.marks`), a test holds them equal.
MARKS: dict[Status, tuple[str, str]] = {
    Status.GONE: ("░", QUIET),
    Status.SUMMARIZED: ("▒", "yellow"),
    Status.PREFIX: ("▓", "bright_yellow"),
    Status.KEPT: ("█", "green"),
    Status.UNSEEN: ("┊", QUIET),
}


def compaction_section(inspection: Inspection) -> Section:
    """The compaction that pi would make at the leaf, or why none."""
    outcome = inspection.compaction
    section = Section("Compaction at the leaf")
    if isinstance(outcome, Nothing):
        section.say("plan", shown("Nothing to compact. ", STRONG), outcome.why)
        if inspection.compacts_now:
            section.say("", shown("The trigger is reached all the same: pi would try, and find nothing.", WARNING))
        return section
    section.say(
        "by itself", "yes, pi would compact now" if inspection.compacts_now else "no, only when asked (/compact)"
    )
    _say_cut(section, inspection, outcome)
    _say_amounts(section, inspection, outcome)
    _say_files(section, inspection, outcome)
    _say_why(section, outcome)
    if outcome.cut.steps:
        section.say("the walk", _walk_words(len(outcome.cut.steps)))
        section.below.append(_walk(inspection, outcome))
    return section


def _say_cut(section: Section, inspection: Inspection, plan: CompactionPlan) -> None:
    session = inspection.session
    section.say("cut", shown("✂ firstKeptEntryId ", CUT), entry_text(session, plan.first_kept))
    if plan.turn_start is None:
        section.say("split turn", "no, the cut falls between two turns")
        return
    section.say("split turn", shown("yes", WARNING), ", the cut falls inside the turn that starts with")
    section.say("", shown("↦ ", "bright_yellow"), entry_text(session, plan.turn_start))


def _say_amounts(section: Section, inspection: Inspection, plan: CompactionPlan) -> None:
    kept = [message for item in plan.kept_items for message in item.messages]
    section.say("summarize", _mark(Status.SUMMARIZED), *_amount(plan.summarized, inspection))
    if plan.prefix:
        section.say("turn prefix", _mark(Status.PREFIX), *_amount(plan.prefix, inspection))
    section.say("keep", _mark(Status.KEPT), *_amount(kept, inspection))
    gone = sum(status is Status.GONE for status in compaction_statuses(plan).values())
    if plan.previous is not None:
        section.say("before this", "carries on the summary of ", entry_text(inspection.session, plan.previous))
        section.say("gone", _mark(Status.GONE), f"{counted(gone, 'entry', 'entries')} already compacted away")
    section.say("tokensBefore", figure(plan.size.tokens))


def _mark(status: Status) -> Text:
    glyph, color = MARKS[status]
    return shown(f"{glyph} ", color)


def _amount(messages: Sequence[Message], inspection: Inspection) -> Iterator[Text]:
    noun = "message" if len(messages) == 1 else "messages"
    yield shown(f"{len(messages):>5,}", STRONG)
    yield shown(f" {noun:<8}  ")
    yield shown("est ", QUIET)
    yield shown(f"{figure(estimate_of(messages, inspection.rules)):>9}", STRONG)


def _say_files(section: Section, inspection: Inspection, plan: CompactionPlan) -> None:
    try:
        read, modified = plan.files
    except PiFails as failure:
        section.say("files", shown(inspection.failure(failure), WARNING))
        return
    say_files(section, read, modified)


def say_files(section: Section, read: Sequence[JSON], modified: Sequence[JSON]) -> None:
    """Add the files that a summary would name."""
    section.say("files read", *_files(read))
    section.say("modified", *_files(modified))


def _files(files: Sequence[JSON]) -> list[Text]:
    if not files:
        return [shown("none", QUIET)]
    named = ", ".join(to_string(file)[:200] for file in files[:FILES_SHOWN])
    more = f", and {len(files) - FILES_SHOWN} more" if len(files) > FILES_SHOWN else ""
    return [shown(f"{len(files)}  ", STRONG), excerpt(named, "", 4000), shown(more, QUIET)]


def _say_why(section: Section, plan: CompactionPlan) -> None:
    cut = plan.cut
    if cut.steps:
        walked = counted(len(cut.steps), "entry", "entries")
        total = figure(cut.steps[-1].total)
        keep = figure(plan.settings.keep_recent_tokens)
        section.say("why here", f"walked back {walked} from the leaf to est {total}; keepRecentTokens is {keep}")
        section.say("", f"cut at {cut.landing.value}")
    else:
        section.say("why here", cut.landing.value)
    if cut.passed_omissions:
        section.say("", "moved past an attempt that edits leave out altogether")
    if cut.slid_over:
        section.say("", f"then back over {counted(cut.slid_over, 'entry', 'entries')} that the model does not see")


def _walk_words(steps: int) -> str:
    if steps == 1:
        return "one step:"
    what = f"all {steps} steps" if steps <= WALK_SHOWN else f"the last {WALK_SHOWN} of {steps:,} steps"
    return f"{what}, in the order of the file:"


def _walk(inspection: Inspection, plan: CompactionPlan) -> Padding:
    """The last steps of the walk back, in the order of the file: the entry where it ended stands first."""
    statuses = compaction_statuses(plan)
    rows = []
    for step in reversed(plan.cut.steps[-WALK_SHOWN:]):
        entry = plan.items[step.at].entry.index
        mark = ("✂", CUT) if step.at == plan.cut.at else MARKS[statuses[entry]]
        rows.append(EntryRow(*mark, entry, (figure(step.tokens), figure(step.total))))
    return entry_table(inspection.session, ("est", "sum"), rows)
