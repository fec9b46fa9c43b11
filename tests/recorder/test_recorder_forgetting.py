"""Names of players in a store with a vault: read while their keys are there, forgotten for good; nothing changes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.evidence import chain
from domain.law.entries import Closed, Opened, opened_of
from domain.table.table import Seat
from evidence.checking import check_log, check_matches
from evidence.packs import record_files
from evidence.proofs import prove
from evidence.sealing import seal
from recorder import codec, vault
from recorder.backup import backup
from recorder.branches import branch
from recorder.commands import command_of
from recorder.encrypting import give_vault
from recorder.forgetting import forget_names, known_names
from recorder.imports import import_records
from recorder.loading import Match, load_match
from recorder.matches import open_match
from recorder.sealing import read_sealing
from recorder.store import Repeated, Store, StoreError
from tests.evidence.sealed import ORGANISER
from tests.places import Place
from tests.recorder.test_recorder_store import OPENED
from tests.recorder.test_recorder_vault import (
    LAW,
    NAMES,
    held,
    place_of_stores,
    play,
    rows,
    shut,
    store_with_a_vault,
    vault_of,
)

P1, P2 = Seat("p1"), Seat("p2")
__all__ = ["place_of_stores", "store_with_a_vault"]


def names(where: Store, match: str = "m") -> dict[Seat, str]:
    """The same from the store, from its list and from a match that is loaded."""
    read = opened_of(where.read(match)).names
    loaded = load_match(where, match)
    (listed,) = (row for row in where.matches() if row.match == match)
    assert isinstance(loaded, Match) and loaded.opened.names == listed.names == read
    return dict(read)


def test_a_name_is_read_by_its_key_and_stands_in_no_byte(store: Store, tmp_path: Path) -> None:
    play(store)
    shut(store)
    assert names(store) == NAMES
    assert b"Shirakawa" not in b"".join(held(store, tmp_path)) and not any(
        b"Shirakawa" in state for state in store.read_bytes("m")
    )
    other = codec.decode(store.read_bytes("m")[0])
    assert isinstance(other, Opened) and other.names == {}, "who has the bytes alone has the seats alone"
    assert len({len(token) for token in codec.content(store.read_bytes("m")[0])["names"].values()}) == 1


def test_a_forgotten_name_is_gone_and_all_that_shows_the_record_holds(store: Store, tmp_path: Path) -> None:
    for match in ("m", "n", "o"):
        play(store, match)
    shut(store, "m")
    shut(store, "n")
    seal(store, ORGANISER)
    before, states = rows(store.name), store.read_bytes("m")
    shown, packed = str(prove(read_sealing(store), "m")), record_files(states)
    checked = [*check_matches(store, read_sealing(store), lambda match: {})]
    with closing(sqlite3.connect(vault_of(store))) as file:
        keys = [key for (key,) in file.execute("SELECT key FROM names WHERE seat='p1' OR seat=''")]
    assert len(keys) == 6 and all(key in b"".join(held(store, tmp_path)) for key in keys)
    wanted = [*known_names(store, "Shirakawa Aiko")]
    assert [(known.match, known.seat) for known in wanted] == [("m", P1), ("n", P1), ("o", P1)]
    forget_names(store, wanted)
    assert not any(key in b"".join(held(store, tmp_path)) for key in keys)
    with Store.open(store.name) as fresh:
        assert [names(fresh, match) for match in ("m", "n", "o")] == [{P2: "Tachibana Botan"}] * 3
        assert [*known_names(fresh, "Shirakawa Aiko")] == []
        assert (rows(store.name), fresh.read_bytes("m")) == (before, states)
        assert [*check_matches(fresh, read_sealing(fresh), lambda match: {})] == checked
        assert not any(looked.wrong or looked.shut for looked in checked) and len(checked) == 3
        assert check_log(read_sealing(fresh)).wrong == () and str(prove(read_sealing(fresh), "m")) == shown
        assert record_files(fresh.read_bytes("m")) == packed
        assert chain.examine(states).fault is None


def test_a_copy_from_before_tells_a_forgotten_name_to_nobody(store: Store, tmp_path: Path) -> None:
    play(store)
    shut(store)
    (tmp_path / "old").mkdir()
    backup(store, tmp_path / "old" / "s.db")
    forget_names(store, [*known_names(store)])
    shutil.copy(vault_of(store), tmp_path / "old" / "s.db.vault")
    with Store.open(tmp_path / "old" / "s.db") as old:
        assert names(old) == {} and isinstance(old.read("m")[-1], Closed)


def test_what_opened_a_match_tells_no_name_to_whoever_tries_some(store: Store, tmp_path: Path) -> None:
    """The hash of the opening command is of the names, too, and the match's own key is published."""
    command = command_of("c", "pairing", NAMES)
    assert command is not None
    open_match(store, LAW, "8.1-lite", NAMES, match_id="m", command=command)
    shut(store)
    assert store.command("m", "c") == Repeated(1, store.version("m") - 1, command.asked)
    forget_names(store, [*known_names(store, match="m")])
    assert store.command("m", "c") == Repeated(1, store.version("m") - 1, b"")
    (published,) = rows(store.name, "published")
    (asked,) = rows(store.name, "asked")
    assert command.asked not in asked[2] and len(published[1]) == 32


