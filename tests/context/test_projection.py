"""Which entries the model sees, and as what: literal answers of pi 0.84.1 and 1.6.0."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.projection import Projection, context_entries, project
from pitree.planning.rules import Rules
from pitree.session.session import Session
from tests.context.asking import NEW, OLD, both, compaction, context, edit, line, text, weighed
from tests.session.build import Value, message, said, session_of, tree_of

U1, A2, U3, A4 = said("user", 1), said("assistant", 2), said("user", 3), said("assistant", 4)


def seen(values: list[Value], rules: Rules) -> list[tuple[Any, float]]:
    return weighed(context(line(values), rules).messages, rules)


@both
def test_kinds_that_the_model_sees(rules: Rules) -> None:
    values = [
        U1,
        {"type": "custom_message", "content": "abcde", "customType": "c"},
        {"type": "branch_summary", "summary": "abcde", "fromId": "x"},
        {"type": "branch_summary", "summary": "", "fromId": "x"},
        {"type": "custom"},
        {"type": "label", "targetId": "e1", "label": "x"},
        {"type": "session_info", "name": "x"},
        {"type": "model_change", "provider": "p", "modelId": "m"},
        {"type": "thinking_level_change", "thinkingLevel": "high"},
        {"type": "usage"},
        {"type": "future"},
        message("future", "abcd"),
        message("user"),
        message("assistant"),
    ]
    assert seen(values, rules) == [
        ("user", 1),
        ("custom", 2),
        ("branchSummary", 2),
        ("future", 0),
        ("user", 0),
        ("assistant", 0),
    ]


@both
def test_a_compaction_stands_before_what_it_keeps(rules: Rules) -> None:
    found = context(line([U1, A2, U3, compaction("e3"), A4]), rules)
    assert weighed(found.messages, rules) == [("compactionSummary", 2), ("user", 3), ("assistant", 4)]
    assert [item.entry.id for item in found.items] == ["e4", "e3", "e5"]
    assert found.path == [0, 1, 2, 3, 4]


@both
@pytest.mark.parametrize("kept", ["e3", "e4", "nowhere", None, 5])
def test_nothing_is_kept_from_an_entry_that_is_not_before_it(kept: Any, rules: Rules) -> None:
    assert seen([U1, A2, compaction(kept), A4], rules) == [("compactionSummary", 2), ("assistant", 4)]


def test_an_older_compaction_inside_the_kept_range() -> None:
    values = [U1, compaction("e1"), U3, compaction("e1"), A4]
    assert seen(values, OLD) == [
        ("compactionSummary", 2),
        ("user", 1),
        ("compactionSummary", 2),
        ("user", 3),
        ("assistant", 4),
    ]
    assert seen(values, NEW) == [("compactionSummary", 2), ("user", 1), ("user", 3), ("assistant", 4)]
    assert [len(item.messages) for item in context(line(values), NEW).items] == [1, 1, 0, 1, 1]


def test_system_messages_of_a_kept_range() -> None:
    stored = {"role": "system", "content": "abcdefgh"}
    system = message("system", "abcd")
    values = [system, U1, compaction("e1", systemMessage=stored), system, U1]
    assert seen(values, OLD) == [("compactionSummary", 2), ("system", 0), ("user", 1), ("system", 0), ("user", 1)]
    assert seen(values, NEW) == [
        ("system", 2),
        ("compactionSummary", 2),
        ("user", 1),
        ("system", 1),
        ("user", 1),
    ]


def test_edits_omit_and_replace_and_the_last_one_wins() -> None:
    values = [U1, A2, U3, edit("e2"), edit("e3", "abcd"), edit("e3", "abcdefgh")]
    assert seen(values, OLD) == [("user", 1), ("assistant", 2), ("user", 3)]
    assert seen(values, NEW) == [("user", 1), ("user", 2)]


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (U1, "new"),
        (A2, [text("new")]),
        (message("toolResult", []), [text("new")]),
        (message("custom", "old"), "new"),
        ({"type": "custom_message", "content": "old"}, "new"),
    ],
)
def test_a_replacement_takes_the_form_that_its_role_has(value: Value, content: Any) -> None:
    (found,) = context(line([value, edit("e1", "new")]), NEW).messages
    assert found.get("content") == content


def test_what_an_edit_replaces_keeps_its_other_fields() -> None:
    (found,) = context(line([message("toolResult", [], toolName="read"), edit("e1", [text("new")])]), NEW).messages
    assert found.value == {"role": "toolResult", "content": [text("new")], "toolName": "read"}


def test_a_shell_run_and_a_summary_keep_their_texts_when_edited() -> None:
    values = [message("bashExecution", command="ls", output="x"), edit("e1", "new")]
    (found,) = context(line(values), NEW).messages
    assert found.value == {"role": "bashExecution", "command": "ls", "output": "x"}


def test_an_edit_of_another_branch_does_not_count() -> None:
    values: list[Value] = [*tree_of([None, 0, 0])]
    values[1] = {**values[1], **edit("n0")}
    session = session_of(values)
    assert len(context_entries(session, session.path(2), NEW)) == 2
    assert len(context(session, NEW).messages) == 2


@both
def test_model_and_thinking_level_are_the_last_of_the_path(rules: Rules) -> None:
    values = [
        {"type": "model_change", "provider": "p", "modelId": "m"},
        {"type": "thinking_level_change", "thinkingLevel": "high"},
        message("assistant", [], provider="q", model="n"),
        {"type": "thinking_level_change", "thinkingLevel": "low"},
    ]
    session = line(values)

    def at(index: int) -> tuple[Any, Any]:
        found = context_at(session, index, rules)
        return found.thinking_level, found.model

    assert at(3) == ("low", {"provider": "q", "modelId": "n"})
    assert at(1) == ("high", {"provider": "p", "modelId": "m"})
    assert at(0) == ("off", {"provider": "p", "modelId": "m"})
    assert context(line([U1]), rules).model is None


def context_at(session: Session, index: int, rules: Rules) -> Projection:
    return project(session, session.path(index), rules)


@both
def test_an_empty_session_has_an_empty_context(rules: Rules) -> None:
    found = context(session_of([]), rules)
    assert found.messages == []
    assert (found.thinking_level, found.model) == ("off", None)
