"""All kinds of evidence at once: real cards with gaps, multi-party shuffles, forgotten names."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.evidence import chain
from domain.law import croupier
from domain.table.table import Seat
from recorder.codec import content, from_json_line, to_json_lines
from recorder.evidence import verifier
from recorder.evidence.packs import record_files
from recorder.evidence.verifier import read_rows
from recorder.store import Store
from tests.cli.runs import ROOT, fine, inside
from tests.evidence import sealed as S
from tests.evidence.packed import lines_of, update_manifest, wrong

SHEET = ROOT / "fixtures" / "blackpoker" / "paper" / "kana.sheet"
SECRETS = {"p1": bytes(range(16)).hex(), "p2": bytes(range(16, 32)).hex()}
LIVE, CLOSED, FORGOTTEN = "live", "closed", "forgotten"
REAL, REAL_CLOSED = "real", "real-closed"
SHARED, MISSING, AWAITED = "shared", "withheld", "awaited"
MATCHES = (LIVE, CLOSED, FORGOTTEN, REAL, REAL_CLOSED, SHARED, MISSING, AWAITED)
NAMES = {match: (f"Aiko {match}", f"Botan {match}") for match in MATCHES}


def shuffle_together(where: Path, match: str) -> None:
    pledged = [f"{seat}={croupier.commit_seat(match, Seat(seat), bytes.fromhex(SECRETS[seat]))}" for seat in SECRETS]
    begin(where, match, *(part for pledge in pledged for part in ("--pledge", pledge)))


def begin(where: Path, match: str, *more: str) -> None:
    first, second = NAMES[match]
    fine(where, "new", "blackpoker@8.1-lite", "--match", match, "--p1", first, "--p2", second, *more)


def sheet(first: str, second: str) -> Iterator[str]:
    """Yield the lines of a score sheet with these players' names; quoted remarks stay unchanged."""
    for line in SHEET.read_text(encoding="utf-8").splitlines(keepends=True):
        said = line.startswith(("note", "gap", "learn"))
        yield line if said else line.replace("Aoi", first).replace("Ren", second)


