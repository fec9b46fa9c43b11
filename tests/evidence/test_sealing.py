"""The log of a store: what gets a leaf and when, what a checkpoint covers, and who may extend the log."""

import shutil
import sqlite3
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.evidence import chain, merkle
from domain.words import LANGS, say
from recorder import codec
from recorder.backup import backup
from recorder.evidence.checking import check_matches
from recorder.evidence.checkpoints import Checkpoint, hashes, read_checkpoint
from recorder.evidence.notes import NoteError, read_note
from recorder.evidence.proofs import prove, prove_growth, read_growth, read_proof
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.sealing import seal
from recorder.sealing import Leaf, Sealing, read_sealing
from recorder.store import Store, StoreError
from tests.cli.forks import PATIENCE
from tests.cli.runs import inside
from tests.evidence import sealed as S
from tests.recorder.test_recorder_processes import run


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return tmp_path / "a.sqlite"


def refusal(where: Path) -> str:
    with Store.open(where) as store, pytest.raises(StoreError) as caught:
        seal(store, S.ORGANISER)
    assert caught.value.text.say("ja") != caught.value.text.say("en")
    return str(caught.value)


def test_the_lines_of_leaves_are_the_published_ones() -> None:
    assert Leaf("table-17", 3, bytes(32)).line == b"match table-17 3 " + b"0" * 64 + b"\n"
    assert Leaf("", 0, bytes(32)).line == b"key " + b"0" * 64 + b"\n"


def test_a_match_gets_its_leaf_with_the_entry_that_closes_it(where: Path) -> None:
    with Store.open(where) as store:
        S.record(store, "a", close=False)
        assert read_sealing(store) == Sealing((), ())
        store.append("a", S.ENTRIES, [S.CLOSED])
        head = chain.compute_head(store.read_bytes("a"))
        assert read_sealing(store) == Sealing((Leaf("a", S.ENTRIES + 1, head),), ())


def test_no_leaf_stays_of_a_closing_that_was_not_written(where: Path) -> None:
    with Store.open(where) as store:
        S.record(store, "a", close=False)
        S.execute(where, ("CREATE TRIGGER full BEFORE INSERT ON leaves BEGIN SELECT RAISE(ABORT, 'full'); END", ()))
        answer = store.append("a", S.ENTRIES, [S.CLOSED])
        assert answer != S.ENTRIES + 1 and store.version("a") == S.ENTRIES
        assert read_sealing(store) == Sealing((), ())


def test_a_checkpoint_is_of_every_chain_and_says_who_signs(where: Path) -> None:
    _, note = S.make_evening(where)
    sealed = S.sealing(where)
    of = [(leaf.match, leaf.entries) for leaf in sealed.leaves]
    assert of == [("a", 6), ("b", 6), ("", 0), ("c", 6), ("d", 6)]
    assert sealed.leaves[2].head == S.ORGANISER.key.public
    for leaf in sealed.leaves:
        assert not leaf.match or leaf.head == chain.compute_head(S.states(where, leaf.match))
    checkpoint = read_checkpoint(note)
    assert checkpoint == Checkpoint(checkpoint.origin, 5, merkle.root(hashes(sealed.leaves)))
    assert checkpoint.origin.startswith("shinpan/") and read_note(note).signed_by([S.ORGANISER.key])


def test_sealing_twice_changes_nothing_until_something_is_new(where: Path) -> None:
    _, note = S.make_evening(where)
    before = S.sealing(where)
    with Store.open(where) as store:
        again = seal(store, S.ORGANISER)
        assert (again.note, again.leaves, again.new) == (note, 5, 0) and read_sealing(store) == before
        store.append("c", S.ENTRIES, [S.make_note("on")])
        on = seal(store, S.ORGANISER)
        assert (on.leaves, on.new) == (6, 1)
        assert read_sealing(store).leaves[-1] == Leaf("c", 7, chain.compute_head(store.read_bytes("c")))
        store.append("c", S.ENTRIES + 1, [S.CLOSED])
        closed = seal(store, S.ORGANISER)
        assert (closed.leaves, closed.new) == (7, 1), "the leaf of its closing, and no other"


def test_an_empty_store_can_be_sealed(where: Path) -> None:
    with Store.open(where) as store:
        assert seal(store, S.ORGANISER).leaves == 1, "whose key it is"


def test_another_key_is_recorded_before_it_signs(where: Path) -> None:
    S.make_evening(where)
    with Store.open(where) as store:
        turned = seal(store, S.LATER)
        assert (turned.leaves, turned.new) == (6, 1)
        sealed = read_sealing(store)
        assert sealed.leaves[-1] == Leaf("", 0, S.LATER.key.public)
        assert read_note(turned.note).signed_by([S.LATER.key, S.ORGANISER.key]) == (S.LATER.key,)
        assert seal(store, S.LATER).new == 0
        assert seal(store, S.ORGANISER).new == 1, "and back"


