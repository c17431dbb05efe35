"""What the Context and the Request pane show of a view."""

from __future__ import annotations

from pitree.context.projection import project
from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.effects import context_after_compaction, context_after_navigation
from pitree.planning.summary_text import stored_summary
from pitree.session.problems import PiFails
from pitree.summarize.requests import SummaryRequest, branch_requests, compaction_requests
from pitree.ui.context_rows import ContextRows, Section
from pitree.ui.left_out import LeftOut, left_out_of, left_out_of_move
from pitree.ui.request_blocks import ShownRequest
from pitree.ui.view import Failure, View


def context_sections(view: View, summary: str) -> ContextRows:
    """The context after the commit, and the one now; `summary` is the draft's text, "" without a draft."""
    projection = view.plan.projection if view.plan else project(view.session, view.path, view.rules)
    now = Section("context now", projection.messages, view.rules, view.states, projection.model, "path")
    try:
        after = _after(view, summary, projection.model)
    except PiFails:
        after = None
    return ContextRows([now] if after is None else [after, now])


def _after(view: View, summary: str, model: object) -> Section | None:
    move = view.move
    if isinstance(move, NavigationPlan):
        messages = context_after_navigation(move, summary)
        return Section("context after the move", messages, view.rules, view.states, model, "new_leaf")
    plan = view.plan
    if move is not None or plan is None:
        return None
    messages = context_after_compaction(plan, stored_summary(summary, *plan.files))
    return Section("context after the commit", messages, view.rules, view.states, model, "kept")


def shown_requests(view: View, instructions: str) -> tuple[list[ShownRequest], str]:
    """The requests for the summary that the lens is about, or why there are none."""
    move = view.move
    try:
        if isinstance(move, NavigationPlan):
            return _of_move(move, instructions)
        if isinstance(move, Failure):
            return [], move.why
        outcome = view.outcome
        if isinstance(outcome, Failure):
            return [], outcome.why
        requests = compaction_requests(outcome, instructions)
        return [ShownRequest(request, _left_out(outcome, request)) for request in requests], ""
    except PiFails as failure:
        return [], f"pi itself fails here. {failure}"


def _of_move(move: NavigationPlan, instructions: str) -> tuple[list[ShownRequest], str]:
    requests = [ShownRequest(request, left_out_of_move(move)) for request in branch_requests(move, instructions)]
    return requests, "" if requests else "Nothing is left behind, so nothing is summarized."


def _left_out(plan: CompactionPlan, request: SummaryRequest) -> LeftOut:
    return left_out_of(plan.prefix if request.part == "prefix" else plan.summarized, plan.rules)
