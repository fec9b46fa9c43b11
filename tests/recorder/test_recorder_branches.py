"""Hypothetical branches: the same past byte for byte, independent chance, and not the parent's secret."""

from collections.abc import Iterator

import msgspec
import pytest

from domain.evidence import chain
from domain.law import croupier
from domain.law.entries import Closed, Opened, Played, fold_entries
from domain.law.law import Law
from domain.table.table import CardId, Place, Seat
from recorder import codec
from recorder.answers import RecordResult, Unavailable
from recorder.branches import Branched, NoBranch, branch, branches
from recorder.imports import find_fault
from recorder.matches import advance, close, open_match, play, rewind
from recorder.store import Conflict, Store
from tests.imports import import_entries
from tests.recorder.test_recorder_matches import load
from tests.toy import GAMES, TOY, Draw

P1 = Seat("p1")
SEED, OTHER = bytes(range(16)), bytes(range(16, 32))


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.open(where) as opened:
        assert open_match(opened, Law(TOY, TOY.versions["1"]), "1", {P1: "Ann"}, seed=SEED, match_id="m", at=5) == "m"
        advance(opened, "m", games=GAMES)
        for _ in range(4):
            draw(opened, "m")
        yield opened


def draw(store: Store, match: str) -> None:
    (seat,) = TOY.awaited(load(store, match).table)
    assert isinstance(play(store, match, seat, Draw(), games=GAMES), RecordResult)


def make_branch(store: Store, at: int, match: str = "b", parent: str = "m", seed: bytes | None = OTHER) -> Branched:
    done = branch(store, parent, at, match, seed, 9, "judge", games=GAMES)
    assert isinstance(done, Branched), done
    return done


def bare(states: list[bytes]) -> list[bytes]:
    return [chain.unlink(state) for state in states]


def test_a_branch_begins_with_its_parents_entries_under_links_of_its_own(store: Store) -> None:
    before = store.read_bytes("m")
    assert make_branch(store, 5) == Branched("b", "m", 5, store.version("b"), parent_open=True)
    assert bare(store.read_bytes("b")[1:]) == bare(before[1:5])
    looked = chain.examine(store.read_bytes("b"))
    assert (looked.fault, looked.linked) == (None, 1), "it is linked from its own opening on"
    assert store.read_bytes("m") == before, "the parent is not touched"
    first, parent = store.read("b", 1)[0], store.read("m", 1)[0]
    assert isinstance(first, Opened) and isinstance(parent, Opened)
    assert (first.match, first.parent, first.parent_at, first.at, first.by) == ("b", "m", 5, 9, "judge")
    own = {name: getattr(parent, name) for name in ("match", "commitment", "parent", "parent_at", "at", "by")}
    assert msgspec.structs.replace(first, **own) == parent
    assert load(store, "b").table == fold_entries(store.read("m"), 5)
    assert find_fault(store.read("b"), GAMES) is None


def test_a_branch_has_a_seed_of_its_own_and_holds_nothing_of_its_parents(store: Store) -> None:
    close(store, "m", "judge", "time", abandon=True, games=GAMES)
    make_branch(store, 5, seed=None)
    secret = store.secret("b")
    assert secret is not None and secret != SEED and len(secret) == croupier.SEED_BYTES
    held = b"".join(store.read_bytes("b"))
    assert SEED.hex().encode() not in held and croupier.commitment("m", SEED).encode() not in held
    first = store.read("b", 1)[0]
    assert isinstance(first, Opened) and first.commitment == croupier.commitment("b", secret)
    close(store, "b", "judge", "time", abandon=True, games=GAMES)
    last = store.read("b")[-1]
    assert isinstance(last, Closed) and last.seed == secret.hex()


