"""The command line: one module per subcommand; a word that is no subcommand is a session to open."""

from __future__ import annotations

from pitree.cli.root import main

__all__ = ["main"]
