"""The report of `pitree inspect` for a person."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from pitree.cli.inspection import Inspection
from pitree.cli.report_context import context_section, session_section
from pitree.cli.report_layout import QUIET, STRONG, WARNING, Section, print_section
from pitree.cli.report_move import move_section
from pitree.cli.report_plan import compaction_section
from pitree.cli.report_text import counted, excerpt, figure, shown

PROBLEMS_SHOWN = 20
_SETTINGS = (
    ("compaction.enabled", "enabled"),
    ("compaction.reserveTokens", "reserve_tokens"),
    ("compaction.keepRecentTokens", "keep_recent_tokens"),
    ("branchSummary.reserveTokens", "branch_reserve_tokens"),
    ("context window", "context_window"),
)
_FLAGS = {
    "reserve_tokens": "--reserve",
    "keep_recent_tokens": "--keep-recent",
    "branch_reserve_tokens": "--reserve",
}


def print_report(console: Console, inspection: Inspection) -> None:
    """Print all that is known of a session at a leaf."""
    for section in _sections(inspection, console.width):
        print_section(console, section)


def _sections(inspection: Inspection, width: int) -> Iterator[Section]:
    yield session_section(inspection)
    yield context_section(inspection, width)
    yield compaction_section(inspection)
    move = move_section(inspection)
    if move is not None:
        yield move
    yield _settings(inspection)
    if inspection.session.problems:
        yield _problems(inspection)


def _settings(inspection: Inspection) -> Section:
    """Where each setting came from, and what is wrong with pi's own files."""
    found = inspection.found
    section = Section("Settings in force")
    values = {name: getattr(inspection.settings, name) for _, name in _SETTINGS}
    width = max(len(label) for label, _ in _SETTINGS)
    for label, name in _SETTINGS:
        value = values[name]
        written = ("on" if value else "off") if isinstance(value, bool) else figure(value)
        origin = found.origins.get(name, "default")
        origin = _FLAGS.get(name, origin) if origin == "flag" else origin
        style = WARNING if origin == "assumed" else QUIET
        section.say("", f"{label:<{width}}  ", shown(f"{written:>9}", STRONG), shown(f"  {origin}", style))
    for finding in found.findings:
        section.say("finding", excerpt(finding.text, WARNING, 1000))
        section.say("", shown("in ", QUIET), excerpt(finding.where, QUIET, 400))
    return section


def _problems(inspection: Inspection) -> Section:
    problems = inspection.session.problems
    section = Section(counted(len(problems), "problem"))
    for problem in problems[:PROBLEMS_SHOWN]:
        where = "file" if problem.line is None else f"line {problem.line}"
        section.say(where, excerpt(problem.message, WARNING, 400))
        section.say("", shown(problem.advice, QUIET))
    if len(problems) > PROBLEMS_SHOWN:
        section.say("", f"and {len(problems) - PROBLEMS_SHOWN:,} more; pitree inspect --json names them all")
    return section
