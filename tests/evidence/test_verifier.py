"""The verifier of evidence packs: it runs alone, accepts valid packs, and names each fault of the others."""

import ast
import json
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.evidence import chain, merkle
from domain.games import GAMES
from recorder.evidence import verifier
from recorder.evidence.notes import Signer
from tests.cli.forks import PATIENCE
from tests.cli.runs import ROOT
from tests.evidence.packed import CANARY, ENTRIES, SIGNER, lines_of, packs_of, update_manifest, wrong
from tests.rotation import is_nightly, seed

SOURCE = ROOT / "recorder" / "evidence" / "verifier.py"
LINES_MAX = 450
KEY = str(SIGNER.key)


def run_alone(folder: Path, python: str, *arguments: str) -> tuple[int, str]:
    """Run the verifier in isolation, with nothing of this project importable."""
    for name, data in (("verify.py", SOURCE.read_bytes()), *((f"{n}.zip", d) for n, d in FILES.items())):
        (folder / name).write_bytes(data)
    command = [python, "-I", "-S", "verify.py", *arguments]
    done = subprocess.run(command, cwd=folder, env={}, capture_output=True, check=False, timeout=PATIENCE)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.decode()


FILES: dict[str, bytes] = {}


def test_it_is_short_and_needs_the_standard_library_of_python_3_8_alone() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) < LINES_MAX
    tree = ast.parse(text, feature_version=(3, 8))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


@pytest.mark.process
@pytest.mark.parametrize("key", GAMES)
def test_packs_hold_on_a_machine_without_shinpan(key: str, tmp_path: Path) -> None:
    pair = packs_of(key)
    FILES.update(officials=pair.officials, players=pair.players)
    code, said = run_alone(tmp_path, sys.executable, "officials.zip", "--key", KEY)
    assert code == 0 and f"holds  signed by {KEY}" in said and "wrong" not in said
    assert said.count("open  ") == 1 and "open   nothing proves what these files say: findings.json," in said
    assert f"holds  {ENTRIES + 2} entries, each follows those before it" in said
    proofs = verifier.PROOF | verifier.ROWS
    unproved = {name: data for name, data in verifier.read_pack(pair.players).items() if name not in proofs}
    FILES.update(unproved=update_manifest(unproved))
    assert run_alone(tmp_path, sys.executable, "unproved.zip", "--key", KEY)[0] == 1
    code, said = run_alone(tmp_path, sys.executable, "unproved.zip", "--key", KEY, "--open", "officials.zip")
    assert code == 0 and f"holds  signed by {KEY}" in said, "what opens it proves it"
    code, said = run_alone(tmp_path, sys.executable, "players.zip", "--open", "officials.zip")
    assert code == 0 and "columns were opened and match their commitments" in said and "wrong" not in said
    assert "open   only the pack says whose key that is" in said


@pytest.mark.process
def test_misuse_and_what_is_not_there_are_said(tmp_path: Path) -> None:
    for arguments in ((), ("officials.zip", "--key"), ("officials.zip", "--what", "x")):
        code, said = run_alone(tmp_path, sys.executable, *arguments)
        assert code == 2 and "python3 verify.py PACK.zip" in said
    assert run_alone(tmp_path, sys.executable, "gone.zip")[0] == 2


@pytest.mark.process
def test_a_bare_virtual_environment_is_enough(tmp_path: Path) -> None:
    pair = packs_of("blackpoker")
    FILES.update(officials=pair.officials, players=pair.players)
    venv.create(tmp_path / "bare", with_pip=False)
    python = str(tmp_path / "bare" / "bin" / "python")
    assert subprocess.run([python, "-c", "import msgspec"], capture_output=True, check=False).returncode == 1
    assert run_alone(tmp_path, python, "officials.zip")[0] == run_alone(tmp_path, python, "players.zip")[0] == 0
    shutil.rmtree(tmp_path / "bare")


# -- what is wrong is named -------------------------------------------------------------------------------------------


def files() -> dict[str, bytes]:
    return dict(verifier.read_pack(packs_of("blackpoker").officials))


def change_line(name: str, number: int, old: bytes, new: bytes) -> bytes:
    """Return a pack with one line of a file changed and the manifest updated."""
    held = files()
    lines = held[name].splitlines(keepends=True)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return update_manifest({**held, name: b"".join(lines)})


