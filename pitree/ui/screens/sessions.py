"""A plain list of sessions to choose from: this project's, all, and the built-in demos below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from pitree.lessons.demos import DEMOS
from pitree.store.discovery import all_sessions, project_sessions
from pitree.store.errors import StoreError
from pitree.store.locations import Environment
from pitree.store.pi_settings import read_settings
from pitree.store.summaries import SessionSummary
from pitree.ui.rows import RowText
from pitree.ui.text import content, one_line
from pitree.ui.widgets.outline_view import OutlineView

BATCH = 64


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of the list: a session file, or the name of a demo."""

    target: Path | str
    row: RowText
    about: str


class Choices:
    """Provides the rows."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.choices = choices

    def __len__(self) -> int:
        return len(self.choices)

    def row(self, index: int, /) -> RowText:
        """See `RowProvider`."""
        return self.choices[index].row


class SessionsScreen(Screen[Path | str | None]):
    """Dismisses with what was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open"),
        Binding("tab", "scope", "This project or all"),
        Binding("escape", "dismiss(None)", "Back"),
        Binding("q", "dismiss(None)", "Back"),
    ]

    list = getters.query_one("#sessions", OutlineView)
    about = getters.query_one("#about", Static)

    @dataclass
    class Listed(Message):
        """More rows are there."""

        choices: Sequence[Choice]
        everywhere: bool
        done: bool

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self.environment = environment
        self.everywhere = False
        self.choices: list[Choice] = []

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        yield OutlineView(id="sessions")
        yield Static(id="about")

    def on_mount(self) -> None:
        """List this project's."""
        self.list.focus()
        self._start()

    def action_scope(self) -> None:
        """Tab: this project or all."""
        self.everywhere = not self.everywhere
        self._start()

    def _start(self) -> None:
        self.choices = []
        self._show(done=False)
        self._find(self.everywhere)

    @work(thread=True, exclusive=True, description="list the sessions")
    def _find(self, everywhere: bool) -> None:
        worker = get_current_worker()
        folder = read_settings(self.environment).session_dir
        find = all_sessions if everywhere else project_sessions
        try:
            found = iter(find(self.environment, session_dir=folder))
        except StoreError:
            found = iter(())
        while batch := list(islice(found, BATCH)):
            if worker.is_cancelled:
                return
            self.post_message(self.Listed([_choice(summary) for summary in batch], everywhere, done=False))
        self.post_message(self.Listed([_demo_choice(name) for name in DEMOS], everywhere, done=True))

    def on_sessions_screen_listed(self, event: Listed) -> None:
        """Add the rows that have been found."""
        if event.everywhere == self.everywhere:
            self.choices = [*chain(self.choices, event.choices)]
            self._show(done=event.done)

    def _show(self, *, done: bool) -> None:
        self.list.show(Choices(self.choices))
        files = sum(isinstance(choice.target, Path) for choice in self.choices)
        scope = "all projects" if self.everywhere else "this project"
        self.list.border_title = content(f"Sessions of {scope} · {files}{'' if done else ' …'}")
        self.list.border_subtitle = content("enter open · tab this project or all · esc back")
        self._show_about()

    @on(OutlineView.CursorMoved)
    def _show_about(self) -> None:
        text = self.choices[self.list.cursor].about if self.choices else ""
        self.about.update(content(text))

    @on(OutlineView.Selected)
    def _selected(self) -> None:
        self.action_choose()

    async def action_command(self, command_id: str) -> None:
        """Enter in the list; no other command of the outline applies here."""
        if command_id == "target":
            self.action_choose()

    def action_choose(self) -> None:
        """Open what the cursor is on."""
        if self.choices:
            self.dismiss(self.choices[self.list.cursor].target)


def _choice(summary: SessionSummary) -> Choice:
    when = datetime.fromtimestamp(summary.modified, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    name = one_line(summary.name or summary.first_message or summary.path.name, 160)
    size = f"{summary.size / 1e6:.1f} MB" if summary.size >= 100_000 else f"{summary.size / 1e3:.1f} kB"
    row = RowText(
        state="problem" if summary.problem else "path",
        kind="session",
        kind_color="pitree-quiet",
        text=f"{name} · {one_line(summary.problem, 120)}" if summary.problem else name,
        note=when,
        figure=size,
    )
    about = [one_line(str(summary.path), 300), one_line(f"id {summary.id} · {summary.cwd}", 300)]
    return Choice(summary.path, row, "\n".join([*about, one_line(summary.first_message or "", 300)]))


def _demo_choice(name: str) -> Choice:
    demo = DEMOS[name]
    row = RowText(state="label", kind="demo", kind_color="pitree-label", text=f"{demo.title} · {name}")
    return Choice(name, row, f"{demo.about}\nbuilt in · pitree --demo {name}")
