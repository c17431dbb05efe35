"""The desk: which drafts there are, which one is looked at, what is kept of them, and whether they still fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitree.planning.draft import Draft, Fit, digest_of
from pitree.store.drafts import DraftStore
from pitree.ui.desk import Desk, plan_of
from pitree.ui.loading import open_view
from pitree.ui.view import View
from tests.ui.bench import Bench, bench_in, said

MADE = Draft("## Goal\nMade", "claude-sonnet-4-6", "00000004", "")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_in(tmp_path)


def view_of(bench: Bench) -> View:
    return open_view(bench.opening, bench.environment, lambda _read: True)


def extract(digest: str, **more: object) -> Draft:
    return replace(Draft("## Goal\nSaid", "extract", "00000004", digest), **more)  # type: ignore[arg-type]


def desk_of(bench: Bench, view: View | None = None) -> Desk:
    return Desk((view or view_of(bench)).session, DraftStore(bench.home / ".local/state/pitree/drafts"))


def test_an_extract_that_nobody_has_edited_makes_way_for_the_next_one_and_is_not_kept(bench: Bench) -> None:
    desk = desk_of(bench)
    desk.put(extract("one"))
    desk.put(extract("two"))
    assert [draft.digest for draft in desk.drafts] == ["two"]
    assert bench.kept_drafts == []


def test_whoever_looks_at_a_draft_keeps_looking_at_it(bench: Bench) -> None:
    desk = desk_of(bench)
    desk.put(extract("one"))
    desk.put(MADE)
    desk.put(extract("two"), look=False)
    assert ([draft.digest for draft in desk.drafts], desk.draft) == (["", "two"], MADE)
    desk.put(extract("three"), look=False)
    assert desk.draft is MADE
    desk.put(extract("four"))
    assert desk.draft is not None
    assert desk.draft.digest == "four"


def test_an_edit_takes_the_place_of_what_was_edited(bench: Bench) -> None:
    desk = desk_of(bench)
    first, later = extract("one"), replace(MADE, text="## Goal\nOther")
    desk.put(first)
    desk.put(MADE)
    edited = first.with_text("## Goal\nEdited")
    desk.put(edited, replacing=first)
    assert (desk.drafts, desk.at) == ([edited, MADE], 0)
    desk.put(later, replacing=MADE, look=False)
    assert (desk.drafts, desk.draft) == ([edited, later], edited)
    assert [draft["text"] for draft in bench.kept_drafts] == ["## Goal\nOther", "## Goal\nEdited"]


def test_an_edit_of_an_extract_that_has_made_way_is_not_lost(bench: Bench) -> None:
    desk = desk_of(bench)
    first = extract("one")
    desk.put(first)
    desk.put(extract("two"))
    edited = first.with_text("## Goal\nEdited")
    desk.put(edited, replacing=first)
    assert ([draft.digest for draft in desk.drafts], desk.draft) == (["two", "one"], edited)


def test_drafts_come_back_and_the_newest_one_is_looked_at(bench: Bench) -> None:
    desk = desk_of(bench)
    edited = extract("one", edited=True)
    desk.put(edited)
    desk.put(MADE)
    again = desk_of(bench)
    assert (again.drafts, again.draft, again.other) == ([edited, MADE], MADE, edited)
    again.step(1)
    assert (again.draft, again.other) == (edited, MADE)
    again.step(-1)
    assert again.draft is not None
    assert again.draft == MADE


def test_without_drafts_there_is_nothing_to_step_to(bench: Bench) -> None:
    desk = desk_of(bench)
    desk.step(1)
    assert (desk.draft, desk.other, desk.at) == (None, None, 0)


def test_a_draft_without_a_text_is_not_kept(bench: Bench) -> None:
    desk = desk_of(bench)
    desk.put(replace(MADE, text=""))
    assert bench.kept_drafts == []


def test_what_was_committed_is_thrown_away(bench: Bench) -> None:
    desk = desk_of(bench)
    desk.put(extract("one", edited=True))
    desk.put(MADE)
    desk.forget(MADE)
    assert (len(desk.drafts), desk.at) == (1, 0)
    assert [draft["origin"] for draft in bench.kept_drafts] == ["extract"]
    desk.forget(replace(MADE))
    assert len(desk.drafts) == 1


def test_drafts_that_cannot_be_read_or_kept_are_a_problem_and_no_end(bench: Bench) -> None:
    folder = bench.home / ".local/state/pitree/drafts"
    folder.mkdir(parents=True)
    (folder / "2a39a72e-5a71-748a-863a-5e4a49e43125.json").write_text("{")
    desk = desk_of(bench)
    assert desk.drafts == []
    assert desk.problem
    blocked = Desk(view_of(bench).session, DraftStore(bench.path / "drafts"))
    blocked.put(MADE)
    assert blocked.draft is MADE
    assert blocked.problem


def test_a_draft_fits_its_plan_still_fits_when_pi_cuts_elsewhere_and_is_redone_when_it_is_about_others(
    bench: Bench,
) -> None:
    view = view_of(bench)
    assert view.plan is not None
    draft = replace(MADE, digest=digest_of(view.plan))
    desk = desk_of(bench, view)
    assert desk.shown(view, draft).fit is Fit.EXACT
    assert plan_of(view, draft) is view.plan

    bench.grow(said("0000000a", "00000008"), said("0000000b", "0000000a", "assistant"))
    grown = view_of(bench)
    assert grown.plan is not None
    assert grown.plan.first_kept_id == "00000008"
    assert desk.shown(grown, draft).fit is Fit.STILL
    kept = plan_of(grown, draft)
    assert kept is not None
    assert kept.first_kept_id == "00000004"
    assert plan_of(grown, draft) is kept

    assert desk.shown(grown, replace(draft, digest="of other entries")).fit is Fit.REDO
    assert desk.shown(grown, replace(draft, cut_id="00000003")).fit is Fit.REDO
    assert desk.shown(grown, replace(draft, cut_id="nowhere")).fit is Fit.REDO
    assert plan_of(grown, replace(draft, cut_id="nowhere")) is None


def test_a_draft_is_shown_with_its_number_and_what_it_replaces(bench: Bench) -> None:
    view = view_of(bench)
    desk = desk_of(bench, view)
    desk.put(extract("one"))
    desk.put(MADE)
    shown = desk.shown(view, MADE)
    assert (shown.number, shown.count, shown.replaces) == (2, 2, 300)
    assert (shown.read_files, shown.modified_files) == (("reports/export.py",), ())
