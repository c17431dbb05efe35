"""What every test stands on: an environment that is the same on every machine, and a fixed search for properties."""

from __future__ import annotations

import os
import time

import pytest
from hypothesis import settings

# Colors, sizes, folders, keys and time zones that a developer's shell sets and that pitree, pi, rich or Textual obey.
BEHAVIOR_PREFIXES = ("PI_", "PITREE_", "XDG_", "TEXTUAL", "ANTHROPIC_", "CLAUDE_")
BEHAVIOR_NAMES = (
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "TTY_COMPATIBLE",
    "COLUMNS",
    "LINES",
    "EDITOR",
    "VISUAL",
)
OURS = ("PITREE_TEST_CACHE", "TEXTUAL_SNAPSHOT_TEMPDIR")
"""What the tests themselves are told, the second one by the plug-in for snapshots."""


def _forget_the_shell() -> None:
    """Remove what changes behavior; at import, because Textual reads its variables when it is imported."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    os.environ.setdefault("PITREE_TEST_CACHE", os.path.join(cache, "pitree-tests"))
    for name in list(os.environ):
        if name in BEHAVIOR_NAMES or (name.startswith(BEHAVIOR_PREFIXES) and name not in OURS):
            del os.environ[name]
    os.environ["TZ"] = "UTC"
    time.tzset()


_forget_the_shell()

# `ci` finds the same examples on every run and machine; `search` looks for new ones: pytest --hypothesis-profile=search
settings.register_profile("ci", derandomize=True, deadline=None, database=None, print_blob=True)
settings.register_profile("search", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile("ci")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty home folder, so that no session, setting or preference of the developer is seen or touched."""
    folder = str(tmp_path_factory.mktemp("home"))
    monkeypatch.setenv("HOME", folder)
    return folder
