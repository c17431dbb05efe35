"""One line about an entry: what kind it is in a word, and what it says; text as it stands in the file.

The text is not safe for a terminal; whoever shows it makes it so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pitree.session.entries import Entry, Kind
from pitree.session.javascript import JSON, get, nullish, stringify, to_number, to_string, truthy
from pitree.session.session import Session
from pitree.session.tree import ROOT

HEAD = 400
"""How many characters of a text are looked at."""
_SEARCHED_PARENTS = 500


@dataclass(frozen=True, slots=True)
class Line:
    """What a row says of an entry.

    Attributes:
        word: The kind, in pi's words where it has one.
        text: The beginning of what it says, on one or more lines.
        is_error: It failed, was stopped or reports a failure.
    """

    word: str
    text: str
    is_error: bool = False


def describe(session: Session, index: int) -> Line:
    """The line about an entry."""
    entry = session.entry(index)
    if entry.kind is Kind.TOOL_RESULT:
        return _tool_result(session, entry)
    return _WRITERS[entry.kind](entry)


def head_text(content: JSON) -> str:
    """The beginning of the text blocks of a content."""
    if isinstance(content, str):
        return content[:HEAD]
    texts = [get(block, "text") for block in content if get(block, "type") == "text"] if _is_list(content) else []
    return "".join(text[:HEAD] for text in texts if isinstance(text, str))[:HEAD]


def tool_calls(message: JSON) -> list[JSON]:
    """The tool call blocks of an assistant message."""
    content = get(message, "content")
    return [block for block in content if get(block, "type") == "toolCall"] if _is_list(content) else []


def call_of_result(session: Session, index: int) -> JSON:
    """The tool call that a tool result answers, looked for among the entries above it; None where there is none."""
    call_id = get(session.entry(index).message, "toolCallId")
    if nullish(call_id):
        return None
    for _ in range(_SEARCHED_PARENTS):
        index = session.tree.parent(index)
        if index == ROOT:
            return None
        if session.kind(index) is Kind.ASSISTANT:
            calls = tool_calls(session.entry(index).message)
            found = next((call for call in calls if get(call, "id") == call_id), None)
            if found is not None:
                return found
    return None


def describe_call(name: JSON, arguments: JSON) -> str:
    """A tool call in a few words: what it did to which file or with which command."""
    shown = to_string(name)
    path = get(arguments, "path")
    path = get(arguments, "file_path") if not truthy(path) else path
    if shown == "bash" and truthy(get(arguments, "command")):
        return f"bash {to_string(get(arguments, 'command'))[:HEAD]}"
    if shown in ("grep", "find") and truthy(get(arguments, "pattern")):
        where = f" in {to_string(path)}" if truthy(path) else ""
        return f"{shown} {to_string(get(arguments, 'pattern'))}{where}"
    if truthy(path):
        return f"{shown} {to_string(path)}{_line_range(arguments)}"
    return f"{shown} {stringify(arguments)[:HEAD]}" if truthy(arguments) else shown


def _line_range(arguments: JSON) -> str:
    offset, limit = get(arguments, "offset"), get(arguments, "limit")
    if not isinstance(offset, int) and not isinstance(limit, int):
        return ""
    first = offset if isinstance(offset, int) else 1
    return f":{first}-{first + limit - 1}" if isinstance(limit, int) else f":{first}"


def _is_list(content: JSON) -> bool:
    return isinstance(content, list)


def _images(content: JSON) -> str:
    count = sum(get(block, "type") == "image" for block in content) if _is_list(content) else 0
    return "" if not count else "[image] " if count == 1 else f"[{count} images] "


def _user(entry: Entry) -> Line:
    content = get(entry.message, "content")
    return Line("user", _images(content) + head_text(content))


def _assistant(entry: Entry) -> Line:
    message = entry.message
    stop = get(message, "stopReason")
    failed = stop in ("error", "aborted")
    text = head_text(get(message, "content"))
    if not text.strip() and truthy(get(message, "errorMessage")):
        text = to_string(get(message, "errorMessage"))[:HEAD]
    if not text.strip():
        calls = tool_calls(message)
        text = " · ".join(describe_call(get(call, "name"), get(call, "arguments")) for call in calls[:3])
        text += f" · {len(calls) - 3} more" if len(calls) > 3 else ""
    return Line("assistant", f"({stop}) {text}" if failed else text, failed)


def _tool_result(session: Session, entry: Entry) -> Line:
    message = entry.message
    call = call_of_result(session, entry.index)
    failed = truthy(get(message, "isError"))
    if call is not None:
        text = describe_call(get(call, "name"), get(call, "arguments"))
    else:
        name = get(message, "toolName")
        text = "tool" if nullish(name) else to_string(name)
    first = head_text(get(message, "content")).strip().partition("\n")[0] if failed else ""
    return Line("toolResult", f"{text} → {first}" if first else text, failed)


def _bash(entry: Entry) -> Line:
    code = get(entry.message, "exitCode")
    failed = isinstance(code, int) and code != 0
    hidden = " (not sent)" if truthy(get(entry.message, "excludeFromContext")) else ""
    return Line("bash", f"$ {_shown(get(entry.message, 'command'))}{hidden}", failed)


def _custom_role(entry: Entry) -> Line:
    message = entry.message
    return Line("custom", f"{_shown(get(message, 'customType'))}: {head_text(get(message, 'content'))}")


def _system(entry: Entry) -> Line:
    message = entry.message
    sections, tools = get(message, "sections"), get(message, "toolsAdded")
    parts = [head_text(get(message, "content"))]
    if isinstance(sections, dict):
        parts.append(f"sections {', '.join(sections)}")
    if isinstance(tools, list):
        parts.append(f"{len(tools)} tools")
    return Line("system", " · ".join(part for part in parts if part))


def _other_role(entry: Entry) -> Line:
    role = get(entry.message, "role")
    return Line(_shown(role) or "message", head_text(get(entry.message, "content")))


def _compaction(entry: Entry) -> Line:
    before = entry.get("tokensBefore")
    size = f"from {to_number(before):,.0f} tokens · " if isinstance(before, int) else ""
    return Line("compaction", f"{size}keeps from {_shown(entry.get('firstKeptEntryId'))} · {_heading(entry)}")


def _branch_summary(entry: Entry) -> Line:
    return Line("branch_summary", _heading(entry))


def _heading(entry: Entry) -> str:
    """The first line of a summary that is not a heading."""
    lines = _shown(entry.get("summary"))[: 4 * HEAD].split("\n")
    return next((line for line in lines if line.strip() and not line.startswith(("#", "The user explored"))), "")


def _custom_message(entry: Entry) -> Line:
    content = entry.get("content")
    return Line("custom_message", f"{_shown(entry.get('customType'))}: {_images(content)}{head_text(content)}")


def _label(entry: Entry) -> Line:
    label = entry.get("label")
    text = f"{to_string(label)} on" if truthy(label) else "cleared on"
    return Line("label", f"{text} {_shown(entry.get('targetId'))}")


def _session_info(entry: Entry) -> Line:
    name = entry.get("name")
    return Line("session_info", f"name: {to_string(name)}" if truthy(name) else "name cleared")


def _model_change(entry: Entry) -> Line:
    return Line("model_change", f"{_shown(entry.get('provider'))}/{_shown(entry.get('modelId'))}")


def _thinking_level(entry: Entry) -> Line:
    return Line("thinking_level", _shown(entry.get("thinkingLevel")))


def _custom(entry: Entry) -> Line:
    return Line("custom", _shown(entry.get("customType")))


def _usage(entry: Entry) -> Line:
    return Line("usage", f"{_shown(entry.get('kind'))} {_shown(entry.get('model'))}")


def _context_edit(entry: Entry) -> Line:
    what = "omits" if entry.get("replacement") is None else "replaces"
    return Line("context_edit", f"{what} {_shown(entry.get('targetId'))}")


def _unknown(entry: Entry) -> Line:
    kind = entry.type
    return Line(kind if isinstance(kind, str) else "no type", stringify(entry.value)[:HEAD])


def _shown(value: JSON) -> str:
    return "" if nullish(value) else to_string(value)[: 4 * HEAD]


_WRITERS: dict[Kind, Callable[[Entry], Line]] = {
    Kind.USER: _user,
    Kind.ASSISTANT: _assistant,
    Kind.BASH: _bash,
    Kind.CUSTOM_ROLE: _custom_role,
    Kind.SYSTEM: _system,
    Kind.OTHER_ROLE: _other_role,
    Kind.COMPACTION: _compaction,
    Kind.BRANCH_SUMMARY: _branch_summary,
    Kind.CUSTOM: _custom,
    Kind.CUSTOM_MESSAGE: _custom_message,
    Kind.LABEL: _label,
    Kind.SESSION_INFO: _session_info,
    Kind.MODEL_CHANGE: _model_change,
    Kind.THINKING_LEVEL_CHANGE: _thinking_level,
    Kind.USAGE: _usage,
    Kind.CONTEXT_EDIT: _context_edit,
    Kind.UNKNOWN: _unknown,
}
