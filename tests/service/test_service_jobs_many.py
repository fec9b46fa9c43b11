"""Jobs over many matches: their report equals that of the command line, despite interruptions."""

import json
import os
import re
import signal
from multiprocessing import active_children
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import msgspec
import pytest

from service.reports import job_runner
from service.reports.job_runner import WORK
from service.settings import Settings
from tests.cli.runs import inside
from tests.places import files_base
from tests.service.harness import Served, serve
from tests.service.processes import PATIENCE
from tests.service.working import PAUSE_S, archive, ask, wait

pytestmark = pytest.mark.rotates(2)

RULES = "blackpoker@9.0-lite"
CHANGE: dict[str, Any] = {"set": {"judge.compare": "printed"}}
COMMAND = ("--set", "judge.compare=printed")
LISTS = ("differences", "bad", "flips")


@pytest.fixture(name="settings", scope="module")
def settings_of(database: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return archive(tmp_path_factory.mktemp("store"), 16)


def report_of(settings: Settings, *arguments: str) -> Any:
    """Return the output of the command line without file names."""
    ran = inside(settings.store, *arguments, "--json")
    return json.loads(
        re.sub(r'"file":"[^"]*",?', "", json.dumps(ran.data, separators=(",", ":"))).replace(f"{settings.store}:", "")
    )


def counted(report: Any) -> Any:
    """Return a report without its lists of matches."""
    said = {name: value for name, value in report.items() if name not in LISTS}
    said["shortest"] = {kind: [match["name"] for match in some] for kind, some in report["shortest"].items()}
    return said


def regression(served: Served, settings: Settings, change: dict[str, Any], *command: str) -> Any:
    result = wait(served, ask(served, change))["result"]
    wanted = report_of(settings, "regress", *command)
    assert {name: value for name, value in result.items() if name not in ("passes", "sound")} == counted(wanted)
    assert result["passes"] is (not wanted["unapproved"] and not wanted["bad"])
    return wanted


def test_a_regression_is_what_the_command_line_says(settings: Settings) -> None:
    with serve(settings) as served:
        wanted = regression(served, settings, CHANGE, *COMMAND)
        assert wanted["unapproved"] > 2
        regression(
            served,
            settings,
            {"rules": RULES, "base": "blackpoker@8.1-lite"},
            "--rules",
            RULES,
            "--base",
            "blackpoker@8.1-lite",
        )
        draft = '[set]\n"judge.compare" = "printed"\n'
        assert wait(served, ask(served, {"draft": draft}))["result"]["by_class"] == wanted["by_class"]


def test_results_are_paged_and_are_the_differences_of_the_report(settings: Settings) -> None:
    with serve(settings) as served:
        address = wait(served, ask(served, CHANGE))["job"]["url"]
        wanted = report_of(settings, "regress", *COMMAND)["differences"]
        rows: list[Any] = []
        path = f"{address}/results?limit=2&approved=false"
        while path:
            answer = served.get(path)
            rows += answer.json()["results"]
            link = answer.headers.get("link", "")
            path = link[1 : link.index(">")] if link else ""
        assert {row["match"] for row in rows} == {row["match"]["name"] for row in wanted}
        assert [row["entries"] for row in rows] == sorted(row["entries"] for row in rows)
        for row in wanted:
            match = row["match"]
            asked = f"class={match['kind']}&clause={match.get('clause', '-')}&cause={match['causes'][0]['key']}"
            found = served.get(f"{address}/results?{asked}&limit=500").json()["results"]
            (same,) = [one for one in found if one["match"] == match["name"]]
            assert (same["class"], same["entry"], same["causes"]) == (match["kind"], match["entry"], match["causes"])
        assert served.get(f"{address}/results?class=illegal&clause=no-such").json() == {"results": []}
        assert served.get(f"{address}/results?after=no-such").status_code == 404


def test_reports_for_machines_are_those_of_the_command_line(settings: Settings, tmp_path: Path) -> None:
    with serve(settings) as served:
        address = wait(served, ask(served, CHANGE))["job"]["url"]
        files = {"junit.xml": tmp_path / "r.xml", "sarif": tmp_path / "r.sarif"}
        inside(settings.store, "regress", *COMMAND, "--junit", files["junit.xml"], "--sarif", files["sarif"])
        junit = served.get(f"{address}/results.junit.xml")
        assert junit.headers["content-type"].startswith("application/xml")
        assert junit.text == files["junit.xml"].read_text().replace(f"{settings.store}:", "")
        sarif = json.loads(served.get(f"{address}/results.sarif").content)
        wanted = json.loads(files["sarif"].read_text().replace(f"{settings.store}:", ""))
        for one, other in zip(sarif["runs"][0]["results"], wanted["runs"][0]["results"], strict=True):
            assert "physicalLocation" not in one["locations"][0], "no file of the machine is named"
            for name in ("ruleId", "message", "suppressions", "level"):
                assert one[name] == other[name]
        assert served.get(f"{address}/results.sarif?lang=ja").json()["runs"][0]["language"] == "ja"


def test_a_worker_that_is_killed_costs_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    step = job_runner.Jobs._step

    def harm(jobs: job_runner.Jobs, id: str) -> None:
        if not killed:
            victim = active_children()[0]
            assert victim.pid is not None
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)
        step(jobs, id)

    monkeypatch.setattr(job_runner.Jobs, "_step", harm)
    with serve(settings) as served:
        regression(served, settings, CHANGE, *COMMAND)
        assert killed


