"""The chance of many matches: every seed, and all shuffles together."""

from functools import partial

from msgspec import UNSET, Struct, UnsetType

from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.problems import BAD_INPUT, FINDINGS, FINE
from cli.progress import Long, warn_of_lost
from corpus.sources import count, sources
from domain.judging.shuffles import OPENING, Case, Shuffles, Trial
from recorder.pool import Interrupted, cores
from regress.fairness import Fair, Unfair, look_at_all

NAMED_MAX = 20
"""How many matches are named on the screen."""
SHOWN_MIN = 20
"""Of how many later shuffles tests are shown that pass; `--json` tells all."""


class FairMatches(Fair, frozen=True, kw_only=True):
    """What can be said of the chance of many matches, as far as the work was done."""

    interrupted: Interrupted | UnsetType = UNSET


class Asked(Struct, frozen=True):
    """At which rate sound corpora may be called suspicious, by how many processes, and whether progress is shown."""

    rate: float
    jobs: int | None
    progress: bool


def fairness_of_all(desk: Desk, path: str, asked: Asked) -> Answer[FairMatches]:
    """Look at every match there; 1 if anything is unfair or suspicious, else 2 if one cannot be read."""
    paths = files.require_paths(desk, [path])
    with Long(desk, "fairness.progress", lambda: count(paths), asked.progress) as long:
        lost = warn_of_lost(desk, long)
        fair = look_at_all(sources(paths), asked.rate, jobs=asked.jobs or cores(), watch=long.steps, lost=lost)
    bad = [f"{unread.name}: {unread.why.say(desk.lang)}" for unread in fair.bad]
    answer = FairMatches(
        chances=fair.chances, unfair=fair.unfair, shuffles=fair.shuffles, bad=fair.bad, interrupted=long.interrupted
    )
    wrong = bool(fair.unfair) or fair.shuffles.suspicious is True
    code = FINDINGS if wrong else BAD_INPUT if bad else FINE
    return Answer(lambda: answer, lambda: _draw(desk, fair), code, partial(desk.warn, *bad))


def _draw(desk: Desk, fair: Fair) -> None:
    sums, unfair = fair.chances, fair.unfair
    for match in unfair[:NAMED_MAX]:
        desk.screen.line(f"{match.name}: {_why(desk, match)}", "bad")
    if len(unfair) > NAMED_MAX:
        desk.tell("fairness.more", n=len(unfair) - NAMED_MAX)
    counted = {"matches": sums.matches, "holds": sums.holds, "broken": sums.broken, "sealed": sums.sealed}
    role = "bad" if unfair else "good"
    desk.tell("fairness.matches", role, **counted, none=sums.none, bad=len(fair.bad))
    if sums.copies:
        desk.tell("fairness.copies", n=sums.copies)
    desk.tell("fairness.drawn", n=sums.drawn)
    if sums.differs:
        desk.tell("fairness.differing", "bad", n=sums.differs)
    if sums.by_hand:
        desk.tell("fairness.hands", n=sums.by_hand)
    for key, n in (("fairness.inherited", sums.inherited), ("fairness.unproved", sums.unproved)):
        if n:
            desk.tell(key, n=n)
    _draw_shuffles(desk, fair.shuffles)


def _why(desk: Desk, match: Unfair) -> str:
    fair = match.fairness
    if fair.proof == "broken":
        return desk.say("fairness.broken")
    each = (("fairness.misfits", fair.misfits), ("fairness.differs", fair.differs))
    said = (desk.say(key, n=len(at), entries=", ".join(map(str, at))) for key, at in each if at)
    return desk.say("list.semicolon").join(said)


def _draw_shuffles(desk: Desk, shuffles: Shuffles) -> None:
    screen = desk.screen
    screen.line()
    desk.tell("shuffles.counted", "heading", first=shuffles.first, later=shuffles.later)
    for key, n in (("shuffles.beyond", shuffles.beyond), ("shuffles.unseen", shuffles.unseen)):
        if n:
            desk.tell(key, n=n)
    if shuffles.tests:
        heads = [desk.say(f"shuffles.{name}") for name in ("test", "which", "number", "p", "verdict")]
        shown = (test for test in shuffles.tests if test.failed or test.turn == OPENING or test.shuffles >= SHOWN_MIN)
        screen.table(heads, [_row(desk, test) for test in shown])
    for test in shuffles.tests:
        for case in test.cases:
            screen.line(f"  {_case(desk, case)}", "bad")
    if shuffles.suspicious:
        desk.tell("shuffles.suspicious", "bad")
    elif shuffles.suspicious is None:
        desk.tell("shuffles.few")
    else:
        desk.tell("shuffles.sound", "good")
    desk.tell("shuffles.rate", share=f"{shuffles.rate * 100:g}")
    if shuffles.reach is not None:
        reach = shuffles.reach
        shares = {"tilt": f"{reach.tilt:.0%}", "found": f"{reach.found:.0%}"}
        desk.tell("shuffles.reach", **shares, n=reach.shuffles, first=shuffles.first)


def _row(desk: Desk, test: Trial) -> tuple[str, ...]:
    which = desk.say("shuffles.first" if test.turn == OPENING else "shuffles.later", n=test.turn)
    name = desk.say(f"shuffles.{test.kind}")
    if test.mean is not None and test.expected is not None:
        name += " " + desk.say("shuffles.mean", mean=f"{test.mean:.2f}", expected=f"{test.expected:.2f}")
    failed = desk.say("shuffles.failed" if test.failed else "shuffles.passed")
    return name, which, str(test.shuffles), f"{test.p:.2g}", failed


def _case(desk: Desk, case: Case) -> str:
    pile = f"{case.game} {case.pile}".strip()
    said = {"pile": pile, "size": case.size, "before": case.before, "after": case.after}
    return desk.say("shuffles.case", **said, count=case.count, all=case.all, expected=f"{case.expected:.1f}")
