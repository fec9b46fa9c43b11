"""The report for people and machines: every format parses, agrees with the others, and omits machine details."""

import re
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as Xml

import msgspec
from msgspec.json import encode as to_json

from archive.corpus.sources import sources
from archive.regress.approvals import Approval
from archive.regress.counting import RegressionCounter, RegressionReport
from archive.regress.formats import LEVELS, to_junit, to_sarif
from archive.regress.page import LISTED, to_html
from archive.regress.regressing import regress
from archive.regress.summary import Flip, Summary, Task
from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.target import RulesTarget
from domain.law.clause import Clause
from domain.words import LANGS, Message
from tests.rejudging.records import CHANGE, SMALL
from tests.rows import for_each

NASTY = "cup & <b>'\"\x00\x1b日本/%20.spn"
TASK = Task(RulesTarget(game="blackpoker", version="9.0-lite", settings={"hand.limit": 5}))
APPROVED = (
    Approval(kind="illegal", clause="BP-7.2", cause="hand.limit", reason="<i>meant & wanted</i>"),
    Approval(kind="path", clause="BP-9.1", reason="never used"),
)


@cache
def small() -> RegressionReport:
    return regress(Task(RulesTarget(game="blackpoker", settings=CHANGE)), tuple(sources([SMALL]))[:24])


@cache
def make_report() -> RegressionReport:
    hand, both = Cause("hand.limit", "number"), Cause("together", "together")
    said = {"game": "blackpoker", "file": NASTY, "sentence": Message("<english> & more", "<日本語>")}
    tally = RegressionCounter()
    rows: list[dict[str, Any]] = [
        {"kind": "identical"},
        {"kind": "illegal", "clause": "BP-7.2", "causes": (hand,), "entry": 9, "entries": 40},
        {"kind": "illegal", "clause": "BP-7.2", "causes": (both,), "entry": 5, "entries": 30},
        {"kind": "path", "clause": "", "causes": (hand,), "entry": 3, "entries": 20},
        {"kind": "undecided", "clause": "BP-7.3", "why": "chance", "causes": (hand,), "entry": 4, "entries": 20},
        {"kind": "winner", "clause": "BP-7.2", "causes": (hand,), "entry": 4, "flip": Flip(("p1",), None)},
        {"kind": "base", "under": "path", "clause": "BP-7.2", "causes": (Cause("engine", "engine"),), "entry": 2},
        {"kind": "bad", "problem": Message(f"broken {NASTY}", f"壊れた{NASTY}")},
    ]
    for at, row in enumerate(rows):
        clause = Clause(row.pop("clause", ""))
        tally.add(Summary(at=at, name=f"{NASTY}:{at}", clause=clause, untold=(Clause("BP-9.1"),), **said, **row))
    return tally.report(TASK, APPROVED)


def test_the_counts_add_up() -> None:
    found = make_report()
    assert found.by_class == {kind: 2 if kind == "illegal" else 1 for kind in found.by_class}
    assert (found.matches, len(found.differences), found.unapproved) == (8, 6, 5)
    assert [(one.kind, one.clause, one.matches, one.approved) for one in found.by_clause] == [
        ("path", "-", 1, 0),
        ("illegal", "BP-7.2", 2, 1),
        ("winner", "BP-7.2", 1, 0),
        ("undecided", "BP-7.3", 1, 0),
        ("base", "BP-7.2", 1, 0),
    ]
    assert [(one.cause.key, one.matches) for one in found.by_cause] == [
        ("hand.limit", 4),
        ("together", 1),
        ("engine", 1),
    ]
    assert [one.entries for one in found.shortest["illegal"]] == [30, 40]
    assert found.unused_approvals == APPROVED[1:] and [one.clause for one in found.holes] == ["BP-9.1"]


@for_each("lang", LANGS)
def test_the_same_report_gives_the_same_bytes(lang: Any) -> None:
    for report in (make_report(), small()):
        again = msgspec.json.decode(msgspec.json.encode(report), type=RegressionReport)
        for write in (to_html, to_junit, to_sarif):
            assert write(report, lang) == write(again, lang)
        assert to_json(report) == to_json(again)


def test_json_holds_everything() -> None:
    found = msgspec.json.decode(to_json(make_report()))
    assert found["rules"] == "blackpoker@9.0-lite hand.limit=5" and found["by_class"]["illegal"] == 2
    assert found["differences"][0]["approved"] == APPROVED[0].reason
    assert found["bad"][0]["problem"]["ja"].startswith("壊れた")


