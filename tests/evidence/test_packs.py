"""Evidence packs: the same match gives the same bytes, and packs for players contain nothing hidden."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random

import msgspec
import pytest

from archive.corpus.reader import open_corpus
from domain.evidence import chain
from domain.games import GAMES
from domain.law.entries import Noted
from domain.table.redact import SPECTATOR
from recorder import codec
from recorder.branches import Branched, branch
from recorder.evidence import verifier
from recorder.evidence.sealing import seal
from recorder.evidence.viewer_rows import ROWS
from recorder.store import Store
from tests.cli.runs import ROOT, disputed, fine, inside
from tests.evidence import sealed as S
from tests.evidence.packed import (
    CANARY,
    ENTRIES,
    MATCH,
    SIGNER,
    entries_of,
    fill_store,
    lines_of,
    make_pack,
    packs_of,
    wrong,
)
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.presumed import presume
from tests.laws.samples import sample

pytestmark = pytest.mark.rotates(2)

ALWAYS = {
    "README.en.txt",
    "README.ja.txt",
    "manifest.json",
    "rules.json",
    "rulebook.en.txt",
    "rulebook.ja.txt",
    "verify.py",
}
PROOF = {"match.proof", "checkpoint.note", "keys.txt"}
WHOLE = {"entries.jsonl", "chain.json", "schema.json", "findings.json", "openings.jsonl"}
SHOWN = {"seen.jsonl", "commitments.jsonl", "shown.json", "shown.proof"}


@pytest.mark.parametrize("key", GAMES)
def test_a_pack_is_a_zip_with_all_that_is_needed(key: str) -> None:
    pair = packs_of(key)
    for data, names in ((pair.officials, ALWAYS | PROOF | WHOLE), (pair.players, ALWAYS | PROOF | SHOWN)):
        archive = zipfile.ZipFile(BytesIO(data))
        assert archive.testzip() is None and set(archive.namelist()) == names
        assert {(info.date_time, info.compress_type, info.external_attr >> 16) for info in archive.infolist()} == {
            ((1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, 0o100644)
        }
        assert archive.read("verify.py") == Path(verifier.__file__).read_bytes()
    files = verifier.read_pack(pair.officials)
    assert {**json.loads(files["manifest.json"]), "files": 0} == {
        "form": verifier.FORM, "match": MATCH, "entries": ENTRIES + 2, "audience": "officials", "dispute": 0,
        "rows": ROWS, "files": 0,
    }  # fmt: skip


def test_a_pack_is_the_same_each_time_it_is_made(tmp_path: Path) -> None:
    store = fill_store(tmp_path, entries_of("dea"))
    for name in ("a.zip", "b.zip"):
        fine(store, "dossier", MATCH, "--out", tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    first, second = make_pack(store), make_pack(store)
    assert first.players != second.players, "salt is new each time"
    assert wrong(first.players, (), first.officials) == [] != wrong(first.players, (), second.officials)


# -- what is hidden ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_a_pack_for_players_tells_no_face_never_known(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stores that differ only in hidden cards give packs that differ only in hashes, each at the same place."""
    presume(key, "secrets")
    ours = sample(key, 2).entries[:40]
    theirs = deal_again(ours, never_known(ours, SPECTATOR), Random(key))
    assert list(ours) != theirs
    shown = []
    for name, entries in (("ours", ours), ("theirs", theirs)):
        folder = tmp_path / name
        folder.mkdir()
        shown.append(verifier.read_pack(make_pack(fill_store(folder, entries, sealed=False)).players))
    one, other = shown
    assert one.keys() == other.keys()
    assert {name for name in one if one[name] != other[name]} == {"commitments.jsonl", "manifest.json"}
    mine, others = (verifier.read_rows(files, "commitments.jsonl") for files in shown)
    assert [[*row["columns"]] for row in mine] == [[*row["columns"]] for row in others]
    assert len(one["commitments.jsonl"]) == len(other["commitments.jsonl"])
    hashes = [hash for row in (*mine, *others) for hash in row["columns"].values()]
    assert len(set(hashes)) == len(hashes), "equal values are not seen to be equal"


def test_a_note_for_judges_is_in_no_pack_for_players() -> None:
    for key in GAMES:
        assert CANARY.encode() in packs_of(key).officials
        assert CANARY.encode() not in packs_of(key).players


