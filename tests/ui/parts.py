"""The panes and small screens around a draft, filled from a demo: for pictures while working on them, and for tests.

`python -m tests.ui.parts FOLDER [NAME …]` draws them.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen

from pitree.context.messages import Message
from pitree.context.shares import shares
from pitree.lessons.demos import DEMOS
from pitree.planning.commit import Check, CompactionCommit, compaction_commit, replaced_tokens
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.draft import Draft, digest_of, fit
from pitree.planning.rules import NEWEST, Rules
from pitree.planning.settings import Settings
from pitree.planning.status import compaction_statuses
from pitree.planning.summary_text import join_parts
from pitree.session.javascript import to_string
from pitree.session.load import session_from_bytes
from pitree.summarize.offline import extract
from pitree.summarize.requests import compaction_requests
from pitree.ui.commit_offer import CommitOffer, Destination
from pitree.ui.context_rows import ContextRows, Section
from pitree.ui.context_shares import ContextShares
from pitree.ui.copy_offers import copy_offers
from pitree.ui.draft_text import ShownDraft
from pitree.ui.facts import Fact
from pitree.ui.left_out import left_out_of
from pitree.ui.request_blocks import ShownRequest, request_blocks
from pitree.ui.rows import NoRows
from pitree.ui.screens.commit import CommitScreen
from pitree.ui.screens.copy_as import CopyAsScreen
from pitree.ui.screens.instructions import InstructionsScreen
from pitree.ui.theme import DARK, THEMES, variable_defaults
from pitree.ui.widgets.draft_pane import DraftPane
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.widgets.outline_view import OutlineView

PATH = "/home/ann/.pi/agent/sessions/--home-ann-login--/2026-06-02T09-14-22-101Z_rich.jsonl"


@cache
def plan_of(name: str, rules: Rules = NEWEST) -> CompactionPlan:
    """The compaction of a demo at its last entry."""
    demo = DEMOS[name]
    session = session_from_bytes(demo.build())
    default = Settings()
    settings = Settings(
        keep_recent_tokens=demo.keep_recent_tokens or default.keep_recent_tokens,
        reserve_tokens=demo.reserve_tokens or default.reserve_tokens,
        context_window=demo.context_window or default.context_window,
    )
    assert session.last is not None
    plan = plan_compaction(session, session.id_of(session.last), rules, settings)
    assert plan is not None
    return plan


@cache
def draft_of(plan: CompactionPlan) -> Draft:
    """The extract of a plan as a draft."""
    text = join_parts(plan, extract(plan))
    return Draft(text, "extract", to_string(plan.first_kept_id), digest_of(plan))


def shown(plan: CompactionPlan, draft: Draft, **more: Any) -> ShownDraft:
    """A draft with what is said about it."""
    read_files, modified_files = plan.files
    facts = {"replaces": replaced_tokens(plan), "fit": fit(draft, plan)}
    return ShownDraft(draft, read_files=tuple(read_files), modified_files=tuple(modified_files), **{**facts, **more})


def sections(plan: CompactionPlan, commit: CompactionCommit) -> tuple[Section, Section]:
    """The context now and after."""
    states = {index: status.value for index, status in compaction_statuses(plan).items()}
    model, before = plan.projection.model, plan.projection.messages
    return (
        Section("context now", before, plan.rules, states, model, "leaf"),
        Section("context after the commit", commit.after, plan.rules, states, model, "new_leaf"),
    )


def shares_of(plan: CompactionPlan, messages: Sequence[Message]) -> ContextShares:
    """A context for the bar."""
    settings = plan.settings
    return ContextShares(
        settings.context_window, tuple(shares(messages, plan.rules).items()), threshold=settings.trigger
    )


def check_path(path: str) -> tuple[Check, ...]:
    """What speaks against a copy to a path."""
    return (Check("exists", "A file is there: choose another name.", blocks=True),) if "taken" in path else ()


def offer_of(plan: CompactionPlan, commit: CompactionCommit, *checks: Check) -> CommitOffer:
    """A commit with some checks against this file."""
    copy = PATH.replace(".jsonl", "-compacted.jsonl").replace("/.pi/agent/sessions/--home-ann-login--", "")
    fork = PATH.replace("09-14-22-101Z_rich", "10-02-51-640Z_0199f0c2-7a51-7d3e-b001-2f9be9a0cd11")
    return CommitOffer(
        "Commit a compaction",
        (
            Destination("file", PATH, (*commit.checks, *checks), "One line is appended; nothing before it changes."),
            Destination("copy", copy, tuple(commit.checks), "The same bytes and the new line, outside pi's folder."),
            Destination("fork", fork, tuple(commit.checks), "A new session of pi's that goes on from here."),
        ),
        0,
        (
            Fact("draft", "extract · no model, edited"),
            Fact("kept from", f"{to_string(plan.first_kept_id)} on", state="first_kept"),
            Fact("summarizes", f"{len(plan.summarized)} messages, turn prefix {len(plan.prefix)}", state="summarized"),
        ),
        shares_of(plan, plan.projection.messages),
        shares_of(plan, commit.after),
        commit.line.decode(),
        check_path,
    )


OPEN_PI = Check("pi", "A pi seems to be open in /home/ann/login (process 4242), which would not see the new entry.")
CHANGED = Check("changed", "The file is not what was read: load it again with F5.", blocks=True)


class Parts(App[None]):
    """One pane in a frame."""

    CSS = """
    #frame { border: round $pitree-frame-focus; border-title-color: $pitree-user; height: 1fr; }
    #context, #request { height: 1fr; }
    #request { padding: 0 1; }
    .-hidden { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def compose(self) -> ComposeResult:
        yield DraftPane(id="draft")
        yield OutlineView(NoRows(), id="context", classes="-hidden")
        yield MarkedView(id="request", classes="-hidden")

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name
        for pane in self.query("#draft, #context, #request"):
            pane.styles.border = ("round", self.theme_variables["pitree-frame-focus"])

    def show_only(self, name: str) -> Any:
        for pane in self.query("#draft, #context, #request"):
            pane.set_class(pane.id != name, "-hidden")
        return self.query_one(f"#{name}")

    def ask(self, screen: Screen[Any]) -> None:
        self.push_screen(screen, self.answers.append)

    def on_draft_pane_edited(self, event: DraftPane.Edited) -> None:
        self.answers.append(event.text)


Show = Callable[[Parts, Pilot[None]], Awaitable[None]]


@dataclass(frozen=True)
class Picture:
    show: Show
    keys: tuple[str, ...] = ()


async def _draft(app: Parts, _pilot: Pilot[None]) -> None:
    plan = plan_of("rich")
    pane = app.show_only("draft")
    pane.show_draft(shown(plan, draft_of(plan)))
    pane.text.focus()


async def _streaming(app: Parts, _pilot: Pilot[None]) -> None:
    plan = plan_of("rich")
    text = draft_of(plan).text
    pane = app.show_only("draft")
    draft = replace(draft_of(plan), text="", origin="claude-sonnet-4-6", complete=False, instructions="the clock")
    pane.show_draft(shown(plan, draft, number=2, count=2, streaming="writing the history, 1 of 2"))
    for start in range(0, 700, 7):
        pane.append(text[start : start + 7])
    pane.text.focus()


async def _edit(app: Parts, _pilot: Pilot[None]) -> None:
    await _draft(app, _pilot)
    app.query_one(DraftPane).begin_edit(draft_of(plan_of("rich")).text)
    app.query_one(DraftPane).editor.cursor_blink = False


def other_draft(plan: CompactionPlan) -> Draft:
    text = draft_of(plan).text
    changed = text.replace("the ", "a ", 9).replace("rate limit", "limiter").replace("\n- ", "\n- also ", 2)
    lines = changed.split("\n")
    return replace(draft_of(plan), text="\n".join([*lines[:8], "- One point more than before.", *lines[11:]]))


async def _compare(app: Parts, _pilot: Pilot[None]) -> None:
    plan = plan_of("rich")
    usage = {"input": 81_204, "output": 2_311, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0.2785}}
    model = replace(other_draft(plan), origin="claude-sonnet-4-6", usage=usage)
    pane = app.show_only("draft")
    pane.show_draft(shown(plan, model))
    pane.show_comparison(shown(plan, draft_of(plan), count=2), shown(plan, model, number=2, count=2))
    pane.comparison.focus()


