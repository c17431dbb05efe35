"""The rows of the Context pane: what becomes of each message, and what pi will not send."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.planning.commit import compaction_commit
from pitree.planning.rules import RULES
from pitree.ui.context_rows import ContextRows, Section
from pitree.ui.message_lines import line_of, role_word
from pitree.ui.rows import RowText
from tests.ui.parts import draft_of, plan_of, sections

RULES_16 = RULES["1.6"]


def said(*messages: dict[str, Any], **more: Any) -> list[RowText]:
    section = Section("context now", [Message(value, at) for at, value in enumerate(messages)], RULES_16, {}, **more)
    rows = ContextRows((section,))
    return [rows.row(number) for number in range(len(rows))]


def assistant(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), "provider": "p", "model": "m", "stopReason": "stop", **more}


def test_both_contexts_of_a_compaction() -> None:
    plan = plan_of("plain-cut")
    commit = compaction_commit(plan, draft_of(plan), entry_id="a1b2c3d4", ms=0)
    rows = ContextRows(sections(plan, commit))
    shown = [(rows.row(n).state, rows.row(n).kind, rows.row(n).figure, rows.entry_at(n)) for n in range(len(rows))]
    assert shown == [
        ("leaf", "", "", None),
        ("summarized", "user", "100", 0),
        ("summarized", "assistant", "100", 1),
        ("summarized", "toolResult", "100", 2),
        ("kept", "user", "100", 3),
        ("kept", "assistant", "100", 4),
        ("kept", "toolResult", "100", 5),
        ("kept", "toolResult", "100", 6),
        ("kept", "assistant", "100", 7),
        ("new_leaf", "", "", None),
        ("new_leaf", "summary", rows.row(10).figure, None),
        ("kept", "user", "100", 3),
        ("kept", "assistant", "100", 4),
        ("kept", "toolResult", "100", 5),
        ("kept", "toolResult", "100", 6),
        ("kept", "assistant", "100", 7),
    ]
    assert rows.row(0).text == "context now · 8 messages · est 800"
    assert rows.row(0).rule
    assert rows.row(10).note == "new summary"


def test_what_pi_will_not_send_has_its_reason() -> None:
    call = {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "a.py"}}
    rows = said(
        {"role": "user", "content": "Go on"},
        assistant({"type": "text", "text": "half"}, stopReason="aborted"),
        {"role": "bashExecution", "command": "ls", "output": "", "excludeFromContext": True},
        assistant({"type": "thinking", "thinking": "hm"}, call),
        {"role": "user", "content": "Stop"},
        model={"provider": "p", "modelId": "other"},
    )
    assert [(row.text, row.note, row.dim) for row in rows] == [
        ("context now · 5 messages · est 11 · 2 not sent", "", False),
        ("Go on", "", False),
        ("✗ not sent, it was aborted · half", "", True),
        ("✗ not sent, a shell run that was kept out of the context · $ ls", "", True),
        ("read a.py", "thinking left out", False),
        ("read failed → No result provided", "added by pi", True),
        ("Stop", "", False),
    ]


def test_where_pi_fails_the_messages_still_show() -> None:
    rows = said({"role": "user", "content": [None]}, {"role": "user", "content": "x\x1b[2J"})
    assert rows[1].state == "problem"
    assert rows[1].text.startswith("pi fails when it sends this. ")
    assert [row.kind for row in rows[2:]] == ["user", "user"]
    assert rows[3].text == "x␛[2J"


@pytest.mark.parametrize(
    ("value", "word", "line"),
    [
        ({"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "see"}]}, "user", "[image] see"),
        (
            {"role": "toolResult", "toolName": "bash", "isError": True, "content": "no"},
            "toolResult",
            "bash failed → no",
        ),
        ({"role": "compactionSummary", "summary": "## Goal"}, "summary", "## Goal"),
        ({"role": "branchSummary", "summary": None}, "left branch", ""),
        ({"role": "bashExecution", "command": "ls"}, "bash", "$ ls"),
        ({"role": "system", "content": "", "sections": {"tools": "x"}}, "system", "sections tools"),
        (assistant(errorMessage="529"), "assistant", "529"),
        ({"role": 7, "content": "odd"}, "no role", "odd"),
        ({}, "no role", ""),
    ],
)
def test_lines(value: dict[str, Any], word: str, line: str) -> None:
    message = Message(value, 0)
    assert (role_word(message), line_of(message)) == (word, line)
