"""Rows of a pack equal those in the log, or are reported as unproved: no row changes undetected."""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from domain.evidence import chain
from domain.games import GAMES
from domain.law.entries import Closed, Noted
from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import LANGS
from recorder import codec, store_location
from recorder.copying import copy_store
from recorder.evidence import saved_evidence, verifier, viewer_rows
from recorder.evidence.notes import Key, NoteError, Signer, read_key
from recorder.evidence.packs import PackError
from recorder.evidence.proofs import prove
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.sealing import seal
from recorder.evidence.unpacking import Unpacked, check_pack
from recorder.sealing import read_sealing
from recorder.store import Store, StoreError
from tests.cli.runs import ROOT, fine, inside
from tests.evidence import sealed as S
from tests.evidence.packed import (
    MATCH,
    SIGNER,
    Pair,
    entries_of,
    fill_store,
    lines_of,
    make_pack,
    packs_of,
    update_manifest,
    wrong,
)
from tests.laws.samples import sample
from tests.rotation import is_nightly, seed
from tests.service.harness import serve
from tests.shelves import SHELVES

KEY: Final = str(SIGNER.key)
PROVES: Final = ("rows", "compared")
SHARE: Final = 1 if is_nightly() else 80
"""Share of the changes checked against the pack alone and the key: one in this many."""
WIDE_SHARE: Final = 100 if is_nightly() else 1_200
"""Share of the changes checked by both programs against everything: one in this many."""
KINDS: Final = ("players", "seat", "open", "unsealed", "older")
"""Packs for players, for a seat, and of an open match; of stores without a checkpoint, or without row leaves."""


@pytest.fixture(autouse=True)
def _remembered_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache signature checks, because the same few signatures are checked thousands of times."""
    monkeypatch.setattr(verifier, "is_signed", cache(verifier.is_signed))


@cache
def pair_of(kind: str, key: str = "blackpoker") -> Pair:
    """Return the packs of a kind: the one for its audience, and the one for officials that opens it."""
    if kind == "players":
        return packs_of(key)
    if kind == "seat":
        with serve(signer=SIGNER) as served:
            served.record_match(key, SHELVES[key].matches[0], "m", upto=24)
            assert served.post("/api/v1/log/checkpoints", None, "head").status_code == 201
            path = "/api/v1/matches/m/dossier?as="
            served.post("/api/v1/matches/m/seal", {"id": None, "viewer": "judge"}, "head")
            seat = served.get(path + "p1", "seat", "m", seat="p1")
            whole = served.get(path + "judge", "head")
            assert seat.status_code == whole.status_code == 200, whole.text
            return Pair(whole.content, seat.content)
    with TemporaryDirectory() as folder:
        entries = sample(key, 1).entries[:20] if kind == "open" else [*sample(key, 1).entries[:20], Closed(by="judge")]
        where = fill_store(Path(folder), entries, sealed=kind == "open")
        if kind == "older":
            with Store.open(where) as store, pytest.MonkeyPatch.context() as patch:
                patch.setattr("recorder.sealing.list_unshown_matches", lambda store, sealed: [])
                seal(store, SIGNER)
        return make_pack(where)


def other_value(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "x"
        case _:
            return "x"


def every_change(value: Any) -> Iterator[Any]:
    """Yield the value with each nested value changed in turn, and without each key and item."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            yield {**{name: other for name, other in value.items() if name != key}, key + "x": part}
            yield from ({**value, key: other} for other in every_change(part))
        yield {**value, "more": 1}
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield [*value[:at], *value[at + 1 :]]
            yield from ([*value[:at], other, *value[at + 1 :]] for other in every_change(part))
    else:
        yield other_value(value)


def rows_of(files: Mapping[str, bytes], name: str = "seen.jsonl") -> list[Any]:
    return verifier.read_rows(dict(files), name)


def lines(rows: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for row in rows)


def forge(
    files: Mapping[str, bytes], rows: Sequence[Any], without: frozenset[str] = frozenset(), **others: Any
) -> bytes:
    manifest = {**json.loads(files["manifest.json"]), "entries": len(rows)}
    changed = {**files, "manifest.json": json.dumps(manifest).encode(), "seen.jsonl": lines(rows), **others}
    return update_manifest({name: data for name, data in changed.items() if name not in without})


def check_or_none(data: bytes, keys: Sequence[Key], whole: bytes | None) -> Unpacked | None:
    try:
        return check_pack(data, keys, whole)
    except PackError:
        return None


