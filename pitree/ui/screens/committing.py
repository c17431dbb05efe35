"""What the session screen does to commit a draft: prepare, show, write, read again."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.message import Message

from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft
from pitree.session.problems import PiFails
from pitree.store.commit import Draws, Written
from pitree.store.errors import StoreError
from pitree.store.in_force import Flags
from pitree.ui.commit_offer import Chosen
from pitree.ui.committing import Prepared, prepare, write
from pitree.ui.desk import plan_of
from pitree.ui.loading import Opening
from pitree.ui.screens.commit import CommitScreen
from pitree.ui.screens.drafting import DraftingScreen
from pitree.ui.text import one_line
from pitree.ui.view import View


class CommittingScreen(DraftingScreen):
    """The part of the session screen that commits."""

    @dataclass
    class Offered(Message):
        """A commit is ready to be shown."""

        view: View
        prepared: Prepared

    @dataclass
    class Committed(Message):
        """A commit has been written; `draft` is in the file that it was made for."""

        written: Written
        draft: Draft | None

    @property
    def no_commit(self) -> str | None:
        """Why nothing can be committed here."""
        view, desk = self.view, self.desk
        if view is None or desk is None or desk.draft is None:
            return "There is no draft."
        if view.as_of is not None:
            return "The session is seen as of an earlier entry; . goes back to its end."
        if plan_of(view, desk.draft) is None:
            return "The entry that this draft keeps from is no longer a possible cut: make a new draft."
        return None

    def do_commit(self) -> None:
        """`w`: show what would be appended, and where."""
        view, desk = self.view, self.desk
        draft = desk.draft if desk else None
        plan = plan_of(view, draft) if view and draft else None
        if view is not None and draft is not None and plan is not None:
            self._prepare(view, plan, draft, self.draws())

    @work(thread=True, group="commit", exclusive=True, description="prepare a commit")
    def _prepare(self, view: View, plan: CompactionPlan, draft: Draft, draws: Draws) -> None:
        try:
            prepared = prepare(view, plan, draft, draws, self.environment)
        except PiFails as failure:
            self.post_message(self.Refused(f"pi itself fails here. {failure}"))
            return
        self.post_message(self.Offered(view, prepared))

    def on_committing_screen_offered(self, event: Offered) -> None:
        """Show the commit screen, unless the session has changed meanwhile."""
        if self.view is None or event.view.session is not self.view.session or not self.is_current:
            return

        def chosen(choice: Chosen | None) -> None:
            if choice is not None:
                self._write(event.view, event.prepared, choice)

        self.app.push_screen(CommitScreen(event.prepared.offer), chosen)

    @work(thread=True, group="commit", exclusive=True, description="write a commit")
    def _write(self, view: View, prepared: Prepared, choice: Chosen) -> None:
        try:
            written = write(view, prepared, choice.where, choice.path)
            self.post_message(self.Committed(written, prepared.commit.draft if choice.where == "file" else None))
        except StoreError as error:
            self.post_message(self.Refused(str(error)))

    def on_committing_screen_committed(self, event: Committed) -> None:
        """Read the file that holds the new entry, so that what is shown is what is there."""
        written = event.written
        if self.desk is not None and event.draft is not None:
            self.desk.forget(event.draft)
        words = f"Committed {written.entry['id']}. Go on with: {written.command}"
        self.notify(one_line(words, 300), timeout=20, markup=False)
        self.open(Opening(path=written.path, flags=self._flags()))

    def _flags(self) -> Flags:
        """What the new file is opened with: as this one, and a demo's own settings go along."""
        view = self.view
        if view is None or not view.demo:
            return self.opening.flags
        found = view.found.settings
        return Flags(
            rules=view.found.rules.name,
            window=found.context_window,
            reserve=found.reserve_tokens,
            keep_recent=found.keep_recent_tokens,
        )
