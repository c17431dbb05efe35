"""Search in everything an entry holds: texts, arguments, results, thinking, summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitree.session.javascript import JSON
from pitree.session.session import Session

_SLICE = 256


def find_hits(session: Session, query: str, go_on: Callable[[], bool]) -> tuple[int, ...] | None:
    """The entries that hold a text, whatever its case; None when it was stopped on the way."""
    needle = query.lower()
    plain = needle.encode() if needle.isascii() and not any(c in needle for c in '"\\') else None
    hits: list[int] = []
    for index in range(session.count):
        if index % _SLICE == 0 and not go_on():
            return None
        raw = session.raw(index)
        # A text in the file may be escaped, so bytes that do not hold it only decide where nothing is.
        if plain is not None and b"\\" not in raw and plain not in raw.lower():
            continue
        if any(needle in text.lower() for text in texts_of(session.entry(index).value)):
            hits.append(index)
    return tuple(hits)


def texts_of(value: JSON) -> Iterator[str]:
    """Every text in a JSON value, except the data of images."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            is_image = item.get("type") == "image"
            stack.extend(part for key, part in item.items() if not (is_image and key == "data"))
