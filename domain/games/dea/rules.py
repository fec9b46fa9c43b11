"""Every number and option of DEA as one frozen value, and the published rulesets.

An option is compared with its words here and nowhere else: the law asks the questions below.
"""

from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.law.game import Option, Says
from domain.law.pools import FIRST, PoolId
from domain.parts.squares import Size
from domain.words import Text

Natural = Annotated[int, Meta(ge=0, le=999)]
Positive = Annotated[int, Meta(ge=1, le=999)]

MOST_COLUMNS: Final = 26


class Map(Struct, frozen=True):
    """How large a map is: columns, the rows of a home area and those of the centre."""

    columns: int
    home: int
    centre: int


MAPS: Final = {"5x5": Map(5, 2, 1), "5x6": Map(5, 2, 2), "3x5": Map(3, 2, 1), "5x7": Map(5, 2, 3)}
"""The maps by their names."""
HANDS: Final = {"limit5_to5": (5, 5), "limit6_to6": (6, 6), "literal_6": (5, 6)}
"""The hand limit, and the size to which a hand above it is cut."""


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A ruleset. Keys on disk are the dossier's; a default is the behaviour of matches already recorded.

    `map_columns`, `home_rows` and `centre_rows` say themselves how large the map is where they are set; else the preset
    does. The same goes for `hand_limit` and `discard_down_to`, and `hand_cut`. `cards` is the card pool.
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

    reverse_y_is_literal = Says("reverse_y", "literal")
    """Does the reverse Y lead straight back, as the seed prints it?"""
    attacks_spend_moves = Says("attack_uses_move", "yes")
    """Is an attack also the character's move of the turn?"""
    attacks_are_answered = Says("attack_window", "yes")
    """Does a window open between an attack and its damage?"""
    ends_are_answered = Says("end_main_window", "yes")
    """May the other writer act once more when the main phase is to end?"""
    edge_removes = Says("knockback_edge", "removed")
    """Does a knockback off the map remove the blocker?"""
    attacker_returns_anyway = Says("attacker_after_knockback", "return")
    """Does the attacker go back even after a knockback?"""
    victory_at_item_end = Says("victory_check", "end_of_item")
    """Is a resolving item looked at for victory only when it is through?"""
    victory_at_stack_end = Says("victory_check", "end_of_stack")
    """Is victory looked at only when the stack is empty and its automatic effects are done?"""
    line_needs_own_move = Says("line_ep_cause", "own_move_only")
    """Does only an own normal move or attack onto the last line earn its point?"""
    others_only_answer = Says("ntp_initiative", "hook_only")
    """May the other writer only answer?"""
    windows_reopen = Says("stack_resolution", "reopen")
    """Does a window open after each item that was processed?"""
    seal_stops_passives = Says("seal_scope", "all")
    """Does a seal stop passives and what was declared?"""
    opening_scores_late = Says("foreshadow_ep_timing", "resolve")
    """Is the point for opening a foreshadow scored when its item is processed?"""
    foreshadows_open_freely = Says("foreshadow_open", "free")
    """May a foreshadow be opened without its condition, for the point alone?"""
    foreshadows_need_targets = Says("foreshadow_open", "condition_and_target")
    """Does a foreshadow need a legal target to be opened?"""
    fields_replace_late = Says("field_replace", "resolve")
    """Does a new field end the older one only when it is processed?"""
    wearer_at_home = Says("equip_scope", "home_area")
    """Must a wearer stand in the own home area?"""
    every_empty_draw_pays = Says("empty_draw_scope", "any_draw")
    """Is a page gained for every card that cannot be drawn?"""
    effects_before_expiry = Says("down_order", "effects_first")
    """Do end-of-turn effects come before what lasts this turn ends?"""
    life_may_sink = Says("life_payment", "below_zero")
    """May a payment of life go below none?"""
    life_must_stay = Says("life_payment", "keep_one")
    """Must a payment of life leave one?"""
    ep_before_life = Says("simultaneous_win", "ep_first")
    """Do ending points decide before life?"""
    chance_between_life_and_ep = Says("simultaneous_win", "chance")
    """Does chance decide between a life and an ending point condition?"""
    time_is_compared = Says("time_result", "compare")
    """Is a match compared when time is called?"""
    avoided_attacker_returns = Says("blocker_left", "attacker_returns")
    """Does the attacker go back whenever the blocker has left?"""
    occupant_blocks = Says("blocker_left", "occupant_blocks")
    """Does an enemy who stands there instead become the blocker?"""
    first_turn_has_no_pages = Says("first_turn_skips", "pages_and_draw", "pages")
    """Does the first turn give no pages?"""
    first_turn_has_no_draw = Says("first_turn_skips", "pages_and_draw", "draw")
    """Does the first turn give no card?"""

    def __post_init__(self) -> None:
        """The map must hold the characters, and costs and limits must be possible. Raises ValueError."""
        if self.columns * self.home < self.characters_per_plot:
            raise ValueError(Text("ruleset.range", {"option": "characters_per_plot", "other": "home_rows"}))
        if self.ep_conversion_cost > self.page_cap:
            raise ValueError(Text("ruleset.range", {"option": "ep_conversion_cost", "other": "page_cap"}))
        if self.cut_to > self.hand_most and self.hand_cut != "literal_6":
            raise ValueError(Text("ruleset.range", {"option": "discard_down_to", "other": "hand_limit"}))
        if self.opening_pages > self.page_cap:
            raise ValueError(Text("ruleset.range", {"option": "opening_pages", "other": "page_cap"}))

    @property
    def columns(self) -> int:
        """How many columns the map has."""
        return MAPS[self.map_preset].columns if self.map_columns == "preset" else self.map_columns

    @property
    def home(self) -> int:
        """How many rows a home area has."""
        return MAPS[self.map_preset].home if self.home_rows == "preset" else self.home_rows

    @property
    def centre(self) -> int:
        """How many rows lie between the home areas."""
        return MAPS[self.map_preset].centre if self.centre_rows == "preset" else self.centre_rows

    @cached_property
    def size(self) -> Size:
        """Columns and rows of the map."""
        return Size(self.columns, 2 * self.home + self.centre)

    @property
    def ep_price(self) -> int:
        """The pages that an ending point costs."""
        return self.ep_conversion_cost

    @property
    def move_price(self) -> int:
        """The pages that a move or an attack costs, before cards change it."""
        return self.move_cost

    @property
    def attacks_allowed(self) -> int:
        """How many attacks a character has in a turn."""
        return self.attacks_per_character

    @property
    def copies_most(self) -> int:
        """How many cards of one name a plot may hold."""
        return self.copies_per_name

    @property
    def slots(self) -> int:
        """How many foreshadows a writer has."""
        return self.foreshadows_per_plot

    @property
    def pages_most(self) -> int:
        """Above so many pages they are lost."""
        return self.page_cap

    @property
    def pages_least(self) -> int:
        """Pages never fall below that."""
        return self.page_floor

    @property
    def turns_most(self) -> int | None:
        """After how many turns a match is drawn."""
        return None if self.max_turns == "none" else self.max_turns

    @property
    def hand_most(self) -> int:
        """The hand size above which cards are discarded."""
        return HANDS[self.hand_cut][0] if self.hand_limit == "preset" else self.hand_limit

    @property
    def cut_to(self) -> int:
        """The size to which a hand above the limit is cut."""
        return HANDS[self.hand_cut][1] if self.discard_down_to == "preset" else self.discard_down_to


