"""Options of Stepping Stones."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    wear: Annotated[int, Meta(ge=1, le=9)] = 4
    goal: Annotated[int, Meta(ge=1, le=4)] = 3
    taking: Literal["any", "corner"] = "any"
    stuck: Literal["loses", "draws"] = "loses"


VERSIONS: Final = {"1": Rules()}
