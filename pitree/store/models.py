"""Context window, output limit and prices of a model, without asking anybody.

First what pi itself would use (`models.json`, then `models-store.json`), then the data that genai-prices carries, else
a window that is marked as assumed. pi's built-in catalog is not at hand; for some models (of OpenAI above all) it has
another window than genai-prices, which is why the source always goes along with the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pitree.store.findings import Finding
from pitree.store.json_files import is_number
from pitree.store.locations import Environment, agent_dir
from pitree.store.model_files import ModelEntry, ModelFiles, read_model_files

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

ASSUMED_WINDOW = 200_000
_NEWEST = datetime.max.replace(tzinfo=UTC)

FLAG = "--window"
MODELS_JSON = "models.json"
MODELS_STORE = "models-store.json"
GENAI_PRICES = "genai-prices"
ASSUMED = "assumed"


@dataclass(frozen=True)
class Rates:
    """Prices in USD per million tokens; None where unknown."""

    input: float | None
    output: float | None
    cache_read: float | None
    cache_write: float | None


@dataclass(frozen=True)
class Price:
    """What a model costs.

    Attributes:
        base: the rates of an ordinary request.
        tiers: (threshold, rates): the rates for the whole request when its input tokens exceed the threshold; the
            highest threshold that is exceeded counts. Ascending.
        source: where the prices came from: "models.json", "models-store.json" or "genai-prices".
    """

    base: Rates
    tiers: tuple[tuple[int, Rates], ...]
    source: str

    def at(self, input_tokens: int) -> Rates:
        """Return the rates for a request with that many input tokens."""
        rates = self.base
        for threshold, tier in self.tiers:
            if input_tokens > threshold:
                rates = tier
        return rates


@dataclass(frozen=True)
class ModelFacts:
    """What is known of a model.

    Attributes:
        window: context window, tokens.
        source: where the window came from: "--window", "models.json", "models-store.json", "genai-prices", "assumed".
        max_tokens: output limit, tokens, or None when unknown (genai-prices does not know it).
        price: prices, or None when unknown.
        findings: what is wrong with pi's files.
    """

    window: int
    source: str
    max_tokens: int | None = None
    price: Price | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def assumed(self) -> bool:
        """Whether the window is a guess that a screen must mark as such."""
        return self.source == ASSUMED


def model_facts(
    environment: Environment,
    provider: str | None,
    model_id: str | None,
    *,
    window: int | None = None,
    now: datetime | None = None,
) -> ModelFacts:
    """Gather what is known of a model.

    Args:
        environment: where pi's agent folder is.
        provider: pi's name of the provider, as the session has it; None when the session names no model.
        model_id: pi's `modelId`; None likewise.
        window: what `--window` says, tokens.
        now: for prices that change on a date or by the hour, with a time zone; None takes the newest prices.
    """
    known = model_window(environment, provider, model_id, window=window)
    if provider is None or model_id is None:
        return known
    files = read_model_files(agent_dir(environment), provider, model_id)
    return replace(known, price=_price(files, provider, _genai_model(provider, model_id), now or _NEWEST))


def model_window(
    environment: Environment, provider: str | None, model_id: str | None, *, window: int | None = None
) -> ModelFacts:
    """Gather what is known of a model without its price; genai-prices is loaded only where pi's files say nothing.

    The arguments are those of `model_facts`.
    """
    if provider is None or model_id is None:
        size, source = (ASSUMED_WINDOW, ASSUMED) if window is None else (window, FLAG)
        return ModelFacts(size, source)
    files = read_model_files(agent_dir(environment), provider, model_id)
    size, source = _window(files, provider, model_id) if window is None else (window, FLAG)
    limits = (entry.max_tokens for entry in (files.override, files.definition, files.stored) if entry)
    max_tokens = next((limit for limit in limits if limit is not None), None)
    return ModelFacts(size, source, max_tokens, findings=files.findings)


def _window(files: ModelFiles, provider: str, model_id: str) -> tuple[int, str]:
    layers = ((files.override, MODELS_JSON), (files.definition, MODELS_JSON), (files.stored, MODELS_STORE))
    for entry, source in layers:
        if entry is not None and entry.window is not None:
            return entry.window, source
    known = _genai_model(provider, model_id)
    if known is not None and known.context_window:
        return known.context_window, GENAI_PRICES
    return ASSUMED_WINDOW, ASSUMED


def _price(files: ModelFiles, provider: str, known: ModelInfo | None, now: datetime) -> Price | None:
    """Return the prices of the first layer that has some, with those of an override on top."""
    below = _priced(files.definition, MODELS_JSON) or _priced(files.stored, MODELS_STORE)
    if below is None and known is not None and _genai_provider_is_known(provider):
        below = _genai_price(known.get_prices(now))
    cost = files.override.cost if files.override else None
    if cost is None:
        return below
    base = _rates(cost, below.base if below else None)
    tiers = _tiers(cost["tiers"]) if "tiers" in cost else below.tiers if below else ()
    return Price(base, tiers, MODELS_JSON)


def _priced(entry: ModelEntry | None, source: str) -> Price | None:
    if entry is None or entry.cost is None:
        return None
    tiers = entry.cost.get("tiers")
    return Price(_rates(entry.cost), _tiers(tiers) if isinstance(tiers, list) else (), source)


def _rates(cost: Mapping[str, Any], below: Rates | None = None) -> Rates:
    """Take the four rates out of a `cost` object of pi; what it lacks is that of the layer below."""

    def rate(name: str, fallback: float | None) -> float | None:
        value = cost.get(name)
        return float(value) if is_number(value) else fallback

    return Rates(
        input=rate("input", below.input if below else None),
        output=rate("output", below.output if below else None),
        cache_read=rate("cacheRead", below.cache_read if below else None),
        cache_write=rate("cacheWrite", below.cache_write if below else None),
    )


def _tiers(tiers: list[Any]) -> tuple[tuple[int, Rates], ...]:
    usable = [tier for tier in tiers if isinstance(tier, dict) and is_number(tier.get("inputTokensAbove"))]
    return tuple(sorted(((int(tier["inputTokensAbove"]), _rates(tier)) for tier in usable), key=lambda pair: pair[0]))


def _genai_model(provider: str, model_id: str) -> ModelInfo | None:
    """Look a model up in genai-prices; by its name alone where the provider is unknown there (a proxy)."""
    from genai_prices.data_snapshot import get_snapshot  # heavy: only when a model is asked for

    for provider_id in (provider, None):
        if provider_id is None and _genai_provider_is_known(provider):
            return None
        try:
            return get_snapshot().find_provider_model(model_id, None, provider_id, None)[1]
        except LookupError:
            continue
    return None


def _genai_provider_is_known(provider: str) -> bool:
    from genai_prices.data_snapshot import find_provider_by_id, get_snapshot

    return find_provider_by_id(get_snapshot().providers, provider) is not None


def _genai_price(prices: ModelPrice) -> Price:
    """Turn the prices of genai-prices, which have a threshold per rate, into pi's form: rates per threshold."""
    from genai_prices.types import TieredPrices

    names = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")
    values = [getattr(prices, name, None) for name in names]
    thresholds = sorted({tier.start for value in values if isinstance(value, TieredPrices) for tier in value.tiers})

    def rate(value: Any, threshold: int) -> float | None:
        if isinstance(value, TieredPrices):
            value = [value.base, *(tier.price for tier in value.tiers if tier.start <= threshold)][-1]
        return None if value is None else float(value)

    def rates(threshold: int) -> Rates:
        return Rates(*(rate(value, threshold) for value in values))

    return Price(rates(-1), tuple((threshold, rates(threshold)) for threshold in thresholds), GENAI_PRICES)
