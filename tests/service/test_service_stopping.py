"""A service that is about to stop takes nothing new on, and tells those who have something going on."""

from tests.service.serving import serve


def test_nothing_new_is_taken_on_once_it_is_about_to_stop() -> None:
    with serve() as served:
        told: list[str] = []
        served.house.drains.append(lambda: told.append("bye"))
        assert served.get("/api/v1/sessions", "head").status_code == 200 and told == []
        served.house.drain()
        assert told == ["bye"]
        for answer in (served.get("/api/v1/sessions"), served.get("/en/floor")):
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
        assert served.get("/api/v1/sessions").json()["type"] == "/problem/draining"
