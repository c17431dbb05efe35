"""The rows of `pitree outline`: what each says as a value, and how it is drawn in a line of the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

import click
from rich.cells import cell_len

from pitree.cli.entry_ids import NoSuchEntry, resolve_id
from pitree.cli.exits import Failed
from pitree.cli.subject import Subject
from pitree.context.messages import entry_messages
from pitree.context.projection import kept_from, newest_compaction
from pitree.context.tokens import estimate_or_nan
from pitree.planning.rules import RULES, Rules
from pitree.safe_text import cell_fit, cell_pad, one_line, safe
from pitree.session.describe import describe
from pitree.session.entries import Kind
from pitree.session.javascript import JSON, UNDEFINED, get, nullish, to_string
from pitree.session.outline import Filter, Rows, shape_of, visible_rows
from pitree.session.session import Session
from pitree.session.tree import ROOT
from pitree.store.locations import Environment

ID_WIDTH = 8
KIND_WIDTH = 10
LABEL_WIDTH = 24
TOKENS_WIDTH = 8
TEXT_LIMIT = 200
"""The most characters of a text that are looked at for a row."""

QUIET = "bright_black"
_NARROW = 40
"""On a narrower line there is no room for label and estimate."""

# State: glyph and color. The glyphs are those of the screen (`ui.marks`), a test holds them equal.
STATES: dict[str, tuple[str, str]] = {
    "leaf": ("●", "bright_green"),
    "path": ("•", "blue"),
    "gone": ("░", QUIET),
    "abandoned": ("◦", QUIET),
}
LABEL_MARK = "⚑"

_KIND_COLORS: dict[Kind, str] = {
    Kind.USER: "blue",
    Kind.CUSTOM_MESSAGE: "blue",
    Kind.CUSTOM_ROLE: "blue",
    Kind.BASH: "blue",
    Kind.ASSISTANT: "cyan",
    Kind.TOOL_RESULT: QUIET,
    Kind.COMPACTION: "yellow",
    Kind.BRANCH_SUMMARY: "yellow",
    Kind.UNKNOWN: "magenta",
    Kind.OTHER_ROLE: "magenta",
}


@dataclass(frozen=True, eq=False)
class TreeRows:
    """The visible rows of a session, and what is needed to describe them.

    Attributes:
        leaf: Index of the entry stood on, or None.
        path: Indices from the root to the leaf.
        gone: Those of them that the newest compaction took out of the context.
    """

    session: Session
    rules: Rules
    rows: Rows
    leaf: int | None
    path: frozenset[int]
    gone: frozenset[int]


@dataclass(frozen=True)
class Row:
    """One row. Texts are as in the file, not yet safe.

    Attributes:
        state: leaf, path, gone or abandoned.
        prefix: The lines of the tree before the kind.
        tokens: pi's estimate; nan where pi cannot count; None for what puts no message into a context.
    """

    id: JSON
    parent_id: JSON
    line: int
    kind: Kind
    word: str
    text: str
    is_error: bool
    label: JSON
    state: str
    prefix: str
    tokens: float | None

    def as_json(self) -> dict[str, JSON]:
        """The object that `--json` prints."""
        known = self.tokens is not None and isfinite(self.tokens)
        return {
            "id": _plain(self.id),
            "parentId": _plain(self.parent_id),
            "line": self.line,
            "indent": len(self.prefix) // 3,
            "prefix": self.prefix,
            "kind": self.word,
            "text": one_line_of(self.text),
            "isError": self.is_error,
            "label": self.label,
            "state": self.state,
            "tokens": self.tokens if known else None,
        }


def one_line_of(text: str) -> str:
    """The beginning of a text with every run of white space as one space; not safe for a terminal."""
    return " ".join(text[: 4 * TEXT_LIMIT].split())[:TEXT_LIMIT]


def rows_of(
    subject: Subject, environment: Environment, rules: str | None, leaf_name: str | None, filter_name: str
) -> TreeRows:
    """The rows of a session under a filter.

    Raises:
        Failed: when `leaf_name` names no entry.
    """
    session = subject.session
    leaf = _leaf(subject, leaf_name)
    path = session.path(leaf)
    rows = visible_rows(shape_of(session, leaf), Filter(filter_name))
    return TreeRows(session, _rules(session, environment, rules), rows, leaf, frozenset(path), _gone(session, path))


def _leaf(subject: Subject, name: str | None) -> int | None:
    session = subject.session
    if name is None and (subject.demo is None or subject.demo.leaf_id is None):
        return session.last
    try:
        return session.find(resolve_id(session, str(subject.demo.leaf_id if name is None and subject.demo else name)))
    except NoSuchEntry as error:
        raise Failed(str(error)) from None


def _rules(session: Session, environment: Environment, name: str | None) -> Rules:
    if name is not None and name != "auto":
        return RULES[name]
    from pitree.store.pi_settings import read_settings

    cwd = get(session.header, "cwd")
    return RULES[read_settings(environment, cwd if isinstance(cwd, str) else None).rules]


def _gone(session: Session, path: list[int]) -> frozenset[int]:
    at = newest_compaction(session, path)
    if at is None:
        return frozenset()
    kept = kept_from(session, path[:at], session.entry(path[at]).get("firstKeptEntryId"))
    return frozenset(path[:at]) - frozenset(kept)


def describe_rows(tree: TreeRows) -> Iterator[Row]:
    """Every row from the top; entries are read as their turn comes."""
    for place in range(len(tree.rows)):
        yield _describe(tree, place)


def _describe(tree: TreeRows, place: int) -> Row:
    session = tree.session
    index = tree.rows.entry(place)
    parent = session.tree.parent(index)
    said = describe(session, index)
    label = session.label(index)
    messages = entry_messages(session.entry(index), tree.rules)
    return Row(
        id=session.id_of(index),
        parent_id=None if parent == ROOT else session.id_of(parent),
        line=session.line(index),
        kind=session.kind(index),
        word=said.word,
        text=said.text,
        is_error=said.is_error,
        label=None if label is None else label.text,
        state=_state(tree, index),
        prefix=tree.rows.prefix(place),
        tokens=sum(estimate_or_nan(message, tree.rules) for message in messages) if messages else None,
    )


def _state(tree: TreeRows, index: int) -> str:
    if index == tree.leaf:
        return "leaf"
    if index not in tree.path:
        return "abandoned"
    return "gone" if index in tree.gone else "path"


class Piece(NamedTuple):
    """Safe text and how it is drawn."""

    text: str
    color: str | None = None
    bold: bool = False


@dataclass(frozen=True)
class Layout:
    """How rows are drawn.

    Attributes:
        width: Cells of a line, or None for no limit.
        right_aligned: Whether the estimate stands at the right end; else after the text.
        color: Whether colors are used.
    """

    width: int | None
    right_aligned: bool
    color: bool


def draw_row(row: Row, layout: Layout) -> str:
    """One line of safe text, with color sequences of ours."""
    pieces, label, figure = [*_head(row), *_said(row)], _label(row), _figure(row)
    if layout.width is None:
        return _paint([*pieces, *label, *figure], layout)
    if layout.width < _NARROW:
        return _paint(_cut(pieces, layout.width), layout)
    taken = TOKENS_WIDTH + 1 if layout.right_aligned else _cells(figure)
    cut = [*_cut(pieces, layout.width - taken - _cells(label)), *label]
    if layout.right_aligned and figure:
        gap = layout.width - TOKENS_WIDTH - _cells(cut)
        figure = [Piece(" " * gap + cell_pad(figure[0].text.strip(), TOKENS_WIDTH, right=True), QUIET)]
    return _paint([*cut, *figure], layout)


def _head(row: Row) -> list[Piece]:
    """The mark, the id and the lines of the tree."""
    glyph, color = STATES[row.state]
    shown = "" if nullish(row.id) else to_string(row.id)
    return [
        Piece(f"{glyph} ", color),
        Piece(cell_pad(one_line(shown, 40), ID_WIDTH) + " ", QUIET),
        Piece(safe(row.prefix), QUIET),
    ]


def _said(row: Row) -> list[Piece]:
    """The kind and the text."""
    word = one_line(row.word, 40)
    padded = word + " " * max(1, KIND_WIDTH + 1 - cell_len(word))
    text = one_line(row.text, TEXT_LIMIT)
    if row.state in ("abandoned", "gone"):
        return [Piece(padded, QUIET), Piece(text, QUIET)]
    if row.is_error:
        return [Piece(padded, "red"), Piece(text, "red")]
    return [Piece(padded, _KIND_COLORS.get(row.kind, QUIET), bold=row.kind is Kind.USER), Piece(text)]


def _label(row: Row) -> list[Piece]:
    if row.label is None:
        return []
    return [Piece(f"  {LABEL_MARK} {cell_fit(one_line(to_string(row.label)), LABEL_WIDTH)}", "yellow")]


def _figure(row: Row) -> list[Piece]:
    if row.tokens is None:
        return []
    return [Piece(f"  {row.tokens:,.0f}" if isfinite(row.tokens) else "  NaN", QUIET)]


def _cells(pieces: list[Piece]) -> int:
    return sum(cell_len(piece.text) for piece in pieces)


def _cut(pieces: list[Piece], room: int) -> list[Piece]:
    shown: list[Piece] = []
    for piece in pieces:
        if room <= 0:
            break
        fitted = piece._replace(text=cell_fit(piece.text, room))
        shown.append(fitted)
        room -= cell_len(fitted.text)
    return shown


def _paint(pieces: list[Piece], layout: Layout) -> str:
    if not layout.color:
        return "".join(piece.text for piece in pieces).rstrip()
    return "".join(_painted(piece) for piece in pieces)


def _painted(piece: Piece) -> str:
    if piece.color is None or not piece.text.strip():
        return piece.text
    return click.style(piece.text, fg=piece.color, bold=piece.bold or None)


def _plain(value: JSON) -> JSON:
    return None if value is UNDEFINED else value
