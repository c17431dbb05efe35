"""What the session screen does with drafts: extract, stream, edit, compare."""

# long because: extracting, streaming, editing and comparing all work on the one desk

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from textual import getters, on, work
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from pitree.lessons.recorded import RECORDED
from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft, digest_of
from pitree.planning.summary_text import Part, join_parts
from pitree.session.javascript import to_string
from pitree.session.problems import PiFails
from pitree.store.commit import Draws
from pitree.store.drafts import DraftStore
from pitree.store.locations import Environment, state_dir
from pitree.summarize.offline import extract_slices
from pitree.summarize.protocol import Finish, Finished, Progress, Summarizer, TextDelta, UsageReport
from pitree.summarize.recorded import Recorded
from pitree.summarize.requests import compaction_requests
from pitree.summarize.rulers import tiktoken_count
from pitree.ui.command_host import CommandHost
from pitree.ui.commands import BY_ID
from pitree.ui.context_rows import ContextRows
from pitree.ui.copy_offers import copy_offers
from pitree.ui.desk import EXTRACT, Desk, plan_of
from pitree.ui.editor import EditorError, edit_outside
from pitree.ui.loading import Opening
from pitree.ui.pane_values import context_sections, shown_requests
from pitree.ui.request_blocks import ShownRequest, request_blocks
from pitree.ui.screens.copy_as import CopyAsScreen
from pitree.ui.screens.instructions import InstructionsScreen
from pitree.ui.text import one_line
from pitree.ui.view import Failure, View
from pitree.ui.widgets.draft_pane import DraftPane
from pitree.ui.widgets.side_pane import CONTEXT, DRAFT, REQUEST, SidePane

_BESIDE_THE_FIELD = frozenset({"switch_focus", "help"})
"""Commands that one may use in the middle of editing."""


def _with_cut_of(draft: Draft | None, view: View) -> View:
    """The view with its plan's cut where a draft has it, since that is what its commit would do."""
    plan = plan_of(view, draft) if draft else None
    return view if plan is None or plan is view.plan else view.but(cut_at=plan.first_kept)


