"""A small application with every widget on it: for pictures while working on them, and for tests of all together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from pitree.ui.command import LINES, OUTLINE, SESSION, Situation
from pitree.ui.command_host import CommandHost
from pitree.ui.commands import bindings_for, offers
from pitree.ui.context_shares import ContextShares
from pitree.ui.palette import PitreeCommands
from pitree.ui.rows import RowText
from pitree.ui.screens.help import HelpScreen
from pitree.ui.theme import DARK, THEMES, variable_defaults
from pitree.ui.widgets.context_bar import ContextBar
from pitree.ui.widgets.key_bar import KeyBar
from pitree.ui.widgets.line_view import LineView
from pitree.ui.widgets.outline_view import OutlineView
from pitree.ui.wrapping import Block

SHARES = ContextShares(
    window=200_000,
    est=(
        ("system", 9_120), ("summaries", 14_204), ("user", 6_310), ("assistant", 21_775), ("thinking", 8_020),
        ("tool_calls", 5_150), ("tool_results", 41_880), ("images", 2_400),
    ),
    used=131_402,
    threshold=183_616,
)  # fmt: skip


def _row(state: str, prefix: str, kind: str, text: str, figure: str = "", **more: object) -> RowText:
    color = {"user": "pitree-user", "assistant": "pitree-assistant", "toolResult": "pitree-tool"}
    return RowText(
        state=state,
        prefix=prefix,
        kind=kind,
        kind_color=color.get(kind, "pitree-summary"),
        strong=kind == "user",
        text=text,
        figure=figure,
        **more,  # type: ignore[arg-type]
    )


COMPACTION_ROWS = [
    _row("gone", "", "user", "Set up a login endpoint with sessions", "18", note="start", tags=("label",)),
    _row("gone", "", "assistant", "I'll look at the existing routes first.", "412"),
    _row("gone", "", "toolResult", "read src/app.py", "2,114"),
    _row("gone", "", "compaction", "## Goal Build a login endpoint with sessions and rate limits", "1,204"),
    _row("summarized", "", "user", "Add rate limiting to the login endpoint, five tries a minute", "42"),
    _row("summarized", "", "assistant", "I'd start from a token bucket per address and user name.", "880"),
    _row("summarized", "", "toolResult", "bash pytest -q tests/test_login.py → 12 passed", "310"),
    _row("unseen", "├─ ", "label", "before the rewrite", "0"),
    _row("prefix", "│  ", "user", "Now the tests, and mind the clock", "12", tags=("turn_start",)),
    _row("prefix", "│  ", "assistant", "Running pytest with a frozen clock …", "880"),
    _row("prefix", "│  ", "toolResult", "edit tests/test_limits.py +48 −3", "1,530"),
    RowText(state="cut", text="firstKeptEntryId 7f1a22c0 · keeps est 20,412", rule=True),
    _row("kept", "│  ", "assistant", "3 failures, fixing the window arithmetic", "640", tags=("first_kept",)),
    _row("kept", "│  ", "toolResult", "edit src/limits.py +12 −9", "95"),
    _row("kept", "│  ", "assistant", "日本語のエラーメッセージも直しました。[ERROR] stays as it is [/b]", "310"),
    _row("kept", "│  ", "assistant", "All 15 tests pass now.", "77", tags=("leaf",)),
    _row("abandoned", "└─ ", "user", "Try a sliding log instead", "11", dim=True, tags=("folded",), note="7"),
]
BRANCH_ROWS = [
    _row("path", "", "user", "Add rate limiting to the login endpoint", "42"),
    _row("path", "", "assistant", "I'd start from a token bucket per address.", "880", tags=("ancestor",)),
    _row("left", "├─ ", "user", "Now the tests, and mind the clock", "12"),
    _row("dropped", "│  ", "assistant", "Running pytest with a frozen clock …", "880"),
    _row("left_out", "│  ", "toolResult", "bash pytest -q → 3 failed", "1,530"),
    _row("left", "│  ", "assistant", "All 15 tests pass now.", "77", tags=("leaf",)),
    _row("target_path", "└─ ", "user", "Try a sliding log instead", "11"),
    _row(
        "target_path", "   ", "assistant", "A sorted list of times per key, trimmed on read.", "350", tags=("new_leaf",)
    ),
    _row("target", "   ", "user", "And with Redis?", "5", tags=("target", "hit"), highlights=((9, 14),)),
]
ENTRY = [
    Block("assistant · 7f1a22c0 · 14:32:07", "bold $pitree-assistant"),
    Block(""),
    Block("Three tests fail because the window is counted from the first try, not from the last.", gutter="▎ "),
    Block(""),
    Block("edit src/limits.py", "bold $pitree-tool"),
    Block("     def allowed(self, key: str) -> bool:", "$pitree-quiet", "│ "),
    Block("-        return self.tries[key] < self.limit", "$pitree-dropped", "│ "),
    Block("+        fresh = [t for t in self.tries[key] if t > self.now() - self.window]", "$pitree-leaf", "│ "),
    Block("+        return len(fresh) < self.limit", "$pitree-leaf", "│ "),
    Block(""),
    Block("A hostile text: \x1b[31mred\x1b[0m \u202eright to left\u202c [/b] 日本語", "$pitree-assistant"),
]


class Listed:
    """Rows from a list."""

    def __init__(self, rows: list[RowText]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, index: int, /) -> RowText:
        return self._rows[index]


class DemoScreen(CommandHost, Screen[None]):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = list(bindings_for(SESSION))

    def situation(self) -> Situation:
        return Situation(entries=312, compactions=1, branches=2)

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(
                ("Rate limiter", "bold"), ("   claude-sonnet-4-6 · 200k   rules 1.6   ● live", "$pitree-quiet")
            ),
            id="head",
        )
        yield ContextBar()
        with Horizontal():
            outline = OutlineView(classes="frame")
            outline.border_title = "Outline · 312 entries · 4 tips"
            yield outline
            entry = LineView(ENTRY, classes="frame")
            entry.border_title = "2 Entry"
            yield entry
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(ContextBar).shares = SHARES
        self.query_one(KeyBar).offers = tuple(offers(self.situation(), (SESSION, OUTLINE)))
        self.do_compaction_lens()
        self.query_one(OutlineView).focus()

    async def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        await self.run_command(event.command_id)

    def do_compaction_lens(self) -> None:
        self.query_one(OutlineView).show(Listed(COMPACTION_ROWS), 12)

    def do_target(self) -> None:
        self.query_one(OutlineView).show(Listed(BRANCH_ROWS), 8)

    def do_switch_focus(self) -> None:
        self.focus_next()

    def do_help(self) -> None:
        scope = LINES if isinstance(self.focused, LineView) else OUTLINE
        self.app.push_screen(HelpScreen(offers(self.situation(), (SESSION, scope)), "in the session"))

    def do_quit(self) -> None:
        self.app.exit()


class Demo(App[None]):
    CSS = """
    #head { height: 1; padding: 0 1; }
    .frame { border: round $pitree-frame; border-title-color: $pitree-quiet; padding: 0; }
    .frame:focus { border: round $pitree-frame-focus; border-title-color: $pitree-key; }
    OutlineView { width: 11fr; }
    LineView { width: 9fr; padding: 0 1; }
    DemoScreen.-narrow LineView { display: none; }
    """
    COMMANDS: ClassVar[set[object]] = {PitreeCommands}  # type: ignore[assignment]

    def get_default_screen(self) -> DemoScreen:
        return DemoScreen()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK.name


async def draw_all(folder: Path) -> None:
    """Pictures of the demo in several sizes, themes and states."""
    from tests.pictures import write_picture

    scenes = {
        "wide": ((120, 40), DARK.name, ()),
        "narrow": ((80, 24), DARK.name, ()),
        "light": ((120, 40), "pitree-light", ()),
        "branch": ((120, 40), DARK.name, ("enter",)),
        "help": ((120, 40), DARK.name, ("?",)),
        "help_narrow": ((80, 24), DARK.name, ("?",)),
        "palette": ((120, 40), DARK.name, ("ctrl+p",)),
    }
    for name, (size, theme, keys) in scenes.items():
        app = Demo()
        async with app.run_test(size=size) as pilot:
            app.theme = theme
            await pilot.press(*keys)
            await pilot.pause()
            write_picture(app.export_screenshot(simplify=True), folder / name)


if __name__ == "__main__":
    import asyncio

    asyncio.run(draw_all(Path(sys.argv[1])))
