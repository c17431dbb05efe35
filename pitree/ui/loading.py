"""Opens a session in a thread: progress on the way, then the session with what is in force for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pitree.lessons.demos import DEMOS
from pitree.planning.rules import NEWEST, RULES
from pitree.planning.settings import Settings
from pitree.session.load import session_from_bytes
from pitree.store.in_force import Flags, InForce, in_force, model_of
from pitree.store.locations import Environment
from pitree.store.models import ModelFacts
from pitree.store.reader import open_session
from pitree.ui.view import View

_DEFAULTS = Settings()
_NO_FLAGS = Flags()
_DEMO_ORIGINS = dict.fromkeys(("keep_recent_tokens", "reserve_tokens", "context_window", "enabled"), "demo")


@dataclass(frozen=True, slots=True)
class Opening:
    """What is to be opened.

    Attributes:
        path: A session file.
        demo: The name of a demo, in place of a file.
        flags: What the command line says.
    """

    path: Path = Path()
    demo: str | None = None
    flags: Flags = _NO_FLAGS


def open_view(opening: Opening, environment: Environment, progress: Callable[[int], bool]) -> View:
    """Load what is to be opened, and work out in advance what its first view shows.

    Args:
        opening: What.
        environment: Where pi's settings are.
        progress: Gets the bytes read so far and says whether to go on.

    Raises:
        StoreError: when the file cannot be opened; the message says what to do.
    """
    if opening.demo is not None:
        view = _open_demo(opening.demo, opening.flags)
    else:
        view = _open_file(opening.path, opening.flags, environment, progress)
    _ = view.outcome, view.rows, view.in_context
    return view


def _open_file(path: Path, flags: Flags, environment: Environment, progress: Callable[[int], bool]) -> View:
    session = open_session(path, progress)
    found = in_force(session, environment, flags)
    return View(session, session.name or path.name, found, path_name=str(path))


def _open_demo(name: str, flags: Flags) -> View:
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
    found = InForce(rules, "demo", settings, _DEMO_ORIGINS, model_of(session), ModelFacts(window, "demo"), ())
    leaf, target = session.find(demo.leaf_id), session.find(demo.target_id)
    return View(
        session,
        f"demo: {demo.title}",
        found,
        lens="structure" if target is None else "branch",
        as_of=None if leaf == session.last else leaf,
        target=target,
        demo=name,
    )
