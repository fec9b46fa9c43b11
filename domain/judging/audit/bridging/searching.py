"""Everything that may be done on a table by law, as far as it can be gone through, breadth first and within bounds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.audit.bridging.alike import Alike, Key
from domain.law.asking import Asking
from domain.law.chances import outcomes
from domain.law.clause import Told
from domain.law.driver import accepts, decide
from domain.law.entries import Opened, Undealt
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.outcome import Accepted, Endless, FaceAsked
from domain.law.slots import Action, Slot, lies, slots
from domain.law.unseen import unknown_lies_open, unseen, with_faces
from domain.law.worlds import Unseen, Worlds, decide_worlds
from domain.table import facts as F
from domain.table.physics import Physics
from domain.table.table import CHANCE, CardId, Seat, Table

TABLES_MAX: Final = 2_000
"""Bound on the tables that are looked at in one gap: about a second."""
TRIES_EACH: Final = 10
"""So many actions are tried at most for each table of the bound."""
OUTCOMES_MAX: Final = 60
"""Up to so many outcomes of chance are all gone through."""
PATHS_MAX: Final = 8
"""So many ways to one table are kept."""

STUMBLES: Final = (LookupError, ValueError, TypeError, AttributeError, AssertionError, Endless)
"""What a law raises on a table that no law leads to, as facts by hand may have laid out."""

_NAMING: Final = ("card", "cards", "pairs")
_OF_CARDS: Final = (*_NAMING, "order")

Why = Literal["tables", "faces", "chance", "law", "judge"]
"""Why not everything was gone through: too many tables · it hangs on faces that nobody saw · on what chance may have
answered · the law cannot decide on this table · a judge may have ended the match."""


class Ground(Struct, frozen=True):
    """Where is searched: a match's law, physics and opening."""

    law: Law
    physics: Physics
    opened: Opened


class Step(Struct, frozen=True):
    """An action that may have been played, and what it leads to; `supposed` are faces that it takes for granted."""

    actor: Seat
    action: Action
    told: Told
    supposed: Mapping[CardId, str] = {}


Path = tuple[Step, ...]


class Reached(Struct, frozen=True):
    """A table that actions lead to, and ways there, told apart by what was done; `past`: the tables on all of them."""

    table: Table
    paths: dict[Key, Path]
    more: bool = False
    past: frozenset[int] = frozenset()


class _Taken(Struct, frozen=True):
    """An action taken: under which name it is told apart from others, and the table behind it."""

    named: Key
    step: Step
    table: Table


