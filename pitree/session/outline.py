"""The tree as flat rows in pi's order and indentation, with filters and folds (pi's tree selector).

The branch with the leaf comes first, a chain of only children stays flat, children of a fork are indented. The order is
kept as segments, chains between forks: a change of filter costs as many steps as there are branches, and the entries
themselves go through `bytes.translate` and `itertools.compress`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import compress

from pitree.session.entries import KIND_MASK, Flag, Kind
from pitree.session.session import Session
from pitree.session.tree import ROOT

NOWHERE = -1
"""The position of an entry that no root leads to."""


class Filter(StrEnum):
    """Which entries show; the leaf and what is asked for always do. The names are pi's."""

    DEFAULT = "default"
    NO_TOOLS = "no-tools"
    USER_ONLY = "user-only"
    LABELED_ONLY = "labeled-only"
    ALL = "all"


_SETTINGS = frozenset(
    {
        Kind.LABEL,
        Kind.CONTEXT_EDIT,
        Kind.CUSTOM,
        Kind.MODEL_CHANGE,
        Kind.THINKING_LEVEL_CHANGE,
        Kind.SESSION_INFO,
    }
)


def _passes(name: Filter, code: int) -> bool:
    kind = Kind(code & KIND_MASK) if code & KIND_MASK <= Kind.UNKNOWN else Kind.UNKNOWN
    silent = kind is Kind.ASSISTANT and not code & (Flag.TEXT | Flag.STOPPED)
    if kind is Kind.USAGE or silent or name is Filter.LABELED_ONLY:
        return False
    if name is Filter.USER_ONLY:
        return kind is Kind.USER
    if name is Filter.ALL:
        return True
    return kind not in _SETTINGS and not (name is Filter.NO_TOOLS and kind is Kind.TOOL_RESULT)


_TABLES = {name: bytes(_passes(name, code) for code in range(256)) for name in Filter}


