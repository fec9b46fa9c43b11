"""Detection of the law's form: interpreted, or the same files compiled (ADR 44)."""

from types import FunctionType
from typing import Final, Literal

from domain.law.driver import decide

LawBuild = Literal["compiled", "interpreted"]

LAW_BUILD: Final[LawBuild] = "interpreted" if isinstance(decide, FunctionType) else "compiled"
"""A compiled function is not a `FunctionType`."""
