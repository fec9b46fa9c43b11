"""Display of cards and card text: hints, the text at a path, and the layout of squares, marks and keys."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from domain.games.skillbook import actions as A, board as B, schema as S, text as T
from domain.games.skillbook.cards import POOLS, PRINTED, ability, standing_at
from domain.games.skillbook.phrasing import make_speech
from domain.games.skillbook.rendering import render, word_ability, word_instruction
from domain.games.skillbook.rules import Rules
from domain.law.display import Display, SquareWord
from domain.law.pools import PoolId
from domain.law.slots import Action
from domain.parts.grid import LETTERED
from domain.parts.printed import face_on
from domain.parts.programs import Path
from domain.parts.squares import Square
from domain.parts.wording import capital, load_phrases
from domain.table.table import Place, Table
from domain.words import Lang, Message


def text(pool: PoolId, face: str, path: Path, lang: Lang) -> str:
    """Return the words of the ability or instruction at a path, or "" if there is none."""
    card = POOLS.cards_by_pool[pool].get(face)
    if card is None:
        return ""
    speech = make_speech(lang, POOLS.cards_by_pool[pool], card)
    try:
        return word_ability(ability(pool, face, path), speech)
    except LookupError:
        instruction = standing_at(pool, face, path)
    if instruction is None:
        return ""
    outer = ability(pool, face, path[:-1])
    event = outer.event if isinstance(outer, T.Triggered) else None
    targets = () if isinstance(outer, T.Continuous) else outer.targets
    return capital(word_instruction(instruction, replace(speech, targets=targets, event=event)))


def hint(pool: PoolId, t: Table, action: Action, lang: Lang) -> str:
    """Return the text of the ability or skill that the action would use, or ""."""
    match action:
        case A.UseAbility(source=source, ability=number):
            return text(pool, face_on(t, source), (number,), lang)
        case A.UseSkill(card=card):
            return PRINTED.text_of(pool, t, card, lang, render)
        case _:
            return ""


def square_words(rules: Rules) -> Mapping[Place, tuple[SquareWord, ...]]:
    """Return the area and goal line of each square."""
    squares = {}
    for square in B.board(rules.size):
        areas = [SquareWord("neutral_area")] if B.is_neutral(rules, square) else list(_areas(rules, square))
        lines = (SquareWord("goal_line", seat) for seat in B.SEATS if B.depth(rules, seat, square) == rules.size.rows)
        squares[B.ground_place(square)] = (*areas, *lines)
    return squares


def _areas(rules: Rules, square: Square) -> Iterator[SquareWord]:
    return (SquareWord("area", seat) for seat in B.SEATS if B.depth(rules, seat, square) <= rules.own_rows)


def short(pool: PoolId, face: str, lang: Lang) -> str:
    """Return the short name of a terrain: its elements, with the name or id for special ones."""
    card = POOLS.cards_by_pool[pool].get(face)
    if card is None or card.type not in T.TERRAINS:
        return face
    speech = make_speech(lang, POOLS.cards_by_pool[pool], card)
    elements = " ".join(speech.say(f"element.{element}") for element in card.elements)
    named = f"short.{face}" in load_phrases(__package__)
    name = speech.say(f"short.{face}") if named else face if card.type == "special" else ""
    return f"{name} {elements}".strip()


def figures(marks: Mapping[str, int], read: Mapping[str, int | str]) -> str:
    """Return a hero's HP or another unit's remaining DF, and the SP."""
    if "sp" not in read:
        return ""
    df, damage = read.get("df", 0), marks.get(S.DAMAGE, 0)
    life = f"HP{read['hp']}" if "hp" in read else f"DF{df}" if not damage else f"DF{int(df) - damage}/{df}"
    return f"{life} SP{read['sp']}"


DISPLAY: Final = Display(
    order=(S.DAMAGE, S.HP_LOST, S.MOVED, S.EXPLORED, S.FOUGHT, S.START_ROW),
    flags=(S.IGNORES, S.IN_FORCE, S.RECALLED, S.LAID_OUT, S.TOSS, S.CHARGING, S.TIME_CALLED),
    passing=(S.DRAWN, S.LAYOUT, S.HERO, S.BOUND, S.STACK),
    squares={S.GROUND: LETTERED, S.UNIT: LETTERED},
    known_of=square_words,
    steps={S.LAYING: "lay_out_map", S.HEROES: "place_hero"},
    figures=figures,
    covering=(S.GROUND,),
    keys={
        "use_skill": "s",
        "use_ability": "u",
        "declare_move": "m",
        "move_step": "n",
        "stop_move": "h",
        "start_battle": "b",
        "explore_in_place": "x",
        "end_turn": "e",
        "charge": "c",
        "decline_charge": "d",
        "pass": "p",
    },
)
"""`move_step` has the letter after that of `declare_move`. Marks of a unit's actions show their turn."""


def words(pool: PoolId) -> dict[str, Message]:
    """Return the names of a pool's cards and of the marks for used abilities."""
    phrase = load_phrases(__package__)["used"]
    numbers = range(max(len(card.abilities) for card in POOLS.cards_by_pool[pool].values()))
    used = {S.USED.format(n): Message(phrase.en.format(n=n), phrase.ja.format(n=n)) for n in numbers}
    return {**used, **PRINTED.words(pool)}
