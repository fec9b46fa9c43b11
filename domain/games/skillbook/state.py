"""Checks after every group of events: losses, destroyed units, loose binds."""

from domain.games.skillbook import board as B, clauses as C, schema as S, table_queries as R
from domain.games.skillbook.effects.damage import destroy_unordered, fatally_hurt, vulnerable_units
from domain.games.skillbook.effects.zones import ask_order, put_in_graveyards
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import EffectsInForce, flies
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.table.facts import Finished, Marked
from domain.table.table import CardId, Result, Seat, Table


def is_round_due(t: LiveTable) -> bool:
    """True if a round of checks can find something: a card changed, an effect lasts, or a unit is vulnerable."""
    return t.cards_changed or bool(t.effects)


def check_round(rules: Rules, t: LiveTable) -> bool:
    """Run one round of checks. Return True if it changed anything.

    After a round that found nothing, the next is due only after a change of cards. While a unit is vulnerable it stays
    due, because changes of a battle or an effect matter too.
    """
    if t.clock.phase == S.SET_UP and t.clock.step != S.OPENING:
        return False
    units = R.units(rules, t)
    if _finish_if_lost(rules, t, units, books=rules.book_out_check == "immediate"):
        return True
    vulnerable, ignoring = vulnerable_units(rules, t, units), _units_ignoring_terrain(t, units)
    fallen = fatally_hurt(rules, t, vulnerable)
    changed = rules.damage_model != "accumulate" and _forget_damage(rules, t, fallen)
    loose = [bind for bind in R.binds(t) if _is_loose(t, bind)]
    landed = _find_landed_units(rules, t, ignoring)
    if landed:
        t.emit(C.TERRAIN_IGNORED, Marked(landed, S.IGNORES, 0))
    if fallen or loose:
        buried = destroy_unordered(rules, t, fallen, C.DESTROYED_AT_DF)
        put_in_graveyards(t, loose, C.BIND_FALLS)
        ask_order(t, (*buried, *loose))
    changed = bool(changed or fallen or loose or landed)
    t.cards_changed = bool(changed or vulnerable or ignoring)
    return changed


def _is_loose(t: Table, bind: CardId) -> bool:
    host = t.pieces[bind].host
    return not (R.is_unit(t, host) or R.is_terrain(t, host))


def _forget_damage(rules: Rules, t: LiveTable, fallen: list[CardId]) -> bool:
    """Clear damage that did not destroy, if damage does not accumulate."""
    hurt = tuple(
        unit
        for unit in R.units(rules, t)
        if unit not in fallen and R.mark(t, unit, S.DAMAGE) and not R.is_hero(rules, t, unit)
    )
    if hurt:
        t.emit(C.DESTROYED_AT_DF, Marked(hurt, S.DAMAGE, 0))
    return bool(hurt)


def _units_ignoring_terrain(t: Table, units: tuple[CardId, ...]) -> list[CardId]:
    pieces = t.pieces
    return [unit for unit in units if S.IGNORES in pieces[unit].marks]


def _find_landed_units(rules: Rules, t: Table, ignoring: list[CardId]) -> tuple[CardId, ...]:
    """Return the units that no longer fly and so can no longer ignore their terrain."""
    effects = EffectsInForce(rules, t)
    return tuple(unit for unit in ignoring if not flies(rules, t, effects, unit))


# -- losses -----------------------------------------------------------------------------------------------------------


@implements(C.SURVIVOR_WINS)
def check_losses(rules: Rules, t: LiveTable, *, books: bool) -> bool:
    """Finish the match if a player has lost. Return True if so."""
    return _finish_if_lost(rules, t, R.units(rules, t), books=books)


