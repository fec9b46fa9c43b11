"""The report of a rule change: working links, filters without scripts, and its provenance."""

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from archive.corpus.sources import sources
from archive.regress.approvals import Approval
from archive.regress.counting import RegressionCounter, RegressionReport
from archive.regress.page import AT_ONCE, LISTED, PAIRS, PARTS, Run, diff_texts, to_html
from archive.regress.regressing import regress
from archive.regress.summary import FactKind, First, Summary, Task, Value
from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.target import RulesTarget
from domain.law.clause import Clause
from domain.words import LANGS, Lang
from tests.rejudging.records import CHANGE, SMALL
from tests.rejudging.test_regress_reports import NASTY, Page, make_report

RUN = Run(
    "2026-11-22", "Shinpan 9.9.9", {"blackpoker": "abc123"}, "shinpan regress 'a b' --set hand.limit=5", "--set x=1"
)
TASK = Task(RulesTarget(game="blackpoker", settings=CHANGE))


class Element(Struct):
    tag: str
    given: dict[str, str]
    within: tuple[int, ...]

    @property
    def classes(self) -> set[str]:
        return set(self.given.get("class", "").split())


class Tree(HTMLParser):
    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.all: list[Element] = []
        self.open: list[int] = []
        self.feed(data.decode())
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append(Element(tag, {name: value or "" for name, value in attrs}, tuple(self.open)))
        if tag not in Page.VOID:
            self.open.append(len(self.all) - 1)

    def handle_endtag(self, tag: str) -> None:
        if tag not in Page.VOID:
            assert self.all[self.open.pop()].tag == tag

    def of(self, tag: str, **given: str) -> list[Element]:
        return [one for one in self.all if one.tag == tag and given.items() <= one.given.items()]


@cache
def real() -> RegressionReport:
    reason = Approval(kind="undecided", clause="BP-7.33", reason="it goes on")
    return regress(TASK, sources([SMALL]), approvals=[reason])


def several() -> RegressionReport:
    rows: list[dict[str, Any]] = [
        {"kind": "illegal", "clause": Clause("BP-7.2"), "causes": (Cause("hand.limit", "number"),)},
        {"kind": "winner", "clause": Clause("BP-7.3"), "causes": (Cause("grave_top", "option"),)},
        {"kind": "winner", "clause": Clause("BP-7.2"), "causes": (Cause("grave_top", "option"),)},
    ]
    tally = RegressionCounter()
    for at, row in enumerate(rows):
        tally.add(Summary(at=at, name=f"m{at}", game="blackpoker", **row))
    return tally.report(TASK, [Approval(kind="winner", clause="BP-7.2", reason="meant")])


REPORTS = pytest.mark.parametrize("report", [make_report, real, several])


@REPORTS
@pytest.mark.parametrize("lang", LANGS)
def test_ids_are_unique_and_every_link_leads_to_one(report: Any, lang: Lang) -> None:
    tree = Tree(to_html(report(), lang, RUN))
    ids = Counter(one.given["id"] for one in tree.all if "id" in one.given)
    assert max(ids.values()) == 1
    links = [one.given["href"] for one in tree.of("a")]
    assert len(links) > 4 and all(link.startswith("#") and link[1:] in ids for link in links)
    assert all(one.given["for"] in ids for one in tree.of("label"))


@REPORTS
def test_every_filter_has_a_rule_and_begins_with_all(report: Any) -> None:
    data = to_html(report(), "en")
    tree = Tree(data)
    radios = tree.of("input", type="radio")
    groups = {one.given["name"] for one in radios}
    assert groups >= {"lang", "class"}
    for group in groups:
        assert sum("checked" in one.given for one in radios if one.given["name"] == group) == 1
    rows = [one.classes for one in tree.of("tr") if "f" in one.classes]
    for radio in radios:
        shows = radio.given["id"].removeprefix("f-")
        if radio.given["name"] == "lang" or "checked" in radio.given:
            continue
        assert f"main:has(#f-{shows}:checked) .f:not(.{shows}) {{ display: none }}" in data.decode()
        assert any(shows in row for row in rows), "each choice shows something"


