"""What a provider counts and charges, worked out so that the figures of a demo grow as real ones do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pitree.lessons.blocks import Value

ZERO_COST: dict[str, Value] = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}


@dataclass(frozen=True)
class Model:
    """A model as assistant messages name it, with prices in dollars for a million tokens."""

    model_id: str = "claude-sonnet-4-6"
    provider: str = "anthropic"
    api: str = "anthropic-messages"
    input: float = 3.0
    output: float = 15.0
    cache_read: float = 0.3
    cache_write: float = 3.75


@dataclass(frozen=True)
class Account:
    """What the context holds after an entry: its own tokens, the sum, what is cached, and since when."""

    parent: str | None
    own: int
    total: int
    cached: int
    cached_at: datetime


def usage_of(model: Model, plain: int, output: int, cache_read: int, cache_write: int) -> dict[str, Value]:
    """Return a usage object for so many tokens, with what they cost at the prices of `model`."""
    costs = [
        plain * model.input / 1_000_000,
        output * model.output / 1_000_000,
        cache_read * model.cache_read / 1_000_000,
        cache_write * model.cache_write / 1_000_000,
    ]
    names = ("input", "output", "cacheRead", "cacheWrite")
    cost: dict[str, Value] = dict(zip(names, costs, strict=True))
    return {
        "input": plain,
        "output": output,
        "cacheRead": cache_read,
        "cacheWrite": cache_write,
        "totalTokens": plain + output + cache_read + cache_write,
        "cost": {**cost, "total": sum(costs), "totalFromProvider": False},
        "cacheWrite1h": 0,
    }