def _finish_if_lost(rules: Rules, t: LiveTable, units: tuple[CardId, ...], *, books: bool) -> bool:
    fallen = [hero for hero in R.heroes(rules, t, units) if R.hp(rules, t, hero) <= 0]
    out = [seat for seat in R.SEATS if not R.book(t, seat)] if books else []
    if not fallen and not out:
        return False
    dead = [seat for seat in R.SEATS if any(R.owner(t, hero) == seat for hero in fallen)]
    losers = {*dead, *out}
    if len(dead) == len(R.SEATS):
        _end(t, C.BOTH_HEROES_DEAD, (), "heroes")
    elif len(losers) == len(R.SEATS):
        _end(t, C.BOTH_LOSE, (), "both")
    elif dead:
        _end(t, C.HERO_DEATH_LOSES, (R.opponent(dead[0]),), "hero")
    else:
        _end(t, C.EMPTY_BOOK_LOSES, (R.opponent(out[0]),), "book")
    return True


def _end(t: LiveTable, because: Clause, winners: tuple[Seat, ...], reason: str) -> None:
    t.emit(because, Finished(Result(winners, reason)))


# -- the judgment step ------------------------------------------------------------------------------------------------


@implements(C.GOAL_LINE, C.JUDGMENT)
def judge(rules: Rules, t: LiveTable) -> None:
    """Check the end conditions of a turn: books (if the rules check them only here), goal lines, time."""
    if rules.book_out_check == "judgment" and check_losses(rules, t, books=True):
        return
    at_goal = [seat for seat in R.SEATS if _is_at_goal(rules, t, seat)]
    if rules.goal_check == "turn_player_only":
        at_goal = [seat for seat in at_goal if seat == t.clock.active]
    if len(at_goal) == len(R.SEATS):
        _end(t, C.BOTH_AT_GOAL, (), "goals")
    elif at_goal:
        _end(t, C.GOAL_WINS, tuple(at_goal), "goal")
    elif t.marks.get(S.TIME_CALLED):
        adjudicate(rules, t)


def _is_at_goal(rules: Rules, t: Table, seat: Seat) -> bool:
    hero = R.hero(rules, t, seat)
    return hero is not None and B.depth(rules, seat, R.square(t, hero)) == rules.size.rows


@implements(C.ADJUDICATION)
def adjudicate(rules: Rules, t: LiveTable) -> None:
    """Decide the match on time, by the first that is unequal: invasion, progress, the rearmost start row, HP lost.

    If neither hero has invaded, the rules may let only HP lost decide.
    """
    depths = {seat: _depth_of(rules, t, seat) for seat in R.SEATS}
    front = rules.own_rows + rules.neutral_rows
    inside = [seat for seat in R.SEATS if depths[seat] > front]
    if len(inside) == 1:
        _end(t, C.INVADER_WINS, (inside[0],), "time")
        return
    if inside or rules.adjudication_neither_invaded == "progress":
        for because, scores in (
            (C.FURTHER_WINS, depths),
            (C.STARTED_BEHIND_WINS, {seat: -R.seat_mark(t, seat, S.START_ROW) for seat in R.SEATS}),
        ):
            leader = _leader(scores)
            if leader is not None:
                _end(t, because, (leader,), "time")
                return
    leader = _leader({seat: -_hp_lost(rules, t, seat) for seat in R.SEATS})
    if leader is None:
        _end(t, C.ADJUDICATED_DRAW, (), "time")
    else:
        _end(t, C.LESS_LIFE_LOST_WINS, (leader,), "time")


def _depth_of(rules: Rules, t: Table, seat: Seat) -> int:
    hero = R.hero(rules, t, seat)
    return 0 if hero is None else B.depth(rules, seat, R.square(t, hero))


def _hp_lost(rules: Rules, t: Table, seat: Seat) -> int:
    hero = R.hero(rules, t, seat)
    return 0 if hero is None else R.printed(rules, t, hero).df - R.hp(rules, t, hero)


def _leader(scores: dict[Seat, int]) -> Seat | None:
    first, second = R.SEATS
    if scores[first] == scores[second]:
        return None
    return first if scores[first] > scores[second] else second
