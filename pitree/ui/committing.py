"""From a draft to what the commit screen offers, and from what was chosen there to the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pitree.context.messages import Message
from pitree.context.shares import shares
from pitree.planning.commit import Check, CompactionCommit, compaction_commit, replaced_tokens
from pitree.planning.compaction import CompactionPlan
from pitree.planning.draft import Draft
from pitree.session.fork import fork
from pitree.session.javascript import utf16_length
from pitree.session.new_entries import new_id
from pitree.store import commit as disk
from pitree.store.locations import Environment
from pitree.ui.commit_offer import CommitOffer, Destination, Where
from pitree.ui.context_shares import ContextShares
from pitree.ui.draft_text import origin_words
from pitree.ui.facts import Fact, heading
from pitree.ui.figures import exact
from pitree.ui.plan_facts import entry_name, not_pis
from pitree.ui.view import View

_MOST_BYTES = 16
WHERES: tuple[Where, ...] = ("file", "copy", "fork")
_DISK = {"file": disk.Where.HERE, "copy": disk.Where.COPY, "fork": disk.Where.FORK}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A commit that is ready to be offered.

    Attributes:
        offer: What the screen shows.
        commit: What is to be written.
        draws: Clock and chance that it was made with.
        folders: Where pi looks for sessions, and a copy must not lie.
    """

    offer: CommitOffer
    commit: CompactionCommit
    draws: disk.Draws
    folders: tuple[Path, ...]


def prepare(view: View, plan: CompactionPlan, draft: Draft, draws: disk.Draws, environment: Environment) -> Prepared:
    """Work out what committing a draft would do, wherever it may go. Looks at the disk: call it in a thread.

    Raises:
        PiFails: when pi itself throws on what the plan holds.
    """
    draws = _settled(draws)
    entry_id = new_id(view.session.indices, draws.draw_id)
    made = compaction_commit(plan, draft, entry_id=entry_id, ms=draws.ms)
    folders = disk.pi_folders(environment)
    path = Path(view.path_name) if view.path_name else None
    copy_to = _copy_name(view, environment, folders)
    checks = {where: _checks(view, path, where, copy_to, folders, draws) for where in WHERES}
    names = {"file": view.path_name or "no file", "copy": str(copy_to), "fork": _fork_name(path, made, draws)}
    places = tuple(
        Destination(where, names[where], (*made.checks, *checks[where]), _about(view, where)) for where in WHERES
    )
    advised = disk.advised(checks["file"])
    default = next(at for at, where in enumerate(WHERES) if _DISK[where] is advised)
    offer = CommitOffer(
        title="Commit a compaction",
        destinations=places,
        default=default,
        facts=_facts(view, plan, made),
        before=_shares(plan.projection.messages, view),
        after=_shares(made.after, view),
        line=made.line.decode("utf-8", "replace").rstrip("\n"),
        check_copy=lambda name: (*made.checks, *_checks(view, path, "copy", Path(name).expanduser(), folders, draws)),
    )
    return Prepared(offer, made, draws, folders)


_ABOUT: dict[Where, str] = {
    "file": "One line is appended; no byte that is there changes.",
    "copy": "The same bytes and the new line, outside pi's sessions folder.",
    "fork": "A new session beside this one, with the path to the leaf and the new line.",
}


def _about(view: View, where: Where) -> str:
    if where == "copy" and view.session.migration.needed:
        return "The session as pi would migrate it to version 3, with the new line, outside pi's sessions folder."
    return _ABOUT[where]


def _checks(
    view: View, path: Path | None, where: Where, copy_to: Path, folders: tuple[Path, ...], draws: disk.Draws
) -> tuple[Check, ...]:
    leaf = view.leaf
    if leaf is None:
        return ()
    destination = _destination(where, copy_to, folders)
    return disk.destination_checks(view.session, path, destination, leaf=leaf, now_ns=draws.ms * 1_000_000)


def _destination(where: Where, copy_to: Path, folders: tuple[Path, ...]) -> disk.Destination:
    return {"file": disk.HERE, "fork": disk.FORK}.get(where) or disk.Destination.copy(copy_to, folders)


def _copy_name(view: View, environment: Environment, folders: Sequence[Path]) -> Path:
    """A name that is free, in the working folder, or at home where that is pi's."""
    cwd = environment.cwd
    folder = environment.home if any(cwd.is_relative_to(place) for place in folders) else cwd
    stem = Path(view.path_name).stem if view.path_name else f"demo-{view.demo}"
    names = (f"{stem}-compacted{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{stem}-copy.jsonl")


def _settled(draws: disk.Draws) -> disk.Draws:
    """The same chance at every draw of bytes, so that a fork gets the name that was shown."""
    drawn = draws.draw_bytes(_MOST_BYTES)
    return replace(draws, draw_bytes=lambda count: drawn[:count])


def _fork_name(path: Path | None, made: CompactionCommit, draws: disk.Draws) -> str:
    if path is None:
        return "no file"
    shown = fork(
        made.plan.session, made.entry, parent_session=str(path), ms=draws.ms, draw_bytes=draws.draw_bytes,
        draw_id=draws.draw_id,
    )  # fmt: skip
    return str(path.parent / shown.file_name)


def _facts(view: View, plan: CompactionPlan, made: CompactionCommit) -> tuple[Fact, ...]:
    written = -(-utf16_length(str(made.entry["summary"])) // 4)
    draft = made.draft
    words = f"{origin_words(draft.origin)}{', edited' if draft.edited else ''}"
    return (
        heading(f"A compaction under {entry_name(view.session, plan.path[-1])}"),
        Fact("summary", f"{words} · est {exact(written)} in place of est {exact(replaced_tokens(plan))}"),
        Fact("first kept", entry_name(view.session, plan.first_kept), state="first_kept"),
        *([Fact("not pi's", not_pis(view), "$pitree-changed", "changed")] if not_pis(view) else []),
    )


def _shares(messages: Sequence[Message], view: View) -> ContextShares:
    threshold = view.settings.trigger if view.settings.enabled else None
    parts = tuple(shares(messages, view.rules).items())
    return ContextShares(view.settings.context_window, parts, None, threshold)


def write(view: View, prepared: Prepared, where: Where, path: str) -> disk.Written:
    """Write a commit to where a person has chosen. Call it in a thread.

    Raises:
        WriteError: when it cannot be written; the message says what to do.
    """
    source = Path(view.path_name) if view.path_name else None
    destination = _destination(where, Path(path).expanduser(), prepared.folders)
    return disk.commit(view.session, source, destination, prepared.commit.entry, prepared.draws)
