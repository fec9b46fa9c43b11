"""Numbers and options of Skillbook as one frozen value, and the published rulesets."""

from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.law.pools import FIRST, PoolId
from domain.parts.squares import Size
from domain.words import Text

Natural = Annotated[int, Meta(ge=0, le=999)]
Positive = Annotated[int, Meta(ge=1, le=999)]
Seven = Annotated[int, Meta(ge=7, le=7)]
One = Annotated[int, Meta(ge=1, le=1)]
YesNo = Literal["yes", "no"]


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A ruleset. The keys on disk are the dossier's, and each default is the behaviour of matches already recorded.
    `neutral_terrains` are the cards of the neutral row from column 1. `cards` is the card pool."""

    LATER: ClassVar[frozenset[str]] = frozenset(("cards",))

    book_min: Natural = 20
    book_max: Natural = 30
    same_name_max: Positive = 3
    cast_max: Positive = 1
    map_size: Annotated[int, Meta(ge=21, le=21)] = 21
    special_terrain_max: Positive = 3
    start_cards_min: One = 1
    heroes: One = 1
    board_width: Seven = 7
    own_rows: Annotated[int, Meta(ge=3, le=3)] = 3
    neutral_rows: One = 1
    neutral_terrains: Annotated[tuple[str, ...], Meta(min_length=7, max_length=7)] = ("wasteland",) * 7
    table_slots: Annotated[int, Meta(ge=1, le=20)] = 4
    hand_max: Annotated[int, Meta(ge=0, le=20)] = 1
    draw_per_turn: Annotated[int, Meta(ge=0, le=20)] = 1
    opening_table: Annotated[int, Meta(ge=0, le=20)] = 0
    charge_hp: Natural = 1
    charge_removed: Natural = 1
    double_boon_discount: Natural = 1
    moves_per_turn: One = 1
    fights_per_turn: One = 1
    melee_line: Annotated[int, Meta(ge=1, le=12)] = 1
    enforce_construction: bool = True
    time_limit_turns: Positive | Literal["none"] = "none"

    setup_short_book: Literal["lt_min", "le_min"] = "lt_min"
    start_cards: Literal["exactly_one", "one_or_more"] = "exactly_one"
    book_out_check: Literal["immediate", "idle", "judgment", "on_need"] = "immediate"
    pay_last_card: Literal["allowed", "forbidden"] = "allowed"
    charge_at_one_hp: Literal["allowed", "forbidden"] = "allowed"
    charging_player_may_respond: YesNo = "yes"
    first_turn_draw: YesNo = "yes"
    resting_may_counter: YesNo = "yes"
    draw_rearrange: Literal["only_when_full", "always"] = "only_when_full"
    end_start_use: Literal["responses_only", "turn_player_any"] = "responses_only"
    reset_check_between: YesNo = "no"
    goal_check: Literal["both", "turn_player_only"] = "both"
    adjudication_neither_invaded: Literal["life", "progress"] = "life"
    own_element_anywhere: YesNo = "yes"
    stack_order: Literal["lifo", "fifo", "immediate"] = "lifo"
    mill_order: Literal["last_on_top", "first_on_top"] = "last_on_top"
    summoned_unit_state: Literal["resting", "active", "exhausted"] = "resting"
    summon_site: Literal["line1_of_hero", "own_area", "own_face_up"] = "line1_of_hero"
    blocking: Literal["all", "enemy_only"] = "all"
    flying_leap: Literal["chain", "single", "free"] = "chain"
    explore_then_fight: YesNo = "no"
    sp_recompute: YesNo = "yes"
    teleport_arrival: Literal["explore_enter", "none", "full_move"] = "explore_enter"
    damage_model: Literal["accumulate", "single"] = "accumulate"
    ranged_counter: Literal["reach", "full_legality", "ranged_rank"] = "reach"
    attack_target_moved: Literal["cancel", "continue"] = "cancel"
    line_path: Literal["any_simple", "shortest", "straight"] = "any_simple"
    cards: PoolId = FIRST

    def __post_init__(self) -> None:
        """Raise ValueError if no book or opening table is possible."""
        if self.book_min > self.book_max:
            raise ValueError(Text("ruleset.range", {"option": "book_min", "other": "book_max"}))
        if self.opening_table > self.table_slots:
            raise ValueError(Text("ruleset.range", {"option": "opening_table", "other": "table_slots"}))

    @cached_property
    def size(self) -> Size:
        return Size(self.board_width, 2 * self.own_rows + self.neutral_rows)

    @property
    def start_cards_max(self) -> int:
        return self.map_size if self.start_cards == "one_or_more" else self.start_cards_min

    @property
    def turns_max(self) -> int | None:
        return None if self.time_limit_turns == "none" else self.time_limit_turns


VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets. Append only."""
