"""One table of states: each shows by a mark, by a color and by a word, so that no meaning hangs on color alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Mark:
    """How one state is shown.

    Attributes:
        glyph: One cell.
        color: The name of a `$pitree-…` theme variable, without `$`.
        word: What help and rows say.
    """

    glyph: str
    color: str
    word: str


MARKS: Final[dict[str, Mark]] = {
    # structure
    "path": Mark("•", "pitree-path", "on the path"),
    "abandoned": Mark("◦", "pitree-abandoned", "another branch"),
    "gone": Mark("░", "pitree-gone", "gone, already compacted away"),
    "leaf": Mark("●", "pitree-leaf", "leaf"),
    "label": Mark("⚑", "pitree-label", "label"),
    "hit": Mark("✱", "pitree-hit", "search hit"),
    "folded": Mark("⊞", "pitree-fold", "folded"),
    "unfolded": Mark("⊟", "pitree-fold", "can be folded"),
    "as_of": Mark("◷", "pitree-as-of", "seen as of here"),
    "problem": Mark("‼", "pitree-problem", "problem"),
    # compaction
    "summarized": Mark("▒", "pitree-summarized", "summarized"),
    "prefix": Mark("▓", "pitree-prefix", "turn prefix, summarized apart"),
    "kept": Mark("█", "pitree-kept", "kept"),
    "unseen": Mark("┊", "pitree-unseen", "not seen by the model"),
    "cut": Mark("✂", "pitree-cut", "cut"),
    "first_kept": Mark("»", "pitree-cut", "first kept"),
    "turn_start": Mark("↦", "pitree-prefix", "turn starts"),
    # branches
    "ancestor": Mark("◆", "pitree-ancestor", "common ancestor"),
    "left": Mark("◂", "pitree-left", "left branch, sent"),
    "dropped": Mark("✗", "pitree-dropped", "left branch, dropped by the budget"),
    "left_out": Mark("○", "pitree-left-out", "left branch, left out as a tool result"),
    "target": Mark("▸", "pitree-target", "target"),
    "target_path": Mark("▹", "pitree-target", "on the way to the target"),
    "new_leaf": Mark("◎", "pitree-new-leaf", "new leaf"),
    # plans
    "changed": Mark("≠", "pitree-changed", "changed from the settings"),
    "assumed": Mark("?", "pitree-changed", "assumed"),
}

SHORT_WORDS: Final[dict[str, str]] = {
    "ancestor": "ancestor",
    "first_kept": "first kept",
    "turn_start": "turn starts",
    "new_leaf": "new leaf",
    "as_of": "as of",
    "hit": "",
    "label": "",
    "folded": "",
}
"""What a row of the outline says beside the glyph, where `word` is too long for it."""


def mark(state: str) -> Mark:
    """The mark of a state; a state without one shows as a plain dot rather than failing."""
    return MARKS.get(state) or Mark("·", "pitree-unseen", state)


def short_word(state: str) -> str:
    """The word shown with the glyph inside a row; empty where the glyph says enough."""
    return SHORT_WORDS.get(state, mark(state).word)
