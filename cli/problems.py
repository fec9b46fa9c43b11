"""Errors of a command, with a message for people and an exit code, and the exit codes."""

from collections.abc import Sequence

FINE, FINDINGS, BAD_INPUT, BUG = 0, 1, 2, 3
"""Exit codes: success; a violation or a failed case; an impossible request; an internal error."""
CLOSED_PIPE, INTERRUPTED = 141, 130
"""Exit codes that shells use for SIGPIPE and SIGINT."""
ENDED = 128
"""Base of exit codes for signals: add the signal's number."""


class CommandError(Exception):
    """An impossible request. `message` is in the user's language; `more` are lines that explain it."""

    def __init__(self, message: str, code: int = BAD_INPUT, more: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.more = tuple(more)
