"""Many audited matches, and a report of them for machines: JUnit XML and SARIF 2.1.0."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree as Xml

from msgspec import Struct

from domain.words import Lang, Message, say
from projections.corrections import Correction
from projections.findings import SeenFinding
from regress.formats import TOOL, message, place, rule, sarif_log, xml_bytes, xml_lines, xml_text
from regress.summary import NO_CLAUSE


class Audited(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One match that was audited, or why it cannot be."""

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
        """What was found where the match stands."""
        return tuple(one for one in self.findings if not one.undone)


def finding_line(one: SeenFinding, lang: Lang) -> str:
    """A finding in one line: where, of which kind, by which clause."""
    parts = [say("finding.entry", lang, n=one.entry), say(f"finding.{one.kind}", lang), one.clause or NO_CLAUSE]
    parts += [say("finding.flagged", lang)] if one.flagged else []
    parts += [say("finding.undone", lang)] if one.undone else []
    return say("list.comma", lang).join(parts)


def to_junit(audits: Sequence[Audited], lang: Lang) -> bytes:
    """A test for each match: it fails by what was found where the match stands."""
    failed = sum(bool(one.standing) for one in audits)
    bad = sum(one.problem is not None for one in audits)
    counts = {"tests": str(len(audits)), "failures": str(failed), "errors": str(bad)}
    root = Xml.Element("testsuites", {"name": f"{TOOL} audit", **counts, "time": "0"})
    suite = Xml.SubElement(root, "testsuite", {"name": f"{TOOL} audit", **counts, "skipped": "0", "time": "0"})
    for one in audits:
        given = {"name": xml_text(one.name), "classname": "audit", "time": "0"}
        case = Xml.SubElement(suite, "testcase", given)
        lines = "\n".join(finding_line(finding, lang) for finding in one.findings)
        if one.problem is not None:
            Xml.SubElement(case, "error", {"type": "bad", "message": xml_text(one.problem.say(lang))})
        elif one.standing:
            first = one.standing[0]
            kind = {"type": f"{first.kind} {first.clause or NO_CLAUSE}", "message": finding_line(first, lang)}
            failure = Xml.SubElement(case, "failure", {name: xml_text(text) for name, text in kind.items()})
            failure.text = xml_lines(lines)
        elif lines:
            Xml.SubElement(case, "system-out").text = xml_lines(lines)
    return xml_bytes(root)


def to_sarif(audits: Sequence[Audited], lang: Lang) -> bytes:
    """One result for each finding; its rule is the clause. What was undone is suppressed."""
    said: dict[str, Message] = {}
    for one in audits:
        if one.problem is not None:
            said.setdefault(NO_CLAUSE, Message("", ""))
        for finding in one.findings:
            said.setdefault(finding.clause or NO_CLAUSE, Message(finding.sentence.en, finding.sentence.ja))
    ids = sorted(said)
    results = [_result(one, finding, ids, lang) for one in audits for finding in (one.findings or (None,))]
    properties = {"matches": len(audits)}
    rules = [rule(clause, said[clause], lang) for clause in ids]
    return sarif_log(rules, [result for result in results if result is not None], properties, lang)


def _result(one: Audited, finding: SeenFinding | None, ids: list[str], lang: Lang) -> dict[str, Any] | None:
    if finding is None:
        if one.problem is None:
            return None
        clause, kind, entry, text, undone = NO_CLAUSE, "bad", 0, one.problem.say(lang), False
    else:
        clause, kind, entry = finding.clause or NO_CLAUSE, finding.kind, finding.entry
        text, undone = finding_line(finding, lang), finding.undone
    excuse = {"kind": "external", "status": "accepted", "justification": say("finding.undone", lang)}
    print_ = sha256(f"{one.name}\0{entry}\0{kind}\0{clause}".encode()).hexdigest()[:16]
    return {
        "ruleId": clause,
        "ruleIndex": ids.index(clause),
        "level": "error",
        "message": message(text),
        "locations": [place(one.name, one.file)],
        "partialFingerprints": {"primaryLocationLineHash": f"{print_}:1"},
        "suppressions": [excuse] if undone else [],
        "properties": {"kind": kind, "entry": entry, "entries": one.entries},
    }