async def _context(app: Parts, _pilot: Pilot[None]) -> None:
    plan = plan_of("rich")
    commit = compaction_commit(plan, draft_of(plan), entry_id="a1b2c3d4", ms=1_780_000_000_000)
    now, after = sections(plan, commit)
    outline = app.show_only("context")
    outline.show(ContextRows((now, after)), 0)
    outline.focus()


async def _context_after(app: Parts, pilot: Pilot[None]) -> None:
    await _context(app, pilot)
    outline = app.query_one("#context", OutlineView)
    rows = outline._rows
    place = next(n for n in range(len(rows)) if rows.row(n).text.startswith("context after"))
    outline.move_cursor(place + 4)
    await pilot.pause()
    outline.center_cursor()


async def _request(app: Parts, _pilot: Pilot[None]) -> None:
    plan = plan_of("rich")
    requests = compaction_requests(plan, "the clock")
    parts = {"history": plan.summarized, "prefix": plan.prefix}
    view = app.show_only("request")
    view.show(
        request_blocks(
            [
                ShownRequest(one, left_out_of(parts[one.part], plan.rules), None if number else 21_034)
                for number, one in enumerate(requests)
            ]
        )
    )
    view.focus()


async def _request_cut(app: Parts, pilot: Pilot[None]) -> None:
    await _request(app, pilot)
    view = app.query_one("#request", MarkedView)
    block = next(n for n, block in enumerate(view.blocks) if block.gutter == "✂ ")
    view.action_scroll_end()
    row = view.wrapped.row_at((block, 0, 0))
    view.scroll_to(y=row - 10, animate=False, force=True)


