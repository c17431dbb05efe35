"""A fact as a value: a name, and what is so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact; its texts are safe already.

    Attributes:
        name: What it is about, a word or two; "" goes on under the fact before.
        value: What is so.
        style: A style of ours for the value.
        state: A state of `marks.MARKS` that is shown before the name, or "".
        is_heading: It stands alone over the whole width.
    """

    name: str
    value: str
    style: str = "$pitree-assistant"
    state: str = ""
    is_heading: bool = False


def heading(text: str) -> Fact:
    """A fact that is a heading over the whole width."""
    return Fact("", text, "bold $pitree-user", is_heading=True)
