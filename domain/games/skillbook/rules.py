"""Every number and option of Skillbook as one frozen value, and the published rulesets.

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
Seven = Annotated[int, Meta(ge=7, le=7)]
One = Annotated[int, Meta(ge=1, le=1)]
YesNo = Literal["yes", "no"]


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A ruleset. Keys on disk are the dossier's; a default is the behaviour of matches already recorded.

    `neutral_terrains` are the cards of the neutral row from column 1; `cards` is the card pool.
    """

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

    literal_minimum_loses = Says("setup_short_book", "le_min")
    """Does a book of exactly the minimum lose at set-up?"""
    several_starts = Says("start_cards", "one_or_more")
    """May a map hold several start points?"""
    books_checked_at_once = Says("book_out_check", "immediate")
    """Is an empty book looked for after every group?"""
    books_checked_idle = Says("book_out_check", "idle")
    """Is it looked for when nothing is in progress?"""
    books_checked_at_judgment = Says("book_out_check", "judgment")
    """Is it looked for in the judgment step?"""
    books_checked_on_need = Says("book_out_check", "on_need")
    """Does only a draw from an empty book lose?"""
    last_card_stays = Says("pay_last_card", "forbidden")
    """May a cost not take the last card?"""
    charging_needs_hp = Says("charge_at_one_hp", "forbidden")
    """Is charging forbidden to who would die of it?"""
    charging_silences = Says("charging_player_may_respond", "no")
    """May who charged only pass at the turn end?"""
    first_turn_draws = Says("first_turn_draw", "yes")
    """Is a card drawn in turn 1?"""
    resting_counters = Says("resting_may_counter", "yes")
    """May a resting unit counter?"""
    trump_comes_down = Says("draw_rearrange", "always")
    """May the trump go to the table whenever a card is placed?"""
    any_use_at_end = Says("end_start_use", "turn_player_any")
    """May the turn player use anything in the last window of the turn?"""
    effects_end_first = Says("reset_check_between", "yes")
    """Do effects end before damage heals, with a check between?"""
    only_turn_player_reaches = Says("goal_check", "turn_player_only")
    """Is only the turn player's hero looked at on the goal line?"""
    progress_counts_always = Says("adjudication_neither_invaded", "progress")
    """Is progress compared though nobody has invaded?"""
    own_element_is_free = Says("own_element_anywhere", "yes")
    """Are skills of the hero's own element usable anywhere?"""
    oldest_resolves_first = Says("stack_order", "fifo")
    """Does the item declared first resolve first?"""
    responses_resolve_at_once = Says("stack_order", "immediate")
    """Does a response resolve right after its payment?"""
    first_milled_on_top = Says("mill_order", "first_on_top")
    """Does the first card of a payment lie on top?"""
    summoned_active = Says("summoned_unit_state", "active")
    """Does a summoned unit enter active?"""
    summoned_exhausted = Says("summoned_unit_state", "exhausted")
    """Does a summoned unit enter exhausted?"""
    summons_in_own_area = Says("summon_site", "own_area")
    """Does a monster come to any empty square of the own area?"""
    summons_on_own_face_up = Says("summon_site", "own_face_up")
    """Does a monster come to any empty square with an own face-up terrain?"""
    friends_let_pass = Says("blocking", "enemy_only")
    """May own units be passed through?"""
    leaps_over_one = Says("flying_leap", "single")
    """May a leap go over one unit only?"""
    leaps_cost_nothing = Says("flying_leap", "free")
    """Do squares leapt over cost no step?"""
    explorers_fight = Says("explore_then_fight", "yes")
    """May a unit fight after exploring in place?"""
    speed_is_recomputed = Says("sp_recompute", "yes")
    """Do steps left follow the speed during a move?"""
    teleports_arrive = Says("teleport_arrival", "explore_enter", "full_move")
    """Is the destination of a teleport explored and entered?"""
    teleports_are_moves = Says("teleport_arrival", "full_move")
    """Does a teleport count as the move of the turn?"""
    damage_stays = Says("damage_model", "accumulate")
    """Does damage on monsters stay until the turn end?"""
    counters_need_legality = Says("ranged_counter", "full_legality")
    """Must who counters a ranged attack be able to attack in turn?"""
    counters_need_rank = Says("ranged_counter", "ranged_rank")
    """Must who counters a ranged attack be ranged as far?"""
    attacks_follow = Says("attack_target_moved", "continue")
    """Does an attack go on wherever its target is?"""
    paths_are_shortest = Says("line_path", "shortest", "straight")
    """Do lines go by shortest paths only?"""
    paths_are_straight = Says("line_path", "straight")
    """Do lines go straight only?"""

    def __post_init__(self) -> None:
        """A book and a table must be possible. Raises ValueError."""
        if self.book_min > self.book_max:
            raise ValueError(Text("ruleset.range", {"option": "book_min", "other": "book_max"}))
        if self.opening_table > self.table_slots:
            raise ValueError(Text("ruleset.range", {"option": "opening_table", "other": "table_slots"}))

    @cached_property
    def size(self) -> Size:
        """Columns and rows of the board."""
        return Size(self.board_width, 2 * self.own_rows + self.neutral_rows)

    @property
    def start_cards_max(self) -> int:
        """How many start points a map may hold."""
        return self.map_size if self.several_starts else self.start_cards_min

    @property
    def hand_most(self) -> int:
        """How many cards a hand holds."""
        return self.hand_max

    @property
    def charge_loss(self) -> int:
        """The HP that charging takes."""
        return self.charge_hp

    @property
    def melee(self) -> int:
        """How far a normal attack reaches."""
        return self.melee_line

    @property
    def area_rows(self) -> int:
        """How many rows an own area has."""
        return self.own_rows

    @property
    def is_construction_checked(self) -> bool:
        """Are the rules of deck building enforced?"""
        return self.enforce_construction

    @property
    def book_least(self) -> int:
        """How many cards a book holds at least."""
        return self.book_min

    @property
    def heroes_in_deck(self) -> int:
        """How many heroes a deck has."""
        return self.heroes

    @property
    def special_most(self) -> int:
        """How many of one special terrain a map may hold."""
        return self.special_terrain_max

    @property
    def cast_most(self) -> int:
        """How many of one cast card a book may hold."""
        return self.cast_max

    @property
    def name_most(self) -> int:
        """How many cards of one name a book may hold."""
        return self.same_name_max

    @property
    def neutral_height(self) -> int:
        """How many neutral rows there are."""
        return self.neutral_rows

    @property
    def turns_most(self) -> int | None:
        """The turn with which time is called by itself."""
        return None if self.time_limit_turns == "none" else self.time_limit_turns


