"""What the commit screen is given, and what a person has chosen there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pitree.planning.commit import Check
from pitree.ui.context_shares import ContextShares
from pitree.ui.facts import Fact

Where = Literal["file", "copy", "fork"]
WORDS: dict[Where, str] = {"file": "this file", "copy": "a copy", "fork": "a fork"}


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a commit may go.

    Attributes:
        where: Which kind.
        path: The file as it will be; a copy's may be changed on the screen.
        checks: What speaks against it.
        about: What it is, in one sentence.
    """

    where: Where
    path: str
    checks: tuple[Check, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where a person has decided to commit."""

    where: Where
    path: str


@dataclass(frozen=True, eq=False)
class CommitOffer:
    """A commit as it is shown before it is made.

    Attributes:
        title: What is committed, such as `Commit a compaction`.
        destinations: Where it may go.
        default: The place in `destinations` of the one that is chosen at first.
        facts: What the commit is about.
        before: The context at the leaf now.
        after: The context once the commit is made; est only, as `before` is compared with it.
        line: The line to be appended, as text.
        check_copy: Gives the checks of a copy to a path that a person has typed; must be quick.
    """

    title: str
    destinations: tuple[Destination, ...]
    default: int
    facts: tuple[Fact, ...]
    before: ContextShares
    after: ContextShares
    line: str
    check_copy: Callable[[str], tuple[Check, ...]] | None = None
