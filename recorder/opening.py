"""The first entry of a match, made whole before anything is recorded."""

from collections.abc import Mapping

from domain.formats.policies import stored_policy
from domain.law import croupier
from domain.law.driver import set_up
from domain.law.entries import Entry, Opened, fold_entries
from domain.law.game import UNKNOWN_FACE, Decks
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion, misfit
from domain.law.policy import Policy
from domain.law.rulesets import digest, pin_cards, stored_values
from domain.table.table import CardId, Seat
from domain.words import Text, listed
from recorder import codec
from recorder.answers import DeckRefused, Unfit
from recorder.dictated import answer_chance, undealt


def answer_opening(
    law: Law, opened: Opened, seed: bytes | None, *, at: int = 0, with_croupier: bool = True
) -> tuple[Entry, ...]:
    """The first entries of a match: its opening, and what chance is asked right after it."""
    law, given = Law(law.game, pin_cards(law.game, law.rules)), seed if with_croupier else None
    table = fold_entries([opened])
    answers, _, _ = answer_chance(law, opened, table, match=opened.match, seed=given, version=1, at=at)
    return opened, *answers


def opening(
    law: Law,
    version: str,
    names: Mapping[Seat, str],
    decks: Decks | None,
    seed: bytes | None,
    match: str,
    *,
    at: int = 0,
    by: str = "",
    occasion: Occasion = NO_OCCASION,
    policy: Policy | None = None,
) -> Opened | DeckRefused | Unfit:
    """The first entry of a match: all that follows from game, rules, decks and seed. Without a seed nobody deals."""
    if codec.MATCH_ID.fullmatch(match) is None:
        return Unfit(codec.no_id(match))
    if seed is not None and len(seed) != croupier.SEED_BYTES:
        return Unfit(Text("match.seed", {"size": croupier.SEED_BYTES, "given": len(seed)}))
    if (wrong := misfit(occasion)) is not None:
        return Unfit(wrong)
    law = Law(law.game, pin_cards(law.game, law.rules))
    given, chairs = decks or {}, law.seats()
    for what, seats in (("names", names), ("decks", given)):
        for seat in seats:
            if seat not in chairs:
                named = {"game": law.game.key, "seat": repr(seat), "seats": listed(chairs)}
                return Unfit(Text("match.no_seat", {**named, "what": Text(f"match.{what}")}))
    if seed is None and law.game.own_decks and (missing := [seat for seat in chairs if seat not in given]):
        return Unfit(Text("match.whose_deck", {"seat": missing[0], "game": law.game.key}))
    if seed is not None and (untold := [seat for seat, deck in given.items() if UNKNOWN_FACE in deck.faces]):
        return Unfit(Text("match.untold", {"seat": untold[0]}))
    dealt = {**law.decks(), **given}
    count = sum(len(deck.faces) for deck in dealt.values())
    ids = tuple(map(CardId, range(1, count + 1))) if seed is None else croupier.card_ids(match, seed, count)
    cards: dict[Seat, tuple[CardId, ...]] = {}
    for seat, deck in dealt.items():
        cards[seat], ids = ids[: len(deck.faces)], ids[len(deck.faces) :]
    accepted, refused = set_up(law, dealt, cards)
    if accepted is None:
        assert refused is not None
        return DeckRefused(*refused)
    opened = Opened(
        at=at,
        game=law.game.key,
        version=version,
        rules=stored_values(law.rules),
        rules_hash=digest(law.rules),
        schema=law.schema(),
        seats=chairs,
        names=dict(names),
        decks={seat: deck.main for seat, deck in dealt.items()},
        match=match,
        commitment="" if seed is None else croupier.commitment(match, seed),
        by=by,
        told=accepted.told,
        sides={seat: deck.side for seat, deck in dealt.items() if deck.side},
        occasion=occasion,
        policy={} if policy is None else stored_policy(policy),
    )
    return opened if seed is not None else undealt(opened)
