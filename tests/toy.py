"""A tiny game for tests that need no real one: draw or lay; the first player to lay the goal wins.

Each seat has its own deck, shuffled by chance, and may bring cards that start in hand. A turn is one action: `draw`
takes the top card of the deck, `lay` puts cards from hand face up on the shared field, `concede` gives up.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct

from domain.law.clause import Check, Clause, Count
from domain.law.game import CardReading, Deck, Decks, Game
from domain.law.live import LiveTable
from domain.law.offers import RandomBelow, SlotChoice, Template
from domain.law.options import Option
from domain.law.rulebook import Rulebook, RulebookClause
from domain.law.slots import Action, ASeat, HandCards, SecretOrder, misplaced_cards
from domain.table import facts as F
from domain.table.schema import Area, Kind, Schema, Visibility
from domain.table.table import CHANCE, CardId, Clock, Frame, FrameId, Place, Result, Seat, Table
from domain.words import Message

SEATS = (Seat("p1"), Seat("p2"))
NOBODY = Seat("")

TURN, HAND, LIMIT, EMPTY, GOAL, DECK, SHUFFLE, HANDS = (
    Clause(one) for one in ("T-1", "T-2", "T-3", "T-4", "T-5", "T-6", "T-7", "T-8")
)


class Rules(Struct, frozen=True, kw_only=True):
    goal: int = 4
    at_once: int = 2
    laid: Literal["up", "down"] = "up"


class Draw(Action, frozen=True, omit_defaults=True, tag="draw"):
    pass


class Lay(Action, frozen=True, omit_defaults=True, tag="lay"):
    cards: HandCards = ()


class Concede(Action, frozen=True, omit_defaults=True, tag="concede"):
    ends_match: ClassVar[bool] = True


class Shuffle(Action, frozen=True, omit_defaults=True, tag="shuffle"):
    seat: ASeat = NOBODY
    order: SecretOrder = ()


def schema(rules: Rules) -> Schema:
    """Return a schema with decks hidden from all, hands visible to their owners, and a public field."""
    return Schema(
        areas=(
            Area("deck", True, "pile", Visibility("count", "count", "count")),
            Area("hand", True, "bag", Visibility("all", "all", "count")),
            Area("field", False, "row", Visibility("up", "up", "up"), up=True, most=8),
        ),
        kinds=(Kind("shuffle", ("asked",), (), {"seats": ("whose",)}),),
        phases=("", "play"),
    )


def named_decks() -> dict[str, Deck]:
    return {"short": Deck(("S1", "S2", "S3", "S4")), "sided": Deck(("H1", "H2", "H3", "H4", "H5"), ("X1", "X2", "X2"))}


def deck_checks(rules: Rules, seat: Seat, deck: Deck) -> Iterator[Check]:
    yield DECK, len(deck.main) >= rules.goal, Count(len(deck.main))


def set_up(rules: Rules, t: LiveTable, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    for number, seat in enumerate(decks, start=1):
        main, side = decks[seat].main, decks[seat].side
        t.emit(DECK, F.Created(Place(f"{seat}.deck"), cards[seat][: len(main)], main, seat))
        if side:
            t.emit(DECK, F.Created(Place(f"{seat}.hand"), cards[seat][len(main) :], side, seat))
        t.emit(SHUFFLE, F.Pushed(Frame(id=FrameId(number), lane="asked", kind="shuffle", by=CHANCE, seats=(seat,))))


def awaited(t: Table) -> tuple[Seat, ...]:
    if t.result is not None:
        return ()
    return (CHANCE,) if t.asked else t.clock.awaited


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.result is None and actor in awaited(t) and actor in SEATS:
        hand = t.places.get(Place(f"{actor}.hand"), ())
        if t.places.get(Place(f"{actor}.deck"), ()):
            yield Template(Draw)
        if hand:
            yield Template(Lay, (SlotChoice("cards", hand, 1, rules.at_once, many=True),))
        yield Template(Concede)


def checks(rules: Rules, t: Table, actor: Seat, action: Any) -> Iterator[Check]:
    yield TURN, actor in awaited(t), actor
    if isinstance(action, Lay):
        yield HAND, bool(action.cards) and not misplaced_cards(t, actor, action), *action.cards
        yield LIMIT, len(action.cards) <= rules.at_once, Count(len(action.cards))
    elif isinstance(action, Draw):
        yield EMPTY, bool(t.places.get(Place(f"{actor}.deck"), ())), actor
    elif isinstance(action, Shuffle):
        held = t.places.get(Place(f"{action.seat}.deck"), ())
        yield SHUFFLE, bool(t.asked) and action.seat in t.asked[0].seats, action.seat
        yield SHUFFLE, sorted(held) == sorted(action.order), action.seat


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    match action:
        case Draw():
            t.emit(HANDS, F.Moved(t.places[Place(f"{actor}.deck")][:1], Place(f"{actor}.hand")))
        case Lay(cards):
            t.emit(HANDS, F.Moved(cards, Place("field"), up=rules.laid == "up"))
            t.emit(HANDS, F.Turned(cards, rules.laid == "up"))
        case Concede():
            t.emit(GOAL, F.Finished(Result(tuple(seat for seat in SEATS if seat != actor), "conceded")))
        case Shuffle(seat, order):
            t.emit(SHUFFLE, F.Arranged(Place(f"{seat}.deck"), order))
            t.emit(SHUFFLE, F.Popped(t.asked[0].id, "answered"))


def settle(rules: Rules, t: LiveTable) -> None:
    if t.result is not None or t.asked:
        return
    for seat in SEATS:
        if sum(t.pieces[card].owner == seat for card in t.places.get(Place("field"), ())) >= rules.goal:
            t.emit(GOAL, F.Finished(Result((seat,), "goal")))
            return
    active = SEATS[t.clock.turn % len(SEATS)]
    t.emit(TURN, F.Clocked(Clock(t.clock.turn + 1, active, SEATS[0], "play", "", (active,))))


def resume(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    t.emit(TURN, F.Clocked(Clock(t.clock.turn, actor, SEATS[0], "play", "", (actor,))))


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    if not t.asked:
        return None
    (seat,) = t.asked[0].seats
    order = list(t.places[Place(f"{seat}.deck")])
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return Shuffle(seat, tuple(order))


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    yield from (CardReading(card, "counts", 1) for card in t.places.get(Place("field"), ()))


def _book() -> Rulebook:
    said = {
        TURN: ("flow", "The seat whose turn it is acts.", "手番の席が動く。"),
        HAND: ("physical", "Laid cards come from the own hand.", "置く札は自分の手札から。"),
        LIMIT: ("rule", "At most {at_once} cards are laid at once.", "一度に置けるのは{at_once}枚まで。"),
        EMPTY: ("physical", "The own deck has a card to draw.", "山札が残っている。"),
        GOAL: ("rule", "{goal} own cards on the field win.", "場に{goal}枚置けば勝ち。"),
        DECK: ("rule", "A deck has at least {goal} cards.", "デッキは{goal}枚以上。"),
        SHUFFLE: ("flow", "Decks are shuffled first.", "最初に山札を切る。"),
        HANDS: ("rule", "Cards move as the action says.", "札は行動のとおりに動く。"),
    }
    clauses = {one: RulebookClause(one, kind, en, ja) for one, (kind, en, ja) in said.items()}  # type: ignore[arg-type]
    return Rulebook(
        Message("Toy", "おもちゃ"), clauses, {"T": Message("All", "すべて")}, {"draw": Message("draw", "引く")}
    )


TOY = Game(
    key="toy",
    rulebook=_book(),
    rules_type=Rules,
    options=(Option("laid", "how cards are laid", 1, ("up", "down"), ("sideways",)),),
    versions={"1": Rules(), "2": Rules(goal=3)},
    action_types=(Draw, Lay, Concede, Shuffle),
    seats=lambda rules: SEATS,
    by_hand=HANDS,
    schema=schema,
    deck=lambda rules, seat: Deck(tuple(f"{suit}{number}" for suit in "SH" for number in range(1, 6))),
    deck_checks=deck_checks,
    set_up=set_up,
    awaited=awaited,
    offers=offers,
    checks=checks,
    carry_out=carry_out,
    settle=settle,
    resume=resume,
    chance=chance,
    readings=readings,
    named_decks=named_decks,
)

GAMES = {"toy": TOY}
