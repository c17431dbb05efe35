"""The session screen: header, context bar, outline, and the pane beside it."""

# long because: it is one screen: all that it loads, shows and answers meets here

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from pitree.session.session import Session
from pitree.store.commit import Draws
from pitree.store.errors import StoreError
from pitree.store.locations import Environment
from pitree.ui.changes import STEPS, step_back
from pitree.ui.command import LINES, OUTLINE, SESSION, Situation
from pitree.ui.commands import bindings_for, offers
from pitree.ui.context_at import shares_at
from pitree.ui.context_shares import ContextShares
from pitree.ui.copying import copied_text
from pitree.ui.entry_blocks import entry_blocks
from pitree.ui.loading import Opening, open_view
from pitree.ui.outline_rows import OutlineRows
from pitree.ui.plan_facts import WalkRows, plan_facts
from pitree.ui.screens.committing import CommittingScreen
from pitree.ui.screens.help import HelpScreen
from pitree.ui.screens.problems import ProblemsScreen
from pitree.ui.screens.what_if import WhatIfScreen
from pitree.ui.searching import find_hits
from pitree.ui.text import content, one_line
from pitree.ui.titles import banner, head_pieces, outline_title, situation_of
from pitree.ui.view import View, WhatIf
from pitree.ui.widgets.context_bar import ContextBar
from pitree.ui.widgets.key_bar import KeyBar
from pitree.ui.widgets.line_view import LineView
from pitree.ui.widgets.outline_view import OutlineView
from pitree.ui.widgets.side_pane import SidePane

BAR_DELAY = 0.08
"""Seconds that the cursor has to rest before the context at its entry is worked out."""


