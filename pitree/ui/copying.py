"""What is copied of an entry: its text as pi's tree copies it, else the raw line."""

from __future__ import annotations

from pitree.session.entries import Kind
from pitree.session.javascript import JSON, get, to_string, truthy
from pitree.session.session import Session


def copied_text(session: Session, index: int) -> str:
    """The text of an entry; of one without a text its line in the file."""
    entry = session.entry(index)
    if entry.kind is Kind.BASH:
        text = get(entry.message, "command")
    elif entry.kind in (Kind.COMPACTION, Kind.BRANCH_SUMMARY):
        text = entry.get("summary")
    else:
        content = entry.get("content") if entry.kind is Kind.CUSTOM_MESSAGE else get(entry.message, "content")
        text = _text(content) or get(entry.message, "errorMessage")
    return to_string(text) if truthy(text) else session.raw(index).decode("utf-8", "replace")


def _text(content: JSON) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [get(block, "text") for block in blocks if get(block, "type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))
