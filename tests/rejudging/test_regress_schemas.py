"""CI reports against the schemas published by their readers, and SARIF's requirements beyond its schema."""

import json
import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from jsonschema_rs import Draft4Validator, meta
from msgspec.json import encode as to_json
from xmlschema import XMLSchema10

from archive.corpus.sources import sources
from archive.regress.approvals import Approval
from archive.regress.counting import RegressionReport
from archive.regress.formats import to_junit, to_sarif
from archive.regress.page import to_html
from archive.regress.regressing import regress
from archive.regress.summary import KINDS, Task
from domain.judging.rejudging.target import RulesTarget
from domain.words import LANGS
from tests.rejudging.records import CHANGE, MATCHES, SMALL
from tests.rejudging.test_regress_reports import make_report
from tests.rows import for_each

pytestmark = pytest.mark.random

SCHEMAS = Path(__file__).parents[1] / "schemas"
SARIF = "sarif-schema-2.1.0.json"
JUNIT = "junit-10.xsd"
FOLDER = os.fsdecode(b"a<b>&\"'{0}\x01\x1b\r \xff%20#?\xe6\x97\xa5")
APPROVED = (Approval(kind="illegal", clause="BP-7.12", reason="<meant> & {wanted} ]]>\x02"),)
TASK = Task(RulesTarget(game="blackpoker", settings={**CHANGE, "grave_top": "auto_last"}))

_URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?([\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})+", re.ASCII)
FORMATS = {
    "uri-reference": lambda text: bool(_URI.fullmatch(text)),
    "uri": lambda text: bool(_URI.fullmatch(text)) and ":" in text,
}


def ran(folder: Path) -> RegressionReport:
    for source in (SMALL, f"{MATCHES}/normal.spn", f"{MATCHES}/disputed.spn"):
        shutil.copy(source, folder)
    (folder / "broken<&>.spn").write_text("{nonsense}")
    return regress(TASK, tuple(sources([folder])), approvals=APPROVED)


@cache
def real() -> RegressionReport:
    with TemporaryDirectory() as root:
        folder = Path(root, FOLDER)
        folder.mkdir()
        return ran(folder)


@cache
def near() -> RegressionReport:
    with TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        folder = Path(FOLDER)
        folder.mkdir()
        return ran(folder)


def nothing() -> RegressionReport:
    return regress(Task(RulesTarget(game="blackpoker", version="8.1-lite")), ())


REPORTS = (real, near, make_report, nothing)
ALL = [(report, lang) for report in REPORTS for lang in LANGS]


@cache
def sarif_schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / SARIF).read_bytes())
    return schema


@cache
def sarif_validator() -> Draft4Validator:
    return Draft4Validator(sarif_schema(), formats=FORMATS, validate_formats=True)


@cache
def junit_schema() -> XMLSchema10:
    return XMLSchema10(str(SCHEMAS / JUNIT))


def wrong_sarif(log: Any) -> list[str]:
    return [f"{error.instance_path}: {error.message}" for error in sarif_validator().iter_errors(log)]


def wrong_junit(text: bytes) -> list[str]:
    return [f"{error.path}: {error.reason}" for error in junit_schema().iter_errors(text.decode())]


def test_the_schemas_are_their_publishers_text() -> None:
    said = (SCHEMAS / "README.md").read_text()
    for name in (SARIF, JUNIT):
        row = next(line for line in said.splitlines() if line.startswith(f"| `{name}`"))
        assert row.split("`")[-2] == sha256((SCHEMAS / name).read_bytes()).hexdigest()


