"""Filings in notation: round trips, and errors with their positions."""

from typing import Annotated, ClassVar, get_args

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation, write_notation
from domain.formats.notation.directives import read_directive, write_directive
from domain.formats.tokens import quote, tokens
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.law.logged import DirectiveField, Logged, Public, Quoted, Sentence
from domain.table.table import Seat
from tests.filing import P1, P2
from tests.frozen.samples import ENTRIES
from tests.rows import for_each
from tests.toy import TOY

HEADER = """[Game "toy"]
[Version "1"]

chance: shuffle p1 S1,S2,S3,S4,S5,H1,H2,H3,H4,H5
chance: shuffle p2 S1,S2,S3,S4,S5,H1,H2,H3,H4,H5
"""
ODD = ("", "-", "@5", "!", "%rule", "a,b", '"', "a=b", "two\nlines", "\u2028", "裁定 {1}; [x]", "\\", "by-hand", "🂡")

NUMBERS = st.integers(0, 10**17)
TEXTS = st.sampled_from(ODD) | st.text(max_size=20)
SEATS = st.sampled_from((P1, P2)) | TEXTS.map(Seat)
CLAUSES = st.lists(TEXTS.map(Clause), max_size=3).map(tuple)
PENALTIES = st.builds(D.Penalty, SEATS, TEXTS, TEXTS)
HEAD = {"at": NUMBERS, "by": TEXTS}
RULING = {
    "dispute": NUMBERS,
    "verdict": st.sampled_from(get_args(D.Verdict)),
    "clauses": CLAUSES,
    "penalties": st.lists(PENALTIES, max_size=2).map(tuple),
    "repair": st.builds(D.Repair, st.sampled_from(get_args(D.RepairKind)), NUMBERS),
    "reason": TEXTS,
    "departure": TEXTS,
    "opinion": st.builds(D.Opinion, TEXTS, TEXTS, CLAUSES),
}
FILED: dict[type[D.Filed], st.SearchStrategy[D.Filed]] = {
    D.Disputed: st.builds(
        D.Disputed,
        **HEAD,
        matter=st.builds(D.Matter, NUMBERS, NUMBERS, TEXTS.map(Clause)),
        claims=st.dictionaries(SEATS, TEXTS, max_size=3),
        dispute=NUMBERS,
    ),
    D.Ruled: st.builds(D.Ruled, **HEAD, **RULING),
    D.Appealed: st.builds(D.Appealed, **HEAD, dispute=NUMBERS, reason=TEXTS),
    D.Decided: st.builds(D.Decided, **HEAD, **RULING, outcome=st.sampled_from(get_args(D.Outcome))),
    D.Penalised: st.builds(D.Penalised, **HEAD, penalty=PENALTIES, reason=TEXTS, departure=TEXTS),
    D.Paused: st.builds(D.Paused, **HEAD, reason=TEXTS),
    D.Resumed: st.builds(D.Resumed, **HEAD, extension=NUMBERS),
    D.Unsealed: st.builds(D.Unsealed, **HEAD, eyes=SEATS, until=NUMBERS),
    D.Sealed: st.builds(D.Sealed, **HEAD, eyes=SEATS),
    D.Revealed: st.builds(D.Revealed, **HEAD, seat=SEATS, secret=TEXTS, reason=TEXTS),
}
START = parse_notation(HEADER, {"toy": TOY})


def back(entry: Entry) -> Entry:
    text = write_notation(TOY, [*START, entry])
    (again,) = parse_notation(text, {"toy": TOY})[len(START) :]
    return again


@pytest.mark.random
@pytest.mark.parametrize("kind", get_args(D.Filed))
@settings(max_examples=60)
@given(data=st.data())
def test_whatever_it_holds_is_read_as_it_was_filed(kind: type[D.Filed], data: st.DataObject) -> None:
    entry = data.draw(FILED[kind])
    assert back(entry) == entry
    assert msgspec.json.encode(back(entry)) == msgspec.json.encode(entry), "in the same order, too"
    line = write_directive(entry)
    assert len(line.splitlines()) == 1 and line.startswith("%") and not line.startswith("%entry")


@for_each("entry", [entry for entry in ENTRIES.values() if isinstance(entry, D.Filed)])
def test_the_json_of_an_entry_is_read_as_before(entry: D.Filed) -> None:
    assert back(entry) == entry
    text = f"{HEADER}%entry {quote(msgspec.json.encode(entry).decode())}\n"
    assert parse_notation(text, {"toy": TOY})[-1] == entry


