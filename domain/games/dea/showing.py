"""Texts for the display: whole cards, and the words of effects and questions."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from domain.games.dea import actions as A, schema as S, table_queries as R, text as T
from domain.games.dea.cards import POOLS, PRINTED, ability, standing_at
from domain.games.dea.phrasing import card_speech
from domain.games.dea.rendering import render, word_ability, word_instruction
from domain.games.dea.rules import Rules
from domain.games.dea.use_index import printed_use
from domain.law.display import Display, SquareWord
from domain.law.pools import PoolId
from domain.law.slots import Action
from domain.parts.grid import LETTERED, numbered_slots, square_of
from domain.parts.printed import face_on
from domain.parts.programs import Path
from domain.parts.wording import capital, load_phrases
from domain.table.table import Place, Table
from domain.words import Lang, Message


def text(pool: PoolId, face: str, path: Path, lang: Lang) -> str:
    """Return the words of the ability or instruction at a path, '' if there is none."""
    card = POOLS.cards_by_pool[pool].get(face)
    if card is None:
        return ""
    speech = card_speech(lang, POOLS.cards_by_pool[pool], card.type)
    try:
        return word_ability(ability(pool, face, path), speech)
    except LookupError:
        instruction = standing_at(pool, face, path)
    if instruction is None:
        return ""
    parent = ability(pool, face, path[:-1])
    choices = parent.choices if isinstance(parent, T.Use) else ()
    return capital(word_instruction(instruction, replace(speech, choices=choices)))


def hint(pool: PoolId, t: Table, action: Action, lang: Lang) -> str:
    """Return the text that an action would declare: an ability or a whole card."""
    match action:
        case A.UseAbility(character=character, ability=name):
            use = printed_use(pool, face_on(t, character), name)
            return "" if use is None else text(pool, face_on(t, character), (use.place,), lang)
        case A.PlayEvent(card=card) | A.PlayEquipment(card=card) | A.UseForeshadow(card=card):
            return PRINTED.text_of(pool, t, card, lang, render)
        case _:
            return ""


def known_of(rules: Rules) -> Mapping[Place, tuple[SquareWord, ...]]:
    """Return the area of each cell, and the seat whose last line it is."""
    return {cell: (*_areas(rules, cell), *_last_lines(rules, cell)) for cell in R.cells(rules.size)}


def _areas(rules: Rules, cell: Place) -> Iterable[SquareWord]:
    homes = [SquareWord("home_area", seat) for seat in R.SEATS if R.in_home(rules, seat, cell)]
    return homes or [SquareWord("centre")]


def _last_lines(rules: Rules, cell: Place) -> Iterable[SquareWord]:
    row = square_of(cell).row
    return (SquareWord("last_line", seat) for seat in R.SEATS if R.last_line(rules.size, seat) == row)


DISPLAY: Final = Display(
    order=(S.LIFE, S.MAX_LIFE, S.PAGES, S.EP),
    always=(S.LIFE, S.MAX_LIFE, S.PAGES, S.EP),
    flags=("used.*", S.LINE_SCORED, S.TITLED),
    passing=(S.UNPLACED, S.STACK),
    counters=(S.TURNS,),
    squares={S.MAP: LETTERED, S.FORESHADOW: numbered_slots("f")},
    known_of=known_of,
    steps={S.PLACING: "place_character", S.FORESHADOWS: "set_foreshadows"},
    keys={
        "move": "m",
        "attack": "a",
        "use_ability": "u",
        "play_event": "e",
        "play_equipment": "q",
        "use_foreshadow": "f",
        "convert_hand": "h",
        "convert_pages": "c",
        "end_main": "d",
        "pass": "p",
    },
)
"""The key of `end_main` stands for the down phase, which it begins."""


def words(pool: PoolId) -> dict[str, Message]:
    """Return the names of the cards, their abilities, and the marks of used abilities."""
    abilities = (each for card in POOLS.cards_by_pool[pool].values() for each in card.abilities)
    named = {each.name: Message(each.en, each.ja) for each in abilities if each.name and each.en and each.ja}
    phrase = load_phrases(__package__)["used"]
    used = {
        S.USED.format(code): Message(phrase.en.format(name=name.en), phrase.ja.format(name=name.ja))
        for code, name in named.items()
    }
    return {**named, **used, **PRINTED.words(pool)}
