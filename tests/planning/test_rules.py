"""The table of switches: each says which release brought it, and each tells the two rule sets apart."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import pytest

from pitree.context.switches import ContextSwitches
from pitree.planning import rules as module
from pitree.planning.rules import NEWEST, RULES, Rules

SWITCHES = [field.name for field in fields(Rules) if field.name not in ("name", "release")]


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_release_stands_beside_each_switch(switch: str) -> None:
    assert re.search(rf"^\s+{switch}=.*# .*\b\d+\.\d+\.\d+", inspect.getsource(module), re.MULTILINE)


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_is_described_and_tells_the_releases_apart(switch: str) -> None:
    described = f"{Rules.__doc__}{ContextSwitches.__doc__}"
    assert f"        {switch}: " in described
    assert len({getattr(rules, switch) for rules in RULES.values()}) == 2


def test_the_rule_sets() -> None:
    assert [(rules.name, rules.release) for rules in RULES.values()] == [("0.84", "0.84.1"), ("1.6", "1.6.0")]
    assert list(RULES) == [rules.name for rules in RULES.values()]
    assert NEWEST.name == "1.6"
