"""Two readings of an ambiguous clause over recorded matches: which of them tell the two apart."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.problems import FINDINGS, FINE, Problem
from cli.values import Cards, GameKey, Paths
from corpus.sources import Bad, matches_of
from domain.judging.rejudging import Unreadable, comparing
from domain.judging.rejudging.comparing import Separation
from domain.law.game import Game
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import RulesetError, values as every
from domain.words.foreign import quoted
from projections.verdicts.rendering import kind_words
from regress.summary import KINDS

SHOWN_MAX = 20
"""How many matches are listed for people; `--json` has all."""


class Apart(Struct, frozen=True):
    """A match that tells the two readings apart: from which entry on, and what each says of it."""

    match: str
    entry: int
    entries: int
    verdicts: tuple[str, str]
    clauses: tuple[str, str]
    outcome_changes: bool
    kind: str


class Compared(Struct, frozen=True):
    """Two readings over recorded matches: how many matches are of which class, those that tell them apart, the
    shortest first, and those of which it cannot be said."""

    game: str
    option: str
    values: tuple[str, str]
    matches: int
    classes: dict[str, int]
    separating: tuple[Apart, ...]
    bad: tuple[str, ...]


def compare(
    desk: Desk, key: GameKey, paths: Paths, reading: Annotated[str, "--reading OPTION=A,B"], cards: Cards = None
) -> Answer[Compared]:
    """List the recorded matches that separate two readings, the shortest first; 1 if there are any."""
    game = desk.game(key)
    option, values = asked_reading(desk, reading)
    overlay = files.cards(desk, cards, [game])
    apart: list[Apart] = []
    bad: dict[str, Problem] = {}
    seen = 0
    _check_possible(desk, game, option, values)
    for source, match in matches_of(game.key, files.require_paths(desk, paths)):
        try:
            if isinstance(match, Bad):
                raise desk.refuse(match.why)
            parting = _separate(desk, match, option, values, overlay)
        except Problem as problem:
            bad[source.name] = problem
            continue
        seen += 1
        if parting is not None:
            apart.append(
                Apart(
                    match=source.name,
                    entry=parting.entry,
                    entries=len(match.entries),
                    verdicts=(parting.one.kind, parting.other.kind),
                    clauses=(parting.one.clause, parting.other.clause),
                    outcome_changes=parting.outcome_changes,
                    kind=parting.kind,
                )
            )
    if not seen:
        raise next(iter(bad.values()), desk.problem("regress.nothing", paths=", ".join(paths)))
    reasons = tuple(f"{name}: {problem.message}" for name, problem in bad.items())
    apart.sort(key=lambda match: (match.entry, match.entries, match.match))
    classes = Counter({"identical": seen - len(apart)}) + Counter(match.kind for match in apart)
    compared = Compared(key, option, values, seen, dict(classes), tuple(apart), reasons)

    code = FINDINGS if apart else FINE
    return Answer(lambda: compared, lambda: _draw(desk, compared), code, lambda: desk.warn(*reasons))


def asked_reading(desk: Desk, reading: str) -> tuple[str, tuple[str, str]]:
    """The option and its two values."""
    option, equals, values = reading.partition("=")
    one, comma, other = values.partition(",")
    if not (equals and comma and one and other) or "," in other or one == other:
        raise desk.problem("compare.two_values", reading=shown(reading))
    return option, (one, other)


def _separate(
    desk: Desk, match: Record, option: str, values: tuple[str, str], cards: Overlay | None
) -> Separation | None:
    """What tells the readings apart in a match. Raises Problem where that cannot be said."""
    try:
        rules = desk.lay_over(match.game, match.rules, cards)
        one, other = (desk.options(match.game, rules, [f"{option}={value}"]) for value in values)
        return comparing.separate(match.game, match.entries, one, other)
    except Problem:
        raise
    except (Unreadable, RulesetError) as error:
        raise desk.refuse(error.text) from None
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        raise desk.problem("regress.failed", error=type(error).__name__, why=quoted(error)) from None


def _check_possible(desk: Desk, game: Game, option: str, values: tuple[str, str]) -> None:
    """Is there such an option, and has it these values? Whether they fit a match's other rules, each match says."""
    if option in every(game.latest) and option not in {known.key for known in game.options}:
        return
    for value in values:
        desk.options(game, game.latest, [f"{option}={value}"])


def _draw(desk: Desk, compared: Compared) -> None:
    apart = compared.separating
    if apart:
        readings = (f"{compared.option}={value}" for value in compared.values)
        heads = [desk.say("head.match"), desk.say("head.entry"), *readings]
        rows = [(match.match, str(match.entry), *_verdicts(desk, match)) for match in apart[:SHOWN_MAX]]
        desk.screen.table(heads, rows)
    counts = {"n": len(apart), "all": compared.matches, "flips": sum(match.outcome_changes for match in apart)}
    desk.tell("compare.summary", "bad" if apart else "good", **counts)
    # as `regress` counts the change from one reading to the other
    classes = ((kind_words(kind, desk.lang), compared.classes[kind]) for kind in KINDS if kind in compared.classes)
    desk.screen.line(desk.say("list.comma").join(desk.say("compare.class", kind=kind, n=n) for kind, n in classes))
    desk.tell("report.for_judges")


def _verdicts(desk: Desk, match: Apart) -> Iterator[str]:
    for kind, clause in zip(match.verdicts, match.clauses, strict=True):
        yield desk.say(f"verdict.{kind}") + (f" {clause}" if clause else "")
