"""Names of places: their code names, `p1.hand` or `map:3,4`, and the game's own names, such as `c4`."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown, quote_input
from domain.law.display import NO_DISPLAY, Display
from domain.law.game import Game
from domain.table.physics import physics_of
from domain.table.schema import Area, Schema
from domain.table.table import Place, Seat, Table, seat_of, square, zone
from domain.words import Lang, Text, say, spoken

_SEAT = re.compile(r"p\d")
_PLACE = re.compile(r"\w+(?:\.\w+)?(?::[0-9]+(?:,[0-9]+)?)?")


class PlaceNames(Struct, frozen=True):
    """A game's names of places. Without a schema, every place keeps its code name."""

    display: Display = NO_DISPLAY
    schema: Schema | None = None

    def name(self, place: Place) -> str:
        """Return the game's name of a place, or its code name if it has none or does not exist."""
        name = self.display.place_name(place)
        return name if name and self.schema is not None and self._exists(place) else place

    def find(self, text: str) -> tuple[Place, ...]:
        """Return the places with this name in the game, or none. Raises FormatError for a missing square."""
        candidates = [
            place for place in self.display.find_places(text) if self.schema is None or self._area(place) is not None
        ]
        places = tuple(filter(self._exists, candidates))
        if candidates and not places:
            raise FormatError(self._off_grid(text, candidates[0]))
        return places

    def read(self, table: Table, text: str) -> Place:
        """Return the place that a text means. Of a code name, only the seat is checked. Raises FormatError."""
        place = next(iter(self.find(text)), Place(text))
        if not _PLACE.fullmatch(place):
            raise FormatError(Text("name.names_no_place", {"text": quote_input(text)}))
        seat = seat_of(place)
        if seat is not None and seat not in table.seats:
            raise FormatError(explain_unknown("seat", seat, table.seats))
        return place

    def _off_grid(self, text: str, place: Place) -> Text:
        area = self._area(place)
        assert area is not None
        first, last = ("1,1", ",".join(map(str, area.size))) if area.order == "grid" else ("1", str(area.size[0]))
        head = place.partition(":")[0]
        ends = {name: self.name(Place(f"{head}:{at}")) for name, at in (("first", first), ("last", last))}
        return Text("name.off_grid", {"text": quote_input(text), **ends})

    def _area(self, place: Place) -> Area | None:
        areas = () if self.schema is None else self.schema.areas
        return next((area for area in areas if area.name == zone(place)), None)

    def _exists(self, place: Place) -> bool:
        return self.schema is None or physics_of(self.schema).area(place) is not None


NO_NAMES = PlaceNames()
"""Place names of no game: every place keeps its code name."""


Names = Mapping[Seat, str]
"""Players of a match by seat, as in its opening."""
NO_PLAYERS: Final[Names] = {}


def player_text(names: Names, seat: Seat) -> Text | str:
    """Return a player's name, with the seat if the name is ambiguous; the seat alone if it has no player."""
    name = names.get(seat)
    if not name:
        return seat
    others = [known.casefold() for other, known in names.items() if other != seat]
    unclear = name.casefold() in others or _SEAT.fullmatch(name.casefold())
    return Text("heading.player", {"name": name, "seat": seat}) if unclear else name


def player_name(names: Names, seat: Seat, lang: Lang) -> str:
    """Return the text of `player_text` in one language."""
    return spoken(player_text(names, seat), lang)


def place_words(game: Game, place: Place, lang: Lang, names: Names = NO_PLAYERS) -> str:
    """Return a place in words: owner, area and square. A square of a shared map is named by itself. A seat in `names`
    is called by its player's name."""
    seat, square_name = seat_of(place), game.display.place_name(place)
    if square_name and seat is None and ":" not in square_name:
        return square_name
    return f"{owned_words(game, zone(place), seat, lang, names)} {square_words(game, place)}".rstrip()


def owned_words(game: Game, code: str, seat: Seat | None, lang: Lang, names: Names = NO_PLAYERS) -> str:
    """Return a code name in the game's words, with its owner."""
    name = game.rulebook.word(code, lang)
    if seat is None:
        return name
    if names.get(seat):
        return say("place.player", lang, name=player_name(names, seat, lang), area=name)
    return say("place.own", lang, seat=seat, area=name)


def square_words(game: Game, place: Place) -> str:
    """Return the name of a square or slot within its area; empty for other places."""
    return re.split("[.:]", game.display.place_name(place))[-1] or square(place)
