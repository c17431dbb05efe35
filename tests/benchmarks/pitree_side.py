"""One thing that pitree does with a session file, timed inside a fresh process.

    python -m tests.benchmarks.pitree_side JOB FILE

The last line printed is {"seconds": ...}; loading pitree's own modules is not counted in it.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pitree.session.dates
import pitree.session.sorting  # noqa: F401 - otherwise they would be loaded within what is timed
from pitree.planning.compaction import plan_compaction
from pitree.planning.rules import RULES
from pitree.planning.settings import Settings
from pitree.session.outline import Filter, shape_of, visible_rows
from pitree.store.reader import open_session

Answer = dict[str, Any]


def load(file: Path) -> Answer:
    """The session, its tree, and the rows of the default view."""

    def work() -> int:
        session = open_session(file)
        return len(visible_rows(shape_of(session, session.last), Filter.DEFAULT))

    return {"seconds": timed(work)}


def plan(file: Path) -> Answer:
    """The plan from a cold file: cut, ranges, totals."""
    kept: list[object] = []

    def work() -> None:
        session = open_session(file)
        found = plan_compaction(session, session.leaf_id, RULES["1.6"], Settings())
        kept.append(None if found is None else found.first_kept_id)

    return {"seconds": timed(work), "kept": kept[0]}


def view(file: Path) -> Answer:
    """The default view of a session that is loaded: order of the tree and rows."""
    session = open_session(file)
    _ = session.tree
    return {"seconds": middle(lambda: visible_rows(shape_of(session, session.last), Filter.DEFAULT))}


def filter_change(file: Path) -> Answer:
    """Another filter over the order that is there."""
    session = open_session(file)
    shape = shape_of(session, session.last)
    return {"seconds": middle(lambda: visible_rows(shape, Filter.ALL))}


JOBS: dict[str, Callable[[Path], Answer]] = {
    "load": load,
    "plan": plan,
    "view": view,
    "filter": filter_change,
}


def timed(work: Callable[[], object]) -> float:
    """How long it takes, in seconds."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def middle(work: Callable[[], object], count: int = 11) -> float:
    """The median of several times, in seconds."""
    return statistics.median(timed(work) for _ in range(count))


if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](Path(sys.argv[2]))))
