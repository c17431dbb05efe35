"""The Draft pane: a draft as it stands or as it arrives, edited in its place, or compared with another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from pitree.ui.comparison import differences
from pitree.ui.draft_text import Piece, ShownDraft, SummaryReader, file_blocks, head_pieces, origin_words
from pitree.ui.widgets.comparison import Comparison
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.widgets.text_editor import TextEditor
from pitree.ui.word_diff import compare
from pitree.ui.wrapping import Block

EDITING = "ctrl+s or esc keeps the text · file lists are added at the commit"


class DraftEditor(TextEditor):
    """The field in which a draft is edited."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s,escape", "keep", "Keep the text", show=False)]

    @dataclass
    class Kept(Message):
        """Editing is over."""

    def action_keep(self) -> None:
        """Tell that editing is over."""
        self.post_message(self.Kept())


class DraftPane(Vertical):
    """Shows one draft, an edit of it, or two drafts compared; it gets values and knows nothing of a session."""

    DEFAULT_CSS = """
    DraftPane {
        & #draft-head { height: auto; max-height: 6; padding: 0 1; background: $background; }
        & #draft-text, & #draft-comparison { height: 1fr; padding: 0 1; margin: 1 0 0 0; }
        & #draft-editor { height: 1fr; margin: 1 0 0 0; }
    }
    """

    head = getters.query_one("#draft-head", Static)
    text = getters.query_one("#draft-text", MarkedView)
    editor = getters.query_one("#draft-editor", DraftEditor)
    comparison = getters.query_one("#draft-comparison", Comparison)

    @dataclass
    class Edited(Message):
        """Editing in place has ended by one of its keys.

        Attributes:
            pane: The pane.
            text: The text as it stands now.
        """

        pane: DraftPane
        text: str

        @property
        def control(self) -> DraftPane:
            """The pane it happened in."""
            return self.pane

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: ShownDraft | None = None
        self._reader = SummaryReader()
        self._head: list[Piece] = []

    def compose(self) -> ComposeResult:
        """See `Widget`."""
        yield Static(id="draft-head")
        yield MarkedView(id="draft-text")
        yield DraftEditor(id="draft-editor")
        yield Comparison(id="draft-comparison")

    def on_mount(self) -> None:
        """Only the text shows at first."""
        self._bring_up(self.text)

    @property
    def is_editing(self) -> bool:
        """Whether the field has the place of the text."""
        return bool(self.editor.display)

    @property
    def is_comparing(self) -> bool:
        """Whether two drafts are compared."""
        return bool(self.comparison.display)

    def stops(self) -> tuple[Widget, ...]:
        """What takes the focus in the pane."""
        return (self.editor if self.is_editing else self.comparison if self.is_comparing else self.text,)

    # A draft

    def show_draft(self, shown: ShownDraft, *, keep_place: bool = False) -> None:
        """Show a draft; an edit or a comparison that is on is left, an edit without being kept.

        Args:
            shown: The draft; while it is streaming, more of it comes by `append`.
            keep_place: Stay where the reader is.
        """
        self._shown = shown
        self._set_head(head_pieces(shown))
        self._reader = SummaryReader()
        blocks = self._reader.read(shown.draft.text)
        if not shown.streaming:
            blocks += file_blocks(shown.read_files, shown.modified_files)
        self.text.show(blocks, keep_place=keep_place)
        self._bring_up(self.text)

    def show_words(self, words: str) -> None:
        """Show why there is no draft."""
        self._shown = None
        self._set_head([("Draft", "bold $pitree-user")])
        self.text.show([Block(words, "$pitree-quiet")])
        self._bring_up(self.text)

    def append(self, text: str) -> None:
        """More of the draft that is being written; whoever reads at the end stays at the end."""
        if self._shown is None:
            return
        draft = self._shown.draft
        self._shown = replace(self._shown, draft=replace(draft, text=draft.text + text))
        self._set_head(head_pieces(self._shown))
        self.text.replace_last(self._reader.read(text))

    # Editing

    def begin_edit(self, text: str) -> None:
        """Edit a text in place; `Edited` tells when its keys end that."""
        self.editor.fill(text)
        self._set_head([*self._head[:3], (f" · ✎ editing\n{EDITING}", "$pitree-changed")])
        self._bring_up(self.editor)
        self.editor.focus()

    def end_edit(self) -> str:
        """Leave the field, for the text of before; the caller shows the edited draft.

        Returns:
            The text as it stands now.
        """
        text = self.editor.result
        had_focus = self.editor.has_focus
        self._bring_up(self.text)
        if self._shown is not None:
            self._set_head(head_pieces(self._shown))
        if had_focus:
            self.text.focus()
        return text

    def on_draft_editor_kept(self, event: DraftEditor.Kept) -> None:
        """Leave the field and tell."""
        event.stop()
        self.post_message(self.Edited(self, self.end_edit()))

    # Comparing

    def show_comparison(self, left: ShownDraft, right: ShownDraft) -> None:
        """Show what differs between two drafts: `[-gone-]` is only in the left one, `{+new+}` only in the right one."""
        pairs = compare(left.draft.text, right.draft.text)
        gone, new = differences(pairs)
        self._set_head(
            [
                (f"Draft {left.number} ", "bold $pitree-user"),
                (origin_words(left.draft.origin), "$pitree-summary"),
                (f"  [-{gone} words-]", "$pitree-dropped"),
                (f"\nDraft {right.number} ", "bold $pitree-user"),
                (origin_words(right.draft.origin), "$pitree-summary"),
                (f"  {{+{new} words+}}", "$pitree-leaf"),
            ]
        )
        self._bring_up(self.comparison)
        self.comparison.show_pairs(pairs)

    def end_comparison(self) -> None:
        """Show the draft of before."""
        had_focus = self.comparison.has_focus
        if self._shown is not None:
            self._set_head(head_pieces(self._shown))
        self._bring_up(self.text)
        if had_focus:
            self.text.focus()

    def _bring_up(self, widget: Widget) -> None:
        for other in (self.text, self.editor, self.comparison):
            other.display = other is widget

    def _set_head(self, pieces: list[Piece]) -> None:
        self._head = pieces
        self.head.update(Content.assemble(*pieces))
