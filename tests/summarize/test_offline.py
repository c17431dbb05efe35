"""What an extract finds: planted facts of every kind, in English, Spanish and Chinese."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pitree.planning.branch import plan_navigation
from pitree.planning.rules import RULES, Rules
from pitree.planning.settings import Settings
from pitree.summarize.offline import extract
from tests.context.asking import both
from tests.session.build import Value, chain, message, session_of
from tests.summarize.plans import assistant, history, prefix, ran, sections, user

# Enough of a conversation that no row has to be dropped for its size.
TALK = [
    user("Please look at the small parser in this folder and tell me how its error messages come about, line by line."),
    assistant("The parser reads one token after the other and raises on the first that it does not expect there."),
] * 40


def found(*values: Value, previous: str | None = None, rules: Rules = RULES["1.6"]) -> dict[str, list[str]]:
    """The rows of the history of these entries, by heading."""
    return sections(extract(history(*TALK, *values, previous=previous, rules=rules))["history"])


def under(rows: dict[str, list[str]], heading: str) -> str:
    return "\n".join(rows.get(heading, []))


CONSTRAINTS, DONE, BLOCKED = "Constraints & Preferences", "Done", "Blocked"
DECISIONS, NEXT, CRITICAL = "Key Decisions", "Next Steps", "Critical Context"
TEMPORARY = "For the time being: "


@pytest.mark.parametrize(
    "rule",
    [
        "Do not touch migrations/.",
        "Don't add a dependency.",
        "Never log a token.",
        "The redis client is allowed, nothing else.",
        "It must work without a network.",
        "Always run the linter first.",
        "I prefer plain functions.",
        "Use tabs instead of spaces.",
        "Avoid global state.",
        "Leave deploy/ alone.",
        "Use rgb values in the themes, no rgb indices!",
        "At most 64 MB of memory.",
        "No toques la base de datos.",
        "Nunca cambies el esquema.",
        "Usa solo la biblioteca estándar.",
        "Hay que mantener la compatibilidad.",
        "Prefiero funciones cortas.",
        "Escríbelo en vez de copiarlo.",
        "Sin dependencias nuevas.",
        "不要修改数据库。",
        "必须兼容旧版本。",
        "只改 tests 目录里的文件。",
        "不能超过 64 MB。",
        "尽量用标准库。",
    ],
)
def test_what_the_user_demands_or_forbids_is_kept_word_for_word(rule: str) -> None:
    assert f"- {rule}" in under(found(user(f"Thanks, that helps. {rule} Go on with it.")), CONSTRAINTS)


@pytest.mark.parametrize(
    "sentence",
    [
        "Keep it in memory for now.",
        "Leave the error text as it is for the time being.",
        "Do not change anything yet.",
        "Por ahora sin configuración.",
        "De momento lo dejamos en memoria.",
        "先这样，后面再看。",
        "暂时不加缓存。",
    ],
)
def test_a_temporary_decision_is_marked_as_such(sentence: str) -> None:
    assert f"- {TEMPORARY}{sentence}" in under(found(user(f"All right then. {sentence} Go on.")), CONSTRAINTS)
    said = found(assistant(f"All right then. {sentence} Going on."), user("Very well, go on with the rest."))
    assert f"- {TEMPORARY}{sentence}" in under(said, DECISIONS)


@pytest.mark.parametrize(
    "text",
    ["I don't understand what this does.", "Should it only be read once?", "Thanks, that is what I thought."],
)
def test_what_only_sounds_like_a_rule_is_none(text: str) -> None:
    assert text not in under(found(user(text)), CONSTRAINTS)


def test_first_and_latest_request_are_quoted_and_a_change_of_course_is_named() -> None:
    rows = found(user("Wait, use a sliding window for the counter."), user("Now write the documents for operators."))
    goal = rows["Goal"]
    assert goal[0].startswith("- Please look at the small parser")
    assert "- Changed: Wait, use a sliding window for the counter." in goal
    assert goal[-1] == "- Latest: Now write the documents for operators."


@pytest.mark.parametrize("turn", ["No, hazlo con una ventana deslizante.", "算了，改成滑动窗口，重新写一遍吧。"])
def test_a_change_of_course_in_other_languages(turn: str) -> None:
    assert f"- Changed: {turn}" in found(user(turn), user("Now write the documents for operators."))["Goal"]


@pytest.mark.parametrize("nothing", ["ok", "/mode", "/", "yo", "continue"])
def test_words_without_substance_are_no_request(nothing: str) -> None:
    assert nothing not in under(found(user(nothing)), "Goal").split()


def test_a_long_request_ends_with_a_sentence_and_a_mark() -> None:
    sentence = "The reader of the report wants to see the numbers of the last month in one table. "
    latest = found(user(sentence * 20))["Goal"][-1]
    assert latest.endswith("in one table. …")
    assert len(latest) < 600


def test_a_pasted_trace_is_quoted_by_its_error_only() -> None:
    trace = "\n".join(f"    at frame{n} (/src/app/deep/module{n}.ts:{n}:5)" for n in range(60))
    goal = found(user(f"I got a crash, that should never happen.\n\nTypeError: x is not a function\n{trace}"))["Goal"]
    assert goal[-1] == "- Latest: I got a crash, that should never happen. — TypeError: x is not a function"


def test_changed_files_with_what_they_define_and_what_was_said() -> None:
    write = ran("write", "Successfully wrote", path="/w/app/keys.py", content="KINDS = 2\n\ndef key_of(x):\n    pass\n")
    edit = ran(
        "edit",
        "Successfully replaced",
        about="The factory in gate.py waits 50 ms at most.",
        path="app/gate.py",
        edits=[{"oldText": "a", "newText": "b"}],
    )
    done = under(found(*write, *edit, assistant("That is all of it.")), DONE)
    assert "- [x] `app/keys.py` (KINDS, key_of)" in done
    assert "- [x] `app/gate.py`: The factory in gate.py waits 50 ms at most." in done


@pytest.mark.parametrize(
    ("command", "output", "row"),
    [
        ("cd /w && pytest -q", "....\n4 passed in 0.61s", "- [x] `pytest -q`: 4 passed in 0.61s"),
        ("npm run check 2>&1 | tail -5", "fine", "- [x] `npm run check`"),
        ("git commit -m 'Add it'", "[main 1a2b3c4] Add it\n 1 file", "`: [main 1a2b3c4] Add it"),
        ("python3 -m unittest", "Ran 8 tests in 0.001s\n\nOK", "- [x] `python3 -m unittest`: Ran 8 tests in 0.001s"),
    ],
)
def test_commands_that_passed(command: str, output: str, row: str) -> None:
    assert row in under(found(*ran("bash", output, command=command)), DONE)


FAILED = (
    "E   AssertionError: 7205.0 != 5.0\n\ntests/test_a.py:23: AssertionError\n1 failed\n\nCommand exited with code 1"
)


@pytest.mark.parametrize(
    ("runs", "open_row"),
    [
        ([("pytest tests/test_a.py", FAILED)], "`pytest tests/test_a.py` failed: AssertionError: 7205.0 != 5.0"),
        ([("pytest tests/test_a.py", FAILED), ("pytest tests/test_a.py", "1 passed")], ""),
        ([("pytest tests/test_a.py", FAILED), ("pytest -v", "9 passed")], ""),
        (
            [("pytest tests/test_a.py", FAILED), ("pytest tests/test_b.py", "1 passed")],
            "`pytest tests/test_a.py` failed",
        ),
        ([("pytest", FAILED), ("ruff check .", "fine")], "`pytest` failed"),
        ([("pytest", "9 passed"), ("pytest", FAILED)], "`pytest` failed"),
        ([("npm test | tail -3", "2 failed")], "`npm test` failed: 2 failed"),
        ([("grep -n x a.py", "Command exited with code 1")], ""),
    ],
)
def test_what_failed_and_was_not_mended_since(runs: Sequence[tuple[str, str]], open_row: str) -> None:
    values = [
        value for command, output in runs for value in ran("bash", output, failed="exited" in output, command=command)
    ]
    rows = found(*values)
    assert open_row in under(rows, BLOCKED)
    assert (under(rows, BLOCKED) == "- (none)") == (not open_row)


def test_an_edit_that_failed_blocks_until_it_works() -> None:
    failed = ran("edit", "Could not find the exact text in a.py", failed=True, path="a.py", oldText="x", newText="y")
    worked = ran("edit", "Successfully replaced", path="a.py", oldText="x ", newText="y")
    assert "- Edit of `a.py` failed: Could not find the exact text in a.py" in under(found(*failed), BLOCKED)
    assert under(found(*failed, *worked), BLOCKED) == "- (none)"


def test_a_call_without_a_result_is_not_called_done() -> None:
    call = {
        "type": "toolCall",
        "id": "c",
        "name": "edit",
        "arguments": {"path": "a.py", "oldText": "x", "newText": "y"},
    }
    rows = found(assistant("", call))
    assert "`a.py`" not in under(rows, DONE)
    assert "- [ ] `a.py`" in under(rows, "In Progress")


@pytest.mark.parametrize(
    ("said", "row"),
    [
        (
            "I'll use a token bucket because a window lets bursts through.",
            "- **I'll use a token bucket**: because a window",
        ),
        ("We decided to keep the hash of the token as key.", "- We decided to keep the hash of the token as key."),
        ("Usaré una ventana porque es exacta.", "- **Usaré una ventana**: porque es exacta."),
        ("我决定采用令牌桶。", "- 我决定采用令牌桶。"),
    ],
)
def test_decisions_of_the_assistant(said: str, row: str) -> None:
    assert row in under(found(assistant(said), user("And how large does it get with many keys?")), DECISIONS)


@pytest.mark.parametrize("answer", ["Yes, do that.", "Take it.", "Sí, hazlo así.", "好，就这样做。"])
def test_a_confirmed_proposal_is_a_decision(answer: str) -> None:
    proposal = "I suggest that the fixture switches the limits off."
    assert f"- {proposal} (user: {answer})" in under(found(assistant(proposal), user(answer)), DECISIONS)


def test_what_the_user_puts_off_is_a_next_step() -> None:
    proposal = "I suggest that the fixture switches the limits off."
    rows = found(assistant(proposal), user("Good, do that later together with the rest."))
    assert f"{proposal} (user: Good, do that later together with the rest.)" in under(rows, NEXT)


@pytest.mark.parametrize(
    "said",
    [
        "Open point: the documents for operators.",
        "TODO: both backends in the tests.",
        "Queda por escribir la documentación.",
        "下一步：补上文档。",
    ],
)
def test_to_dos(said: str) -> None:
    assert said in under(found(assistant(f"That much works now. {said}")), NEXT)


def test_the_last_question_is_open_until_it_is_answered() -> None:
    question = "Shall I change the test as well?"
    assert f"Asked, not answered: {question}" in under(found(assistant(f"One test fails. {question}")), NEXT)
    assert question not in under(found(assistant(f"One test fails. {question}"), user("What do you think?")), NEXT)


@pytest.mark.parametrize(
    "fact",
    [
        "The job queue listens on port 6380.",
        "Redis has 64 MB and noeviction.",
        "The wrong branch is in app/gate.py:41.",
        "It raises sqlite3.OperationalError under load.",
        "The green of the diff is #b5bd68.",
        "It is described at https://example.org/limits#burst.",
        "Redis 7.2.4 is installed there.",
        "El límite está en 40 segundos.",
        "接口在 15 秒后超时。",
    ],
)
def test_figures_places_and_errors_are_kept(fact: str) -> None:
    asked = user("And how large does it get with many keys?")
    assert fact in under(found(user(f"Good to know. {fact} Go on."), asked), CRITICAL)
    assert fact in under(found(assistant(fact), asked), CRITICAL)


PREVIOUS = """# Checkpoint

