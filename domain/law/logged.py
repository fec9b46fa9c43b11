"""What all entries of a log share."""

from msgspec import Struct


class Logged(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="entry"):
    """What all entries share. `at` is wall-clock evidence in milliseconds, never input to rules; 0 is unknown."""

    at: int = 0