def test_what_chance_answers_after_it_is_drawn_anew(store: Store) -> None:
    shuffled = load(store, "m").table.places[Place("p1.deck")]
    make_branch(store, 1)
    assert store.version("b") == 3, "with the branch, not after it"
    anew = load(store, "b")
    drawn = TOY.chance(anew.rules, fold_entries(store.read("b"), 1), croupier.make_random_source("b", OTHER, 2))
    assert drawn is not None
    second = store.read("b")[1]
    assert isinstance(second, Played) and second.action == codec.raw_action(drawn)
    assert second != store.read("m")[1]
    assert set(anew.table.places[Place("p1.deck")]) >= set(shuffled)
    assert anew.table.places[Place("p1.deck")][: len(shuffled)] != shuffled


def test_a_branch_is_played_on_and_branched_again(store: Store) -> None:
    make_branch(store, 4)
    draw(store, "b")
    assert (store.version("b"), store.version("m")) == (5, 7)
    assert make_branch(store, 5, "c", "b") == Branched("c", "b", 5, store.version("c"), parent_open=True)
    make_branch(store, 6, "d")
    assert branches(store) == {"m": ["b", "d"], "b": ["c"]}
    listed = {one.match: one for one in store.matches()}
    assert [listed[one].unofficial for one in "mbcd"] == [False, True, True, True]
    assert (listed["c"].parent, listed["c"].parent_at) == ("b", 5)


def test_a_branch_of_a_match_that_was_rewound_keeps_its_undone_line(store: Store) -> None:
    rewind(store, "m", 5, "wrong card", "judge", games=GAMES)
    draw(store, "m")
    make_branch(store, 9)
    assert bare(store.read_bytes("b")[1:]) == bare(store.read_bytes("m")[1:9])
    assert load(store, "b").table == load(store, "m").table


def test_a_branch_may_begin_on_a_line_that_was_undone(store: Store) -> None:
    rewind(store, "m", 5, "wrong card", "judge", games=GAMES)
    make_branch(store, 7)
    assert bare(store.read_bytes("b")[1:]) == bare(store.read_bytes("m")[1:7])
    assert load(store, "b").table == fold_entries(store.read("m"), 7) != load(store, "m").table


def test_where_no_branch_can_begin(store: Store) -> None:
    rewind(store, "m", 5, "wrong card", "judge", games=GAMES)
    close(store, "m", "judge", "time", abandon=True, games=GAMES)
    wrong = {0: "no entry 0", -3: "no entry -3", 10: "no entry 10", 10**40: "no entry 1000", 9: "closes"}
    for at, words in wrong.items():
        answer = branch(store, "m", at, "b", OTHER, games=GAMES)
        assert isinstance(answer, NoBranch) and words in str(answer.what), at
    for name in ("", "a b", "-x", "x" * 65, "é"):
        answer = branch(store, "m", 4, name or " ", OTHER, games=GAMES)
        assert isinstance(answer, NoBranch) and "cannot be a match id" in str(answer.what)
    assert isinstance(branch(store, "nobody", 1, "b", OTHER, games=GAMES), Unavailable)
    assert branch(store, "m", 4, "m", OTHER, games=GAMES) == Conflict("m", 0, 9)
    assert [one.match for one in store.matches()] == ["m"], "nothing was recorded"


def test_what_this_program_does_not_know_of_the_opening_is_kept(store: Store) -> None:
    states = bare(store.read_bytes("m", 4))
    states[0] = msgspec.msgpack.encode({**codec.content(states[0]), "venue": "Kyoto", "match": "k"})
    import_entries(store, states, "k", games=GAMES)
    make_branch(store, 3, "b", "k")
    assert codec.content(store.read_bytes("b", 1)[0])["venue"] == "Kyoto"


def test_a_branch_comes_and_goes_as_a_file(store: Store) -> None:
    make_branch(store, 5)
    lines = [codec.from_json_line(codec.to_json_line(state)) for state in store.read_record("b")]
    done = import_entries(store, lines, "copy", games=GAMES)
    assert getattr(done, "new", False)
    assert store.read("copy") == store.read("b")
    assert CardId(1) in load(store, "copy").table.pieces
