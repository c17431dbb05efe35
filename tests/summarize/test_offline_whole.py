"""Extracts as wholes: copied and not invented, the same every time, bounded, in slices, and sane on real sessions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.lessons.demos import DEMOS
from pitree.planning.branch import NavigationPlan
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.session.javascript import stringify
from pitree.session.load import session_from_bytes
from pitree.summarize.offline import MOST, Extract, Plan, extract, extract_slices, extracted_rows
from pitree.summarize.protocol import Finish, Finished, TextDelta
from pitree.summarize.requests import compaction_requests
from tests.context.asking import both
from tests.session.build import Value, message
from tests.summarize.plans import FOLDER, assistant, demo_move, demo_plan, history, ran, user

CASES = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "cases"
REAL = sorted(CASES.glob("real-*.jsonl")) + sorted(CASES.glob("pi-native-*.jsonl"))
HEADINGS_ALLOWED = 250
"""Headings and marks of lists come on top of the rows."""
_SPACE = re.compile(r"\s+")
_OURS = re.compile(
    r"^(?:- )?(?:\[[ x]\] |\d+\. |#+ .*$)?(?:Latest: |Then: |Changed: |For the time being: |Begun: |Next: )*"
    r"(?:Asked, not answered: |Edit of )?|^\(none\)$"
)
_JOINTS = re.compile(r" \(user: |\*\*: \*?|\*\*|` failed: |`: |` \(|\): | — |, | \(|[`)(]|failed: | …|…|(?<=[.!?:]) ")


def plans(rules: Rules) -> list[Plan]:
    """All plans of the demos."""
    found: list[Plan | None] = [plan for name in DEMOS for plan in (demo_plan(name, rules), demo_move(name, rules))]
    return [plan for plan in found if plan is not None]


def everything_said(plan: Plan) -> str:
    """All texts of a plan's messages, and what it carries on, with each run of white space as one blank."""
    if isinstance(plan, NavigationPlan):
        values = [plan.session.entry(index).value for index in plan.entries]
    else:
        values = [message.value for message in (*plan.summarized, *plan.prefix)]
        values.append({"previous": plan.previous_summary})
    texts = [text for value in values for text in texts_in(value)]
    return _SPACE.sub(" ", "\n".join(texts)).replace(f"{FOLDER}/", "")


def texts_in(value: object) -> list[str]:
    """Every text at any depth."""
    found, open_values = [], [value]
    while open_values:
        at = open_values.pop(0)
        if isinstance(at, str):
            found.append(at)
        elif isinstance(at, dict):
            open_values = [*at.values(), *open_values]
        elif isinstance(at, list):
            open_values = [*at, *open_values]
    return found


@both
def test_every_quote_is_a_part_of_a_message(rules: Rules) -> None:
    for plan in plans(rules):
        said = everything_said(plan)
        for rows in extracted_rows(plan).values():
            for row in rows:
                for quote in row.quotes:
                    assert _SPACE.sub(" ", quote).removesuffix(" …") in said


@both
def test_every_line_is_made_of_parts_of_messages(rules: Rules) -> None:
    for plan in plans(rules):
        said = everything_said(plan)
        for text in extract(plan).values():
            for line in text.splitlines():
                pieces = _JOINTS.split(_OURS.sub("", line, count=1))
                assert all(piece.strip() in said for piece in pieces), line


@both
def test_the_same_plan_gives_the_same_text(rules: Rules) -> None:
    for name in DEMOS:
        first, again = demo_plan(name, rules), demo_plan(name, rules)
        if first is not None and again is not None:
            assert extract(first) == extract(again)


@both
@pytest.mark.parametrize("name", DEMOS)
def test_parts_are_those_that_a_model_is_asked_for(name: str, rules: Rules) -> None:
    plan = demo_plan(name, rules)
    if plan is not None:
        assert list(extract(plan)) == [request.part for request in compaction_requests(plan)]


