"""Filings next to the play: recorded with their repairs and the rules' opinion, in one transaction."""

import pytest
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.clause import BY_HAND, Clause
from domain.law.docket import docket_of
from domain.law.entries import Corrected, Entry, Played, Restored, Rewound, fold_entries
from domain.law.law import Law
from domain.table import facts as F
from domain.table.table import CardId, Place, Seat
from recorder import codec
from recorder.answers import BadRecord, Imported, Impossible, RecordResult, Reused, Unavailable, Unfit
from recorder.decisions import record_decision
from recorder.matches import close, open_match, play
from recorder.store import Conflict, Store
from tests.imports import import_entries
from tests.toy import GAMES, TOY, Draw

P1, P2 = Seat("p1"), Seat("p2")
RULES = TOY.versions["1"]


@pytest.fixture
def disputed(store: Store) -> int:
    """Record a match in which p1 drew out of turn, and a dispute about it; return the dispute's number."""
    open_match(store, Law(TOY, RULES), "1", {}, seed=bytes(16), match_id="m")
    for as_played in (False, True):
        assert isinstance(play(store, "m", P1, Draw(), as_played, games=GAMES), RecordResult)
    opened = record_decision(store, "m", D.Disputed(by="p2", matter=D.Matter(store.version("m"))), at=5, games=GAMES)
    assert isinstance(opened, RecordResult) and opened.entry.at == 5
    return opened.version


def make_ruling(disputed: int) -> D.Ruled:
    return D.Ruled(by="kato", dispute=disputed, verdict="not_allowed", clauses=(Clause("T-1"),))


def test_a_ruling_keeps_what_the_law_said(store: Store, disputed: int) -> None:
    done = record_decision(store, "m", make_ruling(disputed), games=GAMES)
    assert isinstance(done, RecordResult) and isinstance(done.entry, D.Ruled)
    assert (done.entry.opinion.finding, done.entry.opinion.clauses) == ("not_allowed", (Clause("T-1"),))
    assert done.entry.opinion.law and done.before == done.table
    assert store.read("m", after=disputed) == (done.entry,)


def test_a_ruling_on_a_clause_asks_no_law(store: Store, disputed: int) -> None:
    other = record_decision(store, "m", D.Disputed(by="p1", matter=D.Matter(clause=Clause("T-3"))), games=GAMES)
    assert isinstance(other, RecordResult)
    done = record_decision(store, "m", make_ruling(other.version), games=GAMES)
    assert isinstance(done, RecordResult) and isinstance(done.entry, D.Ruled) and done.entry.opinion == D.UNASKED


def test_a_ruling_that_goes_back_does_so_at_once(store: Store, disputed: int) -> None:
    back = replace(make_ruling(disputed), repair=D.Repair("rewind", disputed - 2), reason="out of turn")
    done = record_decision(store, "m", back, games=GAMES, command_id="c")
    assert isinstance(done, RecordResult)
    assert done.also == (Rewound(to=disputed - 2, reason="out of turn", by="kato"),)
    assert done.last == store.version("m") == disputed + 2
    assert record_decision(store, "m", back, games=GAMES, command_id="c") == done, (
        "a repeated command gives the same answer"
    )
    other = replace(back, verdict="unclear")
    assert isinstance(record_decision(store, "m", other, games=GAMES, command_id="c"), Reused)
    assert isinstance(
        record_decision(store, "m", D.Appealed(by="p1", dispute=disputed, reason="no"), games=GAMES), RecordResult
    )
    forth = D.Decided(
        by="abe", dispute=disputed, outcome="overturned", reason="in turn", verdict="no_fault",
        repair=D.Repair("rewind", disputed),
    )  # fmt: skip
    restored = record_decision(store, "m", forth, games=GAMES)
    assert isinstance(restored, RecordResult) and isinstance(restored.also[0], Restored)
    assert restored.table == done.before


def test_a_rewind_to_where_chance_is_asked_draws_anew(store: Store, disputed: int) -> None:
    done = record_decision(store, "m", replace(make_ruling(disputed), repair=D.Repair("rewind", 1)), games=GAMES)
    assert isinstance(done, RecordResult) and all(isinstance(entry, Played) for entry in done.also[1:])
    assert len(done.also) == 3 and store.version("m") == done.last


