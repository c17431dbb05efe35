from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pitree.session.load import session_from_bytes
from pitree.store.copies import copy_session, fork_session
from pitree.store.reader import open_session
from pitree.store.whole_files import create_file, private_folder, replace_file, set_aside
from pitree.store.write_errors import AlreadyThere, ChangedUnderneath, Gone, NotAFile, ReadOnly, WrongPlace
from tests.session.build import chain, file_of, message

LINE = b'{"type":"custom","id":"0a1b2c3d","parentId":"e2"}\n'
ENTRIES = chain([message("user", "hello"), message("assistant", [])])
OLD = file_of([ENTRIES[0], b"torn {", ENTRIES[1]])
MS = 1796032800123


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sessions/--w--/old.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(OLD)
    path.chmod(0o640)
    return path


def copy(source: Path, destination: Path, **more: Any) -> None:
    folders = [source.parents[1]]
    copy_session(open_session(source), source, destination, LINE, sessions_folders=folders, **more)


def fork(source: Path, **more: Any) -> Path:
    entry = json.loads(LINE)
    return fork_session(
        open_session(source), source, entry, ms=MS, draw_bytes=lambda n: bytes(n), draw_id=lambda: "12345678", **more
    ).path


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".pitree-")]


# -- copies ----------------------------------------------------------------------------------------------------------


