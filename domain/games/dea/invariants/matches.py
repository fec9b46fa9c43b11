"""Invariants of actions and of whole matches."""

from collections import Counter
from functools import partial
from typing import Final

from msgspec.structs import asdict

from domain.games.dea import schema as S, table_queries as R, text as T
from domain.games.dea.actions import Attack, Declared, GiveTitle, Move
from domain.games.dea.cards import POOLS, card
from domain.games.dea.invariants.printed import has_simple_statics, kind, moves_allowed, reach, standing
from domain.games.dea.offers import offers
from domain.games.dea.rules import Rules
from domain.law.actions import Pass
from domain.law.invariants import Match, PlayedAction, is_left_to_chance
from domain.law.pools import FIRST
from domain.parts.mirror import Mirror
from domain.parts.places import place_in
from domain.parts.squares import Size, Square
from domain.table import facts as F
from domain.table.redact import SeenPlace
from domain.table.table import EVERYONE, CardId, Effect, Frame, Place, Seat, Table, ValueColumns, seat_of

BY_CHANCE: Final[dict[str, type[F.Fact]]] = {
    "first_player": F.Rolled,
    "shuffle": F.Arranged,
    "random_discard": F.Moved,
    "tie_break": F.Rolled,
}
"""Fact that records each outcome of chance."""


def a_move_was_left(rules: Rules, deed: PlayedAction[Move | Attack]) -> bool:
    """True if the character had a move or an attack left. An attack uses both unless the rules separate them."""
    character, t = deed.action.character, deed.before
    is_attack = isinstance(deed.action, Attack)
    if is_attack and R.mark(t, character, S.ATTACKS_USED) >= rules.attacks_per_character:
        return False
    if not has_simple_statics(rules.cards) or (is_attack and rules.attack_uses_move != "yes"):
        return True
    return R.mark(t, character, S.MOVES_USED) < moves_allowed(rules, t, character)


def a_move_follows_its_type(rules: Rules, deed: PlayedAction[Move | Attack]) -> bool:
    """True if a move follows the move type, into an empty cell or onto an enemy."""
    t, character = deed.before, deed.action.character
    origin, target = R.square_at(t.pieces[character].place), R.square_at(deed.action.cell)
    if origin is None or target is None or deed.action.cell not in R.cells(rules.size):
        return False
    owners = [t.pieces[other].owner for other in t.places.get(deed.action.cell, ())]
    fits = bool(owners) == isinstance(deed.action, Attack) and deed.actor not in owners
    if not fits or not has_simple_statics(rules.cards):
        return fits
    return (target.column - origin.column, target.row - origin.row) in reach(rules, t, character)


def what_is_paid_is_gone(rules: Rules, deed: PlayedAction[Declared | Attack]) -> bool:
    """True if a declaration costs the pages and life that its item records, and a gimmick its printed cost."""
    t = deed.before
    amounts = {S.PAGES: R.seat_mark(t, deed.actor, S.PAGES), S.LIFE: R.seat_mark(t, deed.actor, S.LIFE)}
    amounts_before = dict(amounts)
    for _, fact in deed.told:
        if isinstance(fact, F.Marked) and fact.on == deed.actor and fact.name in amounts:
            amounts[fact.name] = fact.to
        if isinstance(fact, F.Pushed) and fact.frame.lane == "stack":
            paid = {S.PAGES: R.pages_paid(fact.frame), S.LIFE: R.life_paid(fact.frame)}
            spent = {mark: amounts_before[mark] - amounts[mark] for mark in amounts}
            return spent == paid and _is_printed(rules, fact.frame, paid[S.PAGES])
    return True


def _is_printed(rules: Rules, item: Frame, pages: int) -> bool:
    return item.kind not in ("event", "equipment") or pages == card(rules.cards, item.face).pages


def chance_is_asked_for_what_it_decides(rules: Rules, deed: PlayedAction) -> bool:
    """True if every random fact comes from an outcome of chance that chance was asked for."""
    return is_left_to_chance(deed, BY_CHANCE)


def a_match_ends_with_a_title_at_most(rules: Rules, deed: PlayedAction) -> bool:
    """True if a title is given once, by the winner."""
    result = deed.before.result
    if result is None:
        return not isinstance(deed.action, GiveTitle)
    return isinstance(deed.action, GiveTitle) and deed.actor in result.winners and not deed.before.marks.get(S.TITLED)


