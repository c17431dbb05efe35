from typing import Any, cast

from pitree.lessons.edits import edit_details
from pitree.lessons.workspace import Workspace, bash, edit, read, write

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def test_an_edit_is_reported_with_numbers_and_as_a_patch() -> None:
    details = edit_details("a.py", TEN, TEN.replace("line 6\n", "LINE 6\nline 6b\n"))
    assert details["firstChangedLine"] == 6
    assert str(details["diff"]).split("\n") == [
        "    ...",
        "  2 line 2",
        "  3 line 3",
        "  4 line 4",
        "  5 line 5",
        "- 6 line 6",
        "+ 6 LINE 6",
        "+ 7 line 6b",
        "  7 line 7",
        "  8 line 8",
        "  9 line 9",
        " 10 line 10",
    ]
    assert str(details["patch"]).startswith("--- a.py\n+++ a.py\n@@ -2,9 +2,10 @@\n line 2\n")


def test_reading_and_writing() -> None:
    workspace = Workspace({"a.py": TEN})
    assert workspace.run(read("a.py")).content == TEN
    assert workspace.run(read("a.py", 3, 2)).content == (
        "line 3\nline 4\n\n[7 more lines in file. Use offset=5 to continue.]"
    )
    assert workspace.run(read("b.py")).is_error
    assert workspace.run(write("b.py", "x\n")).content == "Successfully wrote to b.py"
    assert workspace.files["b.py"] == "x\n"


def test_an_edit_needs_a_text_that_occurs_once() -> None:
    workspace = Workspace({"a.py": TEN})
    assert workspace.run(edit("a.py", ("line 11", "x"))).is_error
    assert "Found 10 occurrences" in str(workspace.run(edit("a.py", ("line", "x"))).content)
    done = workspace.run(edit("a.py", ("line 2\n", "two\n"), ("line 4\n", "four\n")))
    assert done.content == "Successfully replaced 2 block(s) in a.py."
    assert cast("dict[str, Any]", done.details)["firstChangedLine"] == 2
    assert workspace.files["a.py"].startswith("line 1\ntwo\nline 3\nfour\n")


def test_a_command_that_fails_says_its_code() -> None:
    assert Workspace().run(bash("false", "oops", code=2)).content == "oops\n\nCommand exited with code 2"
