"""What is measured, on which files, and the ratio that is aimed at."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tests.benchmarks.empty_app import MARK as EMPTY_MARK
from tests.benchmarks.files import write_session, write_small_entries
from tests.benchmarks.measure import Pairs, Run, pairs, run
from tests.benchmarks.screen_side import KEYS
from tests.benchmarks.terminal import until_painted
from tests.oracle.installation import Installation, MissingError, find

HERE = Path(__file__).parent
PI_RULES = "1.6"
SMALL_COUNTS = (1_000, 200_000)
LARGE = 95_000_000
"""From how many bytes on a session is large."""
ROWS = "200 000 rows | 1 000 rows"
OUTLINE_MARK = " entries"
"""Stands over the outline as soon as the whole tree is shown."""


class Workplace:
    """The files that are measured, made when first asked for, and pi where it is installed."""

    def __init__(self, folder: Path, runs: int) -> None:
        self.folder = folder
        self.runs = runs
        self.pi = _find_pi()

    def sized(self, megabytes: float) -> Path:
        """A believable session of that size."""
        path = self.folder / f"{megabytes:g}MB.jsonl"
        if not path.exists():
            write_session(path, megabytes)
        return path

    def small(self, count: int) -> Path:
        """A session of that many short messages."""
        path = self.folder / f"{count}-short.jsonl"
        if not path.exists():
            write_small_entries(path, count)
        return path

    def copy(self, path: Path) -> Path:
        """The copy of a file that pi gets, because it changes what it opens."""
        copied = path.with_suffix(".pi.jsonl")
        if not copied.exists():
            shutil.copy(path, copied)
        return copied

    def pitree(self, job: str, file: Path) -> Run:
        """A job of `pitree_side` in a fresh process."""
        return run([sys.executable, "-m", "tests.benchmarks.pitree_side", job, file])

    def ask_pi(self, job: str, file: Path, *, whole: bool = False) -> Run:
        """A job of `pi_side.mjs` on a copy in a fresh process."""
        assert self.pi is not None
        return run([self.pi.node, HERE / "pi_side.mjs", self.pi.package, job, self.copy(file)], whole=whole)


def _find_pi() -> Installation | None:
    try:
        return find(PI_RULES)
    except MissingError:
        return None


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the table.

    Attributes:
        what: What was measured, on which file.
        runs: The runs of pitree, and of what it is held against.
        target: The most that the ratio of times should be, or None.
        memory_target: The most that the ratio of peaks should be, or None.
        with_memory: Whether memory is compared.
    """

    what: str
    runs: Pairs
    target: float | None
    memory_target: float | None = None
    with_memory: bool = False


def _aims(file: Path, time: float, memory: float) -> tuple[float | None, float | None]:
    """The aims are for large sessions: in small ones the start of the interpreter is what counts."""
    return (time, memory) if file.stat().st_size >= LARGE else (None, None)


def load(place: Workplace, file: Path, name: str) -> Iterator[Result]:
    """Load, tree and default view in the process against `SessionManager.open`."""
    if place.pi:
        measured = pairs(place.runs, lambda: place.pitree("load", file), lambda: place.ask_pi("open", file))
        yield Result(
            f"load, tree, default view · {name} | pi's open", measured, *_aims(file, 0.2, 0.125), with_memory=True
        )


def count(place: Workplace, file: Path, name: str) -> Iterator[Result]:
    """The whole process that counts the tree against Node with `open` and `getTree()`."""
    if place.pi:
        command: list[str | Path] = [_command(), "outline", "--count", file]
        measured = pairs(place.runs, lambda: run(command, whole=True), lambda: place.ask_pi("tree", file, whole=True))
        yield Result(
            f"whole outline --count · {name} | Node, open, getTree",
            measured,
            *_aims(file, 0.25, 0.125),
            with_memory=True,
        )


def plan(place: Workplace, file: Path, name: str) -> Iterator[Result]:
    """The plan from a cold file against `open` and `prepareCompaction`; both have to give the same cut."""
    if place.pi:
        measured = pairs(place.runs, lambda: place.pitree("plan", file), lambda: place.ask_pi("plan", file))
        kept = {run.answer["kept"] for run in (*measured.ours, *measured.theirs)}
        assert len(kept) == 1, f"pitree and pi cut {file} differently: {kept}"
        yield Result(
            f"plan from a cold file · {name} | pi's open, prepareCompaction",
            measured,
            *_aims(file, 0.25, 0.125),
            with_memory=True,
        )


def filters(place: Workplace, file: Path, name: str) -> Iterator[Result]:
    """Another filter in a session that is open against pi's in its tree selector."""
    if place.pi:
        measured = pairs(place.runs, lambda: place.pitree("filter", file), lambda: place.ask_pi("filter", file))
        yield Result(f"filter change · {name} | pi's tree selector", measured, 0.05)


def paint(place: Workplace, file: Path, name: str) -> Iterator[Result]:
    """From the start to the outline on the terminal against the rows of an empty Textual app."""
    measured = pairs(
        place.runs,
        lambda: until_painted([_command(), file], OUTLINE_MARK),
        lambda: until_painted([sys.executable, "-m", "tests.benchmarks.empty_app"], EMPTY_MARK),
    )
    yield Result(f"outline painted · {name} | empty Textual app", measured, 1.1)


def growth(place: Workplace) -> Iterator[Result]:
    """The default view and a filter change at 200 000 rows against the same at 1 000."""
    few, many = map(place.small, SMALL_COUNTS)
    for job, what in (("view", "default view"), ("filter", "filter change")):
        measured = pairs(place.runs, partial(place.pitree, job, many), partial(place.pitree, job, few))
        yield Result(f"{what} · {ROWS}", measured, None)


def keys(place: Workplace) -> Iterator[Result]:
    """One press of a key at 200 000 rows against the same at 1 000."""
    few, many = map(place.small, SMALL_COUNTS)
    command = [sys.executable, "-m", "tests.benchmarks.screen_side"]
    measured = pairs(place.runs, lambda: run([*command, many]), lambda: run([*command, few]))
    for key, what in KEYS.items():
        yield Result(f"{what} · {ROWS}", Pairs(_of_key(measured.ours, key), _of_key(measured.theirs, key)), 1.25)


def _of_key(runs: Sequence[Run], key: str) -> list[Run]:
    return [replace(one, seconds=one.answer["keys"][key]) for one in runs]


def _command() -> Path:
    return Path(sys.executable).with_name("pitree")


def by_file(place: Workplace, sizes: list[float]) -> Iterator[tuple[Path, str]]:
    """The files that everything is measured on."""
    for megabytes in sizes:
        yield place.sized(megabytes), f"{megabytes:g} MB"
    if max(sizes) >= 10:
        yield place.small(SMALL_COUNTS[-1]), f"{SMALL_COUNTS[-1]:,} short entries".replace(",", " ")


ON_FILES = {"load": load, "count": count, "plan": plan, "filters": filters, "paint": paint}
ON_ROWS = {"growth": growth, "keys": keys}
NAMES = (*ON_FILES, *ON_ROWS)


def measure(place: Workplace, sizes: list[float], names: list[str]) -> Iterator[Result]:
    """All that is asked for, as soon as it is known."""
    for file, name in by_file(place, sizes):
        for key in names:
            if key in ON_FILES:
                yield from ON_FILES[key](place, file, name)
    for key in names:
        if key in ON_ROWS:
            yield from ON_ROWS[key](place)


def load_average() -> str:
    """How busy the machine is."""
    return " ".join(f"{value:.1f}" for value in os.getloadavg())
