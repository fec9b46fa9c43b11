"""What is loaded by name when it is wanted: at the top of a file it would make every start longer."""

from importlib import import_module
from typing import Any


def load(where: str) -> Any:
    """What a module holds under a name, of `module:name`; the module is loaded now."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)
