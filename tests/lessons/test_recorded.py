"""The recorded summaries fit the plans of their demos, and lose exactly what they say they lose."""

from __future__ import annotations

import pytest

from pitree.lessons.demos import DEMOS
from pitree.lessons.recorded import LOSSES, RECORDED, Loss
from pitree.planning.rules import RULES, Rules
from pitree.session.javascript import to_string
from pitree.summarize.requests import branch_requests, compaction_requests
from tests.context.asking import both
from tests.summarize.plans import demo_move, demo_plan

EVERY_LOSS = [(name, loss) for name, losses in LOSSES.items() for loss in losses]


@both
@pytest.mark.parametrize("name", DEMOS)
def test_every_part_that_is_asked_for_was_recorded(name: str, rules: Rules) -> None:
    plan, move = demo_plan(name, rules), demo_move(name, rules)
    asked = {request.part for request in compaction_requests(plan)} if plan else set()
    asked |= {request.part for request in branch_requests(move)} if move else set()
    assert set(RECORDED.get(name, {})) == asked


@pytest.mark.parametrize(("name", "loss"), EVERY_LOSS)
def test_what_is_lost_was_said_and_is_not_kept(name: str, loss: Loss) -> None:
    assert loss.said in said(name, loss)
    assert loss.said not in RECORDED[name][loss.part]


def said(name: str, loss: Loss) -> str:
    rules = RULES["1.6"]
    if loss.part == "branch":
        move = demo_move(name, rules)
        assert move is not None
        return move.conversation_text()
    plan = demo_plan(name, rules)
    assert plan is not None
    earlier = to_string(plan.previous_summary or "")
    return plan.prefix_text() if loss.part == "prefix" else earlier + plan.conversation_text()


def test_every_recording_loses_something() -> None:
    assert set(LOSSES) == set(RECORDED)