def test_a_job_that_a_stop_cut_off_goes_on_where_it_was(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    step = job_runner.Jobs._step

    def stop(jobs: job_runner.Jobs, id: str) -> None:
        jobs._stopping = jobs._stopping or jobs._jobs[id].done == 5
        step(jobs, id)

    with monkeypatch.context() as patched, serve(settings) as served:
        patched.setattr(job_runner.Jobs, "_step", stop)
        address = ask(served, CHANGE)
        while not served.context.jobs._stopping:
            sleep(PAUSE_S)
    folder = Path(f"{files_base(settings.store)}.jobs") / address.rsplit("/", 1)[1]
    done = (folder / WORK).read_bytes().splitlines()
    assert 5 <= len(done) - 1 < 16
    with serve(settings) as served:
        answer = wait(served, address)
        assert answer["job"]["again"] == 1
        assert answer["job"]["done"] == answer["job"]["all"] == 16
        wanted = report_of(settings, "regress", *COMMAND)
        assert answer["result"]["by_class"] == wanted["by_class"] and answer["result"]["digest"] == wanted["digest"]
    assert (folder / WORK).read_bytes().splitlines()[: len(done)] == done, "what was judged is not judged again"


def test_a_job_is_taken_back_while_it_waits_and_while_it_is_done(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = msgspec.structs.replace(settings, jobs=1)
    step, waited_for = job_runner.Jobs._step, Event()
    with serve(settings) as served:
        designer = served.bearer("designer")

        def meanwhile(jobs: job_runner.Jobs, id: str) -> None:
            if jobs._jobs[id].done == 2 and id not in jobs._cancelled:
                assert waited_for.wait(PATIENCE)
                other = served.client.delete(f"/api/v1/jobs/{id}", headers=served.bearer("head"))
                assert other.status_code == 403
                assert served.client.delete(f"/api/v1/jobs/{id}", headers=designer).status_code == 200
            step(jobs, id)

        monkeypatch.setattr(job_runner.Jobs, "_step", meanwhile)
        first, second = (ask(served, CHANGE, "spectator", headers=designer) for _ in range(2))
        crowded = served.client.post("/api/v1/regressions", json=CHANGE, headers=designer)
        assert crowded.status_code == 429 and crowded.headers["retry-after"]
        waiting = second.rsplit("/", 1)[1]
        taken = served.client.delete(f"/api/v1/jobs/{waiting}", headers=designer).json()
        assert taken["state"] == "cancelled"
        waited_for.set()
        assert wait(served, first, states=("cancelled",))["job"]["done"] == 2
        assert served.get(f"{first}/results").status_code == 404
        again = served.client.delete(f"/api/v1/jobs/{waiting}", headers=designer).json()
        assert again == taken
    with serve(settings) as served:
        assert [job["state"] for job in served.get("/api/v1/jobs?limit=2").json()["jobs"]] == ["cancelled"] * 2


def test_what_differs_is_approved_by_class_clause_and_cause_when_the_shortest_were_read(
    settings: Settings, tmp_path: Path
) -> None:
    with serve(settings) as served:
        designer = served.bearer("designer")
        address = wait(served, ask(served, CHANGE))["job"]["url"]

        def post(room: str, body: Any) -> Any:
            return served.client.post(f"{address}/{room}", json=body, headers=designer)

        result = served.get(address).json()["result"]
        (row, *_) = served.get(f"{address}/results").json()["results"]
        body = {"class": row["class"], "clause": row["clause"], "cause": row["causes"][0]["key"], "reason": "wanted"}
        locked = post("approvals", body)
        shortest = result["shortest"][row["class"]][:3]
        assert locked.status_code == 428 and all(name in locked.json()["en"] for name in shortest)
        assert post("openings", {"match": "no-such"}).status_code == 404
        for name in shortest:
            assert post("approvals", body).status_code == 428
            assert post("openings", {"match": name}).status_code == 201
        assert served.post(f"{address}/approvals", body, "designer").status_code == 428, (
            "another token has read nothing"
        )
        for wrong, status, said in (
            ({"cause": "engine"}, 422, "program"), ({"reason": " "}, 400, "reason"), ({"cause": ""}, 400, "no match"),
            ({"clause": "no-such"}, 400, "no-such"), ({"class": "everything"}, 400, "everything"),
        ):  # fmt: skip
            refused = post("approvals", {**body, **wrong})
            assert refused.status_code == status and said in refused.json()["en"], refused.text
        for role in ("head", "operator", "spectator"):
            assert served.post(f"{address}/approvals", body, role).status_code == 403  # type: ignore[arg-type]
        assert served.get(address).json()["result"]["unapproved"] == result["unapproved"]
        kept = post("approvals", body)
        assert kept.status_code == 201 and kept.json()["by"] == "designer"
        now = served.client.get(address, headers=designer).json()
        assert sorted(now["opened"]) == sorted(shortest) and now["approvals"] == [kept.json()]
        file = tmp_path / "approved.toml"
        file.write_text("[[approved]]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in body.items()))
        wanted = report_of(settings, "regress", *COMMAND, "--approved", str(file))
        assert now["result"]["unapproved"] == wanted["unapproved"] < result["unapproved"]
        assert now["result"]["by_clause"] == wanted["by_clause"]
        approved = served.get(f"{address}/results?approved=true&limit=500").json()["results"]
        assert len(approved) == result["unapproved"] - wanted["unapproved"]
        assert "<skipped" in served.get(f"{address}/results.junit.xml").text
    with serve(settings) as served:
        assert served.get(address).json()["result"]["unapproved"] == wanted["unapproved"]
