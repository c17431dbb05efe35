"""Opens a session in a thread: progress on the way, then the session with what is in force for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pitree.lessons.demos import DEMOS
from pitree.planning.rules import NEWEST, RULES
from pitree.planning.settings import Settings
from pitree.session.load import session_from_bytes
from pitree.session.session import Session
from pitree.store.in_force import Flags, InForce, in_force
from pitree.store.locations import Environment
from pitree.store.models import ModelFacts
from pitree.store.reader import open_session

_DEFAULTS = Settings()
_NO_FLAGS = Flags()
_DEMO_ORIGINS = dict.fromkeys(("keep_recent_tokens", "reserve_tokens", "context_window", "enabled"), "demo")


@dataclass(frozen=True, slots=True)
class Opening:
    """What is to be opened.

    Attributes:
        path: A session file; None for a demo.
        demo: The name of a demo; None for a file.
        flags: What the command line says.
    """

    path: Path | None = None
    demo: str | None = None
    flags: Flags = _NO_FLAGS


@dataclass(frozen=True, eq=False)
class Opened:
    """A session that is ready to be shown; `title` is unsafe text, ids are as in the file."""

    session: Session
    title: str
    found: InForce
    leaf_id: str | None = None
    target_id: str | None = None


def open_it(opening: Opening, environment: Environment, progress: Callable[[int], bool]) -> Opened:
    """Load what is to be opened.

    Args:
        opening: What.
        environment: Where pi's settings are.
        progress: Gets the bytes read so far and says whether to go on.

    Raises:
        StoreError: when the file cannot be opened; the message says what to do.
    """
    if opening.demo is not None:
        return _open_demo(opening.demo, opening.flags)
    assert opening.path is not None
    session = open_session(opening.path, progress)
    title = session.name or opening.path.name
    return Opened(session, title, in_force(session, environment, opening.flags))


def _open_demo(name: str, flags: Flags) -> Opened:
    """A demo comes with settings of its own, so that it looks the same everywhere; flags go before them."""
    demo = DEMOS[name]
    session = session_from_bytes(demo.build())
    keep, reserve, window = (
        next(value for value in values if value is not None)
        for values in (
            (flags.keep_recent, demo.keep_recent_tokens, _DEFAULTS.keep_recent_tokens),
            (flags.reserve, demo.reserve_tokens, _DEFAULTS.reserve_tokens),
            (flags.window, demo.context_window, _DEFAULTS.context_window),
        )
    )
    settings = Settings(
        keep_recent_tokens=keep, reserve_tokens=reserve, branch_reserve_tokens=reserve, context_window=window
    )
    rules = NEWEST if flags.rules in (None, "auto") else RULES[str(flags.rules)]
    found = InForce(rules, "demo", settings, _DEMO_ORIGINS, None, ModelFacts(window, "demo"), ())
    return Opened(session, f"demo: {demo.title}", found, demo.leaf_id, demo.target_id)
