"""A toy with named squares: two layers, two pieces on one square, face-down pieces, slots, and over nine rows.

Each seat has a guard, a face-down scout, a trap, and one square of ground. A turn is one step with an own piece to any
square with room, or a walk over one or two squares. A player can win only by the opponent's concession.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from msgspec import Struct

from domain.law.actions import NO_PLACE, Concede
from domain.law.clause import Check, Clause, Word, subject_or_missing
from domain.law.display import Display, SquareWord
from domain.law.game import CardReading, Deck, Decks, Game
from domain.law.live import LiveTable
from domain.law.offers import SlotChoice, Template
from domain.law.rulebook import Rulebook, RulebookClause
from domain.law.slots import Action, APlace, Places, Slot, misplaced_cards
from domain.parts.grid import LETTERED, edge_neighbours, numbered_slots, place_of, square_of, squares
from domain.parts.squares import Size
from domain.table import facts as F
from domain.table.physics import Physics
from domain.table.schema import Area, Mark, Schema, Visibility
from domain.table.table import CardId, Clock, Place, Result, Seat, Table
from domain.words import Message

P1, P2 = SEATS = (Seat("p1"), Seat("p2"))
UNIT, GROUND, TRAP = "unit", "ground", "trap"
FACES: Final = ("G1", "S1", "F1", "MIRE")
TURN, FROM, TO, FULL, OVER, WALKED = (Clause(f"CH-{number}") for number in range(1, 7))
BACKS: Final = Visibility("all", "each", "each")
TWO: Final = 2

APiece = Annotated[CardId, Slot("card", areas=(UNIT,), own=False)]


class Rules(Struct, frozen=True, kw_only=True):
    columns: int = 3
    rows: int = 10


class Step(Action, frozen=True, omit_defaults=True, tag="step"):
    piece: APiece = CardId(0)
    to: APlace = NO_PLACE


class Walk(Action, frozen=True, omit_defaults=True, tag="walk"):
    piece: APiece = CardId(0)
    path: Places = ()


def schema(rules: Rules) -> Schema:
    size = (rules.columns, rules.rows)
    return Schema(
        areas=(
            Area(TRAP, True, "slots", BACKS, most=1, size=(3, 1)),
            Area(GROUND, False, "grid", BACKS, most=1, size=size),
            Area(UNIT, False, "grid", BACKS, up=True, most=TWO, size=size),
        ),
        marks=(Mark("steps", "card", public=True),),
        phases=("", "play"),
    )


def home(seat: Seat, rules: Rules) -> int:
    return 1 if seat == P1 else rules.rows


def set_up(rules: Rules, t: LiveTable, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    """Place the guard in the first column, the scout in the last, the mire in front, and the trap in slot two."""
    for seat in decks:
        row, inwards = home(seat, rules), 1 if seat == P1 else -1
        places = (f"{UNIT}:1,{row}", f"{UNIT}:{rules.columns},{row}", f"{seat}.{TRAP}:2", f"{GROUND}:1,{row + inwards}")
        for card, face, place in zip(cards[seat], decks[seat].faces, places, strict=True):
            t.emit(TO, F.Created(Place(place), (card,), (face,), seat))
        t.emit(TO, F.Turned((cards[seat][0],), True))


def awaited(t: Table) -> tuple[Seat, ...]:
    return () if t.result is not None else t.clock.awaited


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if actor in awaited(t):
        own = tuple(card for card, piece in t.pieces.items() if piece.owner == actor and piece.place.startswith(UNIT))
        places = tuple(place_of(UNIT, at) for at in squares(Size(rules.columns, rules.rows)))
        yield Template(Step, (SlotChoice("piece", own), SlotChoice("to", places)))
        yield from (Template(Walk, (SlotChoice("path", paths(rules, t, card)),), (("piece", card),)) for card in own)
        yield Template(Concede)


def paths(rules: Rules, t: Table, card: CardId) -> tuple[tuple[Place, ...], ...]:
    size, here = Size(rules.columns, rules.rows), square_of(t.pieces[card].place)
    single = [(square,) for square in edge_neighbours(size, here)]
    double = [(first, second) for (first,) in single for second in edge_neighbours(size, first) if second != here]
    return tuple(tuple(place_of(UNIT, at) for at in path) for path in (*single, *double))


def checks(rules: Rules, t: Table, actor: Seat, action: Any) -> Iterator[Check]:
    yield OVER, t.result is None, actor
    if isinstance(action, Step):
        yield TURN, actor in awaited(t), actor
        yield (
            FROM,
            bool(action.piece) and not misplaced_cards(t, actor, action),
            subject_or_missing(action.piece, "piece"),
        )
        there = Physics(schema(rules)).area(action.to)
        yield TO, there is not None and there.name == UNIT, subject_or_missing(Word(action.to), "to")
        yield FULL, len(t.places.get(action.to, ())) < TWO, Word(action.to)
    if isinstance(action, Walk):
        yield TURN, actor in awaited(t), actor
        on_chart = bool(action.piece) and not misplaced_cards(t, actor, action)
        yield FROM, on_chart, subject_or_missing(action.piece, "piece")
        walks = on_chart and action.path in paths(rules, t, action.piece)
        yield WALKED, walks, *(Word(place) for place in action.path)
        yield FULL, all(len(t.places.get(place, ())) < TWO for place in action.path), *map(Word, action.path)


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    if isinstance(action, Step | Walk):
        for to in action.path if isinstance(action, Walk) else (action.to,):
            t.emit(TO, F.Moved((action.piece,), to, up=t.pieces[action.piece].up))
        t.emit(TO, F.Marked((action.piece,), "steps", t.pieces[action.piece].marks.get("steps", 0) + 1))
        t.emit(TURN, F.Clocked(Clock(t.clock.turn, actor, P1, "play")))
    else:
        t.emit(OVER, F.Finished(Result(tuple(seat for seat in SEATS if seat != actor), "conceded")))


def settle(rules: Rules, t: LiveTable) -> None:
    if t.result is None and not t.clock.awaited:
        active = SEATS[t.clock.turn % len(SEATS)]
        t.emit(TURN, F.Clocked(Clock(t.clock.turn + 1, active, P1, "play", "", (active,))))


def resume(rules: Rules, t: LiveTable, actor: Seat, action: Any) -> None:
    t.emit(TURN, F.Clocked(Clock(t.clock.turn, actor, P1, "play", "", (actor,))))


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    yield from (CardReading(card, "force", 3) for card, piece in t.pieces.items() if piece.face == "G1")


def known_of(rules: Rules) -> Mapping[Place, tuple[SquareWord, ...]]:
    homes = {
        Place(f"{UNIT}:{column},{home(seat, rules)}"): (SquareWord("home", seat),)
        for seat in SEATS
        for column in range(1, rules.columns + 1)
    }
    return {**homes, Place(f"{UNIT}:2,5"): (SquareWord("ford"),)}


def _book() -> Rulebook:
    said = {
        TURN: ("The seat whose turn it is steps.", "手番の席が動く。"),
        FROM: ("A piece of the chart steps.", "盤上の駒が動く。"),
        TO: ("It steps onto a square of the chart.", "盤上のマスに動く。"),
        FULL: ("A square has room for two pieces.", "一つのマスには駒が二つまで入る。"),
        WALKED: (
            "A walk is one square or two, each beside the last.",
            "隣のマスへ1マスか2マス歩く。",
        ),
        OVER: ("Nothing is done once the match is over.", "対戦が終われば何も行えない。"),
    }
    words = {
        "step": ("step", "動く"), "walk": ("walk", "歩く"), "path": ("path", "道筋"),
        "concede": ("give up", "投了"), "piece": ("piece", "駒"), "to": ("square", "マス"),
        UNIT: ("chart", "盤"), GROUND: ("ground", "地面"), TRAP: ("traps", "罠"), "steps": ("steps", "歩数"),
        "force": ("force", "強さ"), "play": ("play", "対局"), "reason.conceded": ("gave up", "投了"),
        "G1": ("G1 Guard", "G1 番兵"), "S1": ("S1 Scout", "S1 斥候"), "F1": ("F1 Pit", "F1 落とし穴"),
        "MIRE": ("Mire", "泥沼"), "home": ("home", "陣地"), "ford": ("ford", "浅瀬"),
    }  # fmt: skip
    return Rulebook(
        Message("Chart", "海図"),
        {clause: RulebookClause(clause, "rule", en, ja) for clause, (en, ja) in said.items()},
        {"CH": Message("All", "すべて")},
        {code: Message(*both) for code, both in words.items()},
    )


CHART = Game(
    key="chart",
    rulebook=_book(),
    rules_type=Rules,
    options=(),
    versions={"1": Rules()},
    action_types=(Step, Walk, Concede),
    seats=lambda rules: SEATS,
    by_hand=TO,
    schema=schema,
    deck=lambda rules, seat: Deck(FACES),
    deck_checks=lambda rules, seat, deck: iter(()),
    set_up=set_up,
    awaited=awaited,
    offers=offers,
    checks=checks,
    carry_out=carry_out,
    settle=settle,
    resume=resume,
    chance=lambda rules, table, below: None,
    readings=readings,
    faces=lambda: FACES,
    display=Display(
        squares={UNIT: LETTERED, GROUND: LETTERED, TRAP: numbered_slots("f")},
        known_of=known_of,
        short=lambda face, lang: "泥沼" if face == "MIRE" and lang == "ja" else face,
    ),
)
