"""Build the first entry of a match before anything is recorded."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec.structs import asdict

from domain.formats.policies import stored_policy
from domain.law import croupier
from domain.law.driver import set_up
from domain.law.entries import Entry, Noted, Opened, Pledged, Undealt, fold_entries
from domain.law.game import UNKNOWN_FACE, Decks
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion, check_occasion
from domain.law.pledges import check_pledges, seed_after
from domain.law.policy import Policy
from domain.law.rulesets import digest, pin_cards, published_as, stored_values
from domain.table.table import CardId, Seat
from domain.words import Text, listed
from domain.words.lines import has_control_character, one_line
from recorder import codec
from recorder.answers import DeckRefused, Unfit
from recorder.person_names import seat_names
from recorder.real_cards import answer_chance, hide_dealt_cards
from recorder.remarks import phones_remark

NO_PLEDGES: Final[Mapping[Seat, str]] = MappingProxyType({})


def answer_opening(
    law: Law, opened: Opened, seed: bytes | None, *, at: int = 0, with_croupier: bool = True, phones: bool = False
) -> tuple[Entry, ...]:
    """Return the first entries of a match: its opening and the answers of chance right after it. `phones` adds a note
    that players act on their own phones."""
    law, seed_in_use = Law(law.game, pin_cards(law.game, law.rules)), seed if with_croupier else None
    seed_in_use = None if seed_in_use is None else seed_after([opened], seed_in_use)
    table = fold_entries([opened])
    answers, _, _ = answer_chance(law, opened, table, match=opened.match, seed=seed_in_use, version=1, at=at)
    return opened, *answers, *((Noted(at=at, by=opened.by, text=phones_remark()),) if phones else ())


def build_opening(
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
    """Return the first entry of a match, derived from game, rules, decks and seed. Without a seed it is not dealt."""
    if (wrong := _check_names(law, version, match) or check_occasion(occasion)) is not None:
        return Unfit(wrong)
    if seed is not None and len(seed) != croupier.SEED_BYTES:
        return Unfit(Text("match.seed", {"size": croupier.SEED_BYTES, "given": len(seed)}))
    law = Law(law.game, pin_cards(law.game, law.rules))
    chosen, law_seats = decks or {}, law.seats()
    for what, seats in (("names", names), ("decks", chosen)):
        for seat in seats:
            if seat not in law_seats:
                text_values = {"game": law.game.key, "seat": repr(seat), "seats": listed(law_seats)}
                return Unfit(Text("match.no_seat", {**text_values, "what": Text(f"match.{what}")}))
    if isinstance(known := seat_names(names), Text):
        return Unfit(known)
    for seat, name in known.items():
        if has_control_character(name):
            return Unfit(Text("match.steering", {"seat": seat, "name": one_line(name)}))
    if seed is None and law.game.own_decks and (missing := [seat for seat in law_seats if seat not in chosen]):
        return Unfit(
            Text("match.whose_deck", {"seat": _seat_label(known, missing[0]), "game": law.game.rulebook.title})
        )
    if seed is not None and (unknown_decks := [seat for seat, deck in chosen.items() if UNKNOWN_FACE in deck.faces]):
        return Unfit(Text("match.untold", {"seat": _seat_label(known, unknown_decks[0])}))
    dealt = {**law.decks(), **chosen}
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
        seats=law_seats,
        names=known,
        decks={seat: deck.main for seat, deck in dealt.items()},
        match=match,
        commitment="" if seed is None else croupier.commitment(match, seed),
        by=by,
        told=accepted.told,
        sides={seat: deck.side for seat, deck in dealt.items() if deck.side},
        occasion=occasion,
        policy={} if policy is None else stored_policy(policy),
    )
    return opened if seed is not None else hide_dealt_cards(opened)


def _seat_label(names: Mapping[Seat, str], seat: Seat) -> str:
    return names.get(seat) or seat


def _check_names(law: Law, version: str, match: str) -> Text | None:
    """Return what is wrong with the id or rules label. A published edition cannot take another edition's label."""
    if codec.MATCH_ID.fullmatch(match) is None:
        return codec.invalid_id_text(match)
    known = published_as(law.game, law.rules)
    if version in law.game.versions and known and version not in known:
        return Text("match.label", {"label": repr(version), "versions": listed(known)})
    return None


def with_pledges(opened: Opened, pledges: Mapping[Seat, str]) -> Opened | Unfit:
    """Return the opening with the seats' pledges. The croupier draws nothing until they are revealed."""
    if not pledges:
        return opened
    if isinstance(opened, Undealt):
        return Unfit(Text("pledge.real"))
    in_order = {seat: pledges[seat] for seat in (*opened.seats, *pledges) if seat in pledges}
    pledged = Pledged(**asdict(opened), pledges=in_order)
    wrong = check_pledges(pledged)
    return pledged if wrong is None else Unfit(wrong)
