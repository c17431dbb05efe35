"""Every command, one class each: the one table that keys, footer, palette, help and README are made from.

A command says what it is called, which keys call it and when it is possible; the screen that can do it has a method
`do_<id>`. A new key is one class here and one method there, so this module is long but flat.
"""

# long because: it is one flat table of all commands

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from textual.binding import Binding

from pitree.ui.command import (
    LINES,
    OUTLINE,
    SCOPES,
    Command,
    Need,
    Situation,
    can_commit,
    can_stream,
    has_branches,
    has_compactions,
    has_draft,
    has_entries,
    has_hits,
    has_plan,
    has_search,
    has_two_drafts,
    is_idle,
    is_open,
)


class _OnEntry(Command):
    needs: ClassVar[tuple[Need, ...]] = (has_entries,)


# Move


class _Move(Command):
    group = "Move"
    scope = OUTLINE


class MoveUp(_Move):
    """One row up."""

    id, name = "move_up", "Up"
    keys, action = ("up", "k"), "cursor_up"


class MoveDown(_Move):
    """One row down."""

    id, name = "move_down", "Down"
    keys, action = ("down", "j"), "cursor_down"


class PageUp(_Move):
    """One window up."""

    id, name = "page_up", "Page up"
    keys, action = ("pageup",), "page_up"


class PageDown(_Move):
    """One window down."""

    id, name = "page_down", "Page down"
    keys, action = ("pagedown",), "page_down"


class First(_Move):
    """To the first row."""

    id, name = "first", "First row"
    keys, action = ("home", "g"), "first"


class Last(_Move):
    """To the last row."""

    id, name = "last", "Last row"
    keys, action = ("end", "G"), "last"


class ToParent(_OnEntry):
    """To the entry this one follows."""

    id, name = "parent", "Parent"
    keys, group = ("p",), "Move"


class ToFork(_OnEntry):
    """To the entry where this branch leaves another one."""

    id, name = "fork", "Fork point"
    keys, group = ("b",), "Move"
    needs = (has_entries, has_branches)


class PreviousSibling(ToFork):
    """To the branch before this one at the same fork."""

    id, name = "previous_sibling", "Previous branch"
    keys, group = ("[",), "Move"


class NextSibling(ToFork):
    """To the next branch at the same fork."""

    id, name = "next_sibling", "Next branch"
    keys, group = ("]",), "Move"


class PreviousCompaction(_OnEntry):
    """To the compaction before this row."""

    id, name = "previous_compaction", "Previous compaction"
    keys, group = ("{",), "Move"
    needs = (has_entries, has_compactions)


class NextCompaction(PreviousCompaction):
    """To the compaction after this row."""

    id, name = "next_compaction", "Next compaction"
    keys, group = ("}",), "Move"


class PreviousUser(_OnEntry):
    """To the user message before this row."""

    id, name = "previous_user", "Previous user message"
    keys, group = ("(",), "Move"


class NextUser(_OnEntry):
    """To the user message after this row."""

    id, name = "next_user", "Next user message"
    keys, group = (")",), "Move"


class SwitchFocus(Command):
    """Move the focus between the outline and the pane."""

    id, name = "switch_focus", "Outline or pane"
    keys, group = ("tab", "shift+tab"), "Move"
    needs = (is_open,)
    footer, footer_name = 60, "pane"


# Fold and pan


class _Fold(_OnEntry):
    group = "Fold"
    scope = OUTLINE


class Fold(_Fold):
    """Fold what follows this entry, or go to the entry above it."""

    id, name = "fold", "Fold"
    keys = ("left",)


class Unfold(_Fold):
    """Unfold what follows this entry, or go into it."""

    id, name = "unfold", "Unfold"
    keys = ("right",)


class PreviousSegment(_Fold):
    """Fold this segment, or go to the start of the one above."""

    id, name = "previous_segment", "Segment up"
    keys = ("ctrl+left", "alt+left")


class NextSegment(_Fold):
    """Unfold this segment, or go to the start of the next one."""

    id, name = "next_segment", "Segment down"
    keys = ("ctrl+right", "alt+right")


class FoldAll(_OnEntry):
    """Fold every branch."""

    id, name = "fold_all", "Fold all"
    keys, group = ("z",), "Fold"


class UnfoldAll(_OnEntry):
    """Unfold everything."""

    id, name = "unfold_all", "Unfold all"
    keys, group = ("Z",), "Fold"


