"""Reports of a rule change as JUnit XML and SARIF 2.1.0, reproducible byte for byte."""

from archive.regress.counting import NOTHING, MatchDifference, RegressionReport
from archive.regress.report_formats import TOOL, JunitTest, SarifResult, junit, sarif
from archive.regress.summary import KINDS, Kind, Summary
from domain.law.pools import face_of
from domain.words import Lang, say
from domain.words.lines import one_line
from projections.verdicts.rendering import card_words, cause_words, kind_words

LEVELS: dict[Kind, str] = {**dict.fromkeys(KINDS, "error"), "path": "note", "undecided": "warning"}


def line(match: Summary, lang: Lang) -> str:
    """Return a line for a match that is not identical: class, entry, clause, causes."""
    if match.problem is not None:
        return match.problem.say(lang)
    parts = [kind_words(kind, lang) for kind in (match.kind, match.under) if kind is not None]
    parts += [say("rejudge.at", lang, entry=match.entry), match.key[1]]
    if match.why:
        parts.append(say(f"undecided.{match.why}", lang))
    parts += [cause_words(cause, None, lang) for cause in match.causes]
    return say("list.comma", lang).join(parts)


def _failure_text(match: Summary, lang: Lang) -> str:
    cards = (f"{cause.key}: {text}" for cause in match.causes for text in card_words(cause, lang))
    return "\n".join(filter(None, ((match.sentence or NOTHING).say(lang), *cards)))


def to_junit(report: RegressionReport, lang: Lang) -> bytes:
    """Return a test for each differing match, and one for all identical ones. Unapproved differences fail."""
    same = say("regress.identical", lang, n=report.by_class["identical"], all=report.matches)
    identical = JunitTest(kind_words("identical", lang), "regress.identical", "system-out", text=same)
    differing = [_junit_test(difference, lang) for difference in report.differences]
    bad = [
        JunitTest(match.name, "regress.bad", "error", {"type": "bad", "message": line(match, lang)})
        for match in report.bad
    ]
    return junit("regress", report.rules or TOOL, (identical, *differing, *bad))


def _junit_test(difference: MatchDifference, lang: Lang) -> JunitTest:
    match, group = difference.match, f"regress.{difference.match.kind}"
    if difference.approved:
        return JunitTest(match.name, group, "skipped", {"message": difference.approved})
    attributes = {"type": f"{match.kind} {match.key[1]}", "message": line(match, lang)}
    return JunitTest(match.name, group, "failure", attributes, _failure_text(match, lang))


def to_sarif(report: RegressionReport, lang: Lang) -> bytes:
    """Return a result for each differing match, with its clause as the rule. Approved ones are suppressed."""
    results = [_result(difference.match, difference.approved, lang) for difference in report.differences]
    results += [_result(match, "", lang) for match in report.bad]
    return sarif(results, {"rules": report.rules, "base": report.base, "matches": report.matches}, lang)


def _result(match: Summary, approved: str, lang: Lang) -> SarifResult:
    cards = {
        cause.key: {"recorded": cause.recorded, "rejudged": cause.rejudged}
        for cause in match.causes
        if face_of(cause.key) is not None
    }
    return SarifResult(
        clause=match.key[1],
        said=match.sentence or NOTHING,
        level=LEVELS[match.kind],
        text=one_line(line(match, lang)),
        name=match.name,
        file=match.file,
        key=match.name,
        excuse=approved,
        properties={
            "class": match.kind,
            "entry": match.entry,
            "entries": match.entries,
            "causes": [cause.key for cause in match.causes],
            **({"cards": cards} if cards else {}),
        },
    )
