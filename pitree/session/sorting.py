"""JavaScript's sort with the comparator `(a, b) => dateA - dateB`, as V8 carries it out.

A comparator that answers 0 for an invalid date is inconsistent (1 = NaN = 0, yet 0 < 1), so the result depends on which
pairs the algorithm happens to compare. This is the Timsort of V8's `Array.prototype.sort`: runs that are found and
extended by binary insertion, merged by V8's policy, with galloping.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_WINS_TO_STAY_GALLOPING = 7
_UNSPLIT_LENGTH = 64


def sort_by_dates(items: Sequence[T], dates: Sequence[float]) -> list[T]:
    """Return `items` in the order that `items.sort((a, b) => dateA - dateB)` gives in V8.

    Args:
        items: Anything; it is neither compared nor changed.
        dates: One date for each item, in milliseconds, `nan` when invalid.

    Returns:
        A new list. Without invalid dates it is the stable ascending order.

    Raises:
        ValueError: There are not as many dates as items.
    """
    if len(items) != len(dates):
        raise ValueError(f"{len(items)} items but {len(dates)} dates")
    order = list(range(len(items)))
    if any(date != date for date in dates):
        order = _Timsort(order, dates).sorted()
    else:
        order.sort(key=dates.__getitem__)
    return [items[position] for position in order]


class _Timsort:
    """One sort: positions into `dates`, and the runs of them that await merging."""

    def __init__(self, order: list[int], dates: Sequence[float]) -> None:
        self._order = order
        self._dates = dates
        self._starts: list[int] = []
        self._lengths: list[int] = []
        self._wins_to_gallop = _WINS_TO_STAY_GALLOPING

    def sorted(self) -> list[int]:
        """Return the positions in order."""
        start, end = 0, len(self._order)
        shortest = _shortest_run(end)
        while start < end:
            length = self._find_run(start, end)
            if length < shortest:
                forced = min(shortest, end - start)
                self._insert(start, start + length, start + forced)
                length = forced
            self._starts.append(start)
            self._lengths.append(length)
            self._restore_invariant()
            start += length
        self._merge_all()
        return self._order

    def _precedes(self, left: int, right: int) -> bool:
        # Not `dates[left] - dates[right] < 0`: the same answer, for infinities and NaN too, with one operation less.
        return self._dates[left] < self._dates[right]

    def _find_run(self, start: int, end: int) -> int:
        """Return the length of the run at `start`, made ascending."""
        order, precedes = self._order, self._precedes
        if end - start < 2:
            return end - start
        descending = precedes(order[start + 1], order[start])
        stop = start + 2
        while stop < end and precedes(order[stop], order[stop - 1]) is descending:
            stop += 1
        if descending:
            order[start:stop] = order[start:stop][::-1]
        return stop - start

    def _insert(self, start: int, unsorted: int, end: int) -> None:
        """Insert the items from `unsorted` to `end` into the run that begins at `start`."""
        order = self._order
        for position in range(unsorted, end):
            pivot = order[position]
            low, high = start, position
            while low < high:
                middle = (low + high) // 2
                if self._precedes(pivot, order[middle]):
                    high = middle
                else:
                    low = middle + 1
            order.insert(low, order.pop(position))

    def _restore_invariant(self) -> None:
        """Merge until every run is longer than the next, and than the next two together."""
        lengths = self._lengths
        while len(lengths) > 1:
            run = len(lengths) - 2
            if not (self._is_longer_than_next_two(run - 1) and self._is_longer_than_next_two(run - 2)):
                run -= lengths[run - 1] < lengths[run + 1]
            elif lengths[run] > lengths[run + 1]:
                break
            self._merge_with_next(run)

    def _is_longer_than_next_two(self, run: int) -> bool:
        return run < 0 or self._lengths[run] > self._lengths[run + 1] + self._lengths[run + 2]

    def _merge_all(self) -> None:
        # Each run is longer than all those after the next one together, so the last two are always the ones to merge.
        while len(self._lengths) > 1:
            self._merge_with_next(len(self._lengths) - 2)

    def _merge_with_next(self, run: int) -> None:
        """Make one run of two; only what lies between the first and last item out of place is moved."""
        order, precedes = self._order, self._precedes
        start, middle = self._starts[run], self._starts[run + 1]
        end = middle + self._lengths.pop(run + 1)
        del self._starts[run + 1]
        self._lengths[run] = end - start

        first = order[middle]
        start += _gallop(lambda at: not precedes(first, order[start + at]), middle - start, from_end=False)
        if start == middle:
            return
        last = order[middle - 1]
        end = middle + _gallop(lambda at: precedes(order[middle + at], last), end - middle, from_end=True)
        if middle == end:
            return
        merge = _Merge(order[start:middle], order[middle:end], precedes)
        order[start:end] = merge.merged(self._wins_to_gallop)
        self._wins_to_gallop = merge.wins_to_gallop


class _Merge:
    """Two neighbouring runs on their way into one: from the front when the left is the shorter, else from the back.

    Both runs are kept so that the item whose turn comes next is their last.
    """

    def __init__(self, left: list[int], right: list[int], precedes: Callable[[int, int], bool]) -> None:
        self._backward = len(left) > len(right)
        self._left = left if self._backward else left[::-1]
        self._right = right if self._backward else right[::-1]
        self._shorter, self._longer = (self._right, self._left) if self._backward else (self._left, self._right)
        self._precedes = precedes
        self._merged: list[int] = []
        self.wins_to_gallop = 0

    def merged(self, wins_to_gallop: int) -> list[int]:
        """Return the one run; `self.wins_to_gallop` then holds the threshold for the next merge."""
        self.wins_to_gallop = wins_to_gallop
        # The caller has cut off what is in place already: the longer run is known to give the first item.
        goes_on = self._take(self._longer, 1)
        while goes_on:
            goes_on = self._one_by_one() and self._in_strides()
        merged = self._merged + self._longer[::-1] + self._shorter[::-1]
        return merged[::-1] if self._backward else merged

    def _take(self, run: list[int], count: int) -> bool:
        """Move the next `count` items of `run`; whether the order of the rest is still open."""
        if count:
            self._merged.extend(run[: -count - 1 : -1])
            del run[-count:]
        return len(self._shorter) > 1 and bool(self._longer)

    def _one_by_one(self) -> bool:
        """Take single items until one run wins often enough in a row; False when the merge is done."""
        winner, wins = self._left, 0
        while wins < self.wins_to_gallop:
            run = self._longer if self._precedes(self._right[-1], self._left[-1]) else self._shorter
            wins = wins + 1 if run is winner else 1
            winner = run
            if not self._take(run, 1):
                return False
        return True

    def _in_strides(self) -> bool:
        """Take stretches found by galloping, as long as they are long; False when the merge is done."""
        left, right, precedes = self._left, self._right, self._precedes
        self.wins_to_gallop += 1
        longest = _WINS_TO_STAY_GALLOPING
        while longest >= _WINS_TO_STAY_GALLOPING:
            self.wins_to_gallop = max(1, self.wins_to_gallop - 1)
            left_wins = self._stride(left, lambda item: not precedes(right[-1], item))
            if not (self._take(left, left_wins) and self._take(right, 1)):
                return False
            right_wins = self._stride(right, lambda item: precedes(item, left[-1]))
            if not (self._take(right, right_wins) and self._take(left, 1)):
                return False
            longest = max(left_wins, right_wins)
        self.wins_to_gallop += 1
        return True

    def _stride(self, run: list[int], belongs_left: Callable[[int], bool]) -> int:
        """Return how many items of `run` come before the next one of the other run, in the direction of the merge."""
        if self._backward:
            return len(run) - _gallop(lambda at: belongs_left(run[at]), len(run), from_end=True)
        return _gallop(lambda at: belongs_left(run[~at]), len(run), from_end=False)


def _shortest_run(length: int) -> int:
    """Return the length to which runs are extended: `length` halved until below 64, rounded up if anything was lost."""
    lost = 0
    while length >= _UNSPLIT_LENGTH:
        lost |= length & 1
        length >>= 1
    return length + lost


def _gallop(belongs_left: Callable[[int], bool], length: int, *, from_end: bool) -> int:
    """Return how many of `length` places belong left of the key.

    Args:
        belongs_left: Answers for a place; true for the first places and false for the rest, if dates are consistent.
        length: At least 1.
        from_end: Start looking at the last place, else at the first; the steps double.
    """
    hint = length - 1 if from_end else 0
    rightward = belongs_left(hint)
    limit = length - hint if rightward else hint + 1
    direction = 1 if rightward else -1
    last, offset = 0, 1
    while offset < limit and belongs_left(hint + direction * offset) is rightward:
        last, offset = offset, 2 * offset + 1
    offset = min(offset, limit)
    low, high = (hint + last, hint + offset) if rightward else (hint - offset, hint - last)
    low += 1
    while low < high:
        middle = (low + high) // 2
        if belongs_left(middle):
            low = middle + 1
        else:
            high = middle
    return low
