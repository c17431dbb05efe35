"""What can go wrong on the disk, each as one sentence that also says what to do."""

from __future__ import annotations


class StoreError(Exception):
    """A file or folder could not be used. The message is for people: one sentence and what to do."""


class SessionNotFoundError(StoreError):
    """No session file answers to the given id, prefix, path or folder."""


class AmbiguousSessionError(StoreError):
    """More than one session answers to the given id or prefix.

    Attributes:
        candidates: the paths of all sessions that match, newest first.
    """

    def __init__(self, message: str, candidates: tuple[str, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates
