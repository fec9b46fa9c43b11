"""Descriptions of a match: its place in a tournament, the announced result, and comments on entries."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.law.clause import BY_HAND
from domain.law.entries import Described, Noted, last_described
from domain.law.law import Law
from domain.law.occasion import TEXT_MAX, Occasion
from domain.table.facts import Finished
from domain.table.table import Result, Seat
from projections.match_status import read_status
from projections.seen_entries import seen_entries
from recorder.answers import RecordResult, Unavailable, Unfit
from recorder.branches import branch
from recorder.matches import advance, close, correct, describe, note, open_match, play, rewind
from recorder.store import Store
from tests.shelves import seen_by
from tests.toy import GAMES, TOY, Draw

P1, P2 = Seat("p1"), Seat("p2")
RULES = TOY.versions["1"]
CUP = Occasion(event="Spring Cup", round="3")


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.open(where) as opened:
        assert open_match(opened, Law(TOY, RULES), "1", {}, match_id="m", occasion=CUP) == "m"
        advance(opened, "m", games=GAMES)
        yield opened


def test_what_is_not_described_anew_stays_as_it_was(store: Store) -> None:
    assert last_described(store.read("m")).occasion == CUP
    done = describe(store, "m", "judge", {"table": "12", "announced": "p1 2-1"}, at=5, games=GAMES)
    whole = Described(
        by="judge", occasion=Occasion(event="Spring Cup", round="3", table="12"), announced="p1 2-1", at=5
    )
    assert isinstance(done, RecordResult) and done.entry == whole
    describe(store, "m", "p1", {"round": ""}, games=GAMES)
    last = last_described(store.read("m"))
    assert (last.occasion, last.announced) == (Occasion(event="Spring Cup", table="12"), "p1 2-1")
    stands = read_status(store.read("m"))
    assert (stands.occasion, stands.announced) == (last.occasion, last.announced)


def test_a_rewind_takes_back_no_description_and_a_branch_keeps_it(store: Store) -> None:
    describe(store, "m", "judge", {"announced": "p1"}, games=GAMES)
    rewind(store, "m", 2, "misdealt", "judge", games=GAMES)
    assert last_described(store.read("m")).announced == "p1"
    branch(store, "m", 3, "b", games=GAMES)
    assert last_described(store.read("b")).occasion == CUP


@pytest.mark.parametrize("bad", ["two\nlines", "a\x1b[2J", "\u202eback", "\u2028", "x" * (TEXT_MAX + 1)])
def test_a_text_that_forges_lines_or_is_too_long_is_refused(store: Store, bad: str) -> None:
    before = store.version("m")
    for name in ("event", "limit", "announced"):
        answer = describe(store, "m", "judge", {name: bad}, games=GAMES)
        assert isinstance(answer, Unfit) and name in answer.what
    assert isinstance(open_match(store, Law(TOY, RULES), "1", {}, match_id="n", occasion=Occasion(site=bad)), Unfit)
    assert (store.version("m"), store.version("n")) == (before, 0)
    fits = describe(store, "m", "judge", {"event": "春の　大会" + "x" * (TEXT_MAX - 5)}, games=GAMES)
    assert isinstance(fits, RecordResult), "a wide blank is no forgery"


def test_nothing_is_described_without_a_value_or_after_the_close(store: Store) -> None:
    assert isinstance(describe(store, "m", "judge", {}, games=GAMES), Unfit)
    close(store, "m", "judge", "rain", abandon=True, games=GAMES)
    assert isinstance(describe(store, "m", "judge", {"round": "4"}, games=GAMES), Unavailable)


def test_a_comment_names_the_entry_it_is_about_to_those_who_may_read_it(store: Store) -> None:
    last = store.version("m")
    done = note(store, "m", "p1", "too slow", about=2, games=GAMES)
    assert isinstance(done, RecordResult) and done.entry == Noted(by="p1", text="too slow", about=2)
    for about in (-1, last + 2):
        assert isinstance(note(store, "m", "p1", "x", about=about, games=GAMES), Unfit)
    seen = {
        who: list(seen_entries(*seen_by(TOY, store.read("m"), Seat(who))))[-1]
        for who in ("p1", "p2", "spectator", "judge")
    }
    assert {who: (one.about, one.text) for who, one in seen.items()} == {
        "p1": (2, "too slow"), "judge": (2, "too slow"), "p2": (0, ""), "spectator": (0, ""),
    }  # fmt: skip


def test_a_match_stands_where_its_line_ends(store: Store) -> None:
    play(store, "m", P1, Draw(), at=8, games=GAMES)
    begun = read_status(store.read("m"))
    assert (begun.result, begun.last) == (None, 8)
    correct(store, "m", "judge", "flag", ((BY_HAND, Finished(Result((P2,), "time"))),), at=9, games=GAMES)
    assert read_status(store.read("m")) == replace(begun, result=Result((P2,), "time"), last=9)
    rewind(store, "m", 4, "no flag", "judge", at=10, games=GAMES)
    assert read_status(store.read("m")) == replace(begun, last=10)
    rewind(store, "m", 5, "it fell", "judge", at=11, games=GAMES)
    assert read_status(store.read("m")).result == Result((P2,), "time")
