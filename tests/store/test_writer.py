from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitree.store.file_state import TAIL, FileState
from pitree.store.reader import FileSource, open_session
from pitree.store.write_errors import (
    CannotWrite,
    ChangedUnderneath,
    DiskFull,
    Gone,
    Interleaved,
    NotAFile,
    ReadOnly,
    Unconfirmed,
    WriteError,
)
from pitree.store.writer import append
from tests.session.build import chain, file_of, message
from tests.store.faults import FAULTS, Faulty, intrude

OLD = file_of(chain([message("user", "hello"), message("assistant", [])]))
LINE = b'{"type":"custom","customType":"pitree.move","id":"0a1b2c3d"}\n'
FOREIGN = b'{"type":"custom","customType":"other","id":"ffffffff"}\n'

fresh_files = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(path: Path) -> FileState:
    """The state of a file that is read to its end."""
    source = FileSource(path)
    for _ in source.chunks():
        pass
    return source.state()


def file_with(folder: Path, data: bytes) -> Path:
    path = folder / "session.jsonl"
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def attempt(path: Path, state: FileState, data: bytes, system: Faulty) -> WriteError | FileState:
    try:
        return append(path, state, data, system)
    except WriteError as error:
        return error


# -- what goes well --------------------------------------------------------------------------------------------------


