"""A report for machines: JSON, JUnit XML and SARIF 2.1.0. The same report gives the same bytes."""

from hashlib import sha256
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import msgspec

from domain.law.pools import face_of
from domain.words import LANGS, Lang, Message, say
from domain.words.lines import one_line, unsplit
from projections.verdicts.rendering import card_words, cause_words, kind_words
from regress.counting import NOTHING, Difference, Report
from regress.summary import NO_CLAUSE, Kind, Summary

TOOL = "shinpan"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
START = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
"""A match has no line of its own, and code scanning wants one: the very beginning of its file."""
LEVELS: dict[Kind, str] = {
    "path": "note",
    "illegal": "error",
    "winner": "error",
    "undecided": "warning",
    "base": "error",
    "bad": "error",
}
_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535))
"""Characters that XML has no way to write."""


def to_json(report: Report) -> bytes:
    """Everything that was counted."""
    return unsplit(msgspec.json.format(msgspec.json.encode(report), indent=2)) + b"\n"


def line(one: Summary, lang: Lang) -> str:
    """A match that is not identical, in one line: its class, where, by which clause, and why."""
    if one.problem is not None:
        return one.problem.say(lang)
    parts = [kind_words(one.kind, lang)]
    if one.under is not None:
        parts.append(kind_words(one.under, lang))
    parts += [say("rejudge.at", lang, entry=one.entry), one.clause or NO_CLAUSE]
    if one.why:
        parts.append(say(f"undecided.{one.why}", lang))
    parts += [cause_words(cause, None, lang) for cause in one.causes]
    return say("list.comma", lang).join(parts)


def _text(one: Summary, lang: Lang) -> str:
    """What the clause says, and what the cards say that cause it, on either side."""
    cards = (f"{cause.key}: {text}" for cause in one.causes for text in card_words(cause, lang))
    return "\n".join(filter(None, ((one.sentence or NOTHING).say(lang), *cards)))


# -- JUnit ------------------------------------------------------------------------------------------------------------


def to_junit(report: Report, lang: Lang) -> bytes:
    """A test for each match that is not identical, and one for all that are: unapproved differences fail."""
    same = report.by_class["identical"]
    tests = len(report.differences) + len(report.bad) + 1
    counts = {"tests": str(tests), "failures": str(report.unapproved), "errors": str(len(report.bad))}
    counts["skipped"] = str(len(report.differences) - report.unapproved)
    total = {key: counts[key] for key in ("tests", "failures", "errors")}
    root = Xml.Element("testsuites", {"name": f"{TOOL} regress", **total, "time": "0"})
    suite = Xml.SubElement(root, "testsuite", {"name": xml_text(report.rules or TOOL), **counts, "time": "0"})
    identical = _case(suite, kind_words("identical", lang), "identical")
    Xml.SubElement(identical, "system-out").text = say("regress.identical", lang, n=same, all=report.matches)
    for one in report.differences:
        _difference(suite, one, lang)
    for bad in report.bad:
        error = Xml.SubElement(_case(suite, bad.name, bad.kind), "error", {"type": bad.kind})
        error.set("message", xml_text(line(bad, lang)))
    return xml_bytes(root)


def xml_bytes(root: Xml.Element) -> bytes:
    """A document as a file holds it."""
    Xml.indent(root)
    body: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _difference(suite: Xml.Element, one: Difference, lang: Lang) -> None:
    case = _case(suite, one.match.name, one.match.kind)
    if one.approved:
        Xml.SubElement(case, "skipped", {"message": xml_text(one.approved)})
        return
    kind = f"{one.match.kind} {one.match.clause or NO_CLAUSE}"
    failure = Xml.SubElement(case, "failure", {"type": kind, "message": xml_text(line(one.match, lang))})
    failure.text = xml_lines(_text(one.match, lang))


def _case(suite: Xml.Element, name: str, kind: str) -> Xml.Element:
    return Xml.SubElement(suite, "testcase", {"name": xml_text(name), "classname": f"regress.{kind}", "time": "0"})


