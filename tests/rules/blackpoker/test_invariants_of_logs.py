"""The dossier's invariants 17 to 28, of logs and views: both frames, by default readings and by random ones."""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.blackpoker import GAME
from domain.games.blackpoker import actions as A
from domain.games.blackpoker.rules import OPTIONS, Rules
from domain.law.clause import Refusal
from domain.law.driver import Accepted, accepts, decide
from domain.law.entries import tables
from domain.law.rulesets import RulesetError, ruleset, with_settings
from domain.table.draft import Draft
from domain.table.facts import Altered, AnyFact, Moved, Popped, Pushed
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, hidden_faces, view
from domain.table.table import EVERYONE, CardId, Seat, Table, frame
from recorder.simulate import simulate
from tests.laws.samples import SEEDS, Sample, moments, rules_of, sample
from tests.laws.wild import universe, wild
from tests.rules.blackpoker.logs import (
    IMMEDIATE,
    KEY,
    KEYS,
    MAIN,
    SEATS,
    each,
    facts,
    generation,
    quiet,
    row,
    some,
    states,
)


def left_the_field(draft: Draft, fact: AnyFact) -> list[Seat]:
    """Whose next generations a fact calls up: one for each card of the kind that goes from field to grave."""
    if not isinstance(fact, Moved) or not fact.to.endswith(".grave"):
        return []
    pieces = [draft.pieces[card] for card in fact.cards]
    return [p.owner for p in pieces if p.place.endswith((".soldiers", ".bulwarks")) and generation(p.face)]


@each()
def test_invariant_17_one_next_generation_for_each_card_that_left_the_field(seed: int) -> None:
    called: Counter[Seat] = Counter()
    pushed: Counter[Seat] = Counter()
    resolved: Counter[Seat] = Counter()
    last: Draft | None = None
    for _, _, fact, draft in facts(seed):
        called.update(left_the_field(draft, fact))
        if isinstance(fact, Pushed) and fact.frame.kind == "next_generation":
            pushed[fact.frame.by] += 1
            assert pushed[fact.frame.by] <= called[fact.frame.by]
        if isinstance(fact, Popped):
            done = frame(draft, fact.id)
            if done is not None and done.kind == "next_generation":
                resolved[done.by] += 1
        last = draft
    assert last is not None and called == pushed
    open_still = Counter(one.by for one in (*last.waiting, *last.running) if one.kind == "next_generation")
    assert pushed - resolved == open_still and (not open_still or last.result is not None)


@each()
def test_invariant_18_no_next_generation_after_cards_from_elsewhere(seed: int) -> None:
    expected: Counter[Seat] = Counter()
    for _, _, fact, draft in facts(seed):
        if isinstance(fact, Pushed) and fact.frame.kind == "next_generation":
            expected[fact.frame.by] -= 1
            assert expected[fact.frame.by] >= 0, "called up by a card that was not on the field"
        elif not isinstance(fact, Moved):
            assert not +expected, "a card left the field and nothing was called up"
        expected.update(left_the_field(draft, fact))


@each()
def test_invariant_19_attack_and_set_bulwark_keep_to_their_limits(seed: int) -> None:
    rules: Rules = rules_of(KEY, seed)
    limits = {A.Attack: rules.attack_requests_per_turn, A.SetBulwark: rules.set_bulwark_requests_per_turn}
    made = Counter((type(at.action), at.actor, at.before.clock.turn) for at in moments(KEY, seed))
    for (action, _, _), times in made.items():
        assert action not in limits or times <= limits[action]


@each()
def test_invariant_20_immediate_requests_are_never_seen_waiting(seed: int) -> None:
    for table in states(seed):
        if quiet(table):
            assert table.waiting == () and {one.kind for one in table.running} <= {"combat"}


@each()
def test_invariant_21_a_rejection_changes_nothing_and_names_one_clause(seed: int) -> None:
    one, random = sample(KEY, seed), Random(seed)
    for at in some(random, seed, 20):
        before = msgspec.msgpack.encode(at.before)
        for _ in range(20):
            outcome = decide(GAME, one.rules, at.before, *wild(GAME, at.before, random))
            assert msgspec.msgpack.encode(at.before) == before
            if isinstance(outcome, Refusal):
                assert outcome.clause in GAME.rulebook.clauses
                assert [step.clause for step in outcome.trail if not step.holds] == [outcome.clause]


