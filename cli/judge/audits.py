"""Many records held against their rules at once: stores, folders, files, corpora and matches of the store."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import Desk, is_open
from cli.outputs import distinct, writable, write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE, Problem
from corpus.form import SQLITE
from corpus.sources import SUFFIX, Bad, Source, Stored, id_of, load, sources
from domain.judging.audit import audit
from domain.law.entries import Entry, Opened, line
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.table.table import JUDGE
from domain.words import Message, Text
from domain.words.foreign import quoted, written
from projections.corrections import corrections, entered
from projections.findings import SeenFinding, seen_findings
from projections.viewing import NotInMatch, viewer_in
from recorder.loading import law_of
from recorder.store import Store
from regress.audits import Audited, finding_line, to_junit, to_sarif
from regress.judging import file_of


class Audits(Struct, frozen=True):
    """Many records audited: those with anything to say of them."""

    matches: int
    findings: int
    undone: int
    bad: int
    audits: tuple[Audited, ...]


def audit_many(
    desk: Desk,
    records: Sequence[str],
    readings: list[str] | None,
    cards: Overlay | None,
    viewer: str,
    standing: bool,
    outputs: dict[str, str | None],
) -> Answer[Audits]:
    """Audit every match of these; 1 if anything is found where one stands, else 2 if one cannot be read."""
    forms = {"--junit": to_junit, "--sarif": to_sarif}
    paths = [record for record in records if _is_path(record)]
    for path in outputs.values():
        if path is not None:
            writable(desk, path)
    distinct(
        desk, outputs, [*paths, *([desk.where.removeprefix("sqlite://")] if len(paths) < len(records) else [])], ()
    )
    audits = [_audited(desk, source, readings, cards, viewer, standing) for source in _sources(desk, records)]
    for option, path in outputs.items():
        if path is not None:
            write_whole(desk, Path(path), forms[option](audits, desk.lang))
    bad = [f"{match.name}: {match.problem.say(desk.lang)}" for match in audits if match.problem is not None]
    count = sum(len(match.standing) for match in audits)
    undone = sum(len(match.findings) for match in audits) - count

    def value() -> Audits:
        said = (a for a in audits if a.findings or a.corrections or a.entered or a.problem is not None)
        return Audits(len(audits), count, undone, len(bad), tuple(said))

    def draw() -> None:
        _draw(desk, audits)
        having = sum(bool(match.standing) for match in audits)
        counts = {"matches": len(audits), "n": count, "bad": len(bad), "with": having}
        desk.screen.line(desk.say("audit.many", **counts), "bad" if count or bad else "good")
        if undone:
            desk.screen.line(desk.say("audit.undone", n=undone))

    return Answer(value, draw, FINDINGS if count else BAD_INPUT if bad else FINE, lambda: desk.warn(*bad))


def many(record: str) -> bool:
    """Does this name more than one match: a folder, a store or a corpus?"""
    path = Path(record)
    try:
        if path.is_dir() or path.suffix == SUFFIX:
            return path.exists()
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            head = stream.read(len(SQLITE))
    except (OSError, ValueError):
        return False
    return head == SQLITE


def _is_path(record: str) -> bool:
    try:
        return Path(record).exists() or Path(record).suffix in (".spn", ".jsonl")
    except (OSError, ValueError):
        return False


def _sources(desk: Desk, records: Sequence[str]) -> Iterator[Source]:
    for record in records:
        if _is_path(record):
            yield from sources(files.existing(desk, [record]))
            continue
        with desk.store() as store:
            match = desk.match_id(store, record)
        yield Source(match, "", Stored(desk.where.removeprefix("sqlite://"), match), match)


def _audited(
    desk: Desk, source: Source, readings: list[str] | None, cards: Overlay | None, viewer: str, standing: bool
) -> Audited:
    """One match; whatever is wrong with it is said of it, and of it alone."""
    name, file = written(source.name), file_of(source)
    entries = load(source, checked=True)
    if isinstance(entries, Bad):
        return Audited(name=name, file=file, problem=_message(entries.why))
    try:
        found = _findings(desk, source, entries, readings, cards, viewer)
    except Problem as problem:
        return Audited(name=name, file=file, problem=Message(problem.message, problem.message))
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        why = Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        return Audited(name=name, file=file, problem=_message(why))
    return Audited(name=name, file=file, match=id_of(source, entries), entries=len(entries), **_shown(found, standing))


def _shown(found: dict[str, Any], standing: bool) -> dict[str, Any]:
    if not standing:
        return found
    return {key: tuple(one for one in some if not getattr(one, "undone", False)) for key, some in found.items()}


def _message(why: Text) -> Message:
    return Message(written(why.say("en")), written(why.say("ja")))


def _findings(
    desk: Desk,
    source: Source,
    entries: tuple[Entry, ...],
    readings: list[str] | None,
    cards: Overlay | None,
    viewer: str,
) -> dict[str, Any]:
    opened, law = entries[0], law_of(entries[0])
    assert isinstance(opened, Opened) and isinstance(law, Law)
    game, own = law.game, law.rules
    try:
        seat = viewer_in(opened, viewer)
    except NotInMatch:
        allowed = ", ".join((*opened.seats, "spectator", "judge"))
        raise desk.problem("cli.no_viewer", viewer=repr(viewer), match=source.name, allowed=allowed) from None
    otherwise = bool(readings) or cards is not None
    if otherwise and seat != JUDGE and isinstance(source.place, Stored) and is_open(entries):
        raise desk.problem("cli.only_judge", match=source.name)
    rules = desk.laid_over(game, desk.options(game, own, readings), cards)
    found = audit(game, entries, rules if otherwise else None, _secret(source))
    return {
        "findings": seen_findings(Law(game, rules), entries, found.findings, seat),
        "corrections": corrections(game, entries, frozenset(line(entries))),
        "entered": entered(entries),
    }


def _secret(source: Source) -> bytes | None:
    if not isinstance(source.place, Stored):
        return None
    with Store.open(source.place.store, read_only=True) as store:
        return store.secret(source.place.match)


def _draw(desk: Desk, audits: Sequence[Audited]) -> None:
    def lines(findings: Sequence[SeenFinding]) -> Iterator[str]:
        for finding in findings:
            text = finding.sentence.ja if desk.lang == "ja" else finding.sentence.en
            yield finding_line(finding, desk.lang) + (f"  {text}" if text else "")

    for audited in audits:
        if audited.findings or audited.corrections:
            desk.screen.line(audited.name, "heading")
            for text in lines(audited.findings):
                desk.screen.line(f"  {text}")
            if audited.corrections:
                numbers = ", ".join(str(correction.entry) for correction in audited.corrections)
                desk.screen.line(f"  {desk.say('audit.corrected_at', n=len(audited.corrections), entries=numbers)}")
