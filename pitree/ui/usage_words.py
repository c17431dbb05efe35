"""What a provider recorded, in words."""

from __future__ import annotations

from pitree.session.javascript import JSON, get
from pitree.ui.figures import exact

_NAMES = (("input", "input"), ("output", "output"), ("cacheRead", "cache read"), ("cacheWrite", "cache write"))


def usage_words(usage: JSON) -> str:
    """Usage in pi's form as words, such as `used input 81,204 · output 2,311 · $0.2785`; "" where it says nothing."""
    parts = [f"{word} {exact(number)}" for key, word in _NAMES if (number := _figure(get(usage, key)))]
    cost = _figure(get(get(usage, "cost"), "total"))
    if cost:
        parts.append(f"${cost:,.4f}")
    return f"used {' · '.join(parts)}" if parts else ""


def _figure(value: JSON) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0
