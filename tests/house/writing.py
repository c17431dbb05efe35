"""Who may write: files, the terminal's output, and text that Textual shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.reading import Finding, argument, calls, imports, names, parse, room

WRITING_METHODS = frozenset({"write_text", "write_bytes", "touch", "unlink", "symlink_to", "hardlink_to"})
WRITING_FUNCTIONS = frozenset(
    f"os.{name}"
    for name in (
        "write pwrite writev pwritev truncate ftruncate replace rename renames remove unlink link symlink"
    ).split()
)
HARMLESS_SHUTIL = frozenset({"shutil.which", "shutil.get_terminal_size", "shutil.disk_usage"})
READING_FLAGS = frozenset("O_RDONLY O_CLOEXEC O_NOFOLLOW O_NONBLOCK O_DIRECTORY O_BINARY O_NOATIME".split())
OPENERS = frozenset({"open", "io.open", "codecs.open", "os.fdopen", "gzip.open", "bz2.open", "lzma.open"})
MODE = re.compile(r"[rwaxbtU+]+")
MARKUP = frozenset({"from_markup", "from_ansi", "from_text", "from_rich_text"})
TEXT_CLASSES = frozenset({"rich.text.Text", "textual.content.Content"})
MARKUP_CALLS = frozenset(
    "Static Label Button Option Selection Checkbox RadioButton TabPane Tab Collapsible Link "
    "update add_option add_row add_column add_tab".split()
)
MARKUP_ATTRIBUTES = frozenset({"border_title", "border_subtitle", "tooltip"})


def opens_for_writing(path: str, source: str) -> Iterator[Finding]:
    """Opening, creating, moving or removing a file in any of the ways Python has for it."""
    for node, name in names(path, source):
        method = name.rpartition(".")
        if name in WRITING_FUNCTIONS or (method[0] and method[2] in WRITING_METHODS):
            yield Finding(path, node.lineno, f"{name} changes files")
        if name.startswith(("shutil.", "tempfile.")) and name not in HARMLESS_SHUTIL:
            yield Finding(path, node.lineno, f"{name} changes files")
    for call, name in calls(path, source):
        if _opens_for_writing(call, name):
            yield Finding(path, call.lineno, f"{ast.unparse(call)[:60]} may write")


def writes_whole_files(path: str, source: str) -> Iterator[Finding]:
    """Writing new files through the one module that does it at once or not at all."""
    for found in imports(path, source):
        if f"{found.name}.".startswith("pitree.store.whole_files."):
            yield Finding(path, found.line, "writes files of its own")


def _opens_for_writing(call: ast.Call, name: str) -> bool:
    if name == "os.open":
        flags = argument(call, 1, "flags")
        used = {node.attr for node in ast.walk(flags) if isinstance(node, ast.Attribute)} if flags else set()
        return not used or not used <= READING_FLAGS
    if name == "mmap.mmap":
        given = {ast.unparse(keyword.value) for keyword in call.keywords}
        return not given & {"mmap.ACCESS_READ", "mmap.PROT_READ"}
    if name in OPENERS:
        mode = argument(call, 1, "mode")
        return mode is not None and not _is_reading(mode)
    if name.endswith(".open"):
        mode = argument(call, 0, "mode")
        return isinstance(mode, ast.Constant) and _is_mode(mode.value) and not _is_reading(mode)
    return False


def _is_mode(value: object) -> bool:
    return isinstance(value, str) and MODE.fullmatch(value) is not None


def _is_reading(mode: ast.expr) -> bool:
    # A mode that is computed cannot be judged, so it does not pass.
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+")


def prints(path: str, source: str) -> Iterator[Finding]:
    """`print` and the standard streams, which belong to cli."""
    for node, name in names(path, source):
        if name in {"print", "sys.stdout", "sys.stderr"} and room(path) != "cli":
            yield Finding(path, node.lineno, f"{name} outside cli")


def shows_text(path: str, source: str) -> Iterator[Finding]:
    """Making something shown out of a text that is not a literal of ours, anywhere but in ui/text and cli/report_text.

    A markup template of ours with `$name` places is a literal; what goes into the places is not judged here.
    """
    for call, name in calls(path, source):
        method = name.rpartition(".")[2]
        text = argument(call, 0, "text")
        if (name in TEXT_CLASSES or method in MARKUP) and text is not None and not _is_ours(text):
            yield Finding(path, call.lineno, f"{name} of a computed text: use pitree.ui.text")
        if method == "notify" and not _is_markup_off(call) and not _is_ours(argument(call, 0, "message")):
            yield Finding(path, call.lineno, "notify of a computed text without markup=False")
        if name.startswith("rich.markup.") or name.endswith(".markup.escape"):
            yield Finding(path, call.lineno, f"{name} has holes: use pitree.ui.text")


def formats_markup(path: str, source: str) -> Iterator[Finding]:
    """A formatted string where Textual reads markup: a bracket in what is filled in would become a style or a crash."""
    for call, name in calls(path, source):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name.rpartition(".")[2] in MARKUP_CALLS and not _is_markup_off(call) and any(map(_is_filled, given)):
            yield Finding(path, call.lineno, f"{name} of a formatted string: use pitree.ui.text")
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Assign) and _is_filled(node.value):
            attributes = {target.attr for target in node.targets if isinstance(target, ast.Attribute)}
            for attribute in attributes & MARKUP_ATTRIBUTES:
                yield Finding(path, node.lineno, f"{attribute} of a formatted string: use pitree.ui.text")


def draws_segments(path: str, source: str) -> Iterator[Finding]:
    """Segments of computed text: they reach the terminal as they are, so each module that draws them is named.

    What comes straight out of ui/text or safe_text is safe.
    """
    called = {id(call): name for call, name in calls(path, source)}
    for call, name in calls(path, source):
        text = argument(call, 0, "text")
        is_safe = _is_ours(text) or called.get(id(text), "").startswith(("pitree.ui.text.", "pitree.safe_text."))
        if name == "rich.segment.Segment" and not is_safe:
            yield Finding(path, call.lineno, "a Segment of a computed text")


def _is_filled(value: ast.expr) -> bool:
    return isinstance(value, ast.JoinedStr) and any(isinstance(part, ast.FormattedValue) for part in value.values)


def _is_ours(text: ast.expr | None) -> bool:
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mult):
        return _is_ours(text.left)
    return isinstance(text, ast.Constant) and isinstance(text.value, str)


def _is_markup_off(call: ast.Call) -> bool:
    markup = argument(call, 99, "markup")
    return isinstance(markup, ast.Constant) and markup.value is False