## Goal
Limit the rate of logins.

## User Preferences
- **No mocks** in tests

## Progress
### Done
- [x] `app/limits.py`
### In Progress
- [ ] Sharing the buckets between workers
- [ ] Documents for operators
### Blocked
- (none)

## Key Decisions
- **Token bucket**: a window lets bursts through

## Next Steps
1. Change `day()` in reports/export.py
2. Ask about the alarm

## Key Files
- Plan: docs/plan.md

```
src/
└── cli.ts
```

<read-files>
docs/plan.md
</read-files>"""


@both
def test_the_earlier_summary_is_carried_on(rules: Rules) -> None:
    edit = ran("edit", "Successfully replaced", path="reports/export.py", oldText="x", newText="y")
    said = assistant("The documents for operators are written.")
    rows = found(*edit, said, previous=PREVIOUS, rules=rules)
    assert rows["Goal"][0] == "- Limit the rate of logins."
    assert "- **No mocks** in tests" in rows[CONSTRAINTS]
    assert "- [ ] Sharing the buckets between workers" in rows["In Progress"]
    assert {"- [x] `app/limits.py`", "- [x] Documents for operators"} <= set(rows[DONE])
    assert "- [x] Change `day()` in reports/export.py" in rows[DONE]
    assert "- **Token bucket**: a window lets bursts through" in rows[DECISIONS]
    assert "Ask about the alarm" in under(rows, NEXT)
    assert "- Plan: docs/plan.md" in rows[CRITICAL]
    assert "└── cli.ts" in under(rows, CRITICAL)
    assert "read-files" not in str(rows)


def test_carrying_on_again_and_again_repeats_nothing() -> None:
    first = extract(history(*TALK, user("Never log a token. Write the documents for operators.")))["history"]
    again = extract(history(*TALK, user("Now the tests of the gate, please."), previous=first))["history"]
    assert again.count("Never log a token.\n") == 1
    assert "Latest: Latest" not in again
    assert again.count("Please look at the small parser") == 1


@both
def test_a_turn_prefix_has_the_headings_of_the_rules(rules: Rules) -> None:
    request = "Do the rest in one go: the fallback, the tests, the documents. Do not commit."
    runs = ran(
        "bash", "4 passed in 0.61s", command="pytest -q", about="Fallback first, because the rest depends on it."
    )
    texts = extract(prefix(user(request), *runs, *ran("read", "x" * 900, path="a.py"), rules=rules))
    rows = sections(texts["prefix"])
    assert set(texts) == {"prefix"}
    assert list(rows) == list(rules.prefix_headings)[: len(rows)]
    assert rows["Original Request"] == [request]
    assert "- `pytest -q`: 4 passed in 0.61s" in rows[rules.prefix_headings[1]]


def test_a_branch_has_no_critical_context_and_sees_the_results_that_pi_leaves_out() -> None:
    values = chain(
        [
            user("Make the report for the largest customer faster, please."),
            *ran("read", "row = customer(row.id)\n" * 40, path="rows.py"),
            *ran("edit", "Successfully replaced", about="I try a cache in rows.py.", path="rows.py", newText="x"),
            assistant("11 seconds, and 430 MB at the peak. I would not go on with it."),
            user("The other way."),
        ]
    )
    values[-1]["parentId"] = "e1"
    session = session_of(values)
    text = extract(plan_navigation(session, "e6", "e7", RULES["1.6"], Settings()))["branch"]
    assert "- [x] `rows.py`" in text
    assert "430 MB at the peak." in text
    assert "I would not go on with it." in text
    assert "Critical Context" not in text


def test_a_focus_is_dropped_last() -> None:
    many = [
        user(f"You must not change file number {n} of the old importer, whatever the reason is.") for n in range(300)
    ]
    plan = history(user("We go through all of it now. The old exporter should keep its columns."), *many)
    assert "exporter should keep" not in under(sections(extract(plan)["history"]), CONSTRAINTS)
    assert "exporter should keep" in under(sections(extract(plan, "the exporter")["history"]), CONSTRAINTS)


@pytest.mark.parametrize(
    "value",
    [
        message("user", [{"type": "text"}, {"type": "image"}, {}]),
        message("assistant", [{"type": "toolCall", "id": 3, "name": "edit", "arguments": {"path": 7}}]),
        message("assistant", [{"type": "toolCall", "name": "bash", "arguments": None}]),
        message("assistant", [{"type": "toolCall", "id": "a", "name": "bash", "arguments": {"command": ["x"]}}]),
        message("toolResult", [{"type": "text", "text": "lost"}], toolCallId="none"),
        message("bashExecution", command="", output="x", exitCode="x"),
        message("user", "{} {0} {x!r} %s \ud800"),
    ],
)
def test_odd_messages_do_no_harm(value: Value) -> None:
    assert "## Goal" in extract(history(*TALK, value))["history"]