@REPORTS
def test_what_holds_a_match_that_is_shown_is_shown(report: Any) -> None:
    tree = Tree(to_html(report(), "en"))
    for row in tree.of("tr"):
        if "f" in row.classes:
            around = [tree.all[at] for at in row.within if "f" in tree.all[at].classes]
            assert len(around) == 2 and all(row.classes <= one.classes for one in around)


@REPORTS
def test_choices_that_show_nothing_together_are_told_and_no_others(report: Any) -> None:
    data = to_html(report(), "en").decode()
    tree = Tree(data.encode())
    rows = [one.classes for one in tree.of("tr") if "f" in one.classes]
    told = [
        set(re.findall(r"#f-([\w-]+):checked", line))
        for line in data.split("\n")
        if line.endswith(".empty { display: block }")
    ]
    assert not any(choice <= row for choice in told for row in rows)
    radios = [one for one in tree.of("input", type="radio") if one.given["id"].startswith("f-")]
    picks = {
        group: [one.given["id"][2:] for one in radios if one.given["name"] == group]
        for group in ("class", "approval", "cause")
    }
    for one in picks["class"]:
        for other in (*picks["approval"], *picks["cause"]):
            both = {name for name in (one, other) if name not in picks}
            if not any(both <= row for row in rows):
                assert any(choice <= both for choice in told), both
    if report is several:
        assert {"k-illegal", "done"} in told and len(told) > 2


@REPORTS
def test_a_group_of_which_no_match_has_all_that_is_picked_is_not_shown(report: Any) -> None:
    data = to_html(report(), "en").decode()
    rows = [one.classes for one in Tree(data.encode()).of("tr") if "f" in one.classes]
    rules = re.findall(r"^main((?::has\(#f-[\w-]+:checked\))+) \.f:not\(tr\):not\(:has\(tr([\w.-]+)\)\)", data, re.M)
    together = {frozenset(shown.split(".")) - {""} for _, shown in rules}
    assert together and all(any(choice <= row for row in rows) for choice in together)
    for picked, shown in rules:
        assert set(re.findall(r"#f-([\w-]+)", picked)) == set(shown.split(".")) - {""}
    approvals = {pick for row in rows for pick in row & {"open", "done"}}
    if len(approvals) > 1:
        pairs = {
            frozenset((kind, state)) for row in rows for kind in row if kind[:2] == "k-" for state in row & approvals
        }
        assert pairs <= together


def test_it_says_how_it_was_made_and_is_otherwise_the_same_every_day() -> None:
    page = to_html(real(), "en", RUN).decode()
    assert to_html(real(), "en", RUN).decode() == page
    for said in ("2026-11-22", "Shinpan 9.9.9", "law of blackpoker", "abc123", real().digest, "blackpoker@8.1-lite"):
        assert said in page, said
    other = to_html(real(), "en", replace(RUN, date="2027-01-01")).decode()
    assert other != page and other.replace("2027-01-01", "2026-11-22") == page
    text = "".join(Page(page.encode()).text.values())
    assert "shinpan regress 'a b' --set hand.limit=5" in text
    assert "sim-blackpoker-6 --set x=1" in text, "a match can be looked at"
    assert "date" not in Page(to_html(real(), "en")).text["en"].split("Source of this report")[2]


def test_old_and_new_value_and_both_sentences_stand_there() -> None:
    page = to_html(real(), "en", RUN).decode()
    text = Page(page.encode()).text
    assert "<del>current size</del>" in page and "<ins>sum of printed numbers without fogs</ins>" in page
    assert "<del>現在のサイズ</del>" in page
    assert "<code>size</code>" in page and "<code>printed</code>" in page
    assert "which strength fights in Damage judge" in text["en"]


def test_a_match_is_listed_once_among_its_like_and_other_winners_lead_to_it() -> None:
    tree = Tree(to_html(real(), "en"))
    listed = [one for one in tree.of("tr") if "f" in one.classes]
    assert len(listed) == len(real().differences)
    (flip,) = real().flips
    page = to_html(real(), "en").decode()
    link = re.search(r'<a href="#(g\d+-\d+)"><code class="name"><span class="w">sim-blackpoker-33', page)
    assert link is not None and flip.name.endswith("sim-blackpoker-33")
    assert f'id="{link[1]}"' in page


