"""Looking at a session: lenses, as of, what if, filters, folds and jumps, with what they lead to in the rich demo."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from pitree.session.outline import Filter
from pitree.ui.screens.what_if import WhatIfScreen
from tests.ui.playing import Played, demo, playing

LEAF = "ea9e5e0f"
CUT = "118ecb79"


def cut_words(played: Played) -> str:
    return next(row for row in played.rows() if row.startswith("firstKeptEntryId"))


async def test_the_cursor_starts_on_the_leaf() -> None:
    async with playing(demo("rich")) as played:
        assert (played.at, played.focus) == (LEAF, "outline")
        assert "● leaf" in played.lines()[played.screen.outline.cursor - played.screen.outline.scroll_offset.y]
        assert str(played.screen.outline.border_title) == "Outline · 327 entries · 5 tips"
        assert str(played.screen.outline.border_subtitle) == "structure lens"
        assert "rules 1.6" in played.text_of("#head")


async def test_as_of_another_entry_a_banner_says_so_and_plans_start_there() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("up", "up", ".")
        assert played.text_of("#banner") == "◷ seen as of 00000006: plans start here · . goes back to the leaf"
        assert played.screen.banner.display
        assert played.facts()[""] == "Compaction at 00000006 (as of there)"
        assert "◷ as of" in played.lines()[5]
        await played.press(".")
        assert not played.screen.banner.display
        assert played.facts()[""] == "Compaction at the leaf"
        assert played.at == "00000006"
        await played.press("end", ".")
        assert played.view.as_of is None


async def test_the_target_is_set_and_let_go_by_enter() -> None:
    async with playing(demo("rich")) as played:
        await played.press("(", "enter")
        assert played.facts()[""] == "From the leaf to 9b02cafd"
        assert "enter" in played.screen.keys.render().plain
        await played.press("down", "enter")
        assert played.facts()[""].startswith("From the leaf to ")
        assert played.view.lens == "branch"
        await played.press("enter")
        assert (played.view.target, played.view.lens) == (None, "structure")


async def test_the_compaction_lens_takes_the_place_of_the_branch_lens() -> None:
    async with playing(demo("branch")) as played:
        await played.press("c")
        assert (played.view.target, played.view.lens) == (None, "compaction")
        await played.press("up", "enter")
        assert (played.view.target is not None, played.view.lens) == (True, "branch")
        assert not [row for row in played.rows() if row.startswith("firstKeptEntryId")]


async def test_going_to_the_leaf_would_do_nothing() -> None:
    async with playing(demo("rich")) as played:
        await played.press("enter")
        assert played.facts() == {
            "": "Going to the leaf",
            "nothing": "You are there already: nothing would happen.",
        }


async def test_more_and_less_is_kept_and_the_cut_takes_the_cursor_along() -> None:
    async with playing(demo("rich")) as played:
        await played.press("c")
        assert cut_words(played) == f"firstKeptEntryId {CUT} · keeps est 19,673"
        seen = []
        for key in "++---":
            await played.press("plus" if key == "+" else "minus")
            seen.append((played.at, cut_words(played).rsplit(" ", 1)[1], played.facts().get("keepRecent")))
        assert seen == [
            ("690615ed", "20,975", "21,000 what if (in force 20,000)"),
            ("a06c8e0c", "21,625", "22,000 what if (in force 20,000)"),
            ("690615ed", "20,975", "21,000 what if (in force 20,000)"),
            (CUT, "19,673", "20,000 what if (in force 20,000)"),
            ("e6ea4d3e", "18,965", "19,000 what if (in force 20,000)"),
        ]
        assert "keepRecent" not in played.facts()["in force"]
        await played.press("end", "plus")
        assert played.at == "73343b7b"


async def test_small_budgets_move_in_small_steps_and_stop_at_nothing() -> None:
    async with playing(demo("split-turn")) as played:
        await played.press(*["minus"] * 6)
        assert played.view.settings.keep_recent_tokens == 0


async def test_the_form_moves_the_cut_while_one_types_and_marks_the_change() -> None:
    async with playing(demo("rich")) as played:
        await played.press("c", "a")
        assert isinstance(played.app.screen, WhatIfScreen)
        await played.press(*"22000")
        assert cut_words(played) == "firstKeptEntryId a06c8e0c · keeps est 21,625"
        await played.press("enter")
        assert played.facts()["keepRecent"] == "22,000 what if (in force 20,000)"
        changed = [fact for fact in played.screen.pane.facts.facts if fact.name == "keepRecent"]
        assert [fact.state for fact in changed] == ["changed"]
        await played.press("a", "ctrl+r", "escape")
        assert cut_words(played) == f"firstKeptEntryId {CUT} · keeps est 19,673"
        assert "keepRecent" not in played.facts()


async def test_the_form_takes_reserve_window_and_rules() -> None:
    async with playing(demo("rich")) as played:
        await played.press("a", "tab", *"1000", "tab", *"90000", "tab", *"0.84", "escape")
        facts = played.facts()
        assert facts["reserve"] == "1,000 what if (in force 16,384)"
        assert facts["window"] == "90,000 what if (in force 200,000)"
        assert facts["rules"] == "0.84 what if (in force 1.6)"
        assert facts["trigger"] == "used 95,335 > 89,000 yes, now"
        assert "90k (what if)" in played.text_of("#head")
        assert "rules 0.84" in played.text_of("#head")
        await played.press("(", "enter")
        assert played.facts()["rules"] == "0.84 what if (in force 1.6)"


async def test_what_is_no_number_and_no_release_changes_nothing() -> None:
    async with playing(demo("rich")) as played:
        await played.press("a", *"-5")
        assert played.view.what_if.keep_recent is None
        field = played.app.screen.query_one("#rules", Input)
        field.value = "0.8"
        await played.press("escape")
        assert played.view.what_if.rules is None


FILTERS = {
    "ctrl+t": (Filter.NO_TOOLS, 106),
    "ctrl+u": (Filter.USER_ONLY, 20),
    "ctrl+l": (Filter.LABELED_ONLY, 3),
    "ctrl+a": (Filter.ALL, 281),
}


@pytest.mark.parametrize("key", FILTERS)
async def test_a_filter_keeps_the_entry_of_the_cursor_and_a_second_press_ends_it(key: str) -> None:
    async with playing(demo("rich")) as played:
        assert len(played.rows()) == 272
        await played.press(key)
        assert (played.view.filter, len(played.rows()), played.at) == (*FILTERS[key], LEAF)
        assert str(played.screen.outline.border_title).endswith(f"filter {FILTERS[key][0].value}")
        await played.press(key)
        assert (played.view.filter, len(played.rows()), played.at) == (Filter.DEFAULT, 272, LEAF)


async def test_the_filters_go_round_and_default_ends_each() -> None:
    async with playing(demo("rich")) as played:
        seen = []
        for _ in range(5):
            await played.press("ctrl+o")
            seen.append(played.view.filter)
        assert seen == [Filter.NO_TOOLS, Filter.USER_ONLY, Filter.LABELED_ONLY, Filter.ALL, Filter.DEFAULT]
        await played.press("ctrl+u", "ctrl+d")
        assert played.view.filter is Filter.DEFAULT


async def test_cut_and_turn_start_show_under_every_filter() -> None:
    async with playing(demo("rich")) as played:
        await played.press("ctrl+l", "c")
        assert played.at == CUT
        assert {CUT, "9b02cafd", LEAF} <= set(played.marks())
        assert sum("✂" in line or "↦ ──" in line for line in played.lines()) == 2


async def test_folding_keeps_the_cursor_and_says_what_it_hides() -> None:
    async with playing(demo("rich")) as played:
        await played.press("(", "left")
        assert (played.at, len(played.rows())) == ("9b02cafd", 200)
        assert "⊞ 72 below" in next(line for line in played.lines() if line.startswith("❯"))
        await played.press("left")
        assert played.at == "22f93a5d"
        await played.press("right")
        assert played.at == "9b02cafd"
        await played.press("right")
        assert (played.at, len(played.rows())) == ("9b02cafd", 272)
        await played.press("right")
        assert len(played.rows()) == 272
        assert played.at != "9b02cafd"


async def test_folding_everything_leaves_the_trunk_and_unfolding_brings_all_back() -> None:
    async with playing(demo("rich")) as played:
        await played.press("z")
        assert (len(played.rows()), played.at) == (27, "539c5c10")
        await played.press("Z")
        assert (len(played.rows()), played.at) == (272, "539c5c10")


async def test_stepping_the_walk_unfolds_what_hides_the_entry() -> None:
    async with playing(demo("rich")) as played:
        await played.press("c", "z")
        assert "575e404b" not in played.marks()
        await played.press("tab", "down")
        assert played.at == "575e404b"


async def test_hits_that_are_folded_away_are_not_lost_without_a_word() -> None:
    async with playing(demo("rich")) as played:
        await played.press("z", "/", *"fallback first", "enter", "n")
        assert "What was found is folded away; Z unfolds everything." in played.notices()


JUMPS = [
    ("(", "9b02cafd"),
    ("p", "22f93a5d"),
    ("p", "870cde2d"),
    (")", "9b02cafd"),
    ("b", "22f93a5d"),
    ("b", "4aed4d3a"),
    ("{", "d3cef454"),
    ("}", "dde04030"),
    ("end", "73343b7b"),
    ("ctrl+left", "a7de94bd"),
    ("ctrl+left", "a7de94bd"),
    ("ctrl+left", "d7ec01db"),
    ("ctrl+right", "a7de94bd"),
    ("ctrl+right", "a7de94bd"),
    ("ctrl+right", "73343b7b"),
]


async def test_jumps_lead_where_they_should() -> None:
    async with playing(demo("rich")) as played:
        seen = []
        for key, _ in JUMPS:
            await played.press(key)
            seen.append((key, played.at))
        assert seen == JUMPS


async def test_siblings_follow_the_order_of_the_rows() -> None:
    async with playing(demo("branch")) as played:
        await played.press("home", "down", "]")
        assert played.at == "eeeeeeee"
        await played.press("]", "[")
        assert played.at == "bbbbbbbb"
        await played.press("down", "down", "]")
        assert played.at == "eeeeeeee"
        assert played.notices() == ["This is the last branch here."]


async def test_a_jump_without_a_goal_says_so() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("home", "p", "(", "b", "]", "{")
        assert played.at == "00000001"
        assert played.notices() == [
            "This entry is a root.",
            "There is no message of the user above.",
            "Fork point: No entry has two branches.",
            "Next branch: No entry has two branches.",
            "Previous compaction: The session was never compacted.",
        ]


async def test_keys_that_are_not_possible_say_why() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("n", "N")
        assert played.notices() == [
            "Next hit: There is no search; / starts one.",
            "Previous hit: There is no search; / starts one.",
        ]


async def test_copying_puts_the_text_on_the_clipboard() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("home", "y")
        assert played.app.clipboard.startswith("The monthly report prints 03/04/2026 and our readers")
        assert played.notices() == ["Copied 400 characters."]
        await played.press("end", "ctrl+x")
        assert played.app.clipboard.startswith("Days are now written as 4 March 2026.")
