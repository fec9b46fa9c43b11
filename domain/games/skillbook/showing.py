"""What is shown of a card and of its text in passing: a whole card, the words an effect or a question comes from."""

from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from domain.games.skillbook import actions as A, schema as S, text as T
from domain.games.skillbook.cards import POOLS, PRINTED, ability, standing_at
from domain.games.skillbook.phrasing import speak
from domain.games.skillbook.rendering import about, render, word_ability, word_instruction
from domain.law.display import Display
from domain.law.pools import PoolId
from domain.law.slots import Action
from domain.parts.grid import LETTERED
from domain.parts.programs import Path
from domain.parts.wording import capital
from domain.table.table import CardId, Table
from domain.words import Lang, Message


def card_lines(pool: PoolId, face: str, lang: Lang) -> tuple[str, ...]:
    """A card as it is printed: its id and name, its values, its text."""
    return PRINTED.lines(pool, face, lang, about, render)


def text(pool: PoolId, face: str, path: Path, lang: Lang) -> str:
    """The ability or instruction at a path, in words; nothing where there is none."""
    card = POOLS.held[pool].get(face)
    if card is None:
        return ""
    speech = speak(lang, POOLS.held[pool], card)
    try:
        return word_ability(ability(pool, face, path), speech)
    except LookupError:
        words = standing_at(pool, face, path)
    if words is None:
        return ""
    around = ability(pool, face, path[:-1])
    event = around.event if isinstance(around, T.Triggered) else None
    targets = () if isinstance(around, T.Continuous) else around.targets
    return capital(word_instruction(words, replace(speech, targets=targets, event=event)))


def hint(pool: PoolId, t: Table, action: Action, lang: Lang) -> str:
    """What would be declared: an ability, or all that a card says."""
    match action:
        case A.UseAbility(source=source, ability=number):
            return text(pool, _face(t, source), (number,), lang)
        case A.UseSkill(card=card):
            held = POOLS.held[pool].get(_face(t, card))
            return "" if held is None else " ".join(render(held, lang, POOLS.held[pool]))
        case _:
            return ""


def _face(t: Table, card: CardId) -> str:
    piece = t.pieces.get(card)
    return "" if piece is None else piece.face or ""


_DISPLAY: Final = Display(
    order=(S.DAMAGE, S.HP_LOST, S.START_ROW),
    flags=(S.MOVED, S.FOUGHT, S.EXPLORED, S.IGNORES, S.IN_FORCE, S.RECALLED, "used.*", S.LAID_OUT, S.TOSS),
    passing=(S.DRAWN, S.LAYOUT, S.HERO, S.STACK),
    squares={S.GROUND: LETTERED, S.UNIT: LETTERED},
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


@cache
def display(pool: PoolId) -> Display:
    """How the game is shown with the cards of a pool."""
    return replace(_DISPLAY, card=partial(card_lines, pool), text=partial(text, pool), hint=partial(hint, pool))


@cache
def words(pool: PoolId) -> dict[str, Message]:
    """What the cards of a pool are called."""
    return PRINTED.words(pool)
