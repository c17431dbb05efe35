"""Compares pitree with pi on made-up sessions: `python -m tests.oracle.fuzz --seconds 60 --seed 1`.

Every difference is shrunk to a small session and printed with the value that differs. The seed decides everything,
so a difference can be had again with `--seed N --count 1`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from tests.oracle.compare import Difference, differences
from tests.oracle.installation import RELEASES, MissingError, find
from tests.oracle.oracle import Oracle
from tests.oracle.pitree_side import ask_pitree
from tests.oracle.sessions import remade, session
from tests.oracle.shrink import Run, shrink

SHRINK_SECONDS = 20.0
SLOW_SECONDS = 5.0


class Judge:
    """Puts the same questions to pi and to pitree."""

    def __init__(self, oracle: Oracle, folder: Path) -> None:
        """Takes a running oracle and a folder for the one file that is looked at."""
        self.oracle = oracle
        self._file = folder / f"session-{oracle.rules}.jsonl"

    def judge(self, content: bytes, runs: list[Run]) -> Iterator[tuple[Run, list[Difference]]]:
        """The differences for each question."""
        self._file.write_bytes(content)
        for run, pi in zip(runs, self.oracle.ask(self._file, runs), strict=True):
            began = time.monotonic()
            pitree = ask_pitree(self._file, run, self.oracle.rules)
            if (took := time.monotonic() - began) > SLOW_SECONDS:
                yield run, [Difference("slow", None, took)]
            elif "crash" in pitree:
                yield run, [Difference("crash", None, pitree["crash"])]
            else:
                yield run, differences(pi, pitree, self.oracle.rules)

    def smallest(self, content: bytes, run: Run, key: str) -> tuple[bytes, Run, Difference]:
        """A small session and question in which the same key differs."""

        def fails(smaller: bytes, question: Run) -> bool:
            return any(item.key == key for _, found in self.judge(smaller, [question]) for item in found)

        content, run = shrink(content, run, fails, SHRINK_SECONDS)
        ((_, found),) = self.judge(content, [run])
        fleeting = Difference(key, "differed once", "and then no more")
        return content, run, next((item for item in found if item.key == key), fleeting)


def _report(seed: int, rules: str, content: bytes, run: Run, found: Difference, save: Path | None) -> None:
    text = (
        f"{rules} {found.key}  seed {seed}  {json.dumps(run)}\n"
        f"  pi     {json.dumps(found.pi)[:1500]}\n  pitree {json.dumps(found.pitree)[:1500]}\n"
    )
    shown = content.decode("utf-8", "replace")
    print(text + "".join(f"  | {line[:1000]}\n" for line in shown.split("\n")), flush=True)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        name = f"{rules}-{found.key}-{hashlib.sha256(content).hexdigest()[:8]}"
        (save / f"{name}.jsonl").write_bytes(content)
        (save / f"{name}.txt").write_text(text, "utf-8", "surrogatepass")


def fuzz(options: argparse.Namespace) -> int:
    """Runs until the time or the count is up; the number of runs that differ."""
    reported: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    given = [path.read_bytes() for path in sorted(options.given.glob("*.jsonl"))] if options.given else []
    end = time.monotonic() + options.seconds
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        judges = [Judge(stack.enter_context(Oracle(find(rules))), folder) for rules in options.rules or RELEASES]
        seed = options.seed
        while time.monotonic() < end and (options.count is None or seed < options.seed + options.count):
            case = remade(Random(seed).choice(given), seed) if given else session(seed)
            totals["sessions"] += 1
            for judge in judges:
                for run, found in list(judge.judge(case.content, case.runs)):
                    totals["runs"] += 1
                    totals["differ"] += bool(found)
                    for item in found[:1]:
                        reported[judge.oracle.rules, item.key] += 1
                        if reported[judge.oracle.rules, item.key] <= options.each:
                            content, question, smallest = judge.smallest(case.content, run, item.key)
                            _report(seed, judge.oracle.rules, content, question, smallest, options.save)
            seed += 1
    for (rules, key), count in sorted(reported.items()):
        print(f"{rules} {key}: {count}")
    print(f"{totals['sessions']} sessions, {totals['runs']} runs, {totals['differ']} differ (next seed {seed})")
    return totals["differ"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the next session takes the next one")
    parser.add_argument("--count", type=int, help="sessions to make (default: as many as there is time for)")
    parser.add_argument("--given", type=Path, help="a folder of sessions to damage, in place of made-up ones")
    parser.add_argument("--rules", choices=list(RELEASES), action="append")
    parser.add_argument("--each", type=int, default=2, help="differences to shrink and print per key")
    parser.add_argument("--save", type=Path, help="a folder for the small sessions")
    return parser.parse_args()


def main() -> int:
    """The command; 1 when anything differs."""
    arguments: Any = _options()
    try:
        return 1 if fuzz(arguments) else 0
    except MissingError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
