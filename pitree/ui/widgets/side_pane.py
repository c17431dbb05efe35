"""The right side: the panes beside the outline, one in front of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from pitree.ui.facts import Fact
from pitree.ui.rows import NoRows, RowProvider
from pitree.ui.text import content
from pitree.ui.widgets.draft_pane import DraftPane
from pitree.ui.widgets.facts import Facts
from pitree.ui.widgets.line_view import LineView
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.widgets.outline_view import OutlineView
from pitree.ui.wrapping import Block

PLAN, ENTRY, DRAFT, CONTEXT, REQUEST = range(1, 6)
PANES: Final[Mapping[int, tuple[str, str]]] = {
    PLAN: ("Plan", "plan"),
    ENTRY: ("Entry", "entry"),
    DRAFT: ("Draft", "draft"),
    CONTEXT: ("Context", "context"),
    REQUEST: ("Request", "request"),
}
"""Number -> its name, and the id of its widget."""


class SidePane(Vertical):
    """Shows one of its panes; it gets values and knows nothing of a session."""

    facts = getters.query_one("#facts", Facts)
    walk = getters.query_one("#walk", OutlineView)
    facts_box = getters.query_one("#facts-box", VerticalScroll)
    walk_title = getters.query_one("#walk-title", Static)
    entry = getters.query_one("#entry", LineView)
    draft = getters.query_one("#draft", DraftPane)
    context = getters.query_one("#context", OutlineView)
    request = getters.query_one("#request", MarkedView)
    switcher = getters.query_one("#panes", ContentSwitcher)

    def compose(self) -> ComposeResult:
        """See `Widget`."""
        with ContentSwitcher(initial="plan", id="panes"):
            with Vertical(id="plan"):
                with VerticalScroll(id="facts-box"):
                    yield Facts(id="facts")
                yield Static(id="walk-title")
                yield OutlineView(id="walk")
            yield LineView(id="entry")
            yield DraftPane(id="draft")
            yield OutlineView(id="context")
            yield MarkedView(id="request")

    def show_pane(self, number: int) -> None:
        """Bring a pane to the front."""
        self.switcher.current = PANES[number][1]
        self.border_title = Content.assemble(
            *((f" {n} {name}", "reverse" if n == number else "$pitree-quiet") for n, (name, _) in PANES.items())
        )

    def show_plan(self, facts: Sequence[Fact], walk: RowProvider | None, title: str) -> None:
        """Fill the Plan pane; without a walk its list is empty."""
        self.facts.facts = facts
        self.walk.show(walk or NoRows(), 0, keep_place=False)
        self.walk.display = self.walk_title.display = walk is not None
        self.walk_title.update(content(title))

    def show_entry(self, blocks: Sequence[Block]) -> None:
        """Fill the Entry pane."""
        self.entry.show(blocks)

    def stops(self) -> Sequence[Widget]:
        """What takes the focus in the pane that is in front, in the order of tab."""
        if self.switcher.current == "plan":
            return self._plan_stops()
        if self.switcher.current == "draft":
            return self.draft.stops()
        return {"entry": (self.entry,), "context": (self.context,), "request": (self.request,)}[
            self.switcher.current or "entry"
        ]

    def _plan_stops(self) -> Sequence[Widget]:
        if not self.walk.display:
            return (self.facts_box,)
        return (self.walk, self.facts_box) if self.facts_box.max_scroll_y else (self.walk,)