def require_not_proved(data: bytes, whole: bytes, *, found: bool, last: int = 0) -> None:
    """Check with both programs, and with and without the officials' pack, that no row after `last` is reported as
    proved. With `found`, the pack must be reported as wrong."""
    for keys, opened in (((KEY,), b""), ((), b""), ((), whole), ((KEY,), whole)):
        told = lines_of(data, keys, opened)
        bad = [line for line in told if line.state == "wrong"]
        proved = max((line.values.get("last", line.values.get("entries", 0)) for line in told
                      if line.state == "holds" and line.key in PROVES), default=0)  # fmt: skip
        assert proved <= last or bad, told
        assert bad or not found, told
        unpacked = check_or_none(data, [read_key(key) for key in keys], opened or None)
        assert unpacked is None or unpacked.log.wrong or unpacked.proved <= last
        if not bad:
            assert unpacked is not None and (unpacked.unproved or unpacked.log.wrong)
        elif unpacked is not None:
            assert len(unpacked.log.wrong) >= len(bad)


# -- packs as they were made ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_pack_says_which_of_its_rows_are_proved(kind: str) -> None:
    pair = pair_of(kind)
    entries = len(rows_of(verifier.read_pack(pair.players)))
    bound = kind not in ("unsealed", "older")
    told = lines_of(pair.players)
    assert wrong(pair.players) == wrong(pair.players, (), pair.officials) == []
    assert [line.values["last"] for line in told if line.key == "rows"] == ([entries] if bound else [])
    assert ("unbound" in [line.key for line in told if line.state == "open"]) is not bound
    assert not bound or wrong(pair.players, [KEY]) == []
    alone, opened = check_pack(pair.players), check_pack(pair.players, (), pair.officials)
    assert (alone.rows, alone.proved) == (entries, entries if bound else 0)
    assert (opened.rows, opened.proved, opened.log.wrong) == (entries, entries, ())
    for lang in LANGS:
        assert [text.say(lang) for text in (*alone.unproved, *opened.unproved)]


def test_the_command_says_what_is_proved_and_what_is_not(tmp_path: Path) -> None:
    for kind in KINDS:
        for name, data in (("o.zip", pair_of(kind).officials), ("p.zip", pair_of(kind).players)):
            (tmp_path / name).write_bytes(data)
        entries = len(rows_of(verifier.read_pack(pair_of(kind).players)))
        proved = 0 if kind in ("unsealed", "older") else entries
        alone = inside(tmp_path / "s.sqlite", "check", tmp_path / "p.zip")
        assert f"{entries} entries shown, {proved} proved as shown" in alone.out and alone.code == 0
        assert (
            "not proved: the contents of seen.jsonl" in alone.out
        ) is not proved and "all links are intact" not in alone.out
        opened = inside(tmp_path / "s.sqlite", "check", tmp_path / "p.zip", "--against", tmp_path / "o.zip")
        assert f"{entries} entries shown, {entries} proved as shown" in opened.out and opened.code == 0
        told = inside(tmp_path / "s.sqlite", "check", tmp_path / "p.zip", "--json").data
        assert (told["rows"], told.get("proved_rows", 0)) == (entries, proved) and told["unproved"]


@pytest.mark.parametrize("key", GAMES)
def test_rows_of_a_beginning_are_the_beginning_of_the_rows(key: str) -> None:
    entries = sample(key, 1).entries[:40]
    opening = codec.encode(entries[0])
    for viewer in (SPECTATOR, Seat("p1")):
        record = record_of(GAMES[key], entries)
        all_rows = viewer_rows.write_rows(record, opening, record.eyes(viewer)).splitlines()
        for upto in (1, 17, 39):
            begun = record_of(GAMES[key], entries[:upto])
            assert viewer_rows.write_rows(begun, opening, begun.eyes(viewer)).splitlines() == all_rows[:upto]


# -- packs that were forged -------------------------------------------------------------------------------------------


def require_no_change_unseen(pair: Pair, *, found: bool) -> None:
    files = verifier.read_pack(pair.players)
    rows = rows_of(files)
    changes = [(at, row) for at, whole_row in enumerate(rows) for row in every_change(whole_row)]
    assert len(changes) > 500
    for number, (at, row) in enumerate(changes, start=seed()):
        forged = [*rows[:at], row, *rows[at + 1 :]]
        if number % SHARE == 0:
            told = lines_of(forge(files, forged), [KEY] if found else [])
            proved = any(line.state == "holds" and line.key in PROVES for line in told)
            assert any(line.state == "wrong" for line in told) if found else not proved, (at, row)
        if number % WIDE_SHARE == 0:
            require_not_proved(forge(files, forged), pair.officials, found=found)


