"""Parents, children, paths and common ancestors against a naive reading of the same entries."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.session import Session
from pitree.session.tree import MAX_NODES, ROOT, Tree
from tests.session.build import Value, session_of, tree_of

Parents = list[int | None]


@st.composite
def forests(draw: st.DrawFn, forward: bool = False) -> tuple[Parents, list[int]]:
    """Parents of up to 16 entries (with `forward` also later ones, circles and themselves) and their timestamps."""
    count = draw(st.integers(1, 16))
    parents: Parents = []
    for number in range(count):
        highest = count - 1 if forward else number - 1
        near = st.just(number - 1) if number else st.none()
        any_parent = st.integers(0, highest) if highest >= 0 else st.none()
        parents.append(draw(near | near | any_parent | st.none()))
    return parents, draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))


def naive_path(parents: Sequence[int | None], number: int) -> list[int]:
    path: list[int] = []
    while number not in path:
        path.append(number)
        parent = parents[number]
        if parent is None or parent == number:
            break
        number = parent
    return path[::-1]


def naive_children(parents: Sequence[int | None], seconds: Sequence[int], number: int) -> list[int]:
    children = [child for child, parent in enumerate(parents) if parent == number and child != number]
    return sorted(children, key=lambda child: seconds[child])


def roots_of(parents: Sequence[int | None]) -> list[int]:
    return [number for number, parent in enumerate(parents) if parent is None or parent == number]


def session(parents: Sequence[int | None], seconds: Sequence[int] | None = None) -> Session:
    return session_of(tree_of(parents, seconds))


@given(forests())
def test_a_tree_is_what_its_parents_say(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    tree = session(parents, seconds).tree
    assert tree.roots == roots_of(parents)
    for number, parent in enumerate(parents):
        assert tree.parent(number) == (ROOT if parent is None else parent)
        assert list(tree.children(number)) == naive_children(parents, seconds, number)


@given(forests(forward=True))
def test_a_tree_with_forward_references_and_circles_is_too(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    found = session(parents, seconds)
    assert found.tree.roots == roots_of(parents)
    for number in range(len(parents)):
        assert list(found.tree.children(number)) == naive_children(parents, seconds, number)
    assert len(list(found.tree.walk())) <= len(parents)


@given(forests())
def test_paths(forest: tuple[Parents, list[int]]) -> None:
    found = session(*forest)
    for number in range(found.count):
        assert found.path(number) == naive_path(forest[0], number)


@given(forests(forward=True))
def test_a_path_around_a_circle_ends(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    found = session(parents, seconds)
    for number in range(len(parents)):
        path = found.path(number)
        naive = naive_path(parents, number)
        if naive[0] in roots_of(parents):
            assert path == naive
        else:
            assert path[-1] == number
            assert set(path) <= set(naive)


@given(forests(forward=True))
def test_common_ancestors(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    tree = session(parents, seconds).tree
    grounded = [n for n in range(len(parents)) if naive_path(parents, n)[0] in roots_of(parents)]
    for one in grounded:
        on_path = set(naive_path(parents, one))
        for other in grounded:
            expected = next((n for n in reversed(naive_path(parents, other)) if n in on_path), ROOT)
            assert tree.common_ancestor(one, other) == expected


@given(forests(forward=True))
def test_common_ancestors_are_bounded_also_in_circles(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    tree = session(parents, seconds).tree
    for one in range(len(parents)):
        for other in range(len(parents)):
            found = tree.common_ancestor(one, other)
            assert found == ROOT or (found in naive_path(parents, one) and found in naive_path(parents, other))


@given(forests())
def test_the_walk_is_in_pre_order(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest

    def below(number: int, depth: int) -> list[tuple[int, int, int]]:
        children = naive_children(parents, seconds, number)
        return [(number, depth, len(children)), *(node for child in children for node in below(child, depth + 1))]

    expected = [node for root in roots_of(parents) for node in below(root, 0)]
    assert list(session(parents, seconds).tree.walk()) == expected


@given(forests())
def test_a_run_goes_down_the_file_as_far_as_there_are_only_children(forest: tuple[Parents, list[int]]) -> None:
    parents, seconds = forest
    tree = session(parents, seconds).tree
    for number in range(len(parents)):
        end = number
        while naive_children(parents, seconds, end) == [end + 1]:
            end += 1
        assert tree.run_end(number) == end


def test_siblings_are_sorted_by_time_and_stay_where_it_is_equal() -> None:
    tree = session([None, 0, 0, 0, 0], [0, 9, 5, 9, 1]).tree
    assert list(tree.children(0)) == [4, 2, 1, 3]


def test_an_invalid_time_is_equal_to_every_other() -> None:
    # pi 0.84.1 and 1.6.0 keep file order here: each comparison with the second child gives NaN.
    values = tree_of([None, 0, 0, 0])
    for number, timestamp in ((1, "2026-11-30T10:00:05.000Z"), (2, "no date"), (3, "2026-11-30T10:00:01.000Z")):
        values[number]["timestamp"] = timestamp
    assert list(session_of(values).tree.children(0)) == [1, 2, 3]


@pytest.mark.parametrize(("one", "other", "ancestor"), [(3, 5, 0), (5, 3, 0), (3, 2, 2), (3, 3, 3), (6, 3, ROOT)])
def test_the_branch_diagram_of_the_seeds(one: int, other: int, ancestor: int) -> None:
    # A is 0, B C D are 1 2 3, E F are 4 5; 6 is another root.
    assert session([None, 0, 1, 2, 0, 4, None]).tree.common_ancestor(one, other) == ancestor


def deep_comb(depth: int) -> list[Value]:
    """A spine in which each entry also has a child that ends there."""
    parents: Parents = [None]
    spine = 0
    for _ in range(depth):
        parents += [spine, spine]
        spine = len(parents) - 1
    return tree_of(parents)


def test_depth_and_width_cost_no_more_than_they_must() -> None:
    deep = session_of(deep_comb(4_000))
    wide = session([None, *[0] * 8_000])
    start = time.perf_counter()
    assert len(list(deep.tree.walk())) == 8_001
    assert len(deep.path(8_000)) == 4_001
    assert deep.tree.common_ancestor(8_000, 7_999) == 7_998
    assert len(wide.tree.children(0)) == 8_000
    assert time.perf_counter() - start < 5


def test_where_places_multiply_the_walk_ends() -> None:
    # Each id comes twice, both times below the id before: the nodes of pi's tree double with every level.
    values = [
        {"type": "custom", "id": f"n{level}", "parentId": f"n{level - 1}" if level else None}
        for level in range(40)
        for _ in range(2)
    ]
    tree: Tree = session_of(values).tree
    nodes = sum(1 for _ in tree.walk())
    assert nodes == MAX_NODES
