"""Deciding on real cards. The log knows only the faces that were seen.

An entry begins with what was seen: the faces named for this action, and the cards that can no longer be told apart. The
law then decides on a table with these faces. It requests a face where it must read one, or where all players see one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import BY_HAND, CitedFacts, Refusal
from domain.law.driver import decide, decide_as_played, skips_questions
from domain.law.entries import Opened, Played, leading_faces
from domain.law.face_request import FaceRequest
from domain.law.game import UNKNOWN_FACE, Game
from domain.law.law import Law
from domain.law.outcome import Outcome, UnknownFaceError
from domain.law.slots import Action, cards_of, slots
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import apply, fold
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, EVERYONE, CardId, Piece, Place, Seat, Table, blank, zone
from domain.words import Text

Faces = Mapping[CardId, str | None]
"""Faces seen of unknown cards. None: not named, although the log knew the face until now."""

NO_FACES: Final[Mapping[CardId, str]] = MappingProxyType({})


def has_unknown_faces(table: Table) -> bool:
    """True if the table has a card with an unknown face."""
    return any(piece.face is None for piece in table.pieces.values())


def needs_seen_faces(table: Table, actor: Seat, action: Action) -> bool:
    """True if faces seen must be recorded before the action: if a face is unknown or an order is hidden."""
    return has_unknown_faces(table) or shuffles_unseen(table, actor, action)


def shuffles_unseen(table: Table, actor: Seat, action: Action) -> bool:
    """True if chance shuffles a pile into an unknown order."""
    return actor == CHANCE and any(True for _ in _shuffled(table, action))


class RealCardAction(Struct, frozen=True):
    """An action on real cards, with everything needed to decide it."""

    law: Law
    physics: Physics
    opened: Opened
    table: Table
    actor: Seat
    action: Action
    faces: Faces
    as_played: bool = False
    skips: bool = False
    areas: Mapping[CardId, str] = NO_FACES
    """Areas that unseen cards were seen going to, for a `FaceSplit`."""

    def decide(
        self, assumed: Mapping[CardId, str] = NO_FACES, unnamed: Callable[[CardId], bool] = lambda card: False
    ) -> Outcome | FaceRequest:
        """Return the outcome of the action when its faces are seen; its facts begin with what was seen.

        With `assumed` faces, the law is asked as if they were known, and the outcome does not mention them. For an
        `unnamed` card a face is requested only if the law needs it, not because all players see it.
        """
        lost = cards_mixed_up(self.physics, self.table, self.action, self.faces)
        visible = {card: face for card, face in self.faces.items() if face is not None}
        facts = _identify_cards(lost, (None,) * len(lost)) + _identify_cards(tuple(visible), tuple(visible.values()))
        start = fold(self.table, (fact for _, fact in facts))
        decide_action = partial(decide_as_played, skips=self.skips) if self.as_played else decide
        supposed = with_faces(start, assumed)
        try:
            outcome = decide_action(self.law, supposed, self.actor, self.action, asking=self.areas)
        except UnknownFaceError as asked:
            return FaceRequest(asked.card, start.pieces[asked.card].place, asked.purpose)
        if isinstance(outcome, Refusal):
            return outcome
        is_exempt = unnamed if self.law.game.asks_open else lambda card: False
        request = _request_open_face(self.physics, supposed, outcome.told, is_exempt)
        if request is not None:
            return request
        after = fold(start, (fact for _, fact in outcome.told)) if assumed else outcome.table
        return replace(outcome, told=facts + outcome.told, table=after)


def skips_questions_after_faces(law: Law, table: Table, entry: Played, action: Action) -> bool:
    """True if an entry as played has the older meaning, given what was seen first."""
    first = leading_faces(entry.told)
    start = fold(table, (fact for _, fact in first)) if first else table
    return skips_questions(law, start, entry.actor, action, entry.told[len(first) :])


def with_faces(table: Table, faces: Mapping[CardId, str | None]) -> Table:
    pieces = {card: replace(table.pieces[card], face=face) for card, face in faces.items()}
    return table.with_changes(pieces={**table.pieces, **pieces}) if pieces else table


def _identify_cards(cards: tuple[CardId, ...], faces: tuple[str | None, ...]) -> CitedFacts:
    return ((BY_HAND, F.Identified(cards, faces)),) if cards else ()


def seen_faces(told: CitedFacts) -> dict[CardId, str | None]:
    """Return the faces seen before the law was asked; None for cards that can no longer be told apart."""
    faces: dict[CardId, str | None] = {}
    for _, fact in leading_faces(told):
        assert isinstance(fact, F.Identified)
        faces |= zip(fact.cards, fact.faces, strict=False)
    return faces


def seen_areas(told: CitedFacts) -> dict[CardId, str]:
    """Return the areas that cards went to, for each card the first. The decision about a `FaceSplit` is read from it,
    because with any other area these facts cannot follow."""
    areas: dict[CardId, str] = {}
    for _, fact in told:
        if isinstance(fact, F.Moved):
            areas = {**dict.fromkeys(fact.cards, zone(fact.to)), **areas}
    return areas


# -- faces that all players see ---------------------------------------------------------------------------------------


def _request_open_face(
    physics: Physics, table: Table, told: CitedFacts, unnamed: Callable[[CardId], bool]
) -> FaceRequest | None:
    """Return the first unknown card that becomes visible to all, or is shown to all, while the facts happen."""
    draft, spectator = Draft(table), TableViewer(physics)
    for _, fact in told:
        apply(draft, fact)
        cards: Collection[CardId] = getattr(fact, "cards", ())
        is_shown = isinstance(fact, F.Shown) and EVERYONE in fact.to
        for card in cards:
            piece = draft.pieces.get(card)
            if piece is None or piece.face is not None or unnamed(card):
                continue
            if is_shown or spectator.knows(draft, card):
                return FaceRequest(card, piece.place)
    return None


def unknown_lies_open(physics: Physics, table: Table) -> bool:
    """True if a card with an unknown face lies open to all."""
    spectator = TableViewer(physics)
    return any(piece.face is None and spectator.knows(table, card) for card, piece in table.pieces.items())


# -- cards that cannot be told apart ----------------------------------------------------------------------------------


def cards_mixed_up(physics: Physics, table: Table, action: Action, faces: Faces) -> tuple[CardId, ...]:
    """Return the known cards that can no longer be told apart after an action. They are in a pile shuffled into an
    unknown order, or in a closed hand that loses an unnamed card."""
    places = [*_shuffled(table, action), *_taken_from(physics, table, action, faces)]
    followed_cards = {card for card in (*cards_of(action), *faces) if faces.get(card, "") is not None}
    return tuple(
        card
        for place in dict.fromkeys(places)
        for card in table.places.get(place, ())
        if table.pieces[card].face is not None and card not in followed_cards
    )


def _shuffled(table: Table, action: Action) -> Iterator[Place]:
    """Yield the piles that the action shuffles without naming the new order."""
    seats = [getattr(action, named_slot.name) for named_slot in slots(type(action)) if named_slot.slot.kind == "seat"]
    for named_slot in slots(type(action)):
        if named_slot.slot.kind == "order" and not getattr(action, named_slot.name):
            places = (Place(f"{seat}.{area}") for seat in seats for area in named_slot.slot.areas)
            yield from (place for place in places if len(table.places.get(place, ())) > 1)


def _taken_from(physics: Physics, table: Table, action: Action, faces: Faces) -> Iterator[Place]:
    for card in cards_of(action):
        piece = table.pieces.get(card)
        if piece is not None and faces.get(card, piece.face) is None:
            area = physics.area(piece.place)
            if area is not None and area.order == "bag" and not TableViewer(physics).follows(table, card):
                yield piece.place


# -- possible faces ---------------------------------------------------------------------------------------------------


def hide_faces(physics: Physics, laid_out: CitedFacts, seats: tuple[Seat, ...]) -> CitedFacts:
    """Return the facts of a set-up with real cards: faces that do not lie open in the end become unknown."""
    facts = [fact for _, fact in laid_out]
    table = fold(blank(seats), facts)
    return tuple((clause, _conceal_faces(physics, table, fact)) for clause, fact in laid_out)


def _conceal_faces(physics: Physics, table: Table, fact: F.AnyFact) -> F.AnyFact:
    if not isinstance(fact, F.Created):
        return fact
    lie_open = [TableViewer(physics).knows(table, card) for card in fact.cards]
    faces = (face if is_open else None for face, is_open in zip(fact.faces, lie_open, strict=True))
    return replace(fact, faces=tuple(faces))


def explain_impossible_face(game: Game, opened: Opened, table: Table, card: CardId, face: str) -> Text | None:
    """Return why a card cannot have a face: it is known already, or its owner's deck has no more. Return None if it
    can. If players bring their own decks, the message reveals nothing about the deck."""
    piece = table.pieces.get(card)
    if piece is None:
        return Text("wrong.card", {"card": card})
    if piece.face is not None:
        return Text("seen.known", {"face": piece.face}) if piece.face != face else None
    known = game.faces()
    if known and face not in known:
        return Text("seen.no_card", {"face": face})
    if not game.fits(piece.place, face):
        return Text("seen.cannot_be", {"face": face})
    deck_counts, known_counts = _count_faces_there(game, opened, table, piece)
    if not deck_counts:
        return None
    known_counts[face] += 1
    unlisted_count = sum((known_counts - deck_counts).values())
    if unlisted_count <= deck_counts[UNKNOWN_FACE]:
        return None
    wrong = "cannot_be" if game.own_decks else "too_many" if deck_counts[face] else "not_in_deck"
    return Text(f"seen.{wrong}", {"face": face, "seat": piece.owner, "n": deck_counts[face]})


def faces_left(game: Game, opened: Opened, table: Table, card: CardId) -> tuple[str, ...]:
    """Return the faces that its owner's list allows for an unknown card. An open list allows all faces of the game."""
    deck_counts, known_counts = _count_faces_there(game, opened, table, table.pieces[card])
    unlisted_count = sum((known_counts - deck_counts).values())
    if not deck_counts or unlisted_count < deck_counts[UNKNOWN_FACE]:
        return tuple(game.faces())
    return tuple(face for face in deck_counts if face != UNKNOWN_FACE and known_counts[face] < deck_counts[face])


