"""Audits of many matches, and reports of them as JUnit XML and SARIF 2.1.0."""

from collections.abc import Sequence

from msgspec import Struct

from archive.regress.report_formats import TOOL, JunitTest, SarifResult, junit, sarif
from archive.regress.summary import NO_CLAUSE
from domain.words import Lang, Message, say
from projections.corrections import Correction
from projections.findings import SeenFinding


class MatchAudit(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The audit of a match, or why it failed."""

    name: str
    file: str = ""
    match: str = ""
    entries: int = 0
    findings: tuple[SeenFinding, ...] = ()
    corrections: tuple[Correction, ...] = ()
    entered: tuple[int, ...] = ()
    problem: Message | None = None

    @property
    def standing(self) -> tuple[SeenFinding, ...]:
        """The findings that count: not undone, and not excluded by later information."""
        return tuple(finding for finding in self.findings if not finding.undone and finding.certainty != "excluded")


def finding_line(finding: SeenFinding, lang: Lang) -> str:
    """Return a finding as one line: entry, kind, clause."""
    parts = [say("finding.entry", lang, n=finding.entry), say(f"finding.{finding.kind}", lang), _clause(finding)]
    parts += [say("finding.flagged", lang)] if finding.flagged else []
    parts += [say(f"certainty.{finding.certainty}", lang)] if finding.certainty != "certain" else []
    parts += [say("finding.undone", lang)] if finding.undone else []
    return say("list.comma", lang).join(parts)


def _clause(finding: SeenFinding) -> str:
    return finding.clause or NO_CLAUSE


def to_junit(audits: Sequence[MatchAudit], lang: Lang) -> bytes:
    """Return a test for each match, which fails on findings that count."""
    return junit("audit", f"{TOOL} audit", [_junit_test(audited, lang) for audited in audits])


def _junit_test(audited: MatchAudit, lang: Lang) -> JunitTest:
    lines = "\n".join(finding_line(finding, lang) for finding in audited.findings)
    if audited.problem is not None:
        return JunitTest(audited.name, "audit", "error", {"type": "bad", "message": audited.problem.say(lang)})
    if audited.standing:
        first = audited.standing[0]
        attributes = {"type": f"{first.kind} {_clause(first)}", "message": finding_line(first, lang)}
        return JunitTest(audited.name, "audit", "failure", attributes, lines)
    return JunitTest(audited.name, "audit", "system-out" if lines else None, text=lines)


def to_sarif(audits: Sequence[MatchAudit], lang: Lang) -> bytes:
    """Return a result for each finding, with its clause as the rule. Undone and excluded findings are suppressed."""
    results: list[SarifResult] = []
    for audited in audits:
        if audited.problem is not None:
            results.append(_result(audited, None, lang))
        results += [_result(audited, finding, lang) for finding in audited.findings]
    return sarif(results, {"matches": len(audits)}, lang)


def _result(audited: MatchAudit, finding: SeenFinding | None, lang: Lang) -> SarifResult:
    """Return the result of a finding, or of the audit's problem if there is no finding."""
    clause, kind, entry, sentence, excuse = NO_CLAUSE, "bad", 0, Message("", ""), ""
    if finding is None:
        text = "" if audited.problem is None else audited.problem.say(lang)
    else:
        clause, kind, entry, text = _clause(finding), finding.kind, finding.entry, finding_line(finding, lang)
        sentence, excuse = Message(finding.sentence.en, finding.sentence.ja), _excuse(finding, lang)
    return SarifResult(
        clause=clause,
        said=sentence,
        level="error",
        text=text,
        name=audited.name,
        file=audited.file,
        key=f"{audited.name}\0{entry}\0{kind}\0{clause}",
        excuse=excuse,
        properties={"kind": kind, "entry": entry, "entries": audited.entries},
    )


def _excuse(finding: SeenFinding, lang: Lang) -> str:
    """Return why a finding does not count, or '' if it counts."""
    if finding.undone:
        return say("finding.undone", lang)
    return say("certainty.excluded", lang) if finding.certainty == "excluded" else ""