class DraftingScreen(CommandHost, Screen[None]):
    """The part of the session screen that works on drafts; what it needs of the whole raises here."""

    pane = getters.query_one("#pane", SidePane)
    view: View | None
    opening: Opening
    environment: Environment
    pane_number: int
    draws: Callable[[], Draws]
    pause: Callable[[float], Awaitable[None]]

    @dataclass
    class Extracted(Message):
        """An extract has been made for a plan."""

        plan: CompactionPlan
        draft: Draft

    @dataclass
    class Refused(Message):
        """Something could not be done; the sentence says why and what to do."""

        why: str

    @dataclass
    class Counted(Message):
        """The other ruler has counted requests."""

        shown: list[ShownRequest]

    desk: Desk | None = None
    streaming: str = ""
    instructions: str = ""
    comparing: bool = False
    context_rows: ContextRows | None = None
    _stream_worker: Worker[None] | None = None
    _in_field: Draft | None = None
    _opened: View | None = None

    def show(self, view: View, cursor: int | None = None) -> None:
        """Show a view; the screen says how."""
        raise NotImplementedError

    def open(self, opening: Opening) -> None:
        """Show another session; the screen says how."""
        raise NotImplementedError

    def do_pane(self, number: int, *, alone: bool = True) -> None:
        """Bring a pane to the front; the screen says how."""
        raise NotImplementedError

    # Following the view

    def take_desk(self, view: View) -> None:
        """Lay out the drafts of a session that has been opened."""
        store = None if view.demo else DraftStore(state_dir(self.environment) / "drafts")
        self.desk = Desk(view.session, store)
        self._opened = view
        self.streaming, self.instructions, self.comparing = "", "", False
        count = len(self.desk.drafts)
        if count:
            kept = "A draft from earlier is" if count == 1 else f"{count} drafts from earlier are"
            self.notify(f"{kept} there again: 3 looks at them.", markup=False)
        self._tell_problem()

    def _tell_problem(self) -> None:
        if self.desk is not None and self.desk.problem:
            self.notify(one_line(self.desk.problem, 300), severity="warning", markup=False)
            self.desk.problem = ""

    def follow(self, view: View) -> None:
        """Show what the panes of drafts say of a view, and see to it that there is an extract of its plan."""
        plan = view.plan
        wanted = view.lens == "compaction" or self.pane_number in (DRAFT, CONTEXT)
        if plan is not None and self.desk is not None and wanted and not self.desk.has_extract(plan, self.instructions):
            self._extract(plan, self.instructions)
        self.show_draft_panes(view)

    def show_draft_panes(self, view: View) -> None:
        """Fill the pane that is in front, if it is one of the draft's."""
        if self.pane_number == DRAFT:
            self._show_draft(view)
        elif self.pane_number == CONTEXT:
            draft = self.desk.draft if self.desk else None
            rows = context_sections(_with_cut_of(draft, view), draft.text if draft else "")
            self.context_rows = rows
            self.pane.context.show(rows, min(self.pane.context.cursor, len(rows) - 1))
        elif self.pane_number == REQUEST:
            shown, why = shown_requests(view, self.instructions)
            self.pane.request.show(request_blocks(shown, why))
            self._count(shown)

    def _show_draft(self, view: View) -> None:
        desk, pane = self.desk, self.pane.draft
        if desk is None or pane.is_editing:
            return
        draft, other = desk.draft, desk.other
        if draft is None:
            outcome = view.outcome
            pane.show_words(outcome.why if isinstance(outcome, Failure) else "Extracting what was said …")
        elif self.comparing and other is not None:
            pane.show_comparison(desk.shown(view, other), desk.shown(view, draft))
        elif not self.streaming:
            pane.show_draft(desk.shown(view, draft), keep_place=True)

    @work(thread=True, group="extract", exclusive=True, description="extract what was said")
    def _extract(self, plan: CompactionPlan, focus: str) -> None:
        worker = get_current_worker()
        try:
            for parts in extract_slices(plan, focus):
                if worker.is_cancelled:
                    return
                if parts is not None:
                    draft = self._draft_of(plan, EXTRACT, parts, focus)
                    self.post_message(self.Extracted(plan, draft))
        except PiFails as failure:
            self.post_message(self.Refused(f"pi itself fails here. {failure}"))

    def _draft_of(self, plan: CompactionPlan, origin: str, parts: Mapping[Part, str], focus: str) -> Draft:
        return Draft(
            text=join_parts(plan, parts),
            origin=origin,
            cut_id=to_string(plan.first_kept_id),
            digest=digest_of(plan),
            instructions=focus,
            made_ms=self.draws().ms,
        )

    def on_drafting_screen_extracted(self, event: Extracted) -> None:
        """Put the extract on the desk; whoever looks at another draft keeps looking at it."""
        view, desk = self.view, self.desk
        if view is None or desk is None or event.plan.session is not view.session:
            return
        looks_at_own = desk.draft is not None and (desk.draft.origin != EXTRACT or desk.draft.edited)
        desk.put(event.draft, look=not (looks_at_own or self.pane.draft.is_editing))
        self.refresh_keys()
        self.show_draft_panes(view)

    def refresh_keys(self) -> None:
        """Show which commands are possible now; the screen says how."""
        raise NotImplementedError

    @work(thread=True, group="count", exclusive=True, description="count by the other ruler")
    def _count(self, shown: list[ShownRequest]) -> None:
        counted: list[ShownRequest] = []
        for one in shown:
            tokens = tiktoken_count(one.request.system) + tiktoken_count(one.request.prompt)
            counted.append(ShownRequest(one.request, one.left_out, tokens))
        if counted and not get_current_worker().is_cancelled:
            self.post_message(self.Counted(counted))

    def on_drafting_screen_counted(self, event: Counted) -> None:
        """Show what the other ruler says."""
        if self.pane_number == REQUEST:
            self.pane.request.show(request_blocks(event.shown), keep_place=True)

    # Commands

    def do_pane_draft(self) -> None:
        """`3`."""
        self._to_pane(DRAFT)

    def do_pane_context(self) -> None:
        """`4`."""
        self._to_pane(CONTEXT)

    def do_pane_request(self) -> None:
        """`5`."""
        self._to_pane(REQUEST)

    def _to_pane(self, number: int) -> None:
        self.do_pane(number)
        if self.view is not None:
            self.follow(self.view)

    @property
    def no_stream(self) -> str | None:
        """Why nothing can be streamed here."""
        view = self.view
        if view is None or isinstance(view.outcome, Failure):
            return view.outcome.why if view is not None and isinstance(view.outcome, Failure) else "Nothing is open."
        if not self._recording(view, view.outcome):
            return "No summary was recorded for this plan; the extract needs no model."
        return None

    def _recording(self, view: View, plan: CompactionPlan) -> Mapping[Part, str]:
        """What was recorded for the parts of a plan of a demo; nothing where a part is missing."""
        texts = RECORDED.get(view.demo, {})
        needed = [request.part for request in compaction_requests(plan)] if texts else []
        return texts if needed and all(part in texts for part in needed) and self._is_own(plan) else {}

    def _is_own(self, plan: CompactionPlan) -> bool:
        """Whether a plan is about the entries that the demo's own is about."""
        own = self._opened.plan if self._opened else None
        if own is None or self.opening.flags.keep_recent is not None:
            return False
        return (plan.first_kept, plan.path[-1]) == (own.first_kept, own.path[-1])

    def do_stream(self) -> None:
        """`s`: watch a recorded summary arrive."""
        view = self.view
        if view is None or view.plan is None:
            return
        self.comparing = False
        self.do_pane(DRAFT)
        summarizer = Recorded(self._recording(view, view.plan), self.pause)
        self._stream_worker = self._stream(summarizer, view, view.plan)

    @work(group="stream", exclusive=True, description="stream a draft")
    async def _stream(self, summarizer: Summarizer, view: View, plan: CompactionPlan) -> None:
        desk = self.desk
        if desk is None:
            return
        draft = Draft("", summarizer.name, to_string(plan.first_kept_id), digest_of(plan), False, "still streaming")
        desk.put(draft)
        parts: dict[Part, str] = {}
        finished = Finished(Finish.STOPPED, "stopped")
        usage: object = None
        self._say_streaming("waiting", desk, view, draft)
        try:
            async for event in summarizer.run(compaction_requests(plan, self.instructions)):
                if isinstance(event, TextDelta):
                    parts[event.part] = parts.get(event.part, "") + event.text
                    text = join_parts(plan, parts)
                    self.pane.draft.append(text[len(draft.text) :])
                    draft = self._put_text(desk, draft, text)
                elif isinstance(event, Progress):
                    self._say_streaming(event.words, desk, view, draft)
                elif isinstance(event, UsageReport):
                    usage = event.usage
                else:
                    finished = event
        finally:
            self._end_stream(desk, draft, finished, usage)

    def _put_text(self, desk: Desk, draft: Draft, text: str) -> Draft:
        """The draft with more of its text; it is kept only when it has ended."""
        changed = Draft(text, draft.origin, draft.cut_id, draft.digest, False, draft.note, made_ms=draft.made_ms)
        desk.drafts[desk.drafts.index(draft)] = changed
        return changed

    def _say_streaming(self, words: str, desk: Desk, view: View, draft: Draft) -> None:
        self.streaming = words
        self.pane.draft.show_draft(desk.shown(view, draft, streaming=words), keep_place=True)
        self.refresh_keys()

    def _end_stream(self, desk: Desk, draft: Draft, finished: Finished, usage: object) -> None:
        self.streaming = ""
        done = finished.reason is Finish.DONE
        note = "" if done else finished.message or finished.reason.value
        ended = Draft(
            draft.text, draft.origin, draft.cut_id, draft.digest, done, note, usage, self.instructions,
            made_ms=self.draws().ms,
        )  # fmt: skip
        desk.put(ended, replacing=draft)
        if self.is_attached and self.view is not None:
            self._tell_problem()
            self.refresh_keys()
            self.show_draft_panes(self.view)

    def stop_streaming(self) -> bool:
        """Stop what is being written; whether there was anything."""
        if not self.streaming or self._stream_worker is None:
            return False
        self._stream_worker.cancel()
        return True

    def do_edit(self) -> None:
        """`e`: edit in place."""
        if self.desk is not None and self.desk.draft is not None:
            self.comparing = False
            self.do_pane(DRAFT)
            self._in_field = self.desk.draft
            self.pane.draft.begin_edit(self.desk.draft.text)

    @on(DraftPane.Edited)
    def _edited(self, event: DraftPane.Edited) -> None:
        self._take_text(event.text, self._in_field)

    def _take_text(self, text: str, draft: Draft | None) -> None:
        """Keep an edited text as what the draft now is; the one before stays beside it where it came from a model."""
        desk, view = self.desk, self.view
        if desk is None or draft is None or view is None:
            return
        edited = draft.with_text(text)
        if edited is not draft:
            desk.put(edited, replacing=draft if draft.edited or draft.origin == EXTRACT else None)
            self._tell_problem()
        self.refresh_keys()
        self.show_draft_panes(view)

    async def run_command(self, command_id: str) -> None:
        """See `CommandHost`; what is being edited is kept first, unless the command only looks at something else."""
        if self.pane.draft.is_editing and BY_ID[command_id].action is None and command_id not in _BESIDE_THE_FIELD:
            self.keep_edit()
            if command_id == "back":
                return
        await super().run_command(command_id)

    def keep_edit(self) -> None:
        """Keep what stands in the field: before leaving."""
        if self.is_attached and self.desk is not None and self.pane.draft.is_editing:
            self._take_text(self.pane.draft.end_edit(), self._in_field)

    def leave_drafts(self) -> None:
        """Stop what is being written, and keep what is being edited: before another session is shown."""
        self.stop_streaming()
        self.keep_edit()

    def do_edit_outside(self) -> None:
        """`E`: edit in $EDITOR."""
        if self.desk is None or self.desk.draft is None:
            return
        try:
            draft = self.desk.draft
            text = edit_outside(self.app, draft.text, self.environment.variables)
        except EditorError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._to_pane(DRAFT)
        if text is not None:
            self._take_text(text, draft)

    def do_next_draft(self) -> None:
        """`d`."""
        if self.desk is not None:
            self.desk.step(1)
            self._to_pane(DRAFT)

    def do_compare_drafts(self) -> None:
        """`D`: word by word with the draft before it, or no longer."""
        self.comparing = not self.comparing
        self._to_pane(DRAFT)

    def do_instructions(self) -> None:
        """`i`: what to pay attention to."""

        def taken(text: str | None) -> None:
            if text is not None and self.view is not None:
                self.instructions = text
                self.follow(self.view)

        self.app.push_screen(InstructionsScreen(self.instructions, self._where_focus_goes()), taken)

    def _where_focus_goes(self) -> str:
        if self.view is not None and not self.view.rules.prefix_with_headings:
            return f"pi {self.view.rules.release} does not tell them to the request for a turn prefix."
        return ""

    def do_copy_as(self) -> None:
        """`Y`: ids, paths and lines to go on with."""
        view = self.view
        entry = self.cursor_entry()
        if view is None or entry is None:
            return

        def taken(text: str | None) -> None:
            if text:
                self.app.copy_to_clipboard(text)
                self.notify(f"Copied {one_line(text, 80)}", markup=False)

        offers = copy_offers(view.session.id_of(entry), view.path_name or None, self.instructions)
        self.app.push_screen(CopyAsScreen(offers), taken)

    def cursor_entry(self) -> int | None:
        """The index of the entry under the cursor; the screen knows."""
        raise NotImplementedError

    def on_drafting_screen_refused(self, event: Refused) -> None:
        """Say why something could not be done."""
        self.notify(one_line(event.why, 400), severity="error", timeout=20, markup=False)