@dataclass(slots=True)
class Segment:
    """A chain of only children; positions count in the order of the whole tree.

    Attributes:
        start: Position of its first entry.
        end: Position after its last entry.
        parent: Number of the segment it hangs below, or ROOT.
        subtree_end: Position after the last entry of all that hangs below it.
    """

    start: int
    end: int
    parent: int
    subtree_end: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The order of the whole tree for one leaf.

    Attributes:
        order: Entry indices in pre-order, the branch with the leaf first.
        codes: Their bytes of kind and flags, in that order.
        segments: In pre-order.
        where: From entry index to its position, NOWHERE for an entry in a circle of parents.
    """

    session: Session
    leaf: int | None
    order: array[int]
    codes: bytes
    segments: Sequence[Segment]
    where: array[int]

    def segment_at(self, position: int) -> Segment:
        """The segment that holds a position."""
        return self.segments[bisect_right(self.segments, position, key=lambda segment: segment.start) - 1]

    def subtree_end(self, position: int) -> int:
        """The position after the last entry below the one at a position."""
        return self.segment_at(position).subtree_end

    def is_foldable(self, position: int) -> bool:
        """Whether anything hangs below the entry at a position."""
        return self.subtree_end(position) > position + 1


def shape_of(session: Session, leaf: int | None) -> Shape:
    """The order of the tree with the branch of a leaf first."""
    return _ShapeBuilder(session, leaf).build()


class _ShapeBuilder:
    def __init__(self, session: Session, leaf: int | None) -> None:
        self.session = session
        self.leaf = leaf
        self.order = array("i")
        self.codes: list[bytes | bytearray] = []
        self.segments: list[Segment] = []
        self.where = array("i", [NOWHERE]) * session.count
        path = session.tree.chains.path_parts(leaf) if leaf is not None else []
        self.active = sorted((part[0], part[-1]) for part in path)

    def build(self) -> Shape:
        stack = [(root, ROOT) for root in reversed(self._active_first(self.session.tree.roots))]
        begun: set[int] = set()
        while stack:
            index, parent = stack.pop()
            number = len(self.segments)
            # An id that comes again makes a node stand in several places: below the second it is not unrolled again.
            children = self._add_segment(index, parent, whole=index not in begun)
            begun.add(index)
            stack.extend((child, number) for child in reversed(self._active_first(children)))
        self._close()
        codes = b"".join(self.codes)
        return Shape(self.session, self.leaf, self.order, codes, self.segments, self.where)

    def _active_first(self, children: Sequence[int]) -> Sequence[int]:
        if len(children) < 2:
            return children
        return sorted(children, key=lambda child: not self._is_active(child))

    def _is_active(self, index: int) -> bool:
        at = bisect_right(self.active, (index, self.session.count)) - 1
        return at >= 0 and self.active[at][0] <= index <= self.active[at][1]

    def _add_segment(self, index: int, parent: int, *, whole: bool) -> Sequence[int]:
        """Add the chain that begins at an entry; returns the children of its last one."""
        tree = self.session.tree
        start = len(self.order)
        children: Sequence[int] = ()
        seen: set[int] = set()
        while True:
            last = tree.run_end(index) if whole else index
            self._add_run(index, last)
            seen.add(index)
            children = tree.children(last) if whole else ()
            if len(children) != 1 or children[0] in seen:
                break
            index = children[0]
        self.segments.append(Segment(start, len(self.order), parent))
        return children if len(children) > 1 else ()

    def _add_run(self, first: int, last: int) -> None:
        position = len(self.order)
        self.order.extend(range(first, last + 1))
        self.where[first : last + 1] = array("i", range(position, position + last + 1 - first))
        self.codes.append(self.session.columns.codes[first : last + 1])

    def _close(self) -> None:
        for segment in reversed(self.segments):
            segment.subtree_end = max(segment.subtree_end, segment.end)
            if segment.parent != ROOT:
                above = self.segments[segment.parent]
                above.subtree_end = max(above.subtree_end, segment.subtree_end)


@dataclass(slots=True)
class Block:
    """The visible rows of one segment, and how they are drawn.

    Attributes:
        row: Number of its first row.
        indent: Of its first row, in levels.
        below: Indent of its other rows.
        connector: Its first row shows how it hangs below the one above.
        is_last: It is the last of its siblings.
        gutter: Level at which a line runs beside all that hangs below its first row, or None.
        above: The block it hangs below, or None.
    """

    row: int
    indent: int
    below: int
    connector: bool
    is_last: bool
    gutter: int | None
    above: Block | None
    children: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What shows of a tree.

    Attributes:
        positions: The visible positions of `shape.order`, ascending.
        blocks: In the order of the rows.
        hidden: For each folded position, how many rows it hides.
        shift: Levels by which rows are drawn further left: 1 with several roots.
    """

    shape: Shape
    positions: array[int]
    blocks: Sequence[Block]
    hidden: dict[int, int]
    shift: int

    def __len__(self) -> int:
        return len(self.positions)

    def entry(self, row: int) -> int:
        """The index of the entry in a row."""
        return self.shape.order[self.positions[row]]

    def row_of(self, index: int) -> int | None:
        """The row of an entry, None where it does not show."""
        position = self.shape.where[index]
        row = bisect_left(self.positions, position)
        return row if row < len(self.positions) and self.positions[row] == position else None

    def nearest_row(self, index: int | None) -> int | None:
        """The row of an entry, or of the nearest one above it in the tree that shows; else the last row."""
        parent = self.shape.session.tree.parent
        steps = self.shape.session.count
        while index is not None and index != ROOT and steps:
            row = self.row_of(index)
            if row is not None:
                return row
            index = parent(index)
            steps -= 1
        return len(self.positions) - 1 if self.positions else None

    def block_at(self, row: int) -> Block:
        """The block that holds a row."""
        return self.blocks[bisect_right(self.blocks, row, key=lambda block: block.row) - 1]

    def hidden_below(self, row: int) -> int:
        """How many rows a folded row hides; 0 where it is not folded."""
        return self.hidden.get(self.positions[row], 0)

    def is_foldable(self, row: int) -> bool:
        """Whether anything hangs below the entry of a row."""
        return self.shape.is_foldable(self.positions[row])

    def prefix(self, row: int) -> str:
        """The lines before the text of a row, three cells a level."""
        block = self.block_at(row)
        first = row == block.row
        levels = max(0, (block.indent if first else block.below) - self.shift)
        cells = [" "] * (3 * levels)
        holder = block.above if first else block
        while holder is not None:
            if holder.gutter is not None and holder.gutter < levels:
                cells[3 * holder.gutter] = " " if holder.is_last else "│"
            holder = holder.above
        if first and block.connector and levels:
            mark = "⊞" if self.hidden_below(row) else "─"
            cells[-3:] = ["└" if block.is_last else "├", mark, " "]
        return "".join(cells)


