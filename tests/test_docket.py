"""Filings next to a match's play: permitted order, and pending ones."""

from typing import get_args

from hypothesis import given, strategies as st
from msgspec.structs import replace

from domain.law import disputes as D, docket, entries as E
from domain.law.clause import Clause
from domain.law.docket import Dispute, Docket
from domain.table.table import JUDGE, Seat
from domain.words import Text, load_messages
from tests.rows import for_each

P1, P2 = Seat("p1"), Seat("p2")
START = Docket(seats=(P1, P2))
ABOUT = D.Matter(entry=3)
WARNING = D.Penalty(P1, "warning")
OPENED = D.Disputed(by="p1", matter=ABOUT, claims={P1: "it was charged"})
RULED = D.Ruled(by="kato", dispute=10, verdict="not_allowed", penalties=(WARNING,))
APPEALED = D.Appealed(by="p1", dispute=10, reason="nobody saw it")
DECIDED = D.Decided(by="abe", dispute=10, outcome="upheld", reason="three saw it")


def file_all(*entries: D.Filed, first: int = 10) -> Docket:
    pending = START
    for number, entry in enumerate(entries, start=first):
        after = docket.apply_filing(pending, number, entry)
        assert isinstance(after, Docket), after
        pending = after
    return pending


def refusal_key(pending: Docket, entry: D.Filed, number: int = 20) -> str:
    after = docket.apply_filing(pending, number, entry)
    assert isinstance(after, Text), after
    assert after.key in load_messages() and str(after) and after.say("ja")
    return after.key


def the_one(pending: Docket) -> Dispute:
    (dispute,) = pending.disputes.values()
    return dispute


def test_a_dispute_goes_from_claim_to_ruling_to_appeal_to_its_end() -> None:
    opened = file_all(OPENED)
    assert the_one(opened).standing == "open" and the_one(opened).claims[0].text == "it was charged"
    added = file_all(OPENED, D.Disputed(by="p2", dispute=10, claims={P2: "it had attacked"}))
    assert [claim.entry for claim in the_one(added).claims] == [10, 11]
    ruled = file_all(OPENED, RULED)
    assert the_one(ruled).standing == "ruled" and the_one(ruled).in_force == RULED
    assert ruled.penalties == ((11, WARNING),)
    appealed = file_all(OPENED, RULED, APPEALED)
    assert the_one(appealed).standing == "appealed" and appealed.penalties == ((11, WARNING),)
    upheld = file_all(OPENED, RULED, APPEALED, DECIDED)
    assert the_one(upheld).standing == "closed" and upheld.penalties == ((13, WARNING),)


def test_what_an_appeal_overturns_counts_no_more() -> None:
    instead = replace(DECIDED, outcome="overturned", verdict="no_fault")
    overturned = file_all(OPENED, RULED, APPEALED, instead)
    assert the_one(overturned).in_force == instead and overturned.penalties == ()
    remanded = file_all(OPENED, RULED, APPEALED, replace(DECIDED, outcome="remanded"))
    assert the_one(remanded).standing == "open" and remanded.penalties == ()
    again = file_all(OPENED, RULED, APPEALED, replace(DECIDED, outcome="remanded"), RULED, APPEALED)
    assert the_one(again).rulings == (11, 14) and the_one(again).appeals == (12, 15)


@for_each(
    "before, entry, why",
    [
        ((), RULED, "docket.no_dispute"),
        ((), APPEALED, "docket.no_dispute"),
        ((OPENED,), APPEALED, "docket.is_open"),
        ((OPENED,), DECIDED, "docket.is_open"),
        ((OPENED, RULED), RULED, "docket.is_ruled"),
        ((OPENED, RULED), DECIDED, "docket.is_ruled"),
        ((OPENED, RULED), D.Disputed(by="p2", dispute=10, claims={P2: "no"}), "docket.is_ruled"),
        ((OPENED, RULED, APPEALED), APPEALED, "docket.is_appealed"),
        ((OPENED, RULED, APPEALED), RULED, "docket.is_appealed"),
        ((OPENED, RULED, APPEALED, DECIDED), APPEALED, "docket.is_closed"),
        ((OPENED, RULED, APPEALED, DECIDED), DECIDED, "docket.is_closed"),
        ((OPENED, RULED, APPEALED, DECIDED), RULED, "docket.is_closed"),
    ],
)
def test_disputes_go_on_in_their_order_only(before: tuple[D.Filed, ...], entry: D.Filed, why: str) -> None:
    assert refusal_key(file_all(*before), entry) == why


