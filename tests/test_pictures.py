"""Pictures of screens."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from tests.pictures import crop_rows, self_contained, wide_text_in_place


def test_wide_characters_stand_in_their_cells() -> None:
    svg = '<text class="r1" x="10" y="5" textLength="40" clip-path="url(#a)">a日本b</text>'
    assert wide_text_in_place(svg) == (
        '<text class="r1" x="10" y="5" textLength="10" clip-path="url(#a)">a</text>'
        '<text class="r1" x="20" y="5" textLength="40" clip-path="url(#a)">日本</text>'
        '<text class="r1" x="60" y="5" textLength="10" clip-path="url(#a)">b</text>'
    )
    plain = svg.replace("日本", "&#160;c")
    assert wide_text_in_place(plain) == plain


def test_no_font_comes_from_the_network() -> None:
    assert "http" not in self_contained('@font-face { src: url("https://example.org/a.woff2") } .x { }')


def test_rows_are_cut_off(tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(bytes([0, row, row, row]) for row in range(4))
    picture = tmp_path / "a.png"
    head = struct.pack(">IIBBBBB", 1, 4, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n"
    picture.write_bytes(start + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    crop_rows(picture, 2)
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (1, 2)
