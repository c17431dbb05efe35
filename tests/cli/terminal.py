"""Running pitree in a pseudo terminal, to look at every byte that it writes there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

_COLORS = re.compile(r"\x1b\[[0-9;]*m")


def run_in_terminal(arguments: list[str], *, columns: int = 80, typed: str = "", **variables: str) -> str:
    """All that `pitree` writes to a terminal of so many columns, what is typed there from the start included."""
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.environ.update(TERM="xterm-256color", PYTHONPATH=os.pathsep.join(sys.path), **variables)
        os.execv(sys.executable, [sys.executable, "-m", "pitree", *arguments])
    os.write(master, typed.encode())
    written = b""
    while select.select([master], [], [], 30)[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        written += data
    os.waitpid(pid, 0)
    os.close(master)
    return written.decode("utf-8").replace("\r\n", "\n")


def without_colors(written: str) -> str:
    """What was written without color sequences; any other sequence stays."""
    return _COLORS.sub("", written)
