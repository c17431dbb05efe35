"""The stored text of a summary, put together as pi does from its parts."""

from __future__ import annotations

from pitree.planning.rules import Rules
from pitree.planning.summary_text import NO_PRIOR_HISTORY, join_parts, stored_summary
from tests.context.asking import both, compaction
from tests.planning.drawing import cells, planned, sure

SPLIT = "\n\n---\n\n**Turn Context (split turn):**\n\n"


@both
def test_a_summary_of_whole_turns_is_its_history(rules: Rules) -> None:
    assert join_parts(sure(planned(cells("uaua"), 200, rules)), {"history": "h"}) == "h"


@both
def test_a_split_turn_joins_two_texts(rules: Rules) -> None:
    plan = sure(planned(cells("uauaa"), 200, rules))
    assert join_parts(plan, {"history": "h", "prefix": "p"}) == f"h{SPLIT}p"


@both
def test_a_split_turn_without_a_history_says_so_or_keeps_the_earlier_summary(rules: Rules) -> None:
    first = sure(planned(cells("uatattat"), 200, rules))
    assert join_parts(first, {"prefix": "p"}) == f"{NO_PRIOR_HISTORY}{SPLIT}p"
    again = sure(planned([*cells("ua"), compaction("e4"), *cells("uaa")], 100, rules))
    assert again.summarized == ()
    assert join_parts(again, {"prefix": "p"}) == f"{'S' * 8}{SPLIT}p"


def test_the_file_lists_stand_at_the_end() -> None:
    assert stored_summary("text", [], []) == "text"
    assert stored_summary("text", ["a"], []) == "text\n\n<read-files>\na\n</read-files>"
