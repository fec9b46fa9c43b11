"""Display of cards and card text: hints, the text at a path, and the layout of marks and keys."""

from typing import Final

from msgspec.structs import replace

from domain.games.grimoire import schema as S
from domain.games.grimoire.actions import Activate
from domain.games.grimoire.cards import POOLS, PRINTED, ability, program, standing_at
from domain.games.grimoire.meaning import COLOURS
from domain.games.grimoire.phrasing import CardSpeech, make_speech
from domain.games.grimoire.rendering import chosen_many, word_ability, word_instruction
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import in_play
from domain.games.grimoire.text import Triggered
from domain.games.grimoire.values import abilities
from domain.law.display import Display
from domain.law.pools import PoolId
from domain.law.slots import Action
from domain.parts.programs import Path
from domain.table.table import Table
from domain.words import Lang


def text(pool: PoolId, face: str, path: Path, lang: Lang) -> str:
    """Return the words of the ability or instruction at a path, or "" if there is none."""
    cards = POOLS.cards_by_pool[pool]
    if face not in cards:
        return ""
    speech = make_speech(lang, cards, cards[face].type)
    for length in range(1, len(path) + 1):
        prefix = path[:length]
        try:
            found_ability = ability(pool, face, prefix)
        except LookupError:
            continue
        if length == len(path):
            return word_ability(found_ability, speech)
        type = speech.type if length == 1 else "object"
        event = found_ability.event if isinstance(found_ability, Triggered) else ""
        speech = replace(speech, type=type, event=event, many=False)
    return _instruction(pool, face, path, speech)


def _instruction(pool: PoolId, face: str, path: Path, speech: CardSpeech) -> str:
    instruction = standing_at(pool, face, path)
    if instruction is None:
        return ""
    many = False
    for length in range(2, len(path) + 1):
        try:
            instructions = program(pool, face, path[:length])
        except LookupError:  # a branch, not an instruction of its own
            continue
        many = chosen_many(instructions[: path[length - 1]], many)
    return word_instruction(instruction, replace(speech, many=many))


def hint(pool: PoolId, t: Table, action: Action, lang: Lang) -> str:
    """Return the text of the ability that the action would activate, or ""."""
    if not isinstance(action, Activate) or not in_play(t, action.object):
        return ""
    object_abilities = abilities(Rules(cards=pool), t, action.object)
    object_ability = next((ability for ability in object_abilities if ability.number == action.ability), None)
    return "" if object_ability is None else text(pool, object_ability.face, object_ability.path, lang)


DISPLAY: Final = Display(
    order=(S.MANA, S.CAPACITY, S.OD, *(S.CHROMA.replace("*", colour) for colour in COLOURS)),
    always=(S.MANA, S.CAPACITY, S.OD),
    flags=(S.DRAW_FAILED, S.OUT, S.HELD, S.TIME, "used.*"),
    passing=(S.REVEAL, S.REMOVED),
    counters=(S.ACTIONS,),
    answers=S.ANSWERS,
    steps={S.TRANCE_CHOICE: "trance_hand"},
    keys={
        "cast": "c",
        "play": "y",
        "activate": "a",
        "od_explosion": "o",
        "pass": "p",
        "trance_hand": "t",
        "trance_buy_draw": "d",
        "trance_buy_bookmark": "b",
        "trance_skip": "s",
    },
)
"""`pass` has the key `p` in every game, so `play` takes its last letter."""

words: Final = PRINTED.words
