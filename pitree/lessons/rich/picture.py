"""A small PNG drawn from numbers: requests per minute as bars, as a person would paste it from a dashboard.

Four colors make one byte of each bar, and nothing is compressed: compressors differ between machines.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

_PAPER, _GRID, _CALM, _HIGH = range(4)
_COLORS = bytes.fromhex("fafafa dddddd 4c78a8 e45756")


def bars(values: Sequence[int], *, height: int = 96, limit: int = 60) -> bytes:
    """Return a PNG with one bar of 4 pixels for each value (0 to `height`); values above `limit` are red."""
    rows = bytearray()
    for level in range(height, 0, -1):
        ground = _GRID if level % 24 == 0 else _PAPER
        rows.append(0)
        for value in values:
            ink = (_HIGH if value > limit else _CALM) if value >= level else ground
            rows.append(ink << 6 | ink << 4 | ink << 2 | ground)
    header = struct.pack(">IIBBBBB", len(values) * 4, height, 2, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", _COLORS), (b"IDAT", _stored(bytes(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _stored(data: bytes) -> bytes:
    """Wrap up to 65,535 bytes as a zlib stream with one block that is not compressed."""
    return (
        b"\x78\x01\x01"
        + struct.pack("<HH", len(data), len(data) ^ 0xFFFF)
        + data
        + struct.pack(">I", zlib.adler32(data))
    )
