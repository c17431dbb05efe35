"""What one key costs on pitree's own screen, timed inside a fresh process.

    python -m tests.benchmarks.screen_side FILE

The last line printed is {"seconds": …, "keys": {key: seconds}}: the processor's time for one press of each key, all
that Textual does for it included, from the key to the drawn rows. Other programs on the machine do not count in it,
nor does what is worked out in a thread once the cursor rests.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from time import thread_time

from textual.pilot import Pilot

from pitree.store.locations import Environment
from pitree.ui.app import PitreeApp
from pitree.ui.loading import Opening
from pitree.ui.screens import session as session_screen

KEYS = {"up": "cursor up", "pageup": "page up"}
PRESSES = 15
"""So few that a thousand rows do not come to their end."""


async def costs(file: Path) -> dict[str, float]:
    """The time for one press of each key, in seconds."""
    session_screen.BAR_DELAY = 3600.0
    app = PitreeApp(Opening(path=file), Environment.current())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        assert isinstance(screen, session_screen.SessionScreen)
        while screen.view is None:
            await pilot.pause(0.05)
        await pilot.press("pageup")
        return {key: await _cost(pilot, key) for key in KEYS}


async def _cost(pilot: Pilot[None], key: str) -> float:
    # The first presses fill caches.
    await pilot.press(*[key] * 3)
    begin = thread_time()
    await pilot.press(*[key] * PRESSES)
    return (thread_time() - begin) / PRESSES


if __name__ == "__main__":
    found = asyncio.run(costs(Path(sys.argv[1])))
    print(json.dumps({"seconds": sum(found.values()), "keys": found}))
