"""What was changed, what went well, and what failed and was not mended since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from pitree.summarize.commands import (
    Purpose,
    core_of,
    error_line,
    error_place,
    purpose_of,
    shown,
    summary_line,
    went_wrong,
)
from pitree.summarize.definitions import new_names
from pitree.summarize.record import Run
from pitree.summarize.rows import Row, Section
from pitree.summarize.sentences import sentences, shortened
from pitree.summarize.wording import questions

ABOUT_LENGTH: Final = 130
_MOST_NAMES = 5
_EMPTY = 20
"""A shorter sentence says nothing about a change."""
_JUDGED = frozenset({Purpose.TEST, Purpose.CHECK, Purpose.COMMIT})
_WEIGHTS = {Purpose.TEST: 54, Purpose.CHECK: 46, Purpose.COMMIT: 60, Purpose.SETUP: 34, Purpose.RUN: 22}
_FAILED_WEIGHTS = {Purpose.TEST: 88, Purpose.CHECK: 84, Purpose.COMMIT: 84, Purpose.SETUP: 58, Purpose.RUN: 52}
_AGED = 45
_MOST_FAILURES: Final = 100
"""Older ones are passed over, so that the work has a bound."""
_WHOLE = re.compile(r"^(?:npm|pnpm|yarn|bun) (?:run )?(?:check|build|test|lint|ci)|^(?:make|just|tox|nox|cargo|go) ?")
_TEST_FILE = re.compile(r"(?:^|[/_.])(?:test|tests|spec)(?:[/_.]|$)")
_TEST_PATH = re.compile(r"\S*(?:/|\.(?:py|[jt]sx?|go|rs|rb))\S*|-k\s+\S+")
CHANGING: Final = frozenset({"write", "edit"})


@dataclass
class Change:
    """What was done to a file.

    Attributes:
        path: As the call names it.
        done: Whether one of the changes is known to have worked.
        refused: The output of the last change that failed, "" when a later one worked.
        names: What it defines now that was not there before.
        about: What the assistant said before the latest change that it announced.
        first: How it began: `write` or `edit`.
        count: How many changes worked or have no result.
        at: The place of the latest one.
    """

    path: str
    done: bool = False
    refused: str = ""
    names: dict[str, None] = field(default_factory=dict)
    about: str = ""
    first: str = ""
    count: int = 0
    at: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the latest run of a command went."""

    run: Run
    purpose: Purpose
    wrong: bool


@dataclass
class Work:
    """Collects runs of tools.

    Attributes:
        folder: The session's folder, which is left out of paths.
    """

    folder: str = ""
    changes: dict[str, Change] = field(default_factory=dict)
    _commands: dict[str, Outcome] = field(default_factory=dict)
    _commits: list[Outcome] = field(default_factory=list)

    def add(self, run: Run) -> None:
        """Take over a run."""
        if run.tool in CHANGING and run.argument("path"):
            self._change(run)
        elif run.argument("command"):
            self._command(run)

    def mend(self, run: Run) -> None:
        """Look at a run after the range, which may show that a failure inside was mended."""
        change = self.changes.get(self.short(run.argument("path"))) if run.tool in CHANGING else None
        if change is not None and run.failed is False:
            change.refused = ""
        elif run.argument("command"):
            self._command(run)

    def _change(self, run: Run) -> None:
        path = self.short(run.argument("path"))
        change = self.changes.setdefault(path, Change(path, first=run.tool))
        if run.failed:
            change.refused, change.at = run.output or "failed", run.at
            return
        change.refused = ""
        change.done = change.done or run.failed is False
        change.count += 1
        change.at = run.at
        names = dict.fromkeys(new_names(run))
        change.names.update(names)
        change.about = _announced(run.about, path, names) or change.about

    def _command(self, run: Run) -> None:
        command = run.argument("command")
        purpose = purpose_of(command)
        if purpose is None or run.failed is None:
            return
        wrong = went_wrong(run.output, failed=run.failed, judged=purpose in _JUDGED)
        outcome = Outcome(run, purpose, wrong)
        if purpose is Purpose.COMMIT and not wrong:
            self._commits.append(outcome)
        key = core_of(command)
        self._commands.pop(key, None)
        self._commands[key] = outcome

    def short(self, path: str) -> str:
        """A path without the session's folder."""
        return path.removeprefix(f"{self.folder}/") if self.folder else path

    def finished(self) -> frozenset[str]:
        """The paths that were changed and the commands that went well."""
        passed = (key for key, outcome in self._commands.items() if not outcome.wrong)
        return frozenset([*(path for path, change in self.changes.items() if change.done), *passed])

    def rows(self, until: int) -> Iterator[Row]:
        """What was done, and what failed and was not mended.

        Args:
            until: The place where the range ends.
        """
        for change in self.changes.values():
            yield from self._of_change(change)
        for outcome in self._commands.values():
            if outcome.run.at < until and not outcome.wrong:
                yield _went_well(outcome, _WEIGHTS[outcome.purpose])
        for outcome in self._commits:
            if outcome.run.at < until:
                yield _went_well(outcome, 40)
        for outcome in self._unmended(until):
            yield _failed(outcome, until)

    def _of_change(self, change: Change) -> Iterator[Row]:
        path = f"`{change.path}`"
        if change.count:
            section = Section.DONE if change.done else Section.IN_PROGRESS
            weight = 54 + min(change.count, 12) + (0 if change.done else 12)
            yield Row(section, *_described(change, path), weight, change.at)
        if change.refused:
            quotes = (change.path, error_line(change.refused))
            yield Row(Section.BLOCKED, "Edit of `{}` failed: {}", quotes, 76, change.at)

    def _unmended(self, until: int) -> Iterator[Outcome]:
        """The latest failures that no later run mended."""
        failures = [(key, outcome) for key, outcome in self._commands.items() if outcome.wrong]
        for key, outcome in failures[-_MOST_FAILURES:]:
            if outcome.run.at < until and not self._is_mended(key, outcome):
                yield outcome

    def _is_mended(self, key: str, failure: Outcome) -> bool:
        """Whether the same check passed later, with the same files or with all of them."""
        program = _program(key)
        for other_key, other in self._commands.items():
            passed_later = other.run.at > failure.run.at and not other.wrong and other.purpose is failure.purpose
            same = _program(other_key) == program or _WHOLE.match(other_key)
            if passed_later and same and (not _targets(other_key) or _targets(key) <= _targets(other_key)):
                return True
        return False


