"""pi holds of a session what pitree says, and sends of it what pitree says; nothing is written by pitree here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitree.context.messages import Message
from pitree.context.projection import project
from pitree.planning.rules import RULES
from pitree.session.load import session_from_bytes
from tests.e2e.cases import Case, at_home, cases, odd_session
from tests.e2e.holding import assert_held, predicted
from tests.e2e.pi import MODEL, OTHER_MODEL, PROVIDER, Pi, PiError
from tests.e2e.provider import Reply
from tests.e2e.wire import rows_of_body

PROMPT = "And now?"


def context(file: Path, pi: Pi) -> list[Message]:
    """What pitree says that a session holds at its end."""
    session = session_from_bytes(file.read_bytes())
    return project(session, session.context_path(session.leaf_id), RULES[pi.rules]).messages


@pytest.mark.parametrize("case", cases(), ids=str)
def test_pi_holds_and_sends_what_pitree_says(pi: Pi, case: Case, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    data = at_home(case.data(), pi.cwd)
    file.write_bytes(data)
    session, messages = session_from_bytes(data), context(file, pi)

    state = pi.state(file)
    assert state.leaf_of_file(session.count) == session.leaf_id
    assert_held(messages, state.messages, RULES[pi.rules])

    (body,) = pi.prompt(PROMPT)
    assert rows_of_body(body) == [*predicted(messages, pi), ("user", "text", PROMPT)]
    assert file.read_bytes().startswith(data)


def test_print_mode_sends_what_the_running_pi_sends(pi: Pi, tmp_path: Path) -> None:
    bodies = []
    for name, ask in (("running", pi.ask), ("print", pi.next_request)):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(odd_session(pi.cwd))
        bodies.append(ask(file, PROMPT))
    assert bodies[0]["messages"] == bodies[1]["messages"]


def test_every_rule_of_what_is_sent(pi: Pi, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_bytes(odd_session(pi.cwd))
    messages = context(file, pi)
    body = pi.ask(file, PROMPT)
    assert rows_of_body(body) == [*predicted(messages, pi), ("user", "text", PROMPT)]


def live(pi: Pi) -> Path:
    """A session that pi writes itself: calls, a change of model, an error, shell runs, and a compaction."""
    pi.configure(keep_recent_tokens=60)
    pi.rpc("new_session")
    look = (("bash", {"command": "echo one"}), ("read", {"path": "missing.txt"}))
    pi.provider.say(Reply("Looking.", thinking="Where is it?", calls=look), Reply("It says one."))
    pi.prompt("What does it say?" + " Look closely." * 20)
    pi.rpc("bash", command="echo seen")
    pi.rpc("bash", command="echo hidden", excludeFromContext=True)
    pi.provider.say(Reply("Too much.", status=400))
    pi.prompt("Fail, please.")
    pi.rpc("set_model", provider=PROVIDER, modelId=OTHER_MODEL)
    pi.provider.say(Reply("Another one.", thinking="Whose turn is it?"))
    pi.prompt("Who are you?" + " Say it." * 40)
    pi.provider.say(Reply("## Goal\nFind out what it says."), Reply("## Original Request\nSay it."))
    pi.rpc("compact", customInstructions="Keep the numbers.")
    pi.provider.say(Reply("Yes.", thinking="Once more."))
    pi.prompt("Still there?")
    pi.rpc("set_model", provider=PROVIDER, modelId=MODEL)
    return Path(pi.rpc("get_state")["sessionFile"])


def test_a_session_that_pi_writes_itself(pi: Pi) -> None:
    file = live(pi)
    written = file.read_bytes()
    messages = context(file, pi)
    held: Any = pi.current()
    session = session_from_bytes(written)
    assert held.leaf_of_file(session.count) == session.leaf_id
    assert_held(messages, held.messages, RULES[pi.rules])
    (body,) = pi.prompt(PROMPT)
    assert rows_of_body(body) == [*predicted(messages, pi), ("user", "text", PROMPT)]
    assert file.read_bytes().startswith(written)


def test_pi_says_why_it_refuses(pi: Pi, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_bytes(at_home(odd_session(pi.cwd), tmp_path / "gone"))
    with pytest.raises(PiError, match="gone"):
        pi.open(file)