@each()
def test_invariant_22_what_is_legal_is_what_decide_accepts(seed: int) -> None:
    one, random, met = sample(KEY, seed), Random(seed), 0
    for at in some(random, seed, 10):
        for seat in SEATS:
            offered = {template.action for template in GAME.offers(one.rules, at.before, seat)}
            for action_type in GAME.action_types:
                for action in universe(GAME, at.before, seat, action_type, random, 40):
                    allowed = accepts(GAME, one.rules, at.before, seat, action)
                    assert allowed == isinstance(decide(GAME, one.rules, at.before, seat, action), Accepted)
                    assert not allowed or action_type in offered
                    met += allowed
    assert met > 15


@each()
def test_invariant_23_something_is_used_up_by_almost_every_request(seed: int) -> None:
    free = ("end", "attack", "charge", "block", "damage_judge")
    at_request: dict[int, int] = {}
    highest = None
    for _, _, fact, draft in facts(seed):
        if len(draft.pieces) < sum(map(len, sample(KEY, seed).opened.decks.values())):
            continue
        left = sum(2 * len(row(draft, seat, "life")) + len(row(draft, seat, "hand")) for seat in SEATS)
        assert highest is None or left <= highest, "something came back"
        highest = left
        if isinstance(fact, Pushed) and fact.frame.kind in (*IMMEDIATE, *MAIN, "up", "down", "twist", "counter"):
            at_request[fact.frame.id] = left
        if isinstance(fact, Popped) and fact.how == "resolved":
            done = frame(draft, fact.id)
            if done is not None and done.kind in ("draw", "next_generation"):
                assert left < at_request[done.id], f"{done.kind} used up nothing"
    for at in moments(KEY, seed):
        if isinstance(at.action, A.Request) and not isinstance(at.action, A.End | A.Attack):
            assert str(type(at.action).__struct_config__.tag) not in free
            assert potential(at.after) < potential(at.before)


def potential(table: Table) -> int:
    return sum(2 * len(row(table, seat, "life")) + len(row(table, seat, "hand")) for seat in SEATS)


@each()
def test_invariant_23_turns_are_few_and_every_match_ends(seed: int) -> None:
    played_moments = moments(KEY, seed)
    start = next(at.before for at in played_moments if at.before.clock.phase == "play")
    lives = sum(len(row(start, seat, "life")) for seat in SEATS)
    last = played_moments[-1].after
    assert last.result is not None and last.clock.turn <= lives + 2
    ends = Counter(at.before.clock.turn for at in played_moments if isinstance(at.action, A.End))
    assert set(ends.values()) <= {1}
    drawn = Counter(str(clause) for at in played_moments for clause, fact in at.entry.told if isinstance(fact, Moved))
    assert drawn["BP-7.8"] >= last.clock.turn - 2, "each turn but the first and perhaps the last draws"


def test_invariant_24_the_loser_has_no_life_unless_somebody_decided_so() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(40):
        rules = rules_of(KEY, seed)
        entries = simulate(GAME, rules, seed, concede=0.01)
        *_, (_, _, _, last) = tables(entries)
        result = last.result
        assert result is not None and len(result.winners) == 1
        (winner,) = result.winners
        (loser,) = (seat for seat in SEATS if seat != winner)
        reasons[result.reason] += 1
        if result.reason == "life":
            assert not row(last, loser, "life")
            assert row(last, winner, "life") or winner != last.clock.active
    assert set(reasons) == {"life", "concede"}


@each()
def test_invariant_25_deciding_again_gives_the_same_facts_byte_for_byte(seed: int) -> None:
    one = sample(KEY, seed)
    again = simulate(GAME, one.rules, seed)
    assert msgspec.msgpack.encode(again) == msgspec.msgpack.encode(one.entries)
    for at in moments(KEY, seed):
        outcome = decide(GAME, one.rules, at.before, at.actor, at.action)
        assert isinstance(outcome, Accepted)
        assert msgspec.msgpack.encode(outcome.told) == msgspec.msgpack.encode(at.entry.told)


