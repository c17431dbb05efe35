"""What of a context is sent: literal answers, which tests/e2e asks of pi 0.84.1 and 1.6.0 as well."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.sent import (
    ABORTED,
    AS_SYSTEM,
    EMPTY,
    EXCLUDED,
    FAILED,
    NO_CALL,
    NO_RESULT,
    NO_RESULT_TEXT,
    THINKING_AS_TEXT,
    THINKING_LEFT_OUT,
    UNKNOWN_ROLE,
    SentRow,
    sent_rows,
)
from pitree.planning.rules import Rules
from pitree.session.problems import PiFails
from tests.context.asking import NEW, OLD, both, text

ASKED = {"provider": "p", "modelId": "m"}


def user(content: Any = "hi") -> dict[str, Any]:
    return {"role": "user", "content": content}


def says(*blocks: Any, model: str = "m", stop: str = "stop") -> dict[str, Any]:
    return {"role": "assistant", "content": [*blocks], "provider": "p", "model": model, "stopReason": stop}


def call(name: str) -> dict[str, Any]:
    return {"type": "toolCall", "id": name, "name": "read", "arguments": {}}


def result(name: str) -> dict[str, Any]:
    return {"role": "toolResult", "toolCallId": name, "toolName": "read", "content": [text("r")], "isError": False}


def thought(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, **more}


def rows(rules: Rules, *values: Any, model: Any = ASKED) -> list[SentRow]:
    return sent_rows([Message(value, at) for at, value in enumerate(values)], rules, model)


def short(found: list[SentRow]) -> list[tuple[Any, Any]]:
    """Where each row comes from, None for what is added, and what is said of it."""
    return [(row.message.entry, row.why_not or row.note) for row in found]


@both
def test_what_has_an_answer_and_words_is_sent_as_it_is(rules: Rules) -> None:
    values = [user(), says(text("ok"), call("a")), result("a"), says(text("done"))]
    found = rows(rules, *values)
    assert short(found) == [(0, None), (1, None), (2, None), (3, None)]
    assert [row.sent.value for row in found if row.sent] == values


@both
@pytest.mark.parametrize(
    ("value", "why"),
    [
        (says(text("half"), stop="error"), FAILED),
        (says(text("half"), stop="aborted"), ABORTED),
        (says(text(" "), thought("")), EMPTY),
        (user(""), EMPTY),
        (user([text(" \n")]), EMPTY),
        (user(None), EMPTY),
        ({"role": "custom", "content": ""}, EMPTY),
        ({"role": "bashExecution", "command": "ls", "output": "a", "excludeFromContext": True}, EXCLUDED),
        ({"role": "future", "content": "a"}, UNKNOWN_ROLE),
        ({}, UNKNOWN_ROLE),
    ],
)
def test_what_is_left_out(rules: Rules, value: Any, why: str) -> None:
    (row,) = rows(rules, value)
    assert (row.sent, row.why_not, row.note) == (None, why, None)


@both
def test_a_blank_block_is_not_sent_with_the_others(rules: Rules) -> None:
    found = rows(rules, user([text(""), text("hi")]), says(text("ok"), text(" "), {"type": "future"}, {"type": []}))
    assert [row.sent.get("content") for row in found if row.sent] == [[text("hi")], [text("ok")]]


@both
def test_summaries_and_shell_runs_are_sent_as_user_messages(rules: Rules) -> None:
    found = rows(rules, {"role": "compactionSummary", "summary": "s"}, {"role": "bashExecution", "command": "ls"})
    assert [row.sent.role for row in found if row.sent] == ["user", "user"]
    assert [row.message.role for row in found] == ["compactionSummary", "bashExecution"]


@both
@pytest.mark.parametrize("after", [[user()], [says(text("ok"))], [user("")], [says(stop="error")], []])
def test_a_call_without_a_result_gets_one_before_what_comes_next(rules: Rules, after: list[Any]) -> None:
    found = rows(rules, says(call("a"), call("b")), result("a"), *after)
    assert short(found)[:3] == [(0, None), (1, None), (None, NO_RESULT)]
    assert len(found) == 3 + len(after)
    assert found[2].sent is not None
    assert found[2].sent.value == {
        "role": "toolResult",
        "toolCallId": "b",
        "toolName": "read",
        "content": [text(NO_RESULT_TEXT)],
        "isError": True,
    }


@both
def test_what_is_not_sent_leaves_calls_open_unless_it_speaks(rules: Rules) -> None:
    hidden = {"role": "bashExecution", "command": "ls", "excludeFromContext": True}
    assert short(rows(rules, says(call("a")), hidden, result("a"))) == [(0, None), (1, EXCLUDED), (2, None)]


@both
def test_a_result_without_its_call_is_sent_all_the_same(rules: Rules) -> None:
    assert short(rows(rules, result("a"), user())) == [(0, NO_CALL), (1, None)]
    failed = [says(call("a"), stop="aborted"), result("a")]
    assert short(rows(rules, *failed)) == [(0, ABORTED), (1, NO_CALL)]
    late = [says(call("a")), user(), result("a")]
    assert short(rows(rules, *late)) == [(0, None), (None, NO_RESULT), (1, None), (2, NO_CALL)]


@both
def test_thinking_of_the_model_that_is_asked_is_sent(rules: Rules) -> None:
    signed, plain = thought("a", thinkingSignature="s"), thought("b")
    sealed = thought("", redacted=True, thinkingSignature="s")
    (row,) = rows(rules, says(signed, plain, sealed, thought("", thinkingSignature="t"), thought(" ")))
    assert row.note is None
    assert row.sent is not None
    assert row.sent.get("content") == [signed, text("b"), sealed, thought("", thinkingSignature="t")]


@pytest.mark.parametrize("model", [ASKED, None])
@pytest.mark.parametrize(
    ("rules", "content", "note"),
    [(OLD, [text("a"), text("ok")], THINKING_AS_TEXT), (NEW, [text("ok")], THINKING_LEFT_OUT)],
    ids=["0.84", "1.6"],
)
def test_thinking_of_another_model(rules: Rules, content: Any, note: str, model: Any) -> None:
    blocks = [thought("a", thinkingSignature="s"), thought("", redacted=True), text("ok")]
    (row,) = rows(rules, says(*blocks, model="other"), model=model)
    assert row.sent is not None
    assert (row.sent.get("content"), row.note) == (content, note)


def test_only_thinking_of_another_model_leaves_nothing_to_send() -> None:
    (row,) = rows(NEW, says(thought("a"), model="other"))
    assert (row.sent, row.why_not) == (None, EMPTY)


def test_a_system_message() -> None:
    assert short(rows(NEW, {"role": "system", "content": "s"})) == [(0, AS_SYSTEM)]
    assert short(rows(OLD, {"role": "system", "content": "s"})) == [(0, UNKNOWN_ROLE)]


@both
@pytest.mark.parametrize("value", [user(5), user([None]), {**says(), "content": "ok"}, {**says(), "content": [None]}])
def test_where_pi_throws(rules: Rules, value: Any) -> None:
    with pytest.raises(PiFails):
        rows(rules, user(), value)
