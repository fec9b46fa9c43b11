"""Audit of a record against its rules."""

from typing import Annotated

from msgspec import UNSET
from msgspec.structs import replace

from cli import files
from cli.answer import Answer
from cli.context import CommandContext, ReadRecord
from cli.judge.audits import AuditOptions, Audits, audit_many, has_several_matches, omit_undone, run_audit
from cli.problems import FINDINGS, FINE
from cli.readers import open_remote
from cli.values import Cards, Readings, Viewer
from domain.judging.audit import audit as audit_record, changed
from domain.judging.rejudging.causes import changed_cards
from domain.law.game import Game
from domain.law.law import Law
from projections.answers import AuditedRecord
from projections.corrections import list_gaps
from projections.findings import gap_words, render_findings, seen_findings
from projections.moments import Moments, moments
from projections.verdicts.rendering import card_words, cause_words
from recorder.match_loader import LoadedMatch as Loaded


def audit(
    ctx: CommandContext,
    records: Annotated[list[str], "MATCH|PATH..."],
    readings: Readings = None,
    cards: Cards = None,
    viewer: Viewer = "spectator",
    standing: Annotated[bool, "--standing"] = False,
    junit: Annotated[str | None, "--junit FILE.xml"] = None,
    sarif: Annotated[str | None, "--sarif FILE.json"] = None,
) -> Answer[AuditedRecord | Audits]:
    """Audit records against their pinned rules, or with other options or cards."""
    asked = AuditOptions(readings, files.read_cards(ctx, cards), viewer, standing)
    outputs = {"--junit": junit, "--sarif": sarif}
    if ctx.is_remote and not any(map(files.is_local, records)):
        if len(records) > 1 or junit is not None or sarif is not None:
            raise ctx.problem("client.one_audit")
        if not asked.rule_changes:
            return _audit_remote(ctx, records[0], asked)
    if len(records) > 1 or junit is not None or sarif is not None or has_several_matches(records[0]):
        return audit_many(ctx, records, asked, outputs)
    with files.open_record(ctx, records[0]) as record:
        return _audit(ctx, record, asked)


def _audit_remote(ctx: CommandContext, match: str, asked: AuditOptions) -> Answer[AuditedRecord]:
    reader = open_remote(ctx, match, asked.viewer)
    answer = reader.match.audit()
    if asked.standing:
        findings, corrections = omit_undone(answer.findings), omit_undone(answer.corrections)
        answer = replace(answer, findings=findings, corrections=corrections, undone=0)
    return _answer_audit(ctx, reader.law, answer, reader.when)


def _audit(ctx: CommandContext, record: Loaded | ReadRecord, asked: AuditOptions) -> Answer[AuditedRecord]:
    secret, game, entries = ctx.read_seed(record), record.game, record.entries
    outcome, rule_changes = run_audit(ctx, record, asked, secret), asked.rule_changes
    seen, result = outcome.findings, outcome.result
    pinned = audit_record(game, entries, secret=secret) if rule_changes else result
    appear, vanish = changed(pinned, result)
    new = {finding.entry for finding in appear}
    answer = AuditedRecord(
        match=record.id,
        viewer=outcome.eyes.viewer,
        findings=seen,
        entries=result.entries,
        actions=result.actions,
        facts=result.facts,
        reading=rule_changes or UNSET,
        appear=tuple(finding for finding in seen if finding.entry in new) if rule_changes else UNSET,
        vanish=seen_findings(record, outcome.eyes, record.law, vanish) if rule_changes else UNSET,
        cards=changed_cards(game, record.rules, outcome.law.rules) if asked.cards is not None else UNSET,
        undone=len(seen) - len(omit_undone(seen)),
        corrections=outcome.corrections,
        entered=outcome.entered,
        gaps=list_gaps(entries),
    )
    return _answer_audit(ctx, outcome.law, answer, moments(record, ctx.zone))


def _answer_audit(ctx: CommandContext, law: Law, answer: AuditedRecord, when: Moments) -> Answer[AuditedRecord]:
    cleared = sum(finding.certainty == "excluded" and not finding.undone for finding in answer.findings)
    code = FINDINGS if len(answer.findings) > answer.undone + cleared else FINE
    return Answer(lambda: answer, lambda: _draw(ctx, law, answer, when), code)


def _draw(ctx: CommandContext, law: Law, answer: AuditedRecord, when: Moments) -> None:
    ctx.screen.rows(render_findings(answer.findings, law, ctx.lang, when.names, when))
    counted = {"entries": answer.entries, "actions": answer.actions, "facts": answer.facts}
    standing = len(answer.findings) - answer.undone
    ctx.print_message("audit.summary", "bad" if standing else "good", n=standing, **counted)
    if answer.undone:
        ctx.print_message("audit.undone", n=answer.undone)
    # corrections are no findings, but always visible
    if answer.corrections:
        ctx.print_message("audit.corrected", n=len(answer.corrections))
    for row in answer.corrections:
        text = ctx.say("audit.correction", entry=row.entry, by=row.by, reason=row.reason, facts=row.facts)
        marks = [ctx.say("audit.as_play")] if row.as_play else []
        marks += [ctx.say("finding.undone")] if row.undone else []
        ctx.screen.line("  " + ctx.say("list.comma").join((text, *marks)))
    if answer.entered:
        ctx.print_message("audit.entered", n=len(answer.entered), entries=", ".join(map(str, answer.entered)))
    if answer.gaps:
        ctx.screen.line(gap_words(answer.gaps, ctx.lang))
    if answer.reading:
        _draw_reading(ctx, law.game, answer)


def _draw_reading(ctx: CommandContext, game: Game, answer: AuditedRecord) -> None:
    ctx.screen.line()
    ctx.print_message("audit.reading", "heading", reading=" ".join(answer.reading or ()))
    for cause in answer.cards or ():
        ctx.screen.line(cause_words(cause, game, ctx.lang))
        for text in card_words(cause, ctx.lang):
            ctx.screen.line(f"  {text}")
    for key, findings in (("audit.appear", answer.appear or ()), ("audit.vanish", answer.vanish or ())):
        ctx.print_message(key, n=len(findings))
        for finding in findings:
            ctx.screen.line(f"  {finding.entry} {finding.clause} {ctx.say(f'finding.{finding.kind}')}")
