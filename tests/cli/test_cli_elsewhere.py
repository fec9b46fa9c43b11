"""Commands over a corpus that lies elsewhere: the same answers as over the same file here, or why there are none."""

import re
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from corpus.writing import pack
from recorder.store import Store
from regress.index import path_of
from tests.cli.runs import Ran, inside
from tests.corpus.served import Web, web
from tests.corpus.small_files import real

GAME = "blackpoker"
IDS = ("m1", "m2", "m3")
RULES = ("--set", "judge.compare=printed")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("here") / "2026.corpus"
    pack(path, [(match, real(GAME, int(match[1]))) for match in IDS])
    return path


@pytest.fixture(scope="module")
def server() -> Iterator[Web]:
    with web() as held:
        yield held


@pytest.fixture(params=["memory", "http"])
def there(request: pytest.FixtureRequest, here: Path, server: Web) -> str:
    data = here.read_bytes()
    if request.param == "memory":
        fsspec.filesystem("memory").pipe_file("/league/2026.corpus", data)
        return "memory://league/2026.corpus"
    server.files["/league/2026.corpus"] = data
    return f"{server.url}/league/2026.corpus"


def ran(*arguments: str | Path) -> Ran:
    return inside("unused.sqlite", *arguments)


def bare(text: str, name: str) -> str:
    """A text without the name of a corpus and without what columns are filled with."""
    return re.sub(r"\s+", " ", text.replace(name, "CORPUS"))


@pytest.mark.parametrize(
    "command",
    [
        "corpus info CORPUS --check",
        "corpus info CORPUS --json",
        "corpus sample CORPUS --matches 2 --seed 3",
        "regress CORPUS --jobs 1 --set judge.compare=printed --json",
        "rejudge CORPUS:m2 --set judge.compare=printed --as judge",
        "audit CORPUS --as judge",
        "audit CORPUS --json",
        "fairness CORPUS --jobs 1",
        "find CORPUS --did pass",
        pytest.param("coverage blackpoker --corpus CORPUS", marks=pytest.mark.random),
        "compare blackpoker CORPUS --reading judge.compare=size,printed --jobs 1",
        "check CORPUS",
    ],
)
def test_a_command_answers_as_over_the_file_here(here: Path, there: str, command: str) -> None:
    one, other = (ran(*command.replace("CORPUS", str(name)).split()) for name in (here, there))
    assert (one.code, bare(one.out, str(here)), bare(one.err, str(here))) == (
        other.code,
        bare(other.out, there),
        bare(other.err, there),
    )
    assert one.out or "proof" in one.err


def test_matches_are_taken_out_and_packed_again(here: Path, there: str, tmp_path: Path) -> None:
    for name, where in (("here", here), ("there", there)):
        assert ran("corpus", "unpack", where, "--out", tmp_path / name).code == 0
        assert ran("corpus", "unpack", where, "--rescue", "--out", tmp_path / f"{name}-rescued").code == 0
        assert ran("corpus", "pack", tmp_path / f"{name}.corpus", where).code == 0
        assert ran("corpus", "sample", where, "--matches", "2", "--out", tmp_path / f"{name}-some.corpus").code == 0
        assert ran("corpus", "table", where, tmp_path / f"{name}.parquet", "--jobs", "1").code == 0
    for one in sorted(tmp_path.rglob("here*/*")) + sorted(tmp_path.glob("here*.*")):
        other = Path(str(one).replace("/here", "/there"))
        assert one.read_bytes() == other.read_bytes(), one
    assert (tmp_path / "here.corpus").read_bytes() == here.read_bytes()


def test_its_index_lies_in_the_cache_folder(there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert ran("corpus", "index", there, "--jobs", "1").code == 0
    assert path_of(there).is_file() and path_of(there).is_relative_to(tmp_path / "cache" / "shinpan")
    regressed = ran("regress", there, "--jobs", "1", "--set", "equip.stance=charge", "--json")
    assert regressed.code in (0, 1) and regressed.data["passed"] >= 1


def test_several_processes_read_it_each_by_itself(here: Path, server: Web) -> None:
    server.files["/many/2026.corpus"] = here.read_bytes()
    name = f"{server.url}/many/2026.corpus"
    asked = ((here, "1"), (name, "2"))
    one, other = (ran("regress", where, "--jobs", jobs, *RULES, "--json") for where, jobs in asked)
    assert bare(one.out, str(here)) == bare(other.out, name) and one.code == other.code


def test_nothing_is_written_to_an_address_and_nothing_else_is_read_there(server: Web, tmp_path: Path) -> None:
    secret = server.url.replace("://", "://judge:geheim@") + "/a.corpus?signature=s3cret"
    commands = (
        ("corpus", "pack", secret, "x.spn"),
        ("corpus", "info", "s3://judge:geheim@league/"),
        ("import", secret),
        ("show", secret),
        ("do", secret, "pass"),
        ("rejudge", secret, *RULES),
        ("audit", secret),
        ("regress", secret, *RULES),
        ("regress", secret.replace("http", "ftp"), *RULES, "--report", "memory://x/a.html"),
        ("corpus", "info", "https://judge:ge/heim@host/a.corpus"),
        ("regress", "nothing://league/2026.corpus", *RULES),
        ("coverage", GAME, "--corpus", secret, "--html", "s3://a/b.html"),
    )
    for command in commands:
        for lang in ("en", "ja"):
            refused = inside(tmp_path / "s.sqlite", "--lang", lang, *command)
            assert (refused.code, refused.out) == (2, ""), command
            assert refused.message and not any(word in refused.err for word in ("judge:", "heim", "s3cret")), refused
    with pytest.raises(Exception, match="postgresql"):
        Store.open("s3://league/store.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_ends_in_the_middle_ends_the_command(
    here: Path, server: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpus import web as over_http

    monkeypatch.setattr(over_http, "PAUSE", 0)
    for at, command in enumerate(("regress", "audit", "fairness")):
        server.files[f"/{at}/2026.corpus"] = here.read_bytes()
        server.forget()
        server.spoil = lambda number, answer: answer if number < 2 else None
        rules = (*RULES, "--jobs", "1") if command == "regress" else ("--jobs", "1") if command == "fairness" else ()
        ended = ran(command, f"{server.url}/{at}/2026.corpus", *rules)
        assert ended.code == 2 and ended.message.endswith("the connection broke; try again"), ended
    server.spoil = lambda number, answer: answer