def test_line_is_appended(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = append(path, read(path), LINE)
    assert path.read_bytes() == OLD + LINE
    assert state == read(path)


def test_state_after_a_line_takes_the_next(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = append(path, read(path), LINE)
    append(path, state, FOREIGN)
    assert path.read_bytes() == OLD + LINE + FOREIGN


def test_session_that_was_opened_gives_its_state(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    source = open_session(path).source
    assert isinstance(source, FileSource)
    append(path, source.state(), LINE)
    assert open_session(path).count == 3


def test_missing_newline_comes_first_in_the_same_write(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD[:-1])
    system = Faulty()
    append(path, read(path), LINE, system)
    assert path.read_bytes() == OLD + LINE
    assert system.calls.count("write") == 1


def test_mode_and_owner_and_link_stay(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    path.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    before = path.stat()
    append(link, read(link), LINE)
    after = path.stat()
    assert link.is_symlink()
    assert (after.st_ino, after.st_mode, after.st_uid, after.st_gid) == (
        before.st_ino, before.st_mode, before.st_uid, before.st_gid,
    )  # fmt: skip
    assert path.read_bytes() == OLD + LINE


def test_only_whole_lines_are_taken(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(ValueError, match="whole lines"):
        append(path, read(path), b"{}")
    assert path.read_bytes() == OLD


@fresh_files
@given(old=st.binary(max_size=300), repeat=st.sampled_from([1, 700]), lines=st.lists(st.binary(), min_size=1))
def test_old_bytes_are_a_prefix_and_the_rest_whole_lines(
    tmp_path: Path, old: bytes, repeat: int, lines: list[bytes]
) -> None:
    old *= repeat
    data = b"".join(line.replace(b"\n", b" ") + b"\n" for line in lines)
    path = file_with(tmp_path, old)
    state = append(path, read(path), data)
    new = path.read_bytes()
    lead = b"\n" if old and not old.endswith(b"\n") else b""
    assert new == old + lead + data
    assert state == read(path)


# -- what is refused -------------------------------------------------------------------------------------------------


def test_grown_file_is_refused_and_says_by_how_much(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = read(path)
    intrude(path, FOREIGN + FOREIGN)
    with pytest.raises(ChangedUnderneath, match=rf"appended 2 line\(s\), {2 * len(FOREIGN)} bytes"):
        append(path, state, LINE)
    assert path.read_bytes() == OLD + FOREIGN + FOREIGN


def test_shorter_file_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = read(path)
    os.truncate(path, len(OLD) - 5)
    with pytest.raises(ChangedUnderneath, match="5 bytes shorter"):
        append(path, state, LINE)


@pytest.mark.parametrize("place", [0, TAIL // 2, -2])
def test_rewritten_file_is_refused(tmp_path: Path, place: int) -> None:
    path = file_with(tmp_path, b"x" * (TAIL - 1) + b"\n")
    state = read(path)
    with path.open("r+b") as file:
        file.seek(place, os.SEEK_END if place < 0 else os.SEEK_SET)
        file.write(b"y")
    with pytest.raises(ChangedUnderneath, match="rewritten"):
        append(path, state, LINE)


def test_change_after_reading_is_seen_however_late_the_state_is_asked_for(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    source = FileSource(path)
    assert b"".join(source.chunks()) == OLD
    with path.open("r+b") as file:
        file.write(b"[")
    with pytest.raises(ChangedUnderneath, match="rewritten"):
        append(path, source.state(), LINE)


def test_replaced_file_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    source = FileSource(path)
    assert b"".join(source.chunks()) == OLD
    other = tmp_path / "other"
    other.write_bytes(OLD)
    other.replace(path)
    with pytest.raises(ChangedUnderneath, match="another file has been put in its place"):
        append(path, source.state(), LINE)
    assert path.read_bytes() == OLD


def test_missing_file_is_not_made(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = read(path)
    path.unlink()
    with pytest.raises(Gone, match="gone"):
        append(path, state, LINE)
    assert not path.exists()


def test_file_whose_folder_is_gone(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    state = read(path)
    with pytest.raises(Gone, match="no folder"):
        append(path / "session.jsonl", state, LINE)


def test_folder_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(NotAFile, match="folder"):
        append(tmp_path, read(path), LINE)


def test_pipe_is_refused_at_once(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAFile, match="regular"):
        append(tmp_path / "pipe", read(path), LINE)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_read_only_file_is_refused(tmp_path: Path, number: int) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(ReadOnly, match="another file"):
        append(path, read(path), LINE, Faulty(errors={"open": number}))
    assert path.read_bytes() == OLD


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_file_without_write_permission_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    path.chmod(stat.S_IRUSR)
    with pytest.raises(ReadOnly):
        append(path, read(path), LINE)


def test_file_that_cannot_be_read_again_is_refused(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(CannotWrite, match="nothing was written"):
        append(path, read(path), LINE, Faulty(errors={"pread": errno.EIO}))
    assert path.read_bytes() == OLD


# -- what fails in between -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_full_disk_leaves_the_file(tmp_path: Path, number: int) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(DiskFull) as caught:
        append(path, read(path), LINE, Faulty(errors={"write": number}))
    assert not caught.value.written
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("old", [OLD, OLD[:-1]], ids=["whole", "torn"])
def test_short_write_is_taken_back(tmp_path: Path, old: bytes) -> None:
    for short in range(len(LINE)):
        path = file_with(tmp_path, old)
        with pytest.raises(DiskFull, match=r"the file is as it was|Nothing of it") as caught:
            append(path, read(path), LINE, Faulty(short=short))
        assert not caught.value.written
        assert path.read_bytes() == old


@pytest.mark.parametrize("old", [OLD, OLD[:-1]], ids=["whole", "torn"])
def test_short_write_with_another_writer_after_it_becomes_a_blank_line(tmp_path: Path, old: bytes) -> None:
    path = file_with(tmp_path, old)
    for short in range(1, len(LINE)):
        file_with(tmp_path, old)
        system = Faulty(short=short, between=lambda _, name: intrude(path, FOREIGN) if name == "position" else None)
        with pytest.raises(DiskFull, match="blank line"):
            append(path, read(path), LINE, system)
        new = path.read_bytes()
        assert "ftruncate" not in system.calls
        assert new.startswith(old)
        assert new[len(old) :].strip() == FOREIGN.strip()
        assert new.endswith(b"\n" + FOREIGN)


def test_unconfirmed_line_is_in_the_file(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(Unconfirmed, match="did not confirm") as caught:
        append(path, read(path), LINE, Faulty(errors={"fsync": errno.EIO}))
    assert caught.value.written
    assert path.read_bytes() == OLD + LINE


def test_file_system_that_cannot_sync_is_enough(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    append(path, read(path), LINE, Faulty(errors={"fsync": errno.EINVAL}))
    assert path.read_bytes() == OLD + LINE


@pytest.mark.parametrize(("short", "kind"), [(None, Unconfirmed), (9, CannotWrite)])
def test_nothing_is_taken_back_where_the_place_is_unknown(
    tmp_path: Path, short: int | None, kind: type[WriteError]
) -> None:
    path = file_with(tmp_path, OLD)
    with pytest.raises(kind, match="look at its end"):
        append(path, read(path), LINE, Faulty(errors={"position": errno.ESPIPE}, short=short))
    assert path.read_bytes() == OLD + LINE[:short]


def test_writer_just_before_ours_is_told(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    system = Faulty(between=lambda _, name: intrude(path, FOREIGN) if name == "write" else None)
    with pytest.raises(Interleaved, match=f"{len(FOREIGN)} bytes just before it") as caught:
        append(path, read(path), LINE, system)
    assert caught.value.written
    assert path.read_bytes() == OLD + FOREIGN + LINE


def test_line_that_was_glued_to_half_a_line_of_another_is_taken_back(tmp_path: Path) -> None:
    path = file_with(tmp_path, OLD)
    system = Faulty(between=lambda _, name: intrude(path, FOREIGN[:9]) if name == "write" else None)
    with pytest.raises(ChangedUnderneath, match="blank line") as caught:
        append(path, read(path), LINE, system)
    assert not caught.value.written
    assert LINE.strip() not in path.read_bytes()
    assert path.read_bytes().rstrip() == OLD + FOREIGN[:9]


@pytest.mark.parametrize("old", [OLD, OLD[:-1]], ids=["whole", "torn"])
@pytest.mark.parametrize("short", [None, 0, 1, 2, len(LINE) // 2, len(LINE) - 1])
@pytest.mark.parametrize("fault", FAULTS)
def test_writer_in_between_at_every_point(tmp_path: Path, fault: str, short: int | None, old: bytes) -> None:
    path = file_with(tmp_path, old)
    probe = Faulty(errors=FAULTS[fault], short=short)
    attempt(path, read(path), LINE, probe)
    # Between the last look and the removal of a half line no call can stand guard: see the writer.
    points = [number for number, name in enumerate(probe.calls) if name != "ftruncate"]
    foreign = FOREIGN if old.endswith(b"\n") else b"\n" + FOREIGN
    for point in points:
        state = read(file_with(tmp_path, old))

        def between(number: int, _: str, point: int = point) -> None:
            if number == point:
                intrude(path, foreign)

        result = attempt(path, state, LINE, Faulty(between=between, errors=FAULTS[fault], short=short))
        new = path.read_bytes()
        assert new.startswith(old)
        lines = new[len(old) :].split(b"\n")
        assert new.count(FOREIGN) == 1
        # A half line after which another one wrote can only stay where the disk takes no blanks either.
        if "overwrite" not in FAULTS[fault]:
            ours = [line for line in lines if line.strip() == LINE.strip()]
            assert len(ours) == (1 if isinstance(result, FileState) or result.written else 0)
            whole = {FOREIGN.strip(), LINE.strip(), b""}
            assert {line.strip() for line in lines} <= whole
            assert new.endswith(b"\n")
        if isinstance(result, FileState):
            assert new[: result.size] == old + (b"" if old.endswith(b"\n") else b"\n") + LINE


# -- with a real system that fails -----------------------------------------------------------------------------------

LIMITED = """
import resource, sys
from pathlib import Path
from pitree.store.writer import append
from tests.store.test_writer import read, LINE
path = Path(sys.argv[1])
state = read(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (state.size + int(sys.argv[2]),) * 2)
try:
    append(path, state, LINE)
except Exception as error:
    print(type(error).__name__)
"""


def run(program: str, *arguments: object) -> str:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("room", [0, 1, 20])
def test_size_limit_of_the_system_leaves_the_file(tmp_path: Path, room: int) -> None:
    path = file_with(tmp_path, OLD)
    assert run(LIMITED, path, room).split() == ["DiskFull"]
    assert path.read_bytes() == OLD


# Lines that lie within a page: a longer one may be cut by a kill while the kernel copies it.
KILLED = """
import json, os, random, signal, sys, time
from pathlib import Path
from pitree.store.writer import append
from tests.store.test_writer import read
path = Path(sys.argv[1])
line = b'{"type":"custom","id":"0a1b2c3d","data":"'.ljust(509, b"x") + b'"}' + bytes([10])
chance = random.Random(7)
counts = []
for _ in range(int(sys.argv[2])):
    ready, told = os.pipe()
    child = os.fork()
    if not child:
        state = read(path)
        os.write(told, b".")
        while True:
            state = append(path, state, line)
    os.read(ready, 1)
    stop = time.perf_counter() + chance.uniform(0, 0.004)
    while time.perf_counter() < stop:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ready)
    os.close(told)
    data = path.read_bytes()
    assert len(data) % 512 == 0 and data[512:] == line * (len(data) // 512 - 1), len(data)
    counts.append(len(data) // 512 - 1)
print(json.dumps(counts))
"""


def test_killed_writer_leaves_whole_lines(tmp_path: Path) -> None:
    head = b'{"type":"session","version":3,"id":"s"}'.ljust(511) + b"\n"
    path = file_with(tmp_path, head)
    counts = json.loads(run(KILLED, path, 200))
    assert path.read_bytes().startswith(head)
    assert counts == sorted(counts)
    assert len(set(counts)) > 20
