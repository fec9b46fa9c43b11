"""Matches with real cards: only what the table shows is dictated, and the record knows only that."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.formats.names import RealCards
from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit, fairness
from domain.judging.rejudging import rejudge
from domain.law.clause import Clause, Refusal
from domain.law.entries import Played, Undealt, entry_facts, fold_entries, opened_of
from domain.law.face_request import FaceRequest
from domain.law.game import Deck, decks_of
from domain.law.law import Law
from domain.law.rulesets import make_ruleset
from domain.law.unseen import seen_faces
from domain.table import facts as F
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, CardId, Seat
from projections.seen_entries import seen_entries
from recorder import codec
from recorder.answers import RecordResult, Reused, Undetermined, Unfit
from recorder.branches import Branched, branch
from recorder.imports import find_fault
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import close, correct, open_match, play, rewind
from recorder.simulate import simulate
from recorder.store import Store
from tests.places import Place
from tests.recorder.real_cards import Dictation
from tests.rotation import rotate
from tests.shelves import seen_by

pytestmark = pytest.mark.random

P1, P2 = Seat("p1"), Seat("p2")
BP = GAMES["blackpoker"]
VERSION = "8.1-lite"


@pytest.fixture
def bare(place: Place) -> Iterator[Store]:
    with Store.open(place()) as opened:
        yield opened


def dictation(store: Store, key: str, seed: int, frame: str = "", told: bool = True) -> Dictation:
    """Return a dictation of a simulated match; unless `told`, the decks do not list their cards."""
    game = GAMES[key]
    version = VERSION if game is BP else "1"
    rules = make_ruleset(game, version, frame)
    dealt = simulate(Law(game, rules), seed, closing=False, version=version)
    opened = opened_of(dealt)
    decks = decks_of(opened)
    if not told:
        decks = {
            seat: Deck((one.main[0], *"?" * len(one.main[1:])), tuple("?" * len(one.side)))
            for seat, one in decks.items()
        }
    return Dictation(store, game, rules, dealt, decks)


WHOLE = [
    *((("blackpoker", seed, "entry20", True)) for seed in (0, 1)),
    ("blackpoker", 3, "full54", True),
    ("grimoire", 4, "", True),
    *((("grimoire", seed, "", False)) for seed in (5, 6)),
]


@pytest.mark.parametrize(("key", "seed", "frame", "decks_told"), rotate(WHOLE, 3))
def test_a_whole_match_is_recorded_by_what_the_table_shows(
    bare: Store, key: str, seed: int, frame: str, decks_told: bool
) -> None:
    one = dictation(bare, key, seed, frame, decks_told)
    one.dictate()
    real = one.real
    assert isinstance(real.opening, Undealt) and not real.opening.commitment
    assert real.table.result is not None and real.table.result == fold_entries(one.dealt).result
    assert any(piece.face is None for piece in real.table.pieces.values())
    assert one.named and (one.private == [] or key == "blackpoker")
    assert audit(real.game, real.entries).findings == ()
    assert rejudge(real.game, real.entries, real.rules).kind == "identical"
    assert find_fault(real.entries) is None
    text = write_notation(real.game, real.entries)
    assert parse_notation(text, GAMES) == list(real.entries)
    assert "    = " not in text
    lines = [codec.from_json_line(codec.to_json_line(codec.encode(entry))) for entry in real.entries]
    assert [codec.decode(line) for line in lines] == list(real.entries)


def test_everybody_reads_the_same_timeline_of_real_cards_as_of_dealt_ones(bare: Store) -> None:
    one = dictation(bare, "blackpoker", 1)
    one.dictate()
    there, here = (list(seen_entries(*seen_by(BP, entries, SPECTATOR))) for entries in (one.dealt, one.real.entries))
    for dealt, real in zip(there[1:], here[1:], strict=True):
        assert dealt.facts == real.facts, dealt.number
        assert dealt.action is not None and real.action is not None
        said = tuple(one for one in dealt.action.slots if not one.hidden)
        assert (dealt.action.verb, said) == (real.action.verb, real.action.slots), dealt.number


def test_a_law_asks_for_no_private_face_but_those_next_generation_goes_by(place: Place) -> None:
    private = 0
    for seed in range(3):
        with Store.open(place(str(seed))) as store:
            one = dictation(store, "blackpoker", seed, "full54")
            one.dictate()
            clauses = {clause for entry in one.real.entries for clause, _ in entry_facts(entry)}
        assert not one.private or clauses & {"BP-7.37", "BP-7.38", "BP-7.40", "BP-7.41"}, clauses
        private += len(one.private)
    assert private


# -- one table, action by action --------------------------------------------------------------------------------------


@pytest.fixture
def store(bare: Store) -> Store:
    rules = make_ruleset(BP, VERSION, "entry20")
    assert open_match(bare, Law(BP, rules), VERSION, {}, match_id="m", deal=False) == "m"
    done = do(bare, "chance: shuffle_deck p2", "S4", "H10", "C5", "D7")
    assert isinstance(done, RecordResult)
    return bare


def match(store: Store, name: str = "m") -> LoadedMatch:
    found = load_match(store, name)
    assert isinstance(found, LoadedMatch)
    return found


def do(store: Store, text: str, *shows: str, as_played: bool = False) -> object:
    here = match(store)
    naming = RealCards(Physics(here.opening.schema), {})
    actor, action = parse_action(BP, here.table, text, real=naming)
    return play(store, "m", actor, action, as_played, faces=naming.faces, shows=shows)


def faces(store: Store, place: str) -> list[str | None]:
    table = match(store).table
    return [table.pieces[card].face for card in table.places[place]]  # type: ignore[index]


def test_nobody_deals_and_the_log_knows_no_card(bare: Store) -> None:
    found = bare
    open_match(found, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
    opened = match(found).opening
    assert isinstance(opened, Undealt) and opened.commitment == "" and found.secret("m") is None
    made = [fact for _, fact in opened.told if isinstance(fact, F.Created)]
    assert made and all(face is None for fact in made for face in fact.faces)
    assert opened.decks[P1] == BP.deck(make_ruleset(BP, VERSION, "entry20"), P1).main


def test_a_shuffle_nobody_saw_has_no_order_and_needs_no_faces(store: Store) -> None:
    entry = match(store).entries[1]
    assert isinstance(entry, Played) and entry.actor == CHANCE
    assert BP.decoder().decode(entry.action) == parse_action(BP, match(store).table, "chance: shuffle_deck p1")[1]
    assert [type(fact) for _, fact in entry.told][:1] == [F.Arranged]


def test_what_shows_must_be_named_before_anything_is_recorded(store: Store) -> None:
    before, seat = match(store).version, match(store).table.clock.active
    assert do(store, f"{seat}: set_bulwark") == FaceRequest(
        match(store).table.places[f"{seat}.life"][0], f"{seat}.grave"
    )
    assert match(store).version == before
    assert isinstance(do(store, f"{seat}: set_bulwark", "C6"), RecordResult)
    assert faces(store, f"{seat}.grave")[-1] == "C6"


def test_a_face_that_nothing_shows_is_refused(store: Store) -> None:
    seat = match(store).table.clock.awaited[0]
    before = match(store).version
    answer = do(store, f"{seat}: pass", "C6")
    assert isinstance(answer, Unfit) and answer.what.key == "seen.not_shown"
    assert match(store).version == before


def test_no_more_copies_are_seen_than_the_deck_has(store: Store) -> None:
    seat = match(store).table.clock.awaited[0]
    lies = "S4" if seat == P1 else "H10"
    before = match(store).version
    for face, key in ((lies, "seen.too_many"), ("S6", "seen.not_in_deck"), ("ZZ", "seen.no_card")):
        answer = do(store, f"{seat}: set_bulwark", face)
        assert isinstance(answer, Unfit) and answer.what.key == key, face
    assert match(store).version == before


def bulwark_set(store: Store, named: str) -> tuple[Seat, LoadedMatch]:
    """Set a bulwark with the card given by `named`, '?' if unseen."""
    seat = match(store).table.clock.awaited[0]
    assert isinstance(do(store, f"{seat}: set_bulwark", "C6"), RecordResult)
    assert isinstance(do(store, f"{seat}: choose_bulwark_card {named}"), RecordResult)
    return seat, match(store)


def test_a_card_that_lies_face_down_stays_unknown(store: Store) -> None:
    seat, after = bulwark_set(store, "?")
    assert faces(store, f"{seat}.bulwarks")[-1] is None
    assert isinstance(after.entries[-1], Played) and not any(
        isinstance(f, F.Identified) for _, f in after.entries[-1].told
    )


def learn_face(store: Store, face: str) -> tuple[Seat, CardId]:
    seat = match(store).table.clock.awaited[0]
    card = match(store).table.places[f"{seat}.hand"][0]  # type: ignore[index]
    assert isinstance(correct(store, "m", "judge", "seen", ((Clause(""), F.Learned(card, face)),)), RecordResult)
    return seat, card


def test_an_unnamed_card_out_of_a_hand_makes_the_log_forget_what_was_in_it(store: Store) -> None:
    seat, card = learn_face(store, "D3")
    _, after = bulwark_set(store, "?")
    assert after.table.pieces[card].face is None
    assert faces(store, f"{seat}.hand") == [None] * len(after.table.places[f"{seat}.hand"])  # type: ignore[index]
    assert audit(BP, after.entries).findings == ()


def test_a_named_card_out_of_a_hand_leaves_the_others_known(store: Store) -> None:
    _, card = learn_face(store, "D3")
    _, after = bulwark_set(store, "H9")
    assert after.table.pieces[card].face == "D3"


def test_a_hand_of_known_cards_can_be_left_unnamed(store: Store) -> None:
    seat, _ = learn_face(store, "D3")
    for face in ("H9", "S2", "S5", "C10", "D10", "DQ", "HJ")[: len(faces(store, f"{seat}.hand")) - 1]:
        card = next(c for c in match(store).table.places[f"{seat}.hand"] if match(store).table.pieces[c].face is None)  # type: ignore[index]
        correct(store, "m", "judge", "seen", ((Clause(""), F.Learned(card, face)),))
    assert None not in faces(store, f"{seat}.hand")
    _, after = bulwark_set(store, "?")
    assert faces(store, f"{seat}.bulwarks")[-1] is None and set(faces(store, f"{seat}.hand")) == {None}
    assert audit(BP, after.entries).findings == ()


def test_a_refused_action_teaches_the_log_nothing(store: Store) -> None:
    seat = match(store).table.clock.awaited[0]
    before = match(store).version
    refusal = do(store, f"{seat}: summon_soldier DA u55,u57", "C6")
    assert isinstance(refusal, Refusal) and match(store).version == before


def test_a_rewind_unlearns_what_was_seen_and_a_branch_is_dealt_by_nobody(store: Store) -> None:
    seat, _ = bulwark_set(store, "S5")
    assert "S5" in faces(store, f"{seat}.bulwarks")
    assert isinstance(rewind(store, "m", 3, "x", "judge"), RecordResult)
    assert "S5" not in [piece.face for piece in match(store).table.pieces.values()]
    assert isinstance(branch(store, "m", 3, "b"), Branched)
    assert match(store, "b").undealt and match(store, "b").opening.commitment == "" and store.secret("b") is None
    assert isinstance(close(store, "m", "judge", "time", abandon=True), RecordResult)
    assert audit(BP, match(store).entries).findings == ()


def test_opening_rewinding_and_branching_shuffle_real_cards_in_the_same_step(store: Store) -> None:
    assert open_match(store, match(store).law, VERSION, {}, match_id="n", deal=False) == "n"
    opened, *shuffles = match(store, "n").entries
    assert isinstance(opened, Undealt) and [one.actor for one in shuffles if isinstance(one, Played)] == [CHANCE]
    before = match(store).version
    again = rewind(store, "m", 1, "x", "judge")
    assert isinstance(again, RecordResult) and list(again.also) == shuffles
    assert match(store).version == before + 1 + len(shuffles)
    assert isinstance(branch(store, "m", 1, "b"), Branched)
    assert match(store, "b").entries[1:] == tuple(shuffles)


def test_there_is_nothing_to_prove_where_nobody_deals(store: Store) -> None:
    entries = match(store).entries
    for commitment in ("", "00" * 32):
        record = [replace(entries[0], commitment=commitment), *entries[1:]]
        assert fairness(BP, record, bytes(32)).proof == "none"
        assert audit(BP, record, secret=bytes(32)).findings == ()


def test_a_command_names_what_was_seen_too(store: Store) -> None:
    seat = match(store).table.clock.awaited[0]
    action = parse_action(BP, match(store).table, f"{seat}: set_bulwark")[1]
    first = play(store, "m", seat, action, command_id="a", shows=("C6",))
    assert isinstance(first, RecordResult)
    assert play(store, "m", seat, action, command_id="a", shows=("C6",)) == first
    assert isinstance(play(store, "m", seat, action, command_id="a", shows=("C7",)), Reused)


def test_an_audit_finds_a_face_that_cannot_be_there_and_a_forgotten_forgetting(store: Store) -> None:
    learn_face(store, "D3")
    _, after = bulwark_set(store, "?")
    entries = list(after.entries)
    last = entries[-1]
    assert isinstance(last, Played)
    silent = replace(last, told=tuple(one for one in last.told if not isinstance(one[1], F.Identified)))
    found = audit(BP, [*entries[:-1], silent]).findings
    assert [one.kind for one in found] == ["consequences"]
    at = next(n for n, one in enumerate(entries) if isinstance(one, Played) and seen_faces(one.told))
    seen = entries[at].told[0][1]  # type: ignore[union-attr]
    twice = F.Identified(seen.cards, (*seen.faces[:2], seen.faces[0], *seen.faces[3:]))
    entries[at] = replace(entries[at], told=((Clause(""), twice), *entries[at].told[1:]))  # type: ignore[union-attr]
    assert "impossible" in [one.kind for one in audit(BP, entries).findings]


def test_an_audit_has_nothing_against_what_nobody_saw(store: Store) -> None:
    """A face that the rules would need is missing, so the audit cannot know."""
    seat = match(store).table.clock.awaited[0]
    assert isinstance(do(store, f"{seat}: set_bulwark", "C6"), RecordResult)
    entries = list(match(store).entries)
    last = entries[-1]
    assert isinstance(last, Played) and seen_faces(last.told)
    entries[-1] = replace(last, told=last.told[1:])
    assert audit(BP, entries).findings == ()


def test_a_dealt_match_may_go_on_with_a_shuffle_nobody_saw(bare: Store) -> None:
    found = bare
    open_match(found, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", with_croupier=False)
    assert isinstance(do(found, "chance: shuffle_deck p1"), RecordResult)
    assert set(faces(found, "p1.life")) == {None} and None not in faces(found, "p2.life")
    assert audit(BP, match(found).entries).findings == ()
    entry = match(found).entries[1]
    assert isinstance(entry, Played)
    cheat = replace(entry, told=entry.told[1:])
    assert [one.kind for one in audit(BP, [match(found).entries[0], cheat]).findings] == ["consequences"]


def test_a_deck_that_keeps_its_cards_to_itself_is_dealt_by_nobody(bare: Store) -> None:
    game, found = GAMES["grimoire"], bare
    rules = game.latest
    listed = Law(game, rules).decks()
    secret = {seat: Deck((one.main[0], *"?" * len(one.main[1:])), one.side) for seat, one in listed.items()}
    refused = open_match(found, Law(game, rules), "1", {}, secret, match_id="a")
    assert isinstance(refused, Unfit) and refused.what.key == "match.untold"
    refused = open_match(found, Law(game, rules), "1", {}, match_id="a", deal=False)
    assert isinstance(refused, Unfit) and refused.what.key == "match.whose_deck"
    assert open_match(found, Law(game, rules), "1", {}, secret, match_id="a", deal=False) == "a"
    table = match(found, "a").table
    characters = [piece.face for piece in table.pieces.values() if piece.place.endswith(".personal")]
    assert characters == [deck.main[0] for deck in listed.values()]


def test_a_face_that_decides_what_else_is_seen_is_asked_for_first(store: Store) -> None:
    table = match(store).table
    (attacker,) = table.clock.awaited
    defender = P2 if attacker == P1 else P1
    things = {
        seat: f"u{table.pieces[table.places[f'{seat}.{area}'][0]].thing}"
        for seat, area in ((attacker, "soldiers"), (defender, "bulwarks"))
    }
    pass_both = (f"{attacker}: pass", f"{defender}: pass")
    for line in (
        f"{attacker}: attack",
        *pass_both,
        f"{attacker}: designate_attackers {things[attacker]}",
        *pass_both,
        f"{defender}: designate_blockers {things[defender]}>{things[attacker]}",
        pass_both[0],
    ):
        assert isinstance(do(store, line), RecordResult), line
    assert isinstance(do(store, pass_both[1]), FaceRequest)
    answer = do(store, pass_both[1], "?")
    bulwark = table.places[f"{defender}.bulwarks"][0]
    assert isinstance(answer, Undetermined) and answer.cards == (bulwark,), "a next generation would mill life"
    assert answer.unnamed is not None and answer.unnamed.wanted is not None
    assert answer.unnamed.wanted.card == bulwark
