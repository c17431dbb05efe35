"""Any key at any time: while loading, in empty and broken files, on every screen, at every size. Nothing ever fails."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.screen import ModalScreen

from pitree.store.locations import Environment
from pitree.ui.app import PitreeApp
from pitree.ui.commands import COMMANDS
from pitree.ui.loading import Opening
from pitree.ui.screens.session import SessionScreen
from tests.ui.hostile import write_hostile
from tests.ui.playing import NARROW, WIDE, Played, demo, playing, send_key
from tests.ui.test_opening import HEADER, LABEL

LEAVE = {"quit", "edit_outside"}
"""Commands that leave the program or the terminal; everything else may come at any time."""
KEYS = sorted({key for command in COMMANDS if command.id not in LEAVE for key in command.keys})
ONE_KEY_EACH = [command.keys[0] for command in COMMANDS if command.id not in LEAVE]
SIZES = (WIDE, NARROW, (40, 10), (20, 5), (200, 60), (99, 30))
FILES = {
    "header": HEADER,
    "label": HEADER + LABEL,
    "empty": "",
    "broken": "no session",
    "torn": HEADER + LABEL + '{"type":"mess',
    "circle": HEADER + LABEL.replace("null", '"0001"') + LABEL.replace('"0001"', '"0002"').replace("null", '"0001"'),
}


@pytest.fixture
def nowhere(tmp_path: Path) -> Environment:
    """A home without sessions, where what is written does not matter."""
    return Environment({}, tmp_path, tmp_path)


def check(played: Played) -> None:
    """What must hold whatever was pressed."""
    screen = played.screen
    assert played.app._exception is None
    played.app.clear_notifications()
    if screen.view is not None and played.app.screen is screen:
        count = len(screen.outline._rows)
        assert 0 <= screen.outline.cursor < max(1, count)
        assert (screen.entry is None) == (not count)
        assert played.app.focused is None or played.app.focused.is_attached


@pytest.mark.parametrize("name", FILES)
async def test_every_key_in_an_odd_file(name: str, tmp_path: Path, nowhere: Environment) -> None:
    path = tmp_path / f"{name}.jsonl"
    path.write_text(FILES[name])
    async with playing(path, environment=nowhere) as played:
        for key in KEYS:
            await send_key(played.pilot, key)
            while isinstance(played.app.screen, ModalScreen):
                await send_key(played.pilot, "escape")
            if not isinstance(played.app.screen, SessionScreen):
                await played.press("escape")
            check(played)


async def test_every_key_while_loading(nowhere: Environment) -> None:
    app = PitreeApp(demo("rich"), nowhere)
    async with app.run_test(size=WIDE) as pilot:
        played = Played(pilot)
        for key in ONE_KEY_EACH:
            played.screen.open(demo("plain-cut"))
            await send_key(pilot, key)
            await send_key(pilot, "escape")
            app.clear_notifications()
        await played.press("escape")
        check(played)


@pytest.mark.parametrize("first", ["2", "3", "5", "?", "a", "/", "o", "ctrl+p", "i", "e", "w"])
async def test_every_key_on_every_screen(first: str, nowhere: Environment) -> None:
    async with playing(demo("branch-user"), (60, 16), nowhere) as played:
        for key in ONE_KEY_EACH:
            if isinstance(played.app.screen, SessionScreen):
                await send_key(played.pilot, first)
            await send_key(played.pilot, key)
            check(played)


SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
async def test_any_keys_in_any_order_at_any_size(seed: int, tmp_path: Path, nowhere: Environment) -> None:
    chance = random.Random(seed)
    # The palette offers to quit; what else is in it has a key here.
    keys = [key for key in KEYS if key != "ctrl+p"]
    path = tmp_path / "hostile.jsonl"
    write_hostile(path)
    opening = demo("rich") if seed % 2 else Opening(path=path)
    async with playing(opening, chance.choice(SIZES), nowhere) as played:
        for _ in range(30):
            for key in chance.choices(keys, k=chance.randint(1, 4)):
                await send_key(played.pilot, key)
            if chance.random() < 0.2:
                await played.pilot.resize_terminal(*chance.choice(SIZES))
            if chance.random() < 0.3:
                await send_key(played.pilot, "escape")
            check(played)
        await played.press("escape")


async def test_a_tiny_screen_shows_what_it_can(nowhere: Environment) -> None:
    async with playing(demo("rich"), (1, 1), nowhere) as played:
        for width, height in ((2, 2), (10, 3), (20, 5), (1, 40), (300, 1), WIDE):
            await played.resize(width, height)
            await played.press("c", "1", "tab", "escape", "2", "?", "escape", "a", "escape", "down")
            check(played)
        assert any("firstKeptEntryId" in row for row in played.rows()) or played.view.lens == "structure"