def test_copy_has_the_same_bytes_and_the_line(source: Path, tmp_path: Path) -> None:
    copy(source, tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_bytes() == OLD + LINE
    assert source.read_bytes() == OLD
    assert (tmp_path / "copy.jsonl").stat().st_mode & 0o777 == 0o640
    assert not leftovers(tmp_path)


def test_copy_of_a_torn_file_has_a_newline_before_the_line(source: Path, tmp_path: Path) -> None:
    source.write_bytes(OLD[:-1])
    copy(source, tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_bytes() == OLD + LINE


def test_copy_of_a_large_file(source: Path, tmp_path: Path) -> None:
    data = OLD + b'{"type":"custom","id":"x"}\n' * 20_000
    source.write_bytes(data)
    copy(source, tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_bytes() == data + LINE


def test_copy_of_a_session_in_memory(tmp_path: Path) -> None:
    copy_session(session_from_bytes(OLD), None, tmp_path / "demo.jsonl", LINE, sessions_folders=())
    assert (tmp_path / "demo.jsonl").read_bytes() == OLD + LINE
    assert (tmp_path / "demo.jsonl").stat().st_mode & 0o777 == 0o600


def test_copy_is_of_what_was_read(source: Path, tmp_path: Path) -> None:
    session = open_session(source)
    with source.open("ab") as file:
        file.write(b'{"later":1}\n')
    copy_session(session, source, tmp_path / "copy.jsonl", LINE, sessions_folders=())
    assert (tmp_path / "copy.jsonl").read_bytes() == OLD + LINE


def test_old_version_is_copied_in_version_3(source: Path, tmp_path: Path) -> None:
    source.write_bytes(file_of([{"type": "custom", "customType": "x"}], {"type": "session", "id": "s"}))
    before = source.read_bytes()
    copy(source, tmp_path / "copy.jsonl")
    copied = open_session(tmp_path / "copy.jsonl")
    assert (copied.version, copied.count, copied.id_of(0)) == (3, 2, "00000001")
    assert source.read_bytes() == before


def test_existing_file_is_kept_unless_told_otherwise(source: Path, tmp_path: Path) -> None:
    other = tmp_path / "copy.jsonl"
    other.write_bytes(b"mine")
    with pytest.raises(AlreadyThere, match="another name"):
        copy(source, other)
    assert other.read_bytes() == b"mine"
    copy(source, other, overwrite=True)
    assert other.read_bytes() == OLD + LINE


def test_link_to_nowhere_counts_as_there(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(AlreadyThere):
        copy(source, tmp_path / "link")


@pytest.mark.parametrize("overwrite", [False, True])
def test_copy_does_not_lie_where_pi_looks(source: Path, tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "door").symlink_to(source.parent)
    for destination in (source.parent / "copy.jsonl", tmp_path / "door/copy.jsonl"):
        with pytest.raises(WrongPlace, match="two sessions with one id"):
            copy(source, destination, overwrite=overwrite)
    assert os.listdir(source.parent) == ["old.jsonl"]


def test_copy_is_never_the_session_itself(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(source)
    with pytest.raises(WrongPlace, match="the session itself"):
        copy_session(
            open_session(source), source, tmp_path / "link.jsonl", LINE, sessions_folders=(), overwrite=True
        )  # fmt: skip
    assert source.read_bytes() == OLD


def test_copy_into_a_folder_that_is_not_there(source: Path, tmp_path: Path) -> None:
    with pytest.raises(Gone, match="no folder"):
        copy(source, tmp_path / "nowhere/copy.jsonl")


def test_copy_over_a_folder(source: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotAFile, match="folder"):
        copy(source, tmp_path / "folder", overwrite=True)


def test_copy_of_a_file_that_was_rewritten_in_place(source: Path, tmp_path: Path) -> None:
    session = open_session(source)
    with source.open("r+b") as file:
        file.write(b"[")
    with pytest.raises(ChangedUnderneath):
        copy_session(session, source, tmp_path / "copy.jsonl", LINE, sessions_folders=())
    assert not (tmp_path / "copy.jsonl").exists()


# -- forks -----------------------------------------------------------------------------------------------------------


def test_fork_lies_beside_the_session_under_a_name_of_pi(source: Path) -> None:
    path = fork(source)
    assert path == source.parent / "2026-11-30T10-00-00-123Z_01a22be5-a57b-7000-8000-000000000000.jsonl"
    forked = open_session(path)
    assert forked.header["parentSession"] == str(source)
    assert forked.header["id"] == "01a22be5-a57b-7000-8000-000000000000"
    assert [forked.id_of(index) for index in range(forked.count)] == ["e1", "e2", "0a1b2c3d"]
    assert forked.path(2) == [0, 1, 2]
    assert path.stat().st_mode & 0o777 == 0o640
    assert source.read_bytes() == OLD


def test_fork_may_go_elsewhere(source: Path, tmp_path: Path) -> None:
    assert fork(source, folder=tmp_path).parent == tmp_path


def test_fork_never_replaces_a_file(source: Path) -> None:
    path = fork(source)
    before = path.read_bytes()
    with pytest.raises(AlreadyThere):
        fork(source)
    assert path.read_bytes() == before
    assert not leftovers(source.parent)


def test_fork_names_the_whole_path_of_the_session(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    assert open_session(fork(Path("old.jsonl"))).header["parentSession"] == str(source)


# -- whole files -----------------------------------------------------------------------------------------------------


def failing(number: int) -> Any:
    def fail(*arguments: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_failed_replacement_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, call, failing(errno.EROFS))
    with pytest.raises(ReadOnly):
        replace_file(path, [b"new"])
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    create_file(tmp_path / "file", [b"new"])
    with pytest.raises(AlreadyThere):
        create_file(tmp_path / "file", [b"newer"])
    assert (tmp_path / "file").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]


def test_file_system_without_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fchmod", failing(errno.EPERM))
    create_file(tmp_path / "file", [b"new"])
    assert (tmp_path / "file").read_bytes() == b"new"


def test_what_is_set_aside_keeps_its_contents_and_gets_a_name_of_its_own(tmp_path: Path) -> None:
    for content in (b"1", b"2", b"3"):
        (tmp_path / "a.json").write_bytes(content)
        set_aside(tmp_path / "a.json", "broken")
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert kept == {"a.json.broken": b"1", "a.json.broken-2": b"2", "a.json.broken-3": b"3"}


def test_private_folder_is_made_private(tmp_path: Path) -> None:
    private_folder(tmp_path / "a/b")
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "a/b").chmod(0o755)
    private_folder(tmp_path / "a/b")
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700