@pytest.mark.random
@pytest.mark.parametrize("kind", KINDS)
def test_no_value_of_a_shown_row_is_changed_unseen(kind: str) -> None:
    require_no_change_unseen(pair_of(kind), found=kind not in ("unsealed", "older"))


@pytest.mark.parametrize("kind", ["unsealed", "older"])
def test_changes_that_only_the_record_shows_are_wrong_once_it_is_opened(kind: str) -> None:
    """Facts, actions and violations: no column that the record has may be shown differently, even if no log binds the
    rows."""
    pair = pair_of(kind)
    files = verifier.read_pack(pair.players)
    rows = rows_of(files)
    at = next(at for at, row in enumerate(rows) if row.get("action") and row["facts"])
    for part in ({"facts": rows[at]["facts"][1:]}, {"action": {"verb": "pass"}}, {"violations": ["BP-1.1"]}):
        forged = forge(files, [*rows[:at], {**rows[at], **part}, *rows[at + 1 :]])
        assert wrong(forged, (), pair.officials) == [], "verify.py knows no rules"
        assert "uncompared" in {line.key for line in lines_of(forged, (), pair.officials) if line.state == "open"}
        found = check_pack(forged, (), pair.officials)
        assert [(one.text.key, one.entry) for one in found.log.wrong] == [("pack.differs", at + 1)]
        assert found.proved == 0


@pytest.mark.nightly
@pytest.mark.parametrize("key", [key for key in GAMES if key != "blackpoker"])
def test_nor_of_any_game(key: str) -> None:
    require_no_change_unseen(packs_of(key), found=True)


@pytest.mark.random
@pytest.mark.parametrize("kind", KINDS)
def test_no_row_is_dropped_doubled_swapped_or_added_unseen(kind: str) -> None:
    """The commitments are made to fit, one per row. A truncated pack is valid as a beginning. Rows added to an open
    match may have come after the checkpoint. Neither is reported as proved beyond that."""
    pair = pair_of(kind)
    files, found = verifier.read_pack(pair.players), kind not in ("unsealed", "older")
    rows, hidden = rows_of(files), rows_of(files, "commitments.jsonl")
    places = range(len(rows))
    orders = [[*places[:at], *places[at + 1 :]] for at in places]
    orders += [[*places[: at + 1], *places[at:]] for at in places]
    orders += [[*places[:at], at + 1, at, *places[at + 2 :]] for at in places[:-1]]
    few = 1 if is_nightly() else 20
    last = [orders[len(rows) - 1], orders[2 * len(rows) - 1]]
    for order in (*last, *orders[seed() % few :: few]):
        for others in ({}, {"commitments.jsonl": lines([hidden[at] for at in order])}):
            forged = forge(files, [rows[at] for at in order], **others)
            same = next(
                (at for at, (row, own) in enumerate(zip(order, places, strict=False)) if row != own), len(order)
            )
            true = min(same, len(rows)) if same in (len(order), len(rows)) else 0
            by_itself = found and not (kind == "open" and len(order) > true == len(rows))
            require_not_proved(forged, pair.officials, found=by_itself, last=true)


@pytest.mark.parametrize("kind", KINDS)
def test_entries_cut_off_together_with_the_proofs_are_said_to_be_missing_or_unproved(kind: str) -> None:
    pair = pair_of(kind)
    files = verifier.read_pack(pair.players)
    rows, hidden = rows_of(files)[:-2], rows_of(files, "commitments.jsonl")[:-2]
    fitting = {"commitments.jsonl": lines(hidden)}
    for without in ({"match.proof"}, {"match.proof", "shown.proof"}, {"shown.proof", "shown.json"}, verifier.ROWS,
                    verifier.PROOF, verifier.PROOF | verifier.ROWS):  # fmt: skip
        forged = forge(files, rows, frozenset(without), **fitting)
        bound = kind not in ("unsealed", "older") and bool(verifier.ROWS - without)
        require_not_proved(forged, b"", found=bound)
        told = lines_of(forged, (), pair.officials)
        more = [line.values for line in told if line.key == "more"]
        assert more == [{"first": len(rows) + 1, "last": len(rows) + 2}] or any(line.state == "wrong" for line in told)
        unpacked = check_pack(forged, (), pair.officials)
        assert unpacked.log.wrong or any(text.key == "pack.open.more" for text in unpacked.unproved)
        assert inside_code(forged, KEY) == 1, "whoever names a key hears that nobody signed"


