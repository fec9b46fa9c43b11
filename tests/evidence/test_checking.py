"""Reports of `check` on a store altered by an attacker who has the file but no key."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from domain.evidence import chain, merkle
from recorder.evidence import checking as C, saved_evidence
from recorder.evidence.checkpoints import Checkpoint, hashes, read_checkpoint
from recorder.evidence.notes import Key, NoteError, Signer, join, read_note
from recorder.evidence.proofs import prove, prove_growth, read_growth, read_proof
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.sealing import seal
from recorder.sealing import Leaf, read_sealing
from recorder.store import Store
from tests.evidence import sealed as S

TRUSTED = (S.ORGANISER.key,)
Said = tuple[str, int, str]
"""A fault: the match ('' for the log), the first entry concerned, and the key of the message."""


@pytest.fixture(scope="module")
def sealed_twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    where = tmp_path_factory.mktemp("made") / "a.sqlite"
    return where, *S.make_evening(where)


@pytest.fixture
def where(sealed_twice: tuple[Path, str, str], tmp_path: Path) -> Path:
    return Path(shutil.copy(sealed_twice[0], tmp_path / "a.sqlite"))


@pytest.fixture
def first(sealed_twice: tuple[Path, str, str]) -> str:
    return sealed_twice[1]


def wrongs(where: Path, keys: Sequence[Key] = TRUSTED, kept: EvidenceSet | None = None) -> list[Said]:
    kept = kept or EvidenceSet()
    with Store.open(where, read_only=True) as store:
        sealed = read_sealing(store)
        log = C.check_log(sealed, keys, kept.checkpoints)
        looked = [*C.check_matches(store, sealed, kept.heads)]
    bad = [match.wrong for match in looked if match.wrong is not None] + [*log.wrong]
    return [(wrong.match, wrong.entry, why(wrong)) for wrong in bad]


def why(wrong: C.Discrepancy) -> str:
    inner = wrong.text.values.get("why")
    assert wrong.text.say("en") != wrong.text.say("ja")
    return inner.key if isinstance(inner, type(wrong.text)) else wrong.text.key


def keep(note: str) -> EvidenceSet:
    return EvidenceSet(checkpoints=(("kept.note", read_checkpoint(note)),))


def test_a_store_as_it_was_has_nothing_wrong(where: Path, first: str) -> None:
    assert wrongs(where) == [] == wrongs(where, kept=keep(first))
    with Store.open(where, read_only=True) as store:
        sealed = read_sealing(store)
        log = C.check_log(sealed, TRUSTED)
        assert log == C.Log(5, 2, 0, str(S.ORGANISER.key), True, ())
        assert not C.check_log(sealed).trusted, "what the log says of itself nobody vouches for"
        looked = [*C.check_matches(store, sealed, EvidenceSet().heads)]
    assert [(match.match, match.entries, match.unlinked, match.held) for match in looked] == [
        (match, 6, 0, 6) for match in "abcd"
    ]


@pytest.mark.parametrize("match", ["a", "c", "d"])
def test_an_altered_entry_is_named(where: Path, match: str) -> None:
    put = "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?"
    for number, state in enumerate(S.states(where, match), start=1):
        S.execute(where, (put, (S.change(state, at=1 if number == 1 else 2, by="x"), match, number)))
        expected = (match, 1, "chain.rewritten") if number == S.ENTRIES else (match, number, "chain.altered")
        assert wrongs(where) == [expected]
        S.execute(where, (put, (state, match, number)))


def test_entries_removed_inserted_and_moved_are_named(where: Path) -> None:
    states = S.states(where, "a")
    alien = S.change(states[2], text="put in")
    for forged, said in (
        ([*states[:2], *states[3:]], ("a", 3, "chain.removed_one")),
        ([*states[:1], *states[3:]], ("a", 2, "chain.removed")),
        ([*states[:3], alien, *states[3:]], ("a", 4, "chain.inserted_one")),
        ([*states[:2], states[3], states[2], *states[4:]], ("a", 3, "chain.moved")),
        (states[:-1], ("a", 6, "chain.ends")),
        (states[:2], ("a", 3, "chain.ends")),
        ([*states[:3], chain.unlink(states[3]), *states[4:]], ("a", 4, "chain.unlinked")),
        ([chain.unlink(state) for state in states], ("a", 1, "chain.rewritten")),
        (S.relink(states), ("a", 1, "chain.rewritten")),
        (S.relink([*states[:3], alien, *states[4:]], chain.link_of(states[0]) or b""), ("a", 1, "chain.rewritten")),
    ):
        S.replace_match(where, "a", forged)
        assert wrongs(where) == [said]
        assert wrongs(where, keys=()) == [said], "without a key too"


def test_an_entry_that_is_gone_from_the_middle_is_named(where: Path) -> None:
    S.execute(where, ("DELETE FROM stored_events WHERE originator_id='b' AND originator_version=3", ()))
    assert wrongs(where) == [("b", 3, "store.gap")]
    S.execute(where, ("UPDATE stored_events SET state='x' WHERE originator_id='a' AND originator_version=2", ()))
    assert wrongs(where) == [("a", 2, "codec.no_entry"), ("b", 3, "store.gap")], "each match by itself"


def test_entries_of_two_matches_that_were_exchanged_are_named(where: Path) -> None:
    mine, theirs = S.states(where, "a"), S.states(where, "b")
    S.replace_match(where, "a", [*mine[:3], theirs[3], *mine[4:]])
    assert wrongs(where) == [("a", 4, "chain.altered")]
    S.replace_match(where, "a", theirs)
    S.replace_match(where, "b", mine)
    assert wrongs(where) == [("a", 1, "chain.rewritten"), ("b", 1, "chain.rewritten")]


def test_a_match_that_is_gone_is_missed(where: Path) -> None:
    S.execute(where, ("DELETE FROM stored_events WHERE originator_id='a'", ()))
    assert wrongs(where) == [("a", 1, "chain.ends")]
    S.execute(where, ("DELETE FROM matches WHERE match='a'", ()))
    assert wrongs(where) == [("a", 1, "sealing.gone")]
    S.execute(where, ("DELETE FROM leaves WHERE match='a'", ()), ("UPDATE leaves SET number=number-1", ()))
    said = {key for _, _, key in wrongs(where)}
    assert said == {"sealing.short", "sealing.other", "sealing.untrusted_log"}, "with its leaf: the checkpoints"


def test_a_match_without_entries_that_no_leaf_knows_is_missed_by_its_name(where: Path) -> None:
    with Store.open(where) as store:
        S.record(store, "e", close=False)
    S.execute(where, ("DELETE FROM stored_events WHERE originator_id='e'", ()))
    assert wrongs(where) == [("e", 1, "sealing.empty")]


FORGED = b"\1" * 32


@pytest.mark.parametrize(
    ("statement", "parameters", "said"),
    [
        ("UPDATE leaves SET head=? WHERE number=1", (FORGED,), {"chain.rewritten", "sealing.other"}),
        ("UPDATE leaves SET entries=5 WHERE number=1", (), {"chain.rewritten", "sealing.other"}),
        ("UPDATE leaves SET match='x' WHERE number=1", (), {"sealing.gone", "sealing.other"}),
        ("UPDATE leaves SET head=? WHERE match=''", (FORGED,), {"sealing.other"}),
        ("DELETE FROM leaves WHERE number=5", (), {"sealing.short"}),
        ("UPDATE checkpoints SET size=4 WHERE number=2", (), {"sealing.other"}),
        ("UPDATE checkpoints SET size=99 WHERE number=2", (), {"sealing.short"}),
        ("UPDATE checkpoints SET note='x' WHERE number=2", (), {"note.none"}),
        ("UPDATE checkpoints SET note=replace(note, 'shinpan/', 'other/') WHERE number=2", (), {"note.forged"}),
        ("DELETE FROM checkpoints", (), {"sealing.untrusted_log"}),
        ("INSERT INTO leaves (match, entries, head) VALUES ('a', 6, ?)", (FORGED,), {"sealing.twice"}),
    ],
)
def test_a_log_that_was_changed_is_told(where: Path, statement: str, parameters: tuple[bytes], said: set[str]) -> None:
    S.execute(where, (statement, parameters))
    assert {key for _, _, key in wrongs(where)} - {"sealing.untrusted_since", "sealing.untrusted_log"} == said - {
        "sealing.untrusted_log"
    }
    assert {key for _, _, key in wrongs(where)} >= said


def test_a_match_made_anew_with_its_leaf_differs_from_every_checkpoint(where: Path) -> None:
    forged = S.relink([S.change(state, by="x") for state in S.states(where, "a")])
    S.replace_match(where, "a", forged)
    S.execute(where, ("UPDATE leaves SET head=? WHERE match='a'", (chain.compute_head(forged),)))
    assert [key for _, _, key in wrongs(where, keys=())] == ["sealing.other", "sealing.other"]


def test_a_match_made_anew_is_not_covered_by_one_more_leaf(where: Path) -> None:
    forged = S.relink([S.change(state, by="x") for state in S.states(where, "a")])
    S.replace_match(where, "a", forged)
    S.execute(where, ("INSERT INTO leaves (match, entries, head) VALUES ('a', 6, ?)", (chain.compute_head(forged),)))
    assert wrongs(where) == [("a", 1, "chain.rewritten"), ("a", 6, "sealing.twice")]


def test_what_nothing_was_signed_for_yet_is_counted(where: Path) -> None:
    with Store.open(where) as store:
        S.record(store, "e")
        log = C.check_log(read_sealing(store), TRUSTED)
    assert (log.unsealed, log.trusted, log.wrong) == (1, True, ())


def test_a_log_that_goes_on_under_a_key_of_somebody_else_is_told(where: Path) -> None:
    """An attacker with the file can name a new key and sign with it. Only holders of the first key notice."""
    with Store.open(where) as store:
        seal(store, S.STRANGER)
    assert wrongs(where) == [("", 0, "sealing.untrusted_since")]
    assert wrongs(where, keys=(S.LATER.key,)) == [("", 0, "sealing.untrusted_log")]
    assert wrongs(where, keys=(S.ORGANISER.key, S.STRANGER.key)) == [], "if both are trusted, nothing is wrong"


def test_a_replaced_key_is_told(where: Path, first: str) -> None:
    namesake = Signer.make(S.ORGANISER.key.name, bytes(32))
    forge(where, namesake)
    assert wrongs(where, keys=()) == [], "the store alone knows of nothing"
    assert wrongs(where) == [("", 0, "sealing.untrusted_log")]
    assert wrongs(where, keys=(), kept=keep(first)) == [("", 0, "sealing.forked")]


def forge(where: Path, signer: Signer) -> None:
    """Write a complete and consistent false history: match `a` altered, all leaves and one checkpoint rebuilt."""
    origin = read_checkpoint(S.sealing(where).checkpoints[0][1]).origin
    S.replace_match(where, "a", S.relink([S.change(state, by="x") for state in S.states(where, "a")]))
    leaves = [Leaf(match, 6, chain.compute_head(S.states(where, match))) for match in "abcd"]
    leaves.insert(2, Leaf("", 0, signer.key.public))
    S.execute(where, ("DELETE FROM checkpoints", ()), ("DELETE FROM leaves", ()))
    insert = "INSERT INTO leaves (match, entries, head) VALUES (?,?,?)"
    rows = [(insert, (leaf.match, leaf.entries, leaf.head)) for leaf in leaves]
    note = signer.sign(str(Checkpoint(origin, 5, merkle.root(hashes(leaves)))))
    S.execute(where, *rows, ("INSERT INTO checkpoints (size, note) VALUES (?,?)", (5, note)))


def test_two_histories_told_to_two_people_are_found_out_when_they_meet(where: Path, first: str, tmp_path: Path) -> None:
    """The owner of the key forks the log. Each branch is valid alone; a reader who kept the other one notices."""
    other = Path(shutil.copy(where, tmp_path / "other.sqlite"))
    forge(other, S.ORGANISER)
    for path, match in ((where, "e"), (other, "f")):
        with Store.open(path) as store:
            S.record(store, match)
            seal(store, S.ORGANISER)
        assert wrongs(path) == []
    mine, theirs = S.sealing(where), S.sealing(other)
    my_note, their_note = mine.checkpoints[-1][1], theirs.checkpoints[-1][1]
    assert wrongs(where, kept=keep(their_note)) == [("", 0, "sealing.forked")]
    assert wrongs(other, kept=keep(my_note)) == [("", 0, "sealing.forked")]
    assert wrongs(other, kept=keep(first)) == [("", 0, "sealing.forked")]
    grown = prove_growth(theirs, read_checkpoint(first))
    assert grown is not None and not grown.holds(read_checkpoint(first)), "no proof of growth can be made"
    assert [text.key for text in saved_evidence.check_note(my_note, keep(their_note))[1]] == ["sealing.forked"]
    both = EvidenceSet((("mine", read_checkpoint(my_note)), ("theirs", read_checkpoint(their_note))))
    assert [text.key for text in both.list_contradictions()] == ["sealing.split"]


def test_a_checkpoint_from_the_future_shows_that_leaves_are_gone(where: Path, first: str, tmp_path: Path) -> None:
    before = Path(shutil.copy(where, tmp_path / "before.sqlite"))
    with Store.open(where) as store:
        S.record(store, "e")
        later = seal(store, S.ORGANISER).note
    assert wrongs(before) == [], "a store set back to what it was is sound by itself"
    assert wrongs(before, kept=keep(later)) == [("", 0, "sealing.future")]
    assert prove_growth(S.sealing(before), read_checkpoint(later)) is None


def test_a_checkpoint_of_another_store_accuses_nobody_of_a_fork(where: Path, tmp_path: Path) -> None:
    _, note = S.make_evening(tmp_path / "b.sqlite")
    assert wrongs(where, kept=keep(note)) == [("", 0, "sealing.elsewhere")]


def test_a_proof_that_was_kept_is_held_against_its_match(where: Path) -> None:
    proof = prove(S.sealing(where), "a")
    assert proof is not None
    kept = EvidenceSet(proofs=(("a.proof", proof),))
    assert wrongs(where, kept=kept) == [] and [*kept.list_unrelated_proofs({"a"})] == []
    assert [text.key for text in kept.list_unrelated_proofs({"b"})] == ["proof.absent"]
    forge(where, S.ORGANISER)
    assert wrongs(where, kept=kept) == [("a", 1, "chain.rewritten")]
    other = prove(S.sealing(where), "a")
    assert other is not None
    assert [text.key for text in EvidenceSet(proofs=(("x", proof), ("y", other))).list_contradictions()] == [
        "proof.split"
    ]
    assert kept.heads("") == kept.heads("a") and kept.heads("b") == {}


def note_keys(text: str, kept: EvidenceSet | None = None) -> list[str]:
    return [part.key for part in saved_evidence.check_note(text, kept or EvidenceSet())[1]]


def test_notes_that_were_kept_are_held_against_each_other(where: Path, first: str) -> None:
    sealed = S.sealing(where)
    last = sealed.checkpoints[-1][1]
    proof, grown = prove(sealed, "a"), prove_growth(sealed, read_checkpoint(first))
    assert proof is not None and grown is not None
    assert note_keys(first) == note_keys(last) == note_keys(str(proof)) == []
    assert note_keys(str(proof), keep(last)) == note_keys(str(grown), keep(first)) == []
    assert note_keys(str(grown)) == ["growth.alone"]
    assert note_keys(str(proof), keep(first)) == ["sealing.unrelated"]
    assert note_keys(first, EvidenceSet(keys=(S.STRANGER.key,))) == ["sealing.untrusted"]
    assert saved_evidence.check_note(str(proof), EvidenceSet(keys=TRUSTED)) == (str(S.ORGANISER.key), ())
    forged = str(proof).replace(f"index {proof.at}", f"index {proof.at + 1}")
    assert note_keys(forged) == ["proof.fails"]
    bent = str(grown).replace(str(grown).split("\n")[1], "A" * 43 + "=")
    assert note_keys(bent, keep(first)) == ["sealing.forked"]
    assert note_keys(first.replace("shinpan/", "other/"), EvidenceSet(keys=TRUSTED)) == ["note.forged"]


def test_a_cosigned_checkpoint_is_the_same_checkpoint(first: str) -> None:
    text = read_note(first).text
    cosigned = join(text, [*read_note(first).signatures, S.STRANGER.signature(text)])
    assert read_checkpoint(cosigned) == read_checkpoint(first)
    assert saved_evidence.check_note(cosigned, EvidenceSet(keys=(S.STRANGER.key,))) == (str(S.STRANGER.key), ())
    assert note_keys(cosigned, keep(first)) == []


ROOT = "A" * 43 + "="


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "a\n", "a\n1\n", f"a\n1\n{ROOT}", f"\n1\n{ROOT}\n", f"a\n01\n{ROOT}\n", f"a\n-1\n{ROOT}\n",
        f"a\n1.0\n{ROOT}\n", f"a\n\uff11\n{ROOT}\n", f"a\n{10**18}\n{ROOT}\n", "a\n1\nAAAA\n", "a\n1\n!\n",
        f"a\n1\n{ROOT[:-2]}B=\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        read_checkpoint(S.ORGANISER.sign(text) if text.endswith("\n") else text)


@pytest.mark.parametrize("text", ["", "c2sp.org/tlog-proof@v1\n", "shinpan/growth/1\n\n", "c2sp.org/tlog-proof@v1\n\n"])
def test_what_is_no_proof_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        assert not read_proof(text).holds()
    with pytest.raises(NoteError):
        assert not read_growth(text).holds(Checkpoint("a", 0, merkle.EMPTY))


def test_a_proof_of_no_match_is_refused(where: Path) -> None:
    sealed = S.sealing(where)
    proof = prove(sealed, "")
    assert proof is not None, "the key's own leaf"
    with pytest.raises(NoteError):
        read_proof(str(proof))