class PanLeft(Command):
    """Show what lies further left in the outline."""

    id, name = "pan_left", "Pan left"
    keys, group, scope, action = ("<",), "Fold", OUTLINE, "pan_left"


class PanRight(Command):
    """Show what lies further right in the outline."""

    id, name = "pan_right", "Pan right"
    keys, group, scope, action = (">",), "Fold", OUTLINE, "pan_right"


# Look


class CompactionLens(_OnEntry):
    """Show what a compaction would summarize and keep, and where it would cut; again to leave."""

    id, name = "compaction_lens", "Compaction lens"
    keys, group = ("c",), "Look"
    footer, footer_name = 10, "compaction"
    needs = (has_entries, has_plan)


class Target(_OnEntry):
    """Show what moving to this entry would do: common ancestor, left branch, new leaf."""

    id, name = "target", "Target"
    keys, group, scope = ("enter",), "Look", OUTLINE
    footer, footer_name = 20, "target"


class AsOf(_OnEntry):
    """See the session as it was at this entry; again to come back."""

    id, name = "as_of", "As of here"
    keys, group = (".",), "Look"
    footer, footer_name = 50, "as of"


class PanePlan(_OnEntry):
    """What pi would do here, and why."""

    id, name = "pane_plan", "Plan pane"
    keys, group = ("1",), "Look"


class PaneEntry(_OnEntry):
    """Everything this entry holds."""

    id, name = "pane_entry", "Entry pane"
    keys, group = ("2",), "Look"


class PaneDraft(_OnEntry):
    """The summary before it is kept."""

    id, name = "pane_draft", "Draft pane"
    keys, group = ("3",), "Look"


class PaneContext(_OnEntry):
    """The context now and after the commit, and what pi will not send of it."""

    id, name = "pane_context", "Context pane"
    keys, group = ("4",), "Look"


class PaneRequest(_OnEntry):
    """What would be sent to be summarized, to the letter."""

    id, name = "pane_request", "Request pane"
    keys, group = ("5",), "Look"


class FilterDefault(_OnEntry):
    """What pi shows first: no labels, no changes of settings."""

    id, name = "filter_default", "Filter: default"
    keys, group = ("ctrl+d",), "Look"


class FilterNoTools(_OnEntry):
    """Without tool results."""

    id, name = "filter_no_tools", "Filter: no tools"
    keys, group = ("ctrl+t",), "Look"


class FilterUser(_OnEntry):
    """User messages only."""

    id, name = "filter_user", "Filter: user"
    keys, group = ("ctrl+u",), "Look"


class FilterLabeled(_OnEntry):
    """Labeled entries only."""

    id, name = "filter_labeled", "Filter: labeled"
    keys, group = ("ctrl+l",), "Look"


class FilterAll(_OnEntry):
    """Every entry of the file."""

    id, name = "filter_all", "Filter: all"
    keys, group = ("ctrl+a",), "Look"


class CycleFilter(_OnEntry):
    """Go through pi's filters."""

    id, name = "cycle_filter", "Next filter"
    keys, group = ("ctrl+o",), "Look"


# Draft


class CutHere(_OnEntry):
    """Cut at this entry in place of pi, or learn why that cannot be; again to leave it to pi."""

    id, name = "cut_here", "Cut here"
    keys, group = ("C",), "Draft"


class Stream(_OnEntry):
    """Let a summary be written, and watch it arrive."""

    id, name = "stream", "Stream a draft"
    keys, group = ("s",), "Draft"
    footer, footer_name = 12, "stream"
    needs = (has_entries, is_idle, can_stream)


class Edit(Command):
    """Edit the draft in its place; ctrl+s or escape keeps the text."""

    id, name = "edit", "Edit the draft"
    keys, group = ("e",), "Draft"
    footer, footer_name = 14, "edit"
    needs = (has_draft, is_idle)


class EditOutside(Command):
    """Edit the draft in $VISUAL or $EDITOR."""

    id, name = "edit_outside", "Edit in $EDITOR"
    keys, group = ("E",), "Draft"
    needs = (has_draft, is_idle)


class NextDraft(Command):
    """Look at the next draft."""

    id, name = "next_draft", "Next draft"
    keys, group = ("d",), "Draft"
    needs = (has_two_drafts, is_idle)


