"""The values inside an entry: JSON as pi writes it, and the blocks that messages are made of."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring
from typing import TypeAlias

Value: TypeAlias = "bool | int | float | str | Sequence[Value] | Mapping[str, Value] | None"
Block: TypeAlias = "dict[str, Value]"
IMAGE_CHARACTERS = 4800


def stringify(value: Value) -> str:
    """Write `value` as `JSON.stringify` does: no spaces, non-ASCII as it is, small decimals without an exponent.

    Keys that look like array indices, which JavaScript would move to the front, are not expected here.
    """
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{encode_basestring(key)}:{stringify(item)}" for key, item in value.items()) + "}"
    return "[" + ",".join(map(stringify, value)) + "]"


def text_block(text: str) -> Block:
    """Return a text block."""
    return {"type": "text", "text": text}


def image_block(data: bytes, mime_type: str = "image/png") -> Block:
    """Return an image block with `data` in base64, keys in the order pi writes them."""
    return {"type": "image", "data": base64.b64encode(data).decode("ascii"), "mimeType": mime_type}


def file_lists(read_files: Sequence[str], modified_files: Sequence[str]) -> str:
    """Return the file lists as pi puts them behind a summary; "" when both are empty."""
    parts = []
    if read_files:
        parts.append("<read-files>\n" + "\n".join(read_files) + "\n</read-files>")
    if modified_files:
        parts.append("<modified-files>\n" + "\n".join(modified_files) + "\n</modified-files>")
    return "".join("\n\n" + part for part in parts)


def block_length(block: Mapping[str, Value]) -> int:
    """Return the characters pi would count for a block of a message."""
    kind = block["type"]
    if kind == "text":
        return len(str(block["text"]))
    if kind == "thinking":
        return len(str(block["thinking"]))
    if kind == "toolCall":
        return len(str(block["name"])) + len(stringify(block["arguments"]))
    return IMAGE_CHARACTERS
