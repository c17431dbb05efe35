"""Rows, order, indentation, filters and folds against the naive selector, and literal pictures."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.outline import Filter, Rows, shape_of, visible_rows
from pitree.session.session import Session
from tests.session import naive_outline
from tests.session.build import Value, message, session_of, stamp, tree_of
from tests.session.naive_outline import Row

TEXT = {"type": "text", "text": "said"}
BODIES: tuple[Value, ...] = (
    message("user", "x"),
    message("user", "x"),
    message("assistant", [TEXT]),
    message("assistant", []),
    message("assistant", "said"),
    message("assistant", [{"type": "text", "text": " \n"}], stopReason="toolUse"),
    message("assistant", [], stopReason="error"),
    message("assistant", [], stopReason="length"),
    message("toolResult", [TEXT]),
    message("bashExecution"),
    message("system", "x"),
    message("future", "x"),
    {"type": "compaction", "summary": "x"},
    {"type": "branch_summary", "summary": "x"},
    {"type": "custom"},
    {"type": "custom_message", "content": "x"},
    {"type": "session_info", "name": "x"},
    {"type": "model_change"},
    {"type": "thinking_level_change"},
    {"type": "usage"},
    {"type": "context_edit"},
    {"type": "future"},
)


@st.composite
def sessions(draw: st.DrawFn) -> list[Value]:
    """Up to 14 entries of all kinds in a forest; some are labels on others."""
    count = draw(st.integers(1, 14))
    values: list[Value] = []
    for number in range(count):
        near = st.just(number - 1) if number else st.none()
        parent = draw(near | (st.integers(0, number - 1) if number else st.none()) | st.none())
        body = draw(st.sampled_from(BODIES))
        if number and draw(st.integers(0, 5)) == 0:
            body = {
                "type": "label",
                "targetId": f"n{draw(st.integers(0, number - 1))}",
                "label": draw(st.sampled_from(["", "x"])),
            }
        place = {"id": f"n{number}", "parentId": None if parent is None else f"n{parent}"}
        values.append({**body, **place, "timestamp": stamp(draw(st.integers(0, 3)))})
    return values


def labeled(values: Sequence[Value]) -> set[int]:
    last = {value["targetId"]: value["label"] for value in values if value["type"] == "label"}
    return {int(target[1:]) for target, text in last.items() if text}


def forest_of(values: Sequence[Value]) -> dict[int | None, list[int]]:
    forest: dict[int | None, list[int]] = {None: []}
    for number, value in enumerate(values):
        forest.setdefault(None if value["parentId"] is None else int(value["parentId"][1:]), []).append(number)
    return {
        parent: children if parent is None else sorted(children, key=lambda child: str(values[child]["timestamp"]))
        for parent, children in forest.items()
    }


def drawn(rows: Rows) -> list[Row]:
    return [Row(rows.entry(row), rows.prefix(row), rows.hidden_below(row)) for row in range(len(rows))]


def naive(
    values: Sequence[Value], leaf: int | None, name: Filter, folds: Sequence[int], always: Sequence[int]
) -> list[Row]:
    path: set[int] = set()
    at = leaf
    while at is not None:
        path.add(at)
        parent = values[at]["parentId"]
        at = None if parent is None else int(parent[1:])
    marked = labeled(values)
    shown = {n for n, value in enumerate(values) if naive_outline.shows(value, name, n in marked)} | {*always}
    shown |= set() if leaf is None else {leaf}
    return naive_outline.rows(naive_outline.active_first(forest_of(values), path), shown, folds)


@pytest.mark.parametrize("name", list(Filter))
@given(sessions(), st.data())
def test_rows_are_those_of_the_naive_selector(name: Filter, values: list[Value], data: st.DataObject) -> None:
    numbers = st.integers(0, len(values) - 1)
    leaf = data.draw(st.none() | numbers)
    folds = data.draw(st.lists(numbers, max_size=3, unique=True))
    always = data.draw(st.lists(numbers, max_size=2))
    rows = visible_rows(shape_of(session_of(values), leaf), name, folds, always)
    assert drawn(rows) == naive(values, leaf, name, folds, always)


@given(sessions(), st.data())
def test_rows_can_be_found_again(values: list[Value], data: st.DataObject) -> None:
    numbers = st.integers(0, len(values) - 1)
    shape = shape_of(session_of(values), data.draw(numbers))
    rows = visible_rows(shape, data.draw(st.sampled_from(Filter)), data.draw(st.lists(numbers, max_size=2)))
    shown = [rows.entry(row) for row in range(len(rows))]
    forest = forest_of(values)
    for number in range(len(values)):
        assert rows.row_of(number) == (shown.index(number) if number in shown else None)
        at: int | None = number
        while at is not None and at not in shown:
            parent = values[at]["parentId"]
            at = None if parent is None else int(parent[1:])
        expected = len(shown) - 1 if at is None else shown.index(at)
        assert rows.nearest_row(number) == (expected if shown else None)
    for row, number in enumerate(shown):
        assert rows.is_foldable(row) == bool(forest.get(number))
    assert rows.nearest_row(None) == (len(shown) - 1 if shown else None)


def picture(session: Session, leaf: int | None, name: Filter = Filter.DEFAULT, folds: Sequence[int] = ()) -> list[str]:
    rows = visible_rows(shape_of(session, leaf), name, folds)
    return [rows.prefix(row) + str(session.id_of(rows.entry(row))) for row in range(len(rows))]


def test_a_chain_stays_flat() -> None:
    assert picture(session_of(tree_of([None, 0, 1, 2])), 3) == ["n0", "n1", "n2", "n3"]


def test_the_branch_diagram_of_the_seeds() -> None:
    session = session_of(tree_of([None, 0, 1, 2, 0, 4]))
    assert picture(session, 3) == ["n0", "├─ n1", "│     n2", "│     n3", "└─ n4", "      n5"]
    assert picture(session, 5) == ["n0", "├─ n4", "│     n5", "└─ n1", "      n2", "      n3"]
    assert picture(session, 3, folds=[1]) == ["n0", "├⊞ n1", "└─ n4", "      n5"]


def test_several_roots_are_drawn_at_the_edge() -> None:
    session = session_of(tree_of([None, 0, 0, None, 3, 4]))
    assert picture(session, 5) == ["n3", "   n4", "   n5", "n0", "├─ n1", "└─ n2"]


def test_a_fork_inside_a_fork() -> None:
    session = session_of(tree_of([None, 0, 1, 1, 0, 2]))
    assert picture(session, 5) == ["n0", "├─ n1", "│  ├─ n2", "│  │     n5", "│  └─ n3", "└─ n4"]


def test_the_leaf_shows_under_every_filter() -> None:
    values = tree_of([None, 0])
    values[1] = {**values[1], "type": "label", "targetId": "n0", "label": "x"}
    for name in Filter:
        assert picture(session_of(values), 1, name)[-1] == "n1"


def test_an_empty_session_has_no_rows() -> None:
    rows = visible_rows(shape_of(session_of([]), None), Filter.ALL)
    assert len(rows) == 0
    assert rows.nearest_row(None) is None


@pytest.mark.parametrize(("parents", "shown"), [([1, 0], []), ([None, 3, 1, 2], [0]), ([None, 2, 1, 0], [0, 3])])
def test_a_circle_of_parents_does_not_show(parents: list[int | None], shown: list[int]) -> None:
    session = session_of(tree_of(parents))
    for leaf in range(len(parents)):
        rows = visible_rows(shape_of(session, leaf), Filter.ALL, folds=[1], always=[1])
        assert [rows.entry(row) for row in range(len(rows))] == shown
        assert rows.row_of(1) is None
        assert rows.nearest_row(1) == (len(shown) - 1 if shown else None)


def test_an_id_that_comes_again_is_not_unrolled_twice() -> None:
    places = [(f"n{level}", f"n{level - 1}" if level else None) for level in range(40) for _ in range(2)]
    values = [{**message("user", "x"), "id": entry_id, "parentId": parent} for entry_id, parent in places]
    session = session_of(values)
    rows = visible_rows(shape_of(session, session.last), Filter.ALL)
    assert len(rows) < 1000


def test_depth_and_width_cost_no_more_than_they_must() -> None:
    deep_parents: list[int | None] = [None]
    for spine in range(0, 20_000, 2):
        deep_parents += [spine, spine]
    deep, wide = session_of(tree_of(deep_parents)), session_of(tree_of([None, *[0] * 2_000]))
    start = time.perf_counter()
    rows = visible_rows(shape_of(deep, 0), Filter.DEFAULT)
    assert len(rows) == 20_001
    # n1 and n2 fork below n0, n3 and n4 below n2: each fork is one level further in.
    assert rows.prefix(rows.row_of(1) or 0) == "├─ "
    assert len(rows.prefix(rows.row_of(19_999) or 0)) == 3 * 10_000
    flat = visible_rows(shape_of(wide, 1_000), Filter.DEFAULT)
    assert [flat.entry(row) for row in range(4)] == [0, 1_000, 1, 2]
    assert flat.prefix(2_000) == "└─ "
    assert flat.prefix(1_999) == "├─ "
    assert time.perf_counter() - start < 5


def test_a_deep_chain_is_one_block() -> None:
    rows = visible_rows(shape_of(session_of(tree_of([None, *range(20_000)])), 20_000), Filter.DEFAULT)
    assert len(rows) == 20_001
    assert rows.prefix(20_000) == ""
    assert len(rows.blocks) == 1
