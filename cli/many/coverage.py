"""Coverage of a game's clauses, cards and options."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from archive.corpus.sources import Source, StoreLocation, UnreadableLocation, UnreadableMatch, count, load, sources
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, is_open, quote_input
from cli.many.case import Loader, load as load_cases, match_loader
from cli.outputs import distinct, write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE
from cli.progress import Asked, LongTask
from cli.values import GameKey
from domain.formats.casebook import Case, run_case
from domain.formats.casebook.load import SUFFIX, every_step
from domain.formats.errors import decode_text
from domain.judging.coverage import Coverage, CoverageCounter, Unreachable, read_unreachable
from domain.judging.rulings import RULINGS
from domain.law.clause import Clause
from domain.law.record import Record
from domain.words import Text
from projections.html.coverage import COLUMNS, to_html
from projections.seen_entries import seen_entries
from recorder.answers import Interrupted

NEVER_SHOWN = 12


class Covered(Struct, frozen=True):
    """Coverage. `never` are clauses that nothing exercises, `unspoken` those that only cases exercise. `bad` are
    unreadable inputs."""

    coverage: Coverage
    never: tuple[Clause, ...]
    unspoken: tuple[Clause, ...]
    bad: tuple[str, ...]
    interrupted: Interrupted | UnsetType = UNSET


def coverage(
    ctx: CommandContext,
    key: GameKey,
    corpora: Annotated[list[str] | None, "--corpus PATH"] = None,
    html: Annotated[str | None, "--html FILE"] = None,
    progress: Asked = False,
) -> Answer[Covered]:
    """Count what cases and recorded matches exercise. The exit code is 1 if a binding clause was never exercised.

    It is 2 if an input could not be read, because its coverage is unknown.
    """
    game = ctx.game(key)
    distinct(ctx, {"--html": html}, corpora or [], ())
    counting = CoverageCounter(game)
    paths, folder = files.require_paths(ctx, corpora or []), Path("fixtures") / key
    unread: list[tuple[Source, Text]] = []
    with LongTask(
        ctx, "coverage.progress", lambda: count(paths) + sum(1 for _ in _cases(ctx, folder)), progress
    ) as long:
        coming: Iterator[Source | Case] = chain(sources(paths), _cases(ctx, folder))
        for step in long.steps(coming):
            if isinstance(step, Case):
                _count_case(counting, step, match_loader(ctx, folder / "cases"))
            elif (why := _count_match(counting, step)) is not None:
                unread.append((step, why))
    bad = tuple(f"{source.name}: {why.say(ctx.lang)}" for source, why in unread)
    counted = counting.coverage(_unreachable(ctx, folder))
    if html is not None and long.interrupted is UNSET:
        if Path(html).is_dir():
            raise ctx.problem("cli.unwritable", file=quote_input(html), detail=Text("system.EISDIR"))
        write_whole(ctx, Path(html), to_html(game, game.latest, counted, ctx.lang))

    def draw() -> None:
        _draw(ctx, counted)
        if corpora:
            ctx.print_message("report.for_judges")

    code = FINDINGS if counted.never else FINE
    if any(isinstance(source.place, UnreadableLocation) for source, _ in unread):
        code = BAD_INPUT
    covered = Covered(counted, counted.never, counted.unspoken, bad, long.interrupted)
    return Answer(lambda: covered, draw, code, lambda: ctx.warn(*bad))


def _count_match(counting: CoverageCounter, source: Source) -> Text | None:
    match = load(source, checked=True)
    if isinstance(match, UnreadableMatch):
        return match.why
    if match.game.key == counting.game.key:
        hidden = isinstance(source.place, StoreLocation) and is_open(match.entries)
        counting.match(match, _list_public_clauses(match) if hidden else None)
    return None


def _list_public_clauses(record: Record) -> list[list[Clause]]:
    return [[fact.clause for fact in entry.facts] for entry in seen_entries(record, record.eyes())]


def _cases(ctx: CommandContext, folder: Path) -> Iterator[Case]:
    for path in sorted((folder / "cases").glob(f"*{SUFFIX}")):
        yield from load_cases(ctx, path).cases


def _count_case(counting: CoverageCounter, case: Case, matches: Loader) -> None:
    report = run_case(case, counting.game, matches, rulings=RULINGS)
    if report.passed:
        refused_clauses = (step.then.refused for _, _, step in every_step(case.step))
        refused = [Clause(clause) for clause in refused_clauses if clause]
        counting.case(report.claimed, report.witnessed, refused, case.set)


def _unreachable(ctx: CommandContext, folder: Path) -> tuple[Unreachable, ...]:
    exceptions = folder / "unreachable.toml"
    if not exceptions.exists():
        return ()
    return read_unreachable(decode_text(files.read(ctx, str(exceptions)), str(exceptions)), str(exceptions))


def _draw(ctx: CommandContext, counted: Coverage) -> None:
    heads = [ctx.say(f"coverage.{name}") for name in ("clause", "kind", *COLUMNS)]
    rows = [
        (row.clause, ctx.say(f"kind.{row.kind}"), *(str(getattr(row, name)) for name in COLUMNS))
        for row in counted.clauses
    ]
    ctx.screen.table(heads, rows, drop=[heads.index(ctx.say("coverage.kind"))])
    ctx.print_message(
        "coverage.summary", "heading", clauses=len(counted.clauses), matches=counted.matches, cases=counted.cases
    )
    ctx.screen.line(" ".join((ctx.say("coverage.never", n=len(counted.never)), *counted.never)))
    for row in counted.unreachable:
        ctx.print_message("coverage.unreachable", clause=row.clause, why=ctx.pick(row.en, row.ja))
    ctx.screen.line(" ".join((ctx.say("coverage.unspoken", n=len(counted.unspoken)), *counted.unspoken)))
    for key, used in (("cards", counted.cards), ("options", counted.options)):
        cold = [row.name for row in used if not row.matches]
        if used:
            more = " ..." if len(cold) > NEVER_SHOWN else ""
            some = " ".join(cold[:NEVER_SHOWN]) + more
            ctx.screen.line(ctx.say(f"coverage.never_{key}", n=len(cold), all=len(used)) + " " + some)
