"""What modules and functions look like: length, names, documentation, error handling, recursion."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from typing import TypeGuard

from tests.house.reading import Finding, names, parse, room, tokens

MOST_FUNCTION_LINES = 40
MOST_MODULE_LINES = 400
LONG = re.compile(r"# long because: \S+( \S+){2,}")
RECURSIVE = re.compile(r"# recursive because: \S+( \S+){2,}")
VAGUE_NAMES = frozenset({"utils", "util", "helpers", "misc", "common"})
EVERYTHING = frozenset({"Exception", "BaseException"})
CORE = frozenset({"session", "context", "planning"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: str) -> Iterator[Function]:
    """Every function, nested ones too."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_too_long(path: str, source: str) -> Iterator[Finding]:
    """Over 40 lines in a function (its docstring not counted) or 400 in a module, without a written reason.

    The reason is a comment `# long because: …` of three words at least: inside the function, or for a module at the
    start of a line.
    """
    reasons = [token.start for token in tokens(source) if token.type == tokenize.COMMENT and LONG.match(token.string)]
    for function in functions(source):
        lines = _code_lines(function)
        explained = any(function.lineno <= line <= (function.end_lineno or 0) for line, _ in reasons)
        if lines > MOST_FUNCTION_LINES and not explained:
            yield Finding(path, function.lineno, f"{function.name} has {lines} lines and no reason")
    length = len(source.splitlines())
    if length > MOST_MODULE_LINES and not any(column == 0 for _, column in reasons):
        yield Finding(path, 1, f"{length} lines and no reason")


def _code_lines(function: Function) -> int:
    last = function.end_lineno or function.lineno
    document = function.body[0] if ast.get_docstring(function) is not None else None
    documented = (document.end_lineno or 0) - document.lineno + 1 if document else 0
    return last - function.lineno + 1 - documented


def has_vague_name(path: str, source: str) -> Iterator[Finding]:
    """A module or package whose name says nothing."""
    for part in path.removesuffix(".py").split("/"):
        if part.strip("_") in VAGUE_NAMES:
            yield Finding(path, 1, f"{part} says nothing")


def lacks_docstring(path: str, source: str) -> Iterator[Finding]:
    """A module that does not say what it is for."""
    if not (ast.get_docstring(parse(source)) or "").strip():
        yield Finding(path, 1, "no docstring")


def catches_everything(path: str, source: str) -> Iterator[Finding]:
    """A handler that would hide a mistake of ours."""
    full = {id(node): name for node, name in names(path, source)}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or full.get(id(kind)) in EVERYTHING for kind in caught):
                yield Finding(path, node.lineno, "catches everything")
        elif _is_suppress(node, full):
            yield Finding(path, node.lineno, "suppresses everything")


def _is_suppress(node: ast.AST, full: dict[int, str]) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or full.get(id(node.func)) != "contextlib.suppress":
        return False
    return any(full.get(id(kind)) in EVERYTHING for kind in node.args)


def calls_itself(path: str, source: str) -> Iterator[Finding]:
    """A function of the core that calls itself: sessions nest deeper than Python's stack.

    A comment `# recursive because: …` inside it says what bounds the depth.
    """
    if room(path) not in CORE:
        return
    methods = {id(item) for node in ast.walk(parse(source)) if isinstance(node, ast.ClassDef) for item in node.body}
    reasons = [t.start[0] for t in tokens(source) if t.type == tokenize.COMMENT and RECURSIVE.match(t.string)]
    for function in functions(source):
        explained = any(function.lineno <= line <= (function.end_lineno or 0) for line in reasons)
        owners = ("self.", "cls.") if id(function) in methods else ("",)
        own = {owner + function.name for owner in owners}
        if not explained and any(_is_call_of(node, own) for node in ast.walk(function)):
            yield Finding(path, function.lineno, f"{function.name} calls itself")


def _is_call_of(node: ast.AST, own: set[str]) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in own
