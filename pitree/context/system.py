"""The system message as it stands after every change (pi 1.6.0's replay of a transcript)."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.context.messages import Message
from pitree.context.tokens import text_of
from pitree.session.javascript import JSON, UNDEFINED, entries_of, get, map_key, nullish
from pitree.session.problems import PiFails


def replay_system(messages: Sequence[Message]) -> Message | None:
    """The one system message that says what all of them say together, or None where there is none.

    Contents are joined by a blank line, sections patched by name (null takes one away), tools removed and then added by
    name. Its timestamp is the first one's, in milliseconds.

    Raises:
        PiFails: when pi itself throws on one of them.
    """
    systems = [message for message in messages if message.role == "system"]
    try:
        return _replay(systems)
    except TypeError as error:
        raise PiFails(f"A system message that pi cannot replay: {error}.", systems[0].entry) from None


def _replay(systems: Sequence[Message]) -> Message | None:
    contents: list[str] = []
    sections: dict[str, JSON] = {}
    timestamp: JSON = UNDEFINED
    for message in systems:
        if nullish(timestamp):
            timestamp = message.get("timestamp")
        text = text_of(message.get("content"), "\n")
        if text:
            contents.append(text)
        _patch_sections(sections, message.get("sections"))
    tools = _replay_tools(systems)
    if timestamp is UNDEFINED and not tools:
        return None
    value: dict[str, JSON] = {"role": "system", "content": "\n\n".join(contents)}
    if sections:
        value["sections"] = sections
    if tools:
        value["toolsAdded"] = tools
    value["timestamp"] = 0 if nullish(timestamp) else timestamp
    return Message(value, None)


def _patch_sections(sections: dict[str, JSON], patch: JSON) -> None:
    for name, text in entries_of({} if nullish(patch) else patch):
        if text is None:
            sections.pop(name, None)
        else:
            sections[name] = text


def _replay_tools(systems: Sequence[Message]) -> list[JSON]:
    tools: dict[object, JSON] = {}
    for message in systems:
        for tool in _list(message.get("toolsRemoved")):
            tools.pop(_name(tool), None)
        for tool in _list(message.get("toolsAdded")):
            tools[_name(tool)] = tool
    return list(tools.values())


def _list(value: JSON) -> list[JSON]:
    if nullish(value):
        return []
    if isinstance(value, list | str):
        return list(value)
    raise TypeError("its tools are no list")


def _name(tool: JSON) -> object:
    if nullish(tool):
        raise TypeError("a tool is null")
    return map_key(get(tool, "name"))
