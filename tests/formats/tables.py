"""A small table for the tests of names, actions and facts."""

from msgspec.structs import replace

from domain.games import GAMES
from domain.table.table import CardId, Clock, Effect, EffectId, Frame, FrameId, Obj, Piece, Place, Seat, Table

P1, P2 = Seat("p1"), Seat("p2")
GAME = GAMES["blackpoker"]
RULES = GAME.versions["8.1-lite"]
SCHEMA = GAME.schema(RULES)

_ROWS: dict[str, tuple[str | None, ...]] = {
    "p1.hand": ("H8", "S2", "JK", "JK", "S5"),
    "p1.soldiers": ("S4", "D3", "D7"),
    "p1.bulwarks": ("C6",),
    "p1.life": ("C5", "C10", None),
    "p1.grave": ("S3", "S9"),
    "p2.hand": ("C10", "D3"),
    "p2.soldiers": ("S4", "H2"),
    "p2.life": ("H8", None),
    "stage": ("HK",),
}


def table() -> Table:
    """Return a table with cards from 1 (thing ids are 50 higher), Up and Counter on the stack, and a Draw waiting."""
    pieces: dict[CardId, Piece] = {}
    places: dict[Place, tuple[CardId, ...]] = {}
    for name, faces in _ROWS.items():
        owner = Seat(name[:2]) if name != "stage" else P1
        for face in faces:
            card = CardId(len(pieces) + 1)
            place = Place(name)
            pieces[card] = Piece(face, owner, owner, place, card + 50, name.endswith(("soldiers", "stage")))
            places[place] = (*places.get(place, ()), card)
    pieces[card_of(pieces, "D7")] = replace(pieces[card_of(pieces, "D7")], host=card_of(pieces, "D3", "p1.soldiers"))
    soldier = card_of(pieces, "S4", "p1.soldiers")
    return Table(
        pieces=pieces,
        places=places,
        seats={P1: {"attacks": 1}, P2: {}},
        stack=(
            Frame(id=FrameId(3), lane="stack", kind="up", by=P1, cards=(card_of(pieces, "HK"),)),
            Frame(id=FrameId(4), lane="stack", kind="counter", by=P2, frames=(FrameId(3),)),
        ),
        waiting=(Frame(id=FrameId(5), lane="waiting", kind="draw", by=P1),),
        effects=(Effect(id=EffectId(1), kind="up", by=P1, source=Obj(soldier, 1), on=(Obj(soldier, soldier + 50),)),),
        clock=Clock(3, P1, P1, "play", "", (P1,)),
        minted=len(pieces) + 50,
        framed=5,
        begun=1,
    )


def card_of(pieces: dict[CardId, Piece], face: str, place: str = "") -> CardId:
    return next(card for card, piece in pieces.items() if piece.face == face and place in ("", piece.place))


TABLE = table()


def card(face: str, place: str = "") -> CardId:
    return card_of(dict(TABLE.pieces), face, place)
