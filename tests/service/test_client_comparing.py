"""Case files and contradictions at a service from the terminal: same output, files and exit codes as on a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.words import say
from service.access import Role
from service.settings import Settings
from tests.cli.runs import inside
from tests.disputed import CANARIES
from tests.places import place
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.test_client import Begin
from tests.service.test_pages_casefiles import NUMBER, lay

N = str(NUMBER)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return place(tmp_path / "cup.sqlite")


@pytest.fixture
def served(store: str) -> Iterator[Served]:
    """Serve a store with an open match and two closed matches with contradicting rulings."""
    with serve(Settings(store=store)) as ready:
        lay(ready, "t0", closed=True)
        lay(ready, "t1", verdict="no_fault", closed=True)
        lay(ready, "open")
        yield ready


def test_a_case_file_is_told_and_written_at_a_service_as_of_a_store(
    begin: Begin, served: Served, store: str, tmp_path: Path
) -> None:
    out = tmp_path / "file.html"
    there = begin(served)
    for audience in ("players", "officials"):
        for lang in ("en", "ja"):
            served.clock.at += 10 * SECOND_MS  # other tests cover the rate limit
            said = ("casefile", "t1", N, "--for", audience, "--lang", lang)
            assert there(*said, "--json") == inside(store, *said, "--json") and there(*said).code == 0
            assert there(*said) == inside(store, *said)
            pages = []
            for run in (there, lambda *arguments: inside(store, *arguments)):
                assert run(*said, "--out", out).out == say("casefile.written", lang, file=out) + "\n"
                pages.append(out.read_bytes())
            assert pages[0] == pages[1] and pages[0].decode() == there(*said).out
    value = there("casefile", "t1", N, "--for", "players", "--json").data
    assert [row["match"] for row in value["precedents"]] == ["t0"]


def test_rulings_that_part_are_told_at_a_service_as_of_a_store(begin: Begin, served: Served, store: str) -> None:
    there = begin(served)
    for said in ((), ("--as", "judge"), ("--json",), ("--lang", "ja"), ("--as", "p1"), ("--as", "judge", "--json")):
        at_service = there("contradictions", *said)
        assert at_service == inside(store, "contradictions", *said) and at_service.code == (2 if "p1" in said else 1)
    with serve() as empty:
        none = begin(empty)("contradictions", "--lang", "ja")
    assert (none.code, none.out) == (0, say("contradiction.none", "ja") + "\n")


def test_all_disputes_are_told_at_a_service_as_of_a_store(begin: Begin, served: Served, store: str) -> None:
    there = begin(served)
    for said in (
        (),
        ("--json",),
        ("--lang", "ja"),
        ("--standing", "closed"),
        ("--clause", "BP-9.4"),
        ("--game", "dea"),
    ):
        at_service = there("docket", *said)
        assert at_service == inside(store, "docket", *said) and at_service.code == 0
    assert len(there("docket", "--json").data) == 3
    for lang in ("en", "ja"):
        nothing = there("docket", "--game", "nosuch", "--lang", lang)
        assert nothing == inside(store, "docket", "--game", "nosuch", "--lang", lang)
        assert (nothing.code, nothing.out) == (2, "") and "nosuch" in nothing.message and "dea" in nothing.message
    for path in ("disputes?game=nosuch", "contradictions?game=nosuch"):
        refused = served.get(f"/api/v1/{path}")
        assert refused.status_code == 400 and "nosuch" in refused.json()["ja"]
    assert there("docket", "--standing", "pending").code == inside(store, "docket", "--standing", "pending").code == 2


@pytest.mark.parametrize("json", [(), ("--json",), ("--out",)])
@pytest.mark.parametrize(
    ("role", "command", "words"),
    [
        ("head", ("t1", "2", "--for", "players"), say("docket.no_dispute", "en", entry=2)),
        ("head", ("t1", "999", "--for", "players"), "999"),
        ("head", ("gone", N, "--for", "players"), say("problem.no_match", "en")),
        ("head", ("t1", N, "--for", "p1"), "p1"),
        ("head", ("open", N, "--for", "officials"), say("problem.sealed", "en")),
        ("spectator", ("t1", N, "--for", "officials"), ""),
        ("operator", ("t1", N, "--for", "officials"), ""),
        ("designer", ("open", N, "--for", "players"), ""),
    ],
)
def test_what_is_no_ones_to_see_is_refused_and_leaves_no_file(
    begin: Begin, served: Served, tmp_path: Path, role: Role, command: tuple[str, ...], words: str, json: tuple[str]
) -> None:
    out = tmp_path / "file.html"
    refused = begin(served, role)("casefile", *command, *json, *([out] if json == ("--out",) else []))
    assert (refused.code, refused.out) == (2, "") and words in refused.message and not out.exists()
    assert not any(canary in refused.err for canary in CANARIES)


def test_a_file_that_cannot_be_written_is_named(begin: Begin, served: Served, tmp_path: Path) -> None:
    for out, words in ((tmp_path, "Is a directory"), (tmp_path / "no" / "x.html", "No such file")):
        refused = begin(served)("casefile", "t1", N, "--for", "players", "--out", out)
        assert (refused.code, refused.out) == (2, "") and words in refused.message
