"""Plays a story: a person, a model and its tools fill a session, and pi's compactions fall where pi would cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pitree.lessons.blocks import Block, Value, block_length, text_block
from pitree.lessons.builder import SessionBuilder
from pitree.lessons.workspace import Call, Workspace

KEEP_RECENT_TOKENS = 20_000


@dataclass(frozen=True)
class _Step:
    """What the compaction of a story has to know about an entry: pi's estimate, and whether pi may cut there."""

    estimate: int
    may_cut: bool
    calls: tuple[Call, ...] = ()
    first_kept: str | None = None
    lists: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class Agent:
    """A session being played. `marks` names entries that a story comes back to."""

    def __init__(self, builder: SessionBuilder, workspace: Workspace) -> None:
        self.builder = builder
        self.workspace = workspace
        self.marks: dict[str, str] = {}
        self._steps: dict[str, _Step] = {}

    def mark(self, name: str) -> str:
        """Name the current leaf."""
        leaf = self.builder.leaf
        assert leaf is not None
        self.marks[name] = leaf
        return leaf

    def go(self, name: str) -> None:
        """Go back to a named entry."""
        self.builder.branch_from(self.marks[name])

    def _note(self, characters: int, may_cut: bool = True, calls: Sequence[Call] = ()) -> None:
        self._steps[str(self.builder.leaf)] = _Step(-(-characters // 4), may_cut, tuple(calls))

    def user(self, text: str, images: Sequence[Block] = (), after: float = 75) -> None:
        """The person writes, `after` so many seconds of reading and thinking."""
        self.builder.wait(after)
        self.builder.user(text, images)
        self._note(len(text) + 4800 * len(images))

    def say(self, text: str, *calls: Call, think: str | None = None) -> None:
        """The model answers and its tools run; a text of "" is left out."""
        blocks = [self.builder.thinking(think)] if think else []
        if text:
            blocks.append(text_block(text))
        made = [self.builder.tool_call(call.name, call.arguments) for call in calls]
        self.builder.wait(0.3)
        self.builder.assistant([*blocks, *made])
        self._note(sum(map(block_length, [*blocks, *made])), calls=calls)
        for block, call in zip(made, calls, strict=True):
            self._answer(block, call)

    def _answer(self, block: Block, call: Call) -> None:
        outcome = self.workspace.run(call)
        self.builder.tool_result(
            block, outcome.content, details=outcome.details, is_error=outcome.is_error, seconds=outcome.seconds
        )
        blocks = [text_block(outcome.content)] if isinstance(outcome.content, str) else outcome.content
        self._note(sum(map(block_length, blocks)), may_cut=False)

    def fails(self, error: str, text: str = "", think: str = "", *, stop: str = "error") -> None:
        """An answer that ends in an error, or is `aborted` by the person."""
        blocks = [self.builder.thinking(think)] if think else []
        if text:
            blocks.append(text_block(text))
        failed = self.builder.failed_assistant(blocks, stop, error)
        self._note(sum(map(block_length, blocks)))
        if stop == "error":
            self.builder.context_edit(failed)

    def bash(self, command: str, output: str, code: int = 0, *, hidden: bool = False) -> None:
        """The person runs a command."""
        self.builder.wait(25)
        self.builder.bash(command, output, code, hidden=hidden)
        self._note(len(command) + len(output))

    def remark(self, custom_type: str, content: str, details: Value = None) -> None:
        """An extension tells the model something."""
        self.builder.custom_message(custom_type, content, details)
        self._note(len(content))

    def compact(self, summary: str, system_message: Mapping[str, Value]) -> None:
        """Compact as pi would: cut where the budget is reached, carry the file lists on."""
        self.builder.wait(40)
        path = self.builder.path(self.builder.leaf)
        start, known = self._boundary(path)
        cut = self._cut(path, start)
        reads, changes = _files([call for step in path[start:cut] for call in self._step(step).calls], known)
        leaf = self.builder.compaction(
            summary, path[cut], read_files=reads, modified_files=changes, system_message=system_message
        )
        self._steps[leaf] = _Step(0, False, (), path[cut], (tuple(reads), tuple(changes)))

    def leave(self, name: str, summary: str) -> None:
        """Leave the current branch for a named entry, with a summary of what was done there."""
        self.builder.wait(30)
        old, target = self.builder.leaf, self.marks[name]
        kept = set(self.builder.path(target))
        left = [entry for entry in self.builder.path(old) if entry not in kept]
        reads, changes = _files([call for entry in left for call in self._step(entry).calls])
        self.builder.branch_from(target)
        self.builder.branch_summary(summary, str(old), read_files=reads, modified_files=changes)
        self._note(len(summary) + 200)

    # pi's walk --------------------------------------------------------------------------------------------------

    def _step(self, entry_id: str) -> _Step:
        """Return what is known of an entry; entries added to the builder directly count nothing."""
        return self._steps.get(entry_id, _Step(0, False))

    def _boundary(self, path: Sequence[str]) -> tuple[int, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return where the range to summarize begins, and the file lists of the compaction before."""
        for entry in reversed(path):
            step = self._step(entry)
            if step.first_kept is not None:
                return path.index(step.first_kept), step.lists
        return 0, ((), ())

    def _cut(self, path: Sequence[str], start: int) -> int:
        total, cut = 0, len(path)
        for index in range(len(path) - 1, start - 1, -1):
            total += self._step(path[index]).estimate
            if total >= KEEP_RECENT_TOKENS:
                cut = index
                break
        while not self._step(path[cut]).may_cut:
            cut += 1
        while cut > start and path[cut - 1] not in self._steps:
            cut -= 1
        return cut


def _files(
    calls: Sequence[Call], known: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
) -> tuple[list[str], list[str]]:
    """Return which files were only read and which were changed, sorted, with those already known."""
    changed = {*known[1], *(call.path for call in calls if call.name in ("write", "edit") and call.path)}
    looked = {*known[0], *(call.path for call in calls if call.name == "read" and call.path)}
    return sorted(looked - changed), sorted(changed)
