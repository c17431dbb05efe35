"""Session files and streams that stand still, for the tests of drafts and commits."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.worker import WorkerCancelled

from pitree.lessons.demos import DEMOS
from pitree.store.in_force import Flags
from pitree.store.locations import Environment
from pitree.ui.loading import Opening
from tests.scenes import MS, settle
from tests.ui.playing import Played, send_key

LONG_AGO_NS = (MS - 3_600_000) * 1_000_000
CWD = b'"cwd":"/src/reports"'


@dataclass(frozen=True)
class Bench:
    """A session of pi's in a home of its own; the plain cut of the documentation's diagram, if nothing else is said."""

    home: Path
    project: Path
    path: Path
    keep_recent: int = 500

    @property
    def environment(self) -> Environment:
        return Environment({}, self.home, self.project)

    @property
    def opening(self) -> Opening:
        return Opening(path=self.path, flags=Flags(keep_recent=self.keep_recent))

    @property
    def kept_drafts(self) -> list[dict[str, Any]]:
        """What stands in the state folder."""
        files = list((self.home / ".local/state/pitree/drafts").glob("*.json"))
        return [draft for file in files for draft in json.loads(file.read_text())["drafts"]]

    def write(self, data: bytes) -> None:
        """Give the file other bytes; it was last written an hour before a commit."""
        self.path.write_bytes(data)
        os.utime(self.path, ns=(LONG_AGO_NS, LONG_AGO_NS))

    def grow(self, *entries: dict[str, Any]) -> None:
        """What pi would append."""
        lines = "".join(json.dumps(entry) + "\n" for entry in entries)
        self.write(self.path.read_bytes() + lines.encode())

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()]


def bench_in(folder: Path, demo: str = "plain-cut") -> Bench:
    """A demo as a session file of pi's, whose folder is a project in `folder`."""
    project, home = folder / "project", folder / "home"
    project.mkdir()
    sessions = home / ".pi/agent/sessions/--project--"
    sessions.mkdir(parents=True)
    path = sessions / "2026-03-02T09-00-00-000Z_2a39a72e-5a71-748a-863a-5e4a49e43125.jsonl"
    bench = Bench(home, project, path, DEMOS[demo].keep_recent_tokens or 20_000)
    bench.write(DEMOS[demo].build().replace(CWD, f'"cwd":{json.dumps(str(project))}'.encode(), 1))
    return bench


def said(entry_id: str, parent: str, role: str = "user", tokens: int = 100) -> dict[str, Any]:
    """A message that pi appends later."""
    body = {"role": role, "content": [{"type": "text", "text": "more" * tokens}]}
    stamp = "2026-03-02T10:00:00.000Z"
    return {"type": "message", "id": entry_id, "parentId": parent, "timestamp": stamp, "message": body}


class Gate:
    """A pause that holds a stream after so many words, until it is opened."""

    def __init__(self, words: int) -> None:
        self._left = words + 1
        self._opened = asyncio.Event()
        self.reached = asyncio.Event()

    async def __call__(self, _seconds: float) -> None:
        self._left -= 1
        if self._left == 0:
            self.reached.set()
            await self._opened.wait()

    def open(self) -> None:
        """Let the rest come."""
        self._opened.set()


async def tap(played: Played, *keys: str) -> None:
    """Press keys while a stream stands still, which `Played.press` would wait for."""
    for key in keys:
        await send_key(played.pilot, key)
        for worker in list(played.app.workers):
            if worker.group not in ("stream", "shares"):
                with suppress(WorkerCancelled):
                    await worker.wait()
        await send_nothing(played)


async def rest(played: Played) -> None:
    """Wait until a commit is written and the file that holds it is shown."""
    await settle(played.pilot)
    while any(not worker.is_finished for worker in played.app.workers):
        await settle(played.pilot)


async def said_after(played: Played, *keys: str) -> list[str]:
    """The newest notice after each key, "" where there is none."""
    said = []
    for key in keys:
        await tap(played, key)
        said.append(next(reversed(played.notices()), ""))
    return said


async def send_nothing(played: Played) -> None:
    """Let messages be handled."""
    for _ in range(5):
        await played.pilot._wait_for_screen()


def draft_head(played: Played) -> str:
    """The lines over the draft."""
    return str(played.screen.pane.draft.head.render())


def draft_lines(played: Played) -> list[str]:
    """The lines of the draft as they are shown, before they are wrapped."""
    return [block.text for block in played.screen.pane.draft.text.blocks]
