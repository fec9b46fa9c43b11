"""A rule change over the matches of a service: same output, files and exit codes as on a store."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.client.service import Service, ServiceError
from cli.client.transport import ClientRequest, ServiceUnreachable
from domain.words import Text, say
from service.access import Role
from service.problems import problem
from tests.cli.runs import Ran, inside
from tests.service.harness import Served, serve
from tests.service.test_client import client
from tests.service.working import archive, wait

pytestmark = pytest.mark.rotates(2)

URL = "http://service.example"
CHANGE = ("--set", "grave_top=auto_last")
MATCHES = 4
NAMED = ("differences", "flips", "shortest", "bad")
"""Fields of a report that name matches; a store adds its file name."""
Begin = Callable[..., Callable[..., Ran]]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Return a function that runs `regress` against a service in a role; `made` wraps its client."""

    def beginning(
        served: Served, role: Role = "designer", made: Callable[[Service], Service] = lambda there: there
    ) -> Callable[..., Ran]:
        there = made(client(served, role))
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: there)
        return lambda *said: inside(URL, "regress", *said)

    return beginning


def strip_store_name(text: str) -> str:
    """Return the output without the store's name in front of its matches."""
    return re.sub(r"\S*(?:matches\.sqlite|search_path%3D\w+):", "", text)


def test_what_came_of_it_is_told_and_written_as_of_a_store(begin: Begin, tmp_path: Path) -> None:
    settings = archive(tmp_path, MATCHES)
    with serve(settings) as served:
        there = begin(served)
        for said in ((), ("--lang", "ja"), ("--json",), ("--full",), ("--base", "blackpoker@9.2-lite")):
            at_service, here = there(*CHANGE, *said), inside(settings.store, "regress", *CHANGE, *said)
            assert at_service.code == here.code == 1 and at_service.err == here.err == "", at_service
            if "--json" not in said:
                assert columns(strip_store_name(at_service.out)) == columns(strip_store_name(here.out))
                continue
            told, counted = at_service.data, here.data
            assert {**told, **dict.fromkeys(NAMED)} == {**counted, **dict.fromkeys(NAMED)}
            assert len(told["differences"]) == len(counted["differences"]) > 1
        fine = there("--set", "hand.limit=7", "--lang", "en")
        assert fine.code == inside(settings.store, "regress", "--set", "hand.limit=7").code


def columns(text: str) -> list[list[str]]:
    """Return the words of each line, independent of column widths."""
    return [line.split() for line in text.splitlines()]


def test_files_and_approvals_are_those_of_a_store(begin: Begin, tmp_path: Path) -> None:
    settings = archive(tmp_path, MATCHES)
    with serve(settings) as served:
        there, drafts = begin(served), (tmp_path / "there.toml", tmp_path / "here.toml")
        wrote = there(*CHANGE, "--write-approvals", str(drafts[0]), "--junit", str(tmp_path / "a.xml"),
                      "--sarif", str(tmp_path / "a.json"), "--report", str(tmp_path / "a.html"))  # fmt: skip
        assert wrote.code == 1, wrote
        assert inside(settings.store, "regress", *CHANGE, "--write-approvals", drafts[1]).code == 1
        drafted, here = (strip_store_name(file.read_text(encoding="utf-8")) for file in drafts)
        assert drafted == here and "[[approved]]" in here
        assert "<testsuite" in (tmp_path / "a.xml").read_text() and '"2.1.0"' in (tmp_path / "a.json").read_text()
        assert "--store" in (tmp_path / "a.html").read_text(encoding="utf-8")
        drafts[0].write_text(drafted.replace('reason = ""', 'reason = "meant"'), encoding="utf-8")
        approved = there(*CHANGE, "--approved", str(drafts[0]))
        assert approved.code == 0, approved
        draft = tmp_path / "rules.toml"
        draft.write_text('game = "blackpoker"\n[set]\ngrave_top = "auto_last"\n', encoding="utf-8")
        both = [run("--rules", str(draft)) for run in (there, lambda *said: inside(settings.store, "regress", *said))]
        assert both[0].code == both[1].code, both


def test_matches_are_named_by_their_ids_and_files_are_looked_at_here(begin: Begin, tmp_path: Path) -> None:
    settings = archive(tmp_path, MATCHES)
    with serve(settings) as served:
        there, first = begin(served), served.context.store.matches()[0].match
        assert there(first, *CHANGE, "--json").data["matches"] == 1
        assert there(settings.store, *CHANGE) == inside(tmp_path / "none.sqlite", "regress", settings.store, *CHANGE)
        assert len(served.context.jobs.all()) == 1
        unknown = there("gone", *CHANGE)
        assert (unknown.code, unknown.out) == (2, "") and say("problem.no_match", "en") in unknown.message


@pytest.mark.parametrize(
    "said",
    [(), ("--set", "nothing=1"), ("--set", "x"), ("--rules", "blackpoker@99"), (*CHANGE, "--jobs", "2"),
     (*CHANGE, "--resume", "work"), (*CHANGE, "--cards", "cards.toml"), (*CHANGE, "--base", "base.toml"),
     (*CHANGE, "--base", "x"), (*CHANGE, "--approved", "gone.toml"), (*CHANGE, "--junit", "gone/a.xml")],
)  # fmt: skip
def test_what_cannot_be_counted_there_is_refused_in_one_line_and_no_job_is_left(
    begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    with serve(archive(tmp_path, 1)) as served:
        refused = begin(served)(*said)
        assert (refused.code, refused.out) == (2, "") and refused.message
        assert not served.context.jobs.all()


def test_who_may_run_no_jobs_is_told_so(begin: Begin, tmp_path: Path) -> None:
    with serve(archive(tmp_path, 1)) as served:
        for role in ("head", "scorekeeper", "spectator"):
            refused = begin(served, role)(*CHANGE)
            assert (refused.code, refused.out) == (2, "") and refused.message
        assert not served.context.jobs.all()


def test_whoever_interrupts_takes_the_job_back(begin: Begin, tmp_path: Path) -> None:
    with serve(archive(tmp_path, MATCHES)) as served:

        def interrupted(request: ClientRequest) -> Iterator[bytes]:
            raise KeyboardInterrupt
            yield b""

        ran = begin(served, made=lambda there: replace(there, stream=interrupted))(*CHANGE)
        assert (ran.code, ran.out) == (130, "") and say("client.job_taken_back", "en", job="R-1") in ran.err
        wait(served, "/api/v1/regressions/R-1", states=("cancelled", "done"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ServiceUnreachable(Text("client.unreachable", {"url": URL, "why": "reset"})), URL),
        (ServiceError(problem("draining")), say("problem.draining", "en")),
    ],
    ids=["gone", "stopping"],
)
def test_a_service_that_goes_away_leaves_the_job_to_itself_and_says_which(
    begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    monkeypatch.setattr("cli.client.http_client.pause", lambda _: None)
    with serve(archive(tmp_path, 1)) as served:

        def break_stream(request: ClientRequest) -> Iterator[bytes]:
            raise error
            yield b""

        told = begin(served, made=lambda there: replace(there, stream=break_stream))(*CHANGE)
        assert (told.code, told.out) == (2, "") and said in told.message
        assert say("client.job_goes_on", "en", job="R-1") in told.err


def test_progress_is_told_where_it_is_asked_for(begin: Begin, tmp_path: Path) -> None:
    with serve(archive(tmp_path, MATCHES)) as served:
        told = begin(served)(*CHANGE, "--progress").err
        assert say("regress.progress", "en") in told and f"{MATCHES}/{MATCHES}" in told.replace(" ", "")