OPTIONS: Final[tuple[Option, ...]] = (
    Option("setup_short_book", "SB-A01", 1, ("lt_min", "le_min")),
    Option("start_cards", "SB-A02", 1, ("exactly_one", "one_or_more")),
    Option("start_element", "SB-A03", 2, ("none",), ("as_printed",)),
    Option("book_out_check", "SB-A04", 1, ("immediate", "idle", "judgment", "on_need")),
    Option("book_total", "SB-A05", 2, ("pile",), ("all_cards",)),
    Option("pay_last_card", "SB-A06", 1, ("allowed", "forbidden")),
    Option("charge_at_one_hp", "SB-A08", 1, ("allowed", "forbidden")),
    Option("charge_order", "SB-A09", 2, ("sequential",), ("one_group",)),
    Option("end_in_charge_phase", "SB-A11", 2, ("is_charge",), ("may_skip_charge",)),
    Option("charging_player_may_respond", "SB-A12", 1, ("yes", "no")),
    Option("cast_limit", "SB-A13", 2, ("per_name",), ("per_book",)),
    Option("opening_skills", "SB-A15", 2, ("none",), ("fill_table",)),
    Option("first_turn_draw", "SB-A16", 1, ("yes", "no")),
    Option("neutral_face", "SB-A17", 2, ("up",), ("down",)),
    Option("both_short", "SB-A18", 2, ("draw",), ("first_loses",)),
    Option("game_start_order", "SB-A19", 2, ("player_then_owner",), ("first_orders_all",)),
    Option("wasteland_basic", "SB-A96", 2, ("yes",), ("no",)),
    Option("turn_start_order", "SB-A20", 2, ("first_player",), ("turn_player",)),
    Option("trigger_order_elsewhere", "SB-A21", 2, ("turn_player",), ("first_player",)),
    Option("resting_may_counter", "SB-A22", 1, ("yes", "no")),
    Option("draw_rearrange", "SB-A23", 1, ("only_when_full", "always")),
    Option("overflow_may_discard_aura", "SB-A24", 2, ("yes",), ("no",)),
    Option("table_visibility", "SB-A25", 2, ("public",), ("private",)),
    Option("use_from", "SB-A26", 2, ("both",), ("table_only",)),
    Option("end_start_use", "SB-A27", 1, ("responses_only", "turn_player_any")),
    Option("reset_check_between", "SB-A28", 1, ("no", "yes")),
    Option("goal_check", "SB-A29", 1, ("both", "turn_player_only")),
    Option("goal_row", "SB-A30", 2, ("back",), ("front",)),
    Option("time_call", "SB-A31", 2, ("end_of_turn",), ("immediate", "end_of_round")),
    Option("adjudication_neither_invaded", "SB-A32", 1, ("life", "progress")),
    Option("mixed_double_loss", "SB-A34", 2, ("draw",), ("hero_first",)),
    Option("recall_shift", "SB-A99", 2, ("yes",), ("no",)),
    Option("own_element_anywhere", "SB-A35", 1, ("yes", "no")),
    Option("boon_face_down", "SB-A37", 2, ("no",), ("owner",)),
    Option("double_boon_cost", "SB-A38", 2, ("mandatory",), ("optional",)),
    Option("paren_cost", "SB-A39", 2, ("replaces",), ("further_minus_one",)),
    Option("stack_order", "SB-A41", 1, ("lifo", "fifo", "immediate")),
    Option("window_first", "SB-A42", 2, ("non_actor",), ("turn_player",)),
    Option("window_skip", "SB-A44", 2, ("publicly_impossible",), ("never", "if_impossible")),
    Option("triggers_respondable", "SB-A45", 2, ("no",), ("yes",)),
    Option("illegal_target", "SB-A46", 2, ("skip",), ("fizzle_all", "follow")),
    Option("mill_order", "SB-A47", 1, ("last_on_top", "first_on_top")),
    Option("simultaneous_graveyard_order", "SB-A48", 2, ("owner_chooses",), ("board_order",)),
    Option("skill_origin", "SB-A50", 2, ("hero",), ("any_unit",)),
    Option("summoned_unit_state", "SB-A51", 1, ("resting", "active", "exhausted")),
    Option("summon_site", "SB-A52", 1, ("line1_of_hero", "own_area", "own_face_up")),
    Option("summon_explores", "SB-A53", 2, ("no",), ("yes",)),
    Option("blocking", "SB-A54", 1, ("all", "enemy_only")),
    Option("flying_leap", "SB-A55", 1, ("chain", "single", "free")),
    Option("flying_explore_scope", "SB-A56", 2, ("anywhere",), ("opponent_only",)),
    Option("zero_move", "SB-A57", 2, ("no",), ("yes",)),
    Option("explore_then_fight", "SB-A58", 1, ("no", "yes")),
    Option("explore_uses_move", "SB-A59", 2, ("no",), ("yes",)),
    Option("fight_after_move", "SB-A60", 2, ("later_ok",), ("immediately",)),
    Option("fight_after_ready", "SB-A61", 2, ("free",), ("exhausts",)),
    Option("sp_recompute", "SB-A62", 1, ("yes", "no")),
    Option("explore_in_place_scope", "SB-A64", 2, ("any",), ("own",)),
    Option("teleport_arrival", "SB-A65", 1, ("explore_enter", "none", "full_move")),
    Option("teleport_ends_move", "SB-A66", 2, ("yes",), ("no",)),
    Option("ignore_terrain_when", "SB-A67", 2, ("on_entry",), ("always",)),
    Option("ignore_includes_boon", "SB-A68", 2, ("no",), ("yes",)),
    Option("attack_targets", "SB-A69", 2, ("enemy_only",), ("any_other_unit",)),
    Option("damage_model", "SB-A71", 1, ("accumulate", "single")),
    Option("line_start_counts", "SB-A72", 2, ("no",), ("yes",)),
    Option("ranged_min", "SB-A73", 2, ("1",), ("2",)),
    Option("ranged_counter", "SB-A74", 1, ("reach", "full_legality", "ranged_rank")),
    Option("attack_target_moved", "SB-A77", 1, ("cancel", "continue")),
    Option("battle_needs_target", "SB-A78", 2, ("yes",), ("no",)),
    Option("pierced_squares", "SB-A79", 2, ("between",), ("all_passed",)),
    Option("line_path", "SB-A80", 1, ("any_simple", "shortest", "straight")),
    Option("line_blockers", "SB-A81", 2, ("units",), ("units_and_bound_terrain",)),
    Option("recall_destination", "SB-A82", 2, ("hand_first",), ("owner_chooses",)),
    Option("aura_own_slot", "SB-A85", 2, ("reuse",), ("needs_another",)),
    Option("aura_room_when", "SB-A86", 2, ("resolution",), ("declaration",)),
    Option("curse_dispel_cost", "SB-A88", 2, ("printed",), ("use_cost",)),
    Option("dispel_boon", "SB-A89", 2, ("no",), ("yes",)),
    Option("terrain_ability_user", "SB-A91", 2, ("occupant",), ("owner",)),
)
"""The named readings, row by row. Those with one value are fixed here and nowhere else; the law builds it in."""

VERSIONS: Final[dict[str, Rules]] = {"1": Rules()}
"""Published rulesets, append-only."""
