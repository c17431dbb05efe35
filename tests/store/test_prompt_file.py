from __future__ import annotations

from pathlib import Path

import pytest

from pitree.store.prompt_file import MOST_BYTES, NoPrompt, read_prompt


def test_instructions_are_read_without_space_around_them(tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_bytes("\ufeff\n Keep every path – exactly.\n\n".encode())
    assert read_prompt(file) == "Keep every path – exactly."


@pytest.mark.parametrize(
    ("data", "words"),
    [(b" \n", "is empty"), (b"\xff\xfe", "is not UTF-8"), (b"x" * (MOST_BYTES + 1), "is larger than 256 KB")],
)
def test_what_is_no_prompt(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "prompt.md"
    file.write_bytes(data)
    with pytest.raises(NoPrompt, match=words):
        read_prompt(file)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NoPrompt, match="cannot be read: Is a directory"):
        read_prompt(tmp_path)
    with pytest.raises(NoPrompt, match="cannot be read: No such file or directory"):
        read_prompt(tmp_path / "none")