@each()
def test_invariant_26_a_view_holds_only_what_its_viewer_may_see(seed: int) -> None:
    one, random = sample(KEY, seed), Random(seed)
    physics = Physics(one.opened.schema)
    for at in some(random, seed, 20):
        table = at.after
        for viewer in (*SEATS, SPECTATOR):
            seen = view(physics, table, viewer)
            for place in seen.places:
                whose, _, area = place.place.partition(".")
                known = [card.face for card in place.cards if card.face is not None]
                told_of = [c for c in table.places.get(place.place, ()) if _shown(table, viewer, c)]
                if area == "life":
                    assert len(known) == len(told_of)
                    assert viewer == whose or (place.count is None) == (len(row(table, whose, area)) >= _below(one))
                elif area == "hand" and viewer != whose:
                    assert len(known) == len(told_of) and place.count == len(row(table, whose, area))
                elif area == "bulwarks" and viewer != whose:
                    open_ones = {card for card in row(table, whose, area) if table.pieces[card].up}
                    assert len(known) == len(open_ones | set(told_of))
                elif area == "grave" and viewer != whose:
                    assert len(known) <= 1 and place.count is None
            hidden = list(hidden_faces(physics, table, viewer))
            faces = [table.pieces[card].face for card in hidden]
            random.shuffle(faces)
            swapped = {c: replace(table.pieces[c], face=face) for c, face in zip(hidden, faces, strict=True)}
            other = replace(table, pieces={**table.pieces, **swapped})
            assert msgspec.json.encode(view(physics, other, viewer)) == msgspec.json.encode(seen)


def _shown(table: Table, viewer: Seat, card: CardId) -> bool:
    return EVERYONE in table.pieces[card].seen or viewer in table.pieces[card].seen


def _below(one: Sample) -> int:
    threshold: int = one.rules.life_public_threshold
    return threshold


@each()
def test_invariant_27_the_top_of_a_grave_is_one_of_the_last_batch(seed: int) -> None:
    batches: dict[str, tuple[CardId, ...]] = {}
    for _, _, fact, draft in facts(seed):
        for seat in SEATS:
            grave = row(draft, seat, "grave")
            assert not grave or quiet_top(draft, grave, batches[f"{seat}.grave"])
        if isinstance(fact, Moved) and fact.to.endswith(".grave") and draft.pieces[fact.cards[0]].place != fact.to:
            batches[fact.to] = fact.cards


def quiet_top(draft: Draft, grave: tuple[CardId, ...], batch: tuple[CardId, ...]) -> bool:
    """The top is of the last batch, and seen once nothing is asked about it any more."""
    chosen = draft.pieces[grave[-1]].up or bool(draft.asked) or not draft.clock.awaited
    return grave[-1] in batch and chosen


def test_invariant_28_readings_out_of_reach_in_lite_change_nothing() -> None:
    """They cannot even be set; and what only other formats reach never happens."""
    for option in OPTIONS:
        for value in option.unoffered:
            with pytest.raises(RulesetError, match=r"has no option|is not offered"):
                with_settings(GAME, ruleset(GAME, "8.1-lite-seed"), {option.key: value})
    for seed in SEEDS:
        for _, _, fact, _ in facts(seed):
            assert not (isinstance(fact, Pushed) and fact.frame.kind == "order_triggers")
            assert not (isinstance(fact, Popped) and fact.how == "discarded")


def test_the_samples_hold_what_the_invariants_are_about() -> None:
    kinds: Counter[str] = Counter()
    for seed in SEEDS:
        for _, _, fact, draft in facts(seed):
            if isinstance(fact, Popped):
                done = frame(draft, fact.id)
                kinds[f"{done.kind if done else '?'} {fact.how}"] += 1
            elif isinstance(fact, Altered):
                kinds["altered"] += 1
    wanted = (*KEYS, "up", "down", "twist", "counter", "equip", "summon_hero", "search")
    assert [kind for kind in wanted if not kinds[f"{kind} resolved"]] == []
    assert kinds["up nullified"] + kinds["twist nullified"] + kinds["down nullified"] + kinds["altered"] > 0
