"""How numbers read."""

from __future__ import annotations

import pytest

from pitree.ui.figures import exact, percent, rough, short


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (950, "950"),
        (999.4, "999"),
        (999.97, "1k"),
        (18_432, "18.4k"),
        (20_000, "20k"),
        (183_616, "183.6k"),
        (1_048_576, "1.05M"),
    ],
)
def test_short(number: float, shown: str) -> None:
    assert short(number) == shown


def test_exact_and_percent() -> None:
    assert (exact(84117), exact(float("nan"))) == ("84,117", "NaN")
    assert (percent(131_402, 200_000), percent(1, 200_000), percent(0, 5), percent(1, 0)) == (
        "66 %",
        "under 1 %",
        "0 %",
        "?",
    )


def test_rough() -> None:
    assert [rough(number) for number in (950, 9_120, 131_402, 999_999, 1_600_000)] == ["950", "9k", "131k", "1M", "2M"]
