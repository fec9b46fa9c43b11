"""Result of a command: a value for programs, a drawing for people, and an exit code."""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from cli.problems import FINE

Value = TypeVar("Value", covariant=True)


def do_nothing() -> None:
    """Do nothing; the default of `Answer.beside`."""


class Answer(Struct, Generic[Value], frozen=True):
    """Result of a command; only the form in use is computed.

    `value` returns the struct for `--json`, whose schema is published. `draw` prints the same on the screen. `beside`
    prints messages to stderr in both cases.
    """

    value: Callable[[], Value]
    draw: Callable[[], object]
    code: int = FINE
    beside: Callable[[], object] = do_nothing
