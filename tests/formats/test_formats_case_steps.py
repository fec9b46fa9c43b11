"""Steps of cases: mismatches, endings, clause names, knowledge, and the judging of records."""

import pytest

from domain.formats.casebook import Failure, Report, run_case
from domain.formats.casebook.load import DEEP_MAX, STEPS_MAX
from domain.formats.casebook.rulings import Rulings
from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.judging.rulings import RULINGS
from domain.law import croupier
from tests.cli.runs import DISPUTED
from tests.formats.test_formats_casebook import GAME as BLACKPOKER, HEAD, STEP, case
from tests.rows import for_each

BODY = '[case.given.places]\n"p1.hand" = ["S4", "S2"]\n"p1.bulwarks" = ["b = C6"]\n'


def run(body: str, head: str = HEAD) -> Report:
    return run_case(case(body, head), BLACKPOKER)


def refusal(body: str) -> str:
    with pytest.raises(FormatError) as caught:
        case(body)
    assert caught.value.name == "my.cases.toml"
    return caught.value.message.say("en")


def test_all_mismatches_of_a_step_are_shown() -> None:
    then = 'then = { awaited = ["p1"], turn = 9, count = { "p1.hand" = 5, "p1.life" = 12 } }'
    report = run(STEP % '"p1: pass"' + then)
    assert [(each.step, each.what) for each in report.failures] == [
        (1, "count p1.hand"),
        (1, "awaited"),
        (1, "turn"),
    ]
    later = run(STEP % '"p1: pass"' + "then.turn = 9\n[[case.step]]\nwhen = []\nthen.turn = 8")
    assert [each.step for each in later.failures] == [1], "what follows a step that fails is not played"


@for_each(
    "written, found",
    [
        ("C6 owner=p2", "C6 owner=p1"),
        ("C6 by=p2", "C6 by=p1"),
        ("C6 thing=99", "C6 thing=27"),
        ("C6 up", "C6 down"),
        ("C6 driven", "C6 charged"),
        ("C6 entered=5", "C6 entered=0"),
        ("C6 seen=p2", "C6"),
    ],
)
def test_what_is_found_says_as_much_as_what_was_written(written: str, found: str) -> None:
    (wrong,) = run(STEP % '"p1: pass"' + f'then.places."p1.bulwarks" = ["{written}"]').failures
    assert (wrong.what, wrong.found) == ("places p1.bulwarks", (found,))


def test_what_is_found_shows_whose_a_card_is_where_that_is_not_as_usual() -> None:
    body = 'given.breaks = ["no_card_lies_with_the_other"]\n' + BODY + '"p2.soldiers" = ["S5 owner=p1 by=p1"]\n'
    (wrong,) = run(body + '[[case.step]]\nwhen = []\nthen.places."p2.soldiers" = []').failures
    assert wrong.found == ("S5 owner=p1",)


@for_each(
    "then, what, message",
    [
        ('refused = "BP-4.99"', "refused", "there is no clause 'BP-4.99' (did you mean BP-4.9?)"),
        ('violations = ["BP-99"]', "violations", "there is no clause 'BP-99'"),
        ('result = { clause = "BP-1.99" }', "result clause", "there is no clause 'BP-1.99'"),
        ('told = ["BP-99.1 move"]', "told", "there is no clause or fact 'BP-99.1'"),
        ('untold = ["BP-4.2 moved"]', "untold", "there is no fact 'moved' (did you mean move?)"),
    ],
)
def test_a_clause_that_is_none_is_an_error_before_anything_is_played(then: str, what: str, message: str) -> None:
    body = BODY + '[[case.step]]\nwhen = ["p1: fly"]\n[[case.step]]\nwhen = ["p1: pass"]\nthen.'
    (wrong,) = run(body + then).failures
    assert (wrong.step, wrong.what) == (2, what)
    assert message in wrong.found.say("en")


