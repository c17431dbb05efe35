"""Windows, limits and costs of `models.json` are pi 1.6.0's answers (`ModelConfig`, `composeModelProvider`)."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.store.models import ModelFacts, Price, Rates, model_facts

from .conftest import Place

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FOUR = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4}
RATES = Rates(1, 2, 3, 4)


def facts(place: Place, provider: str = "x", model_id: str = "m", window: int | None = None) -> ModelFacts:
    return model_facts(place.environment, provider, model_id, now=NOW, window=window)


def models_json(place: Place, **provider: Any) -> None:
    entry = {"api": "a", "baseUrl": "u", "apiKey": "k", **provider}
    place.write(place.agent / "models.json", {"providers": {"x": entry}})


def models_store(place: Place, *models: Any) -> None:
    place.write(place.agent / "models-store.json", {"x": {"models": list(models), "checkedAt": 1}})


def test_an_unknown_model_gets_a_window_that_is_marked_as_assumed(place: Place) -> None:
    assert facts(place) == ModelFacts(200_000, "assumed")
    assert facts(place).assumed
    assert model_facts(place.environment, None, None) == ModelFacts(200_000, "assumed")
    assert model_facts(place.environment, None, None, window=5) == ModelFacts(5, "--window")


def test_a_definition_without_numbers_gets_pis_defaults(place: Place) -> None:
    models_json(place, models=[{"id": "m"}])
    assert facts(place) == ModelFacts(128_000, "models.json", 16_384, Price(Rates(0, 0, 0, 0), (), "models.json"))


def test_an_override_goes_before_a_definition_and_changes_single_rates(place: Place) -> None:
    models_json(
        place,
        models=[{"id": "m", "contextWindow": 5e4, "maxTokens": 2.5, "cost": FOUR}],
        modelOverrides={"m": {"contextWindow": 7, "cost": {"output": 9}}},
    )
    assert facts(place) == ModelFacts(7, "models.json", 2, Price(Rates(1, 9, 3, 4), (), "models.json"))


def test_an_override_changes_a_stored_model(place: Place) -> None:
    models_store(place, {"id": "m", "provider": "x", "contextWindow": 1000, "maxTokens": 10, "cost": FOUR})
    assert facts(place) == ModelFacts(1000, "models-store.json", 10, Price(RATES, (), "models-store.json"))
    models_json(place, modelOverrides={"m": {"contextWindow": 7}, "other": {"contextWindow": 8}})
    assert facts(place) == ModelFacts(7, "models.json", 10, Price(RATES, (), "models-store.json"))


def test_a_definition_replaces_a_stored_model_whole(place: Place) -> None:
    models_store(place, {"id": "m", "provider": "x", "contextWindow": 1000, "maxTokens": 10, "cost": FOUR})
    models_json(place, models=[{"id": "m"}])
    assert facts(place) == ModelFacts(128_000, "models.json", 16_384, Price(Rates(0, 0, 0, 0), (), "models.json"))


def test_of_two_definitions_the_last_one_counts(place: Place) -> None:
    models_json(place, models=[{"id": "m", "contextWindow": 1}, {"id": "m", "contextWindow": 2}])
    assert facts(place).window == 2


def test_only_chat_models_of_the_provider_itself_are_taken_from_the_store(place: Place) -> None:
    models_store(
        place,
        {"id": "m", "provider": "x", "type": "image", "contextWindow": 1},
        {"id": "m", "provider": "y", "contextWindow": 2},
        None,
        {"id": "m", "provider": "x", "contextWindow": 3},
        {"id": "m", "provider": "x", "type": "chat", "contextWindow": 4},
    )
    assert facts(place).window == 4


def test_comments_and_trailing_commas_are_allowed_in_models_json(place: Place) -> None:
    text = '// mine\n{"providers": {"x": {"models": [{"id": "m", "contextWindow": 9,},],},},}'
    place.write(place.agent / "models.json", text)
    assert facts(place).window == 9


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "is not JSON"),
        ("[]", "holds no object"),
        ("{}", '"providers"'),
        ('{"providers":[]}', '"providers"'),
        ('{"providers":{"y":5}}', "providers.y"),
        ('{"providers":{"y":{"models":{"m":{}}}}}', "providers.y.models"),
        ('{"providers":{"y":{"models":[5]}}}', "providers.y.models.0"),
        ('{"providers":{"y":{"models":[{"id":""}]}}}', "providers.y.models.0.id"),
        ('{"providers":{"y":{"models":[{"id":"m","contextWindow":0}]}}}', "models.0.contextWindow"),
        ('{"providers":{"y":{"models":[{"id":"m","contextWindow":"5"}]}}}', "models.0.contextWindow"),
        ('{"providers":{"y":{"models":[{"id":"m","contextWindow":null}]}}}', "models.0.contextWindow"),
        ('{"providers":{"y":{"models":[{"id":"m","contextWindow":1e400}]}}}', "models.0.contextWindow"),
        ('{"providers":{"y":{"models":[{"id":"m","maxTokens":true}]}}}', "models.0.maxTokens"),
        ('{"providers":{"y":{"models":[{"id":"m","cost":{"input":1}}]}}}', "models.0.cost.output"),
        ('{"providers":{"y":{"modelOverrides":[]}}}', "providers.y.modelOverrides"),
        ('{"providers":{"y":{"modelOverrides":{"m":{"cost":{"input":"1"}}}}}}', "modelOverrides.m.cost.input"),
        ('{"providers":{"y":{"modelOverrides":{"m":{"cost":{"tiers":[{}]}}}}}}', "cost.tiers.0.input"),
    ],
)
def test_one_wrong_value_makes_pi_drop_the_whole_file(place: Place, content: str, named: str) -> None:
    path = place.write(place.agent / "models.json", content.replace('{"y":', '{"x":{"models":[{"id":"m"}]},"y":'))
    known = facts(place)
    assert known.window == 200_000
    [finding] = known.findings
    assert finding.where == str(path)
    assert named in finding.text


def test_a_broken_store_is_told_and_an_odd_one_is_passed_over(place: Place) -> None:
    path = place.write(place.agent / "models-store.json", "{")
    assert [finding.where for finding in facts(place).findings] == [str(path)]
    for content in ("", "[]", '{"x": 5}', '{"x": {"models": 5}}', '{"x": {"models": [{"id": "m", "provider": "x"}]}}'):
        place.write(path, content)
        assert facts(place) == ModelFacts(200_000, "assumed")


def test_tiers_count_for_the_whole_request(place: Place) -> None:
    tiers = [{"inputTokensAbove": 500, **dict.fromkeys(FOUR, 9)}, {"inputTokensAbove": 100, **dict.fromkeys(FOUR, 5)}]
    models_json(place, models=[{"id": "m", "cost": {**FOUR, "tiers": tiers}}])
    price = facts(place).price
    assert price is not None
    assert price.at(100) == RATES
    assert price.at(101) == Rates(5, 5, 5, 5)
    assert price.at(501) == Rates(9, 9, 9, 9)


def test_genai_prices_knows_what_pis_files_do_not(place: Place) -> None:
    known = facts(place, "anthropic", "claude-opus-4-5-20251101")
    assert (known.window, known.source) == (200_000, "genai-prices")
    assert known.price == Price(Rates(5, 25, 0.5, 6.25), (), "genai-prices")
    assert known.max_tokens is None


def test_genai_prices_with_a_threshold(place: Place) -> None:
    price = facts(place, "google", "gemini-2.5-pro").price
    assert price is not None
    assert (price.at(200_000).input, price.at(200_001).input) == (1.25, 2.5)
    assert (price.at(200_000).output, price.at(200_001).output) == (10, 15)


def test_prices_follow_the_date_and_are_the_newest_without_one(place: Place) -> None:
    model = ("anthropic", "claude-sonnet-4-6")
    early = model_facts(place.environment, *model, now=datetime(2026, 1, 1, tzinfo=UTC)).price
    newest = model_facts(place.environment, *model).price
    assert early is not None
    assert newest is not None
    assert (early.at(300_000).input, newest.at(300_000).input) == (6, 3)


def test_behind_a_proxy_the_name_gives_the_window_but_no_price(place: Place) -> None:
    known = facts(place, "my-proxy", "claude-opus-4-5-20251101")
    assert (known.window, known.source, known.price) == (200_000, "genai-prices", None)


def test_pis_files_go_before_genai_prices_and_the_flag_before_all(place: Place) -> None:
    place.write(
        place.agent / "models.json",
        {"providers": {"anthropic": {"modelOverrides": {"claude-opus-4-5": {"contextWindow": 9, "maxTokens": 8}}}}},
    )
    known = facts(place, "anthropic", "claude-opus-4-5")
    assert (known.window, known.source, known.max_tokens) == (9, "models.json", 8)
    assert known.price is not None
    assert known.price.source == "genai-prices"
    flagged = facts(place, "anthropic", "claude-opus-4-5", window=3)
    assert (flagged.window, flagged.source, flagged.max_tokens) == (3, "--window", 8)


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_name_makes_it_fail(provider: str, model_id: str) -> None:
    from pathlib import Path

    from pitree.store.locations import Environment

    known = model_facts(Environment({}, Path("/nonexistent"), Path("/")), provider, model_id)
    assert known.window > 0


def test_genai_prices_is_loaded_only_when_a_model_is_asked_for() -> None:
    code = "import sys, pitree.store.models; sys.exit('genai_prices' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
