"""What a command answers: a value for programs, the same drawn for people, and an exit code."""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from cli.problems import FINE

Value = TypeVar("Value", covariant=True)


def nothing() -> None:
    """Nothing is said beside an answer."""


class Answer(Struct, Generic[Value], frozen=True):
    """Either form is made when it is asked for, and once.

    `value` gives what `--json` prints: a struct, whose schema is published. `draw` says the same on the screen, and
    `beside` what stands beside either of them.
    """

    value: Callable[[], Value]
    draw: Callable[[], object]
    code: int = FINE
    beside: Callable[[], object] = nothing
