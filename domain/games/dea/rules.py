"""Rulesets of DEA: all numbers and options in one frozen value, and the published versions."""

from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.law.pools import FIRST, PoolId
from domain.parts.squares import Size
from domain.words import Text

Natural = Annotated[int, Meta(ge=0, le=999)]
Positive = Annotated[int, Meta(ge=1, le=999)]

MOST_COLUMNS: Final = 26


class Map(Struct, frozen=True):
    """Size of a map: columns, rows of a home area, and rows of the centre."""

    columns: int
    home: int
    centre: int


MAPS: Final = {"5x5": Map(5, 2, 1), "5x6": Map(5, 2, 2), "3x5": Map(3, 2, 1), "5x7": Map(5, 2, 3)}
HANDS: Final = {"limit5_to5": (5, 5), "limit6_to6": (6, 6), "literal_6": (5, 6)}
"""Hand limit, and the size to which a larger hand is cut."""


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """Ruleset. Keys on disk follow the dossier; each default is the behaviour of matches recorded before the option.

    `map_columns`, `home_rows` and `centre_rows` override the size that `map_preset` gives. `hand_limit` and
    `discard_down_to` override `hand_cut` in the same way. `cards` is the card pool.
    """

    LATER: ClassVar[frozenset[str]] = frozenset(("cards",))

    characters_per_plot: Annotated[int, Meta(ge=1, le=20)] = 5
    character_cost_limit: Natural = 15
    gimmicks_per_plot: Natural = 12
    foreshadows_per_plot: Annotated[int, Meta(ge=0, le=9)] = 3
    copies_per_name: Positive = 1
    map_columns: Annotated[int, Meta(ge=1, le=MOST_COLUMNS)] | Literal["preset"] = "preset"
    home_rows: Annotated[int, Meta(ge=1, le=20)] | Literal["preset"] = "preset"
    centre_rows: Annotated[int, Meta(ge=0, le=20)] | Literal["preset"] = "preset"
    opening_hand: Natural = 4
    opening_pages: Natural = 3
    page_cap: Positive = 8
    page_floor: Annotated[int, Meta(ge=0, le=0)] = 0
    pages_per_turn: Natural = 2
    cards_per_turn: Natural = 1
    first_turn_skips: Literal["pages_and_draw", "pages", "draw", "nothing"] = "pages_and_draw"
    empty_draw_pages: Natural = 1
    move_cost: Natural = 1
    moves_per_character: Natural = 1
    attacks_per_character: Natural = 1
    hand_limit: Natural | Literal["preset"] = "preset"
    discard_down_to: Natural | Literal["preset"] = "preset"
    hand_conversion_pages: Natural = 1
    ep_conversion_cost: Positive = 8
    ep_to_win: Positive = 6
    ep_per_line: Natural = 1
    ep_per_foreshadow: Natural = 1
    fields_per_player: Annotated[int, Meta(ge=1, le=1)] = 1
    equipment_per_character: Annotated[int, Meta(ge=1, le=1)] = 1
    match_minutes: Positive | Literal["none"] = 30
    max_turns: Positive | Literal["none"] = "none"

    map_preset: Literal["5x5", "5x6", "3x5", "5x7"] = "5x5"
    hand_cut: Literal["limit5_to5", "limit6_to6", "literal_6"] = "limit5_to5"
    reverse_y: Literal["corrected", "literal"] = "corrected"
    attack_uses_move: Literal["yes", "no"] = "yes"
    attack_window: Literal["yes", "no"] = "yes"
    knockback_edge: Literal["blocked", "removed"] = "blocked"
    attacker_after_knockback: Literal["advance", "return"] = "advance"
    victory_check: Literal["each_instruction", "end_of_item", "end_of_stack"] = "each_instruction"
    line_ep_cause: Literal["any", "own_move_only"] = "any"
    ntp_initiative: Literal["anytime", "hook_only"] = "anytime"
    stack_resolution: Literal["batch", "reopen"] = "batch"
    seal_scope: Literal["all", "activated_only"] = "all"
    foreshadow_ep_timing: Literal["open", "resolve"] = "open"
    foreshadow_open: Literal["condition_only", "free", "condition_and_target"] = "condition_only"
    field_replace: Literal["open", "resolve"] = "open"
    equip_scope: Literal["own_side", "home_area"] = "own_side"
    empty_draw_scope: Literal["up_phase", "any_draw"] = "up_phase"
    down_order: Literal["expire_first", "effects_first"] = "expire_first"
    life_payment: Literal["to_zero", "below_zero", "keep_one"] = "to_zero"
    simultaneous_win: Literal["life_first", "ep_first", "chance"] = "life_first"
    time_result: Literal["draw", "compare"] = "draw"
    blocker_left: Literal["attacker_stays", "attacker_returns", "occupant_blocks"] = "attacker_stays"
    end_main_window: Literal["yes", "no"] = "yes"
    cards: PoolId = FIRST

    def __post_init__(self) -> None:
        """Raise ValueError if the map cannot hold the characters, or a cost or limit is impossible."""
        if self.columns * self.home < self.characters_per_plot:
            raise ValueError(Text("ruleset.range", {"option": "characters_per_plot", "other": "home_rows"}))
        if self.ep_conversion_cost > self.page_cap:
            raise ValueError(Text("ruleset.range", {"option": "ep_conversion_cost", "other": "page_cap"}))
        if self.hand_size_after_cut > self.hand_size_max and self.hand_cut != "literal_6":
            raise ValueError(Text("ruleset.range", {"option": "discard_down_to", "other": "hand_limit"}))
        if self.opening_pages > self.page_cap:
            raise ValueError(Text("ruleset.range", {"option": "opening_pages", "other": "page_cap"}))

    @property
    def columns(self) -> int:
        return MAPS[self.map_preset].columns if self.map_columns == "preset" else self.map_columns

    @property
    def home(self) -> int:
        return MAPS[self.map_preset].home if self.home_rows == "preset" else self.home_rows

    @property
    def centre(self) -> int:
        return MAPS[self.map_preset].centre if self.centre_rows == "preset" else self.centre_rows

    @cached_property
    def size(self) -> Size:
        return Size(self.columns, 2 * self.home + self.centre)

    @property
    def turns_max(self) -> int | None:
        return None if self.max_turns == "none" else self.max_turns

    @property
    def hand_size_max(self) -> int:
        """Hand size above which cards are discarded."""
        return HANDS[self.hand_cut][0] if self.hand_limit == "preset" else self.hand_limit

    @property
    def hand_size_after_cut(self) -> int:
        return HANDS[self.hand_cut][1] if self.discard_down_to == "preset" else self.discard_down_to


VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets, append-only."""