class CompareDrafts(NextDraft):
    """Compare the draft with the one before it, word by word; again to leave."""

    id, name = "compare_drafts", "Compare drafts"
    keys, group = ("D",), "Draft"


class Instructions(_OnEntry):
    """Say what the summary is to pay attention to."""

    id, name = "instructions", "Focus instructions"
    keys, group = ("i",), "Draft"


class Commit(Command):
    """Show what committing the draft would append, and commit it when told to."""

    id, name = "commit", "Commit"
    keys, group = ("w",), "Draft"
    footer, footer_name = 16, "commit"
    needs = (has_draft, is_idle, can_commit)


# What if


class WhatIf(_OnEntry):
    """Change keepRecentTokens, reserveTokens, window or rules, and watch the cut move."""

    id, name = "what_if", "What if"
    keys, group = ("a",), "What if"
    footer, footer_name = 30, "what if"


class KeepMore(_OnEntry):
    """Raise keepRecentTokens."""

    id, name = "keep_more", "Keep more"
    keys, group = ("+",), "What if"


class KeepLess(_OnEntry):
    """Lower keepRecentTokens."""

    id, name = "keep_less", "Keep less"
    keys, group = ("-",), "What if"


# Search


class Search(_OnEntry):
    """Find text anywhere: arguments, results, summaries and thinking too."""

    id, name = "search", "Search"
    keys, group = ("/",), "Search"
    footer, footer_name = 40, "search"


class NextHit(Command):
    """To the next entry found."""

    id, name = "next_hit", "Next hit"
    keys, group = ("n",), "Search"
    needs = (has_search, has_hits)


class PreviousHit(NextHit):
    """To the entry found before this one."""

    id, name = "previous_hit", "Previous hit"
    keys, group = ("N",), "Search"


# pitree


class Copy(_OnEntry):
    """Copy the text of this entry."""

    id, name = "copy", "Copy"
    keys, group = ("y", "ctrl+x"), "pitree"


class CopyAs(_OnEntry):
    """Copy the id, the path, a /compact line for a running pi, or the command to go on with."""

    id, name = "copy_as", "Copy as"
    keys, group = ("Y",), "pitree"


class OpenSessions(Command):
    """Choose another session."""

    id, name = "sessions", "Sessions"
    keys, group = ("o",), "pitree"
    footer, footer_name = 70, "sessions"


class Reload(Command):
    """Read the file again."""

    id, name = "reload", "Read again"
    keys, group = ("f5",), "pitree"


class Problems(Command):
    """What is wrong with the file, line by line."""

    id, name = "problems", "Problems"
    keys, group = ("!",), "pitree"


class Help(Command):
    """What can be done here, and why some of it cannot."""

    id, name = "help", "Help"
    keys, group = ("?", "f1"), "pitree"
    footer, footer_name = 0, "help"


class Palette(Command):
    """Find a command by its name."""

    id, name = "palette", "Palette"
    keys, group, action = ("ctrl+p",), "pitree", "app.command_palette"


class Back(Command):
    """Undo one thing: search, target, as-of, pane. It never quits."""

    id, name = "back", "Back"
    keys, group = ("escape",), "pitree"


class Quit(Command):
    """Leave pitree."""

    id, name = "quit", "Quit"
    keys, group = ("q",), "pitree"
    footer, footer_name = 80, "quit"


# Long texts


class _Lines(Command):
    group = "In a text"
    scope = LINES


class LinesUp(_Lines):
    """One line up."""

    id, name = "lines_up", "Line up"
    keys, action = ("up", "k"), "scroll_up"


class LinesDown(_Lines):
    """One line down."""

    id, name = "lines_down", "Line down"
    keys, action = ("down", "j"), "scroll_down"


class LinesPageUp(_Lines):
    """One window up."""

    id, name = "lines_page_up", "Page up"
    keys, action = ("pageup",), "page_up"


class LinesPageDown(_Lines):
    """One window down."""

    id, name = "lines_page_down", "Page down"
    keys, action = ("pagedown", "space"), "page_down"


class LinesHome(_Lines):
    """To the start of the text."""

    id, name = "lines_home", "Start"
    keys, action = ("home", "g"), "scroll_home"


class LinesEnd(_Lines):
    """To the end of the text."""

    id, name = "lines_end", "End"
    keys, action = ("end", "G"), "scroll_end"