class SessionScreen(CommittingScreen):
    """One session, seen through a lens."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = list(bindings_for(SESSION))

    outline = getters.query_one("#outline", OutlineView)
    bar = getters.query_one(ContextBar)
    keys = getters.query_one(KeyBar)
    head = getters.query_one("#head", Static)
    banner = getters.query_one("#banner", Static)
    waiting = getters.query_one("#waiting", Static)
    field = getters.query_one("#search", Input)

    @dataclass
    class Ready(Message):
        """The session has been loaded."""

        view: View
        generation: int

    @dataclass
    class Failed(Message):
        """The session could not be opened."""

        why: str
        generation: int

    @dataclass
    class Progress(Message):
        """So many bytes have been read."""

        read: int
        generation: int

    @dataclass
    class Shares(Message):
        """The context at an entry has been worked out."""

        view: View
        entry: int
        shares: ContextShares

    @dataclass
    class Found(Message):
        """A search has ended."""

        session: Session
        query: str
        hits: tuple[int, ...]

    def __init__(
        self,
        opening: Opening,
        environment: Environment,
        draws: Callable[[], Draws],
        pause: Callable[[float], Awaitable[None]],
    ) -> None:
        super().__init__()
        self.opening = opening
        self.environment = environment
        self.draws = draws
        self.pause = pause
        self.view: View | None = None
        self.provider: OutlineRows | None = None
        self.pane_number = 1
        self.pane_alone = False
        self._generation = 0
        self._bar_timer: Timer | None = None
        self._known_shares: dict[tuple[View, int], ContextShares] = {}

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        yield Static(id="head")
        yield Static(id="banner")
        yield ContextBar()
        yield Static(id="waiting")
        with Horizontal(id="body"):
            yield OutlineView(id="outline")
            yield SidePane(id="pane")
        yield Input(placeholder="search in everything · enter finds · esc leaves", id="search")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show that something is coming, then load it in a thread."""
        self.pane.show_pane(self.pane_number)
        self.open(self.opening)

    def open(self, opening: Opening) -> None:
        """Show another session."""
        self.leave_drafts()
        self.opening = opening
        self.view = self.provider = None
        self._generation += 1
        self.add_class("-waiting")
        self.waiting.update(content("Loading …"))
        self.head.update(content("pitree"))
        self.banner.remove_class("-shown")
        self.bar.shares = None
        self._leave_pane()
        self.refresh_keys()
        self._load(opening, self._generation)

    @work(thread=True, group="load", exclusive=True, description="load the session")
    def _load(self, opening: Opening, generation: int) -> None:
        worker = get_current_worker()

        def progress(read: int) -> bool:
            self.post_message(self.Progress(read, generation))
            return not worker.is_cancelled

        try:
            view = open_view(opening, self.environment, progress)
        except StoreError as error:
            self.post_message(self.Failed(str(error), generation))
            return
        if not worker.is_cancelled:
            self.post_message(self.Ready(view, generation))

    def on_session_screen_progress(self, event: Progress) -> None:
        """Say how much has been read."""
        if event.generation == self._generation:
            self.waiting.update(content(f"Loading … {event.read / 1e6:,.0f} MB"))

    def on_session_screen_failed(self, event: Failed) -> None:
        """Say what went wrong and what to do."""
        if event.generation == self._generation:
            words = Content.assemble(
                (one_line(event.why, 400), "$pitree-problem"), "\n\no chooses another session · q leaves"
            )
            self.waiting.update(words)

    def on_session_screen_ready(self, event: Ready) -> None:
        """Show the session that was loaded."""
        if event.generation != self._generation:
            return
        view = event.view
        self.remove_class("-waiting")
        self.take_desk(view)
        self.show(view, cursor=view.leaf if view.target is None else view.target)
        self.set_focus(self.outline)
        # What was hidden while loading may not take the focus before it is drawn.
        self.call_after_refresh(self.set_focus, self.outline)
        for finding in view.found.findings:
            self.notify(one_line(f"{finding.where}: {finding.text}", 300), severity="warning", markup=False)

    # What is shown

    def show(self, view: View, cursor: int | None = None) -> None:
        """Show a view; the cursor goes to an entry, or stays with its own."""
        entry = self.entry if cursor is None else cursor
        self.view = view
        self.provider = OutlineRows(view)
        self.outline.show(self.provider, self.provider.row_of(entry))
        self._show_titles(view)
        self._show_plan(view)
        self.follow(view)
        self._cursor_moved()

    def cursor_entry(self) -> int | None:
        """See `DraftingScreen`."""
        return self.entry

    @property
    def entry(self) -> int | None:
        """The index of the entry under the cursor."""
        if self.provider is None or not len(self.provider):
            return None
        return self.provider.entry_at(self.outline.cursor)

    def _show_titles(self, view: View) -> None:
        self.head.update(Content.assemble(*head_pieces(view, narrow=self.has_class("-narrow"))))
        self.outline.border_title = content(outline_title(view))
        self.outline.border_subtitle = content(f"{view.lens} lens")
        words = banner(view)
        self.banner.set_class(bool(words), "-shown")
        self.banner.update(content(words))

    def _show_plan(self, view: View) -> None:
        plan = view.plan if view.move is None else None
        walk = WalkRows(view, plan) if plan is not None and plan.cut.steps else None
        title = "Walk back: est, sum so far · tab steps"
        self.pane.show_plan(plan_facts(view), walk, title)

    def refresh_keys(self) -> None:
        """Show which commands are possible now."""
        self.keys.offers = tuple(offers(self.situation(), self._scopes()))

    def _scopes(self) -> tuple[str, ...]:
        """Whose keys work where the focus is."""
        if isinstance(self.focused, LineView):
            return (SESSION, LINES)
        return (SESSION, OUTLINE) if isinstance(self.focused, OutlineView) else (SESSION,)

    @on(OutlineView.CursorMoved, "#outline")
    def _outline_moved(self) -> None:
        self._cursor_moved()

    def _cursor_moved(self) -> None:
        entry, view = self.entry, self.view
        self.refresh_keys()
        if view is None or entry is None:
            self.pane.show_entry([])
            return
        if self.pane_number == 2:
            self.pane.show_entry(entry_blocks(view, entry))
        known = self._known_shares.get((view, entry))
        if self._bar_timer is not None:
            self._bar_timer.stop()
        if known is not None:
            self.bar.shares = known
        else:
            self._bar_timer = self.set_timer(BAR_DELAY, lambda: self._work_out_shares(view, entry))

    async def rest(self) -> None:
        """Work out now what waits for the cursor to rest."""
        if self._bar_timer is not None and self.view is not None and self.entry is not None:
            self._bar_timer.stop()
            self._bar_timer = None
            self._work_out_shares(self.view, self.entry)

    @work(thread=True, group="shares", exclusive=True, description="work out the context at the cursor")
    def _work_out_shares(self, view: View, entry: int) -> None:
        result = shares_at(view, entry)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Shares(view, entry, result))

    def on_session_screen_shares(self, event: Shares) -> None:
        """Show the context at the entry under the cursor."""
        if len(self._known_shares) > 256:
            self._known_shares.clear()
        self._known_shares[event.view, event.entry] = event.shares
        if event.view is self.view and event.entry == self.entry:
            self.bar.shares = event.shares

    @on(OutlineView.CursorMoved, "#walk")
    def _walk_moved(self, event: OutlineView.CursorMoved) -> None:
        """Stepping through the walk takes the outline along."""
        self._go_to_walk_entry(event.row)

    def _go_to_walk_entry(self, row: int) -> None:
        plan = self.view.plan if self.view else None
        if self.view is not None and plan is not None and row < len(plan.cut.steps):
            self._go(WalkRows(self.view, plan).entry_at(row))

    @on(OutlineView.Selected)
    async def _row_selected(self) -> None:
        await self.run_command("target")

    async def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        """A click on the key bar is its key."""
        await self.run_command(event.command_id)

    def on_descendant_focus(self) -> None:
        """Other keys work elsewhere; and the side with the focus is the one that a narrow screen shows."""
        if self.focused in self.pane.stops():
            self._give_way_to_pane()
        elif self.focused is self.outline:
            self._leave_pane()
        self.refresh_keys()

    def on_resize(self) -> None:
        """The focus stays where it is, whatever the width."""
        self.call_after_refresh(self._keep_focus_in_sight)

    def _keep_focus_in_sight(self) -> None:
        if self.view is None:
            return
        self._show_titles(self.view)
        if self.focused is None or not self.focused.is_on_screen:
            self.set_focus(self.pane.stops()[0] if self.pane_alone else self.outline)

    # Commands

    def situation(self) -> Situation:
        """What commands need to know now."""
        pane = self.pane_number if self.pane_alone and self.has_class("-narrow") else 0
        return replace(
            situation_of(self.view, pane),
            drafts=len(self.desk.drafts) if self.desk else 0,
            streaming=bool(self.streaming),
            no_stream=self.no_stream,
            no_commit=self.no_commit,
        )

    def _go(self, index: int | None) -> None:
        """The cursor to an entry; one that does not show is unfolded or pinned into sight."""
        if self.view is None or self.provider is None or index is None:
            return
        if self.provider.shown_row_of(index) is None:
            self._unfold_above(index)
        self.outline.move_cursor(self.provider.row_of(index))

    def _unfold_above(self, index: int) -> None:
        view = self.view
        if view is not None and view.folds:
            above = set(view.session.tree.chains.path(index)) - {index}
            if above & view.folds:
                self.show(view.but(folds=view.folds - above))

    async def perform(self, command_id: str) -> None:
        """Do a command: a change of the view, a jump, or something of the screen's own."""
        view, entry = self.view, self.entry
        if command_id == "target" and self.focused in (self.pane.walk, self.pane.context):
            self._go_from_pane()
        elif view is not None and entry is not None and command_id in STEPS:
            self._take(STEPS[command_id](view, entry))
        elif command_id in STEPS:
            self.notify("No entry shows.", severity="warning", markup=False)
        else:
            await super().perform(command_id)

    def _go_from_pane(self) -> None:
        """Back to the outline, at the entry of the row in the pane."""
        rows = self.pane.context
        if self.focused is rows and self.context_rows is not None:
            self._go(self.context_rows.entry_at(rows.cursor))
        self._leave_pane()
        self.set_focus(self.outline)

    def _take(self, step: View | int | str) -> None:
        """Show what a step leads to: another view, another entry, or the reason why nothing happens."""
        if isinstance(step, View):
            self._change_to(step)
        elif isinstance(step, int):
            self._go(step)
        else:
            self.notify(step, markup=False)

    def _change_to(self, view: View) -> None:
        """Show a changed view; a lens that has just been put on shows what it is about."""
        before = self.view.lens if self.view else view.lens
        if view.lens == "branch" != before:
            self.do_pane(1, alone=False)
        self.show(view, self._cut_to_follow(view))
        if view.lens == "compaction" != before:
            self.outline.center_cursor()

    def _cut_to_follow(self, view: View) -> int | None:
        """The first kept entry, when the lens has just been put on or the cursor was on that entry before it moved."""
        old = self.view
        if view.lens != "compaction" or view.plan is None or old is None:
            return None
        was_there = old.plan is not None and self.entry == old.plan.first_kept
        return view.plan.first_kept if old.lens != "compaction" or was_there else None

    def do_pane_plan(self) -> None:
        """`1`."""
        self.do_pane(1)

    def do_pane_entry(self) -> None:
        """`2`."""
        self.do_pane(2)

    def do_pane(self, number: int, *, alone: bool = True) -> None:
        """Bring a pane to the front; on a narrow screen in place of the outline."""
        self.pane_number = number
        self.pane.show_pane(number)
        if self.has_class("-narrow") and alone:
            self._give_way_to_pane()
            self.call_after_refresh(self._focus_pane)
        self._cursor_moved()

    def _focus_pane(self) -> None:
        # A key may have come in between that leaves the pane again.
        if self.pane_alone:
            self.set_focus(self.pane.stops()[0])

    def do_switch_focus(self) -> None:
        """Tab: the outline, then each part of the pane that takes the focus, then the outline again."""
        stops = [self.outline, *self.pane.stops()]
        at = stops.index(self.focused) if self.focused in stops else len(stops) - 1
        if at == len(stops) - 1:
            self._leave_pane()
            self.set_focus(self.outline)
        elif at == 0 and self.has_class("-narrow"):
            self.do_pane(self.pane_number)
        else:
            self.set_focus(stops[at + 1])

    def _give_way_to_pane(self) -> None:
        self.pane_alone = True
        self.add_class("-pane-alone")

    def _leave_pane(self) -> None:
        self.pane_alone = False
        self.remove_class("-pane-alone")

    def do_what_if(self) -> None:
        """`a`: the form."""
        if self.view is not None:
            self.app.push_screen(WhatIfScreen(self.view, self._try_out))

    def _try_out(self, what_if: WhatIf) -> None:
        if self.view is not None and what_if != self.view.what_if:
            self._change_to(self.view.but(what_if=what_if))

    def do_search(self) -> None:
        """`/`: the field takes the keys."""
        self.field.add_class("-shown")
        self.field.value = self.view.query if self.view else ""
        self.set_focus(self.field)

    @on(Input.Submitted, "#search")
    def _search_submitted(self, event: Input.Submitted) -> None:
        self._leave_field()
        if event.value:
            self._search(event.value)
        else:
            self._take(step_back(self.view) if self.view and self.view.query else "Nothing to search for.")

    def _leave_field(self) -> None:
        self.field.remove_class("-shown")
        self._leave_pane()
        self.set_focus(self.outline)

    @work(thread=True, group="search", exclusive=True, description="search the session")
    def _search(self, query: str) -> None:
        worker = get_current_worker()
        view = self.view
        hits = None if view is None else find_hits(view.session, query, lambda: not worker.is_cancelled)
        if view is not None and hits is not None:
            self.post_message(self.Found(view.session, query, hits))

    def on_session_screen_found(self, event: Found) -> None:
        """Show the hits and go to the next one."""
        if self.view is None or event.session is not self.view.session:
            return
        self.show(self.view.but(query=event.query, hits=event.hits))
        if event.hits and self.entry is not None:
            self._take(STEPS["next_hit"](self.view, self.entry))
        else:
            self.notify(f"Nothing holds {one_line(event.query, 60)}.", severity="warning", markup=False)

    def do_copy(self) -> None:
        """`y`: the text of the entry to the clipboard of the terminal."""
        if self.view is not None and self.entry is not None:
            text = copied_text(self.view.session, self.entry)
            self.app.copy_to_clipboard(text)
            self.notify(f"Copied {len(text):,} characters.", markup=False)

    def do_sessions(self) -> None:
        """`o`: another session."""
        self.app.choose_session()  # type: ignore[attr-defined]

    def do_reload(self) -> None:
        """`f5`."""
        self.open(self.opening)

    def do_problems(self) -> None:
        """`!`: what is wrong with the file."""
        if self.view is not None:
            self.app.push_screen(ProblemsScreen(self.view.session.problems, self.view.found.findings))

    def do_help(self) -> None:
        """`?`."""
        self.app.push_screen(HelpScreen(offers(self.situation(), self._scopes()), "in the session"))

    def do_back(self) -> None:
        """Escape: undoes one thing."""
        view = self.view
        if self.focused is self.field:
            self._leave_field()
        elif self.stop_streaming():
            return
        elif self.comparing:
            self.do_compare_drafts()
        elif self.pane_alone:
            self._leave_pane()
            self.set_focus(self.outline)
        elif self.focused is not self.outline:
            self.set_focus(self.outline)
        elif view is not None and (back := step_back(view)) is not view:
            self.show(back)

    def do_quit(self) -> None:
        """`q`."""
        self.keep_edit()
        self.app.exit()
