"""`python -m pitree` is `pitree`."""

from __future__ import annotations

from pitree.cli import main

if __name__ == "__main__":
    main()
