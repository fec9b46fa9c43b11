"""The dossier's invariants 1 to 16, of states: both frames, by default readings and by random ones."""

from collections import Counter
from collections.abc import Iterator

from domain.games.blackpoker import GAME
from domain.games.blackpoker import actions as A
from domain.games.blackpoker import invariants as INV
from domain.games.blackpoker.rules import Rules
from domain.law.driver import accepts
from domain.law.entries import tables, told
from domain.law.invariants import Deed
from domain.table.draft import Draft
from domain.table.facts import Began, Moved, Popped
from domain.table.table import CardId, Effect, Obj, frame
from tests.laws.samples import Moment, moments, rules_of, sample
from tests.rules.blackpoker.logs import (
    EVEN,
    KEY,
    SEATS,
    each,
    facts,
    number,
    played,
    quiet,
    row,
    states,
    units,
)


@each()
def test_invariant_01_conservation(seed: int) -> None:
    decks = {seat: sorted(sample(KEY, seed).opened.decks[seat]) for seat in SEATS}
    for _, _, _, draft in facts(seed):
        lying = Counter(card for cards in draft.places.values() for card in cards)
        assert set(lying) == set(draft.pieces) and set(lying.values()) <= {1}
        for place, cards in draft.places.items():
            assert all(draft.pieces[card].place == place for card in cards)
        if len(draft.pieces) == sum(map(len, decks.values())):
            for seat in SEATS:
                held = sorted(piece.face or "" for piece in draft.pieces.values() if piece.owner == seat)
                assert held == decks[seat]


