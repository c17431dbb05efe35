"""One release of pi, offline: over RPC for what it holds, and in print mode for what it would send next."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.e2e.provider import Body, Provider
from tests.oracle.installation import Installation

ENTRY_POINTS = {"0.84": "dist/cli.js", "1.6": "dist/bundle/cli.js"}
PROVIDER, MODEL, OTHER_MODEL = "fake", "fake-sonnet", "fake-opus"
API = "anthropic-messages"
SECONDS = 60.0
"""How long an answer may take before pi counts as hanging: generous, since nothing waits for it to pass."""

Values = dict[str, Any]


class PiError(Exception):
    """pi refused what it was asked, or ended; the text is pi's own."""


@dataclass(frozen=True)
class State:
    """What pi holds of a session that it has opened.

    Attributes:
        leaf_id: The id of the leaf, None before the first entry.
        entries: All entries, migrated.
        messages: The session context, in pi's own roles.
    """

    leaf_id: str | None
    entries: list[Values]
    messages: list[Values]

    def leaf_of_file(self, count: int) -> str | None:
        """The leaf that pi took from a file of so many entries.

        Opening a session that names no thinking level, pi appends one at once, below that leaf.
        """
        added = self.entries[count:]
        assert {entry["type"] for entry in added} <= {"thinking_level_change", "model_change"}
        below: list[str | None] = [*(entry["parentId"] for entry in added), self.leaf_id]
        assert below[1:] == [entry["id"] for entry in added]
        return below[0]


