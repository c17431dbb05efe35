"""What counts as a header, a name and a first message is what pi 1.6.0 answers (`findMostRecentSession`, `listAll`)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pitree.store.summaries import HEAD_BYTES, HEADER_LIMIT, TAIL_BYTES, SessionSummary, read_header, summarize_file


def line(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def header(id_: str = "s", **fields: Any) -> str:
    return line(type="session", version=3, id=id_, timestamp="2026-01-01T00:00:00.000Z", **{"cwd": "/w", **fields})


def message(role: str, content: Any) -> str:
    return line(type="message", id="1", parentId=None, message={"role": role, "content": content})


def info(**fields: Any) -> str:
    return line(type="session_info", id="n", parentId=None, **fields)


def summarize(path: Path, text: str | bytes) -> SessionSummary:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return summarize_file(path)


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        (header("plain"), "plain"),
        (header("open").rstrip("\n"), "open"),
        ('garbage\n\nnull\n0\n""\nfalse\n' + header("late"), "late"),
        ("\r\n \t\n" + header("crlf").rstrip("\n") + "\r\n", "crlf"),
        ("\ufeff\n\u00a0\n" + header("blank"), "blank"),
    ],
)
def test_the_header_is_the_first_line_that_is_true(tmp_path: Path, text: str, id_: str) -> None:
    summary = summarize(tmp_path / "x.jsonl", text)
    assert (summary.id, summary.cwd, summary.problem) == (id_, "/w", None)
    found = read_header(tmp_path / "x.jsonl")
    assert found is not None
    assert found["id"] == id_


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("\n\n", "holds no line that can be read as JSON"),
        ("junk", "holds no line that can be read as JSON"),
        ("42\n" + header(), "does not start with the header of a session"),
        ("[1]\n" + header(), "does not start with the header of a session"),
        ("{}\n" + header(), "does not start with the header of a session"),
        (line(type="session", id=5), "does not start with the header of a session"),
        ("\ufeff" + header() + message("user", "x"), "starts with a byte order mark, which hides the header"),
    ],
)
def test_what_pi_takes_for_no_session_has_a_problem(tmp_path: Path, text: str, problem: str) -> None:
    summary = summarize(tmp_path / "x.jsonl", text)
    assert (summary.id, summary.cwd, summary.problem) == ("", "", problem)
    assert summary.size == len(text.encode())
    assert read_header(tmp_path / "x.jsonl") is None


@pytest.mark.parametrize(("size", "end", "found"), [(0, "", True), (-1, "\n", True), (0, "\n", False), (1, "", False)])
def test_the_header_must_end_in_the_first_megabyte(tmp_path: Path, size: int, end: str, found: bool) -> None:
    bare = header("big", p="").rstrip("\n")
    padded = header("big", p="x" * (HEADER_LIMIT + size - len(bare))).rstrip("\n")
    assert len(padded) == HEADER_LIMIT + size
    summary = summarize(tmp_path / "x.jsonl", padded + end)
    assert summary.id == ("big" if found else "")
    assert summary.problem == (None if found else "has no header in its first megabyte")


def test_what_cannot_be_opened_has_a_problem(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "none")
    assert summarize_file(tmp_path / "folder.jsonl").problem == "is a folder"
    assert summarize_file(tmp_path / "pipe.jsonl").problem == "is no regular file"
    assert (summarize_file(tmp_path / "dangling.jsonl").problem or "").startswith("cannot be read (")


@pytest.mark.parametrize(
    ("body", "name", "messages", "first"),
    [
        ("", None, 0, None),
        (
            message("user", [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}])
            + message("assistant", [{"type": "text", "text": "x"}])
            + message("toolResult", []),
            None,
            3,
            "a b",
        ),
        (message("user", "") + message("user", "second") + info(name="  nm \ufeff"), "nm", 2, "second"),
        (info(name="x") + info(name="  ") + message("user", " t "), None, 1, " t "),
        (info(name="x") + info(), None, 0, None),
        ("junk\n" + message("custom", "q") + message("user", [{"type": "text", "text": ""}]), None, 2, None),
        (header("again") + message("user", "k"), None, 1, "k"),
        ("5\n[1]\n" + line(type="message", message=5) + line(type="message", message={"role": "user"}), None, 2, None),
    ],
)
def test_a_small_file_is_read_whole(
    tmp_path: Path, body: str, name: str | None, messages: int, first: str | None
) -> None:
    summary = summarize(tmp_path / "x.jsonl", header() + body)
    assert (summary.name, summary.messages, summary.first_message) == (name, messages, first)


def test_of_a_large_file_both_ends_are_read(tmp_path: Path) -> None:
    filler = message("assistant", "y" * 1000) * 200
    assert len(filler) > HEAD_BYTES + TAIL_BYTES
    text = header() + info(name="old") + message("user", "first") + filler
    summary = summarize(tmp_path / "x.jsonl", text)
    assert (summary.name, summary.messages, summary.first_message) == ("old", None, "first")
    summary = summarize(tmp_path / "x.jsonl", text + info(name="new"))
    assert summary.name == "new"
    summary = summarize(tmp_path / "x.jsonl", text + info(name=""))
    assert summary.name is None
    summary = summarize(tmp_path / "x.jsonl", header() + filler + message("user", "late"))
    assert summary.first_message is None


def test_size_and_time_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(header())
    os.utime(path, (5, 1234.5))
    summary = summarize_file(path)
    assert (summary.modified, summary.size) == (1234.5, len(header()))
