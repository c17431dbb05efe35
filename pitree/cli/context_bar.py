"""The bar of the report: what fills the context, in the order of the screen's bar, by words and by colors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from rich.text import Text

from pitree.cli.report_text import joined, shown
from pitree.safe_text import cell_pad


@dataclass(frozen=True)
class Part:
    """One kind of share.

    Attributes:
        words: Its name, from the shortest to the whole one.
        color: The color behind its words; "" for none.
    """

    words: tuple[str, ...]
    color: str

    @property
    def style(self) -> str:
        """How its part of the bar is drawn."""
        return f"#10141b on {self.color}" if self.color else "bright_black"

    @property
    def swatch(self) -> str:
        """How its mark in the legend is drawn."""
        return self.color or "bright_black"


PARTS: Mapping[str, Part] = {
    "system": Part(("sys", "system"), "#8a93a8"),
    "summaries": Part(("sum", "summary"), "#d9a05b"),
    "user": Part(("usr", "user"), "#7aa9e6"),
    "assistant": Part(("ast", "asst", "assistant"), "#6cc3b4"),
    "thinking": Part(("thk", "think", "thinking"), "#a991d8"),
    "tool_calls": Part(("call", "calls", "tool calls"), "#8fbf7f"),
    "tool_results": Part(("res", "results", "tool results"), "#5f93a6"),
    "images": Part(("img", "images"), "#d08cae"),
    "not_in_file": Part(("other", "not in file"), "#6d7688"),
    "free": Part(("free",), ""),
}
"""In the order of the bar."""


def bar_parts(shares: Mapping[str, int], recorded: float | None, window: int) -> list[tuple[Part, int]]:
    """What the bar shows: the estimates, what the provider counted beyond them, and what is free of the window."""
    est = sum(shares.values())
    known = recorded if recorded is not None and isfinite(recorded) else est
    sizes = {**shares, "not_in_file": int(max(0, known - est)), "free": int(max(0, window - max(est, known)))}
    return [(part, sizes[name]) for name, part in PARTS.items() if sizes.get(name)]


def draw_bar(parts: Sequence[tuple[Part, int]], window: int, trigger: int | None, width: int) -> Text:
    """The bar: each part begins with a line and its name as far as it fits; `┆` marks the trigger.

    Args:
        parts: Kinds of share and their tokens.
        window: In tokens; a context beyond it fills the bar.
        trigger: Where pi compacts by itself, in tokens, or None.
        width: Cells of the bar.
    """
    whole = max(window, sum(tokens for _, tokens in parts), 1)
    cells = [(part, size) for (part, _), size in zip(parts, _divide([t for _, t in parts], width), strict=True) if size]
    bar = joined(*(shown(_words(part, size), part.style) for part, size in cells), shown("▏", "bright_black"))
    if trigger is not None and 0 < trigger < whole:
        at = min(width - 1, trigger * width // whole)
        bar = joined(bar[:at], shown("┆", "bold red"), bar[at + 1 :])
    return joined(" ", bar)


def _words(part: Part, size: int) -> str:
    fitting = [word for word in part.words if len(word) < size]
    return cell_pad("▏" + (fitting[-1] if fitting else ""), size)


def _divide(parts: Sequence[int], cells: int) -> list[int]:
    """Divide cells by parts so that none is lost; a part too small for a cell gets none."""
    whole = sum(parts)
    ends = [round(sum(parts[: place + 1]) * cells / whole) for place in range(len(parts))]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