def a_failed_item_changed_nothing(rules: Rules, deed: PlayedAction) -> bool:
    """True if an item that fails changes nothing, except for questions and a late point."""
    facts = [fact for _, fact in deed.told]
    starts: dict[int, int] = {}
    for place, fact in enumerate(facts):
        if isinstance(fact, F.Altered) and fact.lane == "running":
            starts[fact.id] = place
        if not isinstance(fact, F.Popped) or fact.how not in ("failed", "condition"):
            continue
        if not all(_is_bookkeeping(rules, inner) for inner in facts[starts.get(fact.id, 0) : place]):
            return False
    return True


def _is_bookkeeping(rules: Rules, fact: F.AnyFact) -> bool:
    if isinstance(fact, F.Popped):
        return fact.how == "answered"
    point = rules.foreshadow_ep_timing == "resolve" and isinstance(fact, F.Marked) and fact.name == S.EP
    return point or isinstance(fact, F.Altered) or (isinstance(fact, F.Pushed) and fact.frame.lane == "asked")


OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
_STEP: Final = 4
"""Index in an attack's numbers at which its step in columns and rows begins."""


def sides(rules: Rules) -> Mirror:
    """Return the symmetry between the two sides of a map."""
    return Mirror(R.SEATS, partial(_opposite, rules.size), OPPOSITE, _numbers)


def _opposite(size: Size, place: Place) -> Place | None:
    square = R.square_at(place)
    return None if square is None else R.cell_at(Square(size.columns + 1 - square.column, size.rows + 1 - square.row))


def _numbers(columns: ValueColumns) -> tuple[int, ...]:
    numbers = columns.numbers
    if isinstance(columns, Frame | Effect) and columns.kind == "attack" and len(numbers) > _STEP:
        return (*numbers[:_STEP], *(-step for step in numbers[_STEP:]))
    return numbers


def is_symmetric(rules: Rules, t: Table) -> bool:
    """True if each writer has the same offers as the other on the table rotated by 180 degrees."""
    return sides(rules).is_symmetric(t, partial(offers, rules))


VIEWS: Final = 6
"""Number of tables per match that are checked from every viewer and from the other side."""
CARD_WORTH: Final = 2.5
FORESHADOW_WORTH: Final = 10
USE_WORTH: Final = 3
"""Worth in pages of an unused gimmick, a face-down foreshadow, and an ability not yet used this turn."""
NEUTRAL_OPTIONS: Final = frozenset(("map_preset", "map_columns", "home_rows", "centre_rows", "cards", "max_turns"))
"""Options that do not affect income and spending."""


# -- cards ------------------------------------------------------------------------------------------------------------


def plots_stay_those_registered(rules: Rules, match: Match) -> bool:
    """True if each writer's cards stay those of the plot. The rules may allow blockers to leave."""
    first, opening = match.tables[0].pieces, match.opening
    for seat, faces in opening.decks.items():
        if faces and Counter(faces) != Counter(piece.face for piece in first.values() if piece.owner == seat):
            return False
    for t in match.tables:
        remaining = {card_id for card_id in first if card_id in t.pieces}
        lost = set(first) - remaining
        if any(
            card(rules.cards, first[card_id].face).type != "character" or rules.knockback_edge != "removed"
            for card_id in lost
        ):
            return False
        if any(
            (t.pieces[card_id].face, t.pieces[card_id].owner) != (first[card_id].face, first[card_id].owner)
            for card_id in remaining
        ):
            return False
        if any(kind(rules, t, card_id) != "token" for card_id in set(t.pieces) - remaining):
            return False
    return True


def foreshadows_keep_their_slots(rules: Rules, match: Match) -> bool:
    """True if foreshadows keep their slots after set-up, and stay open once opened."""
    before: dict[CardId, tuple[str, bool]] = {}
    for t in match.tables:
        if not t.clock.turn:
            continue
        current = {
            card_id: (str(piece.place), piece.up)
            for card_id, piece in t.pieces.items()
            if f".{S.FORESHADOW}:" in piece.place
        }
        if before and any(current.get(card_id, ("", False))[0] != place for card_id, (place, _) in before.items()):
            return False
        if any(up and not current[card_id][1] for card_id, (_, up) in before.items()):
            return False
        before = current
    return True


def lines_are_scored_by_few(rules: Rules, match: Match) -> bool:
    """True if each character of a plot scores a line at most once."""
    scored: Counter[Seat] = Counter()
    cards: set[int] = set()
    for _, fact, t in match.facts():
        if isinstance(fact, F.Marked) and fact.name == S.LINE_SCORED and isinstance(fact.on, tuple):
            if cards.intersection(fact.on):
                return False
            cards.update(fact.on)
            scored.update(t.pieces[character].owner for character in fact.on)
    return all(count <= rules.characters_per_plot for count in scored.values())


