"""The names of the lenses, each deciding how the outline marks its rows."""

from __future__ import annotations

from typing import Final, Literal

Lens = Literal["structure", "compaction", "branch"]

LENSES: Final[tuple[Lens, ...]] = ("structure", "compaction", "branch")
