"""Believable sessions of a given size, the same bytes on every run.

A session is a row of turns as an agent has them: a question, then steps of thinking, text, a tool call and its result,
then an answer. An entry has about 2 KB on average. Somebody goes back now and then (a branch, sometimes with a
summary), sets a label, changes the model; when the context is full it is compacted.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Value = dict[str, Any]

START = 1_764_000_000_000
TURN_STEPS = (2, 14)
COMPACT_EVERY = 350
BRANCH_CHANCE = 0.1
SMALL_ENTRIES = 200_000
WORDS = (
    "the limiter counts requests per key and window so we read src/limits.py first then the tests fail because "
    "clock moves backwards under load def handle(self, request): return self.store.get(key) if key in seen "
    "raise TimeoutError(f'no answer after {seconds} s') # why it waits here assert result == expected and nothing "
    'else changes "quoted" path\\to\\file 200 OK done import asyncio from pathlib import Path'
).split()
FOREIGN = ("→", "✓", "—", "naïve", "│", "└──", "限速", "🙂")
FOREIGN_SHARE = 0.04
"""Of the texts; in real sessions 5 to 8 lines of a hundred are not ASCII."""
TOOLS: tuple[tuple[str, Callable[[str], Value]], ...] = (
    ("read", lambda text: {"path": f"src/{text[:12].strip() or 'main'}.py"}),
    ("bash", lambda text: {"command": f"pytest -q {text[:60]}", "timeout": 120}),
    ("edit", lambda text: {"path": "src/limits.py", "oldText": text[:300], "newText": text[200:560]}),
    ("write", lambda text: {"path": "tests/test_limits.py", "content": text}),
)


def write_session(path: Path, megabytes: float, seed: int = 1) -> int:
    """Writes a session of about that size; returns the number of its entries."""
    maker = SessionMaker(random.Random(seed))
    return _write(path, maker.entries(int(megabytes * 1_000_000)))


def write_small_entries(path: Path, count: int = SMALL_ENTRIES, seed: int = 2) -> int:
    """Writes a session of very short messages; returns the number of its entries."""
    maker = SessionMaker(random.Random(seed))
    return _write(path, maker.chatter(count))


def _write(path: Path, entries: Iterator[Value]) -> int:
    header = {"type": "session", "version": 3, "id": "bench", "timestamp": _iso(START), "cwd": "/home/dev/limits"}
    count = 0
    with path.open("wb", buffering=1 << 20) as file:
        file.write(_line(header))
        for entry in entries:
            file.write(_line(entry))
            count += 1
    return count


def _line(value: Value) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _iso(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds - START, 1000)
    day, second = divmod(seconds, 86_400)
    return f"{2025 + day // 336}-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d}T{_clock(second)}.{rest:03d}Z"


def _clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


class SessionMaker:
    """Makes the entries of one session, one after the other."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = START
        self.leaf: str | None = None
        self.path: list[str] = []
        self.bytes = 0
        self.count = 0
        self.since_compaction = 0
        self.bank = self._bank()

    def _bank(self) -> str:
        words = self.chance.choices(WORDS, k=60_000)
        ends = self.chance.choices((" ", " ", " ", " ", " ", " ", "\n", "\n    "), k=60_000)
        return "".join(word + end for word, end in zip(words, ends, strict=True))

    def text(self, typical: int) -> str:
        """Some text of about that many characters: most are shorter, few are far longer."""
        length = min(60_000, int(self.chance.lognormvariate(0, 0.9) * typical) + 1)
        at = self.chance.randrange(len(self.bank) - length)
        text = self.bank[at : at + length]
        if length > 20 and self.chance.random() < FOREIGN_SHARE:
            return f"{text[:10]}{self.chance.choice(FOREIGN)}{text[11:]}"
        return text

    def entries(self, size: int) -> Iterator[Value]:
        """A session of about `size` bytes."""
        yield from self._opening()
        while self.bytes < size:
            yield from self._turn()
            if self.since_compaction > COMPACT_EVERY:
                yield from self._compaction()
            if self.chance.random() < BRANCH_CHANCE:
                yield from self._branch()
            if self.chance.random() < 0.03:
                yield self._label()

    def chatter(self, count: int) -> Iterator[Value]:
        """`count` short messages, now and then on a new branch."""
        for number in range(count):
            if number % 2:
                yield self._message(self._assistant([{"type": "text", "text": self.text(20)}], "stop"))
            else:
                yield self._message({"role": "user", "content": self.text(20), "timestamp": self.now})
            if number % 400 == 399:
                self._go_back(60)

    def _opening(self) -> Iterator[Value]:
        yield self._message({"role": "system", "content": self.text(3000), "timestamp": self.now})
        yield self._entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
        yield self._entry("thinking_level_change", thinkingLevel="high")
        yield self._entry("session_info", name="Rate limiter")

    def _turn(self) -> Iterator[Value]:
        content: list[Value] = [{"type": "text", "text": self.text(180)}]
        yield self._message({"role": "user", "content": content, "timestamp": self.now})
        for _ in range(self.chance.randint(*TURN_STEPS)):
            yield from self._step()
        yield self._message(self._assistant([{"type": "text", "text": self.text(900)}], "stop"))

    def _step(self) -> Iterator[Value]:
        name, arguments = self.chance.choice(TOOLS)
        call_id = f"toolu_{self.chance.getrandbits(96):024x}"
        content: list[Value] = [{"type": "thinking", "thinking": self.text(350), "thinkingSignature": self.signature()}]
        if self.chance.random() < 0.5:
            content.append({"type": "text", "text": self.text(150)})
        call = {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments(self.text(700))}
        content.append(call)
        yield self._message(self._assistant(content, "toolUse"))
        yield self._message(
            {
                "role": "toolResult",
                "toolCallId": call_id,
                "toolName": name,
                "content": [{"type": "text", "text": self.text(1500)}],
                "isError": self.chance.random() < 0.05,
                "timestamp": self.now,
            }
        )

    def signature(self) -> str:
        """What a provider signs its thinking with: text that means nothing."""
        return f"{self.chance.getrandbits(4 * 300):0300x}"

    def _assistant(self, content: list[Value], stop: str) -> Value:
        used = 20_000 + self.since_compaction * 400
        return {
            "role": "assistant",
            "content": content,
            "api": "anthropic-messages",
            "provider": "anthropic",
            "model": "claude-sonnet-4-5",
            "usage": {
                "input": 12,
                "output": 300,
                "cacheRead": used,
                "cacheWrite": 700,
                "totalTokens": used + 1012,
                "cost": {"input": 0.00004, "output": 0.0045, "cacheRead": 0.006, "cacheWrite": 0.002, "total": 0.01254},
            },
            "stopReason": stop,
            "timestamp": self.now,
        }

    def _compaction(self) -> Iterator[Value]:
        kept = self.path[-min(40, len(self.path))]
        yield self._entry(
            "compaction",
            summary=self.text(4000),
            firstKeptEntryId=kept,
            tokensBefore=180_000,
            details={"readFiles": ["src/main.py"], "modifiedFiles": ["src/limits.py"]},
        )
        self.since_compaction = 0

    def _branch(self) -> Iterator[Value]:
        left = self.leaf
        self._go_back(min(self.since_compaction, 80))
        if self.chance.random() < 0.5:
            yield self._entry("branch_summary", fromId=left, summary=self.text(1500), details={})

    def _label(self) -> Value:
        return self._entry("label", targetId=self.chance.choice(self.path[-30:]), label=self.text(8).strip() or "here")

    def _go_back(self, most: int) -> None:
        steps = self.chance.randint(0, max(0, min(most, len(self.path) - 2)))
        del self.path[len(self.path) - steps :]
        self.leaf = self.path[-1]

    def _message(self, message: Value) -> Value:
        return self._entry("message", message=message)

    def _entry(self, kind: str, **fields: Any) -> Value:
        self.now += self.chance.randint(200, 20_000)
        # An odd factor permutes the numbers of 32 bits, so that no id comes again.
        self.count += 1
        entry_id = f"{self.count * 2_654_435_761 % 2**32:08x}"
        entry = {"type": kind, "id": entry_id, "parentId": self.leaf, "timestamp": _iso(self.now), **fields}
        self.leaf = entry_id
        self.path.append(entry_id)
        self.bytes += len(_line(entry))
        self.since_compaction += 1
        return entry
