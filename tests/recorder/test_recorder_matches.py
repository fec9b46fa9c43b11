"""Use cases on a toy game: recorded entries, refusals, and commands that record nothing."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.judging.audit import audit
from domain.law import croupier
from domain.law.clause import BY_HAND, Refusal
from domain.law.entries import Closed, Corrected, Gap, Noted, Opened, Played, Restored, Rewound, fold_entries, line
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.offers import RandomBelow
from domain.law.slots import Action
from domain.table import facts as F
from domain.table.table import CHANCE, JUDGE, CardId, Place, Result, Seat, Table
from projections.knowledge import sights
from recorder import codec
from recorder.answers import (
    Advanced,
    DeckRefused,
    Impossible,
    NoSuchActor,
    RecordResult,
    Reused,
    RewindCost,
    Unavailable,
    Unfit,
    Withheld,
)
from recorder.imports import find_fault
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import advance, close, correct, note, open_match, play, report_gap, rewind, rewind_cost
from recorder.store import Conflict, Store
from tests.toy import GAMES, TOY, Concede, Draw, Lay, Rules, Shuffle

P1, P2 = Seat("p1"), Seat("p2")
SEED = bytes(range(16))
RULES = TOY.versions["1"]


@pytest.fixture
def match(store: Store) -> str:
    """Open a match and return its id. Entries 1 to 3 lead to the first turn of p1."""
    opened = open_match(store, Law(TOY, RULES), "1", {P1: "Ann"}, seed=SEED, match_id="m", at=5)
    assert opened == "m"
    assert isinstance(advance(store, "m", games=GAMES), Advanced)
    return "m"


def load(store: Store, match: str = "m") -> LoadedMatch:
    found = load_match(store, match, GAMES)
    assert isinstance(found, LoadedMatch)
    return found


def hand(store: Store, seat: Seat) -> tuple[CardId, ...]:
    return load(store).table.places.get(Place(f"{seat}.hand"), ())


def draw_cards(store: Store, turns: int = 4) -> None:
    for _ in range(turns):
        (seat,) = TOY.awaited(load(store).table)
        assert isinstance(play(store, "m", seat, Draw(), games=GAMES), RecordResult)


def test_a_match_is_opened_with_all_it_needs(store: Store) -> None:
    assert (
        open_match(store, Law(TOY, RULES), "1", {P2: "Bo"}, seed=SEED, match_id="m", at=9, with_croupier=False) == "m"
    )
    (opened,) = store.read("m")
    assert isinstance(opened, Opened)
    assert (opened.game, opened.version, opened.names, opened.at, opened.match) == ("toy", "1", {"p2": "Bo"}, 9, "m")
    assert opened.rules == {"goal": 4, "at_once": 2, "laid": "up"}
    assert opened.commitment == croupier.commitment("m", SEED)
    ids = [card for _, fact in opened.told for card in getattr(fact, "cards", ())]
    assert ids == list(croupier.card_ids("m", SEED, 20)) != sorted(ids)
    assert load(store).rules == RULES
    assert open_match(store, Law(TOY, RULES), "1", {}, match_id="m") == Conflict("m", 0, 1)


def test_every_match_gets_an_id_and_a_seed_of_its_own(store: Store) -> None:
    one, other = (open_match(store, Law(TOY, RULES), "1", {}) for _ in range(2))
    assert isinstance(one, str) and isinstance(other, str) and one != other
    assert store.secret(one) != store.secret(other)


def test_what_cannot_be_opened_is_refused_with_the_place(store: Store) -> None:
    refused = open_match(store, Law(TOY, RULES), "1", {}, {P2: Deck(("S1", "S2", "S3"))})
    assert isinstance(refused, DeckRefused) and (refused.seat, refused.refusal.clause) == ("p2", "T-6")
    empty = open_match(store, Law(TOY, RULES), "1", {}, {P1: Deck(())})
    assert isinstance(empty, DeckRefused) and empty.seat == "p1"
    for answer, words in (
        (open_match(store, Law(TOY, RULES), "1", {Seat("p3"): "x"}), "names: toy has no seat 'p3'"),
        (open_match(store, Law(TOY, RULES), "1", {}, {Seat("x"): Deck(("S1",))}), "decks: toy has no seat 'x'"),
        (open_match(store, Law(TOY, RULES), "1", {}, match_id="../m"), "cannot be a match id"),
        (open_match(store, Law(TOY, RULES), "1", {}, seed=b"short"), "16 bytes"),
    ):
        assert isinstance(answer, Unfit) and words in answer.what
    assert store.matches() == []


def test_chance_answers_one_entry_each_as_the_seed_has_it(store: Store, match: str) -> None:
    entries = store.read("m")
    assert [entry.actor for entry in entries[1:] if isinstance(entry, Played)] == [CHANCE, CHANCE]
    for number in (2, 3):
        table = fold_entries(entries, number - 1)
        expected = TOY.chance(RULES, table, croupier.make_random_source("m", SEED, number))
        entry = entries[number - 1]
        assert isinstance(entry, Played) and TOY.decoder().decode(entry.action) == expected
    again = advance(store, "m", games=GAMES)
    assert isinstance(again, Advanced) and (again.version, again.entries) == (3, ())


def test_a_match_is_opened_with_what_chance_answers(store: Store) -> None:
    assert open_match(store, Law(TOY, RULES), "1", {P1: "Ann"}, seed=SEED, match_id="m", at=5) == "m"
    assert store.version("m") == 3
    open_match(store, Law(TOY, RULES), "1", {P1: "Ann"}, seed=SEED, match_id="k", at=5, with_croupier=False)
    assert store.version("k") == 1
    assert [entry.at for entry in store.read("m")] == [5, 5, 5]
    assert find_fault(store.read("m"), GAMES) is None and audit(TOY, store.read("m")).findings == ()


def test_a_rewind_is_recorded_with_what_chance_answers_after_it(store: Store, match: str) -> None:
    answer = rewind(store, "m", 1, "cut badly", "judge", command_id="c1", at=8, games=GAMES)
    assert isinstance(answer, RecordResult)
    assert (answer.version, answer.last, store.version("m")) == (4, 6, 6)
    assert answer.also == store.read("m", after=4)
    for number in (5, 6):
        table = fold_entries(store.read("m"), number - 1)
        drawn = TOY.chance(RULES, table, croupier.make_random_source("m", SEED, number))
        entry = store.read("m")[number - 1]
        assert isinstance(entry, Played) and TOY.decoder().decode(entry.action) == drawn
    assert load(store).table == answer.table == fold_entries(store.read("m"))
    assert rewind(store, "m", 1, "cut badly", "judge", command_id="c1", games=GAMES) == answer
    assert advance(store, "m", games=GAMES) == Advanced(6, (), answer.table)


def test_a_play_is_on_disk_when_it_is_answered(store: Store, match: str) -> None:
    answer = play(store, "m", P1, Draw(), expected=3, at=77, games=GAMES)
    assert isinstance(answer, RecordResult) and (answer.version, answer.last) == (4, 4)
    with Store.open(store.name, read_only=True) as other:
        entries = other.read("m")
    assert entries[3] == answer.entry
    assert isinstance(answer.entry, Played)
    assert (answer.entry.actor, answer.entry.at, answer.entry.violations) == ("p1", 77, ())
    assert fold_entries(entries) == answer.table == load(store).table


def test_what_is_not_recorded(store: Store, match: str) -> None:
    wrong_turn = play(store, "m", P2, Draw(), games=GAMES)
    assert isinstance(wrong_turn, Refusal) and wrong_turn.clause == "T-1"
    assert play(store, "m", Seat("p9"), Draw(), games=GAMES) == NoSuchActor(Seat("p9"), (P1,))
    assert play(store, "m", P1, Draw(), expected=2, games=GAMES) == Conflict("m", 2, 3)
    stranger = play(store, "m", P1, Other(), games=GAMES)
    assert isinstance(stranger, Unfit) and "toy has no action 'other'" in stranger.what
    missing = play(store, "nowhere", P1, Draw(), games=GAMES)
    assert isinstance(missing, Unavailable) and "there is no match 'nowhere'" in missing.why
    assert store.version("m") == 3


class Other(Action, frozen=True, omit_defaults=True, tag="other"):
    pass


def test_an_illegal_play_is_recorded_as_played_with_what_it_broke(store: Store, match: str) -> None:
    draw_cards(store, 6)
    three = hand(store, P1)
    assert isinstance(play(store, "m", P1, Lay(three), games=GAMES), Refusal)
    answer = play(store, "m", P1, Lay(three), as_played=True, games=GAMES)
    assert isinstance(answer, RecordResult) and isinstance(answer.entry, Played)
    assert answer.entry.violations == ("T-3",)
    gone = play(store, "m", P2, Lay((CardId(999),)), as_played=True, games=GAMES)
    assert isinstance(gone, Refusal) and gone.by_hand


def test_a_repeated_command_gets_the_first_answer(store: Store, match: str) -> None:
    first = play(store, "m", P1, Draw(), command_id="c1", games=GAMES)
    play(store, "m", P2, Draw(), command_id="c2", games=GAMES)
    assert play(store, "m", P1, Draw(), expected=3, command_id="c1", games=GAMES) == first
    assert rewind(store, "m", 4, "oops", "judge", command_id="c3", games=GAMES) == (
        rewind(store, "m", 4, "oops", "judge", command_id="c3", games=GAMES)
    )
    assert store.version("m") == 6
    ended = close(store, "m", "judge", "time", command_id="c4", abandon=True, games=GAMES)
    assert close(store, "m", "judge", "time", command_id="c4", abandon=True, games=GAMES) == ended, (
        "also after the close itself"
    )
    assert play(store, "m", P1, Draw(), command_id="c1", games=GAMES) == first


def test_a_command_id_used_for_another_command_is_refused(store: Store, match: str) -> None:
    fact = ((BY_HAND, F.Marked(None, "turns", 0)),)
    other = ((BY_HAND, F.Marked(None, "turns", 1)),)

    def all_of(command_id: str) -> list[object]:
        named: Any = {"command_id": command_id, "games": GAMES}
        return [
            play(store, "m", P1, Draw(), **named),
            play(store, "m", P1, Draw(), as_played=True, **named),
            play(store, "m", P2, Draw(), **named),
            note(store, "m", "judge", "a", **named),
            note(store, "m", "judge", "b", **named),
            note(store, "m", "other", "a", **named),
            correct(store, "m", "judge", "x", fact, **named),
            correct(store, "m", "judge", "x", other, **named),
            rewind(store, "m", 2, "x", "judge", **named),
            rewind(store, "m", 1, "x", "judge", **named),
            close(store, "m", "judge", **named),
        ]

    assert isinstance(note(store, "m", "judge", "a", command_id="c1", at=1, games=GAMES), RecordResult)
    assert isinstance(play(store, "m", P1, Draw(), command_id="c2", games=GAMES), RecordResult)
    before = store.read("m")
    for command_id, first, same in (("c1", 4, 3), ("c2", 5, 0)):
        answers = all_of(command_id)
        assert isinstance(answers.pop(same), RecordResult), "the same command again"
        assert answers == [Reused("m", command_id, first)] * len(answers)
    assert store.read("m") == before, "nothing was recorded"


def test_a_command_that_another_program_recorded_meanwhile_is_told_from_ours(
    store: Store, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = store.command
    looks = iter([None, None])
    monkeypatch.setattr(store, "command", lambda *names: next(looks, look(*names)))
    assert isinstance(note(store, "m", "judge", "a", command_id="c1", games=GAMES), RecordResult)
    assert note(store, "m", "judge", "b", command_id="c1", games=GAMES) == Reused("m", "c1", 4)


def test_a_command_recorded_before_hashes_were_kept_is_answered_as_ever(store: Store, match: str) -> None:
    assert store.append("m", 3, [Noted(by="judge", text="a")], "c1") == 4
    answer = note(store, "m", "judge", "b", command_id="c1", games=GAMES)
    assert isinstance(answer, RecordResult) and answer.version == 4
    assert store.version("m") == 4


def test_what_chance_answers_after_a_play_is_one_transaction_with_it(store: Store) -> None:
    open_match(store, Law(TOY, RULES), "1", {}, seed=SEED, match_id="m", with_croupier=False)
    opened = load(store).table
    order = tuple(reversed(opened.places[Place("p1.deck")]))
    by_hand = play(store, "m", CHANCE, Shuffle(P1, order), command_id="c", games=GAMES)
    assert isinstance(by_hand, RecordResult)
    assert [entry.actor for entry in by_hand.also] == [CHANCE] and by_hand.last == store.version("m") == 3
    assert play(store, "m", CHANCE, Shuffle(P1, order), command_id="c", games=GAMES) == by_hand


def test_without_the_croupier_chance_stays_open(store: Store) -> None:
    open_match(store, Law(TOY, RULES), "1", {}, match_id="m", with_croupier=False)
    order = load(store).table.places[Place("p1.deck")]
    answer = play(store, "m", CHANCE, Shuffle(P1, order), with_croupier=False, games=GAMES)
    assert isinstance(answer, RecordResult) and answer.also == () and TOY.awaited(answer.table) == (CHANCE,)


def test_a_loaded_match_is_not_folded_again(store: Store, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load(store)

    def never(*_: object) -> None:
        raise AssertionError("folded from the start")

    monkeypatch.setattr("recorder.match_loader.fold_entries", never)
    assert load(store) is before
    answer = play(store, "m", P1, Draw(), games=GAMES)
    assert isinstance(answer, RecordResult) and load(store).table is answer.table


def test_another_programs_entries_are_seen(store: Store, match: str) -> None:
    load(store)
    with Store.open(store.name) as other:
        play(other, "m", P1, Draw(), games=GAMES)
        play(other, "m", P2, Draw(), games=GAMES)
        rewind(other, "m", 4, "x", "judge", games=GAMES)
        play(other, "m", P2, Draw(), games=GAMES)
        assert load(store) == load(other)
    assert load(store).table == fold_entries(store.read("m"))


def test_a_correction_is_checked_fact_by_fact(store: Store, match: str) -> None:
    top = load(store).table.places[Place("p1.deck")][0]
    fine = (BY_HAND, F.Moved((top,), Place("p1.hand")))
    for number, (told, words) in enumerate(
        (
            ((fine, (BY_HAND, F.Moved((CardId(999),), Place("field")))), "there is no card 999"),
            (((BY_HAND, F.Moved((top,), Place("p3.hand"))),), "there is no place 'p3.hand'"),
            ((fine, fine, (BY_HAND, F.Stanced((top,), 4))), "there is no stance 4"),
        )
    ):
        answer = correct(store, "m", "judge", "dropped", told, games=GAMES)
        assert isinstance(answer, Impossible) and words in answer.why, number
        assert answer.number == len(told) and answer.fact == told[-1][1]
    many = load(store).table.places[Place("p1.deck")][:9]
    full = correct(store, "m", "judge", "x", ((BY_HAND, F.Moved(many, Place("field"), up=True)),), games=GAMES)
    assert isinstance(full, Impossible) and "field would hold more than 8" in full.why
    assert isinstance(correct(store, "m", "judge", "x", (), games=GAMES), Unfit)
    assert store.version("m") == 3
    answer = correct(store, "m", "judge", "dropped", (fine,), expected=3, at=8, games=GAMES)
    assert isinstance(answer, RecordResult)
    assert answer.entry == Corrected(by="judge", reason="dropped", told=(fine,), at=8)
    assert hand(store, P1) == (top,)


def test_a_gap_says_what_is_different_and_nothing_follows_from_it(store: Store, match: str) -> None:
    top = load(store).table.places[Place("p1.deck")][-1]
    seen: F.AnyFact = F.Moved((top,), Place("p1.hand"))
    for told, words in (
        (((BY_HAND, F.Moved((CardId(99),), Place("field"))),), "no card 99"),
        (((BY_HAND, seen), (BY_HAND, F.Stanced((top,), 4))), "there is no stance 4"),
        (((BY_HAND, F.Moved(load(store).table.places[Place("p1.deck")][:9], Place("field"))),), "more than 8"),
    ):
        answer = report_gap(store, "m", "judge", "cut", told, games=GAMES)
        assert isinstance(answer, Impossible) and words in answer.why and answer.number == len(told)
    assert isinstance(report_gap(store, "m", "judge", "cut", most=-1, games=GAMES), Unfit) and store.version("m") == 3
    then = replace(load(store).table.clock, active=P2, awaited=(P2,))
    told = ((BY_HAND, seen), (BY_HAND, F.Clocked(then)))
    answer = report_gap(store, "m", "judge", "cut", told, 2, expected=3, at=8, command_id="g", games=GAMES)
    assert isinstance(answer, RecordResult) and answer.entry == Gap(by="judge", reason="cut", most=2, told=told, at=8)
    assert hand(store, P1) == (top,) and answer.table == load(store).table
    assert load(store).law.awaited(answer.table) == (P2,), "play goes on from what was seen"
    assert report_gap(store, "m", "judge", "cut", told, 2, at=9, command_id="g", games=GAMES) == answer
    assert isinstance(report_gap(store, "m", "judge", "cut", told, 3, command_id="g", games=GAMES), Reused)
    nothing = report_gap(store, "m", "judge", "the camera fell", games=GAMES)
    assert isinstance(nothing, RecordResult) and nothing.entry == Gap(by="judge", reason="the camera fell")
    assert find_fault(store.read("m"), GAMES) is None
    bad = find_fault([*store.read("m"), Gap(by="judge", reason="", most=-1)], GAMES)
    assert bad is not None and bad.entry == 6 and "-1" in bad.what


def test_a_rewind_goes_on_from_an_earlier_entry_and_deletes_nothing(store: Store, match: str) -> None:
    draw_cards(store, 4)
    at_five = fold_entries(store.read("m"), 5)
    answer = rewind(store, "m", 5, "wrong card", "judge", expected=7, games=GAMES)
    assert isinstance(answer, RecordResult) and answer.entry == Rewound(to=5, reason="wrong card", by="judge")
    assert answer.table == at_five == fold_entries(store.read("m"))
    assert store.version("m") == 8
    draw_cards(store, 1)
    assert line(store.read("m")) == (1, 2, 3, 4, 5, 8, 9)
    for to, words in ((0, "there is no entry 0"), (10, "no entry 10"), (9, "entry 9 is already the last entry")):
        refused = rewind(store, "m", to, "x", "judge", games=GAMES)
        assert isinstance(refused, Unfit) and words in refused.what
        assert rewind_cost(store, "m", to, games=GAMES) == refused
    again = rewind(store, "m", 8, "x", "judge", games=GAMES)
    assert isinstance(again, RecordResult) and again.table == at_five


def test_a_rewind_can_be_taken_back(store: Store, match: str) -> None:
    draw_cards(store, 4)
    at_seven = fold_entries(store.read("m"), 7)
    rewind(store, "m", 5, "wrong card", "judge", games=GAMES)
    draw_cards(store, 1)
    answer = rewind(store, "m", 7, "the appeal is granted", "head judge", games=GAMES)
    assert isinstance(answer, RecordResult) and answer.entry == Restored(
        to=7, reason="the appeal is granted", by="head judge"
    )
    assert answer.table == at_seven == fold_entries(store.read("m")) == load(store).table
    assert line(store.read("m")) == (1, 2, 3, 4, 5, 6, 7, 10)
    again = rewind(store, "m", 9, "it is not", "judge", games=GAMES)
    assert isinstance(again, RecordResult) and isinstance(again.entry, Restored)
    assert line(store.read("m")) == (1, 2, 3, 4, 5, 8, 9, 11)
    undone = rewind(store, "m", 5, "x", "judge", games=GAMES)
    assert isinstance(undone, RecordResult) and type(undone.entry) is Rewound, "on the line it is what it always was"


def test_the_cost_of_a_restore_names_what_it_undoes_and_what_comes_back(store: Store, match: str) -> None:
    draw_cards(store, 2)
    rewind(store, "m", 4, "wrong card", "judge", games=GAMES)
    draw_cards(store, 1)
    cost = rewind_cost(store, "m", 5, games=GAMES)
    assert isinstance(cost, RewindCost) and (cost.undone, cost.restored) == ((6, 7), (5,))
    plain = rewind_cost(store, "m", 3, games=GAMES)
    assert isinstance(plain, RewindCost) and (plain.undone, plain.restored) == ((4, 6, 7), ())


def test_a_rewind_before_a_shuffle_draws_anew(store: Store, match: str) -> None:
    before = load(store).table.places
    rewind(store, "m", 1, "cut badly", "judge", with_croupier=False, games=GAMES)
    assert TOY.awaited(load(store).table) == (CHANCE,)
    assert isinstance(advance(store, "m", games=GAMES), Advanced)
    after = load(store).table.places
    assert sorted(after[Place("p1.deck")]) == sorted(before[Place("p1.deck")])
    assert after[Place("p1.deck")] != before[Place("p1.deck")]


def seen_in(store: Store, cost: RewindCost) -> list[tuple[int, Seat, tuple[str, ...]]]:
    """Return what a rewind undoes: the entries with first views of faces, the viewers and the faces."""
    match = load(store)
    return [(sight.entry, sight.who, sight.faces) for sight in sights(match, match.eyes(JUDGE), cost.undone)]


def test_the_cost_of_a_rewind_names_who_saw_what(store: Store, match: str) -> None:
    draw_cards(store, 2)
    (mine,), (theirs,) = hand(store, P1), hand(store, P2)
    hidden = load(store).table.places[Place("p2.deck")][-1]
    play(store, "m", P1, Lay((mine,)), games=GAMES)
    correct(store, "m", "judge", "card dropped", ((BY_HAND, F.Shown((hidden,), (P1,))),), games=GAMES)
    cost = rewind_cost(store, "m", 3, games=GAMES)
    assert isinstance(cost, RewindCost) and cost.undone == (4, 5, 6, 7)
    faces = {card: piece.face for card, piece in load(store).table.pieces.items()}
    assert seen_in(store, cost) == [
        (4, P1, (faces[mine],)),
        (5, P2, (faces[theirs],)),
        (6, Seat("spectator"), (faces[mine],)),
        (7, P1, (faces[hidden],)),
    ]
    later = rewind_cost(store, "m", 6, games=GAMES)
    assert isinstance(later, RewindCost) and later.undone == (7,)
    assert seen_in(store, later) == [(7, P1, (faces[hidden],))]
    assert store.version("m") == 7


def test_a_note_changes_nothing_on_the_table(store: Store, match: str) -> None:
    before = load(store).table
    answer = note(store, "m", "judge", "p1 is late", at=3, games=GAMES)
    assert isinstance(answer, RecordResult) and answer.entry == Noted(by="judge", text="p1 is late", at=3)
    assert answer.table == before


def test_a_note_of_nothing_but_spaces_is_none(store: Store, match: str) -> None:
    before = store.version("m")
    for text in ("", " ", "\u3000\n"):
        answer = note(store, "m", "judge", text, games=GAMES)
        assert isinstance(answer, Unfit) and answer.what.say("en").startswith("text: ")
    assert store.version("m") == before


def test_after_the_close_the_seed_is_public_and_nothing_more_is_recorded(store: Store, match: str) -> None:
    answer = close(store, "m", "judge", "time", at=4, abandon=True, games=GAMES)
    assert isinstance(answer, RecordResult)
    assert answer.entry == Closed(by="judge", seed=SEED.hex(), reason="time", at=4)
    refusals = (
        play(store, "m", P1, Draw(), games=GAMES),
        advance(store, "m", games=GAMES),
        correct(store, "m", "judge", "x", ((BY_HAND, F.Shown((), (P1,))),), games=GAMES),
        rewind(store, "m", 2, "x", "judge", games=GAMES),
        note(store, "m", "judge", "x", games=GAMES),
        close(store, "m", "judge", games=GAMES),
    )
    for refused in refusals:
        assert isinstance(refused, Unavailable) and "was closed in entry 4" in refused.why
    assert store.version("m") == 4


def test_a_match_without_a_result_is_closed_as_abandoned_for_a_reason_only(store: Store, match: str) -> None:
    for refused in (
        close(store, "m", "judge", games=GAMES),
        close(store, "m", "judge", "both left", games=GAMES),
        close(store, "m", "judge", " ", abandon=True, games=GAMES),
    ):
        assert isinstance(refused, Unfit) and "cannot be undone" in refused.what
    assert store.version("m") == 3
    closed = close(store, "m", "judge", "both left", abandon=True, games=GAMES)
    assert isinstance(closed, RecordResult) and closed.entry == Closed(by="judge", seed=SEED.hex(), reason="both left")


def test_a_match_with_a_result_is_closed_without_a_reason(store: Store, match: str) -> None:
    correct(store, "m", "judge", "flag fell", ((BY_HAND, F.Finished(Result((P1,), "time"))),), games=GAMES)
    assert isinstance(close(store, "m", "judge", games=GAMES), RecordResult)


def test_no_byte_that_leaves_before_the_close_tells_the_seed(store: Store, match: str) -> None:
    draw_cards(store, 4)
    rewind(store, "m", 5, "x", "judge", games=GAMES)
    note(store, "m", "judge", "x", games=GAMES)
    stored = store.read_bytes("m")
    out = [*stored, *map(codec.to_json_line, stored), repr(load(store)).encode(), repr(store.matches()).encode()]
    for secret in (SEED, SEED.hex().encode(), SEED.hex().upper().encode(), str(int.from_bytes(SEED, "big")).encode()):
        assert all(secret not in one for one in out)
    close(store, "m", "judge", "time", abandon=True, games=GAMES)
    assert SEED.hex().encode() in store.read_bytes("m")[-1]


def test_a_match_that_cannot_be_played_on_says_why(store: Store, match: str) -> None:
    with Store.open(store.name) as other:
        answer = play(other, "m", P1, Draw(), games={"no-such-game": TOY})
        assert isinstance(answer, Unavailable) and str(answer.why) == "the game 'toy' is not one of no-such-game"
    opened = store.read("m")[0]
    assert isinstance(opened, Opened)
    for match_id, rules, words in (
        ("r1", {"laid": "sideways"}, "is fixed at 'up'"),
        ("r2", {"goal": "many"}, "ruleset of toy"),
    ):
        store.append(match_id, 0, [msgspec.structs.replace(opened, rules=rules)])
        answer = play(store, match_id, P1, Draw(), games=GAMES)
        assert isinstance(answer, Unavailable) and words in answer.why
    store.append("headless", 0, [Noted(by="x", text="x")])
    answer = play(store, "headless", P1, Draw(), games=GAMES)
    assert isinstance(answer, Unavailable) and "does not begin by opening the match" in answer.why


def test_what_the_law_does_not_take_from_chance_is_left_open(store: Store) -> None:
    def odd(rules: Rules, table: Table, below: RandomBelow) -> Action:
        return Shuffle(P1, ())

    game = msgspec.structs.replace(TOY, chance=odd)
    open_match(store, Law(game, RULES), "1", {}, match_id="m")
    answer = advance(store, "m", games={"toy": game})
    assert isinstance(answer, Advanced) and (answer.version, answer.entries) == (1, ())


def test_the_end_of_a_match_is_recorded_and_the_judge_may_act(store: Store, match: str) -> None:
    answer = play(store, "m", P1, Concede(), games=GAMES)
    assert isinstance(answer, RecordResult) and answer.table.result is not None
    assert isinstance(play(store, "m", JUDGE, Draw(), games=GAMES), Refusal)
    assert isinstance(play(store, "m", P2, Draw(), games=GAMES), Refusal)


def test_an_answer_holds_the_tables_before_and_after_it(store: Store, match: str) -> None:
    before = load(store)
    drawn = play(store, match, P1, Draw(), games=GAMES)
    assert isinstance(drawn, RecordResult)
    assert drawn.before == before.table and drawn.table == load(store).table != before.table
    again = [play(store, match, P2, Concede(), command_id="c", games=GAMES) for _ in range(2)]
    assert again[0] == again[1] and isinstance(again[0], RecordResult) and again[0].before == drawn.table


def test_whoever_records_is_asked_once_more_before_what_ends_the_match_and_only_then(store: Store, match: str) -> None:
    asked: list[bool] = []

    def ends(sure: bool) -> bool:
        asked.append(sure)
        return sure

    assert isinstance(play(store, match, P1, Draw(), games=GAMES, ends=lambda: ends(False)), RecordResult)
    refused = play(store, match, P1, Lay(cards=(CardId(0),)), games=GAMES, ends=lambda: ends(False))
    assert not isinstance(refused, RecordResult) and asked == []
    version = load(store).version
    assert play(store, match, P2, Concede(), games=GAMES, ends=lambda: ends(False)) == Withheld()
    assert load(store).version == version and asked == [False]
    assert isinstance(play(store, match, P2, Concede(), games=GAMES, ends=lambda: ends(True)), RecordResult)
    assert asked == [False, True]
