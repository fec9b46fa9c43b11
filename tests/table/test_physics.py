"""A schema is prepared once, however many tables use it."""

from msgspec.structs import replace

from domain.games import GAMES
from domain.law.law import Law
from domain.law.record import record_of
from domain.table.physics import PLACES_MAX, Physics, physics_of
from domain.table.table import JUDGE, Place, Seat
from recorder import codec
from tests.shelves import SHELVES


def test_whoever_looks_at_a_match_once_more_finds_its_schema_ready() -> None:
    entries = SHELVES["blackpoker"].entries("normal")
    again = [codec.decode(codec.encode(entry)) for entry in entries]
    physics = record_of(GAMES["blackpoker"], entries).eyes().physics
    assert record_of(GAMES["blackpoker"], again).eyes(JUDGE).physics is physics, "another match of the same schema"


def test_another_schema_is_another_one() -> None:
    law = Law(GAMES["blackpoker"], next(iter(GAMES["blackpoker"].versions.values())))
    schema = law.schema()
    assert physics_of(schema) is physics_of(law.schema())
    for other in (replace(schema, teams={Seat("p1"): "a"}), replace(schema, stances=("", "x"))):
        assert physics_of(other).schema == other != schema


def test_places_that_are_none_do_not_pile_up() -> None:
    physics = Physics(Law(GAMES["dea"], next(iter(GAMES["dea"].versions.values()))).schema())
    for number in range(2 * PLACES_MAX):
        assert physics.area(Place(f"map:{number},0")) is None
    assert physics.area.cache_info().currsize <= PLACES_MAX  # type: ignore[attr-defined]
