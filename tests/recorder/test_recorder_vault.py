"""A store with a vault: what goes on lies encrypted in every file, what is closed is for all, nothing is rewritten."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from domain.evidence import chain
from domain.games import GAMES
from domain.law.entries import Closed
from domain.law.law import Law
from domain.table.table import Seat
from evidence.checking import check_matches
from recorder import boxes, codec, glance, place, vault
from recorder.answers import Recorded
from recorder.backup import backup
from recorder.branches import branch
from recorder.encrypting import copy_vault, give_vault, look_at_vault
from recorder.finding.following import Finder
from recorder.loading import Match, load_match
from recorder.matches import close, note, open_match
from recorder.sealing import read_sealing
from recorder.store import Conflict, Store, StoreError
from service.finding import law_digest, look
from tests import places
from tests.places import Place, beside
from tests.recorder.test_recorder_processes import run
from tests.recorder.test_recorder_store import OPENED, said

LAW = Law(GAMES["blackpoker"], GAMES["blackpoker"].versions["8.1-lite"])
NAMES = {Seat("p1"): "Shirakawa Aiko", Seat("p2"): "Tachibana Botan"}
WINDOW = 10
"""So many bytes in a row are no chance."""


@pytest.fixture(name="at")
def place_of_stores(place: Place) -> Place:
    """The same by a name that is no module's here."""
    return place


@pytest.fixture(name="store")
def store_with_a_vault(at: Place) -> Iterator[Store]:
    with Store.open(at("s.db")) as store:
        give_vault(store)
        yield store


def play(store: Store, match: str = "m") -> None:
    """A match that goes on, with names, hands, a note."""
    assert open_match(store, LAW, "8.1-lite", NAMES, match_id=match) == match
    noted = note(store, match, "Kato Hidetoshi", "Aiko looked at the wrong pile", command_id="a command")
    assert isinstance(noted, Recorded)


def shut(store: Store, match: str = "m") -> None:
    assert isinstance(close(store, match, "judge", "no time left", abandon=True), Recorded)


def windows(data: bytes) -> set[bytes]:
    return {data[at : at + WINDOW] for at in range(len(data) - WINDOW + 1)}


