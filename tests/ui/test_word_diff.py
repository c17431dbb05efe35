"""The word diff: lines aligned first, marks beside the color, fast on long texts."""

from __future__ import annotations

from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from pitree.ui.comparison import comparison_blocks, differences, marked
from pitree.ui.word_diff import Pair, Part, compare

LEFT = "## Goal\n- Keep the limit at five\n\n## Next\n- Ship it"
RIGHT = "## Goal\n- Keep a limit of five\n- With tests\n\n## Next\n- Ship it"


def lines(left: str, right: str, width: int) -> list[str]:
    return [block.text for block in comparison_blocks(compare(left, right), width)]


def test_headings_align_and_words_differ() -> None:
    assert compare(LEFT, RIGHT) == [
        Pair((Part("same", "## Goal"),)),
        Pair(
            (
                Part("same", "- Keep "),
                Part("gone", "the"),
                Part("new", "a"),
                Part("same", " limit "),
                Part("gone", "at"),
                Part("new", "of"),
                Part("same", " five"),
            )
        ),
        Pair((Part("same", "- "), Part("new", "With tests")), left=False),
        Pair((Part("same", ""),)),
        Pair((Part("same", "## Next"),)),
        Pair((Part("same", "- Ship it"),)),
    ]


def test_one_column_has_both_marks() -> None:
    assert lines(LEFT, RIGHT, 60) == [
        "## Goal",
        "- Keep [-the-]{+a+} limit [-at-]{+of+} five",
        "- {+With tests+}",
        "",
        "## Next",
        "- Ship it",
    ]


def test_side_by_side_has_a_mark_on_either_side() -> None:
    shown = lines(LEFT, RIGHT, 93)
    assert shown[1] == "- Keep [-the-] limit [-at-] five".ljust(45) + " │ - Keep {+a+} limit {+of+} five"
    assert shown[2] == " " * 45 + " │ - {+With tests+}"
    assert all(row[46] == "│" for row in shown)


def test_a_row_that_one_side_needs_more_is_empty_on_the_other() -> None:
    shown = lines("word " * 30 + "x", "word " * 3, 93)
    assert [row.partition(" │ ")[2].strip() for row in shown] == ["word word word", "", "", ""]


def test_adjacent_words_are_one_change() -> None:
    (pair,) = compare("keep one two three here", "keep four five six here")
    assert marked(pair, ("same", "gone", "new"))[0] == "keep [-one two three-]{+four five six+} here"


def test_a_changed_heading_never_pairs_with_a_sentence() -> None:
    pairs = compare("## Next steps", "Next steps")
    assert [(pair.left, pair.right) for pair in pairs] == [(True, False), (False, True)]


def test_wide_characters_keep_the_columns() -> None:
    (row,) = lines("日本語 alt", "日本語 neu", 93)
    assert row.startswith("日本語 [-alt-]" + " " * 31 + " │ 日本語 {+neu+}")


def test_hostile_text_is_only_shown() -> None:
    assert lines("- see it \x1b[2J\x07", "- see it \u202e[/b]", 60) == ["- see it [-␛[2J␇-]{+‹202E›[/b]+}"]


def test_counts_words() -> None:
    assert differences(compare(LEFT, RIGHT)) == (2, 4)


def test_is_fast_on_long_texts() -> None:
    old = "\n".join(f"- point {number} about the file number {number % 17} and its tests" for number in range(600))
    new = "\n".join(f"- point {number} on a file number {number % 13} with its tests" for number in range(600))
    start = perf_counter()
    compare(old[:30_000], new[:30_000])
    compare("word " * 6_000, "other word " * 3_000)
    compare("\n" * 30_000, "x\n" * 15_000)
    assert perf_counter() - start < 5


@given(st.text("ab \n-#é", max_size=60), st.text("ab \n-#é", max_size=60))
def test_both_texts_can_be_read_back(left: str, right: str) -> None:
    pairs = compare(left, right)
    old = ["".join(part.text for part in pair.parts if part.kind != "new") for pair in pairs if pair.left]
    new = ["".join(part.text for part in pair.parts if part.kind != "gone") for pair in pairs if pair.right]
    assert ("\n".join(old), "\n".join(new)) == (left, right)
