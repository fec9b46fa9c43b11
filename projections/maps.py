"""Maps of the grids of a board, with the contents of each square. Grids of equal size are layers of one map."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile

from domain.law.display import SquareWord
from domain.law.game import Game
from domain.law.law import Law
from domain.table.redact import SeenCard, SeenPlace, View
from domain.table.schema import Area, Schema
from domain.table.table import NOBODY, Place
from domain.words import Lang, say
from projections import phrases as P
from projections.cards import card_cells
from projections.rows import Cell, MapRow, Row, SquareMap

BACK = "?"
EDGES = 2
"""Number of seats for which edges are named: the lowest row is the first seat's, the highest the second's."""

Layers = tuple[Area, ...]
"""Shared grids of equal size, bottom layer first."""


def layers_of(schema: Schema) -> list[Layers]:
    grids = [area for area in schema.areas if area.order == "grid" and not area.per_seat and all(area.size)]
    return [tuple(area for area in grids if area.size == size) for size in dict.fromkeys(grid.size for grid in grids)]


def render_maps(board: View, law: Law, schema: Schema, lang: Lang) -> list[Row]:
    """Render every map: its drawing, the known words of squares, and a row per occupied square."""
    known = law.game.display.known_of(law.rules)
    return [row for layers in layers_of(schema) for row in _MapDrawing(board, layers, known, law.game, lang).rows()]


class _MapDrawing:
    def __init__(
        self, board: View, layers: Layers, known: Mapping[Place, tuple[SquareWord, ...]], game: Game, lang: Lang
    ) -> None:
        self.board, self.layers, self.known, self.game, self.lang = board, layers, known, game, lang
        names = [area.name for area in layers]
        self.open = [area.name for area in layers if area.sight.others == "all"]
        self.contents = {place.place: place for place in board.shared if place.area in names}
        all_places = chain(board.shared, *(seat.places for seat in board.seats))
        self.tied = [card for place in all_places for card in place.cards if card.host]
        self.columns, self.numbers = (range(1, size + 1) for size in layers[0].size)

    def rows(self) -> Iterator[Row]:
        yield self._head()
        for text, squares in self._words_of_squares().items():
            words = say("map.squares", self.lang, squares=P.listed(map(self._name, squares), self.lang), words=text)
            yield Row("words", (Cell(words, "words"),), 1)
        for row in self.numbers:
            for column in self.columns:
                if places := self._contents(column, row):
                    yield self._square(places)

    def _head(self) -> Row:
        drawing = self._map()
        names = (P.word(self.game, area.name, self.lang) for area in reversed(self.layers))
        first, last = (self._name(self._places(*at)[0]) for at in ((1, 1), self.layers[0].size))
        cells = [
            Cell(say("map.layers", self.lang).join(names), "place"),
            Cell(say("map.size", self.lang, first=first, last=last), "count"),
        ]
        if len(self.board.seats) == EDGES:
            lowest, highest = (P.seat_name(self.board.names, seat.seat, self.lang) for seat in self.board.seats)
            rows = {"first": drawing.lines[-1].name, "last": drawing.lines[0].name}
            cells.append(Cell(say("map.edges", self.lang, **rows, lowest=lowest, highest=highest), "edges"))
        return Row("map", tuple(cells), map=drawing)

    def _map(self) -> SquareMap:
        columns = tuple(self._shared_name([(column, row) for row in self.numbers]) for column in self.columns)
        lines = tuple(
            MapRow(
                self._shared_name([(column, row) for column in self.columns], ending=True),
                tuple(self._pieces(self._contents(column, row)) for column in self.columns),
                self._words_of_row(row),
            )
            for row in reversed(self.numbers)
        )
        return SquareMap(columns, lines)

    def _shared_name(self, squares: Sequence[tuple[int, int]], ending: bool = False) -> str:
        """Return the common beginning, or ending, of the names of squares: `c`, `4`."""
        names = [self._name(self._places(*at)[-1]) for at in squares]
        shared = _beginning([name[::-1] for name in names])[::-1] if ending else _beginning(names)
        return shared.strip(",")

    def _places(self, column: int, row: int) -> list[Place]:
        return [Place(f"{area.name}:{column},{row}") for area in self.layers]

    def _name(self, place: Place) -> str:
        return P.square_words(self.game, place)

    def _contents(self, column: int, row: int) -> list[SeenPlace]:
        return [self.contents[place] for place in reversed(self._places(column, row)) if place in self.contents]

    def _pieces(self, places: Iterable[SeenPlace]) -> tuple[Cell, ...]:
        cells: list[Cell] = []
        for place in places:
            back = place.area not in self.open
            covering = place.area in self.game.display.covering
            for card in place.cards:
                short = self._short(card, back, covering)
                cells.append(Cell(short, "card" if card.face else "back", card.thing))
                cells += self._figures(card)
            cells += [Cell(f"[{BACK}]", "back")] * _unseen(place)
        return tuple(cells)

    def _figures(self, card: SeenCard) -> list[Cell]:
        figures = self.game.display.figures(card.marks, card.readings)
        stance = P.word(self.game, card.stance, self.lang) if card.stance else ""
        cells = (Cell(figures, "reading", card.thing), Cell(stance, "stance", card.thing))
        return [cell for cell in cells if cell.text and figures]

    def _short(self, card: SeenCard, back: bool, covering: bool) -> str:
        """Return a card's short name and its owner. Brackets mean face down, if that hides it from any viewer."""
        face = self.game.display.short(card.face, self.lang) if card.face else BACK
        face = f"{face}+" if card.tied or any(self._tied_to(card)) else face
        seat = card.controller or card.owner
        owner = "" if covering or seat in (None, NOBODY) else f" {seat}"
        return f"[{face}]{owner}" if back and not card.up else f"{face}{owner}"

    def _square(self, places: Sequence[SeenPlace]) -> Row:
        cells = [Cell(self._name(places[0].place), "square")]
        for place in places:
            for card in place.cards:
                cells += self._describe_card(card, back=place.area not in self.open)
            if unseen := _unseen(place):
                cells.append(Cell(say("card.hidden" if unseen == 1 else "cards.hidden", self.lang, n=unseen), "back"))
        shown = all(place.area in self.game.display.covering for place in places)
        return Row("covered" if shown and not any(cell.role == "tied" for cell in cells) else "square", tuple(cells), 1)

    def _describe_card(self, card: SeenCard, back: bool) -> list[Cell]:
        """Return the cells of a card, including face-down state and cards tied to it elsewhere."""
        first, *others = card_cells(card, self.game, self.lang, self.board.names)
        down = [Cell(say("map.down", self.lang), "side", card.thing)] if back and not card.up else []
        tied = P.listed((P.card_words(self.game, other, self.lang) for other in self._tied_to(card)), self.lang)
        more = [Cell(say("map.tied", self.lang, cards=tied), "tied", card.thing)] if tied else []
        return [first, *down, *others, *more]

    def _tied_to(self, card: SeenCard) -> Iterator[SeenCard]:
        return (other for other in self.tied if card.thing and other.host == card.thing)

    def _words_of_row(self, row: int) -> str:
        words = [self._words_of(column, row) for column in self.columns]
        return P.listed([text for text in words[0] if all(text in others for others in words)], self.lang)

    def _words_of_squares(self) -> dict[str, list[Place]]:
        """Return the words that apply to single squares of a row, with those squares."""
        squares: dict[str, list[Place]] = {}
        for row in self.numbers:
            words = [self._words_of(column, row) for column in self.columns]
            for column, texts in enumerate(words, start=1):
                for text in texts:
                    if not all(text in others for others in words):
                        squares.setdefault(text, []).append(self._places(column, row)[0])
        return squares

    def _words_of(self, column: int, row: int) -> list[str]:
        known = (word for place in self._places(column, row) for word in self.known.get(place, ()))
        return [P.owned_words(self.game, word, seat, self.lang, self.board.names) for word, seat in known]


def _beginning(names: Iterable[str]) -> str:
    return "".join(letters[0] for letters in takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False)))


def _unseen(place: SeenPlace) -> int:
    seen = sum(1 + len(card.tied) for card in place.cards)
    return max(0, (place.count or place.least or 0) - seen)
