"""Requests as rows that can be compared: what a body holds, and what pitree says that it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pitree.context.messages import Message
from pitree.context.sent import SentRow
from pitree.session.javascript import well_paired
from tests.e2e.provider import Body

Row = tuple[Any, ...]
"""Role, what it is, and what is in it."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_FOR_IDS = re.compile(r"[^a-zA-Z0-9_-]")


def rows_of_body(body: Body) -> list[Row]:
    """The blocks of all messages of a request, in order."""
    return [row for message in body["messages"] for row in _body_rows(message["role"], message["content"])]


def rows_of(sent: Iterable[SentRow]) -> list[Row]:
    """The blocks that these rows send; the system prompt does not stand among the messages."""
    return [row for item in sent if item.sent and item.sent.role != "system" for row in _sent_rows(item.sent)]


def _body_rows(role: str, content: Any) -> Iterator[Row]:
    for block in _blocks(content):
        kind = block["type"]
        if kind == "tool_result":
            yield role, kind, block["tool_use_id"], _plain(block["content"]), bool(block.get("is_error"))
        elif kind == "tool_use":
            yield role, kind, block["id"], block["name"], block["input"]
        elif kind == "image":
            yield role, kind, block["source"]["data"]
        else:
            yield role, kind, block["text" if kind == "text" else "thinking"]


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _plain(content: Any) -> Any:
    return content if isinstance(content, str) else [*_body_rows("result", content)]


def _sent_rows(message: Message) -> Iterator[Row]:
    content: Any = message.get("content")
    if message.role == "toolResult":
        call = _id(message.get("toolCallId"))
        yield "user", "tool_result", call, _result(content), bool(message.get("isError"))
        return
    for block in _blocks(content):
        kind = block["type"]
        if kind == "toolCall":
            yield message.role, "tool_use", _id(block["id"]), block["name"], block["arguments"]
        elif kind == "image":
            yield message.role, kind, block["data"]
        else:
            yield message.role, kind, _text(block[kind])


def _result(content: Any) -> Any:
    if not any(block["type"] == "image" for block in content):
        return _text("\n".join(block["text"] for block in content))
    rows = [
        ("result", "image", block["data"]) if block["type"] == "image" else ("result", "text", _text(block["text"]))
        for block in content
    ]
    return rows if any(kind == "text" for _, kind, _ in rows) else [("result", "text", "(see attached image)"), *rows]


def _text(text: str) -> str:
    """As pi sends it: halves of surrogate pairs are left out."""
    return _LONE_SURROGATE.sub("", well_paired(text))


def _id(name: Any) -> str:
    return _NOT_FOR_IDS.sub("_", name)[:64]
