"""`pitree compact`: what it shows, when it writes, and every byte of what it writes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pitree.cli import commit_offer
from pitree.cli.commit_offer import Surroundings
from pitree.cli.exits import Exit
from pitree.lessons.blocks import text_block
from pitree.lessons.demos import DEMOS
from pitree.store.commit import Draws
from pitree.store.locations import Environment
from pitree.store.running_pi import PiProcess
from pitree.store.writer import System
from tests.cli.sessions import ACTING, builder, nasty, run, two_turns, write
from tests.cli.terminal import run_in_terminal, without_colors
from tests.session.build import HEADER, file_of, message
from tests.store.faults import intrude

MS = 1_800_000_000_000
SMALL = ("--window", "1000", "--reserve", "500", "--keep-recent", "50", "--rules", "1.6")
LINE = (
    b'{"type":"compaction","id":"0a1b2c3d","parentId":"55555555","timestamp":"2027-01-15T08:00:00.000Z",'
    b'"summary":"## Goal\\nShip it.\\n\\n---\\n\\n**Turn Context (split turn):**\\n\\n## Original Request\\nGo on.",'
    b'"firstKeptEntryId":"55555555","tokensBefore":300,"details":{"readFiles":[],"modifiedFiles":[]},'
    b'"fromHook":false}\n'
)
"""What is appended to `two_turns` with `SMALL`."""
NOT_ASKED = (
    "pitree: Nothing was written: there is no terminal to ask on; --yes writes without asking, warnings or not.\n"
)
DRY = "Nothing was written: this was a dry run."


@dataclass
class Around:
    """What the tests put in the place of clock, chance, other processes and the summarizer.

    Attributes:
        pis: The pis that are found.
        meanwhile: Called when they are looked for, after the session was read.
        focus: What the summarizer was told to pay attention to.
    """

    pis: tuple[PiProcess, ...] = ()
    meanwhile: Callable[[], None] = lambda: None
    focus: list[str] = field(default_factory=list)

    def look(self, cwd: Path) -> tuple[PiProcess, ...]:
        self.meanwhile()
        return self.pis

    def extract(self, plan: object, focus: str) -> Mapping[str, str]:
        self.focus.append(focus)
        return {"history": "## Goal\nShip it.", "prefix": "## Original Request\nGo on."}

    def current(self) -> Surroundings:
        draws = Draws(MS, lambda count: bytes(range(count)), lambda: "0a1b2c3d-0000-4000-8000-000000000000")
        return Surroundings(Environment.current(), MS * 1_000_000, draws, self.look)


@pytest.fixture
def around(monkeypatch: pytest.MonkeyPatch) -> Around:
    """Surroundings that are the same every time."""
    made = Around()
    monkeypatch.setattr(commit_offer.Surroundings, "current", made.current)
    monkeypatch.setattr(commit_offer, "extract", made.extract)
    return made


@pytest.fixture
def file(tmp_path: Path, around: Around) -> Path:
    """A session at rest whose last turn a compaction splits."""
    return at_rest(tmp_path, two_turns().build())


def at_rest(folder: Path, data: bytes) -> Path:
    """A file that was last written long ago."""
    path = folder / "session.jsonl"
    path.write_bytes(data)
    os.utime(path, ns=(MS * 1_000_000 - 10**12, MS * 1_000_000 - 10**12))
    return path


def answer(*arguments: str) -> tuple[Any, int]:
    """The object of `--json`, and the exit status."""
    done = run("compact", *arguments, "--json")
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    return json.loads(line), done.exit_code


def part(report: str, title: str) -> list[str]:
    """The lines of a report below a title, up to the next one."""
    lines = iter(report.splitlines())
    next(line for line in lines if line.startswith(f"{title} ─"))
    below: list[str] = []
    for line in lines:
        if line.endswith("──"):
            break
        below.append(line)
    return below


def ended(done: Result, code: Exit, error: str = "") -> None:
    """Check how a command ended."""
    assert (done.stderr, done.exit_code) == (error, code)


# -- writing ---------------------------------------------------------------------------------------------------------


def test_the_line_is_appended(file: Path) -> None:
    before = file.read_bytes()
    done = run("compact", str(file), *SMALL, "--yes")
    ended(done, Exit.DONE)
    assert file.read_bytes() == before + LINE
    assert done.stdout.splitlines()[-2:] == [f"Written to {file}", f"Go on with pi --session {file}"]


def test_what_is_shown_before(file: Path) -> None:
    report = run("compact", str(file), *SMALL, "--yes", columns=100).stdout
    assert part(report, "Compaction at the leaf")[1][:42] == " cut           ✂ firstKeptEntryId 55555555"
    assert part(report, "Summary: an extract, made without a model") == [
        " ## Goal",
        " Ship it.",
        "",
        " ---",
        "",
        " **Turn Context (split turn):**",
        "",
        " ## Original Request",
        " Go on.",
        "",
    ]
    assert part(report, "Commit") == [
        " into          this file, at its end",
        f" file          {file}",
        " new entry     compaction 0a1b2c3d below the leaf",
        "               55555555  line 5  assistant  " + "c" * 55 + "…",
        " context       est 300 now, est 71 after it, in 2 messages",
        " line          313 bytes",
        " rules         pi 1.6.0  --rules",
        "",
    ]
    assert part(report, "Checks")[:2] == [" none          ✓ nothing speaks against it", ""]


def test_a_dry_run_shows_the_line_and_writes_nothing(file: Path) -> None:
    before = file.read_bytes()
    done = run("compact", str(file), *SMALL, "--dry-run", "--yes")
    ended(done, Exit.DONE)
    assert part(done.stdout, "The line") == [LINE.decode().rstrip("\n"), "", DRY]
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_without_a_terminal_nothing_is_written(file: Path) -> None:
    before = file.read_bytes()
    done = run("compact", str(file), *SMALL)
    ended(done, Exit.BLOCKED, NOT_ASKED)
    assert "Commit ─" in done.stdout
    assert file.read_bytes() == before


@pytest.mark.parametrize("typed", ["y\n", "n\n", "\n", "\x04"])
def test_a_terminal_is_asked(tmp_path: Path, typed: str) -> None:
    file = at_rest(tmp_path, two_turns().build())
    before = file.read_bytes()
    os.utime(file, ns=(0, 0))
    report = without_colors(run_in_terminal(["compact", str(file), *SMALL], typed=typed))
    assert "Append it to this file? [y/N]: " in report
    after = file.read_bytes()
    if typed == "y\n":
        assert report.endswith(f"Written to {file}\nGo on with pi --session {file}\n")
        assert after.startswith(before)
        assert json.loads(after[len(before) :])["parentId"] == "55555555"
    else:
        assert report.endswith("pitree: Nothing was written.\n")
        assert after == before


def test_a_missing_newline_is_put_first(tmp_path: Path, around: Around) -> None:
    data = two_turns().build()
    file = at_rest(tmp_path, data[:-1])
    done = run("compact", str(file), *SMALL, "--yes")
    assert " line          313 bytes, after the newline that the last line lacks\n" in done.stdout
    assert file.read_bytes() == data + LINE


@pytest.mark.parametrize("name", [name for name in DEMOS if name != "after-compaction"])
def test_every_demo_can_be_compacted(tmp_path: Path, name: str) -> None:
    demo = DEMOS[name]
    file = tmp_path / "demo.jsonl"
    file.write_bytes(demo.build())
    arguments = (str(file), "--keep-recent", str(demo.keep_recent_tokens or 20_000))
    made, code = answer(*arguments, "--yes")
    assert (code, made["written"], made["path"]) == (Exit.DONE, True, str(file))
    assert file.read_bytes() == demo.build() + made["line"].encode()
    seen = json.loads(run("inspect", "--json", str(file)).stdout)
    assert seen["leafId"] == made["entry"]["id"]
    assert made["context"]["after"] < made["context"]["before"]
    again, code = answer(*arguments, "--yes")
    assert (code, again["reason"]) == (Exit.DONE, "The leaf is a compaction, and nothing has come after it.")


# -- copies and forks ------------------------------------------------------------------------------------------------


def test_a_copy(file: Path) -> None:
    before, copy_to = file.read_bytes(), file.with_name("a copy.jsonl")
    done = run("compact", str(file), *SMALL, "--yes", "--copy-to", str(copy_to))
    ended(done, Exit.DONE)
    assert copy_to.read_bytes() == before + LINE
    assert file.read_bytes() == before
    assert done.stdout.splitlines()[-2:] == [f"Written to {copy_to}", f"Go on with pi --session '{copy_to}'"]


def test_no_copy_over_another_file_or_among_the_sessions_of_pi(file: Path, home: str) -> None:
    other = file.with_name("other.jsonl")
    other.write_bytes(b"mine")
    done = run("compact", str(file), *SMALL, "--yes", "--copy-to", str(other))
    ended(done, Exit.BLOCKED, f"pitree: Nothing was written. {other} exists already; choose another name.\n")
    assert other.read_bytes() == b"mine"
    sessions = Path(home) / ".pi" / "agent" / "sessions"
    sessions.mkdir(parents=True)
    done = run("compact", str(file), *SMALL, "--dry-run", "--copy-to", str(sessions / "a.jsonl"))
    assert done.exit_code == Exit.BLOCKED
    assert "where pi would find two sessions with one id" in done.stderr
    assert os.listdir(sessions) == []


def test_a_fork(file: Path) -> None:
    before = file.read_bytes()
    fork = file.with_name("2027-01-15T08-00-00-000Z_01a3185c-5000-7001-8203-040506070809.jsonl")
    done = run("compact", str(file), *SMALL, "--yes", "--fork")
    ended(done, Exit.DONE)
    assert done.stdout.splitlines()[-2] == f"Written to {fork}"
    lines = fork.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[0])["parentSession"] == str(file)
    old = before.splitlines(keepends=True)
    assert lines[1:] == [old[1], old[2], old[3], old[5], LINE]
    assert file.read_bytes() == before


@pytest.mark.parametrize("extra", [("--yes",), ("--dry-run",), ()])
@pytest.mark.parametrize("version", [1, 2])
def test_an_older_version_is_not_written_to(
    tmp_path: Path, around: Around, version: int, extra: tuple[str, ...]
) -> None:
    file = at_rest(tmp_path, older(version))
    done = run("compact", str(file), *SMALL, *extra)
    ended(
        done,
        Exit.BLOCKED,
        f"pitree: Nothing was written. The file is of version {version}, which pi rewrites when it opens it, and "
        "pitree never does: make a copy, which is written in version 3. --copy-to FILE makes that copy.\n",
    )
    assert file.read_bytes() == older(version)
    assert os.listdir(tmp_path) == [file.name]


def test_an_older_version_is_refused_first(tmp_path: Path, around: Around) -> None:
    file = at_rest(tmp_path, older(2))
    done = run("compact", str(file), "--yes")
    assert "Nothing to compact." in done.stdout
    assert done.exit_code == Exit.BLOCKED
    assert done.stderr.endswith("--copy-to FILE makes that copy.\n")
    made, code = answer(str(file), "--yes")
    assert (code, [check["kind"] for check in made["checks"]]) == (Exit.BLOCKED, ["version"])
    assert answer(str(file), "--yes", "--copy-to", str(tmp_path / "copy.jsonl"))[1] == Exit.DONE
    assert os.listdir(tmp_path) == [file.name]


def older(version: int) -> bytes:
    """Two questions of 100 est tokens in an older version."""
    texts = [("user", "q" * 400), ("assistant", "a" * 400), ("user", "r" * 400), ("assistant", "b" * 400)]
    values = [message(role, [{"type": "text", "text": text}]) for role, text in texts]
    if version == 2:
        ids = [None, "e1", "e2", "e3", "e4"]
        values = [{"id": ids[at + 1], "parentId": ids[at], **value} for at, value in enumerate(values)]
    return file_of(values, {**HEADER, "version": version})


def test_an_older_version_is_copied_in_version_three(tmp_path: Path, around: Around) -> None:
    file, copy_to = at_rest(tmp_path, older(1)), tmp_path / "copy.jsonl"
    done = run("compact", str(file), *SMALL, "--yes", "--copy-to", str(copy_to))
    ended(done, Exit.DONE)
    values = [json.loads(line) for line in copy_to.read_bytes().splitlines()]
    assert values[0] == {**HEADER, "version": 3}
    assert [value["id"] for value in values[1:]] == ["00000001", "00000002", "00000003", "00000004", "0a1b2c3d"]
    assert (values[-1]["parentId"], values[-1]["firstKeptEntryId"]) == ("00000004", "00000004")
    assert file.read_bytes() == older(1)


# -- where it starts and where it cuts -------------------------------------------------------------------------------


def test_a_leaf_that_is_not_the_end_is_told(file: Path) -> None:
    before, copy_to = file.read_bytes(), file.with_name("copy.jsonl")
    done = run("compact", str(file), *SMALL, "--dry-run", "--leaf", "44444444")
    ended(done, Exit.DONE)
    assert "The leaf is not the end of the file" in " ".join(done.stdout.split())
    done = run("compact", str(file), *SMALL, "--yes", "--leaf", "44444444", "--copy-to", str(copy_to))
    ended(done, Exit.DONE)
    assert copy_to.read_bytes() == before + LINE.replace(b"55555555", b"44444444")
    made, code = answer(str(file), *SMALL, "--yes", "--leaf", "@4", "--fork")
    assert code == Exit.DONE
    assert made["line"].encode() == LINE.replace(b"55555555", b"44444444")
    assert Path(made["path"]).read_bytes().endswith(before.splitlines(keepends=True)[4] + made["line"].encode())
    assert file.read_bytes() == before


def test_the_end_of_the_file_may_be_named(file: Path) -> None:
    before = file.read_bytes()
    ended(run("compact", str(file), *SMALL, "--yes", "--leaf", "55555555"), Exit.DONE)
    assert file.read_bytes() == before + LINE


def test_a_cut_by_hand(file: Path) -> None:
    made, code = answer(str(file), *SMALL, "--dry-run", "--cut", "33333333")
    assert code == Exit.DONE
    assert made["compaction"] == {
        "leafId": "55555555",
        "firstKeptEntryId": "33333333",
        "isSplitTurn": False,
        "turnStartId": None,
        "summarizedMessages": 2,
        "prefixMessages": 0,
        "cut": "chosen by hand",
    }
    assert made["entry"]["firstKeptEntryId"] == "33333333"


@pytest.mark.parametrize(
    ("cut", "why"),
    [
        ("44444444", "pi cuts only before user, assistant, bash and custom messages and branch summaries."),
        ("@4", "pi cuts only before user, assistant, bash and custom messages and branch summaries."),
        ("66666666", "This entry is not in the context, so nothing can be kept from it on."),
        ("99999999", "There is no entry 99999999 in this session."),
        ("@null", "@null names no entry with an id, so nothing can be kept from it on."),
        ("@7", "This entry is not in the context, so nothing can be kept from it on."),
    ],
)
def test_a_cut_that_is_not_possible_says_why(tmp_path: Path, around: Around, cut: str, why: str) -> None:
    session = builder()
    session.user("q" * 400, entry_id="11111111")
    call = session.tool_call("read", {"path": "a"})
    session.assistant([text_block("a" * 200)], entry_id="22222222")
    session.assistant([call], entry_id="33333333")
    session.tool_result(call, "found", entry_id="44444444")
    session.user("end", entry_id="55555555")
    session.branch_from("11111111")
    session.user("elsewhere", entry_id="66666666")
    file = at_rest(tmp_path, session.build() + b'{"type":"custom"}\n')
    before = file.read_bytes()
    done = run("compact", str(file), *SMALL, "--yes", "--leaf", "55555555", "--cut", cut)
    ended(done, Exit.ERROR, f"pitree: {file}: {why}\n")
    assert done.stdout == ""
    assert file.read_bytes() == before


def test_nothing_to_compact_writes_nothing(file: Path) -> None:
    before = file.read_bytes()
    done = run("compact", str(file), "--yes")
    ended(done, Exit.DONE)
    assert done.stdout.endswith("\n\nNothing was written.\n")
    assert "Nothing to compact." in done.stdout
    made, code = answer(str(file), *SMALL, "--yes", "--cut", "11111111")
    assert code == Exit.DONE
    assert made == {
        "file": str(file),
        "schema": 1,
        "written": False,
        "reason": "With the cut there nothing would be left to summarize.",
        "compaction": None,
        "checks": [],
    }
    assert file.read_bytes() == before


# -- what can go wrong -----------------------------------------------------------------------------------------------


def test_a_running_pi_is_warned_of(file: Path, around: Around) -> None:
    around.pis = (PiProcess(41, "pi"),)
    before = file.read_bytes()
    done = run("compact", str(file), *SMALL)
    ended(done, Exit.BLOCKED, NOT_ASKED)
    assert part(done.stdout, "Checks")[:3] == [
        " warning       ! A pi seems to be open there (process 41): it would not see the",
        "               new entry, and go on beside it. Close it, or make a fork or a",
        "               copy.",
    ]
    assert file.read_bytes() == before
    ended(run("compact", str(file), *SMALL, "--yes"), Exit.DONE)
    assert file.read_bytes() == before + LINE


def test_with_a_running_pi_the_answer_is_no_unless_somebody_says_yes(tmp_path: Path) -> None:
    data = two_turns().build().replace(b"/src/project", str(tmp_path).encode())
    file = at_rest(tmp_path, data)
    with subprocess.Popen(["pi"], executable="/bin/cat", cwd=tmp_path, stdin=subprocess.PIPE) as pi:
        report = without_colors(run_in_terminal(["compact", str(file), *SMALL], typed="\n"))
        pi.communicate()
    assert f"A pi seems to be open there (process {pi.pid})" in " ".join(report.split())
    assert (
        "\n--fork or --copy-to FILE leaves this file alone.\nAppend it to this file in spite of the warnings? [y/N]:"
        in report
    )
    assert file.read_bytes() == data


def test_a_file_that_was_just_written_is_warned_of(file: Path) -> None:
    os.utime(file, ns=(MS * 1_000_000 - 4 * 10**9,) * 2)
    made, code = answer(str(file), *SMALL, "--dry-run")
    assert code == Exit.DONE
    assert made["checks"] == [
        {
            "kind": "recent",
            "message": "The file was written 4 s ago: close what has it open before you go on.",
            "blocks": False,
        }
    ]


def test_a_line_that_is_just_being_written_blocks(tmp_path: Path, around: Around) -> None:
    file = at_rest(tmp_path, two_turns().build()[:-1])
    os.utime(file, ns=(MS * 1_000_000 - 4 * 10**9,) * 2)
    done = run("compact", str(file), *SMALL, "--yes")
    ended(
        done,
        Exit.BLOCKED,
        "pitree: Nothing was written. The last line has no newline yet and was written just now: wait, and read it "
        "again.\n",
    )
    assert file.read_bytes() == two_turns().build()[:-1]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_file_that_changes_meanwhile_is_left_alone(file: Path, around: Around, as_json: bool) -> None:
    before = file.read_bytes()
    around.meanwhile = lambda: intrude(file, b'{"type":"custom","id":"ffffffff"}\n')
    why = (
        f"{file} is not what was read: another program, perhaps a running pi, has appended 1 line(s), 34 bytes. "
        "Nothing was written; read it again, and close the pi that has it open."
    )
    if as_json:
        made, code = answer(str(file), *SMALL, "--yes")
        assert (made["written"], made["reason"], code) == (False, why, Exit.BLOCKED)
    else:
        ended(run("compact", str(file), *SMALL, "--yes"), Exit.BLOCKED, f"pitree: {why}\n")
    assert file.read_bytes() == before + b'{"type":"custom","id":"ffffffff"}\n'


def test_a_file_that_may_not_be_written_blocks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    why = f"{file} may not be written: change its permissions, or write to another file."
    ended(run("compact", str(file), *SMALL, "--yes"), Exit.BLOCKED, f"pitree: Nothing was written. {why}\n")


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.EROFS, "lies on a file system that is read-only; write to another file."),
        (errno.ENOENT, "is gone; it may have been moved or deleted."),
    ],
)
def test_what_the_system_refuses_is_one_sentence(
    file: Path, monkeypatch: pytest.MonkeyPatch, number: int, why: str
) -> None:
    before = file.read_bytes()

    def refuse(self: System, path: Path, flags: int) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(System, "open", refuse)
    ended(run("compact", str(file), *SMALL, "--yes"), Exit.ERROR, f"pitree: {file} {why}\n")
    assert file.read_bytes() == before


def test_a_full_disk_is_one_sentence(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()
    real = System.write
    monkeypatch.setattr(System, "write", lambda self, fd, data: real(self, fd, data[:9]))
    made, code = answer(str(file), *SMALL, "--yes")
    assert code == Exit.ERROR
    assert made["written"] is False
    assert made["reason"] == (
        f"The disk took only 9 of 313 bytes for {file}; it is full, or a quota or a size limit is reached. "
        "What went in was taken back; the file is as it was."
    )
    assert file.read_bytes() == before


def test_a_line_that_stands_although_the_disk_did_not_confirm_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def fail(self: System, fd: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(System, "fsync", fail)
    made, code = answer(str(file), *SMALL, "--yes")
    assert (made["written"], code) == (True, Exit.ERROR)
    assert made["reason"].startswith(f"The line was appended to {file}, but the disk did not confirm it")
    assert file.read_bytes() == before + LINE


def test_what_is_no_session(tmp_path: Path) -> None:
    done = run("compact", str(tmp_path / "none.jsonl"), "--yes")
    assert done.exit_code == Exit.ERROR
    assert done.stderr.startswith("pitree: There is no file ")
    made, code = answer(str(tmp_path), "--yes")
    assert code == Exit.ERROR
    assert made == {"file": str(tmp_path), "error": f"{tmp_path} is a folder; name a session file in it."}


def test_where_pi_itself_fails(tmp_path: Path, around: Around) -> None:
    data = two_turns().build().replace(b'"content":[{"type":"text","text":"' + b"c" * 200, b'"content":7,"x":[{"y":"')
    file = at_rest(tmp_path, data)
    done = run("compact", str(file), *SMALL, "--yes")
    assert done.exit_code == Exit.ERROR
    assert "pi itself fails here" in " ".join(done.stdout.split())
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("a", "b"),
        ("a", "--fork", "--copy-to", "b"),
        ("a", "--summarizer", "nobody"),
        ("a", "--keep-recent", "-1"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run("compact", *arguments).exit_code == Exit.USAGE


# -- what else it is told --------------------------------------------------------------------------------------------


def test_instructions_go_to_the_summarizer(file: Path, around: Around) -> None:
    made, _ = answer(str(file), *SMALL, "--dry-run", "--instructions", " Mind the limits. ")
    assert around.focus == ["Mind the limits."]
    assert made["draft"] == {"origin": "extract", "instructions": "Mind the limits."}


def test_a_prompt_file_has_to_be_there(file: Path) -> None:
    prompt = file.with_name("prompt.md")
    done = run("compact", str(file), *SMALL, "--yes", "--prompt-file", str(prompt))
    ended(done, Exit.ERROR, f"pitree: The prompt file {prompt} cannot be read: No such file or directory.\n")
    prompt.write_text("Keep the paths.")
    ended(run("compact", str(file), *SMALL, "--yes", "--prompt-file", str(prompt)), Exit.DONE)


def test_the_object_tells_all(file: Path) -> None:
    before = file.read_bytes()
    expected = {
        "file": str(file),
        "schema": 1,
        "written": False,
        "reason": DRY,
        "destination": "file",
        "path": str(file),
        "command": f"pi --session {file}",
        "rules": "1.6",
        "compaction": {
            "leafId": "55555555",
            "firstKeptEntryId": "55555555",
            "isSplitTurn": True,
            "turnStartId": "33333333",
            "summarizedMessages": 2,
            "prefixMessages": 1,
            "cut": "the first cut point at or after the entry that reached keepRecentTokens",
        },
        "draft": {"origin": "extract", "instructions": ""},
        "context": {"before": 300, "after": 71},
        "checks": [],
        "entry": json.loads(LINE),
        "line": LINE.decode(),
    }
    assert answer(str(file), *SMALL, "--dry-run") == (expected, Exit.DONE)
    not_asked = {**expected, "reason": NOT_ASKED.removeprefix("pitree: ").rstrip("\n")}
    assert answer(str(file), *SMALL) == (not_asked, Exit.BLOCKED)
    assert file.read_bytes() == before
    assert answer(str(file), *SMALL, "--yes") == ({**expected, "written": True, "reason": None}, Exit.DONE)
    assert file.read_bytes() == before + LINE


def test_nothing_in_a_session_acts_on_a_terminal(tmp_path: Path) -> None:
    session = nasty()
    for number in range(3):
        session.user(f"more {number} \x1b]52;c;eA==\x07 \x9b31m [/b] \u202e HALF " + "x" * 400)
    file = write(tmp_path, session)
    before = Path(file).read_bytes()
    report = run_in_terminal(["compact", file, "--keep-recent", "150", "--dry-run"])
    assert "The line ─" in without_colors(report)
    assert [character for character in ACTING if character in without_colors(report)] == []
    done = run("compact", file, "--keep-recent", "150", "--json", "--yes")
    assert [character for character in ACTING if character in done.stdout] == []
    made = json.loads(done.stdout)
    assert made["written"]
    assert Path(file).read_bytes().startswith(before)
