"""How fast and how large pitree is, in ratios to pi in the same run: `python -m tests.benchmarks`."""
