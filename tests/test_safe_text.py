"""Safe text: whatever a file holds, nothing of it acts on a terminal, hides or breaks a column."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size

from pitree.safe_text import ELLIPSIS, INVISIBLE, cell_fit, cell_pad, one_line, safe

FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

nasty = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "\x00\t\n\r\x1b\x7f\x85\x9b\u200b\u200d\u202e\u2066\ufe0e\ufe0f\u0301\U000e0041\U000e0100\u3000"
        ),
        st.characters(categories=["Cs"]),
    )
)


@given(nasty, st.booleans())
def test_nothing_that_acts_or_hides_remains(text: str, newlines: bool) -> None:
    shown = safe(text, newlines=newlines)
    kept = shown.replace("\n", "") if newlines else shown
    assert not {unicodedata.category(character) for character in kept} & FORBIDDEN
    assert "\x1b" not in shown
    assert "\ufe0f" not in shown


@given(nasty, st.booleans())
def test_a_second_pass_changes_nothing(text: str, newlines: bool) -> None:
    once = safe(text, newlines=newlines)
    assert safe(once, newlines=newlines) == once


@given(nasty)
def test_the_width_is_the_sum_of_its_characters(text: str) -> None:
    shown = safe(text)
    assert cell_len(shown) == sum(get_character_cell_size(character) for character in shown)


@given(nasty, st.integers(0, 40))
def test_fitting_and_padding_never_leave_the_width(text: str, width: int) -> None:
    shown = safe(text)
    assert cell_len(cell_fit(shown, width)) <= width
    assert cell_len(cell_pad(shown, width)) == width
    assert cell_len(cell_pad(shown, width, right=True)) == width
    if cell_len(shown) <= width:
        assert cell_fit(shown, width) == shown


@given(nasty, st.integers(1, 40))
def test_one_line_is_safe_and_short(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert safe(line) == line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [b]text[/b]", "plain [b]text[/b]"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b31m", "␛[31m"),
        ("a\x7fb", "a␡b"),
        ("a\nb\tc", "a␊b␉c"),
        ("abc\u202edef", "abc‹202E›def"),
        ("x\u200by", f"x{INVISIBLE}y"),
        ("half \ud83d", "half ‹D83D›"),
        ("a\u2028b", "a‹2028›b"),
        ("a\u00a0b\u3000c", "a b  c"),
        ("warn \u26a0\ufe0f", "warn \u26a0"),
        ("x\ufe0f\ufe0f", f"x{INVISIBLE}{INVISIBLE}"),
        ("\u0301a", f"{INVISIBLE}\u0301a"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 4 + INVISIBLE),
        ("日本語 naïve", "日本語 naïve"),
    ],
)
def test_marks(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_lines_are_kept_when_asked() -> None:
    assert safe("a\n\tb\r\n", newlines=True) == "a\n    b␍\n"


def test_fit_keeps_wide_characters_whole() -> None:
    assert cell_fit("日本語", 6) == "日本語"
    assert cell_fit("日本語", 5) == "日本" + ELLIPSIS
    assert cell_fit("日本語", 4) == "日 " + ELLIPSIS
    assert cell_fit("日本語", 0) == ""


def test_one_line_takes_only_the_beginning() -> None:
    assert one_line("  a\n\n b  ") == "a b"
    assert one_line("word " * 1_000_000, 9) == "word word" + ELLIPSIS
