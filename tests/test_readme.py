"""README.md says what is true: its table of keys is the table of commands, its pictures and demos are there."""

from __future__ import annotations

import re
from pathlib import Path

from pitree.lessons.demos import DEMOS
from pitree.ui.commands import key_table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_table_of_keys_is_made_from_the_commands() -> None:
    found = re.search(r"<!-- keys:[^\n]*-->\n(.*?)<!-- /keys -->", README, re.DOTALL)
    assert found is not None
    assert found.group(1) == key_table()


def test_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    assert pictures
    assert [picture for picture in pictures if not (ROOT / picture).is_file()] == []


def test_every_demo_is_named() -> None:
    assert [name for name in DEMOS if f"`{name}`" not in README] == []
