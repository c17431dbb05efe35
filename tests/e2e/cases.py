"""The sessions that pi is given: the demos, and recorded ones where they lie beside the repository."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitree.lessons.demos import DEMOS
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.decode import decode
from pitree.session.javascript import JSON, stringify
from pitree.session.load import session_from_bytes
from pitree.session.session import Session
from tests.e2e.pi import API, MODEL, PROVIDER
from tests.session.build import HEADER, Value, chain, file_of, message

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "cases"
RECORDED_NAMES = {
    "pi-native-current": 2000,
    "pi-native-older": 2000,
    "real-before-compaction": 20_000,
    "real-large-session": 20_000,
}
"""Each with a keepRecentTokens that leaves something to compact."""
OLDER_KEPT = {"rich": 60_000, "repeated": 900}
"""Demos with a keepRecentTokens that keeps an older compaction, whose summary only 0.84 shows again."""
ENDS_COMPACTED = "after-compaction"
"""The demo in which nothing is left to compact."""

_COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
_USAGE = {"input": 9, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 10, "cost": _COST}
_CALLS = [{"type": "toolCall", "id": name, "name": "read", "arguments": {"path": name}} for name in ("c1", "c2")]
_THOUGHT = {"type": "thinking", "thinking": "Hm."}
_SIGNED = {**_THOUGHT, "thinkingSignature": "signed"}
_SEALED = {"type": "thinking", "thinking": "", "redacted": True, "thinkingSignature": "sealed"}


def _text(words: str) -> Value:
    return {"type": "text", "text": words}


def _said(*blocks: Value, model: str = MODEL, stop: str = "stop") -> Value:
    told = {"api": API, "provider": PROVIDER, "model": model, "usage": _USAGE, "stopReason": stop, "timestamp": 1}
    return message("assistant", [*blocks], **told)


def _result(call: str) -> Value:
    return message("toolResult", [_text("found"), _text("more")], toolCallId=call, toolName="read", isError=False)


def _shell(command: str, **more: Any) -> Value:
    return message("bashExecution", command=command, output="out", exitCode=1, cancelled=False, truncated=False, **more)


_ODD: tuple[Value, ...] = (
    message("user", "Text"),
    _said(_SIGNED, _THOUGHT, _text("mine"), _text(" ")),
    message("user", [_text(""), _text("Blocks")]),
    _said(_SIGNED, _SEALED, _text("another's"), model="other"),
    _said(_SIGNED, model="other"),
    _said(_SEALED, model="other"),
    message("user", ""),
    _said(_text(" ")),
    _said(*_CALLS, stop="toolUse"),
    _result("c1"),
    _shell("ls", excludeFromContext=True),
    {"type": "custom_message", "customType": "note", "content": "A note", "display": True},
    _result("c2"),
    _said(_text("half"), *_CALLS, stop="aborted"),
    _result("c1"),
    _said(_text("half"), stop="error"),
    _shell("make"),
    {"type": "branch_summary", "summary": "left behind", "fromId": "root"},
    message("future", "not known"),
    _result("nowhere"),
    _said(_text("before the end"), *_CALLS, stop="toolUse"),
)


@dataclass(frozen=True)
class Case:
    """A session to give to pi.

    Attributes:
        name: Of the demo or of the recorded session.
        keep_recent_tokens: The setting with which there is something to compact.
        leaf_id: Where to stand, when it is not the end of the file.
        label: What the test is called, when not by the name.
    """

    name: str
    keep_recent_tokens: int
    leaf_id: str | None = None
    label: str = ""

    def __str__(self) -> str:
        return self.label or self.name

    def data(self) -> bytes:
        """The bytes of its file."""
        demo = DEMOS.get(self.name)
        return (RECORDED / f"{self.name}.jsonl").read_bytes() if demo is None else demo.build()


def cases() -> list[Case]:
    """Every case that is there."""
    return [*_demos(), *_recorded()]


def at_home(data: bytes, cwd: Path, *, migrated: bool = True) -> bytes:
    """The session in another folder, since pi opens none whose folder is missing; lines but the header's stay as is.

    Args:
        data: The bytes of its file.
        cwd: The folder.
        migrated: Write a session of an old version in version 3.
    """
    header, _, lines = data.partition(b"\n")
    value = {**decode(header), "cwd": str(cwd)}
    session = session_from_bytes(data)
    if migrated and session.migration.needed:
        value["version"] = 3
        lines = b"".join(_line(session.entry(index).value) for index in range(session.count))
    return _line(value) + lines


def odd_session(cwd: Path) -> bytes:
    """One session in which something stands for every rule of what is sent."""
    return file_of(chain(_ODD), {**HEADER, "cwd": str(cwd)})


def plan_of(session: Session, case: Case, rules: Rules, cut_at: int | None = None) -> CompactionPlan | None:
    """What pi would compact, or what would be with a cut by hand."""
    leaf = session.leaf_id if case.leaf_id is None else case.leaf_id
    return plan_compaction(session, leaf, rules, Settings(keep_recent_tokens=case.keep_recent_tokens), cut_at)


def _line(value: JSON) -> bytes:
    return stringify(value).encode("utf-8", "replace") + b"\n"


def _demos() -> Iterator[Case]:
    for demo in DEMOS.values():
        yield Case(demo.name, demo.keep_recent_tokens or Settings().keep_recent_tokens, demo.leaf_id)
    for name, keep_recent_tokens in OLDER_KEPT.items():
        yield Case(name, keep_recent_tokens, label=f"{name}-older-kept")


def _recorded() -> Iterator[Case]:
    for name, keep_recent_tokens in RECORDED_NAMES.items():
        if (RECORDED / f"{name}.jsonl").is_file():
            yield Case(name, keep_recent_tokens)
