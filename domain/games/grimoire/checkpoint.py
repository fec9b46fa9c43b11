"""The check: state-based changes, then the queued effects one by one. Also the resolution of played spells."""

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.effects.leaving import depart
from domain.games.grimoire.effects.losing import beat
from domain.games.grimoire.effects.moves import hurt
from domain.games.grimoire.effects.triggers import generate, unspent
from domain.games.grimoire.layers import note_lethal, weigh_dealt
from domain.games.grimoire.notions import ObjectSnapshot, Standing
from domain.games.grimoire.permission import forbidden
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.targeting import legal_target
from domain.games.grimoire.values import STEADY, deals, is_same_in_play, kills, lethal, standing
from domain.law.clause import carries
from domain.law.live import Live
from domain.law.noting import note, noting
from domain.parts.asking import ask, next_frame, push
from domain.parts.places import obj
from domain.table import facts as F
from domain.table.table import JUDGE, CardId, Frame, Table, over


def checkpoint(rules: Rules, t: Live) -> None:
    """Push a check unless one is in progress. If it would find nothing, no frame is left on the table."""
    if t.running and any(frame.kind == "check" for frame in t.running):
        return
    if t.waiting or _anything(rules, t):
        push(t, C.CHECK_TIMES, "running", "check", JUDGE, step="line")


def _anything(rules: Rules, t: Table) -> bool:
    """True if a state-based change is due. This runs at every step of a turn. If no effect changes toughness, the
    printed values decide in a single pass."""
    for marks in t.seats.values():
        if S.DRAW_FAILED in marks:
            return True
    objects, pieces, killed = R.objects(t), t.pieces, False
    if not t.effects:
        steady = STEADY[rules.cards]
        for card in objects:
            piece = pieces[card]
            tough = steady[piece.face]
            if tough is None:
                break
            if piece.marks and (hurt := piece.marks.get(S.DAMAGE, 0)) >= tough and kills(rules, hurt, tough):
                killed = True
        else:
            return killed
    now = standing(rules, t)
    changed = "toughness" in now.numbers
    return any(lethal(rules, t, now, card) for card in objects if changed or pieces[card].marks)


@carries(C.ONE_EVENT_GROUP)
def check(rules: Rules, t: Live, process: Frame) -> None:
    gathered = [frame for frame in t.waiting if frame.step == "gathered"]
    if gathered:
        _line(rules, t, process, gathered)
        return
    first = min(t.waiting, key=_place, default=None)
    if (first is None or rules.check_order != "effects_first") and (_states(rules, t)):
        return
    if first is not None:
        t.tell(C.EFFECTS_ONE_BY_ONE, F.Altered(first.id, lane="running", step="perform"))
    else:
        t.tell(C.CHECK_REPEATS, F.Popped(process.id, "done"))


@carries(C.NEW_EFFECTS_LAST)
def _place(effect: Frame) -> tuple[int, int]:
    return R.group_of(effect), R.place_in_line(effect)


@carries(C.ONE_EVENT_GROUP)
def _line(rules: Rules, t: Live, process: Frame, gathered: list[Frame]) -> None:
    """Queue the oldest group of gathered effects, player by player."""
    group = min(map(R.group_of, gathered))
    for seat in R.from_turn_player(t):
        mine = [
            frame for frame in t.waiting if frame.step == "gathered" and R.group_of(frame) == group and frame.by == seat
        ]
        mine.sort(key=lambda one: (R.source_of(one).thing, one.id))
        if len(mine) > 1 and rules.same_controller_order == "choose" and not R.is_out(t, seat):
            frames = tuple(frame.id for frame in mine)
            ask(t, C.GROUP_ORDER, "order_effects", seat, *frames)
            return
        line_up(t, mine)


def line_up(t: Live, effects: list[Frame]) -> None:
    """Append these effects to the queue of their group."""
    for frame in effects:
        group = R.group_of(frame)
        place = 1 + max((R.place_in_line(other) for other in t.waiting if R.group_of(other) == group), default=0)
        t.tell(C.EFFECTS_IN_LINE, F.Altered(frame.id, step="lined", columns=R.at_place(frame, place)))


