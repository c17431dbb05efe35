"""A small PNG drawn from numbers: requests per minute as bars, as a person would paste it from a dashboard."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

_PAPER, _GRID, _CALM, _HIGH = b"\xfa\xfa\xfa", b"\xdd\xdd\xdd", b"\x4c\x78\xa8", b"\xe4\x57\x56"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bars(values: Sequence[int], *, height: int = 96, limit: int = 60) -> bytes:
    """Return a PNG with one bar of 4 pixels for each value (0 to `height`); values above `limit` are red."""
    rows = []
    for level in range(height, 0, -1):
        ground = _GRID if level % 24 == 0 else _PAPER
        row = bytearray(b"\x00")
        for value in values:
            ink = (_HIGH if value > limit else _CALM) if value >= level else ground
            row += ink * 3 + ground
        rows.append(bytes(row))
    header = struct.pack(">IIBBBBB", len(values) * 4, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
