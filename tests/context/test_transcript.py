"""The text to summarize: what pi 0.84.1 and 1.6.0 printed for these messages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.context.conversion import to_model
from pitree.context.messages import Message
from pitree.context.transcript import cut_result, transcript
from pitree.planning.rules import Rules
from pitree.session.problems import PiFails
from tests.context.asking import NEW, OLD, both, context, line, text
from tests.session.build import message

CALLS = [
    {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "f", "2": 1.0, "n": None}},
    {"type": "toolCall", "id": "d", "name": "ls", "arguments": {}},
]
TALK = [{"type": "thinking", "thinking": "hm"}, text("x"), {"type": "thinking", "thinking": "ah"}, text("y"), *CALLS]


def printed(value: dict[str, Any], rules: Rules) -> str:
    return transcript([Message(value, 0)], rules)


@both
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"role": "user", "content": "hello"}, "[User]: hello"),
        ({"role": "user", "content": [text("a"), {"type": "image"}, text("b")]}, "[User]: ab"),
        ({"role": "user", "content": [{"type": "image"}]}, ""),
        ({"role": "user", "content": ""}, ""),
        ({"role": "assistant", "content": []}, ""),
        ({"role": "assistant", "content": [text("")]}, "[Assistant]: "),
        ({"role": "assistant", "content": CALLS}, '[Assistant tool calls]: read(2=1, path="f", n=null); ls()'),
        ({"role": "toolResult", "content": [text("out"), text("put")]}, "[Tool result]: output"),
        ({"role": "toolResult", "content": []}, ""),
        ({"role": "custom", "content": "note"}, "[User]: note"),
        ({"role": "custom", "content": [text("no"), text("te")]}, "[User]: note"),
        ({"role": "bashExecution", "command": "ls", "output": ""}, "[User]: Ran `ls`\n(no output)"),
        ({"role": "bashExecution", "command": "ls", "output": "o", "excludeFromContext": True}, ""),
        ({"role": "system", "content": "sys"}, ""),
        ({"role": "future", "content": "x"}, ""),
        ({"role": None, "content": "x"}, ""),
    ],
)
def test_messages(value: dict[str, Any], expected: str, rules: Rules) -> None:
    assert printed(value, rules) == expected


def test_thinking_is_printed_under_the_older_rules() -> None:
    told = '[Assistant]: x\ny\n\n[Assistant tool calls]: read(2=1, path="f", n=null); ls()'
    value = {"role": "assistant", "content": TALK}
    assert printed(value, OLD) == f"[Assistant thinking]: hm\nah\n\n{told}"
    assert printed(value, NEW) == told


@both
def test_a_shell_run_says_how_it_ended(rules: Rules) -> None:
    run = {"role": "bashExecution", "command": "ls", "output": "o"}
    shown = "[User]: Ran `ls`\n```\no\n```"
    assert printed({**run, "exitCode": 0}, rules) == shown
    assert printed({**run, "exitCode": None}, rules) == shown
    assert printed({**run, "exitCode": 2}, rules) == f"{shown}\n\nCommand exited with code 2"
    assert printed({**run, "cancelled": True, "exitCode": 2}, rules) == f"{shown}\n\n(command cancelled)"
    cut = printed({**run, "truncated": True, "fullOutputPath": "/p"}, rules)
    assert cut.startswith(f"{shown}\n\n[")
    assert cut.endswith(": /p]")
    assert printed({**run, "truncated": True}, rules) == shown


@both
def test_summaries_are_wrapped(rules: Rules) -> None:
    # The tag of a branch summary closes right behind the text, that of a compaction on a line of its own.
    branch = printed({"role": "branchSummary", "summary": "BS"}, rules)
    assert branch.startswith("[User]: ")
    assert branch.endswith("\n\n<summary>\nBS</summary>")
    assert printed({"role": "compactionSummary", "summary": "CS"}, rules).endswith("\n\n<summary>\nCS\n</summary>")


@both
def test_messages_are_parted_by_a_blank_line(rules: Rules) -> None:
    session = line([message("user", "a"), message("user", ""), message("assistant", [text("b")]), message("user", "c")])
    assert transcript(context(session, rules).messages, rules) == "[User]: a\n\n[Assistant]: b\n\n[User]: c"


def test_a_long_result_is_cut_at_2000_units() -> None:
    whole = "x" * 1998 + "😀"
    for rules in (OLD, NEW):
        assert cut_result(whole, rules) == whole
        assert cut_result(f"{whole}abc", rules) == f"{whole}\n\n[... 3 more characters truncated]"
    split = "x" * 1999 + "😀tail"
    assert cut_result(split, OLD) == "x" * 1999 + "\ud83d\n\n[... 5 more characters truncated]"
    assert cut_result(split, NEW) == "x" * 1999 + "\n\n[... 5 more characters truncated]"


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_count_is_of_units_beyond_2000(head: str, tail: str) -> None:
    whole = head + "y" * 1990 + tail
    units = len(whole.encode("utf-16-le")) // 2
    cut = cut_result(whole, NEW)
    assert cut == whole if units <= 2000 else cut.endswith(f"\n\n[... {units - 2000} more characters truncated]")


def test_halves_of_a_pair_that_meet_are_printed_as_one_character() -> None:
    value = {"role": "user", "content": [text("a\ud83d"), text("\ude00b")]}
    assert printed(value, NEW) == "[User]: a😀b"


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "content": 5},
        {"role": "user", "content": [None]},
        {"role": "assistant", "content": "text"},
        {"role": "assistant", "content": [None]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "x"}]},
        {"role": "toolResult", "content": None},
    ],
)
def test_where_pi_throws(value: dict[str, Any]) -> None:
    with pytest.raises(PiFails) as raised:
        transcript([Message(value, 3)], NEW)
    assert raised.value.entry == 3


def test_what_a_model_is_sent() -> None:
    for role in ("user", "assistant", "toolResult"):
        found = Message({"role": role, "content": []}, 4)
        assert to_model(found) is found
    sent = to_model(Message({"role": "custom", "content": "x", "customType": "c"}, 4))
    assert sent is not None
    assert (sent.value, sent.entry) == ({"role": "user", "content": [text("x")]}, 4)
    others: tuple[Any, ...] = ("system", "future", None, ["user"])
    for role in others:
        assert to_model(Message({"role": role, "content": "x"}, 4)) is None
