"""What leaving a leaf for another entry would carry over: literal answers of pi 0.84.1 and 1.6.0."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.planning.branch import Fate, NavigationError
from pitree.planning.effects import context_after_navigation
from pitree.planning.rules import RULES, Rules
from pitree.session.problems import PiFails
from pitree.session.session import Session
from tests.context.asking import NEW, OLD, both, compaction, edit, text, weighed
from tests.planning.drawing import cells, moved, named, names, omission
from tests.session.build import called, message, said, session_of, tree_of

SENT, DROPPED, LEFT_OUT, UNSEEN = Fate.SENT, Fate.DROPPED, Fate.LEFT_OUT, Fate.UNSEEN
U, A = ("user", 100), ("assistant", 100)


def seed() -> Session:
    """The branch diagram of the seeds: B C D and E F below A; B, D and F are assistants."""
    return named("-ABCAE", cells("uauaua"))


@both
def test_the_branch_diagram_of_the_seeds(rules: Rules) -> None:
    session = seed()
    plan = moved(session, "D", "F", rules)
    assert plan.common_ancestor == session.find("A")
    assert names(session, plan.entries) == "BCD"
    assert weighed(plan.carried.messages, rules) == [A, U, A]
    assert (plan.carried.total_tokens, plan.budget) == (300, 183_616)
    assert plan.carried.fates == (SENT, SENT, SENT)
    assert (plan.new_leaf, plan.editor_text, plan.noop) == (5, None, False)
    after = context_after_navigation(plan, "S" * 8)
    assert weighed(after, rules) == [U, U, A, ("branchSummary", 2)]
    assert after[-1].entry is None


@both
@pytest.mark.parametrize(
    ("target", "ancestor", "left", "new_leaf", "editor"),
    [
        ("E", "A", "BCD", "A", "x" * 400),
        ("B", "B", "CD", "B", None),
        ("C", "C", "D", "B", "x" * 400),
        ("A", "A", "BCD", None, "x" * 400),
        ("F", "A", "BCD", "F", None),
    ],
)
def test_targets(target: str, ancestor: str, left: str, new_leaf: str | None, editor: str | None, rules: Rules) -> None:
    session = seed()
    plan = moved(session, "D", target, rules)
    assert plan.common_ancestor == session.find(ancestor)
    assert names(session, plan.entries) == left
    assert plan.new_leaf == (None if new_leaf is None else session.find(new_leaf))
    assert plan.editor_text == editor


@both
def test_moving_to_the_leaf_or_below_it_leaves_nothing(rules: Rules) -> None:
    assert moved(seed(), "D", "D", rules).noop
    below = moved(seed(), "A", "D", rules)
    assert (below.common_ancestor, below.entries, below.noop) == (0, [], False)
    assert below.carried.messages == ()
    assert below.conversation_text() == ""
    # Without entries there is no summary.
    assert weighed(context_after_navigation(below), rules) == [U, A, U, A]


@both
def test_moving_from_before_the_first_entry(rules: Rules) -> None:
    plan = moved(seed(), None, "F", rules)
    assert (plan.old_leaf, plan.common_ancestor, plan.entries) == (None, None, [])


@both
def test_between_two_roots_there_is_no_ancestor(rules: Rules) -> None:
    session = named("-A-C", cells("uaua"))
    plan = moved(session, "D", "B", rules)
    assert plan.common_ancestor is None
    assert names(session, plan.entries) == "CD"


@both
def test_where_there_is_nowhere_to_go(rules: Rules) -> None:
    with pytest.raises(NavigationError):
        moved(seed(), "D", "zz", rules)
    session = session_of([{**said("user", 1), "id": "X", "parentId": "gone"}, *tree_of([None])])
    with pytest.raises(NavigationError):
        moved(session, "n0", "X", rules)
    with pytest.raises(PiFails):
        moved(named("-A", [said("user", 1), message("user", 5)]), "A", "B", rules)


@both
@pytest.mark.parametrize(
    ("budget", "fates", "total"),
    [
        (300, (SENT, SENT, SENT), 300),
        (299, (DROPPED, SENT, SENT), 200),
        (200, (DROPPED, SENT, SENT), 200),
        (199, (DROPPED, DROPPED, SENT), 100),
        (99, (DROPPED, DROPPED, DROPPED), 0),
        (0, (SENT, SENT, SENT), 300),
        (-100, (SENT, SENT, SENT), 300),
    ],
)
def test_the_budget_is_used_from_the_newest(budget: int, fates: tuple[Fate, ...], total: int, rules: Rules) -> None:
    carried = moved(seed(), "D", "F", rules, budget).carried
    assert (carried.fates, carried.total_tokens) == (fates, total)
    assert len(carried.messages) == fates.count(SENT)


SUMMARY = {
    "type": "branch_summary",
    "summary": "x" * 800,
    "fromId": "q",
    "details": {"readFiles": ["r"], "modifiedFiles": ["m"]},
}


@both
@pytest.mark.parametrize(("budget", "taken"), [(100, False), (111, False), (112, True), (200, True), (300, True)])
def test_a_summary_that_does_not_fit_is_taken_under_90_percent(budget: int, taken: bool, rules: Rules) -> None:
    # 100 tokens are used when the summary of 200 comes: 90 % of 111 is 99.9, of 112 it is 100.8.
    session = named("-ABCDEA", [*cells("uu"), SUMMARY, *cells("t"), {"type": "custom"}, *cells("aa")])
    carried = moved(session, "F", "G", rules, budget).carried
    assert carried.fates == (DROPPED, SENT if taken else DROPPED, LEFT_OUT, UNSEEN, SENT)
    assert carried.total_tokens == (300 if taken else 100)
    # The files of a branch summary are carried on whether it fits or not.
    assert (carried.read_files, carried.modified_files) == (["r"], ["m"])


@both
def test_a_compaction_on_the_left_branch_is_sent_without_its_files(rules: Rules) -> None:
    lost = compaction("A", details={"readFiles": ["lost"], "modifiedFiles": []})
    target = {"type": "custom_message", "content": [text("c"), text("m")], "customType": "x"}
    bodies = [said("user", 1), called("read", {"path": "f"}), lost, called("edit", {"path": "g"}), said("assistant", 1)]
    session = named("-ABCDA", [*bodies, target])
    plan = moved(session, "E", "F", rules)
    assert weighed(plan.carried.messages, rules) == [
        ("assistant", 4),
        ("compactionSummary", 2),
        ("assistant", 4),
        ("assistant", 1),
    ]
    assert (plan.carried.read_files, plan.carried.modified_files) == (["f"], ["g"])
    assert (plan.new_leaf, plan.editor_text) == (0, "cm")
    assert plan.conversation_text().startswith('[Assistant tool calls]: read(path="f")\n\n[User]: ')


def test_edits_reach_the_left_branch_under_the_newer_rules() -> None:
    bodies = [
        said("user", 1),
        said("user", 2),
        said("assistant", 3),
        omission("B"),
        edit("C", "abcd"),
        said("assistant", 1),
    ]
    session = named("-ABCDA", bodies)
    old, new = moved(session, "E", "F", OLD).carried, moved(session, "E", "F", NEW).carried
    assert weighed(old.messages, OLD) == [("user", 2), ("assistant", 3)]
    assert weighed(new.messages, NEW) == [("assistant", 1)]
    assert old.fates == (SENT, SENT, UNSEEN, UNSEEN)
    assert new.fates == (UNSEEN, SENT, UNSEEN, UNSEEN)


@both
def test_a_tool_result_is_left_out_even_where_the_budget_is_used(rules: Rules) -> None:
    session = named("-ABCA", cells("utuaa"))
    assert moved(session, "D", "E", rules, 100).carried.fates == (LEFT_OUT, DROPPED, SENT)


@both
def test_pi_fails_on_a_message_that_it_cannot_count(rules: Rules) -> None:
    plan = moved(named("-AA", [said("user", 1), message("assistant", 5), said("assistant", 1)]), "B", "C", rules)
    with pytest.raises(PiFails) as raised:
        _ = plan.carried
    assert raised.value.entry == 1


@given(
    st.lists(st.tuples(st.sampled_from("uat"), st.integers(0, 5)), min_size=1, max_size=12),
    st.integers(1, 30),
    st.sampled_from(sorted(RULES)),
)
def test_the_newest_that_fit_are_sent(branch: list[tuple[str, int]], budget: int, name: str) -> None:
    roles: dict[str, Any] = {"u": "user", "a": "assistant", "t": "toolResult"}
    values = [said("user", 1), said("assistant", 1), *(said(roles[letter], tokens) for letter, tokens in branch)]
    parents: list[int | None] = [None, 0, 0, *range(2, len(branch) + 1)]
    placed = [{**value, **_place(parents, n)} for n, value in enumerate(values)]
    session = session_of(placed)
    carried = moved(session, session.leaf_id, "n1", RULES[name], budget).carried
    spoken = [tokens for letter, tokens in branch if letter != "t"]
    sent = 0
    while sent < len(spoken) and sum(spoken[len(spoken) - sent - 1 :]) <= budget:
        sent += 1
    assert len(carried.messages) == sent
    assert carried.total_tokens == sum(spoken[len(spoken) - sent :]) <= budget
    assert len(carried.fates) == len(branch)
    assert [fate is LEFT_OUT for fate in carried.fates] == [letter == "t" for letter, _ in branch]


def _place(parents: list[int | None], number: int) -> dict[str, Any]:
    entry = tree_of(parents)[number]
    return {key: entry[key] for key in ("id", "parentId", "timestamp")}
