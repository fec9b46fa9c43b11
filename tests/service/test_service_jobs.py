"""Jobs over HTTP: who may ask for which, what open matches tell nobody, and one match under other rules."""

import json

import pytest

from domain.table.table import JUDGE
from service.access import session_of
from service.jobs.answers import ShownJob
from service.problems import halt
from service.progress import Counts, Progress, events
from service.settings import Settings
from tests.cli.runs import inside
from tests.places import Place
from tests.service.browsing import run_loop
from tests.service.serving import START, Served, serve
from tests.service.working import ask, put, wait

CHANGE = {"set": {"grave_top": "auto_last"}}


@pytest.fixture(name="settings")
def settings_of(place: Place) -> Settings:
    return Settings(store=place())


def test_a_match_rejudged_is_what_the_command_line_says(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        for viewer, role in (("spectator", "designer"), (JUDGE, "head")):
            body = {"match": "done", "viewer": viewer, "beside": True, **CHANGE}
            answer = wait(served, ask(served, "rejudgings", body, role), role)  # type: ignore[arg-type]
            command = ("rejudge", "done", "--set", "grave_top=auto_last", "--beside", "--as", viewer, "--json")
            assert answer["result"] == inside(settings.store, *command).data
            assert answer["job"]["done"] == answer["job"]["all"] == 1


def test_two_readings_of_a_match_are_it_rejudged_twice(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        values = ["owner_choice", "auto_last"]
        body = {"match": "done", "option": "grave_top", "values": values}
        result = wait(served, ask(served, "readings", body, "head"), "head")["result"]
        for side, value in zip(("one", "other"), values, strict=True):
            command = ("rejudge", "done", "--set", f"grave_top={value}", "--beside", "--json")
            assert result[side] == inside(settings.store, *command).data
        assert result["apart"]["kind"] == "path" and result["apart"]["entry"] > 0


def test_who_may_ask_for_which_job(settings: Settings) -> None:
    bodies = {
        "regressions": CHANGE,
        "comparisons": {"game": "blackpoker", "option": "grave_top", "values": ["owner_choice", "auto_last"]},
        "verifications": {"rules": "blackpoker@8.1-lite", "matches": 1},
        "rejudgings": {"match": "none", **CHANGE},
        "readings": {"match": "none", "option": "grave_top", "values": ["owner_choice", "auto_last"]},
    }
    allowed = {
        "regressions": {"designer", "operator"},
        "comparisons": {"designer", "operator"},
        "verifications": set(),
        "rejudgings": {"floor", "head", "designer"},
        "readings": {"floor", "head", "designer"},
    }
    with serve(settings) as served:
        for room, body in bodies.items():
            for role in ("spectator", "seat", "scorekeeper", "floor", "head", "designer", "operator"):
                if room == "verifications" and role in ("designer", "operator"):
                    continue  # it would be begun
                answer = served.post(f"/api/v1/{room}", body, role)  # type: ignore[arg-type]
                assert (answer.status_code == 403) == (role not in allowed[room]), (room, role, answer.text)
                assert answer.status_code in (403, 404, 400)
        assert served.get("/api/v1/jobs").json() == {"jobs": []}


def test_bad_input_is_named_and_nothing_is_begun(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        for room, body, said in (
            ("regressions", {}, "rules"),
            ("regressions", {"rules": "nosuch@1"}, "nosuch"),
            ("regressions", {"rules": "blackpoker@1.0"}, "1.0"),
            ("regressions", {"draft": "version = "}, "TOML"),
            ("regressions", {"rules": "blackpoker@8.1-lite", "draft": "x"}, "draft"),
            ("regressions", {"rules": "blackpoker@8.1-lite", "set": {"nosuch": 1}}, "nosuch"),
            ("comparisons", {"game": "blackpoker", "option": "nosuch", "values": ["a", "b"]}, "nosuch"),
            ("comparisons", {"game": "blackpoker", "option": "grave_top", "values": ["a", "a"]}, "grave_top"),
            ("verifications", {"rules": "blackpoker@8.1-lite", "matches": 0}, "matches"),
            ("rejudgings", {"match": "done"}, "rules"),
            ("rejudgings", {"match": "done", "set": {"grave_top": "nosuch"}}, "nosuch"),
            ("readings", {"match": "done", "option": "grave_top", "values": ["owner_choice", "nosuch"]}, "nosuch"),
            ("readings", {"match": "done", "option": "grave_top", "values": ["a"]}, "values"),
        ):
            answer = served.post(f"/api/v1/{room}", body, "designer")
            assert answer.status_code == 400 and said in answer.json()["en"], (room, body, answer.text)
        assert served.get("/api/v1/jobs").json() == {"jobs": []}
        assert not served.house.jobs.cabinet.folder.exists()


def test_other_rules_of_an_open_match_are_for_those_who_may_see_it_all(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "open", "normal", close=False)
        body = {"match": "open", **CHANGE}
        head = served.bearer("head")
        sealed = served.post("/api/v1/rejudgings", body, headers=head)
        assert (sealed.status_code, sealed.json()["type"]) == (403, "/problem/sealed")
        assert served.post("/api/v1/rejudgings", body, "designer").status_code == 403
        assert served.post("/api/v1/regressions", {**CHANGE, "matches": ["open"]}, "operator").status_code == 403
        assert served.post("/api/v1/regressions", CHANGE, "operator").json()["en"].startswith("there is no closed")
        session = served.client.get("/api/v1/sessions", headers=head)
        assert session.json()["role"] == "head"
        break_seal(served, head, "open")
        address = ask(served, "rejudgings", body, "spectator", headers=head)
        wait(served, address, "spectator", headers=head)
        job = address.rsplit("/", 1)[1]
        for role in ("spectator", "designer", "floor", "head", "operator"):
            for path in (address, f"/api/v1/jobs/{job}"):
                assert served.get(path, role).status_code == 403, (role, path)
            assert served.get("/api/v1/jobs", role).json() == {"jobs": []}
        assert [row["id"] for row in served.client.get("/api/v1/jobs", headers=head).json()["jobs"]] == [job]
        served.clock.at += settings.seal_ms
        assert served.client.get(address, headers=head).status_code == 403


def break_seal(served: Served, head: dict[str, str], match: str) -> None:
    key = served.house.keys.key(head["Authorization"].split()[1], served.clock.at)
    assert key is not None
    served.house.seals.break_open(session_of(key), match, JUDGE, served.clock.at + served.house.settings.seal_ms)


def test_a_closed_match_is_for_spectators_when_the_delay_is_over(place: Place) -> None:
    settings = Settings(store=place(), delay=60_000)
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        assert served.clock.at == START
        assert served.post("/api/v1/regressions", CHANGE, "operator").status_code == 400
        assert served.post("/api/v1/rejudgings", {"match": "done", **CHANGE}, "designer").status_code == 403
        address = ask(served, "rejudgings", {"match": "done", **CHANGE}, "head")
        wait(served, address, "head")
        assert served.get(address).status_code in (403, 404)
        served.clock.at += 60_000
        assert served.get(address).status_code == 200


def test_a_job_is_listed_looked_at_and_unknown_ones_are_not(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        addresses = [ask(served, "rejudgings", {"match": "done", **CHANGE}, "head") for _ in range(3)]
        ids = [wait(served, address, "head")["job"]["id"] for address in addresses]
        page = served.get("/api/v1/jobs?limit=2")
        assert [row["id"] for row in page.json()["jobs"]] == ids[:0:-1]
        link = page.headers["link"]
        rest = served.get(link[1 : link.index(">")])
        assert [row["id"] for row in rest.json()["jobs"]] == [ids[0]] and "link" not in rest.headers
        assert served.get("/api/v1/jobs?kind=reading").json() == {"jobs": []}
        for path in ("jobs/J-99", "jobs/..%2F", f"readings/{ids[0]}", f"regressions/{ids[0]}", "jobs?after=J-99"):
            assert served.get(f"/api/v1/{path}").status_code == 404, path


def test_a_stream_tells_how_a_job_goes_on_and_ends_with_it(settings: Settings) -> None:
    with serve(settings) as served:
        put(served.house.store, "done", "normal")
        address = ask(served, "rejudgings", {"match": "done", **CHANGE}, "head")
        live = f"/api/v1/jobs/{address.rsplit('/', 1)[1]}/live"
        heard = served.get(live)
        assert heard.headers["content-type"].startswith("text/event-stream")
        told = [line.split(": ", 1)[1] for line in heard.text.splitlines() if line.startswith(("event: ", "data: "))]
        kinds, data = told[::2], [json.loads(text) for text in told[1::2]]
        assert kinds[:-1] == ["progress"] * (len(kinds) - 1) and kinds[-1] == "over"
        last = data[-2]
        assert (last["state"], last["done"], last["all"]) == ("done", 1, 1)
        assert last == served.get(address).json()["job"]
        assert served.get("/api/v1/jobs/J-99/live").status_code == 404
        counts = served.client.app.state.counts
        assert counts.held.total() == 0
        counts.held.update({"x": settings.streams_max})
        refused = served.get(live)
        assert refused.status_code == 429 and refused.headers["retry-after"]


def test_a_stream_ends_when_the_job_may_not_be_seen_any_more() -> None:
    looks = iter((ShownJob(id="J-1", kind="rejudging", state="running", url="/"),))

    def look() -> ShownJob:
        for job in looks:
            return job
        raise halt("sealed")

    async def hear(served: Served) -> list[bytes]:
        return [part async for part in events(served.house, Counts(), Progress("", look))]

    with serve() as served:
        _, running, *rest = run_loop(hear(served))
        assert b'"state":"running"' in running and rest == [b"event: sealed\ndata: {}\n\n"]


def test_a_store_in_memory_has_no_jobs(sqlite_memory: str) -> None:
    with serve(Settings(store=sqlite_memory)) as served:
        assert served.post("/api/v1/regressions", CHANGE, "designer").status_code == 503
        assert served.get("/api/v1/jobs").json() == {"jobs": []}
