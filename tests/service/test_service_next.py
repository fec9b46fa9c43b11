"""What may be recorded now is told to whoever records it, as far as their eyes know, and to players of themselves."""

import pytest

from domain.law.actions import PASS
from domain.table.redact import SPECTATOR
from service.access import ANYBODY, Role
from service.offering import doables_of
from tests.recorded import SHELVES
from tests.service.serving import Served
from tests.service.writing import head

NEXT = "/api/v1/matches/m/next"


@pytest.mark.parametrize("game", [game for game in SHELVES if game != "stones"])
def test_who_records_is_told_what_a_spectator_could_know_of_it(served: Served, game: str) -> None:
    served.put(game, SHELVES[game].matches[0], "m", closed=False, upto=6)
    answer = served.get(NEXT, "scorekeeper")
    assert answer.status_code == 200, answer.text
    told = answer.json()
    sight = served.house.look(ANYBODY, "m")
    assert told["viewer"] == SPECTATOR and told["head"] == head(served, "m") and told["awaited"]
    assert [doable["verb"] for doable in told["allowed"]] == [each.verb for each in doables_of(served.house, sight)]
    assert served.get(NEXT, "scorekeeper", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_a_player_is_told_of_their_own_seat_with_their_own_eyes_alone(served: Served) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=3)
    own = served.get(NEXT, "seat", "m", seat="p1").json()
    assert own["viewer"] == "p1" and {doable["actor"] for doable in own["allowed"]} == {"p1"}
    verbs = {doable["verb"] for doable in own["allowed"]}
    known = {doable["verb"] for doable in served.get(NEXT, "scorekeeper").json()["allowed"]}
    assert "summon_soldier" in verbs - known and PASS in verbs & known
    for asked in ("?as=p2", "?as=spectator", "?as=judge"):
        assert served.get(NEXT + asked, "seat", "m", seat="p1").status_code == 403, asked
    assert {doable["actor"] for doable in served.get(NEXT, "seat", "m", seat="p2").json()["allowed"]} <= {"p2"}


def test_who_does_not_record_is_told_nothing_and_of_a_closed_match_there_is_nothing(served: Served) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=3)
    nobody: tuple[Role, ...] = ("spectator", "operator", "designer")
    for role in nobody:
        assert served.get(NEXT, role).status_code == 403
    assert served.get(NEXT, "scorekeeper", "other").status_code == 403
    assert served.get(NEXT + "?as=judge", "head").json()["type"] == "/problem/sealed"
    served.put("blackpoker", "normal", "closed", upto=3)
    told = served.get("/api/v1/matches/closed/next", "scorekeeper").json()
    assert told["closed"] and "allowed" not in told and "awaited" not in told