def visible_rows(shape: Shape, name: Filter, folds: Collection[int] = (), always: Collection[int] = ()) -> Rows:
    """The rows that show.

    Args:
        shape: The order of the whole tree.
        name: The filter.
        folds: Indices of entries whose descendants are hidden.
        always: Indices of entries that show under every filter, beside the leaf.
    """
    mask = bytearray(shape.codes.translate(_TABLES[name]))
    labeled = _labeled(shape.session) if name is Filter.LABELED_ONLY else ()
    leaf = () if shape.leaf is None else (shape.leaf,)
    for index in (*labeled, *always, *leaf):
        if shape.where[index] != NOWHERE:
            mask[shape.where[index]] = 1
    hidden = _fold(shape, mask, folds)
    positions = array("i", compress(range(len(mask)), mask))
    blocks, several = _arrange(shape, mask)
    return Rows(shape, positions, blocks, hidden, 1 if several else 0)


def _labeled(session: Session) -> list[int]:
    """Labeled entries, but for those that pi shows under no filter."""
    found = (session.indices.get(key) for key in session.labels)
    return [index for index in found if index is not None and _TABLES[Filter.ALL][session.columns.codes[index]]]


def _fold(shape: Shape, mask: bytearray, folds: Collection[int]) -> dict[int, int]:
    hidden: dict[int, int] = {}
    for position in sorted(shape.where[index] for index in folds if shape.where[index] != NOWHERE):
        end = shape.subtree_end(position)
        hidden[position] = mask.count(1, position + 1, end)
        if hidden[position]:
            mask[position + 1 : end] = bytes(end - position - 1)
    return hidden


def _arrange(shape: Shape, mask: bytearray) -> tuple[list[Block], bool]:
    """The blocks of the visible rows; whether there are several roots among them."""
    blocks: list[Block] = []
    counts: list[int] = []
    roots: list[Block] = []
    nearest: list[Block | None] = []
    row = 0
    for segment in shape.segments:
        above = None if segment.parent == ROOT else nearest[segment.parent]
        count = mask.count(1, segment.start, segment.end)
        if not count:
            nearest.append(above)
            continue
        block = Block(row, 0, 0, connector=False, is_last=False, gutter=None, above=above)
        (roots if above is None else above.children).append(block)
        blocks.append(block)
        counts.append(count)
        nearest.append(block)
        row += count
    _indent(blocks, counts, roots)
    return blocks, len(roots) > 1


def _indent(blocks: Sequence[Block], counts: Sequence[int], roots: Sequence[Block]) -> None:
    """pi's rule: children of a fork and their first generation go one level in, an only child stays."""
    several = len(roots) > 1
    branched: dict[int, bool] = {}
    for block, count in zip(blocks, counts, strict=True):
        siblings = roots if block.above is None else block.above.children
        block.is_last = siblings[-1] is block
        is_branch = len(siblings) > 1
        if block.above is None:
            block.indent = int(several)
        else:
            deeper = is_branch or (branched[id(block.above)] and block.above.below > 0)
            block.indent = block.above.below + deeper
            block.connector = is_branch
        block.below = block.indent + (count > 1 and is_branch and block.indent > 0)
        branched[id(block)] = is_branch and count == 1
        if block.connector:
            block.gutter = max(0, max(0, block.indent - several) - 1)
