"""Build the evidence packs of a match: the whole record for officials, and the visible part for others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.evidence.names import PlayerName, has_hashes
from domain.law import disputes as D, docket
from domain.law.entries import Closed, Entry, Gap, Pledged, Undealt, opened_of
from domain.law.rulesets import values
from domain.table.redact import TableViewer
from domain.table.table import Seat
from domain.words import LANGS, Lang, Text
from projections.corrections import Correction
from projections.findings import SeenFinding
from recorder.evidence import packs, proofs, viewer_rows
from recorder.evidence.packs import PackInfo
from recorder.evidence.verifier import hash_views
from recorder.match_loader import LoadedMatch, truncate
from recorder.sealing import Sealing

OFFICIALS: Final = "officials"
PLAYERS: Final = "players"

Files = Mapping[str, bytes]


class Dossier(Struct, frozen=True):
    """The source of packs: a match with its stored entries and log. `dispute` is the entry that opened the dispute, or
    0. `names` are those hashed in the first entry."""

    match: LoadedMatch
    states: Sequence[bytes]
    sealed: Sealing
    dispute: int = 0
    names: Sequence[PlayerName] = ()

    def about(self, audience: str) -> PackInfo:
        """Return the manifest fields of a pack."""
        return PackInfo(self.match.id, self.match.version, audience, self.dispute)

    def proof(self) -> Files:
        """Return the files that prove the match is in the log, if it is."""
        return packs.proof_files(self.sealed, self.match.id, self.states)


class Findings(Struct, frozen=True):
    """Findings of the rules in a record, and facts entered by hand."""

    findings: Sequence[SeenFinding]
    corrections: Sequence[Correction]
    entered: Sequence[int]


def pack_officials(dossier: Dossier, findings: Findings, case: bytes, openings: bytes) -> bytes:
    """Return the pack of a whole match. Raises PackError and CodecError. `case` is the officials' case file, and
    `openings` opens a players' pack. Either may be empty."""
    record, proof, about = packs.record_files(dossier.states), dossier.proof(), dossier.about(OFFICIALS)
    files = {**record, **proof, "findings.json": packs.to_json(findings), **_write_book(dossier.match)}
    files |= packs.name_files(dossier.states[0], dossier.names)
    files |= {"casefile.html": case} if case else {}
    files |= write_readme(about, OFFICIALS, dossier.match.entries, dossier.states[0], sealed=bool(proof), bound=True)
    files |= {"openings.jsonl": openings} if openings else {}
    return packs.pack(about, files)


def pack_seen(dossier: Dossier, eyes: TableViewer, case: bytes, commitments: bytes) -> bytes:
    """Return the pack of what a viewer saw of a match. Proofs are omitted if a hash could reveal more."""
    seat, opening = eyes.viewer in dossier.match.opening.seats, dossier.states[0]
    proof = dossier.proof() if packs.has_salted_chain(dossier.states) else {}
    bound = _bind_rows(dossier, eyes.viewer) if proof else {}
    about, rules = dossier.about(eyes.viewer if seat else PLAYERS), packs.pinned(dossier.states, "rules")
    rows = {"seen.jsonl": viewer_rows.write_rows(dossier.match, opening, eyes), "commitments.jsonl": commitments}
    files = {**rows, **rules, **proof, **bound, **packs.name_files(opening, dossier.names)}
    files |= {**_write_book(dossier.match), **({"casefile.html": case} if case else {})}
    audience = "seat" if seat else PLAYERS
    files |= write_readme(about, audience, dossier.match.entries, opening, sealed=bool(proof), bound=bool(bound))
    return packs.pack(about, files)


def _bind_rows(dossier: Dossier, viewer: Seat) -> Files:
    """Return the files that bind this viewer's rows to the log; empty without a leaf over rows of this version."""
    proof = proofs.prove(dossier.sealed, dossier.match.id, len(dossier.states), shown=True)
    if proof is None:
        return {}
    rows = viewer_rows.hash_rows_of(truncate(dossier.match, proof.leaf.entries), dossier.states[0], viewer)
    if rows is None or bytes.fromhex(hash_views(rows.views)) != proof.leaf.head:
        return {}
    return {
        "shown.json": packs.to_json({"salt": rows.salt.hex(), "views": rows.views}),
        "shown.proof": f"{proof}".encode(),
    }


def _write_book(match: LoadedMatch) -> Files:
    book, numbers = match.game.rulebook, values(match.rules)

    def text(lang: Lang) -> str:
        lines = [f"{book.title.say(lang)} ({match.opening.version})", ""]
        lines += [f"{clause} {book.sentence(clause, lang, numbers)}" for clause in book.clauses]
        return "\n".join(lines) + "\n"

    return {f"rulebook.{lang}.txt": text(lang).encode() for lang in LANGS}


def write_readme(
    about: PackInfo, audience: str, entries: Sequence[Entry], opening: bytes, *, sealed: bool, bound: bool
) -> dict[str, bytes]:
    """Return the README of a pack in every language. `opening` is the stored first entry. `bound` is True if the pack
    proves what it shows."""
    values = {"match": about.match, "entries": about.entries, "dispute": about.dispute}
    texts = [
        Text("dossier.readme", values),
        Text(f"dossier.readme.{audience}", {"seat": about.audience}),
        Text(f"dossier.readme.{'sealed' if sealed else 'unsealed'}"),
        *([] if bound else [Text("dossier.readme.unbound")]),
        *_list_unproved(entries, opening),
    ]
    return {f"README.{lang}.txt": ("\n\n".join(text.say(lang) for text in texts) + "\n").encode() for lang in LANGS}


def _list_unproved(entries: Sequence[Entry], opening: bytes) -> Iterator[Text]:
    """Yield what a chain cannot prove of a match: unseen cards, gaps, shuffles, players' names."""
    opened = opened_of(entries)
    if isinstance(opened, Undealt):
        yield Text("dossier.readme.real")
    if gaps := [number for number, entry in enumerate(entries, start=1) if isinstance(entry, Gap)]:
        yield Text("dossier.readme.gaps", {"entries": _join(gaps)})
    if isinstance(opened, Pledged):
        yield from _list_pledge_limits(opened, entries)
    if has_hashes(opening):
        yield Text("dossier.readme.names")


def _list_pledge_limits(opened: Pledged, entries: Sequence[Entry]) -> Iterator[Text]:
    yield Text("dossier.readme.pledges", {"seats": _join([*opened.pledges])})
    if awaited := docket.docket_of(entries).unrevealed:
        yield Text("dossier.readme.awaited", {"seats": _join(awaited)})
    if missing := [entry.seat for entry in entries if isinstance(entry, D.Revealed) and not entry.secret]:
        yield Text("dossier.readme.missing", {"seats": _join(missing)})
    if not isinstance(entries[-1], Closed):
        yield Text("dossier.readme.unpublished")


def _join(parts: Sequence[int | Seat]) -> str:
    return ", ".join(map(str, parts))
