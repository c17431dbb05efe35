"""Sessions of version 1 and 2, read as pi 0.84.1 and 1.6.0 migrate them (both agree on all of this)."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.session.entries import Kind
from pitree.session.javascript import UNDEFINED
from pitree.session.migrate import Migration
from tests.session.build import HEADER, message, session_of

U = message("user", "a")


def compaction(**more: Any) -> dict[str, Any]:
    return {"type": "compaction", "summary": "s", "tokensBefore": 5, **more}


@pytest.mark.parametrize(
    ("declared", "renumber", "rename"),
    [
        (UNDEFINED, True, True),
        (None, True, True),
        (0, True, True),
        (1, True, True),
        (-1, True, True),
        (1.5, True, True),
        (2, False, True),
        (2.9, False, True),
        (3, False, False),
        (4, False, False),
        ("1", True, True),
        ("2", False, True),
        ("3", False, False),
        ("", True, True),
        (False, True, True),
        ([2], False, True),
        ("abc", False, False),
        ({}, False, False),
    ],
    ids=repr,
)
def test_the_declared_version_is_compared_as_javascript_does(declared: Any, renumber: bool, rename: bool) -> None:
    assert Migration.of(declared) == Migration(renumber=renumber, rename=rename)


def test_version_1_is_a_line_with_new_ids() -> None:
    session = session_of([U, {**U, "id": "old", "parentId": "x"}, U], {**HEADER, "version": 1})
    assert [session.id_of(i) for i in range(3)] == ["00000001", "00000002", "00000003"]
    assert session.path(2) == [0, 1, 2]
    assert session.entry(1).id == "00000002"
    assert session.entry(1).parent_id == "00000001"
    assert session.entry(0).parent_id is None
    assert session.find("old") is None
    assert [(problem.line, problem.kind) for problem in session.problems] == [(0, "old-version")]
    assert session.version == 1


def test_a_header_without_a_version_is_of_version_1() -> None:
    session = session_of([U], {key: value for key, value in HEADER.items() if key != "version"})
    assert session.version == 1
    assert session.id_of(0) == "00000001"


def test_a_kept_index_counts_parsed_lines_with_the_header_as_0() -> None:
    session = session_of(
        [
            U,
            compaction(firstKeptEntryIndex=1),
            b"{broken",
            message("hookMessage", "h"),
            compaction(firstKeptEntryIndex=4),
        ],
        {**HEADER, "version": 1},
    )
    assert [session.entry(i).get("firstKeptEntryId") for i in (1, 3)] == ["00000001", "00000004"]
    assert session.entry(1).get("firstKeptEntryIndex") is UNDEFINED
    assert session.kind(2) is Kind.CUSTOM_ROLE
    assert session.entry(2).message == {"role": "custom", "content": "h"}


@pytest.mark.parametrize("place", [0, 9, -1, 1.5, 1e300])
def test_an_index_that_names_no_entry_leaves_the_id_as_it_was(place: float) -> None:
    session = session_of([U, compaction(firstKeptEntryIndex=place, firstKeptEntryId="k")], {**HEADER, "version": 1})
    assert session.entry(1).get("firstKeptEntryId") == "k"


def test_an_index_beyond_all_numbers_leaves_the_id_as_it_was() -> None:
    line = b'{"type":"compaction","summary":"s","firstKeptEntryIndex":1e400,"firstKeptEntryId":"k"}'
    session = session_of([U, line], {**HEADER, "version": 1})
    assert session.entry(1).get("firstKeptEntryId") == "k"


@pytest.mark.parametrize("place", ["1", None, True])
def test_an_index_that_is_no_number_is_left_alone(place: Any) -> None:
    session = session_of([U, compaction(firstKeptEntryIndex=place)], {**HEADER, "version": 1})
    assert session.entry(1).get("firstKeptEntryIndex") == place
    assert session.entry(1).get("firstKeptEntryId") is UNDEFINED


def test_an_index_of_a_later_entry_takes_its_old_id() -> None:
    session = session_of([compaction(firstKeptEntryIndex=2), {**U, "id": "old"}], {**HEADER, "version": 1})
    assert session.entry(0).get("firstKeptEntryId") == "old"


def test_a_second_header_counts_as_a_parsed_line() -> None:
    session = session_of([HEADER, U, compaction(firstKeptEntryIndex=2)], {**HEADER, "version": 1})
    assert session.entry(1).get("firstKeptEntryId") == "00000001"


def test_version_2_renames_the_hook_role_and_keeps_the_ids() -> None:
    values = [
        {**message("hookMessage", "h"), "id": "a", "parentId": None},
        {**compaction(firstKeptEntryIndex=1), "id": "b", "parentId": "a"},
    ]
    session = session_of(values, {**HEADER, "version": 2})
    assert session.path(1) == [0, 1]
    assert session.id_of(0) == "a"
    assert session.kind(0) is Kind.CUSTOM_ROLE
    assert session.entry(0).message["role"] == "custom"
    assert session.entry(1).get("firstKeptEntryIndex") == 1


def test_version_3_is_left_as_it_is() -> None:
    session = session_of([{**message("hookMessage", "h"), "id": "a", "parentId": None}])
    assert session.kind(0) is Kind.OTHER_ROLE
    assert session.entry(0).message["role"] == "hookMessage"
    assert session.problems == ()


def test_odd_versions_are_named() -> None:
    odd: tuple[Any, ...] = ("abc", {}, "3", 3.5)
    for declared in odd:
        session = session_of([{**U, "id": "a", "parentId": None}], {**HEADER, "version": declared})
        assert [(problem.line, problem.kind) for problem in session.problems] == [(0, "odd-version")]
        assert session.version == declared


def test_values_that_are_no_objects_keep_their_place() -> None:
    session = session_of([b"42", U, compaction(firstKeptEntryIndex=2)], {**HEADER, "version": 1})
    assert session.entry(0).value == 42
    assert session.entry(2).get("firstKeptEntryId") == "00000002"
