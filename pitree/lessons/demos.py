"""The built-in sessions, by the name that `pitree --demo NAME` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pitree.lessons import diagrams, rich

DEFAULT = "rich"


@dataclass(frozen=True)
class Demo:
    """A session and how to look at it. Hints that are None leave the choice to the usual rules.

    Attributes:
        name: what is typed after `--demo`.
        title: a few words for lists and headers.
        about: one sentence on what there is to see.
        build: returns the bytes of the session file, the same ones every time.
        keep_recent_tokens: the setting with which the cut falls where the demo wants it.
        reserve_tokens: the setting that goes with a small window.
        context_window: in tokens.
        leaf_id: the entry to stand on, where it is not the last one of the file.
        target_id: the entry to go to, where the demo is about leaving a branch.
    """

    name: str
    title: str
    about: str
    build: Callable[[], bytes]
    keep_recent_tokens: int | None = None
    reserve_tokens: int | None = None
    context_window: int | None = None
    leaf_id: str | None = None
    target_id: str | None = None


_ALL = (
    Demo(
        "rich",
        "A coding session",
        "Rate limits for a web service: two compactions, five tips, and a turn that a third compaction would split.",
        rich.build,
        context_window=200_000,
    ),
    Demo(
        "plain-cut",
        "A plain cut",
        "Two turns of 100 tokens a cell: keeping 500 tokens cuts before the second turn, at entry 4.",
        diagrams.plain_cut,
        keep_recent_tokens=500,
        reserve_tokens=250,
        context_window=1000,
    ),
    Demo(
        "after-compaction",
        "After a compaction",
        "The same session once it is compacted: entries 1 to 3 are gone, the summary and entries 4 to 9 are sent.",
        diagrams.after_compaction,
        keep_recent_tokens=600,
        reserve_tokens=250,
        context_window=1000,
    ),
    Demo(
        "split-turn",
        "A split turn",
        "One long turn: keeping 200 tokens cuts inside it, and entries 1 to 6 become the turn prefix.",
        diagrams.split_turn,
        keep_recent_tokens=200,
        reserve_tokens=250,
        context_window=1000,
    ),
    Demo(
        "repeated",
        "Repeated compaction",
        "A second compaction begins at entry 4, which the first one kept, and not behind the first one.",
        diagrams.repeated,
        keep_recent_tokens=200,
        reserve_tokens=250,
        context_window=1500,
    ),
    Demo(
        "branch",
        "Two branches",
        "Going from D to F leaves B, C and D behind; the branches meet at A.",
        diagrams.branch,
        keep_recent_tokens=200,
        reserve_tokens=250,
        context_window=1000,
        leaf_id="d" * 8,
        target_id="f" * 8,
    ),
    Demo(
        "branch-user",
        "Two branches, to a user message",
        "As before, but F is a user message: its text goes to the editor and the new leaf is E.",
        diagrams.branch_user,
        keep_recent_tokens=200,
        reserve_tokens=250,
        context_window=1000,
        leaf_id="d" * 8,
        target_id="f" * 8,
    ),
)

DEMOS: Mapping[str, Demo] = {demo.name: demo for demo in _ALL}
