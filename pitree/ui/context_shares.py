"""What fills the context, as a value, and how its shares divide the cells of a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple


class Category(NamedTuple):
    """One kind of share: a short, a middle and a long word, and its theme variable."""

    short: str
    middle: str
    long: str
    color: str


CATEGORIES: Final[dict[str, Category]] = {
    "system": Category("sys", "system", "system", "pitree-bar-system"),
    "summaries": Category("sum", "summary", "summary", "pitree-bar-summaries"),
    "user": Category("usr", "user", "user", "pitree-bar-user"),
    "assistant": Category("ast", "asst", "assistant", "pitree-bar-assistant"),
    "thinking": Category("thk", "think", "thinking", "pitree-bar-thinking"),
    "tool_calls": Category("call", "calls", "tool calls", "pitree-bar-tool-calls"),
    "tool_results": Category("res", "results", "tool results", "pitree-bar-tool-results"),
    "images": Category("img", "images", "images", "pitree-bar-images"),
    "not_in_file": Category("other", "not in file", "not in file", "pitree-bar-not-in-file"),
    "free": Category("free", "free", "free", "pitree-bar-free"),
}
"""In the order of the bar."""


@dataclass(frozen=True, slots=True)
class ContextShares:
    """What the model would see, by category.

    Attributes:
        window: Tokens of the model's context window.
        est: pi's estimate per category of `CATEGORIES`, without `not_in_file` and `free`.
        used: Tokens the provider recorded, or None when it recorded none that counts.
        threshold: Tokens beyond which pi compacts by itself, or None when it does not.
    """

    window: int
    est: tuple[tuple[str, int], ...] = ()
    used: int | None = None
    threshold: int | None = None

    @property
    def estimated(self) -> int:
        """All estimates together."""
        return sum(tokens for _, tokens in self.est)

    @property
    def filled(self) -> int:
        """How far the bar is filled: as recorded, or as estimated where that is more or nothing was recorded."""
        return max(self.estimated, self.used or 0)

    def segments(self) -> list[tuple[str, int]]:
        """Categories and tokens in the order of the bar, with what is not in the file and what is free."""
        known = dict(self.est)
        missing = max(0, (self.used or 0) - self.estimated)
        free = max(0, self.window - self.filled)
        parts = [(name, known.get(name, 0)) for name in CATEGORIES if name not in ("not_in_file", "free")]
        return [part for part in [*parts, ("not_in_file", missing), ("free", free)] if part[1] > 0]


def divide(parts: Sequence[int], cells: int) -> list[int]:
    """Divide cells by parts: none is lost, and no part vanishes while there are cells enough.

    Args:
        parts: Positive sizes.
        cells: Cells to give away.

    Returns:
        Cells of each part, together `cells`.
    """
    if not parts:
        return []
    whole = sum(parts)
    floor = 1 if cells >= len(parts) else 0
    given = [max(floor, cells * part // whole) for part in parts]
    order = sorted(range(len(parts)), key=lambda place: cells * parts[place] / whole - given[place])
    while sum(given) > cells:
        largest = max(range(len(parts)), key=lambda place: given[place])
        given[largest] -= 1
    missing = cells - sum(given)
    for place in order[::-1][:missing]:
        given[place] += 1
    given[-1] += cells - sum(given)
    return given