def _program(command: str) -> str:
    """What is run, without options and without what it is run on."""
    words = [word for word in command.split() if not word.startswith("-")]
    plain_words = [word for word in words if not _TEST_PATH.fullmatch(word) and "=" not in word]
    return " ".join((plain_words or words)[:3])


def _targets(command: str) -> frozenset[str]:
    return frozenset(_TEST_PATH.findall(command))


def _described(change: Change, path: str) -> tuple[str, tuple[str, ...]]:
    """The form and the quotes of a changed file: what it defines now, and what was said about it."""
    names = [] if _TEST_FILE.search(change.path) else list(change.names)[:_MOST_NAMES]
    listed = ", ".join("{}" for _ in names)
    form = path.replace(change.path, "{}") + (f" ({listed})" if names else "")
    if change.about:
        return f"{form}: {{}}", (change.path, *names, change.about)
    return form, (change.path, *names)


def _announced(text: str, path: str, names: Iterable[str]) -> str:
    """The sentence said before a change that is about it, "" where none seems to be."""
    found = [sentence for sentence in sentences(text) if not questions(sentence) and len(sentence) > _EMPTY]
    file_name = path.rpartition("/")[2]
    words = [file_name, file_name.partition(".")[0], *names]
    about = next((sentence for sentence in found if any(word in sentence for word in words)), "")
    if not about and 0 < len(found) <= 2:
        about = max(found, key=len)
    return shortened(about.rstrip(":： "), ABOUT_LENGTH)


def _went_well(outcome: Outcome, weight: float) -> Row:
    command, result = shown(outcome.run.argument("command")), summary_line(outcome.run.output)
    quotes = (command, result) if result else (command,)
    return Row(Section.DONE, "`{}`: {}" if result else "`{}`", quotes, weight + (4 if result else 0), outcome.run.at)


def _failed(outcome: Outcome, until: int) -> Row:
    command, output = shown(outcome.run.argument("command")), outcome.run.output
    error, place = error_line(output), error_place(output)
    # An old failure was most often passed over knowingly.
    weight = _FAILED_WEIGHTS[outcome.purpose] - _AGED * (1 - (outcome.run.at + 1) / max(until, 1))
    if place and place not in error:
        return Row(Section.BLOCKED, "`{}` failed: {} ({})", (command, error, place), weight, outcome.run.at)
    return Row(Section.BLOCKED, "`{}` failed: {}", (command, error), weight, outcome.run.at)
