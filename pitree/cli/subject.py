"""Which session a command is about: a file, an id or the start of one, or a built-in demo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pitree.session.session import Session
from pitree.store.locations import Environment
from pitree.store.reader import open_session

if TYPE_CHECKING:
    from pitree.lessons.demos import Demo
    from pitree.store.in_force import Flags, InForce

_DECIDES = {
    "window": ("context_window",),
    "reserve": ("reserve_tokens", "branch_reserve_tokens"),
    "keep_recent": ("keep_recent_tokens",),
}


@dataclass(frozen=True, eq=False)
class Subject:
    """A session and what it is called.

    Attributes:
        name: As the person gave it.
        session: The session, read.
        path: Its file; None for a demo.
        demo: The demo, if it is one.
    """

    name: str
    session: Session
    path: Path | None = None
    demo: Demo | None = None

    @property
    def place(self) -> str:
        """Where the session is, in words."""
        return str(self.path) if self.demo is None else f"demo {self.demo.name}, built in"

    def in_force(self, environment: Environment, flags: Flags) -> InForce:
        """What a plan depends on: what the command line says, else what the demo wants, else the usual rules."""
        from pitree.store.in_force import in_force

        demo = self.demo
        if demo is None:
            return in_force(self.session, environment, flags)
        wanted = {"window": demo.context_window, "reserve": demo.reserve_tokens, "keep_recent": demo.keep_recent_tokens}
        taken = {name: value for name, value in wanted.items() if value is not None and getattr(flags, name) is None}
        asked = replace(flags, **taken)  # type: ignore[arg-type]
        found = in_force(self.session, environment, asked)
        origins = {key: "demo" for name in taken for key in _DECIDES[name]}
        facts = replace(found.facts, source="demo") if "window" in taken else found.facts
        return replace(found, origins={**found.origins, **origins}, facts=facts)


def subject_of(name: str, environment: Environment) -> Subject:
    """The session in a file, or the one whose id is or starts like a name.

    Raises:
        StoreError: when there is none, several fit, or it cannot be read.
    """
    path = find_file(name, environment)
    return Subject(name, open_session(path), path)


def find_file(name: str, environment: Environment) -> Path:
    """The session file that a name means.

    Raises:
        StoreError: when there is none or several fit.
    """
    path = Path(name)
    if name and "\0" not in name and path.exists():
        return path
    from pitree.store.discovery import find_session
    from pitree.store.pi_settings import read_settings

    return find_session(environment, name, session_dir=read_settings(environment).session_dir)


def demo_subject(name: str) -> Subject:
    """A built-in session by its name, a key of `DEMOS`."""
    from pitree.lessons.demos import DEMOS
    from pitree.session.load import session_from_bytes

    demo = DEMOS[name]
    return Subject(f"--demo {name}", session_from_bytes(demo.build()), demo=demo)


class DemoName(click.ParamType[str]):
    """The name of a built-in session; the demos are imported only when one is asked for."""

    name = "demo"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType.convert`."""
        from pitree.lessons.demos import DEMOS

        if value not in DEMOS:
            self.fail(f"There is no demo {value!r}; there are {', '.join(DEMOS)}.", param, ctx)
        return str(value)


DEMO_DEFAULT = "rich"
"""The demo that `--demo` without a name means (`lessons.demos.DEFAULT`)."""
