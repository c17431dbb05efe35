"""The object that `pitree inspect --json` prints: what pi would answer about a session, value for value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from pitree.cli.entry_ids import NoSuchEntry, resolve_id, resolve_target
from pitree.context.messages import Message
from pitree.context.projection import Projection, project
from pitree.context.tokens import estimate_or_nan
from pitree.context.usage import ContextSize, known_size, should_compact
from pitree.planning.branch import NavigationError, NavigationPlan, plan_navigation
from pitree.planning.compaction import CompactionPlan, plan_compaction
from pitree.planning.effects import context_after_compaction, context_after_navigation
from pitree.planning.rules import Rules
from pitree.planning.settings import Settings
from pitree.session.javascript import JSON, UNDEFINED, to_string, truthy
from pitree.session.problems import PiFails, Problem
from pitree.session.session import Session

SCHEMA = 1
T = TypeVar("T")


@dataclass(frozen=True)
class Question:
    """What is asked of a session.

    Attributes:
        leaf: `--leaf` as typed: an id, `@N`, `@null`, or None for the end of the file.
        target: `--target` as typed: an id or `@N`, or None.
    """

    rules: Rules
    settings: Settings
    leaf: str | None = None
    target: str | None = None


def inspect_session(session: Session, file: str, question: Question) -> dict[str, JSON]:
    """The object for one session.

    Raises:
        NoSuchEntry: when `leaf` names nothing.
    """
    return _Inspection(session, file, question).answer()


class _Inspection:
    def __init__(self, session: Session, file: str, question: Question) -> None:
        self.session = session
        self.file = file
        self.rules = question.rules
        self.settings = question.settings
        self.target = question.target
        self.leaf_id = session.leaf_id if question.leaf is None else resolve_id(session, question.leaf)
        self.problems = list(session.problems)

    def answer(self) -> dict[str, JSON]:
        session, settings = self.session, self.settings
        context = self._context()
        compaction = self._try(self._compaction)
        navigation = None if self.target is None else self._navigation(self.target)
        return {
            "file": self.file,
            "schema": SCHEMA,
            "rules": self.rules.name,
            "header": _header(session.header),
            "version": session.version,
            "name": session.name,
            "entries": session.count,
            "leafId": _plain(self.leaf_id),
            "roots": self._ids(session.tree.roots),
            "tree": [[_plain(session.id_of(i)), depth, children] for i, depth, children in session.tree.walk()],
            "labels": {_label_key(key): label.text for key, label in session.labels.items()},
            "path": self._ids(session.branch(self.leaf_id)),
            "context": context,
            "settings": {
                "enabled": settings.enabled,
                "reserveTokens": settings.reserve_tokens,
                "keepRecentTokens": settings.keep_recent_tokens,
                "contextWindow": settings.context_window,
            },
            "shouldCompact": self._should_compact(),
            "compaction": compaction,
            "navigation": navigation,
            "problems": [_problem(problem) for problem in self.problems],
        }  # fmt: skip

    @cached_property
    def _projection(self) -> Projection:
        return project(self.session, self.session.context_path(self.leaf_id), self.rules)

    @cached_property
    def _size(self) -> ContextSize | None:
        return known_size(self.session, self._projection, self.rules, self.session.branch(self.leaf_id))

    def _context(self) -> dict[str, JSON]:
        size = self._size
        return {
            **self._messages(self._projection.messages),
            "tokens": _number(None if size is None else size.tokens),
            "usageTokens": _number(None if size is None else size.usage),
            "trailingTokens": _number(None if size is None else size.trailing),
            "lastUsageIndex": None if size is None else size.last_usage,
            "thinkingLevel": _plain(self._projection.thinking_level),
            "model": self._projection.model,
        }

    def _should_compact(self) -> bool:
        settings = self.settings
        tokens = None if self._size is None else self._size.tokens
        return should_compact(tokens, settings.context_window, settings.reserve_tokens, enabled=settings.enabled)

    def _ids(self, indices: Sequence[int]) -> list[JSON]:
        return [_plain(self.session.id_of(index)) for index in indices]

    def _id(self, index: int | None) -> JSON:
        return None if index is None else _plain(self.session.id_of(index))

    def _messages(self, messages: Sequence[Message]) -> dict[str, JSON]:
        return {"messages": [self._message(message) for message in messages]}

    def _message(self, message: Message) -> dict[str, JSON]:
        tokens: JSON = _number(estimate_or_nan(message, self.rules))
        if message.entry is None and message.role != "system":
            tokens = None
        return {"entryId": self._id(message.entry), "role": _plain(message.role), "tokens": tokens}

    def _try(self, work: Callable[[], T]) -> T | None:
        """Where pi itself fails, nothing, and the damage named."""
        try:
            return work()
        except PiFails as failure:
            self._note(failure)
            return None

    def _note(self, failure: PiFails) -> None:
        line = None if failure.entry is None else self.session.line(failure.entry)
        problem = Problem(line, "pi-fails", str(failure))
        if problem not in self.problems:
            self.problems.append(problem)

    def _compaction(self) -> JSON:
        plan = plan_compaction(self.session, self.leaf_id, self.rules, self.settings)
        return None if plan is None else self._compaction_object(plan)

    def _compaction_object(self, plan: CompactionPlan) -> JSON:
        files = self._try(lambda: plan.files)
        return {
            "firstKeptEntryId": plan.first_kept_id,
            "isSplitTurn": plan.is_split_turn,
            "turnStartId": self._id(plan.turn_start),
            "tokensBefore": _number(plan.size.tokens),
            "previousSummary": _plain(plan.previous_summary),
            "messagesToSummarize": self._messages(plan.summarized)["messages"],
            "turnPrefixMessages": self._messages(plan.prefix)["messages"],
            "readFiles": None if files is None else files[0],
            "modifiedFiles": None if files is None else files[1],
            "conversationText": self._try(plan.conversation_text),
            "turnPrefixText": self._try(plan.prefix_text),
            "after": self._messages(self._try(lambda: context_after_compaction(plan)) or []),
        }

    def _navigation(self, target: str) -> JSON:
        try:
            target_id = resolve_target(self.session, target)
            plan = plan_navigation(self.session, self.leaf_id, target_id, self.rules, self.settings)
        except (NavigationError, NoSuchEntry) as error:
            return {"error": str(error)}
        except PiFails as failure:
            self._note(failure)
            return {"error": f"pi fails here: {failure}"}
        if plan.noop:
            return {"oldLeafId": _plain(self.leaf_id), "targetId": _plain(target_id), "noop": True}
        return self._navigation_object(plan, target_id)

    def _navigation_object(self, plan: NavigationPlan, target_id: JSON) -> JSON:
        carried = self._try(lambda: plan.carried)
        return {
            "oldLeafId": _plain(self.leaf_id),
            "targetId": _plain(target_id),
            "noop": False,
            "commonAncestorId": self._id(plan.common_ancestor),
            "entryIds": self._ids(plan.entries),
            "messages": None if carried is None else self._messages(carried.messages)["messages"],
            "totalTokens": None if carried is None else _number(carried.total_tokens),
            "budget": plan.budget,
            "readFiles": None if carried is None else carried.read_files,
            "modifiedFiles": None if carried is None else carried.modified_files,
            "conversationText": self._try(plan.conversation_text),
            "newLeafId": self._id(plan.new_leaf),
            "editorText": plan.editor_text,
            "after": self._messages(self._try(lambda: context_after_navigation(plan)) or []),
        }


def _label_key(key: object) -> str:
    """The id that a label names, as the key of an object; one that is an object itself names no entry."""
    if not isinstance(key, tuple):
        return to_string(key)
    kind, value = key
    return "[object Object]" if kind == "object" else to_string(value)


def _header(header: JSON) -> JSON:
    if header is None:
        return None
    shown = {"id": header.get("id"), "cwd": header.get("cwd")}
    return {**shown, "parentSession": header["parentSession"]} if truthy(header.get("parentSession")) else shown


def _problem(problem: Problem) -> dict[str, JSON]:
    return {"line": problem.line, "kind": problem.kind, "message": problem.message}


def _plain(value: JSON) -> JSON:
    return None if value is UNDEFINED else value


def _number(value: JSON) -> JSON:
    """A figure; None for what JSON lacks."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _plain(value)
