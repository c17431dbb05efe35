"""What commands make of the view: pure functions, by the command's id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from pitree.session.outline import Filter
from pitree.session.tree import ROOT
from pitree.ui import jumps
from pitree.ui.view import NOTHING_TRIED, Failure, View, WhatIf

FILTER_CYCLE: Final = (Filter.DEFAULT, Filter.NO_TOOLS, Filter.USER_ONLY, Filter.LABELED_ONLY, Filter.ALL)
KEEP_STEP: Final = 1000
SMALL_KEEP_STEP: Final = 50
Step = Callable[[View, int], View | int | str]
"""From the view and the entry under the cursor to another view, an entry to go to, or why nothing happens."""


def compaction_lens(view: View, _entry: int) -> View:
    """Show the cut, or leave the lens."""
    if view.lens == "compaction":
        return view.but(lens="structure")
    return view.but(lens="compaction", target=None)


def target(view: View, entry: int) -> View:
    """Target an entry; the one that is targeted already is let go."""
    if view.target == entry:
        return view.but(target=None, lens="structure")
    return view.but(target=entry, lens="branch")


def as_of(view: View, entry: int) -> View:
    """See the session as of an entry, or as it is."""
    back = view.as_of is not None or entry == view.session.last
    return view.but(as_of=None if back else entry)


def cut_here(view: View, entry: int) -> View | str:
    """Cut at an entry in place of pi; again to leave the cut to pi."""
    own = view.but(cut_at=None, lens="compaction", target=None)
    if view.cut_at == entry:
        return own
    if own.plan is not None and own.plan.first_kept == entry:
        return own if view.cut_at is not None else "This is where pi cuts already."
    chosen = view.but(cut_at=entry, lens="compaction", target=None)
    outcome = chosen.outcome
    return f"No cut here: {outcome.why}" if isinstance(outcome, Failure) else chosen


def toggle_filter(name: Filter, view: View, _entry: int) -> View:
    """A filter, or the default one where it is on already."""
    return view.but(filter=Filter.DEFAULT if view.filter is name else name)


def cycle_filter(view: View, _entry: int) -> View:
    """The next of pi's filters."""
    at = FILTER_CYCLE.index(view.filter)
    return view.but(filter=FILTER_CYCLE[(at + 1) % len(FILTER_CYCLE)])


def fold(view: View, entry: int) -> View | int:
    """Fold what hangs below; where nothing does, or it is folded already, to the entry above."""
    rows = view.rows
    row = rows.row_of(entry)
    if row is None:
        return entry
    if _can_fold(view, entry, row):
        return view.but(folds=view.folds | {entry})
    above = view.session.tree.parent(entry)
    shown = None if above == ROOT else rows.nearest_row(above)
    return entry if shown is None else rows.entry(shown)


def _can_fold(view: View, entry: int, row: int) -> bool:
    return entry not in view.folds and view.rows.is_foldable(row)


def unfold(view: View, entry: int) -> View | int:
    """Unfold; what is open already, one row on."""
    if entry in view.folds:
        return view.but(folds=view.folds - {entry})
    rows = view.rows
    row = rows.row_of(entry)
    return entry if row is None else rows.entry(min(row + 1, len(rows) - 1))


def segment_up(view: View, entry: int) -> View | int | str:
    """Fold a segment from its first row; from elsewhere, or where it is folded already, to where one begins."""
    rows = view.rows
    row = rows.row_of(entry)
    if row is not None and row == rows.block_at(row).row and _can_fold(view, entry, row):
        return view.but(folds=view.folds | {entry})
    return jumps.segment(-1, view, entry)


def segment_down(view: View, entry: int) -> View | int | str:
    """Unfold; what is open already, to where the next segment begins."""
    return view.but(folds=view.folds - {entry}) if entry in view.folds else jumps.segment(1, view, entry)


def fold_all(view: View, _entry: int) -> View:
    """Only where branches begin."""
    return view.but(folds=view.folds | jumps.branch_heads(view.rows))


def unfold_all(view: View, _entry: int) -> View:
    """Everything open."""
    return view.but(folds=frozenset())


def keep(step: int, view: View, _entry: int) -> View:
    """Keep more or less: in small steps where little is kept."""
    now = view.settings.keep_recent_tokens
    size = KEEP_STEP if now + min(step, 0) * KEEP_STEP >= KEEP_STEP else SMALL_KEEP_STEP
    tried = view.what_if
    return view.but(what_if=WhatIf(max(0, now + step * size), tried.reserve, tried.window, tried.rules))


STEPS: Final[Mapping[str, Step]] = {
    **jumps.JUMPS,
    "fold": fold,
    "unfold": unfold,
    "previous_segment": segment_up,
    "next_segment": segment_down,
    "compaction_lens": compaction_lens,
    "target": target,
    "as_of": as_of,
    "cut_here": cut_here,
    "filter_default": lambda view, _entry: view.but(filter=Filter.DEFAULT),
    "filter_no_tools": partial(toggle_filter, Filter.NO_TOOLS),
    "filter_user": partial(toggle_filter, Filter.USER_ONLY),
    "filter_labeled": partial(toggle_filter, Filter.LABELED_ONLY),
    "filter_all": partial(toggle_filter, Filter.ALL),
    "cycle_filter": cycle_filter,
    "fold_all": fold_all,
    "unfold_all": unfold_all,
    "keep_more": partial(keep, 1),
    "keep_less": partial(keep, -1),
}


def step_back(view: View) -> View:
    """What escape undoes of a view: one thing, the newest first; the same view where nothing is left."""
    if view.query:
        return view.but(query="", hits=())
    if view.target is not None:
        return view.but(target=None, lens="structure")
    if view.cut_at is not None:
        return view.but(cut_at=None)
    if view.lens != "structure":
        return view.but(lens="structure")
    if view.as_of is not None:
        return view.but(as_of=None)
    return view.but(what_if=NOTHING_TRIED) if view.what_if != NOTHING_TRIED else view
