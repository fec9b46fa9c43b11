"""Invariants of actions, and of a whole match in retrospect."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from domain.games.skillbook import actions as A, board as B, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import card
from domain.games.skillbook.invariants.printed import did_this_turn, kind
from domain.games.skillbook.offers import offers
from domain.games.skillbook.rules import Rules
from domain.law.invariants import Match, PlayedAction, is_left_to_chance
from domain.parts.grid import place_of
from domain.parts.mirror import Mirror
from domain.parts.squares import Size, Square
from domain.table import facts as F
from domain.table.redact import SeenPlace
from domain.table.table import EVERYONE, Piece, Place, Seat, Table, area, seat_of, zone

BY_CHANCE: Final[dict[str, type[F.Fact]]] = {"shuffle_book": F.Arranged, "toss": F.Rolled}
Begins = A.DeclareMove | A.ExploreInPlace | A.StartBattle


def a_unit_moves_and_fights_once(rules: Rules, deed: PlayedAction[Begins]) -> bool:
    """A unit moves once and fights once a turn, and does not move after it fought."""
    unit, t = deed.action.unit, deed.before
    is_repeated = did_this_turn(t, unit, S.FOUGHT) or (
        isinstance(deed.action, A.DeclareMove) and did_this_turn(t, unit, S.MOVED)
    )
    return not is_repeated and t.pieces[unit].owner == deed.actor == t.clock.active


def a_use_takes_its_card(rules: Rules, deed: PlayedAction[A.UseSkill]) -> bool:
    """A use takes its card from the user's hand or table, and its cost from the book."""
    t, skill = deed.before, deed.action.card
    facts = [fact for _, fact in deed.told]
    used = any(isinstance(fact, F.Moved) and fact.cards == (skill,) and fact.to == S.STACK for fact in facts)
    pushed = next(fact.frame for fact in facts if isinstance(fact, F.Pushed) and fact.frame.lane == "stack")
    milled = next((fact.cards for fact in facts if isinstance(fact, F.Moved) and zone(fact.to) == S.GRAVEYARD), ())
    top = R.book(t, deed.actor)[: R.cost_paid(pushed)]
    paid = not top or set(milled) == set(top)
    return used and paid and len(top) == R.cost_paid(pushed) and zone(t.pieces[skill].place) in (S.HAND, S.TABLE)


def chance_is_asked_for_what_it_decides(rules: Rules, deed: PlayedAction) -> bool:
    """Only chance shuffles and tosses, and the facts record its outcome."""
    return is_left_to_chance(deed, BY_CHANCE)


def showing_a_graveyard_changes_nothing(rules: Rules, deed: PlayedAction[A.ShowGraveyard]) -> bool:
    """Showing a graveyard changes only what is known."""
    return all(isinstance(fact, F.Shown) for _, fact in deed.told)


def sides(rules: Rules) -> Mirror:
    return Mirror(B.SEATS, partial(_opposite, rules.size))


def _opposite(size: Size, place: Place) -> Place | None:
    square = B.square_at(place)
    return None if square is None else place_of(area(place), Square(square.column, size.rows + 1 - square.row))


def is_symmetric(rules: Rules, t: Table) -> bool:
    """True if both players have the same offers on the table and its mirror image."""
    return sides(rules).is_symmetric(t, partial(offers, rules))


VIEWS: Final = 4
"""Tables per match that are viewed as every viewer and mirrored."""


def decks_stay_those_registered(rules: Rules, match: Match) -> bool:
    """Each player's cards stay those of the deck. Only tokens are added."""
    first, opened = match.tables[0].pieces, match.opening
    for seat, faces in opened.decks.items():
        if faces and Counter(faces) != Counter(piece.face for piece in first.values() if piece.owner == seat):
            return False
    for t in match.tables:
        if any(card_id not in t.pieces or t.pieces[card_id].owner != piece.owner for card_id, piece in first.items()):
            return False
        if any(t.pieces[card_id].face != piece.face for card_id, piece in first.items()):
            return False
        if any(kind(rules, t, card_id) != "token" for card_id in set(t.pieces) - set(first)):
            return False
    return True


