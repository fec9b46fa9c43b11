"""A service held fast: its checkpoints, proofs and packs, each checked here and not by the service's word."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from cli.answer import Answer
from cli.client.service import Refused, Service
from cli.context import Desk
from cli.evidence import checks as here
from cli.evidence.checks import Checked
from cli.evidence.dossier import Packed, answer_packed
from cli.evidence.seals import Proved, answer_proved, answer_sealed, read_text, require_one
from cli.files import is_local
from cli.outputs import distinct, writable, write_whole
from cli.remote.backend import sending
from cli.remote.connection import service
from domain.table.table import JUDGE
from domain.words import Text
from recorder.evidence import checking as C, holding
from recorder.evidence.checkpoints import Checkpoint, read_checkpoint
from recorder.evidence.holding import Kept
from recorder.evidence.notes import NoteError
from recorder.evidence.proofs import Growth, read_growth, read_proof
from recorder.evidence.unpacking import check_pack, list_files, open_pack
from recorder.evidence.verifier import encode, read_rows
from recorder.sealing import Sealed

PROOF: Final = "match.proof"
ENTRIES: Final = "entries.jsonl"
BLIND: Final = ("/problem/sealed", "/problem/not-your-eyes", "/problem/no-authority")
"""Whoever is told so may still see what everybody sees."""
TRIES: Final = 3
"""So often the log is asked for anew where it grows while it is looked at."""


def seal(desk: Desk, key: str | None, out: str | None) -> Answer[Sealed]:
    """Have a checkpoint signed, by the key of the service."""
    if key is not None:
        raise desk.problem("client.no_key")
    distinct(desk, {"--out": out}, (), ())
    writable(desk, [out])
    with sending(desk, "client.maybe_sealed"):
        told = service(desk).seal_log()
    if out is not None:
        write_whole(desk, Path(out), told.note.encode())
    return answer_sealed(desk, Sealed(told.note, told.leaves, told.new, told.left_out), out)


def proof(desk: Desk, match: str | None, since: str | None, out: str | None) -> Answer[Proved]:
    """Show that a match stands in the log of a service, or that this log grew; looked at before it is written."""
    distinct(desk, {"--out": out}, (), [since])
    writable(desk, [out])
    require_one(desk, match, since)
    there = service(desk)
    with here.misreading(desk, desk.where):
        proved = _prove(there, match or "") if since is None else _prove_growth(desk, there, since)
    if out is not None:
        write_whole(desk, Path(out), proved.proof.encode())
    return answer_proved(desk, proved, out)


def _prove(there: Service, match: str) -> Proved:
    text = there.match(match.strip()).proof()
    shown = read_proof(text)
    if shown.leaf.match != match.strip() or not shown.holds():
        raise NoteError(Text("proof.fails", {"match": match}))
    return Proved(shown.checkpoint.size, text, shown.leaf.match)


def _prove_growth(desk: Desk, there: Service, since: str) -> Proved:
    with here.misreading(desk, since):
        old = read_checkpoint(read_text(desk, since))
    text = there.growth(old.size)
    grown = read_growth(text)
    if not grown.holds(old):
        raise desk.problem("proof.forked", file=since)
    return Proved(read_checkpoint(grown.note).size, text)


def check(
    desk: Desk, file: str | None, key: list[str] | None, against: list[str] | None, progress: bool
) -> Answer[Checked]:
    """The log of a service held against keys and what was kept of it; and a match of it, as far as it may be seen."""
    if file is not None and is_local(file):
        return here.check(desk, file, key, against, progress)
    kept, packs = here.read_kept(desk, key or (), against or ())
    if packs:
        raise desk.problem("pack.not_against")
    there = service(desk)
    with here.misreading(desk, desk.where):
        if file is not None:
            return here.answer_checked(desk, _check_match(desk, there, file.strip(), kept))
        log = _check_log(there, kept, there.checkpoint())
        return here.answer_checked(desk, here.add_up(desk, desk.where, (), log))


def _check_match(desk: Desk, there: Service, match: str, kept: Kept) -> Checked:
    """The pack of a match as these eyes may have it, what was kept of the match, and the log that it stands in."""
    packed = _fetch(there, match)
    files = _open(desk, match, packed)
    if PROOF in files:
        shown = read_proof(files[PROOF].decode("utf-8", "replace"))
        kept = replace(kept, checkpoints=(*kept.checkpoints, (f"{match} {PROOF}", shown.checkpoint)))
    log = _check_log(there, kept, _last_note(there)) if kept.checkpoints else C.Log()
    checked = here.add_pack(desk, match, check_pack(packed, kept.keys), log)
    if ENTRIES in files and (heads := kept.heads(match)):
        states = [encode(row) for row in read_rows(files, ENTRIES)]
        looked = C.check_record(match, states, heads)
        told = here.add_up(desk, match, (looked,), C.Log())
        checked = replace(checked, wrong=tuple(dict.fromkeys((*checked.wrong, *told.wrong))))
    return checked


def _open(desk: Desk, match: str, packed: bytes) -> dict[str, bytes]:
    """The files of a pack, which must be of this match. Raises Problem."""
    with here.misreading(desk, match):
        files = open_pack(packed)
        other = list_files(files).get("match")
    if other != match:
        raise desk.problem("client.other_pack", match=match, other=repr(other)[:80])
    return files


def _fetch(there: Service, match: str) -> bytes:
    """The pack with the widest eyes that whoever asks may look with now."""
    try:
        return there.match(match, JUDGE).dossier()
    except Refused as refused:
        if refused.problem.type not in BLIND:
            raise
    return there.match(match, there.who().seat).dossier()


def _last_note(there: Service) -> str:
    """The last checkpoint; empty where nothing was sealed."""
    try:
        return there.checkpoint()
    except Refused as refused:
        if refused.problem.type != "/problem/unknown":
            raise
        return ""


def _check_log(there: Service, kept: Kept, note: str) -> C.Log:
    """The last checkpoint held against keys, and against those that were kept. Raises NoteError."""
    growths: dict[str, Growth] = {}
    for _ in range(TRIES):
        last = read_checkpoint(note) if note else Checkpoint("", 0, b"")
        growths = {name: read_growth(there.growth(old.size)) for name, old in _grown(kept, last)}
        if all(growth.note == note for growth in growths.values()):
            break
        note = there.checkpoint()  # somebody sealed meanwhile
    signed, wrong = holding.check_note(note, Kept(keys=kept.keys)) if note else ("", ())
    whys = [*wrong, *kept.split()]
    for name, old in kept.checkpoints:
        about = {"file": name, "size": old.size, "leaves": last.size, "origin": old.origin}
        growth = growths.get(name)
        if old.size > last.size:
            whys.append(Text("sealing.future", about))
        elif old.origin != last.origin:
            whys.append(Text("sealing.elsewhere", about))
        elif growth is None or growth.note != note or not growth.holds(old):
            whys.append(Text("sealing.forked", about))
    return C.Log(last.size, int(bool(note)), 0, signed, bool(signed), tuple(C.Wrong("", 0, why) for why in whys))


def _grown(kept: Kept, last: Checkpoint) -> list[tuple[str, Checkpoint]]:
    """What was kept of this log, and not of a larger one."""
    return [(name, old) for name, old in kept.checkpoints if old.origin == last.origin and 0 < old.size <= last.size]


def dossier(desk: Desk, match: str, out: str | None, dispute: int | None, players: str | None) -> Answer[Packed]:
    """Take the packs of a match along: for officials by who may see all of it, for players as everybody saw it."""
    if out is None and players is None:
        raise desk.problem("dossier.none")
    distinct(desk, {"--out": out, "--players": players}, (), ())
    writable(desk, [out, players])
    there = service(desk)
    name = match.strip()
    packs = {file: there.match(name, eyes).dossier(dispute or 0, desk.lang) for file, eyes in
             ((out, JUDGE), (players, "")) if file is not None}  # fmt: skip
    opened = [_open(desk, name, data) for data in packs.values()]
    for file, data in packs.items():
        write_whole(desk, Path(file), data)
    told = list_files(opened[0])
    proved = all(PROOF in files for files in opened)
    return answer_packed(desk, Packed(name, told["entries"], proved, out or "", players or "", dispute or 0))
