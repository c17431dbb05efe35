"""Whether a pi may have a session open: running processes in its folder, and the time of the last write.

pi takes no lock and names no session in what others see of it. It calls its process `pi`, which also replaces the
command line; before that it is a JavaScript runtime with pi's program as argument.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
_NAMES: Final = frozenset({"pi", "pi-rpc"})
_RUNTIMES: Final = frozenset({"node", "nodejs", "bun", "deno", "tsx"})
_PROGRAM = re.compile(r"pi-coding-agent/\S*\b(cli|rpc-entry)\.[cm]?[jt]s\b")
_LONGEST: Final = 4096
_SECOND: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class PiProcess:
    """A process that looks like pi.

    Attributes:
        pid: Its number.
        command: Its command line, shortened.
    """

    pid: int
    command: str


@dataclass(frozen=True, slots=True)
class CannotTell:
    """Nobody can say whether a pi is running.

    Attributes:
        reason: Why, as the end of a sentence.
    """

    reason: str


def find_pi(cwd: Path, *, proc: Path = PROC) -> tuple[PiProcess, ...] | CannotTell:
    """The processes that look like pi and whose working folder is a session's.

    A pi of another user, or in a container, stays unseen: it could not have opened the file by this name either.

    Args:
        cwd: The folder that the session's header names.
        proc: Where Linux shows its processes.
    """
    if not (proc / "self" / "cwd").exists():
        return CannotTell("this system does not show what its processes do")
    try:
        folder = os.path.realpath(cwd)
    except ValueError:
        return CannotTell("the session's folder has a name that no folder can have")
    found: list[PiProcess] = []
    hidden: list[int] = []
    for pid in _pids(proc):
        process = _pi_process(proc / str(pid), pid)
        if process is None or pid == os.getpid():
            continue
        there = _working_folder(proc / str(pid))
        if there == folder:
            found.append(process)
        elif there is None:
            hidden.append(pid)
    if hidden and not found:
        return CannotTell(f"the working folder of the pi with process number {hidden[0]} cannot be seen")
    return tuple(found)


def recent_write(path: Path, now_ns: int) -> float | None:
    """Seconds since a file was last written, never less than 0; None where that cannot be seen.

    Args:
        path: The file; links are followed.
        now_ns: Now, in nanoseconds since 1970.
    """
    try:
        return max(0, now_ns - path.stat().st_mtime_ns) / _SECOND
    except OSError:
        return None


def looks_like_pi(name: str, arguments: tuple[str, ...]) -> bool:
    """Whether a process is pi, by its name and its command line."""
    program = arguments[0] if arguments else ""
    if {name, os.path.basename(program)} & _NAMES:
        return True
    if os.path.basename(program.partition(" ")[0]) not in _RUNTIMES:
        return False
    script = next((argument for argument in arguments[1:] if not argument.startswith("-")), "")
    return os.path.basename(script) in _NAMES or any(map(_PROGRAM.search, arguments))


def _pids(proc: Path) -> list[int]:
    try:
        return sorted(int(name) for name in os.listdir(proc) if name.isdecimal())
    except OSError:
        return []


def _pi_process(folder: Path, pid: int) -> PiProcess | None:
    """The process when it looks like pi; one that has ended meanwhile does not."""
    arguments = tuple(part for part in _head(folder / "cmdline").split("\0") if part)
    if not arguments or not looks_like_pi(_head(folder / "comm").rstrip("\n"), arguments):
        return None
    return PiProcess(pid, " ".join(arguments)[:200])


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _working_folder(folder: Path) -> str | None:
    """The working folder; "" for a process of no concern, None for one of ours that hides it."""
    try:
        return os.readlink(folder / "cwd")
    except PermissionError:
        return None if _is_ours(folder) else ""
    except OSError:
        return ""


def _is_ours(folder: Path) -> bool:
    try:
        return folder.stat().st_uid == os.geteuid()
    except OSError:
        return False
