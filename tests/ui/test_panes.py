"""Panes and focus: tab, the walk, narrow screens, and every way from one width to another."""

from __future__ import annotations

import pytest

from tests.ui.playing import NARROW, WIDE, Played, demo, playing


def shown(played: Played) -> tuple[bool, bool]:
    """Whether outline and pane are on the screen."""
    return played.screen.outline.is_on_screen, played.screen.pane.is_on_screen


async def test_tab_goes_round_outline_walk_and_facts_that_scroll() -> None:
    async with playing(demo("plain-cut")) as played:
        seen = [played.focus]
        for _ in range(2):
            await played.press("tab")
            seen.append(played.focus)
        assert seen == ["outline", "walk", "outline"]
        await played.resize(120, 24)
        await played.press("tab", "shift+tab")
        assert played.focus == "facts-box"
        await played.press("down", "down")
        assert played.screen.pane.facts_box.scroll_offset.y == 2
        await played.press("tab")
        assert played.focus == "outline"


async def test_stepping_the_walk_moves_the_outline_and_enter_stays_there() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "tab", "down")
        assert played.at == "00000007"
        await played.press("end")
        assert (played.at, played.focus) == ("00000004", "walk")
        walk = played.rows(played.screen.pane.walk)
        assert [row.split()[0] for row in walk] == ["+100"] * 5
        assert [row.split()[-1] for row in walk] == ["100", "200", "300", "400", "500"]
        await played.press("enter")
        assert (played.at, played.focus, played.view.target) == ("00000004", "outline", None)


async def test_the_entry_pane_follows_the_cursor() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("home", "2")
        assert played.entry_text().startswith("user · 00000001 · line 1 · ")
        assert "est 100 tokens" in played.entry_text()
        await played.press("down")
        assert played.entry_text().startswith("assistant · 00000002 · line 2 · ")
        assert "read reports/export.py" in played.entry_text()
        await played.press("tab", "end")
        assert (played.focus, played.at) == ("entry", "00000002")
        await played.press("1")
        assert played.screen.pane.facts.is_on_screen


async def test_without_a_walk_tab_goes_to_the_facts() -> None:
    async with playing(demo("branch")) as played:
        await played.press("tab")
        assert played.focus == "facts-box"
        await played.press("escape")
        assert played.focus == "outline"


async def test_a_narrow_screen_shows_one_pane_at_a_time_and_escape_returns() -> None:
    async with playing(demo("plain-cut"), NARROW) as played:
        assert shown(played) == (True, False)
        assert played.screen.outline.size.height >= 18
        await played.press("up", "1")
        assert (shown(played), played.focus) == ((False, True), "walk")
        await played.press("2")
        assert (shown(played), played.focus) == ((False, True), "entry")
        assert played.entry_text().startswith("toolResult · 00000007")
        await played.press("escape")
        assert (shown(played), played.focus, played.at) == ((True, False), "outline", "00000007")


async def test_tab_works_on_a_narrow_screen_too() -> None:
    async with playing(demo("rich"), NARROW) as played:
        seen = []
        for _ in range(4):
            await played.press("tab")
            seen.append((shown(played), played.focus))
        assert seen == [
            ((False, True), "walk"),
            ((False, True), "facts-box"),
            ((True, False), "outline"),
            ((False, True), "walk"),
        ]


async def test_enter_in_the_walk_of_a_narrow_screen_shows_the_entry_in_the_outline() -> None:
    async with playing(demo("plain-cut"), NARROW) as played:
        await played.press("1", "down", "down", "enter")
        assert (shown(played), played.focus, played.at) == ((True, False), "outline", "00000006")


@pytest.mark.parametrize("keys", [(), ("1",), ("2",), ("1", "tab"), ("c", "1", "down")], ids="-".join)
async def test_a_resize_at_any_time_keeps_focus_and_cursor(keys: tuple[str, ...]) -> None:
    async with playing(demo("rich"), NARROW) as played:
        await played.press("up", "up", *keys)
        at = played.at
        for width, height in (WIDE, NARROW, (40, 10), (200, 60), (20, 5), NARROW, WIDE):
            await played.resize(width, height)
            assert played.at == at
            assert played.app.focused is not None
            assert played.app.focused.is_on_screen
            assert shown(played)[0] or shown(played)[1]
        assert shown(played) == (True, True)
        await played.press("escape", "escape", "down")
        assert played.focus == "outline"


@pytest.mark.parametrize(("keys", "focus"), [(("1", "tab"), "walk"), (("2", "tab"), "entry"), ((), "outline")])
async def test_a_narrow_screen_shows_the_side_that_had_the_focus_on_a_wide_one(
    keys: tuple[str, ...], focus: str
) -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("up", *keys)
        for width, height in (NARROW, WIDE, NARROW):
            await played.resize(width, height)
            assert (played.focus, played.at) == (focus, "00000007")
        assert shown(played) == (focus == "outline", focus != "outline")
        await played.press("/", "escape")
        assert (shown(played), played.focus) == ((True, False), "outline")


async def test_help_names_what_is_not_possible_here() -> None:
    async with playing(demo("after-compaction")) as played:
        await played.press("?")
        text = " ".join(played.app.screen.query_one("HelpText").render().plain.split())  # type: ignore[union-attr]
        assert "✗ The leaf is a compaction" in text
        assert "✗ There is no search; / starts one." in text
        await played.press("escape")
        assert played.focus == "outline"