COMMANDS: Final[tuple[type[Command], ...]] = (
    MoveUp, MoveDown, PageUp, PageDown, First, Last,
    ToParent, ToFork, PreviousSibling, NextSibling, PreviousCompaction, NextCompaction, PreviousUser, NextUser,
    SwitchFocus,
    Fold, Unfold, PreviousSegment, NextSegment, FoldAll, UnfoldAll, PanLeft, PanRight,
    CompactionLens, Target, AsOf, PanePlan, PaneEntry, PaneDraft, PaneContext, PaneRequest,
    FilterDefault, FilterNoTools, FilterUser, FilterLabeled, FilterAll, CycleFilter,
    CutHere, Stream, Edit, EditOutside, NextDraft, CompareDrafts, Instructions, Commit,
    WhatIf, KeepMore, KeepLess,
    Search, NextHit, PreviousHit,
    Copy, CopyAs, OpenSessions, Reload, Problems, Help, Palette, Back, Quit,
    LinesUp, LinesDown, LinesPageUp, LinesPageDown, LinesHome, LinesEnd,
)  # fmt: skip
"""In the order of help."""

BY_ID: Final[dict[str, type[Command]]] = {command.id: command for command in COMMANDS}


def groups(commands: Iterable[type[Command]] = COMMANDS) -> dict[str, list[type[Command]]]:
    """Commands by heading, headings in order of first appearance."""
    grouped: dict[str, list[type[Command]]] = {}
    for command in commands:
        grouped.setdefault(command.group, []).append(command)
    return grouped


def bindings_for(*scopes: str) -> Iterator[Binding]:
    """Textual's bindings of some scopes, for the `BINDINGS` of a screen or widget.

    Args:
        *scopes: Names of `SCOPES`.

    Yields:
        One binding per key. They share the command's id, so `App.set_keymap` can move them.
    """
    for command in COMMANDS:
        if command.scope not in scopes:
            continue
        for key in command.keys:
            yield Binding(
                key,
                command.binding_action(),
                command.name,
                show=command.footer is not None,
                key_display=key_name(key),
                tooltip=command.help,
                id=command.id,
                group=Binding.Group(command.group),
            )


_KEY_NAMES: Final[dict[str, str]] = {
    "pageup": "page up",
    "pagedown": "page down",
    "escape": "esc",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "comma": ",",
    "semicolon": ";",
}


def key_name(key: str) -> str:
    """How people read a key, such as `ctrl+→`."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    return "+".join([*modifiers, _KEY_NAMES.get(last, last)])


def keys_of(command: type[Command], keymap: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The keys of a command as people read them.

    Args:
        command: The command.
        keymap: Keys from the preferences file, by command id and separated by commas.

    Returns:
        Readable keys, the preferred one first.
    """
    moved = (keymap or {}).get(command.id)
    return tuple(key_name(key) for key in (moved.split(",") if moved else command.keys))


def key_table() -> str:
    """The README's table of keys, in Markdown."""
    rows = ["| key | command | |", "|---|---|---|"]
    for group, members in groups().items():
        rows += [f"| | **{group}** | |"]
        rows += [
            f"| {' '.join(f'`{_escaped(key)}`' for key in keys_of(command))} | {command.name} | {command.help} |"
            for command in members
        ]
    return "\n".join(rows) + "\n"


def _escaped(key: str) -> str:
    return key.replace("|", "\\|")


@dataclass(frozen=True, slots=True)
class Offer:
    """A command as footer, help and palette show it.

    Attributes:
        command: The command.
        keys: Its keys as people read them.
        why_not: Why it is not possible now, or None.
    """

    command: type[Command]
    keys: tuple[str, ...]
    why_not: str | None


_FOCUS_FIRST: Final = {OUTLINE: "Only while the outline has the focus.", LINES: "Only while a text has the focus."}


def offers(now: Situation, scopes: Collection[str] = SCOPES, keymap: Mapping[str, str] | None = None) -> list[Offer]:
    """Every command with its keys and the reason why it is not possible, if there is one.

    Args:
        now: What commands need to know.
        scopes: Whose keys work now.
        keymap: Keys from the preferences file.

    Returns:
        One offer per command, in the order of help.
    """
    return [
        Offer(
            command,
            keys_of(command, keymap),
            command.when(now) if command.scope in scopes else _FOCUS_FIRST[command.scope],
        )
        for command in COMMANDS
    ]
