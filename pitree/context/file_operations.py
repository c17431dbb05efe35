"""Which files were read and which modified.

Source of the rules: pi's `extractFileOpsFromMessage`, `computeFileLists` and `formatFileOperations`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitree.context.messages import Message
from pitree.session.javascript import JSON, get, map_key, nullish, to_string, truthy, utf16_key
from pitree.session.problems import PiFails

FileSet = dict[object, JSON]
"""Files in the order in which they were first named, by `map_key`; odd details may name them by other values."""


@dataclass(frozen=True, slots=True)
class FileOperations:
    """Files touched so far."""

    read: FileSet = field(default_factory=dict)
    written: FileSet = field(default_factory=dict)
    edited: FileSet = field(default_factory=dict)

    def add_details(self, details: JSON) -> None:
        """Take over the lists that an earlier summary stored."""
        for key, files in (("readFiles", self.read), ("modifiedFiles", self.edited)):
            names = get(details, key)
            for name in names if isinstance(names, list) else ():
                files.setdefault(map_key(name), name)

    def add_message(self, message: Message, *, nested: bool) -> None:
        """Take over the tool calls of a message; with `nested` also those recorded on a tool result.

        Raises:
            PiFails: when pi itself throws on the message.
        """
        if message.role == "toolResult":
            if nested:
                self._add_nested(message)
        elif message.role == "assistant":
            content = message.get("content")
            for block in content if isinstance(content, list) else ():
                if (
                    get(block, "type") == "toolCall"
                    and isinstance(block, dict)
                    and {"arguments", "name"} <= block.keys()
                ):
                    self._add_call(block["name"], block["arguments"])

    def _add_nested(self, message: Message) -> None:
        calls = get(message.get("nestedCalls"), "calls")
        if not isinstance(calls, list | str) and not nullish(calls):
            raise PiFails("A tool result whose nested calls are no list.", message.entry)
        for call in () if nullish(calls) else calls:
            if nullish(call):
                raise PiFails("A tool result with a nested call that is null.", message.entry)
            self._add_call(get(call, "name"), get(call, "arguments"))

    def _add_call(self, name: JSON, arguments: JSON) -> None:
        path = get(arguments, "path")
        files = {"read": self.read, "write": self.written, "edit": self.edited}.get(
            name if isinstance(name, str) else ""
        )
        if files is not None and isinstance(path, str) and path:
            files.setdefault(path, path)

    def lists(self) -> tuple[list[JSON], list[JSON]]:
        """Files only read, and files modified, each in the order of their UTF-16 units."""
        modified = {**self.edited, **self.written}
        read_only = [name for key, name in self.read.items() if key not in modified]
        return sorted(read_only, key=_order), sorted(modified.values(), key=_order)


def _order(name: JSON) -> bytes:
    return utf16_key(to_string(name))


def stored_details(value: JSON) -> JSON:
    """The details of a summary entry that pi carries on: none of those that an extension wrote."""
    return None if truthy(get(value, "fromHook")) else get(value, "details")


def file_tags(read_files: Iterable[JSON], modified_files: Iterable[JSON]) -> str:
    """The lists as they stand at the end of a stored summary, with their blank lines before; empty without files."""
    parts = [
        f"<{tag}>\n" + "\n".join(map(to_string, names)) + f"\n</{tag}>"
        for tag, files in (("read-files", read_files), ("modified-files", modified_files))
        if (names := list(files))
    ]
    return "".join(f"\n\n{part}" for part in parts)
