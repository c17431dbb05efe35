"""The report's first parts: what session this is, and what fills the context at the leaf."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from pitree.cli.context_bar import PARTS, Part, bar_parts, draw_bar
from pitree.cli.inspection import Inspection
from pitree.cli.outline import count_tree
from pitree.cli.report_layout import QUIET, STRONG, WARNING, Section, entry_text, id_text
from pitree.cli.report_text import counted, excerpt, figure, joined, percent, shown
from pitree.session.javascript import JSON, UNDEFINED, get, nullish, to_number, to_string


def session_section(inspection: Inspection) -> Section:
    """What session this is."""
    session, found = inspection.session, inspection.found
    header = session.header
    section = Section(f"Session {session.name}" if session.name else "Session without a name")
    section.say("file", excerpt(inspection.subject.place, "", 400))
    if header is None:
        section.say("header", "none: the file is empty")
    else:
        section.say("id", _field(get(header, "id")))
        section.say("project", _field(get(header, "cwd")))
        if not nullish(get(header, "parentSession")):
            section.say("forked from", _field(get(header, "parentSession")))
        section.say("version", figure(session.version))
    section.say("model", _model(found.model), shown(f"  thinking {_thinking(inspection)}", QUIET))
    section.say("tree", _tree(inspection))
    section.say("leaf", _leaf(inspection))
    section.say("rules", shown(f"pi {found.rules.release}", STRONG), shown(f"  {found.rules_origin}", QUIET))
    return section


def _field(value: JSON) -> Text:
    return shown("none", QUIET) if nullish(value) else excerpt(to_string(value), "", 400)


def _model(model: tuple[str, str] | None) -> Text:
    return shown("none named", QUIET) if model is None else excerpt("/".join(model), "", 120)


def _thinking(inspection: Inspection) -> str:
    level = inspection.projection.thinking_level
    return "?" if level is UNDEFINED else to_string(level)[:40]


def _tree(inspection: Inspection) -> Text:
    numbers = {word: int(str(number)) for word, number in count_tree(inspection.session).items()}
    entries = counted(numbers["entries"], "entry", "entries")
    rest = [counted(numbers[word], word[:-1]) for word in ("roots", "forks", "tips")]
    return joined(shown(entries, STRONG), shown(f"  {' · '.join(rest)}"))


def _leaf(inspection: Inspection) -> Text:
    if inspection.leaf is None:
        return shown("before the first entry" if inspection.before_first else "none", QUIET)
    return entry_text(inspection.session, inspection.leaf)


def context_section(inspection: Inspection, width: int) -> Section:
    """What fills the context at the leaf, on both rulers, and when pi would compact."""
    window = inspection.settings.context_window
    section = Section("Context at the leaf")
    est = sum(inspection.shares.values())
    messages = len(inspection.projection.messages)
    section.say("used", *_used(inspection, window))
    section.say("est", shown(figure(est), STRONG), f" tokens in {counted(messages, 'message')}, {percent(est, window)}")
    section.say("window", shown(figure(window), STRONG), "  ", *_window_origin(inspection))
    section.say("trigger", *_trigger(inspection))
    parts = bar_parts(inspection.shares, _recorded(inspection), window)
    trigger = inspection.settings.trigger if inspection.settings.enabled else None
    section.below += [draw_bar(parts, window, trigger, width - 2), _legend(parts, window)]
    return section


def _recorded(inspection: Inspection) -> float | None:
    """The tokens of the whole context on the provider's ruler; None where nothing counts that was recorded."""
    size = inspection.size
    return None if size is None or size.last_usage is None else to_number(size.tokens)


def _used(inspection: Inspection, window: int) -> Iterable[Text | str]:
    size = inspection.size
    if size is None:
        return [shown("pi itself fails on this context", WARNING)]
    if size.last_usage is None:
        return [shown("nothing recorded that counts here, so pi takes its estimate", QUIET)]
    message = inspection.projection.messages[size.last_usage]
    entry = None if message.entry is None else inspection.session.id_of(message.entry)
    share = f" tokens, {percent(to_number(size.tokens), window)} of the window: "
    after = f" and est {figure(size.trailing)} after it" if size.trailing else ""
    return [shown(figure(size.tokens), STRONG), share, f"{figure(size.usage)} recorded at ", id_text(entry), after]


def _window_origin(inspection: Inspection) -> Iterable[Text]:
    facts = inspection.found.facts
    if facts.assumed:
        return [shown("assumed: nothing here knows this model; --window N says better", WARNING)]
    return [shown(f"from {facts.source}", QUIET)]


def _trigger(inspection: Inspection) -> Iterable[Text | str]:
    settings, size = inspection.settings, inspection.size
    if not settings.enabled:
        return [shown("off: pi's settings say that it does not compact by itself", WARNING)]
    above = f"above {settings.trigger:,} (window less reserveTokens {settings.reserve_tokens:,}): "
    if size is None:
        return [above, shown("unknown", WARNING)]
    if inspection.compacts_now:
        return [above, shown("reached, pi would compact now", WARNING)]
    left = settings.trigger - to_number(size.tokens)
    return [above, shown(f"not reached, {figure(left)} tokens to go" if left == left else "not reached", "green")]


def _legend(parts: list[tuple[Part, int]], window: int) -> Table:
    """The figures of the bar, two categories in a row."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "right", "right", "left", "right", "right"):
        grid.add_column(justify=justify, no_wrap=True)
    cells = [_legend_cells(part, tokens, window) for part, tokens in parts]
    rows = -(-len(cells) // 2)
    for left, right in zip(cells[:rows], [*cells[rows:], *([_NO_CELLS] * rows)], strict=False):
        grid.add_row(*left, *right)
    return grid


_NO_CELLS = (Text(), Text(), Text())


def _legend_cells(part: Part, tokens: int, window: int) -> tuple[Text, Text, Text]:
    ruler = "" if part is PARTS["free"] else "used " if part is PARTS["not_in_file"] else "est "
    swatch = joined(shown(" ▌", part.swatch), shown(f" {part.words[-1]}"))
    return swatch, joined(shown(ruler, QUIET), shown(figure(tokens))), shown(percent(tokens, window), QUIET)