@each()
def test_invariant_02_no_card_lies_in_a_zone_of_the_other(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for _, _, _, draft in facts(seed):
        assert INV.no_card_lies_with_the_other(rules, draft)


LEAVES_LIFE = {
    "BP-3.3", "BP-3.4", "BP-3.5", "BP-3.6", "BP-3.9", "BP-3.10", "BP-5.4", "BP-7.8", "BP-7.9", "BP-7.33", "BP-7.37",
    "BP-7.38", "BP-9.19", "BP-10.6",
}  # fmt: skip
"""Set-up, L, draw, damage, mill, Search."""
IN_COMBAT = {"BP-7.26", "BP-7.27", "BP-7.28", "BP-7.41"}
"""Where the larger side dies, the difference is dealt as the soldiers fall."""


@each()
def test_invariant_03_life_only_shrinks_and_by_known_events(seed: int) -> None:
    known = LEAVES_LIFE | (set() if rules_of(KEY, seed).judge_smaller_dies else IN_COMBAT)
    for _, clause, fact, draft in facts(seed):
        assert INV.life_only_shrinks(rules_of(KEY, seed), draft, clause, fact), f"{clause} puts cards into a life"
        if isinstance(fact, Moved) and any(draft.pieces[card].place.endswith(".life") for card in fact.cards):
            assert clause in known


@each()
def test_invariant_04_one_turn_player_and_one_holder_of_the_chance(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for table in states(seed):
        assert INV.one_holds_the_chance(rules, table)


@each()
def test_invariant_05_only_whoever_is_awaited_has_anything_to_do(seed: int) -> None:
    one, played_moments = played(seed)
    for at in played_moments:
        awaited = GAME.awaited(at.before)
        assert len(awaited) == 1
        for seat in SEATS:
            verbs = {template.action for template in GAME.offers(one.rules, at.before, seat)}
            if seat in awaited:
                asked = [question.kind for question in at.before.asked[:1]]
                wanted = {A.Concede} | {kind for kind in verbs if str(kind.__struct_config__.tag) in asked}
                assert verbs == wanted if asked else A.Pass in verbs
            else:
                assert verbs == {A.Concede}
                tried = (A.Pass(), A.End(), A.Attack(), A.SetBulwark(), A.ChooseSecondDraw())
                assert not any(accepts(GAME, one.rules, at.before, seat, action) for action in tried)


@each()
def test_invariant_06_the_stage_holds_normal_requests_main_ones_lowest(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for _, _, _, draft in facts(seed):
        assert INV.main_requests_lie_lowest(rules, draft)


@each()
def test_invariant_07_at_most_one_basic_action_on_the_stage_and_lowest(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for table in states(seed):
        assert INV.one_basic_action_at_most(rules, table)


@each()
def test_invariant_08_requests_on_the_stage_have_their_key_cards(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for table in states(seed):
        assert INV.requests_have_their_keys(rules, table)


@each()
def test_invariant_09_the_pass_record(seed: int) -> None:
    one, played_moments = played(seed)
    for at in played_moments:
        deed = Deed(at.actor, at.action, at.entry.told, at.before, at.after)
        assert INV.passes_are_recorded_once(one.rules, at.after)
        assert INV.a_request_clears_the_passes(one.rules, deed)
        assert INV.two_passes_in_a_row_resolve(one.rules, deed)


@each()
def test_invariant_10_bulwarks_are_single_and_down_soldiers_up_and_of_one_suit(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for table in states(seed):
        assert INV.the_field_is_in_order(rules, table)


@each()
def test_invariant_11_size_is_the_printed_numbers_and_the_fogs_that_count(seed: int) -> None:
    """Recomputed from every fog ever begun, without the table's own list of effects."""
    one, compared = sample(KEY, seed), 0
    begun: list[Effect] = []
    for _, entry, _, table in tables(one.entries):
        for _, fact in told(entry):
            if isinstance(fact, Began):
                assert fact.effect.since == table.clock.turn
                begun.append(fact.effect)
        read = {r.card: r.value for r in GAME.readings(one.rules, table) if r.name == "size"}
        for seat in SEATS:
            for lowest, cards in units(table, seat).items():
                fogs = [fog for fog in begun if fog.on == (Obj(lowest, table.pieces[lowest].thing),)]
                if one.rules.fog_end_scope == "own_card_active":
                    counting = [fog for fog in fogs if table.pieces[fog.source.card].thing == fog.source.thing]
                else:
                    counting = [fog for fog in fogs if fog.since == table.clock.turn]
                size = sum(number(table.pieces[card].face or "") for card in cards)
                assert read[lowest] == size + sum(fog.numbers[0] for fog in counting)
                compared += 1
    assert compared


@each()
def test_invariant_12_down_kills_or_leaves_something_and_a_fog(seed: int) -> None:
    one, played_moments = played(seed)
    for at in played_moments:
        resolved = {fact.id for _, fact in at.entry.told if isinstance(fact, Popped) and fact.how == "resolved"}
        for request in at.before.stack:
            if request.kind != "down" or request.id not in resolved:
                continue
            (aimed,) = request.objs
            before = at.before.pieces[aimed.card]
            if before.thing != aimed.thing:
                continue
            seat = request.by
            fogs = len(row(at.after, seat, "fog")) - len(row(at.before, seat, "fog"))
            read = {r.card: r.value for r in GAME.readings(one.rules, at.after) if r.name == "size"}
            gone = at.after.pieces[aimed.card].place.endswith(".grave")
            assert (gone and fogs == 0) or (fogs == one.rules.fog_enabled and int(read[aimed.card]) >= 1)


@each(EVEN)
def test_invariant_12_every_soldier_has_a_size_of_one_or_more(seed: int) -> None:
    for table in states(seed):
        if quiet(table):
            sizes = [int(r.value) for r in GAME.readings(rules_of(KEY, seed), table) if r.name == "size"]
            assert min(sizes, default=1) >= 1


@each()
def test_invariant_13_hearts_raise_spades_lower_by_their_number(seed: int) -> None:
    rules = rules_of(KEY, seed)
    for table in states(seed):
        assert INV.fogs_count_their_number(rules, table)


def designations(seed: int) -> Iterator[tuple[Moment, tuple[CardId, ...]]]:
    """The attackers named, by the answer or by the request itself."""
    for at in moments(KEY, seed):
        if isinstance(at.action, A.DesignateAttackers | A.Attack) and at.action.units:
            yield at, at.action.units


@each()
def test_invariant_14_attackers_were_fit_and_are_driven(seed: int) -> None:
    rules: Rules = rules_of(KEY, seed)
    for at, named in designations(seed):
        for card in named:
            piece = at.before.pieces[card]
            cards = units(at.before, at.actor)[card]
            looked_at = cards[-1:] if rules.armed_haste_from == "last_card" else cards
            haste = any((at.before.pieces[one].face or "")[1:] == "A" for one in looked_at)
            entered = piece.marks.get("entered", 0)
            preset_waits = entered == 0 and at.before.clock.turn == 1 and not rules.preset_soldier_can_attack_turn1
            assert piece.stance == 0 and piece.place == f"{at.actor}.soldiers"
            assert haste or (entered != at.before.clock.turn and not preset_waits)
            assert at.after.pieces[card].stance == 1


@each()
def test_invariant_15_blockers_were_fit_and_block_once(seed: int) -> None:
    rules: Rules = rules_of(KEY, seed)
    for at in moments(KEY, seed):
        if not isinstance(at.action, A.DesignateBlockers):
            continue
        blockers = [blocker for blocker, _ in at.action.blocks]
        assert all(at.before.pieces[card].stance == 0 for card in blockers)
        assert all(at.before.pieces[card].owner == at.actor for card in blockers)
        assert len(set(at.action.blocks)) == len(at.action.blocks)
        if rules.block_exclusive:
            assert len(set(blockers)) == len(blockers)
        for blocker, attacker in at.action.blocks:
            if at.before.pieces[blocker].place.endswith(".bulwarks") and not rules.block_mixed:
                assert [of for _, of in at.action.blocks].count(attacker) == 1


@each()
def test_invariant_16_combat_stands_between_attack_and_damage_judge(seed: int) -> None:
    attacked, judged = 0, 0
    for _, _, fact, draft in facts(seed):
        if isinstance(fact, Popped) and fact.how == "resolved":
            done = frame(draft, fact.id)
            assert done is not None
            attacked = draft.clock.turn if done.kind == "attack" else attacked
            judged += done.kind == "damage_judge"
            attacked = 0 if done.kind == "damage_judge" else attacked
        if quiet_draft(draft) and any(one.kind == "combat" for one in draft.running):
            assert attacked == draft.clock.turn


def quiet_draft(draft: Draft) -> bool:
    return bool(draft.clock.awaited) and not draft.asked and draft.result is None
