"""Expected differences are approved one by one, by class and clause, with a reason."""

import pytest

from archive.regress.approvals import Approval, approval_of, read_approvals
from archive.regress.counting import RegressionCounter, RegressionReport
from archive.regress.summary import Kind, Summary, Task
from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.target import RulesTarget
from domain.law.clause import Clause
from tests.rows import for_each

GAME = GAMES["blackpoker"]
HEAD = "[[approved]]\n"


def read(text: str) -> tuple[Approval, ...]:
    return read_approvals(text.encode(), "regress.approved.toml", [GAME])


def difference(kind: Kind, clause: str, *causes: str) -> Summary:
    return Summary(
        at=0, name="m", kind=kind, clause=Clause(clause), causes=tuple(Cause(one, "number") for one in causes)
    )


def test_an_approval_covers_its_class_and_clause_and_no_other() -> None:
    (plain,) = read(HEAD + 'class = "illegal"\nclause = "BP-7.2"\nreason = "meant"')
    assert approval_of(difference("illegal", "BP-7.2", "hand.limit"), [plain]) is plain
    for other in (difference("path", "BP-7.2"), difference("illegal", "BP-7.3"), difference("illegal", "")):
        assert approval_of(other, [plain]) is None


def test_a_cause_narrows_an_approval() -> None:
    (narrow,) = read(HEAD + 'class = "illegal"\nclause = "BP-7.2"\ncause = "hand.limit"\nreason = "meant"')
    assert narrow.covers(difference("illegal", "BP-7.2", "draw.mandatory", "hand.limit"))
    assert not narrow.covers(difference("illegal", "BP-7.2", "draw.mandatory"))
    assert not narrow.covers(difference("illegal", "BP-7.2"))


def test_what_no_clause_speaks_of_is_approved_as_such() -> None:
    (none,) = read(HEAD + 'class = "path"\nclause = "-"\ncause = "engine"\nreason = "a choice less"')
    assert none.covers(difference("path", "", "engine")) and not none.covers(difference("path", "BP-7.2", "engine"))


def counted(*matches: Summary, approved: str = "") -> RegressionReport:
    tally = RegressionCounter()
    for match in matches:
        tally.add(match)
    return tally.report(Task(RulesTarget()), read(approved))


def test_a_report_passes_if_all_that_differs_is_approved_and_every_match_was_judged() -> None:
    meant, strange = difference("illegal", "BP-7.2"), difference("path", "BP-7.3")
    approved = HEAD + 'class = "illegal"\nclause = "BP-7.2"\nreason = "meant"'
    report = counted(meant, meant, strange, approved=approved)
    assert {row.clause: (row.matches, row.approved) for row in report.by_clause} == {"BP-7.2": (2, 2), "BP-7.3": (1, 0)}
    assert report.unapproved == 1 and not report.passes
    assert counted(meant, approved=approved).passes
    assert not counted(meant, Summary(at=1, name="n", kind="bad"), approved=approved).passes


def test_no_approvals_are_fine() -> None:
    assert read("") == ()


@for_each(
    "text, said",
    [
        ('class = "illegal"\nclause = "BP-7.2"', "`reason`"),
        ('class = "illegal"\nclause = "BP-7.2"\nreason = ""', "approval 1: the reason is missing"),
        ('class = "illegal"\nclause = "BP-7.2"\nreason = "  "', "the reason is missing"),
        (
            'class = "illegal"\nclause = "BP-77.2"\nreason = "x"',
            "regress.approved.toml:1:1: approval 1: there is no clause 'BP-77.2'",
        ),
        ('class = "illegal"\nclause = "*"\nreason = "x"', "no clause '*'"),
        ('class = "illegal"\nclause = ""\nreason = "x"', "no clause ''"),
        ('class = "illegal"\nclause = "GR-1.1"\nreason = "x"', "no clause 'GR-1.1'"),
        ('class = "*"\nclause = "BP-7.2"\nreason = "x"', "no class '*'"),
        ('class = "identical"\nclause = "BP-7.2"\nreason = "x"', "no class 'identical'"),
        ('class = "bad"\nclause = "BP-7.2"\nreason = "x"', "no class 'bad'"),
        ('class = "path"\nclause = "BP-7.2"\ncause = "hand.limitt"\nreason = "x"', "did you mean hand.limit"),
        ('class = "path"\nclause = "BP-7.2"\ncause = "*"\nreason = "x"', "no cause '*'"),
        ('clause = "BP-7.2"\nreason = "x"', "`class`"),
        ('class = ["illegal", "path"]\nclause = "BP-7.2"\nreason = "x"', "`$.approved[0].class`"),
        ('class = "path"\nclause = "BP-7.2"\nreason = "x"\nall = true', "`all`"),
        ("class = ", "not TOML"),
    ],
)
def test_a_wrong_approval_is_refused_with_its_number_and_key(text: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(HEAD + text)
    assert said in str(caught.value), str(caught.value)
    assert caught.value.name == "regress.approved.toml"
    assert caught.value.say("ja") != caught.value.say("en")


def test_a_wrong_approval_is_found_by_its_line() -> None:
    good = 'class = "path"\nclause = "BP-7.2"\nreason = "x"\n\n'
    with pytest.raises(FormatError, match="approval 2") as caught:
        read(HEAD + good + HEAD + good.replace("BP-7.2", "BP-0.0"))
    assert caught.value.line == 6


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(FormatError, match="approvals"):
        read('[[approvals]]\nclass = "path"\nclause = "BP-7.2"\nreason = "x"')


def test_a_file_nested_too_deep_is_refused() -> None:
    with pytest.raises(FormatError, match="not readable TOML"):
        read_approvals(b"approved = " + b"[" * 5000 + b"]" * 5000, "x.toml", GAMES.values())
