"""Compares the oracle with recorded answers: `python -m tests.oracle.goldens FOLDER`.

FOLDER holds session files `NAME.jsonl` and, per release, `NAME.RULES.json` with `{"runs": [{"args", "result"}]}`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.oracle.installation import RELEASES, MissingError, find
from tests.oracle.oracle import Oracle

ARGUMENTS = ("leaf", "target", "keepRecent", "reserve", "window")
KEYS = ("load", "entries", "uniqueIds", "sessionName", "leaf", "roots", "tree", "labels", "path", "context")
PLAN_KEYS = ("contextTokens", "shouldCompact", "cutPoint", "preparation", "afterCompaction", "navigation")
NOT_ASKED = "summary"


def differences(folder: Path, rules: str, oracle: Oracle) -> Iterator[str]:
    """One line per value in which the oracle and a recorded answer differ."""
    for recorded in sorted(folder.glob(f"*.{rules}.json")):
        name = recorded.name.removesuffix(f".{rules}.json")
        runs = json.loads(recorded.read_text("utf-8"))["runs"]
        arguments = [{key: run["args"][key] for key in ARGUMENTS if key in run["args"]} for run in runs]
        answers = oracle.ask(folder / f"{name}.jsonl", arguments)
        for given, run, answer in zip(arguments, runs, answers, strict=True):
            for key in KEYS + PLAN_KEYS:
                want, have = _comparable(key, run["result"].get(key)), _comparable(key, answer.get(key))
                if want != have:
                    yield f"{rules} {name} {given} {key}\n  {json.dumps(want)[:600]}\n  {json.dumps(have)[:600]}"


def _comparable(key: str, value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if key == "load":
        return "failed"
    if key == "navigation":
        value = {name: item for name, item in value.items() if name != NOT_ASKED}
        if str(value.get("error", "")).lower().startswith(("never returns", "error: never returns")):
            return {**value, "error": "never returns"}
    return value


def main(folder: Path) -> int:
    """Prints every difference; 1 when there is one."""
    found = 0
    for rules in RELEASES:
        with Oracle(find(rules)) as oracle:
            for line in differences(folder, rules, oracle):
                found += 1
                print(line)
    print(f"{found} values differ")
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except MissingError as error:
        sys.exit(str(error))