def _commit(*checks: Check) -> Show:
    async def show(app: Parts, _pilot: Pilot[None]) -> None:
        plan = plan_of("rich")
        commit = compaction_commit(plan, draft_of(plan), entry_id="a1b2c3d4", ms=1_780_000_000_000)
        await _draft(app, _pilot)
        app.ask(CommitScreen(offer_of(plan, commit, *checks)))

    return show


async def _instructions(app: Parts, _pilot: Pilot[None]) -> None:
    await _draft(app, _pilot)
    screen = InstructionsScreen("Mind the clock in the tests", "The turn prefix gets them too, as under pi 1.6.")
    app.ask(screen)
    await _pilot.pause()
    screen.field.cursor_blink = False


async def _copy_as(app: Parts, _pilot: Pilot[None]) -> None:
    await _draft(app, _pilot)
    app.ask(CopyAsScreen(copy_offers("7f1a22c0", PATH, "Mind the clock")))


PICTURES: dict[str, Picture] = {
    "draft": Picture(_draft),
    "draft_end": Picture(_draft, ("end",)),
    "streaming": Picture(_streaming),
    "edit": Picture(_edit),
    "compare": Picture(_compare),
    "context": Picture(_context),
    "context_after": Picture(_context_after),
    "request": Picture(_request),
    "request_cut": Picture(_request_cut),
    "commit": Picture(_commit()),
    "commit_warning": Picture(_commit(OPEN_PI), ("enter",)),
    "commit_blocked": Picture(_commit(CHANGED, OPEN_PI)),
    "commit_copy": Picture(_commit(), ("2", "e")),
    "instructions": Picture(_instructions),
    "copy_as": Picture(_copy_as),
}
SIZES = {"wide": (120, 40), "narrow": (80, 24)}


async def draw_all(folder: Path, names: Sequence[str], themes: Sequence[str] = ("pitree-dark", "pitree-light")) -> None:
    """Pictures in both sizes and themes."""
    from tests.pictures import write_picture

    for name in names or PICTURES:
        for size_name, size in SIZES.items():
            for theme in themes:
                app = Parts()
                async with app.run_test(size=size) as pilot:
                    app.theme = theme
                    await pilot.pause()
                    await PICTURES[name].show(app, pilot)
                    await pilot.pause()
                    await pilot.press(*PICTURES[name].keys)
                    await pilot.pause()
                    svg = app.export_screenshot(simplify=True)
                write_picture(svg, folder / f"{name}_{size_name}_{theme.removeprefix('pitree-')}")


if __name__ == "__main__":
    import asyncio

    asyncio.run(draw_all(Path(sys.argv[1]), sys.argv[2:]))
