"""Reading Python source the way the house rules need it: names resolved through imports, and when an import happens."""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One place where a rule is broken."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Imported:
    """One import: `name` in full (`os.path`, `pitree.ui.app.App`) and what the module then calls what.

    `lazy` is an import that is not run with the module.
    """

    line: int
    name: str
    alias: str
    bound: str
    lazy: bool

    @property
    def top(self) -> str:
        return self.name.partition(".")[0]


@functools.cache
def parse(source: str) -> ast.Module:
    """The syntax tree; cached because every rule asks for it."""
    return ast.parse(source)


def room(path: str) -> str:
    """`pitree/ui/widgets/outline.py` is in room `ui`; `pitree/__main__.py` is in none."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def imports(path: str, source: str) -> Iterator[Imported]:
    """Every import, relative ones made absolute."""
    yield from _imports_of(parse(source), path, lazy=False)


def _imports_of(node: ast.AST, path: str, *, lazy: bool) -> Iterator[Imported]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                top = alias.name.partition(".")[0]
                yield Imported(child.lineno, alias.name, alias.asname or top, alias.name if alias.asname else top, lazy)
        elif isinstance(child, ast.ImportFrom):
            base = _base(child, path)
            for alias in child.names:
                name = f"{base}.{alias.name}"
                yield Imported(child.lineno, name, alias.asname or alias.name, name, lazy)
        else:
            later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _is_typing_only(child)
            yield from _imports_of(child, path, lazy=lazy or later)


def _base(node: ast.ImportFrom, path: str) -> str:
    if not node.level:
        return node.module or ""
    package = path.removesuffix(".py").split("/")[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def _is_typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def names(path: str, source: str) -> Iterator[tuple[ast.expr, str]]:
    """Every used name with its full spelling: after `from time import time as t`, `t` is `time.time`.

    What hangs on something else than a name starts with `?`: `Path(x).unlink` is `?.unlink`.
    """
    known = {found.alias: found.bound for found in imports(path, source)}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Attribute | ast.Name):
            yield node, spelled(node, known)


def spelled(node: ast.expr, known: dict[str, str]) -> str:
    """The dotted name of an expression, its first part looked up in `known`."""
    tail: list[str] = []
    while isinstance(node, ast.Attribute):
        tail.append(node.attr)
        node = node.value
    head = known.get(node.id, node.id) if isinstance(node, ast.Name) else "?"
    return ".".join([head, *reversed(tail)])


def calls(path: str, source: str) -> Iterator[tuple[ast.Call, str]]:
    """Every call with the full name of what is called."""
    full = {id(node): name for node, name in names(path, source)}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Call):
            yield node, full.get(id(node.func), "?")


def argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """The argument at a position or under its keyword; None when it is not given."""
    by_name = next((given.value for given in call.keywords if given.arg == keyword), None)
    return call.args[position] if len(call.args) > position else by_name


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Every text and bytes constant that is no docstring."""
    tree = parse(source)
    documents = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            if isinstance(node.value, str):
                yield node.lineno, node.value
            elif isinstance(node.value, bytes):
                yield node.lineno, node.value.decode("latin-1")


def tokens(source: str) -> list[tokenize.TokenInfo]:
    """The tokens, comments included."""
    return list(tokenize.generate_tokens(io.StringIO(source).readline))
