"""The table of commands: complete, free of clashes, and the source of keys and documents."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import ClassVar

import pytest
from textual.app import App
from textual.binding import BindingType
from textual.screen import Screen

from pitree.ui.command import LINES, OUTLINE, SCOPES, SESSION, Command, Situation
from pitree.ui.command_host import CommandHost
from pitree.ui.commands import BY_ID, COMMANDS, bindings_for, groups, key_name, key_table, keys_of

FORBIDDEN = re.compile(r"ctrl\+[imhj]$|ctrl\+\[|ctrl\+left_square_bracket|alt\+[a-z]$|ctrl\+shift\+[a-z]$")
BUSY = Situation(entries=5, search=True, hits=2, compactions=1, branches=1, drafts=2)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_says_what_it_is(command: type[Command]) -> None:
    assert command.id == command.id.lower()
    assert command.name
    assert command.help.endswith(".")
    assert command.keys
    assert command.scope in SCOPES
    assert not any(FORBIDDEN.match(key) for key in command.keys)


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(COMMANDS)


@pytest.mark.parametrize("scope", [OUTLINE, LINES])
def test_no_key_is_taken_twice_where_it_works(scope: str) -> None:
    here = [command for command in COMMANDS if command.scope == scope]
    for one, other in combinations(here, 2):
        assert not set(one.keys) & set(other.keys), (one.id, other.id)
    everywhere = {key for command in COMMANDS if command.scope == SESSION for key in command.keys}
    own = {key for command in here for key in command.keys}
    assert not everywhere & own


def test_escape_is_back_and_never_quits() -> None:
    assert [command.id for command in COMMANDS if "escape" in command.keys] == ["back"]


def test_bindings_carry_id_group_and_tooltip() -> None:
    bindings = {binding.key: binding for binding in bindings_for(SESSION)}
    lens = bindings["c"]
    assert (lens.id, lens.action) == ("compaction_lens", "screen.command('compaction_lens')")
    assert lens.group is not None
    assert lens.group.description == "Look"
    assert lens.tooltip == BY_ID["compaction_lens"].help
    assert not any(binding.priority for binding in bindings.values())


def test_reasons() -> None:
    assert BY_ID["search"].when(Situation()) == "The session has no entries."
    assert BY_ID["next_hit"].when(replace(BUSY, search=False)) == "There is no search; / starts one."
    assert BY_ID["next_hit"].when(replace(BUSY, hits=0)) == "The search found nothing."
    assert BY_ID["fork"].when(replace(BUSY, branches=0)) == "No entry has two branches."
    assert BY_ID["compaction_lens"].when(replace(BUSY, no_plan="The leaf is a compaction.")) is not None
    assert BY_ID["compaction_lens"].when(replace(BUSY, no_plan="No.", lens="compaction")) is None
    assert all(command.when(BUSY) is None for command in COMMANDS)


def test_keys_are_readable_and_can_be_moved() -> None:
    assert key_name("ctrl+left") == "ctrl+←"
    assert key_name("+") == "+"
    assert keys_of(BY_ID["copy"]) == ("y", "ctrl+x")
    assert keys_of(BY_ID["copy"], {"copy": "w,f5"}) == ("w", "f5")


def test_the_key_table_lists_everything() -> None:
    table = key_table()
    assert all(f"| {command.name} |" in table for command in COMMANDS)
    assert all(f"**{group}**" in table for group in groups())


class Acting(CommandHost, Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = list(bindings_for(SESSION))

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.now = BUSY

    def situation(self) -> Situation:
        return self.now

    def do_search(self) -> None:
        self.done.append("search")

    async def do_copy(self) -> None:
        self.done.append("copy")


class Acts(App[None]):
    def get_default_screen(self) -> Acting:
        return Acting()


async def test_a_key_does_its_command_or_says_why_not() -> None:
    app = Acts()
    async with app.run_test() as pilot:
        screen = app.screen
        assert isinstance(screen, Acting)
        await pilot.press("/", "y")
        assert screen.done == ["search", "copy"]
        screen.now = replace(BUSY, no_plan="Nothing [b]to[/b] [/oops] do.")
        await pilot.press("c")
        assert [toast.message for toast in app._notifications] == ["Compaction lens: Nothing [b]to[/b] [/oops] do."]


async def test_keys_can_be_rebound() -> None:
    app = Acts()
    async with app.run_test() as pilot:
        app.set_keymap({"search": "f5"})
        await pilot.press("f5")
        screen = app.screen
        assert isinstance(screen, Acting)
        assert screen.done == ["search"]