@pytest.fixture(scope="module")
def evidence_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with a sealed store that holds one match of each kind."""
    folder = tmp_path_factory.mktemp("together")
    where = folder / "s.sqlite"
    fine(where, "keygen", folder / "key", "--name", "kyoto")
    for match in (LIVE, CLOSED, FORGOTTEN):
        begin(where, match)
    for match in (REAL, REAL_CLOSED):
        first, second = NAMES[match]
        (folder / "sheet").write_text("".join(sheet(first, second)), encoding="utf-8")
        fine(where, "paper", "take", folder / "sheet", "--match", match)
    for match in (SHARED, MISSING, AWAITED):
        shuffle_together(where, match)
    fine(where, "reveal", SHARED, "p1", SECRETS["p1"], "--by", "p1")
    fine(where, "reveal", SHARED, "p2", SECRETS["p2"], "--by", "p2")
    fine(where, "reveal", MISSING, "p1", SECRETS["p1"], "--by", "p1")
    fine(where, "reveal", MISSING, "p2", "--missing", "--reason", "gone home")
    for match in (CLOSED, FORGOTTEN, REAL_CLOSED, SHARED, MISSING):
        fine(where, "close", match, "--abandon", "--reason", "time")
    fine(where, "forget", "--match", FORGOTTEN)
    fine(where, "seal", "--key", folder / "key", "--out", folder / "note")
    for match in MATCHES:
        packs = (folder / f"{match}.{audience}.zip" for audience in ("officials", "players"))
        fine(where, "dossier", match, "--out", next(packs), "--players", next(packs))
    return folder


@pytest.fixture(name="where")
def copied(evidence_dir: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copy(evidence_dir / "s.sqlite", tmp_path / "s.sqlite")
    yield tmp_path / "s.sqlite"


def pack(evidence_dir: Path, match: str, audience: str = "players") -> bytes:
    return (evidence_dir / f"{match}.{audience}.zip").read_bytes()


def readme(evidence_dir: Path, match: str, lang: str = "en") -> str:
    return verifier.read_pack(pack(evidence_dir, match))[f"README.{lang}.txt"].decode()


# -- packs ------------------------------------------------------------------------------------------------------------


def test_every_pack_holds_by_itself_and_opened(evidence_dir: Path) -> None:
    for match in MATCHES:
        whole = pack(evidence_dir, match, "officials")
        assert wrong(whole) == wrong(pack(evidence_dir, match), (), whole) == [], match
        unproved = {line.key for line in lines_of(whole) if line.state == "open"}
        nameless = {"nameless"} if match == FORGOTTEN else set()
        assert unproved == {"named", "texts", *nameless}, "all of the record is in the log of a signed checkpoint"
        unproved = {line.key for line in lines_of(pack(evidence_dir, match)) if line.state == "open"}
        assert unproved == {"named", "texts", "commitments", *nameless}, "and so is all that is shown"
        assert inside(evidence_dir / "s.sqlite", "check", evidence_dir / f"{match}.officials.zip").code == 0


@pytest.mark.parametrize("match", [REAL_CLOSED, MISSING])
def test_it_needs_no_shinpan_for_that(evidence_dir: Path, match: str) -> None:
    packs = [str(evidence_dir / f"{match}.{audience}.zip") for audience in ("players", "officials")]
    command = [sys.executable, "-I", "-S", verifier.__file__, packs[0], "--open", packs[1]]
    done = subprocess.run(command, env={}, cwd="/", capture_output=True, check=False, timeout=60)
    assert done.returncode == 0 and not done.stderr and b"columns were opened and match" in done.stdout


def test_a_pack_says_what_it_does_not_prove_of_its_match(evidence_dir: Path) -> None:
    said = {
        "RECORDED FROM REAL CARDS": {REAL, REAL_CLOSED},
        "ACTIONS ARE MISSING at 17": {REAL, REAL_CLOSED},
        "SHUFFLES: p1, p2": {SHARED, MISSING, AWAITED},
        "Not handed in, according to the record: the secrets of p2": {MISSING},
        "Not in the record yet: the secrets of p1, p2": {AWAITED},
        "is not in the record until the match is closed": {AWAITED},
        "PLAYER NAMES are not in the record": {*MATCHES},
    }
    for text, matches in said.items():
        assert {match for match in MATCHES if text in readme(evidence_dir, match)} == matches, text
    assert "抜けているアクション" in readme(evidence_dir, REAL, "ja") and "シャッフル：p1, p2" in readme(
        evidence_dir, SHARED, "ja"
    )


def test_no_pack_tells_a_forgotten_name_and_none_of_a_match_that_goes_on_tells_a_secret(evidence_dir: Path) -> None:
    with Store.open(evidence_dir / "s.sqlite", read_only=True) as store:
        secrets = {match: (store.secret(match), chain.link_of(store.read_bytes(match, 1)[0])) for match in MATCHES}
    for match in MATCHES:
        whole, seen = (verifier.read_pack(pack(evidence_dir, match, audience)) for audience in ("officials", "players"))
        kept = match != FORGOTTEN
        assert "names" not in verifier.read_rows(seen, "seen.jsonl")[0]
        assert whole.get("names.json") == seen.get("names.json") and ("names.json" in whole) == kept
        shown = verifier.read_rows(seen, "names.json", False)[0] if kept else {}
        assert [name["name"] for name in shown.values()] == (list(NAMES[match]) if kept else [])
        assert not any(name.encode() in whole["entries.jsonl"] for name in NAMES[match])
        data = pack(evidence_dir, match) + pack(evidence_dir, match, "officials")
        assert kept == any(name.encode() in data for name in NAMES[match])
        seed, salt = secrets[match]
        assert salt is not None and salt.hex().encode() not in pack(evidence_dir, match)
        if match in (LIVE, AWAITED):
            assert seed is not None and seed.hex().encode() not in data


@pytest.mark.parametrize("value", [b"Mallory", b""])
def test_another_name_in_a_pack_is_found(evidence_dir: Path, value: bytes) -> None:
    name = NAMES[CLOSED][0].encode()
    for audience in ("officials", "players"):
        files = verifier.read_pack(pack(evidence_dir, CLOSED, audience))
        forged = update_manifest({**files, "names.json": files["names.json"].replace(name, value)})
        assert wrong(forged) == [("players", None)]


def test_what_was_pledged_and_revealed_is_seen_by_everybody_and_what_nobody_saw_by_nobody(evidence_dir: Path) -> None:
    seen = {match: pack(evidence_dir, match) for match in (SHARED, MISSING, AWAITED)}
    assert [SECRETS["p2"].encode() in data for data in seen.values()] == [True, False, False]
    assert [SECRETS["p1"].encode() in data for data in seen.values()] == [True, True, False]
    whole = verifier.read_pack(pack(evidence_dir, REAL, "officials"))
    dealt = [fact for _, fact in read_rows(whole, "entries.jsonl")[0]["told"] if fact[0] == "new"]
    assert [{*faces} for _, _, _, faces, _ in dealt] == [{None}, {None}]


# -- the store --------------------------------------------------------------------------------------------------------


def test_the_store_holds_against_its_note_and_every_proof(evidence_dir: Path, tmp_path: Path) -> None:
    kept = ["--against", evidence_dir / "note"]
    for match in MATCHES:
        fine(evidence_dir / "s.sqlite", "proof", match, "--out", tmp_path / f"{match}.proof")
        kept += ["--against", tmp_path / f"{match}.proof"]
    assert f"{len(MATCHES)} matches" in fine(evidence_dir / "s.sqlite", "check", *kept).out


@pytest.mark.parametrize("match", MATCHES)
def test_each_is_audited_rejudged_and_its_shuffles_are_fair(evidence_dir: Path, match: str) -> None:
    where = evidence_dir / "s.sqlite"
    findings = {REAL: 2, REAL_CLOSED: 2}.get(match, 0)
    assert len(inside(where, "audit", match, "--as", "judge", "--json").data["findings"]) == findings
    rejudged = inside(where, "rejudge", match, "--as", "judge", "--rules", "blackpoker@8.1-lite", "--json")
    assert rejudged.data["verdict"]["kind"] == "identical" and rejudged.code == 0
    fair = inside(where, "fairness", match, "--json")
    assert fair.code == 0 and fair.data["fair"] is not False


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("form", ["jsonl", "notation"])
def test_each_goes_out_and_comes_in_and_is_known_again(where: Path, tmp_path: Path, match: str, form: str) -> None:
    (tmp_path / "record").write_text(fine(where, "export", match, "--format", form, "--as", "judge").out, "utf-8")
    assert "the same record" in fine(where, "import", tmp_path / "record").err
    other = tmp_path / "other.sqlite"
    assert "recorded" in fine(other, "import", tmp_path / "record").err and fine(other, "check").out
    told = {row["match"]: row["names"] for row in inside(other, "matches", "--json").data}
    assert bool(told[match]) == (match != FORGOTTEN), "an export carries the names that are known"


@pytest.mark.parametrize("match", MATCHES)
def test_a_branch_of_each_is_fair(where: Path, match: str) -> None:
    fine(where, "branch", match, "--at", "1", "--match", "other")
    assert fine(where, "fairness", "other").code == fine(where, "audit", "other", "--as", "judge").code == 0
    rows = inside(where, "matches", "--json").data
    names = {row["match"]: row["names"] for row in rows}
    assert names["other"] == names[match], "names of a branch are its own, and forgotten ones stay so"


def test_finding_tells_of_what_goes_on_no_more_than_its_names(evidence_dir: Path) -> None:
    found = {match: inside(evidence_dir / "s.sqlite", "find", "--player", NAMES[match][0]).out for match in MATCHES}
    assert [match for match in MATCHES if match not in found[match]] == [FORGOTTEN]
    flagged = fine(evidence_dir / "s.sqlite", "find", "--clause", "BP-8.2").out
    assert REAL_CLOSED in flagged and f"{REAL} " not in flagged


# -- attacks ----------------------------------------------------------------------------------------------------------


def forge(evidence_dir: Path, match: str, change: Callable[[list[bytes]], list[bytes]]) -> tuple[list[bytes], bytes]:
    """Return altered entries of a match and an officials' pack whose chain and checksums fit them."""
    files = verifier.read_pack(pack(evidence_dir, match, "officials"))
    states = [from_json_line(line) for line in files["entries.jsonl"].splitlines()]
    salt = chain.link_of(states[0])
    assert salt is not None
    relinked = S.relink(change(states), salt)
    return relinked, update_manifest({**files, **record_files(relinked)})


