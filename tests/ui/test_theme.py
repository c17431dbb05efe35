"""Colors and marks: complete, one cell wide, readable."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.color import Color
from textual.theme import Theme

from pitree.ui.marks import MARKS, mark, short_word
from pitree.ui.text import safe
from pitree.ui.theme import DARK, LIGHT, THEMES, variable_defaults


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colors as WCAG defines it, from 1 to 21."""

    def luminance(color: Color) -> float:
        def linear(part: float) -> float:
            return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)

        red, green, blue = color.normalized
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


SURFACES = {"pitree-cursor", "pitree-cursor-blurred", "pitree-frame", "pitree-frame-focus", "pitree-guide"}


@pytest.mark.parametrize("state", MARKS)
def test_every_state_has_a_mark_of_one_cell_a_color_and_a_word(state: str) -> None:
    shown = MARKS[state]
    assert cell_len(shown.glyph) == 1
    assert safe(shown.glyph) == shown.glyph
    assert shown.color in variable_defaults()
    assert shown.word


def test_no_two_states_share_a_glyph() -> None:
    glyphs = [shown.glyph for shown in MARKS.values()]
    assert len(set(glyphs)) == len(glyphs)


def test_an_unknown_state_still_shows() -> None:
    assert mark("from the future").word == "from the future"
    assert short_word("leaf") == "leaf"


def test_both_themes_define_the_same_variables() -> None:
    assert set(variable_defaults(dark=True)) == set(variable_defaults(dark=False))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_is_readable(theme: Theme) -> None:
    assert theme.background is not None
    for name, value in theme.variables.items():
        if not name.startswith("pitree-") or name.startswith("pitree-bar-") or name in SURFACES:
            continue
        for behind in (theme.background, theme.variables["pitree-cursor-blurred"]):
            assert contrast(Color.parse(value), Color.parse(behind)) >= 3.9, (name, behind)
        assert contrast(Color.parse(value), Color.parse(theme.background)) >= 4.5, name


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_labels_in_the_bar_are_readable(theme: Theme) -> None:
    text = Color.parse(theme.variables["pitree-bar-text"])
    for name, value in theme.variables.items():
        if name.startswith("pitree-bar-") and not name.endswith(("text", "free", "threshold")):
            assert contrast(text, Color.parse(value)) >= 4.0, name