@for_each(
    "entry, why",
    [
        (D.Disputed(by="p1"), "docket.about_nothing"),
        (D.Disputed(by="p1", matter=D.Matter(entry=20)), "match.no_entry"),
        (D.Disputed(by="p1", matter=D.Matter(entry=-1)), "match.no_entry"),
        (replace(OPENED, claims={Seat("p3"): "me too"}), "wrong.seat"),
        (replace(OPENED, claims={P1: "  "}), "docket.empty_claim"),
        (replace(OPENED, claims={P1: "two\nlines"}), "occasion.forging"),
        (replace(OPENED, claims={P1: "x" * 201}), "occasion.long"),
        (D.Disputed(by="p2", dispute=10), "docket.no_claim"),
        (replace(RULED, penalties=(D.Penalty(Seat("p9"), "warning"),)), "wrong.seat"),
        (replace(RULED, penalties=(D.Penalty(P1, ""),)), "docket.no_step"),
        (replace(RULED, penalties=(D.Penalty(P1, "a\u202eb"),)), "occasion.forging"),
        (replace(RULED, repair=D.Repair("rewind", 20)), "match.no_entry"),
        (replace(RULED, repair=D.Repair("rewind", 0)), "match.no_entry"),
        (replace(RULED, reason="x" * 201), "occasion.long"),
        (D.Penalised(by="abe", penalty=D.Penalty(Seat("p9"), "warning")), "wrong.seat"),
        (D.Resumed(by="abe"), "docket.not_paused"),
        (D.Unsealed(by="kato", eyes=Seat("p9")), "docket.no_eyes"),
        (D.Sealed(by="kato", eyes=P1), "docket.sealed"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(entry: D.Filed, why: str) -> None:
    assert refusal_key(file_all(OPENED), entry) == why


@for_each("reason", ["", " "])
def test_appeals_and_decisions_have_a_reason(reason: str) -> None:
    assert refusal_key(file_all(OPENED, RULED), replace(APPEALED, reason=reason)) == "docket.no_reason"
    assert refusal_key(file_all(OPENED, RULED, APPEALED), replace(DECIDED, reason=reason)) == "docket.no_reason"


def test_a_clock_stands_still_once_and_time_is_given_in_seconds() -> None:
    paused = file_all(D.Paused(by="abe", reason="a call"))
    assert paused.pause == 10
    assert refusal_key(paused, D.Paused(by="abe")) == "docket.paused"
    for extension in (-1_000, 1_500, docket.EXTENSION_MAX + docket.SECOND):
        assert refusal_key(paused, D.Resumed(by="abe", extension=extension)) == "docket.extension"
    twice = file_all(D.Paused(by="a"), D.Resumed(by="a", extension=90_000), D.Paused(by="a"), D.Resumed(by="a"))
    assert (twice.pause, twice.extension) == (0, 90_000)


def test_a_seal_is_known_by_who_broke_it_and_with_whose_eyes() -> None:
    broken = file_all(D.Unsealed(by="kato", eyes=P1), D.Unsealed(by="kato", eyes=JUDGE), D.Unsealed(by="abe", eyes=P1))
    assert broken.unsealed == {("kato", P1): 10, ("kato", JUDGE): 11, ("abe", P1): 12}
    assert refusal_key(broken, D.Sealed(by="abe", eyes=JUDGE)) == "docket.sealed"
    sealed = docket.apply_filing(broken, 13, D.Sealed(by="kato", eyes=P1))
    assert isinstance(sealed, Docket) and sealed.unsealed == {("kato", JUDGE): 11, ("abe", P1): 12}


def test_all_that_is_filed_changes_nothing_on_the_table() -> None:
    assert set(get_args(D.Filed)) <= set(E.RECORD_ENTRIES) <= set(E.ENTRIES)
    assert all(E.entry_facts(entry) == () for entry in (OPENED, RULED, APPEALED, DECIDED))


KINDS = st.sampled_from((OPENED, RULED, APPEALED, DECIDED, replace(DECIDED, outcome="remanded")))


@given(st.lists(st.tuples(KINDS, st.integers(10, 14)), max_size=12))
def test_whatever_is_tried_a_dispute_has_a_ruling_exactly_when_it_stands(tries: list[tuple[D.Filed, int]]) -> None:
    pending, number = START, 10
    for entry, about in tries:
        tried = entry if isinstance(entry, D.Disputed) else replace(entry, dispute=about)
        after = docket.apply_filing(pending, number, tried)
        if isinstance(after, Text):
            continue
        pending, number = after, number + 1
        for dispute in pending.disputes.values():
            assert (dispute.in_force is None) == (dispute.standing == "open")
            assert dispute.number <= dispute.last < number
            assert len(dispute.rulings) - len(dispute.appeals) in (0, 1)


def test_an_entry_out_of_order_is_left_out_of_a_docket() -> None:
    opened = E.Opened(
        game="g",
        version="1",
        rules={},
        rules_hash="",
        schema=None,
        seats=(P1, P2),  # type: ignore[arg-type]  # not read
    )
    pending = docket.docket_of([opened, RULED, replace(OPENED, matter=D.Matter(clause=Clause("X-1")))])
    assert list(pending.disputes) == [3] and pending.penalties == ()
    assert docket.docket_of([opened]).disputes == {}