def held(store: Store, folder: Path, leaving_out: str = "") -> list[bytes]:
    """All that lies in the files of a folder, and all values in the database of a store that is no file."""
    there = [path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != leaving_out]
    if place.on_server(store.name):
        values = [value for table in store.log.entries.tables() for row in rows(store.name, table) for value in row]
        there += [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return there


def files(store: Store, folder: Path) -> set[bytes]:
    """The same but the vault, by what cannot be there by chance."""
    return set[bytes]().union(*map(windows, held(store, folder, vault.SUFFIX)))


def vault_of(store: Store) -> Path:
    return Path(store.beside + vault.SUFFIX)


def secrets(store: Store, match: str = "m") -> set[bytes]:
    """All that a match holds, its seed and the hash of its command, by its bytes as they are without a vault."""
    seed, command = store.secret(match), store.command(match, "a command")
    assert seed and command and command.asked
    return set[bytes]().union(*map(windows, [*store.read_bytes(match), seed, command.asked]))


def rows(where: str, table: str = "stored_events") -> list[tuple[Any, ...]]:
    """A table as it lies there; of entries the bytes are the last column."""
    columns = "originator_id, originator_version, topic, state" if table == "stored_events" else "*"
    return places.rows(where, f"SELECT {columns} FROM {table} ORDER BY 1, 2")


change = places.rows


def trouble(path: Path | str, match: str = "m") -> StoreError:
    with Store.open(path) as store, pytest.raises(StoreError) as caught:
        store.read(match)
    return caught.value


@pytest.mark.parametrize("encrypted", [True, False])
def test_a_match_that_goes_on_lies_in_no_file_as_it_is(at: Place, tmp_path: Path, encrypted: bool) -> None:
    """Not in the store, not in its log, not in the finder: no ten bytes of it. Without a vault all of it does."""
    with Store.open(at("s.db")) as store, Finder(store, look, law_digest()) as finder:
        if encrypted:
            give_vault(store)
        finder.catch_up()
        before = files(store, tmp_path)
        play(store)
        finder.catch_up()
        assert Path(store.beside + ".find").is_file()
        assert place.on_server(store.name) or {"s.db", "s.db-wal"} <= {path.name for path in tmp_path.iterdir()}
        shown = secrets(store) & (files(store, tmp_path) - before)
        assert not shown if encrypted else shown >= windows(b"Shirakawa Aiko") | windows(store.read_bytes("m")[-1])
        backup(store, tmp_path / "copy.db")
        assert not encrypted or not secrets(store) & (files(store, tmp_path) - before)


def test_what_is_read_is_what_was_recorded(store: Store) -> None:
    play(store)
    opened, *_, noted = store.read("m")
    assert (opened.names, noted.text) == (NAMES, "Aiko looked at the wrong pile")  # type: ignore[union-attr]
    states = store.read_bytes("m")
    assert states == list(store.pages("m")) and chain.examine(states).fault is None
    assert chain.examine(states).linked == 1
    assert store.read("m", after=2) == store.read("m")[2:]
    (listed,) = store.matches()
    assert (listed.names, listed.closed, listed.entries) == (NAMES, False, len(states))


def test_closing_publishes_the_key_and_rewrites_nothing(store: Store, tmp_path: Path) -> None:
    play(store)
    before = rows(store.name)
    seed, states = store.secret("m"), store.read_bytes("m")
    shut(store)
    assert rows(store.name)[: len(before)] == before
    (tmp_path / "elsewhere").mkdir()
    backup(store, tmp_path / "elsewhere" / "copy.db")
    with Store.open(tmp_path / "elsewhere" / "copy.db", read_only=True) as alone:
        assert not look_at_vault(alone).keys and look_at_vault(alone).trouble
        assert alone.read_bytes("m")[:-1] == states and isinstance(alone.read("m")[-1], Closed)
        assert alone.secret("m") == seed
        (looked,) = check_matches(alone, read_sealing(alone), lambda match: {})
        assert looked.wrong is None and not looked.shut and looked.held == looked.entries


def test_the_finder_holds_matches_in_memory(store: Store) -> None:
    with Finder(store, look, law_digest()) as finder:
        play(store)
        finder.catch_up()
        assert finder.select("SELECT match, closed>=0 FROM found") == [("m", 0)]
        shut(store)
        finder.catch_up()
        assert finder.select("SELECT match, closed>=0 FROM found") == [("m", 1)]


def test_a_match_from_before_the_vault_stays_as_it_is_and_so_does_one_that_comes_closed(at: Place) -> None:
    with Store.open(at("s.db")) as store:
        store.append("old", 0, [OPENED, said("before")])
        give_vault(store)
        store.append("old", 2, [said("behind")])
        store.append_bytes("whole", [codec.encode(entry) for entry in (OPENED, said("x"), Closed(by="judge"))])
        assert not any(boxes.is_encrypted(state) for *_, state in rows(store.name))
        store.append("new", 0, [OPENED])
        assert sum(boxes.is_encrypted(row[-1]) for row in rows(store.name)) == 1
        assert not store.hides("old") and not store.hides("whole") and store.hides("new")


def test_a_finder_that_was_there_before_the_vault_gets_nothing_that_is_encrypted(at: Place) -> None:
    with Store.open(at("s.db")) as store, Finder(store, look, law_digest()) as finder:
        finder.catch_up()
        give_vault(store)
        play(store)
        finder.catch_up()
        assert finder.select("SELECT match FROM found") == []
        shut(store)
        finder.catch_up()
        assert finder.select("SELECT match, closed>=0, names, players FROM found") == [("m", 1, "{}", "")]


def test_a_branch_of_a_match_that_goes_on_is_encrypted_under_its_own_key(store: Store, tmp_path: Path) -> None:
    play(store)
    before = files(store, tmp_path)
    branch(store, "m", 2, "b")
    assert store.hides("b") and store.read("b")[1:2] == store.read("m")[1:2]
    assert not set[bytes]().union(*map(windows, store.read_bytes("b"))) & (files(store, tmp_path) - before)
    with closing(sqlite3.connect(vault_of(store))) as file:
        assert len({key for (key,) in file.execute("SELECT key FROM keys")}) == 2


def test_a_closed_branch_waits_for_the_match_whose_cards_it_holds(store: Store, tmp_path: Path) -> None:
    play(store)
    before = files(store, tmp_path)
    branch(store, "m", 3, "b")
    branch(store, "b", 3, "bb")
    shut(store, "b")
    shut(store, "bb")
    assert store.hides("b") and store.hides("bb") and rows(store.name, "published") == []
    assert not secrets(store) & (files(store, tmp_path) - before), (
        "what it shares with the match that goes on lies in no file"
    )
    shut(store)
    assert not any(map(store.hides, ("m", "b", "bb")))
    assert {row[0] for row in rows(store.name, "published")} == {"m", "b", "bb"} and rows(store.name, "waiting") == []
    branch(store, "m", 3, "late")
    assert store.hides("late")
    shut(store, "late")
    assert not store.hides("late"), "nothing in it is hidden any more"
    vault_of(store).unlink()
    with Store.open(store.name, read_only=True) as alone:
        assert all(isinstance(alone.read(match)[-1], Closed) for match in ("m", "b", "bb", "late"))


def test_a_store_without_a_vault_has_nothing_new(at: Place, tmp_path: Path) -> None:
    with Store.open(at("s.db")) as store:
        play(store)
        assert look_at_vault(store).vault == ""
        assert not {"published", "waiting"} & store.log.entries.tables()
        assert dict(rows(store.name, "meta"))["format"] == str(place.FORMAT) == "1"
        assert not any(boxes.is_encrypted(row[-1]) for row in rows(store.name))
        expected = [] if place.on_server(store.name) else ["s.db"]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == expected


def test_a_program_that_knows_no_vault_stops_at_the_store(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It compares the format with the one it knows; and one that has the store open already decodes no such row."""
    play(store)
    for *_, stored in rows(store.name):
        with pytest.raises(codec.CodecError):
            codec.decode(stored)
    monkeypatch.setattr(place, "VAULTED", place.FORMAT)
    with pytest.raises(StoreError) as caught:
        Store.open(store.name)
    assert caught.value.trouble == "newer" and "format 2" in str(caught.value)


def test_the_length_of_an_entry_tells_nothing_small(store: Store) -> None:
    store.append("m", 0, [OPENED])
    for number, face in enumerate(("H2", "joker", "a long name for one card"), start=1):
        store.append("m", number, [said(face)])
    assert len({len(row[-1]) for row in rows(store.name)[1:]}) == 1


def test_no_two_entries_are_encrypted_alike_even_where_a_copy_goes_on(store: Store, tmp_path: Path) -> None:
    """A copy that is restored goes on under the same keys, by other entries of the same number."""
    store.append("m", 0, [OPENED])
    (tmp_path / "b").mkdir()
    backup(store, tmp_path / "b" / "s.db")
    copy_vault(store, tmp_path / "b" / "s.db.vault")
    stored = [rows(store.name)[0][-1]]
    with Store.open(tmp_path / "b" / "s.db") as other:
        for number in range(1, 20):
            for each in (store, other):
                each.append("m", number, [said("alike")])
        stored += [row[-1] for each in (store, other) for row in rows(each.name)[1:]]
        assert other.read("m") == store.read("m")
    assert len({state[2:14] for state in stored}) == len({state[14:] for state in stored}) == 39


def test_an_entry_that_was_changed_or_moved_is_named(store: Store) -> None:
    play(store)
    held = [row[-1] for row in rows(store.name)]
    for number, state in ((2, held[1][:-1] + bytes((held[1][-1] ^ 1,))), (2, held[2]), (3, held[2][:20]), (1, held[1])):
        change(store.name, "UPDATE stored_events SET state=? WHERE originator_version=?", state, number)
        error = trouble(store.name)
        assert (error.trouble, error.entry) == ("corrupt", number) and "altered" in str(error)
        with Store.open(store.name, read_only=True) as fresh:
            (looked,) = check_matches(fresh, read_sealing(fresh), lambda match: {})
        assert looked.wrong is not None and looked.wrong.entry == number and not looked.shut
        change(store.name, "UPDATE stored_events SET state=? WHERE originator_version=?", held[number - 1], number)
    plain = chain.link(codec.encode(said("never said")), bytes(32))
    change(store.name, "UPDATE stored_events SET state=? WHERE originator_version=2", plain)
    with Store.open(store.name, read_only=True) as fresh:
        (looked,) = check_matches(fresh, read_sealing(fresh), lambda match: {})
    assert looked.wrong is not None and looked.wrong.entry in (1, 2)


def test_a_seed_and_a_command_of_another_match_are_none_of_this_one(store: Store) -> None:
    play(store)
    play(store, "n")
    (seed,) = (row[1] for row in rows(store.name, "secrets") if row[0] == "n")
    (asked,) = (row[2] for row in rows(store.name, "asked") if row[0] == "n")
    change(store.name, "UPDATE secrets SET seed=? WHERE match='m'", seed)
    change(store.name, "UPDATE asked SET hash=? WHERE match='m'", asked)
    with Store.open(store.name) as fresh:
        with pytest.raises(StoreError) as caught:
            fresh.secret("m")
        assert caught.value.trouble == "corrupt"
        command = fresh.command("m", "a command")
        assert command is not None and command.asked == b""


def test_a_key_in_the_store_that_is_not_the_matchs_opens_nothing(store: Store) -> None:
    play(store)
    shut(store)
    change(store.name, "UPDATE published SET key=?", bytes(32))
    assert (trouble(store.name).trouble, trouble(store.name).entry) == ("corrupt", 1)


def moved_away(path: Path) -> str:
    path.rename(path.with_suffix(".away"))
    return "is not there"


def of_another_store(path: Path) -> str:
    with Store.open(path.with_name("other.db")) as other:
        give_vault(other)
    path.with_name("other.db.vault").replace(path)
    return "vault of another store"


def scribbled(path: Path) -> str:
    path.write_bytes(b"dear diary " * 500)
    return "not an SQLite file"


def torn(path: Path) -> str:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    return "damaged"


def emptied(path: Path) -> str:
    path.write_bytes(b"")
    return "no vault"


def of_the_future(path: Path) -> str:
    change(path, "UPDATE about SET value='99' WHERE key='form'")
    return "99"


def without_the_key(path: Path) -> str:
    change(path, "DELETE FROM keys WHERE match='m'")
    return "no key of m"


def with_half_a_key(path: Path) -> str:
    change(path, "UPDATE keys SET key=x'00' WHERE match='m'")
    return "no key of m"


def a_folder(path: Path) -> str:
    path.unlink()
    path.mkdir()
    return "is not there"


HARMS = (
    moved_away,
    of_another_store,
    scribbled,
    torn,
    emptied,
    of_the_future,
    without_the_key,
    with_half_a_key,
    a_folder,
)


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_wrong_with_a_vault_is_said_and_shuts_what_is_encrypted_alone(at: Place, harm: Any) -> None:
    where = at("s.db")
    with Store.open(where) as store:
        store.append("before", 0, [OPENED, said("x")])
        give_vault(store)
        play(store)
        play(store, "closed")
        shut(store, "closed")
    wrong, before = harm(vault_of(store)), rows(where)
    error = trouble(where)
    assert error.trouble == "vault" and wrong in str(error) and str(vault_of(store)) in str(error)
    assert " m " in str(error)
    with Store.open(where) as store:
        assert [entry.text for entry in store.read("before")[1:]] == ["x"]  # type: ignore[union-attr]
        assert isinstance(load_match(store, "closed"), Match)
        assert [(row.match, row.game) for row in store.matches()] == [
            ("before", "toy"), ("m", ""), ("closed", "blackpoker"),
        ]  # fmt: skip
        with pytest.raises(StoreError, match=wrong):
            store.append("m", store.version("m"), [said("on")])
        looked = {each.match: each for each in check_matches(store, read_sealing(store), lambda match: {})}
        assert {match: each.shut for match, each in looked.items()} == {"before": False, "closed": False, "m": True}
        if "key" not in wrong:
            with pytest.raises(StoreError, match=wrong):
                play(store, "new")
            assert store.version("new") == 0 and len(store.matches()) == 3
    if not place.on_server(where):  # nobody who presses a key waits for a server
        assert glance.opening(Path(where), "m") == {} and glance.opening(Path(where), "before")["game"] == "toy"
    assert rows(where) == before


def test_a_vault_that_comes_back_is_taken_again(store: Store) -> None:
    play(store)
    file = vault_of(store)
    with Store.open(store.name) as other:
        file.rename(file.with_suffix(".away"))
        assert other.matches()[0].game == ""
        with pytest.raises(StoreError):
            play(store, "n")  # it has the file open, but a key written there would be lost
        file.with_suffix(".away").rename(file)
        assert other.matches()[0].names == NAMES
        play(other, "n")
        play(store, "o")


def test_a_locked_vault_opens_no_match(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault, "LOCK_SECONDS", 0)
    with closing(sqlite3.connect(vault_of(store), isolation_level=None)) as file:
        file.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program is writing"):
            play(store)
        file.execute("ROLLBACK")
    assert store.matches() == []
    play(store)


def test_a_vault_that_may_only_be_read_opens_no_match_and_reads_all(store: Store) -> None:
    play(store)
    file = vault_of(store)
    file.chmod(0o400)
    if os.access(file, os.W_OK):
        pytest.skip("root may write to any file")
    with Store.open(store.name) as fresh:
        assert len(fresh.read("m")) > 1
        with pytest.raises(StoreError, match="only be read"):
            play(fresh, "n")
        assert fresh.append("m", fresh.version("m"), [said("on")])


def test_the_vault_lies_where_it_is_said_to(at: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vaults").mkdir()
    monkeypatch.setenv(vault.PLACE, str(tmp_path / "vaults"))
    for name in ("a.db", "b.db"):
        with Store.open(at(name)) as store:
            give_vault(store)
            play(store)
            number = store.boxes.number()
            assert (tmp_path / "vaults" / f"{number}.vault").stat().st_mode & 0o777 == 0o600
    assert len([*(tmp_path / "vaults").iterdir()]) == len([*tmp_path.rglob("*.vault")]) == 2
    monkeypatch.delenv(vault.PLACE)
    assert beside(at("a.db")) + vault.SUFFIX in str(trouble(at("a.db")))
    monkeypatch.setenv(vault.PLACE, str(tmp_path / "gone"))
    assert "gone" in str(trouble(at("a.db")))
    with Store.open(at("c.db")) as store, pytest.raises(StoreError, match="cannot be used"):
        give_vault(store)


def test_a_vault_is_given_once_whoever_else_does_so(at: Place) -> None:
    def give(_: int) -> str:
        with Store.open(at("s.db")) as store:
            give_vault(store)
            return store.boxes.number()

    Store.open(at("s.db")).close()
    with ThreadPoolExecutor(4) as threads:
        assert len({*threads.map(give, range(8))}) == 1
    with Store.open(at("s.db")) as store:
        play(store)
        give_vault(store)
        assert look_at_vault(store).keys == look_at_vault(store).encrypted == 1


def test_a_vault_of_another_store_is_not_taken_for_a_new_one(store: Store, at: Place) -> None:
    play(store)
    with Store.open(at("b.db")) as other:
        copy(vault_of(store), vault_of(other))
        before = vault_of(other).read_bytes()
        with pytest.raises(StoreError, match="there already"):
            give_vault(other)
        assert look_at_vault(other).vault == "" and vault_of(other).read_bytes() == before
    with Store.open(":memory:") as memory, pytest.raises(StoreError, match="memory"):
        give_vault(memory)


def test_a_store_that_gets_its_vault_while_others_have_it_open_encrypts_for_them_too(at: Place) -> None:
    with Store.open(at("s.db")) as first, Store.open(at("s.db")) as second:
        play(first, "before")
        give_vault(second)
        play(first, "behind")
        assert not first.hides("before") and first.hides("behind")
        assert second.read("behind") == first.read("behind")


def test_of_two_who_open_a_match_one_wins_and_both_read_it(store: Store) -> None:
    def opened(each: Store) -> object:
        return each.append("m", 0, [OPENED, said("a")])

    with Store.open(store.name) as other, ThreadPoolExecutor(2) as threads:
        done = [*threads.map(opened, (store, other))]
        assert sorted(map(type, done), key=str) == sorted([int, Conflict], key=str)
        for number, each in enumerate((store, other, store), start=2):
            assert each.append("m", number, [said(f"{number}")]) == number + 1
        assert store.read("m") == other.read("m") and len(store.read("m")) == 5
        assert chain.examine(other.read_bytes("m")).fault is None


def test_a_copy_of_the_vault_opens_a_copy_of_the_store(store: Store, tmp_path: Path) -> None:
    play(store)
    backup(store, tmp_path / "copy.db")
    assert trouble(tmp_path / "copy.db").trouble == "vault"
    copy_vault(store, tmp_path / "copy.db.vault")
    assert (tmp_path / "copy.db.vault").stat().st_mode & 0o777 == 0o600
    with Store.open(tmp_path / "copy.db") as fresh:
        assert fresh.read_bytes("m") == store.read_bytes("m")
    with pytest.raises(StoreError, match="there already"):
        copy_vault(store, tmp_path / "copy.db.vault")


OPENER = """
import sys
from pathlib import Path
from domain.law.entries import Closed, Noted
from recorder.store import Store
from tests.recorder.test_recorder_store import OPENED, said
store = Store.open(sys.argv[1])
for number in range(10_000):
    match = f"m{number}"
    version = store.append(match, 0, [OPENED, said("a")], "c", b"s" * 16)
    version = store.append(match, version, [said("b")])
    if number % 2:
        store.append(match, version, [Closed(by="judge")])
    print(match, flush=True)
"""


@pytest.mark.parametrize("attempt", range(4))
def test_a_program_that_is_killed_leaves_no_match_without_its_key(at: Place, attempt: int) -> None:
    where = at("s.db")
    with Store.open(where) as store:
        give_vault(store)
    writer = run(OPENER, where)
    assert writer.stdout
    acknowledged = [writer.stdout.readline().strip() for _ in range(5 + 11 * attempt)]
    os.kill(writer.pid, signal.SIGKILL)
    rest, _ = writer.communicate()
    acknowledged += rest.split()
    with Store.open(where) as store:
        assert {row.match for row in store.matches()} >= {*acknowledged}
        for row in store.matches():
            assert row.game == "toy" and store.read(row.match)[1] == said("a")
            assert store.secret(row.match) == b"s" * 16
            assert store.hides(row.match) is not row.closed
        play(store, "on")
    moved_away(vault_of(store))
    with Store.open(where, read_only=True) as alone:
        assert all(len(alone.read(row.match)) == 4 for row in alone.matches() if row.closed)


def test_the_kind_of_an_entry_is_all_that_shows_of_it(store: Store) -> None:
    """As the page on privacy says: who has the store alone sees ids, numbers, kinds and about how long."""
    play(store)
    shown = [row[:3] for row in rows(store.name)]
    assert {topic for _, _, topic in shown} <= {"match.opened", "match.played", "match.noted"}
    assert [number for _, number, _ in shown] == [*range(1, len(shown) + 1)]
    assert all(len(row[-1]) % boxes.UNIT == len(boxes.MARK) + boxes.NONCE_BYTES + 16 for row in rows(store.name))


STORED = bytes.fromhex(
    "c10166726f7a656e206e6f6e6365c7f8823c2eea03c2ecc45fe6b2dd49211a0085526cf7ecb722c86d62a88d5ed4d648c76a"
    "5c0a16a240807938e0e1f2bd22c5cb"
)
"""An entry as the first release with vaults stored it: number 2 of match `m`, under the key 00 01 ... 1f."""


def test_what_earlier_programs_encrypted_is_read_for_ever() -> None:
    box = boxes.Box("m", bytes(range(32)))
    assert codec.decode(box.entry(2, STORED)) == said("frozen")
    for match, number in (("n", 2), ("m", 3)):
        with pytest.raises(boxes.Altered):
            boxes.Box(match, bytes(range(32))).entry(number, STORED)
