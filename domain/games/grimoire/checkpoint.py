"""The check (state-based changes, then queued effects one by one) and the resolution of played spells."""

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.effects.leaving import leave_field
from domain.games.grimoire.effects.losing import beat
from domain.games.grimoire.effects.moves import deal_damage
from domain.games.grimoire.effects.triggers import push_triggered_effects, unspent_abilities
from domain.games.grimoire.layers import note_lethal, weigh_dealt
from domain.games.grimoire.notions import EffectsInForce, ObjectSnapshot
from domain.games.grimoire.permission import is_forbidden
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.targeting import is_legal_target
from domain.games.grimoire.values import (
    FIXED_TOUGHNESS,
    dealt_damage,
    effects_in_force,
    is_lethal,
    is_lethal_damage,
    is_same_in_play,
)
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts.asking import ask, next_frame, push
from domain.parts.places import obj
from domain.table import facts as F
from domain.table.table import JUDGE, CardId, Frame, Table, is_over


def push_check(rules: Rules, t: LiveTable) -> None:
    """Push a check, unless one is in progress or nothing is due."""
    if t.running and any(frame.kind == "check" for frame in t.running):
        return
    if t.waiting or _is_change_due(rules, t):
        push(t, C.CHECK_TIMES, "running", "check", JUDGE, step="line")


def _is_change_due(rules: Rules, t: Table) -> bool:
    """True if a state-based change is due. This runs at every step, so it uses printed toughness where it can."""
    for marks in t.seats.values():
        if S.DRAW_FAILED in marks:
            return True
    objects, pieces, killed = R.objects(t), t.pieces, False
    if not t.effects:
        steady = FIXED_TOUGHNESS[rules.cards]
        for card in objects:
            piece = pieces[card]
            printed_toughness = steady[piece.face]
            if printed_toughness is None:
                break
            if (
                piece.marks
                and (damage := piece.marks.get(S.DAMAGE, 0)) >= printed_toughness
                and is_lethal_damage(rules, damage, printed_toughness)
            ):
                killed = True
        else:
            return killed
    effects = effects_in_force(rules, t)
    changed = "toughness" in effects.numbers
    return any(is_lethal(rules, t, effects, card) for card in objects if changed or pieces[card].marks)


@implements(C.ONE_EVENT_GROUP)
def check(rules: Rules, t: LiveTable, process: Frame) -> None:
    gathered = [frame for frame in t.waiting if frame.step == "gathered"]
    if gathered:
        _queue_group(rules, t, process, gathered)
        return
    first = min(t.waiting, key=_queue_position, default=None)
    if (first is None or rules.check_order != "effects_first") and (_apply_state_changes(rules, t)):
        return
    if first is not None:
        t.emit(C.EFFECTS_ONE_BY_ONE, F.Altered(first.id, lane="running", step="perform"))
    else:
        t.emit(C.CHECK_REPEATS, F.Popped(process.id, "done"))


@implements(C.NEW_EFFECTS_LAST)
def _queue_position(effect: Frame) -> tuple[int, int]:
    return R.group_of(effect), R.place_in_line(effect)


@implements(C.ONE_EVENT_GROUP)
def _queue_group(rules: Rules, t: LiveTable, process: Frame, gathered: list[Frame]) -> None:
    """Queue the oldest group of gathered effects, player by player."""
    group = min(map(R.group_of, gathered))
    for seat in R.from_turn_player(t):
        own_effects = [
            frame for frame in t.waiting if frame.step == "gathered" and R.group_of(frame) == group and frame.by == seat
        ]
        own_effects.sort(key=lambda effect: (R.source_of(effect).thing, effect.id))
        if len(own_effects) > 1 and rules.same_controller_order == "choose" and not R.is_out(t, seat):
            frames = tuple(frame.id for frame in own_effects)
            ask(t, C.GROUP_ORDER, "order_effects", seat, *frames)
            return
        append_to_queue(t, own_effects)


def append_to_queue(t: LiveTable, effects: list[Frame]) -> None:
    """Append these effects to the queue of their group."""
    for frame in effects:
        group = R.group_of(frame)
        place = 1 + max((R.place_in_line(other) for other in t.waiting if R.group_of(other) == group), default=0)
        t.emit(C.EFFECTS_IN_LINE, F.Altered(frame.id, step="lined", columns=R.at_place(frame, place)))


# -- states -----------------------------------------------------------------------------------------------------------


