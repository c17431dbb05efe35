"""Textual's driver for a terminal that may also send what is no UTF-8: a paste in another encoding, line noise."""

from __future__ import annotations

import codecs
import sys
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver


def tolerant_driver() -> type[Driver] | None:
    """The driver to use, None for Textual's own choice."""
    if sys.platform == "win32":
        return None
    from textual.drivers import linux_driver

    class TolerantDriver(linux_driver.LinuxDriver):
        """Reads U+FFFD where Textual would end the program."""

        def run_input_thread(self) -> None:
            """See `LinuxDriver`; it takes its decoder from its module, and offers no other way to give it one."""
            linux_driver.getincrementaldecoder = _replacing  # type: ignore[assignment, attr-defined]
            super().run_input_thread()

    return TolerantDriver


def _replacing(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
