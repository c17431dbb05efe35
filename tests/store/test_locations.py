"""Expected values are pi 1.6.0's own answers (`normalizePath`, `resolvePath`, `getDefaultSessionDir`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.store import locations
from pitree.store.locations import Environment, SessionsFolder

HOME = Path("/home/u")
CWD = Path("/w/d")


def environment(**variables: str) -> Environment:
    return Environment(variables, HOME, CWD)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("~", "/home/u"),
        ("~/a/../b", "/home/u/b"),
        ("~//x", "/home/u/x"),
        ("~user/x", "/w/d/~user/x"),
        ("file:///tmp/a%20b", "/tmp/a b"),
        ("file://localhost/x", "/x"),
        ("//x//y", "/x/y"),
        ("a//b/", "/w/d/a/b"),
        ("/", "/"),
        ("", "/w/d"),
        ("~/", "/home/u"),
        (" ~/x", "/w/d/ ~/x"),
        ("/a/./b/../c", "/a/c"),
    ],
)
def test_resolve_is_pis(text: str, resolved: str) -> None:
    assert str(locations.resolve(text, environment())) == resolved


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/", "----"),
        ("/a/b", "--a-b--"),
        ("/a:b\\c/d", "--a-b-c-d--"),
        ("/ä b/.c", "--ä b-.c--"),
    ],
)
def test_project_folder_name_is_pis(cwd: str, name: str) -> None:
    assert locations.project_folder_name(Path(cwd)) == name


@given(st.text(alphabet="ab/\\:-. ", max_size=20))
def test_project_folder_name_is_one_path_component(text: str) -> None:
    name = locations.project_folder_name(Path("/" + text))
    assert name.startswith("--")
    assert name.endswith("--")
    assert not set(name) & set("/\\:")


@given(st.text(alphabet="~/.a %", max_size=12))
def test_resolve_gives_an_absolute_path_that_resolves_to_itself(text: str) -> None:
    once = locations.resolve(text, environment())
    assert once.is_absolute()
    assert locations.resolve(str(once), environment()) == once


def test_the_agent_folder_follows_the_variable() -> None:
    assert locations.agent_dir(environment()) == HOME / ".pi/agent"
    assert locations.agent_dir(environment(PI_CODING_AGENT_DIR="")) == HOME / ".pi/agent"
    assert locations.agent_dir(environment(PI_CODING_AGENT_DIR="~/x")) == HOME / "x"
    assert locations.agent_dir(environment(PI_CODING_AGENT_DIR="rel")) == CWD / "rel"


def test_the_default_sessions_folder_belongs_to_one_project() -> None:
    assert locations.sessions_folder(environment()) == SessionsFolder(HOME / ".pi/agent/sessions/--w-d--", False)
    other = locations.sessions_folder(environment(PI_CODING_AGENT_DIR="/agent"), Path("/p"))
    assert other == SessionsFolder(Path("/agent/sessions/--p--"), False)


def test_the_variable_goes_before_the_setting() -> None:
    setting = Path("/from/settings")
    assert locations.sessions_folder(environment(), session_dir=setting) == SessionsFolder(setting, True)
    given_both = environment(PI_CODING_AGENT_SESSION_DIR="~/s")
    assert locations.sessions_folder(given_both, session_dir=setting) == SessionsFolder(HOME / "s", True)
    empty = environment(PI_CODING_AGENT_SESSION_DIR="")
    assert locations.sessions_folder(empty, session_dir=setting) == SessionsFolder(setting, True)


def test_a_custom_folder_that_is_the_default_one_is_not_shared() -> None:
    default = HOME / ".pi/agent/sessions/--w-d--"
    assert locations.sessions_folder(environment(), session_dir=default) == SessionsFolder(default, False)


def test_pitrees_own_folders_follow_xdg() -> None:
    assert locations.config_dir(environment()) == HOME / ".config/pitree"
    assert locations.state_dir(environment()) == HOME / ".local/state/pitree"
    assert locations.cache_dir(environment()) == HOME / ".cache/pitree"
    assert locations.config_dir(environment(XDG_CONFIG_HOME="/c")) == Path("/c/pitree")
    assert locations.state_dir(environment(XDG_STATE_HOME="rel")) == HOME / ".local/state/pitree"
    assert locations.cache_dir(environment(XDG_CACHE_HOME="")) == HOME / ".cache/pitree"


def test_canonical_follows_links_and_leaves_missing_paths_alone(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert locations.canonical(tmp_path / "link") == (tmp_path / "real").resolve()
    assert locations.canonical(tmp_path / "link/missing") == tmp_path / "link/missing"


def test_current_reads_the_real_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "/agent")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    current = Environment.current()
    assert locations.agent_dir(current) == Path("/agent")
    assert current.home == tmp_path
    assert current.cwd == tmp_path.resolve()