async def test_as_a_summarizer_it_gives_all_at_once() -> None:
    plan = demo_plan("rich")
    assert plan is not None
    events = [event async for event in Extract(plan).run(compaction_requests(plan))]
    assert events == [*(TextDelta(part, text) for part, text in extract(plan).items()), Finished(Finish.DONE)]
    assert Extract(plan).name == "extract"


def test_nothing_said_is_said() -> None:
    assert extract(history(message("user", [{"type": "image", "data": "", "mimeType": "image/png"}]))) == {
        "history": "## Goal\n(none)"
    }


@given(st.lists(st.tuples(st.sampled_from("uar"), st.text(max_size=300)), min_size=1, max_size=12))
def test_any_texts_give_a_text_no_longer_than_they_are(said: list[tuple[str, str]]) -> None:
    values: list[Value] = []
    for who, text in said:
        values += {"u": [user(text)], "a": [assistant(text)], "r": ran("bash", text, command=text or "x")}[who]
    text = extract(history(*values))["history"]
    size = sum(len(text) for _, text in said) * 2
    assert text.startswith("## ")
    assert len(text) <= max(size, HEADINGS_ALLOWED)


def talk(turns: int) -> CompactionPlan:
    """A plan of so many turns of four messages, no two alike."""
    values: list[Value] = []
    for turn in range(turns):
        values.append(user(f"Write part {turn} of the importer, it must not take more than {turn} ms for each row."))
        values += ran("edit", "Successfully replaced", about=f"Part {turn} goes into p{turn}.py.", path=f"p{turn}.py")
        values.append(assistant(f"Part {turn} is written because row {turn} needs it; `p{turn}.py` takes {turn} ms."))
    return history(*values)


def test_the_longest_extract_is_bounded_and_keeps_first_and_latest() -> None:
    text = extract(talk(1500))["history"]
    assert MOST // 2 < len(text) < MOST + HEADINGS_ALLOWED
    assert "Write part 0 of the importer" in text
    assert "Latest: Write part 1499 of the importer" in text


def test_work_comes_in_slices_and_grows_with_the_messages() -> None:
    """A plan of 2,000 messages took 0.12 s of processor time, its longest slice 5 ms (Python 3.11, a shared server)."""
    few, more, many = (len(list(extract_slices(talk(turns)))) for turns in (200, 400, 800))
    assert more - few > 3
    assert 1.5 < (many - more) / (more - few) < 2.5


def test_slices_end_with_the_result() -> None:
    *pauses, result = extract_slices(talk(200))
    assert set(pauses) == {None}
    assert result == extract(talk(200))


def test_a_huge_result_is_looked_at_in_part() -> None:
    huge = ran("bash", "x" * 5_000_000 + "\n4 passed in 1.00s", command="pytest -q")
    assert "4 passed in 1.00s" in extract(history(user("Run all of the tests again."), *huge))["history"]


@pytest.mark.skipif(not REAL, reason="real sessions are not part of the repository")
@pytest.mark.parametrize("keep", [3_000, 20_000])
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_sessions(path: Path, keep: int) -> None:
    session = session_from_bytes(path.read_bytes())
    for rules in RULES.values():
        plan = plan_compaction(session, session.leaf_id, rules, Settings(keep_recent_tokens=keep))
        if plan is None:
            continue
        said = everything_said(plan) + stringify(plan.session.header)
        folder = str((plan.session.header or {}).get("cwd"))
        for part, text in extract(plan).items():
            assert len(text) < MOST + HEADINGS_ALLOWED
            assert text.startswith("## ")
            if part == "history" and len(said) > 100_000:
                assert len(text) > 600 * 4
        quotes = [quote for rows in extracted_rows(plan).values() for row in rows for quote in row.quotes]
        whole = said.replace(f"{folder}/", "")
        assert all((short := _SPACE.sub(" ", quote).removesuffix(" …")) in said or short in whole for quote in quotes)
