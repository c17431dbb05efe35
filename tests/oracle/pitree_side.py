"""Asks pitree, in this process, what `pitree inspect --json` answers."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from typing import Any

from pitree.cli.entry_ids import NoSuchEntry
from pitree.cli.inspect_json import Question, inspect_session
from pitree.planning.rules import RULES
from pitree.planning.settings import Settings
from pitree.session.javascript import stringify
from pitree.session.load import session_from_bytes
from pitree.session.problems import NotASession

_DEFAULTS = {"keepRecent": 20000, "reserve": 16384, "window": 200000}


def ask_pitree(file: Path, run: dict[str, Any], rules: str) -> dict[str, Any]:
    """The answer with just these settings, or `{"crash": text}` when pitree raised."""
    given = {**_DEFAULTS, **run}
    settings = Settings(
        enabled=True,
        reserve_tokens=given["reserve"],
        keep_recent_tokens=given["keepRecent"],
        context_window=given["window"],
        branch_reserve_tokens=given["reserve"],
    )
    question = Question(RULES[rules], settings, given.get("leaf"), given.get("target"))
    try:
        answer = inspect_session(session_from_bytes(file.read_bytes()), str(file), question)
        written = stringify(answer).encode("utf-8")
    except (NotASession, NoSuchEntry) as error:
        return {"error": str(error)}
    except Exception:  # every other exception is what the fuzz looks for
        return {"crash": traceback.format_exc()}
    parsed: dict[str, Any] = json.loads(written)
    return parsed
