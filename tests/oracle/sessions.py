"""Seeded makers of whole session files: believable ones, with as much damage as is asked for.

`session(seed)` is a pure function of its seed. Each session draws how odd it is: most are what pi writes, so that
plans are long and nothing hides behind an early failure; others put something strange into every second entry.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.oracle import values
from tests.oracle.damage import damage_lines, damage_values
from tests.oracle.values import MISSING, Raw, chance

_ODDS = (0.0, 0.0, 0.01, 0.03, 0.1, 0.3)
_STRAIGHT = (0.85, 0.85, 0.97, 1.0, 0.2)
_SIZES = (1, 2, 4, 6, 8, 12, 20, 40)
_STOPS = ("stop", "toolUse", "length", "error", "aborted")
_IDS: tuple[Any, ...] = (0, 5, "", None, MISSING, True, False, 1, 1.5, "5", "0", Raw("1.0"), Raw("-0"), "null", "a b")
_VERSIONS: tuple[Any, ...] = (1, 2, 0, "2", "abc", {}, [], None, True, 2.5, 4, Raw("1e400"), "3", -1)
_TOOLS = ("read", "write", "edit", "bash", "read ", "Edit")

Value = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A session file and the questions to ask about it.

    Attributes:
        content: The bytes of the file.
        runs: Arguments (leaf, target, keepRecent, reserve, window), one dict per question.
    """

    content: bytes
    runs: list[dict[str, Any]]


@dataclass
class Maker:
    """What is known while a session is made.

    Attributes:
        odds: How often something is strange.
        straight: How often an entry hangs below the one before it.
    """

    rng: Random
    odds: float
    version: Any
    straight: float
    entries: list[Value] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)

    def odd(self) -> bool:
        return chance(self.rng, self.odds)

    def or_odd(self, value: Any) -> Any:
        return values.odd_value(self.rng) if self.odd() else value

    def text(self) -> str:
        return values.text(self.rng, self.odds)

    def some_id(self) -> Any:
        if not self.ids or chance(self.rng, 0.05):
            return self.rng.choice(("nowhere", None, "", 5))
        return self.rng.choice(self.ids[-8:] if chance(self.rng, 0.7) else self.ids)


def session(seed: int) -> Case:
    """A session file, and a few questions about it."""
    rng = Random(seed)
    odds = rng.choice(_ODDS)
    version: Any = 3
    if chance(rng, 0.12):
        version = values.one_of(rng, _VERSIONS) if chance(rng, 0.5) else rng.choice((1, 2, MISSING))
    maker = Maker(rng, odds, version, rng.choice(_STRAIGHT))
    for _ in range(rng.choice(_SIZES) + rng.randrange(4)):
        maker.entries.append(_entry(maker))
    everything = [_header(maker), *maker.entries]
    damage_values(rng, odds, everything)
    lines = [values.write(item, rng, odds).encode("utf-8", "surrogatepass") for item in everything]
    return Case(damage_lines(rng, odds, lines), _runs(maker, len(lines)))


def remade(content: bytes, seed: int) -> Case:
    """An existing session file with seeded damage, and a few questions about it."""
    rng = Random(seed)
    lines = content.split(b"\n")
    places = [i for i, line in enumerate(lines) if line.startswith(b"{")]
    for place in rng.sample(places, min(len(places), rng.choice((0, 1, 1, 2, 4)))):
        try:
            entry = json.loads(lines[place])
        except (ValueError, RecursionError):
            continue
        damage_values(rng, 1.0, [entry])
        lines[place] = values.write(entry, rng, 0.0).encode("utf-8", "surrogatepass")
    maker = Maker(rng, rng.choice(_ODDS), 3, 1.0)
    whole = lines[:-1] if lines[-1] == b"" else lines
    damaged = damage_lines(rng, maker.odds, whole) if whole and chance(rng, 0.5) else b"\n".join(lines)
    return Case(damaged, _runs(maker, len(lines)))


def _header(maker: Maker) -> Value:
    return {
        "type": "session",
        "version": maker.version,
        "id": maker.or_odd("11111111-2222-3333-4444-555555555555") if maker.odd() else "019b0000-aaaa",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": maker.or_odd("/src/project"),
        "parentSession": "/old.jsonl" if chance(maker.rng, 0.1) else MISSING,
    }