def inside_code(data: bytes, *keys: str) -> int:
    unpacked = check_or_none(data, [read_key(key) for key in keys], None)
    return 2 if unpacked is None else int(bool(unpacked.log.wrong))


@pytest.mark.parametrize("kind", ["players", "seat"])
def test_whatever_binds_the_rows_is_bound_itself(kind: str) -> None:
    pair = pair_of(kind)
    files = verifier.read_pack(pair.players)
    rows, manifest, held = rows_of(files), json.loads(files["manifest.json"]), json.loads(files["shown.json"])
    for value in every_change(held):
        if value != {**held, "more": 1}:
            forged = forge(files, rows, **{"shown.json": json.dumps(value).encode()})
            require_not_proved(forged, pair.officials, found=True)
    for name, value in (("audience", "p2"), ("audience", "spectator p1"), ("audience", 1), ("match", "other")):
        forged = update_manifest({**files, "manifest.json": json.dumps({**manifest, name: value}).encode()})
        require_not_proved(forged, pair.officials, found=True)
    views = held["views"]
    joined = {" ".join(f"{viewer} {views[viewer]}\n" for viewer in sorted(views))[:-66]: views["p2"]}
    forged = forge(files, rows, **{"shown.json": json.dumps({**held, "views": joined}).encode()})
    require_not_proved(forged, pair.officials, found=True)
    require_not_proved(update_manifest({**files, "shown.proof": files["match.proof"]}), pair.officials, found=True)
    require_not_proved(update_manifest({**files, "match.proof": files["shown.proof"]}), pair.officials, found=True)


def proof_changes(proof: str) -> Iterator[str]:
    """Yield a proof with each byte changed, each line dropped, doubled or swapped, and spare bits set."""
    for at, letter in enumerate(proof):
        yield proof[:at] + ("B" if letter != "B" else "C") + proof[at + 1 :]
        yield proof[:at] + proof[at + 1 :]
        yield proof[:at] + letter + proof[at:]
    parts = proof.splitlines(keepends=True)
    for at, line in enumerate(parts):
        yield "".join((*parts[:at], *parts[at + 1 :]))
        yield "".join((*parts[:at], line, *parts[at:]))
        yield "".join((*parts[:at], *parts[at + 1 : at + 2], line, *parts[at + 2 :]))
    for held in re.findall("[A-Za-z0-9+/]{8,}=+", proof):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        at = held.index("=") - 1
        for spare in range(1, 4):
            other = held[:at] + letters[letters.index(held[at]) ^ spare] + held[at + 1 :]
            if b64decode(other) == b64decode(held):
                yield proof.replace(held, other)
    yield proof + "\n"
    yield proof.removesuffix("\n")
    yield proof.replace("extra ", "other ")
    yield proof.replace("index ", "place ")
    yield proof.replace("\u2014 ", "- ")
    yield proof.replace("\n\n", "\n" + b64encode(bytes(32)).decode() + "\n\n", 1)


def shows(proof: str) -> bool:
    """True if a proof is valid for a reader who names the key."""
    read = verifier.read_proof(proof.encode())
    return read is not None and any(verifier._has_signed(KEY, read.text, *held) for held in read.signatures)


def shows_alone(proof: str) -> bool:
    """True if a proof is valid for the reader of stand-alone proofs."""
    try:
        return not saved_evidence.check_note(proof, EvidenceSet(keys=(SIGNER.key,)))[1]
    except NoteError as error:
        assert error.text.say("ja") != error.text.say("en")
        return False


@pytest.mark.random
@pytest.mark.parametrize("kind", ["players", "seat"])
@pytest.mark.parametrize("name", ["match.proof", "shown.proof"])
def test_no_byte_of_a_proof_is_changed_unseen(kind: str, name: str) -> None:
    pair = pair_of(kind)
    files = verifier.read_pack(pair.players)
    proof = files[name].decode()
    changes = [change for change in dict.fromkeys(proof_changes(proof)) if change != proof]
    assert len(changes) > 1_000 and shows(proof) and (name != "match.proof" or shows_alone(proof))
    for change in changes:
        assert not shows(change), change
        assert name != "match.proof" or not shows_alone(change), change
    few = 8 if is_nightly() else 80
    for change in changes[seed() % few :: few]:
        note = change.partition("\n\n")[2].encode()
        for others in ({}, {"checkpoint.note": note}):
            forged = update_manifest({**files, name: change.encode(), **others})
            assert any(line.state == "wrong" for line in lines_of(forged, [KEY])), change
            assert inside_code(forged, KEY), change


