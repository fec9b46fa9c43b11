"""Timed effects of instructions."""

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import timed_effects
from domain.table.facts import Ended
from domain.table.table import CardId, Frame, Seat


@implements(C.DURATIONS)
def begin(
    t: LiveTable,
    frame: Frame,
    kind: str,
    character: CardId | None,
    until: str,
    *,
    numbers: tuple[int, ...] = (),
    words: tuple[str, ...] = (),
    seats: tuple[Seat, ...] = (),
) -> None:
    """Begin an effect that lasts for the battle or the turn. Without a battle, ignore an effect for one."""
    if until == S.BATTLE and R.battle_of(t) is None:
        note(t, C.DURATIONS, R.source_of(frame))
        return
    cards = () if character is None else (character,)
    timed_effects.begin(
        t, C.DURATIONS, frame, kind, cards, until, t.clock.turn, numbers=numbers, words=words, seats=seats
    )


def end_all(t: LiveTable, until: str, clause: Clause) -> None:
    effects = tuple([effect.id for effect in t.effects if effect.until == until])
    if effects:
        t.emit(clause, Ended(effects))