def test_what_players_get_shows_where_the_match_stands_after_its_seed_is_published_too(tmp_path: Path) -> None:
    """The salt is in no record but this one. The seed, which closing publishes, reveals nothing about it."""
    first: list[bytes | None] = []
    for name in ("one.sqlite", "other.sqlite"):
        store = tmp_path / name
        fine(store, "new", "blackpoker@8.1-lite", "--match", MATCH, "--seed", "9")
        fine(store, "close", MATCH, "--abandon", "--reason", "x")
        fine(store, "keygen", tmp_path / f"{name}.key", "--name", "kyoto")
        fine(store, "seal", "--key", tmp_path / f"{name}.key")
        pair = make_pack(store)
        assert "match.proof" in verifier.read_pack(pair.officials) and "match.proof" in verifier.read_pack(pair.players)
        assert wrong(pair.players, (), pair.officials) == []
        with Store.open(store) as opened:
            first.append(chain.link_of(opened.read_bytes(MATCH)[0]))
    assert None not in first and first[0] != first[1]


# -- records of earlier programs --------------------------------------------------------------------------------------


def old(upto: int | None = None) -> list[bytes]:
    """Return a record without links, in msgspec's longer encoding of structs, as earlier programs wrote it."""
    with open_corpus(str(ROOT / "fixtures" / "dea" / "corpus" / "small.corpus")) as corpus:
        return [msgspec.msgpack.encode(codec.decode(state)) for state in corpus.states(corpus.ids[0])][:upto]


def test_an_earlier_record_is_packed_and_what_is_not_proved_is_said(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        S.take_in(store, MATCH, old())
        seal(store, SIGNER)
    pair = make_pack(tmp_path / "store.sqlite")
    for data in (pair.officials, pair.players):
        assert wrong(data) == [] and not PROOF & verifier.read_pack(data).keys()
    said = [(line.state, line.key, line.values) for line in lines_of(pair.officials)]
    assert ("open", "unlinked", {"last": len(old())}) in said and ("open", "unsealed", {}) in said
    assert wrong(pair.players, (), pair.officials) == []


def test_links_that_follow_longer_bytes_are_refused_not_packed_as_wrong(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    at = next(number for number, state in enumerate(old(), start=1) if codec.encode(codec.decode(state)) != state)
    with Store.open(path) as store:
        S.take_in(store, MATCH, old(at))
        store.append(MATCH, at, [Noted(by="judge", text="x")])
    ran = inside(path, "dossier", MATCH, "--out", tmp_path / "o.zip")
    assert ran.code == 2 and "a longer form" in ran.message and [*tmp_path.glob("*.zip")] == []


def test_a_branch_of_an_earlier_record_is_linked_and_comes_back_from_json(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store.open(path) as store:
        S.take_in(store, "parent", old())
        done = branch(store, "parent", len(old()) - 1, MATCH)
        assert isinstance(done, Branched)
        states = store.read_bytes(MATCH)
        assert chain.examine(states).linked == 1
    pair = make_pack(path)
    assert wrong(pair.officials) == [] and ("unlinked", "open") not in [
        (line.key, line.state) for line in lines_of(pair.officials)
    ]
    lines = fine(path, "export", MATCH, "--as", "judge", "--format", "jsonl").out.splitlines()
    assert [codec.from_json_line(line) for line in lines] == states


# -- the command ------------------------------------------------------------------------------------------------------


def test_a_dispute_is_packed_with_its_case_file(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    fine(store, "dispute", "table-17", "--at", "47", "--claim", f"p1={CANARY}")
    said = fine(store, "dossier", "table-17", "55", "--out", tmp_path / "o.zip", "--players", tmp_path / "p.zip")
    assert "for officials, contains hidden cards" in said.out and "run `shinpan seal` first" in said.err
    whole, shown = (verifier.read_pack((tmp_path / name).read_bytes()) for name in ("o.zip", "p.zip"))
    assert CANARY.encode() in whole["casefile.html"] and CANARY.encode() not in b"".join(shown.values())
    assert b"47" in shown["casefile.html"] and json.loads(shown["manifest.json"])["dispute"] == 55
    assert "NOT PROVED HERE" in whole["README.en.txt"].decode()


def test_bad_input_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    out = tmp_path / "o.zip"
    for arguments, words in (
        (("table-17", "3", "--out", out), "entry 3 opens no dispute"),
        (("gone", "--out", out), "gone"),
        (("table-17",), "--out"),
        (("table-17", "--out", tmp_path / "no" / "o.zip"), "No such file"),
        (("table-17", "--out", out, "--players", out), "--players"),
        (("table-17", "--out", store), "--out"),
    ):
        ran = inside(store, "dossier", *arguments)
        assert ran.code == 2 and not ran.out and words in ran.message, ran
        assert [*tmp_path.glob("*.zip")] == []
