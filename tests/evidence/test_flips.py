"""Random byte changes in stores, exports, corpora, checkpoints, proofs and packs: no entry changes undetected.

A nightly run changes fourteen thousand bytes, other runs one in ten. These were the results when the tests were
written. Salts differ from run to run, so the figures vary a little.

|                          named to its entry   in the log   refused as unreadable   outside the proof
| a store, anywhere                      178            9                      72               1,741
| a store, its entries                 2,000            0                       0                   0
| an export                              339            0                   1,661                   0
| a packed corpus                          0            0                     917               1,083
| a checkpoint                             0          263                     737                   0
| a proof                                  0          199                     801                   0
| a pack, anywhere                         0            0                   2,000                   0
| a pack's record, sums made true        397            2                   1,601                   0

Outside the proof are unused SQLite pages, indexes that SQLite can rebuild, and tables other than the entries. In all
these runs, the entries and the log read back were those written.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from archive.corpus import reader, writer
from archive.corpus.errors import CorpusError
from recorder import codec
from recorder.codec import CodecError
from recorder.evidence import checking as C, saved_evidence
from recorder.evidence.notes import Key, NoteError
from recorder.evidence.packs import PackError
from recorder.evidence.proofs import prove
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.unpacking import check_pack
from recorder.evidence.verifier import read_pack, read_rows
from recorder.sealing import read_sealing
from recorder.store import Store, StoreError
from tests.evidence import sealed as S
from tests.evidence.packed import SIGNER, packs_of, update_manifest
from tests.rotation import is_nightly

pytestmark = pytest.mark.random

TRUSTED = (S.ORGANISER.key,)
SHARE = 1 if is_nightly() else 10
"""Share of the changes to try: one in this many."""
NAMED, IN_LOG, REFUSED, OUTSIDE = "named to its entry", "named in the log", "refused as unreadable", "outside the proof"


@pytest.fixture(scope="module")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("made") / "a.sqlite"
    S.make_evening(where)
    return where


BESIDE_ENTRIES = ("store.entry", "store.side_row")


def flips(data: bytes, times: int, tell: Callable[[bytes], str], within: Sequence[int] = ()) -> Counter[str]:
    """Count the results of single-byte changes at random offsets, or at one of the offsets in `within`."""
    random, told = Random(16), Counter[str]()
    for _ in range(times // SHARE):
        at = random.choice(within or range(len(data)))
        told[tell(data[:at] + bytes((data[at] ^ random.randrange(1, 256),)) + data[at + 1 :])] += 1
    return told


def hold(wrong: C.Discrepancy, was: Sequence[bytes], now: Sequence[bytes]) -> None:
    """Check that the fault names the changed entry, or an earlier one if only a head reveals the change."""
    first = next((number for number, pair in enumerate(zip(was, now, strict=False), 1) if pair[0] != pair[1]), 0)
    assert first, "nothing is another"
    assert wrong.entry == first or (wrong.text.key == "chain.rewritten" and wrong.entry < first), (wrong, first)


def test_of_bytes_of_a_store(store_path: Path, tmp_path: Path) -> None:
    where, data = tmp_path / "b.sqlite", store_path.read_bytes()
    was = {match: S.states(store_path, match) for match in "abcd"}
    log = S.sealing(store_path)

    def tell(changed: bytes) -> str:
        where.write_bytes(changed)
        try:
            with Store.open(where, read_only=True) as store:
                sealed = read_sealing(store)
                looked = [*C.check_matches(store, sealed, EvidenceSet().heads)]
                wrongs = C.check_log(sealed, TRUSTED).wrong
                now = {match: readable(store, match) for match in was}
        except StoreError as error:
            assert error.text.say("en") != error.text.say("ja")
            return REFUSED
        bad = [match.wrong for match in looked if match.wrong is not None]
        for wrong in bad:
            if wrong.text.key in BESIDE_ENTRIES and now == was:
                continue
            if wrong.match in was and len(now[wrong.match]) == S.ENTRIES and not wrongs:
                hold(wrong, was[wrong.match], now[wrong.match])
        if bad or wrongs:
            return NAMED if bad else IN_LOG
        assert now == was and sealed == log, "reported sound"
        return OUTSIDE

    anywhere = flips(data, 2_000, tell)
    assert anywhere.total() == 2_000 // SHARE and anywhere[NAMED] and anywhere[OUTSIDE] < anywhere.total()
    stood = [data.index(state) for states in was.values() for state in states]
    lengths = [len(state) for states in was.values() for state in states]
    places = [at + n for at, length in zip(stood, lengths, strict=True) for n in range(length)]
    assert flips(data, 2_000, tell, places) == {NAMED: 2_000 // SHARE}


def readable(store: Store, match: str) -> list[bytes]:
    try:
        return store.read_bytes(match)
    except StoreError:
        return []


def test_of_bytes_of_an_export(store_path: Path) -> None:
    was = S.states(store_path, "a")
    proof = prove(S.sealing(store_path), "a")
    assert proof is not None
    heads = EvidenceSet(proofs=(("a.proof", proof),)).heads("a")

    def tell(data: bytes) -> str:
        try:
            now = [codec.from_json_line(line) for line in data.decode().split("\n") if line.strip()]
        except (CodecError, UnicodeDecodeError):
            return REFUSED
        wrong = C.check_record("a", now, heads).wrong
        if wrong is None:
            assert now == was, "reported sound"
            return OUTSIDE
        if len(now) == len(was):
            hold(wrong, was, now)
        return NAMED

    told = flips(codec.to_json_lines(was), 2_000, tell)
    assert told.total() == 2_000 // SHARE and told[NAMED] and not told[OUTSIDE]


def test_of_bytes_of_a_packed_corpus(store_path: Path, tmp_path: Path) -> None:
    where, was = tmp_path / "b.corpus", {match: S.states(store_path, match) for match in "abcd"}
    writer.pack(tmp_path / "a.corpus", was.items())
    heads = {leaf.match: {leaf.entries: leaf.head} for leaf in S.sealing(store_path).leaves}

    def tell(data: bytes) -> str:
        where.write_bytes(data)
        try:
            with reader.open_corpus(where) as corpus:
                now = {match: corpus.states(match) for match in corpus.ids}
        except CorpusError as error:
            assert error.text.say("en") and error.text.say("ja")
            return REFUSED
        looked = [C.check_record(match, states, heads.get(match, {})) for match, states in now.items()]
        if any(match.wrong for match in looked):
            return NAMED
        assert now == was, "reported sound"
        return OUTSIDE

    told = flips((tmp_path / "a.corpus").read_bytes(), 2_000, tell)
    assert told.total() == 2_000 // SHARE and told[REFUSED]


@pytest.mark.parametrize("what", ["checkpoint", "proof"])
def test_of_bytes_of_a_note(store_path: Path, what: str) -> None:
    sealed = S.sealing(store_path)
    proof, note = prove(sealed, "a"), sealed.checkpoints[-1][1]
    assert proof is not None
    told = flips((note if what == "checkpoint" else str(proof)).encode(), 1_000, tell_note)
    assert told.total() == 1_000 // SHARE and not told[OUTSIDE] and told[IN_LOG]


def tell_note(data: bytes) -> str:
    try:
        signed, wrong = saved_evidence.check_note(data.decode(), EvidenceSet(keys=TRUSTED))
    except (NoteError, UnicodeDecodeError):
        return REFUSED
    assert wrong, f"reported sound, signed by {signed}"
    return IN_LOG


def test_of_bytes_of_packs() -> None:
    """Checksums of the zip refuse changes anywhere. If an attacker corrects the checksums, the chain and the log refuse
    them."""
    officials, players = packs_of("blackpoker").officials, packs_of("blackpoker").players
    key = (SIGNER.key,)
    for pack in (officials, players):
        assert flips(pack, 1_000, lambda data: tell_pack(data, key)) == {REFUSED: 1_000 // SHARE}
    files = dict(read_pack(officials))
    was = read_rows(files, "entries.jsonl")

    def tell(record: bytes) -> str:
        changed = {**files, "entries.jsonl": record}
        told = tell_pack(update_manifest(changed), key)
        now = [] if told == REFUSED else read_rows(changed, "entries.jsonl")
        assert told != OUTSIDE or now == was, "reported sound"
        return told

    told = flips(files["entries.jsonl"], 2_000, tell)
    assert told.total() == 2_000 // SHARE and told[NAMED] and not told[OUTSIDE]


def tell_pack(data: bytes, keys: Sequence[Key]) -> str:
    try:
        unpacked = check_pack(data, keys)
    except PackError as error:
        assert error.text.say("en") != error.text.say("ja")
        return REFUSED
    if any(wrong.entry for wrong in unpacked.log.wrong):
        return NAMED
    return IN_LOG if unpacked.log.wrong else OUTSIDE
