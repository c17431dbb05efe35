"""pitree against pi itself on made-up sessions; without an installed pi only what needs none is tested."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.compare import differences, same
from tests.oracle.goldens import differences as recorded_differences
from tests.oracle.installation import RELEASES, MissingError, cache, find
from tests.oracle.oracle import Oracle
from tests.oracle.pitree_side import ask_pitree
from tests.oracle.sessions import session
from tests.oracle.shrink import shrink

SESSIONS = 120

HEADER = b'{"type":"session","version":3,"id":"s"}\n'
CIRCLE = HEADER + (
    b'{"type":"message","id":"a","parentId":"b","message":{"role":"user","content":"one"}}\n'
    b'{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"two"}}\n'
)


@pytest.fixture(scope="module", params=list(RELEASES))
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    try:
        installation = find(request.param)
    except MissingError as error:
        pytest.skip(str(error))
    with Oracle(installation) as running:
        yield running


@pytest.mark.parametrize("first", range(0, SESSIONS, 30))
def test_pitree_answers_as_pi_does(oracle: Oracle, tmp_path: Path, first: int) -> None:
    file = tmp_path / "session.jsonl"
    for seed in range(first, first + 30):
        case = session(seed)
        file.write_bytes(case.content)
        for run, pi in zip(case.runs, oracle.ask(file, case.runs), strict=True):
            found = differences(pi, ask_pitree(file, run, oracle.rules), oracle.rules)
            assert found == [], f"python -m tests.oracle.fuzz --rules {oracle.rules} --seed {seed} --count 1"


def test_the_oracle_leaves_the_file_as_it_is(oracle: Oracle, tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    old = b'{"type":"session","id":"s"}\n{"type":"message","message":{"role":"user","content":"hi"}}'
    file.write_bytes(old)
    (answer,) = oracle.ask(file, [{}])
    assert answer["path"] == ["00000001"]
    assert file.read_bytes() == old


def test_a_circle_of_parents_never_returns(oracle: Oracle, tmp_path: Path) -> None:
    file = tmp_path / "circle.jsonl"
    file.write_bytes(CIRCLE)
    (answer,) = oracle.ask(file, [{}])
    assert "never returns" in answer["context"]["error"]


def test_recorded_answers_are_reproduced(oracle: Oracle) -> None:
    folder = cache() / "goldens"
    if not folder.is_dir():
        pytest.skip(f"no answers are recorded in {folder}")
    assert list(recorded_differences(folder, oracle.rules, oracle)) == []


@pytest.mark.parametrize("rules", RELEASES)
def test_pitree_never_fails_on_a_made_up_session(tmp_path: Path, rules: str) -> None:
    file = tmp_path / "session.jsonl"
    for seed in range(1000, 1000 + SESSIONS):
        case = session(seed)
        file.write_bytes(case.content)
        for run in case.runs:
            answer = ask_pitree(file, run, rules)
            assert "crash" not in answer, f"seed {seed}: {answer['crash']}"


@pytest.mark.parametrize("rules", RELEASES)
def test_pitree_answers_on_a_circle_of_parents(tmp_path: Path, rules: str) -> None:
    file = tmp_path / "circle.jsonl"
    file.write_bytes(CIRCLE)
    answer = ask_pitree(file, {"target": "a"}, rules)
    assert "cycle" in {problem["kind"] for problem in answer["problems"]}


def test_a_seed_makes_one_session() -> None:
    assert session(7) == session(7)
    assert session(7).content != session(8).content


def test_true_is_not_one() -> None:
    assert same([1, {"a": None}], [1.0, {"a": None}])
    assert not same({"a": True}, {"a": 1})
    assert not same({"a": 1}, {"a": 1, "b": 1})


def test_what_fails_is_made_small() -> None:
    content = HEADER + b'{"id":"a"}\n{"id":"b","text":"a long needle here"}\n{"id":"c"}\n'

    def fails(smaller: bytes, run: dict[str, object]) -> bool:
        return b"needle" in smaller and run.get("leaf") in ("@1", "@2")

    small, run = shrink(content, {"leaf": "@2", "window": 5}, fails, 5.0)
    assert run["leaf"] in ("@1", "@2")
    assert "window" not in run
    assert len(small) < 30
    assert b"needle" in small
