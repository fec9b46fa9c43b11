"""Two readings of an ambiguous clause over recorded matches: which of them tell the two apart."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Annotated

from archive.corpus.sources import Packed, Source, count, sources
from archive.regress import comparing
from archive.regress.comparing import Apart, Compared, Count, Readings
from archive.regress.summary import KINDS
from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.many.indexes import warn_of_stale
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, Jobs, Long, warn_of_lost
from cli.values import Cards, GameKey, Paths
from domain.law.game import Game
from domain.law.rulesets import values as every
from domain.words import Text
from projections.verdicts.rendering import kind_words
from recorder.pool import cores

SHOWN_MAX = 20
"""How many matches are listed for people; `--json` has all."""


def compare(
    desk: Desk,
    key: GameKey,
    paths: Paths,
    reading: Annotated[str, "--reading OPTION=A,B"],
    cards: Cards = None,
    jobs: Jobs = None,
    progress: Asked = False,
) -> Answer[Compared]:
    """List the recorded matches that separate two readings, the shortest first; 1 if there are any."""
    game = desk.game(key)
    option, values = asked_reading(desk, reading)
    readings = Readings(key, option, values, files.cards(desk, cards, [game]))
    counted = Count()
    _check_possible(desk, game, option, values)
    where = files.require_paths(desk, paths)
    with Long(desk, "compare.progress", lambda: count(where), progress) as long:
        come = _warning(desk, sources(where))
        with closing(comparing.looked(readings, come, jobs or cores(), warn_of_lost(desk, long))) as coming:
            for match in long.steps(coming):
                counted.add(match)
    if not counted.seen and not long.stopped:
        raise desk.refuse(next(iter(counted.bad.values()), Text("regress.nothing", {"paths": ", ".join(paths)})))
    reasons = tuple(f"{name}: {why.say(desk.lang)}" for name, why in counted.bad.items())
    compared = counted.compared(readings, reasons, long.interrupted)

    code = FINDINGS if compared.separating else FINE
    return Answer(lambda: compared, lambda: _draw(desk, compared), code, lambda: desk.warn(*reasons))


def _warning(desk: Desk, coming: Iterable[Source]) -> Iterator[Source]:
    """The same matches; of each corpus with an index that is not used it is said so."""
    look = warn_of_stale(desk)
    for source in coming:
        if isinstance(source.place, Packed):
            look(source.place.file)
        yield source


def asked_reading(desk: Desk, reading: str) -> tuple[str, tuple[str, str]]:
    """The option and its two values."""
    option, equals, values = reading.partition("=")
    one, comma, other = values.partition(",")
    if not (equals and comma and one and other) or "," in other or one == other:
        raise desk.problem("compare.two_values", reading=shown(reading))
    return option, (one, other)


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
