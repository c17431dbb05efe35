"""The blocks of the Request pane: what would be sent for a summary, to the letter, and what is to be known of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pitree.context.transcript import RESULT_UNITS
from pitree.session.javascript import utf16_length
from pitree.summarize.requests import SummaryRequest
from pitree.ui.figures import exact
from pitree.ui.left_out import NOTHING_LEFT_OUT, LeftOut
from pitree.ui.marked_text import MarkedBlock
from pitree.ui.wrapping import Block

APART: Final = "goes without cache and under a routing id of its own, so that it disturbs nothing of the session's"
"""How such a request travels."""
_NAMES = {"history": "history", "prefix": "turn prefix", "branch": "left branch"}
_LABEL = "[Tool result]: "
_MARK = re.compile(r"^\[\.\.\. \d+ more characters truncated\]$", re.MULTILINE)
_FRAME = re.compile(r"^(?:</?conversation>|</?previous-summary>|# Conversation|# Instructions)$", re.MULTILINE)
_TURN = re.compile(r"^\[(User|Assistant|Assistant thinking|Assistant tool calls|Tool result)\]: ", re.MULTILINE)
_MARGIN = 10
_HEAD = "bold $pitree-user"
_QUIET = "$pitree-quiet"
_FRAME_STYLE = "italic $pitree-guide"
_TASK = "$pitree-summary"
_STYLES = {
    "User": "$pitree-user",
    "Assistant": "$pitree-assistant",
    "Assistant thinking": "italic $pitree-quiet",
    "Assistant tool calls": "$pitree-tool",
    "Tool result": "$pitree-tool",
}


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """A request with what is said about it.

    Attributes:
        request: The request.
        left_out: What it leaves out of the messages it is about.
        tiktoken: Tokens by tiktoken of system text and prompt; None while they are being counted.
        counted: Tokens by the provider's `count_tokens`; None where it was not asked.
    """

    request: SummaryRequest
    left_out: LeftOut = NOTHING_LEFT_OUT
    tiktoken: int | None = None
    counted: int | None = None


def request_blocks(shown: Sequence[ShownRequest], why_none: str = "") -> list[Block]:
    """The blocks of all requests.

    Args:
        shown: The requests in the order in which they would go out.
        why_none: What stands there where nothing is sent.

    Returns:
        Blocks for a `MarkedView`; the texts of those of a prompt, joined by line breaks, are the prompt. Request n
        begins at the block with the key `request-n`, its prompt at `prompt-n`.
    """
    if not shown:
        return [Block("No request", _HEAD), Block(why_none or "Nothing would be sent.", _QUIET)]
    blocks: list[Block] = []
    for number, one in enumerate(shown, 1):
        blocks += [Block("")] * (number > 1)
        blocks += _head(one, number, len(shown))
        blocks += [Block(""), Block("system text", "bold $pitree-quiet")]
        blocks += [Block(one.request.system, gutter="│ ", key=f"system-{number}")]
        title = f"prompt, just as it is sent · {len(one.request.prompt):,} characters"
        blocks += [Block(""), Block(title, "bold $pitree-quiet", key=f"prompt-{number}")]
        blocks += prompt_blocks(one.request)
    return blocks


def _head(shown: ShownRequest, number: int, count: int) -> Iterator[Block]:
    request = shown.request
    yield Block(f"Request {number} of {count} · {_NAMES[request.part]}", _HEAD, key=f"request-{number}")
    system, prompt = (-(-utf16_length(text) // 4) for text in (request.system, request.prompt))
    yield _fact("size", f"est {exact(system + prompt)} (system {exact(system)}, prompt {exact(prompt)})")
    counted = "counting…" if shown.tiktoken is None else f"{exact(shown.tiktoken)}, approximate"
    yield _fact("", f"tiktoken {counted}")
    yield _fact("", f"count_tokens {'not asked' if shown.counted is None else exact(shown.counted)}")
    limit = "the model's own limit" if request.max_tokens is None else f"at most {exact(request.max_tokens)} tokens"
    yield _fact("answer", limit)
    words = shown.left_out.words()
    if not words:
        yield _fact("left out", "nothing")
    for place, part in enumerate(words):
        yield _fact("" if place else "left out", part, "$pitree-cut")
    yield _fact("how", APART, _QUIET)


def _fact(name: str, value: str, style: str = "$pitree-assistant") -> Block:
    """A name, and beside it what is so, with a hanging indent."""
    return MarkedBlock(value, style, " " * _MARGIN, lead=name.ljust(_MARGIN), lead_style=_QUIET)


def prompt_blocks(request: SummaryRequest) -> list[Block]:
    """A prompt as blocks: frame tags quiet, each message in its color, marks of what was cut off in sight.

    Only what stands between the frame's own tags is taken for messages, and only a mark after exactly as many units
    as a result may have is taken for a cut, since a message may hold anything.
    """
    prompt, text = request.prompt, request.conversation
    place = prompt.find(f"\n{text}\n") if text else -1
    if place < 0:
        return [Block(prompt, _TASK)]
    before, after = prompt[:place], prompt[place + len(text) + 2 :]
    return [*_framed(before), *_turns(text), *_framed(after)]


def _framed(text: str) -> Iterator[Block]:
    """The frame and our instructions; the empty text is a line of its own only inside the prompt."""
    at = 0
    style = _TASK
    for tag in _FRAME.finditer(text):
        if tag.start() > at:
            yield Block(text[at : tag.start()].removesuffix("\n"), style)
        yield Block(tag.group(), _FRAME_STYLE)
        style = "$pitree-assistant" if tag.group() == "<previous-summary>" else _TASK
        at = tag.end() + 1
    if at <= len(text):
        yield Block(text[at:], style)


def _turns(text: str) -> Iterator[Block]:
    starts = (found.start() for found in _TURN.finditer(text))
    cuts = [0, *(place for place in starts if text[max(0, place - 2) : place] == "\n\n"), len(text) + 1]
    for start, end in pairwise(cuts):
        part = text[start : end - 1]
        label = _TURN.match(part)
        yield from _with_cut(part, _STYLES[label.group(1)] if label else "$pitree-assistant")


def _with_cut(part: str, style: str) -> Iterator[Block]:
    """A message; the mark at the end of a result that was cut stands out."""
    marks = list(_MARK.finditer(part)) if part.startswith(_LABEL) else []
    mark = next((found for found in marks if _is_cut(part, found.start())), None)
    if mark is None:
        yield Block(part, style)
        return
    yield Block(part[: mark.start() - 1], style)
    yield Block(mark.group(), "bold $pitree-cut", "✂ ", "$pitree-cut")
    if mark.end() < len(part):
        yield Block(part[mark.end() + 1 :], style)


def _is_cut(part: str, place: int) -> bool:
    return RESULT_UNITS - 1 <= utf16_length(part[len(_LABEL) : place - 2]) <= RESULT_UNITS