ENDINGS = """
[[case.step]]
when = ["p1: attack"]
then.stack = ["attack"]
[[case.step.ending]]
id = "answered"
en = "p2 passes, and the attack comes through"
[[case.step.ending.step]]
when = ["pp"]
then.asked = ["p1 designate_attackers"]
[[case.step.ending.step.ending]]
id = "nobody"
[[case.step.ending.step.ending.step]]
when = ["p1: designate_attackers -"]
then.{then}
[[case.step.ending]]
id = "conceded"
[[case.step.ending.step]]
when = ["p2: concede"]
then.result = {{ winners = ["p1"] }}
[[case.step]]
when = ["p1: concede"]
then.result = {{ winners = ["{winner}"] }}
"""


def test_a_step_branches_into_endings_and_goes_on_as_if_there_were_none() -> None:
    assert run(BODY + ENDINGS.format(then="stack = []", winner="p2")).failures == ()


def test_a_failure_names_its_ending_and_the_others_are_played_all_the_same() -> None:
    report = run(BODY + ENDINGS.format(then='stack = ["attack"]', winner="p1"))
    assert [(each.ending, each.step, each.what) for each in report.failures] == [
        (("answered", "nobody"), 1, "stack"),
        ((), 2, "result winners"),
    ]


def test_an_ending_fails_by_itself_where_its_action_is_no_action() -> None:
    body = BODY + ENDINGS.format(then="stack = []", winner="p2").replace("p2: concede", "p2: fly")
    (wrong,) = run(body).failures
    assert (wrong.ending, wrong.step, wrong.what) == (("conceded",), 1, "when 'p2: fly'")


def endings(number: int) -> str:
    each = '[[case.step.ending]]\nid = "e{n}"\n[[case.step.ending.step]]\nwhen = ["pp"]\nthen.passed = []\n'
    return BODY + '[[case.step]]\nwhen = ["p1: attack"]\n' + "".join(each.format(n=n) for n in range(number))


def test_a_hundred_endings_are_played_and_too_many_are_refused() -> None:
    report = run(endings(100))
    assert report.failures == () and report.passed
    assert f"more than {STEPS_MAX} steps in one case" in refusal(endings(STEPS_MAX))


def deep(number: int) -> str:
    inner = '{ when = ["p1: pass"] }'
    for n in range(number):
        inner = f'{{ when = [], ending = [{{ id = "e{n}", step = [{inner}] }}] }}'
    return f"{BODY}[[case.step]]\nwhen = []\n[[case.step.ending]]\nid = 'x'\nstep = [{inner}]\n"


@for_each(
    "body, message",
    [
        (endings(2).replace('"e1"', '"e0"'), "two endings are called e0"),
        (endings(1).replace('"e0"', '"a/b"'), "step 1: an ending needs an id without a slash, not 'a/b'"),
        (endings(1).replace('"e0"', '""'), "step 1: an ending needs an id without a slash, not ''"),
        (endings(1).replace('id = "e0"\n', ""), "missing required field `id`"),
        (BODY + '[[case.step]]\nwhen = []\nending = [{ id = "e", step = [] }]', "step 1: ending e has no steps"),
        (endings(1).replace("then.passed", "then.pased"), "step 1 ending 1 step 1 then: there is no key 'pased'"),
        (endings(1).replace('when = ["pp"]', "when = []\nas_played = true"), "ending e0: step 1: as_played needs"),
        (deep(DEEP_MAX), f"endings are nested more than {DEEP_MAX} deep"),
    ],
)
def test_endings_that_cannot_be_read(body: str, message: str) -> None:
    assert message in refusal(body)


def test_as_many_endings_within_each_other_as_may_be_are_played() -> None:
    assert run(deep(DEEP_MAX - 1)).failures == ()


@for_each(
    "then, what",
    [
        ('knows = { p1 = ["S4", "b"], judge = ["b"] }', None),
        ('knows_not = { p2 = ["S4", "b"], spectator = ["b"] }', None),
        ('knows = { p2 = ["S4"] }', "knows p2"),
        ('knows_not = { p1 = ["S4"] }', "knows_not p1"),
        ('knows = { p7 = ["S4"] }', "knows"),
        ('knows = { p1 = ["S99"] }', "knows"),
    ],
)
def test_who_knows_which_card_can_be_said(then: str, what: str | None) -> None:
    failures = run(STEP % '"p1: pass"' + f"then.{then}").failures
    assert [each.what for each in failures] == ([] if what is None else [what])


