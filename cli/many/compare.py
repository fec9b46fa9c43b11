"""Comparison of two readings of an ambiguous clause over recorded matches."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Annotated

from archive.corpus.sources import CorpusLocation, Source, count, sources
from archive.regress import comparing
from archive.regress.comparing import ComparisonCounter, ComparisonReport, Readings, SeparatingMatch
from archive.regress.summary import KINDS
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.indexes import warn_of_stale
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, Jobs, LongTask, warn_of_lost
from cli.values import Cards, GameKey, Paths
from domain.law.game import Game
from domain.law.rulesets import values as every
from domain.words import Text
from projections.verdicts.rendering import kind_words
from recorder.pool import cores

SHOWN_MAX = 20
"""Matches shown to people. `--json` has all."""


def compare(
    ctx: CommandContext,
    key: GameKey,
    paths: Paths,
    reading: Annotated[str, "--reading OPTION=A,B"],
    cards: Cards = None,
    jobs: Jobs = None,
    progress: Asked = False,
) -> Answer[ComparisonReport]:
    """List the recorded matches that separate two readings, shortest first. The exit code is 1 if there are any."""
    game = ctx.game(key)
    option, values = asked_reading(ctx, reading)
    readings = Readings(key, option, values, files.read_cards(ctx, cards, [game]))
    counted = ComparisonCounter()
    _check_possible(ctx, game, option, values)
    where = files.require_paths(ctx, paths)
    with LongTask(ctx, "compare.progress", lambda: count(where), progress) as long:
        warned = _warn_of_indexes(ctx, sources(where))
        with closing(comparing.compare_matches(readings, warned, jobs or cores(), warn_of_lost(ctx, long))) as coming:
            for match in long.steps(coming):
                counted.add(match)
    if not counted.seen and not long.stopped:
        raise ctx.refuse(next(iter(counted.bad.values()), Text("regress.nothing", {"paths": ", ".join(paths)})))
    reasons = tuple(f"{name}: {why.say(ctx.lang)}" for name, why in counted.bad.items())
    compared = counted.compared(readings, reasons, long.interrupted)

    code = FINDINGS if compared.separating else FINE
    return Answer(lambda: compared, lambda: _draw(ctx, compared), code, lambda: ctx.warn(*reasons))


def _warn_of_indexes(ctx: CommandContext, coming: Iterable[Source]) -> Iterator[Source]:
    """Yield the same matches. Warn of each corpus with a stale index."""
    warn_stale = warn_of_stale(ctx)
    for source in coming:
        if isinstance(source.place, CorpusLocation):
            warn_stale(source.place.file)
        yield source


def asked_reading(ctx: CommandContext, reading: str) -> tuple[str, tuple[str, str]]:
    """Split `OPTION=A,B` into the option and its two values. Raises CommandError."""
    option, equals, values = reading.partition("=")
    one, comma, other = values.partition(",")
    if not (equals and comma and one and other) or "," in other or one == other:
        raise ctx.problem("compare.two_values", reading=quote_input(reading))
    return option, (one, other)


def _check_possible(ctx: CommandContext, game: Game, option: str, values: tuple[str, str]) -> None:
    """Raise CommandError for an unknown option or value. Each match checks the value against its other rules."""
    if option in every(game.latest) and option not in {known.key for known in game.options}:
        return
    for value in values:
        ctx.options(game, game.latest, [f"{option}={value}"])


def _draw(ctx: CommandContext, compared: ComparisonReport) -> None:
    apart = compared.separating
    if apart:
        readings = (f"{compared.option}={value}" for value in compared.values)
        heads = [ctx.say("head.match"), ctx.say("head.entry"), *readings]
        rows = [(match.match, str(match.entry), *_verdicts(ctx, match)) for match in apart[:SHOWN_MAX]]
        ctx.screen.table(heads, rows)
    counts = {"n": len(apart), "all": compared.matches, "flips": sum(match.outcome_changes for match in apart)}
    ctx.print_message("compare.summary", "bad" if apart else "good", **counts)
    # as `regress` classifies the change from one reading to the other
    classes = ((kind_words(kind, ctx.lang), compared.classes[kind]) for kind in KINDS if kind in compared.classes)
    ctx.screen.line(ctx.say("list.comma").join(ctx.say("compare.class", kind=kind, n=n) for kind, n in classes))
    ctx.print_message("report.for_judges")


def _verdicts(ctx: CommandContext, match: SeparatingMatch) -> Iterator[str]:
    for kind, clause in zip(match.verdicts, match.clauses, strict=True):
        yield ctx.say(f"verdict.{kind}") + (f" {clause}" if clause else "")
