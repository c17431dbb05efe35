"""The side of the disk of a commit: what speaks against a destination, and the bytes before and after."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.planning.commit import Check
from pitree.session import new_entries
from pitree.session.load import session_from_bytes
from pitree.session.session import Session
from pitree.store import commit
from pitree.store.commit import FORK, HERE, Destination, Draws, PiSearch, Where, Written, destination_checks
from pitree.store.locations import Environment
from pitree.store.reader import FileSource, open_session
from pitree.store.running_pi import CannotTell, PiProcess
from pitree.store.write_errors import AlreadyThere, ChangedUnderneath, Gone, ReadOnly, WrongPlace
from tests.session.build import HEADER, chain, file_of, message
from tests.store.conftest import Place
from tests.store.faults import Faulty, intrude

MS = 1_800_000_000_000
NOW_NS = MS * 1_000_000
LONG_AGO_NS = NOW_NS - 61 * 1_000_000_000
JUST_NOW_NS = NOW_NS - 3 * 1_000_000_000

OLD = file_of(chain([message("user", "hello"), message("assistant", [])]))
ENTRY = new_entries.custom(entry_id="0a1b2c3d", parent_id="e2", ms=MS, custom_type="pitree.move")
LINE = (
    b'{"type":"custom","customType":"pitree.move","id":"0a1b2c3d","parentId":"e2",'
    b'"timestamp":"2027-01-15T08:00:00.000Z"}\n'
)
FIRST_VERSION = file_of([{"type": "message", "message": {"role": "user", "content": "hi"}}], {**HEADER, "version": 1})
SECOND_VERSION = file_of(chain([message("hookMessage", "hi")]), {**HEADER, "version": 2})


def nobody(cwd: Path) -> tuple[PiProcess, ...]:
    return ()


def draws() -> Draws:
    ids = iter(f"{number:08x}-0000-4000-8000-000000000000" for number in range(1, 99))
    return Draws(MS, lambda count: bytes(range(count)), lambda: next(ids))


def file_with(folder: Path, data: bytes = OLD, written_ns: int = LONG_AGO_NS) -> Path:
    path = folder / "session.jsonl"
    path.write_bytes(data)
    os.utime(path, ns=(written_ns, written_ns))
    return path


def checks(
    session: Session, path: Path | None, destination: Destination = HERE, *, look: PiSearch = nobody, leaf: int = -1
) -> list[tuple[str, bool]]:
    """The kinds of the checks, and whether they block."""
    at = leaf if leaf >= 0 else session.count - 1
    found = destination_checks(session, path, destination, leaf=at, now_ns=NOW_NS, look=look)
    return [(check.kind, check.blocks) for check in found]


# -- what speaks against this file -----------------------------------------------------------------------------------


def test_nothing_speaks_against_a_file_at_rest(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    assert checks(open_session(path), path) == []


@pytest.mark.parametrize(("data", "number"), [(FIRST_VERSION, 1), (SECOND_VERSION, 2)])
def test_an_older_version_blocks(tmp_path: Path, data: bytes, number: int) -> None:
    path = file_with(tmp_path, data)
    (check,) = destination_checks(open_session(path), path, HERE, leaf=0, now_ns=NOW_NS, look=nobody)
    assert (check.kind, check.blocks) == ("version", True)
    assert check.message == (
        f"The file is of version {number}, which pi rewrites when it opens it, and pitree never does: "
        "make a copy, which is written in version 3."
    )


def grown(path: Path) -> None:
    intrude(path, b"{}\n")


def rewritten(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"hello", b"hullo"))


def replaced(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    path.write_bytes(path.with_suffix(".old").read_bytes())


def shortened(path: Path) -> None:
    os.truncate(path, len(OLD) - 10)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def gone(path: Path) -> None:
    path.unlink()


CHANGES: tuple[tuple[Callable[[Path], None], str], ...] = (
    (grown, "changed"),
    (rewritten, "changed"),
    (replaced, "changed"),
    (shortened, "changed"),
    (a_pipe, "changed"),
    (gone, "gone"),
)


@pytest.mark.parametrize(("change", "kind"), CHANGES)
def test_a_file_that_is_not_what_was_read_blocks(tmp_path: Path, change: Callable[[Path], None], kind: str) -> None:
    path = file_with(tmp_path)
    session = open_session(path)
    change(path)
    if path.exists():
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert checks(session, path) == [(kind, True)]


def test_a_file_that_may_not_be_written_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_with(tmp_path)
    session = open_session(path)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    (check,) = destination_checks(session, path, HERE, leaf=1, now_ns=NOW_NS, look=nobody)
    assert check == Check(
        "read-only", f"{path} may not be written: change its permissions, or write to another file.", blocks=True
    )


def test_a_leaf_that_is_not_the_end_is_told(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    assert checks(open_session(path), path, leaf=0) == [("leaf-elsewhere", False)]


@pytest.mark.parametrize(
    ("data", "written_ns", "expected"),
    [
        (OLD, JUST_NOW_NS, [("recent", False)]),
        (OLD[:-1], JUST_NOW_NS, [("torn", True), ("recent", False)]),
        (OLD[:-1], LONG_AGO_NS, []),
        (OLD, NOW_NS + 1, [("recent", False)]),
    ],
)
def test_a_recent_write_warns_and_blocks_inside_a_line(
    tmp_path: Path, data: bytes, written_ns: int, expected: list[tuple[str, bool]]
) -> None:
    path = file_with(tmp_path, data, written_ns)
    assert checks(open_session(path), path) == expected


def test_a_pi_in_the_folder_of_the_session_warns(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    asked: list[Path] = []

    def look(cwd: Path) -> tuple[PiProcess, ...]:
        asked.append(cwd)
        return (PiProcess(41, "pi"), PiProcess(42, "pi"))

    (check,) = destination_checks(open_session(path), path, HERE, leaf=1, now_ns=NOW_NS, look=look)
    assert asked == [Path("/w")]
    assert check == Check(
        "pi-open",
        "A pi seems to be open there (process 41, 42): it would not see the new entry, and go on beside it. "
        "Close it, or make a fork or a copy.",
    )


def test_that_nobody_can_tell_is_said(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    look: PiSearch = lambda cwd: CannotTell("no window")  # noqa: E731
    (check,) = destination_checks(open_session(path), path, HERE, leaf=1, now_ns=NOW_NS, look=look)
    assert check == Check("pi-unknown", "Whether a pi is open there cannot be told: no window.")


@pytest.mark.parametrize("cwd", [None, "", 7, "a\0b"])
def test_without_a_folder_nobody_is_looked_for(tmp_path: Path, cwd: Any) -> None:
    path = file_with(tmp_path, file_of(chain([message("user", "hi")]), {**HEADER, "cwd": cwd}))

    def look(cwd: Path) -> tuple[PiProcess, ...]:
        raise AssertionError(cwd)

    assert checks(open_session(path), path, look=look) == []


# -- what speaks against other destinations --------------------------------------------------------------------------


@pytest.mark.parametrize("data", [OLD, OLD[:-1], FIRST_VERSION])
def test_a_copy_and_a_fork_may_always_be_made(tmp_path: Path, data: bytes) -> None:
    path = file_with(tmp_path, data, JUST_NOW_NS)
    session = open_session(path)
    assert checks(session, path, FORK, leaf=0) == []
    assert checks(session, path, Destination.copy(tmp_path / "copy.jsonl", ()), leaf=0) == []


def test_a_built_in_session_can_only_be_copied(tmp_path: Path) -> None:
    session = session_from_bytes(OLD)
    assert checks(session, None) == [("built-in", True)]
    assert checks(session, None, FORK) == [("built-in", True)]
    assert checks(session, None, Destination.copy(tmp_path / "copy.jsonl", ())) == []


def test_places_where_no_copy_may_lie(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    sessions = tmp_path / "sessions"
    (sessions / "--w--").mkdir(parents=True)
    session = open_session(path)
    for copy_to in (path, tmp_path, sessions / "--w--" / "copy.jsonl", tmp_path / "no" / "folder.jsonl"):
        assert checks(session, path, Destination.copy(copy_to, [sessions])) == [("copy", True)]


def test_what_is_advised() -> None:
    def advised(*kinds: str) -> Where:
        return commit.advised([Check(kind, "") for kind in kinds])

    assert advised() is Where.HERE
    assert advised("recent", "larger") is Where.HERE
    assert advised("recent", "pi-open") is Where.FORK
    assert advised("leaf-elsewhere") is Where.HERE
    assert advised("pi-open", "version") is Where.COPY
    assert advised("built-in") is Where.COPY


def test_the_folders_of_pi(place: Place) -> None:
    usual = place.agent / "sessions"
    assert commit.pi_folders(place.environment) == (usual,)
    moved = Environment({"PI_CODING_AGENT_SESSION_DIR": "/srv/sessions"}, place.home, place.project)
    assert commit.pi_folders(moved) == (usual, Path("/srv/sessions"))
    place.global_settings({"sessionDir": "~/mine"})
    assert commit.pi_folders(place.environment) == (usual, place.home / "mine")


# -- into this file --------------------------------------------------------------------------------------------------


def test_the_line_is_appended(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    written = commit.commit(open_session(path), path, HERE, ENTRY, draws())
    assert path.read_bytes() == OLD + LINE
    assert (written.path, written.entry) == (path, ENTRY)
    again = open_session(path)
    assert again.leaf_id == "0a1b2c3d"
    assert isinstance(again.source, FileSource)
    assert written.state == again.source.state()


def test_a_missing_newline_is_put_first(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD[:-1])
    session = open_session(path)
    assert commit.lacks_newline(session)
    commit.commit(session, path, HERE, ENTRY, draws())
    assert path.read_bytes() == OLD + LINE


@pytest.mark.parametrize("data", [FIRST_VERSION, SECOND_VERSION])
def test_an_older_version_is_never_appended_to(tmp_path: Path, data: bytes) -> None:
    path = file_with(tmp_path, data)
    session = open_session(path)
    with pytest.raises(WrongPlace, match="make a copy"):
        commit.commit(session, path, HERE, ENTRY, draws())
    assert path.read_bytes() == data


@pytest.mark.parametrize("destination", [HERE, FORK])
def test_a_built_in_session_has_no_file(destination: Destination) -> None:
    with pytest.raises(WrongPlace, match="make a copy"):
        commit.commit(session_from_bytes(OLD), None, destination, ENTRY, draws())


def test_a_file_changed_after_the_checks_is_left_alone(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    session = open_session(path)
    assert checks(session, path) == []
    grown(path)
    with pytest.raises(ChangedUnderneath, match="has appended 1 line"):
        commit.commit(session, path, HERE, ENTRY, draws())
    assert path.read_bytes() == OLD + b"{}\n"


def test_errors_of_the_disk_are_sentences(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    session = open_session(path)
    with pytest.raises(ReadOnly, match="may not be written"):
        commit.commit_here(session, path, ENTRY, system=Faulty(errors={"open": errno.EACCES}))
    path.unlink()
    with pytest.raises(Gone, match="is gone"):
        commit.commit_here(session, path, ENTRY)


# -- into other files ------------------------------------------------------------------------------------------------


def test_a_copy_holds_the_same_bytes_and_the_line(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    copy_to = tmp_path / "copy.jsonl"
    written = commit.commit(open_session(path), path, Destination.copy(copy_to, ()), ENTRY, draws())
    assert written.path == copy_to
    assert copy_to.read_bytes() == OLD + LINE
    assert path.read_bytes() == OLD


def test_a_copy_of_a_built_in_session(tmp_path: Path) -> None:
    copy_to = tmp_path / "copy.jsonl"
    commit.commit(session_from_bytes(OLD), None, Destination.copy(copy_to, ()), ENTRY, draws())
    assert copy_to.read_bytes() == OLD + LINE


def test_a_copy_of_an_older_version_is_of_version_three(tmp_path: Path) -> None:
    path = file_with(tmp_path, FIRST_VERSION)
    copy_to = tmp_path / "copy.jsonl"
    entry = {**ENTRY, "parentId": "00000001"}
    commit.commit(open_session(path), path, Destination.copy(copy_to, ()), entry, draws())
    assert copy_to.read_bytes() == (
        b'{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}\n'
        b'{"type":"message","message":{"role":"user","content":"hi"},"id":"00000001","parentId":null}\n'
        + LINE.replace(b'"e2"', b'"00000001"')
    )
    assert path.read_bytes() == FIRST_VERSION


def test_no_copy_replaces_a_file(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"mine")
    with pytest.raises(AlreadyThere, match="exists already"):
        commit.commit(open_session(path), path, Destination.copy(other, ()), ENTRY, draws())
    assert other.read_bytes() == b"mine"


def test_a_fork_lies_beside_the_file(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    written = commit.commit(open_session(path), path, FORK, ENTRY, draws())
    session_id = "01a3185c-5000-7001-8203-040506070809"
    assert written.path == tmp_path / f"2027-01-15T08-00-00-000Z_{session_id}.jsonl"
    head, _, rest = written.path.read_bytes().partition(b"\n")
    assert head.decode() == (
        f'{{"type":"session","version":3,"id":"{session_id}","timestamp":"2027-01-15T08:00:00.000Z","cwd":"/w",'
        f'"parentSession":"{path}"}}'
    )
    assert rest == OLD.partition(b"\n")[2] + LINE
    assert path.read_bytes() == OLD


def test_the_entry_of_a_fork_is_foretold(tmp_path: Path) -> None:
    label = {"type": "label", "targetId": "e1", "label": "here"}
    path = file_with(tmp_path, file_of(chain([message("user", "hello"), message("assistant", []), label])))
    session = open_session(path)
    entry = {**ENTRY, "parentId": "e3"}
    foretold, line = commit.as_written(session, FORK, entry, draws())
    written = commit.commit(session, path, FORK, entry, draws())
    assert written.entry == foretold
    assert written.path.read_bytes().splitlines(keepends=True)[-1] == line
    assert foretold["parentId"] == "00000001"
    assert commit.as_written(session, HERE, ENTRY, draws()) == (ENTRY, LINE)


# -- going on --------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(os.getcwd())


def test_the_command_to_go_on(in_folder: Path) -> None:
    assert Written(Path("/a/b.jsonl"), {}).command == "pi --session /a/b.jsonl"
    assert commit.pi_command(Path("it's a.jsonl")).startswith("pi --session '")
    assert commit.pi_command(Path("b.jsonl")) == f"pi --session {in_folder}/b.jsonl"