def many(numbers: int, clauses: int = 1) -> RegressionReport:
    tally = RegressionCounter()
    for at in range(numbers):
        first = First(1, FactKind(Clause(f"BP-7.{at % clauses}"), "move", "grave"))
        tally.add(Summary(at=at, name=f"m{at}", kind="path", entries=at, first=first))
    return tally.report(TASK)


@pytest.mark.parametrize("clauses", [1, 40, 200])
def test_a_large_corpus_is_bounded_and_the_command_for_the_rest_is_said(clauses: int) -> None:
    report = many(3 * LISTED, clauses)
    data = to_html(report, "en", RUN)
    listed = [one for one in Tree(data).of("tr") if "f" in one.classes]
    assert AT_ONCE < len(listed) <= LISTED
    text = Page(data).text
    left = sum(map(int, re.findall(r"and (\d+) more, not listed", text["en"])))
    assert left == 3 * LISTED - len(listed)
    assert "shinpan regress 'a b' --set hand.limit=5 --json" in text[""]


def test_many_ways_of_one_root_are_bounded_too() -> None:
    tally = RegressionCounter()
    for at in range(PARTS + 5):
        for more in range(PARTS + 5 - at):
            name = f"m{at}-{more}"
            tally.add(Summary(at=at, name=name, kind="illegal", clause=Clause(f"BP-7.{at}"), entries=1 + at))
    data = to_html(tally.report(TASK), "en", RUN)
    parts = [one for one in Tree(data).of("div") if "part" in one.classes]
    assert len(parts) == PARTS and f"and {5 + 4 + 3 + 2 + 1} more, not listed" in Page(data).text["en"]


def test_many_values_of_one_field_are_bounded_too() -> None:
    tally = RegressionCounter()
    for at in range(PAIRS + 4):
        value = Value("hand.limit", "number", str(at + 1), "0")
        tally.add(
            Summary(
                at=at,
                name=f"m{at}",
                game="blackpoker",
                kind="path",
                values=(value,),
                causes=(Cause("hand.limit", "number"),),
            )
        )
    text = Page(to_html(tally.report(TASK), "en")).text
    assert "other values: 4" in text["en"]


def test_hostile_names_stay_text_in_commands_and_groups() -> None:
    run = replace(RUN, command=f"shinpan regress '{NASTY}'", rules="--cards '<b>x</b>'")
    data = to_html(make_report(), "ja", run)
    tree, page = Tree(data), Page(data)
    assert not {"b", "i", "script", "img"} & {one.tag for one in tree.all}
    everything = "".join(page.text.values())
    assert "--cards '<b>x</b>'" in everything and "\x1b" not in data.decode() and "\x00" not in data.decode()


@pytest.mark.parametrize(
    ("was", "now", "lang", "cut", "added"),
    [
        ("takes 7 cards", "takes 5 cards", "en", "7", "5"),
        ("the same", "the same", "en", "", ""),
        ("a hand", "a hand and more", "en", "", " and more"),
        ("手札は7枚", "手札は5枚", "ja", "7", "5"),
        ("", "all new", "en", "", "all new"),
        ("aa", "a", "ja", "a", ""),
    ],
)
def test_what_was_taken_out_and_put_in_is_marked(was: str, now: str, lang: Lang, cut: str, added: str) -> None:
    found = diff_texts(was, now, lang)
    assert (found.was, found.now) == (cut, added)
    assert (found.begin + found.was + found.end, found.begin + found.now + found.end) == (was, now)


def test_nothing_that_changes_needs_nothing() -> None:
    tally = RegressionCounter()
    tally.add(Summary(at=0, name="m", kind="identical"))
    page = Page(to_html(tally.report(TASK), "ja", RUN))
    assert "No match changes: 1 of 1" in page.text["en"] and "対戦1件は全て同一" in page.text["ja"]
