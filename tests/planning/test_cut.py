"""Where a compaction cuts. The diagrams are those of the seeds, the walks counted by hand; pi 0.84.1 and 1.6.0 answered
the same cuts. A cell is 100 tokens, so that the walk can be followed with a finger.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.context.projection import Projected, project
from pitree.planning.cut import CutNotPossible, Landing, cut_by_hand, find_cut, is_cut_point, starts_turn
from pitree.planning.rules import RULES, Rules
from tests.context.asking import NEW, OLD, both, edit
from tests.planning.drawing import LABEL, cells, omission, planned, sure
from tests.session.build import Value, chain, message, said, session_of


def project_line(values: list[Value], rules: Rules) -> Sequence[Projected]:
    session = session_of(chain(values))
    return project(session, session.path(session.last), rules).items


def items(letters: str, rules: Rules) -> Sequence[Projected]:
    return project_line(cells(letters), rules)


@both
def test_the_plain_cut_of_the_seeds(rules: Rules) -> None:
    # hdr usr ass tool usr ass tool tool ass tool: kept from entry 4 when 600 tokens are to be kept.
    plan = sure(planned(cells("uatuattat"), 600, rules))
    assert plan.first_kept_id == "e4"
    assert not plan.is_split_turn
    assert plan.cut.landing is Landing.AT_OR_AFTER
    assert [(step.at, step.tokens, step.total) for step in plan.cut.steps] == [
        (8, 100, 100),
        (7, 100, 200),
        (6, 100, 300),
        (5, 100, 400),
        (4, 100, 500),
        (3, 100, 600),
    ]
    assert (plan.cut.reached, plan.cut.cut_point, plan.cut.slid_over) == (3, 3, 0)


@both
def test_pi_cuts_where_the_budget_is_reached_and_not_at_the_turn(rules: Rules) -> None:
    plan = sure(planned(cells("uatuattat"), 500, rules))
    assert plan.first_kept_id == "e5"
    assert plan.is_split_turn
    assert plan.turn_start == 3
    assert (plan.cut.reached, plan.cut.steps[-1].total) == (4, 500)


@both
def test_the_split_turn_of_the_seeds(rules: Rules) -> None:
    # hdr usr ass tool ass tool tool ass tool: one turn; kept 7-8, the prefix is 1-6, nothing before it.
    plan = sure(planned(cells("uatattat"), 200, rules))
    assert plan.first_kept_id == "e7"
    assert plan.turn_start == 0
    assert plan.summarized == ()
    assert [message.entry for message in plan.prefix] == [0, 1, 2, 3, 4, 5]
    assert [(step.at, step.total) for step in plan.cut.steps] == [(7, 100), (6, 200)]


@both
def test_a_tool_result_that_reaches_the_budget_sends_the_cut_forward(rules: Rules) -> None:
    plan = sure(planned(cells("uatuattat"), 300, rules))
    assert (plan.cut.reached, plan.cut.cut_point) == (6, 7)
    assert plan.first_kept_id == "e8"


def test_with_no_cut_point_after_it_the_rules_differ() -> None:
    # The last four cells are tool results: 300 tokens are reached among them.
    old = find_cut(items("uuatttt", OLD), 0, 300, OLD)
    assert (old.landing, old.at, old.turn_start, old.reached) == (Landing.FIRST, 0, None, 4)
    new = find_cut(items("uuatttt", NEW), 0, 300, NEW)
    assert (new.landing, new.at, new.turn_start, new.reached) == (Landing.LAST, 2, 1, 4)
    assert planned(cells("uauatttt"), 300, OLD) is None
    plan = sure(planned(cells("uauatttt"), 300, NEW))
    assert (plan.first_kept_id, plan.turn_start) == ("e4", 2)


@both
def test_a_budget_that_is_never_reached(rules: Rules) -> None:
    cut = find_cut(items("uatu", rules), 0, 5000, rules)
    assert (cut.landing, cut.at, cut.reached, len(cut.steps)) == (Landing.NOT_REACHED, 0, None, 4)
    assert planned(cells("uatu"), 5000, rules) is None


@both
def test_without_a_cut_point_there_is_only_the_boundary(rules: Rules) -> None:
    cut = find_cut(items("ttt", rules), 1, 100, rules)
    assert (cut.landing, cut.at, cut.steps, cut.turn_start) == (Landing.NO_CUT_POINT, 1, (), None)
    assert planned(cells("ttt"), 100, rules) is None


@both
@pytest.mark.parametrize("labels", [1, 2])
def test_a_label_before_a_user_message_makes_a_split_turn(labels: int, rules: Rules) -> None:
    # The cut point is the user message; it slides back over the labels, and a label starts no turn.
    plan = sure(planned([*cells("uat"), *[LABEL] * labels, *cells("ua")], 200, rules))
    assert plan.first_kept_id == "e4"
    assert plan.is_split_turn
    assert plan.turn_start == 0
    assert [message.entry for message in plan.prefix] == [0, 1, 2]
    assert plan.cut.slid_over == labels


@both
def test_the_slide_ends_at_the_boundary(rules: Rules) -> None:
    found = project_line([LABEL, LABEL, *cells("uaua")], rules)
    assert find_cut(found, 1, 5000, rules).at == 1
    assert find_cut(found, 0, 5000, rules).at == 0


def test_the_slide_ends_at_a_system_message_and_at_a_compaction() -> None:
    system = message("system", "x", timestamp=5)
    compaction = {"type": "compaction", "summary": "", "firstKeptEntryId": "e1"}
    for stop in (system, compaction):
        found = project_line([*cells("ua"), stop, LABEL, *cells("ua")], NEW)
        at = next(n for n, item in enumerate(found) if item.entry.id == "e5")
        assert found[find_cut(found, 0, 200, NEW).at].entry.id == "e4"
        assert found[at - 1].entry.id == "e4"


@both
def test_entries_of_no_tokens_are_passed(rules: Rules) -> None:
    plan = sure(planned([*cells("ua"), said("assistant", 0), *cells("ua")], 200, rules))
    assert plan.first_kept_id == "e4"
    assert [step.at for step in plan.cut.steps] == [4, 3]


@both
@pytest.mark.parametrize(
    ("keep", "first_kept", "start"), [(200, "e7", None), (300, "e6", 4), (400, "e5", None), (500, "e4", 2)]
)
def test_what_starts_a_turn(keep: int, first_kept: str, start: int | None, rules: Rules) -> None:
    values = [
        *cells("ua"),
        message("bashExecution", command="x" * 200, output="x" * 200),
        *cells("a"),
        {"type": "custom_message", "content": "x" * 400},
        *cells("a"),
        {"type": "branch_summary", "summary": "x" * 400, "fromId": "e1"},
        *cells("a"),
    ]
    plan = sure(planned(values, keep, rules))
    assert (plan.first_kept_id, plan.turn_start) == (first_kept, start)


@both
@pytest.mark.parametrize(
    ("value", "cut_point", "turn"),
    [
        (said("user", 1), True, True),
        (said("assistant", 1), True, False),
        (said("toolResult", 1), False, False),
        (message("bashExecution", command="ls", output=""), True, True),
        (message("custom", "x"), True, True),
        (message("system", "x"), False, False),
        (message("future", "x"), False, False),
        ({"type": "custom_message", "content": "x"}, True, True),
        ({"type": "branch_summary", "summary": "x"}, True, True),
        ({"type": "branch_summary", "summary": ""}, False, False),
        ({"type": "compaction", "summary": "x"}, False, False),
        ({"type": "custom"}, False, False),
        (LABEL, False, False),
    ],
)
def test_where_a_cut_may_fall(value: Value, cut_point: bool, turn: bool, rules: Rules) -> None:
    (item,) = project_line([value], rules)
    assert (is_cut_point(item), starts_turn(item)) == (cut_point, turn)


def test_an_omitted_attempt_is_passed_over_under_the_newer_rules() -> None:
    old = sure(planned([*cells("uaua"), omission("e4")], 50, OLD))
    assert (old.first_kept_id, old.cut.passed_omissions) == ("e4", False)
    new = sure(planned([*cells("uaua"), omission("e4")], 50, NEW))
    assert (new.first_kept_id, new.turn_start, new.cut.passed_omissions) == ("e4", 2, True)
    assert [message.entry for message in new.summarized] == [0, 1]
    assert [message.entry for message in new.prefix] == [2]


def test_a_whole_attempt_with_its_results_is_passed_over() -> None:
    values = [*cells("uauat"), omission("e4"), omission("e5"), {"type": "custom"}]
    assert planned(values, 50, OLD) is None
    assert sure(planned(values, 50, NEW)).first_kept_id == "e4"


@pytest.mark.parametrize(
    "values",
    [
        [*cells("uaua"), omission("e4"), edit("e1", "x" * 400)],
        [*cells("uau"), {"type": "custom"}],
        [*cells("uau"), omission("e1")],
    ],
)
def test_input_that_was_not_tried_is_not_passed_over(values: list[Value]) -> None:
    plan = sure(planned(values, 50, NEW))
    assert not plan.cut.passed_omissions
    assert plan.first_kept_id == "e3"


@both
def test_a_cut_by_hand_slides_and_splits_as_pis_own(rules: Rules) -> None:
    found = project_line([*cells("uat"), LABEL, *cells("uat")], rules)
    for keep in (200, 300):
        own = find_cut(found, 0, keep, rules)
        chosen = cut_by_hand(found, 0, own.cut_point)
        assert (chosen.at, chosen.turn_start, chosen.cut_point) == (own.at, own.turn_start, own.cut_point)
        assert (chosen.landing, chosen.steps) == (Landing.CHOSEN, ())
        assert own.landing.by_pi
        assert not chosen.landing.by_pi


@both
def test_where_no_cut_can_be_made_by_hand(rules: Rules) -> None:
    found = project_line([*cells("uat"), LABEL, *cells("uat")], rules)
    for boundary, entry in ((0, 2), (0, 3), (0, 99), (4, 0)):
        with pytest.raises(CutNotPossible):
            cut_by_hand(found, boundary, entry)


@given(st.text("uat", min_size=1, max_size=15), st.integers(0, 20), st.sampled_from(sorted(RULES)))
def test_the_cut_is_what_the_rules_say_in_words(letters: str, hundreds: int, name: str) -> None:
    rules, keep = RULES[name], 100 * hundreds
    cut = find_cut(items(letters, rules), 0, keep, rules)
    points = [at for at, letter in enumerate(letters) if letter in "ua"]
    if not points:
        assert cut.at == 0
        return
    reached = max(0, len(letters) - max(1, hundreds)) if max(1, hundreds) <= len(letters) else None
    later = [at for at in points if reached is not None and at >= reached]
    last_resort = points[-1] if rules.last_cut_point and reached is not None else points[0]
    assert cut.reached == reached
    assert cut.at == (later[0] if later else last_resort)
    starts = [at for at in range(cut.at) if letters[at] == "u"]
    assert cut.turn_start == (None if letters[cut.at] == "u" or not starts else starts[-1])
