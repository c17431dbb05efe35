"""Session files for the tests of the command line, and a way to run it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner, Result

from pitree.cli.root import root
from pitree.lessons.blocks import text_block
from pitree.lessons.builder import SessionBuilder

NASTY = "\x1b]52;c;cGxhbnRlZA==\x07 \x9b31m [/b] [red] [@click=app.quit] \u202eevil\u2066 \x00 \x7f \u200b HALF"
"""Everything that could drive a terminal, turn text around or be taken for markup."""
ACTING = ("\x1b", "\x9b", "\x9d", "\x07", "\u202e", "\u2066", "\x00", "\x7f", "\u200b")
"""Characters that no output may hold."""


def run(*arguments: str, columns: int = 80, **variables: str) -> Result:
    """Run `pitree` with arguments; stdout is no terminal, 0 columns stand for no width at all."""
    return CliRunner().invoke(
        root, [*arguments], env={"COLUMNS": str(columns) if columns else None, **variables}, prog_name="pitree"
    )


def builder() -> SessionBuilder:
    """An empty session."""
    return SessionBuilder("cli", cwd="/src/project", start=datetime(2026, 3, 9, 8, 0, tzinfo=UTC))


def write(folder: Path, session: SessionBuilder, name: str = "session.jsonl") -> str:
    """Write a session into a folder, with half a surrogate pair for every HALF; its path."""
    path = folder / name
    path.write_bytes(session.build().replace(b"HALF", b"\\ud83d"))
    return str(path)


def two_turns() -> SessionBuilder:
    """Two questions of 100 est tokens with answers of 50, the second answer twice."""
    session = builder()
    session.user("q" * 400, entry_id="11111111")
    session.assistant([text_block("a" * 200)], entry_id="22222222")
    session.user("r" * 400, entry_id="33333333")
    session.assistant([text_block("b" * 200)], entry_id="44444444")
    session.branch_from("33333333")
    session.assistant([text_block("c" * 200)], entry_id="55555555")
    return session


def nasty() -> SessionBuilder:
    """A session whose every text holds what could drive a terminal."""
    session = SessionBuilder(
        "nasty", cwd=f"/src/{NASTY}", start=datetime(2026, 3, 9, 8, 0, tzinfo=UTC), session_id=f"id{NASTY}"
    )
    session.session_name(f"name {NASTY}")
    first = session.user(f"question {NASTY}")
    call = session.tool_call(f"tool {NASTY}", {"path": f"src/{NASTY}.py"})
    session.assistant([session.thinking(f"thought {NASTY}"), text_block(f"answer {NASTY}"), call])
    session.tool_result(call, f"result {NASTY}", is_error=True)
    session.bash(f"command {NASTY}", f"output {NASTY}", 1)
    session.custom_message(f"type {NASTY}", f"says {NASTY}")
    session.label(first, f"label {NASTY}")
    session.failed_assistant([text_block(f"broken {NASTY}")], "error", f"message {NASTY}")
    edit = session.tool_call("edit", {"path": f"src/{NASTY}.py"})
    session.assistant([edit])
    session.tool_result(edit, f"result {NASTY}")
    session.compaction(f"## Goal\nsummary {NASTY}", first, read_files=[f"read {NASTY}"], modified_files=[f"{NASTY}"])
    session.user(f"again {NASTY}")
    session.message({"role": f"role {NASTY}", "content": f"other {NASTY}"}, entry_id=f"id {NASTY}")
    session.branch_from(first)
    session.branch_summary(f"left {NASTY}", first)
    session.user(f"last {NASTY}", entry_id=f"end {NASTY}")
    return session
