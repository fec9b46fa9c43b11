"""Perft: counts of action sequences from a position."""

from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from archive.verify.perft import DEPTH_MAX, SEQUENCES_MAX, TooMany, count_by_action, opening_table, perft as count
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.case import load, match_loader
from cli.values import Frame, Settings
from domain.formats.actions import verbs, write_action
from domain.formats.casebook.run import begin
from domain.formats.errors import explain_unknown
from domain.law.law import Law
from domain.law.rulesets import values
from domain.table.table import Table

CASES_SHOWN = 12


class SequenceCounts(Struct, frozen=True):
    """Number of sequences by length. `divide` splits the longest by first action."""

    position: str
    counts: tuple[int, ...]
    divide: dict[str, int] | UnsetType = UNSET


def perft(
    ctx: CommandContext,
    start: Annotated[str, "GAME@VERSION|FILE.cases.toml"],
    depth: Annotated[int, "--depth N", {"min": 1, "max": DEPTH_MAX}],
    case: Annotated[str | None, "--case ID"] = None,
    divide: Annotated[bool, "--divide"] = False,
    without: Annotated[list[str] | None, "--without VERB"] = None,
    frame: Frame = None,
    settings: Settings = None,
) -> Answer[SequenceCounts]:
    law, table, name = _position(ctx, start, case, frame, settings)
    left_out = frozenset(without or ())
    for verb in left_out - set(verbs(law.game)):
        raise ctx.refuse(explain_unknown("verb", verb, verbs(law.game)))
    reached = 0
    try:
        counts = tuple(count(law, table, reached := length, left_out) for length in range(1, depth + 1))
        write = partial(write_action, law.game, schema=law.schema())
        split = count_by_action(law, table, depth, left_out, write) if divide else UNSET
    except TooMany:
        raise ctx.problem("perft.too_many", position=name, depth=reached, most=SEQUENCES_MAX) from None

    def draw() -> None:
        ctx.table(("depth", "sequences"), [(str(at), str(number)) for at, number in enumerate(counts, start=1)])
        if split is not UNSET:
            ctx.screen.line()
            ctx.table(("action", "sequences"), [(action, str(number)) for action, number in split.items()])

    return Answer(lambda: SequenceCounts(name, counts, split), draw)


def _position(
    ctx: CommandContext, start: str, wanted: str | None, frame: str | None, settings: list[str] | None
) -> tuple[Law, Table, str]:
    if not start.endswith(".toml") and not Path(start).is_file():
        if wanted is not None:
            raise ctx.problem("perft.no_file", start=quote_input(start))
        game, version, rules = ctx.rules(start, frame, settings)
        return Law(game, rules), opening_table(Law(game, rules)), f"{game.key}@{version}"
    if frame is not None:
        raise ctx.problem("perft.fixed", file=quote_input(start))
    cases = {case.id: case for case in load(ctx, start).cases}
    if wanted is None and len(cases) > 1:
        raise ctx.problem("perft.which", file=quote_input(start), cases=", ".join([*cases][:CASES_SHOWN]))
    name = next(iter(cases)) if wanted is None else wanted
    if name not in cases:
        raise ctx.refuse(explain_unknown("case", name, [*cases]))
    game, loader = ctx.game(cases[name].game), match_loader(ctx, Path(start).parent)
    scene = begin(cases[name], game, loader)
    if settings:  # other rules may change the initial layout
        numbers = values(ctx.options(game, scene.law.rules, settings))
        given = {key: numbers[key] for key in (text.partition("=")[0] for text in settings) if key in numbers}
        scene = begin(replace(cases[name], set={**cases[name].set, **given}), game, loader)
    return scene.law, scene.table, name
