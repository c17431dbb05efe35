"""Focus instructions and the menu of what can be copied."""

from __future__ import annotations

import pytest

from pitree.ui.copy_offers import copy_offers
from pitree.ui.screens.copy_as import CopyAsScreen
from pitree.ui.screens.instructions import InstructionsScreen
from tests.ui.parts import Parts

PATH = "/home/ann/it's.jsonl"


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("enter",), "the clock"),
        ((*", q", "enter"), "the clock, q"),
        (("ctrl+u", "ctrl+s"), ""),
        ((*"xyz", "escape"), None),
    ],
)
async def test_instructions(keys: tuple[str, ...], answer: str | None) -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        app.ask(InstructionsScreen("the clock", "A note [/b]\x1b."))
        await pilot.pause()
        await pilot.press(*keys)
        assert app.answers == [answer]


async def test_pasted_lines_become_one() -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = InstructionsScreen()
        app.ask(screen)
        await pilot.pause()
        screen.field.insert("mind\n  the clock\n")
        await pilot.press("enter")
        assert app.answers == ["mind the clock"]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("enter",), "7f1a22c0"),
        (("1",), "7f1a22c0"),
        (("2",), PATH),
        (("down", "j", "enter"), "/compact mind the clock␛"),
        (("4",), "pi --session '/home/ann/it'\"'\"'s.jsonl'"),
        (("9", "escape"), None),
    ],
)
async def test_copy_as(keys: tuple[str, ...], answer: str | None) -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        app.ask(CopyAsScreen(copy_offers("7f1a22c0", PATH, "mind\nthe clock\x1b")))
        await pilot.pause()
        await pilot.press(*keys)
        assert app.answers == [answer]


async def test_what_is_not_there_says_why() -> None:
    app = Parts()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.ask(CopyAsScreen(copy_offers(None, None)))
        await pilot.pause()
        await pilot.press("1", "2")
        assert [notice.message for notice in app._notifications] == [
            "This entry has no id.",
            "This session is a demo and has no file.",
        ]
        await pilot.press("enter")
        assert app.answers == ["/compact"]
