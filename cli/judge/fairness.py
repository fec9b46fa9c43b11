"""Fairness of chance: draws against the seed."""

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import CommandContext
from cli.judge.audits import has_several_matches
from cli.problems import FINDINGS, FINE
from cli.values import Record
from domain.judging.audit import Fairness, fairness as judge
from projections.phrases import Names, seat_name, seats_words


class FairnessResult(Struct, frozen=True):
    """Fairness of a record. `fair` is None if the evidence does not suffice."""

    match: str
    fair: bool | None
    chance: Fairness
    commitment: str = ""


def fairness(ctx: CommandContext, record: Record) -> Answer[FairnessResult]:
    """Check the draws of a match against the croupier's seed, and the seed against its commitment."""
    if has_several_matches(record):
        raise ctx.problem("fairness.one_match", name=files.hide_password(ctx, record))
    with files.open_record(ctx, record) as loaded:
        match, fair = loaded.id, judge(loaded.game, loaded.entries, ctx.read_seed(loaded))
        commitment, names = loaded.opening.commitment, loaded.names
    unsure = fair.proof != "holds" or bool(fair.by_hand or fair.inherited or fair.unproved)
    judged = FairnessResult(match, None if not fair.unfair and unsure else not fair.unfair, fair, commitment)
    return Answer(lambda: judged, lambda: _draw(ctx, fair, commitment, names), FINDINGS if fair.unfair else FINE)


def _draw(ctx: CommandContext, fair: Fairness, commitment: str, names: Names) -> None:
    _draw_parts(ctx, fair, commitment, names)
    if fair.real:
        return
    shown = "fairness.kept" if fair.proof == "holds" and not fair.published else f"fairness.{fair.proof}"
    ctx.print_message(shown, "bad" if fair.proof == "broken" else "good" if fair.proof == "holds" else "")
    if fair.proof == "holds":
        ctx.print_message("fairness.drawn", n=fair.drawn)
    for key, numbers in (
        ("fairness.misfits", fair.misfits),
        ("fairness.differs", fair.differs),
        ("fairness.by_hand", fair.by_hand),
    ):
        if numbers:
            ctx.print_message(key, "bad", n=len(numbers), entries=", ".join(map(str, numbers)))
    for key, n in (("fairness.inherited", fair.inherited), ("fairness.unproved", fair.unproved)):
        if n:
            ctx.print_message(key, n=n)


def _draw_parts(ctx: CommandContext, fair: Fairness, commitment: str, names: Names) -> None:
    """Print who contributed to the shuffle. One secret contribution is enough to prevent cheating."""
    if fair.real:
        ctx.print_message("fairness.real")
    elif fair.parts:
        ctx.print_message("fairness.shared", seats=seats_words(names, fair.parts, ctx.lang))
        ctx.print_message("fairness.commitment", commitment=commitment)
        for seat, part in fair.parts.items():
            name = seat_name(names, seat, ctx.lang)
            ctx.print_message(f"fairness.part_{part}", "good" if part == "revealed" else "", seat=name)
    elif fair.proof != "none":
        ctx.print_message("fairness.alone")
