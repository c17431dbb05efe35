"""Everything an entry holds, as blocks of a long text: what was said, calls, diffs, images, usage, the raw line."""

from __future__ import annotations

from collections.abc import Iterator

from pitree.session.describe import call_of_result, describe_call
from pitree.session.entries import Entry, Kind
from pitree.session.javascript import JSON, get, nullish, stringify, to_string, truthy
from pitree.session.session import Session
from pitree.ui.figures import exact
from pitree.ui.outline_rows import described, figure
from pitree.ui.text import one_line
from pitree.ui.view import View
from pitree.ui.wrapping import Block

RAW_LIMIT = 256 * 1024
"""How much of the raw line is shown, in bytes; all of it is in the file."""
_HEAD = "bold $pitree-user"
_QUIET = "$pitree-quiet"
_TOOL = "bold $pitree-tool"
_DIFF = {"+": "$pitree-leaf", "-": "$pitree-dropped"}


def entry_blocks(view: View, index: int) -> list[Block]:
    """The blocks of an entry."""
    session = view.session
    entry = session.entry(index)
    blocks = [*_head(view, entry), Block(""), *_body(session, entry)]
    usage = get(entry.message, "usage") if entry.kind is Kind.ASSISTANT else entry.get("usage")
    if isinstance(usage, dict):
        blocks += [Block(""), Block(_usage(usage), _QUIET)]
    return [*blocks, Block(""), *_raw(session, index)]


def _head(view: View, entry: Entry) -> Iterator[Block]:
    session, index = view.session, entry.index
    word = one_line(described(session, index).word, 30)
    tokens = figure(session, index, view.rules)
    parts = [word, _shown(entry.id), f"line {session.line(index)}", _shown(entry.timestamp)]
    yield Block(" · ".join(part for part in parts if part), _HEAD)
    label = session.label(index)
    if label is not None:
        yield Block(f"⚑ {to_string(label.text)}", "$pitree-label")
    yield Block(f"est {tokens} tokens" if tokens else "not seen by the model", _QUIET)
    model = get(entry.message, "model")
    if isinstance(model, str):
        yield Block(
            f"{_shown(get(entry.message, 'provider'))}/{model} · {_shown(get(entry.message, 'stopReason'))}", _QUIET
        )
    error = get(entry.message, "errorMessage")
    if truthy(error):
        yield Block(to_string(error), "$pitree-problem", "‼ ", "$pitree-problem")


def _body(session: Session, entry: Entry) -> Iterator[Block]:
    if entry.kind is Kind.TOOL_RESULT:
        yield from _tool_result(session, entry)
    elif entry.kind is Kind.BASH:
        yield from _bash(entry.message)
    elif entry.kind is Kind.SYSTEM:
        yield from _system(entry.message)
    elif entry.kind in (Kind.COMPACTION, Kind.BRANCH_SUMMARY):
        yield from _summary(entry)
    elif entry.kind is Kind.CUSTOM_MESSAGE:
        yield from _content(entry.get("content"))
    elif isinstance(entry.message, dict):
        yield from _content(get(entry.message, "content"))
    else:
        yield from _fields(entry)


def _content(content: JSON) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block(content)
        return
    for number, block in enumerate(content if isinstance(content, list) else ()):
        if number:
            yield Block("")
        yield from _content_block(block)


def _content_block(block: JSON) -> Iterator[Block]:
    kind = get(block, "type")
    if kind == "text":
        yield Block(_shown(get(block, "text")))
    elif kind == "thinking":
        yield Block("thinking", _QUIET)
        yield Block(_shown(get(block, "thinking")), "italic $pitree-quiet", "┊ ")
    elif kind == "toolCall":
        yield from _call(get(block, "name"), get(block, "arguments"))
    elif kind == "image":
        yield Block(_image(block), "$pitree-changed")
    else:
        yield Block(stringify(block) if not nullish(block) else "null", _QUIET)


def _call(name: JSON, arguments: JSON) -> Iterator[Block]:
    yield Block(describe_call(name, arguments), _TOOL, "▸ ", "$pitree-tool")
    if name == "edit":
        yield from _edits(arguments)
    elif isinstance(arguments, dict):
        for key, value in arguments.items():
            text = value if isinstance(value, str) else stringify(value)
            yield Block(f"{key}: {text}", _QUIET, "│ ")