def test_an_entry_that_was_changed_is_named() -> None:
    assert wrong(change_line("entries.jsonl", 9, b'"actor"', b'"actor2"')) == [
        ("chain", 10),
        ("heads", None),
        ("history", None),
    ]
    assert wrong(change_line("entries.jsonl", ENTRIES + 2, b'"judge"', b'"nobody"')) == [
        ("heads", None),
        ("history", None),
    ]
    held = files()
    lines = held["entries.jsonl"].splitlines(keepends=True)
    for others, entry in (([*lines[:8], *lines[9:]], 9), ([*lines[:8], lines[9], lines[8], *lines[10:]], 9)):
        assert ("chain", entry) in wrong(update_manifest({**held, "entries.jsonl": b"".join(others)}))
    assert ("history", None) in wrong(update_manifest({**held, "entries.jsonl": b"".join(lines[:-1])}))


def test_files_that_do_not_go_with_the_record_are_named() -> None:
    held = files()
    assert wrong(update_manifest({**held, "rules.json": b"{}"})) == [("pinned", "rules.json")]
    assert wrong(update_manifest({**held, "schema.json": b"{}"})) == [("pinned", "schema.json")]
    like = held["rules.json"].replace(b": true", b": 1", 1)
    assert (
        wrong(update_manifest({**held, "rules.json": like})) == [("pinned", "rules.json")]
        and like != held["rules.json"]
    )
    assert wrong(update_manifest({**held, "checkpoint.note": b"x"})) == [("note", None)]
    assert wrong(update_manifest({**held, "chain.json": b"{}"})) == [("heads", None)]
    manifest = held["manifest.json"].replace(b'"entries":', b'"entries": 1, "was":', 1)
    assert wrong(update_manifest({**held, "manifest.json": manifest})) == [("counted", None)]
    assert wrong(verifier.write_pack({**held, "findings.json": b"{}"})) == [("file", "findings.json")]
    assert wrong(verifier.write_pack({**held, "more.txt": b"x"})) == [("file", "more.txt")]
    del held["chain.json"]
    assert wrong(verifier.write_pack(held)) == [("file", "chain.json"), ("missing", "chain.json")]


def test_a_key_that_was_replaced_signs_nothing() -> None:
    held, other = files(), Signer.make("kyoto", bytes(32))
    assert wrong(packs_of("blackpoker").officials, [str(other.key)]) == [("key", None)]
    assert wrong(packs_of("blackpoker").officials, [str(other.key), KEY]) == [], "one of those trusted is enough"
    assert wrong(update_manifest({**held, "keys.txt": b""})) == [("key", None)]
    forged = held["match.proof"].decode().partition("\n\n")
    text = forged[2].rpartition("\n\n")[0] + "\n"
    anew = update_manifest(
        {
            **held,
            "match.proof": f"{forged[0]}\n\n{other.sign(text)}".encode(),
            "checkpoint.note": other.sign(text).encode(),
            "keys.txt": f"{other.key}\n".encode(),
        }
    )
    assert wrong(anew) == [] and ("named", "open") in [(line.key, line.state) for line in lines_of(anew)]
    assert wrong(anew, [KEY]) == [("key", None)]
    moved = held["match.proof"].replace(b"index 0", b"index 1")
    assert wrong(update_manifest({**held, "match.proof": moved})) == [("proof", None)]


def test_without_a_proof_it_says_what_is_not_proved() -> None:
    held = {name: data for name, data in files().items() if name not in ("match.proof", "checkpoint.note", "keys.txt")}
    assert [(line.state, line.key) for line in lines_of(update_manifest(held)) if line.state != "holds"] == [
        ("open", "unsealed"),
        ("open", "texts"),
    ]
    assert wrong(update_manifest(held), [KEY]) == [("unsealed", None)], "whoever was to have signed has not"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'{"a": "\xff"}\n', "utf-8"),
        (b'{"a": 1, "a": 2}\n', "twice"),
        (b'{"a": 1.5}\n', "whole number"),
        (b'{"a": NaN}\n', "whole number"),
        (b'{"a": ' + b"9" * 5000 + b"}\n", "64 bits"),
        (b"[" * 100_000 + b"\n", "recursion"),
        (b'{"a": "\\ud800"}\n', "surrogates"),
        (b"[1]\n", "not a map"),
        (b"", "Expecting value"),
    ],
)
def test_what_is_no_record_is_refused_by_its_line(text: bytes, why: str) -> None:
    (line,) = [line for line in lines_of(update_manifest({**files(), "entries.jsonl": text})) if line.state == "wrong"]
    assert (line.values["name"], line.values["line"]) == ("entries.jsonl", 1) and why in str(line)
    assert line.key == ("no_map" if why == "not a map" else "text")


