"""Rulings checked against the match's policy: proposals, repeated offences, and departures."""

from msgspec.structs import replace

from domain.formats.policies import standard_policy, stored_policy
from domain.judging.proposals import count_learned
from domain.law import disputes as D
from domain.law.clause import BY_HAND
from domain.law.entries import Entry, Opened
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.policy import Limits, Policy
from domain.table import facts as F
from domain.table.table import Seat
from domain.words import Text
from recorder import codec
from recorder.answers import BadRecord, Imported, RecordResult, Unfit
from recorder.decisions import earlier_penalties, propose_penalty, record_decision
from recorder.matches import correct, open_match, play
from recorder.store import Store
from tests.imports import import_entries
from tests.recorder.test_recorder_matches import load
from tests.toy import GAMES, TOY, Draw

P1, P2 = Seat("p1"), Seat("p2")
CUP = Occasion(event="Cup")
CAUTION, WARNING = (D.Penalty(P1, step, "misplay") for step in ("caution", "warning"))


def start_match(
    store: Store, match: str = "m", name: str = "Ann", at: Occasion = CUP, policy: Policy | None = None
) -> str:
    opened = open_match(
        store, Law(TOY, TOY.versions["1"]), "1", {P1: name}, seed=bytes(16), match_id=match, occasion=at,
        policy=policy or standard_policy(),
    )  # fmt: skip
    assert opened == match
    return match


def penalise(store: Store, penalty: D.Penalty, match: str = "m", departure: str = "") -> object:
    return record_decision(store, match, D.Penalised(by="abe", penalty=penalty, departure=departure), games=GAMES)


def disputed(store: Store, match: str = "m") -> int:
    opened = record_decision(store, match, D.Disputed(by="p2", matter=D.Matter(1)), games=GAMES)
    assert isinstance(opened, RecordResult)
    return opened.version


def unfit(answer: object) -> str:
    assert isinstance(answer, Unfit), answer
    assert answer.what.say("ja")
    return str(answer.what)


def test_what_the_policy_proposes_needs_no_word_and_a_departure_does(store: Store) -> None:
    start_match(store)
    assert "proposes caution, not warning" in unfit(penalise(store, WARNING))
    assert "no infraction is given for p1" in unfit(penalise(store, D.Penalty(P1, "caution")))
    assert isinstance(penalise(store, WARNING, departure="he had been told before"), RecordResult)
    for penalty, words in ((D.Penalty(P1, "death"), "no step 'death'"), (D.Penalty(P1, "caution", "x"), "'x'")):
        assert words in unfit(penalise(store, penalty, departure="because")), "no reason makes up for an unknown word"


def test_a_repeat_is_told_by_match_event_and_name(store: Store) -> None:
    start_match(store)
    assert isinstance(penalise(store, CAUTION), RecordResult)
    assert propose_penalty(store, load(store), P1, "misplay") == WARNING
    assert propose_penalty(store, load(store), P2, "misplay") == D.Penalty(P2, "caution", "misplay")
    assert propose_penalty(store, load(store), P1, "late") == D.Penalty(P1, "warning", "late")
    assert propose_penalty(store, load(store, start_match(store, "next")), P1, verdict="not_allowed") == WARNING
    others = (
        start_match(store, "bo", "Bo"),
        start_match(store, "other", at=Occasion(event="Other")),
        start_match(store, "none", at=Occasion()),
    )
    for other in others:
        assert propose_penalty(store, load(store, other), P1, "misplay") == CAUTION, other
    nothing = propose_penalty(store, load(store), P1, verdict="no_fault")
    assert isinstance(nothing, Text) and "proposes no penalty" in nothing


def test_what_an_appeal_overturns_and_what_is_ruled_again_is_no_repeat(store: Store) -> None:
    number = disputed(store, start_match(store))
    ruled = D.Ruled(by="kato", dispute=number, verdict="not_allowed", penalties=(CAUTION,))
    assert isinstance(record_decision(store, "m", ruled, games=GAMES), RecordResult)
    assert earlier_penalties(store, load(store), standard_policy(), P1, "misplay") == (CAUTION,)
    assert earlier_penalties(store, load(store), standard_policy(), P1, "misplay", number) == ()
    assert isinstance(
        record_decision(store, "m", D.Appealed(by="p1", dispute=number, reason="x"), games=GAMES), RecordResult
    )
    instead = D.Decided(
        by="abe", dispute=number, outcome="overturned", reason="y", verdict="wrong_outcome", penalties=(CAUTION,)
    )
    assert isinstance(record_decision(store, "m", instead, games=GAMES), RecordResult), (
        "the same step again is what is proposed"
    )
    assert earlier_penalties(store, load(store), standard_policy(), P1, "misplay") == (CAUTION,)


def test_a_rewind_beyond_the_policy_says_why(store: Store) -> None:
    limits = Limits(entries=40, learned=1)
    start_match(store, policy=replace(standard_policy(), rewind=limits))
    to = store.version("m")
    for seat in (P1, P2):
        assert isinstance(play(store, "m", seat, Draw(), games=GAMES), RecordResult)
    assert (count_learned(load(store), to), count_learned(load(store), to + 1)) == (2, 1)
    ruled = D.Ruled(by="kato", dispute=disputed(store), verdict="unclear", repair=D.Repair("rewind", to))
    assert "the number of cards seen since then is 2" in unfit(record_decision(store, "m", ruled, games=GAMES))
    near = replace(ruled, repair=D.Repair("rewind", to + 1))
    assert isinstance(record_decision(store, "m", near, games=GAMES), RecordResult)
    again = replace(ruled, dispute=disputed(store), departure="both agreed")
    assert isinstance(record_decision(store, "m", again, games=GAMES), RecordResult)


def test_a_face_shown_and_hidden_again_was_learned(store: Store) -> None:
    start_match(store)
    to, table = store.version("m"), load(store).table
    card = next(card for card, piece in table.pieces.items() if piece.place == "p1.deck")
    shown = ((BY_HAND, F.Shown((card,), (P2,))),)
    assert isinstance(correct(store, "m", "judge", "dropped", shown, games=GAMES), RecordResult)
    assert count_learned(load(store), to) == 1 and count_learned(load(store), store.version("m")) == 0


def test_a_match_without_a_policy_takes_any_step_and_proposes_none(store: Store) -> None:
    open_match(store, Law(TOY, TOY.versions["1"]), "1", {}, seed=bytes(16), match_id="m")
    assert isinstance(penalise(store, D.Penalty(P1, "stern-look")), RecordResult)
    proposed = propose_penalty(store, load(store), P1, "misplay")
    assert isinstance(proposed, Text) and "no policy" in proposed


def test_a_forged_policy_does_not_come_in(store: Store) -> None:
    start_match(store)
    first, *rest = store.read("m")
    assert isinstance(first, Opened) and first.policy == stored_policy(standard_policy())
    for policy, fine in ((first.policy, True), ({"name": "x"}, False), ({**first.policy, "step": {}}, False)):
        entries: list[Entry] = [replace(first, policy=policy), *rest]
        answer = import_entries(store, [codec.encode(entry) for entry in entries], "copy", games=GAMES)
        if fine:
            assert isinstance(answer, Imported)
        else:
            assert isinstance(answer, BadRecord) and answer.entry == 1
