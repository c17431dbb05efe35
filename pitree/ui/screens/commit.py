"""The commit: what is appended, what the context is then, where it goes, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pitree.ui.commit_blocks import Choice, commit_blocks, destination_pieces, effect_words
from pitree.ui.commit_offer import Chosen, CommitOffer
from pitree.ui.context_shares import ContextShares
from pitree.ui.marked_text import block_of
from pitree.ui.text import content
from pitree.ui.widgets.context_bar import bar_line, legend_line
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.wrapping import Block

LEGEND_FROM = 90
"""Cells from which each bar has a line in words under it."""
Piece = tuple[str, str]


class CommitText(MarkedView):
    """The text of the screen, laid out for its width, since the bars depend on it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choice: Choice | None = None
        self._laid_out = 0

    def show_choice(self, choice: Choice, *, keep_place: bool) -> None:
        """Show another choice."""
        self._choice = choice
        self._laid_out = self._columns
        if self._laid_out:
            self.show(commit_blocks(choice, self._bars(choice.offer)), keep_place=keep_place)

    def on_resize(self) -> None:
        """Draw the bars again."""
        if self._choice is not None and self._columns != self._laid_out:
            self.show_choice(self._choice, keep_place=True)
        super().on_resize()

    def _bars(self, offer: CommitOffer) -> Iterator[Block]:
        yield effect_words(offer.before, offer.after)
        for word, shares in (("now   ", _est_only(offer.before)), ("after ", _est_only(offer.after))):
            line = bar_line(shares, max(12, self._columns - len(word)))
            yield block_of(Content.assemble((word, "$pitree-quiet"), line))
            if self._columns >= LEGEND_FROM:
                yield block_of(Content.assemble("      ", legend_line(shares, self._columns - len(word))))


def _est_only(shares: ContextShares) -> ContextShares:
    """Before and after are measured by the same ruler."""
    return replace(shares, used=None)


class CommitScreen(ModalScreen[Chosen | None]):
    """Dismisses with the destination that a person has decided for, or None."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave"),
        Binding("enter", "commit", "Commit"),
        Binding("left", "step(-1)", "Destination before"),
        Binding("right", "step(1)", "Next destination"),
        *(Binding(str(at), f"choose({at - 1})", f"Destination {at}") for at in range(1, 4)),
        Binding("e", "edit_path", "Path of the copy"),
        Binding("y", "copy_line", "Copy the line"),
    ]

    DEFAULT_CSS = """
    CommitScreen {
        align: center middle;
        & > #commit {
            width: 94%;
            max-width: 116;
            height: 92%;
            padding: 0 1;
            background: $surface;
            border: round $pitree-frame-focus;
            border-title-color: $pitree-user;
            border-title-style: bold;
        }
        & #destinations { height: 1; margin: 0 0 1 0; }
        & #copy-path { height: 1; border: none; padding: 0 1; display: none; margin: 0 0 1 0; }
        & #copy-path.-shown { display: block; }
        & CommitText { height: 1fr; background: $surface; }
        & #commit-keys { height: auto; max-height: 2; margin: 1 0 0 0; }
        &.-narrow > #commit { width: 100%; height: 100%; }
        &.-narrow #commit-keys { margin: 0; }
    }
    """

    destinations = getters.query_one("#destinations", Static)
    field = getters.query_one("#copy-path", Input)
    text = getters.query_one("#commit-text", CommitText)
    keys = getters.query_one("#commit-keys", Static)

    def __init__(self, offer: CommitOffer) -> None:
        super().__init__()
        self.choice = Choice.of(offer, offer.default)

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        with Vertical(id="commit") as box:
            box.border_title = content(self.choice.offer.title)
            yield Static(id="destinations")
            yield Input(id="copy-path", select_on_focus=False)
            yield CommitText(id="commit-text")
            yield Static(id="commit-keys")

    def on_mount(self) -> None:
        """The keys go to the text."""
        self._take(self.choice)
        self.text.focus()

    def _take(self, choice: Choice, *, keep_place: bool = False) -> None:
        self.choice = choice
        is_copy = choice.destination.where == "copy"
        self.field.set_class(is_copy, "-shown")
        if is_copy and self.field.value != choice.path:
            with self.prevent(Input.Changed):
                self.field.value = choice.path
        if not is_copy and self.focused is self.field:
            self.text.focus()
        self.destinations.update(Content.assemble(*destination_pieces(choice)))
        self.text.show_choice(choice, keep_place=keep_place)
        self._show_keys()

    def _show_keys(self) -> None:
        self.keys.update(Content.assemble(*self._key_pieces()))

    def _key_pieces(self) -> Iterator[Piece]:
        choice = self.choice
        if self.focused is self.field:
            yield from _key("enter, esc", "back to the text")
            return
        if choice.blocked:
            yield "✗ cannot be committed here  ", "bold $pitree-problem"
        elif choice.confirming:
            noun = "warning" if choice.warnings == 1 else "warnings"
            yield f"enter again commits in spite of {choice.warnings} {noun}  ", "bold $pitree-changed"
            yield from _key("esc", "back")
            return
        else:
            yield from _key("enter", "commit")
        yield from _key("← → 1 2 3", "where")
        if choice.destination.where == "copy":
            yield from _key("e", "path")
        yield from _key("y", "copy the line")
        yield from _key("esc", "leave")

    def on_descendant_focus(self) -> None:
        """Other keys work in the field."""
        self._show_keys()

    # Keys

    def action_leave(self) -> None:
        """Escape: out of the field, back from a confirmation, then out of the screen."""
        if self.focused is self.field:
            self.text.focus()
        elif self.choice.confirming:
            self._take(replace(self.choice, confirming=False), keep_place=True)
        else:
            self.dismiss(None)

    def action_commit(self) -> None:
        """Enter: commit when nothing blocks; in spite of warnings when it is pressed again."""
        choice = self.choice
        if choice.blocked:
            self.text.scroll_to(y=0, animate=False)
            why = next(check.message for check in choice.checks if check.blocks)
            self.notify(why, title="Cannot be committed here", severity="error", markup=False)
        elif choice.warnings and not choice.confirming:
            self._take(replace(choice, confirming=True), keep_place=True)
        else:
            self.dismiss(Chosen(choice.destination.where, choice.path))

    def action_step(self, step: int) -> None:
        """The next destination or the one before."""
        self.action_choose((self.choice.at + step) % len(self.choice.offer.destinations))

    def action_choose(self, at: int) -> None:
        """A destination by its place."""
        if at < len(self.choice.offer.destinations) and at != self.choice.at:
            self._take(Choice.of(self.choice.offer, at))

    def action_edit_path(self) -> None:
        """Into the field with the path of the copy."""
        if self.choice.destination.where == "copy":
            self.field.focus()
            self.field.cursor_position = len(self.field.value)

    def action_copy_line(self) -> None:
        """The exact line to the clipboard of the terminal."""
        self.app.copy_to_clipboard(self.choice.offer.line)
        self.notify(f"Copied {len(self.choice.offer.line):,} characters.", markup=False)

    @on(Input.Changed, "#copy-path")
    def _path_typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.choice.destination.where == "copy" and event.value != self.choice.path:
            self._take(self.choice.with_path(event.value), keep_place=True)

    @on(Input.Submitted, "#copy-path")
    def _path_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.text.focus()


def _key(key: str, word: str) -> Iterator[Piece]:
    yield key, "bold $pitree-key"
    yield f" {word}  ", "$pitree-assistant"
