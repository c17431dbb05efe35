"""The diagrams of pi's documentation as sessions: small, and with round figures.

Every cell counts exactly 100 tokens (400 characters; texts are filled up with blanks), so that sums can be done in the
head. Entry n of a diagram has the id `0000000n`, and A to F are `aaaaaaaa` to `ffffffff`: the header is entry 0, as in
the diagrams. The provider's figures equal pi's estimates here; in a real session they do not. In the branch diagrams
the cells that call `edit` have no result, as there is no cell for it: pi would send one that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from pitree.lessons.blocks import Block, block_length, text_block
from pitree.lessons.builder import SessionBuilder

_CELL = 400
_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

Cell = tuple[str, str, Sequence[tuple[str, dict[str, str]]]]
"""Who speaks (`user`, `assistant`, `tool`), the text, and for an assistant the tool calls by name and arguments."""


def user(text: str) -> Cell:
    """A cell of the person."""
    return ("user", text, ())


def assistant(text: str, *calls: tuple[str, dict[str, str]]) -> Cell:
    """A cell of the model, with the tools it calls."""
    return ("assistant", text, calls)


def tool(text: str) -> Cell:
    """A cell with the result of the oldest call that has none yet."""
    return ("tool", text, ())


def filled(text: str, used: int = 0) -> str:
    """Return `text` filled up with blanks so that it and `used` characters beside it make one cell."""
    length = _CELL - used
    if len(text) > length:
        raise ValueError(f"{len(text) - length} characters too many for a cell: {text[:40]}…")
    return text.ljust(length)


class _Diagram:
    """Writes cells; ids are numbered unless they are given."""

    def __init__(self, name: str) -> None:
        self.builder = SessionBuilder(name, cwd="/src/reports", start=_START)
        self.count = 0
        self._open: list[Block] = []

    def next_id(self) -> str:
        self.count += 1
        return f"{self.count:08x}"

    def add(self, *cells: Cell) -> _Diagram:
        for cell in cells:
            self.put(cell, self.next_id())
        return self

    def put(self, cell: Cell, entry_id: str) -> None:
        who, text, calls = cell
        self.builder.wait(4)
        if who == "user":
            self.builder.user(filled(text), entry_id=entry_id)
        elif who == "tool":
            self.builder.tool_result(self._open.pop(0), filled(text), entry_id=entry_id)
        else:
            blocks = [self.builder.tool_call(name, arguments) for name, arguments in calls]
            self._open.extend(blocks)
            said = text_block(filled(text, sum(map(block_length, blocks))))
            self.builder.assistant([said, *blocks], entry_id=entry_id)


FIRST_TURN = (
    user(
        "The monthly report prints 03/04/2026 and our readers in Madrid take that for the third of April. It should "
        "be the fourth of March. Find out where dates are written. Do not change the database, and leave "
        "migrations/ alone."
    ),
    assistant(
        "Dates can be written in two places: the template of the report or the exporter behind it. I look at the "
        "exporter first, because the template only prints what it is given.",
        ("read", {"path": "reports/export.py"}),
    ),
    tool(
        "from datetime import date\n\nUS = '%m/%d/%Y'\n\n\ndef day(value: date) -> str:\n"
        '    """Write a day for people."""\n    return value.strftime(US)\n\n\n'
        "def month(value: date) -> str:\n    return value.strftime('%B %Y')\n"
    ),
)
SECOND_TURN = (
    user(
        "Good find. Write days as 4 March 2026 instead, for everybody, and for now without a setting. Then look "
        "whether a test expects the old form, and whether anything else in the project formats days on its own."
    ),
    assistant(
        "I change the one function that writes days, and search for other uses of strftime at the same time.",
        ("edit", {"path": "reports/export.py", "oldText": "strftime(US)", "newText": "strftime('%-d %B %Y')"}),
        ("bash", {"command": "grep -rn strftime reports tests"}),
    ),
    tool("Successfully replaced 1 block(s) in reports/export.py."),
    tool(
        "reports/export.py:8:    return value.strftime('%-d %B %Y')\n"
        "reports/export.py:12:    return value.strftime('%B %Y')\n"
        "reports/mail.py:31:    stamp = sent.strftime('%H:%M')\n"
        "tests/test_export.py:15:    assert day(D) == D.strftime('%m/%d/%Y')\n"
    ),
)
CLOSING = assistant(
    "Days are now written as 4 March 2026. One test still expects the old form: tests/test_export.py line 15. "
    "reports/mail.py formats only the time, which is not affected. Shall I change the test?"
)
CHECKING = assistant(
    "One test still expects the old form: tests/test_export.py line 15. reports/mail.py formats only the time. I run "
    "the tests to see whether that is all.",
    ("bash", {"command": "pytest -q tests/test_export.py"}),
)
CHECKED = tool(
    "F....                                                [100%]\n"
    "FAILED tests/test_export.py::test_day - AssertionError: assert\n"
    "  '4 March 2026' == '03/04/2026'\n1 failed, 4 passed in 0.12s\n\nCommand exited with code 1"
)
THIRD_TURN = (
    user("Yes, change the test. It should compare with the written-out text, not with another strftime call."),
    assistant(
        "The test compares with the literal text now.",
        (
            "edit",
            {"path": "tests/test_export.py", "oldText": "D.strftime('%m/%d/%Y')", "newText": "'4 March 2026'"},
        ),
    ),
    tool("Successfully replaced 1 block(s) in tests/test_export.py."),
)
FOURTH_TURN = (
    user("Does the mail that goes out with the report say the day anywhere? It should use the same form then."),
    assistant(
        "It does not: reports/mail.py writes the time of sending and the month of the report, through month() of the "
        "exporter. There is nothing to change. The open point from before remains: other languages than English."
    ),
)
SUMMARY = """## Goal
Write days in the monthly report so that nobody reads 03/04/2026 as the third of April.

