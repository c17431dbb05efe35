"""A folder of files in memory, and what pi's tools answer about it.

The files of a story are really read, written and edited, so that listings, diffs and line numbers fit together, and an
edit that would not work in pi does not work here either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pitree.lessons.blocks import Block, Value, image_block, text_block
from pitree.lessons.edits import edit_details


@dataclass(frozen=True)
class Outcome:
    """What a tool answered: text or blocks, details, whether it is an error, and how long it took."""

    content: str | Sequence[Block]
    details: Value = None
    is_error: bool = False
    seconds: float = 0.01


@dataclass(frozen=True)
class Call:
    """A tool call to be made: its name and arguments, and for `bash` the answer that the story gives it."""

    name: str
    arguments: Mapping[str, Value]
    outcome: Outcome | None = None

    @property
    def path(self) -> str | None:
        """The `path` argument, when there is one."""
        found = self.arguments.get("path")
        return found if isinstance(found, str) else None


def read(path: str, offset: int | None = None, limit: int | None = None) -> Call:
    """Read a file, or `limit` lines of it from line `offset` on."""
    arguments: dict[str, Value] = {"path": path}
    if offset is not None:
        arguments["offset"] = offset
    if limit is not None:
        arguments["limit"] = limit
    return Call("read", arguments)


def read_image(path: str, data: bytes) -> Call:
    """Read a PNG file with these bytes."""
    blocks = [text_block("Read image file [image/png]"), image_block(data)]
    return Call("read", {"path": path}, Outcome(blocks, seconds=0.06))


def write(path: str, content: str) -> Call:
    """Write a whole file."""
    return Call("write", {"path": path, "content": content})


def edit(path: str, *replacements: tuple[str, str]) -> Call:
    """Replace texts in a file, each of which must occur exactly once."""
    edits = [{"oldText": old, "newText": new} for old, new in replacements]
    return Call("edit", {"path": path, "edits": edits})


def bash(command: str, output: str, *, code: int = 0, seconds: float = 0.4, timeout: int | None = None) -> Call:
    """Run a command that prints `output` and ends with `code`."""
    text = output if code == 0 else f"{output}\n\nCommand exited with code {code}"
    arguments: dict[str, Value] = {"command": command}
    if timeout is not None:
        arguments["timeout"] = timeout
    return Call("bash", arguments, Outcome(text or "(no output)", None, code != 0, seconds))


@dataclass
class Workspace:
    """The files by path, changed in place by `run`."""

    files: dict[str, str] = field(default_factory=dict)

    def run(self, call: Call) -> Outcome:
        """Carry out `call` and return what pi's tool would answer."""
        if call.outcome is not None:
            return call.outcome
        path = call.path or ""
        if call.name == "write":
            self.files[path] = str(call.arguments["content"])
            return Outcome(f"Successfully wrote to {path}")
        if path not in self.files:
            text = f"ENOENT: no such file or directory, access '{path}'"
            return Outcome(
                text if call.name == "read" else f"Could not edit file: {path}. Error code: ENOENT.", None, True
            )
        return self._read(path, call) if call.name == "read" else self._edit(path, call)

    def _read(self, path: str, call: Call) -> Outcome:
        lines = self.files[path].split("\n")
        start = int(str(call.arguments.get("offset", 1))) - 1
        limit = call.arguments.get("limit")
        end = len(lines) if limit is None else min(len(lines), start + int(str(limit)))
        text = "\n".join(lines[start:end])
        if end < len(lines):
            text += f"\n\n[{len(lines) - end} more lines in file. Use offset={end + 1} to continue.]"
        return Outcome(text)

    def _edit(self, path: str, call: Call) -> Outcome:
        before = after = self.files[path]
        edits = call.arguments["edits"]
        assert isinstance(edits, Sequence)
        for index, change in enumerate(edits):
            assert isinstance(change, Mapping)
            old, new = str(change["oldText"]), str(change["newText"])
            found = before.count(old)
            if found != 1:
                return Outcome(_edit_problem(path, index, len(edits), found), None, True)
            after = after.replace(old, new)
        self.files[path] = after
        text = f"Successfully replaced {len(edits)} block(s) in {path}."
        return Outcome(text, edit_details(path, before, after))


def _edit_problem(path: str, index: int, count: int, found: int) -> str:
    """Return pi's message for a text that is not there, or not there once."""
    which = "the exact text" if count == 1 else f"edits[{index}]"
    if found == 0:
        return (
            f"Could not find {which} in {path}. The old text must match exactly including all whitespace and newlines."
        )
    which = "the text" if count == 1 else which
    return f"Found {found} occurrences of {which} in {path}. The text must be unique. Please provide more context."
