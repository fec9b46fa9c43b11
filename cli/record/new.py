"""Command that opens a match."""

from collections.abc import Sequence
from typing import Annotated

from cli import files
from cli.context import CommandContext
from cli.decks import read_decks
from cli.dispute.disputes import read_pairs
from cli.record.stores import NewMatchOptions, open_store
from cli.values import UNSAID, By, Decks, Frame, OnOccasion, Pledges, Settings, Spec
from domain.formats.errors import decode_text
from domain.formats.pairings import TableKind
from domain.formats.policies import STANDARD, read_policy, standard_policy
from domain.law.law import Law
from domain.law.occasion import occasion_of
from domain.law.policy import Policy
from domain.law.rulesets import find_seat_option
from domain.table.table import Seat
from domain.words import Text, listed


def new(
    ctx: CommandContext,
    spec: Spec = "",
    frame: Frame = None,
    seed: Annotated[int | None, "--seed N"] = None,
    first: Annotated[str | None, "--p1 NAME"] = None,
    second: Annotated[str | None, "--p2 NAME"] = None,
    third: Annotated[str | None, "--p3 NAME"] = None,
    fourth: Annotated[str | None, "--p4 NAME"] = None,
    decks: Decks = None,
    settings: Settings = None,
    match_id: Annotated[str | None, "--match ID"] = None,
    occasion: OnOccasion = UNSAID,
    by: By = "",
    no_deal: Annotated[bool, "--no-deal"] = False,
    policy: Annotated[str | None, "--policy standard|FILE.toml"] = None,
    pledges: Pledges = None,
    phones: Annotated[bool, "--phones"] = False,
) -> None:
    """Open a match and let the croupier set it up. Print only its id."""
    game, version, rules = ctx.rules(spec, frame, settings)
    law = Law(game, rules)
    if ctx.is_remote and seed is not None:
        raise ctx.problem("client.no_seed")
    if no_deal and seed is not None:
        raise ctx.problem("cli.no_deal_seed")
    opening = NewMatchOptions(
        law=law,
        version=version,
        names=names_of(ctx, law, (first, second, third, fourth)),
        decks=read_decks(ctx, law, decks),
        match_id=match_id,
        occasion=occasion_of(occasion.texts),
        by=by,
        kind=read_kind(ctx, no_deal=no_deal, phones=phones),
        policy=None if policy is None else read_named(ctx, policy),
        pledges=read_pledges(ctx, pledges),
        seed=ctx.seed(seed),
    )
    match = open_store(ctx).open_match(opening)
    ctx.screen.line(match)
    ctx.warn_of_seed(seed)
    if opening.pledges:
        ctx.hint("pledge.waits", match=match, seats=listed(opening.pledges))


def read_kind(ctx: CommandContext, *, no_deal: bool, phones: bool) -> TableKind:
    if no_deal and phones:
        raise ctx.problem("match.phones_real")
    return "real" if no_deal else "phones" if phones else "dealt"


def read_pledges(ctx: CommandContext, texts: Sequence[str] | None) -> dict[Seat, str]:
    return {Seat(seat): text.lower() for seat, text in read_pairs(ctx, "--pledge", texts)}


def read_named(ctx: CommandContext, name: str) -> Policy:
    """Return the policy of this name, or in this file. Raises CommandError."""
    if name == STANDARD:
        return standard_policy()
    return read_policy(decode_text(files.read(ctx, name), name), name)


def names_of(ctx: CommandContext, law: Law, given: Sequence[str | None]) -> dict[Seat, str]:
    """Return the players' names by seat. Raises CommandError for a seat too many, with the option that adds seats."""
    names = {Seat(f"p{number}"): name for number, name in enumerate(given, start=1) if name is not None}
    chairs = law.seats()
    over = [seat for seat in names if seat not in chairs]
    if not over:
        return names
    about = {"game": law.game.key, "seat": repr(over[0]), "seats": ctx.say("list.comma").join(chairs)}
    wanted = max(int(seat[1:]) for seat in over)
    if key := find_seat_option(law.game, law.rules, wanted):
        raise ctx.problem("new.more_seats", **about, setting=f"--set {key}={wanted}")
    raise ctx.problem("match.no_seat", **about, what=Text("match.names"))
