"""From pi's own messages to what a model is sent (pi's `convertToLlm`): summaries and shell runs become user texts.

The wrappers and the layout of a shell run are pi's format and reproduced as they are.
"""

from __future__ import annotations

from pitree.context.messages import BRANCH_SUMMARY, COMPACTION_SUMMARY, Message
from pitree.session.javascript import JSON, nullish, same, to_string, truthy

_WRAPPERS = {
    COMPACTION_SUMMARY: (
        "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
        "\n</summary>",
    ),
    BRANCH_SUMMARY: (
        "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
        "</summary>",
    ),
}
_AS_THEY_ARE = frozenset({"user", "assistant", "toolResult"})


def to_model(message: Message) -> Message | None:
    """The message as a model is sent it, or None where pi leaves it out."""
    role = message.role
    if not isinstance(role, str):
        return None
    if role in _AS_THEY_ARE:
        return message
    if role in _WRAPPERS:
        before, after = _WRAPPERS[role]
        return _user(message, [_text(before + _shown(message.get("summary")) + after)])
    if role == "custom":
        content = message.get("content")
        return _user(message, [_text(content)] if isinstance(content, str) else content)
    if role == "bashExecution" and not truthy(message.get("excludeFromContext")):
        return _user(message, [_text(shell_text(message))])
    return None


def shell_text(message: Message) -> str:
    """A shell run as the model reads it."""
    output = message.get("output")
    text = f"Ran `{_shown(message.get('command'))}`\n"
    text += f"```\n{_shown(output)}\n```" if truthy(output) else "(no output)"
    code = message.get("exitCode")
    if truthy(message.get("cancelled")):
        text += "\n\n(command cancelled)"
    elif not nullish(code) and not same(code, 0):
        text += f"\n\nCommand exited with code {_shown(code)}"
    path = message.get("fullOutputPath")
    if truthy(message.get("truncated")) and truthy(path):
        text += f"\n\n[Output truncated. Full output: {_shown(path)}]"
    return text


def _user(message: Message, content: JSON) -> Message:
    return Message({"role": "user", "content": content}, message.entry)


def _text(text: str) -> JSON:
    return {"type": "text", "text": text}


_shown = to_string
