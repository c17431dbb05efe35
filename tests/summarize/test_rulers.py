"""The other ruler agrees with what is published of the encoding, and does not fail on what makes tiktoken fail."""

from __future__ import annotations

import pytest

from pitree.summarize.rulers import tiktoken_count


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 8),
        ("tiktoken is great!", 6),
    ],
)
def test_known_counts(text: str, tokens: int) -> None:
    assert tiktoken_count(text) == tokens


def test_a_million_spaces_are_counted_in_pieces() -> None:
    assert tiktoken_count(" " * 1_000_000) > 0


def test_half_a_surrogate_pair_counts_as_a_replacement() -> None:
    assert tiktoken_count("\ud800") == tiktoken_count("?")
