"""What the Draft pane says: the line over a draft, its text as blocks, and the file lists that the commit adds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitree.planning.draft import Draft, Fit
from pitree.planning.summary_text import stored_summary
from pitree.session.javascript import JSON, utf16_length
from pitree.ui.figures import exact, percent
from pitree.ui.marked_text import MarkedBlock, Span
from pitree.ui.text import one_line, safe
from pitree.ui.usage_words import usage_words
from pitree.ui.wrapping import Block

Piece = tuple[str, str]

_HEADING = re.compile(r"#{1,6} +(?=\S)")
_ITEM = re.compile(r"( {0,12})([-*+]|\d{1,3}[.)]) +(?:\[([ xX])\] +)?")
_INLINE = re.compile(r"\*\*(?=\S)[^*]+\*\*|`[^`]+`")
_LONG = 4_000
_ORIGINS = {"extract": "extract · no model", "recorded": "recorded · no model"}
_FITS = {
    Fit.EXACT: ("✓ fits", "$pitree-leaf"),
    Fit.STILL: ("≈ still fits: its cut is possible, pi's own is elsewhere now", "$pitree-changed"),
    Fit.REDO: ("‼ redo: it is about other entries than this plan", "$pitree-problem"),
}


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """A draft with what is said about it.

    Attributes:
        draft: The draft.
        number: Which of the drafts of this session, from 1.
        count: How many there are.
        replaces: The estimate of what its commit takes out of the context, in tokens.
        fit: Whether it is about what the plan summarizes; None while that is not known.
        read_files: The files that the commit will list as read.
        modified_files: The files that the commit will list as modified.
        streaming: What is going on while it is being written, in words; "" once it is not.
    """

    draft: Draft
    number: int = 1
    count: int = 1
    replaces: int = 0
    fit: Fit | None = None
    read_files: tuple[JSON, ...] = ()
    modified_files: tuple[JSON, ...] = ()
    streaming: str = ""

    @property
    def tokens(self) -> int:
        """The estimate of what the commit will store: text and file lists."""
        return est(stored_summary(self.draft.text, self.read_files, self.modified_files))


def est(text: str) -> int:
    """pi's estimate of a text: UTF-16 units divided by four, rounded up."""
    return -(-utf16_length(text) // 4)


def origin_words(origin: str) -> str:
    """Who wrote a draft, named as what it is."""
    return _ORIGINS.get(origin, one_line(origin, 60))


def head_pieces(shown: ShownDraft) -> list[Piece]:
    """The lines over a draft: which it is and who wrote it; how it stands; what it has used."""
    draft = shown.draft
    pieces = [
        (f"Draft {shown.number} of {shown.count}", "bold $pitree-user"),
        (" · ", "$pitree-quiet"),
        (origin_words(draft.origin), "bold $pitree-summary"),
    ]
    if draft.edited:
        pieces += [(" · ", "$pitree-quiet"), ("≠ edited", "$pitree-changed")]
    if draft.instructions:
        pieces.append((f"\nfocus: {one_line(draft.instructions, 200)}", "$pitree-quiet"))
    pieces += [("\n", ""), *_standing(shown)]
    used = usage_words(draft.usage)
    return [*pieces, (f"\n{used}", "$pitree-quiet")] if used else pieces


def _standing(shown: ShownDraft) -> Iterator[Piece]:
    draft, tokens = shown.draft, shown.tokens
    if shown.streaming:
        yield f"… {one_line(shown.streaming, 120)}", "$pitree-changed"
    elif draft.complete:
        yield "✓ complete", "$pitree-leaf"
        if draft.note:
            yield f" · {one_line(draft.note, 200)}", "$pitree-quiet"
    else:
        yield f"‼ not complete: {one_line(draft.note, 200) or 'it was stopped'}", "$pitree-problem"
    larger = tokens > shown.replaces > 0
    against = f" for est {exact(shown.replaces)} ({percent(tokens, shown.replaces)})" if shown.replaces else ""
    yield " · ", "$pitree-quiet"
    yield f"est {exact(tokens)}{against}", "$pitree-problem" if larger else "$pitree-assistant"
    if larger:
        yield " · ‼ larger than what it replaces", "$pitree-problem"
    if shown.fit is not None:
        words, style = _FITS[shown.fit]
        yield " · ", "$pitree-quiet"
        yield words, style


class SummaryReader:
    """Reads a summary as it arrives, and gives blocks: one for each line."""

    def __init__(self) -> None:
        self._line = ""
        self._in_code = False

    def read(self, text: str) -> list[Block]:
        """More text.

        Returns:
            Blocks in place of that of the last line so far, and for all lines after it.
        """
        *done, self._line = (self._line + text).split("\n")
        blocks = []
        for line in done:
            blocks.append(_line_block(line, in_code=self._in_code))
            self._in_code ^= line.lstrip().startswith("```")
        return [*blocks, _line_block(self._line, in_code=self._in_code)]


def summary_blocks(text: str) -> list[Block]:
    """The text of a summary as blocks: headings bold, bullets with a hanging indent."""
    return SummaryReader().read(text)


def _line_block(line: str, *, in_code: bool) -> Block:
    shown = safe(line, newlines=True)
    if in_code or line.lstrip().startswith("```"):
        return MarkedBlock(shown, "$pitree-tool" if in_code else "$pitree-quiet", "│ ")
    if heading := _HEADING.match(shown):
        style = "bold $pitree-summary" if heading.end() < 4 else "bold $pitree-user"
        return MarkedBlock(shown, style, spans=(Span(0, heading.end(), "not bold $pitree-guide"),))
    if item := _ITEM.match(shown):
        return _item(shown, item)
    if shown.strip() == "---":
        return MarkedBlock(shown, "$pitree-guide")
    if shown.startswith("**") and shown.rstrip().endswith("**"):
        return MarkedBlock(shown, "bold $pitree-prefix")
    return MarkedBlock(shown, spans=tuple(_inline(shown)))


def _item(line: str, item: re.Match[str]) -> MarkedBlock:
    indent, bullet, box = item.groups()
    glyph, style = (bullet, "$pitree-summary") if bullet[0].isdecimal() else ("•", "$pitree-summary")
    if box is not None:
        glyph, style = ("□", "$pitree-changed") if box == " " else ("✓", "$pitree-leaf")
    lead = f"{indent} {glyph} "
    text = line[item.end() :]
    return MarkedBlock(
        text, gutter=" " * len(lead), spans=tuple(_inline(text)), lead=lead, lead_style=style, source=item.group()
    )


def _inline(text: str) -> Iterator[Span]:
    for found in _INLINE.finditer(text) if len(text) <= _LONG else ():
        start, end = found.span()
        if found.group().startswith("**"):
            yield Span(start, start + 2, "$pitree-guide")
            yield Span(start + 2, end - 2, "bold")
            yield Span(end - 2, end, "$pitree-guide")
        else:
            yield Span(start, end, "$pitree-user")


def file_blocks(read_files: Sequence[JSON], modified_files: Sequence[JSON]) -> list[Block]:
    """The file lists just as the commit will add them; none where there are no files."""
    lists = stored_summary("", read_files, modified_files).lstrip("\n")
    if not lists:
        return []
    title = f"added at the commit, not edited here · {len(read_files)} read, {len(modified_files)} modified"
    return [
        Block(""),
        Block(title, "bold $pitree-quiet", "┊ ", key="files"),
        *(MarkedBlock(safe(line), "$pitree-quiet", "┊ ") for line in lists.split("\n")),
    ]
