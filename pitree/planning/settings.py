"""The settings that decide a plan, in tokens, with pi's defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What a plan depends on beside the session.

    Attributes:
        enabled: Whether pi compacts by itself.
        reserve_tokens: What is kept free of the window when a compaction is triggered.
        keep_recent_tokens: How much of the newest context is kept.
        context_window: The model's window.
        branch_reserve_tokens: What is kept free of the window in the request for a branch summary.
    """

    enabled: bool = True
    reserve_tokens: int = 16384
    keep_recent_tokens: int = 20000
    context_window: int = 200_000
    branch_reserve_tokens: int = 16384

    @property
    def trigger(self) -> int:
        """Auto-compaction starts above this many tokens."""
        return self.context_window - self.reserve_tokens