def the_skills_of_each_player_stay_as_many(rules: Rules, match: Match) -> bool:
    """The number of skills per owner never changes."""
    counts = [
        Counter(piece.owner for piece in t.pieces.values() if card(rules.cards, piece.face).type in T.SKILLS)
        for t in match.tables
    ]
    return all(count == counts[0] for count in counts)


def a_match_has_one_result_at_most(rules: Rules, match: Match) -> bool:
    """A match has at most one result, and it is the last fact."""
    facts = [fact for _, fact, _ in match.facts()]
    ends = [place for place, fact in enumerate(facts) if isinstance(fact, F.Finished)]
    return not ends or ends == [len(facts) - 1]


def each_turn_takes_a_card_from_a_book(rules: Rules, match: Match) -> bool:
    """Each turn draws the number of the rules, or what is left. By option the first turn draws none."""
    drawn: Counter[int] = Counter()
    expected: dict[int, int] = {}
    for _, fact, t in match.facts():
        if isinstance(fact, F.Clocked) and (fact.clock.phase, t.clock.phase) == (S.DRAW, S.TURN_START):
            draws_none = fact.clock.turn == 1 and rules.first_turn_draw != "yes"
            book_size = len(t.places.get(Place(f"{t.clock.active}.{S.BOOK}"), ()))
            expected[fact.clock.turn] = 0 if draws_none else min(rules.draw_per_turn, book_size)
        if isinstance(fact, F.Moved) and fact.to == f"{t.clock.active}.{S.DRAWN}" and t.clock.phase == S.DRAW:
            drawn[t.clock.turn] += len(fact.cards)
    return all(drawn[turn] == count for turn, count in expected.items())


# -- visibility -------------------------------------------------------------------------------------------------------


def a_view_holds_what_the_matrix_allows(rules: Rules, match: Match) -> bool:
    """Books are hidden, hands and layouts visible to their player, graveyard tops and face-up cards to all."""
    return all(_knows_allowed_faces(t, viewer, seen) for t, viewer, seen in match.sample_views(VIEWS))


def _knows_allowed_faces(t: Table, viewer: Seat, seen: SeenPlace) -> bool:
    """True if a viewer knows exactly the faces that the area allows."""
    cards = t.places.get(seen.place, ())
    known = sum(shown.face is not None for shown in seen.cards)
    pieces = [t.pieces[card_id] for card_id in cards]
    seen_flags = [bool({viewer, EVERYONE} & set(piece.seen)) for piece in pieces]
    is_own = seat_of(seen.place) == viewer
    match seen.area:
        case S.BOOK:
            return known == sum(seen_flags)
        case S.HAND | S.DRAWN | S.LAYOUT | S.HERO:
            return known == (len(cards) if is_own else sum(seen_flags))
        case S.GRAVEYARD:
            return known == (len(cards) if is_own else sum([*seen_flags[:-1], True]) if cards else 0)
        case S.REMOVED:
            return known == (len(cards) if is_own else _count_known(pieces, seen_flags))
        case S.GROUND:
            return known == _count_known(
                pieces, [look or piece.owner == viewer for piece, look in _pairs(pieces, seen_flags)]
            )
        case _:
            return known == len(cards)


def _pairs(pieces: list[Piece], seen_flags: list[bool]) -> Iterator[tuple[Piece, bool]]:
    return zip(pieces, seen_flags, strict=True)


def _count_known(pieces: list[Piece], seen_flags: list[bool]) -> int:
    return sum(piece.up or look for piece, look in _pairs(pieces, seen_flags))


# -- both sides -------------------------------------------------------------------------------------------------------


def both_sides_are_alike(rules: Rules, match: Match) -> bool:
    """On the mirrored board with players exchanged, both have the same options."""
    stride = max(1, len(match.tables) // VIEWS)
    return all(is_symmetric(rules, t) for t in match.tables[stride - 1 :: stride])
