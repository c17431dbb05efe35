"""The Draft pane: streams, is edited in place, compares; keys and hostile text."""

from __future__ import annotations

from dataclasses import replace

from textual.selection import SELECT_ALL
from textual.widgets import Static

from pitree.planning.draft import Draft, Fit
from pitree.ui.draft_text import ShownDraft
from pitree.ui.widgets.draft_pane import DraftPane
from pitree.ui.widgets.marked_view import MarkedView
from pitree.ui.widgets.text_editor import one_to_one
from tests.ui.parts import Parts

TEXT = "## Goal\n- Ship it\n- " + "many words " * 12
DRAFT = Draft(TEXT, "extract", "7f1a22c0", "d")
SHOWN = ShownDraft(DRAFT, 1, 1, 900, Fit.EXACT, (), ("b.py",))


def visible(view: MarkedView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def head(pane: DraftPane) -> str:
    return str(pane.query_one("#draft-head", Static).render())


async def test_a_draft_with_what_the_commit_adds() -> None:
    app = Parts()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.show_only("draft")
        pane.show_draft(SHOWN)
        await pilot.pause()
        assert head(pane).splitlines()[0] == "Draft 1 of 1 · extract · no model"
        assert visible(pane.text)[:10] == [
            "## Goal",
            " • Ship it",
            " • many words many words many words many words many",
            "   words many words many words many words many words",
            "   many words many words many words",
            "",
            "┊ added at the commit, not edited here · 0 read, 1",
            "┊ modified",
            "┊ <modified-files>",
            "┊ b.py",
        ]
        assert pane.text.get_selection(SELECT_ALL)[0].startswith(TEXT + "\n\nadded")


async def test_streaming_follows_the_end_only_for_a_reader_at_the_end() -> None:
    app = Parts()
    async with app.run_test(size=(60, 16)) as pilot:
        pane = app.show_only("draft")
        pane.show_draft(replace(SHOWN, draft=replace(DRAFT, text="", complete=False), streaming="writing"))
        await pilot.pause()
        for number in range(30):
            pane.append("- po")
            pane.append(f"int {number}\n")
        await pilot.pause()
        assert visible(pane.text)[-2] == " • point 29"
        assert "est 91 " in head(pane)
        pane.text.action_scroll_home()
        await pilot.pause()
        pane.append("- more\n" * 30)
        await pilot.pause()
        assert visible(pane.text)[0] == " • point 0"
        whole = "".join(f"- point {number}\n" for number in range(30)) + "- more\n" * 30
        assert pane.text.get_selection(SELECT_ALL) == (whole, "\n")


async def test_editing_ends_with_either_key_and_keeps_the_text() -> None:
    app = Parts()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.show_only("draft")
        pane.show_draft(SHOWN)
        pane.begin_edit(TEXT)
        await pilot.pause()
        assert pane.stops() == (pane.editor,)
        assert "editing" in head(pane)
        await pilot.press("q", "1", "enter", "tab")
        assert pane.editor.text.startswith("q1\n## Goal")
        pane.editor.focus()
        await pilot.press("ctrl+s")
        assert app.answers == ["q1\n" + TEXT]
        assert not pane.is_editing
        assert pane.text.has_focus
        pane.begin_edit(TEXT)
        await pilot.pause()
        await pilot.press("escape")
        assert app.answers[1:] == [TEXT]
        pane.begin_edit(TEXT)
        assert pane.end_edit() == TEXT


async def test_a_text_that_nobody_changed_comes_back_to_the_letter() -> None:
    hostile = "a\x1b]52;c;x\x07\r\nb\u2028c\x85d\te\u202e"
    app = Parts()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.show_only("draft")
        pane.begin_edit(hostile)
        await pilot.pause()
        drawn = "".join(pane.editor.render_line(y).text for y in range(pane.editor.size.height))
        assert "␛]52;c;x␇" in drawn
        assert not any(character in drawn for character in "\x1b\x07\u202e\x85")
        assert pane.end_edit() == hostile


def test_marks_in_the_editor_take_the_place_of_one_character() -> None:
    assert one_to_one("a\x1b\x9b\u202e\tb") == "a␛◌◌\tb"
    assert one_to_one("日本語\té") == "日本語\té"


async def test_comparing_side_by_side_or_in_one_column() -> None:
    other = replace(SHOWN, draft=replace(DRAFT, text="## Goal\n- Ship them", origin="claude-x"), number=2)
    for width, row in ((120, 1), (60, 1)):
        app = Parts()
        async with app.run_test(size=(width, 20)) as pilot:
            pane = app.show_only("draft")
            pane.show_draft(SHOWN)
            pane.show_comparison(SHOWN, other)
            await pilot.pause()
            assert head(pane) == "Draft 1 extract · no model  [-25 words-]\nDraft 2 claude-x  {+1 words+}"
            line = visible(pane.comparison)[row]
            if width == 120:
                assert line.split(" │ ") == ["- Ship [-it-]".ljust(56), "- Ship {+them+}"]
            else:
                assert line == "- Ship [-it-]{+them+}"
            assert pane.stops() == (pane.comparison,)
            pane.end_comparison()
            assert head(pane).startswith("Draft 1 of 1")


async def test_a_comparison_is_laid_out_again_at_another_width() -> None:
    app = Parts()
    async with app.run_test(size=(120, 20)) as pilot:
        pane = app.show_only("draft")
        pane.show_comparison(SHOWN, replace(SHOWN, draft=replace(DRAFT, text="## Goal")))
        await pilot.pause()
        assert "│" in visible(pane.comparison)[0]
        await pilot.resize_terminal(70, 20)
        await pilot.pause()
        assert visible(pane.comparison)[:2] == ["## Goal", "- [-Ship it-]"]


async def test_why_there_is_no_draft() -> None:
    app = Parts()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.show_only("draft")
        pane.show_words("The leaf is a compaction. [/b]\x1b")
        await pilot.pause()
        assert visible(pane.text)[0] == "The leaf is a compaction. [/b]␛"
        pane.append("nothing")
