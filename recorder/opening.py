"""The first entry of a match, made whole before anything is recorded."""

from collections.abc import Mapping
from typing import Any

from domain.law.driver import set_up
from domain.law.entries import Opened
from domain.law.game import Decks, Game
from domain.law.occasion import NO_OCCASION, Occasion, misfit
from domain.law.rulesets import digest, pinned, stored
from domain.table.table import CardId, Seat
from domain.words import Text
from recorder import codec, croupier
from recorder.answers import DeckRefused, Unfit


def opening(
    game: Game,
    rules: Any,
    version: str,
    names: Mapping[Seat, str],
    decks: Decks | None,
    seed: bytes,
    match: str,
    *,
    at: int = 0,
    by: str = "",
    occasion: Occasion = NO_OCCASION,
) -> Opened | DeckRefused | Unfit:
    """The first entry of a match: all that follows from game, rules, decks and seed."""
    if codec.MATCH_ID.fullmatch(match) is None:
        return Unfit(codec.no_id(match))
    if len(seed) != croupier.SEED_BYTES:
        return Unfit(Text("match.seed", {"size": croupier.SEED_BYTES, "given": len(seed)}))
    if (wrong := misfit(occasion)) is not None:
        return Unfit(wrong)
    rules = pinned(game, rules)
    given, chairs = decks or {}, game.seats(rules)
    for what, seats in (("names", names), ("decks", given)):
        for seat in seats:
            if seat not in chairs:
                found = {"game": game.key, "seat": repr(seat), "seats": ", ".join(chairs)}
                return Unfit(Text("match.no_seat", {**found, "what": Text(f"match.{what}")}))
    dealt = {**game.decks(rules), **given}
    ids = croupier.card_ids(match, seed, sum(len(deck.faces) for deck in dealt.values()))
    cards: dict[Seat, tuple[CardId, ...]] = {}
    for seat, deck in dealt.items():
        cards[seat], ids = ids[: len(deck.faces)], ids[len(deck.faces) :]
    accepted, refused = set_up(game, rules, dealt, cards)
    if accepted is None:
        assert refused is not None
        return DeckRefused(*refused)
    return Opened(
        at=at,
        game=game.key,
        version=version,
        rules=stored(rules),
        rules_hash=digest(rules),
        schema=game.schema(rules),
        seats=chairs,
        names=dict(names),
        decks={seat: deck.main for seat, deck in dealt.items()},
        match=match,
        commitment=croupier.commitment(match, seed),
        by=by,
        told=accepted.told,
        sides={seat: deck.side for seat, deck in dealt.items() if deck.side},
        occasion=occasion,
    )
