"""The safe door: whatever a file holds, nothing of it acts on a terminal or on markup."""

from __future__ import annotations

import os
import pty
import select
import sys
from pathlib import Path

from textual.app import App, ComposeResult
from textual.widgets import Static

from pitree.ui.text import content

OSC_52 = "\x1b]52;c;cGxhbnRlZA==\x07"
MARKUP = "[ERROR] a [/b] [@click=app.quit]x[/] [bold]b"


class Shows(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(content(MARKUP + OSC_52))


async def test_markup_comes_through_as_text() -> None:
    app = Shows()
    async with app.run_test(size=(100, 5)) as pilot:
        await pilot.pause()
        strip = app.screen.query_one(Static).render_line(0)
        assert MARKUP in strip.text
        assert "␛]52" in strip.text


def test_a_planted_clipboard_write_does_not_reach_the_terminal(tmp_path: Path) -> None:
    """Runs a real application in a pseudo terminal and looks at every byte it wrote."""
    program = tmp_path / "shows.py"
    program.write_text(
        "from textual.app import App\n"
        "from textual.widgets import Static\n"
        "from pitree.ui.text import content\n"
        f"HOSTILE = {('marker ' + OSC_52 + chr(0x9D) + '52;c;cGxhbnRlZA==' + chr(0x9C))!r}\n"
        "class Shows(App):\n"
        "    def compose(self):\n"
        "        yield Static(content(HOSTILE))\n"
        "    def on_mount(self):\n"
        "        self.call_after_refresh(lambda: self.call_after_refresh(self.exit))\n"
        "Shows().run()\n"
    )
    written = run_in_terminal([sys.executable, str(program)])
    assert b"marker" in written
    assert b"\x1b]52" not in written
    assert "\x9d".encode() not in written


def run_in_terminal(command: list[str]) -> bytes:
    """All bytes a program writes to a pseudo terminal until it ends."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", PYTHONPATH=os.pathsep.join(sys.path))
        os.execvp(command[0], command)
    written = b""
    while select.select([master], [], [], 30)[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        written += data
    os.close(master)
    os.waitpid(pid, 0)
    return written
