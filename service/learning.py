"""What the service reads is learnt before anybody asks: of two threads that read a type for the first time one may find
it half learnt, and msgspec ends the process."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct


@cache
def learn_types() -> None:
    """Learn every type there is, in one thread. Those that cannot be read are none that anybody reads."""
    for known in _below(Struct):
        try:
            msgspec.json.Decoder(known)
        except (TypeError, NameError):
            continue


def _below(kind: type[Struct]) -> Iterator[type[Any]]:
    for known in kind.__subclasses__():
        yield known
        yield from _below(known)