def test_a_second_signature_counts_only_if_a_key_that_is_named_has_made_it() -> None:
    files = dict(verifier.read_pack(packs_of("blackpoker").officials))
    other = Signer.make("witness", bytes(32))
    above, _, note = files["match.proof"].decode().partition("\n\n")
    text = note.rpartition("\n\n")[0] + "\n"

    def cosign(line: str, keys: str) -> list[tuple[str, str]]:
        both = (note + line).encode()
        changed = {**files, "match.proof": f"{above}\n\n".encode() + both, "checkpoint.note": both}
        told = lines_of(update_manifest({**changed, "keys.txt": keys.encode()}), [KEY])
        return [(line.state, line.key) for line in told if line.state != "holds" and line.key != "texts"]

    line, listed = f"{other.signature(text)}\n", files["keys.txt"].decode()
    assert cosign("", listed) == cosign(line, listed + f"{other.key}\n") == []
    assert cosign(line, listed) == [("open", "cosigned")]
    for at in range(line.index(" ", 3) + 1, len(line) - 4):
        assert cosign(line[:at] + ("B" if line[at] != "B" else "C") + line[at + 1 :], listed + f"{other.key}\n")
    assert cosign(line + line, listed) == [("wrong", "proof")]


def test_rows_signed_by_another_key_are_not_proved_to_whoever_names_theirs() -> None:
    """A pack of another store under another key is not accepted for this store when officials open it."""
    pair = packs_of("blackpoker")
    with (
        TemporaryDirectory() as folder,
        Store.open(fill_store(Path(folder), entries_of("blackpoker"), sealed=False)) as store,
    ):
        seal(store, Signer.make("kyoto", bytes(32)))
        other = make_pack(Path(store.name))
    assert wrong(other.players) == []
    assert ("key", None) in wrong(other.players, [KEY]) and ("key", None) in wrong(other.players, [KEY], pair.officials)


# -- records of earlier programs, and rows of another form ------------------------------------------------------------


def old_form(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a players' pack in the old form: names in row 1, no proof of the rows, no form number."""
    rows, manifest = rows_of(files), json.loads(files["manifest.json"])
    names = {seat: row["name"] for seat, row in json.loads(files.get("names.json", b"{}")).items()}
    rows[0] = {key: value for key, value in rows[0].items() if key != "name_hashes"} | (
        {"names": names} if names else {}
    )
    manifest.pop("rows")
    kept = {name: data for name, data in files.items() if name not in verifier.ROWS | {"names.json"}}
    return {**kept, "manifest.json": json.dumps(manifest).encode(), "seen.jsonl": lines(rows)}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("named")
    where = folder / "s.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--match", MATCH, "--p1", "Aiko", "--p2", "Botan", "--seed", "3")
    fine(where, "close", MATCH, "--abandon", "--reason", "time")
    with Store.open(where) as store:
        seal(store, SIGNER)
    return make_pack(where)


def test_a_pack_of_an_earlier_program_is_read_and_its_rows_are_said_to_be_unproved(named: Pair) -> None:
    files = old_form(verifier.read_pack(named.players))
    rows, data = rows_of(files), update_manifest(files)
    told = lines_of(data, [KEY])
    assert [line.key for line in told if line.state == "wrong"] == []
    assert {"unbound", "pinned"} <= {line.key for line in told if line.state == "open"}
    assert not [line for line in told if line.state == "holds" and line.key in (*PROVES, "history", "players")]
    alone, opened = check_pack(data, [SIGNER.key]), check_pack(data, (), named.officials)
    assert alone.proved == 0 and opened.proved == len(rows) and not opened.log.wrong
    renamed = [{**rows[0], "names": {**rows[0]["names"], "p1": "Mallory"}}, *rows[1:]]
    assert ("shown", 1) in wrong(update_manifest({**files, "seen.jsonl": lines(renamed)}), (), named.officials)
    whole = {name: data for name, data in verifier.read_pack(named.officials).items() if name != "names.json"}
    erased = check_pack(update_manifest({**files, "seen.jsonl": lines(renamed)}), (), update_manifest(whole))
    assert [text.values for text in erased.unproved if text.key == "pack.open.unnamed"] == [{"seats": "p1, p2"}]
    changed = update_manifest({**files, "seen.jsonl": lines([*rows[:-1], {**rows[-1], "facts": [{"fact": "new"}]}])})
    differs = check_pack(changed, (), named.officials)
    assert differs.proved == 0 and [text.key for text in differs.unproved if text.key == "pack.open.differs"]


