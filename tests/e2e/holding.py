"""A context that pitree foretells beside the one that pi holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitree.context.messages import Message
from pitree.context.sent import sent_rows
from pitree.context.tokens import estimate
from pitree.planning.rules import RULES, Rules
from tests.e2e.pi import MODEL, PROVIDER, Pi
from tests.e2e.wire import Row, rows_of

ASKED = {"provider": PROVIDER, "modelId": MODEL}


def assert_held(messages: Sequence[Message], held: Sequence[dict[str, Any]], rules: Rules) -> None:
    """The same messages with the same estimates; to those of pitree pi adds times."""
    assert [message.role for message in messages] == [value["role"] for value in held]
    for message, value in zip(messages, held, strict=True):
        assert {key: value.get(key) for key in message.value if key != "timestamp"} == {
            key: item for key, item in message.value.items() if key != "timestamp"
        }
        assert estimate(message, rules) == estimate(Message(value, None), rules)


def predicted(messages: Sequence[Message], pi: Pi) -> list[Row]:
    """What the next request will hold before its prompt."""
    return rows_of(sent_rows(messages, RULES[pi.rules], ASKED))
