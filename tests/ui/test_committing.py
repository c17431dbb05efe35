"""Committing on the session screen: to this file, a copy or a fork, what speaks against it, and what is there then."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitree.store.commit import Written
from pitree.store.write_errors import write_error
from pitree.ui.screens.commit import CommitScreen
from tests.scenes import MS
from tests.ui.bench import Bench, bench_in, rest, said, said_after
from tests.ui.playing import NARROW, WIDE, Played, demo, playing

LINE_HEAD = b'{"type":"compaction","id":"0badcafe","parentId":"00000008","timestamp":"2026-09-21T14:13:20.000Z",'
FILES_TAG = "\n\n<read-files>\nreports/export.py\n</read-files>"
WAIT = "import sys; print('ready', flush=True); sys.stdin.read()"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_in(tmp_path)


def commit_screen(played: Played) -> CommitScreen:
    screen = played.app.screen
    assert isinstance(screen, CommitScreen)
    return screen


def blocking(played: Played) -> list[str]:
    return [check.message for check in commit_screen(played).choice.checks if check.blocks]


def warnings(played: Played) -> list[str]:
    return [check.message for check in commit_screen(played).choice.checks if not check.blocks]


def where(played: Played) -> str:
    return commit_screen(played).choice.destination.where


@contextmanager
def pi_in(folder: Path) -> Iterator[int]:
    """A process that looks like pi, in a folder."""
    with subprocess.Popen(
        ["pi", "-c", WAIT], executable=sys.executable, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process.pid


# This file


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_commit_appends_one_line_and_the_outline_shows_it_as_leaf(bench: Bench, size: tuple[int, int]) -> None:
    old = bench.path.read_bytes()
    async with playing(bench.opening, size, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "w")
        assert (where(played), blocking(played), warnings(played)) == ("file", [], [])
        line = commit_screen(played).choice.offer.line
        await played.press("enter")
        await rest(played)
        new = bench.path.read_bytes()
        assert new == old + line.encode() + b"\n"
        assert new[len(old) :].startswith(LINE_HEAD)
        entry = bench.entries[-1]
        assert entry["summary"].startswith("Mine ## Goal\n")
        assert entry["summary"].endswith(FILES_TAG)
        assert entry["firstKeptEntryId"] == "00000004"
        assert entry["details"] == {"readFiles": ["reports/export.py"], "modifiedFiles": []}
        assert played.notices()[-1] == f"Committed 0badcafe. Go on with: pi --session {bench.path}"
        assert (played.at, played.view.lens) == ("0badcafe", "structure")
        assert played.marks() == {
            **dict.fromkeys(("00000001", "00000002", "00000003"), "gone"),
            **dict.fromkeys((f"0000000{number}" for number in range(4, 9)), "path"),
            "0badcafe": "path",
        }
        assert "● leaf" in "\n".join(played.lines())
        assert played.view.session.name is None
        assert played.view.settings.keep_recent_tokens == 500
    assert bench.kept_drafts == []


async def test_a_draft_that_nobody_has_edited_can_be_committed_from_anywhere(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "enter")
        await rest(played)
        assert bench.entries[-1]["summary"].startswith("## Goal\n- The monthly report")
        assert played.screen.desk is not None
        assert played.screen.desk.drafts == []
        assert await said_after(played, "c", "w") == [
            "Compaction lens: The leaf is a compaction, and nothing has come after it.",
            "Commit: There is no draft; c shows what would be summarized, and makes one.",
        ]
    assert not (bench.home / ".local").exists()


async def test_the_context_afterwards_is_what_the_pane_showed(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "4")
        rows = played.rows(played.screen.pane.context)
        end = next(at for at, row in enumerate(rows) if row.startswith("context now"))
        shown = [row.replace(" new summary ", " ") for row in rows[1:end]]
        await played.press("w", "enter")
        await rest(played)
        await played.press("4")
        assert played.rows(played.screen.pane.context)[1:] == shown


async def test_leaving_the_commit_screen_writes_nothing(bench: Bench) -> None:
    old = bench.path.read_bytes()
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "escape", "w", "q")
        assert played.view.lens == "compaction"
        assert played.screen.desk is not None
        assert len(played.screen.desk.drafts) == 1
    assert bench.path.read_bytes() == old


async def test_a_file_without_a_last_newline_gets_one_first(bench: Bench) -> None:
    old = bench.path.read_bytes().rstrip(b"\n")
    bench.write(old)
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "enter")
        await rest(played)
    assert bench.path.read_bytes().startswith(old + b"\n" + LINE_HEAD)


async def test_a_commit_goes_under_a_draft_with_a_cut_by_hand(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "down", "C", "w")
        facts = {fact.name: fact.value for fact in commit_screen(played).choice.offer.facts}
        assert facts["first kept"] == "00000005"
        await played.press("enter")
        await rest(played)
    assert bench.entries[-1]["firstKeptEntryId"] == "00000005"


async def test_a_draft_with_its_own_cut_is_committed_with_that_cut(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "escape", "down", "C", "w", "enter")
        await rest(played)
    assert (bench.entries[-1]["firstKeptEntryId"], bench.entries[-1]["summary"][:7]) == ("00000004", "Mine ##")


async def test_what_stands_in_the_field_is_what_is_committed(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "tab", "w", "enter")
        await rest(played)
    assert bench.entries[-1]["summary"].startswith("Mine ## Goal")


# A copy and a fork


async def test_a_copy_is_the_same_bytes_and_the_new_line(bench: Bench) -> None:
    old = bench.path.read_bytes()
    copy = bench.project / f"{bench.path.stem}-compacted.jsonl"
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "w", "2")
        assert commit_screen(played).choice.path == str(copy)
        line = commit_screen(played).choice.offer.line
        await played.press("enter")
        await rest(played)
        assert f"Committed 0badcafe. Go on with: pi --session {copy}" in played.notices()
        assert (played.view.path_name, played.at) == (str(copy), "0badcafe")
    assert copy.read_bytes() == old + line.encode() + b"\n"
    assert bench.path.read_bytes() == old
    assert [draft["text"][:7] for draft in bench.kept_drafts] == ["Mine ##"]


async def test_the_path_of_a_copy_can_be_typed_and_is_checked(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "2", "e")
        commit_screen(played).field.value = str(bench.path)
        await played.press("enter")
        await rest(played)
        assert blocking(played) != []
        await played.press("enter")
        await rest(played)
        assert isinstance(played.app.screen, CommitScreen)
        await played.press("e")
        commit_screen(played).field.value = str(bench.project / "mine.jsonl")
        await played.press("enter", "enter")
        await rest(played)
        assert played.view.path_name == str(bench.project / "mine.jsonl")


def values(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_a_fork_lies_beside_with_the_name_that_was_shown(bench: Bench) -> None:
    old = bench.path.read_bytes()
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "3")
        path = Path(commit_screen(played).choice.path)
        assert path.parent == bench.path.parent
        await played.press("enter")
        await rest(played)
        assert (played.view.path_name, played.at) == (str(path), "0badcafe")
        assert played.notices()[-1] == f"Committed 0badcafe. Go on with: pi --session {path}"[:300]
    assert path.name.startswith("2026-09-21T14-13-20-000Z_")
    header, *entries = values(path)
    assert header["parentSession"] == str(bench.path)
    assert header["id"] == path.stem.partition("_")[2]
    assert [entry["id"] for entry in entries] == [*(f"0000000{number}" for number in range(1, 9)), "0badcafe"]
    assert bench.path.read_bytes() == old


async def test_a_demo_goes_into_a_copy(bench: Bench) -> None:
    async with playing(demo("plain-cut"), WIDE, bench.environment) as played:
        await played.press("c", "w")
        assert where(played) == "copy"
        await played.press("1")
        assert blocking(played) == ["This session is built in and has no file: make a copy."]
        await played.press("2", "enter")
        await rest(played)
        assert played.view.path_name == str(bench.project / "demo-plain-cut-compacted.jsonl")
        assert played.at == "0badcafe"


# What speaks against it


async def test_a_pi_that_seems_to_be_open_makes_a_fork_the_default(bench: Bench) -> None:
    old = bench.path.read_bytes()
    with pi_in(bench.project) as number:
        async with playing(bench.opening, WIDE, bench.environment) as played:
            await played.press("c", "w")
            assert (where(played), warnings(played)) == ("fork", [])
            await played.press("1")
            assert warnings(played) == [
                f"A pi seems to be open there (process {number}): it would not see the new entry, and go on beside it. "
                "Close it, or make a fork or a copy."
            ]
            await played.press("3", "enter")
            await rest(played)
            assert Path(played.view.path_name).parent == bench.path.parent
            assert played.at == "0badcafe"
    assert bench.path.read_bytes() == old


async def test_a_warning_needs_enter_twice(bench: Bench) -> None:
    old = bench.path.read_bytes()
    os.utime(bench.path, ns=(MS * 1_000_000 - 3_000_000_000,) * 2)
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w")
        assert warnings(played) == ["The file was written 3 s ago: close what has it open before you go on."]
        await played.press("enter")
        await rest(played)
        assert bench.path.read_bytes() == old
        assert played.text_of("#commit-keys").startswith("enter again commits in spite of 1 warning")
        await played.press("escape", "enter")
        await rest(played)
        assert bench.path.read_bytes() == old
        await played.press("enter")
        await rest(played)
    assert bench.path.read_bytes()[len(old) :].startswith(LINE_HEAD)


def grown(bench: Bench) -> None:
    bench.grow(said("0000000a", "00000008"))


def deleted(bench: Bench) -> None:
    bench.path.unlink()


def rewritten(bench: Bench) -> None:
    bench.write(bench.path.read_bytes().replace(b"monthly", b"Monthly"))


CHANGES = {
    "grown": (grown, "is not what was read: read it again, and close the pi that has it open."),
    "rewritten": (rewritten, "is not what was read: read it again, and close the pi that has it open."),
    "deleted": (deleted, "is gone; it may have been moved or deleted."),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_file_that_is_not_what_was_read_is_not_written(bench: Bench, change: str) -> None:
    happens, why = CHANGES[change]
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c")
        happens(bench)
        before = bench.path.read_bytes() if bench.path.exists() else None
        await played.press("w")
        assert blocking(played) == [f"{bench.path} {why}"]
        await played.press("enter")
        await rest(played)
        assert isinstance(played.app.screen, CommitScreen)
        assert played.notices()[-1] == f"{bench.path} {why}"
    assert (bench.path.read_bytes() if bench.path.exists() else None) == before


LATE = {
    "grown": (grown, "has appended 1 line(s)"),
    "deleted": (deleted, f"{CHANGES['deleted'][1]}"),
}


@pytest.mark.parametrize("change", LATE)
async def test_what_happens_while_the_screen_is_up_is_seen_by_the_writer_and_the_draft_stays(
    bench: Bench, change: str
) -> None:
    happens, why = LATE[change]
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "w")
        happens(bench)
        before = bench.path.read_bytes() if bench.path.exists() else None
        await played.press("enter")
        await rest(played)
        assert not isinstance(played.app.screen, CommitScreen)
        assert str(bench.path) in played.notices()[-1]
        assert why in played.notices()[-1], played.notices()
        assert played.screen.desk is not None
        assert played.screen.desk.draft is not None
        assert played.screen.desk.draft.text.startswith("Mine ## Goal")
        assert played.view.lens == "compaction"
    assert (bench.path.read_bytes() if bench.path.exists() else None) == before
    assert [draft["text"][:7] for draft in bench.kept_drafts] == ["Mine ##"]


async def test_two_screens_cannot_both_commit(bench: Bench) -> None:
    old = bench.path.read_bytes()
    async with playing(bench.opening, WIDE, bench.environment) as one:
        await one.press("c", "w")
        async with playing(bench.opening, WIDE, bench.environment) as two:
            await two.press("c", "w", "enter")
            await rest(two)
        first = bench.path.read_bytes()
        await one.press("enter")
        await rest(one)
        assert "appended" in one.notices()[-1]
    assert bench.path.read_bytes() == first
    assert first.startswith(old)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_file_that_may_not_be_written_is_said(bench: Bench) -> None:
    bench.path.chmod(0o400)
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w")
        assert blocking(played) == [
            f"{bench.path} may not be written: change its permissions, or write to another file."
        ]


@pytest.mark.parametrize("place", ["1", "2", "3"])
async def test_a_write_that_fails_is_said_and_the_draft_stays(
    bench: Bench, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = bench.path.read_bytes()

    def read_only(*_given: object) -> Written:
        raise write_error(bench.path.parent, OSError(errno.EROFS, os.strerror(errno.EROFS)))

    monkeypatch.setattr("pitree.ui.committing.disk.commit", read_only)
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "w", place, "enter")
        await rest(played)
        why = "lies on a file system that is read-only; write to another file."
        assert played.notices()[-1] == f"{bench.path.parent} {why}"
        assert played.screen.desk is not None
        assert [draft.text[:7] for draft in played.screen.desk.drafts] == ["Mine ##"]
    assert (bench.path.read_bytes(), len(bench.kept_drafts)) == (old, 1)


async def test_a_folder_that_cannot_take_a_copy_is_said_and_nothing_is_left(bench: Bench) -> None:
    (bench.project / "no folder").write_text("")
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w", "2", "e")
        commit_screen(played).field.value = str(bench.project / "no folder" / "copy.jsonl")
        await played.press("enter", "enter")
        await rest(played)
        if isinstance(played.app.screen, CommitScreen):
            assert len(blocking(played)) == 1
        assert str(bench.project / "no folder") in played.notices()[-1]
        assert played.screen.desk is not None
        assert len(played.screen.desk.drafts) == 1
    assert [path.name for path in bench.project.iterdir()] == ["no folder"]


@pytest.mark.parametrize("version", [1, 2])
async def test_an_older_version_is_never_written_and_goes_into_a_copy(bench: Bench, version: int) -> None:
    bench.write(bench.path.read_bytes().replace(b'"version":3', f'"version":{version}'.encode(), 1))
    old = bench.path.read_bytes()
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "w")
        assert (where(played), blocking(played)) == ("copy", [])
        await played.press("1")
        assert blocking(played) == [
            f"The file is of version {version}, which pi rewrites when it opens it, and pitree never does: "
            "make a copy, which is written in version 3."
        ]
        await played.press("enter")
        await rest(played)
        assert bench.path.read_bytes() == old
        await played.press("2", "enter")
        await rest(played)
        assert played.view.session.version == 3
        assert played.at == "0badcafe"
    assert bench.path.read_bytes() == old


async def test_as_of_an_earlier_entry_nothing_can_be_committed(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "end", "up", ".")
        assert played.screen.desk is not None
        assert played.screen.desk.draft is not None
        assert await said_after(played, "w") == [
            "Commit: The session is seen as of an earlier entry; . goes back to its end."
        ]
        await played.press(".", "w")
        assert isinstance(played.app.screen, CommitScreen)


async def test_without_a_draft_there_is_nothing_to_commit(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        assert await said_after(played, "w") == [
            "Commit: There is no draft; c shows what would be summarized, and makes one."
        ]


async def test_an_empty_draft_is_blocked(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", "ctrl+a", "backspace")
        played.screen.pane.draft.editor.clear()
        await played.press("ctrl+s", "w")
        assert blocking(played) == ["The draft is empty: write something, or take another draft."]