ENTRIES = parse_notation(DISPUTED.read_text(encoding="utf-8"), GAMES, croupier.make_random_source)


def judge_failures(then: str, at: int = 0, step: str = "when = []", rulings: Rulings | None = RULINGS) -> list[Failure]:
    body = f'given.match = "disputed.spn"\ngiven.at = {at}\n[[case.step]]\n{step}\nthen.{then}\n'
    return list(run_case(case(body), BLACKPOKER, lambda path: ENTRIES, rulings=rulings).failures)


FOUND = ("10 not_allowed BP-7.15", "30 not_allowed BP-4.2", "47 consequences BP-10.6")


def test_the_findings_of_an_audit_can_be_said() -> None:
    assert judge_failures(f"findings = {list(FOUND)}") == judge_failures(f"findings = {list(reversed(FOUND))}") == []
    assert judge_failures(f"findings = {list(FOUND[:1])}", at=12) == judge_failures("findings = []", at=9) == []
    (wrong,) = judge_failures(f"findings = {list(FOUND[1:])}")
    assert (wrong.what, wrong.found, wrong.at, wrong.now) == ("findings", FOUND, ("findings",), FOUND)


def test_what_a_step_plays_all_the_same_is_a_finding_too() -> None:
    step = 'when = ["p1: designate_attackers D3,S4"]\nas_played = true'
    assert judge_failures(f"findings = {list(FOUND[:1])}", at=9, step=step) == []


def test_the_class_of_a_match_under_other_rules_can_be_said() -> None:
    right = '[{ set = { "hand.limit" = 5 }, verdict = "undecided", entry = 20, clause = "BP-4.15" }'
    assert judge_failures(f"rejudged = {right}]") == []
    assert (
        judge_failures(f'rejudged = {right}, {{ version = "8.1-lite-seed", verdict = "illegal", entry = 50 }}]') == []
    )
    wrong = judge_failures('rejudged = [{ set = { "hand.limit" = 5 }, verdict = "identical", entry = 3 }]')
    assert [(each.what, each.found, each.at) for each in wrong] == [
        ("rejudged hand.limit=5 verdict", "undecided", ("rejudged", 0, "verdict")),
        ("rejudged hand.limit=5 entry", 20, ("rejudged", 0, "entry")),
    ]


@for_each(
    "then, message",
    [
        ('findings = ["BP-7.15"]', "write a finding as `entry kind clause`"),
        (
            'findings = ["10 not_alowed BP-7.15"]',
            "there is no kind of finding 'not_alowed' (did you mean not",
        ),
        ('findings = ["10 not_allowed BP-99"]', "there is no clause 'BP-99'"),
        ('rejudged = [{ verdict = "same" }]', "there is no class 'same'; allowed: identical, path, illegal"),
        ('rejudged = [{ verdict = "illegal", clause = "BP-99" }]', "there is no clause 'BP-99'"),
        ('rejudged = [{ verdict = "illegal", version = "7.7" }]', "'7.7'"),
        ('rejudged = [{ verdict = "illegal", set = { "hand.limt" = 5 } }]', "hand.limt"),
    ],
)
def test_rulings_that_nobody_can_give_are_errors(then: str, message: str) -> None:
    (wrong,) = judge_failures(then)
    assert wrong.step == 1 and message in wrong.found.say("en")


def test_a_record_is_judged_only_where_there_is_one_and_somebody_to_judge() -> None:
    assert "step 1: findings needs a match in given" in refusal(BODY + "[[case.step]]\nwhen = []\nthen.findings = []")
    assert "step 1: rejudged needs a match" in refusal(BODY + "[[case.step]]\nwhen = []\nthen.rejudged = []")
    (wrong,) = judge_failures("findings = []", rulings=None)
    assert wrong.found.say("en") == "recorded matches cannot be judged here"


def test_what_a_case_claims_and_nothing_shows_is_known() -> None:
    report = run('clauses = ["BP-4.2", "BP-8.5"]\n[[case.step]]\nwhen = ["p2: pass"]\nthen.refused = "BP-4.2"')
    assert report.unwitnessed == ("BP-8.5",)
