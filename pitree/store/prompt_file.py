"""A person's own instructions for a model, from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pitree.store.errors import StoreError

MOST_BYTES: Final = 256 * 1024
"""What is larger is taken for a mistake."""


class NoPrompt(StoreError):
    """The file holds no instructions that could be used."""


def read_prompt(path: Path) -> str:
    """The instructions in a file, without white space around them.

    Raises:
        NoPrompt: when it cannot be read, holds nothing, or is no text; the message says what to do.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig").strip() if len(data) <= MOST_BYTES else ""
    except OSError as error:
        raise NoPrompt(f"The prompt file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise NoPrompt(f"The prompt file {path} is not UTF-8: save it as such.") from error
    if len(data) > MOST_BYTES:
        raise NoPrompt(f"The prompt file {path} is larger than {MOST_BYTES // 1024} KB: give instructions only.")
    if not text:
        raise NoPrompt(f"The prompt file {path} is empty: write instructions into it.")
    return text
