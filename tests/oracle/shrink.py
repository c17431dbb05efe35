"""Makes a session in which something goes wrong as small as it can be while it still goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

Run = dict[str, Any]
Check = Callable[[bytes, Run], bool]

_DEFAULTS = ("window", "reserve", "target", "leaf")


def shrink(content: bytes, run: Run, fails: Check, seconds: float) -> tuple[bytes, Run]:
    """The smallest file and question found in that time for which `fails` is still true."""
    deadline = time.monotonic() + seconds
    size = -1
    while time.monotonic() < deadline and size != (size := len(content) + len(run)):
        for key in _DEFAULTS:
            less = {name: value for name, value in run.items() if name != key}
            if key in run and fails(content, less):
                run = less
        content, run = _fewer_lines(content, run, fails, deadline)
        content = _smaller_lines(content, run, fails, deadline)
    return content, run


def _fewer_lines(content: bytes, run: Run, fails: Check, deadline: float) -> tuple[bytes, Run]:
    lines = content.split(b"\n")
    step = max(1, len(lines) // 2)
    while step and time.monotonic() < deadline:
        at = len(lines) - step
        while at >= 0:
            moved = _without(run, at, step)
            fewer = lines[:at] + lines[at + step :]
            if moved is not None and fails(b"\n".join(fewer), moved):
                lines, run = fewer, moved
            at -= step
        step //= 2
    return b"\n".join(lines), run


def _without(run: Run, at: int, count: int) -> Run | None:
    """The same question after lines have gone, or nothing when it asks about one of them."""
    moved = dict(run)
    for key in ("leaf", "target"):
        place = str(run.get(key, ""))
        if place.startswith("@") and place[1:].isdigit():
            line = int(place[1:])
            if at <= line < at + count:
                return None
            moved[key] = f"@{line - count if line >= at else line}"
    return moved


def _smaller_lines(content: bytes, run: Run, fails: Check, deadline: float) -> bytes:
    lines = content.split(b"\n")
    for at, line in enumerate(lines):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        progress = True
        while progress and time.monotonic() < deadline:
            progress = False
            for smaller in _smaller(value):
                written = json.dumps(smaller, separators=(",", ":")).encode()
                if len(written) < len(lines[at]) and fails(b"\n".join([*lines[:at], written, *lines[at + 1 :]]), run):
                    lines[at], value, progress = written, smaller, True
                    break
    return b"\n".join(lines)


def _smaller(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: item for name, item in value.items() if name != key}
            for less in _smaller(inner):
                yield {**value, key: less}
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield value[:i] + value[i + 1 :]
            for less in _smaller(inner):
                yield [*value[:i], less, *value[i + 1 :]]
    elif isinstance(value, str) and len(value) > 1:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        yield value[:-1]
