"""How numbers read: exact ones with separators, rough ones short."""

from __future__ import annotations

from math import isfinite

from pitree.session.javascript import to_number


def exact(number: float) -> str:
    """A number in full, such as `84,117`; `NaN` when pi would have counted to that."""
    number = to_number(number)
    return f"{number:,.0f}" if isfinite(number) else "NaN"


def short(number: float) -> str:
    """A number in few characters, such as `950`, `18.4k`, `131.4k`, `200k`, `1.05M`."""
    number = to_number(number)
    if not isfinite(number):
        return "NaN"
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if abs(number) >= size * 0.99995:
            text = f"{number / size:.{2 if unit == 'M' else 1}f}"
            return text.rstrip("0").rstrip(".") + unit
    return f"{number:.0f}"


def rough(number: float) -> str:
    """A number as briefly as it can be, such as `950`, `9k`, `131k`, `1M`."""
    if not isfinite(number):
        return "NaN"
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if abs(number) >= size * 0.9995:
            return f"{number / size:.0f}{unit}"
    return f"{number:.0f}"


def percent(part: float, whole: float) -> str:
    """A share in words, such as `66 %`; `under 1 %` is never shown as nothing."""
    if not whole or not isfinite(part):
        return "?"
    share = 100 * part / whole
    return "under 1 %" if 0 < share < 1 else f"{share:.0f} %"
