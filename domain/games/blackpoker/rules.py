"""Rulesets of BlackPoker: all numbers and options in one frozen value, and the published versions."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from domain.games.blackpoker.cards import NUMBER_OF, decks
from domain.law.rulebook import value_text
from domain.words import Text

NEW_CARDS_UNIT: Final = "unit_of_new_cards"

SmallCount = Annotated[int, Meta(ge=0, le=54)]
Frame = Literal["entry20", "full54", "entry16"]

KEYS_OF_TWO_WORDS: Final = ("grave_top", "pass_record", "set_bulwark")


def key(name: str) -> str:
    """Return an option's key on disk: its subject, a dot, the rest."""
    subject = next((prefix for prefix in KEYS_OF_TWO_WORDS if name.startswith(prefix)), name.partition("_")[0])
    return subject + name[len(subject) :].replace("_", ".", 1)


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=key):
    """Ruleset. Keys on disk follow the dossier; each default is the behaviour of matches recorded before the option.

    The keys of `LATER` are younger than those matches. At its default such a key is omitted from records and hashes.
    """

    LATER: ClassVar[frozenset[str]] = frozenset((
        "winner.both_zero", "attack.empty_chain", "fog.enabled", "sickness.model", "equip.consecutive",
        "judge.smaller_dies",
    ))  # fmt: skip

    frame: Frame = "entry20"
    deck_list: tuple[str, ...] = field(default_factory=lambda: decks()["entry20"])
    deck_jokers_max: SmallCount = 2
    setup_hand_size: SmallCount = 7
    setup_first_player_draw: SmallCount = 1
    hand_limit: SmallCount = 7
    draw_mandatory: SmallCount = 1
    draw_optional: Annotated[int, Meta(ge=0, le=1)] = 1
    draw_mode: Literal["one_plus_optional", "two_or_one"] = "one_plus_optional"
    draw_low_life: SmallCount = 2
    attack_requests_per_turn: SmallCount = 1
    set_bulwark_requests_per_turn: SmallCount = 1
    counter_max_keys: SmallCount = 2
    life_public_threshold: SmallCount = 10
    block_controller: Literal["turn_player", "defender"] = "turn_player"

    throwing_damage_suit: Literal["club", "spade"] = "club"
    fog_end_scope: Literal["own_card_inert", "own_card_active", "all"] = "own_card_inert"
    pass_record_reset: Literal["on_request_and_resolution", "on_request_only"] = "on_request_and_resolution"
    chance_after_request: Literal["keep", "to_opponent"] = "keep"
    judge_unblocked_snapshot: Literal["at_start", "at_step3"] = "at_start"
    equip_arrival: Literal["keep", "reset"] = "keep"
    preset_bulwark_face: Literal["hidden", "shown_then_down", "up"] = "hidden"
    preset_soldier_can_attack_turn1: bool = True
    cost_last_life: Literal["allowed_check_later", "immediate_loss", "forbidden"] = "allowed_check_later"
    block_mandatory: bool = False
    block_mixed: bool = False
    block_exclusive: bool = True
    judge_compare: Literal["size", "printed"] = "size"
    twist_choose: Literal["at_resolution", "at_request"] = "at_resolution"
    counter_number_check: Literal["at_resolution", "at_request"] = "at_resolution"
    counter_own_requests: bool = True
    equip_stance: Literal["keep", "charge"] = "keep"
    armed_haste_from: Literal["any_card", "last_card"] = "any_card"
    attack_designate: Literal["at_resolution", "at_request"] = "at_resolution"
    combat_role_lost_by_stance: bool = False
    attack_empty: Literal["legal", "illegal"] = "legal"
    grave_top: Literal["owner_choice", "auto_last"] = "owner_choice"
    chance_after_trigger: Literal["flow", "opponent_of_controller"] = "flow"

    winner_both_zero: Literal["turn_player_loses", "draw"] = "turn_player_loses"
    attack_empty_chain: bool = False
    fog_enabled: bool = True
    sickness_model: Literal["arrived_character", "unit_of_new_cards"] = "arrived_character"
    equip_consecutive: bool = False
    judge_smaller_dies: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError if the deck list does not fit the frame, or two options contradict each other."""
        unknown = [face for face in self.deck_list if face not in NUMBER_OF]
        if unknown:
            raise ValueError(Text("ruleset.no_card", {"option": "deck.list", "card": repr(unknown[0])}))
        size = len(decks()[self.frame])
        if len(self.deck_list) != size:
            blanks = {"option": "deck.list", "frame": self.frame, "size": size, "given": len(self.deck_list)}
            raise ValueError(Text("ruleset.deck_size", blanks))
        _check_pair("fog.end_scope", self.fog_end_scope, "own_card_active", "fog.enabled", self.fog_enabled, False)
        _check_pair("equip.arrival", self.equip_arrival, "reset", "sickness.model", self.sickness_model, NEW_CARDS_UNIT)

    @property
    def throwing_suit(self) -> str:
        return "C" if self.throwing_damage_suit == "club" else "S"

    @property
    def equip_resets_arrival(self) -> bool:
        return self.equip_arrival == "reset" and self.sickness_model != NEW_CARDS_UNIT

    @property
    def cost_life_floor(self) -> int:
        return 1 if self.cost_last_life == "forbidden" else 0


def _check_pair(
    option: str, value: object, forbidden: object, other: str, other_value: object, other_forbidden: object
) -> None:
    """Raise ValueError if two options both have their forbidden values, which contradict each other."""
    if value == forbidden and other_value == other_forbidden:
        blanks = {
            "option": option,
            "given": repr(value_text(value)),
            "other": other,
            "value": repr(value_text(other_value)),
        }
        raise ValueError(Text("ruleset.contradiction", blanks))


REGULATIONS: Final[tuple[Frame, ...]] = ("entry20", "full54", "entry16")


def in_regulation(rules: Rules, frame: str) -> Rules:
    """Return the ruleset for another frame, with that frame's deck list."""
    return replace(rules, frame=frame, deck_list=decks()[frame])