## Constraints & Preferences
- Do not change the database
- Leave migrations/ alone

## Progress
### Done
- [x] Found the place: `day()` in reports/export.py uses `%m/%d/%Y`

### In Progress
- [ ] Choosing the new form

### Blocked
- (none)

## Key Decisions
- (none yet)

## Next Steps
1. Change `day()` in reports/export.py

## Critical Context
- The template only prints what the exporter gives it"""


def plain_cut() -> bytes:
    """Cells usr ass tool | usr ass tool tool ass: with 500 tokens to keep, entry 4 is kept first."""
    return _Diagram("plain-cut").add(*FIRST_TURN, *SECOND_TURN, CLOSING).builder.build()


def _compacted(name: str) -> _Diagram:
    diagram = _Diagram(name).add(*FIRST_TURN, *SECOND_TURN, CHECKING, CHECKED)
    diagram.builder.compaction(
        SUMMARY, "00000004", read_files=["reports/export.py"], tokens_before=900, entry_id=diagram.next_id()
    )
    return diagram


def after_compaction() -> bytes:
    """The second picture of the first diagram: entry 10 is the compaction that keeps from entry 4 on."""
    return _compacted("after-compaction").builder.build()


def split_turn() -> bytes:
    """Cells usr ass tool ass tool tool | ass tool, one turn: with 200 tokens to keep, entry 7 is kept first."""
    looking = assistant(FIRST_TURN[1][1], *FIRST_TURN[1][2])
    diagram = _Diagram("split-turn").add(
        FIRST_TURN[0], looking, FIRST_TURN[2], SECOND_TURN[1], *SECOND_TURN[2:], CHECKING, CHECKED
    )
    return diagram.builder.build()


def repeated() -> bytes:
    """A second compaction summarizes from entry 4 on, which the first one kept, and not from that compaction on."""
    return _compacted("repeated").add(*THIRD_TURN, *FOURTH_TURN).builder.build()


_A = user(
    "The report takes 40 seconds for the largest customer and it should be under 5. Find out why and try what you "
    "think best. The tables must stay as they are."
)
_B = assistant(
    "Each row asks the database for its customer again. I try a cache in memory: one dictionary per report, filled on "
    "first use.",
    ("edit", {"path": "reports/rows.py", "oldText": "customer(row.id)", "newText": "cache(row.id)"}),
)
_C = user(
    "How fast is it now, and how much memory does it need for the largest customer? We have 512 MB in production."
)
_D = assistant(
    "11 seconds, and 430 MB at the peak. That is too close to the limit of 512 MB: the cache holds every customer "
    "until the report is done. I would not go on with it.",
)
_E_USER = user("Do it without a cache: one query that joins the rows with their customers, read in pieces of 1000.")
_F_ASSISTANT = assistant(
    "One joined query, 1000 rows at a time: 3.2 seconds and 61 MB at the peak. The output is the same, byte for byte.",
    ("edit", {"path": "reports/query.py", "oldText": "FROM rows", "newText": "FROM rows JOIN customers"}),
)
_E_ASSISTANT = assistant(
    "Each row asks the database for its customer again. One query that joins the rows with their customers would ask "
    "once, and reading in pieces of 1000 keeps the memory small. I have not changed anything yet.",
)
_F_USER = user("Try it that way, and measure the time and the memory at the peak with the largest customer again.")


def _branches(name: str, e: Cell, f: Cell) -> bytes:
    diagram = _Diagram(name)
    for letter, cell in zip("abcd", (_A, _B, _C, _D), strict=True):
        diagram.put(cell, letter * 8)
    diagram.builder.branch_from("a" * 8)
    diagram.put(e, "e" * 8)
    diagram.put(f, "f" * 8)
    return diagram.builder.build()


def branch() -> bytes:
    """A, then B C D and E F: from D to F, an assistant message, the common ancestor is A."""
    return _branches("branch", _E_USER, _F_ASSISTANT)


def branch_user() -> bytes:
    """The same tree with F a user message: the new leaf is E, and the text of F goes to the editor."""
    return _branches("branch-user", _E_ASSISTANT, _F_USER)
