"""What is said over a draft, and its text as blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.planning.draft import Draft, Fit
from pitree.session.javascript import JSON
from pitree.ui.draft_text import ShownDraft, SummaryReader, file_blocks, head_pieces, summary_blocks
from pitree.ui.marked_text import MarkedBlock
from pitree.ui.usage_words import usage_words

DRAFT = Draft("## Goal\n- Ship it", "extract", "7f1a22c0", "d")


def head(shown: ShownDraft) -> str:
    return "".join(text for text, _ in head_pieces(shown))


def test_head_of_an_extract() -> None:
    shown = ShownDraft(DRAFT, 1, 2, 84_117, Fit.EXACT)
    assert head(shown) == ("Draft 1 of 2 · extract · no model\n✓ complete · est 5 for est 84,117 (under 1 %) · ✓ fits")


def test_file_lists_count_as_they_will_be_stored() -> None:
    shown = ShownDraft(DRAFT, replaces=10, read_files=("a.py",), modified_files=("b.py",))
    assert head(shown).splitlines()[1] == "✓ complete · est 23 for est 10 (230 %) · ‼ larger than what it replaces"


def test_head_of_a_draft_of_a_model() -> None:
    draft = replace(
        DRAFT,
        origin="claude-[/b]\x1b",
        complete=False,
        note="cut off by the answer limit",
        edited=True,
        instructions="the\nclock",
        usage={"input": 81_204, "output": 2_311, "cost": {"total": 0.2785}},
    )
    assert head(ShownDraft(draft, fit=Fit.REDO)).splitlines() == [
        "Draft 1 of 1 · claude-[/b]␛ · ≠ edited",
        "focus: the clock",
        "‼ not complete: cut off by the answer limit · est 5 · ‼ redo: it is about other entries than this plan",
        "used input 81,204 · output 2,311 · $0.2785",
    ]


def test_head_while_it_streams() -> None:
    shown = ShownDraft(replace(DRAFT, origin="recorded"), fit=Fit.STILL, streaming="writing the history, 1 of 2")
    assert head(shown).splitlines()[0] == "Draft 1 of 1 · recorded · no model"
    assert head(shown).splitlines()[1].startswith("… writing the history, 1 of 2 · est 5 · ≈ still fits")


@pytest.mark.parametrize(
    "usage", [None, {}, {"input": "12", "cost": {}}, {"input": True}, [], "x", {"cost": {"total": None}}]
)
def test_usage_that_says_nothing(usage: JSON) -> None:
    assert usage_words(usage) == ""


def test_blocks_of_a_summary() -> None:
    text = "## Goal\n### Done\n- [x] One\n- [ ] Two\n  - three\n1. four\n**Turn Context:**\n```\n- code\n```\n"
    text += "---\nplain"
    shown = [(block.text, block.style, getattr(block, "lead", "")) for block in summary_blocks(text)]
    assert shown == [
        ("## Goal", "bold $pitree-summary", ""),
        ("### Done", "bold $pitree-user", ""),
        ("One", "$pitree-assistant", " ✓ "),
        ("Two", "$pitree-assistant", " □ "),
        ("three", "$pitree-assistant", "   • "),
        ("four", "$pitree-assistant", " 1. "),
        ("**Turn Context:**", "bold $pitree-prefix", ""),
        ("```", "$pitree-quiet", ""),
        ("- code", "$pitree-tool", ""),
        ("```", "$pitree-tool", ""),
        ("---", "$pitree-guide", ""),
        ("plain", "$pitree-assistant", ""),
    ]


def test_hostile_text_is_only_shown() -> None:
    assert [block.text for block in summary_blocks("## \x1b[2J\n- [/b]\x07 `\u202e`")] == [
        "## ␛[2J",
        "[/b]␇ `‹202E›`",
    ]


def test_file_lists_stand_as_they_will_be_stored() -> None:
    assert file_blocks((), ()) == []
    assert [block.text for block in file_blocks(("a.py",), ("b\x1b.py",))] == [
        "",
        "added at the commit, not edited here · 1 read, 1 modified",
        "<read-files>",
        "a.py",
        "</read-files>",
        "",
        "<modified-files>",
        "b␛.py",
        "</modified-files>",
    ]


@given(st.text("ab -#*`[]x1.\n", max_size=80), st.integers(0, 80))
def test_streamed_blocks_are_the_blocks_of_the_whole(text: str, at: int) -> None:
    reader = SummaryReader()
    blocks = reader.read(text[:at])
    blocks[-1:] = reader.read(text[at:])
    assert blocks == summary_blocks(text)


@given(st.text("ab -#*`[]x1.\n", max_size=80))
def test_bullets_give_their_text_back(text: str) -> None:
    blocks = summary_blocks(text)
    assert "\n".join(getattr(block, "source", "") + block.text for block in blocks) == text
    assert all(isinstance(block, MarkedBlock) for block in blocks)
