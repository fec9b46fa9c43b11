"""Evidence of a match: checkpoints of the log, proofs and packs, as the session may have them."""

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
"""Domain separation of pack salts from other uses of the key."""


def read_checkpoint(context: AppContext) -> str:
    """Return the note of the last checkpoint. Raises HttpProblem if there is none."""
    return _read_sealed_log(context).checkpoints[-1][1]


def prove_growth(context: AppContext, since: int) -> str:
    """Return the proof that the log grew from `since` leaves to its last checkpoint. Raises HttpProblem if that
    checkpoint has fewer."""
    sealed = _read_sealed_log(context)
    grown = proofs.prove_growth(sealed, Checkpoint("", since, b""))
    if grown is None:
        last = sealed.checkpoints[-1][0]
        raise http_problem("unknown", Text("evidence.future", {"size": since, "leaves": last}))
    return str(grown)


def prove_match(context: AppContext, view: MatchView) -> Proof:
    """Return the proof that the visible part of a match is in the log. Raises HttpProblem if it is not in the log, or
    if the record has no salt, so that its chain head would reveal hidden cards."""
    match = view.match
    proof = proofs.prove(_read_sealed_log(context), match.id, view.head)
    if proof is None:
        raise http_problem("unknown", Text("proof.no_leaf", {"match": match.id}))
    if view.eyes.viewer != JUDGE and not packs.has_salted_chain(context.store.read_bytes(match.id, 1)):
        raise http_problem("sealed" if view.sealed else "not-your-eyes", Text("evidence.unsalted"))
    return proof


def seal_log(context: AppContext) -> SealResult:
    """Write a checkpoint with the service's key. Raises HttpProblem without a key."""
    if context.signer is None:
        raise http_problem("no-key")
    return sealing.seal(context.store, context.signer)


def pack(request: Request, view: MatchView, dispute: int = 0) -> bytes:
    """Return the evidence pack: the whole match for a judge, else what the viewer saw. Raises HttpProblem if the match
    cannot be packed or the dispute does not exist."""
    context, match = request.context, view.match
    whole = view.eyes.viewer == JUDGE
    states = context.store.read_bytes(match.id, view.head)
    names = context.store.player_names([match.id])[match.id]
    dossier = Dossier(match, states, read_sealing(context.store), dispute, names)
    case = _render_case(request, view, "officials" if whole else "players", dispute)
    commitments, openings = packs.hide(match.entries, states, _salt_seed(context, match.id))
    try:
        if not whole:
            return pack_seen(dossier, view.eyes, case, commitments)
        corrected = corrections(match.game, match.entries, frozenset(line(match.entries)))
        findings = Findings(list_findings(context, view), corrected, list_manual_outcomes(match.entries))
        return pack_officials(dossier, findings, case, openings)
    except (packs.PackError, CodecError) as error:
        raise http_problem("unknown", error.text) from None


def _read_sealed_log(context: AppContext) -> Sealing:
    """Return the log, verified against its checkpoints. Raises HttpProblem without a checkpoint, and StoreError."""
    sealed = read_sealing(context.store)
    sealing.require_sound(context.store.name, sealed)
    if not sealed.checkpoints:
        raise http_problem("unknown", Text("evidence.unsealed"))
    return sealed


def _salt_seed(context: AppContext, match: str) -> bytes:
    """Return the seed of a match's salts. It is constant, so that the officials' pack opens every other pack."""
    return hmac.digest(context.secret, SALTS + match.encode(), "sha256")


def _render_case(request: Request, view: MatchView, audience: Audience, dispute: int) -> bytes:
    if not dispute:
        return b""
    if audience == "officials":
        request.require("export_case", view.match.id)
    file = casefiles.make_file(request, view, audience, casefiles.require_dispute(view, dispute))
    return to_html(file, view.match, request.lang)
