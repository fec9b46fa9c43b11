"""Evidence from a service: checkpoints, proofs and packs, each verified on this machine."""

from typing import Final

from msgspec.structs import replace

from cli.client.service import Service, ServiceError
from cli.context import CommandContext
from cli.evidence.checks import Checked, add_pack, sum_checks
from cli.evidence.dossier import Packs
from cli.evidence.seals import misreading
from cli.remote.backend import sending
from cli.remote.connection import open_service
from domain.table.table import JUDGE
from domain.words import Text
from recorder.evidence import checking as C, saved_evidence
from recorder.evidence.checkpoints import Checkpoint, read_checkpoint
from recorder.evidence.notes import NoteError
from recorder.evidence.proofs import Growth, Proof, read_growth, read_proof
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.unpacking import check_pack, open_pack, read_manifest
from recorder.evidence.verifier import encode, read_rows
from recorder.sealing import SealResult

PROOF: Final = "match.proof"
ENTRIES: Final = "entries.jsonl"
VIEW_REFUSALS: Final = ("/problem/sealed", "/problem/not-your-eyes", "/problem/no-authority")
"""Refusals after which the caller may still see the public part."""
TRIES: Final = 3
"""Attempts to read the log while it grows."""


class HttpLog:
    def __init__(self, ctx: CommandContext) -> None:
        self.ctx, self.service = ctx, open_service(ctx)

    def seal(self, key: str | None) -> SealResult:
        if key is not None:
            raise self.ctx.problem("client.no_key")
        with sending(self.ctx, "client.maybe_sealed"):
            sealed = self.service.seal_log()
        return SealResult(sealed.note, sealed.leaves, sealed.new, sealed.left_out)

    def prove(self, match: str) -> Proof:
        name = match.strip()
        with misreading(self.ctx, self.ctx.where):
            shown = read_proof(self.service.match(name).proof())
            if shown.leaf.match != name or not shown.holds():
                raise NoteError(Text("proof.fails", {"match": match}))
        return shown

    def prove_growth(self, old: Checkpoint, file: str) -> Growth:
        with misreading(self.ctx, self.ctx.where):
            return read_growth(self.service.growth(old.size))


def check(ctx: CommandContext, match: str | None, trusted: EvidenceSet, packs: list[str], progress: bool) -> Checked:
    """Verify the log of a service against keys and trusted checkpoints, or a match as far as it is visible."""
    if packs:
        raise ctx.problem("pack.not_against")
    remote = open_service(ctx)
    with misreading(ctx, ctx.where):
        if match is not None:
            return _check_match(ctx, remote, match.strip(), trusted)
        return sum_checks(ctx, ctx.where, (), _check_log(remote, trusted, remote.checkpoint()))


def _check_match(ctx: CommandContext, remote: Service, match: str, trusted: EvidenceSet) -> Checked:
    """Verify the visible pack of a match with the trusted evidence, and the log."""
    packed = _fetch(remote, match)
    files = _open(ctx, match, packed)
    if PROOF in files:
        shown = read_proof(files[PROOF].decode("utf-8", "replace"))
        trusted = replace(trusted, checkpoints=(*trusted.checkpoints, (f"{match} {PROOF}", shown.checkpoint)))
    log = _check_log(remote, trusted, _last_note(remote)) if trusted.checkpoints else C.Log()
    checked = add_pack(ctx, match, check_pack(packed, trusted.keys), log)
    if ENTRIES in files and (heads := trusted.heads(match)):
        states = [encode(row) for row in read_rows(files, ENTRIES)]
        looked = C.check_record(match, states, heads)
        compared = sum_checks(ctx, match, (looked,), C.Log())
        checked = replace(checked, wrong=tuple(dict.fromkeys((*checked.wrong, *compared.wrong))))
    return checked


def _open(ctx: CommandContext, match: str, packed: bytes) -> dict[str, bytes]:
    with misreading(ctx, match):
        files = open_pack(packed)
        other = read_manifest(files).get("match")
    if other != match:
        raise ctx.problem("client.other_pack", match=match, other=repr(other)[:80])
    return files


def _fetch(remote: Service, match: str) -> bytes:
    """Return the pack for the widest view that the caller may have."""
    try:
        return remote.match(match, JUDGE).dossier()
    except ServiceError as refused:
        if refused.problem.type not in VIEW_REFUSALS:
            raise
    return remote.match(match, remote.session().seat).dossier()


def _last_note(remote: Service) -> str:
    try:
        return remote.checkpoint()
    except ServiceError as refused:
        if refused.problem.type != "/problem/unknown":
            raise
        return ""


def _check_log(remote: Service, trusted: EvidenceSet, note: str) -> C.Log:
    growths: dict[str, Growth] = {}
    for _ in range(TRIES):
        last = read_checkpoint(note) if note else Checkpoint("", 0, b"")
        growths = {name: read_growth(remote.growth(old.size)) for name, old in _list_older(trusted, last)}
        if all(growth.note == note for growth in growths.values()):
            break
        note = remote.checkpoint()  # a new checkpoint appeared meanwhile
    signed, wrong = saved_evidence.check_note(note, EvidenceSet(keys=trusted.keys)) if note else ("", ())
    whys = [*wrong, *trusted.list_contradictions()]
    for name, old in trusted.checkpoints:
        about = {"file": name, "size": old.size, "leaves": last.size, "origin": old.origin}
        growth = growths.get(name)
        if old.size > last.size:
            whys.append(Text("sealing.future", about))
        elif old.origin != last.origin:
            whys.append(Text("sealing.elsewhere", about))
        elif growth is None or growth.note != note or not growth.holds(old):
            whys.append(Text("sealing.forked", about))
    return C.Log(last.size, int(bool(note)), 0, signed, bool(signed), tuple(C.Discrepancy("", 0, why) for why in whys))


def _list_older(trusted: EvidenceSet, last: Checkpoint) -> list[tuple[str, Checkpoint]]:
    return [(name, old) for name, old in trusted.checkpoints if old.origin == last.origin and 0 < old.size <= last.size]


def read_packs(ctx: CommandContext, match: str, dispute: int, *, officials: bool, players: bool) -> Packs:
    """Return the packs of a match: the judge's view for officials, the public view for players. Raises CommandError."""
    if not (officials or players):
        raise ctx.problem("dossier.none")
    remote, name = open_service(ctx), match.strip()
    packs = [remote.match(name, eyes).dossier(dispute, ctx.lang) if wanted else b"" for eyes, wanted in
             ((JUDGE, officials), ("", players))]  # fmt: skip
    opened = [_open(ctx, name, data) for data in packs if data]
    return Packs(name, read_manifest(opened[0])["entries"], all(PROOF in files for files in opened), *packs)
