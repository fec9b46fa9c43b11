"""Layers: many squares of a grid in one line, as a row `ground:*,3`, a column `ground:2,*` or all `ground:*,*`."""

from collections.abc import Iterator, Mapping
from itertools import product

from domain.formats.errors import FormatError, explain_unknown
from domain.table.schema import Schema
from domain.table.table import Place
from domain.words import Text

ANY = "*"
"""Wildcard for every column or row in a square's name."""

Texts = tuple[str, ...]


def is_layer(name: str) -> bool:
    """True if the name of a place means many squares."""
    return ANY in name


def squares(schema: Schema, places: Mapping[str, Texts]) -> Mapping[Place, Texts]:
    """Return the pieces of each square of the layers. A layer with fewer `*` has priority. Raises FormatError. One
    piece fills all squares of its layer. Several pieces fill them one by one, from the lowest row up."""
    laid: dict[Place, Texts] = {}
    for name in sorted(filter(is_layer, places), key=lambda name: name.count(ANY)):
        try:
            for square, piece in _spread(schema, name, places[name]):
                laid.setdefault(square, (piece,))
        except FormatError as error:
            raise error.within(f"places: {name}") from None
    return laid


def _spread(schema: Schema, name: str, texts: Texts) -> Iterator[tuple[Place, str]]:
    zone, _, at = name.partition(":")
    column, _, row = at.partition(",")
    grids = {area.name: area for area in schema.areas if not area.per_seat and area.order == "grid"}
    if zone not in grids:
        raise FormatError(explain_unknown("place", name, grids))
    columns, rows = (
        range(1, size + 1) if written == ANY else (written,)
        for written, size in zip((column, row), grids[zone].size, strict=True)
    )
    meant = [Place(f"{zone}:{x},{y}") for y, x in product(rows, columns)]
    if len(texts) not in (1, len(meant)):
        raise FormatError(Text("casebook.layer", {"n": len(texts), "squares": len(meant)}))
    yield from zip(meant, texts if len(texts) > 1 else texts * len(meant), strict=True)
