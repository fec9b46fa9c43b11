"""Rejudging of one match under other rules."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from msgspec import UNSET
from msgspec.structs import replace

from archive.corpus.sources import StoreLocation, UnreadableMatch, load, sources
from archive.regress.rejudging import RejudgeResult, judge_again
from cli import files
from cli.answer import Answer
from cli.context import CommandContext, ReadRecord, quote_input
from cli.problems import FINDINGS, FINE
from cli.values import OWN, Cards, OtherRules, Record, Viewer
from domain.games import GAMES
from domain.judging.rejudging.path import Unreadable
from domain.judging.rejudging.target import RulesTarget, probe, read_target, rules_for, target_named
from domain.law.law import Law
from domain.law.rulesets import RulesetError
from domain.table.schema import Schema
from domain.words import Text
from projections.maps import render_maps
from projections.phrases import seat_name
from projections.verdicts.board_comparison import Boards, compare_boards
from projections.verdicts.rendering import render_verdict
from recorder.match_loader import LoadedMatch as Loaded

FILE = ".toml"
SIDE_COLUMNS_MAX = 56
"""Widest column of two tables side by side."""


def rejudge(
    ctx: CommandContext,
    record: Record,
    asked: OtherRules = OWN,
    cards: Cards = None,
    viewer: Viewer = "spectator",
    beside: Annotated[bool, "--beside"] = False,
) -> Answer[RejudgeResult]:
    target = target_of(ctx, asked, cards)
    with match_of(ctx, record) as match:
        eyes, names = ctx.find_viewer(match, viewer), match.names
        ctx.require_judge(match, eyes)
        with naming_file(ctx, asked.rules):
            other = Law(match.game, rules_for(target, match.game, match.rules))
        try:
            answer = judge_again(match, match.id, eyes, other, target.label, beside=beside)
        except Unreadable as error:
            raise ctx.problem("rejudge.unreadable", match=match.id, why=error.text) from None

    def draw() -> None:
        label = answer.rules or ctx.say("rejudge.own")
        ctx.print_message(
            "rejudge.title",
            "heading",
            match=answer.match,
            rules=label,
            viewer=seat_name(names, eyes.viewer, ctx.lang),
        )
        ctx.screen.rows(render_verdict(answer.verdict, other, ctx.lang, names))
        if answer.boards is not UNSET:
            _draw_beside(ctx, answer.boards, match.law, eyes.physics.schema)

    return Answer(lambda: answer, draw, FINE if answer.verdict.kind in ("identical", "path") else FINDINGS)


def _draw_beside(ctx: CommandContext, both: Boards, law: Law, schema: Schema) -> None:
    ctx.print_message("beside.title", "heading", entry=both.recorded.entry)
    heads = ["", *(ctx.say(f"beside.{column}") for column in ("where", "recorded", "rejudged"))]
    for column, side in (("recorded", both.recorded), ("rejudged", both.rejudged)):
        maps = [row for row in render_maps(side, law, schema, ctx.lang) if row.map is not None]
        if maps and not ctx.screen.plain:
            ctx.print_message(f"beside.{column}", "heading")
            ctx.screen.rows(maps)
    lines = compare_boards(both, law, schema, ctx.lang)
    rows = [("≠" * line.differs, line.name, line.recorded, line.rejudged) for line in lines]
    ctx.screen.table(heads, rows, keep=len(heads), most=SIDE_COLUMNS_MAX)


@contextmanager
def match_of(ctx: CommandContext, text: str) -> Iterator[Loaded | ReadRecord]:
    """Yield a match from the store or a file, or from FILE:MATCH, the name of a match in reports."""
    file, colon, match = text.rpartition(":")
    if (
        colon
        and files.path_satisfies(file, Path.is_file)
        and files.path_satisfies(text, lambda path: not path.exists())
    ):
        yield _inside(ctx, file, match)
        return
    with files.open_record(ctx, text) as loaded:
        yield loaded


def _inside(ctx: CommandContext, file: str, match: str) -> ReadRecord:
    source = next((source for source in sources([file]) if source.match == match), None)
    if source is None:
        raise ctx.problem("cli.no_match", match=quote_input(match), store=file, hint="")
    loaded = load(source, checked=True)
    if isinstance(loaded, UnreadableMatch):
        raise ctx.refuse(loaded.why)
    return ReadRecord(loaded.law, loaded.entries, match, isinstance(source.place, StoreLocation))


# -- other rules ------------------------------------------------------------------------------------------------------


def target_of(ctx: CommandContext, asked: OtherRules, cards: str | None = None) -> RulesTarget:
    """Return the other rules, checked as far as possible without a record. Raises CommandError."""
    rules, settings, frame = asked.rules, asked.settings, asked.frame
    if rules is None and not settings and not frame and cards is None:
        raise ctx.problem("target.none")
    target = RulesTarget()
    with naming_file(ctx, rules):
        if rules is not None:
            named = not is_file(rules)
            target = target_named(rules, GAMES) if named else read_target(files.read(ctx, rules), rules, GAMES)
        if target.full is not None and (settings or frame):
            raise ctx.problem("target.in_file", file=rules, why=Text("target.both"))
        given = dict(map(ctx.setting, settings or ()))
        laid = files.read_cards(ctx, cards, [GAMES[target.game]] if target.game else None)
        target = replace(target, frame=frame or target.frame, settings={**target.settings, **given}, cards=laid)
        if target.game:
            probe(target, GAMES[target.game])
    return target


def is_file(rules: str) -> bool:
    return rules.endswith(FILE) or ("@" not in rules and Path(rules).is_file())


@contextmanager
def naming_file(ctx: CommandContext, rules: str | None) -> Iterator[None]:
    """Add the file name to errors of the other rules."""
    try:
        yield
    except RulesetError as error:
        if rules is None or not rules.endswith(FILE):
            raise
        raise ctx.problem("target.in_file", file=rules, why=error.text) from None
