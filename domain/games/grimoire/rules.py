"""Every number and option of Grimoire as one frozen value, and the published rulesets.

An option is compared with its words here and nowhere else: the law asks the questions below.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.law.game import Option, Says
from domain.law.pools import FIRST, PoolId
from domain.table.table import Seat
from domain.words import Text, listed

Natural = Annotated[int, Meta(ge=0, le=999)]
Positive = Annotated[int, Meta(ge=1, le=999)]
Colours = Annotated[int, Meta(ge=0, le=7)]

MOST_SEATS: Final = 4


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruleset. Keys on disk are the dossier's; a default is the behaviour of matches already recorded.

    `teams` names the sides: members joined by `+`, sides by `/` (`p1+p3/p2+p4`); a seat left out is alone. `cards` is
    the card pool that is played with; where that is the first, as in records made before, it is left out of them.
    """

    LATER: ClassVar[frozenset[str]] = frozenset(("cards",))

    player_count: Annotated[int, Meta(ge=2, le=MOST_SEATS)] = 2
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

    damage_must_exceed = Says("lethal", "exceeding")
    """Is damage lethal only above toughness?"""
    cast_literally = Says("cast_inequality", "literal")
    """Are the casting conditions read as the seed prints them, the wrong way round?"""
    initialize_sets_mana = Says("mana_recovery", "initialize_set")
    """Does mana become the capacity exactly when a turn is initialized?"""
    initialize_recovers = Says("mana_recovery", "top_up_both", "initialize_set")
    """Is mana recovered when a turn is initialized?"""
    start_recovers = Says("mana_recovery", "top_up_both", "start_only")
    """Is mana recovered in the start phase?"""
    mana_starts_full = Says("initial_mana", "capacity")
    """Does mana start at the capacity?"""
    buying_costs_mana = Says("trance_buy_mana", "pay_too")
    """Do the two buying trance choices cost mana as well?"""
    actor_keeps_priority = Says("priority_after_action", "keep")
    """Does the actor keep priority?"""
    enters_spended = Says("cast_enters", "spended")
    """Does a cast spell enter spended?"""
    illegal_target_fizzles = Says("on_illegal_target", "fizzle")
    """Does nothing of a resolution happen when its target is not legal?"""
    characters_strike_back = Says("character_collision", "mutual")
    """Does a target character deal damage back?"""
    breaks_at_collision = Says("break_in_resolution", "after_collision_no_trigger", "after_collision_trigger")
    """Are lethal spells broken right after the collision?"""
    broken_still_triggers = Says("break_in_resolution", "after_collision_trigger")
    """Does a spell broken in its collision still trigger on resolution?"""
    effects_before_states = Says("check_order", "effects_first")
    """Is the whole line of effects processed before state-based actions?"""
    order_is_chosen = Says("same_controller_order", "choose")
    """Does a player order their own effects of a group?"""
    explodes_in_own_turn = Says("od_timing", "any_turn", "own_turn")
    """Is an od explosion allowed in one's own turn?"""
    explodes_in_other_turns = Says("od_timing", "any_turn", "other_turns")
    """Is an od explosion allowed in another player's turn?"""
    explosion_hits_any_spell = Says("od_targets", "any_spell")
    """May an od explosion hit any spell on the field?"""
    unqualified_every_turn = Says("unqualified_turn", "every")
    """Does an ability that names no turn trigger in every turn?"""
    owner_receives = Says("zone_destination", "owner")
    """Do cards that leave the field go to their owner's zones?"""
    loses_last_to_first = Says("simultaneous_loss", "turn_player_last")
    """Do players beaten together lose with the turn player last?"""
    loses_together = Says("simultaneous_loss", "draw")
    """Do players beaten together lose at once, which can be a draw?"""
    od_prevents_beats = Says("od_guard", "automatic")
    """Does od replace a beat?"""
    time_is_compared = Says("time_policy", "compare")
    """Is a match compared when time is called?"""

    def __post_init__(self) -> None:
        """Teams must part the seats, and a deck and a hand must be possible. Raises ValueError."""
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
        """The side of each seat that stands in `teams`."""
        return _by_seat(self.teams)

    @property
    def trance_price(self) -> int:
        """The capacity that the two buying trance choices cost."""
        return self.trance_buy_cost

    @property
    def explosion_price(self) -> int:
        """The od that an explosion costs."""
        return self.od_explosion_cost

    def bookmark_over(self, cards: int) -> bool:
        """Are these more cards than can be registered beside a grimoire?"""
        return cards > self.bookmark_max

    @property
    def most_actions(self) -> int:
        """How many actions a turn may have before the match is held."""
        return self.loop_guard

    @property
    def hand_most(self) -> int | None:
        """How many cards a hand may hold."""
        return None if self.hand_limit == "none" else self.hand_limit


@cache
def _sides(teams: str) -> tuple[tuple[Seat, ...], ...]:
    """The sides with more than one name in `teams`, as they are written."""
    if teams == "none":
        return ()
    return tuple(tuple(Seat(name.strip()) for name in side.split("+")) for side in teams.split("/"))


@cache
def _by_seat(teams: str) -> Mapping[Seat, str]:
    return {seat: "+".join(side) for side in _sides(teams) for seat in side}