def make_zip(*members: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return made.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_means_harm_is_refused_by_name() -> None:
    good = packs_of("blackpoker").officials
    assert wrong(make_zip(("entries.jsonl", bytes(50_000_000)), method=zipfile.ZIP_DEFLATED)) == [
        ("packed", "entries.jsonl")
    ]
    for name in ("../verify.py", "/etc/passwd", "a/b.txt", "C:x.txt", "..txt", "verify.py\n", "ｖ.txt", "", "x" * 9999):
        assert [key for key, _ in wrong(make_zip((name, b"x")))] == ["name"]
    assert wrong(make_zip(("a.txt", b"x"), ("a.txt", b"y"))) == [("twice", "a.txt")]
    at = good.index(b"manifest.json") - 30
    absurd = good[: at + 18] + b"\xfe\xff\xff\xff" * 2 + good[at + 26 :]
    assert wrong(absurd) == [("size", "manifest.json")]
    for other in (b"", b"x", b"PK\3\4", good[:-1], good + b"x", b"x" + good, good[:1000]):
        assert [key for key, _ in wrong(other)] in (["none"], ["frame"], ["size"], ["bytes"])
    assert wrong(make_zip(("manifest.json", b'{"form": "x"}'))) == [("frame", None)]
    assert wrong(verifier.write_pack({"manifest.json": b'{"form": "x"}'})) == [("none", None)]


def test_no_file_hides_behind_another_on_a_disk_that_knows_no_case() -> None:
    files = dict(verifier.read_pack(packs_of("blackpoker").officials))
    for name in ("Entries.jsonl", "MANIFEST.json", "Verify.py"):
        assert wrong(update_manifest({**files, name: b"{}\n"})) == [("twice", name)]
    assert wrong(verifier.write_pack({f"a{number}.txt": b"" for number in range(70)})) == [("none", None)]


def test_a_proof_is_written_in_one_way_only() -> None:
    """Covers unchecked signatures, optional line ends, and numbers with a sign or leading zeros."""
    files = dict(verifier.read_pack(packs_of("blackpoker").officials))
    proof = files["match.proof"].decode()
    signature = proof.rstrip("\n").rpartition("\n")[2]
    forged = f"{signature[:-10]}AAAAAAAAA="
    (index,) = re.findall("index ([0-9]+)\n", proof)
    altered = {
        "proof": [
            proof.replace(signature, f"{signature}\u2028{signature}"),
            *(proof.replace(f"index {index}\n", f"index {sign}{index}\n") for sign in "-0+"),
            proof.replace(signature, "\n".join([forged] * 100 + [signature])),
        ],
        "key": [proof.replace(signature, forged)],
    }
    for key, proofs in altered.items():
        for text in proofs:
            note = text.partition("\n\n")[2].encode()
            changed = update_manifest({**files, "match.proof": text.encode(), "checkpoint.note": note})
            assert key in {line for line, _ in wrong(changed, [str(SIGNER.key)])}, text


@pytest.mark.parametrize("name", ["officials", "players"])
def test_no_flipped_bit_goes_unseen(name: str) -> None:
    data, random = getattr(packs_of("skillbook"), name), Random(f"{name} {seed()}")
    for _ in range(5_000 if is_nightly() else 100):
        at = random.randrange(len(data))
        flipped = data[:at] + bytes((data[at] ^ 1 << random.randrange(8),)) + data[at + 1 :]
        assert wrong(flipped), at


ODD_PACKS = 60 if is_nightly() else 20
ODD = (None, 0, -1, [], {}, "", True, [1], {"a": 1}, "x", [{}], 2**63)


def mutate(value: Any, random: Random) -> Any:
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(list(value))
        kept = {name: part for name, part in value.items() if name != key}
        return kept if random.random() < 0.1 else {**value, key: mutate(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        return [*value[:at], mutate(value[at], random), *value[at + 1 :]]
    return random.choice(ODD)


@pytest.mark.parametrize("name", ["officials", "players"])
def test_whatever_its_files_say_it_is_answered(name: str) -> None:
    """The checksums are correct: nothing an attacker writes into a pack ends the verifier without a verdict."""
    pair, random = packs_of("grimoire"), Random(name)
    held = dict(verifier.read_pack(getattr(pair, name)))
    for _ in range(ODD_PACKS):
        chosen = random.choice(
            [file for file in held if file.endswith((".json", ".jsonl", ".proof", ".note", "ys.txt"))]
        )
        lines = held[chosen].splitlines(keepends=True) if chosen.endswith("l") else [held[chosen]]
        at = random.randrange(len(lines))
        if ".json" in chosen:
            lines[at] = json.dumps(mutate(json.loads(lines[at]), random)).encode() + b"\n"
        else:
            byte = random.randrange(len(lines[at]))
            lines[at] = lines[at][:byte] + bytes((random.randrange(256),)) + lines[at][byte + 1 :]
        changed = {**held, chosen: b"".join(lines)}
        data = verifier.write_pack(changed) if chosen == "manifest.json" else update_manifest(changed)
        both = (pair.players, data) if name == "officials" else (data, pair.officials)
        assert lines_of(data) and lines_of(both[0], (), both[1])


# -- what is hidden ---------------------------------------------------------------------------------------------------


def test_what_is_opened_otherwise_than_it_was_is_named() -> None:
    pair = packs_of("blackpoker")
    note = CANARY.encode()
    assert note not in pair.players and note in pair.officials
    changed = change_line("entries.jsonl", ENTRIES + 1, note, note[::-1])
    bad = [line for line in lines_of(pair.players, (), changed) if line.state == "wrong"]
    told = [(line.key, line.values) for line in bad if line.key not in ("chain", "heads", "history", "same")]
    assert told == [("opened", {"entry": ENTRIES + 1, "column": "text"})]
    assert [key for key, _ in wrong(pair.players, (), packs_of("dea").officials)][-1] in (
        "opened",
        "apart",
        "shown",
        "same",
    )
    shown = dict(verifier.read_pack(pair.players))
    lines = shown["seen.jsonl"].splitlines(keepends=True)
    lines[ENTRIES + 1] = lines[ENTRIES + 1].replace(b'"by":"judge"', b'"by":"p1"')
    told = update_manifest({**shown, "seen.jsonl": b"".join(lines)})
    assert wrong(told) == [("rows", None)] and wrong(told, (), pair.officials)[1:] == [("shown", ENTRIES + 2)]
    salts = {
        **files(),
        "openings.jsonl": files()["openings.jsonl"].replace(b'"salts":{"entry":"', b'"salts":{"entry":"0', 1),
    }
    assert wrong(pair.players, (), update_manifest(salts)) == [("apart", None)]


# -- published vectors ------------------------------------------------------------------------------------------------


def test_published_vectors_hold_in_the_verifier_and_in_shinpan() -> None:
    vectors = json.loads((ROOT / "docs" / "evidence-vectors.json").read_text(encoding="utf-8"))
    for case in vectors["msgpack"]:
        assert verifier.encode(case["value"]).hex() == case["bytes"]
    head = other = bytes(32)
    for number, case in enumerate(vectors["chain"], start=1):
        state = bytes.fromhex(case["bytes"])
        assert verifier.encode(case["entry"]) == state
        head, other = verifier.follow(head, number, state), chain.next_head(other, number, state)
        assert head.hex() == other.hex() == case["head"]
    for case in vectors["inclusion"]:
        leaf, proof, root = (
            bytes.fromhex(case["leaf"]),
            [*map(bytes.fromhex, case["proof"])],
            bytes.fromhex(case["root"]),
        )
        assert verifier.climb(leaf, case["index"], case["size"], proof) == root
        assert merkle.includes(root, case["size"], case["index"], merkle.hash_leaf(leaf), proof)
        assert verifier.climb(leaf, case["index"], case["size"] + 9, proof) != root
    for case in vectors["signatures"]:
        public, signed = bytes.fromhex(case["public"]), bytes.fromhex(case["signature"])
        assert Signer.make("x", bytes.fromhex(case["secret"])).signature(case["text"]).signed == signed
        assert verifier.is_signed(public, case["text"].encode(), signed)
        assert not verifier.is_signed(public, case["text"].encode() + b"x", signed)
        high = signed[:32] + (int.from_bytes(signed[32:], "little") + verifier.ORDER).to_bytes(32, "little")
        assert not verifier.is_signed(public, case["text"].encode(), high), "one text, one signature"
    for case in vectors["commitments"]:
        value = [case["value"]] if "value" in case else []
        assert verifier.commit(bytes.fromhex(case["salt"]), case["entry"], case["column"], *value) == case["hash"]
