"""What of a context pi really sends: which messages it leaves out and why, and what it adds (pi's `transformMessages`).

A model is sent other things than the session context holds. The rules are those of pi's Anthropic Messages provider,
which the others share but for their own ways to write a block; an image is always taken as one that the model can see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pitree.context.conversion import to_model
from pitree.context.messages import Message
from pitree.context.switches import ContextSwitches
from pitree.session.javascript import JSON, UNDEFINED, get, map_key, nullish, same, trim, truthy
from pitree.session.problems import PiFails

EXCLUDED: Final = "a shell run that was kept out of the context"
FAILED: Final = "it ended in an error"
ABORTED: Final = "it was aborted"
EMPTY: Final = "nothing in it can be sent"
UNKNOWN_ROLE: Final = "a role that is not sent"

AS_SYSTEM: Final = "sent as the system prompt"
THINKING_LEFT_OUT: Final = "without its thinking, which is another model's"
THINKING_AS_TEXT: Final = "its thinking, which is another model's, as text"
NO_RESULT: Final = "added: the call has no result"
NO_CALL: Final = "no call goes before it"

NO_RESULT_TEXT: Final = "No result provided"
_STOPS = {"error": FAILED, "aborted": ABORTED}


@dataclass(frozen=True, slots=True, eq=False)
class SentRow:
    """A message of the context, or one that pi adds, and what becomes of it.

    Attributes:
        message: The message as the context holds it; one that pi adds has no entry.
        sent: As it is sent, with the role user, assistant, toolResult or system; None where it is left out.
        why_not: Why it is left out; None where it is sent.
        note: What else is to be known of it; None for nothing.
    """

    message: Message
    sent: Message | None
    why_not: str | None = None
    note: str | None = None


def sent_rows(messages: Sequence[Message], rules: ContextSwitches, model: JSON) -> list[SentRow]:
    """The messages of a context as the next request sends them, with what pi adds in its place.

    Args:
        messages: The context in order.
        rules: The release of pi that is followed.
        model: {"provider", "modelId"} of the model that is asked, or None where it is not known: then all thinking
            counts as another model's. The provider's API, which pi compares as well, is taken to be the same.

    Raises:
        PiFails: when pi itself throws on one of them.
    """
    rows = _Rows()
    for message in messages:
        rows.add(_row(message, rules, model))
    rows.close_calls()
    return rows.done


def _row(message: Message, rules: ContextSwitches, model: JSON) -> SentRow:
    """What becomes of a message by itself; `sent` is also there where it is left out but ends a turn of calls."""
    if message.role == "system" and rules.system_messages:
        return SentRow(message, message, note=AS_SYSTEM)
    converted = to_model(message)
    if converted is None:
        return SentRow(message, None, EXCLUDED if message.role == "bashExecution" else UNKNOWN_ROLE)
    if nullish(converted.get("content")):
        converted = _with_content(converted, [])
    if converted.role == "assistant":
        return _assistant_row(message, converted, rules, model)
    return _user_row(message, converted) if converted.role == "user" else SentRow(message, converted)


def _user_row(message: Message, converted: Message) -> SentRow:
    content = converted.get("content")
    if isinstance(content, str):
        return SentRow(message, converted, None if trim(content) else EMPTY)
    blocks = [block for block in _blocks(converted) if not _is_blank(block)]
    return SentRow(message, _with_content(converted, blocks), None if blocks else EMPTY)


def _assistant_row(message: Message, converted: Message, rules: ContextSwitches, model: JSON) -> SentRow:
    stopped = message.get("stopReason")
    own = same(message.get("provider"), get(model, "provider")) and same(message.get("model"), get(model, "modelId"))
    told = _keep if own else _tell if rules.foreign_thinking_as_text else _drop
    blocks: list[JSON] = []
    note = None
    for block in _blocks(converted):
        kind = get(block, "type")
        kept = told(block) if kind == "thinking" else [block] if _is_said(block) else []
        blocks += kept
        if kind == "thinking" and not own and _has_thought(block):
            note = THINKING_AS_TEXT if kept else note or THINKING_LEFT_OUT
    why_not = _STOPS.get(stopped) if isinstance(stopped, str) else None
    return SentRow(message, _with_content(converted, blocks), why_not or (None if blocks else EMPTY), note)


def _with_content(message: Message, content: JSON) -> Message:
    return Message({**message.value, "content": content}, message.entry)


def _keep(block: JSON) -> list[JSON]:
    """Thinking of the model that is asked: signed or redacted as it is, else as text."""
    if truthy(get(block, "redacted")) or _is_signed(block):
        return [block]
    return _tell(block)


def _tell(block: JSON) -> list[JSON]:
    """Thinking as text; none where it is blank or redacted."""
    readable = not truthy(get(block, "redacted")) and _is_text(get(block, "thinking"))
    return [{"type": "text", "text": get(block, "thinking")}] if readable else []


def _drop(block: JSON) -> list[JSON]:
    return []


def _has_thought(block: JSON) -> bool:
    return truthy(get(block, "redacted")) or _is_text(get(block, "thinking"))


def _is_signed(block: JSON) -> bool:
    return _is_text(get(block, "thinkingSignature"))


def _is_text(value: JSON) -> bool:
    return isinstance(value, str) and bool(trim(value))


def _is_said(block: JSON) -> bool:
    return get(block, "type") == "toolCall" or (get(block, "type") == "text" and not _is_blank(block))


def _is_blank(block: JSON) -> bool:
    return get(block, "type") == "text" and not _is_text(get(block, "text"))


def _blocks(message: Message) -> list[JSON]:
    content = message.get("content")
    if not isinstance(content, list) or any(map(nullish, content)):
        raise PiFails(f"A message of the role {message.role} whose content pi cannot send.", message.entry)
    return content


class _Rows:
    """Rows so far, and the calls of the last assistant that wait for their results."""

    def __init__(self) -> None:
        self.done: list[SentRow] = []
        self._calls: list[JSON] = []
        self._answered: set[object] = set()

    def add(self, row: SentRow) -> None:
        """One more row; calls that stay without a result because of it get theirs before it."""
        role = UNDEFINED if row.sent is None else row.sent.role
        if role == "toolResult":
            row = self._result(row)
        elif role == "user" or role == "assistant":
            self.close_calls()
        if row.sent is not None and role == "assistant" and row.why_not is None:
            self._calls = [block for block in _blocks(row.sent) if get(block, "type") == "toolCall"]
        self.done.append(row if row.why_not is None else replace(row, sent=None, note=None))

    def close_calls(self) -> None:
        """Add the results that are missing."""
        self.done += [_no_result(call) for call in self._calls if map_key(get(call, "id")) not in self._answered]
        self._calls, self._answered = [], set()

    def _result(self, row: SentRow) -> SentRow:
        name = map_key(row.message.get("toolCallId"))
        self._answered.add(name)
        return row if name in {map_key(get(call, "id")) for call in self._calls} else replace(row, note=NO_CALL)


def _no_result(call: JSON) -> SentRow:
    names = {"toolCallId": get(call, "id"), "toolName": get(call, "name")}
    message = Message(
        {
            "role": "toolResult",
            **{key: value for key, value in names.items() if value is not UNDEFINED},
            "content": [{"type": "text", "text": NO_RESULT_TEXT}],
            "isError": True,
        },
        None,
    )
    return SentRow(message, message, note=NO_RESULT)