def test_a_branch_has_its_own_names_and_they_are_forgotten_with_the_others(store: Store) -> None:
    play(store)
    branch(store, "m", 2, "b")
    assert names(store, "b") == NAMES
    forget_names(store, [*known_names(store, "Shirakawa Aiko", match="m")])
    with Store.open(store.name) as fresh:
        assert (names(fresh), names(fresh, "b")) == ({P2: NAMES[P2]}, NAMES)
        forget_names(fresh, [*known_names(fresh, "Shirakawa Aiko")])
    with Store.open(store.name) as fresh:
        assert names(fresh, "b") == {P2: NAMES[P2]}
        branch(fresh, "b", 2, "c")
        assert names(fresh, "c") == {P2: NAMES[P2]}, "what is forgotten stays so in what is made of it"


def test_old_closed_matches_are_found_by_when_they_were_opened(store: Store) -> None:
    for match, at in (("old", 1_000), ("young", 9_000), ("going", 1_000)):
        open_match(store, LAW, "8.1-lite", NAMES, match_id=match, at=at)
    shut(store, "old")
    shut(store, "young")
    assert {known.match for known in known_names(store, closed_before=5_000)} == {"old"}
    assert len([*known_names(store)]) == 6


def test_a_record_that_comes_in_keeps_its_bytes_and_tells_no_name_of_another_vault(
    store: Store, tmp_path: Path
) -> None:
    play(store)
    shut(store)
    states = store.read_bytes("m")
    (tmp_path / "b").mkdir()
    with Store.open(tmp_path / "b" / "s.db") as plain:
        import_records(plain, [states])
        assert plain.read_bytes("m") == states and names(plain) == {}
        import_records(plain, [states])
    with Store.open(tmp_path / "b" / "v.db") as other:
        give_vault(other)
        import_records(other, [states])
        play(other, "own")
        assert (names(other), names(other, "own")) == ({}, NAMES)


def test_without_the_vault_a_closed_match_shows_its_seats(store: Store) -> None:
    play(store)
    shut(store)
    vault_of(store).rename(store.beside + ".away")
    with Store.open(store.name) as alone:
        assert names(alone) == {} and len(alone.read("m")) == alone.version("m")
        with pytest.raises(StoreError, match="is not there"):
            [*known_names(alone)]


@pytest.mark.parametrize("key", [b"", b"\0" * 32])
def test_a_key_that_is_none_or_anothers_names_nobody(store: Store, key: bytes) -> None:
    play(store)
    shut(store)
    with closing(sqlite3.connect(vault_of(store), isolation_level=None)) as file:
        file.execute("UPDATE names SET key=? WHERE seat='p1'", (key,))
    with Store.open(store.name) as fresh:
        assert names(fresh) == ({P2: NAMES[P2]} if key else {})


def test_a_name_that_looks_like_one_that_is_hidden_is_a_name(store: Store, tmp_path: Path) -> None:
    odd = {P1: "shinpan-name/2:x", P2: " 名前 "}
    store.append("m", 0, [Opened(**{**_fields(OPENED), "names": odd})])
    assert opened_of(store.read("m")).names == odd


def _fields(opened: Opened) -> dict[str, object]:
    return {name: getattr(opened, name) for name in opened.__struct_fields__}


def test_forgetting_needs_a_vault_and_one_that_can_be_written(at: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault, "LOCK_SECONDS", 0)
    with Store.open(at("s.db")) as store:
        with pytest.raises(StoreError, match="has no vault"):
            [*known_names(store)]
        give_vault(store)
        play(store)
        wanted = [*known_names(store)]
        with closing(sqlite3.connect(vault_of(store), isolation_level=None)) as file:
            file.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreError, match="another program is writing"):
                forget_names(store, wanted)
        assert names(store) == NAMES
        forget_names(store, wanted)
    with Store.open(at("s.db")) as fresh:
        assert names(fresh) == {}
