"""Expected values are answers of pi 1.6.0's `SettingsManager`; where it throws, pi's defaults and a finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.store.pi_settings import PiSettings, read_settings, release
from pitree.store.settings_layers import Origin, merge

from .conftest import Place

MODEL = ("p", "m")


def read(place: Place) -> PiSettings:
    return read_settings(place.environment, place.project, model=MODEL)


def values(settings: PiSettings) -> tuple[bool, int, int, int]:
    return (
        settings.enabled,
        settings.reserve_tokens,
        settings.keep_recent_tokens,
        settings.branch_reserve_tokens,
    )


def test_without_files_all_is_default(place: Place) -> None:
    settings = read(place)
    assert values(settings) == (True, 16384, 20000, 16384)
    assert settings.session_dir is None
    assert settings.last_changelog_version is None
    assert settings.rules == "1.6"
    assert settings.findings == ()
    assert set(settings.origin.values()) == {Origin.DEFAULT}
    assert set(settings.origin) == set(PiSettings.__dataclass_fields__) - {"origin", "findings"}


@pytest.mark.parametrize(
    ("content", "expected", "named"),
    [
        ("", (True, 16384, 20000, 16384), []),
        ("\ufeff", (True, 16384, 20000, 16384), ["is not JSON"]),
        ('\ufeff{"compaction":{"reserveTokens":1}}', (True, 1, 20000, 16384), []),
        ("// c\n{}", (True, 16384, 20000, 16384), ["is not JSON"]),
        ('{"compaction":{"reserveTokens":1},}', (True, 16384, 20000, 16384), ["is not JSON"]),
        ("[1]", (True, 16384, 20000, 16384), ["[1]"]),
        ("null", (True, 16384, 20000, 16384), ["null"]),
        ("5", (True, 16384, 20000, 16384), ["5"]),
        ('{"compaction":{"reserveTokens":16384.0,"keepRecentTokens":2e4}}', (True, 16384, 20000, 16384), []),
        ('{"compaction":{"reserveTokens":-0}}', (True, 0, 20000, 16384), []),
        ('{"compaction":{"reserveTokens":null}}', (True, 16384, 20000, 16384), ["reserveTokens is null"]),
        ('{"compaction":{"reserveTokens":true}}', (True, 16384, 20000, 16384), ["reserveTokens is true"]),
        ('{"compaction":{"keepRecentTokens":"5"}}', (True, 16384, 20000, 16384), ['keepRecentTokens is "5"']),
        ('{"compaction":{"reserveTokens":1.5}}', (True, 16384, 20000, 16384), ["reserveTokens is 1.5"]),
        ('{"compaction":{"reserveTokens":-1}}', (True, 16384, 20000, 16384), ["reserveTokens is -1"]),
        ('{"compaction":{"reserveTokens":1e400}}', (True, 16384, 20000, 16384), ["reserveTokens is"]),
        ('{"compaction":{"reserveTokens":9007199254740991}}', (True, 2**53 - 1, 20000, 16384), []),
        ('{"compaction":{"reserveTokens":9007199254740992}}', (True, 16384, 20000, 16384), ["reserveTokens is"]),
        ('{"compaction":5}', (True, 16384, 20000, 16384), ["compaction is 5"]),
        ('{"compaction":null}', (True, 16384, 20000, 16384), []),
        ('{"compaction":[1]}', (True, 16384, 20000, 16384), ["compaction is [1]"]),
        ('{"compaction":{"enabled":false}}', (False, 16384, 20000, 16384), []),
        ('{"compaction":{"enabled":"no"}}', (True, 16384, 20000, 16384), ['enabled is "no"', "as on"]),
        ('{"compaction":{"enabled":0}}', (False, 16384, 20000, 16384), ["enabled is 0", "as off"]),
        ('{"compaction":{"enabled":""}}', (False, 16384, 20000, 16384), ['enabled is ""']),
        ('{"compaction":{"enabled":[]}}', (True, 16384, 20000, 16384), ["enabled is []"]),
        ('{"compaction":{"enabled":null}}', (True, 16384, 20000, 16384), []),
        ('{"compaction":{"modelOverrides":{"p/m":null}}}', (True, 16384, 20000, 16384), ['["p/m"] is null']),
        ('{"compaction":{"modelOverrides":{"p/m":[]}}}', (True, 16384, 20000, 16384), ['["p/m"] is []']),
        (
            '{"compaction":{"keepRecentTokens":7,"modelOverrides":{"p/m":{"keepRecentTokens":-1}}}}',
            (True, 16384, 7, 16384),
            ['["p/m"].keepRecentTokens is -1', "Using 7"],
        ),
        ('{"compaction":{"modelOverrides":5}}', (True, 16384, 20000, 16384), []),
        ('{"branchSummary":{"reserveTokens":99}}', (True, 16384, 20000, 99), []),
        ('{"branchSummary":{"reserveTokens":null}}', (True, 16384, 20000, 16384), []),
        ('{"branchSummary":{"reserveTokens":-5}}', (True, 16384, 20000, -5), ["branchSummary.reserveTokens is -5"]),
        ('{"branchSummary":{"reserveTokens":9.5}}', (True, 16384, 20000, 10), []),
        ('{"branchSummary":{"reserveTokens":"x"}}', (True, 16384, 20000, 16384), ['reserveTokens is "x"']),
        ('{"branchSummary":{"reserveTokens":1' + "0" * 390 + "}}", (True, 16384, 20000, 16384), ["reserveTokens is"]),
        ('{"branchSummary":3}', (True, 16384, 20000, 16384), ["branchSummary is 3"]),
        ('{"compaction":{"reserveTokens":1},"compaction":{"keepRecentTokens":2}}', (True, 16384, 2, 16384), []),
    ],
)
def test_one_file(place: Place, content: str, expected: tuple[bool, int, int, int], named: list[str]) -> None:
    path = place.global_settings(content)
    settings = read(place)
    assert values(settings) == expected
    assert len(settings.findings) == bool(named)
    for finding in settings.findings:
        assert finding.where == str(path)
        for text in named:
            assert text in finding.text


@pytest.mark.parametrize(
    ("overall", "own", "expected"),
    [
        (
            {"compaction": {"reserveTokens": 1, "enabled": False}},
            {"compaction": {"keepRecentTokens": 2}},
            (False, 1, 2, 16384),
        ),
        ({"compaction": {"reserveTokens": 1}}, {"compaction": None}, (True, 16384, 20000, 16384)),
        ({"compaction": {"reserveTokens": 1}}, {"compaction": 7}, (True, 16384, 20000, 16384)),
        (
            {"compaction": {"reserveTokens": 1, "modelOverrides": {"p/m": {"reserveTokens": 2}}}},
            {"compaction": {"modelOverrides": {"p/m": {"keepRecentTokens": 3}}}},
            (True, 2, 3, 16384),
        ),
    ],
)
def test_a_trusted_project_is_merged_recursively(
    place: Place, overall: Any, own: Any, expected: tuple[bool, int, int, int]
) -> None:
    place.global_settings(overall)
    place.project_settings(own)
    place.trust({str(place.project): True})
    assert values(read(place)) == expected


def test_each_setting_says_where_it_came_from(place: Place) -> None:
    place.global_settings(
        {
            "compaction": {"enabled": False, "modelOverrides": {"p/m": {"keepRecentTokens": 3}}},
            "branchSummary": {"reserveTokens": 4},
            "defaultProjectTrust": "always",
            "lastChangelogVersion": "0.84.1",
        }
    )
    place.project_settings({"compaction": {"reserveTokens": 5}, "sessionDir": "~/s"})
    settings = read(place)
    assert values(settings) == (False, 5, 3, 4)
    assert settings.session_dir == place.home / "s"
    assert settings.origin == {
        "enabled": Origin.GLOBAL,
        "reserve_tokens": Origin.PROJECT,
        "keep_recent_tokens": Origin.MODEL,
        "branch_reserve_tokens": Origin.GLOBAL,
        "session_dir": Origin.PROJECT,
        "last_changelog_version": Origin.GLOBAL,
    }
    without_model = read_settings(place.environment, place.project)
    assert without_model.keep_recent_tokens == 20000
    assert without_model.origin["keep_recent_tokens"] == "default"


def test_flags_go_before_everything(place: Place) -> None:
    place.global_settings({"compaction": {"reserveTokens": 5}})
    settings = read(place).with_flags(reserve=1, keep_recent=2)
    assert values(settings) == (True, 1, 2, 1)
    assert settings.origin["reserve_tokens"] == "flag"
    assert settings.origin["branch_reserve_tokens"] == "flag"
    assert settings.origin["keep_recent_tokens"] == "flag"
    assert settings.origin["enabled"] == "default"
    assert read(place).with_flags() == read(place)


def test_a_project_that_pi_would_ask_about_is_ignored_and_said(place: Place) -> None:
    path = place.project_settings({"compaction": {"reserveTokens": 5}})
    settings = read(place)
    assert settings.reserve_tokens == 16384
    [finding] = settings.findings
    assert finding.where == str(path)
    assert "pi would ask" in finding.text
    assert "sessionDir" not in finding.text


def test_the_project_cannot_trust_itself(place: Place) -> None:
    place.project_settings({"defaultProjectTrust": "always", "compaction": {"reserveTokens": 5}})
    assert read(place).reserve_tokens == 16384


def test_pi_takes_the_session_folder_before_it_asks(place: Place) -> None:
    place.project_settings({"sessionDir": "here"})
    place.global_settings({"sessionDir": "/there", "defaultProjectTrust": "never"})
    settings = read(place)
    assert settings.session_dir == place.project / "here"
    assert settings.origin["session_dir"] == "project file"
    assert "except for sessionDir" in settings.findings[0].text


@pytest.mark.parametrize("value", ["", None])
def test_an_empty_session_folder_is_none(place: Place, value: object) -> None:
    place.global_settings({"sessionDir": value})
    settings = read(place)
    assert settings.session_dir is None
    assert settings.origin["session_dir"] == "default"
    assert settings.findings == ()


def test_a_session_folder_that_is_no_text_is_reported(place: Place) -> None:
    place.global_settings({"sessionDir": 5})
    settings = read(place)
    assert settings.session_dir is None
    assert settings.findings[0].text.startswith("sessionDir is 5.")


def test_the_project_is_the_folder_of_the_header(place: Place, tmp_path: Path) -> None:
    other = tmp_path / "other"
    place.write(other / ".pi/settings.json", {"compaction": {"reserveTokens": 8}})
    place.global_settings({"defaultProjectTrust": "always"})
    assert read_settings(place.environment, str(other)).reserve_tokens == 8
    assert read_settings(place.environment, tmp_path / "gone").reserve_tokens == 16384
    place.project_settings({"compaction": {"reserveTokens": 9}})
    assert read_settings(place.environment, "").reserve_tokens == 9
    assert read_settings(place.environment, None).reserve_tokens == 9


def test_the_agent_folder_variable_is_followed(place: Place, tmp_path: Path) -> None:
    place.write(tmp_path / "agent/settings.json", {"compaction": {"keepRecentTokens": 6}})
    environment = type(place.environment)({"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}, place.home, place.project)
    assert read_settings(environment).keep_recent_tokens == 6


def test_a_folder_in_the_place_of_a_file_is_told(place: Place) -> None:
    (place.agent / "settings.json").mkdir(parents=True)
    (place.project / ".pi/settings.json").mkdir(parents=True)
    settings = read(place)
    assert values(settings) == (True, 16384, 20000, 16384)
    assert [("folder" in finding.text) for finding in settings.findings] == [True, True, False]


def test_a_deep_file_does_no_harm(place: Place) -> None:
    deep = '{"compaction":' * 5000 + "1" + "}" * 5000
    place.global_settings(deep)
    place.project_settings(deep)
    place.trust({str(place.project): True})
    assert read(place).reserve_tokens == 16384


def test_reading_writes_nothing(place: Place) -> None:
    place.global_settings({"queueMode": "all", "retry": {"maxDelayMs": 3}})
    place.project_settings("{")
    before = {path: path.stat().st_mtime_ns for path in place.home.parent.rglob("*")}
    read(place)
    assert {path: path.stat().st_mtime_ns for path in place.home.parent.rglob("*")} == before


@pytest.mark.parametrize(
    ("version", "rules"),
    [
        ("0.84.1", "0.84"),
        ("0.9.0", "0.84"),
        ("0.85.99", "0.84"),
        ("0.86.0", "1.6"),
        ("0.100.0", "1.6"),
        ("1.6.0", "1.6"),
        ("v0.84.1", "0.84"),
        ("0.84.1-beta.1", "0.84"),
        ("latest", "1.6"),
        ("0", "1.6"),
        ("", "1.6"),
        (84, "1.6"),
    ],
)
def test_the_rules_follow_the_last_pi_that_ran(place: Place, version: object, rules: str) -> None:
    place.global_settings({"lastChangelogVersion": version})
    assert read(place).rules == rules


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1), st.integers(0, 99))
def test_a_release_is_read_as_numbers(major: int, minor: int, patch: int) -> None:
    assert release(f"{major}.{minor}.{patch}") == (major, minor)


TREES = st.recursive(
    st.none() | st.integers(0, 3) | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), TREES, max_size=3)


def plainly_merged(base: Any, over: Any) -> Any:
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return base | {key: plainly_merged(base.get(key), value) for key, value in over.items()}


@given(OBJECTS, OBJECTS)
def test_merging_is_the_recursive_definition_and_changes_neither_side(base: Any, over: Any) -> None:
    before = repr((base, over))
    assert merge(base, over) == plainly_merged(base, over)
    assert repr((base, over)) == before


@given(OBJECTS)
def test_merging_with_nothing_changes_nothing(tree: Any) -> None:
    assert merge(tree, {}) == merge({}, tree) == merge(tree, tree) == tree
