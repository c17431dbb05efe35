"""Write a session file as pi would: header and entries, one compact JSON line each.

Nothing here asks a clock or draws a random number. Time starts at a given moment and moves only when told to or by the
length of a message, ids come from a counter through SHA-256, so that a demo has the same bytes on every machine.

Usage figures are worked out, not authored: a small account per entry says how many tokens the context holds there, what
of it a provider would find in its cache, and what a call would cost. That makes them grow the way real ones do.

The module is long because there is a method for each kind of entry.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pitree.lessons.blocks import IMAGE_CHARACTERS, Block, Value, block_length, file_lists, stringify, text_block
from pitree.lessons.ledger import ZERO_COST, Account, Model, usage_of

_CACHE_LIFE = timedelta(minutes=5)
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class SessionBuilder:
    """Grow a session entry by entry; every method that adds one returns its id.

    A new entry hangs under the last one, or under the entry last named in `branch_from`.

    Args:
        seed: what all ids are derived from.
        cwd: the working directory in the header.
        start: when the session begins, in UTC.
        session_id: the id in the header; derived from `seed` when absent.
        overhead: tokens a provider counts before the first entry.
        ratio: tokens a provider counts for each token of pi's estimate (characters divided by four).
    """

    def __init__(
        self,
        seed: str,
        *,
        cwd: str,
        start: datetime,
        session_id: str | None = None,
        overhead: int = 0,
        ratio: float = 1.0,
    ) -> None:
        self._seed = seed
        self._counter = 0
        self._overhead = overhead
        self._ratio = ratio
        self._lines: list[str] = []
        self._used: set[str] = set()
        self._accounts: dict[str, Account] = {}
        self._base = overhead
        self.now = start
        self.leaf: str | None = None
        self.model = Model()
        self.thinking_level = "off"
        header: dict[str, Value] = {
            "type": "session",
            "version": 3,
            "id": session_id or self._uuid(),
            "timestamp": self.iso(),
            "cwd": cwd,
        }
        self._lines.append(stringify(header))

    def build(self) -> bytes:
        """Return the file: every line ends in a newline, UTF-8."""
        return ("\n".join(self._lines) + "\n").encode("utf-8")

    # Time and ids -----------------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(milliseconds=round(seconds * 1000))

    def iso(self) -> str:
        """Return the moment as pi writes it: milliseconds and `Z`."""
        return self.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"

    def milliseconds(self) -> int:
        """Return the moment in milliseconds since 1970, as messages carry it."""
        return round(self.now.timestamp() * 1000)

    def noise(self, low: int, high: int) -> int:
        """Return a number from `low` to `high` that only depends on the seed and on how many were asked before."""
        return low + int.from_bytes(self._digest()[:4], "big") % (high - low + 1)

    def token(self, prefix: str, length: int = 22) -> str:
        """Return an id as providers give them, such as `toolu_01…`."""
        digest = self._digest()
        return prefix + "".join(_BASE62[byte % 62] for byte in digest[:length])

    def _digest(self) -> bytes:
        self._counter += 1
        return hashlib.sha256(f"{self._seed}:{self._counter}".encode()).digest()

    def _uuid(self) -> str:
        text = self._digest().hex()
        return f"{text[:8]}-{text[8:12]}-7{text[13:16]}-8{text[17:20]}-{text[20:32]}"

    def _fresh(self) -> str:
        while (entry_id := self._digest().hex()[:8]) in self._used:
            pass
        return entry_id

    # The tree ---------------------------------------------------------------------------------------------------

    def branch_from(self, entry_id: str | None) -> None:
        """Go to `entry_id` (None: before the first entry); the next entry hangs under it."""
        if entry_id is not None and entry_id not in self._used:
            raise KeyError(entry_id)
        self.leaf = entry_id

    def path(self, entry_id: str | None) -> list[str]:
        """Return the ids from the root to `entry_id`."""
        found = []
        while entry_id is not None:
            found.append(entry_id)
            entry_id = self._accounts[entry_id].parent
        return found[::-1]

    def _append(self, head: Mapping[str, Value], tail: Mapping[str, Value], own: int, entry_id: str | None) -> str:
        """Add one line: `head`, then id, parentId and timestamp, then `tail`. `own` is what it adds to the context."""
        new = entry_id or self._fresh()
        if new in self._used:
            raise ValueError(f"id used twice: {new}")
        placed: dict[str, Value] = {"id": new, "parentId": self.leaf, "timestamp": self.iso()}
        self._lines.append(stringify({**head, **placed, **tail}))
        self._used.add(new)
        before = self._account()
        self._accounts[new] = Account(self.leaf, own, before.total + own, before.cached, before.cached_at)
        self.leaf = new
        return new

    def _account(self) -> Account:
        if self.leaf is None:
            return Account(None, 0, self._overhead, 0, self.now)
        return self._accounts[self.leaf]

    # Tokens and usage -------------------------------------------------------------------------------------------

    def tokens(self, characters: int) -> int:
        """Return what a provider would count for so many characters."""
        return -(-round(characters * self._ratio) // 4)

    def _usage(self, own: int) -> dict[str, Value]:
        """Return the usage of a call whose answer is `own` tokens long, and note what is cached after it."""
        account = self._account()
        cached = account.cached if self.now - account.cached_at < _CACHE_LIFE else 0
        fresh = account.total - cached
        plain = min(fresh, self.noise(3, 60))
        return usage_of(self.model, plain, own, cached, fresh - plain)

    # Messages ---------------------------------------------------------------------------------------------------

    def message(self, message: Mapping[str, Value], own: int = 0, entry_id: str | None = None) -> str:
        """Add a message entry of any role as it is."""
        placed: dict[str, Value] = {"message": message}
        return self._append({"type": "message"}, placed, own, entry_id)

    def system(self, sections: Mapping[str, str], tools: Sequence[Mapping[str, Value]], content: str = "") -> str:
        """Add a system message as pi 1.6 writes it: content, sections, timestamp, toolsAdded."""
        length = len(content) + sum(map(len, sections.values())) + len(stringify(tools))
        body: dict[str, Value] = {
            "role": "system",
            "content": content,
            "sections": sections,
            "timestamp": self.milliseconds(),
            "toolsAdded": tools,
        }
        own = self.tokens(length)
        self._base = self._overhead + own
        return self.message(body, own)

    def user(self, text: str, images: Sequence[Block] = (), entry_id: str | None = None) -> str:
        """Add what a person typed, with pasted images."""
        body: dict[str, Value] = {
            "role": "user",
            "content": [text_block(text), *images],
            "timestamp": self.milliseconds(),
        }
        return self.message(body, self.tokens(len(text) + IMAGE_CHARACTERS * len(images)), entry_id)

    def thinking(self, text: str) -> Block:
        """Return a thinking block with a signature that looks like a provider's."""
        signature = base64.b64encode(self._digest() * 3).decode("ascii")
        return {"type": "thinking", "thinking": text, "thinkingSignature": "EqQD" + signature}

    def tool_call(self, name: str, arguments: Mapping[str, Value], call_id: str | None = None) -> Block:
        """Return a tool call block."""
        return {"type": "toolCall", "id": call_id or self.token("toolu_01"), "name": name, "arguments": arguments}

    def assistant(self, blocks: Sequence[Block], entry_id: str | None = None, stop: str | None = None) -> str:
        """Add an answer; its length decides how long it took and what it used."""
        calls = any(block["type"] == "toolCall" for block in blocks)
        own = self.tokens(sum(map(block_length, blocks)))
        usage = self._usage(own)
        started = self.milliseconds()
        self.wait(1.2 + own / 70)
        body: dict[str, Value] = {
            "role": "assistant",
            "content": blocks,
            "api": self.model.api,
            "provider": self.model.provider,
            "model": self.model.model_id,
            "usage": usage,
            "stopReason": stop or ("toolUse" if calls else "stop"),
            "timestamp": started,
            "responseId": self.token("msg_01"),
            "rawStopReason": "tool_use" if calls else "end_turn",
            "durationMs": self.milliseconds() - started,
            "thinkingLevel": self.thinking_level,
        }
        new = self.message(body, own, entry_id)
        cached = int(str(usage["cacheRead"])) + int(str(usage["cacheWrite"]))
        account = self._accounts[new]
        self._accounts[new] = Account(account.parent, own, account.total, cached, self.now)
        return new

    def failed_assistant(self, blocks: Sequence[Block], stop: str, error: str) -> str:
        """Add an answer that ended in `error` or was `aborted`; pi does not send such answers again."""
        usage = usage_of(self.model, 0, 0, 0, 0)
        if stop == "aborted":
            usage = self._usage(1)
        else:
            usage = {**usage, "cost": ZERO_COST}
            del usage["cacheWrite1h"]
        started = self.milliseconds()
        self.wait(2.4)
        body: dict[str, Value] = {
            "role": "assistant",
            "content": blocks,
            "api": self.model.api,
            "provider": self.model.provider,
            "model": self.model.model_id,
            "usage": usage,
            "stopReason": stop,
            "timestamp": started,
            "errorMessage": error,
            "durationMs": self.milliseconds() - started,
            "thinkingLevel": self.thinking_level,
        }
        return self.message(body)

    def tool_result(
        self,
        call: Block,
        content: str | Sequence[Block],
        *,
        details: Value = None,
        is_error: bool = False,
        seconds: float = 0.02,
        entry_id: str | None = None,
    ) -> str:
        """Add the result of `call`; `details` stands between content and isError when there is one."""
        blocks = [text_block(content)] if isinstance(content, str) else content
        self.wait(seconds)
        body: dict[str, Value] = {
            "role": "toolResult",
            "toolCallId": call["id"],
            "toolName": call["name"],
            "content": blocks,
            **({} if details is None else {"details": details}),
            "isError": is_error,
            "durationMs": round(seconds * 1000),
            "timestamp": self.milliseconds(),
        }
        return self.message(body, self.tokens(sum(map(block_length, blocks))), entry_id)

    def bash(self, command: str, output: str, exit_code: int = 0, *, hidden: bool = False) -> str:
        """Add a command that the person ran; a `hidden` one (`!!`) is kept out of the context."""
        body: dict[str, Value] = {
            "role": "bashExecution",
            "command": command,
            "output": output,
            "exitCode": exit_code,
            "cancelled": False,
            "truncated": False,
            "timestamp": self.milliseconds(),
            **({"excludeFromContext": True} if hidden else {}),
        }
        return self.message(body, 0 if hidden else self.tokens(len(command) + len(output)))

    # Other entries ----------------------------------------------------------------------------------------------

    def model_change(self, model: Model) -> str:
        """Add a change of model, which later answers carry; the new one has nothing cached."""
        self.model = model
        tail: dict[str, Value] = {"provider": model.provider, "modelId": model.model_id}
        new = self._append({"type": "model_change"}, tail, 0, None)
        self._accounts[new] = replace(self._accounts[new], cached=0)
        return new

    def thinking_level_change(self, level: str) -> str:
        """Add a change of the thinking level, which later answers carry."""
        self.thinking_level = level
        return self._append({"type": "thinking_level_change"}, {"thinkingLevel": level}, 0, None)

    def session_name(self, name: str) -> str:
        """Name the session."""
        return self._append({"type": "session_info"}, {"name": name}, 0, None)

    def label(self, target_id: str, label: str | None) -> str:
        """Label an entry; None takes the label away."""
        tail: dict[str, Value] = {"targetId": target_id, **({} if label is None else {"label": label})}
        return self._append({"type": "label"}, tail, 0, None)

    def context_edit(self, target_id: str, replacement: Value = None) -> str:
        """Replace what the model sees of an entry; None leaves the entry out, as pi 1.6 does with failed answers."""
        tail: dict[str, Value] = {"targetId": target_id, "replacement": replacement}
        return self._append({"type": "context_edit"}, tail, 0, None)

    def custom(self, custom_type: str, data: Value) -> str:
        """Add what an extension keeps for itself; the model never sees it."""
        return self._append({"type": "custom", "customType": custom_type, "data": data}, {}, 0, None)

    def custom_message(self, custom_type: str, content: str, details: Value = None) -> str:
        """Add what an extension says to the model."""
        head: dict[str, Value] = {
            "type": "custom_message",
            "customType": custom_type,
            "content": content,
            "display": True,
            **({} if details is None else {"details": details}),
        }
        return self._append(head, {}, self.tokens(len(content)), None)

    def compaction(
        self,
        summary: str,
        first_kept: str,
        *,
        read_files: Sequence[str] = (),
        modified_files: Sequence[str] = (),
        tokens_before: int | None = None,
        system_message: Mapping[str, Value] | None = None,
        entry_id: str | None = None,
    ) -> str:
        """Add a compaction; the file lists go into `details` and, as pi does, behind the summary.

        `tokens_before` is what the context held when absent. `system_message` gets the moment as its timestamp.
        """
        before = self._account()
        output = self.tokens(len(summary))
        usage = usage_of(self.model, round(before.total * 0.82), output, 0, 0)
        self.wait(4 + output / 70)
        tail: dict[str, Value] = {
            "summary": summary + file_lists(read_files, modified_files),
            "firstKeptEntryId": first_kept,
            "tokensBefore": before.total if tokens_before is None else tokens_before,
            "details": {"readFiles": list(read_files), "modifiedFiles": list(modified_files)},
            "usage": usage,
            "fromHook": False,
        }
        if system_message is not None:
            tail["systemMessage"] = {**system_message, "timestamp": self.milliseconds()}
        kept = self._kept(first_kept)
        new = self._append({"type": "compaction"}, tail, self.tokens(len(str(tail["summary"]))), entry_id)
        account = self._accounts[new]
        total = self._base + account.own + kept
        self._accounts[new] = Account(account.parent, account.own, total, self._base, self.now)
        return new

    def _kept(self, first_kept: str) -> int:
        """Return the tokens of the messages from `first_kept` to the leaf, summaries of older compactions included."""
        path = self.path(self.leaf)
        return sum(self._accounts[entry_id].own for entry_id in path[path.index(first_kept) :])

    def branch_summary(
        self, summary: str, from_id: str, *, read_files: Sequence[str] = (), modified_files: Sequence[str] = ()
    ) -> str:
        """Add the summary of the branch that ended in `from_id`, under the current leaf."""
        text = summary + file_lists(read_files, modified_files)
        output = self.tokens(len(summary))
        left = self._accounts[from_id].total
        usage = usage_of(self.model, round(left * 0.2), output, 0, 0)
        self.wait(3 + output / 70)
        tail: dict[str, Value] = {
            "fromId": from_id,
            "summary": text,
            "details": {"readFiles": list(read_files), "modifiedFiles": list(modified_files)},
            "usage": usage,
            "fromHook": False,
        }
        return self._append({"type": "branch_summary"}, tail, self.tokens(len(text)), None)