class Pi:
    """One installed release with a folder of its own. A context manager: leaving it ends the process."""

    def __init__(self, installation: Installation, folder: Path, provider: Provider) -> None:
        """Write pi's settings; the process starts with the first question.

        Args:
            installation: The release.
            folder: An empty folder for its home, its settings and the folder that sessions are about.
            provider: The model that it talks to.
        """
        self.rules = installation.rules
        self.provider = provider
        self.cwd = folder / "work"
        self._agent = folder / "agent"
        self._program = [str(installation.node), str(installation.package / ENTRY_POINTS[installation.rules])]
        for name in ("work", "agent", "home", "tmp"):
            (folder / name).mkdir(parents=True)
        self._environment = _environment(installation, folder)
        self._write("models.json", _models(provider.url))
        self.configure()
        self._rpc: _Rpc | None = None

    def __enter__(self) -> Pi:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def configure(self, keep_recent_tokens: int = 20_000, reserve_tokens: int = 16_384) -> None:
        """Set what a compaction keeps; it holds from the next session that is opened. pi never compacts by itself."""
        compaction = {"enabled": False, "keepRecentTokens": keep_recent_tokens, "reserveTokens": reserve_tokens}
        self._write("settings.json", {**_SETTINGS, "compaction": compaction})

    def state(self, file: Path) -> State:
        """What pi holds once it has opened the session."""
        self.open(file)
        return self.current()

    def current(self) -> State:
        """What pi holds of the session that is open."""
        found = self.rpc("get_entries")
        return State(found["leafId"], found["entries"], self.rpc("get_messages")["messages"])

    def open(self, file: Path) -> None:
        """Let the running pi read a session file."""
        self.rpc("switch_session", sessionPath=str(file))
        opened = self.rpc("get_state")["sessionFile"]
        if Path(opened) != file:
            raise PiError(f"pi has opened {opened} in place of {file}")

    def next_request(self, file: Path, prompt: str) -> Body:
        """The body of the one request that print mode sends for a session as the file has it.

        Raises:
            PiError: where pi ends with another status than 0, or sends not one request.
        """
        self.provider.take()
        command = [*self._program, "-p", "--session", str(file), prompt]
        done = subprocess.run(
            command, cwd=self.cwd, env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
        bodies = self.provider.take()
        if done.returncode != 0 or len(bodies) != 1:
            raise PiError(f"exit {done.returncode}, {len(bodies)} requests: {(done.stdout + done.stderr).decode()}")
        return bodies[0]

    def compact(self, file: Path, instructions: str | None = None) -> Values:
        """Open a session, let pi compact it, and return what pi answers.

        Raises:
            PiError: where there is nothing to compact, or the summary is refused.
        """
        self.open(file)
        return self.rpc("compact", **({} if instructions is None else {"customInstructions": instructions}))

    def ask(self, file: Path, prompt: str) -> Body:
        """The body of the one request that the running pi sends for a session that it opens."""
        self.open(file)
        (body,) = self.prompt(prompt)
        return body

    def prompt(self, text: str) -> list[Body]:
        """Say something in the open session; the bodies of the requests until the agent has come to rest."""
        self.provider.take()
        running = self._running()
        running.events.clear()
        self.rpc("prompt", message=text)
        running.wait_for("agent_settled")
        return self.provider.take()

    def rpc(self, kind: str, /, **values: Any) -> Values:
        """The data with which RPC mode answers a command.

        Raises:
            PiError: where pi refuses it or does not answer.
        """
        answer = self._running().ask({"type": kind, **values})
        if not answer.get("success"):
            raise PiError(f"{kind}: {answer.get('error')}")
        return answer.get("data") or {}

    @property
    def pid(self) -> int:
        """The number of the process in RPC mode."""
        return self._running().pid

    def close(self) -> None:
        """End the process, whatever it is doing."""
        running, self._rpc = self._rpc, None
        if running is not None:
            running.close()

    def _running(self) -> _Rpc:
        if self._rpc is None:
            self._rpc = _Rpc([*self._program, "--mode", "rpc"], self.cwd, self._environment)
        return self._rpc

    def _write(self, name: str, value: Values) -> None:
        (self._agent / name).write_text(json.dumps(value), "utf-8")


class _Rpc:
    """A process in RPC mode: JSON lines out and in, events between the answers."""

    def __init__(self, command: list[str], cwd: Path, environment: dict[str, str]) -> None:
        self.events: deque[Values] = deque()
        self._number = 0
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.pid = self._process.pid
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, command: Values) -> Values:
        """The answer to a command; events that come before it are kept."""
        self._number += 1
        name = f"q{self._number}"
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": name, **command}).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            line = self._next()
            if line.get("type") == "response" and line.get("id") == name:
                return line
            self.events.append(line)

    def wait_for(self, kind: str) -> None:
        """Read on until an event comes, or return at once where it came already."""
        while not any(event.get("type") == kind for event in self.events):
            self.events.append(self._next())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _next(self) -> Values:
        try:
            line = self._lines.get(timeout=SECONDS)
        except queue.Empty:
            raise PiError("pi does not answer") from None
        if not line:
            raise PiError("pi has ended")
        read: Values = json.loads(line)
        return read

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")


_SETTINGS: Values = {
    "defaultProvider": PROVIDER,
    "defaultModel": MODEL,
    "defaultThinkingLevel": "off",
    "quietStartup": True,
    "enableInstallTelemetry": False,
    "enableAnalytics": False,
    "defaultProjectTrust": "never",
    "cacheWarming": "off",
    "tuiMode": "regular",
}


def _models(url: str) -> Values:
    cost = {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}
    limits = {"contextWindow": 200_000, "maxTokens": 64_000}
    models = [
        {"id": name, "reasoning": False, "input": ["text", "image"], **limits, "cost": cost}
        for name in (MODEL, OTHER_MODEL)
    ]
    return {"providers": {PROVIDER: {"baseUrl": url, "api": API, "apiKey": "fake", "models": models}}}


def _environment(installation: Installation, folder: Path) -> dict[str, str]:
    return {
        "PATH": f"{installation.node.parent}:/usr/bin:/bin",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PI_CODING_AGENT_DIR": str(folder / "agent"),
        "PI_OFFLINE": "1",
        "PI_SKIP_VERSION_CHECK": "1",
        "PI_TELEMETRY": "0",
    }
