"""Looking for what may have happened in a gap: on matches of every game out of which some actions were cut."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import OpenGap, audit
from domain.judging.audit.bridging import Bridged, Bridging, Ground, Step, Unbridged, Unsearched, bridge
from domain.judging.audit.bridging.alike import Alike
from domain.judging.audit.bridging.wanted import Wanted, start_of
from domain.law import entries as E
from domain.law.clause import BY_HAND, Told
from domain.law.driver import decide
from domain.law.entries import Closed, Gap, Noted, Played, opened_of, tables
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.record import Record, record_of
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.physics import physics_of
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, JUDGE, CardId, Place, Seat, Table
from projections.findings import seen_findings, seen_gaps
from recorder.simulate import simulate
from tests.cli.runs import fine
from tests.cli.test_cli_paper import KANA, match
from verify.perft import moves_of

KEYS = ("blackpoker", "dea", "grimoire", "skillbook")
"""Games with cards enough for a sample to tell something."""
ENTRIES = 70
BOUND = 250
CUTS = 4
"""How many gaps are cut out of a match for each length."""
SEEDS = (1, 2)


@cache
def played(key: str, seed: int) -> Record:
    game = GAMES[key]
    return record_of(game, simulate(Law(game, game.latest), seed, ENTRIES, closing=False))


def ground(record: Record) -> Ground:
    return Ground(record.law, physics_of(record.opened.schema), record.opened)


def cuts(key: str, many: int) -> Iterator[tuple[Ground, Table, Told, list[Played]]]:
    """Some gaps in a match: the table before, what is different behind it, and what happened."""
    for seed in SEEDS:
        record, random = played(key, seed), Random(f"{key} {seed} {many}")
        walk = [(entry, before) for _, entry, before, _ in tables(record.entries) if isinstance(entry, Played)]
        for at in random.sample(range(len(walk) - many), CUTS):
            happened = [entry for entry, _ in walk[at : at + many]]
            told = tuple((BY_HAND, fact) for entry in happened for _, fact in entry.told)
            yield ground(record), walk[at][1], told, happened


def look(where: Ground, before: Table, told: Told, most: int) -> Bridging:
    return bridge(where, before, told, most, tables=BOUND)


def walked(where: Ground, before: Table, steps: tuple[Step, ...]) -> Table:
    """The table behind some steps, each of which the law allows."""
    for step in steps:
        outcome = decide(where.law, before, step.actor, step.action)
        assert isinstance(outcome, Accepted) and outcome.told == step.told
        before = outcome.table
    return before


@pytest.mark.parametrize("many", [1, 2, 3])
@pytest.mark.parametrize("key", KEYS)
def test_what_was_cut_out_of_a_match_is_bridged_by_what_the_law_allows(key: str, many: int) -> None:
    crossed = 0
    for where, before, told, happened in cuts(key, many):
        answer = look(where, before, told, many)
        if isinstance(answer, Unsearched):
            assert answer.why in ("tables", "chance") and (many > 1 or happened[0].actor == CHANCE), happened
            continue
        assert isinstance(answer, Bridged), (happened, answer)
        crossed += 1
        wanted = Wanted(where.physics, before, told)
        assert answer.count >= len(answer.bridges) > 0 and answer.tables <= BOUND
        for each in answer.bridges:
            after = walked(where, before, each.steps)
            assert wanted.reached(after) and wanted.equals(after) == each.exact and each.length <= many
            assert not (each.exact and each.more)
        if answer.only and answer.bridges[0].length == many:
            actions = [(entry.actor, where.law.game.decoder().decode(entry.action)) for entry in happened]
            steps = [(step.actor, step.action) for step in answer.bridges[0].steps]
            assert like(steps) == like(actions), "but for which of like cards was meant"
    assert crossed > CUTS


def wrongs(before: Table, told: Told) -> Iterator[Told]:
    """The same facts with one more that no law of any game leads to."""
    seat = before.seats.keys() and next(iter(before.seats))
    after = fold(before, (fact for _, fact in told))
    yield (*told, (BY_HAND, F.Clocked(replace(after.clock, turn=after.clock.turn + 7))))
    yield (*told, (BY_HAND, F.Marked(seat, "no such mark", 3)))
    for _, fact in told:
        if isinstance(fact, F.Moved) and after.pieces[fact.cards[0]].face is not None:
            yield (*told, (BY_HAND, F.Learned(fact.cards[0], "another face")))
    full = max((place for place in after.places), key=lambda place: len(after.places[place]))
    yield (*told, (BY_HAND, F.Stanced(after.places[full][:1], 9)))


@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("key", KEYS)
def test_what_no_law_leads_to_is_never_bridged(key: str, many: int) -> None:
    certain = 0
    for where, before, told, _ in cuts(key, many):
        for wrong in islice(wrongs(before, told), 3):
            answer = look(where, before, wrong, many)
            assert not isinstance(answer, Bridged), wrong[-1]
            certain += isinstance(answer, Unbridged)
            if isinstance(answer, Unbridged):
                assert answer.most == many and set(answer.never) <= set(wrong)
                assert wrong[-1] in answer.never or not isinstance(wrong[-1][1], F.Clocked)
    assert certain > CUTS


@pytest.mark.parametrize("key", KEYS)
def test_only_one_way_is_claimed_where_all_others_were_tried(key: str) -> None:
    """Against all sequences, written out one by one."""
    claims = 0
    for where, before, told, _ in cuts(key, 2):
        answer = look(where, before, told, 2)
        if not isinstance(answer, Bridged) or not answer.only:
            continue
        claims += 1
        wanted, reads = Wanted(where.physics, before, told), Alike(where.physics, before).reads
        ways = set()
        for first in moves_of(where.law, before):
            after = walk_one(where, before, first)
            if reads(after) == reads(before):
                continue
            if wanted.reached(after):
                ways.add((first,))
            if CHANCE in where.law.awaited(after):
                break
            for second in moves_of(where.law, after):
                behind = walk_one(where, after, second)
                if wanted.reached(behind) and reads(behind) != reads(after):
                    ways.add((first, second))
        else:
            assert len(ways) <= 1 or all(like(way) == like(next(iter(ways))) for way in ways), ways
    assert claims


def walk_one(where: Ground, before: Table, taken: tuple[Seat, object]) -> Table:
    outcome = decide(where.law, before, taken[0], taken[1])  # type: ignore[arg-type]
    assert isinstance(outcome, Accepted)
    return outcome.table


def like(way: Iterable[tuple[Seat, object]]) -> list[tuple[Seat, type]]:
    return [(seat, type(action)) for seat, action in way if seat != CHANCE]


def test_a_gap_of_which_nothing_is_told_needs_no_action() -> None:
    for where, before, _, _ in cuts("blackpoker", 1):
        answer = look(where, before, (), 1)
        assert isinstance(answer, Bridged) and answer.bridges[0].steps == () and answer.bridges[0].exact


def test_a_bridge_is_no_longer_than_so_many_actions() -> None:
    seen = set()
    for where, before, told, _ in cuts("dea", 3):
        for most in (1, 2, 3):
            answer = look(where, before, told, most)
            seen.add(type(answer))
            if isinstance(answer, Bridged):
                assert all(each.length <= most for each in answer.bridges)
    assert seen == {Bridged, Unbridged} or seen == {Bridged, Unbridged, Unsearched}


def test_nothing_is_claimed_where_there_is_too_much_to_look_at() -> None:
    where, before, told, _ = next(cuts("grimoire", 3))
    wrong = next(wrongs(before, told))
    assert bridge(where, before, wrong, 0, tables=30) == Unsearched(30, "tables")


def test_the_end_by_a_judge_is_no_action_of_the_law() -> None:
    where, before, _, _ = next(cuts("blackpoker", 1))
    told = ((BY_HAND, F.Finished(F.Result((), "judge"))),)
    answer = look(where, before, told, 1)
    assert answer == Unsearched(answer.tables, "judge")


# -- what nobody saw --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kana(tmp_path_factory: pytest.TempPathFactory) -> Record:
    store: Path = tmp_path_factory.mktemp("paper") / "s.sqlite"
    fine(store, "paper", "take", KANA)
    loaded = match(store, "table-9")
    return Record(loaded.law, loaded.entries)


def gap_of(record: Record) -> tuple[Gap, Table]:
    return next((entry, before) for _, entry, before, _ in tables(record.entries) if isinstance(entry, Gap))


def test_the_gap_of_a_sheet_is_bridged_and_the_bridge_tells_more(kana: Record) -> None:
    entry, before = gap_of(kana)
    answer = look(ground(kana), before, entry.told, entry.most)
    assert isinstance(answer, Bridged) and answer.count == 1 and not answer.only
    (only,) = answer.bridges
    assert [type(step.action).__name__ for step in only.steps] == ["SetBulwark", "ChooseBulwarkCard"]
    assert not only.exact and {fact.name for _, fact in only.more if isinstance(fact, F.Marked)} == {
        "bulwarks_set", "entered",
    }  # fmt: skip


def test_what_a_hand_holds_that_nobody_saw_keeps_from_claiming(kana: Record) -> None:
    entry, before = gap_of(kana)
    answer = look(ground(kana), before, entry.told, 1)
    assert answer == Unsearched(answer.tables, "faces")


def test_which_card_of_a_closed_hand_is_named_makes_no_difference(kana: Record) -> None:
    entry, before = gap_of(kana)
    hand = before.places[Place("p2.hand")]
    (bulwark,) = next(
        fact.cards for _, fact in entry.told if isinstance(fact, F.Moved) and fact.to.endswith("bulwarks")
    )
    others = [card for card in hand if before.pieces[card].face is None and card != bulwark]
    assert others
    for card in others:
        told = (*entry.told[:-1], (BY_HAND, F.Moved((CardId(card),), Place("p2.bulwarks"))))
        answer = look(ground(kana), before, told, entry.most)
        assert isinstance(answer, Bridged) and answer.count == 1


def test_where_a_question_must_be_answered_no_unseen_card_matters(kana: Record) -> None:
    """Whatever Aoi holds: she has only to say which of her cards becomes the bulwark."""
    asked = next(
        (before, after)
        for _, entry, before, after in tables(kana.entries)
        if isinstance(entry, Played) and b"choose_bulwark_card" in bytes(entry.action) and entry.actor == "p1"
    )
    before = asked[0]
    told = ((BY_HAND, F.Moved(before.places[Place("p1.hand")][:1], Place("p1.grave"), up=True)),)
    answer = look(ground(kana), before, told, 1)
    assert isinstance(answer, Unbridged) and answer.tables > 1


def test_a_face_learned_in_the_gap_was_the_same_before(kana: Record) -> None:
    entry, before = gap_of(kana)
    physics = physics_of(kana.opened.schema)
    card = before.places[Place("p2.hand")][0]
    deep = before.places[Place("p2.life")][0]
    told = ((BY_HAND, F.Learned(card, "S7")), (BY_HAND, F.Learned(deep, "S9")), (BY_HAND, F.Identified((), ())))
    start = start_of(physics, before, told)
    assert start.pieces[card].face == "S7", "of a hand it does not matter which card it was"
    assert start.pieces[deep].face is None, "of a pile nobody knows which one"
    assert opened_of(kana.entries) == kana.opened and entry.most == 2


# -- the audit --------------------------------------------------------------------------------------------------------


def cut_out(key: str, wrong: bool) -> tuple[Record, int]:
    """A match that ends with a gap in place of an action; what is told of it is wrong where that is asked for."""
    record = played(key, 1)
    number = [at for at, entry in enumerate(record.entries, start=1) if isinstance(entry, Played)][-6]
    told = tuple((BY_HAND, fact) for _, fact in E.told(record.entries[number - 1]))
    facts = next(wrongs(record.after(number - 1), told)) if wrong else told
    gap = Gap(by="j", reason="cut", most=1, told=facts)
    return record_of(record.game, [*record.entries[: number - 1], gap]), number


@pytest.mark.parametrize("key", sorted(GAMES))
def test_an_audit_finds_the_gap_that_no_law_fills_and_nothing_against_one_that_it_does(key: str) -> None:
    record, _ = cut_out(key, wrong=False)
    sound = audit(record.game, record.entries)
    assert sound.findings == () and sound.gaps == ()
    record, number = cut_out(key, wrong=True)
    result = audit(record.game, record.entries)
    (finding,) = result.findings
    assert (finding.entry, finding.kind, finding.certainty) == (number, "gap", "certain") and result.gaps == ()
    assert finding.clause == record.game.by_hand and finding.extra and isinstance(finding.extra[-1][1], F.Clocked)
    assert "1" in str(finding.detail)
    for entries in (iter(record.entries), (*record.entries, Noted(by="j", text="so it was"))):
        assert [each.kind for each in audit(record.game, entries).findings] == ["gap"]


def test_an_audit_says_of_which_gap_it_claims_nothing(kana: Record) -> None:
    entries = [replace(entry, most=1) if isinstance(entry, Gap) else entry for entry in kana.entries]
    result = audit(kana.game, entries)
    assert [(gap.entry, gap.why) for gap in result.gaps] == [(17, "faces")]
    assert [each.kind for each in result.findings] == [each.kind for each in audit(kana.game, kana.entries).findings]
    assert audit(kana.game, kana.entries).gaps == ()


def test_what_an_audit_says_of_a_gap_is_for_judges_while_the_match_is_played(kana: Record) -> None:
    record, number = cut_out("grimoire", wrong=True)
    result = audit(record.game, record.entries)
    for viewer, shown in ((SPECTATOR, 0), (Seat("p1"), 0), (JUDGE, 1)):
        assert len(seen_findings(record, record.eyes(viewer), record.law, result.findings)) == shown
        assert len(seen_gaps(record, record.eyes(viewer), [OpenGap(number, "faces", 3)])) == shown
    closed = record_of(record.game, [*record.entries, Closed(by="judge", reason="over")])
    (finding,) = seen_findings(closed, closed.eyes(SPECTATOR), closed.law, audit(closed.game, closed.entries).findings)
    assert finding.kind == "gap" and finding.extra == () and finding.detail is None
    branch = record_of(record.game, [replace(record.opened, parent="m"), *closed.entries[1:]])
    assert seen_findings(branch, branch.eyes(SPECTATOR), branch.law, audit(branch.game, branch.entries).findings) == ()
