"""Nothing that stands in a session file reaches the terminal as anything but visible text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.hostile import CLIPBOARD, MARKER, TEXT, hostile_lines, write_hostile
from tests.ui.playing import NARROW, WIDE, Played, playing
from tests.ui.terminal import SEQUENCE, Terminal, visible

ACTING = re.compile(
    "[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
"""Characters that no program should write; what moves the cursor in plain text is left to the terminal's own driver."""
ALLOWED = re.compile(
    rb"\x1b(?:\[[0-9;:]*[mHJKCD]|\[[?>=<][0-9;]*[hlumpn]|\[[0-9;?>]*\$p|\[[0-9]*[ ]q|[78=>]|\]22;[a-z-]*\x07)"
)
"""Sequences by which Textual colors, moves the cursor, and sets and asks for modes."""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.jsonl"
    write_hostile(path)
    return path


def check(written: bytes) -> None:
    """No planted sequence, nothing invisible, and no sequence but those that the interface needs."""
    others = {sequence for sequence in SEQUENCE.findall(written) if not ALLOWED.fullmatch(sequence)}
    assert others == set()
    text = visible(written)
    assert "\x1b" not in text
    assert ACTING.findall(text) == []
    for plant in (b"\x1b[38;2;1;2;3m", b"\x1b]52", b"\x1b]0", b"\x1b]8", b"\x1bP", b"\x1b[6n", b"\xc2\x9b"):
        assert plant not in written


def test_the_file_holds_what_it_should(hostile: Path) -> None:
    data = hostile.read_bytes()
    assert data.count(MARKER.encode()) > 100
    assert b"\\u001b]52;c;" + CLIPBOARD.encode() in data
    assert data.count(b"\n") == len(list(hostile_lines()))


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["wide", "narrow"])
def test_no_byte_of_a_hostile_session_acts_on_the_terminal(
    hostile: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    environment = {"HOME": str(tmp_path), "PI_CODING_AGENT_DIR": str(tmp_path / "agent")}
    with Terminal([str(hostile), "--keep-recent", "40"], environment, size) as terminal:
        shown = terminal.wait_for("● leaf")
        shown += terminal.type(b"c", "firstKeptEntryId id")
        terminal.type(b"c", "● leaf")
        terminal.type(b"\x01", "thinking_level")
        shown += terminal.type(b"g2", "system · id 0")
        if size[0] < 100:
            terminal.type(b"\x1b", "❯░ system")
        else:
            for number, kind in enumerate(("user", "user", "assistant", "toolResult", "toolResult", "bash"), 1):
                shown += terminal.type(b"j", f" {kind} · id {number} ")
            terminal.type(b"g", "❯░ system")
        terminal.type(b"j", "❯░ user")
        shown += terminal.type(b"j", "❯░ ├─ user")
        shown += terminal.type(b"\r", "◆ ancestor")
        shown += terminal.type(b"1", "editor gets")
        terminal.type(b"/", "search in everything")
        terminal.type(b"[/b]", "\n [/b]\n")
        shown += terminal.type(b"\r", " found")
        shown += terminal.type(b"?", "What can be done")
        assert terminal.end() == 0
        check(terminal.written)
    assert "id 2" in shown
    for mark in ("␛[38;2;1;2;3m", "␛]52;c;"):
        assert mark in shown
    # On a narrow screen the beginnings of the texts are all that shows.
    for mark in ("‹202E›", "[/b]", "◌", "[@click=app.quit]x"):
        assert size[0] < 100 or mark in shown


def test_the_list_of_sessions_and_broken_files_are_no_way_through_either(hostile: Path, tmp_path: Path) -> None:
    folder = tmp_path / "agent" / "sessions" / "--\x1b]0;owned\x07--"
    folder.mkdir(parents=True)
    hostile.rename(folder / "2026-03-01T09-00-00-000Z_\x1b[38;2;1;2;3m.jsonl")
    environment = {"HOME": str(tmp_path), "PI_CODING_AGENT_DIR": str(tmp_path / "agent")}
    broken = tmp_path / "broken\x1b]52;c;x\x07\u202e.jsonl"
    broken.write_bytes(TEXT.encode("utf-8", "replace"))
    with Terminal([str(broken)], environment, (120, 40)) as terminal:
        terminal.wait_for("o chooses another session")
        terminal.type(b"o", "Two branches")
        shown = terminal.type(b"\t", MARKER)
        shown += terminal.type(b"\r", "Outline")
        assert terminal.end() == 0
        check(terminal.written)
    assert "␛" in shown


async def shown_everywhere(played: Played) -> None:
    """Look at every entry in both panes, target it, and look as of it."""
    await played.press("ctrl+a", "home", "2")
    for _ in range(len(played.rows())):
        await played.press("down")
        for line in [*played.lines(), *_entry_lines(played)]:
            assert not ACTING.search(line)
            assert "\x1b" not in line


def _entry_lines(played: Played) -> list[str]:
    entry = played.screen.pane.entry
    return [entry.render_line(y).text for y in range(entry.size.height)]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_every_entry_shows_as_marks(hostile: Path, size: tuple[int, int]) -> None:
    async with playing(hostile, size) as played:
        await shown_everywhere(played)


async def test_whatever_is_said_about_a_hostile_entry_is_plain_text(hostile: Path) -> None:
    async with playing(hostile) as played:
        await played.press("ctrl+a", "home", "c")
        for _ in range(len(played.rows())):
            await played.press("enter", ".", ".", "down")
        shown = [*played.notices(), played.text_of("#head"), str(played.screen.outline.border_title)]
        shown += [fact.value for fact in played.screen.pane.facts.facts]
        assert not [text for text in shown if ACTING.search(text) or "\x1b" in text]


async def test_what_no_encoding_takes_is_copied_as_a_question_mark(hostile: Path) -> None:
    async with playing(hostile) as played:
        await played.press("home", "down", "y")
        assert "\U000103ffZ?" in played.app.clipboard