def test_the_sarif_schema_is_whole() -> None:
    schema = sarif_schema()
    meta.validate(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-04/schema#"
    named = set(re.findall(r'"#/definitions/(\w+)"', json.dumps(schema)))
    assert named == set(schema["definitions"]) and len(named) == 52


def test_the_run_shows_every_class_and_an_approval() -> None:
    for found in (real(), near()):
        assert not [kind for kind in KINDS if not found.by_class[kind]]
        approved = [one.match.kind for one in found.differences if one.approved]
        assert approved == ["illegal"] and found.unapproved == len(found.differences) - 1
        assert "\\udcff" in found.bad[0].name and "broken<&>" in found.bad[0].name
        assert "日" in found.differences[0].match.name


@for_each("report, lang", ALL)
def test_junit_is_valid(report: Callable[[], RegressionReport], lang: Any) -> None:
    assert wrong_junit(to_junit(report(), lang)) == []


@for_each("report, lang", ALL)
def test_sarif_is_valid(report: Callable[[], RegressionReport], lang: Any) -> None:
    log = json.loads(to_sarif(report(), lang))
    assert wrong_sarif(log) == []
    assert log["$schema"] == sarif_schema()["id"]


@for_each("lang", LANGS)
def test_a_name_that_is_no_utf8_is_in_every_report(lang: Any) -> None:
    for data in (to_json(real()), to_html(real(), lang), to_junit(real(), lang), to_sarif(real(), lang)):
        assert b"udcff" in data


def test_an_interrupted_run_over_such_names_goes_on(tmp_path: Path) -> None:
    shutil.copy(f"{MATCHES}/normal.spn", tmp_path / os.fsdecode(b"\xff.spn"))
    work = tmp_path / "work"
    first = regress(TASK, tuple(sources([tmp_path])), resume=work)
    assert regress(TASK, tuple(sources([tmp_path])), resume=work) == first and first.by_class["path"] == 1


def _first(log: Any) -> Any:
    return log["runs"][0]["results"][0]


def _approved(log: Any) -> Any:
    return next(one["suppressions"][0] for one in log["runs"][0]["results"] if one["suppressions"])


def _place(log: Any) -> Any:
    return _first(log)["locations"][0]["physicalLocation"]


BROKEN_SARIF: dict[str, Callable[[Any], Any]] = {
    "no version": lambda log: log.pop("version"),
    "another version": lambda log: log.update(version="2.0.0"),
    "no runs": lambda log: log.pop("runs"),
    "no tool": lambda log: log["runs"][0].pop("tool"),
    "a tool without a name": lambda log: log["runs"][0]["tool"]["driver"].pop("name"),
    "a language by its name": lambda log: log["runs"][0].update(language="Japanese"),
    "a rule without an id": lambda log: log["runs"][0]["tool"]["driver"]["rules"][0].pop("id"),
    "the same rule twice": lambda log: log["runs"][0]["tool"]["driver"]["rules"].append(
        log["runs"][0]["tool"]["driver"]["rules"][0]
    ),
    "an unknown level": lambda log: _first(log).update(level="fatal"),
    "no message": lambda log: _first(log).pop("message"),
    "an empty message": lambda log: _first(log).update(message={}),
    "a rule before the first": lambda log: _first(log).update(ruleIndex=-2),
    "a word nobody knows": lambda log: _first(log).update(clause="BP-1.1"),
    "a fingerprint that is a number": lambda log: _first(log)["partialFingerprints"].update(other=1),
    "an unknown status": lambda log: _approved(log).update(status="approved"),
    "an approval of no kind": lambda log: _approved(log).pop("kind"),
    "a name that is no URI": lambda log: _place(log)["artifactLocation"].update(uri="a b"),
    "a line before the first": lambda log: _place(log)["region"].update(startLine=0),
}


@for_each("damage", BROKEN_SARIF)
def test_a_wrong_sarif_log_is_refused(damage: str) -> None:
    log = json.loads(to_sarif(real(), "en"))
    BROKEN_SARIF[damage](log)
    assert wrong_sarif(log)


def _case(root: Xml.Element) -> Xml.Element:
    return root[0][0]


BROKEN_JUNIT: dict[str, Callable[[Xml.Element], Any]] = {
    "a test without a name": lambda root: _case(root).attrib.pop("name"),
    "a suite without a count": lambda root: root[0].attrib.pop("tests"),
    "a suite without a name": lambda root: root[0].attrib.pop("name"),
    "skipped counted over all suites": lambda root: root.set("skipped", "0"),
    "a time in words": lambda root: root.set("time", "soon"),
    "an entry": lambda root: _case(root).set("entry", "9"),
    "a verdict": lambda root: Xml.SubElement(_case(root), "verdict"),
    "a test outside of a suite": lambda root: root.append(_case(root)),
    "text in a test": lambda root: setattr(_case(root), "text", "identical"),
}


@for_each("damage", BROKEN_JUNIT)
def test_a_wrong_junit_file_is_refused(damage: str) -> None:
    root = Xml.fromstring(to_junit(real(), "en"))
    BROKEN_JUNIT[damage](root)
    assert wrong_junit(Xml.tostring(root))


def _results(report: RegressionReport, lang: Any = "en") -> list[Any]:
    found: list[Any] = json.loads(to_sarif(report, lang))["runs"][0]["results"]
    return found


@for_each("report, lang", ALL)
def test_a_result_names_its_rule_and_the_language_is_said(report: Callable[[], RegressionReport], lang: Any) -> None:
    (run,) = json.loads(to_sarif(report(), lang))["runs"]
    driver = run["tool"]["driver"]
    ids = [one["id"] for one in driver["rules"]]
    assert len(ids) == len(set(ids)) and run["language"] == driver["language"] == lang
    assert all(ids[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    assert {one["ruleId"] for one in run["results"]} == set(ids)
    assert all("kind" not in one for one in run["results"])  # absent means `fail`, and only `fail` has a level


def test_all_results_can_be_suppressed_or_none() -> None:
    found = [one["suppressions"] for one in _results(real())]
    assert sorted(map(len, found)) == [0] * (len(found) - 1) + [1]


def test_braces_are_no_placeholders() -> None:
    (approved,) = (one["suppressions"][0] for one in _results(near()) if one["suppressions"])
    assert approved["justification"] == APPROVED[0].reason  # without a message, nothing is filled in
    bad = next(one for one in _results(near()) if one["properties"]["class"] == "bad")
    assert "{{0}}" in bad["message"]["text"] and "{0}" in bad["locations"][0]["logicalLocations"][0]["name"]
    assert not re.search(r"(?<!\{)\{(\{\{)*(?!\{)", bad["message"]["text"])


def test_a_file_is_named_by_a_uri() -> None:
    for report, begins in (
        (real(), "file:///"),
        (near(), "a%3Cb%3E%26%22%27%7B0%7D%01%1B%0D%20%5Cudcff%2520%23%3F%E6"),
    ):
        places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in _results(report)]
        assert len(set(places)) == 4 and all(one.startswith(begins) for one in places)


@for_each("report, lang", ALL)
def test_code_scanning_finds_all_it_requires(report: Callable[[], RegressionReport], lang: Any) -> None:
    (run,) = json.loads(to_sarif(report(), lang))["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["id"] and rule["help"]["text"]
        assert all(0 < len(rule[part]["text"]) <= 1024 for part in ("shortDescription", "fullDescription"))
    for one in run["results"]:
        (where,) = one["locations"]
        place = where["physicalLocation"]
        assert one["message"]["text"] and place["artifactLocation"]["uri"]
        assert all(place["region"][part] for part in ("startLine", "startColumn", "endLine", "endColumn"))
    known = [one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]]
    assert len(set(known)) == len(known) and all(re.fullmatch("[0-9a-f]{16}:1", one) for one in known)


def test_a_match_is_known_again_by_another_run() -> None:
    plain = regress(Task(RulesTarget(game="blackpoker", settings=CHANGE)), tuple(sources([SMALL])))
    more = regress(TASK, tuple(sources([SMALL])))
    name = plain.flips[0].name
    prints = []
    for report, lang in ((plain, "en"), (more, "ja")):
        found = [one for one in _results(report, lang) if one["locations"][0]["logicalLocations"][0]["name"] == name]
        prints += [one["partialFingerprints"] for one in found]
    assert len(prints) == 2 and prints[0] == prints[1]