class Search:
    """A search under way: what was looked at, and what kept it from looking at everything."""

    def __init__(self, ground: Ground, alike: Alike, told: Told, most: int) -> None:
        self._ground, self._alike = ground, alike
        self._arranged = [fact for _, fact in told if isinstance(fact, F.Arranged)]
        self._most, self._left = most, most * TRIES_EACH
        self._known: dict[Key, int] = {}
        self.tables: list[Table] = []
        """Every table that was reached, each once."""
        self.left_out: list[Why] = []
        """Why not everything was looked at, in the order in which it came about."""
        self.shorter = False
        """Do some actions lead to a table that fewer others lead to as well? Then not all ways are kept."""

    def layers(self, start: Table) -> Iterator[list[Reached]]:
        """The tables that no action leads to, that one does, that two do ...: what is new with each."""
        layer = list(self._settled([Reached(start, {(): ()})]))
        while layer:
            yield layer
            layer = list(self._settled(self._behind(layer)))

    def _behind(self, layer: list[Reached]) -> Iterator[Reached]:
        for before in layer:
            for seat in before.table.seats:
                for taken in self._steps(before.table, seat):
                    if "tables" in self.left_out:
                        return
                    yield _on(before, taken)

    def _named(self, table: Table, actor: Seat, action: Action) -> Key:
        """What was done, whichever of like cards it was done with."""
        pieces, like = table.pieces, self._alike.like

        def name(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple([name(each) for each in value])
            return (like(value), pieces[value].place, pieces[value].face) if value in pieces else value

        said = (
            name(value) if each.slot.kind in _OF_CARDS else value
            for each in slots(type(action))
            for value in (getattr(action, each.name),)
        )
        return (actor, type(action).__name__, *said)

    def _settled(self, reached: Iterable[Reached]) -> Iterator[Reached]:
        """What was reached, and what chance makes of it: each table once, with the ways to it."""
        there: dict[Key, Reached] = {}
        numbers: dict[Key, int] = {}
        for each in reached:
            asked = [each]
            while asked and "tables" not in self.left_out:
                now = asked.pop()
                key = self._alike.reads(now.table)
                if (known := self._known.get(key)) is not None:
                    self.shorter = self.shorter or known not in now.past
                elif key in there:
                    there[key] = _together(there[key], now, numbers[key])
                elif len(self.tables) == self._most:
                    self._leave_out("tables")
                else:
                    self.tables.append(now.table)
                    now = there[key] = replace(now, past=now.past | {len(self.tables)})
                    numbers[key] = len(self.tables)
                    if CHANCE in self._ground.law.awaited(now.table) and now.table.result is None:
                        asked += [_on(now, taken) for taken in self._chances(now.table)]
        self._known |= numbers
        yield from there.values()

    def _leave_out(self, why: Why) -> None:
        if why not in self.left_out:
            self.left_out.append(why)

    # -- what may be done ---------------------------------------------------------------------------------------------

    def _steps(self, table: Table, seat: Seat) -> Iterator[_Taken]:
        known: set[Key] = set()
        try:
            offers: Iterable[Template] = self._ground.law.offers(table, seat)
            if (hidden := unseen(table)) and "faces" not in self.left_out:
                offers = tuple(offers)
                self._look_for_faces(table, seat, offers)
            for template in offers:
                for action in template.expansions():
                    if not self._left:
                        self._leave_out("tables")
                        return
                    self._left -= 1
                    named = self._named(table, seat, action)
                    if named not in known:
                        known.add(named)
                        yield from self._decided(table, seat, action, named, hidden)
        except STUMBLES:
            self._leave_out("law")

    def _decided(self, table: Table, seat: Seat, action: Action, named: Key, hidden: bool) -> Iterator[_Taken]:
        """What an action leads to, in every world that is left of what nobody saw."""
        ground = self._ground
        if not hidden:
            outcome = decide(ground.law, table, seat, action) if accepts(ground.law, table, seat, action) else None
            if isinstance(outcome, Accepted):
                yield _Taken(named, Step(seat, action, outcome.told), outcome.table)
            return
        worlds = decide_worlds(
            Unseen(ground.law, ground.physics, ground.opened, table, seat, action, {}), lambda card: True
        )
        assert isinstance(worlds, Worlds)
        self._left = max(0, self._left - len(worlds.worlds))
        if not worlds.complete:
            self._leave_out("faces")
        for world in worlds.worlds:
            if isinstance(world.outcome, Accepted):
                there = {card: face for card, face in world.faces.items() if card in world.outcome.table.pieces}
                step = Step(seat, action, world.outcome.told, world.faces)
                yield _Taken(named, step, with_faces(world.outcome.table, there))

    def _chances(self, table: Table) -> Iterator[_Taken]:
        """What chance may have answered: everything, where that is little; else what is told of it."""
        law, hidden = self._ground.law, unseen(table) or isinstance(self._ground.opened, Undealt)
        try:
            drawn = outcomes(law, table, OUTCOMES_MAX)
            if len(drawn) > OUTCOMES_MAX:
                self._leave_out("chance")
                drawn = tuple(self._told_of(drawn[0]))
            for action in drawn:
                yield from self._decided(table, CHANCE, action, self._named(table, CHANCE, action), hidden)
        except STUMBLES:
            self._leave_out("law")

    def _told_of(self, drawn: Action) -> Iterator[Action]:
        """The outcomes that what is told speaks of: a pile in another order; with real cards, in one nobody knows."""
        for named in slots(type(drawn)):
            if named.slot.kind == "order":
                pile = sorted(getattr(drawn, named.name))
                for fact in self._arranged:
                    if sorted(fact.cards) == pile:
                        yield _with(drawn, named.name, fact.cards)
                if isinstance(self._ground.opened, Undealt):
                    yield _with(drawn, named.name, ())

    # -- what nobody saw ----------------------------------------------------------------------------------------------

    def _look_for_faces(self, table: Table, seat: Seat, offers: Iterable[Template]) -> None:
        """Note where a seat may have done what nobody offers who does not know its cards."""
        game = self._ground.law.game
        if not game.asks_open and unknown_lies_open(self._ground.physics, table):
            self._leave_out("faces")
            return
        hidden: dict[str, CardId] = {}
        for card, piece in table.pieces.items():
            if piece.face is None:
                hidden.setdefault(piece.place, card)
        offered = {template.action: template for template in offers}
        for kind in game.action_types:
            for card in hidden.values():
                if not _is_offered(offered.get(kind), table, seat, kind, card) and self._may_be_done(
                    table, seat, kind, card
                ):
                    self._leave_out("faces")
                    return

    def _may_be_done(self, table: Table, seat: Seat, kind: type[Action], card: CardId) -> bool:
        """Is there nothing in the flow of play that keeps a seat from such an action with this card?"""
        action = _filled(table, seat, kind, card)
        if action is None:
            return False
        clauses = self._ground.law.game.rulebook.clauses
        try:
            for clause, holds, *_ in self._ground.law.checks(Asking(table), seat, action):
                if not holds and clauses[clause].kind == "flow":
                    return False
        except FaceAsked:
            return True
        return True


def _on(before: Reached, taken: _Taken) -> Reached:
    paths = {(*key, taken.named): (*path, taken.step) for key, path in before.paths.items()}
    return Reached(taken.table, paths, before.more, before.past)


def _together(one: Reached, other: Reached, number: int) -> Reached:
    paths = one.paths | {key: path for key, path in other.paths.items() if key not in one.paths}
    kept = dict(list(paths.items())[:PATHS_MAX])
    more = one.more or other.more or len(kept) < len(paths)
    return Reached(one.table, kept, more, one.past & other.past | {number})


def _with(action: Action, name: str, value: Any) -> Action:
    changed: Action = replace(action, **{name: value})
    return changed


def _is_offered(template: Template | None, table: Table, seat: Seat, kind: type[Action], card: CardId) -> bool:
    """Is a card that nobody saw offered wherever one that lies there can be named, whatever it is?"""
    if template is None:
        return False
    candidates = {choice.slot: choice.candidates for choice in template.choices}
    return all(card in candidates.get(each.name, ()) for each in slots(kind) if _may_name(table, seat, each.slot, card))


def _may_name(table: Table, seat: Seat, slot: Slot, card: CardId) -> bool:
    """May a slot of a seat's action name a card that lies there?"""
    return slot.kind in _NAMING and (not slot.areas or lies(table.pieces[card].place, seat, slot))


def _filled(table: Table, seat: Seat, kind: type[Action], card: CardId) -> Action | None:
    """An action of this kind that names a card wherever one may lie there; None if it names none."""
    values: dict[str, Any] = {}
    names = False
    for each in slots(kind):
        slot = each.slot
        if slot.kind in _NAMING:
            fits = _may_name(table, seat, slot, card)
            names = names or fits
            one = card if fits else next(iter(table.pieces))
            values[each.name] = one if slot.kind == "card" else ((one, one),) if slot.kind == "pairs" else (one,)
        else:
            values[each.name] = _SOMETHING[slot.kind](table, seat, slot)
    return kind(**values) if names else None


_SOMETHING: Final[dict[str, Callable[[Table, Seat, Slot], Any]]] = {
    "order": lambda table, seat, slot: (),
    "frame": lambda table, seat, slot: next((frame.id for frame in table.stack), 0),
    "frames": lambda table, seat, slot: (),
    "seat": lambda table, seat, slot: seat,
    "place": lambda table, seat, slot: next(iter(table.places)),
    "places": lambda table, seat, slot: (),
    "word": lambda table, seat, slot: next(iter(slot.words), ""),
    "flag": lambda table, seat, slot: False,
    "text": lambda table, seat, slot: "",
    "number": lambda table, seat, slot: 0,
}