def without_gap(states: list[bytes]) -> list[bytes]:
    return [state for state in states if content(state)["entry"] != "gap"]


def other_secret(states: list[bytes]) -> list[bytes]:
    secret = {"secret": bytes(16).hex()}
    return [S.change(state, **secret) if content(state)["entry"] == "revealed" else state for state in states]


def other_faces(states: list[bytes]) -> list[bytes]:
    told = content(states[0])["told"]
    for _, fact in told:
        if fact[0] == "new":
            fact[3] = ["C2" if face is None else face for face in fact[3]]
    return [S.change(states[0], told=told), *states[1:]]


@pytest.mark.parametrize(
    ("match", "change"),
    [(REAL, without_gap), (REAL_CLOSED, other_faces), (SHARED, other_secret), (MISSING, other_secret)],
)
def test_what_is_forged_with_all_its_sums_is_not_what_the_log_has(
    evidence_dir: Path, match: str, change: Callable[[list[bytes]], list[bytes]]
) -> None:
    _, whole = forge(evidence_dir, match, change)
    assert ("history", None) in wrong(whole) and "chain" not in {key for key, _ in wrong(whole)}
    opened = {key for key, _ in wrong(pack(evidence_dir, match), (), whole)}
    assert opened & {"opened", "apart"}, "nor what the pack for players was bound to"


