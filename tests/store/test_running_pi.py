from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitree.store.running_pi import CannotTell, PiProcess, find_pi, looks_like_pi, recent_write

linux = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="only Linux shows its processes")
WAIT = "import sys; print('ready', flush=True); sys.stdin.read()"


@contextmanager
def running(arguments: list[str], cwd: Path, executable: str | None = None) -> Iterator[int]:
    """A process that says when it is ready, and waits until its input is closed."""
    with subprocess.Popen(
        arguments, executable=executable, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process.pid


def found(cwd: Path) -> list[int]:
    answer = find_pi(cwd)
    assert isinstance(answer, tuple)
    return [process.pid for process in answer]


@linux
def test_script_named_pi_is_found_in_its_folder(tmp_path: Path) -> None:
    script = tmp_path / "pi"
    script.write_text(f"#!{sys.executable}\n{WAIT}\n", encoding="utf-8")
    script.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    with running([str(script)], project) as pid:
        assert found(project) == [pid]
        assert found(tmp_path) == []
    assert found(project) == []


@linux
def test_runtime_with_the_program_of_pi_is_found(tmp_path: Path) -> None:
    program = "/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"
    with running(["node", "-c", WAIT, program], tmp_path, sys.executable) as pid:
        assert found(tmp_path) == [pid]
        answer = find_pi(tmp_path)
        assert isinstance(answer, tuple)
        assert answer[0].command.endswith("cli.js")


@linux
def test_folder_is_found_through_a_link(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "link").symlink_to(project)
    with running(["pi", "-c", WAIT], project, sys.executable) as pid:
        assert found(tmp_path / "link") == [pid]


@linux
def test_other_program_is_not_found(tmp_path: Path) -> None:
    with running([sys.executable, "-c", WAIT], tmp_path):
        assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("pi", ("pi",), True),
        ("pi-rpc", ("pi-rpc",), True),
        ("MainThread", ("pi",), True),
        ("node", ("node", "/usr/local/bin/pi", "--continue"), True),
        ("node", ("/opt/node", "--no-warnings", "/usr/bin/pi"), True),
        ("node-22", ("node", "/x/pi-coding-agent/dist/cli.js"), True),
        ("node", ("node", "/x/pi-coding-agent/dist/bundle/cli.js", "-p"), True),
        ("bun", ("bun", "/x/pi-coding-agent/src/cli.ts"), True),
        ("node", ("node /x/pi-coding-agent/dist/cli.js",), True),
        ("node", ("node", "server.js", "pi"), False),
        ("vim", ("vim", "/x/pi-coding-agent/dist/cli.js"), False),
        ("grep", ("grep", "pi"), False),
        ("pitree", ("/usr/bin/python3", "/usr/bin/pitree"), False),
        ("pip", ("pip",), False),
        ("kworker", (), False),
    ],
)
def test_what_looks_like_pi(name: str, arguments: tuple[str, ...], expected: bool) -> None:
    assert looks_like_pi(name, arguments) is expected


def fake_process(proc: Path, pid: int, cwd: Path | None) -> None:
    folder = proc / str(pid)
    folder.mkdir(parents=True)
    (folder / "comm").write_text("pi\n")
    (folder / "cmdline").write_bytes(b"pi" + bytes(60))
    if cwd is not None:
        (folder / "cwd").symlink_to(cwd)


def test_command_line_that_pi_has_replaced(tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    fake_process(proc, 99999991, tmp_path)
    fake_process(proc, 99999992, tmp_path / "elsewhere")
    fake_process(proc, 99999993, None)
    (proc / "self").symlink_to(proc / "99999991")
    (proc / "meminfo").touch()
    assert find_pi(tmp_path, proc=proc) == (PiProcess(99999991, "pi"),)


@pytest.mark.parametrize("other", [False, True])
def test_pi_whose_folder_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: bool) -> None:
    proc = tmp_path / "proc"
    fake_process(proc, 99999991, tmp_path)
    (proc / "self").symlink_to(proc / "99999991")

    def refuse(path: Path) -> str:
        raise PermissionError

    monkeypatch.setattr(os, "readlink", refuse)
    if other:
        monkeypatch.setattr(os, "geteuid", lambda: -1)
    answer = find_pi(tmp_path, proc=proc)
    assert answer == () if other else isinstance(answer, CannotTell)


def test_system_without_proc_cannot_tell(tmp_path: Path) -> None:
    answer = find_pi(tmp_path, proc=tmp_path)
    assert isinstance(answer, CannotTell)
    assert "does not show" in answer.reason


def test_seconds_since_the_last_write(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.touch()
    os.utime(path, ns=(0, 1_000_000_000))
    (tmp_path / "link").symlink_to(path)
    assert recent_write(path, 3_500_000_000) == 2.5
    assert recent_write(tmp_path / "link", 3_500_000_000) == 2.5
    assert recent_write(path, 0) == 0
    assert recent_write(tmp_path / "gone", 0) is None
