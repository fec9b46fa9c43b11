"""The numbers of Stepping Stones and its options."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.law.game import Option


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ruleset."""

    wear: Annotated[int, Meta(ge=1, le=9)] = 4
    goal: Annotated[int, Meta(ge=1, le=4)] = 3
    taking: Literal["any", "corner"] = "any"
    stuck: Literal["loses", "draws"] = "loses"

    @property
    def takes_over_corners_only(self) -> bool:
        """May a piece be taken over a corner only?"""
        return self.taking == "corner"

    @property
    def stuck_loses(self) -> bool:
        """Does a player lose who cannot step?"""
        return self.stuck == "loses"


OPTIONS: Final = (
    Option("taking", "how pieces are taken", 1, ("any", "corner")),
    Option("stuck", "nowhere to step", 1, ("loses", "draws")),
)
VERSIONS: Final = {"1": Rules()}
