"""The words around a view: what stands over the screen, over the outline and in the banner."""

from __future__ import annotations

from pitree.session.entries import Kind
from pitree.session.outline import Filter
from pitree.ui.command import Situation
from pitree.ui.figures import short
from pitree.ui.plan_facts import entry_name, not_pis
from pitree.ui.text import one_line
from pitree.ui.view import Failure, View

Piece = tuple[str, str]


def head_pieces(view: View, *, narrow: bool = False) -> list[Piece]:
    """The header: name, model and window, rules, problems; on a narrow screen filter and search too."""
    found = view.found
    model = f"{one_line(found.model[1], 40)} · " if found.model else ""
    window = f"{short(view.settings.context_window)} ({'what if' if view.what_if.window else found.facts.source})"
    pieces = [
        (one_line(view.title, 28 if narrow else 60), "bold"),
        (f"   {model}{window}", "$pitree-quiet"),
        (f"   rules {view.rules.name}", "$pitree-quiet"),
    ]
    if narrow and _limits(view):
        pieces.insert(1, (f"   {' · '.join(_limits(view))}", "$pitree-hit"))
    changed = not_pis(view)
    if changed:
        pieces.insert(1, (f"   ≠ {changed}", "bold $pitree-changed"))
    count = len(view.session.problems)
    if count:
        pieces.append((f"   ‼ {count} {'problem' if count == 1 else 'problems'} · !", "$pitree-problem"))
    return pieces


def outline_title(view: View) -> str:
    """What stands over the outline."""
    tips = sum(segment.end == segment.subtree_end for segment in view.shape.segments)
    parts = [f"Outline · {view.session.count:,} entries", f"{tips:,} {'tip' if tips == 1 else 'tips'}"]
    return " · ".join([*parts, *_limits(view)])


def _limits(view: View) -> list[str]:
    """What decides which rows show or are marked: filter and search."""
    shown = [] if view.filter is Filter.DEFAULT else [f"filter {view.filter.value}"]
    return [*shown, f"{len(view.hits):,} found"] if view.query else shown


def banner(view: View) -> str:
    """What the banner says; empty where the session is seen as it is."""
    if view.as_of is None:
        return ""
    return f"◷ seen as of {entry_name(view.session, view.as_of)}: plans start here · . goes back to the leaf"


def situation_of(view: View | None, pane: int) -> Situation:
    """What commands need to know; `pane` is the one that has the place of the outline, or 0."""
    if view is None:
        return Situation(is_open=False)
    outcome, session = view.outcome, view.session
    return Situation(
        entries=session.count,
        lens=view.lens,
        no_plan=outcome.why if isinstance(outcome, Failure) else None,
        target=view.target is not None,
        as_of=view.as_of is not None,
        search=bool(view.query),
        hits=len(view.hits),
        compactions=session.columns.codes.count(Kind.COMPACTION),
        branches=len(session.tree.forks),
        pane=pane,
    )
