"""A record held against its rules."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

import typer
from msgspec import UNSET, Struct, UnsetType

from cli import files
from cli.answer import Answer
from cli.context import Desk, Record
from cli.judge.audits import Audits, audit_many, many
from cli.problems import FINDINGS, FINE
from cli.values import Cards, Readings, Viewer
from domain.judging.audit import audit as audited
from domain.judging.audit import changed
from domain.judging.rejudging.causes import Cause, changed_cards
from domain.law.entries import line
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.table.table import Seat
from projections.corrections import Correction, corrections, entered
from projections.findings import SeenFinding, render_findings, seen_findings
from projections.moments import Moments, moments
from projections.verdicts.rendering import card_words, cause_words
from recorder.loading import Match as Loaded

Records = Annotated[list[str], typer.Argument(metavar="MATCH|PATH...", show_default=False)]
Junit = Annotated[str | None, typer.Option("--junit", metavar="FILE.xml", show_default=False)]
Sarif = Annotated[str | None, typer.Option("--sarif", metavar="FILE.json", show_default=False)]
Standing = Annotated[bool, typer.Option("--standing")]

T = TypeVar("T", SeenFinding, Correction)


class AuditedRecord(Struct, frozen=True):
    """What a record's rules have against it. Under another reading, or other cards, also what that makes appear and
    vanish; with other cards, those that are printed otherwise."""

    match: str
    viewer: Seat
    findings: tuple[SeenFinding, ...]
    entries: int
    actions: int
    facts: int
    reading: tuple[str, ...] | UnsetType = UNSET
    appear: tuple[SeenFinding, ...] | UnsetType = UNSET
    vanish: tuple[SeenFinding, ...] | UnsetType = UNSET
    cards: tuple[Cause, ...] | UnsetType = UNSET
    undone: int = 0
    corrections: tuple[Correction, ...] = ()
    entered: tuple[int, ...] = ()


def audit(
    desk: Desk,
    records: Records,
    readings: Readings = None,
    cards: Cards = None,
    viewer: Viewer = "spectator",
    standing: Standing = False,
    junit: Junit = None,
    sarif: Sarif = None,
) -> Answer[AuditedRecord | Audits]:
    """Hold records against the rules pinned in them, or under another reading of them or other cards."""
    overlay = files.cards(desk, cards)
    outputs = {"--junit": junit, "--sarif": sarif}
    if len(records) > 1 or junit is not None or sarif is not None or many(records[0]):
        return audit_many(desk, records, readings, overlay, viewer, standing, outputs)
    with files.recorded(desk, records[0]) as record:
        return _audit(desk, record, readings, overlay, viewer, standing)


def _audit(
    desk: Desk, record: Loaded | Record, readings: Readings, cards: Overlay | None, viewer: str, standing: bool
) -> Answer[AuditedRecord]:
    seat, secret = desk.viewer(record, viewer), desk.secret(record)
    game, entries = record.game, record.entries
    rules = desk.laid_over(game, desk.options(game, record.rules, readings), cards)
    pinned = audited(game, entries, secret=secret)
    otherwise = (*(readings or ()), *((f"--cards {cards.file}",) if cards is not None else ()))
    if otherwise:
        desk.only_judge(record, seat)
    result = audited(game, entries, rules, secret) if otherwise else pinned
    seen = seen_findings(Law(game, rules), entries, result.findings, seat)
    corrected = corrections(game, entries, frozenset(line(entries)))
    if standing:
        seen, corrected = _standing(seen), _standing(corrected)
    appear, vanish = changed(pinned, result)
    gone = seen_findings(Law(game, record.rules), entries, vanish, seat)
    new = {finding.entry for finding in appear}
    answer = AuditedRecord(
        match=record.id,
        viewer=seat,
        findings=seen,
        entries=result.entries,
        actions=result.actions,
        facts=result.facts,
        reading=otherwise or UNSET,
        appear=tuple(finding for finding in seen if finding.entry in new) if otherwise else UNSET,
        vanish=gone if otherwise else UNSET,
        cards=changed_cards(game, record.rules, rules) if cards is not None else UNSET,
        undone=len(seen) - len(_standing(seen)),
        corrections=corrected,
        entered=entered(entries),
    )
    code, when = FINDINGS if len(seen) > answer.undone else FINE, moments(entries)
    return Answer(lambda: answer, lambda: _draw(desk, Law(game, rules), answer, when), code)


def _draw(desk: Desk, law: Law, answer: AuditedRecord, when: Moments) -> None:
    desk.screen.rows(render_findings(answer.findings, law, desk.lang, when))
    counted = {"entries": answer.entries, "actions": answer.actions, "facts": answer.facts}
    standing = len(answer.findings) - answer.undone
    desk.screen.line(desk.say("audit.summary", n=standing, **counted), "bad" if standing else "good")
    if answer.undone:
        desk.screen.line(desk.say("audit.undone", n=answer.undone))
    _draw_by_hand(desk, answer.corrections, answer.entered)
    if answer.reading:
        _draw_reading(desk, law.game, answer)


def _draw_reading(desk: Desk, game: Game, answer: AuditedRecord) -> None:
    """What another reading, or other cards, make of the record."""
    desk.screen.line()
    desk.screen.line(desk.say("audit.reading", reading=" ".join(answer.reading or ())), "heading")
    for cause in answer.cards or ():
        desk.screen.line(cause_words(cause, game, desk.lang))
        for text in card_words(cause, desk.lang):
            desk.screen.line(f"  {text}")
    for key, findings in (("audit.appear", answer.appear or ()), ("audit.vanish", answer.vanish or ())):
        desk.screen.line(desk.say(key, n=len(findings)))
        for finding in findings:
            desk.screen.line(f"  {finding.entry} {finding.clause} {desk.say(f'finding.{finding.kind}')}")


def _standing(some: Sequence[T]) -> tuple[T, ...]:
    """What does not stand on a line that was left by a rewind."""
    return tuple(one for one in some if not one.undone)


def _draw_by_hand(desk: Desk, corrected: Sequence[Correction], outcomes: Sequence[int]) -> None:
    """What somebody entered: no finding, and never out of sight."""
    if corrected:
        desk.screen.line(desk.say("audit.corrected", n=len(corrected)))
    for one in corrected:
        text = desk.say("audit.correction", entry=one.entry, by=one.by, reason=one.reason, facts=one.facts)
        marks = [desk.say("audit.as_play")] if one.as_play else []
        marks += [desk.say("finding.undone")] if one.undone else []
        desk.screen.line("  " + desk.say("list.comma").join((text, *marks)))
    if outcomes:
        desk.screen.line(desk.say("audit.entered", n=len(outcomes), entries=", ".join(map(str, outcomes))))
