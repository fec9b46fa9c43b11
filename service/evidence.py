"""What holds a match fast at a service: its log's checkpoints, proofs, and packs, as whoever asks may have them."""

import hmac
from typing import Final

from domain.law.entries import line
from domain.table.table import JUDGE
from domain.words import Text
from projections.casefile import Audience
from projections.corrections import corrections, entered
from projections.html.casefile import to_html
from recorder.codec import CodecError
from recorder.evidence import packs, proofs, sealing
from recorder.evidence.checkpoints import Checkpoint
from recorder.evidence.dossiers import Dossier, Findings, pack_officials, pack_seen
from recorder.evidence.proofs import Proof
from recorder.sealing import Sealed, Sealing, read_sealing
from service import casefiles
from service.api.judging import list_findings
from service.asking import Ask
from service.house import House, Sight
from service.problems import halt

SALTS: Final = b"shinpan/salts/1\0"
"""Tells the salts of packs from all else that a key is used for."""


def read_checkpoint(house: House) -> str:
    """The note of the last checkpoint. Halts where there is none."""
    return _sealed(house).checkpoints[-1][1]


def prove_growth(house: House, since: int) -> str:
    """What shows that the log grew from so many leaves to its last checkpoint. Halts where it has fewer."""
    sealed = _sealed(house)
    grown = proofs.prove_growth(sealed, Checkpoint("", since, b""))
    if grown is None:
        last = sealed.checkpoints[-1][0]
        raise halt("unknown", Text("evidence.future", {"size": since, "leaves": last}))
    return str(grown)


def prove_match(house: House, sight: Sight) -> Proof:
    """What shows that a match stands in the log, as far as it may be seen. Halts where nothing does, and where the
    record has no salt and the head of its chain would tell what is hidden."""
    match = sight.match
    proof = proofs.prove(_sealed(house), match.id, sight.head)
    if proof is None:
        raise halt("unknown", Text("proof.no_leaf", {"match": match.id}))
    if sight.eyes.viewer != JUDGE and not packs.is_secret(house.store.read_bytes(match.id, 1)):
        raise halt("sealed" if sight.sealed else "not-your-eyes", Text("evidence.unsalted"))
    return proof


def seal_log(house: House) -> Sealed:
    """Write a checkpoint with the service's own key. Halts where it has none."""
    if house.signer is None:
        raise halt("no-key")
    return sealing.seal(house.store, house.signer)


def pack(ask: Ask, sight: Sight, dispute: int = 0) -> bytes:
    """All of a match for a judge's eyes, what they saw for all others. Halts for what cannot be packed."""
    house, match = ask.house, sight.match
    whole = sight.eyes.viewer == JUDGE
    states = house.store.read_bytes(match.id, sight.head)
    names = house.store.player_names([match.id])[match.id]
    dossier = Dossier(match, states, read_sealing(house.store), dispute, names)
    case = _case(ask, sight, "officials" if whole else "players", dispute)
    commitments, openings = packs.hide(match.entries, states, _salt(house, match.id))
    try:
        if not whole:
            return pack_seen(dossier, sight.eyes, case, commitments)
        corrected = corrections(match.game, match.entries, frozenset(line(match.entries)))
        findings = Findings(list_findings(house, sight), corrected, entered(match.entries))
        return pack_officials(dossier, findings, case, openings)
    except (packs.PackError, CodecError) as error:
        raise halt("unknown", error.text) from None


def _sealed(house: House) -> Sealing:
    """The log, which is what its checkpoints say. Halts where there is no checkpoint, raises StoreError."""
    sealed = read_sealing(house.store)
    sealing.require_sound(house.store.name, sealed)
    if not sealed.checkpoints:
        raise halt("unknown", Text("evidence.unsealed"))
    return sealed


def _salt(house: House, match: str) -> bytes:
    """What the salts of a match are made of: always the same, so that the pack for officials opens every other."""
    return hmac.digest(house.secret, SALTS + match.encode(), "sha256")


def _case(ask: Ask, sight: Sight, audience: Audience, dispute: int) -> bytes:
    if not dispute:
        return b""
    if audience == "officials":
        ask.require("export_case", sight.match.id)
    file = casefiles.make_file(ask, sight, audience, casefiles.require_dispute(sight, dispute))
    return to_html(file, sight.match, ask.lang)