@for_each(
    "entry, line",
    [
        ("disputed", '%dispute p1 entry=4 thing=31 clause=BP-6.4 dispute=3 claim=p1,"it was charged" claim=p2,"違う"'),
        ("disputed.least", '%dispute ""'),
        ("ruled.least", '%rule "" 1 unclear'),
        ("appealed", '%appeal p1 5 "nobody saw it"'),
        ("decided.least", '%decide "" 1 upheld ""'),
        ("penalised", '%penalise abe p2,warning "late" departure="mild"'),
        ("paused", '%pause abe "a call"'),
        ("resumed", "%resume abe extension=185000"),
        ("unsealed", "%unseal kato p1 until=600009"),
        ("sealed", "%seal kato p1"),
        ("revealed", "%reveal kato p1 secret=000102030405060708090a0b0c0d0e0f"),
        ("revealed.missing", '%reveal kato p2 "gone home"'),
    ],
)
def test_it_is_written_so_that_people_read_it(entry: str, line: str) -> None:
    assert write_directive(ENTRIES[entry]) == line  # type: ignore[arg-type]


def test_a_ruling_says_all_of_it_in_one_line() -> None:
    rewinds = D.Repair("rewind", 46)
    opinion = D.Opinion("9f3a", "consequences", (Clause("BP-10.6"),))
    ruled = D.Ruled(
        by="head judge",
        dispute=55,
        verdict="wrong_outcome",
        clauses=(Clause("BP-9.4"), Clause("BP-10.6")),
        penalties=(D.Penalty(P2, "caution", "misplay"), D.Penalty(P1, "caution")),
        repair=rewinds,
        reason="clubs count",
        departure="a child",
        opinion=opinion,
    )
    assert write_directive(ruled) == (
        '%rule "head judge" 55 wrong_outcome "clubs count" clauses=BP-9.4,BP-10.6 penalty=p2,caution,misplay'
        ' penalty=p1,caution repair=rewind to=46 departure="a child" law=9f3a finding=consequences found=BP-10.6'
    )
    decided = D.Decided(by="abe", dispute=55, outcome="overturned", reason="", verdict="no_fault", repair=rewinds)
    assert write_directive(decided) == '%decide abe 55 overturned "" verdict=no_fault repair=rewind to=46'


class Warned(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="warned"):
    directive: ClassVar[str] = "warn"

    by: Public[str]
    seats: dict[Seat, str] = msgspec.field(default_factory=dict)
    to: Public[int]
    because: Annotated[tuple[Clause, ...], DirectiveField("clauses")] = ()
    remark: Quoted[str] = ""
    reason: Public[Sentence] = ""


@for_each(
    "entry, line",
    [
        (Warned(by="kato", to=3), "%warn kato 3"),
        (
            Warned(by="", to=0, because=(Clause("A-1"), Clause("")), remark="slow", reason="late", seats={P1: "no"}),
            '%warn "" 0 "late" clauses=A-1,"" remark="slow" seats=p1,"no"',
        ),
    ],
)
def test_type_of_entry_has_its_directive_from_its_fields(entry: Warned, line: str) -> None:
    assert write_directive(entry) == line  # type: ignore[arg-type]
    assert read_directive(Warned, tokens(line), 0) == entry


@for_each(
    "line, column, message",
    [
        ("%dispute", 1, "needs who"),
        ("%dispute p1 entry=x", 19, "whole number"),
        ("%dispute p1 about=3", 13, "entry, thing, clause, dispute, claim"),
        ("%dispute p1 entry=3 entry=4", 21, "thing, clause, dispute, claim"),
        ("%dispute p1 claim=p1", 19, "needs a seat and text"),
        ('%dispute p1 claim=p1,"a" claim=p1,"b"', 32, "p1 has two claims"),
        ("%rule kato", 1, "needs the number of a dispute"),
        ("%rule kato 5", 1, "needs a verdict"),
        ("%rule kato 5 guilty", 14, "not_allowed, wrong_outcome, no_fault, unclear"),
        ("%rule kato 5 unclear repair=forget", 29, "leave, rewind, by_hand"),
        ("%rule kato 5 unclear penalty=p1", 30, "needs a seat, a step"),
        ('%rule kato 5 unclear "why" "why"', 28, "part of %rule"),
        ("%appeal p1 5", 1, "needs a reason"),
        ("%appeal p1 5 because", 14, "double quotes"),
        ('%appeal p1 5 "a" "b"', 18, "nothing may follow"),
        ('%decide abe 5 won "x"', 15, "upheld, overturned, remanded"),
        ('%decide abe 5 overturned "x" verdict=guilty', 38, "not_allowed, wrong_outcome, no_fault, unclear"),
        ("%penalise abe", 1, "needs a seat, a step"),
        ("%penalise abe p1,caution,late,again", 15, "needs a seat, a step"),
        ("%resume abe extension=long", 23, "whole number"),
        ("%resume abe 60", 13, "extension"),
        ("%unseal kato", 1, "needs a seat"),
        ("%seal kato p1 p2", 15, "nothing may follow"),
        ("%pause kato !", 1, "only after an action"),
        ("%ruel kato 5 unclear", 1, "rule"),
    ],
)
def test_what_is_none_is_refused_by_its_place(line: str, column: int, message: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_notation(HEADER + line, {"toy": TOY})
    assert message in refused.value.message, str(refused.value)
    assert (refused.value.line, refused.value.column) == (HEADER.count("\n") + 1, column)
    assert refused.value.say("ja")
