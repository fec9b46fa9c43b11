"""A branch goes on from a match that may still be played: closing the branch opens nothing of what lies hidden."""

from recorder.branches import branch
from recorder.matches import close
from service.settings import Settings
from tests.service.serving import serve

BRANCH = "bp-branch1"


def test_a_closed_branch_of_an_open_match_shows_nobody_its_hands() -> None:
    with serve(Settings(store=":memory:", published=True)) as served:
        match, store = served.open("blackpoker"), served.house.store
        branch(store, match, served.house.match(match).version, BRANCH, b"\1" * 16)
        for name in (BRANCH, match):
            close(store, name, "judge", "over", abandon=True)
            if name == BRANCH:
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=judge", "head").json()["type"] == "/problem/sealed"
                offered = served.get(f"/en/m/{BRANCH}/1").text
                assert f"/en/m/{BRANCH}/1/as/p1" not in offered and f"/en/m/{BRANCH}/findings" not in offered
        assert served.get(f"/api/v1/matches/{match}/at/1?as=p1").status_code == 200, "a closed match is published"
        offered = served.get(f"/en/m/{match}/1").text
        assert f"/en/m/{match}/1/as/p1" in offered and f"/en/m/{match}/findings" in offered
        assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403
