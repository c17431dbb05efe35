"""Bytes to lines: pi splits at newlines only, and a last line without one counts."""

from __future__ import annotations


class LineSplitter:
    """Cuts chunks of a file into whole lines; what is not ended yet waits.

    Attributes:
        offset: Where the line that is not ended yet begins, in bytes from the start of the file.
    """

    def __init__(self) -> None:
        self.offset = 0
        self._tail: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that end in this chunk, without their newlines."""
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            self._tail.append(chunk)
            return []
        if self._tail:
            lines[0] = b"".join((*self._tail, lines[0]))
        last = lines.pop()
        self._tail = [last] if last else []
        return lines

    @property
    def tail(self) -> bytes:
        """The last line so far, which no newline ends; empty where there is none."""
        return b"".join(self._tail)


def is_utf8(line: bytes) -> bool:
    """Whether a line can be decoded without loss."""
    if line.isascii():
        return True
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
