"""Asks an installed pi about session files: a long-lived Node.js process per release."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.oracle.installation import Installation

PROGRAM = Path(__file__).with_name("pi_oracle.mjs")
HEAP_MEGABYTES = 1024

Answer = dict[str, Any]


class Oracle:
    """One release of pi. A context manager: leaving it ends the process."""

    def __init__(self, installation: Installation, seconds: float = 20.0) -> None:
        """Prepares the oracle; the process starts with the first question.

        Args:
            installation: The release to ask.
            seconds: How long an answer may take before pi counts as hanging.
        """
        self.rules = installation.rules
        self._installation = installation
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, file: Path, runs: list[dict[str, Any]]) -> list[Answer]:
        """What pi answers for each run (leaf, target, keepRecent, reserve, window) over one file.

        Returns `{"hang": True}` for every run when pi does not answer in time or dies of it.
        """
        process = self._running()
        assert process.stdin is not None
        question = json.dumps({"file": str(file), "runs": runs}) + "\n"
        try:
            process.stdin.write(question.encode())
            process.stdin.flush()
            line = self._lines.get(timeout=self._seconds)
        except (queue.Empty, BrokenPipeError):
            line = b""
        if not line:
            self.close()
            return [{"hang": True} for _ in runs]
        answers: list[Answer] = json.loads(line)
        return answers

    def close(self) -> None:
        """Ends the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._lines = queue.Queue()
        command = [
            str(self._installation.node),
            f"--max-old-space-size={HEAP_MEGABYTES}",
            str(PROGRAM),
            str(self._installation.package),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TZ": "UTC", "PI_OFFLINE": "1"},
        )
        threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True).start()
        return self._process


def _pump(process: subprocess.Popen[bytes], lines: queue.Queue[bytes]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            lines.put(line)
    except ValueError:
        pass
    lines.put(b"")
