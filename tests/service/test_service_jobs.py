"""Regression jobs over HTTP: rights, bad input, open matches, and job states."""

import json
from pathlib import Path

import pytest

from service.access import ROLES
from service.settings import Settings
from tests.places import Place, files_base
from tests.service.harness import START, serve
from tests.service.working import add_match, ask, wait

CHANGE = {"set": {"grave_top": "auto_last"}}


@pytest.fixture(name="settings")
def settings_of(place: Place) -> Settings:
    return Settings(store=place())


def test_designers_and_operators_may_start_a_rule_change(settings: Settings) -> None:
    with serve(settings) as served:
        for role in ROLES:
            answer = served.post("/api/v1/regressions", CHANGE, role)
            assert answer.status_code == (400 if role in ("designer", "operator") else 403), (role, answer.text)
        assert served.get("/api/v1/jobs").json() == {"jobs": []}


@pytest.mark.parametrize("room", ["comparisons", "verifications", "rejudgings", "readings"])
def test_other_long_jobs_are_not_served(settings: Settings, room: str) -> None:
    with serve(settings) as served:
        assert served.post(f"/api/v1/{room}", {}, "designer").status_code in (404, 405)


def test_bad_input_is_named_and_nothing_is_begun(settings: Settings) -> None:
    with serve(settings) as served:
        add_match(served.context.store, "done", "normal")
        for body, said in (
            ({}, "rules"),
            ({"rules": "nosuch@1"}, "nosuch"),
            ({"rules": "blackpoker@1.0"}, "1.0"),
            ({"draft": "version = "}, "TOML"),
            ({"rules": "blackpoker@8.1-lite", "draft": "x"}, "draft"),
            ({"rules": "blackpoker@8.1-lite", "set": {"nosuch": 1}}, "nosuch"),
        ):
            answer = served.post("/api/v1/regressions", body, "designer")
            assert answer.status_code == 400 and said in answer.json()["en"], (body, answer.text)
        assert served.get("/api/v1/jobs").json() == {"jobs": []}
        assert not served.context.jobs.files.folder.exists()


def test_an_open_match_is_refused(settings: Settings) -> None:
    with serve(settings) as served:
        add_match(served.context.store, "open", "normal", close=False)
        for role in ("designer", "operator"):
            answer = served.post("/api/v1/regressions", {**CHANGE, "matches": ["open"]}, role)
            assert (answer.status_code, answer.json()["type"]) == (403, "/problem/not-your-eyes")
        assert served.post("/api/v1/regressions", CHANGE, "operator").json()["en"].startswith("No closed match")


@pytest.mark.parametrize("published", [False, True])
def test_a_match_is_closed_for_a_rule_change_when_the_delay_is_over(place: Place, published: bool) -> None:
    settings = Settings(store=place(), delay=60_000, published=published)
    with serve(settings) as served:
        add_match(served.context.store, "done", "normal")
        assert served.clock.at == START
        assert served.post("/api/v1/regressions", CHANGE, "operator").status_code == 400
        assert served.post("/api/v1/regressions", {**CHANGE, "matches": ["done"]}, "designer").status_code == 403
        served.clock.at += 60_000
        wait(served, ask(served, CHANGE))


def test_a_job_is_listed_looked_at_and_unknown_ones_are_not(settings: Settings) -> None:
    with serve(settings) as served:
        add_match(served.context.store, "done", "normal")
        ids = [wait(served, ask(served, CHANGE))["job"]["id"] for _ in range(3)]
        page = served.get("/api/v1/jobs?limit=2")
        assert [row["id"] for row in page.json()["jobs"]] == ids[:0:-1]
        link = page.headers["link"]
        rest = served.get(link[1 : link.index(">")])
        assert [row["id"] for row in rest.json()["jobs"]] == [ids[0]] and "link" not in rest.headers
        for path in ("jobs/R-99", "jobs/..%2F", "regressions/R-99", "jobs?after=R-99"):
            assert served.get(f"/api/v1/{path}").status_code == 404, path


def test_a_stream_tells_how_a_job_goes_on_and_ends_with_it(settings: Settings) -> None:
    with serve(settings) as served:
        add_match(served.context.store, "done", "normal")
        address = ask(served, CHANGE)
        live = f"/api/v1/jobs/{address.rsplit('/', 1)[1]}/live"
        heard = served.get(live)
        assert heard.headers["content-type"].startswith("text/event-stream")
        told = [line.split(": ", 1)[1] for line in heard.text.splitlines() if line.startswith(("event: ", "data: "))]
        kinds, data = told[::2], [json.loads(text) for text in told[1::2]]
        assert kinds[:-1] == ["progress"] * (len(kinds) - 1) and kinds[-1] == "over"
        last = data[-2]
        assert (last["state"], last["done"], last["all"]) == ("done", 1, 1)
        assert last == served.get(address).json()["job"]
        assert served.get("/api/v1/jobs/R-99/live").status_code == 404
        counts = served.client.app.state.counts
        assert counts.held.total() == 0
        counts.held.update({"x": settings.streams_max})
        refused = served.get(live)
        assert refused.status_code == 429 and refused.headers["retry-after"]


def test_jobs_that_only_older_versions_ran_are_ignored(settings: Settings) -> None:
    with serve(settings) as served:
        add_match(served.context.store, "done", "normal")
    folder = Path(f"{files_base(settings.store)}.jobs")
    for job, kind, hidden in (("V-7", "verification", []), ("R-2", "regression", []), ("R-3", "regression", ["open"])):
        (folder / job).mkdir(parents=True)
        state = {"id": job, "kind": kind, "state": "done", "hidden": hidden, "upto": 0}
        (folder / job / "job.json").write_text(json.dumps(state), encoding="utf-8")
    with serve(settings) as served:
        assert [row["id"] for row in served.get("/api/v1/jobs").json()["jobs"]] == ["R-2"]
        assert served.get("/api/v1/regressions/R-3", "designer").status_code == 404
        assert ask(served, CHANGE).endswith("/R-4")


def test_a_store_in_memory_has_no_jobs(sqlite_memory: str) -> None:
    with serve(Settings(store=sqlite_memory)) as served:
        assert served.post("/api/v1/regressions", CHANGE, "designer").status_code == 503
        assert served.get("/api/v1/jobs").json() == {"jobs": []}
