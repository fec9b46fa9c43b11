"""Evidence packs: a match or a dispute as one file that anyone with Python can verify."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.context import CommandContext
from cli.dispute.contradictions import read_ruled
from cli.judge.audits import AuditOptions, run_audit
from cli.outputs import distinct, writable, write_whole
from cli.values import Match
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from projections.casefile import EYES, Audience, case_file
from projections.html.casefile import to_html
from projections.rulings import rulings_in
from recorder.chance import new_secret
from recorder.codec import CodecError
from recorder.evidence import packs
from recorder.evidence.dossiers import Dossier, Findings, pack_officials, pack_seen
from recorder.evidence.packs import PackError
from recorder.match_loader import LoadedMatch as Loaded
from recorder.sealing import read_sealing

LOCAL, HTTP = "cli.evidence.dossier:read_packs", "cli.remote.evidence:read_packs"
Ruled = Sequence[tuple[str, Record]]
"""Matches with rulings, with their names."""


class DossierSummary(Struct, frozen=True, omit_defaults=True):
    """The packs written for a match. `sealed` is True if a checkpoint covers the match."""

    match: str
    entries: int
    sealed: bool
    file: str = ""
    players: str = ""
    dispute: int = 0


def dossier(
    ctx: CommandContext,
    match: Match,
    out: Annotated[str | None, "--out FILE.zip"] = None,
    dispute: Annotated[int | None, "DISPUTE", {"min": 1}] = None,
    players: Annotated[str | None, "--players FILE.zip"] = None,
) -> Answer[DossierSummary]:
    """Pack a match or a dispute, so that anyone can verify it without this program.

    The player pack shows what everyone saw and commits to the rest. Only the officials' pack opens the commitments.
    """
    distinct(ctx, {"--out": out, "--players": players}, [ctx.where], ())
    writable(ctx, [out, players])
    read: Callable[..., Packs] = ctx.backend(LOCAL, HTTP)
    made = read(ctx, match, dispute or 0, officials=out is not None, players=players is not None)
    for file, data in ((players, made.players), (out, made.officials)):
        if file is not None:
            write_whole(ctx, Path(file), data)
    packed = DossierSummary(made.match, made.entries, made.sealed, out or "", players or "", dispute or 0)

    def draw() -> None:
        if packed.file:
            ctx.print_message("dossier.officials", file=packed.file)
        if packed.players:
            ctx.print_message("dossier.players", file=packed.players)
        if not packed.sealed:
            ctx.hint("dossier.unsealed")

    return Answer(lambda: packed, draw)


class Packs(Struct, frozen=True):
    match: str
    entries: int
    sealed: bool
    officials: bytes
    players: bytes


def read_packs(ctx: CommandContext, match: str, dispute: int, *, officials: bool, players: bool) -> Packs:
    """Pack a match of the store. Raises CommandError."""
    if not officials:
        raise ctx.problem("dossier.no_out")
    with ctx.store() as store:
        loaded = ctx.match(store, match)
        states, names = store.read_bytes(loaded.id, loaded.version), store.player_names([loaded.id])[loaded.id]
        packing = Dossier(loaded, states, read_sealing(store), dispute, names)
        ruled = tuple(read_ruled(ctx, store, loaded.game.key)) if dispute else ()
    commitments, openings, shown = b"", b"", b""
    if players:
        commitments, openings = packs.hide(loaded.entries, packing.states, new_secret(packs.SECRET_BYTES))
    try:
        whole = pack_officials(packing, _findings(ctx, loaded), _case(ctx, packing, "officials", ruled), openings)
    except (PackError, CodecError) as error:
        raise ctx.unavailable(loaded.id, error.text) from None
    if players:
        shown = pack_seen(packing, loaded.eyes(SPECTATOR), _case(ctx, packing, "players", ruled), commitments)
    return Packs(loaded.id, loaded.version, bool(packing.proof()), whole, shown)


def _findings(ctx: CommandContext, loaded: Loaded) -> Findings:
    audited = run_audit(ctx, loaded, AuditOptions(None, None, "judge", False), ctx.read_seed(loaded))
    return Findings(audited.findings, audited.corrections, audited.entered)


def _case(ctx: CommandContext, packing: Dossier, audience: Audience, ruled: Ruled) -> bytes:
    if not packing.dispute:
        return b""
    match = packing.match
    file = case_file(match, match.id, audience, packing.dispute, rulings_in(ruled, EYES[audience]))
    return to_html(file, match, ctx.lang)