def test_a_forged_secret_is_found_without_any_log(evidence_dir: Path, tmp_path: Path) -> None:
    states, _ = forge(evidence_dir, SHARED, other_secret)
    (tmp_path / "record.jsonl").write_bytes(to_json_lines(states))
    for command in ("fairness", "audit", "import"):
        done = inside(tmp_path / "s.sqlite", command, tmp_path / "record.jsonl")
        assert done.code == 2 and "entry 2" in done.message and "does not match the pledge" in done.message, command


def test_a_match_that_is_taken_out_with_leaf_and_checkpoint_is_missed_by_whoever_kept_a_note(
    evidence_dir: Path, where: Path
) -> None:
    """The file alone is valid then, and cannot show that it was ever longer."""
    tables = ("matches", "names", "leaves", "secrets", "commands", "asked")
    S.execute(
        where,
        *((f"DELETE FROM {table} WHERE match=?", (MISSING,)) for table in tables),
        ("DELETE FROM stored_events WHERE originator_id=?", (MISSING,)),
        ("UPDATE leaves SET number=(SELECT COUNT(*) FROM leaves l WHERE l.number<=leaves.number)", ()),
        ("DELETE FROM checkpoints", ()),
    )
    assert inside(where, "check").code == 0
    told = inside(where, "check", "--against", evidence_dir / "note")
    assert told.code == 1 and MISSING not in told.out
