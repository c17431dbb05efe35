"""Expected answers are those of pi 1.6.0's `ProjectTrustStore.get`."""

from __future__ import annotations

import pytest

from pitree.store.trust import project_trust

from .conftest import Place


@pytest.mark.parametrize(
    ("decisions", "trusted"),
    [
        ({"/p": True}, True),
        ({"/p": True, "/p/q": False}, False),
        ({"/p": True, "/p/q": None}, True),
        ({"/p/q/r/": True}, True),
        ({"/p/x/../q": True}, True),
        ({"/": False}, False),
        ({"/p/q/r": False, "/p/q/r/": True}, False),
        ({"/p/q/r/": True, "/p/q/r": False}, True),
    ],
)
def test_the_nearest_decision_counts(place: Place, decisions: dict[str, bool | None], trusted: bool) -> None:
    project = place.project / "p/q/r"
    project.mkdir(parents=True)
    place.trust({str(place.project) + key: value for key, value in decisions.items()})
    assert project_trust(place.environment, project, "always" if not trusted else "never").trusted is trusted


def test_a_link_is_followed_for_the_project_but_not_for_the_keys(place: Place) -> None:
    real = place.project / "real"
    real.mkdir()
    link = place.project / "link"
    link.symlink_to(real)
    place.trust({str(link): True})
    assert not project_trust(place.environment, link).trusted
    place.trust({str(real): True})
    assert project_trust(place.environment, link).trusted


def test_a_relative_key_counts_from_the_working_folder_and_a_tilde_is_a_name(place: Place) -> None:
    (place.project / "sub").mkdir()
    place.trust({"sub": True, "~": True})
    assert project_trust(place.environment, place.project / "sub").trusted
    assert not project_trust(place.environment, place.home).trusted


def test_a_project_that_is_gone_is_still_found(place: Place) -> None:
    place.trust({str(place.project / "gone"): True})
    assert project_trust(place.environment, place.project / "gone/deeper").trusted


@pytest.mark.parametrize(
    ("default", "trusted"), [("always", True), ("never", False), ("ask", False), (None, False), (["always"], False)]
)
def test_without_a_decision_the_default_counts(place: Place, default: object, trusted: bool) -> None:
    assert project_trust(place.environment, place.project, default).trusted is trusted


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', "null", "{", '{"/": "yes"}'])
def test_a_broken_store_trusts_nothing_and_says_so(place: Place, content: str) -> None:
    path = place.trust(content)
    trust = project_trust(place.environment, place.project, "always")
    assert not trust.trusted
    assert str(path) in trust.reason


def test_a_byte_order_mark_does_no_harm(place: Place) -> None:
    place.trust(b"\xef\xbb\xbf{}")
    assert project_trust(place.environment, place.project, "always").trusted
