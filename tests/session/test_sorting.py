"""`sort_by_dates` against what V8's `Array.prototype.sort` answers for the comparator `(a, b) => a - b`."""

from __future__ import annotations

import hashlib
import math
import random
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.sorting import sort_by_dates
from tests.session.node import ask_node

# The order of positions that Node.js 22 (V8 12.4) answered.
SMALL: tuple[tuple[list[float], list[int]], ...] = (
    ([], []),
    ([nan], [0]),
    ([2, nan, 1], [0, 1, 2]),
    ([nan, 2, 1], [0, 2, 1]),
    ([2, 1, nan], [1, 0, 2]),
    ([3, nan, 1, 2], [0, 1, 2, 3]),
    ([5, 4, nan, 3, 2, 1], [5, 4, 3, 1, 0, 2]),
    ([1, nan, 0, nan, 3, nan, 2], [0, 1, 2, 3, 4, 5, 6]),
    ([9, 8, 7, nan, 6, 5, 4], [6, 5, 4, 2, 1, 0, 3]),
    ([3, 1, 2, nan, 1, 3, 0, nan, 2, 0], [6, 9, 1, 4, 2, 8, 0, 3, 5, 7]),
    ([nan, nan, nan], [0, 1, 2]),
    ([inf, 1, -inf, inf, nan, 0], [2, 5, 1, 0, 3, 4]),
    ([2, 2, nan, 1, 1], [0, 1, 2, 3, 4]),
)
# Runs of these lengths (step within a run, every how many a date is invalid), and the order that Node.js 22 answered,
# as a hash. Each was chosen because a slip in the merge policy or in the galloping shows in it.
LARGE = (
    ([40] * 37 + [20], 2, 23, "d3190d7bfd01f612"),
    ([92, 96, 43, 46, 48, 261, 254], 3, 23, "32bc8a46c70881e1"),
    ([36, 186, 158, 51, 37, 55, 59, 94, 49, 193, 52, 41, 55, 33, 158], 5, 23, "0858fa24b7c3513e"),
)

dates_with_gaps = st.lists(st.one_of(st.integers(-5, 5).map(float), st.just(nan), st.just(inf)), max_size=200)


def dates_in_runs(runs: list[int], step: int, gap: int) -> list[float]:
    dates = [place * step + run * 7919 % 1009 for run, length in enumerate(runs) for place in range(length)]
    return [nan if position % gap == gap - 1 else date for position, date in enumerate(dates)]


def order_of(dates: list[float]) -> list[int]:
    return sort_by_dates(list(range(len(dates))), dates)


@pytest.mark.parametrize(("dates", "order"), SMALL)
def test_few_dates_go_as_v8_put_them(dates: list[float], order: list[int]) -> None:
    assert order_of(dates) == order


@pytest.mark.parametrize(("runs", "step", "gap", "answer"), LARGE)
def test_many_dates_go_as_v8_put_them(runs: list[int], step: int, gap: int, answer: str) -> None:
    order = order_of(dates_in_runs(runs, step, gap))
    assert hashlib.sha256(",".join(map(str, order)).encode()).hexdigest()[:16] == answer


@given(st.lists(st.floats(allow_nan=False)))
def test_valid_dates_are_sorted_stably(dates: list[float]) -> None:
    assert order_of(dates) == sorted(range(len(dates)), key=dates.__getitem__)


@given(dates_with_gaps)
def test_nothing_is_lost_or_doubled(dates: list[float]) -> None:
    assert sorted(order_of(dates)) == list(range(len(dates)))


@given(st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=400))
def test_one_invalid_date_at_the_end_of_sorted_ones_stays_there(dates: list[float]) -> None:
    assert order_of([*sorted(dates), nan]) == list(range(len(dates) + 1))


def test_items_are_not_compared_and_not_changed() -> None:
    items = [{"b": 1}, {"a": 2}, {"c": 3}]
    assert sort_by_dates(items, [3, nan, 1]) == items
    assert sort_by_dates(items, [3, 2, 1]) == items[::-1]
    assert items == [{"b": 1}, {"a": 2}, {"c": 3}]


def test_each_item_needs_a_date() -> None:
    with pytest.raises(ValueError, match="2 items but 1 dates"):
        sort_by_dates(["a", "b"], [1.0])


def test_agrees_with_node() -> None:
    chance = random.Random(20261130)
    lists = [random_dates(chance, chance.choice((5, 60, 70, 300, 1500))) for _ in range(400)]
    expression = "values.map((dates) => dates.map((_, i) => i).sort((a, b) => (dates[a] ?? NaN) - (dates[b] ?? NaN)))"
    orders = ask_node(expression, [[None if math.isnan(date) else date for date in dates] for dates in lists])
    assert [order_of(dates) for dates in lists] == orders


def random_dates(chance: random.Random, most: int) -> list[float]:
    count, invalid = chance.randint(2, most), chance.choice((0, 0.005, 0.05, 0.4))
    dates = [float(chance.randrange(chance.choice((3, 1000)))) for _ in range(count)]
    start = 0
    while start < count:
        end = start + chance.randint(1, 150)
        dates[start:end] = sorted(dates[start:end], reverse=chance.random() < 0.3)
        start = end
    return [nan if chance.random() < invalid else date for date in dates]
