"""Every demo opens, and the screen shows the very plan that `pitree inspect` prints."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pitree.cli.root import root
from pitree.lessons.demos import DEMOS
from tests.ui.playing import NARROW, WIDE, demo, playing, send_key

CUTS = {
    "rich": "118ecb79",
    "plain-cut": "00000004",
    "after-compaction": None,
    "split-turn": "00000007",
    "repeated": "0000000e",
    "branch": "cccccccc",
    "branch-user": "cccccccc",
}
KEPT = {
    "rich": "19,673",
    "plain-cut": "500",
    "split-turn": "200",
    "repeated": "200",
    "branch": "200",
    "branch-user": "200",
}


def test_every_demo_is_here() -> None:
    assert set(CUTS) == set(DEMOS)


@pytest.mark.parametrize("name", CUTS)
def test_inspect_says_the_same(name: str) -> None:
    printed = CliRunner().invoke(root, ["inspect", "--demo", name, "--json"])
    plan = json.loads(printed.stdout)["compaction"]
    assert (plan and plan["firstKeptEntryId"]) == CUTS[name]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", [name for name, cut in CUTS.items() if cut])
async def test_c_shows_the_cut(name: str, size: tuple[int, int]) -> None:
    async with playing(demo(name), size) as played:
        await played.press("c")
        assert played.at == CUTS[name]
        words = f"firstKeptEntryId {CUTS[name]} · keeps est {KEPT[name]}"
        drawn = [line for line in played.lines() if "✂" in line]
        assert len(drawn) == 1
        assert words in drawn[0]
        below = played.lines()[played.lines().index(drawn[0]) + 1]
        assert below.startswith("❯█")
        assert "» first kept" in below
        assert played.facts()["first kept"].startswith(f"{CUTS[name]} · ")
        await played.press("c")
        assert not [line for line in played.lines() if "✂" in line]


async def test_a_split_turn_shows_where_it_starts() -> None:
    async with playing(demo("split-turn")) as played:
        await played.press("c")
        assert [line.split()[0] for line in played.lines()[:10]] == ["↦", *"▓▓▓▓▓▓", "✂", "❯█", "█"]
        assert "the turn that is split starts here · prefix est 600" in played.lines()[0]
        assert played.facts()["turn prefix"] == "6 messages est 600"
        assert played.facts()["summarize"] == "0 messages est 0"
        assert played.facts()["turn starts"].startswith("00000001 · user The monthly report")


async def test_a_second_compaction_starts_at_what_the_first_one_kept() -> None:
    async with playing(demo("repeated")) as played:
        await played.press("c")
        marks = played.marks()
        assert [marks[f"0000000{n:x}"] for n in range(1, 16)] == (
            ["gone"] * 3 + ["summarized"] * 6 + ["gone"] + ["summarized"] * 3 + ["kept"] * 2
        )
        assert played.facts()["before this"] == "carries on the summary of 0000000a"


async def test_after_a_compaction_there_is_no_plan_and_c_says_why() -> None:
    async with playing(demo("after-compaction")) as played:
        await played.press("c")
        assert played.notices() == ["Compaction lens: The leaf is a compaction, and nothing has come after it."]
        assert played.facts()[""] == "No compaction at the leaf"
        assert played.facts()["why"] == "The leaf is a compaction, and nothing has come after it."
        assert not played.screen.pane.walk.display


async def test_leaving_d_for_f_meets_at_a_and_leaves_b_c_d() -> None:
    async with playing(demo("branch")) as played:
        assert played.marks() == {
            "aaaaaaaa": "ancestor",
            "bbbbbbbb": "left",
            "cccccccc": "left",
            "dddddddd": "left",
            "eeeeeeee": "target_path",
            "ffffffff": "target",
        }
        facts = played.facts()
        assert facts[""] == "From dddddddd (as of there) to ffffffff"
        assert facts["ancestor"].startswith("aaaaaaaa · user The report takes 40 seconds")
        assert (facts["left branch"], facts["sent"]) == ("3 entries", "3 messages est 300")
        assert facts["new leaf"].startswith("ffffffff · assistant One joined query")
        assert "editor gets" not in facts
        assert "◆ ancestor" in played.lines()[0]
        assert "● leaf ▸ target ◎" in played.lines()[5]


async def test_a_user_message_as_target_goes_to_the_editor_and_its_parent_is_the_new_leaf() -> None:
    async with playing(demo("branch-user")) as played:
        facts = played.facts()
        assert facts["new leaf"].startswith("eeeeeeee · assistant Each row asks the database")
        assert facts["editor gets"] == (
            "Try it that way, and measure the time and the memory at the peak with the largest customer again."
        )
        assert "◎ new leaf" in played.lines()[4]
        assert "▸ target" in played.lines()[5]


@pytest.mark.parametrize("name", CUTS)
async def test_every_entry_of_every_demo_can_be_read(name: str) -> None:
    async with playing(demo(name)) as played:
        await played.press("2", "ctrl+a", "home")
        for _ in range(min(len(played.rows()), 40)):
            entry = played.screen.entry
            assert entry is not None
            text = played.entry_text()
            assert f"· line {played.view.session.line(entry)} ·" in text.splitlines()[0]
            assert "raw line, " in text
            await send_key(played.pilot, "down")