def test_rows_that_the_log_has_in_another_form_are_unproved_and_nothing_is_wrong(tmp_path: Path) -> None:
    """An update may show an entry differently. The leaf then covers what the earlier program showed."""
    where = fill_store(tmp_path, entries_of("dea"), sealed=False)
    with Store.open(where) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(viewer_rows, "hash_shown", lambda record, opening: sha256(b"other rows").digest())
        seal(store, SIGNER)
    pair = make_pack(where)
    assert not verifier.ROWS & verifier.read_pack(pair.players).keys()
    assert wrong(pair.players, [KEY]) == wrong(pair.players, [KEY], pair.officials) == []
    assert check_pack(pair.players).proved == 0 and "NOT PROVED HERE: the contents of seen.jsonl" in readme(pair)


def readme(pair: Pair) -> str:
    return verifier.read_pack(pair.players)["README.en.txt"].decode()


HASHES: Final = {
    "blackpoker": "2dc46bedcb8cebccb1a18b429c0a5a47de161b52a79b53920137cab35e72ffa0",
    "dea": "e0c9118bd3a1f120394830bf404bfe7dc221b6211f8626f8995733c118f2ba25",
    "grimoire": "83925431ffccba9cf798a11c7207e6cbd20ee2905fe076ed5684ab4db3efed96",
    "skillbook": "431fafc056a35f53c2e8ea07d8452e6ef08ca2295c1470264ac41d50a35092e1",
}
"""Hashes of the rows of recorded matches, in form 1."""


@pytest.mark.parametrize("key", GAMES)
def test_rows_of_a_form_stay_as_they_are(key: str) -> None:
    """If this fails, rows have a new form: raise `shown.ROWS`, then copy the new hashes."""
    entries = SHELVES[key].entries(SHELVES[key].matches[0])
    record = record_of(GAMES[key], entries)
    told = sha256()
    for viewer in (SPECTATOR, Seat("p1"), Seat("p2")):
        told.update(viewer_rows.write_rows(record, codec.encode(entries[0]), record.eyes(viewer)))
    assert (viewer_rows.ROWS, told.hexdigest()) == (1, HASHES[key])


# -- names ------------------------------------------------------------------------------------------------------------


def test_a_pack_made_before_an_erasure_holds_after_it_and_no_hash_tells_the_name(tmp_path: Path) -> None:
    where = tmp_path / "s.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--match", MATCH, "--p1", "Aiko", "--p2", "Botan", "--seed", "3")
    with Store.open(where) as store:
        seal(store, SIGNER)
        before = make_pack(where)
        salts = {one.seat: one.salt for one in store.player_names([MATCH])[MATCH]}
    fine(where, "forget", "--match", MATCH)
    after = make_pack(where)
    for pair, names in ((before, {"p1": "Aiko", "p2": "Botan"}), (after, {})):
        for whole in (b"", before.officials if pair is before else after.officials):
            assert wrong(pair.players, [KEY], whole) == []
        files = verifier.read_pack(pair.players)
        assert {seat: row["name"] for seat, row in json.loads(files.get("names.json", b"{}")).items()} == names
        assert check_pack(pair.players).proved == len(rows_of(files))
    assert not any(salt.hex().encode() in after.players + after.officials for salt in salts.values())
    seen, later = (verifier.read_pack(pair.players) for pair in (before, after))
    for name in ("seen.jsonl", "shown.json", "shown.proof", "match.proof"):
        assert seen[name] == later[name], "the log binds no name"
    assert [line.values for line in lines_of(after.players) if line.key == "nameless"] == [{"seats": "p1, p2"}]
    for name in ("Aiko", "Botan"):
        assert name.encode() not in after.players + after.officials


