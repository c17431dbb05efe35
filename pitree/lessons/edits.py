"""What pi's `edit` tool reports about a change: a numbered diff for people, and a patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from pitree.lessons.blocks import Value

_CONTEXT = 4
_Opcode = tuple[str, int, int, int, int]


def edit_details(path: str, before: str, after: str) -> dict[str, Value]:
    """Return the `details` of a successful edit: `diff`, `patch` and `firstChangedLine`, with 4 lines of context."""
    old, new = before.splitlines(), after.splitlines()
    groups = list(_groups(old, new))
    width = len(str(max(before.count("\n"), after.count("\n")) + 1))
    first = next(op[3] + 1 for op in groups[0] if op[0] != "equal")
    return {
        "diff": "\n".join(_numbered(old, new, groups, width)),
        "patch": f"--- {path}\n+++ {path}\n" + "".join(_patch(old, new, groups)),
        "firstChangedLine": first,
    }


def _groups(old: Sequence[str], new: Sequence[str]) -> Iterator[list[_Opcode]]:
    """Yield the changes with their context. Only what differs is compared: equal ends are taken off first."""
    low = 0
    while low < min(len(old), len(new)) and old[low] == new[low]:
        low += 1
    high = 0
    while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    low, high = max(0, low - _CONTEXT - 1), max(0, high - _CONTEXT - 1)
    matcher = SequenceMatcher(None, old[low : len(old) - high], new[low : len(new) - high], autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        yield [(tag, a + low, b + low, c + low, d + low) for tag, a, b, c, d in group]


def _numbered(old: Sequence[str], new: Sequence[str], groups: Sequence[Sequence[_Opcode]], width: int) -> Iterator[str]:
    skipped = f" {'':>{width}} ..."
    shown = 0
    for group in groups:
        if group[0][1] > shown:
            yield skipped
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (f" {number + 1:>{width}} {old[number]}" for number in range(a, b))
            else:
                yield from (f"-{number + 1:>{width}} {old[number]}" for number in range(a, b))
                yield from (f"+{number + 1:>{width}} {new[number]}" for number in range(c, d))
        shown = group[-1][2]
    if shown < len(old):
        yield skipped


def _patch(old: Sequence[str], new: Sequence[str], groups: Sequence[Sequence[_Opcode]]) -> Iterator[str]:
    for group in groups:
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        yield f"@@ -{a + 1},{b - a} +{c + 1},{d - c} @@\n"
        for tag, low, high, start, end in group:
            if tag == "equal":
                yield from (f" {line}\n" for line in old[low:high])
            else:
                yield from (f"-{line}\n" for line in old[low:high])
                yield from (f"+{line}\n" for line in new[start:end])
