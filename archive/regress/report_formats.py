"""Reports on many matches as JUnit XML and SARIF 2.1.0."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal
from urllib.parse import quote
from xml.etree import ElementTree as Xml

import msgspec
from msgspec import Struct

from domain.words import LANGS, Lang, Message, say
from domain.words.lines import escape_line_ends, one_line

TOOL = "shinpan"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
START = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
"""The start of the file: code scanning requires a line, which matches do not have."""
_NOT_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535))
"""Characters that XML cannot represent."""


class JunitTest(Struct, frozen=True):
    """A JUnit test case, with its outcome, attributes and text."""

    name: str
    group: str
    outcome: Literal["failure", "error", "skipped", "system-out"] | None = None
    attributes: dict[str, str] = {}
    text: str = ""


def junit(command: str, suite: str, tests: Sequence[JunitTest]) -> bytes:
    outcomes = Counter(test.outcome for test in tests)
    counts = {"tests": str(len(tests)), "failures": str(outcomes["failure"]), "errors": str(outcomes["error"])}
    root = Xml.Element("testsuites", {"name": f"{TOOL} {command}", **counts, "time": "0"})
    skipped = {"skipped": str(outcomes["skipped"]), "time": "0"}
    group = Xml.SubElement(root, "testsuite", {"name": _xml_text(suite), **counts, **skipped})
    for test in tests:
        case = Xml.SubElement(group, "testcase", {"name": _xml_text(test.name), "classname": test.group, "time": "0"})
        if test.outcome is not None:
            element = Xml.SubElement(
                case, test.outcome, {name: _xml_text(text) for name, text in test.attributes.items()}
            )
            element.text = (
                "\n".join(map(_xml_text, test.text.split("\n"))) if test.outcome in ("failure", "system-out") else None
            )
    Xml.indent(root)
    body: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


def _xml_text(text: str) -> str:
    return one_line(text.translate(_NOT_XML)).encode("utf-8", "replace").decode("utf-8")


class SarifResult(Struct, frozen=True, kw_only=True):
    """A SARIF result. `said` is the clause's text, `key` identifies the result, `excuse` is why it is suppressed."""

    clause: str
    said: Message
    level: str
    text: str
    name: str
    file: str
    key: str
    excuse: str
    properties: dict[str, object]


def sarif(results: Sequence[SarifResult], properties: dict[str, object], lang: Lang) -> bytes:
    """Return a SARIF log with one run, whose rules are the clauses."""
    sentences = {result.clause: result.said for result in reversed(results)}
    ids = sorted(sentences)
    run = {
        "tool": {
            "driver": {
                "name": TOOL,
                "language": lang,
                "rules": [_rule(clause, sentences[clause], lang) for clause in ids],
            }
        },
        "language": lang,
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, ids) for result in results],
        "properties": properties,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escape_line_ends(msgspec.json.format(msgspec.json.encode(log), indent=2)) + b"\n"


def _rule(clause: str, sentence: Message, lang: Lang) -> dict[str, object]:
    """Return a clause's rule: described in this language, with help in both."""
    text = {spoken: sentence.say(spoken) or say("regress.no_clause", spoken) for spoken in LANGS}
    return {
        "id": clause,
        "shortDescription": _message(text[lang]),
        "fullDescription": _message(text[lang]),
        "help": _message("\n".join(text.values())),
        "properties": {"en": sentence.en, "ja": sentence.ja},
    }


def _result(result: SarifResult, ids: list[str]) -> dict[str, object]:
    name = result.name
    where: dict[str, object] = {"logicalLocations": [{"name": name, "kind": "match", "fullyQualifiedName": name}]}
    if result.file:
        where["physicalLocation"] = {"artifactLocation": {"uri": _uri(result.file)}, "region": START}
    # SARIF requires suppressions on all results or none; an empty list means not suppressed.
    excuse = {"kind": "external", "status": "accepted", "justification": result.excuse}
    # Code scanning identifies a result by this key, since all matches of a corpus share one line.
    fingerprint = f"{sha256(result.key.encode()).hexdigest()[:16]}:1"
    return {
        "ruleId": result.clause,
        "ruleIndex": ids.index(result.clause),
        "level": result.level,
        "message": _message(result.text),
        "locations": [where],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
        "suppressions": [excuse] if result.excuse else [],
        "properties": result.properties,
    }


def _message(text: str) -> dict[str, str]:
    """Return a message without placeholders, keeping line breaks."""
    text = "\n".join(map(one_line, text.split("\n")))
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def _uri(file: str) -> str:
    path = quote(file, errors="replace")
    return f"file://{path}" if path.startswith("/") else path