# -- states -----------------------------------------------------------------------------------------------------------


@carries(C.STATES_TOGETHER, C.BROKEN_JUNKED)
def _states(rules: Rules, t: Live) -> bool:
    """Make all state-based changes at once. Return True if there were any."""
    if noting(t):
        note_lethal(rules, t, standing(rules, t))
    if not _anything(rules, t):
        return False
    now = standing(rules, t)
    dying = _dying(rules, t, now)
    marked = tuple(seat for seat in R.living(t) if R.seat_mark(t, seat, S.DRAW_FAILED))
    for seat in marked:
        t.tell(C.DRAW_FROM_EMPTY, F.Marked(seat, S.DRAW_FAILED, 0))
    losing = {
        seat: C.LETHAL_CHARACTER if lethal(rules, t, now, one) else C.FAILED_DRAW_BEATEN
        for seat in R.living(t)
        if (one := R.character(t, seat)) is not None
        and (seat in marked or lethal(rules, t, now, one))
        and not forbidden(rules, t, now, "be_beaten", one)
    }
    if len(dying) + len(losing) > 1:
        note(t, C.STATES_TOGETHER, *dying, *losing)
    before = t.count
    depart(rules, t, dying, S.JUNKYARD, C.LETHAL_SPELL, broken=True)
    beat(rules, t, losing)
    return t.count > before


def _dying(rules: Rules, t: Table, now: Standing) -> tuple[CardId, ...]:
    return tuple(
        card for card in R.spells(t) if lethal(rules, t, now, card) and not forbidden(rules, t, now, "be_broken", card)
    )


# -- resolution -------------------------------------------------------------------------------------------------------


@carries(C.BROKEN_AFTER_RESOLUTION, C.ILLEGAL_TARGET_SKIPPED, C.TARGET_GONE, C.ON_RESOLUTION)
def resolve(rules: Rules, t: Live, played: Frame) -> None:
    """Collide a played spell with its target, trigger its abilities and return it to the field, spended."""
    spell, target = R.source_of(played), R.aim_of(played)
    one, other = spell.card, target.card
    now, by = standing(rules, t), R.controller(t, one)
    legal = is_same_in_play(t, target) and legal_target(rules, t, now, by, one, other)
    havings = unspent(rules, t, one, ("resolve_self",))
    if legal:
        _collide(rules, t, now, one, other)
    else:
        note(t, C.ILLEGAL_TARGET_SKIPPED, spell, target)
    if rules.break_in_resolution != "after_resolution":
        while _states(rules, t) and not over(t):
            pass
        if over(t):
            return
    stays = is_same_in_play(t, spell)
    if not stays or (
        rules.break_in_resolution == "after_resolution" and noting(t) and lethal(rules, t, standing(rules, t), one)
    ):
        note(t, C.BROKEN_AFTER_RESOLUTION, spell)
    triggers = stays or (rules.break_in_resolution == "after_collision_trigger" and not R.is_out(t, by))
    if triggers and (legal or rules.on_illegal_target != "fizzle"):
        aim = target if legal else R.NO_OBJ
        snapshot = ObjectSnapshot(spell, by, havings)
        generate(rules, t, ("resolve_self",), snapshot, next_frame(t), own=obj(t, one), target=aim)
    if stays:
        t.tell(C.RESOLVED_SPENDED, F.Popped(played.id, "resolved"))
        t.tell(C.RESOLVED_SPENDED, F.Stanced((one,), S.SPENDED))


@carries(C.COLLISION)
def _collide(rules: Rules, t: Live, now: Standing, one: CardId, other: CardId) -> None:
    note(t, C.COLLISION, one, other)
    weigh_dealt(rules, t, now, one)
    if R.on_field(t, other) or rules.character_collision == "mutual":
        weigh_dealt(rules, t, now, other)
    dealt = {other: deals(rules, t, now, one)}
    if R.on_field(t, other):
        dealt[one] = deals(rules, t, now, other)
        hurt(t, dealt, C.SPELLS_STRIKE_BOTH)
    else:
        if rules.character_collision == "mutual":
            dealt[one] = deals(rules, t, now, other)
        hurt(t, dealt, C.CHARACTER_STRUCK)
