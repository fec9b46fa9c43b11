"""Audit of many records: stores, folders, files, corpora and matches of the store."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from archive.corpus.corpus_format import SQLITE
from archive.corpus.sources import SUFFIX, Source, StoreLocation, UnreadableMatch, id_of, load, secret, sources
from archive.regress.audits import MatchAudit, finding_line, to_junit, to_sarif
from archive.regress.judging import file_of
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, ReadRecord
from cli.outputs import distinct, writable, write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE, CommandError
from domain.judging.audit import Audit, audit
from domain.law.entries import line
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.table.redact import TableViewer
from domain.words import Message, Text
from domain.words.foreign import escape_undecodable, quoted, render_in_both
from projections.corrections import Correction, corrections, list_manual_outcomes
from projections.findings import SeenFinding, seen_findings
from recorder.files import SUFFIXES
from recorder.match_loader import LoadedMatch as Loaded
from recorder.store_location import on_server

T = TypeVar("T", SeenFinding, Correction)


class AuditOptions(Struct, frozen=True):
    """Options of an audit: other rule options and cards, the viewer, and whether to hide undone findings."""

    readings: list[str] | None
    cards: Overlay | None
    viewer: str
    standing: bool

    @property
    def rule_changes(self) -> tuple[str, ...]:
        """The changes to the pinned rules, as typed."""
        return (*(self.readings or ()), *((f"--cards {self.cards.file}",) if self.cards is not None else ()))


class RecordAuditResult(Struct, frozen=True):
    """Audit of a record: viewer, rules, findings, and what people entered by hand."""

    eyes: TableViewer
    law: Law
    result: Audit
    findings: tuple[SeenFinding, ...]
    corrections: tuple[Correction, ...]
    entered: tuple[int, ...]


class Audits(Struct, frozen=True):
    """Summary of many audits. `audits` has only records with something to report."""

    matches: int
    findings: int
    undone: int
    bad: int
    audits: tuple[MatchAudit, ...]


def audit_many(
    ctx: CommandContext, records: Sequence[str], asked: AuditOptions, outputs: dict[str, str | None]
) -> Answer[Audits]:
    """Audit every match. The exit code is 1 if a finding stands, else 2 if a match is unreadable."""
    forms = {"--junit": to_junit, "--sarif": to_sarif}
    read = [record if _is_path(record) else ctx.where.removeprefix("sqlite://") for record in records]
    writable(ctx, outputs.values())
    distinct(ctx, outputs, read, ())
    audits = [_audit_source(ctx, source, asked) for source in _sources(ctx, records)]
    for option, path in outputs.items():
        if path is not None:
            write_whole(ctx, Path(path), forms[option](audits, ctx.lang))
    bad = [f"{match.name}: {match.problem.say(ctx.lang)}" for match in audits if match.problem is not None]
    count = sum(len(match.standing) for match in audits)
    undone = sum(len(match.findings) for match in audits) - count

    def value() -> Audits:
        notable = (a for a in audits if a.findings or a.corrections or a.entered or a.problem is not None)
        return Audits(len(audits), count, undone, len(bad), tuple(notable))

    def draw() -> None:
        _draw(ctx, audits)
        having = sum(bool(match.standing) for match in audits)
        counts = {"matches": len(audits), "n": count, "bad": len(bad), "with": having}
        ctx.print_message("audit.many", "bad" if count or bad else "good", **counts)
        if undone:
            ctx.print_message("audit.undone", n=undone)

    return Answer(value, draw, FINDINGS if count else BAD_INPUT if bad else FINE, lambda: ctx.warn(*bad))


def has_several_matches(record: str) -> bool:
    """True if a path holds several matches: a folder, a store or a corpus."""
    if on_server(record):
        return True
    path = Path(record)
    with suppress(OSError, ValueError):
        if path.is_dir() or path.suffix == SUFFIX:
            return path.exists()
        if path.is_file():
            with path.open("rb") as stream:
                return stream.read(len(SQLITE)) == SQLITE
    return False


def _is_path(record: str) -> bool:
    return on_server(record) or files.path_satisfies(record, lambda path: path.exists() or path.suffix in SUFFIXES)


def _sources(ctx: CommandContext, records: Sequence[str]) -> Iterator[Source]:
    for record in records:
        if _is_path(record):
            yield from sources(files.require_paths(ctx, [record]))
            continue
        with ctx.store() as store:
            match = ctx.match_id(store, record)
        yield Source(match, "", StoreLocation(ctx.where.removeprefix("sqlite://"), match), match)


def run_audit(
    ctx: CommandContext, record: Loaded | ReadRecord, asked: AuditOptions, secret: bytes | None
) -> RecordAuditResult:
    """Audit a record within what the viewer may know. Raises CommandError."""
    eyes, game, entries = ctx.find_viewer(record, asked.viewer), record.game, record.entries
    law = Law(game, ctx.apply_card_overlay(game, ctx.options(game, record.rules, asked.readings), asked.cards))
    if asked.rule_changes:
        ctx.require_judge(record, eyes)
    result = audit(game, entries, law.rules if asked.rule_changes else None, secret)
    seen = seen_findings(record, eyes, law, result.findings)
    corrected = corrections(game, entries, frozenset(line(entries)))
    if asked.standing:
        seen, corrected = omit_undone(seen), omit_undone(corrected)
    return RecordAuditResult(eyes, law, result, seen, corrected, list_manual_outcomes(entries))


def omit_undone(rows: Sequence[T]) -> tuple[T, ...]:
    """Return the rows that no rewind undid."""
    return tuple(row for row in rows if not row.undone)


def _audit_source(ctx: CommandContext, source: Source, asked: AuditOptions) -> MatchAudit:
    name, file = escape_undecodable(source.name), file_of(source)
    match = load(source, checked=True)
    if isinstance(match, UnreadableMatch):
        return MatchAudit(name=name, file=file, problem=render_in_both(match.why))
    try:
        record = ReadRecord(match.law, match.entries, source.name, isinstance(source.place, StoreLocation))
        outcome = run_audit(ctx, record, asked, secret(source))
    except CommandError as problem:
        return MatchAudit(name=name, file=file, problem=Message(problem.message, problem.message))
    except Exception as error:  # rules that fail on one match must not stop the others
        why = Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)})
        return MatchAudit(name=name, file=file, problem=render_in_both(why))
    return MatchAudit(
        name=name,
        file=file,
        match=id_of(source, match),
        entries=len(match.entries),
        findings=outcome.findings,
        corrections=outcome.corrections,
        entered=outcome.entered,
    )


def _draw(ctx: CommandContext, audits: Sequence[MatchAudit]) -> None:
    for audited in audits:
        if audited.findings or audited.corrections:
            ctx.screen.line(audited.name, "heading")
            for finding in audited.findings:
                text = ctx.pick(finding.sentence.en, finding.sentence.ja)
                ctx.screen.line(f"  {finding_line(finding, ctx.lang)}" + (f"  {text}" if text else ""))
            if audited.corrections:
                numbers = ", ".join(str(correction.entry) for correction in audited.corrections)
                ctx.screen.line(f"  {ctx.say('audit.corrected_at', n=len(audited.corrections), entries=numbers)}")
