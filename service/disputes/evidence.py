"""What holds a match fast at a service: its log's checkpoints, proofs, and packs, as whoever asks may have them."""

import hmac
from typing import Final

from domain.law.entries import line
from domain.table.table import JUDGE
from domain.words import Text
from projections.casefile import Audience
from projections.corrections import corrections, list_manual_outcomes
from projections.html.casefile import to_html
from recorder.codec import CodecError
from recorder.evidence import packs, proofs, sealing
from recorder.evidence.checkpoints import Checkpoint
from recorder.evidence.dossiers import Dossier, Findings, pack_officials, pack_seen
from recorder.evidence.proofs import Proof
from recorder.sealing import Sealing, SealResult, read_sealing
from service.context import AppContext, MatchView
from service.disputes import casefiles
from service.disputes.findings_api import list_findings
from service.problems import http_problem
from service.requests import Request

SALTS: Final = b"shinpan/salts/1\0"
"""Tells the salts of packs from all else that a key is used for."""


def read_checkpoint(context: AppContext) -> str:
    """The note of the last checkpoint. Halts where there is none."""
    return _sealed(context).checkpoints[-1][1]


def prove_growth(context: AppContext, since: int) -> str:
    """What shows that the log grew from so many leaves to its last checkpoint. Halts where it has fewer."""
    sealed = _sealed(context)
    grown = proofs.prove_growth(sealed, Checkpoint("", since, b""))
    if grown is None:
        last = sealed.checkpoints[-1][0]
        raise http_problem("unknown", Text("evidence.future", {"size": since, "leaves": last}))
    return str(grown)


def prove_match(context: AppContext, view: MatchView) -> Proof:
    """What shows that a match stands in the log, as far as it may be seen. Halts where nothing does, and where the
    record has no salt and the head of its chain would tell what is hidden."""
    match = view.match
    proof = proofs.prove(_sealed(context), match.id, view.head)
    if proof is None:
        raise http_problem("unknown", Text("proof.no_leaf", {"match": match.id}))
    if view.eyes.viewer != JUDGE and not packs.is_secret(context.store.read_bytes(match.id, 1)):
        raise http_problem("sealed" if view.sealed else "not-your-eyes", Text("evidence.unsalted"))
    return proof


def seal_log(context: AppContext) -> SealResult:
    """Write a checkpoint with the service's own key. Halts where it has none."""
    if context.signer is None:
        raise http_problem("no-key")
    return sealing.seal(context.store, context.signer)


def pack(request: Request, view: MatchView, dispute: int = 0) -> bytes:
    """All of a match for a judge's eyes, what they saw for all others. Halts for what cannot be packed."""
    context, match = request.context, view.match
    whole = view.eyes.viewer == JUDGE
    states = context.store.read_bytes(match.id, view.head)
    names = context.store.player_names([match.id])[match.id]
    dossier = Dossier(match, states, read_sealing(context.store), dispute, names)
    case = _case(request, view, "officials" if whole else "players", dispute)
    commitments, openings = packs.hide(match.entries, states, _salt(context, match.id))
    try:
        if not whole:
            return pack_seen(dossier, view.eyes, case, commitments)
        corrected = corrections(match.game, match.entries, frozenset(line(match.entries)))
        findings = Findings(list_findings(context, view), corrected, list_manual_outcomes(match.entries))
        return pack_officials(dossier, findings, case, openings)
    except (packs.PackError, CodecError) as error:
        raise http_problem("unknown", error.text) from None


def _sealed(context: AppContext) -> Sealing:
    """The log, which is what its checkpoints say. Halts where there is no checkpoint, raises StoreError."""
    sealed = read_sealing(context.store)
    sealing.require_sound(context.store.name, sealed)
    if not sealed.checkpoints:
        raise http_problem("unknown", Text("evidence.unsealed"))
    return sealed


def _salt(context: AppContext, match: str) -> bytes:
    """What the salts of a match are made of: always the same, so that the pack for officials opens every other."""
    return hmac.digest(context.secret, SALTS + match.encode(), "sha256")


def _case(request: Request, view: MatchView, audience: Audience, dispute: int) -> bytes:
    if not dispute:
        return b""
    if audience == "officials":
        request.require("export_case", view.match.id)
    file = casefiles.make_file(request, view, audience, casefiles.require_dispute(view, dispute))
    return to_html(file, view.match, request.lang)
