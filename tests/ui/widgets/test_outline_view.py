"""The outline widget: what it draws, how the cursor moves, and that its cost does not grow with the list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from pitree.ui.rows import RowText
from pitree.ui.theme import DARK, variable_defaults
from pitree.ui.widgets.outline_view import OutlineView
from pitree.ui.widgets.row_drawing import Look, draw

ROW = RowText(state="kept", prefix="│  ├─ ", kind="assistant", text="3 failures, fixing", figure="640")


def drawn(row: RowText, look: Look) -> str:
    return "".join(text for text, _ in draw(row, look))


def test_a_row_has_pointer_mark_prefix_kind_text_tags_and_figure() -> None:
    assert drawn(replace(ROW, tags=("leaf",)), Look(60, cursor=True)) == (
        "❯█ │  ├─ assistant  3 failures, fixing        ● leaf    640 "
    )


def test_a_narrow_row_keeps_the_text_and_drops_words_first() -> None:
    row = replace(ROW, prefix="", tags=("leaf", "ancestor"))
    assert "◆ ancestor" in drawn(row, Look(80))
    assert "◆ ancestor" not in drawn(row, Look(44))
    assert "● ◆" in drawn(row, Look(44))
    assert "3 failures" in drawn(row, Look(34))


def test_a_cut_row_goes_across() -> None:
    row = RowText(state="cut", text="firstKeptEntryId 7f1a22c0 · keeps est 20,412", rule=True)
    assert drawn(row, Look(60)) == " ✂ ── firstKeptEntryId 7f1a22c0 · keeps est 20,412 ──────── "


def test_panning_shifts_the_text_and_says_so() -> None:
    shown = drawn(replace(ROW, text="a日本語 and much more than fits into the row"), Look(40, pan=8))
    assert shown.startswith(" █ …istant  a日本語")
    assert "…" in shown[10:]


def test_highlights_are_drawn_apart() -> None:
    pieces = draw(replace(ROW, text="one two three", highlights=((4, 7),)), Look(60))
    assert ("two", "bold underline $pitree-hit") in pieces


def test_text_from_a_file_is_made_safe() -> None:
    row = RowText(prefix="\x1b[2J", kind="us\x1ber", text="[/b]\x1b]52;c;x\x07", note="\u202e", figure="\x9b1m")
    assert "\x1b" not in drawn(row, Look(70))
    assert "[/b]" in drawn(row, Look(70))


rows = st.builds(
    RowText,
    state=st.sampled_from(("", "kept", "cut", "unheard of")),
    prefix=st.sampled_from(("", "├─ ", "│  " * 30)),
    kind=st.sampled_from(("", "user", "toolResult", "a very long kind of entry", "\x1b日本")),
    text=st.text(),
    tags=st.lists(st.sampled_from(("leaf", "ancestor", "first_kept", "hit", "x")), max_size=4).map(tuple),
    note=st.text(max_size=30),
    figure=st.sampled_from(("", "12", "1,234,567,890")),
    dim=st.booleans(),
    rule=st.booleans(),
)


@given(rows, st.integers(0, 90), st.integers(0, 100), st.booleans())
def test_a_row_never_leaves_its_width(row: RowText, width: int, pan: int, cursor: bool) -> None:
    shown = drawn(row, Look(width, pan=pan, cursor=cursor))
    assert cell_len(shown) <= max(width, 3)
    if width >= 40:
        assert cell_len(shown) == width


class Many:
    """Rows that count how often they are asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.count

    def row(self, index: int, /) -> RowText:
        self.asked.append(index)
        return RowText(state="path", kind="user", text=f"row {index}", figure=str(index))


class Outlining(App[None]):
    def __init__(self, rows: Many) -> None:
        super().__init__()
        self.rows = rows
        self.moves: list[int] = []
        self.chosen: list[int] = []

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.theme = DARK.name
        outline = self.query_one(OutlineView)
        outline.show(self.rows)
        outline.focus()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def compose(self) -> ComposeResult:
        yield OutlineView()

    def on_outline_view_cursor_moved(self, event: OutlineView.CursorMoved) -> None:
        self.moves.append(event.row)

    def on_outline_view_selected(self, event: OutlineView.Selected) -> None:
        self.chosen.append(event.row)


