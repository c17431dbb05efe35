"""The commit screen's text as blocks: destination, checks, the context before and after, the line to be appended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.cells import cell_len

from pitree.planning.commit import Check
from pitree.store.commit import pi_command
from pitree.ui.commit_offer import WORDS, CommitOffer, Destination
from pitree.ui.context_shares import ContextShares
from pitree.ui.facts import Fact
from pitree.ui.figures import exact
from pitree.ui.marked_text import MarkedBlock, block_of_pieces
from pitree.ui.marks import mark
from pitree.ui.text import cell_pad, safe
from pitree.ui.wrapping import Block

NAME_WIDTH = 13
Piece = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Choice:
    """The screen's state.

    Attributes:
        offer: What is offered.
        at: The place of the destination that is chosen.
        path: Where it goes, as typed for a copy.
        checks: What speaks against it.
        confirming: A person has pressed enter once in spite of warnings.
    """

    offer: CommitOffer
    at: int
    path: str
    checks: tuple[Check, ...]
    confirming: bool = False

    @classmethod
    def of(cls, offer: CommitOffer, at: int) -> Choice:
        """A destination as it is offered."""
        return cls(offer, at, offer.destinations[at].path, offer.destinations[at].checks)

    def with_path(self, path: str) -> Choice:
        """A copy to another path."""
        check = self.offer.check_copy
        typed = self.checks if check is None else check(path)
        empty = () if path.strip() else (Check("path", "Type where the copy is to go.", blocks=True),)
        return replace(self, path=path, checks=(*empty, *typed), confirming=False)

    @property
    def destination(self) -> Destination:
        """The destination that is chosen."""
        return self.offer.destinations[self.at]

    @property
    def blocked(self) -> bool:
        """Whether it must not be."""
        return any(check.blocks for check in self.checks)

    @property
    def warnings(self) -> int:
        """How many checks warn only."""
        return sum(not check.blocks for check in self.checks)

    def possible(self) -> list[int]:
        """Other destinations that nothing blocks."""
        others = enumerate(self.offer.destinations)
        return [at for at, other in others if at != self.at and not any(check.blocks for check in other.checks)]


def destination_pieces(choice: Choice) -> list[Piece]:
    """The row of destinations; the chosen one is in brackets and reverse, one that is blocked has a mark."""
    pieces: list[Piece] = []
    for at, destination in enumerate(choice.offer.destinations):
        checks = choice.checks if at == choice.at else destination.checks
        sign = "✗ " if any(check.blocks for check in checks) else "! " if checks else ""
        word = f" {at + 1} {sign}{WORDS[destination.where]} "
        pieces.append(
            (f"▸{word}" if at == choice.at else f" {word}", "reverse" if at == choice.at else "$pitree-quiet")
        )
        pieces.append((" ", ""))
    return pieces


def commit_blocks(choice: Choice, bars: Iterable[Block]) -> list[Block]:
    """Everything under the row of destinations.

    Args:
        choice: What is chosen.
        bars: The context before and after, as the context bar draws it.
    """
    offer = choice.offer
    blocks: list[Block] = [MarkedBlock(safe(choice.destination.about), "$pitree-quiet")]
    # A copy's path stands in the field above.
    blocks += [] if choice.destination.where == "copy" else [_fact("goes to", choice.path)]
    blocks += [_fact("then", pi_command(Path(choice.path)), "$pitree-user"), Block("")]
    blocks += [*_checks(choice), Block(""), *bars, Block("")]
    blocks += [*map(_of_fact, offer.facts), Block("")]
    title = f"the line to be appended, {len(offer.line.encode('utf-8', 'replace')):,} bytes · y copies it"
    return [*blocks, Block(title, "bold $pitree-quiet", key="line"), Block(offer.line.rstrip("\n"), gutter="│ ")]


def _checks(choice: Choice) -> Iterator[Block]:
    if not choice.checks:
        yield _fact("checks", "nothing speaks against it", "$pitree-leaf", "✓")
    for number, check in enumerate(sorted(choice.checks, key=lambda check: not check.blocks)):
        style = "bold $pitree-problem" if check.blocks else "$pitree-changed"
        words = f"{'blocks' if check.blocks else 'warning'}: {check.message}"
        yield _fact("" if number else "checks", words, style, "✗" if check.blocks else "!")
    possible = choice.possible() if choice.blocked else []
    if possible:
        words = " or ".join(f"{at + 1} {WORDS[choice.offer.destinations[at].where]}" for at in possible)
        yield _fact("instead", words, "$pitree-user")


def _of_fact(fact: Fact) -> Block:
    if fact.is_heading:
        return MarkedBlock(safe(fact.value), fact.style)
    shown = mark(fact.state) if fact.state else None
    return _fact(fact.name, fact.value, fact.style, shown.glyph if shown else "", f"${shown.color}" if shown else "")


def _fact(
    name: str, value: str, style: str = "$pitree-assistant", glyph: str = "", lead_style: str = ""
) -> MarkedBlock:
    """A name, and beside it what is so, with a hanging indent."""
    margin = cell_pad(f"{glyph or ' '} {safe(name)}", NAME_WIDTH + 2)
    lead_style = lead_style or (style if glyph else "$pitree-quiet")
    return MarkedBlock(safe(value), style, " " * cell_len(margin), lead=margin, lead_style=lead_style)


def effect_words(before: ContextShares, after: ContextShares) -> Block:
    """What the commit does to the context, in numbers of one ruler."""
    freed = before.estimated - after.estimated
    change = f"est {exact(freed)} freed" if freed >= 0 else f"est {exact(-freed)} more than before"
    return block_of_pieces(
        [
            ("context", "bold $pitree-quiet"),
            (f"  est {exact(before.estimated)} → est {exact(after.estimated)}", "$pitree-assistant"),
            (f" · {change}", "$pitree-leaf" if freed >= 0 else "$pitree-problem"),
        ]
    )
