"""`python -m tests.benchmarks [--sizes 1,10,100] [--only NAME] [--runs N]`: the table of ratios.

Every file is made afresh in a temporary folder, the same each time. pitree and what it is held against take turns in
fresh processes; a ratio is the median of the ratios of the pairs. Memory is the peak of the whole process.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.benchmarks.cases import NAMES, Result, Workplace, load_average, measure
from tests.benchmarks.measure import MEGABYTE, median_peak, median_seconds

_RATIO = f"{'ratio':>8}{'aim':>6}"
HEAD = f"{'what | held against':<68}{'ours':>10}{'theirs':>10}{_RATIO}   {'memory':>16}{_RATIO}"


def main() -> None:
    """Measures and prints."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="pitree-benchmarks-") as folder:
        place = Workplace(Path(folder), options.runs)
        if place.pi is None:
            print("pi is not installed (python -m tests.oracle.installation): only pitree is held against itself.")
        print(f"load of the machine: {load_average()}; medians of {options.runs} pairs\n{HEAD}")
        sizes = [float(size) for size in options.sizes.split(",")]
        for result in measure(place, sizes, options.only or [*NAMES]):
            print(row(result), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Ratios of pitree to pi.")
    parser.add_argument("--sizes", default="1,10,100", help="megabytes of the files, e.g. 1,10,100,500")
    parser.add_argument("--only", action="append", choices=NAMES, help="measure only this; may be given again")
    parser.add_argument("--runs", type=int, default=5, help="pairs of runs (default 5)")
    return parser.parse_args()


def row(result: Result) -> str:
    """One line of the table."""
    runs = result.runs
    line = f"{result.what:<68}{_time(median_seconds(runs.ours)):>10}{_time(median_seconds(runs.theirs)):>10}"
    line += f"{runs.time_ratio:>8.3f}{_aim(runs.time_ratio, result.target)}"
    if not result.with_memory:
        return line
    peaks = f"{median_peak(runs.ours) / MEGABYTE:.0f}/{median_peak(runs.theirs) / MEGABYTE:.0f} MB"
    return f"{line}   {peaks:>16}{runs.peak_ratio:>8.3f}{_aim(runs.peak_ratio, result.memory_target)}"


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _aim(ratio: float, target: float | None) -> str:
    if target is None:
        return f"{'':>7}"
    return f"{target:>6g}{' ' if ratio <= target else '!'}"


if __name__ == "__main__":
    main()
