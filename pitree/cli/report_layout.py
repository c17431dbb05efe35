"""How a report is laid out: headings, rows of a name and what is said, and tables of entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitree.cli.report_text import excerpt, joined, shown
from pitree.session.describe import describe
from pitree.session.javascript import JSON, UNDEFINED, to_string
from pitree.session.session import Session

NAME_WIDTH = 13
ID_LIMIT = 36
"""The most characters of an id that are shown: ids of pi have 8, those of other programs up to these of a UUID."""
QUIET = "bright_black"
STRONG = "bold"
WARNING = "yellow"
WRONG = "red"
ID = "cyan"


@dataclass
class Section:
    """One part of a report.

    Attributes:
        title: In words.
        rows: A name and what is said of it; an empty name goes on with the row before.
        below: What follows the rows.
    """

    title: str
    rows: list[tuple[str, Text]] = field(default_factory=list)
    below: list[RenderableType] = field(default_factory=list)

    def say(self, name: str, *parts: Text | str) -> None:
        """Add a row."""
        self.rows.append((name, joined(*parts)))


def print_section(console: Console, section: Section) -> None:
    """Print a section: its title on a line across the report, then its rows."""
    console.print()
    console.print(Rule(shown(section.title, "bold"), align="left", style=QUIET, characters="─"))
    for name, said in section.rows:
        _print_row(console, name, said)
    for part in section.below:
        console.print(part)


def _print_row(console: Console, name: str, said: Text) -> None:
    """A name and what is said, with the further lines below what is said; a line that may not wrap is cut."""
    room = console.width - NAME_WIDTH - 2
    if said.no_wrap:
        said.truncate(room, overflow="ellipsis")
        lines = [said]
    else:
        lines = list(said.wrap(console, room, overflow="fold"))
    for line in lines or [said]:
        line.rstrip()
        head = shown(f" {name:<{NAME_WIDTH}} " if line or name else "", QUIET)
        console.print(joined(head, line), no_wrap=True, overflow="ignore", crop=False)
        name = ""


def id_text(entry_id: JSON) -> Text:
    """An id as it stands in the file."""
    if entry_id is UNDEFINED or entry_id is None or entry_id == "":
        return Text("(no id)", QUIET)
    return excerpt(to_string(entry_id), ID, ID_LIMIT)


def entry_text(session: Session, index: int, limit: int = 200) -> Text:
    """An entry in a row that is cut, not wrapped: id, line of the file, kind and the beginning of its text."""
    said = describe(session, index)
    text = joined(
        id_text(session.id_of(index)),
        shown(f"  line {session.line(index)}", QUIET),
        "  ",
        excerpt(said.word, WRONG if said.is_error else STRONG, 20),
        "  ",
        excerpt(said.text, "", limit),
    )
    text.no_wrap = True
    return text


@dataclass(frozen=True)
class EntryRow:
    """A row of a table of entries: a mark and its style, the entry, and figures at the right end."""

    glyph: str
    style: str
    entry: int
    figures: tuple[str, ...] = ()


def entry_table(session: Session, heads: Sequence[str], rows: Iterable[EntryRow]) -> Padding:
    """Entries one below the other; texts are cut to the width, ids and figures never are.

    Args:
        session: Where the entries are.
        heads: What stands above the figures.
        rows: From the top.
    """
    table = Table(
        box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style=QUIET, expand=True, show_header=bool(heads)
    )
    table.add_column("", width=1)
    table.add_column("id", no_wrap=True, overflow="ellipsis", max_width=12)
    table.add_column("kind", no_wrap=True, overflow="ellipsis", max_width=14)
    table.add_column("text", no_wrap=True, overflow="ellipsis", ratio=1)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        said = describe(session, row.entry)
        table.add_row(
            shown(row.glyph, row.style),
            id_text(session.id_of(row.entry)),
            excerpt(said.word, WRONG if said.is_error else "", 20),
            excerpt(said.text, "", 120),
            *(shown(figure, QUIET) for figure in row.figures),
        )
    return Padding(table, (0, 0, 0, 1))
