"""Search: everything an entry holds, hits in the order of the rows, around the end and back."""

from __future__ import annotations

from tests.ui.playing import demo, playing

HITS = 14


async def test_hits_are_counted_marked_and_shown_under_every_filter() -> None:
    async with playing(demo("rich")) as played:
        await played.press("/", *"migrations", "enter")
        assert len(played.view.hits) == HITS
        assert str(played.screen.outline.border_title).endswith(f"{HITS} found")
        assert "✱" in next(line for line in played.lines() if line.startswith("❯"))
        assert played.focus == "outline"
        await played.press("ctrl+l")
        assert len(played.rows()) == HITS + 2


async def test_n_goes_round_the_end_and_back() -> None:
    async with playing(demo("rich")) as played:
        await played.press("home", "/", *"MIGRATIONS", "enter")
        rows = played.view.rows
        expected = [played.view.session.id_of(hit) for hit in sorted(played.view.hits, key=rows.row_of)]  # type: ignore[arg-type]
        forward = [played.at]
        for _ in range(HITS - 1):
            await played.press("n")
            forward.append(played.at)
        assert forward == expected[1:] + expected[:1]
        await played.press("N")
        assert played.at == expected[-1]
        await played.press("n", "n")
        assert played.at == expected[1]


async def test_arguments_results_and_thinking_are_searched() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("/", *"strftime('%-d %b", "enter")
        assert [played.view.session.id_of(hit) for hit in played.view.hits] == ["00000005", "00000007"]


async def test_nothing_found_says_so_and_the_empty_field_ends_the_search() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("/", *"[/b]zzz", "enter")
        assert played.notices() == ["Nothing holds [/b]zzz."]
        await played.press("n")
        assert played.notices()[-1] == "Next hit: The search found nothing."
        await played.press("/")
        assert played.screen.field.value == "[/b]zzz"
        await played.press("ctrl+u", "enter")
        assert played.view.query == ""


async def test_letters_go_into_the_field_and_nowhere_else() -> None:
    async with playing(demo("plain-cut")) as played:
        await played.press("/", *"cqo?z1")
        assert played.screen.field.value == "cqo?z1"
        assert (played.view.lens, played.focus) == ("structure", "search")
        await played.press("escape")
        assert (played.view.query, played.focus) == ("", "outline")


async def test_a_search_that_ends_in_another_session_is_dropped() -> None:
    async with playing(demo("rich")) as played:
        found = played.screen.Found(played.view.session, "x", (300,))
        await played.press("o", "down", "enter")
        played.screen.post_message(found)
        await played.pilot.pause()
        assert played.view.session.count == 8
        assert played.view.hits == ()


async def test_escape_undoes_one_thing_at_a_time_and_never_quits() -> None:
    async with playing(demo("rich")) as played:
        await played.press("plus", "(", ".", "c", "/", *"redis", "enter", "1", "tab", "/")
        undone = []
        for _ in range(8):
            await played.press("escape")
            view = played.view
            undone.append((played.focus, bool(view.query), view.lens, view.as_of is None, view.what_if.keep_recent))
        assert undone == [
            ("outline", True, "compaction", False, 21_000),
            ("outline", False, "compaction", False, 21_000),
            ("outline", False, "structure", False, 21_000),
            ("outline", False, "structure", True, 21_000),
            ("outline", False, "structure", True, None),
            ("outline", False, "structure", True, None),
            ("outline", False, "structure", True, None),
            ("outline", False, "structure", True, None),
        ]
        assert played.app.is_running


async def test_escape_lets_the_target_go_before_the_point_in_time() -> None:
    async with playing(demo("branch")) as played:
        await played.press("escape")
        assert (played.view.target, played.view.lens, played.view.as_of) == (None, "structure", 3)
        await played.press("escape")
        assert played.view.as_of is None
