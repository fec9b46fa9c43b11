"""Players' names, stored next to the log: shown while they exist, erased for good, and no record changes."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.evidence import chain, names as hashed
from domain.games import GAMES
from domain.law.entries import ENCRYPTED_NAME_PREFIX, Opened, opened_of
from domain.law.law import Law
from domain.table.table import Seat
from recorder import codec, store_location
from recorder.answers import Imported, RecordResult
from recorder.backup import backup
from recorder.branches import branch
from recorder.commands import command_of
from recorder.evidence.checking import check_log, check_matches
from recorder.evidence.packs import record_files
from recorder.evidence.proofs import prove
from recorder.evidence.sealing import seal
from recorder.finding.index_follower import SearchIndex
from recorder.imports import import_records
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import close, open_match
from recorder.name_erasure import forget_names, known_names
from recorder.sealing import read_sealing
from recorder.store import Conflict, Repeated, Store
from service.search.indexing import index_rows, law_digest
from tests import places
from tests.evidence.sealed import ORGANISER
from tests.places import Place

LAW = Law(GAMES["blackpoker"], GAMES["blackpoker"].versions["8.1-lite"])
P1, P2 = Seat("p1"), Seat("p2")
NAMES = {P1: "Shirakawa Aiko", P2: "Tachibana Botan"}
LEFT = {P2: "Tachibana Botan"}


@pytest.fixture(name="at")
def place_of_stores(place: Place) -> Place:
    return place


def begin(store: Store, match: str = "m", at: int = 0, closed: bool = True, **more: Any) -> list[bytes]:
    assert open_match(store, LAW, "8.1-lite", NAMES, match_id=match, at=at, **more) == match
    if closed:
        assert isinstance(close(store, match, "judge", "no time left", abandon=True), RecordResult)
    return store.read_bytes(match)


def forget(store: Store, name: str = "Shirakawa Aiko", match: str = "") -> list[str]:
    found = [*known_names(store, name, match)]
    assert forget_names(store, found)
    return [known.match for known in found]


def names(store: Store, match: str = "m") -> dict[Seat, str]:
    """Return the names, after checking that an entry, a list, a loaded match and an export agree."""
    read = opened_of(store.read(match)).names
    loaded = load_match(store, match)
    (listed,) = (row for row in store.matches() if row.match == match)
    exported = codec.decode(store.read_record(match)[0])
    assert isinstance(loaded, LoadedMatch) and isinstance(exported, Opened)
    assert loaded.opening.names == listed.names == exported.names == read
    return dict(read)


def read_all_bytes(store: Store, folder: Path) -> bytes:
    parts = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    if store_location.on_server(store.name):
        for table in store.log.entries.tables():
            values = [value for row in places.rows(store.name, f"SELECT * FROM {table}") for value in row]
            parts += [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(parts)


def test_a_name_is_shown_and_stands_in_no_entry(at: Place) -> None:
    with Store.open(at("s.db")) as store:
        states = begin(store)
        assert names(store) == NAMES and not any(b"Shirakawa" in state for state in states)
        assert codec.content(states[0])["name_hashes"].keys() == NAMES.keys()
        begin(store, "n")
        hashes = [codec.content(store.read_bytes(match)[0])["name_hashes"]["p1"] for match in ("m", "n")]
        assert len({*hashes}) == 2, "nobody can tell that it is the same name"
        assert chain.examine(states).fault is None
    with Store.open(at("s.db"), read_only=True) as store:
        assert names(store) == NAMES


def test_a_forgotten_name_is_gone_from_every_file_and_everything_still_holds(at: Place, tmp_path: Path) -> None:
    with Store.open(at("s.db")) as store, SearchIndex(store, index_rows, law_digest()) as finder:
        states = begin(store)
        begin(store, "n", closed=False)
        seal(store, ORGANISER)
        finder.catch_up()
        proved, packed = str(prove(read_sealing(store), "m")), record_files(states)
        checked = [*check_matches(store, read_sealing(store), lambda match: {})]
        assert not any(looked.wrong for looked in checked)
        assert b"Shirakawa" in read_all_bytes(store, tmp_path)
        finder.close()
        assert forget(store) == ["m", "n"]
        assert b"Shirakawa" not in read_all_bytes(store, tmp_path), "not in the store, its log, or the search index"
        assert names(store) == names(store, "n") == LEFT
        assert forget(store) == [] and store.read_bytes("m") == states
        assert [*check_matches(store, read_sealing(store), lambda match: {})] == checked
        assert check_log(read_sealing(store)).wrong == () and str(prove(read_sealing(store), "m")) == proved
        assert record_files(store.read_bytes("m")) == packed
    with Store.open(at("s.db")) as store, SearchIndex(store, index_rows, law_digest()) as finder:
        assert names(store) == LEFT
        finder.catch_up()
        assert "Shirakawa" not in str(finder.select("SELECT names, players FROM found"))


def test_it_tells_where_another_program_keeps_old_bytes(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db", lock_seconds=0) as store:
        begin(store)
        with closing(sqlite3.connect(tmp_path / "s.db")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM names").fetchall()
            assert not forget_names(store, [*known_names(store)])
        assert names(store) == {}


def test_a_backup_from_before_still_has_the_name_and_one_from_after_has_not(at: Place, tmp_path: Path) -> None:
    with Store.open(at("s.db")) as store:
        states = begin(store)
        backup(store, tmp_path / "before.db")
        forget(store)
        backup(store, tmp_path / "after.db")
    for file, expected in (("before.db", NAMES), ("after.db", LEFT)):
        with Store.open(tmp_path / file) as copy:
            assert names(copy) == expected and copy.read_bytes("m") == states
            assert not any(looked.wrong for looked in check_matches(copy, read_sealing(copy), lambda match: {}))


def test_the_hash_of_the_command_that_opened_a_match_goes_with_its_names(at: Place) -> None:
    command = command_of("c", "pairing", NAMES)
    assert command is not None
    with Store.open(at("s.db")) as store:
        begin(store, command=command)
        opened = store.version("m") - 1
        assert store.command("m", "c") == Repeated(1, opened, command.asked)
        forget(store)
        assert store.command("m", "c") == Repeated(1, opened, b"")


def test_a_branch_has_names_of_its_own(at: Place) -> None:
    with Store.open(at("s.db")) as store:
        begin(store, closed=False)
        branch(store, "m", 1, "b")
        assert names(store, "b") == NAMES
        forget(store, match="m")
        assert (names(store), names(store, "b")) == (LEFT, NAMES)
        branch(store, "m", 1, "c")
        assert names(store, "c") == LEFT, "what is forgotten stays so in a later branch"


def test_old_closed_matches_are_found_by_when_they_were_opened(at: Place) -> None:
    with Store.open(at("s.db")) as store:
        for match, opened, closed in (("old", 1_000, True), ("young", 9_000, True), ("going", 1_000, False)):
            begin(store, match, opened, closed)
        assert {known.match for known in known_names(store, closed_before=5_000)} == {"old"}
        assert len([*known_names(store)]) == 6


@pytest.mark.parametrize("forgotten", [False, True])
def test_an_exported_record_comes_in_with_the_names_it_carries(at: Place, tmp_path: Path, forgotten: bool) -> None:
    with Store.open(at("s.db")) as store, Store.open(tmp_path / "other.db") as other:
        states = begin(store)
        before = store.read_record("m")
        if forgotten:
            forget(store)
        lines = codec.to_json_lines(store.read_record("m")).splitlines()
        assert import_records(other, [[*map(codec.from_json_line, lines)]]) == [Imported("m", len(states), new=True)]
        assert names(other) == (LEFT if forgotten else NAMES) and other.read_bytes("m") == states
        assert chain.examine(before).fault is None
        for record in (before, states):
            assert import_records(store, [record]) == [Imported("m", len(states), new=False)]
        assert names(store) == names(other), "an import does not bring a forgotten name back"
        plain = [codec.encode(entry) for entry in store.read("m")]
        assert import_records(store, [plain]) == [Imported("m", len(states), new=False)]


def test_a_name_that_was_altered_is_not_the_one_of_the_record(at: Place) -> None:
    with Store.open(at("s.db")) as store, Store.open(":memory:") as other:
        begin(store)
        altered = codec.content(store.read_record("m")[0])
        altered["names"]["p1"] = "Mallory"
        record = [msgspec.msgpack.encode(altered), *store.read_record("m")[1:]]
        assert chain.examine(record).fault is not None
        assert not isinstance(import_records(other, [record]), list | Conflict)
        places.rows(store.name, "UPDATE names SET name=? WHERE seat='p1'", b"Mallory")
    with Store.open(at("s.db")) as store:
        assert names(store) == LEFT, "nor is one that was put into the table"


def test_a_store_without_the_table_gains_it_and_names_in_its_records_stay(at: Place) -> None:
    with Store.open(at("s.db")) as store:
        clear = Opened(**{name: getattr(store_opening(), name) for name in Opened.__struct_fields__})
        import_records(store, [[codec.encode(clear)]])
        begin(store)
    places.rows(str(store.name), "DROP TABLE names")
    with Store.open(at("s.db"), read_only=True) as store:
        assert names(store, "clear") == NAMES and names(store) == {}
    with Store.open(at("s.db")) as store:
        assert [known.fixed for known in known_names(store, "Shirakawa Aiko")] == [True]
        forget(store)
        assert names(store, "clear") == NAMES
        begin(store, "n")
        assert names(store, "n") == NAMES


def store_opening() -> Opened:
    with Store.open(":memory:") as store:
        begin(store, "clear", closed=False)
        return opened_of(store.read("clear"))


def test_a_name_that_an_earlier_build_encrypted_is_none() -> None:
    names = {P1: f"{ENCRYPTED_NAME_PREFIX}xyz", P2: "shinpan-name/2:x"}
    opening = codec.content(codec.encode(store_opening())) | {"names": names}
    assert opened_of([codec.decode(msgspec.msgpack.encode(opening))]).names == {P2: "shinpan-name/2:x"}


def test_carried_names_come_out_again_byte_for_byte() -> None:
    plain = codec.encode(store_opening())
    state, kept = hashed.conceal(plain, lambda: bytes(32))
    for opening in (state, chain.link(state, bytes(32))):
        carried = hashed.attach(opening, kept)
        assert carried != opening and hashed.separate(carried) == (opening, kept)
        assert chain.next_head(chain.START, 1, carried) == chain.next_head(chain.START, 1, opening)
    assert hashed.without_hashes(state, {one.seat: one.name for one in kept}) == plain
    assert hashed.hash_name("Aiko", bytes(32)) == ("e8cbd6e322504749344074168e77de0bf96a22cf275dd35092c9fdb87bb655f1")
