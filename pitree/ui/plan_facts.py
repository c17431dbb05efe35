"""What the Plan pane says: the numbers of a plan, the reason, and the walk back entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pitree.context.messages import Message
from pitree.context.tokens import estimate_or_nan
from pitree.context.usage import ContextSize, should_compact
from pitree.planning.branch import Fate, NavigationPlan
from pitree.planning.compaction import CompactionPlan
from pitree.planning.cut import Step
from pitree.session.javascript import to_string
from pitree.session.session import Session
from pitree.ui.facts import Fact, heading
from pitree.ui.figures import exact
from pitree.ui.outline_rows import described
from pitree.ui.rows import RowText
from pitree.ui.text import one_line
from pitree.ui.view import Failure, View

_QUIET = "$pitree-quiet"


def plan_facts(view: View) -> list[Fact]:
    """The facts of the plan that the lens shows."""
    move = view.move
    if isinstance(move, NavigationPlan):
        return _move_facts(view, move)
    if isinstance(move, Failure):
        return [heading("Going to the target"), *_tried(view), Fact("not possible", move.why, "$pitree-problem")]
    outcome = view.outcome
    if isinstance(outcome, Failure):
        return [heading(f"No compaction at {_leaf(view)}"), *_tried(view), Fact("why", outcome.why), _in_force(view)]
    return [*_compaction_facts(view, outcome), _in_force(view)]


def _leaf(view: View) -> str:
    return "the leaf" if view.as_of is None else f"{entry_name(view.session, view.as_of)} (as of there)"


def _compaction_facts(view: View, plan: CompactionPlan) -> list[Fact]:
    session = view.session
    facts = [
        heading(f"Compaction at {_leaf(view)}"),
        *_tried(view),
        _amount("summarize", plan.summarized, view, "summarized"),
        _amount("turn prefix", plan.prefix, view, "prefix"),
        _amount("keep", [m for item in plan.kept_items for m in item.messages], view, "kept"),
        trigger(view, plan.size),
        Fact("first kept", _entry_words(session, plan.first_kept), state="first_kept"),
    ]
    if plan.turn_start is not None:
        facts.append(Fact("turn starts", _entry_words(session, plan.turn_start), state="turn_start"))
    else:
        facts.append(Fact("split turn", "no"))
    facts += _why(view, plan)
    if plan.previous is not None:
        facts.append(Fact("before this", f"carries on the summary of {entry_name(session, plan.previous)}"))
    return [*facts, _files(plan)]


def _why(view: View, plan: CompactionPlan) -> Iterator[Fact]:
    cut = plan.cut
    budget = exact(plan.settings.keep_recent_tokens)
    if cut.steps:
        walked = f"walked back {_entries(len(cut.steps))} to est {exact(cut.steps[-1].total)} of {budget}"
        yield Fact("why here", f"{walked}; {cut.landing.value}")
    else:
        yield Fact("why here", cut.landing.value)
    if cut.passed_omissions:
        yield Fact("", "passed the attempt that edits leave out")
    if cut.slid_over:
        yield Fact("", f"slid back over {cut.slid_over} that the model does not see")


def _files(plan: CompactionPlan) -> Fact:
    read, modified = plan.files
    return Fact("files", f"{len(read)} read, {len(modified)} modified", _QUIET)


def _amount(name: str, messages: Sequence[Message], view: View, state: str) -> Fact:
    tokens = exact(sum(estimate_or_nan(message, view.rules) for message in messages))
    noun = "message " if len(messages) == 1 else "messages"
    return Fact(name, f"{len(messages):>4} {noun}   est {tokens:>8}", state=state)


def trigger(view: View, size: ContextSize) -> Fact:
    """Whether pi would compact by itself now."""
    settings = view.settings
    ruler = "est" if size.last_usage is None else "used"
    tokens = size.tokens if isinstance(size.tokens, str) else exact(size.tokens)
    if not settings.enabled:
        return Fact("trigger", f"off in the settings ({ruler} {tokens} of {exact(settings.context_window)})")
    fires = should_compact(size.tokens, settings.context_window, settings.reserve_tokens, enabled=True)
    words = "yes, now" if fires else "no"
    return Fact("trigger", f"{ruler} {tokens} > {exact(settings.trigger)}   {words}")


def _tried(view: View) -> Iterator[Fact]:
    """Each setting that is tried out, on a line of its own above everything that depends on it."""
    tried = view.what_if
    for name, in_force, changed, _ in _settings(view):
        if changed is not None:
            yield Fact(name, f"{exact(changed)} what if (in force {exact(in_force)})", "$pitree-changed", "changed")
    if tried.rules:
        yield Fact("rules", f"{tried.rules} what if (in force {view.found.rules.name})", "$pitree-changed", "changed")


def _in_force(view: View) -> Fact:
    """The settings in force and where each comes from."""
    unchanged = [
        f"{name} {exact(in_force)} ({view.found.origins.get(key, 'default')})"
        for name, in_force, changed, key in _settings(view)
        if changed is None
    ]
    rules = [] if view.what_if.rules else [f"rules {view.found.rules.name} ({view.found.rules_origin})"]
    return Fact("in force", " · ".join([*unchanged, *rules]), _QUIET, "assumed" if view.found.facts.assumed else "")


def not_pis(view: View) -> str:
    """What makes the plan another one than pi's: what is tried out, a cut by hand; "" for nothing."""
    tried = view.what_if
    parts = [
        f"{name} {exact(value)}"
        for name, value in (("keepRecent", tried.keep_recent), ("reserve", tried.reserve), ("window", tried.window))
        if value is not None
    ]
    parts += [f"rules {tried.rules}"] if tried.rules else []
    parts += ["a cut by hand"] if view.cut_at is not None else []
    return ", ".join(parts)


