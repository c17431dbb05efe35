"""What a command is: data about itself, and conditions that give a reason when they do not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from pitree.ui.lenses import Lens

SESSION: Final = "session"
OUTLINE: Final = "outline"
LINES: Final = "lines"
SCOPES: Final = (SESSION, OUTLINE, LINES)
"""Where a command's keys work: on the whole session screen, or while the outline or a long text has the focus."""


Need = Callable[["Situation"], "str | None"]
"""A condition: the reason why it does not hold, or None."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What commands need to know to say whether they are possible.

    Attributes:
        is_open: Whether a session is there.
        entries: Rows of the outline, before filters.
        lens: Which lens marks the rows.
        no_plan: Why pi would not compact here, or None when it would.
        target: Whether another entry is targeted.
        as_of: Whether the session is seen as of an entry that is not its end.
        search: Whether a search is on.
        hits: How many entries it found.
        compactions: How many compactions the session holds.
        branches: How many entries have more than one child.
        pane: Which pane has the whole place of the outline, or 0.
        drafts: How many drafts there are.
        streaming: Whether a draft is being written.
        no_stream: Why nothing can be streamed here, or None.
        no_commit: Why nothing can be committed here, or None.
    """

    is_open: bool = True
    entries: int = 0
    lens: Lens = "structure"
    no_plan: str | None = None
    target: bool = False
    as_of: bool = False
    search: bool = False
    hits: int = 0
    compactions: int = 0
    branches: int = 0
    pane: int = 0
    drafts: int = 0
    streaming: bool = False
    no_stream: str | None = None
    no_commit: str | None = None


def is_open(now: Situation) -> str | None:
    """A session is there."""
    return None if now.is_open else "No session is open yet."


def has_entries(now: Situation) -> str | None:
    """There is an entry to stand on."""
    if not now.is_open:
        return is_open(now)
    return None if now.entries else "The session has no entries."


def has_branches(now: Situation) -> str | None:
    """There is a fork to go to."""
    return None if now.branches else "No entry has two branches."


def has_compactions(now: Situation) -> str | None:
    """There is a compaction to go to."""
    return None if now.compactions else "The session was never compacted."


def has_plan(now: Situation) -> str | None:
    """Pi would compact here, or the lens is on and can be left."""
    return None if now.lens == "compaction" else now.no_plan


def has_search(now: Situation) -> str | None:
    """A search is on."""
    return None if now.search else "There is no search; / starts one."


def has_hits(now: Situation) -> str | None:
    """The search found something."""
    return None if now.hits else "The search found nothing."


def has_draft(now: Situation) -> str | None:
    """There is a draft to look at."""
    return None if now.drafts else "There is no draft; c shows what would be summarized, and makes one."


def has_two_drafts(now: Situation) -> str | None:
    """There are drafts to choose from."""
    return None if now.drafts > 1 else "There is only one draft." if now.drafts else has_draft(now)


def is_idle(now: Situation) -> str | None:
    """No draft is being written."""
    return "A draft is being written; esc stops it." if now.streaming else None


def can_stream(now: Situation) -> str | None:
    """There is something that writes a draft."""
    return now.no_stream


def can_commit(now: Situation) -> str | None:
    """A draft may be committed here."""
    return now.no_commit


class Command:
    """What all commands have; the attributes are what a class of its own says.

    Attributes:
        id: Names the command in the preferences file and the method `do_<id>`.
        name: A few words for footer and palette.
        help: One sentence: the class's docstring.
        keys: Textual's names of keys; the first one is shown.
        group: The heading in help.
        scope: Where the keys work.
        action: A Textual action of the widget with that scope; without it the screen's `do_<id>` is called.
        needs: Conditions, the first one that fails gives the reason.
        footer: A rank for the footer, low ones first; None keeps it out.
        footer_name: A shorter name there.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    help: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    group: ClassVar[str]
    scope: ClassVar[str] = SESSION
    action: ClassVar[str | None] = None
    needs: ClassVar[tuple[Need, ...]] = ()
    footer: ClassVar[int | None] = None
    footer_name: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        cls.help = cls.__doc__ or ""

    @classmethod
    def when(cls, now: Situation) -> str | None:
        """Why the command is not possible now, as a sentence; None when it is."""
        return next((reason for need in cls.needs if (reason := need(now)) is not None), None)

    @classmethod
    def binding_action(cls) -> str:
        """The action a key is bound to."""
        return cls.action or f"screen.command({cls.id!r})"
