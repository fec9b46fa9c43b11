"""Players' names in output about seats, and seats where a name would be ambiguous."""

from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, Clock, Place, Result, Seat
from projections import phrases as P
from tests.projections.records import GAME, P1, P2
from tests.rows import for_each


@for_each(
    "names, said",
    [
        ({}, ("p1", "p2")),
        ({P1: "Aoi"}, ("Aoi", "p2")),
        ({P1: "Aoi", P2: "Ren"}, ("Aoi", "Ren")),
        ({P1: "Aoi", P2: "aoi"}, ("Aoi (p1)", "aoi (p2)")),
        ({P1: "P2"}, ("P2 (p1)", "p2")),
        ({P1: "", P2: "Ren"}, ("p1", "Ren")),
    ],
)
def test_a_seat_is_called_by_its_player_and_never_mistaken_for_another(
    names: dict[Seat, str], said: tuple[str, str]
) -> None:
    assert tuple(P.seat_name(names, seat, "en") for seat in (P1, P2)) == said
    assert P.players_words(names, (P1, P2), "en") == " – ".join(said)


def test_chance_judges_and_viewers_keep_their_words() -> None:
    names = {P1: "Aoi"}
    assert [P.seat_name(names, who, "en") for who in (CHANCE, SPECTATOR, "kato")] == ["chance", "spectator", "kato"]


def test_turns_results_and_places_name_players() -> None:
    names, game = {P1: "Aoi", P2: "Ren"}, GAME
    clock = P.clock_words(game, Clock(turn=3, active=P1, awaited=(P1, P2)), "en", names)
    assert "Aoi's turn" in clock and "Aoi, Ren" in clock and "p1" not in clock
    assert P.result_words(game, Result(winners=(P1,), reason="concede"), "en", names).startswith("Aoi won")
    assert P.place_words(game, Place("p2.grave"), "en", names) == "Ren's grave"
    assert P.place_words(game, Place("p2.grave"), "ja", names).startswith("Renの")
