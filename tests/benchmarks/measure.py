"""Runs programs in fresh processes, one at a time, and says how long they took and how much memory they held.

A small launcher starts each program: what Linux records as the peak of a child begins at the size of the process that
started it, and the benchmark itself is not small.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1_000_000
LAUNCHER = """
import json, os, sys, time
begin = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
seconds = time.perf_counter() - begin
figures = {"status": status, "seconds": seconds, "peak": usage.ru_maxrss * 1024}
sys.stderr.write("\\n" + json.dumps(figures) + "\\n")
"""


class BenchmarkError(Exception):
    """A program that is measured has failed; the text says which, and what it wrote."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a program.

    Attributes:
        seconds: What it measured itself, else from its start to its end.
        peak: The most memory it held, in bytes.
        answer: What else it told.
    """

    seconds: float
    peak: float
    answer: Mapping[str, Any]


def run(command: Sequence[str | Path], *, whole: bool = False) -> Run:
    """Runs a program in a fresh process.

    Args:
        command: The program and its arguments. Unless `whole`, its last line is a JSON object with "seconds".
        whole: Take the time from its start to its end in place of what it says.

    Raises:
        BenchmarkError: it did not end well.
    """
    launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER, *map(str, command)]
    done = subprocess.run(launcher, cwd=ROOT, capture_output=True, text=True, check=False, env=environment())
    noise, _, last = done.stderr.rstrip().rpartition("\n")
    figures = json.loads(last)
    if figures["status"]:
        raise BenchmarkError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{noise}")
    if whole:
        return Run(figures["seconds"], figures["peak"], {})
    answer = json.loads(done.stdout.rstrip().rpartition("\n")[2])
    return Run(answer["seconds"], figures["peak"], answer)


def environment() -> dict[str, str]:
    """As for a program that is installed: its bytecode is kept (here beside the files that are measured)."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    prefix = str(Path(tempfile.gettempdir()) / "pitree-benchmarks-bytecode")
    return {**kept, "PYTHONPYCACHEPREFIX": prefix, "PI_OFFLINE": "1", "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Runs of two programs that took turns: what slows the machine down slows both.

    Attributes:
        ours: Runs of pitree.
        theirs: Runs of what it is held against.
    """

    ours: Sequence[Run]
    theirs: Sequence[Run]

    @property
    def time_ratio(self) -> float:
        """The median of the ratios of times within the pairs."""
        return statistics.median(a.seconds / b.seconds for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def peak_ratio(self) -> float:
        """The median of the ratios of peak memory within the pairs."""
        return statistics.median(a.peak / b.peak for a, b in zip(self.ours, self.theirs, strict=True))


def pairs(count: int, ours: Callable[[], Run], theirs: Callable[[], Run]) -> Pairs:
    """Runs both in turn, after one run of each that does not count."""
    runs = [(ours(), theirs()) for _ in range(count + 1)][1:]
    return Pairs([a for a, _ in runs], [b for _, b in runs])


def median_seconds(runs: Sequence[Run]) -> float:
    """The median time."""
    return statistics.median(run.seconds for run in runs)


def median_peak(runs: Sequence[Run]) -> float:
    """The median of the peaks of memory, in bytes."""
    return statistics.median(run.peak for run in runs)