def test_a_ruling_by_hand_enters_facts(store: Store, disputed: int) -> None:
    by_hand = replace(make_ruling(disputed), repair=D.Repair("by_hand"), reason="back on the deck")
    card = fold_entries(store.read("m")).places[Place("p1.hand")][-1]
    told = ((BY_HAND, F.Moved((card,), Place("p1.deck"))),)
    without = record_decision(store, "m", by_hand, games=GAMES)
    assert isinstance(without, Unfit) and "fact" in str(without.what)
    assert isinstance(record_decision(store, "m", make_ruling(disputed), told, games=GAMES), Unfit)
    wrong = ((BY_HAND, F.Moved((CardId(999),), Place("field"))),)
    assert isinstance(record_decision(store, "m", by_hand, wrong, games=GAMES), Impossible)
    assert store.version("m") == disputed, "nothing was half-written"
    done = record_decision(store, "m", by_hand, told, games=GAMES)
    assert isinstance(done, RecordResult) and isinstance(done.also[0], Corrected) and done.also[0].told == told


def test_what_does_not_fit_the_match_is_not_recorded(store: Store, disputed: int) -> None:
    cases: tuple[tuple[D.Filed, str], ...] = (
        (D.Disputed(by="p1", matter=D.Matter(clause=Clause("T-99"))), "there is no clause 'T-99'"),
        (D.Disputed(by="p1", matter=D.Matter(thing=9_999)), "there is no card or piece u9999"),
        (D.Disputed(by="p1", matter=D.Matter(entry=9_999)), "there is no entry 9999"),
        (D.Ruled(by="kato", dispute=1, verdict="unclear"), "entry 1 opens no dispute"),
        (D.Ruled(by="kato", dispute=6, verdict="unclear", clauses=(Clause("T-0"),)), "there is no clause 'T-0'"),
    )
    for entry, words in cases:
        answer = record_decision(store, "m", entry, games=GAMES)
        assert isinstance(answer, Unfit) and words in answer.what, answer
    assert store.version("m") == disputed


def test_of_two_judges_who_rule_at_once_one_is_told(store: Store, disputed: int) -> None:
    at = store.version("m")
    assert isinstance(record_decision(store, "m", make_ruling(disputed), expected=at, games=GAMES), RecordResult)
    assert record_decision(store, "m", make_ruling(disputed), expected=at, games=GAMES) == Conflict("m", at, at + 1)
    late = record_decision(store, "m", make_ruling(disputed), games=GAMES)
    assert isinstance(late, Unfit) and f"was ruled on in entry {at + 1}" in late.what


def test_a_closed_match_takes_no_dispute(store: Store, disputed: int) -> None:
    close(store, "m", "judge", "time", abandon=True, games=GAMES)
    assert isinstance(record_decision(store, "m", make_ruling(disputed), games=GAMES), Unavailable)


def test_a_record_with_disputes_comes_in_whole_and_one_out_of_order_does_not(store: Store, disputed: int) -> None:
    assert isinstance(record_decision(store, "m", make_ruling(disputed), games=GAMES), RecordResult)
    entries: list[Entry] = list(store.read("m"))
    fine = [codec.encode(entry) for entry in entries]
    assert import_entries(store, fine, "copy", games=GAMES) == Imported("copy", len(entries), new=True)
    assert docket_of(store.read("copy")) == docket_of(entries)
    forged = [*fine, codec.encode(make_ruling(disputed))]
    refused = import_entries(store, forged, "forged", games=GAMES)
    assert isinstance(refused, BadRecord) and refused.entry == len(forged) and "was ruled on" in refused.what
    assert "forged" not in {match.match for match in store.matches()}


def test_play_goes_on_beside_a_dispute(store: Store, disputed: int) -> None:
    assert isinstance(record_decision(store, "m", D.Paused(by="abe"), games=GAMES), RecordResult)
    assert isinstance(play(store, "m", P1, Draw(), games=GAMES), RecordResult), (
        "a clock that stands still is for people"
    )