def _edits(arguments: JSON) -> Iterator[Block]:
    """The texts that an edit takes out and puts in."""
    edits = get(arguments, "edits")
    for edit in edits if isinstance(edits, list) else [arguments]:
        for key, sign in (("oldText", "-"), ("newText", "+")):
            text = get(edit, key)
            if isinstance(text, str) and text:
                yield Block(text, _DIFF[sign], f"{sign} ", _DIFF[sign])
        yield Block("")


def _image(block: JSON) -> str:
    data = get(block, "data")
    size = f"{len(data) * 3 // 4 / 1024:,.1f} KB" if isinstance(data, str) else "no data"
    return f"image · {_shown(get(block, 'mimeType'))} · {size} · counts est 1,200 tokens"


def _tool_result(session: Session, entry: Entry) -> Iterator[Block]:
    message = entry.message
    call = call_of_result(session, entry.index)
    title = (
        _shown(get(message, "toolName")) if call is None else describe_call(get(call, "name"), get(call, "arguments"))
    )
    failed = truthy(get(message, "isError"))
    yield Block(f"{title} · failed" if failed else title, "bold $pitree-problem" if failed else _TOOL, "◂ ")
    diff = get(get(message, "details"), "diff")
    if isinstance(diff, str):
        yield from _diff(diff)
        yield Block("")
    yield from _content(get(message, "content"))


def _diff(diff: str) -> Iterator[Block]:
    for line in diff.split("\n"):
        yield Block(line, _DIFF.get(line[:1], _QUIET))


def _bash(message: JSON) -> Iterator[Block]:
    yield Block(f"$ {_shown(get(message, 'command'))}", _TOOL)
    yield Block(_shown(get(message, "output")))
    code = get(message, "exitCode")
    yield Block("cancelled" if truthy(get(message, "cancelled")) else f"exit code {_shown(code) or 'unknown'}", _QUIET)
    if truthy(get(message, "excludeFromContext")):
        yield Block("not sent to the model", _QUIET)


def _system(message: JSON) -> Iterator[Block]:
    yield from _content(get(message, "content"))
    sections = get(message, "sections")
    for name, text in sections.items() if isinstance(sections, dict) else ():
        yield Block("")
        yield Block(f"section {name}", _TOOL)
        yield Block("taken away" if text is None else _shown(text), gutter="│ ")
    for key, word in (("toolsAdded", "tools added"), ("toolsRemoved", "tools removed")):
        tools = get(message, key)
        if isinstance(tools, list) and tools:
            yield Block("")
            yield Block(f"{word}: {', '.join(_shown(get(tool, 'name')) for tool in tools)}", _TOOL)


def _summary(entry: Entry) -> Iterator[Block]:
    before = entry.get("tokensBefore")
    if entry.kind is Kind.COMPACTION:
        size = f"from {exact(before)} tokens · " if isinstance(before, int | float) else ""
        yield Block(f"{size}firstKeptEntryId {_shown(entry.get('firstKeptEntryId'))}", _QUIET)
    else:
        yield Block(f"fromId {_shown(entry.get('fromId'))}", _QUIET)
    if truthy(entry.get("fromHook")):
        yield Block("written by an extension", _QUIET)
    yield Block("")
    yield Block(_shown(entry.get("summary")))


def _fields(entry: Entry) -> Iterator[Block]:
    hidden = {"type", "id", "parentId", "timestamp"}
    for key, value in entry.value.items() if isinstance(entry.value, dict) else ():
        if key not in hidden:
            yield Block(f"{key}: {value if isinstance(value, str) else stringify(value)}")


def _usage(usage: JSON) -> str:
    names = (("input", "input"), ("output", "output"), ("cacheRead", "cache read"), ("cacheWrite", "cache write"))
    parts = [f"{word} {exact(get(usage, key))}" for key, word in names if _is_figure(get(usage, key))]
    cost = get(get(usage, "cost"), "total")
    total = get(usage, "totalTokens")
    if _is_figure(total):
        parts.append(f"total {exact(total)}")
    if _is_figure(cost):
        parts.append(f"${cost:,.4f}")
    return "used " + " · ".join(parts)


def _is_figure(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _raw(session: Session, index: int) -> Iterator[Block]:
    raw = session.raw(index)
    more = f", the first {RAW_LIMIT // 1024} KB" if len(raw) > RAW_LIMIT else ""
    yield Block(f"raw line, {len(raw):,} bytes{more}", "bold $pitree-quiet", key="raw")
    yield Block(raw[:RAW_LIMIT].decode("utf-8", "replace"), _QUIET)


def _shown(value: JSON) -> str:
    return "" if nullish(value) else to_string(value)
