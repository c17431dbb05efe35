"""The rich demo: one believable coding session of a few hundred entries."""

from __future__ import annotations

from datetime import UTC, datetime

from pitree.lessons.agent import Agent
from pitree.lessons.builder import SessionBuilder
from pitree.lessons.ledger import Model
from pitree.lessons.rich import closing, middle, opening, prompt, service
from pitree.lessons.workspace import Workspace

_START = datetime(2026, 3, 10, 8, 41, 7, 312000, tzinfo=UTC)


def build() -> bytes:
    """Return the session file: the first entry is the system message, the last one is the leaf."""
    builder = SessionBuilder("rich", cwd=prompt.CWD, start=_START, overhead=346, ratio=1.35)
    agent = Agent(builder, Workspace(service.files()))
    builder.system(prompt.sections(), prompt.tools())
    builder.model_change(Model())
    builder.thinking_level_change("medium")
    for part in (opening, middle, closing):
        part.play(agent)
    return builder.build()