OPTIONS: Final[tuple[Option, ...]] = (
    Option("map_preset", "A-01", 1, ("5x5", "5x6", "3x5", "5x7")),
    Option("first_player_method", "A-02", 2, ("chance_direct",), ("winner_chooses",)),
    Option("hand_cut", "A-03", 1, ("limit5_to5", "limit6_to6", "literal_6")),
    Option("ep_conversion_cost", "A-04", 1, ("8", "7"), numbers=True),
    Option("reverse_y", "A-05", 1, ("corrected", "literal")),
    Option("setup_sharing", "A-06", 2, ("no",), ("yes",)),
    Option("foreshadow_slots", "A-07", 2, ("ordered",), ("unordered",)),
    Option("mulligan", "A-08", 2, ("none",), ("once",)),
    Option("max_life_recomputed", "A-09", 2, ("no",), ("yes",)),
    Option("attack_uses_move", "A-10", 1, ("yes", "no")),
    Option("failed_attack_refund", "A-11", 2, ("none",), ("move", "move_and_page")),
    Option("move_on_stack", "A-12", 2, ("no",), ("yes",)),
    Option("attack_window", "A-13", 1, ("yes", "no")),
    Option("knockback_edge", "A-14", 1, ("blocked", "removed")),
    Option("attacker_after_knockback", "A-15", 1, ("advance", "return")),
    Option("blocked_knockback_damage", "A-16", 2, ("kept",), ("none",)),
    Option("victory_check", "A-17", 1, ("each_instruction", "end_of_item", "end_of_stack")),
    Option("line_ep_cause", "A-18", 1, ("any", "own_move_only")),
    Option("line_ep_during_battle", "A-19", 2, ("settled",), ("at_declaration",)),
    Option("first_turn_effects", "A-20", 2, ("yes",), ("no",)),
    Option("hand_limit_when", "A-21", 2, ("down_phase",), ("always",)),
    Option("ntp_initiative", "A-22", 1, ("anytime", "hook_only")),
    Option("first_hook_right", "A-23", 2, ("opponent",), ("turn_player",)),
    Option("stack_resolution", "A-24", 1, ("batch", "reopen")),
    Option("negatable", "A-25", 2, ("as_printed",), ("any_item",)),
    Option("equipment_as_hook", "A-26", 2, ("yes",), ("no",)),
    Option("convert_in_window", "A-27", 2, ("priority_holder",), ("anyone",)),
    Option("convert_at_cap", "A-28", 2, ("yes",), ("no",)),
    Option("ep_conversion_payment", "A-29", 2, ("declare",), ("resolve",)),
    Option("refund_on_fail", "A-30", 2, ("no",), ("yes",)),
    Option("negated_card_to", "A-31", 2, ("sleeve",), ("hand",)),
    Option("choose_targets", "A-32", 2, ("declare",), ("resolve", "wearer_on_resolve")),
    Option("rechoose", "A-33", 2, ("cells",), ("all", "none")),
    Option("seal_scope", "A-34", 1, ("all", "activated_only")),
    Option("foreshadow_ep_timing", "A-35", 1, ("open", "resolve")),
    Option("foreshadow_open", "A-36", 1, ("condition_only", "free", "condition_and_target")),
    Option("additional_condition", "A-37", 2, ("resolve",), ("declare",)),
    Option("field_replace", "A-38", 1, ("open", "resolve")),
    Option("foreshadow_cost", "A-39", 2, ("none",), ("printed",)),
    Option("opened_foreshadow_to", "A-40", 2, ("slot",), ("sleeve",)),
    Option("equip_scope", "A-41", 1, ("own_side", "home_area")),
    Option("old_equipment_leaves", "A-42", 2, ("resolve",), ("declare",)),
    Option("empty_draw_scope", "A-43", 1, ("up_phase", "any_draw")),
    Option("skipped_draw_page", "A-44", 2, ("no",), ("yes",)),
    Option("auto_order", "A-45", 2, ("turn_player",), ("each_own",)),
    Option("auto_effects", "A-46", 2, ("immediate",), ("stacked",)),
    Option("down_order", "A-47", 1, ("expire_first", "effects_first")),
    Option("hand_check", "A-48", 2, ("turn_player",), ("both",)),
    Option("limit_discard", "A-49", 2, ("sequential",), ("together",)),
    Option("page_clamp", "A-50", 2, ("each_step",), ("net",)),
    Option("life_payment", "A-52", 1, ("to_zero", "below_zero", "keep_one")),
    Option("simultaneous_win", "A-53", 1, ("life_first", "ep_first", "chance")),
    Option("both_six", "A-54", 2, ("higher_then_chance",), ("turn_player", "draw")),
    Option("time_result", "A-55", 1, ("draw", "compare")),
    Option("token_role", "A-56", 2, ("character",), ("no_attack", "marker")),
    Option("token_moves_at_once", "A-57", 2, ("yes",), ("no",)),
    Option("ability_limit", "A-58", 2, ("printed",), ("once_per_turn",)),
    Option("keyword_stacking", "A-59", 2, ("no",), ("yes",)),
    Option("origin_cell", "A-60", 2, ("reserved",), ("free",)),
    Option("blocker_left", "A-61", 1, ("attacker_stays", "attacker_returns", "occupant_blocks")),
    Option("partial_effects", "A-63", 2, ("as_possible",), ("all_or_nothing",)),
    Option("end_main_window", "A-64", 1, ("yes", "no")),
    Option("stat_floor", "A-65", 2, ("0",), ("none",)),
    Option("turn_records", "A-66", 2, ("each_turn",), ("own_turn",)),
    Option("sleeve_face", "A-68", 2, ("up",), ("converted_down",)),
    Option("ep_floor", "A-69", 2, ("0",), ("none",)),
    Option("concede_when", "A-71", 2, ("any",), ("own_turn",)),
    Option("life_loss_is_damage", "A-72", 2, ("no",), ("yes",)),
    Option("effect_move_into_enemy", "A-73", 2, ("illegal",), ("attack",)),
    Option("centre_belongs", "A-74", 2, ("nobody",), ("halves",)),
    Option("field_scope", "A-75", 2, ("per_player",), ("match",)),
    Option("name_scope", "A-76", 2, ("plot",), ("kind",)),
    Option("repetition", "A-77", 2, ("none",), ("threefold_draw",)),
    Option("recheck_condition", "A-81", 2, ("no",), ("yes",)),
    Option("ignore_condition_scope", "A-82", 2, ("use_only",), ("both",)),
    Option("line_ep_rule", "A-83", 2, ("standing",), ("arriving",)),
    Option("move_as_hook", "A-85", 2, ("no",), ("yes",)),
    Option("seal_equipment", "A-86", 2, ("no",), ("yes",)),
    Option("opened_by_effect", "A-88", 2, ("next",), ("window",)),
    Option("forbid_declared", "A-89", 2, ("no",), ("yes",)),
    Option("auto_condition", "A-90", 2, ("when_processed",), ("when_queued",)),
)
"""The named readings, row by row. Those with one value are fixed here and nowhere else; the law builds it in."""

VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets, append-only."""
