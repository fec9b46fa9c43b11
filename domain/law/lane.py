"""On which of two lanes the law runs: its files as they stand, or the same files compiled (ADR 44)."""

from types import FunctionType
from typing import Final, Literal

from domain.law.driver import decide

Lane = Literal["compiled", "interpreted"]

LANE: Final[Lane] = "interpreted" if isinstance(decide, FunctionType) else "compiled"
"""What is compiled is no function of Python's own."""
