"""The report of `pitree inspect`: what it says of sessions whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from pitree.cli.report_move import FATES
from pitree.cli.report_plan import MARKS as PLAN_MARKS
from pitree.lessons.blocks import text_block
from pitree.lessons.demos import DEMOS
from pitree.planning.branch import Fate
from pitree.planning.status import Status
from pitree.ui.marks import MARKS
from tests.cli.sessions import ACTING, builder, nasty, run, two_turns, write
from tests.cli.terminal import run_in_terminal, without_colors

SMALL = ("--window", "1000", "--reserve", "500", "--keep-recent", "50", "--rules", "1.6")


def part(report: str, title: str) -> list[str]:
    """The lines of a report below a title."""
    lines = iter(report.splitlines())
    next(line for line in lines if line.startswith(f"{title} ─"))
    below: list[str] = []
    for line in lines:
        if not line:
            break
        below.append(line)
    return below


def filled(start: str, character: str, end: str = "…", columns: int = 80) -> str:
    """A line of exactly so many columns: how it starts, a character again and again, and how it ends."""
    return start + character * (columns - len(start) - len(end)) + end


def test_session_and_context(tmp_path: Path) -> None:
    file = write(tmp_path, two_turns())
    report = run("inspect", file, *SMALL, columns=300).stdout
    assert part(report, "Session without a name") == [
        f" file          {file}",
        " id            4f6440fc-490d-7a6d-8fb3-5961df649316",
        " project       /src/project",
        " version       3",
        " model         anthropic/claude-sonnet-4-6  thinking off",
        " tree          5 entries  1 root · 1 fork · 2 tips",
        filled(" leaf          55555555  line 5  assistant  ", "c", columns=100),
        " rules         pi 1.6.0  --rules",
    ]
    assert part(report, "Context at the leaf")[:4] == [
        " used          300 tokens, 30 % of the window: 300 recorded at 55555555",
        " est           300 tokens in 4 messages, 30 %",
        " window        1,000  from --window",
        " trigger       above 500 (window less reserveTokens 500): not reached, 200 tokens to go",
    ]


def test_a_bar_with_words_and_figures(tmp_path: Path) -> None:
    report = run("inspect", write(tmp_path, two_turns()), *SMALL, columns=62).stdout
    assert [line.rstrip() for line in part(report, "Context at the leaf")[-3:]] == [
        " ▏user       ▏asst ▏free       ┆                             ▏",
        " ▌ user       est 200  20 %   ▌ free  700  70 %",
        " ▌ assistant  est 100  10 %",
    ]


def test_a_split_turn(tmp_path: Path) -> None:
    report = run("inspect", write(tmp_path, two_turns()), *SMALL).stdout
    assert part(report, "Compaction at the leaf") == [
        " by itself     no, only when asked (/compact)",
        filled(" cut           ✂ firstKeptEntryId 55555555  line 5  assistant  ", "c"),
        " split turn    yes, the cut falls inside the turn that starts with",
        filled("               ↦ 33333333  line 3  user  ", "r"),
        " summarize     ▒     2 messages  est       150",
        " turn prefix   ▓     1 message   est       100",
        " keep          █     1 message   est        50",
        " tokensBefore  300",
        " files read    none",
        " modified      none",
        " why here      walked back 1 entry from the leaf to est 50; keepRecentTokens is",
        "               50",
        "               cut at the first cut point at or after the entry that reached",
        "               keepRecentTokens",
        " the walk      one step:",
        "   id       kind      text                                               est sum",
        filled(" ✂ 55555555 assistant ", "c", "…  50  50"),
    ]


def test_going_to_a_target(tmp_path: Path) -> None:
    report = run("inspect", write(tmp_path, two_turns()), *SMALL, "--target", "@4").stdout
    assert part(report, "Going to the target") == [
        filled(" target        ▸ 44444444  line 4  assistant  ", "b"),
        filled(" ancestor      ◆ 33333333  line 3  user  ", "r"),
        " left branch   1 entry",
        "               ◂     1 sent to be summarized",
        " sent          est 50 of a budget of 500 (window less",
        "               branchSummary.reserveTokens)",
        " files read    none",
        " modified      none",
        filled(" new leaf      ◎ 44444444  line 4  assistant  ", "b"),
        "   id       kind      text                                                   est",
        filled(" ◂ 55555555 assistant ", "c", "…  50"),
    ]


def test_the_seed_of_two_branches() -> None:
    report = run("inspect", "--demo", "branch").stdout
    move = part(report, "Going to the target")
    assert [line[:26] for line in move if "ancestor" in line or "◂" in line] == [
        " ancestor      ◆ aaaaaaaa  "[:26],
        "               ◂     3 sent"[:26],
        " ◂ bbbbbbbb assistant Each"[:26],
        " ◂ cccccccc user      How f"[:26],
        " ◂ dddddddd assistant 11 se"[:26],
    ]


def test_a_message_of_the_user_goes_to_the_editor() -> None:
    move = part(run("inspect", "--demo", "branch-user").stdout, "Going to the target")
    assert any(line.startswith(" new leaf      ◎ eeeeeeee") for line in move)
    assert any(line.startswith(" editor gets   ") for line in move)


def test_a_repeated_compaction() -> None:
    plan = part(run("inspect", "--demo", "repeated").stdout, "Compaction at the leaf")
    assert any(line.startswith(" before this   carries on the summary of ") for line in plan)
    assert any(line.startswith(" gone          ░ ") for line in plan)


def test_tool_results_are_left_out_and_the_budget_drops(tmp_path: Path) -> None:
    session = builder()
    root = session.user("start", entry_id="11111111")
    session.user("x" * 4000, entry_id="22222222")
    call = session.tool_call("read", {"path": "src/a.py"})
    session.assistant([text_block("reading"), call], entry_id="33333333")
    session.tool_result(call, "content", entry_id="44444444")
    session.branch_from(root)
    session.user("elsewhere", entry_id="55555555")
    arguments = ("--leaf", "44444444", "--target", "55555555", "--window", "1000", "--reserve", "500")
    move = part(run("inspect", write(tmp_path, session), *arguments).stdout, "Going to the target")
    assert move[2:6] == [
        " left branch   3 entries",
        "               ◂     1 sent to be summarized",
        "               ✗     1 dropped by the budget",
        "               ○     1 left out: tool results are never sent",
    ]
    assert " files read    1  src/a.py" in move
    assert " new leaf      ◎ 11111111  line 1  user  start" in move
    assert " editor gets   elsewhere" in move


def said(tmp_path: Path, *arguments: str) -> str:
    """What the report says of the plan, on one line."""
    report = run("inspect", write(tmp_path, two_turns()), *arguments).stdout
    return " ".join(" ".join(part(report, "Compaction at the leaf")).split())


def test_nothing_to_compact_says_why(tmp_path: Path) -> None:
    assert said(tmp_path) == (
        "plan Nothing to compact. All that is not yet summarized would be kept: keepRecentTokens is 20,000."
    )
    assert (
        said(tmp_path, "--leaf", "@null") == "plan Nothing to compact. There is no entry with an id to compact up to."
    )
    assert said(tmp_path, "--window", "100", "--reserve", "0").endswith(
        "The trigger is reached all the same: pi would try, and find nothing."
    )


def test_a_leaf_that_is_a_compaction(tmp_path: Path) -> None:
    session = builder()
    session.compaction("all", session.user("question"))
    plan = part(run("inspect", write(tmp_path, session)).stdout, "Compaction at the leaf")
    assert plan == [
        " plan          Nothing to compact. The leaf is a compaction, and nothing has",
        "               come after it.",
    ]


def test_a_target_that_is_not_there(tmp_path: Path) -> None:
    done = run("inspect", write(tmp_path, two_turns()), "--target", "99999999")
    assert part(done.stdout, "Going to the target") == [" not possible  There is no entry 99999999 in this session."]
    assert done.exit_code == 0


def test_settings_say_where_they_come_from(tmp_path: Path, home: str) -> None:
    agent = Path(home) / ".pi" / "agent"
    agent.mkdir(parents=True)
    (agent / "settings.json").write_text('{"compaction": {"reserveTokens": 1000, "keepRecentTokens": -4}}')
    report = run("inspect", write(tmp_path, two_turns()), "--window", "5000", columns=300).stdout
    assert part(report, "Settings in force") == [
        "               compaction.enabled                  on  default",
        "               compaction.reserveTokens         1,000  global file",
        "               compaction.keepRecentTokens     20,000  default",
        "               branchSummary.reserveTokens     16,384  default",
        "               context window                   5,000  --window",
        " finding       compaction.keepRecentTokens is -4. Give a whole number of 0 or more; pi 1.6 refuses",
        "               to compact with it. Using 20000 instead.",
        f"               in {agent}/settings.json",
    ]


def test_ignored_project_settings_are_said(tmp_path: Path) -> None:
    (tmp_path / ".pi").mkdir()
    (tmp_path / ".pi" / "settings.json").write_text('{"compaction": {"enabled": false}}')
    session = two_turns().build().replace(b"/src/project", str(tmp_path).encode())
    (tmp_path / "a.jsonl").write_bytes(session)
    report = run("inspect", str(tmp_path / "a.jsonl")).stdout
    assert "The settings of this project are ignored, because trust.json does" in report
    assert "compaction.enabled                  on  default" in report


def test_problems_come_with_advice(tmp_path: Path) -> None:
    data = two_turns().build().replace(b'"parentId":"22222222"', b'"parentId":"77777777"')
    (tmp_path / "a.jsonl").write_bytes(data + b"{broken\n")
    report = run("inspect", str(tmp_path / "a.jsonl"), columns=300).stdout
    below = part(report, "2 problems")
    assert [line[:15] for line in below if line[1] != " "] == [" line 3        ", " line 6        "]
    assert "               The parent is not in the file, so pi treats the entry as a root." in below


def test_a_window_nobody_knows_is_marked(tmp_path: Path) -> None:
    session = builder()
    session.user("question")
    report = run("inspect", write(tmp_path, session), columns=300).stdout
    assert " window        200,000  assumed: nothing here knows this model; --window N says better" in report
    assert " used          nothing recorded that counts here, so pi takes its estimate" in report


def test_several_files_and_one_that_is_missing(tmp_path: Path) -> None:
    file = write(tmp_path, two_turns())
    done = run("inspect", file, str(tmp_path / "nowhere.jsonl"), file)
    assert done.exit_code == 1
    assert done.stdout.count("Compaction at the leaf") == 2
    path = tmp_path / "nowhere.jsonl"
    assert done.stderr == f"pitree: There is no file {path}; check the path, or give the id of a session.\n"


def test_a_session_by_the_start_of_its_id(tmp_path: Path) -> None:
    write(tmp_path, two_turns())
    done = run("inspect", "4f64", PI_CODING_AGENT_SESSION_DIR=str(tmp_path))
    assert done.exit_code == 0
    assert "4f6440fc-490d-7a6d-8fb3-5961df649316" in done.stdout
    none = run("inspect", "4f65", PI_CODING_AGENT_SESSION_DIR=str(tmp_path))
    assert none.exit_code == 1
    assert none.stderr.startswith('pitree: No session has an id that starts with "4f65"')


def test_json_names_the_file_as_given_and_escapes_what_acts(tmp_path: Path) -> None:
    file = write(tmp_path, nasty())
    done = run("inspect", "--json", file, "--demo", "branch")
    assert [character for character in ACTING if character in done.stdout] == []
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["file"] == file
    assert "\u202eevil" in first["name"]
    assert (second["file"], second["leafId"]) == ("--demo branch", "dddddddd")
    assert second["navigation"]["commonAncestorId"] == "aaaaaaaa"


@pytest.mark.parametrize("demo", DEMOS)
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_every_demo_fits_the_width(demo: str, columns: int) -> None:
    done = run("inspect", "--demo", demo, columns=columns)
    assert done.exit_code == 0
    assert max(map(cell_len, done.stdout.splitlines())) <= min(columns, 100)
    assert "\x1b" not in done.stdout


def test_every_demo_says_what_json_says() -> None:
    for demo in DEMOS:
        answer = json.loads(run("inspect", "--json", "--demo", demo).stdout)
        report = run("inspect", "--demo", demo).stdout
        plan = answer["compaction"]
        if plan is None:
            assert "Nothing to compact." in report
        else:
            assert f"✂ firstKeptEntryId {plan['firstKeptEntryId']}  " in report
            assert ("▓" in report) == plan["isSplitTurn"]


def test_nothing_of_a_file_acts_on_the_terminal(tmp_path: Path) -> None:
    file = write(tmp_path, nasty())
    for extra in (["--keep-recent", "1"], ["--leaf", "@13", "--keep-recent", "1", "--target", "@4"]):
        written = run_in_terminal(["inspect", file, *extra])
        assert "\x1b[" in written
        assert [character for character in ACTING if character in without_colors(written)] == []
        assert "[/b]" in written


def test_hostile_texts_show_as_marks(tmp_path: Path) -> None:
    report = run("inspect", write(tmp_path, nasty()), "--rules", "1.6").stdout
    assert report.splitlines()[1] == "Session name ␛]52;c;cGxhbnRlZA==␇ ␛[31m [/b] [red] [@click=app.quit] ‹202E›ev… ─"


def test_marks_are_those_of_the_screen() -> None:
    assert {status: MARKS[status.value].glyph for status in Status} == {
        status: glyph for status, (glyph, _) in PLAN_MARKS.items()
    }
    names = {Fate.SENT: "left", Fate.DROPPED: "dropped", Fate.LEFT_OUT: "left_out", Fate.UNSEEN: "unseen"}
    assert {fate: MARKS[name].glyph for fate, name in names.items()} == {fate: row[0] for fate, row in FATES.items()}
