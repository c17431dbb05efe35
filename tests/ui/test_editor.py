"""Editing in the person's own editor: a private file, arguments, errors in one sentence."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.app import SuspendNotSupported

from pitree.ui.editor import EditorError, edit_outside


class Suspending:
    def __init__(self, *, able: bool = True) -> None:
        self.able = able
        self.events: list[str] = []

    @contextmanager
    def suspend(self) -> Iterator[None]:
        if not self.able:
            raise SuspendNotSupported()
        self.events.append("suspended")
        yield
        self.events.append("back")


def editor(folder: Path, code: str) -> dict[str, str]:
    script = folder / "my editor.py"
    script.write_text("import os, sys\nfrom pathlib import Path\npath = Path(sys.argv[-1])\n" + code)
    return {"VISUAL": f"{sys.executable} '{script}' --wait", "EDITOR": "never"}


def test_gives_back_what_was_saved(tmp_path: Path) -> None:
    app = Suspending()
    code = "path.write_text(path.read_text() + 'é and more\\n')\nPath(sys.argv[0] + '.log').write_text("
    code += "f'{sys.argv[1]} {path} {oct(path.stat().st_mode)} {oct(path.parent.stat().st_mode)}')"
    assert edit_outside(app, "## Goal ", editor(tmp_path, code)) == "## Goal é and more"
    assert app.events == ["suspended", "back"]
    argument, path, mode, folder_mode = (tmp_path / "my editor.py.log").read_text().split(" ")
    assert argument == "--wait"
    assert path.endswith("draft.md")
    assert not Path(path).parent.exists()
    assert (stat.S_IMODE(int(mode, 8)), stat.S_IMODE(int(folder_mode, 8))) == (0o600, 0o700)


def test_unchanged_is_none(tmp_path: Path) -> None:
    assert edit_outside(Suspending(), "## Goal \ud800", editor(tmp_path, "")) is None


def test_a_text_that_ends_in_a_line_break_keeps_it(tmp_path: Path) -> None:
    assert edit_outside(Suspending(), "a\n", editor(tmp_path, "path.write_text('b\\n')")) == "b\n"


def test_editors_that_replace_the_file(tmp_path: Path) -> None:
    code = "new = path.with_name('new')\nnew.write_text('b')\nos.replace(new, path)\npath.with_name('swap').touch()"
    assert edit_outside(Suspending(), "a", editor(tmp_path, code)) == "b"


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({}, "No editor is set: set $VISUAL or $EDITOR, or edit with e."),
        ({"VISUAL": " "}, "No editor is set: set $VISUAL or $EDITOR, or edit with e."),
        ({"EDITOR": "vi 'x"}, "$EDITOR has a quote that does not end: vi 'x."),
        (
            {"EDITOR": "/nowhere/\x1b[2J/vi"},
            "The editor /nowhere/␛[2J/vi cannot be started: No such file or directory.",
        ),
        ({"EDITOR": "/"}, "The editor / cannot be started: Permission denied."),
    ],
)
def test_errors_are_one_sentence(variables: dict[str, str], sentence: str) -> None:
    with pytest.raises(EditorError) as caught:
        edit_outside(Suspending(), "a", variables)
    assert str(caught.value) == sentence


def test_an_editor_that_fails_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(EditorError, match="ended with code 3: the draft is as it was"):
        edit_outside(Suspending(), "a", editor(tmp_path, "path.write_text('b')\nsys.exit(3)"))


def test_an_editor_that_removes_the_file(tmp_path: Path) -> None:
    with pytest.raises(EditorError, match=r"could not be given to the editor: No such file or directory\."):
        edit_outside(Suspending(), "a", editor(tmp_path, "path.unlink()"))


def test_a_terminal_that_cannot_be_given_away(tmp_path: Path) -> None:
    with pytest.raises(EditorError, match="This terminal cannot be given to an editor: edit with e"):
        edit_outside(Suspending(able=False), "a", editor(tmp_path, ""))
