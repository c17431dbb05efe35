"""Shows what differs between two texts."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.ui.comparison import comparison_blocks
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.word_diff import Pair


class Comparison(MarkedView):
    """Lays a comparison out for the width it gets."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pairs: Sequence[Pair] = ()
        self._laid_out = 0

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        """Show a comparison, from its top."""
        self._pairs = pairs
        self._lay_out(keep_place=False)

    def on_resize(self) -> None:
        """Lay the comparison out again."""
        if self._columns != self._laid_out:
            self._lay_out(keep_place=True)
        super().on_resize()

    def _lay_out(self, *, keep_place: bool) -> None:
        self._laid_out = self._columns
        if self._laid_out:
            self.show(comparison_blocks(self._pairs, self._laid_out), keep_place=keep_place)
