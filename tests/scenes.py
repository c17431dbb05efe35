"""Every state of the screens worth a picture: for snapshot tests and for the folder screenshots.

`python -m tests.scenes` draws all of them, or those that are named, into screenshots/.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from textual.worker import WorkerCancelled

from pitree.store.commit import Draws
from pitree.store.in_force import Flags
from pitree.store.locations import Environment
from pitree.ui.app import PitreeApp
from pitree.ui.loading import Opening
from pitree.ui.screens.session import SessionScreen
from tests.pictures import write_picture

MS = 1_790_000_000_000
"""The time of every new entry in a picture, in milliseconds since 1970."""


def fixed_draws() -> Draws:
    """Clock and chance that are the same every time."""
    return Draws(MS, lambda count: bytes(range(count)), lambda: "0badcafe-0000-4000-8000-000000000000")


async def at_once(_seconds: float) -> None:
    """A recorded summary is there at once."""
    await asyncio.sleep(0)


NOWHERE = Environment({}, Path("/nonexistent"), Path("/tmp"))
WIDE = (120, 40)
NARROW = (80, 24)


@dataclass(frozen=True)
class Scene:
    """A state of the program: which session, how large a terminal, which keys lead there.

    Attributes:
        name: The name of its picture.
        about: One sentence on what is to be seen.
        opening: The session; None for the list to choose from.
        keys: Pressed one after the other.
    """

    name: str
    about: str
    opening: Opening | None
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = WIDE
    theme: str = "pitree-dark"

    def app(self) -> PitreeApp:
        """The program, not started yet."""
        return PitreeApp(self.opening, NOWHERE, fixed_draws, at_once)

    async def play(self, pilot: Pilot[None]) -> None:
        """Bring a started program into the state."""
        pilot.app.theme = self.theme
        await settle(pilot)
        for key in self.keys:
            await pilot.press(key)
            await settle(pilot)
        for field in [*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)]:
            field.cursor_blink = False


async def settle(pilot: Pilot[None]) -> None:
    """Wait until workers and timers that follow a key have done their work."""
    await pilot.pause()
    screen = pilot.app.screen
    if isinstance(screen, SessionScreen):
        await screen.rest()
    for worker in list(pilot.app.workers):
        # A worker that a newer one has replaced was cancelled, as it should be.
        with suppress(WorkerCancelled):
            await worker.wait()
    await pilot.pause()


def _demo(name: str, **flags: int | str) -> Opening:
    return Opening(demo=name, flags=Flags(**flags))  # type: ignore[arg-type]


SCENES: tuple[Scene, ...] = (
    Scene("session", "A coding session of 327 entries, the cursor on its leaf.", _demo("rich")),
    Scene("compaction", "The cut of a split turn, and why it falls there.", _demo("rich"), ("c",)),
    Scene("walk", "Stepping through the walk back.", _demo("rich"), ("c", "tab", "down", "down", "down")),
    Scene("what-if", "Keeping more: the cut has moved.", _demo("rich"), ("c", "+", "+", "+", "a")),
    Scene("branch", "Leaving D for F: common ancestor, left branch, new leaf.", _demo("branch")),
    Scene(
        "branch-rich",
        "Leaving a long branch: what is sent, and what is left out.",
        _demo("rich"),
        ("b", "b", "]", "enter"),
    ),
    Scene("entry", "Everything an entry holds.", _demo("rich"), ("(", "2")),
    Scene("as-of", "The session as it was at an earlier entry.", _demo("rich"), ("(", "(", ".", "c")),
    Scene("search", "Search in everything.", _demo("rich"), ("slash", *"migrations", "enter")),
    Scene("folded", "Branches folded away, with what they hide.", _demo("rich"), ("ctrl+u", "z")),
    Scene("plain-cut", "The plain cut of the documentation's diagram.", _demo("plain-cut"), ("c",)),
    Scene("split-turn", "The split turn of the documentation's diagram.", _demo("split-turn"), ("c",)),
    Scene("repeated", "A second compaction starts at the kept boundary of the first.", _demo("repeated"), ("c",)),
    Scene("after-compaction", "Nothing to compact: the leaf is a compaction.", _demo("after-compaction")),
    Scene("help", "What can be done here.", _demo("rich"), ("question_mark",)),
    Scene("light", "The light theme.", _demo("rich"), ("c",), theme="pitree-light"),
    Scene("narrow", "80 columns, one pane at a time.", _demo("rich"), ("c",), NARROW),
    Scene("narrow-plan", "80 columns, the Plan pane.", _demo("rich"), ("c", "1"), NARROW),
    Scene("narrow-entry", "80 columns, the Entry pane.", _demo("rich"), ("(", "2"), NARROW),
    Scene("narrow-branch", "80 columns, the branch lens.", _demo("branch"), (), NARROW),
    Scene("draft", "The extract stands there at once.", _demo("rich"), ("c", "3")),
    Scene("streamed", "A recorded summary has arrived.", _demo("rich"), ("c", "s")),
    Scene("compare", "Two drafts compared word by word.", _demo("rich"), ("c", "s", "D")),
    Scene("edit", "Editing a draft in its place.", _demo("rich"), ("c", "3", "e")),
    Scene("context", "The context after the commit and now, message by message.", _demo("rich"), ("c", "4")),
    Scene("request", "What would be sent to be summarized, to the letter.", _demo("rich"), ("c", "5")),
    Scene("commit", "What a commit would append, and where.", _demo("rich"), ("c", "w")),
    Scene("cut-here", "A cut by hand.", _demo("plain-cut"), ("c", "down", "C")),
    Scene("narrow-draft", "80 columns, the Draft pane.", _demo("rich"), ("c", "3"), NARROW),
    Scene("narrow-commit", "80 columns, the commit screen.", _demo("rich"), ("c", "w"), NARROW),
    Scene("light-draft", "The Draft pane in the light theme.", _demo("rich"), ("c", "s"), theme="pitree-light"),
    Scene("sessions", "The list to choose from.", None),
)


async def _draw(scene: Scene, folder: Path) -> None:
    app = scene.app()
    async with app.run_test(size=scene.size) as pilot:
        await scene.play(pilot)
        write_picture(app.export_screenshot(simplify=True), folder / scene.name)


def main(names: list[str], draw: Callable[[Scene, Path], Awaitable[None]] = _draw) -> None:
    """Draw scenes into screenshots/."""
    folder = Path(__file__).parent.parent / "screenshots"
    folder.mkdir(exist_ok=True)
    for scene in SCENES:
        if not names or scene.name in names:
            asyncio.run(draw(scene, folder))  # type: ignore[arg-type]


if __name__ == "__main__":
    main(sys.argv[1:])