@pytest.mark.parametrize("value", [b"Mallory", b""])
def test_another_name_is_found_without_the_other_pack(named: Pair, value: bytes) -> None:
    files = verifier.read_pack(named.players)
    forged = update_manifest({**files, "names.json": files["names.json"].replace(b"Aiko", value)})
    assert wrong(forged) == wrong(forged, [KEY]) == [("players", None)]
    assert [wrong.text.key for wrong in check_pack(forged, [SIGNER.key]).log.wrong] == ["pack.players"]


# -- what the hashes tell ---------------------------------------------------------------------------------------------


def test_each_viewer_has_a_salt_of_its_own_that_only_the_record_leads_to() -> None:
    entries = sample("blackpoker", 1).entries[:20]
    with TemporaryDirectory() as folder, Store.open(fill_store(Path(folder), entries)) as store:
        states = store.read_bytes(MATCH)
    record, link = record_of(GAMES["blackpoker"], entries), chain.link_of(states[0])
    salts = {}
    for viewer in (SPECTATOR, Seat("p1"), Seat("p2")):
        rows = viewer_rows.hash_rows_of(record, states[0], viewer)
        assert rows is not None and rows.salt != link
        salts[viewer] = rows.salt
        opened = verifier.hash_rows(rows.salt, viewer_rows.write_rows(record, states[0], record.eyes(viewer)))
        assert rows.views[viewer] == opened, "its own rows"
        for other in {SPECTATOR, Seat("p1"), Seat("p2")} - {viewer}:
            tried = verifier.hash_rows(rows.salt, viewer_rows.write_rows(record, states[0], record.eyes(other)))
            assert rows.views[other] != tried, "the rows of others cannot be tried with this salt"
        begun = viewer_rows.hash_rows_of(record_of(GAMES["blackpoker"], entries[:10]), states[0], viewer)
        assert begun is not None and begun.salt != rows.salt, "nor later ones"
    assert len(set(salts.values())) == 3


def test_the_published_vectors_are_those_of_the_code() -> None:
    vectors = json.loads((ROOT / "docs" / "evidence-vectors.json").read_text(encoding="utf-8"))["shown"]
    views = {}
    for view in vectors["views"]:
        salt = viewer_rows.make_salt(bytes.fromhex(vectors["link"]), Seat(view["viewer"]), view["entries"])
        assert salt.hex() == view["salt"]
        views[view["viewer"]] = verifier.hash_rows(salt, view["rows"].encode())
        assert views[view["viewer"]] == view["hash"]
    assert verifier.hash_views(views) == vectors["leaf"]


