"""The drafts of a session on the screen: which there are, which one is looked at, and keeping them."""

from __future__ import annotations

from dataclasses import replace

from pitree.planning.commit import replaced_tokens
from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft, Fit, digest_of, fit
from pitree.session.javascript import get
from pitree.session.session import Session
from pitree.store.drafts import DraftStore
from pitree.store.errors import StoreError
from pitree.ui.draft_text import ShownDraft
from pitree.ui.view import View

EXTRACT = "extract"


def plan_of(view: View, draft: Draft) -> CompactionPlan | None:
    """The plan with its cut where a draft has it; None where that is no longer possible."""
    # First without a cut by hand: where both have the same cut, it is pi's own.
    for plan in (view.but(cut_at=None).plan, view.plan):
        if plan is not None and plan.first_kept_id == draft.cut_id:
            return plan
    at = view.session.find(draft.cut_id)
    return None if at is None else view.but(cut_at=at).plan


def _is_kept(draft: Draft) -> bool:
    return draft.origin != EXTRACT or draft.edited


class Desk:
    """Drafts side by side; an extract that nobody has edited is not kept, since it can be made again at once.

    Attributes:
        drafts: Those of the session, the oldest first.
        at: The place of the one that is looked at.
        problem: Why they could not be kept or read, or "".
    """

    def __init__(self, session: Session, store: DraftStore | None) -> None:
        session_id = get(session.header, "id")
        self._session_id = session_id if isinstance(session_id, str) else ""
        self._store = store if self._session_id else None
        kept = self._store.load(self._session_id) if self._store else None
        self.drafts: list[Draft] = list(kept.drafts) if kept else []
        self.problem = kept.problem if kept and kept.problem else ""
        self.at = max(0, len(self.drafts) - 1)

    @property
    def draft(self) -> Draft | None:
        """The draft that is looked at."""
        return self.drafts[self.at] if self.drafts else None

    @property
    def other(self) -> Draft | None:
        """The draft before it, to compare it with."""
        return self.drafts[self.at - 1] if len(self.drafts) > 1 else None

    def has_extract(self, plan: CompactionPlan, instructions: str) -> bool:
        """Whether there is an extract of what a plan would summarize."""
        digest = digest_of(plan)
        return any(
            draft.digest == digest and draft.origin == EXTRACT and draft.instructions == instructions
            for draft in self.drafts
        )

    def put(self, draft: Draft, *, replacing: Draft | None = None, look: bool = True) -> None:
        """Add a draft, or change one; an extract of another plan that nobody has edited makes way."""
        looked_at = self.draft
        if draft.origin == EXTRACT and replacing is None:
            self.drafts = [old for old in self.drafts if _is_kept(old)]
        place = self._place(replacing)
        if place is None:
            self.drafts.append(draft)
            place = len(self.drafts) - 1
        else:
            self.drafts[place] = draft
        before = None if look else self._place(looked_at)
        self.at = place if before is None else before
        self._keep(draft, replacing)

    def forget(self, draft: Draft) -> None:
        """Throw a draft away, since it has been committed; one of another session is left alone."""
        place = self._place(draft)
        if place is None:
            return
        del self.drafts[place]
        self.at = max(0, min(self.at, len(self.drafts) - 1))
        if self._store is None or not _is_kept(draft):
            return
        try:
            self._store.remove(self._session_id, draft)
        except StoreError as error:
            self.problem = str(error)

    def _place(self, draft: Draft | None) -> int | None:
        return next((at for at, one in enumerate(self.drafts) if one is draft), None)

    def step(self, step: int) -> None:
        """Look at the next draft, or the one before."""
        if self.drafts:
            self.at = (self.at + step) % len(self.drafts)

    def _keep(self, draft: Draft, replacing: Draft | None) -> None:
        if self._store is None or not draft.text or not _is_kept(draft):
            return
        try:
            self._store.add(self._session_id, draft, replacing)
        except StoreError as error:
            self.problem = str(error)

    def shown(self, view: View, draft: Draft, streaming: str = "") -> ShownDraft:
        """A draft with what is said about it."""
        number = next((at for at, one in enumerate(self.drafts, 1) if one is draft), len(self.drafts))
        plan = plan_of(view, draft)
        shown = ShownDraft(draft, number, len(self.drafts), streaming=streaming)
        if plan is None:
            return replace(shown, fit=None if streaming else Fit.REDO)
        read_files, modified_files = plan.files
        return replace(
            shown,
            replaces=replaced_tokens(plan),
            fit=fit(draft, plan),
            read_files=tuple(read_files),
            modified_files=tuple(modified_files),
        )
