"""What a compaction would do: literal answers of pi 0.84.1 and 1.6.0."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.planning.compaction import plan_compaction, why_no_plan
from pitree.planning.effects import context_after_compaction
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.planning.status import Status, compaction_statuses
from pitree.session.problems import PiFails
from tests.context.asking import NEW, OLD, both, compaction, weighed
from tests.planning.drawing import LABEL, cells, omission, planned, sure
from tests.session.build import Value, called, chain, message, said, session_of

U, A, T, S = ("user", 100), ("assistant", 100), ("toolResult", 100), ("compactionSummary", 2)


def after(values: list[Value], keep: int, rules: Rules) -> list[tuple[Any, float]]:
    return weighed(context_after_compaction(sure(planned(values, keep, rules)), "S" * 8), rules)


def statuses(values: list[Value], keep: int, rules: Rules) -> str:
    """One letter per entry: gone, summarized, prefix, kept, unseen."""
    found = compaction_statuses(sure(planned(values, keep, rules)))
    return "".join(found[index].value[0] for index in range(len(values)))


@both
def test_the_first_compaction_of_the_seeds(rules: Rules) -> None:
    values = cells("uatuattat")
    plan = sure(planned(values, 600, rules))
    assert weighed(plan.summarized, rules) == [U, A, T]
    assert plan.prefix == ()
    assert (plan.previous, plan.previous_summary, plan.boundary) == (None, None, 0)
    assert plan.size.tokens == 900
    assert [item.entry.id for item in plan.kept_items] == ["e4", "e5", "e6", "e7", "e8", "e9"]
    assert after(values, 600, rules) == [S, U, A, T, T, A, T]
    assert statuses(values, 600, rules) == "ssskkkkkk"


@both
def test_the_split_turn_of_the_seeds(rules: Rules) -> None:
    values = cells("uatattat")
    assert after(values, 200, rules) == [S, A, T]
    assert statuses(values, 200, rules) == "ppppppkk"
    assert statuses(cells("uatuatta"), 400, rules) == "ssspkkkk"


@both
def test_the_next_compaction_begins_with_what_the_last_one_kept(rules: Rules) -> None:
    values = [*cells("uatuattat"), compaction("e4"), *cells("uatua")]
    plan = sure(planned(values, 200, rules))
    assert plan.first_kept_id == "e14"
    assert weighed(plan.summarized, rules) == [U, A, T, T, A, T, U, A, T]
    assert (plan.previous, plan.previous_summary) == (9, "S" * 8)
    assert plan.size.tokens == 1102
    assert after(values, 200, rules) == [S, U, A]
    assert statuses(values, 200, rules) == "gggssssssgssskk"


@both
@pytest.mark.parametrize("kept", ["nope", None, "e10"])
def test_a_kept_entry_that_is_missing_begins_after_the_compaction(kept: Any, rules: Rules) -> None:
    values = [*cells("uatuattat"), compaction(kept), *cells("uatua")]
    plan = sure(planned(values, 200, rules))
    assert plan.first_kept_id == "e14"
    assert weighed(plan.summarized, rules) == [U, A, T]
    assert plan.size.tokens == 502
    assert statuses(values, 200, rules) == "ggggggggggssskk"


def test_a_kept_entry_after_its_compaction() -> None:
    values = [*cells("uat"), compaction("e6"), *cells("uatua")]
    assert sure(planned(values, 200, OLD)).boundary == 5
    assert weighed(sure(planned(values, 200, OLD)).summarized, OLD) == [A, T]
    new = sure(planned(values, 200, NEW))
    assert new.items[new.boundary].entry.id == "e5"
    assert weighed(new.summarized, NEW) == [U, A, T]


@both
@pytest.mark.parametrize(("keep", "first_kept", "summarized"), [(200, "e11", [A, T, A, A, T]), (500, "e7", [A, T])])
def test_a_turn_that_began_before_the_boundary_is_not_split(
    keep: int, first_kept: str, summarized: list[tuple[str, int]], rules: Rules
) -> None:
    plan = sure(planned([*cells("uatuataat"), compaction("e5"), *cells("at")], keep, rules))
    assert (plan.first_kept_id, plan.is_split_turn, plan.size.tokens) == (first_kept, False, 702)
    assert weighed(plan.summarized, rules) == summarized


@both
def test_there_is_no_plan_at_a_compaction_or_without_a_leaf(rules: Rules) -> None:
    assert planned([*cells("uaua"), compaction("e3")], 100, rules) is None
    session = session_of(chain(cells("uaua")))
    for leaf in (None, "", 0, "none"):
        assert plan_compaction(session, leaf, rules, Settings(keep_recent_tokens=100)) is None
    assert plan_compaction(session, "e1", rules, Settings(keep_recent_tokens=100)) is None
    assert planned([], 100, rules) is None


@both
def test_a_plan_is_for_the_leaf_that_is_asked_for(rules: Rules) -> None:
    session = session_of(chain(cells("uauaua")))
    plan = sure(plan_compaction(session, "e4", rules, Settings(keep_recent_tokens=200)))
    assert plan.first_kept_id == "e3"
    assert plan.path == [0, 1, 2, 3]


def test_why_there_is_no_plan() -> None:
    session = session_of(chain([*cells("uaua"), compaction("e3")]))
    reasons = {why_no_plan(session, leaf, Settings()) for leaf in (None, "e5", "e4")}
    assert len(reasons) == 3
    assert all(reason.endswith(".") for reason in reasons)


def test_system_messages_are_not_summarized_but_replayed() -> None:
    values = [
        message("system", "x" * 400, timestamp=5),
        *cells("ua"),
        message("system", "y" * 40, timestamp=6),
        *cells("ua"),
    ]
    old, new = sure(planned(values, 150, OLD)), sure(planned(values, 150, NEW))
    assert (old.first_kept_id, new.first_kept_id) == ("e5", "e5")
    assert weighed(old.summarized, OLD) == [("system", 0), U, A, ("system", 0)]
    assert weighed(new.summarized, NEW) == [U, A]
    assert (old.size.tokens, new.size.tokens) == (400, 511)
    assert after(values, 150, OLD) == [S, U, A]
    assert after(values, 150, NEW) == [("system", 111), S, U, A]
    assert statuses(values, 150, OLD) == "sssskk"
    assert statuses(values, 150, NEW) == "ussukk"


def test_what_edits_omit_is_not_seen() -> None:
    values = [*cells("uaua"), omission("e2"), LABEL, *cells("ua")]
    assert statuses(values, 200, OLD) == "ssppuukk"
    assert statuses(values, 200, NEW) == "suppuukk"
    assert weighed(sure(planned(values, 200, NEW)).summarized, NEW) == [U]


@both
def test_files_of_the_range_and_of_the_compaction_before(rules: Rules) -> None:
    details = {"readFiles": ["old", "a"], "modifiedFiles": ["m"]}
    values = [
        said("user", 1),
        called("read", {"path": "z"}),
        called("write", {"path": "a"}),
        compaction("e1", details=details),
        said("user", 1),
        called("edit", {"path": "p"}),
        said("assistant", 1),
    ]
    plan = sure(planned(values, 1, rules))
    assert plan.files == (["old", "z"], ["a", "m", "p"])
    values[3] = {**values[3], "fromHook": True}
    assert sure(planned(values, 1, rules)).files == (["z"], ["a", "p"])


@both
def test_texts_of_the_two_requests(rules: Rules) -> None:
    values = [said("user", 1, "a"), said("assistant", 1, "b"), said("user", 1, "c"), said("assistant", 1, "d")]
    plan = sure(planned(values, 1, rules))
    assert plan.conversation_text() == "[User]: aaaa\n\n[Assistant]: bbbb"
    assert plan.prefix_text() == "[User]: cccc"


@both
def test_pi_fails_on_a_message_that_it_cannot_count(rules: Rules) -> None:
    with pytest.raises(PiFails) as raised:
        planned([*cells("ua"), message("user", 5), *cells("ua")], 100, rules)
    assert raised.value.entry == 2


@both
def test_an_entry_without_an_id_cannot_be_kept_from(rules: Rules) -> None:
    values = chain(cells("uaua"))
    values[2]["id"] = 0
    values[3]["parentId"] = "e2"
    assert plan_compaction(session_of(values), "e4", rules, Settings(keep_recent_tokens=200)) is not None
    lone = session_of([{**said("user", 1), "id": "a", "parentId": None}, {**said("user", 1), "parentId": "a"}])
    assert plan_compaction(lone, lone.leaf_id, rules, Settings(keep_recent_tokens=1)) is None


def test_the_new_summary_has_no_entry() -> None:
    for rules in RULES.values():
        first, *kept = context_after_compaction(sure(planned(cells("uaua"), 200, rules)))
        assert isinstance(first, Message)
        assert (first.role, first.entry) == ("compactionSummary", None)
        assert [message.entry for message in kept] == [2, 3]


def test_an_older_compaction_that_stays_in_the_kept_range_is_silent_under_the_newer_rules() -> None:
    # The cut falls before the older compaction only when it kept enough before it.
    values = [*cells("uaua"), compaction("e1"), *cells("ua")]
    assert after(values, 300, OLD) == [S, A, S, U, A]
    assert after(values, 300, NEW) == [S, A, U, A]
    assert statuses(values, 300, NEW) == "sspkgkk"


def test_a_status_is_told_for_every_entry_of_the_path() -> None:
    assert {status.value for status in Status} == {"gone", "summarized", "prefix", "kept", "unseen"}
    for rules in RULES.values():
        values = [LABEL, *cells("uat"), compaction("e2"), *cells("uatua"), {"type": "custom"}]
        plan = sure(planned(values, 200, rules))
        assert set(compaction_statuses(plan)) == set(plan.path)


def test_the_trigger() -> None:
    assert Settings().trigger == 183_616
    assert Settings(context_window=32_000, reserve_tokens=2_000).trigger == 30_000
