"""From bytes to a session: the leaf, the index, labels, name, and every kind of damage with its line."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session.entries import Flag, Kind
from pitree.session.javascript import UNDEFINED
from pitree.session.load import load, session_from_bytes
from pitree.session.problems import ADVICE, NotASession
from pitree.session.session import BytesSource, Session
from tests.session.build import HEADER, chain, file_of, message, said, session_of, stamp

U = message("user", "hello")
NAMED = {"type": "custom", "customType": "x"}
LINES = (
    *(json.dumps(entry).encode() for entry in chain([U, message("assistant", []), {**U, "parentId": "e1"}, NAMED])),
    json.dumps({"type": "label", "id": "l", "parentId": "e1", "targetId": "e2", "label": "here"}).encode(),
    json.dumps({"type": "session_info", "id": "i", "parentId": "l", "name": " the name "}).encode(),
    json.dumps({"type": "custom", "id": "é😀", "parentId": "i"}, ensure_ascii=False).encode(),
    *(
        b"",
        b"  ",
        b"null",
        b"0",
        b"42",
        b"[1]",
        b"{}",
        b"{broken",
        b'{"type":"session","id":"again"}',
        b"\xff\xfe",
        b"\r",
    ),
    b'{"type":"custom","id":"bad","parentId":"e1","data":"\xff"}',
    b'{"type":"custom","id":"\\ud800","parentId":null}',
    b'{"type":"custom","id":"e2","parentId":"e2"}',
    b'{"type":"custom","id":"x","parentId":"nowhere"}',
    b'{"type":"custom","id":7,"parentId":"x","n":1e400}',
    b'{"type":"message","id":"m","parentId":7}',
)


def kinds(session: Session) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.kind) for problem in session.problems]


def columns(session: Session) -> list[object]:
    found = [
        session.columns.codes,
        session.columns.offsets,
        session.columns.lengths,
        session.columns.lines,
        session.labels,
        session.name,
        session.size,
        session.header,
        session.problems,
        [session.chains.parent(i) for i in range(session.count)],
        [session.branches.parent(i) for i in range(session.count)],
        [session.again, dict(session.indices)],
    ]
    return [*found, [session.id_of(i) for i in range(session.count)]]


@given(
    st.lists(st.sampled_from(LINES), max_size=12),
    st.booleans(),
    st.lists(st.integers(0, 2000)),
    st.sampled_from([3, 2, 1, "x"]),
)
def test_the_chunks_do_not_matter(lines: list[bytes], ended: bool, cuts: list[int], version: object) -> None:
    data = file_of(lines, {**HEADER, "version": version})
    data = data if ended else data[:-1]
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    chunks = [data[a:b] for a, b in pairwise(places)]
    assert columns(load(chunks, BytesSource(data))) == columns(session_from_bytes(data))


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_looking_changes_nothing(lines: list[bytes]) -> None:
    data = file_of(lines)
    session = session_from_bytes(data)
    before = columns(session)
    for index in range(session.count):
        assert session.raw(index) == data.split(b"\n")[session.line(index)]
        assert session.entry(index) is session.entry(index)
        assert session.entry(index).kind is session.kind(index)
        session.path(index)
        session.label(index)
        session.timestamp(index)
    list(session.tree.walk())
    assert columns(session) == before


def test_an_ordinary_session() -> None:
    session = session_of(chain([U, said("assistant", 1), U]))
    assert session.header == HEADER
    assert (session.version, session.name, session.count, session.last, session.leaf_id) == (3, None, 3, 2, "e3")
    assert session.path(2) == [0, 1, 2]
    assert session.branch("e2") == [0, 1]
    assert session.find("e3") == 2
    assert session.find("none") is None
    assert [session.line(i) for i in range(3)] == [1, 2, 3]
    assert session.kind(1) is Kind.ASSISTANT
    assert session.flags(1) == Flag.TEXT
    assert session.timestamp(1) == stamp(2)
    entry = session.entry(0)
    assert (entry.id, entry.parent_id, entry.type, entry.timestamp) == ("e1", None, "message", stamp(1))
    assert entry.message == {"role": "user", "content": "hello"}
    assert entry.get("nothing") is UNDEFINED
    assert session.problems == ()


def test_the_last_entry_is_the_leaf_be_it_a_label() -> None:
    session = session_of(chain([U, {"type": "label", "targetId": "e1", "label": "x"}]))
    assert session.leaf_id == "e2"
    assert session.label(0) is not None


def test_a_label_can_be_changed_and_cleared() -> None:
    def label(target: object, text: object) -> dict[str, Any]:
        return {"type": "label", "targetId": target, "label": text}

    session = session_of(
        chain(
            [
                U,
                U,
                U,
                label("e1", "a"),
                label("e1", "b"),
                label("e2", "c"),
                label("e2", ""),
                label("e3", 5),
                label("e9", "d"),
            ]
        )
    )
    assert [found.text if (found := session.label(i)) else None for i in range(3)] == ["b", None, 5]
    first = session.label(0)
    assert first is not None
    assert first.timestamp == stamp(5)
    assert set(session.labels) == {"e1", "e3", "e9"}


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ([], None),
        (["a"], "a"),
        (["a", " b\ufeff"], "b"),
        (["a", ""], None),
        (["a", "  "], None),
        (["a", None], None),
        (["a", 5], None),
    ],
)
def test_the_last_name_counts(names: list[Any], name: str | None) -> None:
    session = session_of(chain([U, *({"type": "session_info", "name": each} for each in names)]))
    assert session.name == name


def test_values_that_are_no_entries() -> None:
    session = session_of([b"null", b"0", b"-0", b"false", b'""', b" null ", b"42", b"[1]", b"{}", b"true", b'"x"'])
    no_entries = [*range(1, 7)]
    assert [line for line, kind in kinds(session) if kind == "dropped-value"] == no_entries
    assert [line for line, kind in kinds(session) if kind == "no-object"] == [7, 8, 10, 11]
    assert [line for line, kind in kinds(session) if kind == "missing-id"] == [9]
    assert session.tree.roots == [4] * 5
    assert session.count == 5
    assert [session.entry(i).value for i in range(5)] == [42, [1], {}, True, "x"]
    assert session.leaf_id is UNDEFINED
    assert session.branch(session.leaf_id) == []
    assert session.context_path(session.leaf_id) == session.path(4)
    assert session.context_path(None) == []


def test_a_malformed_line_is_skipped_and_its_children_become_roots() -> None:
    first, second, third = chain([U, U, U])
    session = session_of([first, b'{"type":"message",', third])
    assert session.count == 2
    assert session.path(1) == [1]
    assert session.tree.roots == [0, 1]
    assert kinds(session) == [(2, "malformed-line"), (3, "missing-parent")]
    assert second["id"] in session.problems[1].message


def test_blank_lines_are_no_damage_but_count_as_lines() -> None:
    first, second = chain([U, U])
    session = session_of([b"", first, b" \t", b"\r", second])
    assert [session.line(i) for i in range(2)] == [2, 5]
    assert session.problems == ()


def test_the_last_of_several_entries_with_an_id_is_found() -> None:
    session = session_of(
        [
            {**NAMED, "id": "a", "parentId": None},
            {**NAMED, "id": "b", "parentId": "a"},
            {**NAMED, "id": "a", "parentId": None, "second": True},
            {**NAMED, "id": "c", "parentId": "a"},
        ]
    )
    assert session.find("a") == 2
    assert session.path(1) == [2, 1]
    assert session.path(3) == [2, 3]
    assert session.again == {0: 2}
    assert session.tree.roots == [2, 2]
    assert list(session.tree.children(2)) == [1, 3] or list(session.tree.children(2)) == [3, 1]
    assert kinds(session) == [(1, "duplicate-id")]


def test_ids_that_are_no_texts() -> None:
    session = session_of(
        [
            {**NAMED, "id": 1, "parentId": None},
            {**NAMED, "id": True, "parentId": 1},
            {**NAMED, "id": "1", "parentId": True},
            {**NAMED, "id": [], "parentId": "1"},
            {**NAMED, "id": "x", "parentId": 1.0},
            {**NAMED, "id": "y", "parentId": []},
        ]
    )
    assert session.path(3) == [0, 1, 2, 3]
    assert session.path(4) == [0, 4]
    assert session.path(5) == [5]
    assert kinds(session) == [(6, "missing-parent")]


@pytest.mark.parametrize("falsy", ["", 0, False])
def test_an_id_that_is_false_ends_a_path_but_not_the_tree(falsy: Any) -> None:
    session = session_of(
        [
            {**NAMED, "id": "a", "parentId": None},
            {**NAMED, "id": falsy, "parentId": "a"},
            {**NAMED, "id": "b", "parentId": falsy},
        ]
    )
    assert session.path(2) == [2]
    assert session.tree.parent(2) == 1
    assert list(session.tree.children(1)) == [2]
    assert (2, "missing-id") in kinds(session)


def test_an_entry_that_is_its_own_parent_is_a_root() -> None:
    session = session_of([{**NAMED, "id": "a", "parentId": "a"}, {**NAMED, "id": "b", "parentId": "a"}])
    assert session.path(1) == [0, 1]
    assert session.tree.roots == [0]
    assert kinds(session) == [(1, "self-parent")]


def test_a_circle_of_parents_is_named_and_walked_once() -> None:
    session = session_of(
        [
            {**NAMED, "id": "a", "parentId": "c"},
            {**NAMED, "id": "b", "parentId": "a"},
            {**NAMED, "id": "c", "parentId": "b"},
            {**NAMED, "id": "d", "parentId": "c"},
        ]
    )
    assert session.path(3) == [0, 1, 2, 3]
    assert session.tree.roots == []
    assert list(session.tree.walk()) == []
    assert kinds(session) == [(1, "cycle")]


def test_a_parent_may_come_later_in_the_file() -> None:
    session = session_of([{**NAMED, "id": "b", "parentId": "a"}, {**NAMED, "id": "a", "parentId": None}])
    assert session.path(0) == [1, 0]
    assert session.problems == ()


def test_a_second_header_is_no_entry() -> None:
    session = session_of([{**HEADER, "id": "other"}, *chain([U])])
    assert session.count == 1
    assert session.header["id"] == "s"
    assert kinds(session) == [(1, "second-header")]


def test_a_message_entry_without_a_message() -> None:
    session = session_of(chain([{"type": "message"}, {"type": "message", "message": "text"}]))
    assert [session.kind(i) for i in range(2)] == [Kind.OTHER_ROLE, Kind.OTHER_ROLE]
    assert kinds(session) == [(1, "missing-message"), (2, "missing-message")]


def test_bytes_that_are_no_utf8_are_reported_wherever_they_stand() -> None:
    good = json.dumps(chain([U])[0]).encode()
    bad = b'{"type":"custom","id":"x","parentId":"e1","data":"\xff"}'
    session = session_of([good, bad, b'{"type":"label","id":"y\xff","parentId":"x"}', b"\xff"])
    assert session.entry(1).get("data") == "\ufffd"
    assert session.id_of(2) == "y\ufffd"
    assert kinds(session) == [(2, "bad-utf8"), (3, "bad-utf8"), (4, "malformed-line")]


def test_nul_bytes_make_a_line_malformed() -> None:
    assert kinds(session_of([b'{"type":"custom","id":"a\x00","parentId":null}', b"\x00" * 9])) == [
        (1, "malformed-line"),
        (2, "malformed-line"),
    ]


@pytest.mark.parametrize(("tail", "count"), [(b'{"type":"custom","id":"a","parentId":null}', 1), (b'{"type":"cu', 0)])
def test_a_torn_tail_is_read_as_a_line(tail: bytes, count: int) -> None:
    session = session_from_bytes(file_of([]) + tail)
    assert session.count == count
    assert (1, "torn-tail") in kinds(session)


def test_an_empty_file_is_an_empty_session() -> None:
    session = session_from_bytes(b"")
    assert (session.header, session.version, session.count, session.last, session.leaf_id) == (
        None,
        None,
        0,
        None,
        None,
    )
    assert session.path(session.last) == []
    assert session.context_path(None) == []
    assert list(session.tree.walk()) == []
    assert kinds(session) == [(None, "empty-file")]


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"  \n\n",
        b"null\n",
        b"\xef\xbb\xbf" + file_of([]),
        b"\xef\xbb\xbf" + file_of(chain([U])),
        file_of([], {"type": "session"}),
        file_of([], {"type": "session", "id": 5}),
        file_of([], {"id": "x"}),
        file_of([], ["session"]),
        file_of([HEADER], chain([U])[0]),
        b"42\n" + file_of([]),
        b"no json at all",
    ],
)
def test_what_is_no_session(data: bytes) -> None:
    with pytest.raises(NotASession, match="no pi session"):
        session_from_bytes(data)


def test_the_reason_names_a_byte_order_mark() -> None:
    with pytest.raises(NotASession, match="byte order mark"):
        session_from_bytes(b"\xef\xbb\xbf" + file_of(chain([U])))


def test_what_pi_skips_may_stand_before_the_header() -> None:
    session = session_from_bytes(b"\n{broken\nnull\n" + file_of(chain([U])))
    assert session.count == 1
    assert session.line(0) == 4
    assert kinds(session) == [(1, "malformed-line"), (2, "dropped-value")]


def test_every_problem_has_advice() -> None:
    session = session_of(LINES, {**HEADER, "version": "x"})
    assert len({kind for _, kind in kinds(session)}) >= 10
    for problem in session.problems:
        assert problem.advice == ADVICE[problem.kind]
        assert problem.message.endswith(".")
    assert [line for line, _ in kinds(session)] == sorted(line for line, _ in kinds(session) if line is not None)


def test_a_deep_line_and_a_long_integer_are_entries() -> None:
    deep = b'{"type":"custom","id":"a","parentId":null,"data":' + b"[" * 5000 + b"]" * 5000 + b"}"
    long = b'{"type":"custom","id":"b","parentId":"a","data":' + b"7" * 5000 + b"}"
    session = session_of([deep, long])
    assert session.path(1) == [0, 1]
    assert session.entry(1).get("data") == float("inf")
    assert session.problems == ()


def test_a_file_that_became_shorter_shows_an_unreadable_entry() -> None:
    data = file_of(chain([U, U]))
    session = load([data], BytesSource(data[:-9]))
    assert session.entry(1).type == "unreadable"
    assert session.entry(0).type == "message"
