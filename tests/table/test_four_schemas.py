"""The four games' schemas are consistent, and physics and redaction keep their declarations."""

from msgspec.structs import replace

from domain.games.blackpoker.rules import RULES_8_1_SEED
from domain.games.blackpoker.schema import schema as blackpoker
from domain.games.dea.rules import Rules as DeaRules
from domain.games.dea.schema import schema as dea
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import schema as grimoire
from domain.games.skillbook.rules import Rules as SkillbookRules
from domain.games.skillbook.schema import schema as skillbook
from domain.table import facts as F
from domain.table.evolve import fold
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.schema import Kind, Schema
from domain.table.table import (
    EVERYONE,
    JUDGE,
    LANES,
    NOBODY,
    CardId,
    Clock,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Obj,
    Place,
    Seat,
    Table,
    ValueColumns,
    blank,
)
from tests.rows import for_each

SCHEMAS = {
    "blackpoker": blackpoker(RULES_8_1_SEED),
    "dea": dea(DeaRules()),
    "grimoire": grimoire(Rules()),
    "skillbook": skillbook(SkillbookRules()),
}
P1, P2, P3, P4 = Seat("p1"), Seat("p2"), Seat("p3"), Seat("p4")


@for_each("game", SCHEMAS)
def test_every_name_is_declared_once(game: str) -> None:
    schema = SCHEMAS[game]
    lists: list[list[object]] = [
        [area.name for area in schema.areas],
        [(mark.of, mark.name) for mark in schema.marks],
        [kind.name for kind in schema.kinds],
        *(list[object](kind.steps) for kind in schema.kinds),
        *(list[object](steps) for steps in schema.steps.values()),
        [*schema.stances],
        [*schema.effects],
        [*schema.untils],
        [*schema.phases],
    ]
    for names in lists:
        assert len(set(names)) == len(names), names
    assert set(schema.steps) <= set(schema.phases)


@for_each("game", SCHEMAS)
def test_frames_have_lanes_and_typed_columns(game: str) -> None:
    for kind in SCHEMAS[game].kinds:
        assert kind.lanes and set(kind.lanes) <= set(LANES), kind.name
        assert set(kind.columns) <= set(ValueColumns.__struct_fields__), kind.name
        for column, names in kind.columns.items():
            assert not any(name.endswith("...") for name in names[:-1]), (kind.name, column)


def wrong(schema: Schema, fact: F.AnyFact, table: Table | None = None) -> str | None:
    found = Physics(schema).explain_impossible(table or blank((P1, P2)), fact)
    return None if found is None else str(found)


def created(place: str, owner: Seat = P1) -> F.Created:
    return F.Created(Place(place), (CardId(1),), ("X",), owner)


@for_each("place", ["p1.foreshadow:1", "p2.foreshadow:3", "map:5,5"])
def test_slots_and_squares_are_places(place: str) -> None:
    assert wrong(SCHEMAS["dea"], created(place)) is None


@for_each(
    "place",
    ["p1.foreshadow", "p1.foreshadow:0", "p1.foreshadow:4", "p1.foreshadow:03", "map:6,1", "map:01,1", "map:²,1"],
)
def test_other_spellings_are_no_places(place: str) -> None:
    assert wrong(SCHEMAS["dea"], created(place)) == f"there is no place {place!r}"


def test_a_card_belongs_to_a_seat_or_to_nobody() -> None:
    assert wrong(SCHEMAS["skillbook"], created("ground:1,4", NOBODY)) is None
    assert wrong(SCHEMAS["skillbook"], created("ground:1,4", Seat("p9"))) == "there is no seat 'p9'"


def test_an_effect_ends_at_a_declared_time() -> None:
    effect = Effect(id=EffectId(1), kind="shield", by=P1, source=Obj(CardId(1), 1), until="eot")
    assert wrong(SCHEMAS["skillbook"], F.Began(effect)) is None
    assert wrong(SCHEMAS["dea"], F.Began(effect)) == "there is no effect 'shield'"
    odd = Effect(id=EffectId(1), kind="shield", by=P1, source=Obj(CardId(1), 1), until="doomsday")
    assert wrong(SCHEMAS["skillbook"], F.Began(odd)) == "no effect can last until 'doomsday'"


def test_the_clock_knows_its_steps() -> None:
    assert wrong(SCHEMAS["dea"], F.Clocked(Clock(phase="main", step="open"))) is None
    assert wrong(SCHEMAS["dea"], F.Clocked(Clock(phase="main", step="discard"))) == "phase 'main' has no step 'discard'"
    assert wrong(SCHEMAS["blackpoker"], F.Clocked(Clock(phase="play"))) is None


def test_who_is_out_sees_what_a_spectator_sees() -> None:
    physics = Physics(grimoire(Rules(player_count=4, teams="p1+p3/p2+p4")))
    hand, card = Place("p1.hand"), CardId(1)
    before = fold(blank((P1, P2, P3, P4)), [F.Created(hand, (card,), ("S01",), P1)])
    assert TableViewer(physics, P3).knows(before, card)
    after = fold(before, [F.Marked(P3, "out", 1)])
    assert not TableViewer(physics, P3).knows(after, card)
    assert TableViewer(physics, P1).knows(after, card)
    assert TableViewer(physics, P3).places(after) == TableViewer(physics, SPECTATOR).places(after)


def test_a_layout_in_the_making_shows_not_even_its_size() -> None:
    physics = Physics(SCHEMAS["skillbook"])
    table = fold(blank((P1, P2)), [created("p1.layout")])
    assert TableViewer(physics, P1).knows_count(table, Place("p1.layout"))
    assert not TableViewer(physics, P2).knows_count(table, Place("p1.layout"))
    assert not TableViewer(physics, SPECTATOR).knows_count(table, Place("p1.layout"))


def test_secret_columns_of_a_frame_go_to_its_seat_and_the_judge() -> None:
    schema = replace(SCHEMAS["blackpoker"], kinds=(Kind("guess", ("asked",), secret=("numbers", "words")),))
    frame = Frame(id=FrameId(1), lane="asked", kind="guess", by=P1, numbers=(7,), words=("odd",), seats=(P2,))
    seen = {
        viewer: TableViewer(Physics(schema), viewer).frame(blank((P1, P2)), frame)
        for viewer in (P1, P2, SPECTATOR, JUDGE)
    }
    assert {viewer: (*one.numbers, *one.words) for viewer, one in seen.items()} == {
        P1: (7, "odd"),
        P2: (),
        SPECTATOR: (),
        JUDGE: (7, "odd"),
    }
    assert {one.seats for one in seen.values()} == {(P2,)}


def test_a_shuffle_hides_again_what_was_shown_before() -> None:
    eyes, card = TableViewer(Physics(SCHEMAS["blackpoker"]), P2), CardId(1)
    shown = fold(blank((P1, P2)), [created("p1.life"), F.Shown((card,), (EVERYONE,), lasting=True)])
    assert eyes.knows(shown, card)
    assert eyes.knows(fold(shown, [F.Arranged(Place("p1.life"), (card,), shuffled=False)]), card)
    assert not eyes.knows(fold(shown, [F.Arranged(Place("p1.life"), (card,))]), card)
