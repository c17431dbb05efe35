"""What reading somebody's configuration brought to light, as plain data for a report or a screen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing a person should know about a file that was read.

    Attributes:
        where: the path of the file.
        text: one or two sentences: what is the case, what follows from it, what to do. It can hold text of the file.
    """

    where: str
    text: str
