"""The system message of the rich demo, in the form pi 1.6 writes it. The wording is ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitree.lessons.blocks import Value
from pitree.lessons.rich import service

CWD = "/srv/shortlinks"


def _tool(name: str, description: str, required: Sequence[str], properties: Mapping[str, Value]) -> dict[str, Value]:
    parameters: dict[str, Value] = {"type": "object", "required": required, "properties": properties}
    return {"name": name, "description": description, "parameters": parameters}


def _text(description: str) -> dict[str, Value]:
    return {"type": "string", "description": description}


def _number(description: str) -> dict[str, Value]:
    return {"type": "number", "description": description}


def tools() -> list[dict[str, Value]]:
    """Return the four tools as they are declared to the model."""
    replacement: dict[str, Value] = {
        "type": "object",
        "required": ["oldText", "newText"],
        "properties": {"oldText": _text("Text that occurs once in the file"), "newText": _text("What replaces it")},
    }
    edits: dict[str, Value] = {"type": "array", "items": replacement, "description": "One or more replacements"}
    path = _text("Path of the file, relative or absolute")
    return [
        _tool(
            "read",
            "Read a text file or an image. Long files are cut at 2000 lines or 50KB; go on with offset and limit.",
            ["path"],
            {"path": path, "offset": _number("First line to read, from 1"), "limit": _number("How many lines")},
        ),
        _tool(
            "bash",
            "Run a command in the working directory. Returns what it prints, at most the last 2000 lines or 50KB.",
            ["command"],
            {"command": _text("Shell command"), "timeout": _number("Seconds until it is ended")},
        ),
        _tool("edit", "Replace exact texts in one file.", ["path", "edits"], {"path": path, "edits": edits}),
        _tool(
            "write",
            "Create a file or overwrite it. Missing folders are made.",
            ["path", "content"],
            {"path": path, "content": _text("The whole content")},
        ),
    ]


def sections() -> dict[str, str]:
    """Return the named parts of the prompt, in order."""
    return {
        "preamble": "You help a programmer in a terminal: you read files, run commands and change code.",
        "tools": "<tools>\n- read: look at a file\n- bash: run a command\n- edit: change parts of a file\n"
        "- write: create a file\n</tools>",
        "rules": "<rules>\n- Read a file before you change it.\n- Keep edits small and their old texts unique.\n"
        "- Say shortly what you found and what you did, with file names.\n"
        "- When a test fails, find out why before you change it.\n</rules>",
        "project_context": f'<project_context>\n<project_instructions path="{CWD}/AGENTS.md">\n'
        f"{service.instructions()}\n</project_instructions>\n</project_context>",
        "cwd": f"<cwd>\n{CWD}\n</cwd>",
    }


def system_message() -> dict[str, Value]:
    """Return the message as a compaction carries it, without its timestamp."""
    return {"role": "system", "content": "", "sections": sections(), "toolsAdded": tools()}
