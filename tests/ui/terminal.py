"""Runs the real program in a pseudo terminal: keeps every byte it writes, and what stands on the screen after them."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from types import TracebackType

from rich.cells import cell_len

SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*(?![][PX^_])[0-~])"
)
_MOVE = re.compile("\x1b\\[([0-9]*);?([0-9]*)H")
TIMEOUT = 60


class Grid:
    """The cells of a terminal, as far as the program uses them: places, text and line breaks."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[" "] * width for _ in range(height)]
        self._x = self._y = 0

    def feed(self, text: str) -> None:
        """Take in what was written, in whole sequences."""
        for part in re.split("(\x1b\\[[0-9;]*H|\r?\n)", SEQUENCE_TEXT.sub("", text)):
            if place := _MOVE.fullmatch(part):
                self._y, self._x = (int(number or 1) - 1 for number in place.groups())
            elif part.endswith("\n"):
                self._x, self._y = 0, self._y + 1
            else:
                self._write(part)

    def _write(self, text: str) -> None:
        for character in text:
            if character == "\r":
                self._x = 0
            elif self._y < len(self._cells) and self._x < len(self._cells[0]):
                self._cells[self._y][self._x] = character
                for over in range(self._x + 1, min(self._x + cell_len(character), len(self._cells[0]))):
                    self._cells[self._y][over] = ""
                self._x += cell_len(character)

    def text(self) -> str:
        """All lines."""
        return "\n".join("".join(row).rstrip() for row in self._cells)


SEQUENCE_TEXT = re.compile(f"(?!{_MOVE.pattern})(?:{SEQUENCE.pattern.decode()})")
"""Every sequence but those that move the cursor to a place."""


class Terminal:
    """A pseudo terminal with a program in it; `written` is all that the program has written."""

    def __init__(self, arguments: list[str], environment: Mapping[str, str], size: tuple[int, int]) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._master = master
        self._grid = Grid(*size)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = b""
        self.written = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pitree", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path), **environment},
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def screen(self) -> str:
        """What stands on the screen now."""
        return self._grid.text()

    def wait_for(self, wanted: str) -> str:
        """Read until a text stands on the screen; returns the screen."""
        end = time.monotonic() + TIMEOUT
        while wanted not in (shown := self.screen()):
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{wanted!r} never came; there was\n{shown}")
        return shown

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0, seconds))
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:
            data = b""
        self.written += data
        self._show(data)
        return bool(data)

    def _show(self, data: bytes) -> None:
        """Put on the screen what has come whole; the beginning of a sequence waits for its end."""
        text = self._begun + data
        last = text.rfind(b"\x1b")
        whole = last if last >= 0 and not SEQUENCE.match(text, last) else len(text)
        self._begun = text[whole:]
        self._grid.feed(self._decoder.decode(text[:whole]))

    def type(self, keys: bytes, wanted: str) -> str:
        """Type keys and read until a text stands on the screen; returns the screen."""
        os.write(self._master, keys)
        return self.wait_for(wanted)

    def end(self) -> int:
        """Type `ctrl+q` and read to the end; returns the exit code."""
        os.write(self._master, b"\x11")
        while self._read(TIMEOUT):
            pass
        return self.process.wait(TIMEOUT)


def visible(data: bytes) -> str:
    """What was written, without the sequences that position and color it."""
    return SEQUENCE.sub(b"", data).decode("utf-8", "replace")