def seats_of(count: int) -> tuple[Seat, ...]:
    """The chairs of a table for so many."""
    return tuple(Seat(f"p{number}") for number in range(1, count + 1))


BOTH: Final = ("true", "false")

OPTIONS: Final[tuple[Option, ...]] = (
    Option("lethal", "GR-A01", 1, ("at_least", "exceeding")),
    Option("cast_inequality", "GR-A02", 1, ("sufficient", "literal")),
    Option("mana_recovery", "GR-A04", 1, ("top_up_both", "initialize_set", "start_only")),
    Option("initialize_extends_character", "GR-A05", 1, BOTH),
    Option("initialize_heals_character", "GR-A06", 1, ("false", "true")),
    Option("trance_capacity_max_colours", "GR-A07", 1, ("4", "3"), numbers=True),
    Option("initial_mana", "GR-A08", 1, ("zero", "capacity")),
    Option("reveal_rounds", "GR-A09", 2, ("3", "4"), numbers=True),
    Option("first_player_compare", "GR-A10", 2, ("latest",), ("cumulative",)),
    Option("opening_pick", "GR-A11", 2, ("mandatory",), ("optional",)),
    Option("tie_reveals", "GR-A13", 3, ("all",), ("tied_only",)),
    Option("multi_order", "GR-A14", 2, ("seats",), ("by_cost",)),
    Option("grimoire_max", "GR-A16", 2, ("40", "400"), numbers=True),
    Option("copy_limit", "GR-A17", 2, ("4", "0"), numbers=True),
    Option("bookmark_zone_limit", "GR-A18", 2, ("none",), ("10",)),
    Option("trance_chroma", "GR-A19", 2, ("each",), ("choose_one",)),
    Option("trance_chroma_degree", "GR-A20", 3, ("one",), ("degree",)),
    Option("trance_buy_mana", "GR-A23", 1, ("keep", "pay_too")),
    Option("check_before_trance_choice", "GR-A25", 2, ("true",), ("false",)),
    Option("main_end", "GR-A26", 2, ("all_pass",), ("declare",)),
    Option("priority_after_action", "GR-A27", 1, ("keep", "next_player")),
    Option("cast_while_waiting", "GR-A29", 1, BOTH),
    Option("cast_enters", "GR-A30", 1, ("extended", "spended")),
    Option("played_spell_place", "GR-A31", 2, ("field",), ("stack_zone", "field_extended")),
    Option("self_target", "GR-A32", 2, ("false",), ("true",)),
    Option("offturn_spended_spells", "GR-A33", 1, ("false", "true")),
    Option("field_spell_targets", "GR-A34", 2, ("seed_list",), ("played_only",)),
    Option("character_spent_by", "GR-A35", 2, ("cards_only",), ("od_explosion",)),
    Option("on_illegal_target", "GR-A37", 1, ("skip_collision", "fizzle")),
    Option("target_recheck", "GR-A38", 2, ("full",), ("existence",)),
    Option("character_collision", "GR-A39", 1, ("one_way", "mutual")),
    Option("collision_timing", "GR-A40", 2, ("simultaneous",), ("target_first",)),
    Option("mitigation_scope", "GR-A41", 2, ("collision_and_od",), ("all",)),
    Option(
        "break_in_resolution",
        "GR-A42",
        1,
        ("after_resolution", "after_collision_no_trigger", "after_collision_trigger"),
    ),
    Option("orphan_effects", "GR-A43", 2, ("process",), ("drop",)),
    Option("check_order", "GR-A45", 1, ("sba_between", "effects_first")),
    Option("same_controller_order", "GR-A46", 1, ("choose", "timestamp")),
    Option("activated_wait", "GR-A48", 2, ("false",), ("true",)),
    Option("spended_activate", "GR-A49", 2, ("true",), ("false",)),
    Option("od_timing", "GR-A50", 1, ("any_turn", "own_turn", "other_turns")),
    Option("od_explosion_cost", "GR-A51", 2, ("1", "2"), numbers=True),
    Option("od_targets", "GR-A52", 1, ("like_play", "any_spell")),
    Option("od_draw_from_empty", "GR-A53", 2, ("illegal",), ("lethal",)),
    Option("bookmark_pick_public", "GR-A55", 2, ("false",), ("true",)),
    Option("unqualified_turn", "GR-A56", 1, ("own", "every")),
    Option("finalize_check", "GR-A57", 2, ("true",), ("false",)),
    Option("zone_destination", "GR-A58", 1, ("controller", "owner")),
    Option("void_memory", "GR-A60", 2, ("last_known",), ("lost_on_leave",)),
    Option("void_return", "GR-A61", 2, ("extended",), ("spended",)),
    Option("simultaneous_loss", "GR-A63", 1, ("turn_player_first", "turn_player_last", "draw")),
    Option("hand_limit", "GR-A65", 1, ("none", "7"), numbers=True),
    Option("od_guard", "GR-A66", 1, ("off", "automatic")),
    Option("zero_toughness", "GR-A67", 2, ("break",), ("junk",)),
    Option("time_policy", "GR-A71", 2, ("none", "judge", "compare")),
    Option("first_turn_draw", "GR-A81", 1, BOTH),
    Option("spended_strikes_back", "GR-A83", 2, ("true",), ("false",)),
)
"""The named readings, row by row. Those with one value are fixed here and nowhere else; the law builds it in."""

VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets, append-only."""