@for_each("report", [make_report, small])
def test_junit_can_be_parsed_and_counts_what_it_lists(report: Any) -> None:
    found = report()
    root = Xml.fromstring(to_junit(found, "en"))
    assert root.tag == "testsuites" and set(root.attrib) == {"name", "tests", "failures", "errors", "time"}
    (suite,) = root
    assert suite.tag == "testsuite" and set(suite.attrib) == {*root.attrib, "skipped"}
    cases = list(suite)
    assert all(one.tag == "testcase" and set(one.attrib) == {"name", "classname", "time"} for one in cases)
    kinds = [[child.tag for child in one] for one in cases]
    assert {tuple(one) for one in kinds} <= {("system-out",), ("failure",), ("skipped",), ("error",)}
    for tag, number in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert int(suite.attrib[number]) == kinds.count([tag])
    assert int(suite.attrib["tests"]) == len(cases) == len(found.differences) + len(found.bad) + 1
    assert all(child.attrib["message"] for one in cases for child in one if child.tag != "system-out")


def test_junit_fails_for_what_is_not_approved_only() -> None:
    suite = Xml.fromstring(to_junit(make_report(), "ja"))[0]
    skipped = [one for one in suite if one.find("skipped") is not None]
    assert [one.find("skipped").attrib["message"] for one in skipped] == [APPROVED[0].reason]  # type: ignore[union-attr]
    failed = [one.find("failure").attrib["type"] for one in suite if one.find("failure") is not None]  # type: ignore[union-attr]
    assert failed == ["illegal BP-7.2", "path -", "undecided BP-7.3", "winner BP-7.2", "base BP-7.2"]


@for_each("report", [make_report, small])
def test_sarif_has_the_shape_that_its_schema_asks_for(report: Any) -> None:
    found = report()
    log = msgspec.json.decode(to_sarif(found, "en"))
    assert set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) <= {"tool", "results", "language", "columnKind", "properties"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver["name"] and all(one["id"] and one["shortDescription"]["text"] for one in driver["rules"])
    ids = [one["id"] for one in driver["rules"]]
    assert len(ids) == len(set(ids)) and len(run["results"]) == len(found.differences) + len(found.bad)
    for one in run["results"]:
        assert {"ruleId", "message", "level", "locations"} <= set(one)
        assert ids[one["ruleIndex"]] == one["ruleId"]
        assert one["level"] in ("none", "note", "warning", "error") and one["message"]["text"]
        (where,) = one["locations"]
        assert all(place["fullyQualifiedName"] for place in where["logicalLocations"])
        assert re.fullmatch(r"[\w.~%!$&'()*+,;=:@/-]+", where["physicalLocation"]["artifactLocation"]["uri"], re.ASCII)


def test_sarif_suppresses_what_is_approved() -> None:
    (run,) = msgspec.json.decode(to_sarif(make_report(), "ja"))["runs"]
    results = run["results"]
    assert [one["suppressions"] for one in results][1:] == [[]] * 6
    assert results[0]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": APPROVED[0].reason}
    ]
    assert [one["level"] for one in results] == [LEVELS[one["properties"]["class"]] for one in results]
    assert [one["ruleId"] for one in results if one["properties"]["class"] == "path"] == ["-"]


class Page(HTMLParser):
    VOID = frozenset(("meta", "input", "br"))

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: dict[str, str] = {"": "", "en": "", "ja": ""}
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs).get("lang") or "" if tag == "span" else ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        lang = next((lang for _, lang in reversed(self.open) if lang), "")
        self.text[lang] += data


@for_each("lang", LANGS)
@for_each("report", [make_report, small])
def test_the_page_is_well_formed_in_both_languages_and_loads_nothing(report: Any, lang: Any) -> None:
    data = to_html(report(), lang)
    page = Page(data)
    assert not page.open and page.tags[0] == "html"
    assert not {"script", "link", "img", "iframe", "b"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in ("src", "onclick", "srcset", "action", "style")]
    assert b"url(" not in data and b"@import" not in data and b"http" not in data
    assert ("lang", lang) in page.attributes and ("name", "viewport") in page.attributes
    assert "By clause" in page.text["en"] and "条項ごと" in page.text["ja"]
    assert not re.search(r"[ぁ-ん]", page.text["en"])
    checked = re.findall(r'id="(\w+)" checked', data.decode())
    assert checked == [lang]


def test_a_long_table_is_cut_and_says_so() -> None:
    tally = RegressionCounter()
    for at in range(LISTED + 3):
        tally.add(Summary(at=at, name=f"m{at}", kind="path", entries=at))
    report = tally.report(TASK)
    page = Page(to_html(report, "en"))
    assert "and 3 more" in page.text["en"] and f"m{LISTED - 1}" in "".join(page.text.values())
    assert f"m{LISTED}" not in "".join(page.text.values())
    assert len(msgspec.json.decode(to_json(report))["differences"]) == LISTED + 3


def test_the_page_names_what_comes_from_outside_as_text() -> None:
    page = Page(to_html(make_report(), "en"))
    everything = "".join(page.text.values())
    assert APPROVED[0].reason in everything and "cup & <b>'\"" in everything
    assert "<english> & more" in page.text["en"] and "<日本語>" in page.text["ja"]
    assert "p1 → " in everything and "no result" in page.text["en"]
