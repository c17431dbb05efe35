"""The tree of a session: parents, children, paths, common ancestor; nothing recurses.

Most entries hang below the one before them, so the tree is kept as the breaks in that line: a path or a child list
costs as many steps as there are branches, whatever the number of entries.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

MAX_NODES = 1_000_000
ROOT = -1
"""The parent of an entry that has none."""


class Chains:
    """Parents as breaks: the parent of an entry is the one before it unless the entry is a break."""

    def __init__(self, count: int, breaks: Mapping[int, int]) -> None:
        self.count = count
        self.parents = breaks
        self.starts = sorted(breaks)

    def parent(self, index: int) -> int:
        """The index of the parent, or ROOT."""
        return self.parents.get(index, index - 1)

    def path(self, index: int) -> list[int]:
        """The indices from the root to an entry; around a circle of parents, once."""
        return [i for part in reversed(self.path_parts(index)) for i in part]

    def circles(self) -> set[int]:
        """The breaks that lie on a circle of parents; each is walked over once, however many lead into it."""
        on_circle: set[int] = set()
        walked: set[int] = set()
        for start in self.starts:
            trail: dict[int, None] = {}
            at = start
            while at != ROOT and at not in walked:
                walked.add(at)
                trail[at] = None
                at = self._start_of(self.parents[at])
            if at in trail:
                on_trail = list(trail)
                on_circle.update(on_trail[on_trail.index(at) :])
        return on_circle

    def _start_of(self, index: int) -> int:
        return ROOT if index == ROOT else self.starts[bisect_right(self.starts, index) - 1]

    def path_parts(self, index: int) -> list[range]:
        """The path of an entry as ascending runs, the last run first."""
        parts: list[range] = []
        seen: set[int] = set()
        while index >= 0:
            start = self.starts[bisect_right(self.starts, index) - 1]
            if start in seen:
                break
            seen.add(start)
            parts.append(range(start, index + 1))
            index = self.parents[start]
        return parts


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The tree that pi's `getTree` builds.

    Attributes:
        chains: Parents; an entry whose parent is missing, or itself, is a root.
        roots: Root indices in file order.
        forks: The children of entries with more than one, oldest first by timestamp.
        jumps: The only child of an entry where that is not the next one; ROOT where the entry has none or several.
        stops: Ascending, all keys of `forks` and `jumps`: the entries whose child is not just the next one.
    """

    chains: Chains
    roots: Sequence[int]
    forks: Mapping[int, Sequence[int]]
    jumps: Mapping[int, int]
    stops: Sequence[int]

    def children(self, index: int) -> Sequence[int]:
        """The children of an entry, oldest first by timestamp."""
        if index in self.forks:
            return self.forks[index]
        child = self.jumps.get(index, index + 1)
        return () if child == ROOT else (child,)

    def parent(self, index: int) -> int:
        """The index of the parent, or ROOT."""
        return self.chains.parent(index)

    def run_end(self, index: int) -> int:
        """The last entry of the run of only children that begins at an entry and goes down the file."""
        return self.stops[bisect_right(self.stops, index - 1)]

    def common_ancestor(self, one: int, other: int) -> int:
        """The deepest entry that is on both paths, or ROOT."""
        on_path = self.chains.path_parts(one)
        for part in self.chains.path_parts(other):
            best = max((min(part[-1], mine[-1]) for mine in on_path if _overlap(part, mine)), default=ROOT)
            if best != ROOT:
                return best
        return ROOT

    def walk(self) -> Iterator[tuple[int, int, int]]:
        """Every node in pre-order: index, depth, number of children.

        Ids that come again make a node stand in several places. Below itself it is not walked again, and where such
        places multiply the walk ends after a million nodes or four times the entries.
        """
        nodes = (node for root in self.roots for node in self._walk_from(root))
        return islice(nodes, max(MAX_NODES, 4 * self.chains.count))

    def _walk_from(self, root: int) -> Iterator[tuple[int, int, int]]:
        above: set[int] = set()
        stack: list[tuple[int, int]] = [(root, 0)]
        while stack:
            index, depth = stack.pop()
            if index < 0:
                above.discard(~index)
                continue
            children = () if index in above else self.children(index)
            yield index, depth, len(children)
            if not children:
                continue
            above.add(index)
            stack.append((~index, depth))
            stack.extend((child, depth + 1) for child in reversed(children))


def _overlap(one: range, other: range) -> bool:
    return one[0] <= other[-1] and other[0] <= one[-1]


def build_tree(chains: Chains, last_of: Mapping[int, int], by_age: Callable[[list[int]], Sequence[int]]) -> Tree:
    """The tree of a session.

    Args:
        chains: The parents, resolved to the last entry with the id.
        last_of: For an entry whose id comes again, the last entry with that id: the node stands there twice.
        by_age: Sorts siblings in file order by their timestamps, as JavaScript sorts.
    """
    roots: list[int] = []
    extra: dict[int, list[int]] = {}
    for index in chains.starts:
        parent = chains.parents[index]
        (roots if parent == ROOT else extra.setdefault(parent, [])).append(last_of.get(index, index))
    heads = chains.parents.keys()
    jumps: dict[int, int] = {}
    forks: dict[int, Sequence[int]] = {}
    for index in {*(start - 1 for start in chains.starts if start), chains.count - 1, *extra} - {ROOT}:
        below = extra.get(index, [])
        if index + 1 < chains.count and index + 1 not in heads:
            below = _in_file_order(below, index + 1)
        if len(below) > 1:
            forks[index] = by_age(below)
        else:
            jumps[index] = below[0] if below else ROOT
    return Tree(chains, roots, forks, jumps, sorted({*forks, *jumps}))


def _in_file_order(children: Sequence[int], more: int) -> list[int]:
    out = list(children)
    insort(out, more)
    return out