def visible(outline: OutlineView) -> list[str]:
    return [outline.render_line(y).text for y in range(outline.size.height)]


async def test_keys_move_the_cursor_and_keep_it_in_sight() -> None:
    app = Outlining(Many(200_000))
    async with app.run_test(size=(60, 20)) as pilot:
        outline = app.query_one(OutlineView)
        await pilot.press("down", "j", "k", "pagedown", "end", "up", "G", "home", "pagedown", "pageup")
        await pilot.pause()
        assert app.moves == [1, 2, 1, 20, 199_999, 199_998, 199_999, 0, 19, 0]
        await pilot.press("end")
        assert outline.scroll_offset.y == 199_980
        assert visible(outline)[-1].startswith("❯• user       row 199999")
        assert [line[0] for line in visible(outline)].count("❯") == 1


@pytest.mark.parametrize("count", [1_000, 200_000])
async def test_a_move_asks_only_for_rows_in_sight(count: int) -> None:
    rows = Many(count)
    app = Outlining(rows)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        rows.asked.clear()
        await pilot.press("down")
        await pilot.pause()
        assert len(rows.asked) <= 10
        rows.asked.clear()
        await pilot.press("end")
        await pilot.pause()
        assert len(rows.asked) <= 3 * 20


async def test_the_mouse_moves_and_chooses() -> None:
    app = Outlining(Many(100))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.click(OutlineView, offset=(5, 4))
        assert app.moves == [4]
        await pilot.click(OutlineView, offset=(5, 6), times=2)
        assert app.chosen == [6]
        await pilot.click(OutlineView, offset=(5, 8))
        outline = app.query_one(OutlineView)
        outline.scroll_to(y=30, animate=False)
        await pilot.pause()
        assert visible(outline)[0].startswith(" • user       row 30")


async def test_new_rows_keep_the_cursor_at_its_height_and_post_nothing() -> None:
    app = Outlining(Many(1_000))
    async with app.run_test(size=(60, 20)) as pilot:
        outline = app.query_one(OutlineView)
        outline.move_cursor(500)
        await pilot.press("up", "up")
        await pilot.pause()
        height = outline.cursor - outline.scroll_offset.y
        app.moves.clear()
        outline.show(Many(400), 300)
        await pilot.pause()
        assert (outline.cursor, outline.cursor - outline.scroll_offset.y) == (300, height)
        outline.show(Many(3), 300)
        await pilot.pause()
        assert outline.cursor == 2
        outline.show(Many(0))
        await pilot.press("down", "pageup", "end", "enter")
        await pilot.pause()
        assert app.moves == []
        assert not "".join(visible(outline)).strip()


async def test_the_cursor_shows_without_focus_and_after_a_resize() -> None:
    app = Outlining(Many(1_000))
    async with app.run_test(size=(60, 20)) as pilot:
        outline = app.query_one(OutlineView)
        outline.move_cursor(19)
        await pilot.resize_terminal(50, 10)
        await pilot.pause()
        assert visible(outline)[-1].startswith("❯")
        app.set_focus(None)
        await pilot.pause()
        assert visible(outline)[-1].startswith("›")


async def test_deep_rows_pan_by_themselves_and_keys_pan() -> None:
    class Deep(Many):
        def row(self, index: int, /) -> RowText:
            return RowText(prefix="│  " * index, kind="user", text=f"row {index}")

    app = Outlining(Deep(60))
    async with app.run_test(size=(60, 20)) as pilot:
        outline = app.query_one(OutlineView)
        await pilot.press("end")
        assert "row 59" in visible(outline)[-1]
        await pilot.press("home")
        assert outline.pan == 0
        await pilot.press(">", ">", "<")
        assert outline.pan == 8


async def test_another_theme_draws_again() -> None:
    app = Outlining(Many(10))
    async with app.run_test(size=(60, 20)) as pilot:
        outline = app.query_one(OutlineView)
        await pilot.pause()
        before = outline.render_line(0)
        app.theme = "textual-light"
        await pilot.pause()
        assert list(outline.render_line(0)) != list(before)
