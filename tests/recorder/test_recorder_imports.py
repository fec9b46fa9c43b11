"""Imports of foreign records: complete or not at all."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.evidence import chain
from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES as REAL
from domain.law import disputes as D
from domain.law.clause import BY_HAND
from domain.law.entries import Closed, Corrected, Described, Entry, Noted, Played, Restored, Rewound
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.table.facts import Moved
from domain.table.table import CardId, Place, Seat
from recorder import codec
from recorder.answers import BadRecord, Imported, Unavailable
from recorder.imports import find_fault, import_records
from recorder.matches import advance, open_match
from recorder.simulate import simulate
from recorder.store import Conflict, Store, StoreError
from tests.imports import import_entries
from tests.toy import GAMES, TOY

RULES = TOY.versions["1"]


def record(seed: int = 1) -> list[Entry]:
    return simulate(Law(TOY, RULES), seed)


def states(entries: list[Entry]) -> list[bytes]:
    return [codec.encode(one) for one in entries]


def test_a_record_comes_in_as_it_is(store: Store) -> None:
    entries = record()
    assert import_entries(store, states(entries), games=GAMES) == Imported("sim-toy-1", len(entries), new=True)
    assert store.read("sim-toy-1") == tuple(entries)
    assert store.read_bytes("sim-toy-1") == states(entries)
    assert import_entries(store, states(entries), "copy", games=GAMES) == Imported("copy", len(entries), new=True)
    assert [one.match for one in store.matches()] == ["sim-toy-1", "copy"]


def test_the_same_record_again_changes_nothing_and_another_is_a_conflict(store: Store) -> None:
    entries = record()
    import_entries(store, states(entries), games=GAMES)
    again = Imported("sim-toy-1", len(entries), new=False)
    assert import_entries(store, states(entries), games=GAMES) == again
    reordered = [msgspec.msgpack.encode(dict(reversed(codec.content(one).items()))) for one in states(entries)]
    assert reordered != states(entries)
    assert import_entries(store, reordered, games=GAMES) == again, "the order of fields says nothing"
    for other in (states(entries)[:-1], [*states(entries)[:-1], codec.encode(Closed(by="p1"))]):
        assert import_entries(store, other, games=GAMES) == Conflict("sim-toy-1", 0, len(entries))
    assert store.read_bytes("sim-toy-1") == states(entries)


def test_a_match_with_a_ruling_comes_back_from_its_own_notation(store: Store) -> None:
    entries = record()[:-1]
    number = len(entries) + 1
    disputed = D.Disputed(by="p1", matter=D.Matter(entry=1))
    entries += [disputed, D.Ruled(by="kato", dispute=number, verdict="no_fault", repair=D.LEAVE)]
    first = import_entries(store, states(entries), games=GAMES)
    assert isinstance(first, Imported) and first.new
    again = parse_notation(write_notation(TOY, entries), GAMES)
    assert import_entries(store, states(again), games=GAMES) == Imported(first.match, len(entries), new=False)


def test_a_record_whose_links_do_not_hold_is_refused(store: Store) -> None:
    store.append("sim-toy-1", 0, record())
    linked = store.read_bytes("sim-toy-1")
    link = chain.link_of(linked[1])
    assert link is not None
    linked[1] = chain.link(codec.encode(msgspec.structs.replace(record()[1], at=77)), link)
    bad = import_entries(store, linked, "copy", games=GAMES)
    assert isinstance(bad, BadRecord) and bad.entry == 2
    assert store.version("copy") == 0


def test_a_record_without_an_id_gets_the_same_one_each_time(store: Store) -> None:
    entries = record()
    entries[0] = msgspec.structs.replace(entries[0], match="")
    first = import_entries(store, states(entries), games=GAMES)
    assert isinstance(first, Imported) and first.new
    assert import_entries(store, states(entries), games=GAMES) == Imported(first.match, len(entries), new=False)


def opener(**changes: Any) -> Entry:
    return msgspec.structs.replace(record()[0], **changes)


def at(number: int, *instead: Entry) -> list[Entry]:
    entries = record()
    entries[number - 1 : number] = instead
    return entries


def moved(card: int, place: str = "field") -> Entry:
    return Corrected(by="j", reason="x", told=((BY_HAND, Moved((CardId(card),), Place(place))),))


def acted(actor: str, action: dict[str, Any]) -> Entry:
    return Played(actor=Seat(actor), action=msgspec.Raw(msgspec.msgpack.encode(action)))


BAD = {
    "empty": ([], 1, "the record is empty"),
    "no opening": (record()[1:], 1, "does not begin by opening the match"),
    "unknown game": (at(1, opener(game="poker")), 1, "the game 'poker' is not one of toy"),
    "rules changed": (at(1, opener(rules={"goal": 5, "at_once": 2, "laid": "up"})), 1, "the hash of the rules differs"),
    "rules not offered": (at(1, opener(rules={"laid": "sideways"})), 1, "is fixed at 'up'"),
    "hash changed": (at(1, opener(rules_hash="0" * 16)), 1, "the hash of the rules differs"),
    "opened twice": (at(3, record()[0]), 3, "opened only once"),
    "no such card": (at(4, moved(999)), 4, "fact 1 (move) is physically impossible: there is no card 999"),
    "no such place": (at(4, moved(1, "p3.hand")), 4, "there is no place 'p3.hand'"),
    "no such seat": (at(4, acted("p9", {"do": "draw"})), 4, "there is no seat 'p9'"),
    "no such action": (at(4, acted("p1", {"do": "fly"})), 4, "not an action of toy"),
    "rewound ahead": (at(4, Rewound(to=4, reason="", by="j")), 4, "rewinds to entry 4"),
    "rewound aside": (
        [*record()[:5], Rewound(to=3, reason="", by="j"), Rewound(to=4, reason="", by="j")], 7, "rewinds to entry 4",
    ),
    "a note about what comes": (at(4, Noted(by="j", text="x", about=4)), 4, "a note about entry 4"),
    "a note about nothing": (at(4, Noted(by="j", text="x", about=-1)), 4, "a note about entry -1"),
    "an event of two lines": (
        at(1, opener(occasion=Occasion(event="a\n2 p1: pass"))), 1, "event contains a line break",
    ),
    "a result that runs backwards": (at(4, Described(by="j", announced="\u202e1-2")), 4, "announced contains"),
    "a long round": (at(4, Described(by="j", occasion=Occasion(round="3" * 201))), 4, "at most 200"),
    "restored ahead": (at(4, Restored(to=4, reason="", by="j")), 4, "restores entry 4"),
    "restored what stands": (at(4, Restored(to=3, reason="", by="j")), 4, "which no rewind has undone"),
    "after the close": ([*record(), Noted(by="x", text="x")], len(record()) + 1, "was closed in entry"),
}  # fmt: skip


def test_a_bad_record_is_refused_whole_with_the_entry_named(store: Store) -> None:
    for name, (entries, number, words) in BAD.items():
        answer = import_entries(store, states(entries), games=GAMES)
        assert isinstance(answer, BadRecord), name
        assert (answer.entry, words in answer.what) == (number, True), answer
    assert store.matches() == []


def test_bytes_that_are_no_entry_and_ids_that_are_none_are_refused(store: Store) -> None:
    broken = states(record())
    broken[6] = b"\xc1"
    answer = import_entries(store, broken, games=GAMES)
    assert isinstance(answer, BadRecord) and answer.entry == 7
    bad_id = import_entries(store, states(record()), "a/b", games=GAMES)
    assert isinstance(bad_id, BadRecord) and "cannot be a match id" in bad_id.what
    assert store.matches() == []


def test_an_imported_open_match_has_no_croupier_here(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "b.db") as elsewhere:
        open_match(elsewhere, Law(TOY, RULES), "1", {}, match_id="m", with_croupier=False)
        exported = elsewhere.read_bytes("m")
    assert isinstance(import_entries(store, exported, games=GAMES), Imported)
    answer = advance(store, "m", games=GAMES)
    assert isinstance(answer, Unavailable) and "seed is not in this store" in answer.why


@pytest.mark.random
@pytest.mark.parametrize("key", sorted(REAL))
def test_random_matches_of_every_game_are_fit_records(key: str) -> None:
    game = REAL[key]
    for version in game.versions:
        for seed in range(3):
            assert find_fault(simulate(Law(game, game.versions[version]), seed, max_entries=400)) is None


def several() -> list[list[bytes]]:
    return [states(record(seed)) for seed in (1, 2, 3)]


def test_several_records_come_in_together(store: Store) -> None:
    lengths = [len(one) for one in several()]
    new = [Imported(f"sim-toy-{seed}", lengths[seed - 1], new=True) for seed in (1, 2, 3)]
    assert import_records(store, several()[:1], games=GAMES) == new[:1]
    first = Imported("sim-toy-1", lengths[0], new=False)
    assert import_records(store, several(), games=GAMES) == [first, *new[1:]]
    assert [one.match for one in store.matches()] == ["sim-toy-1", "sim-toy-2", "sim-toy-3"]
    assert import_records(store, [several()[0]] * 2, "twice", games=GAMES) == [
        Imported("twice", lengths[0], new=True), first
    ]  # fmt: skip


def test_of_several_records_all_come_in_or_none(store: Store) -> None:
    import_entries(store, several()[2][:-1], "sim-toy-3", games=GAMES)
    before = store.matches()
    assert import_records(store, several(), games=GAMES) == Conflict("sim-toy-3", 0, len(several()[2]) - 1)
    broken = [*several()[1][:5], b"\xc1"]
    answer = import_records(store, [several()[0], broken], games=GAMES)
    assert isinstance(answer, BadRecord) and answer.entry == 6
    other = [several()[0], several()[0][:-1]]
    assert import_records(store, other, games=GAMES) == Conflict("sim-toy-1", 0, len(other[0]))
    assert store.matches() == before


def test_of_several_records_none_comes_in_if_the_disk_fails_at_the_last(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert, calls = store._log.entries._insert, iter(range(9))  # type: ignore[attr-defined]

    def failing(*given: Any) -> Any:
        if next(calls) == 2:
            raise sqlite3.OperationalError("the disk is gone")
        return insert(*given)

    monkeypatch.setattr(store._log.entries, "_insert", failing)
    with pytest.raises(StoreError, match="the disk is gone"):
        import_records(store, several(), games=GAMES)
    assert store.matches() == []


def test_records_that_somebody_else_brought_in_meanwhile_are_known(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, looks = store.version, iter([0])
    import_entries(store, several()[1], games=GAMES)
    monkeypatch.setattr(store, "version", lambda match: 0 if next(looks, None) == 0 else version(match))
    answer = import_records(store, several()[1:2], games=GAMES)
    assert answer == [Imported("sim-toy-2", len(several()[1]), new=False)]
