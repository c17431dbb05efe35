"""Pictures of screens: an SVG that Textual draws, and a faithful PNG when a browser is there.

Only a browser draws Textual's SVG right, and only when the SVG is part of a page; librsvg and cairosvg do not.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
import zlib
from html import escape, unescape
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FONT_FACE = re.compile(r"@font-face\s*\{.*?\}", re.DOTALL)
_TEXT = re.compile(r'(<text [^>]*?x=")([\d.]+)("[^>]*?textLength=")([\d.]+)("[^>]*>)([^<]*)</text>')
_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def browser() -> str | None:
    """A browser that draws pages without a display, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def self_contained(svg: str) -> str:
    """The SVG without fonts from the network: an installed monospace font is used instead."""
    return _FONT_FACE.sub("", svg).replace("Fira Code", "Fira Code, DejaVu Sans Mono, Noto Sans Mono CJK SC")


def wide_text_in_place(svg: str) -> str:
    """Put texts with characters two cells wide where they are on the screen.

    Textual counts characters where it should count cells, and the browser squeezes the text into that length.
    """

    def placed(match: re.Match[str]) -> str:
        head, place, middle, length, tail, escaped = match.groups()
        text = unescape(escaped)
        if cell_len(text) == len(text):
            return match.group(0)
        cell = float(length) / len(text)
        x, runs = float(place), ""
        for _, characters in groupby(text, key=cell_len):
            run = "".join(characters)
            width = cell * cell_len(run)
            runs += f"{head}{x:g}{middle}{width:g}{tail}{escape(run).replace(' ', '&#160;')}</text>"
            x += width
        return runs

    return _TEXT.sub(placed, svg)


def write_picture(svg: str, path: Path, *, scale: float = 1.0) -> list[Path]:
    """Write a picture of a screen.

    Args:
        svg: What `App.export_screenshot` returned.
        path: Where to, without suffix.
        scale: Pixels of the PNG per unit of the SVG.

    Returns:
        The files written: the SVG, and the PNG when a browser is there.
    """
    svg = wide_text_in_place(self_contained(svg))
    drawn = path.with_suffix(".svg")
    drawn.write_text(svg, encoding="utf-8")
    program = browser()
    if program is None:
        return [drawn]
    picture = path.with_suffix(".png")
    _draw(program, svg, picture, scale)
    return [drawn, picture]


def _draw(program: str, svg: str, picture: Path, scale: float) -> None:
    size = _VIEW_BOX.search(svg)
    assert size is not None
    width, height = (round(float(part)) for part in size.groups())
    page = (
        "<!doctype html><meta charset=utf-8><style>html,body{margin:0;overflow:hidden;background:transparent}"
        f"svg{{display:block;width:{width}px;height:{height}px}}</style>{svg}"
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "page.html")
        source.write_text(page, encoding="utf-8")
        command = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--default-background-color=00000000", f"--force-device-scale-factor={scale}",
            # The browser takes part of the window for itself, so it is made higher and the rest cut off again.
            f"--user-data-dir={folder}", f"--window-size={width},{height + 200}",
            f"--screenshot={picture}", source.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    crop_rows(picture, round(height * scale))


def crop_rows(picture: Path, rows: int) -> None:
    """Cut a PNG of 8-bit RGB or RGBA off below a number of rows."""
    data = picture.read_bytes()
    width, height, depth, color = struct.unpack(">IIBB", data[16:26])
    assert (depth, color) in ((8, 2), (8, 6))
    if rows >= height:
        return
    place, packed = 8, b""
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            packed += data[place + 8 : place + 8 + size]
        place += size + 12
    stride = 1 + width * (3 if color == 2 else 4)
    kept = zlib.compress(zlib.decompress(packed)[: stride * rows], 9)
    head = struct.pack(">IIBBBBB", width, rows, depth, color, 0, 0, 0)
    picture.write_bytes(data[:8] + _chunk(b"IHDR", head) + _chunk(b"IDAT", kept) + _chunk(b"IEND", b""))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
