"""What fills the context at an entry, for the context bar."""

from __future__ import annotations

import math

from pitree.context.projection import project
from pitree.context.shares import shares
from pitree.context.usage import known_size
from pitree.ui.context_shares import ContextShares
from pitree.ui.view import View


def shares_at(view: View, entry: int) -> ContextShares:
    """The context at an entry by category, with what the provider recorded where that counts."""
    session, rules, settings = view.session, view.rules, view.settings
    projection = project(session, session.path(entry), rules)
    size = known_size(session, projection, rules)
    tokens = None if size is None or size.last_usage is None else size.tokens
    used = int(tokens) if isinstance(tokens, int | float) and math.isfinite(tokens) else None
    parts = shares(projection.messages, rules)
    threshold = settings.trigger if settings.enabled else None
    return ContextShares(settings.context_window, tuple(parts.items()), used, threshold)
