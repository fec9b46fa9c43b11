"""The packs of a match put together: for officials all of it, for anybody else what they saw, bound to the rest."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.evidence.names import PlayerName
from domain.law.rulesets import values
from domain.table.redact import Eyes
from domain.words import LANGS, Lang
from evidence import packs
from evidence.packs import About
from evidence.readmes import write_readme
from projections.copies import copy_lines
from projections.corrections import Correction
from projections.findings import SeenFinding
from recorder.loading import Match
from recorder.sealing import Sealing

OFFICIALS: Final = "officials"
PLAYERS: Final = "players"

Files = Mapping[str, bytes]


class Dossier(Struct, frozen=True):
    """What packs are made of: a match with the bytes of its entries, the log that it stands in, and, where a pack is of
    a dispute, the entry that opened it. `names` are those that the first entry has hashes of."""

    match: Match
    states: Sequence[bytes]
    sealed: Sealing
    dispute: int = 0
    names: Sequence[PlayerName] = ()

    def about(self, audience: str) -> About:
        """What stands in the list of a pack."""
        return About(self.match.id, self.match.version, audience, self.dispute)

    def proof(self) -> Files:
        """What shows that the match stands in the log, as far as it is known here."""
        return packs.proof_files(self.sealed, self.match.id, self.states)


class Findings(Struct, frozen=True):
    """What the rules have against a record, and what people entered by hand."""

    findings: Sequence[SeenFinding]
    corrections: Sequence[Correction]
    entered: Sequence[int]


def pack_officials(dossier: Dossier, findings: Findings, case: bytes, openings: bytes) -> bytes:
    """All of a match. Raises PackError and CodecError for what cannot be packed.

    `case` is the case file for officials, `openings` what opens a pack for players; empty where there is none.
    """
    record, proof, about = packs.record_files(dossier.states), dossier.proof(), dossier.about(OFFICIALS)
    files = {**record, **proof, "findings.json": packs.to_json(findings), **_write_book(dossier.match)}
    files |= packs.name_files(dossier.states[0], dossier.names)
    files |= {"casefile.html": case} if case else {}
    files |= write_readme(about, OFFICIALS, dossier.match.entries, dossier.states[0], sealed=bool(proof))
    files |= {"openings.jsonl": openings} if openings else {}
    return packs.pack(about, files)


def pack_seen(dossier: Dossier, eyes: Eyes, case: bytes, commitments: bytes) -> bytes:
    """What these eyes saw of a match, and what binds to the rest. Its proof is left out where it would tell more."""
    seat = eyes.viewer in dossier.match.opened.seats
    proof = dossier.proof() if packs.is_secret(dossier.states) else {}
    about, rules = dossier.about(eyes.viewer if seat else PLAYERS), packs.pinned(dossier.states, "rules")
    files = {"seen.jsonl": _write_seen(dossier, eyes), "commitments.jsonl": commitments, **rules, **proof}
    files |= {**_write_book(dossier.match), **({"casefile.html": case} if case else {})}
    audience = "seat" if seat else PLAYERS
    files |= write_readme(about, audience, dossier.match.entries, dossier.states[0], sealed=bool(proof))
    return packs.pack(about, files)


def _write_seen(dossier: Dossier, eyes: Eyes) -> bytes:
    """What was seen, without the line that says whose view it is."""
    return copy_lines(dossier.match, dossier.match.id, eyes, "en").partition(b"\n")[2]


def _write_book(match: Match) -> Files:
    """Every clause of the rulebook with the numbers in force."""
    book, numbers = match.game.rulebook, values(match.rules)

    def text(lang: Lang) -> str:
        lines = [f"{book.title.say(lang)} ({match.opened.version})", ""]
        lines += [f"{clause} {book.sentence(clause, lang, numbers)}" for clause in book.clauses]
        return "\n".join(lines) + "\n"

    return {f"rulebook.{lang}.txt": text(lang).encode() for lang in LANGS}
