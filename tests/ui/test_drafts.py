"""Drafts on the session screen: extract, edit, stream, compare, and the panes that follow them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.widgets import OptionList

from pitree.context.sent import sent_rows
from pitree.planning.compaction import CompactionPlan
from pitree.planning.effects import context_after_compaction
from pitree.planning.summary_text import stored_summary
from pitree.store.locations import Environment
from pitree.summarize.requests import compaction_requests
from pitree.summarize.rulers import tiktoken_count
from pitree.ui.app import PitreeApp
from pitree.ui.screens.copy_as import CopyAsScreen
from pitree.ui.screens.instructions import InstructionsScreen
from tests.ui.bench import Bench, Gate, bench_in, draft_head, draft_lines, said, said_after, send_nothing, tap
from tests.ui.playing import NARROW, WIDE, Played, demo, playing, send_key
from tests.ui.terminal import Terminal

GOAL = (
    "The monthly report prints 03/04/2026 and our readers in Madrid take that for the third of April. "
    "It should be the fourth of March. Find out where dates are written. Do not change the database, "
    "and leave migrations/ alone."
)
EXTRACT = f"""## Goal
- {GOAL}

## Constraints & Preferences
- Do not change the database, and leave migrations/ alone.
- It should be the fourth of March.

## Progress
### In Progress
- [ ] I look at the exporter first, because the template only prints what it is given."""
FILES = "\n\n<read-files>\nreports/export.py\n</read-files>"
HEAD = "Draft 1 of 1 · extract · no model\n✓ complete · est 130 for est 300 (43 %) · ✓ fits"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return bench_in(tmp_path)


def text(played: Played) -> str:
    """The draft that is looked at."""
    desk = played.screen.desk
    assert desk is not None
    assert desk.draft is not None
    return desk.draft.text


def origins(played: Played) -> list[str]:
    desk = played.screen.desk
    assert desk is not None
    return [f"{draft.origin}{' edited' if draft.edited else ''}" for draft in desk.drafts]


# The extract


async def test_the_lens_makes_the_extract_at_once_and_the_pane_says_what_it_is() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c")
        assert text(played) == EXTRACT
        await played.press("3")
        assert draft_head(played) == HEAD
        assert draft_lines(played)[:2] == ["## Goal", GOAL]
        assert draft_lines(played)[-5:] == [
            "",
            "added at the commit, not edited here · 1 read, 0 modified",
            "<read-files>",
            "reports/export.py",
            "</read-files>",
        ]


async def test_the_pane_alone_makes_one_too_and_says_where_there_is_nothing_to_summarize() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("3")
        assert draft_head(played) == HEAD
    async with playing(demo("after-compaction")) as played:
        await played.press("3")
        assert draft_lines(played) == ["The leaf is a compaction, and nothing has come after it."]
        assert await said_after(played, "e", "w", "D") == [
            f"{name}: There is no draft; c shows what would be summarized, and makes one."
            for name in ("Edit the draft", "Commit", "Compare drafts")
        ]


async def test_what_if_makes_an_extract_of_the_other_plan() -> None:
    async with playing(demo("rich")) as played:
        await played.press("c", "3")
        first = text(played)
        await played.press("+", "+")
        assert origins(played) == ["extract"]
        assert played.screen.desk is not None
        assert played.screen.desk.draft is not None
        assert played.screen.desk.draft.cut_id == "a06c8e0c"
        assert text(played) != first
        assert "✓ fits" in draft_head(played)


# Editing in place


@pytest.mark.parametrize("key", ["ctrl+s", "escape"])
async def test_an_edit_in_place_is_kept_by_its_keys_and_comes_back(bench: Bench, key: str) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e")
        assert played.focus == "draft-editor"
        assert "✎ editing" in draft_head(played)
        await played.press(*"Q w?", key)
        assert played.focus == "draft-text"
        assert text(played) == f"Q w?{EXTRACT}"
        assert draft_head(played) == (
            "Draft 1 of 1 · extract · no model · ≠ edited\n✓ complete · est 131 for est 300 (44 %) · ✓ fits"
        )
        assert draft_lines(played)[0] == "Q w?## Goal"
    assert [(draft["text"], draft["edited"]) for draft in bench.kept_drafts] == [(f"Q w?{EXTRACT}", True)]
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("3")
        assert (text(played), origins(played)) == (f"Q w?{EXTRACT}", ["extract edited"])


async def test_an_edit_that_changes_nothing_leaves_the_draft_as_it_was(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", "escape")
        assert (draft_head(played), bench.kept_drafts) == (HEAD, [])


@pytest.mark.parametrize("key", ["ctrl+q", "q"])
async def test_quitting_in_the_middle_of_an_edit_keeps_the_text(bench: Bench, key: str) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ")
        if key == "q":
            await played.press("tab")
        await send_key(played.pilot, key)
    assert [draft["text"] for draft in bench.kept_drafts] == [f"Mine {EXTRACT}"]


@pytest.mark.parametrize("keys", [("d",), ("+",), ("i",), ("a",), ("c",), ("o",), ("w",), ("2",), ("escape",), (".",)])
async def test_a_command_from_elsewhere_keeps_what_stands_in_the_field(bench: Bench, keys: tuple[str, ...]) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "tab")
        assert played.focus == "outline"
        assert played.screen.pane.draft.is_editing
        await played.press("up", "down", *keys)
        assert not played.screen.pane.draft.is_editing
        assert [draft["text"] for draft in bench.kept_drafts] == [f"Mine {EXTRACT}"]
        assert played.view.lens == ("structure" if keys == ("c",) else "compaction")


async def test_looking_around_and_help_leave_the_field_open_and_e_goes_on() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "3", "e", *"Mine ", "tab", "up", "?", "escape")
        assert played.screen.pane.draft.is_editing
        await played.press("e", *"and ", "ctrl+s")
        assert text(played) == f"and Mine {EXTRACT}"


async def test_an_edit_is_of_the_draft_that_it_began_with(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ")
        assert played.view.plan is not None
        played.screen.show(played.view.but(cut_at=played.view.session.find("00000005")))
        await played.press("ctrl+s")
        assert text(played) == f"Mine {EXTRACT}"
        assert played.screen.desk is not None
        assert played.screen.desk.draft is not None
        assert played.screen.desk.draft.cut_id == "00000004"
        assert origins(played) == ["extract", "extract edited"]


@pytest.mark.parametrize("keys", [("e", "M"), ("s",), ("s", "D")])
async def test_a_resize_while_editing_or_comparing_changes_nothing(keys: tuple[str, ...]) -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "3", *keys, "tab", "tab")
        if keys[0] == "e":
            assert played.focus == "draft-editor"
        before = (draft_head(played), played.focus, text(played), played.screen.pane.draft.is_comparing)
        for size in (NARROW, (40, 10), WIDE, NARROW, WIDE):
            await played.resize(*size)
        assert (draft_head(played), played.focus, text(played), played.screen.pane.draft.is_comparing) == before
        if keys[0] == "e":
            await played.press("N", "escape")
            assert text(played) == f"MN{EXTRACT}"


# $EDITOR


def editor(folder: Path, code: str) -> str:
    script = folder / "editor.py"
    script.write_text(f"import sys\nfrom pathlib import Path\npath = Path(sys.argv[1])\n{code}\n")
    return f"{sys.executable} {script}"


@contextmanager
def _suspended(_app: PitreeApp) -> Iterator[None]:
    yield


async def test_the_persons_own_editor(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PitreeApp, "suspend", _suspended)
    command = editor(tmp_path, "path.write_text(path.read_text().replace('## Goal', '## Aim') + '\\n')")
    environment = Environment({"EDITOR": command}, bench.home, bench.project)
    async with playing(bench.opening, WIDE, environment) as played:
        await played.press("c", "E")
        assert (text(played), origins(played)) == (EXTRACT.replace("## Goal", "## Aim"), ["extract edited"])
        assert draft_lines(played)[0] == "## Aim"
        await played.press("E")
        assert len(bench.kept_drafts) == 1


async def test_an_editor_that_fails_or_is_not_set_is_said(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PitreeApp, "suspend", _suspended)
    environment = Environment({"EDITOR": editor(tmp_path, "sys.exit(3)")}, bench.home, bench.project)
    async with playing(bench.opening, WIDE, environment) as played:
        await played.press("c", "E")
        assert played.notices() == [f"The editor {sys.executable} ended with code 3: the draft is as it was."]
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "E")
        assert played.notices() == ["No editor is set: set $VISUAL or $EDITOR, or edit with e."]
        assert text(played) == EXTRACT


def test_the_terminal_is_given_to_the_editor_and_taken_back(bench: Bench, tmp_path: Path) -> None:
    command = editor(tmp_path, "print('I am the editor', flush=True)\npath.write_text('## Goal\\nFrom outside')")
    environment = {"HOME": str(bench.home), "EDITOR": command}
    with Terminal([str(bench.path), "--keep-recent", "500"], environment, WIDE) as terminal:
        terminal.wait_for("● leaf")
        terminal.type(b"c", "firstKeptEntryId")
        terminal.type(b"3", "extract · no model")
        terminal.type(b"E", "From outside")
        assert terminal.end() == 0
        assert b"I am the editor" in terminal.written
    assert [draft["text"] for draft in bench.kept_drafts] == ["## Goal\nFrom outside"]


# Streaming


RECORDED = "## Goal\nFind out where the monthly report writes dates: 03/04/2026 should be read as the fourth of March."


async def test_a_recorded_summary_arrives_beside_the_extract() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "s")
        assert origins(played) == ["extract", "recorded"]
        assert text(played).startswith(RECORDED)
        assert text(played).endswith("## Critical Context\n- (none)")
        assert draft_head(played) == (
            "Draft 2 of 2 · recorded · no model\n✓ complete · est 143 for est 300 (48 %) · ✓ fits\n"
            "used input 654 · output 131 · $0.0039"
        )
        assert draft_lines(played)[:2] == RECORDED.split("\n")
        assert not played.screen.streaming


async def test_a_split_turn_streams_both_parts() -> None:
    async with playing(demo("rich")) as played:
        await played.press("c", "s")
        assert "## Goal\nProtect shortlinks" in text(played)
        assert "\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\n" in text(played)
        assert "✓ complete" in draft_head(played)


async def test_escape_in_the_middle_stops_and_what_has_come_is_marked() -> None:
    gate = Gate(4)
    async with playing(demo("plain-cut"), pause=gate) as played:
        await played.press("c")
        await send_key(played.pilot, "s")
        await gate.reached.wait()
        await send_nothing(played)
        assert text(played) == "## Goal\nFind out"
        assert draft_head(played).startswith("Draft 2 of 2 · recorded · no model\n… Recorded history · est ")
        assert draft_lines(played) == ["## Goal", "Find out"]
        await played.press("escape")
        assert text(played) == "## Goal\nFind out"
        assert draft_head(played).startswith("Draft 2 of 2 · recorded · no model\n‼ not complete: stopped · est ")
        assert played.view.lens == "compaction"
        await played.press("w")
        checks = [check.kind for check in played.app.screen.choice.checks if check.blocks]  # type: ignore[attr-defined]
        assert "incomplete" in checks
        await played.press("enter")
        assert played.notices()[-1].startswith("The draft is not complete (stopped)")


async def test_while_it_streams_other_work_on_drafts_waits() -> None:
    gate = Gate(4)
    async with playing(demo("plain-cut"), pause=gate) as played:
        await played.press("c")
        await send_key(played.pilot, "s")
        await gate.reached.wait()
        assert await said_after(played, *"seEdDw") == [
            f"{name}: A draft is being written; esc stops it."
            for name in (
                "Stream a draft",
                "Edit the draft",
                "Edit in $EDITOR",
                "Next draft",
                "Compare drafts",
                "Commit",
            )
        ]
        await tap(played, "4", "5", "3", "down", "+", "-", "2", "3")
        assert played.screen.streaming
        assert draft_lines(played)[:2] == ["## Goal", "Find out"]
        await played.pilot.resize_terminal(*NARROW)
        await send_nothing(played)
        await played.pilot.resize_terminal(*WIDE)
        await send_nothing(played)
        gate.open()
        await played.press("3")
        assert text(played).startswith(RECORDED)
        assert draft_lines(played)[:2] == RECORDED.split("\n")
        assert "✓ complete" in draft_head(played)


async def test_another_session_stops_the_stream_and_gets_nothing_of_it() -> None:
    gate = Gate(4)
    async with playing(demo("plain-cut"), pause=gate) as played:
        await played.press("c")
        await send_key(played.pilot, "s")
        await gate.reached.wait()
        await tap(played, "o")
        assert played.screen.streaming
        played.app.screen.dismiss("split-turn")
        await played.press("c", "3")
        assert not played.screen.streaming
        assert origins(played) == ["extract"]
        assert "Turn Context" in text(played)
        assert draft_head(played).startswith("Draft 1 of 1 · extract")


async def test_another_session_while_an_extract_is_made_gets_its_own() -> None:
    async with playing(demo("rich")) as played:
        await send_key(played.pilot, "c")
        played.screen.open(demo("plain-cut"))
        await played.press("c", "3")
        assert (origins(played), text(played)) == (["extract"], EXTRACT)


async def test_only_the_plan_that_it_was_recorded_for_is_streamed(bench: Bench) -> None:
    why = "Stream a draft: No summary was recorded for this plan; the extract needs no model."
    async with playing(demo("rich")) as played:
        await played.press("c", "+", "+")
        assert await said_after(played, "s") == [why]
        await played.press("-", "-", "s")
        assert origins(played) == ["extract", "recorded"]
    async with playing(demo("rich")) as played:
        await played.press("(", "(", ".")
        assert await said_after(played, "s") == [why]
    async with playing(bench.opening, WIDE, bench.environment) as played:
        assert await said_after(played, "s") == [why]


# Several drafts


async def test_drafts_are_looked_at_in_turn_and_compared_word_by_word() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c")
        assert await said_after(played, "d", "D") == [
            "Next draft: There is only one draft.",
            "Compare drafts: There is only one draft.",
        ]
        await played.press("s", "d")
        assert draft_head(played).startswith("Draft 1 of 2 · extract")
        await played.press("d", "D")
        assert played.screen.pane.draft.is_comparing
        assert draft_head(played) == (
            "Draft 1 extract · no model  [-53 words-]\nDraft 2 recorded · no model  {+43 words+}"
        )
        await played.press("D")
        assert not played.screen.pane.draft.is_comparing
        assert draft_head(played).startswith("Draft 2 of 2 · recorded")
        await played.press("D", "escape")
        assert not played.screen.pane.draft.is_comparing
        assert played.view.lens == "compaction"
        await played.press("D", "s")
        assert draft_head(played).startswith("Draft 3 of 3 · recorded")


async def test_an_edit_of_what_a_model_wrote_stands_beside_it() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "s", "e", *"No. ", "ctrl+s")
        assert origins(played) == ["extract", "recorded", "recorded edited"]
        await played.press("e", *"No. ", "ctrl+s")
        assert origins(played) == ["extract", "recorded", "recorded edited"]
        assert text(played).startswith("No. No. ## Goal")


# Focus instructions


async def test_focus_instructions_reach_the_requests_and_make_another_extract() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "3", "i")
        assert isinstance(played.app.screen, InstructionsScreen)
        assert played.text_of("#instructions-about").startswith("What the next summary is to pay attention to.")
        await played.press(*"the template", "enter")
        assert origins(played) == ["extract"]
        assert "\nfocus: the template\n" in draft_head(played)
        await played.press("5")
        request = compaction_requests(_plan(played), "the template")[0]
        assert "the template" in request.prompt.rpartition("</conversation>")[2]
        assert shown_prompt(played, 1) == request.prompt
        await played.press("i", "escape")
        assert played.screen.instructions == "the template"


@pytest.mark.parametrize(("rules", "told"), [("0.84", False), ("1.6", True)])
async def test_the_prefix_of_a_split_turn_is_told_them_as_the_rules_say(rules: str, told: bool) -> None:
    async with playing(demo("rich", rules=rules)) as played:
        await played.press("c", "i")
        note = "pi 0.84.1 does not tell them to the request for a turn prefix."
        assert (note in played.text_of("#instructions-about")) is not told
        await played.press(*"zebra clock", "enter", "5")
        assert "zebra clock" in shown_prompt(played, 1)
        assert ("zebra clock" in shown_prompt(played, 2)) is told


# A cut by hand


async def test_a_cut_by_hand_has_its_own_extract_and_says_so() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "3", "down", "C")
        assert played.view.plan is not None
        assert played.view.plan.first_kept_id == "00000005"
        assert played.screen.desk is not None
        assert played.screen.desk.draft is not None
        assert (origins(played), played.screen.desk.draft.cut_id) == (["extract"], "00000005")
        assert "≈ still fits: its cut is possible, pi's own is elsewhere now" in draft_head(played)
        await played.press("C")
        assert draft_head(played) == HEAD


async def test_a_cut_at_a_tool_result_is_not_possible() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "down", "down", "C")
        assert played.at == "00000006"
        assert played.notices() == [
            "No cut here: pi cuts only before user, assistant, bash and custom messages and branch summaries."
        ]
        assert played.view.cut_at is None


async def test_a_draft_of_ones_own_keeps_its_cut_when_pis_moves() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s", "escape", "down", "C")
        assert origins(played) == ["extract edited", "extract"]
        assert text(played) == f"Mine {EXTRACT}"
        assert "✓ fits" in draft_head(played)
        await played.press("4")
        rows = played.rows(played.screen.pane.context)
        assert rows[0] == "context after the commit · 6 messages · est 631"
        await played.press("d", "4")
        rows = played.rows(played.screen.pane.context)
        assert rows[0].startswith("context after the commit · 5 messages · est ")


# A session that has grown meanwhile


MORE = (said("0000000a", "00000008"), said("0000000b", "0000000a", "assistant"))
COMPACTION = {
    "type": "compaction",
    "id": "0000000c",
    "parentId": "0000000b",
    "timestamp": "2026-03-02T10:01:00.000Z",
    "summary": "## Goal\nDone by pi",
    "firstKeptEntryId": "00000007",
    "tokensBefore": 900,
}


async def _edit_a_draft(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3", "e", *"Mine ", "ctrl+s")


async def test_when_pis_cut_has_moved_the_restored_draft_still_fits(bench: Bench) -> None:
    await _edit_a_draft(bench)
    bench.grow(*MORE)
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3")
        assert text(played) == f"Mine {EXTRACT}"
        assert "≈ still fits: its cut is possible, pi's own is elsewhere now" in draft_head(played)
        assert origins(played) == ["extract edited", "extract"]
        await played.press("d")
        assert "✓ fits" in draft_head(played)


async def test_when_pi_has_compacted_the_restored_draft_is_to_be_redone(bench: Bench) -> None:
    await _edit_a_draft(bench)
    bench.grow(*MORE, COMPACTION, said("0000000d", "0000000c"), said("0000000e", "0000000d", "assistant", 500))
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "3")
        assert text(played) == f"Mine {EXTRACT}"
        assert "‼ redo: it is about other entries than this plan" in draft_head(played)
        assert await said_after(played, "w") == [
            "Commit: The entry that this draft keeps from is no longer a possible cut: make a new draft."
        ]
        await played.press("d")
        assert "✓ fits" in draft_head(played)


# Context and Request


def _plan(played: Played) -> CompactionPlan:
    plan = played.view.plan
    assert plan is not None
    return plan


@pytest.mark.parametrize("name", ["plain-cut", "split-turn", "repeated", "rich"])
async def test_the_context_now_and_after_is_what_the_plan_says(name: str) -> None:
    async with playing(demo(name)) as played:
        await played.press("c", "4")
        plan = played.view.plan
        assert plan is not None
        rows = played.screen.context_rows
        assert rows is not None
        summary = stored_summary(text(played), *plan.files)
        expected: list[object] = []
        for messages in (context_after_compaction(plan, summary), plan.projection.messages):
            sent = sent_rows(messages, plan.rules, plan.projection.model)
            expected += [None, *((row.message.entry, row.why_not is not None) for row in sent)]
        shown = [
            None if rows.row(at).rule else (rows.entry_at(at), rows.row(at).text.startswith("✗ not sent"))
            for at in range(len(rows))
        ]
        assert shown == expected


async def test_the_new_summary_in_the_context_is_the_draft_with_its_file_lists() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "4")
        rows = played.rows(played.screen.pane.context)
        assert rows[0] == "context after the commit · 6 messages · est 630"
        assert rows[1].startswith(f"summary ## Goal - {GOAL}")
        assert rows[1].endswith("new summary 130")
        assert rows[7] == "context now · 8 messages · est 800"
        assert len(EXTRACT + FILES) == 130 * 4 - (-len(EXTRACT + FILES) % 4)


async def test_enter_in_the_context_jumps_to_the_entry() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "4", "tab", "down", "down", "down", "enter")
        assert (played.focus, played.at) == ("outline", "00000005")
        await played.press("tab", "home", "enter")
        assert (played.focus, played.at, played.view.target) == ("outline", "00000005", None)


def shown_prompt(played: Played, number: int) -> str:
    """What the Request pane shows as the prompt of a request, joined again."""
    blocks = list(played.screen.pane.request.blocks)
    start = next(at for at, block in enumerate(blocks) if block.key == f"prompt-{number}") + 1
    end = next((at for at, block in enumerate(blocks) if block.key == f"request-{number + 1}"), len(blocks) + 1)
    return "\n".join(block.text for block in blocks[start : end - 1])


@pytest.mark.parametrize("rules", ["0.84", "1.6"])
@pytest.mark.parametrize("name", ["plain-cut", "split-turn", "repeated", "rich"])
async def test_the_request_pane_shows_the_requests_to_the_letter(name: str, rules: str) -> None:
    async with playing(demo(name, rules=rules)) as played:
        await played.press("c", "5")
        plan = played.view.plan
        assert plan is not None
        requests = compaction_requests(plan)
        blocks = {block.key: block.text for block in played.screen.pane.request.blocks if block.key}
        for number, request in enumerate(requests, 1):
            assert shown_prompt(played, number) == request.prompt
            assert blocks[f"system-{number}"] == request.system
        assert f"request-{len(requests) + 1}" not in blocks


async def test_the_other_ruler_arrives() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("c", "5")
        plan = played.view.plan
        assert plan is not None
        (request,) = compaction_requests(plan)
        words = [block.text for block in played.screen.pane.request.blocks if block.text.startswith("tiktoken")]
        assert words == ["tiktoken 494, approximate"]
        assert tiktoken_count(request.system) + tiktoken_count(request.prompt) == 494


async def test_where_nothing_is_sent_the_pane_says_why() -> None:
    async with playing(demo("after-compaction")) as played:
        await played.press("5")
        assert [block.text for block in played.screen.pane.request.blocks] == [
            "No request",
            "The leaf is a compaction, and nothing has come after it.",
        ]


# Copy as


async def test_what_can_be_copied_of_a_file(bench: Bench) -> None:
    async with playing(bench.opening, WIDE, bench.environment) as played:
        await played.press("c", "i", *"the clock", "enter")
        copied = []
        for number in "1234":
            await played.press("Y")
            assert isinstance(played.app.screen, CopyAsScreen)
            await played.press(number)
            copied.append(played.app.clipboard)
        assert copied == ["00000004", str(bench.path), "/compact the clock", f"pi --session {bench.path}"]


async def test_what_can_be_copied_of_a_demo() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("Y", "2")
        assert played.notices() == ["This session is a demo and has no file."]
        assert [option.disabled for option in played.app.screen.query_one(OptionList).options] == [
            False, True, False, True,
        ]  # fmt: skip
        await played.press("3")
        assert played.app.clipboard == "/compact"


def test_kept_drafts_are_private(bench: Bench) -> None:
    asyncio.run(_edit_a_draft(bench))
    folder = bench.home / ".local/state/pitree/drafts"
    (file,) = folder.glob("*.json")
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert json.loads(file.read_text())["session"] == "2a39a72e-5a71-748a-863a-5e4a49e43125"
