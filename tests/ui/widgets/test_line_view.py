"""The view of long texts: opens at once, keeps its place, follows a stream, gives back what was selected."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from pitree.ui.theme import variable_defaults
from pitree.ui.widgets.line_view import LineView
from pitree.ui.wrapping import Block


class Viewing(App[None]):
    def __init__(self, blocks: list[Block]) -> None:
        super().__init__()
        self.blocks = blocks

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def compose(self) -> ComposeResult:
        yield LineView()

    def on_mount(self) -> None:
        view = self.query_one(LineView)
        view.show(self.blocks)
        view.focus()


def visible(view: LineView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


NUMBERED = "\n".join(f"line {number} " + "word " * (number % 40) for number in range(100_000))


async def test_five_megabytes_open_at_once_and_end_is_the_end() -> None:
    text = NUMBERED[:5_000_000]
    app = Viewing([Block(text)])
    async with app.run_test(size=(80, 20)) as pilot:
        view = app.query_one(LineView)
        await pilot.pause()
        assert visible(view)[0] == "line 0"
        assert len(view.wrapped.rows) < 200
        await pilot.press("end")
        await pilot.pause()
        assert view.wrapped.complete
        assert text.rstrip().endswith(visible(view)[-1].split(" ")[-1])
        await pilot.press("home")
        assert view.scroll_offset.y == 0


async def test_keys_scroll() -> None:
    app = Viewing([Block(NUMBERED[:20_000])])
    async with app.run_test(size=(80, 20)) as pilot:
        view = app.query_one(LineView)
        await pilot.press("down", "j", "k")
        assert view.scroll_offset.y == 1
        await pilot.press("pagedown", "space")
        assert view.scroll_offset.y == 39
        await pilot.press("pageup", "pageup", "pageup", "up")
        assert view.scroll_offset.y == 0


async def test_a_resize_keeps_the_place() -> None:
    app = Viewing([Block(NUMBERED)])
    async with app.run_test(size=(80, 20)) as pilot:
        view = app.query_one(LineView)
        for _ in range(60):
            view.action_page_down()
        await pilot.pause()
        place = view.wrapped.place(view.scroll_offset.y)
        for size in ((50, 12), (110, 30), (80, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert view.wrapped.place(view.scroll_offset.y)[:2] == place[:2]


async def test_blocks_have_gutters_and_keys() -> None:
    app = Viewing([Block("\n".join("abc" for _ in range(50)), gutter="│ "), Block("here", key="there")])
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(LineView)
        await pilot.pause()
        assert visible(view)[0] == "│ abc"
        assert view.scroll_to_block("there")
        await pilot.pause()
        assert visible(view)[-1] == "here"
        assert not view.scroll_to_block("nowhere")


async def test_streaming_follows_the_end_only_for_a_reader_at_the_end() -> None:
    app = Viewing([Block("")])
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(LineView)
        await pilot.pause()
        for number in range(30):
            view.append(f"piece {number}\n")
        await pilot.pause()
        assert visible(view)[-2] == "piece 29"
        await pilot.press("home")
        view.append("more\n" * 30)
        await pilot.pause()
        assert visible(view)[0] == "piece 0"


async def test_a_selection_gives_lines_as_they_were() -> None:
    app = Viewing([Block("one two three four five six seven eight\nnine", gutter="▎")])
    async with app.run_test(size=(20, 10)) as pilot:
        view = app.query_one(LineView)
        await pilot.pause()
        assert view.get_selection(SELECT_ALL) == ("one two three four five six seven eight\nnine", "\n")
        chosen = Selection(Offset(4, 0), Offset(3, 1))
        assert view.get_selection(chosen) == ("two three four fiv", "\n")
        app.screen.selections = {view: chosen}
        await pilot.pause()
        assert visible(view)[1].startswith("▎five")


async def test_hostile_text_is_only_shown() -> None:
    app = Viewing([Block("[/b]\x1b]52;c;x\x07\n\u202eabc")])
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert visible(app.query_one(LineView))[:2] == ["[/b]␛]52;c;x␇", "‹202E›abc"]