def test_a_record_without_salt_gets_no_leaf_over_its_rows(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        S.take_in(store, MATCH, [codec.encode(entry) for entry in SHELVES["blackpoker"].entries("normal")])
        seal(store, SIGNER)
        assert [leaf.shown for leaf in read_sealing(store).leaves if leaf.match == MATCH] == [False]


# -- the log ----------------------------------------------------------------------------------------------------------


def leaves(store: Store) -> list[tuple[str, int, bool]]:
    return [(leaf.match, leaf.entries, leaf.shown) for leaf in read_sealing(store).leaves if leaf.match]


def test_every_sealing_binds_the_rows_of_what_has_gone_on(tmp_path: Path) -> None:
    entries = sample("blackpoker", 1).entries[:20]
    with Store.open(tmp_path / "s.sqlite") as store:
        store.append("a", 0, entries[:8])
        store.append("b", 0, entries[:8])
        seal(store, SIGNER)
        first = [("a", 8, False), ("b", 8, False), ("a", 8, True), ("b", 8, True)]
        assert leaves(store) == first
        assert seal(store, SIGNER).new == 0 and leaves(store) == first
        store.append("a", 8, entries[8:12])
        seal(store, SIGNER)
        second = [*first, ("a", 12, False), ("a", 12, True)]
        assert leaves(store) == second
        store.append("b", 8, [*entries[8:10], Closed(by="judge")])
        assert leaves(store) == [*second, ("b", 11, False)], "a match that is closed gets its own leaf at once"
        seal(store, SIGNER)
        assert leaves(store) == [*second, ("b", 11, False), ("b", 11, True)]
        assert seal(store, SIGNER).new == 0
    assert fine(tmp_path / "s.sqlite", "check", "--key", KEY).code == 0


def test_a_match_that_another_program_sealed_meanwhile_is_bound_by_the_next_sealing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = sample("blackpoker", 1).entries[:20]
    with Store.open(tmp_path / "s.sqlite") as store:
        store.append("a", 0, entries[:8])
        seal(store, SIGNER)
        with monkeypatch.context() as patch:
            patch.setattr("recorder.sealing.list_unshown_matches", lambda store, sealed: [])
            store.append("b", 0, [*entries[:8], Closed(by="judge")])
            seal(store, SIGNER)
        assert ("b", 9, True) not in leaves(store)
        seal(store, SIGNER)
        assert leaves(store)[-1] == ("b", 9, True)


def test_matches_that_an_earlier_program_sealed_get_no_leaf_until_they_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = sample("blackpoker", 1).entries[:20]
    with Store.open(tmp_path / "s.sqlite") as store:
        store.append("over", 0, [*entries[:8], Closed(by="judge")])
        store.append("on", 0, entries[:8])
        with monkeypatch.context() as patch:
            patch.setattr("recorder.sealing.list_unshown_matches", lambda store, sealed: [])
            seal(store, SIGNER)
        assert seal(store, SIGNER).new == 0
        store.append("on", 8, entries[8:10])
        seal(store, SIGNER)
        assert [leaf for leaf in leaves(store) if leaf[2]] == [("on", 10, True)]
        proof = prove(read_sealing(store), "on", shown=True)
        assert proof is not None and proof.holds() and str(proof.leaf.line, "ascii").startswith("shown on 10 ")


def test_a_pack_of_a_match_that_has_gone_on_since_says_from_where_nothing_is_proved(tmp_path: Path) -> None:
    entries = sample("blackpoker", 1).entries[:20]
    where = fill_store(tmp_path, entries[:12])
    with Store.open(where) as store:
        store.append(MATCH, 12, entries[12:20])
    pair = make_pack(where)
    assert wrong(pair.players, [KEY]) == wrong(pair.players, [KEY], pair.officials) == []
    assert [line.values for line in lines_of(pair.players) if line.key == "later_rows"] == [{"last": 12}]
    assert (check_pack(pair.players).proved, check_pack(pair.players, (), pair.officials).proved) == (12, 20)
    files = verifier.read_pack(pair.players)
    rows = rows_of(files)
    for at in (3, 11):
        changed = forge(files, [*rows[:at], {**rows[at], "at": 1}, *rows[at + 1 :]])
        require_not_proved(changed, pair.officials, found=True)
    require_not_proved(forge(files, [*rows[:-1], {**rows[-1], "at": 1}]), pair.officials, found=False, last=12)


def test_a_store_whose_log_has_such_leaves_is_of_a_form_that_earlier_programs_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = fill_store(tmp_path, sample("blackpoker", 1).entries[:8], sealed=False)
    assert form(where) == str(store_location.FORMAT)
    with Store.open(where) as store:
        seal(store, SIGNER)
    assert form(where) == str(store_location.SHOWN)
    with Store.open(where, read_only=True) as store:
        copy_store(store, tmp_path / "copy.sqlite")
    assert form(tmp_path / "copy.sqlite") == str(store_location.SHOWN)
    assert fine(tmp_path / "copy.sqlite", "check").code == 0
    monkeypatch.setattr(store_location, "SHOWN", store_location.FORMAT)
    with pytest.raises(StoreError) as caught, Store.open(where):
        pass
    assert caught.value.trouble == "newer"


def form(where: Path) -> str:
    with Store.open(where, read_only=True) as store:
        ((value,),) = store.log.entries.select("SELECT value FROM meta WHERE key='format'", ())
    return str(value)


def test_a_leaf_that_was_changed_or_told_twice_is_told(tmp_path: Path) -> None:
    where = fill_store(tmp_path, [*sample("blackpoker", 1).entries[:8], Noted(by="judge", text="x")])
    row = f"match='shown {MATCH}'"
    for statement in (
        f"UPDATE leaves SET head=zeroblob(32) WHERE {row}",
        f"UPDATE leaves SET entries=3 WHERE {row}",
        f"UPDATE leaves SET match='{MATCH}' WHERE {row}",
        f"UPDATE leaves SET match='shown ' WHERE {row}",
        f"INSERT INTO leaves (match, entries, head) SELECT match, entries, zeroblob(32) FROM leaves WHERE {row}",
    ):
        copy = tmp_path / "copy.sqlite"
        copy.unlink(missing_ok=True)
        with Store.open(where, read_only=True) as store:
            copy_store(store, copy)
        S.execute(copy, (statement, ()))
        assert inside(copy, "check").code == 1, statement