def _count_faces_there(game: Game, opened: Opened, table: Table, piece: Piece) -> tuple[Counter[str], Counter[str]]:
    """Return the faces on the list of a card in its place, and the known ones of these cards. It is the list of the
    side deck where a side deck lies to which no other card has come."""
    if zone(piece.place) == game.side_area:
        sides = (fact for _, fact in opened.told if isinstance(fact, F.Created) and zone(fact.place) == game.side_area)
        cards = table.places.get(piece.place, ())
        if set(cards) <= {card for fact in sides for card in fact.cards}:
            known = (table.pieces[card].face for card in cards)
            return Counter(opened.sides.get(piece.owner, ())), Counter(face for face in known if face is not None)
    return count_listed_faces(opened, piece.owner), _count_known_faces(opened, table, piece.owner)


def count_listed_faces(opened: Opened, owner: Seat) -> Counter[str]:
    """Return the faces on the list of a seat, including its side deck."""
    return Counter((*opened.decks.get(owner, ()), *opened.sides.get(owner, ())))


def _count_known_faces(opened: Opened, table: Table, owner: Seat) -> Counter[str]:
    """Count the known faces of a seat's own cards. Cards created later, such as tokens, are on no list."""
    listed_cards = {card for _, fact in opened.told if isinstance(fact, F.Created) for card in fact.cards}
    pieces = (piece for card, piece in table.pieces.items() if piece.owner == owner and card in listed_cards)
    return Counter(piece.face for piece in pieces if piece.face is not None)
