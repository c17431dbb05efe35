"""Clock and chance of the running program: the one place where the interface asks the machine for them."""

from __future__ import annotations

import os
import time
from uuid import uuid4

from pitree.store.commit import Draws


def real_draws() -> Draws:
    """Now, and real randomness."""
    return Draws(time.time_ns() // 1_000_000, os.urandom, lambda: str(uuid4()))