def _runs(maker: Maker, lines: int) -> list[dict[str, Any]]:
    rng = maker.rng
    runs: list[dict[str, Any]] = []
    for _ in range(3):
        round_figure = rng.choice((0, 1, 5, 10, 30, 60, 100, 150, 300, 500, 1000, 3000, 20000))
        run: dict[str, Any] = {"keepRecent": round_figure if chance(rng, 0.5) else rng.randrange(400)}
        if chance(rng, 0.4):
            run["window"] = rng.choice((10000, 16384, 16400, 16384 + rng.randrange(300), 17000, 20000, 128000))
        if chance(rng, 0.2):
            run["reserve"] = rng.choice((0, 100, 16000))
        if chance(rng, 0.4):
            run["leaf"] = _place(maker, lines)
        if chance(rng, 0.5):
            run["target"] = _place(maker, lines)
        runs.append(run)
    return runs


def _place(maker: Maker, lines: int) -> str:
    plain = [e.get("id") for e in maker.entries if isinstance(e.get("id"), str) and e["id"].isalnum()]
    if plain and chance(maker.rng, 0.3):
        return str(maker.rng.choice(plain))
    if chance(maker.rng, 0.03):
        return maker.rng.choice(("@null", "nope", "@0"))
    return f"@{maker.rng.randrange(1, max(2, lines))}"


def _entry(maker: Maker) -> Value:
    rng = maker.rng
    make, kind = rng.choices(_KINDS, _WEIGHTS)[0]
    body = make(maker)
    entry: Value = {"type": kind}
    if not (maker.version in (1, MISSING) and chance(rng, 0.9)):
        entry["id"] = _new_id(maker)
        entry["parentId"] = _parent(maker)
    entry["timestamp"] = values.timestamp(rng, len(maker.entries), max(maker.odds, 0.02))
    entry.update(body)
    maker.ids.append(entry.get("id", f"e{len(maker.ids) + 1}"))
    return entry


def _new_id(maker: Maker) -> Any:
    if maker.odd():
        return maker.rng.choice(_IDS) if chance(maker.rng, 0.5) or not maker.ids else maker.rng.choice(maker.ids)
    return f"e{len(maker.ids) + 1}"


def _parent(maker: Maker) -> Any:
    rng = maker.rng
    if not maker.ids:
        return maker.or_odd(None)
    if maker.odd():
        return rng.choice((*_IDS, "nowhere", f"e{len(maker.ids) + 1}", f"e{len(maker.ids) + 2}"))
    if chance(rng, maker.straight):
        return maker.ids[-1]
    return None if chance(rng, 0.1) else rng.choice(maker.ids if chance(rng, 0.5) else maker.ids[:3])


# Content of messages.


def _blocks(maker: Maker, images: bool = True) -> Any:
    if chance(maker.rng, 0.4):
        return maker.text()
    if maker.odd():
        return values.odd_value(maker.rng)
    blocks: list[Any] = []
    for _ in range(maker.rng.choice((0, 1, 1, 1, 2, 3))):
        block: Value = {"type": "text", "text": maker.or_odd(maker.text())}
        if images and chance(maker.rng, 0.15):
            block = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
        blocks.append(_odd_block(maker) if maker.odd() else block)
    return blocks


def _odd_block(maker: Maker) -> Any:
    return maker.rng.choice(
        (
            None,
            "text",
            5,
            {},
            [],
            {"type": "text"},
            {"type": "new", "text": "q"},
            {"text": "no type"},
            {"type": "image"},
        )
    )


