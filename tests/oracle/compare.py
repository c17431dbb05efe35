"""Where pitree's answer about a session differs from pi's own.

Nothing is compared where pi itself throws or never returns, and no figure where pi got no number: there any answer
is right, as long as there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Answer = dict[str, Any]

_PLAN_KEYS = (
    "firstKeptEntryId",
    "isSplitTurn",
    "tokensBefore",
    "previousSummary",
    "conversationText",
    "turnPrefixText",
)
_TOTAL_KEYS = ("tokens", "usageTokens", "trailingTokens", "lastUsageIndex")


@dataclass(frozen=True)
class Difference:
    """One value in which the two differ: its key, what pi has, what pitree has."""

    key: str
    pi: Any
    pitree: Any


def differences(pi: Answer, pitree: Answer, rules: str) -> list[Difference]:
    """All differences between an answer of the oracle and one of `pitree inspect --json`."""
    return list(_all(pi, pitree, rules))


def same(pi: Any, pitree: Any) -> bool:
    """JSON equality: true is not 1, but 1.0 is."""
    if isinstance(pi, list) and isinstance(pitree, list):
        return len(pi) == len(pitree) and all(map(same, pi, pitree))
    if isinstance(pi, dict) and isinstance(pitree, dict):
        return pi.keys() == pitree.keys() and all(same(pi[key], pitree[key]) for key in pi)
    if isinstance(pi, bool) != isinstance(pitree, bool):
        return False
    return bool(pi == pitree)


def _failed(value: Any) -> bool:
    return isinstance(value, dict) and "error" in value


def _differ(key: str, pi: Any, pitree: Any) -> Iterator[Difference]:
    if not _failed(pi) and not same(pi, pitree):
        yield Difference(key, pi, pitree)


def _figure(key: str, pi: Any, pitree: Any) -> Iterator[Difference]:
    if not isinstance(pi, str):
        yield from _differ(key, pi, pitree)


def _messages(key: str, pi: list[Any], pitree: Any) -> Iterator[Difference]:
    have = [[item.get("role"), item.get("tokens")] for item in pitree] if isinstance(pitree, list) else []
    want = [[role, "any" if isinstance(tokens, str) else tokens] for role, tokens in pi]
    for wanted, found in zip(want, have, strict=False):
        if wanted[1] == "any":
            found[1] = "any"
    yield from _differ(key, want, have)


def _all(pi: Answer, pitree: Answer, rules: str) -> Iterator[Difference]:
    if pi.get("hang"):
        return
    if pi["load"] != "ok":
        message = pi["load"]["error"]
        if "not a valid pi session" in message and "error" not in pitree:
            yield Difference("error", message, "opened")
        return
    if "error" in pitree:
        yield Difference("error", None, pitree["error"])
        return
    yield from _session(pi, pitree)
    yield from _context(pi, pitree, rules)
    if not _failed(pi["preparation"]):
        yield from _compaction(pi, pitree.get("compaction"), rules)
    if "navigation" in pi:
        yield from _navigation(pi["navigation"], pitree.get("navigation"))


def _session(pi: Answer, pitree: Answer) -> Iterator[Difference]:
    header = pitree.get("header")
    found = None if header is None else {"id": header.get("id"), "cwd": header.get("cwd")}
    yield from _differ("header", pi["header"], found)
    if pi["header"] is not None:
        yield from _differ("version", pi["version"], pitree.get("version"))
    names = {"sessionName": "name", "leaf": "leafId"}
    for key in ("entries", "sessionName", "leaf", "roots", "tree", "labels", "path"):
        yield from _differ(names.get(key, key), pi[key], pitree.get(names.get(key, key)))


def _context(pi: Answer, pitree: Answer, rules: str) -> Iterator[Difference]:
    found = pitree.get("context") or {}
    context = pi["context"]
    if not _failed(context):
        yield from _messages("context.messages", context["messages"], found.get("messages"))
        if "projection" in context:
            ids = [entry_id for entry_id, count in context["projection"] for _ in range(count)]
            yield from _differ("context.entryIds", ids, [item.get("entryId") for item in found.get("messages") or []])
        for key in ("thinkingLevel", "model"):
            yield from _differ(f"context.{key}", context[key], found.get(key))
    totals = pi["contextTokens"]["projected" if rules == "1.6" else "estimate"]
    if not _failed(totals):
        for key in _TOTAL_KEYS:
            yield from _figure(f"context.{key}", totals[key], found.get(key))
        yield from _differ("shouldCompact", pi["shouldCompact"], pitree.get("shouldCompact"))


def _compaction(pi: Answer, found: Any, rules: str) -> Iterator[Difference]:
    plan = pi["preparation"]
    if plan is None or found is None:
        if plan is not found:
            yield Difference("compaction", plan and "a plan", found and "a plan")
        return
    for key in _PLAN_KEYS:
        yield from (_figure if key == "tokensBefore" else _differ)(f"compaction.{key}", plan[key], found.get(key))
    for key in ("messagesToSummarize", "turnPrefixMessages"):
        yield from _messages(f"compaction.{key}", plan[key], found.get(key))
    yield from _files("compaction", plan["fileOps"], found)
    boundary = pi["cutPoint"]["fromBoundary"]
    if rules == "0.84" and not _failed(boundary):
        start = boundary["turnStartId"] if plan["isSplitTurn"] else None
        yield from _differ("compaction.turnStartId", start, found.get("turnStartId"))
    after = pi["afterCompaction"]
    if not _failed(after) and not _failed(after["context"]):
        yield from _after("compaction", after["context"], "compactionSummary", found)


def _after(key: str, context: Answer, role: str | None, found: Answer, last: bool = False) -> Iterator[Difference]:
    messages = [list(item) for item in context["messages"]]
    places = [i for i, item in enumerate(messages) if role is not None and item[0] == role]
    if places:
        messages[places[-1 if last else 0]][1] = None
    yield from _messages(f"{key}.after.messages", messages, (found.get("after") or {}).get("messages"))


def _files(key: str, files: Answer, found: Answer) -> Iterator[Difference]:
    if not _failed(files):
        for name in ("readFiles", "modifiedFiles"):
            yield from _differ(f"{key}.{name}", files[name], found.get(name))


def _navigation(pi: Answer, found: Any) -> Iterator[Difference]:
    if _failed(pi):
        # An id that is a list or an object is found by identity: the oracle has read it a second time.
        by_identity = isinstance(found, dict) and isinstance(found.get("targetId"), list | dict)
        if "not found" in str(pi["error"]) and not _failed(found) and not by_identity:
            yield Difference("navigation", pi["error"], found)
        return
    if not isinstance(found, dict) or _failed(found):
        yield Difference("navigation", "a plan", found)
        return
    if pi.get("noop"):
        yield from _differ("navigation.noop", True, found.get("noop"))
        return
    yield from _differ("navigation.oldLeafId", pi["oldLeafId"], found.get("oldLeafId"))
    yield from _differ(
        "navigation.commonAncestorId", pi["collected"]["commonAncestorId"], found.get("commonAncestorId")
    )
    yield from _differ("navigation.entryIds", pi["collected"]["entries"], found.get("entryIds"))
    yield from _left_branch(pi, found)
    yield from _differ("navigation.newLeafId", pi["newLeafId"], found.get("newLeafId"))
    yield from _differ("navigation.editorText", pi["editorText"], found.get("editorText"))
    summarized = bool(pi["collected"]["entries"])
    context = pi["withSummary" if summarized else "withoutSummary"]["context"]
    if not _failed(context):
        yield from _after("navigation", context, "branchSummary" if summarized else None, found, last=True)


def _left_branch(pi: Answer, found: Answer) -> Iterator[Difference]:
    branch = pi["branchEntries"]
    if _failed(branch):
        return
    yield from _figure("navigation.budget", pi["budget"], found.get("budget"))
    yield from _messages("navigation.messages", branch["messages"], found.get("messages"))
    yield from _figure("navigation.totalTokens", branch["totalTokens"], found.get("totalTokens"))
    yield from _differ("navigation.conversationText", branch["conversationText"], found.get("conversationText"))
    yield from _files("navigation", branch["fileOps"], found)
