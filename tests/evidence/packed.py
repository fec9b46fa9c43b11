"""Evidence packs of matches of every game, built once from a sealed store, for officials and for players."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from domain.law.entries import Closed, Entry, Noted
from recorder.evidence import verifier
from recorder.evidence.notes import Signer
from recorder.evidence.sealing import seal
from recorder.evidence.verifier import CheckLine
from recorder.store import Store
from tests.cli.runs import fine
from tests.laws.samples import sample

SIGNER = Signer.make("kyoto", bytes(range(32)))
MATCH = "table-17"
CANARY = "canary-of-a-judge"
ENTRIES = 30


class Pair(Struct, frozen=True):
    officials: bytes
    players: bytes


def fill_store(folder: Path, entries: Sequence[Entry], sealed: bool = True) -> Path:
    path = folder / "store.sqlite"
    with Store.open(path) as store:
        store.append("other", 0, sample("blackpoker", 3).entries[:5])
        store.append(MATCH, 0, entries)
        if sealed:
            seal(store, SIGNER)
    return path


def make_pack(store: Path, *more: str) -> Pair:
    paths = [store.parent / name for name in ("o.zip", "p.zip")]
    fine(store, "dossier", MATCH, *more, "--out", paths[0], "--players", paths[1])
    return Pair(*(path.read_bytes() for path in paths))


def entries_of(key: str) -> list[Entry]:
    """Return the beginning of a match, a note that only judges may read, and its closing."""
    return [*sample(key, 1).entries[:ENTRIES], Noted(by="judge", text=CANARY, about=3), Closed(by="judge")]


@cache
def packs_of(key: str) -> Pair:
    with TemporaryDirectory() as folder:
        return make_pack(fill_store(Path(folder), entries_of(key)))


def update_manifest(files: Mapping[str, bytes]) -> bytes:
    """Return a pack of changed files with a manifest updated to match."""
    manifest = json.loads(files["manifest.json"])
    others = {name: data for name, data in files.items() if name != "manifest.json"}
    manifest["files"] = {name: {"sha256": sha256(data).hexdigest(), "size": len(data)} for name, data in others.items()}
    return verifier.write_pack({"manifest.json": json.dumps(manifest).encode(), **others})


def lines_of(data: bytes, keys: Sequence[str] = (), opened: bytes = b"") -> list[CheckLine]:
    def verify() -> Iterator[CheckLine]:
        try:
            files = verifier.read_pack(data)
            yield from verifier.check(files, keys)
            if opened:
                yield from verifier.open_pack(files, verifier.read_pack(opened))
        except verifier.Bad as error:
            yield error.args[0]

    lines = list(verify())
    assert all(str(line).startswith(line.state) for line in lines)
    return lines


def wrong(data: bytes, keys: Sequence[str] = (), opened: bytes = b"") -> list[tuple[str, object]]:
    """Return the key of each error the verifier finds in a pack, with the entry or file it names."""
    bad = [line for line in lines_of(data, keys, opened) if line.state == "wrong"]
    return [(line.key, next((line.values[at] for at in ("entry", "name") if at in line.values), None)) for line in bad]
