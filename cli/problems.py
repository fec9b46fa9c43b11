"""What goes wrong with what was asked: one message for people and an exit code, never a traceback."""

from collections.abc import Sequence

FINE, FINDINGS, BAD_INPUT, BUG = 0, 1, 2, 3
"""Exit codes: as asked · a rule was broken or a case failed · what was asked cannot be done · our own error."""
CLOSED_PIPE, INTERRUPTED = 141, 130
"""As shells report a program that a signal ended."""
ENDED = 128
"""The same of any signal: this and the signal's number."""


class CommandError(Exception):
    """What was asked cannot be done. `message` is in the language asked for; `more` are lines that explain it."""

    def __init__(self, message: str, code: int = BAD_INPUT, more: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.more = tuple(more)
