"""A match or a dispute as one file that anybody with Python can check: with all of it, or with what all may know."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk
from cli.dispute.contradictions import read_ruled
from cli.judge.audits import Asked, hold
from cli.outputs import distinct, writable, write_whole
from cli.values import Match
from domain.law.record import Record
from domain.law.rulesets import values
from domain.table.redact import SPECTATOR
from domain.words import LANGS, Lang, say
from evidence import packs
from evidence.packs import About, PackError
from pages.casefile import to_html
from projections.casefile import EYES, Audience, case_file
from projections.copies import copy_lines
from projections.rulings import rulings_in
from recorder.chance import new_secret
from recorder.codec import CodecError
from recorder.loading import Match as Loaded
from recorder.sealing import read_sealing

Files = dict[str, bytes]
Ruled = Sequence[tuple[str, Record]]
"""Matches with rulings in them, by their names."""


class Packed(Struct, frozen=True, omit_defaults=True):
    """The packs of a match: how many entries it has, whether a checkpoint covers it, what was written."""

    match: str
    entries: int
    sealed: bool
    file: str
    players: str = ""
    dispute: int = 0


def dossier(
    desk: Desk,
    match: Match,
    out: Annotated[str, "--out FILE.zip"],
    dispute: Annotated[int | None, "DISPUTE"] = None,
    players: Annotated[str | None, "--players FILE.zip"] = None,
) -> Answer[Packed]:
    """Pack a match, or a dispute, so that anybody can check it without this program.

    What players get shows what everybody saw and binds to the rest; only the pack written beside it can open that.
    """
    distinct(desk, {"--out": out, "--players": players}, [desk.where], ())
    writable(desk, [out, players])
    with desk.store() as store:
        loaded = desk.match(store, match)
        states = store.read_bytes(loaded.id, loaded.version)
        proof = packs.proof_files(read_sealing(store), loaded.id, states)
        ruled = tuple(read_ruled(desk, store, loaded.game.key)) if dispute is not None else ()
    about = About(loaded.id, loaded.version, "officials", dispute or 0)
    try:
        whole = packs.record_files(states) | proof | _findings(desk, loaded)
    except (PackError, CodecError) as error:
        raise desk.unavailable(loaded.id, error.text) from None
    whole |= _book(loaded) | _case(desk, loaded, "officials", dispute, ruled) | _readme("officials", about, bool(proof))
    if players is not None:
        commitments, openings = packs.hide(loaded.entries, states, new_secret(packs.SECRET_BYTES))
        whole["openings.jsonl"] = openings
        shown = {"seen.jsonl": _seen(loaded), "commitments.jsonl": commitments, "rules.json": whole["rules.json"]}
        open_proof = proof if packs.is_secret(states) else {}
        shown |= open_proof | _book(loaded) | _case(desk, loaded, "players", dispute, ruled)
        shown |= _readme("players", about, bool(open_proof))
        write_whole(desk, Path(players), packs.pack(About(about.match, about.entries, "players", about.dispute), shown))
    write_whole(desk, Path(out), packs.pack(about, whole))

    def draw() -> None:
        desk.tell("dossier.officials", file=out)
        if players is not None:
            desk.tell("dossier.players", file=players)
        if not proof:
            desk.hint("dossier.unsealed")

    packed = Packed(loaded.id, loaded.version, bool(proof), out, players or "", dispute or 0)
    return Answer(lambda: packed, draw)


def _findings(desk: Desk, loaded: Loaded) -> Files:
    held = hold(desk, loaded, Asked(None, None, "judge", False), desk.secret(loaded))
    told = {"findings": held.findings, "corrections": held.corrections, "entered": held.entered}
    return {"findings.json": packs.to_json(told)}


def _case(desk: Desk, loaded: Loaded, audience: Audience, dispute: int | None, ruled: Ruled) -> Files:
    if dispute is None:
        return {}
    file = case_file(loaded, loaded.id, audience, dispute, rulings_in(ruled, EYES[audience]))
    return {"casefile.html": to_html(file, loaded, desk.lang)}


def _seen(loaded: Loaded) -> bytes:
    """What a spectator saw, without the line that says whose view it is."""
    return copy_lines(loaded, loaded.id, loaded.eyes(SPECTATOR), "en").partition(b"\n")[2]


def _book(loaded: Loaded) -> Files:
    """Every clause of the rulebook with the numbers in force."""
    book, numbers = loaded.game.rulebook, values(loaded.rules)

    def text(lang: Lang) -> str:
        lines = [f"{book.title.say(lang)} ({loaded.opened.version})", ""]
        lines += [f"{clause} {book.sentence(clause, lang, numbers)}" for clause in book.clauses]
        return "\n".join(lines) + "\n"

    return {f"rulebook.{lang}.txt": text(lang).encode() for lang in LANGS}


def _readme(audience: Audience, about: About, sealed: bool) -> Files:
    """What the pack is and how to check it, for people."""

    def text(lang: Lang) -> str:
        named = {"match": about.match, "entries": about.entries, "dispute": about.dispute}
        parts = [say("dossier.readme", lang, **named), say(f"dossier.readme.{audience}", lang)]
        parts.append(say(f"dossier.readme.{'sealed' if sealed else 'unsealed'}", lang))
        return "\n\n".join(parts) + "\n"

    return {f"README.{lang}.txt": text(lang).encode() for lang in LANGS}
