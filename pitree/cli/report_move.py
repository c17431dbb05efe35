"""The report's part on going to another entry: where the branches meet, and what is carried over."""

from __future__ import annotations

from collections import Counter

from rich.padding import Padding

from pitree.cli.inspection import Inspection, Nothing, estimate_of
from pitree.cli.report_layout import QUIET, STRONG, WARNING, EntryRow, Section, entry_table, entry_text
from pitree.cli.report_plan import say_files
from pitree.cli.report_text import counted, excerpt, figure, shown
from pitree.context.tokens import estimate_or_nan
from pitree.planning.branch import Carried, Fate, NavigationPlan
from pitree.session.javascript import to_string
from pitree.session.problems import PiFails

LEFT_SHOWN = 20
# Fate: glyph, color and what it means. The glyphs are those of the screen (`ui.marks`), a test holds them equal.
FATES: dict[Fate, tuple[str, str, str]] = {
    Fate.SENT: ("◂", "yellow", "sent to be summarized"),
    Fate.DROPPED: ("✗", "red", "dropped by the budget"),
    Fate.LEFT_OUT: ("○", QUIET, "left out: tool results are never sent"),
    Fate.UNSEEN: ("┊", QUIET, "not seen by the model"),
}


def move_section(inspection: Inspection) -> Section | None:
    """The move to the target, or why there is none; None where no target was given."""
    move = inspection.move
    if move is None:
        return None
    section = Section("Going to the target")
    if isinstance(move, Nothing):
        section.say("not possible", shown(move.why, WARNING))
        return section
    session = inspection.session
    section.say("target", shown("▸ ", "bright_blue"), entry_text(session, move.target))
    if move.noop:
        section.say("nothing", "The target is the leaf: nothing would happen.")
        return section
    if move.common_ancestor is None:
        section.say("ancestor", "none: the branches meet nowhere")
    else:
        section.say("ancestor", shown("◆ ", "bright_magenta"), entry_text(session, move.common_ancestor))
    _say_left(section, inspection, move)
    _say_end(section, inspection, move)
    return section


def _say_left(section: Section, inspection: Inspection, move: NavigationPlan) -> None:
    if not move.entries:
        section.say("left branch", "nothing is left behind, so no summary is asked for")
        return
    section.say("left branch", shown(counted(len(move.entries), "entry", "entries"), STRONG))
    try:
        carried = move.carried
    except PiFails as failure:
        section.say("", shown(inspection.failure(failure), WARNING))
        return
    fates = Counter(carried.fates)
    for fate, (glyph, color, meaning) in FATES.items():
        if fates[fate]:
            section.say("", shown(f"{glyph} ", color), shown(f"{fates[fate]:>5,}", STRONG), f" {meaning}")
    section.say("sent", shown("est ", QUIET), shown(figure(estimate_of(carried.messages, inspection.rules)), STRONG),
                f" of a budget of {figure(move.budget)} (window less branchSummary.reserveTokens)")  # fmt: skip
    say_files(section, carried.read_files, carried.modified_files)
    section.below.append(_left_table(inspection, move, carried))


def _left_table(inspection: Inspection, move: NavigationPlan, carried: Carried) -> Padding:
    """The newest entries of the left branch, in the order of the file."""
    sizes: Counter[int] = Counter()
    for message in carried.messages:
        if message.entry is not None:
            size = estimate_or_nan(message, inspection.rules)
            sizes[message.entry] += int(size) if size == size else 0
    pairs = list(zip(move.entries, carried.fates, strict=True))[-LEFT_SHOWN:]
    rows = [
        EntryRow(*FATES[fate][:2], entry, (figure(sizes[entry]) if fate is Fate.SENT else "",)) for entry, fate in pairs
    ]
    return entry_table(inspection.session, ("est",), rows)


def _say_end(section: Section, inspection: Inspection, move: NavigationPlan) -> None:
    hidden = len(move.entries) - LEFT_SHOWN
    if move.new_leaf is None:
        section.say("new leaf", shown("◎ ", "green"), "before the first entry")
    else:
        section.say("new leaf", shown("◎ ", "green"), entry_text(inspection.session, move.new_leaf))
    if move.editor_text is not None:
        section.say("editor gets", excerpt(to_string(move.editor_text), "", 300))
    if hidden > 0:
        section.say("below", f"the last {LEFT_SHOWN} entries of the left branch; {hidden:,} older ones not shown")
