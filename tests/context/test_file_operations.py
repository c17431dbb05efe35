"""Which files were read and modified: what both releases of pi listed."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.context.file_operations import FileOperations, file_tags, stored_details
from pitree.context.messages import Message
from pitree.session.javascript import UNDEFINED
from pitree.session.problems import PiFails


def calls(*pairs: tuple[Any, Any]) -> Message:
    blocks = [{"type": "toolCall", "id": "1", "name": name, "arguments": arguments} for name, arguments in pairs]
    return Message({"role": "assistant", "content": blocks}, 0)


def lists(*messages: Message, details: Any = None, nested: bool = True) -> tuple[list[Any], list[Any]]:
    operations = FileOperations()
    operations.add_details(details)
    for message in messages:
        operations.add_message(message, nested=nested)
    return operations.lists()


SOME = calls(
    ("read", {"path": "😀"}),
    ("read", {"path": "\ufffd"}),
    ("read", {"path": "b"}),
    ("write", {"path": "b"}),
    ("edit", {"path": "a"}),
    ("read", {"path": "z"}),
    ("bash", {"path": "q"}),
    ("read", {"path": ""}),
    ("read", {"path": 5}),
    ("read", None),
    (None, {"path": "n"}),
)


def test_files_are_listed_in_the_order_of_their_utf16_units() -> None:
    assert lists(SOME) == (["z", "😀", "\ufffd"], ["a", "b"])


def test_stored_lists_are_carried_on() -> None:
    stored = {"readFiles": ["old", "a"], "modifiedFiles": ["m"]}
    assert lists(SOME, details=stored) == (["old", "z", "😀", "\ufffd"], ["a", "b", "m"])


@pytest.mark.parametrize(
    "details", [None, UNDEFINED, "x", {"readFiles": None}, {"readFiles": "abc"}, {"modifiedFiles": {}}]
)
def test_odd_details_carry_nothing_on(details: Any) -> None:
    assert lists(details=details) == ([], [])


def test_odd_names_in_details_are_kept_and_sorted_as_texts() -> None:
    assert lists(details={"readFiles": [10, 9, "1", None, True]}) == (["1", 10, 9, None, True], [])


def test_what_an_extension_wrote_is_not_carried_on() -> None:
    assert stored_details({"details": {"a": 1}}) == {"a": 1}
    assert stored_details({"details": {"a": 1}, "fromHook": False}) == {"a": 1}
    assert stored_details({"details": {"a": 1}, "fromHook": True}) is None


def test_nested_calls_count_under_the_newer_rules() -> None:
    result = Message(
        {"role": "toolResult", "nestedCalls": {"calls": [{"name": "write", "arguments": {"path": "n"}}, {}, 5]}}, 0
    )
    assert lists(result) == ([], ["n"])
    assert lists(result, nested=False) == ([], [])
    for nothing in (None, {}, {"calls": None}, "x", {"calls": "text"}):
        assert lists(Message({"role": "toolResult", "nestedCalls": nothing}, 0)) == ([], [])


@pytest.mark.parametrize("value", [{"calls": 5}, {"calls": {}}, {"calls": [None]}])
def test_where_pi_throws(value: Any) -> None:
    with pytest.raises(PiFails):
        lists(Message({"role": "toolResult", "nestedCalls": value}, 0))


def test_messages_of_other_roles_touch_no_file() -> None:
    blocks = SOME.get("content")
    for role in ("user", "custom", "system", None):
        assert lists(Message({"role": role, "content": blocks}, 0)) == ([], [])
    assert lists(Message({"role": "assistant", "content": "text"}, 0)) == ([], [])
    assert lists(Message({"role": "assistant", "content": [None, 5, {"type": "toolCall"}]}, 0)) == ([], [])


def test_the_lists_at_the_end_of_a_summary() -> None:
    assert file_tags([], []) == ""
    assert file_tags(["a", "b"], []) == "\n\n<read-files>\na\nb\n</read-files>"
    assert file_tags(["a"], ["c"]) == "\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nc\n</modified-files>"
    assert file_tags(iter(()), iter(["c"])) == "\n\n<modified-files>\nc\n</modified-files>"
