"""Help, footer and palette: the same offers everywhere, with reasons, at every width."""

from __future__ import annotations

from typing import cast

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from pitree.ui.command import OUTLINE, SESSION, Situation
from pitree.ui.commands import COMMANDS, offers
from pitree.ui.marks import MARKS
from pitree.ui.screens.help import HelpScreen, help_text
from pitree.ui.widgets.key_bar import KeyBar, fitting
from tests.ui.demo import Demo, DemoScreen

HERE = offers(Situation(entries=5), (SESSION, OUTLINE))


@pytest.mark.parametrize("width", [40, 69, 100, 160])
def test_help_names_every_command_and_mark_and_keeps_its_width(width: int) -> None:
    text = help_text(HERE, width).plain
    assert all(command.name in text for command in COMMANDS)
    assert all(mark.word in text for mark in MARKS.values())
    assert max(map(len, text.splitlines())) <= max(width, 62)


def test_help_says_why_not() -> None:
    text = help_text(HERE, 100).plain
    assert "✗ There is no search; / starts one." in text
    assert "✗ Only while a text has the focus." in text


def test_the_footer_drops_high_ranks_first_and_never_help() -> None:
    wide, narrow = fitting(HERE, 200), fitting(HERE, 30)
    assert [offer.command.id for offer in wide][-1] == "help"
    assert [offer.command.id for offer in narrow] == ["compaction_lens", "help"]


async def test_a_click_in_the_footer_does_the_command() -> None:
    app = Demo()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        bar = app.screen.query_one(KeyBar)
        place = bar.render_line(0).text.index("? help")
        await pilot.click(KeyBar, offset=(place + 1, 0))
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("G", "k", "j", "g", "escape")
        assert isinstance(app.screen, DemoScreen)


async def test_the_palette_finds_commands_and_runs_them() -> None:
    app = Demo()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        palette = cast("CommandPalette", app.screen)
        palette.query_one(Input).value = "Help"
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
