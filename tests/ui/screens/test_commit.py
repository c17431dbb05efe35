"""The commit screen: destinations, checks, the second enter, the path of a copy; complete in a small terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from pitree.planning.commit import Check, compaction_commit
from pitree.store.commit import pi_command
from pitree.ui.commit_offer import Chosen, CommitOffer, Destination
from pitree.ui.context_shares import ContextShares
from pitree.ui.facts import Fact
from pitree.ui.screens.commit import CommitScreen
from tests.ui.parts import Parts, draft_of, offer_of, plan_of

WARNING = Check("pi", "A pi seems to be open there.")
BLOCK = Check("changed", "The file is not what was read: open it again.", blocks=True)


def offer(*checks: Check, default: int = 0) -> CommitOffer:
    return CommitOffer(
        "Commit a compaction",
        (
            Destination("file", "/s/a.jsonl", checks, "One line is appended."),
            Destination("copy", "/tmp/a.jsonl", (), "The same bytes elsewhere."),
            Destination("fork", "/s/new [/b]\x1b.jsonl", (), "A new session."),
        ),
        default,
        (Fact("kept from", "7f1a22c0", state="first_kept"),),
        ContextShares(1000, (("user", 900),), used=950),
        ContextShares(1000, (("summaries", 100), ("user", 200))),
        '{"type":"compaction","summary":"[/b] \\u001b"}\n',
        lambda path: (BLOCK,) if path.endswith("taken") else (),
    )


def keys(app: Parts) -> str:
    return str(app.screen.query_one("#commit-keys", Static).render())


def text(app: Parts) -> list[str]:
    screen = app.screen
    assert isinstance(screen, CommitScreen)
    screen.text.wrapped.reach_end()
    return [line.rstrip() for line in (screen.text.render_line(y).text for y in range(screen.text.size.height))]


async def ask(app: Parts, pilot: Pilot[None], asked: CommitOffer) -> None:
    app.ask(CommitScreen(asked))
    await pilot.pause()


async def test_enter_commits_when_nothing_speaks_against_it() -> None:
    app = Parts()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(app, pilot, offer())
        assert str(app.screen.query_one("#destinations", Static).render()) == "▸ 1 this file    2 a copy    3 a fork  "
        assert text(app)[:8] == [
            "One line is appended.",
            "  goes to      /s/a.jsonl",
            "  then         pi --session /s/a.jsonl",
            "",
            "✓ checks       nothing speaks against it",
            "",
            "context  est 900 → est 300 · est 600 freed",
            text(app)[7],
        ]
        assert text(app)[7].startswith("now   ▏user 900")
        assert text(app)[7].endswith(" est 900 90 %")
        assert text(app)[9].endswith(" est 300 30 %")
        assert text(app)[12:16] == [
            "» kept from    7f1a22c0",
            "",
            "the line to be appended, 46 bytes · y copies it",
            '│ {"type":"compaction","summary":"[/b] \\u001b"}',
        ]
        await pilot.press("enter")
        assert app.answers == [Chosen("file", "/s/a.jsonl")]


async def test_a_warning_needs_a_second_enter() -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(app, pilot, offer(WARNING))
        assert "! checks       warning: A pi seems to be open there." in text(app)
        assert keys(app).startswith("enter commit")
        await pilot.press("enter")
        assert keys(app) == "enter again commits in spite of 1 warning  esc back  "
        await pilot.press("escape")
        assert keys(app).startswith("enter commit")
        await pilot.press("enter", "right", "left")
        assert keys(app).startswith("enter commit")
        await pilot.press("enter", "enter")
        assert app.answers == [Chosen("file", "/s/a.jsonl")]


async def test_what_blocks_says_why_and_what_to_do() -> None:
    app = Parts()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await ask(app, pilot, offer(WARNING, BLOCK))
        assert keys(app).startswith("✗ cannot be committed here")
        await pilot.press("enter", "enter")
        assert app.answers == []
        assert [notice.message for notice in app._notifications][:1] == [BLOCK.message]
        lines = text(app)
        at = lines.index("✗ checks       blocks: The file is not what was read: open it again.")
        assert lines[at + 1 : at + 3] == [
            "!              warning: A pi seems to be open there.",
            "  instead      2 a copy or 3 a fork",
        ]
        await pilot.press("3")
        assert "  goes to      /s/new [/b]␛.jsonl" in text(app)
        await pilot.press("enter")
        assert app.answers == [Chosen("fork", "/s/new [/b]\x1b.jsonl")]


async def test_the_path_of_a_copy_can_be_edited() -> None:
    app = Parts()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(app, pilot, offer(default=1))
        await pilot.press("e", *"-1 taken")
        assert "✗ checks       blocks: The file is not what was read: open it again." in text(app)
        await pilot.press("backspace", *"2q")
        assert "  then         pi --session '/tmp/a.jsonl-1 take2q'" in text(app)
        assert keys(app) == "enter, esc back to the text  "
        await pilot.press("escape")
        assert app.answers == []
        await pilot.press("enter")
        assert app.answers == [Chosen("copy", "/tmp/a.jsonl-1 take2q")]


async def test_a_copy_to_nowhere_is_blocked() -> None:
    app = Parts()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(app, pilot, replace(offer(), default=1))
        await pilot.press("e", "ctrl+u", "enter", "enter")
        assert app.answers == []
        assert "✗ checks       blocks: Type where the copy is to go." in text(app)


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_leaving(key: str) -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(app, pilot, offer())
        await pilot.press(key)
        assert app.answers == [None]


async def test_y_copies_the_line() -> None:
    app = Parts()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(app, pilot, offer())
        await pilot.press("y")
        assert app.clipboard == '{"type":"compaction","summary":"[/b] \\u001b"}\n'


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_everything_can_be_reached_at_any_size(size: tuple[int, int]) -> None:
    plan = plan_of("rich")
    commit = compaction_commit(plan, draft_of(plan), entry_id="a1b2c3d4", ms=0)
    app = Parts()
    async with app.run_test(size=size) as pilot:
        await ask(app, pilot, offer_of(plan, commit, WARNING))
        screen = app.screen
        assert isinstance(screen, CommitScreen)
        assert screen.text.size.height >= 4
        await pilot.press("end")
        await pilot.pause()
        assert text(app)[-1].endswith("}")
        await pilot.press("home")
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        bar = next(line for line in text(app) if line.startswith("now "))
        assert bar.endswith(" est 70.4k 35 %")


def test_the_command_is_safe_to_paste() -> None:
    assert pi_command(Path("/a b/'c'.jsonl")) == "pi --session '/a b/'\"'\"'c'\"'\"'.jsonl'"