def test_an_open_match_that_begins_without_salt_stays_out_until_it_is_closed(where: Path) -> None:
    with Store.open(where) as store:
        S.take_in(store, "old", S.old("old"))
        assert seal(store, S.ORGANISER).leaves == 1
        store.append("old", S.ENTRIES, [S.make_note("on")])
        assert chain.link_of(store.read_bytes("old")[-1]) == chain.compute_head(store.read_bytes("old")[:-1])
        assert seal(store, S.ORGANISER).new == 0, "it is linked now, and not from its beginning"
        store.append("old", S.ENTRIES + 1, [S.CLOSED])
        done = seal(store, S.ORGANISER)
        assert done.leaves == 2 and [leaf.match for leaf in read_sealing(store).leaves] == ["", "old"]


def test_a_match_that_comes_in_closed_gets_its_leaf_at_once(where: Path) -> None:
    with Store.open(where) as store:
        S.take_in(store, "m", [*S.old("m"), codec.encode(S.CLOSED)])
        assert read_sealing(store).leaves == (Leaf("m", S.ENTRIES + 1, chain.compute_head(store.read_bytes("m"))),)
        assert seal(store, S.ORGANISER).leaves == 2


def test_a_store_of_an_earlier_program_is_read_without_a_log_and_gets_one(where: Path) -> None:
    with Store.open(where) as store:
        S.take_in(store, "old", S.old("old"))
    S.execute(where, ("DROP TABLE leaves", ()), ("DROP TABLE checkpoints", ()))
    assert S.sealing(where) == Sealing((), ())
    with Store.open(where) as store:
        S.record(store, "a")
        assert seal(store, S.ORGANISER).leaves == 2


def test_who_only_reads_seals_nothing(where: Path) -> None:
    S.make_evening(where)
    before = S.sealing(where)
    with Store.open(where, read_only=True) as store, pytest.raises(StoreError) as caught:
        seal(store, S.LATER)
    assert caught.value.trouble == "read_only" and S.sealing(where) == before


def test_a_store_in_memory_is_sealed_too() -> None:
    with Store.open(":memory:") as store:
        S.record(store, "a")
        assert seal(store, S.ORGANISER).leaves == 2 and len(read_sealing(store).checkpoints) == 1


def test_a_backup_goes_on_with_the_same_log(where: Path, tmp_path: Path) -> None:
    first, _ = S.make_evening(where)
    with Store.open(where) as store:
        backup(store, tmp_path / "b.sqlite")
    with Store.open(tmp_path / "b.sqlite") as copy:
        S.record(copy, "e")
        on = seal(copy, S.ORGANISER)
        old, new = read_checkpoint(first), read_checkpoint(on.note)
        assert (new.origin, new.size, on.new) == (old.origin, 6, 1)
        grown = prove_growth(read_sealing(copy), old)
    assert grown is not None and grown.holds(old)
    assert read_growth(str(grown)) == grown


def test_nothing_is_signed_of_a_log_that_was_changed(where: Path, tmp_path: Path) -> None:
    S.make_evening(where)
    forged = bytes(31) + b"\1"
    for statement, parameters in (
        ("UPDATE leaves SET head=? WHERE number=1", (forged,)),
        ("UPDATE leaves SET match='x' WHERE number=1", ()),
        ("UPDATE leaves SET entries=5 WHERE number=1", ()),
        ("DELETE FROM leaves WHERE number=5", ()),
        ("DELETE FROM leaves WHERE number=2", ()),
        ("UPDATE leaves SET head='text' WHERE number=1", ()),
        ("UPDATE leaves SET head=x'00' WHERE number=1", ()),
        ("UPDATE leaves SET entries=9 WHERE match=''", ()),
        ("INSERT INTO leaves (match, entries, head) VALUES ('a', 6, ?)", (forged,)),
        ("UPDATE checkpoints SET size=4 WHERE number=2", ()),
        ("UPDATE checkpoints SET size='x' WHERE number=2", ()),
        ("UPDATE checkpoints SET size=-1 WHERE number=2", ()),
        ("UPDATE checkpoints SET note=x'00' WHERE number=2", ()),
        ("UPDATE checkpoints SET note='none' WHERE number=2", ()),
        ("UPDATE checkpoints SET note=replace(note, 'shinpan/', 'shinpan/x') WHERE number=2", ()),
    ):
        copy = Path(shutil.copy(where, tmp_path / "copy.sqlite"))
        S.execute(copy, (statement, parameters))
        with closing(sqlite3.connect(copy)) as file:
            before = [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("leaves", "checkpoints")]
            assert refusal(copy), statement
            assert [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("leaves", "checkpoints")] == before
        for beside in ("-wal", "-shm"):
            Path(f"{copy}{beside}").unlink(missing_ok=True)


