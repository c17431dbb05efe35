"""The command itself: help, exit codes, and what a first word means."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from pitree.cli.exits import Blocked, Exit, Failed
from pitree.cli.options import plan_options
from pitree.cli.root import LOADERS, Root
from tests.cli.sessions import run, two_turns, write


def options_of(name: str) -> set[str]:
    command = LOADERS[name]()
    return {option for param in command.params for option in param.opts if option.startswith("--")}


def test_help_names_every_way_in() -> None:
    done = run("--help", columns=100)
    assert done.exit_code == 0
    for words in ("pitree FILE ", "pitree ID ", "pitree --continue ", "pitree --demo [NAME] ", "2 wrong usage"):
        assert words in done.output
    assert [line.split()[0] for line in done.output.partition("Commands:\n")[2].splitlines()] == sorted(LOADERS)


@pytest.mark.parametrize("name", LOADERS)
def test_every_command_has_help_and_the_common_options(name: str) -> None:
    done = run(name, "-h")
    assert done.exit_code == 0
    for option in ("--rules", "--window", "--reserve", "--keep-recent"):
        assert option in options_of(name)
        assert option in done.output
    assert all(isinstance(param, click.Argument) or param.help for param in LOADERS[name]().params)


def test_a_command_wins_over_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, two_turns(), "outline")
    assert run("outline").exit_code == Exit.USAGE
    assert run("outline", "outline", "--count").stdout.startswith("entries            5\n")


def opened(*arguments: str) -> list[str]:
    """What the command `open` gets when `pitree` is given arguments."""
    got: list[str] = []

    @click.command("open", context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def catch(words: tuple[str, ...]) -> None:
        got.extend(words)

    class Caught(Root):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            return catch if cmd_name == "open" else super().get_command(ctx, cmd_name)

    Caught("pitree").main([*arguments], standalone_mode=False)
    return got


@pytest.mark.parametrize("arguments", [(), ("--demo",), ("--continue",), ("./inspect",), ("4f64", "--rules", "1.6")])
def test_anything_else_opens(arguments: tuple[str, ...]) -> None:
    assert opened(*arguments) == [*arguments]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("inspect",), Exit.USAGE),
        (("outline",), Exit.USAGE),
        (("outline", "a", "b"), Exit.USAGE),
        (("outline", "a", "--demo", "rich"), Exit.USAGE),
        (("outline", "--demo", "nope"), Exit.USAGE),
        (("inspect", "--demo", "rich", "--window", "-1"), Exit.USAGE),
        (("inspect", "--demo", "rich", "--rules", "2.0"), Exit.USAGE),
        (("inspect", "nowhere.jsonl"), Exit.ERROR),
        (("inspect", "--json", "nowhere.jsonl"), Exit.ERROR),
        (("outline", "nowhere.jsonl"), Exit.ERROR),
        (("outline", "/"), Exit.ERROR),
        (("outline", "--demo", "rich", "--leaf", "nope"), Exit.ERROR),
        (("inspect", "--demo", "rich", "--leaf", "@99999"), Exit.ERROR),
        (("inspect", "--demo", "rich"), Exit.DONE),
        (("--version",), Exit.DONE),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: Exit) -> None:
    done = run(*arguments)
    assert done.exit_code == code
    if code is not Exit.DONE and "--json" not in arguments:
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) <= 4


def test_errors_are_one_safe_sentence() -> None:
    done = run("outline", "no\x1b]52;c;cGxhbnRlZA==\x07where.jsonl")
    assert done.stderr.startswith("pitree: There is no file ")
    assert "no␛]52;c;cGxhbnRlZA==␇where.jsonl" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_blocked_ends_with_three() -> None:
    assert (Failed("x").exit_code, Blocked("x").exit_code) == (1, 3)


def test_options_keep_their_order() -> None:
    @click.command()
    @plan_options
    def command(**_: object) -> None: ...

    assert [param.name for param in command.params] == ["rules", "window", "reserve", "keep_recent"]