@implements(C.STATES_TOGETHER, C.BROKEN_JUNKED)
def _apply_state_changes(rules: Rules, t: LiveTable) -> bool:
    """Make all state-based changes at once. Return True if there were any."""
    if collects_notes(t):
        note_lethal(rules, t, effects_in_force(rules, t))
    if not _is_change_due(rules, t):
        return False
    effects = effects_in_force(rules, t)
    dying = _lethal_spells(rules, t, effects)
    failed_draws = tuple(seat for seat in R.living(t) if R.seat_mark(t, seat, S.DRAW_FAILED))
    for seat in failed_draws:
        t.emit(C.DRAW_FROM_EMPTY, F.Marked(seat, S.DRAW_FAILED, 0))
    losing = {
        seat: C.LETHAL_CHARACTER if is_lethal(rules, t, effects, character) else C.FAILED_DRAW_BEATEN
        for seat in R.living(t)
        if (character := R.character(t, seat)) is not None
        and (seat in failed_draws or is_lethal(rules, t, effects, character))
        and not is_forbidden(rules, t, effects, "be_beaten", character)
    }
    if len(dying) + len(losing) > 1:
        note(t, C.STATES_TOGETHER, *dying, *losing)
    before = t.fact_count
    leave_field(rules, t, dying, S.JUNKYARD, C.LETHAL_SPELL, broken=True)
    beat(rules, t, losing)
    return t.fact_count > before


def _lethal_spells(rules: Rules, t: Table, effects: EffectsInForce) -> tuple[CardId, ...]:
    return tuple(
        card
        for card in R.spells(t)
        if is_lethal(rules, t, effects, card) and not is_forbidden(rules, t, effects, "be_broken", card)
    )


# -- resolution -------------------------------------------------------------------------------------------------------


@implements(C.BROKEN_AFTER_RESOLUTION, C.ILLEGAL_TARGET_SKIPPED, C.TARGET_GONE, C.ON_RESOLUTION)
def resolve(rules: Rules, t: LiveTable, played: Frame) -> None:
    """Collide a played spell with its target, trigger its abilities and take it off the stack, spended."""
    spell, target = R.source_of(played), R.aim_of(played)
    card, target_card = spell.card, target.card
    effects, by = effects_in_force(rules, t), R.controller(t, card)
    legal = is_same_in_play(t, target) and is_legal_target(rules, t, effects, by, card, target_card)
    object_abilities = unspent_abilities(rules, t, card, ("resolve_self",))
    if legal:
        _collide(rules, t, effects, card, target_card)
    else:
        note(t, C.ILLEGAL_TARGET_SKIPPED, spell, target)
    if rules.break_in_resolution != "after_resolution":
        while _apply_state_changes(rules, t) and not is_over(t):
            pass
        if is_over(t):
            return
    stays = is_same_in_play(t, spell)
    if not stays or (
        rules.break_in_resolution == "after_resolution"
        and collects_notes(t)
        and is_lethal(rules, t, effects_in_force(rules, t), card)
    ):
        note(t, C.BROKEN_AFTER_RESOLUTION, spell)
    may_trigger = stays or (rules.break_in_resolution == "after_collision_trigger" and not R.is_out(t, by))
    if may_trigger and (legal or rules.on_illegal_target != "fizzle"):
        trigger_target = target if legal else R.NO_OBJ
        snapshot = ObjectSnapshot(spell, by, object_abilities)
        push_triggered_effects(
            rules, t, ("resolve_self",), snapshot, next_frame(t), own=obj(t, card), target=trigger_target
        )
    if stays:
        t.emit(C.RESOLVED_SPENDED, F.Popped(played.id, "resolved"))
        t.emit(C.RESOLVED_SPENDED, F.Stanced((card,), S.SPENDED))


@implements(C.COLLISION)
def _collide(rules: Rules, t: LiveTable, effects: EffectsInForce, spell: CardId, target: CardId) -> None:
    note(t, C.COLLISION, spell, target)
    weigh_dealt(rules, t, effects, spell)
    if R.on_field(t, target) or rules.character_collision == "mutual":
        weigh_dealt(rules, t, effects, target)
    dealt = {target: dealt_damage(rules, t, effects, spell)}
    if R.on_field(t, target):
        dealt[spell] = dealt_damage(rules, t, effects, target)
        deal_damage(t, dealt, C.SPELLS_STRIKE_BOTH)
    else:
        if rules.character_collision == "mutual":
            dealt[spell] = dealt_damage(rules, t, effects, target)
        deal_damage(t, dealt, C.CHARACTER_STRUCK)