def test_a_damaged_match_gets_no_new_leaf_and_is_named_and_the_others_are_sealed(where: Path) -> None:
    for statement, parameters in (
        ("DELETE FROM stored_events WHERE originator_id='c' AND originator_version=1", ()),
        ("UPDATE stored_events SET state='text' WHERE originator_id='c' AND originator_version=1", ()),
        ("UPDATE stored_events SET state=7 WHERE originator_id='c' AND originator_version=7", ()),
        ("UPDATE stored_events SET state=NULL WHERE originator_id='c' AND originator_version=7", ()),
    ):
        where.unlink(missing_ok=True)
        with Store.open(where) as store:
            S.record(store, "c", close=False)
            seal(store, S.ORGANISER)
            store.append("c", S.ENTRIES, [S.make_note("on")])
            S.record(store, "d", close=False)
        before = S.sealing(where).leaves
        try:
            S.execute(where, (statement, parameters))
        except sqlite3.IntegrityError:
            continue
        with Store.open(where) as store:
            sealed = seal(store, S.ORGANISER)
            assert (sealed.left_out, sealed.new) == (("c",), 1)
            assert seal(store, S.ORGANISER) == replace(sealed, new=0), "and it is named again each time"
            log = read_sealing(store)
            wrongs = [
                match.wrong for match in check_matches(store, log, EvidenceSet().heads) if match.wrong is not None
            ]
        assert [leaf.match for leaf in log.leaves] == [*(leaf.match for leaf in before), "d"] == ["", "c", "d"]
        assert [wrong.match for wrong in wrongs] == ["c"], "the leaf it had holds it still"


def test_the_command_names_what_it_left_out_and_ends_with_1(where: Path) -> None:
    with Store.open(where) as store:
        S.record(store, "c", close=False)
    S.execute(where, ("DELETE FROM stored_events WHERE originator_id='c' AND originator_version=1", ()))
    key = where.parent / "seal.key"
    key.write_text(S.ORGANISER.write())
    for lang in LANGS:
        ran = inside(where, "seal", "--key", key, "--lang", lang)
        assert ran.code == 1 and say("seal.left_out", lang, match="c") in ran.err and ran.out
    assert inside(where, "seal", "--key", key, "--json").data["left_out"] == ["c"]


def test_a_proof_shows_its_match_against_the_last_checkpoint_and_nothing_else(where: Path) -> None:
    S.make_evening(where)
    sealed = S.sealing(where)
    for match in "abcd":
        proof = prove(sealed, match)
        assert proof is not None and proof.holds() and read_proof(str(proof)) == proof
        assert proof.leaf.head == chain.compute_head(S.states(where, match))
        text = str(proof)
        for wrong in (
            text.replace(f"index {proof.at}", f"index {proof.at + 1}"),
            text.replace(f"index {proof.at}", f"index 0{proof.at}"),
            text.replace("index ", "place "),
            text.replace("extra ", "extra  "),
            text.replace("\nindex", "\n\nindex"),
            text.replace("tlog-proof@v1", "tlog-proof@v2"),
            text.replace("\n\n", "\nAAAA\n\n", 1),
        ):
            try:
                assert not read_proof(wrong).holds(), wrong
            except NoteError as error:
                assert error.text.say("en")
    assert prove(sealed, "none") is None and prove(Sealing(sealed.leaves, ()), "a") is None


SEALER = """
import sys
from recorder.evidence.notes import Signer
from recorder.evidence.sealing import seal
from recorder.store import Store
from tests.evidence import sealed as S
store, name = Store.open(sys.argv[1]), sys.argv[2]
print("ready")
sys.stdin.readline()
for turn in range(12):
    S.record(store, f"{name}-{turn}", entries=3)
    print(seal(store, S.ORGANISER).leaves)
"""


@pytest.mark.process
def test_two_programs_seal_at_once_and_keep_one_log(where: Path) -> None:
    with Store.open(where) as store:
        seal(store, S.ORGANISER)
    programs = [run(SEALER, str(where), name) for name in ("x", "y")]
    for program in programs:
        assert program.stdout and program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin
        program.stdin.write("\n")
        program.stdin.flush()
    sys.stdout.flush()
    for program in programs:
        assert program.wait(PATIENCE) == 0
    sealed = S.sealing(where)
    assert sorted({leaf.match for leaf in sealed.leaves if leaf.match}) == sorted(
        f"{name}-{turn}" for name in "xy" for turn in range(12)
    )
    leaves = [(leaf.match, leaf.entries) for leaf in sealed.leaves]
    assert len(set(leaves)) == len(leaves) and leaves.count(("", 0)) == 1, "none twice, and one key"
    read = [read_checkpoint(note) for _, note in sealed.checkpoints]
    for old, new in pairwise(read):
        proof = merkle.prove_consistency(hashes(sealed.leaves[: new.size]), old.size)
        assert old.size < new.size and merkle.extends(old.root, old.size, new.root, new.size, proof)