# -- end of a match ---------------------------------------------------------------------------------------------------


def every_use_takes_something(rules: Rules, match: Match) -> bool:
    """True if each use in a main phase leaves less worth, under the default rules with published cards."""
    if not is_usual(rules):
        return True
    start: tuple[int, float] | None = None
    for deed in match.deeds:
        t = deed.before
        if _is_quiet(t):
            start = (t.clock.turn, worth(rules, t)) if not _ends(deed) else None
        if start is not None and _is_quiet(deed.after) and deed.after.clock.turn == start[0]:
            if worth(rules, deed.after) >= start[1]:
                return False
            start = None
    return True


def is_usual(rules: Rules) -> bool:
    defaults, values = asdict(Rules()), asdict(rules)
    published = rules.cards in (FIRST, *POOLS.published.values())
    return published and all(values[name] == value for name, value in defaults.items() if name not in NEUTRAL_OPTIONS)


def _is_quiet(t: Table) -> bool:
    waiting = t.result is not None or t.stack or t.running or t.waiting or t.asked
    return t.clock.phase == S.MAIN and t.clock.step in (S.OPEN, S.END_WINDOW) and not waiting


def _ends(deed: PlayedAction) -> bool:
    """True if an action only brings the end of the main phase closer."""
    return isinstance(deed.action, Pass) or deed.after.clock.step == S.END_WINDOW != deed.before.clock.step


def worth(rules: Rules, t: Table) -> float:
    """Return the worth of everything that both writers can still use."""
    total = 0.0
    for seat in t.seats:
        marks = t.seats[seat]
        total += marks.get(S.PAGES, 0) + marks.get(S.LIFE, 0)
        card_count = sum(len(t.places.get(place_in(seat, area), ())) for area in (S.HAND, S.DECK))
        total += CARD_WORTH * card_count
    total += FORESHADOW_WORTH * sum(f".{S.FORESHADOW}:" in piece.place and not piece.up for piece in t.pieces.values())
    for character in standing(t):
        marks = t.pieces[character].marks
        total += max(0, moves_allowed(rules, t, character) - marks.get(S.MOVES_USED, 0))
        total += max(0, rules.attacks_per_character - marks.get(S.ATTACKS_USED, 0))
        for ability in card(rules.cards, t.pieces[character].face).abilities:
            is_once_per_turn = isinstance(ability, T.Activated) and ability.limit == "once_per_turn"
            total += USE_WORTH * (is_once_per_turn and not marks.get(S.USED.format(ability.name)))
    return total


def turns_are_as_many_as_set(rules: Rules, match: Match) -> bool:
    """True if the turns stay within the maximum, so that the match ends."""
    return rules.turns_max is None or match.tables[-1].clock.turn <= rules.turns_max


# -- visibility -------------------------------------------------------------------------------------------------------


def a_view_holds_what_the_matrix_allows(rules: Rules, match: Match) -> bool:
    """True if decks are hidden, hands and face-down cards visible to their writer, and the rest public."""
    return all(_may_see(t, viewer, place) for t, viewer, place in match.sample_views(VIEWS))


def _may_see(t: Table, viewer: Seat, view: SeenPlace) -> bool:
    """True if a viewer knows exactly the faces of a place that its area allows."""
    cards = t.places.get(view.place, ())
    known_faces = sum(seen_card.face is not None for seen_card in view.cards)
    revealed = sum(bool({viewer, EVERYONE} & set(t.pieces[card_id].seen)) for card_id in cards)
    if view.area == S.DECK:
        return known_faces == revealed
    owners = [t.pieces[card_id].owner for card_id in cards]
    if view.area in (S.UNPLACED, S.HAND):
        return known_faces == (len(cards) if seat_of(view.place) == viewer else revealed)
    visible = [t.pieces[card_id].up or owner == viewer for card_id, owner in zip(cards, owners, strict=True)]
    return known_faces == sum(visible)


# -- both sides -------------------------------------------------------------------------------------------------------


def both_sides_are_alike(rules: Rules, match: Match) -> bool:
    """True if sampled tables offer both writers the same actions after a rotation."""
    step = max(1, len(match.tables) // VIEWS)
    return all(is_symmetric(rules, t) for t in match.tables[step - 1 :: step])
