"""Opening: broken files say one clear sentence, odd ones open, and the list of sessions leads to each of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitree.lessons.demos import DEMOS
from pitree.store.locations import Environment
from pitree.ui.screens.sessions import SessionsScreen
from tests.ui.playing import NOWHERE, Played, playing

HEADER = '{"type":"session","version":3,"id":"5e55","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/src/reports"}\n'
LABEL = (
    '{"type":"label","id":"0001","parentId":null,"targetId":"none","label":"x","timestamp":"2026-03-02T09:00:00Z"}\n'
)


def waiting(played: Played) -> str:
    return str(played.screen.waiting.render()).split("\n")[0]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("missing", None, "{path} cannot be read: No such file or directory."),
        ("json", b'{"hello": 1}\n', "{path}: "),
        ("bom", b"\xef\xbb\xbf" + HEADER.encode(), "{path}: "),
        ("binary", bytes(range(256)) * 4, "{path}: "),
    ],
)
async def test_a_broken_file_says_one_sentence_and_o_still_works(
    tmp_path: Path, name: str, data: bytes | None, sentence: str
) -> None:
    path = tmp_path / f"{name}.jsonl"
    if data is not None:
        path.write_bytes(data)
    async with playing(path) as played:
        said = waiting(played)
        assert said.startswith(sentence.format(path=path))
        assert said.endswith(".")
        assert "o chooses another session" in str(played.screen.waiting.render())
        await played.press("c", "1", "tab", "escape")
        assert set(played.notices()) <= {
            f"{name}: No session is open yet." for name in ("Compaction lens", "Plan pane", "Outline or pane")
        }
        await played.press("o", "down", "enter")
        assert played.view.session.count == 8
        assert not played.screen.has_class("-waiting")
    assert path.exists() == (data is not None)


async def test_a_folder_is_no_session(tmp_path: Path) -> None:
    async with playing(tmp_path) as played:
        assert waiting(played) == f"{tmp_path} is a folder; name a session file in it."


async def test_a_session_without_entries_opens_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "header.jsonl"
    path.write_text(HEADER)
    async with playing(path) as played:
        assert (played.rows(), played.at) == ([], None)
        await played.press("c")
        assert played.notices() == ["Compaction lens: The session has no entries."]


async def test_an_empty_file_opens_with_its_problem(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    async with playing(path) as played:
        assert (played.rows(), played.at) == ([], None)
        assert "‼ 1 problem · !" in played.text_of("#head")
    assert path.read_bytes() == b""


async def test_a_lone_label_is_a_session(tmp_path: Path) -> None:
    path = tmp_path / "label.jsonl"
    path.write_text(HEADER + LABEL)
    async with playing(path) as played:
        assert played.at == "0001"
        assert played.rows() == ["label x on none"]


async def test_another_session_takes_the_place_of_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("no")
    async with playing(path) as played:
        await played.press("o", *["down"] * 5, "enter")
        assert played.text_of("#banner").startswith("◷ seen as of dddddddd")
        await played.press("o", "escape")
        assert played.facts()[""] == "From dddddddd (as of there) to ffffffff"
        await played.press("o", "down", "enter")
        assert not played.screen.banner.display
        assert (played.focus, played.at) == ("outline", "00000008")


def session_file(folder: Path, number: int, cwd: str, *more: object) -> Path:
    """A session as pi names it; its first message says its number."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"2026-03-0{number}T09-00-00-000Z_5e5500{number}.jsonl"
    header = json.loads(HEADER) | {"id": f"5e5500{number}", "cwd": cwd}
    message = {"role": "user", "content": f"Message {number} of {cwd}", "timestamp": 1772442000000}
    entry = {"type": "message", "id": f"aa{number}", "parentId": None, "timestamp": HEADER[58:82], "message": message}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, entry, *more)))
    return path


@pytest.fixture
def agent(tmp_path: Path) -> Environment:
    """An agent folder with two sessions of this project, one of another, and a broken file."""
    sessions = tmp_path / "agent" / "sessions"
    session_file(sessions / "--src-here--", 1, "/src/here")
    session_file(sessions / "--src-here--", 2, "/src/here")
    session_file(sessions / "--src-there--", 3, "/src/there")
    return Environment({"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}, tmp_path, Path("/src/here"))


def listed(played: Played) -> list[str]:
    screen = played.app.screen
    assert isinstance(screen, SessionsScreen)
    return [row for row in played.rows(screen.list) if "Message" in row]


async def test_the_list_shows_this_project_then_all_and_opens_one(agent: Environment) -> None:
    async with playing(None, environment=agent) as played:
        screen = played.app.screen
        assert isinstance(screen, SessionsScreen)
        assert str(screen.list.border_title) == "Sessions of this project · 2"
        assert {row.split("Message ")[1][:14] for row in listed(played)} == {"1 of /src/here", "2 of /src/here"}
        assert len(screen.choices) == 2 + len(DEMOS)
        await played.press("tab")
        assert str(screen.list.border_title) == "Sessions of all projects · 3"
        assert len(listed(played)) == 3
        there = next(n for n, row in enumerate(played.rows(screen.list)) if "/src/there" in row)
        await played.press(*["down"] * there)
        assert "/src/there" in played.text_of("#about")
        await played.press("enter")
        assert played.rows() == ["user Message 3 of /src/there 6"]


async def test_leaving_the_list_without_a_session_ends_the_program() -> None:
    async with playing(None, environment=NOWHERE) as played:
        await played.press("escape")
        await played.pilot.pause()
    assert played.app.return_code == 0
