"""One session file as immutable values: entries, tree, outline. Knows no disk, clock or randomness."""
