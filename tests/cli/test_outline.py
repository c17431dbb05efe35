"""`pitree outline`: the rows as they are printed, and the counts that need no entry."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from pitree.cli.outline import FILTERS
from pitree.cli.outline_rows import LABEL_MARK, STATES
from pitree.lessons.demos import DEFAULT, DEMOS
from pitree.session.outline import Filter
from pitree.session.session import Session
from pitree.ui.marks import MARKS
from tests.cli.sessions import ACTING, builder, nasty, run, two_turns, write
from tests.cli.terminal import run_in_terminal, without_colors

Q, R, A, B, C = "q" * 200 + "…", "r" * 200 + "…", "a" * 200, "b" * 200, "c" * 200


def test_rows_say_mark_id_tree_kind_text_and_estimate(tmp_path: Path) -> None:
    done = run("outline", write(tmp_path, two_turns()), columns=0)
    assert done.stdout.splitlines() == [
        f"• 11111111 user       {Q}  100",
        f"• 22222222 assistant  {A}  50",
        f"• 33333333 user       {R}  100",
        f"● 55555555 ├─ assistant  {C}  50",
        f"◦ 44444444 └─ assistant  {B}  50",
    ]


def test_another_leaf_brings_its_branch_to_the_top(tmp_path: Path) -> None:
    file = write(tmp_path, two_turns())
    expected = ["• 11111111", "• 22222222", "• 33333333", "● 44444444", "◦ 55555555"]
    for leaf in ("44444444", "@4"):
        assert [line[:10] for line in run("outline", file, "--leaf", leaf).stdout.splitlines()] == expected


def test_labels_and_what_a_compaction_took_away(tmp_path: Path) -> None:
    session = builder()
    session.user("first", entry_id="11111111")
    kept = session.user("second", entry_id="22222222")
    session.compaction("## Goal\nall of it", kept, tokens_before=4321, entry_id="33333333")
    session.label(kept, "here [b]")
    assert run("outline", write(tmp_path, session), columns=0).stdout.splitlines() == [
        "░ 11111111 user       first  2",
        "• 22222222 user       second  ⚑ here [b]  2",
        "• 33333333 compaction from 4,321 tokens · keeps from 22222222 · all of it  5",
        f"● {session.leaf} label      here [b] on 22222222",
    ]


@pytest.mark.parametrize(
    ("name", "rows"), [("default", 5), ("no-tools", 5), ("user-only", 3), ("labeled-only", 1), ("all", 5)]
)
def test_filters(tmp_path: Path, name: str, rows: int) -> None:
    file = write(tmp_path, two_turns())
    assert len(run("outline", file, "--filter", name).stdout.splitlines()) == rows


def test_rows_as_json(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in run("outline", write(tmp_path, two_turns()), "--json").stdout.splitlines()]
    assert [row["id"][0] for row in rows] == ["1", "2", "3", "5", "4"]
    assert rows[3] == {
        "id": "55555555",
        "parentId": "33333333",
        "line": 5,
        "indent": 1,
        "prefix": "├─ ",
        "kind": "assistant",
        "text": C,
        "isError": False,
        "label": None,
        "state": "leaf",
        "tokens": 50,
    }


def test_count(tmp_path: Path) -> None:
    file = write(tmp_path, two_turns())
    assert run("outline", file, "--count").stdout.splitlines() == [
        "entries            5",
        "roots              1",
        "forks              1",
        "tips               2",
    ]
    counted = run("outline", "--demo", "--count", "--json").stdout
    assert json.loads(counted) == {"entries": 327, "roots": 1, "forks": 4, "tips": 5}


def test_count_reads_no_entry_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("an entry was read")

    for name in ("raw", "entry", "timestamp"):
        monkeypatch.setattr(Session, name, fail)
    assert run("outline", write(tmp_path, two_turns()), "--count").exit_code == 0


def test_count_loads_neither_rich_nor_what_describes_entries(tmp_path: Path) -> None:
    file = write(tmp_path, two_turns())
    program = (
        "import sys\nfrom pitree.cli.root import root\n"
        f"root.main(['outline', {file!r}, '--count'], standalone_mode=False)\n"
        "wrong = [name for name in sys.modules if name.startswith(('rich', 'pitree.context', 'pitree.planning',"
        " 'pitree.session.describe', 'pitree.lessons', 'textual'))]\n"
        "print(wrong, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_lines_keep_to_the_width() -> None:
    for columns in (30, 60, 100):
        lines = run("outline", "--demo", "--filter", "all", columns=columns).stdout.splitlines()
        assert len(lines) == 281
        assert max(map(cell_len, lines)) <= columns


def test_on_a_terminal_estimates_stand_at_the_right_end(tmp_path: Path) -> None:
    written = run_in_terminal(["outline", write(tmp_path, two_turns())], columns=50)
    assert without_colors(written).splitlines() == [
        "• 11111111 user       qqqqqqqqqqqqqqqqqq…      100",
        "• 22222222 assistant  aaaaaaaaaaaaaaaaaa…       50",
        "• 33333333 user       rrrrrrrrrrrrrrrrrr…      100",
        "● 55555555 ├─ assistant  ccccccccccccccc…       50",
        "◦ 44444444 └─ assistant  bbbbbbbbbbbbbbb…       50",
    ]
    assert "\x1b[92m● " in written


def test_no_color_is_obeyed_on_a_terminal(tmp_path: Path) -> None:
    written = run_in_terminal(["outline", write(tmp_path, two_turns())], columns=50, NO_COLOR="1")
    assert "\x1b" not in written


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_nothing_of_a_file_acts_on_the_terminal(tmp_path: Path, extra: tuple[str, ...]) -> None:
    file = write(tmp_path, nasty())
    written = without_colors(run_in_terminal(["outline", file, "--filter", "all", *extra], columns=400))
    assert [character for character in ACTING if character in written] == []
    assert "[/b] [red]" in written
    assert len(written.splitlines()) == 14


def test_hostile_texts_show_as_marks(tmp_path: Path) -> None:
    rows = run("outline", write(tmp_path, nasty()), columns=0).stdout
    assert "question ␛]52;c;cGxhbnRlZA==␇ ␛[31m [/b] [red] [@click=app.quit] ‹202E›evil‹2066› ␀ ␡ ◌ ‹D83D›" in rows


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    for arguments in (["outline", "--demo"], ["outline", "--demo", "--json"], ["inspect", "--demo"]):
        program = [sys.executable, "-m", "pitree", *arguments]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=os.getcwd()) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""


def test_words_are_those_of_other_rooms() -> None:
    assert set(FILTERS) == {name.value for name in Filter}
    assert {state: MARKS[state].glyph for state in STATES} == {state: glyph for state, (glyph, _) in STATES.items()}
    assert MARKS["label"].glyph == LABEL_MARK
    assert DEFAULT in DEMOS


@pytest.mark.parametrize("demo", DEMOS)
def test_every_demo_has_an_outline(demo: str) -> None:
    done = run("outline", "--demo", demo)
    assert done.exit_code == 0
    assert done.stdout.count("● ") == 1
