"""Numbers and options of Grimoire as one frozen value, and the published rulesets."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.law.pools import FIRST, PoolId
from domain.table.table import Seat
from domain.words import Text, listed

Natural = Annotated[int, Meta(ge=0, le=999)]
Positive = Annotated[int, Meta(ge=1, le=999)]
Colours = Annotated[int, Meta(ge=0, le=7)]

SEATS_MAX: Final = 4


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruleset. The keys on disk are the dossier's, and each default is the behaviour of matches already recorded.

    `teams` joins the members of a side by `+` and sides by `/` (`p1+p3/p2+p4`). A seat not named is alone. `cards` is
    the card pool. Records omit it for the first pool, as older records do.
    """

    LATER: ClassVar[frozenset[str]] = frozenset(("cards",))

    player_count: Annotated[int, Meta(ge=2, le=SEATS_MAX)] = 2
    teams: str = "none"
    character_cards: Annotated[int, Meta(ge=1, le=1)] = 1
    grimoire_min: Positive = 40
    grimoire_max: Positive = 40
    bookmark_min: Natural = 0
    bookmark_max: Natural = 10
    copy_limit: Natural = 4
    reveal_rounds: Annotated[int, Meta(ge=1, le=9)] = 3
    opening_hand: Natural = 5
    opening_bookmark_picks: Annotated[int, Meta(ge=0, le=1)] = 1
    initial_od: Natural = 4
    capacity_by_seat: tuple[Natural, Natural, Natural, Natural] = (1, 2, 2, 2)
    initial_chroma_max_colours: Colours = 4
    initial_chroma_each: Natural = 1
    mono_bonus: Natural = 1
    trance_phase_draw: Natural = 1
    first_turn_draw: bool = True
    trance_mana_gain: Natural = 1
    trance_capacity_gain: Natural = 1
    trance_chroma_gain: Natural = 1
    trance_mana_max_colours: Colours = 1
    trance_capacity_max_colours: Colours = 4
    trance_buy_cost: Positive = 1
    od_explosion_cost: Positive = 1
    hand_limit: Literal["none"] | Positive = "none"
    loop_guard: Annotated[int, Meta(ge=1, le=100_000)] = 1000
    time_policy: Literal["none", "judge", "compare"] = "none"

    lethal: Literal["at_least", "exceeding"] = "at_least"
    cast_inequality: Literal["sufficient", "literal"] = "sufficient"
    mana_recovery: Literal["top_up_both", "initialize_set", "start_only"] = "top_up_both"
    initialize_extends_character: bool = True
    initialize_heals_character: bool = False
    initial_mana: Literal["zero", "capacity"] = "zero"
    trance_buy_mana: Literal["keep", "pay_too"] = "keep"
    priority_after_action: Literal["keep", "next_player"] = "keep"
    cast_while_waiting: bool = True
    cast_enters: Literal["extended", "spended"] = "extended"
    offturn_spended_spells: bool = False
    on_illegal_target: Literal["skip_collision", "fizzle"] = "skip_collision"
    character_collision: Literal["one_way", "mutual"] = "one_way"
    break_in_resolution: Literal["after_resolution", "after_collision_no_trigger", "after_collision_trigger"] = (
        "after_resolution"
    )
    check_order: Literal["sba_between", "effects_first"] = "sba_between"
    same_controller_order: Literal["choose", "timestamp"] = "choose"
    od_timing: Literal["any_turn", "own_turn", "other_turns"] = "any_turn"
    od_targets: Literal["like_play", "any_spell"] = "like_play"
    unqualified_turn: Literal["own", "every"] = "own"
    zone_destination: Literal["controller", "owner"] = "controller"
    simultaneous_loss: Literal["turn_player_first", "turn_player_last", "draw"] = "turn_player_first"
    od_guard: Literal["off", "automatic"] = "off"
    cards: PoolId = FIRST

    def __post_init__(self) -> None:
        """Raise ValueError if teams do not divide the seats, or no deck or opening hand is possible."""
        seats = seats_of(self.player_count)
        members = [member for side in _sides(self.teams) for member in side]
        for member in members:
            if member not in seats:
                blanks = {"option": "teams", "seat": repr(member), "seats": listed(seats)}
                raise ValueError(Text("ruleset.no_team_seat", blanks))
        if len(set(members)) != len(members):
            raise ValueError(Text("ruleset.team_twice", {"option": "teams", "given": repr(self.teams)}))
        if len(set(self.teams_by_seat.values())) + len(seats) - len(members) < 2:
            raise ValueError(Text("ruleset.one_side", {"option": "teams", "given": repr(self.teams)}))
        for least, most in (("grimoire_min", "grimoire_max"), ("bookmark_min", "bookmark_max")):
            if getattr(self, least) > getattr(self, most):
                raise ValueError(Text("ruleset.range", {"option": least, "other": most}))
        if self.hand_limit != "none" and self.hand_limit <= self.opening_hand:
            raise ValueError(Text("ruleset.range", {"option": "opening_hand", "other": "hand_limit"}))
        if self.time_policy == "compare" and self.player_count != 2:
            raise ValueError(Text("ruleset.two_only", {"option": "time_policy", "given": "compare"}))

    @property
    def teams_by_seat(self) -> Mapping[Seat, str]:
        """Sides by seat, for the seats that `teams` names."""
        return _by_seat(self.teams)

    def bookmark_over(self, cards: int) -> bool:
        return cards > self.bookmark_max

    @property
    def hand_max(self) -> int | None:
        return None if self.hand_limit == "none" else self.hand_limit


@cache
def _sides(teams: str) -> tuple[tuple[Seat, ...], ...]:
    if teams == "none":
        return ()
    return tuple(tuple(Seat(name.strip()) for name in side.split("+")) for side in teams.split("/"))


@cache
def _by_seat(teams: str) -> Mapping[Seat, str]:
    return {seat: "+".join(side) for side in _sides(teams) for seat in side}


def seats_of(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"p{number}") for number in range(1, count + 1))


VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets. Append only."""
