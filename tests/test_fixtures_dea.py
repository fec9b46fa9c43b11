"""DEA matches of the repository: events of each."""

from domain.law.entries import Corrected, Rewound, entry_facts, fold_entries, line
from domain.table.redact import SPECTATOR
from domain.table.table import Seat, Table
from tests.shelves import SHELVES, actions, faces

SHELF = SHELVES["dea"]
GAME = SHELF.game
entries, table, text = SHELF.entries, SHELF.table, SHELF.text
P1, P2 = Seat("p1"), Seat("p2")


def entries_with(name: str, actor: str, verb: str, **named: str) -> list[int]:
    pieces = table(name).pieces

    def face_of(value: object) -> object:
        return pieces[value].face if value in pieces else value  # type: ignore[index, operator]

    return [
        number
        for number, who, action in actions(entries(name))
        if who == actor
        and action["do"] == verb
        and all(face_of(action.get(slot)) == word for slot, word in named.items())
    ]


def place_of(of: Table, face: str) -> str:
    (place,) = {piece.place for piece in of.pieces.values() if piece.face == face}
    return place


def told_by(name: str, clause: str) -> list[int]:
    return [
        number for number, entry in enumerate(entries(name), start=1) if clause in {c for c, _ in entry_facts(entry)}
    ]


def test_a_knockback_is_blocked_by_somebody_and_at_the_edge() -> None:
    (attacked,) = entries_with("normal", "p1", "attack", cell="map:3,4")
    assert (
        faces(table("normal", attacked), "map:3,5") == ["C06"]
        and place_of(table("normal", attacked + 4), "C09") == "map:3,4"
    )
    edge = entries_with("normal", "p1", "attack", cell="map:5,3")
    assert [place_of(table("normal", number), "C10") for number in edge] == ["map:5,3"] * 2
    assert {number + 2 for number in edge[:1]} <= set(told_by("normal", "DEA-6.25"))


def test_a_seal_stops_the_slip_that_is_already_declared() -> None:
    (slipped, *_) = entries_with("normal", "p2", "use_ability", ability="slip")
    assert [item.kind for item in table("normal", slipped).stack] == ["ability"]
    resolved = slipped + 3
    assert "DEA-8.11" in {clause for clause, _ in entry_facts(entries("normal")[resolved - 1])}
    assert place_of(table("normal", resolved), "C10") == place_of(table("normal", slipped), "C10")


def test_the_sixth_point_is_an_opening_in_the_middle_of_a_stack() -> None:
    last = table("normal", entries_with("normal", "p2", "use_foreshadow", card="F02")[0])
    assert last.result is not None and last.result.reason == "ep"
    assert (last.seats[P2]["ep"], last.seats[P2]["life"]) == (6, 11)


def test_life_is_gone_before_anybody_is_knocked_back() -> None:
    last = table("ends-life")
    assert (last.seats[P2]["life"], faces(last, "map:3,3")) == (-2, ["C12", "C01"])


def test_the_new_field_ends_the_old_one_and_the_roof_leaks_no_more() -> None:
    (first,), (second,) = (entries_with("true-title", "p2", "use_foreshadow", card=face) for face in ("F11", "F09"))
    live = [[effect.face for effect in table("true-title", at).effects] for at in (first + 2, second, second + 2)]
    assert live == [["F11"], [], ["F09"]]
    lives = [
        table("true-title", SHELF.number("true-title", lambda t, n=n: t.clock.turn == n)).seats[P1]["life"]
        for n in (3, 5)
    ]
    assert lives == [20, 20]
    assert table("true-title").seats[P1]["life"] == table("true-title").seats[P1]["max_life"]


def test_both_have_three_points_before_chance_is_asked() -> None:
    asked = SHELF.number("ends-tie", lambda t: any(frame.kind == "tie_break" for frame in t.asked))
    assert [table("ends-tie", asked).seats[seat]["ep"] for seat in (P1, P2)] == [3, 3]


def test_the_stack_is_eleven_high() -> None:
    every = [fold_entries(entries("stack-hooks"), n).stack for n in range(1, len(entries("stack-hooks")) + 1)]
    highest = max(every, key=len)
    assert [item.face or item.kind for item in highest] == [
        "attack", "G02", "G01", "C06", "F10", "G03", "C04", "G18", "F03", "G04", "G05",
    ]  # fmt: skip


def test_a_rewind_turns_a_foreshadow_face_down_and_takes_its_point_back() -> None:
    record = entries("rewind")
    at, back = next((n, entry) for n, entry in enumerate(record, start=1) if isinstance(entry, Rewound))
    assert table("rewind", at) == table("rewind", back.to) != table("rewind", at - 1)
    assert set(range(back.to + 1, at)).isdisjoint(line(record))
    slot = place_of(table("rewind", at - 1), "F10")
    for viewer in (P2, SPECTATOR):
        seen = [SHELF.visible_faces("rewind", n, viewer, slot) for n in (back.to, at - 1, at)]
        assert seen == [[], ["F10"], []]
    assert [table("rewind", n).seats[P1].get("ep", 0) for n in (at - 1, at)] == [1, 0]


def test_the_judge_takes_equipment_and_pages_back() -> None:
    for name, before, after in (
        ("as-played", (0, "p2.worn"), (1, "p2.hand")),
        ("disputed", (1, "p2.worn"), (3, "p2.worn")),
    ):
        (at,) = (n for n, entry in enumerate(entries(name), start=1) if isinstance(entry, Corrected))
        card = "Q02" if name == "as-played" else "Q04"
        assert [(table(name, n).seats[P2].get("pages", 0), place_of(table(name, n), card)) for n in (at - 1, at)] == [
            before,
            after,
        ]
