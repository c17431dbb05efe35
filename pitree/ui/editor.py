"""Edits a text in the person's own editor, while the program gives the terminal away."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from textual.app import SuspendNotSupported

from pitree.ui.text import one_line

FILE_NAME = "draft.md"


class EditorError(Exception):
    """Why a text could not be edited, and what to do, in one sentence."""


class Suspends(Protocol):
    """What is needed of the application."""

    def suspend(self) -> AbstractContextManager[None]:
        """Give the terminal away for a while."""


def edit_outside(app: Suspends, text: str, variables: Mapping[str, str]) -> str | None:
    """Edit a text in `$VISUAL` or `$EDITOR`; returns when the editor has ended.

    The text is in a file that only its owner may read, in a folder of its own, and both are removed afterwards.

    Args:
        app: The application.
        text: The text.
        variables: Environment variables.

    Returns:
        The text as it was saved, or None where it is as it was.

    Raises:
        EditorError: when there is no editor, or it failed.
    """
    command = _command(variables)
    try:
        with TemporaryDirectory(prefix="pitree-") as folder:
            path = Path(folder, FILE_NAME)
            given = text.encode("utf-8", "replace")
            _write_private(path, given)
            _run(app, [*command, str(path)])
            edited = path.read_bytes()
    except OSError as error:
        raise EditorError(f"The draft could not be given to the editor: {_reason(error)}.") from None
    return None if edited == given else _without_added_newline(edited.decode("utf-8", "replace"), text)


def _command(variables: Mapping[str, str]) -> list[str]:
    named = next((name for name in ("VISUAL", "EDITOR") if variables.get(name, "").strip()), None)
    if named is None:
        raise EditorError("No editor is set: set $VISUAL or $EDITOR, or edit with e.")
    try:
        return shlex.split(variables[named])
    except ValueError:
        raise EditorError(f"${named} has a quote that does not end: {one_line(variables[named], 60)}.") from None


def _write_private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _run(app: Suspends, command: list[str]) -> None:
    name = one_line(command[0], 60)
    failed: OSError | None = None
    code = 0
    try:
        with app.suspend():
            # An error that left this block would leave the terminal given away.
            try:
                code = subprocess.run(command, check=False).returncode
            except OSError as error:
                failed = error
    except SuspendNotSupported:
        raise EditorError("This terminal cannot be given to an editor: edit with e.") from None
    if failed is not None:
        raise EditorError(f"The editor {name} cannot be started: {_reason(failed)}.")
    if code:
        raise EditorError(f"The editor {name} ended with code {code}: the draft is as it was.")


def _reason(error: OSError) -> str:
    return one_line(error.strerror or type(error).__name__, 80)


def _without_added_newline(edited: str, before: str) -> str:
    """Editors end a file with a line break; a text that had none gets none."""
    return edited if before.endswith("\n") else edited.removesuffix("\n")
