"""The context bar: every cell accounted for, both rulers named, readable without color."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from pitree.ui.context_shares import CATEGORIES, ContextShares, divide
from pitree.ui.theme import variable_defaults
from pitree.ui.widgets.context_bar import ContextBar, bar_line, legend_line

EST = (("system", 9_000), ("summaries", 14_000), ("user", 16_000), ("assistant", 22_000), ("tool_results", 48_000))
SHARES = ContextShares(window=200_000, est=EST, used=131_402, threshold=183_616)


def test_one_line_says_both_what_and_how_much() -> None:
    line = bar_line(SHARES, 80).plain
    assert len(line) == 80
    assert line.endswith(" used 131.4k 66 %")
    assert "▏tool results" in line
    assert "┆" in line


def test_two_lines_name_both_rulers_and_every_category() -> None:
    bar = bar_line(SHARES, 118, both=True).plain
    assert bar.endswith(" est 109k · used 131.4k 66 %")
    assert "┆" in bar
    legend = legend_line(SHARES, 118).plain
    assert legend == "■ system 9k  ■ summary 14k  ■ user 16k  ■ assistant 22k  ■ tool results 48k  ■ not in file 22.4k"


def test_a_crowded_legend_shortens_before_it_drops() -> None:
    names = [name for name in CATEGORIES if name not in ("free", "not_in_file")]
    shares = ContextShares(window=200_000, est=tuple((name, 9_120) for name in names), used=100_000)
    for width in (150, 118, 98):
        assert legend_line(shares, width).plain.count("■") == 9
        assert len(legend_line(shares, width).plain) <= width
    assert len(legend_line(shares, 40).plain) <= 40


def test_without_recorded_usage_the_estimate_is_the_ruler() -> None:
    shares = ContextShares(window=200_000, est=EST)
    assert bar_line(shares, 80).plain.endswith(" est 109k 54 %")
    assert "┆" not in bar_line(shares, 80).plain
    assert "not_in_file" not in dict(shares.segments())


def test_more_than_the_window_still_fits_the_bar() -> None:
    shares = ContextShares(window=1_000, est=(("user", 5_000),), threshold=800)
    assert "free" not in dict(shares.segments())
    assert len(bar_line(shares, 60).plain) == 60


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=12), st.integers(0, 200))
def test_no_cell_is_lost_and_no_part_vanishes(parts: list[int], cells: int) -> None:
    given = divide(parts, cells)
    assert sum(given) == cells
    assert all(width >= (1 if cells >= len(parts) else 0) for width in given)


estimates = st.lists(
    st.tuples(
        st.sampled_from([name for name in CATEGORIES if name not in ("free", "not_in_file")]), st.integers(0, 10**6)
    ),
    max_size=8,
    unique_by=lambda part: part[0],
).map(tuple)


@given(
    st.builds(
        ContextShares,
        window=st.integers(1, 10**6),
        est=estimates,
        used=st.none() | st.integers(0, 10**6),
        threshold=st.none() | st.integers(-100, 10**6),
    ),
    st.integers(40, 200),
)
def test_any_shares_fill_the_width(shares: ContextShares, width: int) -> None:
    assert len(bar_line(shares, width).plain) == width
    assert len(bar_line(shares, width, both=True).plain) == width


class Barring(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def compose(self) -> ComposeResult:
        yield ContextBar()


async def test_the_width_of_the_screen_decides_on_the_lines() -> None:
    app = Barring()
    async with app.run_test(size=(120, 10)) as pilot:
        bar = app.query_one(ContextBar)
        bar.shares = SHARES
        await pilot.pause()
        assert bar.size.height == 2
        assert "est 109k · used 131.4k 66 %" in bar.render_line(0).text
        assert "not in file 22.4k" in bar.render_line(1).text
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert bar.size.height == 1
        assert "used 131.4k 66 %" in bar.render_line(0).text
