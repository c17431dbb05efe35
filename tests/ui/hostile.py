"""A session file in which every text of every kind of entry tries to drive the terminal."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

CLIPBOARD = base64.b64encode(b"planted").decode()
PLANTS = (
    "\x1b[38;2;1;2;3mX",
    f"\x1b]52;c;{CLIPBOARD}\x07",
    "\x1b]0;owned\x1b\\",
    "\x1b]8;;http://planted\x1b\\",
    "\x1bPplanted\x1b\\",
    "\x1b[6n\x1b[?1049l\x1bc",
    "\x07\x08\x7f\x00\x0e",
    "\x9b31mY\x9d52;c;x\x9c\x90",
    "\u202e\u2066\u200f\u061c",
    "\u200b\u200d\ufeff\u2060\u00ad",
    "\u2028\u2029\x85",
    "\ud800\udfffZ\udc00",
    "\U000e0041\ufe0f",
    "[/b][@click=app.quit]x[/][bold red]",
)
MARKER = "plant"
TEXT = MARKER + "".join(PLANTS)
"""What stands in every text; it begins harmlessly, so that a test can find it on the screen."""


def _text(name: str) -> str:
    return f"{name} {TEXT}"


def _usage() -> dict[str, object]:
    return {"input": 10, "output": 5, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 15, "cost": {"total": 0.1}}


def _messages() -> Iterator[dict[str, object]]:
    arguments = {_text("key"): _text("value"), "path": _text("path"), "command": _text("cmd"), TEXT: {TEXT: [TEXT]}}
    yield {
        "role": "system",
        "content": _text("system"),
        "sections": {_text("section"): _text("words"), TEXT: None},
        "toolsAdded": [{"name": _text("tool"), "description": TEXT, TEXT: TEXT}],
        "toolsRemoved": [{"name": _text("gone")}],
    }
    yield {"role": "user", "content": _text("user")}
    yield {
        "role": "user",
        "content": [{"type": "text", "text": TEXT}, {"type": "image", "data": "aa", "mimeType": TEXT}],
    }
    yield {
        "role": "assistant",
        "provider": _text("provider"),
        "model": _text("model"),
        "api": TEXT,
        "stopReason": _text("stop"),
        "errorMessage": _text("error"),
        "usage": _usage(),
        "content": [
            {"type": "thinking", "thinking": _text("thinking")},
            {"type": "text", "text": _text("said")},
            {"type": "toolCall", "id": _text("call"), "name": _text("name"), "arguments": arguments},
            {
                "type": "toolCall",
                "id": TEXT,
                "name": "edit",
                "arguments": {"edits": [{"oldText": TEXT, "newText": TEXT}]},
            },
            {"type": _text("block"), TEXT: TEXT},
        ],
    }
    yield {
        "role": "toolResult",
        "toolCallId": _text("call"),
        "toolName": _text("result"),
        "isError": True,
        "details": {"diff": f"+{TEXT}\n-{TEXT}\n {TEXT}", TEXT: TEXT},
        "content": [{"type": "text", "text": TEXT}],
    }
    yield {"role": "toolResult", "toolCallId": "none", "toolName": _text("alone"), "content": TEXT}
    yield {"role": "bashExecution", "command": _text("bash"), "output": TEXT, "exitCode": 1, "fullOutputPath": TEXT}
    yield {"role": "custom", "customType": _text("custom"), "content": TEXT, "details": {TEXT: TEXT}}
    yield {"role": _text("role"), "content": TEXT}


def _others() -> Iterator[dict[str, object]]:
    yield {
        "type": "compaction",
        "summary": TEXT,
        "firstKeptEntryId": _text("id 3"),
        "tokensBefore": 9,
        "fromHook": True,
    }
    yield {"type": "branch_summary", "summary": _text("branch"), "fromId": _text("from")}
    yield {"type": "custom", "customType": _text("type"), "data": {TEXT: TEXT}}
    yield {"type": "custom_message", "customType": _text("cm"), "content": TEXT, "display": True}
    yield {"type": "label", "targetId": _text("id 2"), "label": _text("label")}
    yield {"type": "session_info", "name": _text("session name")}
    yield {"type": "model_change", "provider": _text("provider"), "modelId": _text("model")}
    yield {"type": "thinking_level_change", "thinkingLevel": _text("level")}
    yield {"type": "usage", "kind": _text("usage"), "model": TEXT, "usage": _usage()}
    yield {"type": "context_edit", "targetId": _text("id 2"), "replacement": {"role": "user", "content": TEXT}}
    yield {"type": _text("unknown"), TEXT: TEXT}


def hostile_lines() -> Iterator[dict[str, object]]:
    """The header, every kind of entry in a line, and a branch of one message before the last entry."""
    yield {"type": "session", "version": 3, "id": _text("session"), "timestamp": TEXT, "cwd": f"/{TEXT}", TEXT: TEXT}
    bodies: list[dict[str, object]] = [{"type": "message", "message": {"timestamp": 1, **m}} for m in _messages()]
    bodies += _others()
    bodies += [{"type": "message", "message": {"role": "user", "content": _text("end"), "timestamp": 1}}] * 2
    last = len(bodies) - 1
    parents = [None, *range(last - 2), 1, last - 2]
    for number, (body, parent) in enumerate(zip(bodies, parents, strict=True)):
        above = None if parent is None else _text(f"id {parent}")
        yield {**body, "id": _text(f"id {number}"), "parentId": above, "timestamp": TEXT}


def write_hostile(path: Path) -> None:
    """Write the session; lone surrogates stand in it as JSON escapes, everything else as it is."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in hostile_lines())
    path.write_bytes(text.encode("utf-8", "surrogatepass").replace(b"\xed\xa0\x80", b"\\ud800").replace(
        b"\xed\xbf\xbf", b"\\udfff").replace(b"\xed\xb0\x80", b"\\udc00"))  # fmt: skip
