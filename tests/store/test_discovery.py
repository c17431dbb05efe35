"""Which file counts as the latest is what pi 1.6.0's `findMostRecentSession` answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.store.discovery import all_sessions, find_session, latest, project_sessions
from pitree.store.errors import AmbiguousSessionError, SessionNotFoundError, StoreError
from pitree.store.locations import Environment, default_sessions_dir, project_folder_name

from .conftest import Place
from .test_summaries import header


def put(
    place: Place, name: str, id_: str, when: float, project: Path | None = None, folder: Path | None = None
) -> Path:
    project = project or place.project
    folder = folder or default_sessions_dir(place.environment, project)
    path = place.write(folder / f"{name}.jsonl", header(id_, cwd=str(project)))
    os.utime(path, (when, when))
    return path


def ids(place: Place, **options: Path) -> list[str]:
    return [row.id or row.path.name for row in project_sessions(place.environment, **options)]


def test_no_folder_means_no_sessions(place: Place) -> None:
    assert list(project_sessions(place.environment)) == []
    assert list(all_sessions(place.environment)) == []
    with pytest.raises(SessionNotFoundError, match=r"There is no session of .*project"):
        latest(place.environment)


def test_sessions_come_newest_first_and_broken_ones_with_their_problem(place: Place) -> None:
    put(place, "a", "a", 100)
    put(place, "b", "b", 300)
    broken = place.write(default_sessions_dir(place.environment) / "c.jsonl", "junk")
    os.utime(broken, (200, 200))
    place.write(default_sessions_dir(place.environment) / "notes.txt", "no session")
    assert ids(place) == ["b", "c.jsonl", "a"]
    assert [bool(row.problem) for row in project_sessions(place.environment)] == [False, True, False]


def test_files_are_opened_one_by_one(place: Place) -> None:
    put(place, "a", "a", 100)
    gone = put(place, "b", "b", 50)
    rows = project_sessions(place.environment)
    assert next(rows).id == "a"
    gone.unlink()
    assert (next(rows).problem or "").startswith("cannot be read")


def test_a_linked_session_is_listed_once_under_its_own_path(place: Place, tmp_path: Path) -> None:
    real = put(place, "a", "a", 100)
    folder = real.parent
    (folder / "0-link.jsonl").symlink_to(real)
    (folder / "dangling.jsonl").symlink_to(tmp_path / "none")
    (folder.parent / "--linked--").symlink_to(folder)
    assert [row.path for row in all_sessions(place.environment)] == [real, folder / "dangling.jsonl"]
    assert [row.path for row in project_sessions(place.environment)] == [real, folder / "dangling.jsonl"]


def test_all_sessions_are_those_of_all_projects(place: Place) -> None:
    put(place, "a", "a", 100)
    put(place, "b", "b", 200, project=Path("/other"))
    put(place, "c", "c", 300, project=Path("/third"))
    place.write(place.agent / "sessions/stray.jsonl", header("stray"))
    assert [row.id for row in all_sessions(place.environment)] == ["c", "b", "a"]
    assert ids(place) == ["a"]
    assert ids(place, cwd=Path("/other")) == ["b"]


def test_in_a_shared_folder_the_header_says_whose_session_it_is(place: Place) -> None:
    shared = place.home / "shared"
    put(place, "a", "a", 100, folder=shared)
    put(place, "b", "b", 300, project=Path("/other"), folder=shared)
    place.write(shared / "c.jsonl", header("c", cwd=""))
    place.write(shared / "d.jsonl", header("d", cwd=f"{place.project}/x/.."))
    os.utime(shared / "d.jsonl", (50, 50))
    assert ids(place, session_dir=shared) == ["a", "d"]
    assert {row.id for row in all_sessions(place.environment, session_dir=shared)} == {"a", "b", "c", "d"}
    assert latest(place.environment, session_dir=shared) == shared / "a.jsonl"
    variable = Environment({"PI_CODING_AGENT_SESSION_DIR": str(shared)}, place.home, place.project)
    assert latest(variable) == shared / "a.jsonl"
    assert latest(variable, Path("/other")) == shared / "b.jsonl"


def test_in_pis_own_folder_the_header_is_not_asked(place: Place) -> None:
    put(place, "a", "a", 100, project=Path("/moved"), folder=default_sessions_dir(place.environment))
    assert ids(place) == ["a"]
    assert latest(place.environment).name == "a.jsonl"


def test_of_files_of_the_same_time_the_first_by_name_is_the_latest(place: Place) -> None:
    put(place, "b", "b", 100)
    put(place, "a", "a", 100)
    put(place, "B", "B", 100)
    assert latest(place.environment).name == "B.jsonl"


def test_the_latest_passes_over_what_is_no_session(place: Place) -> None:
    good = put(place, "a", "a", 100)
    place.write(good.parent / "later.jsonl", "{}\n")
    (good.parent / "folder.jsonl").mkdir()
    (good.parent / "dangling.jsonl").symlink_to("/nonexistent")
    assert latest(place.environment) == good


def test_a_session_is_found_by_id_and_by_the_start_of_it(place: Place) -> None:
    one = put(place, "1", "0193aa", 100)
    two = put(place, "2", "0193ab", 200)
    other = put(place, "3", "0777", 300, project=Path("/other"))
    assert find_session(place.environment, "0193aa") == one
    assert find_session(place.environment, "0193ab") == two
    assert find_session(place.environment, "07") == other
    with pytest.raises(SessionNotFoundError, match='starts with "zz"'):
        find_session(place.environment, "zz")
    with pytest.raises(SessionNotFoundError):
        find_session(place.environment, "")


def test_a_start_that_fits_several_names_them_newest_first(place: Place) -> None:
    one = put(place, "1", "0193aa", 100)
    two = put(place, "2", "0193ab", 200)
    with pytest.raises(AmbiguousSessionError) as caught:
        find_session(place.environment, "0193")
    assert caught.value.candidates == (str(two), str(one))
    folder = project_folder_name(place.project)
    assert str(caught.value).startswith(f'"0193" fits 2 sessions: 0193ab in {folder}; 0193aa in {folder}. Give more')


def test_only_a_few_of_many_are_named(place: Place) -> None:
    for number in range(8):
        put(place, str(number), f"a{number}", number)
    with pytest.raises(AmbiguousSessionError, match=r"fits 8 sessions: a7 .* a3 .*; and 3 more"):
        find_session(place.environment, "a")


def test_the_full_id_goes_before_a_start_and_the_project_before_all(place: Place) -> None:
    short = put(place, "1", "ab", 100)
    put(place, "2", "abc", 200)
    put(place, "3", "ab", 300, project=Path("/other"))
    assert find_session(place.environment, "ab") == short


def test_one_id_twice_is_told_with_the_paths(place: Place) -> None:
    one = put(place, "1", "ab", 100)
    two = put(place, "2", "ab", 200)
    with pytest.raises(AmbiguousSessionError, match="Give the path") as caught:
        find_session(place.environment, "ab")
    assert caught.value.candidates == (str(two), str(one))


def test_paths_and_files_of_the_project_go_before_ids(place: Place) -> None:
    put(place, "1", "ab", 100)
    assert find_session(place.environment, "ab").name == "1.jsonl"
    here = place.write(place.project / "ab", header("x"))
    assert find_session(place.environment, "ab") == here
    assert find_session(place.environment, "./ab") == here
    for text in ("none.jsonl", "./none", "a\\b"):
        with pytest.raises(SessionNotFoundError, match="There is no file"):
            find_session(place.environment, text)
    with pytest.raises(SessionNotFoundError, match="is a folder"):
        find_session(place.environment, "./")
    with pytest.raises(SessionNotFoundError):
        find_session(place.environment, "a\0b")


def test_a_shared_folder_is_searched_for_the_project_first(place: Place) -> None:
    shared = place.home / "shared"
    put(place, "1", "ab1", 100, folder=shared)
    put(place, "2", "ab2", 200, project=Path("/other"), folder=shared)
    assert find_session(place.environment, "ab", session_dir=shared).name == "1.jsonl"
    assert find_session(place.environment, "ab", Path("/other"), session_dir=shared).name == "2.jsonl"
    with pytest.raises(AmbiguousSessionError):
        find_session(place.environment, "ab", Path("/third"), session_dir=shared)


def test_a_sessions_folder_that_is_no_folder_is_an_error(place: Place) -> None:
    file = place.write(place.home / "file", "")
    for ask in (project_sessions, all_sessions, latest):
        with pytest.raises(StoreError, match="cannot be listed"):
            ask(place.environment, session_dir=file)


@given(st.lists(st.text("ab", min_size=1, max_size=3), unique=True, min_size=1, max_size=6), st.text("ab", max_size=3))
def test_a_session_is_found_exactly_when_one_fits(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], text: str
) -> None:
    home = tmp_path_factory.mktemp("home")
    place = Place(home, home / "project")
    for name in names:
        put(place, name, name, 1)
    fitting = [text] if text in names else [name for name in names if text and name.startswith(text)]
    if len(fitting) == 1:
        assert find_session(place.environment, text).stem == fitting[0]
    elif not fitting:
        with pytest.raises(SessionNotFoundError):
            find_session(place.environment, text)
    else:
        with pytest.raises(AmbiguousSessionError) as caught:
            find_session(place.environment, text)
        assert sorted(Path(path).stem for path in caught.value.candidates) == sorted(fitting)