def _assistant_block(maker: Maker) -> Any:
    draw = maker.rng.random()
    if maker.odd():
        return _odd_block(maker)
    if draw < 0.4:
        return {"type": "text", "text": maker.text()}
    if draw < 0.55:
        return {"type": "thinking", "thinking": maker.text(), "thinkingSignature": "s"}
    if draw < 0.6:
        return {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    name = maker.or_odd(maker.rng.choice(_TOOLS))
    return {"type": "toolCall", "id": "c1", "name": name, "arguments": values.arguments(maker.rng, maker.odds)}


def _usage(maker: Maker) -> Any:
    if maker.odd():
        return maker.rng.choice(
            (None, 0, "lots", {}, [], 12, {"totalTokens": "120"}, {"input": 1}, {"totalTokens": None, "input": 5})
        )
    parts = {key: maker.rng.choice((0, 0, 1, 50, 900)) for key in ("input", "output", "cacheRead", "cacheWrite")}
    usage: Value = {key: maker.or_odd(amount) for key, amount in parts.items()}
    total = sum(parts.values())
    usage["totalTokens"] = maker.rng.choice((total, total, 0, MISSING, maker.or_odd(12.5), maker.or_odd(True)))
    return usage


def _message(role: Any, **more: Any) -> Value:
    return {"message": {"role": role, **more, "timestamp": 1767225601000}}


def _user(maker: Maker) -> Value:
    return _message("user", content=_blocks(maker))


def _assistant(maker: Maker) -> Value:
    count = maker.rng.choice((0, 1, 1, 2, 2, 3))
    content: Any = [_assistant_block(maker) for _ in range(count)]
    if maker.odd():
        content = maker.rng.choice((None, MISSING, "plain", {}, 0))
    return _message(
        "assistant",
        content=content,
        provider=maker.or_odd("anthropic"),
        model=maker.or_odd(maker.rng.choice(("claude-x", "claude-y"))),
        usage=_usage(maker) if chance(maker.rng, 0.35) else MISSING,
        stopReason=maker.or_odd(maker.rng.choice(_STOPS) if chance(maker.rng, 0.3) else "stop"),
    )


def _tool_result(maker: Maker) -> Value:
    nested: Any = MISSING
    if chance(maker.rng, 0.2):
        calls = [
            maker.or_odd({"name": maker.rng.choice(_TOOLS), "arguments": values.arguments(maker.rng, maker.odds)})
            for _ in range(maker.rng.randrange(3))
        ]
        nested = maker.or_odd({"calls": maker.or_odd(calls)})
    return _message(
        "toolResult",
        toolCallId="c1",
        toolName="read",
        content=_blocks(maker),
        isError=chance(maker.rng, 0.1),
        nestedCalls=nested,
    )


def _bash(maker: Maker) -> Value:
    rng = maker.rng
    return _message(
        "bashExecution",
        command=maker.or_odd(maker.text()),
        output=maker.or_odd(maker.text()),
        exitCode=rng.choice((0, 0, 1, 127, None, MISSING, maker.or_odd("1"))),
        cancelled=rng.choice((False, False, True, MISSING)),
        truncated=rng.choice((False, True)),
        fullOutputPath=rng.choice((MISSING, "/tmp/out", maker.or_odd("/x"))),
        excludeFromContext=rng.choice((MISSING, MISSING, True, False, maker.or_odd(1))),
    )


def _custom_role(maker: Maker) -> Value:
    role = maker.rng.choice(("custom", "hookMessage", "custom"))
    return _message(role, customType="ext", content=_blocks(maker), display=True)


def _other_role(maker: Maker) -> Value:
    role = maker.rng.choice(("branchSummary", "compactionSummary", "developer", "", None, 5, MISSING, "User"))
    return _message(role, content=_blocks(maker), summary=maker.or_odd(maker.text()))


def _system_message(maker: Maker) -> Value:
    rng = maker.rng
    names = ("tools", "skills", "10", "2", "context")
    sections = {rng.choice(names): maker.or_odd(rng.choice((None, maker.text()))) for _ in range(rng.randrange(4))}
    tools = [
        maker.or_odd({"name": rng.choice(("read", "bash", "x")), "description": maker.text(), "parameters": {"2": 1}})
        for _ in range(rng.randrange(3))
    ]
    return {
        "role": "system",
        "content": rng.choice(
            (maker.text(), maker.text(), "", [{"type": "text", "text": maker.text()}], maker.or_odd(""))
        ),
        "sections": maker.or_odd(sections) if chance(rng, 0.6) else MISSING,
        "toolsAdded": maker.or_odd(tools) if chance(rng, 0.5) else MISSING,
        "toolsRemoved": maker.or_odd([rng.choice(("read", "bash"))]) if chance(rng, 0.3) else MISSING,
        "timestamp": 1767225601000,
    }


def _system(maker: Maker) -> Value:
    return {"message": _system_message(maker)}


# Other entries.


def _details(maker: Maker) -> Any:
    def files() -> Any:
        return maker.or_odd([maker.or_odd(values.path(maker.rng)) for _ in range(maker.rng.randrange(4))])

    return maker.rng.choice((MISSING, maker.or_odd({"readFiles": files(), "modifiedFiles": files()})))


def _hook(maker: Maker) -> Any:
    return maker.rng.choice((MISSING, False, False, True, maker.or_odd(1)))


def _compaction(maker: Maker) -> Value:
    rng = maker.rng
    kept: Value = {"firstKeptEntryId": maker.or_odd(maker.some_id())}
    if chance(rng, 0.08):
        kept = {"firstKeptEntryId": f"e{len(maker.ids) + rng.choice((1, 2, 3))}"}
    if maker.version in (1, MISSING) or maker.odd():
        index = rng.randrange(len(maker.ids) + 3)
        kept = {"firstKeptEntryIndex": rng.choice((index, index, index, -1, 1.5, "2", None, Raw("2.0")))}
    return {
        "summary": maker.or_odd(maker.text()),
        **kept,
        "tokensBefore": maker.or_odd(1000),
        "details": _details(maker),
        "fromHook": _hook(maker),
        "systemMessage": maker.or_odd(_system_message(maker)) if chance(rng, 0.2) else MISSING,
    }


def _branch_summary(maker: Maker) -> Value:
    summary = maker.or_odd(maker.text())
    return {"fromId": maker.some_id(), "summary": summary, "details": _details(maker), "fromHook": _hook(maker)}


def _context_edit(maker: Maker) -> Value:
    replacement: Any = None
    if chance(maker.rng, 0.6):
        content = maker.text() if chance(maker.rng, 0.4) else [_assistant_block(maker) for _ in range(2)]
        replacement = maker.or_odd({"content": maker.or_odd(content)})
    return {"targetId": maker.some_id(), "replacement": maker.or_odd(replacement)}


def _custom_message(maker: Maker) -> Value:
    return {"customType": "ext", "content": _blocks(maker), "display": True, "details": maker.or_odd(MISSING)}


def _label(maker: Maker) -> Value:
    return {"targetId": maker.some_id(), "label": maker.rng.choice(("here", "later ", MISSING, "", maker.or_odd("x")))}


def _session_info(maker: Maker) -> Value:
    names = ("My session", "  padded\u00a0\ufeff ", "", MISSING, "\x85kept", maker.or_odd("n"), maker.text())
    return {"name": maker.rng.choice(names)}


def _model_change(maker: Maker) -> Value:
    return {"provider": maker.or_odd("openai"), "modelId": maker.or_odd("gpt-x")}


def _thinking_level(maker: Maker) -> Value:
    return {"thinkingLevel": maker.or_odd(maker.rng.choice(("off", "low", "high")))}


def _custom(maker: Maker) -> Value:
    return {"customType": "pitree.move", "data": values.value(maker.rng, maker.odds, 1)}


def _unknown(maker: Maker) -> Value:
    return {"data": values.value(maker.rng, maker.odds, 1), **(_user(maker) if chance(maker.rng, 0.3) else {})}


_KINDS: list[tuple[Callable[[Maker], Value], Any]] = [
    (_user, "message"),
    (_assistant, "message"),
    (_tool_result, "message"),
    (_bash, "message"),
    (_custom_role, "message"),
    (_system, "message"),
    (_compaction, "compaction"),
    (_branch_summary, "branch_summary"),
    (_context_edit, "context_edit"),
    (_custom_message, "custom_message"),
    (_label, "label"),
    (_session_info, "session_info"),
    (_model_change, "model_change"),
    (_thinking_level, "thinking_level_change"),
    (_custom, "custom"),
    (_unknown, "usage"),
    (_unknown, "from_the_future"),
    (_other_role, "message"),
]
_WEIGHTS = [20, 30, 18, 5, 2, 3, 5, 3, 6, 3, 3, 1, 1, 1, 2, 1, 1, 1]
