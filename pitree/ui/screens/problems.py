"""What is wrong with the file, line by line, and what each finding means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from pitree.session.problems import Problem
from pitree.store.findings import Finding
from pitree.ui.text import content
from pitree.ui.widgets.line_view import LineView
from pitree.ui.wrapping import Block


def problem_blocks(problems: Sequence[Problem], findings: Sequence[Finding]) -> list[Block]:
    """The blocks of all problems of a file, then of what was found in pi's own settings."""
    blocks: list[Block] = []
    for problem in problems:
        where = "the file" if problem.line is None else f"line {problem.line}"
        blocks.append(Block(f"{where}: {problem.message}", "$pitree-problem", "‼ ", "$pitree-problem"))
        blocks.append(Block(problem.advice, "$pitree-quiet", "  "))
    for finding in findings:
        blocks.append(Block(f"{finding.where}: {finding.text}", "$pitree-changed", "≠ ", "$pitree-changed"))
    return blocks or [Block("Nothing is wrong with this file.", "$pitree-leaf")]


class ProblemsScreen(ModalScreen[None]):
    """Shows them all; escape closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("q", "dismiss", "Close", show=False),
        Binding("exclamation_mark", "dismiss", "Close", show=False),
    ]
    DEFAULT_CSS = """
    ProblemsScreen {
        align: center middle;
        & LineView {
            width: 90%;
            max-width: 110;
            height: 70%;
            border: round $pitree-frame-focus;
            background: $surface;
            padding: 0 1;
        }
    }
    """

    def __init__(self, problems: Sequence[Problem], findings: Sequence[Finding]) -> None:
        super().__init__()
        self._problems = problems
        self._findings = findings

    def compose(self) -> ComposeResult:
        """See `Screen`."""
        view = LineView(problem_blocks(self._problems, self._findings))
        view.border_title = content(f"Problems · {len(self._problems):,}")
        view.border_subtitle = content("esc closes")
        yield view
