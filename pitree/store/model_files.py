"""What pi's `models.json` and `models-store.json` say about a model.

Rules of pi 1.6.0 (`model-config`, `models-store`, `provider-composer`): `models.json` may hold `//` comments and is
refused as a whole when one value in it is wrong; of two definitions of a model the last one counts; the store holds
what pi last fetched for each provider. pi's built-in catalog lies under both and is not looked at here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from pitree.store.findings import Finding
from pitree.store.json_files import is_number, read_json

RATES = ("input", "output", "cacheRead", "cacheWrite")
DEFINED_WINDOW = 128000
DEFINED_MAX_TOKENS = 16384


@dataclass(frozen=True)
class ModelEntry:
    """What one file says of one model; None where it says nothing.

    Attributes:
        window: context window, tokens.
        max_tokens: output limit, tokens.
        cost: rates by pi's names in USD per million tokens, with `tiers`; it may hold only some of them.
    """

    window: int | None = None
    max_tokens: int | None = None
    cost: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ModelFiles:
    """What both files say of one model.

    Attributes:
        override: `modelOverrides` of `models.json`: goes before everything.
        definition: `models` of `models.json`, with pi's defaults filled in: replaces what lies below.
        stored: the entry of `models-store.json`.
        findings: what is wrong with the files.
    """

    override: ModelEntry | None
    definition: ModelEntry | None
    stored: ModelEntry | None
    findings: tuple[Finding, ...] = ()


def read_model_files(agent_dir: Path, provider: str, model_id: str) -> ModelFiles:
    """Look a model up in both files of pi's agent folder; never raise because of a file."""
    findings: list[Finding] = []
    config = _read_providers(agent_dir / "models.json", findings).get(provider, {})
    definitions = [model for model in config.get("models", ()) if model["id"] == model_id]
    override = config.get("modelOverrides", {}).get(model_id)
    return ModelFiles(
        override=None if override is None else _entry(override),
        definition=_defined(definitions[-1]) if definitions else None,
        stored=_read_stored(agent_dir / "models-store.json", provider, model_id, findings),
        findings=tuple(findings),
    )


def _read_providers(path: Path, findings: list[Finding]) -> dict[str, dict[str, Any]]:
    file = read_json(path, comments=True)
    if not file.exists:
        return {}
    fault = file.problem or next(_faults(file.value), None)
    if fault is not None:
        text = f"The file {fault}, so pi uses none of its models. Correct it to have them count."
        findings.append(Finding(str(path), text))
        return {}
    providers: dict[str, dict[str, Any]] = file.value["providers"]
    return providers


def _read_stored(path: Path, provider: str, model_id: str, findings: list[Finding]) -> ModelEntry | None:
    file = read_json(path, empty=True)
    if file.problem is not None:
        text = f"The file {file.problem}, so the models in it are unknown. Let pi fetch them again."
        findings.append(Finding(str(path), text))
    store = file.value if isinstance(file.value, dict) else {}
    saved = store.get(provider)
    models = saved.get("models") if isinstance(saved, dict) else None
    found = None
    for model in models if isinstance(models, list) else ():
        if isinstance(model, dict) and _is_chat(model, provider) and model.get("id") == model_id:
            found = model
    return None if found is None else _entry(found)


def _is_chat(model: Mapping[str, Any], provider: str) -> bool:
    return model.get("type") in (None, "chat") and model.get("provider") == provider


def _entry(model: Mapping[str, Any]) -> ModelEntry:
    window, limit, cost = model.get("contextWindow"), model.get("maxTokens"), model.get("cost")
    return ModelEntry(
        # Token counts are whole: "more than 9.5" and "more than 9" are the same question.
        window=math.floor(window) if _is_positive(window) else None,
        max_tokens=math.floor(limit) if _is_positive(limit) else None,
        cost=cost if isinstance(cost, dict) else None,
    )


def _defined(model: Mapping[str, Any]) -> ModelEntry:
    """Return a definition with what pi takes for a missing window, limit and cost."""
    filled = {"contextWindow": DEFINED_WINDOW, "maxTokens": DEFINED_MAX_TOKENS, "cost": dict.fromkeys(RATES, 0)}
    return _entry({**filled, **model})


def _faults(value: Any) -> Iterator[str]:
    """Yield what pi's schema has against the values that are used here, each as the end of a sentence."""
    if not isinstance(value, dict):
        yield "holds no object"
    elif not isinstance(value.get("providers"), dict):
        yield 'has no object "providers"'
    else:
        for name, provider in value["providers"].items():
            yield from _provider_faults(f"providers.{name}", provider)


def _provider_faults(path: str, provider: Any) -> Iterator[str]:
    if not isinstance(provider, dict):
        yield f"has no object at {path}"
        return
    models = provider.get("models", [])
    if not isinstance(models, list):
        yield f"has no list at {path}.models"
        models = []
    for index, model in enumerate(models):
        yield from _model_faults(f"{path}.models.{index}", model, whole=True)
    overrides = provider.get("modelOverrides", {})
    if not isinstance(overrides, dict):
        yield f"has no object at {path}.modelOverrides"
        overrides = {}
    for name, model in overrides.items():
        yield from _model_faults(f"{path}.modelOverrides.{name}", model, whole=False)


def _model_faults(path: str, model: Any, *, whole: bool) -> Iterator[str]:
    if not isinstance(model, dict):
        yield f"has no object at {path}"
        return
    if whole and not (isinstance(model.get("id"), str) and model["id"]):
        yield f"has no text at {path}.id"
    for name in ("contextWindow", "maxTokens"):
        if name in model and not _is_positive(model[name]):
            yield f"has no number above 0 at {path}.{name}"
    if "cost" in model:
        yield from _cost_faults(f"{path}.cost", model["cost"], whole=whole)


def _cost_faults(path: str, cost: Any, *, whole: bool) -> Iterator[str]:
    yield from _rate_faults(path, cost, RATES, whole=whole)
    tiers = cost.get("tiers", []) if isinstance(cost, dict) else []
    if not isinstance(tiers, list):
        yield f"has no list at {path}.tiers"
        return
    for index, tier in enumerate(tiers):
        yield from _rate_faults(f"{path}.tiers.{index}", tier, (*RATES, "inputTokensAbove"), whole=True)


def _rate_faults(path: str, rates: Any, names: tuple[str, ...], *, whole: bool) -> Iterator[str]:
    if not isinstance(rates, dict):
        yield f"has no object at {path}"
        return
    for name in names:
        if (whole or name in rates) and not is_number(rates.get(name)):
            yield f"has no number at {path}.{name}"


def _is_positive(value: object) -> TypeGuard[float]:
    return is_number(value) and value > 0
