from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.planning.draft import Draft
from pitree.session.decode import decode
from pitree.session.javascript import stringify
from pitree.store.drafts import MOST, DraftStore, draft_of, draft_value
from pitree.store.write_errors import WriteError

DRAFT = Draft("text", "extract", "e1", "d", usage={"input": 1}, made_ms=7)
ID = "01a22be5-a57b-7000-8000-000000000000"


@pytest.fixture
def store(tmp_path: Path) -> DraftStore:
    return DraftStore(tmp_path / "state/pitree/drafts")


def test_drafts_come_back_oldest_first(store: DraftStore) -> None:
    other = replace(DRAFT, text="another", origin="recorded", complete=False, note="cut off")
    store.add(ID, DRAFT)
    assert store.add(ID, other) == (DRAFT, other)
    assert store.load(ID).drafts == (DRAFT, other)
    assert store.load(ID).problem is None
    assert store.load("another").drafts == ()


def test_nothing_is_made_by_looking(store: DraftStore) -> None:
    assert store.load(ID).drafts == ()
    assert not store.folder.exists()


def test_file_and_folder_are_private(store: DraftStore) -> None:
    store.add(ID, DRAFT)
    assert store.path(ID).name == f"{ID}.json"
    assert store.path(ID).stat().st_mode & 0o777 == 0o600
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert os.listdir(store.folder) == [f"{ID}.json"]


def test_edited_draft_takes_the_place_of_the_old_one(store: DraftStore) -> None:
    last = replace(DRAFT, made_ms=8)
    store.add(ID, DRAFT)
    store.add(ID, last)
    edited = DRAFT.with_text("better")
    assert store.add(ID, edited, replacing=DRAFT) == (edited, last)
    assert store.add(ID, DRAFT, replacing=replace(DRAFT, text="unknown")) == (edited, last, DRAFT)


def test_same_draft_is_kept_once(store: DraftStore) -> None:
    store.add(ID, DRAFT)
    assert store.add(ID, DRAFT) == (DRAFT,)


def test_draft_is_thrown_away(store: DraftStore) -> None:
    store.add(ID, DRAFT)
    assert store.remove(ID, DRAFT) == ()
    assert store.load(ID).drafts == ()


def test_oldest_drafts_go_first(store: DraftStore) -> None:
    for number in range(MOST + 3):
        store.add(ID, replace(DRAFT, made_ms=number))
    assert [draft.made_ms for draft in store.load(ID).drafts] == list(range(3, MOST + 3))


@pytest.mark.parametrize(
    ("content", "name", "problem"),
    [
        (b"{", "broken", "is not JSON"),
        (b"", "broken", "is not JSON"),
        (b"[]", "broken", "another format"),
        (b'{"version":"1","drafts":[]}', "broken", "another format"),
        (b'{"version":1,"drafts":[{"text":"a"}]}', "broken", "a draft has no origin"),
        (b'{"version":1,"drafts":[{"text":1,"origin":"a","cut_id":"b","digest":"c"}]}', "broken", "no str"),
        (b'{"version":2,"drafts":{}}', "newer", "newer pitree"),
    ],
)
def test_file_that_is_not_understood_is_set_aside(store: DraftStore, content: bytes, name: str, problem: str) -> None:
    store.folder.mkdir(parents=True)
    store.path(ID).write_bytes(content)
    kept = store.load(ID)
    assert kept.drafts == ()
    assert problem in (kept.problem or "")
    assert store.path(ID).read_bytes() == content
    assert store.add(ID, DRAFT) == (DRAFT,)
    assert store.path(ID).with_name(f"{ID}.json.{name}").read_bytes() == content
    assert store.load(ID).drafts == (DRAFT,)


@pytest.mark.parametrize("session_id", ["", "../../etc/passwd", "a/b", "-x", ".hidden", "x" * 300, "\ud800", "ü"])
def test_any_session_id_has_a_file_of_its_own(store: DraftStore, session_id: str) -> None:
    store.add(session_id, DRAFT)
    assert store.load(session_id).drafts == (DRAFT,)
    assert store.path(session_id).parent == store.folder
    assert len(store.path(session_id).name) == 64 + len(".json")


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteError):
        DraftStore(tmp_path / "file/drafts").add(ID, DRAFT)


def test_drafts_of_two_writers_are_both_kept(store: DraftStore) -> None:
    def keep(first: int) -> None:
        for number in range(first, first + 20):
            store.add(ID, replace(DRAFT, made_ms=number))

    writers = [threading.Thread(target=keep, args=[first]) for first in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(draft.made_ms for draft in store.load(ID).drafts) == [*range(20), *range(100, 120)]


@given(
    text=st.text() | st.just("half a pair \ud800"),
    origin=st.text(),
    instructions=st.text(),
    complete=st.booleans(),
    made_ms=st.integers(0, 2**53),
)
def test_any_draft_comes_back(text: str, origin: str, instructions: str, complete: bool, made_ms: int) -> None:
    draft = Draft(
        text, origin, "e1", "d", complete=complete, usage=None, instructions=instructions, made_ms=made_ms
    )  # fmt: skip
    assert draft_of(decode(stringify(draft_value(draft)).encode())) == draft
