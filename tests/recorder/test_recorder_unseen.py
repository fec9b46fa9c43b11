"""Unseen cards: an action is recorded if every possible card gives the same result; nothing is guessed."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging import rejudge
from domain.law.clause import Clause, Refusal
from domain.law.entries import Corrected, Played, opened_of, tables
from domain.law.face_request import FaceRequest
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import make_ruleset
from domain.law.unseen import RealCardAction, count_listed_faces
from domain.law.worlds import Worlds, decide_worlds
from domain.table import facts as F
from domain.table.physics import physics_of
from domain.table.redact import TableViewer
from domain.table.table import Seat
from recorder.answers import RecordResult, Undetermined, Unfit
from recorder.imports import find_fault
from recorder.matches import correct, open_match, report_gap
from recorder.real_cards import decide_unnamed
from recorder.store import Store
from tests.laws.samples import sample
from tests.places import Place
from tests.recorder.test_real_cards import P1, VERSION, bulwark_set, do, faces, match

BP = GAMES["blackpoker"]


@pytest.fixture
def bare(place: Place) -> Iterator[Store]:
    with Store.open(place()) as opened:
        yield opened


@pytest.fixture
def store(bare: Store) -> Store:
    assert open_match(bare, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False) == "m"
    assert isinstance(do(bare, "chance: shuffle_deck p2", "S4", "H10", "C5", "D7"), RecordResult)
    bulwark_set(bare, "?")
    return bare


def turn(store: Store) -> Seat:
    return match(store).table.clock.active


def test_a_card_that_everybody_saw_may_be_one_that_nobody_wrote_down(bare: Store) -> None:
    found = bare
    open_match(found, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
    assert isinstance(do(found, "chance: shuffle_deck p2", "S4", "H10", "C5", "D7"), RecordResult)
    seat = turn(found) or match(found).table.clock.awaited[0]
    assert isinstance(do(found, f"{seat}: set_bulwark"), FaceRequest)
    done = do(found, f"{seat}: set_bulwark", "?")
    assert isinstance(done, RecordResult) and isinstance(done.entry, Played)
    assert not any(isinstance(fact, F.Identified) for _, fact in done.entry.told), "nothing assumed is written"
    assert faces(found, f"{seat}.grave")[-1] is None


def thing(store: Store, place: str) -> str:
    table = match(store).table
    return f"u{table.pieces[table.places[place][-1]].thing}"  # type: ignore[index]


def summon(store: Store) -> None:
    bulwark = thing(store, "p2.bulwarks")
    key = f"p2: summon_soldier keys=? bulwarks={bulwark}"
    assert isinstance(do(store, key), FaceRequest) and isinstance(do(store, key, "?"), FaceRequest)
    done = do(store, key, "?", "?")
    assert isinstance(done, RecordResult) and isinstance(done.entry, Played)
    assert not done.entry.violations and not any(isinstance(fact, F.Identified) for _, fact in done.entry.told)
    assert isinstance(do(store, "p2: pass"), RecordResult) and isinstance(do(store, "p1: pass", "?"), RecordResult)


def test_what_every_world_that_allows_it_leads_to_is_recorded(store: Store) -> None:
    assert turn(store) == "p2"
    summon(store)
    assert faces(store, "p2.soldiers")[-1] is None


def test_what_no_world_allows_is_refused_by_the_clause_they_share(store: Store) -> None:
    bulwark = thing(store, "p2.bulwarks")
    refused = do(store, f"p2: summon_soldier keys=?,? bulwarks={bulwark}", "?", "?", "?")
    assert isinstance(refused, Refusal) and refused.clause == "BP-5.8"
    played = do(store, f"p2: summon_soldier keys=?,? bulwarks={bulwark}", "?", "?", "?", as_played=True)
    assert isinstance(played, RecordResult) and isinstance(played.entry, Played)
    assert played.entry.violations == ("BP-5.8",), "all worlds name it, whatever else some of them name"


def test_where_worlds_lead_apart_every_way_is_told_and_nothing_recorded(store: Store) -> None:
    summon(store)
    done = do(store, f"p2: up keys=? discards=? target={thing(store, 'p2.soldiers')}", "?", "?")
    assert isinstance(done, RecordResult), done
    assert isinstance(do(store, "p2: pass"), RecordResult)
    before = match(store).version
    wanted = do(store, "p1: pass")
    assert isinstance(wanted, FaceRequest)
    answer = do(store, "p1: pass", "?", "?")
    assert isinstance(answer, Undetermined) and match(store).version == before
    assert answer.complete and wanted.card in answer.cards
    assert sum(way.worlds for way in answer.ways) == answer.worlds > 1
    assert len({str(way.told) + way.refused for way in answer.ways}) == len(answer.ways) > 1
    assert [way.worlds for way in answer.ways] == sorted((way.worlds for way in answer.ways), reverse=True)
    assert "nothing recorded" in answer.what
    assert isinstance(do(store, "p1: pass", "D3"), RecordResult), "with the face that tells it all is determined"


def test_more_worlds_than_are_tried_are_no_answer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    bulwark = thing(store, "p2.bulwarks")
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", 3)
    before = match(store).version
    answer = do(store, f"p2: summon_soldier keys=? bulwarks={bulwark}", "?", "?")
    assert isinstance(answer, Undetermined) and (answer.complete, answer.worlds) == (False, 3)
    assert match(store).version == before and "combinations were tried" in answer.what


def test_a_face_nobody_saw_that_nothing_shows_is_refused(store: Store) -> None:
    answer = do(store, "p2: pass", "?")
    assert isinstance(answer, Unfit) and answer.what.key == "seen.not_shown"


@pytest.mark.parametrize("key", ["grimoire", "dea", "skillbook"])
def test_where_a_law_looks_at_what_lies_open_a_card_that_comes_to_lie_there_is_tried_with_each_face(key: str) -> None:
    """One card of a dealt match is unknown. At the entry that reveals it, the rules decide with each possible face."""
    one = sample(key, 1)
    opened, physics, law = opened_of(one.entries), physics_of(opened_of(one.entries).schema), Law(one.game, one.rules)
    assert not one.game.asks_open
    tried = 0
    for _, entry, before, after in tables(one.entries[:80]):
        if not isinstance(entry, Played) or entry.actor not in opened.seats:
            continue
        for card in (card for card in before.pieces if card in after.pieces):
            closed, shown = (TableViewer(physics).knows(table, card) for table in (before, after))
            if closed or not shown:
                continue
            unknown = before.with_changes(pieces={**before.pieces, card: replace(before.pieces[card], face=None)})
            action = one.game.decoder().decode(entry.action)
            asked = RealCardAction(law, physics, opened, unknown, entry.actor, action, {})
            worlds = decide_worlds(asked, lambda card: True)
            assert isinstance(worlds, Worlds) and worlds.complete and worlds.cards == (card,)
            right = [world.outcome for world in worlds.worlds if world.faces[card] == before.pieces[card].face]
            assert [type(outcome) for outcome in right] == [Accepted], "among them is what it was"
            answer = decide_unnamed(asked, {card})
            accepted = [world.outcome for world in worlds.worlds if isinstance(world.outcome, Accepted)]
            same = len({str(outcome.told) for outcome in accepted}) == 1
            assert isinstance(answer, Undetermined) and answer.lies_open == same
            assert ("lies open" in str(answer.what)) == same and "were tried" not in str(answer.what)
            tried += 1
        if tried == 3:
            break
    assert tried


def test_a_gap_cannot_finish_what_is_under_way_while_no_player_is_active(bare: Store) -> None:
    open_match(bare, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
    before = bare.read("m")
    refused = report_gap(bare, "m", "judge", "a glass fell over", finished=True)
    assert isinstance(refused, Unfit) and "no player is active" in str(refused.what)
    assert bare.read("m") == before


# -- next generation: only the owner sees the found card --------------------------------------------------------------


def block_soldier(bare: Store) -> Store:
    """Let a soldier attack and a bulwark block; the next pass resolves the Damage judge."""
    law = Law(BP, make_ruleset(BP, "9.2-lite", "full54"))
    assert open_match(bare, law, "9.2-lite", {}, match_id="m", deal=False) == "m"
    lines = ["p2: attack", "p2: pass", "p1: pass", "p2: designate_attackers S5", "p2: pass", "p1: pass"]
    assert isinstance(do(bare, "chance: shuffle_deck p2", "S4", "S5", "C6", "D8"), RecordResult)
    for line in lines:
        assert isinstance(do(bare, line), RecordResult), line
    blocks = f"p1: designate_blockers {thing(bare, 'p1.bulwarks')}>S5"
    assert isinstance(do(bare, blocks), RecordResult) and isinstance(do(bare, "p2: pass"), RecordResult)
    return bare


@pytest.fixture
def blocked(bare: Store) -> Store:
    return block_soldier(bare)


@pytest.mark.parametrize(
    ("shows", "milled"), [(["D7", "?hand"], 1), (["D7,?hand"], 1), (["?hand"], 0), ([*["?grave"] * 9, "?hand"], 9)]
)
def test_a_found_card_is_recorded_by_where_it_went(blocked: Store, shows: list[str], milled: int) -> None:
    graves, hand = len(faces(blocked, "p1.grave")), len(faces(blocked, "p1.hand"))
    done = do(blocked, "p1: pass", "CJ", *shows)
    assert isinstance(done, RecordResult), done
    assert len(faces(blocked, "p1.grave")) == graves + 1 + milled
    assert len(faces(blocked, "p1.hand")) == hand + 1 and set(faces(blocked, "p1.hand")) == {None}
    record = match(blocked)
    assert audit(BP, record.entries).findings == () and find_fault(record.entries) is None
    assert rejudge(BP, record.entries, record.rules).kind == "identical"
    assert parse_notation(write_notation(BP, record.entries), GAMES) == list(record.entries)


def test_an_unseen_card_is_asked_only_where_it_went(blocked: Store) -> None:
    before = match(blocked).version
    asked = do(blocked, "p1: pass", "CJ", "D7")
    assert isinstance(asked, FaceRequest) and asked.purpose == "next_generation"
    answer = do(blocked, "p1: pass", "CJ", "D7", "?")
    assert isinstance(answer, Undetermined) and "`?hand`, `?grave`" in str(answer.what)
    assert answer.unnamed is not None and answer.unnamed.before == ("CJ", "D7")
    assert isinstance(do(blocked, "p1: pass", "CJ", "D7", "?grave"), FaceRequest), "the next card comes"
    later = do(blocked, "p1: pass", "CJ", "?grave", "?")
    assert isinstance(later, Undetermined) and later.unnamed is not None and later.unnamed.before == ("CJ", "?grave")
    for word in ("?life", "?field"):
        assert isinstance(do(blocked, "p1: pass", "CJ", word), Unfit)
    assert match(blocked).version == before


def test_a_found_card_must_be_left_in_the_deck(blocked: Store) -> None:
    seen = [f"{suit}{rank}" for suit in "SHDC" for rank in "AQK"] + ["SJ", "HJ", "DJ"]
    jokers = [face for face in BP.faces() if face not in seen and face[0] not in "SHDC"]
    hand = match(blocked).table.places["p1.hand"]  # type: ignore[index]
    life = match(blocked).table.places["p1.life"][-20:]  # type: ignore[index]
    counts = count_listed_faces(match(blocked).opening, P1)
    left = [*seen, *(face for face in jokers for _ in range(counts[face]))]
    for card, face in zip((*hand, *life), left, strict=False):
        assert isinstance(correct(blocked, "m", "judge", "seen", ((Clause(""), F.Learned(card, face)),)), RecordResult)
    refused = do(blocked, "p1: pass", "CJ", "?hand")
    assert isinstance(refused, Unfit) and refused.what.key == "seen.cannot_go"


def test_a_milled_card_that_turns_out_to_end_the_search_is_found(blocked: Store) -> None:
    assert isinstance(do(blocked, "p1: pass", "CJ", "?grave", "?hand"), RecordResult)
    top = match(blocked).table.places["p1.grave"][-1]  # type: ignore[index]
    for face, clauses in (("D9", []), ("CK", ["BP-7.37"])):
        entries = match(blocked).entries
        late = Corrected(by="judge", reason="seen", told=((Clause(""), F.Learned(top, face)),))
        found = audit(BP, [*entries, late]).findings
        assert [(one.clause, one.certainty) for one in found] == [(clause, "certain") for clause in clauses], face