RULES_8_1_SEED: Final = Rules()
EIGHT: Final = replace(RULES_8_1_SEED, throwing_damage_suit="spade")
NINE: Final = replace(in_regulation(EIGHT, "entry16"), draw_mode="two_or_one")
NINE_ONE: Final = replace(NINE, fog_end_scope="all")
VERSIONS: Final[dict[str, Rules]] = {
    "8.1-lite-seed": RULES_8_1_SEED,
    "8.1-lite": EIGHT,
    "8.0-lite": EIGHT,
    "8.2-lite": EIGHT,
    "9.0-lite": NINE,
    "9.1-lite": NINE_ONE,
    "9.2-lite": replace(NINE_ONE, block_controller="defender"),
}
"""Published rulesets, append-only, each in its usual frame. Editions that differ only in names have equal values."""

CORRECTED: Final[Mapping[str, Mapping[str, object]]] = {"9.0-lite": {"fog.end_scope": "all"}}
"""Values that a version had when it was first published, and that a later release corrected."""

REGULATIONS_OF: Final[dict[str, tuple[Frame, ...]]] = {
    version: ("entry16" if rules.frame == "entry16" else "entry20", "full54") for version, rules in VERSIONS.items()
}
"""Frames of each edition. The full pack is for tests and belongs to all."""

BEFORE_FOGS: Final[dict[str, object]] = {
    "throwing.damage_suit": "spade",
    "draw.mode": "one_plus_optional",
    "block.controller": "turn_player",
    "fog.enabled": False,
    "fog.end_scope": "own_card_inert",
    "sickness.model": "unit_of_new_cards",
    "equip.arrival": "keep",
    "chance.after_request": "keep",
    "counter.number_check": "at_resolution",
    "attack.empty_chain": False,
    "winner.both_zero": "turn_player_loses",
}
CHANGE_NOTES: Final[Mapping[str, Mapping[str, object]]] = {
    "5.2-lite": BEFORE_FOGS
    | {
        "chance.after_request": "to_opponent",
        "counter.number_check": "at_request",
        "attack.empty_chain": True,
        "winner.both_zero": "draw",
    },
    "6.1-lite": BEFORE_FOGS | {"winner.both_zero": "draw"},
    "6.2-lite": BEFORE_FOGS | {"winner.both_zero": "draw"},
    "7.0-lite": BEFORE_FOGS,
}
"""Known option changes of editions whose decks and set-up are unknown: an overlay on a record's rules, not rulesets."""