def _settings(view: View) -> Sequence[tuple[str, int, int | None, str]]:
    """Name, value in force, value tried out, and the key of its origin."""
    tried, found = view.what_if, view.found.settings
    return (
        ("keepRecent", found.keep_recent_tokens, tried.keep_recent, "keep_recent_tokens"),
        ("reserve", found.reserve_tokens, tried.reserve, "reserve_tokens"),
        ("window", found.context_window, tried.window, "context_window"),
    )


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _move_facts(view: View, move: NavigationPlan) -> list[Fact]:
    session = view.session
    if move.noop:
        return [heading("Going to the leaf"), Fact("nothing", "You are there already: nothing would happen.")]
    carried = move.carried
    ancestor = "none: the target is in another tree" if move.common_ancestor is None else _entry_words(
        session, move.common_ancestor
    )  # fmt: skip
    leaf = "before the first entry" if move.new_leaf is None else _entry_words(session, move.new_leaf)
    facts = [
        heading(f"From {_leaf(view)} to {entry_name(session, move.target)}"),
        *_tried(view),
        Fact("ancestor", ancestor, state="ancestor"),
        Fact("left branch", _entries(len(move.entries)), state="left"),
        _amount("sent", carried.messages, view, "left"),
        *_fates(carried.fates),
        Fact("budget", f"est {exact(carried.total_tokens)} of {exact(move.budget)} (window less reserve)"),
        Fact("files", f"{len(carried.read_files)} read, {len(carried.modified_files)} modified", _QUIET),
        Fact("new leaf", leaf, state="new_leaf"),
    ]
    if not move.entries:
        facts.append(Fact("summary", "none: nothing is left behind"))
    if move.editor_text is not None:
        facts.append(Fact("editor gets", one_line(to_string(move.editor_text), 300)))
    return facts


def _fates(fates: Iterable[Fate]) -> Iterator[Fact]:
    words = {
        Fate.DROPPED: ("dropped", "dropped", "by the budget"),
        Fate.LEFT_OUT: ("left out", "left_out", "as tool results, which pi never sends here"),
        Fate.UNSEEN: ("unseen", "unseen", "not seen by the model"),
    }
    counted = list(fates)
    for fate, (name, state, why) in words.items():
        if fate in counted:
            yield Fact(name, f"{counted.count(fate):>4} {why}", state=state)


def entry_name(session: Session, index: int) -> str:
    """An entry by its id, or by its line where it has none."""
    entry_id = session.id_of(index)
    return (
        one_line(entry_id, 40) if isinstance(entry_id, str) and entry_id else f"the entry on line {session.line(index)}"
    )


def _entry_words(session: Session, index: int) -> str:
    line = described(session, index)
    return f"{entry_name(session, index)} · {one_line(line.word, 20)} {one_line(line.text, 60)}"


@dataclass(frozen=True, slots=True)
class WalkRows:
    """The walk back as rows that can be stepped through: the newest entry first."""

    view: View
    plan: CompactionPlan

    def __len__(self) -> int:
        return len(self.plan.cut.steps)

    def entry_at(self, row: int) -> int:
        """The index of the entry of a step."""
        return self.plan.items[self.plan.cut.steps[row].at].entry.index

    def row(self, index: int, /) -> RowText:
        """See `RowProvider`."""
        step: Step = self.plan.cut.steps[index]
        entry = self.plan.items[step.at].entry.index
        line = described(self.view.session, entry)
        return RowText(
            state=self._state(step.at),
            kind=f"{'+' + exact(step.tokens):>7}",
            kind_color="pitree-user",
            text=f"{one_line(line.word, 14)} {one_line(line.text, 80)}",
            figure=exact(step.total),
        )

    def _state(self, at: int) -> str:
        if at == self.plan.cut.at:
            return "first_kept"
        if at > self.plan.cut.at:
            return "kept"
        return "summarized" if self.plan.turn_start is None else "prefix"
