"""How long a program takes until a text stands on its terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from tests.benchmarks.measure import ROOT, BenchmarkError, Run, environment

PATIENCE = 60.0
SIZE = (40, 120)


def until_painted(command: Sequence[str | Path], mark: str) -> Run:
    """Starts a program on a terminal of 120x40, and ends it when a text has been painted.

    Raises:
        BenchmarkError: it never is.
    """
    begin = perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        _become([*map(str, command)])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    try:
        seconds = _wait(terminal, mark.encode(), begin)
    finally:
        os.kill(process, signal.SIGKILL)
        usage = os.wait4(process, 0)[2]
        os.close(terminal)
    return Run(seconds, usage.ru_maxrss * 1024, {})


def _become(command: list[str]) -> None:
    wanted = {**environment(), "TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": "120", "LINES": "40"}
    wanted.pop("NO_COLOR", None)
    try:
        os.chdir(ROOT)
        os.execvpe(command[0], command, wanted)
    finally:
        os._exit(127)


def _wait(terminal: int, mark: bytes, begin: float) -> float:
    shown = b""
    while perf_counter() - begin < PATIENCE:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:
            break
        if mark in shown:
            return perf_counter() - begin
        shown = shown[-65_536:]
    raise BenchmarkError(f"{mark.decode()} never stood on the terminal, but: {shown[-2000:]!r}")