def xml_text(text: str) -> str:
    """A text on one line of which XML can write every character."""
    return one_line(text.translate(_NOT_XML)).encode("utf-8", "replace").decode("utf-8")


def xml_lines(text: str) -> str:
    """The same of several lines."""
    return "\n".join(map(xml_text, text.split("\n")))


# -- SARIF ------------------------------------------------------------------------------------------------------------


def to_sarif(report: Report, lang: Lang) -> bytes:
    """One result for each match that is not identical; its rule is the clause. What is approved is suppressed."""
    results = [(one.match, one.approved) for one in report.differences] + [(one, "") for one in report.bad]
    said = {_rule_id(one): one.sentence or NOTHING for one, _ in reversed(results)}
    ids = sorted(said)
    rules = [rule(clause, said[clause], lang) for clause in ids]
    properties = {"rules": report.rules, "base": report.base, "matches": report.matches}
    return sarif_log(rules, [_result(one, approved, ids, lang) for one, approved in results], properties, lang)


def sarif_log(
    rules: list[dict[str, Any]], results: list[dict[str, Any]], properties: dict[str, Any], lang: Lang
) -> bytes:
    """One run as a file holds it."""
    run = {
        "tool": {"driver": {"name": TOOL, "language": lang, "rules": rules}},
        "language": lang,
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": properties,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return unsplit(msgspec.json.format(msgspec.json.encode(log), indent=2)) + b"\n"


def _rule_id(one: Summary) -> str:
    return one.clause or NO_CLAUSE


def rule(clause: str, said: Message, lang: Lang) -> dict[str, Any]:
    """What a clause says, in this language as its description, and in both as its help."""
    text = {one: said.say(one) or say("regress.no_clause", one) for one in LANGS}
    return {
        "id": clause,
        "shortDescription": message(text[lang]),
        "fullDescription": message(text[lang]),
        "help": message("\n".join(text.values())),
        "properties": {"en": said.en, "ja": said.ja},
    }


def _result(one: Summary, approved: str, ids: list[str], lang: Lang) -> dict[str, Any]:
    clause = _rule_id(one)
    where = place(one.name, one.file)
    # Results are suppressed in one list or in none: a list that is empty says that nobody has approved.
    suppressions = [{"kind": "external", "status": "accepted", "justification": approved}] if approved else []
    return {
        "ruleId": clause,
        "ruleIndex": ids.index(clause),
        "level": LEVELS[one.kind],
        "message": message(one_line(line(one, lang))),
        "locations": [where],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(one)},
        "suppressions": suppressions,
        "properties": {
            "class": one.kind,
            "entry": one.entry,
            "entries": one.entries,
            "causes": [cause.key for cause in one.causes],
            **_cards(one),
        },
    }


def _cards(one: Summary) -> dict[str, Any]:
    """The cards that cause it, with what is printed on them on either side; nothing where none does."""
    cards = {
        cause.key: {"recorded": cause.recorded, "rejudged": cause.rejudged}
        for cause in one.causes
        if face_of(cause.key) is not None
    }
    return {"cards": cards} if cards else {}


def place(name: str, file: str) -> dict[str, Any]:
    """A match, and the file it lies in."""
    where: dict[str, Any] = {"logicalLocations": [{"name": name, "kind": "match", "fullyQualifiedName": name}]}
    if file:
        where["physicalLocation"] = {"artifactLocation": {"uri": uri(file)}, "region": START}
    return where


def message(text: str) -> dict[str, str]:
    """A text in which nothing is a placeholder, each of its lines one line."""
    text = "\n".join(map(one_line, text.split("\n")))
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def uri(file: str) -> str:
    """A file as a report names it."""
    path = quote(file, errors="replace")
    return f"file://{path}" if path.startswith("/") else path


def _fingerprint(one: Summary) -> str:
    """Which match it is, under the key by which code scanning knows a result again: all of a corpus share one line."""
    return f"{sha256(one.name.encode()).hexdigest()[:16]}:1"
