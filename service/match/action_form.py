"""Form that builds an action from choices: actor, verb, and a value for each slot."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import NODEFAULT, Struct

from domain.formats.places import PlaceNames
from domain.formats.tokens import quote, write_word as plain_word
from domain.judging.trails import known_table
from domain.law.slots import Action, NamedSlot, SlotKind, may_name, slots, verb
from domain.table.redact import SeenCard
from domain.table.table import LANES, Place, Seat
from domain.words import say
from projections import phrases as P
from projections.rulebooks import list_playable_actions
from service.context import MatchView
from service.requests import Request

InputKind = Literal["one", "several", "typed"]
"""Input of a slot: one choice, several choices, or typed text."""
TYPED: Final = "typed"
TYPED_PREFIX: Final = "@"
"""Prefix of a slot's name when its value is typed."""


class ActionChoice(Struct, frozen=True):
    """A value in notation and in words. `chosen`: selected by default."""

    value: str
    words: str
    chosen: bool = False


class ActionField(Struct, frozen=True):
    name: str
    words: str
    way: InputKind
    kind: SlotKind
    needed: bool
    choices: tuple[ActionChoice, ...] = ()


class ActionForm(Struct, frozen=True):
    actors: tuple[ActionChoice, ...]
    verbs: tuple[ActionChoice, ...]
    by: str
    verb: str
    fields: tuple[ActionField, ...]


def draw_form(request: Request, view: MatchView, number: int, by: str, tag: str) -> ActionForm:
    match, lang, game = view.match, request.lang, view.match.game
    kinds = {verb(kind): kind for kind in list_playable_actions(game)}
    by = by if by in match.opening.seats else _default_actor(view, number)
    tag = tag if tag in kinds else ""
    fields = tuple(_FieldBuilder(request, view, number, Seat(by)).fields(kinds[tag])) if tag else ()
    return ActionForm(
        tuple(ActionChoice(seat, P.seat_name(match.names, seat, lang), seat == by) for seat in match.opening.seats),
        tuple(ActionChoice(name, P.word(game, name, lang), name == tag) for name in kinds),
        by,
        tag,
        fields,
    )


def _default_actor(view: MatchView, number: int) -> Seat:
    """Return the default actor: the viewer's seat, else the first awaited seat."""
    match = view.match
    if view.eyes.viewer in match.opening.seats:
        return view.eyes.viewer
    awaited = match.law.awaited(known_table(match, view.eyes, number))
    return next((seat for seat in awaited if seat in match.opening.seats), match.opening.seats[0])


def write_line(form: ActionForm, inputs: Sequence[str]) -> str:
    """Return the line of notation. `inputs` has `slot=value`, or `@slot` followed by the typed value."""
    kinds = {field.name: field.kind for field in form.fields}
    values: dict[str, list[str]] = {}
    each = iter(inputs)
    for text in each:
        typed = text.startswith(TYPED_PREFIX)
        name, _, value = (text[1:], "", next(each, "").strip()) if typed else text.partition("=")
        if value:
            values.setdefault(name, []).append(quote(value) if kinds.get(name) == "text" else value)
    return " ".join((f"{form.by}:", form.verb, *(f"{name}={','.join(some)}" for name, some in values.items())))


class _FieldBuilder:
    def __init__(self, request: Request, view: MatchView, number: int, actor: Seat) -> None:
        self.lang, self.eyes, self.game, self.actor = request.lang, view.eyes, view.match.game, actor
        self.table = view.match.after(number)
        self.players = view.match.names
        self.names = PlaceNames(self.game.display, view.match.opening.schema)

    def fields(self, kind: type[Action]) -> Iterator[ActionField]:
        for named_slot in slots(kind):
            choices = tuple(self._list_choices(named_slot))
            words, needed = P.word(self.game, named_slot.name, self.lang), named_slot.default is NODEFAULT
            yield ActionField(
                named_slot.name, words, self._input_kind(named_slot, choices), named_slot.slot.kind, needed, choices
            )

    def _input_kind(self, named_slot: NamedSlot, choices: Sequence[ActionChoice]) -> InputKind:
        match named_slot.slot.kind:
            case "cards" | "frames" if choices:
                return "several"
            case "order" | "pairs" | "places" | "text" | "number":
                return TYPED
            case _:
                return "one" if choices else TYPED

    def _list_choices(self, named_slot: NamedSlot) -> Iterator[ActionChoice]:
        match named_slot.slot.kind:
            case "card" | "cards":
                yield from self._list_cards(named_slot)
            case "frame" | "frames":
                lanes = self.eyes.lanes(self.table)
                for frame in (frame for lane in LANES for frame in lanes[lane]):
                    yield ActionChoice(f"r{frame.id}", P.frame_words(self.game, frame, self.lang, self.players))
            case "seat":
                yield from (ActionChoice(seat, P.seat_name(self.players, seat, self.lang)) for seat in self.table.seats)
            case "place":
                for place in self.eyes.places(self.table):
                    yield ActionChoice(
                        self.names.name(place.place), P.place_words(self.game, place.place, self.lang, self.players)
                    )
            case "word":
                yield from (
                    ActionChoice(plain_word(code), P.word(self.game, code, self.lang)) for code in named_slot.slot.words
                )
            case "flag":
                yield from (ActionChoice(value, say(value, self.lang)) for value in ("yes", "no"))
            case _:
                pass

    def _list_cards(self, named_slot: NamedSlot) -> Iterator[ActionChoice]:
        """Yield the cards that can be pointed at or whose face is known, in the slot's areas."""
        for place in self.eyes.places(self.table):
            if not named_slot.slot.areas or may_name(place.place, self.actor, named_slot.slot):
                where = P.place_words(self.game, place.place, self.lang, self.players)
                for card in place.cards:
                    if name := self._notate_card(card, place.place):
                        yield ActionChoice(name, f"{P.card_words(self.game, card, self.lang)} · {where}")

    def _notate_card(self, card: SeenCard, place: Place) -> str:
        if card.thing:
            return f"u{card.thing}"
        return f"{card.face}@{self.names.name(place)}" if card.face else ""
