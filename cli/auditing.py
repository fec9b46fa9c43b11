"""Many records held against their rules at once: stores, folders, files, corpora and matches of the store."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli import files
from cli.context import Desk, is_open
from cli.outputs import distinct, writable, write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE, Problem
from domain.words import Message, Text
from domain.words.foreign import quoted, written

if TYPE_CHECKING:
    from corpus.sources import Source
    from domain.law.entries import Entry
    from domain.law.pools import Overlay
    from projections.findings import SeenFinding
    from regress.audits import Audited


def audit_many(
    desk: Desk,
    records: Sequence[str],
    readings: list[str] | None,
    cards: "Overlay | None",
    viewer: str,
    standing: bool,
    outputs: dict[str, str | None],
    as_json: bool,
) -> int:
    """Audit every match of these; 1 if anything is found where one stands, else 2 if one cannot be read."""
    from regress.audits import to_junit, to_sarif

    forms = {"--junit": to_junit, "--sarif": to_sarif}
    paths = [one for one in records if _is_path(one)]
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
    bad = [one for one in audits if one.problem is not None]
    found = sum(len(one.standing) for one in audits)
    counts = {"matches": len(audits), "n": found, "bad": len(bad), "with": sum(bool(one.standing) for one in audits)}
    undone = sum(len(one.findings) for one in audits) - found
    if as_json:
        shown = [one for one in audits if one.findings or one.corrections or one.entered or one.problem is not None]
        answer = {"matches": len(audits), "findings": found, "undone": undone, "bad": len(bad), "audits": shown}
        desk.screen.json(answer)
    else:
        _draw(desk, audits)
        desk.screen.line(desk.say("audit.many", **counts), "bad" if found or bad else "good")
        if undone:
            desk.screen.line(desk.say("audit.undone", n=undone))
    for one in bad:
        assert one.problem is not None
        desk.screen.aside(f"shinpan: {one.name}: {one.problem.say(desk.lang)}")
    return FINDINGS if found else BAD_INPUT if bad else FINE


def many(record: str) -> bool:
    """Does this name more than one match: a folder, a store or a corpus?"""
    from corpus.form import SQLITE
    from corpus.sources import SUFFIX

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


def _sources(desk: Desk, records: Sequence[str]) -> "Iterator[Source]":
    from corpus.sources import Source, Stored, sources

    for record in records:
        if _is_path(record):
            yield from sources(files.existing(desk, [record]))
            continue
        with desk.store() as store:
            match = desk.match_id(store, record)
        yield Source(match, "", Stored(desk.where.removeprefix("sqlite://"), match), match)


def _audited(
    desk: Desk, source: "Source", readings: list[str] | None, cards: "Overlay | None", viewer: str, standing: bool
) -> "Audited":
    """One match; whatever is wrong with it is said of it, and of it alone."""
    from corpus.sources import Bad, id_of, load
    from regress.audits import Audited
    from regress.judging import file_of

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
    source: "Source",
    entries: "tuple[Entry, ...]",
    readings: list[str] | None,
    cards: "Overlay | None",
    viewer: str,
) -> dict[str, Any]:
    from corpus.sources import Stored
    from domain.judging.audit import audit
    from domain.law.entries import Opened, line
    from domain.table.table import JUDGE
    from projections.corrections import corrections, entered
    from projections.findings import seen_findings
    from projections.viewing import NotInMatch, viewer_in
    from recorder.loading import law_of

    opened, law = entries[0], law_of(entries[0])
    assert isinstance(opened, Opened) and isinstance(law, tuple)
    game, own = law
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
        "findings": seen_findings(game, rules, entries, found.findings, seat),
        "corrections": corrections(game, entries, frozenset(line(entries))),
        "entered": entered(entries),
    }


def _secret(source: "Source") -> bytes | None:
    from corpus.sources import Stored
    from recorder.store import Store

    if not isinstance(source.place, Stored):
        return None
    with Store.open(source.place.store, read_only=True) as store:
        return store.secret(source.place.match)


def _draw(desk: Desk, audits: "Sequence[Audited]") -> None:
    from regress.audits import finding_line

    def lines(findings: "Sequence[SeenFinding]") -> Iterator[str]:
        for one in findings:
            text = one.sentence.ja if desk.lang == "ja" else one.sentence.en
            yield finding_line(one, desk.lang) + (f"  {text}" if text else "")

    for one in audits:
        if one.findings or one.corrections:
            desk.screen.line(one.name, "heading")
            for text in lines(one.findings):
                desk.screen.line(f"  {text}")
            if one.corrections:
                numbers = ", ".join(str(correction.entry) for correction in one.corrections)
                desk.screen.line(f"  {desk.say('audit.corrected_at', n=len(one.corrections), entries=numbers)}")
