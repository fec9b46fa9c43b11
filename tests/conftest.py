"""Which tests run, in which order, and what they make: `--game KEY` (or `KEY,KEY`) leaves out what is about other games
alone, `--added KEY` besides whatever these games cannot change, `--update` runs only what compares text with a file and
writes it anew. Heavy tests bear the mark `deep`."""

import re
from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from os import environ
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from domain.games import GAMES
from tests import added, places, postgres

EVERY_GAME = frozenset(GAMES)
RULES = Path(__file__).parent / "rules"
"""A game's rules have a folder of its name here."""
BROWSER = "SHINPAN_BROWSER"
"""Where the environment says `required`, no test of the service is left out for want of a browser: it fails."""
SERVICE = "tests/service/"
PRESUMED = ("presumed.py", "postgres.py")
"""What is left out there, is so because a game has nothing of the kind, or for want of another thing than a browser."""
GOLDEN = "same_as_file"
"""The fixture by which a test compares a text with a file."""
LONGEST = "tests/test_walks.py"
"""Begun first, so that nobody waits for it in the end."""
PATIENT = "patient"
"""How Hypothesis tries its examples: on a machine that stands still for a moment none of them is too slow."""

settings.register_profile(PATIENT, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile(PATIENT)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="KEY[,KEY]", default="", help="leave out what is about other games alone")
    parser.addoption("--added", metavar="KEY[,KEY]", default="", help="only what these games can change")
    parser.addoption("--update", action="store_true", help="write anew the files that tests compare texts with")
    parser.addoption("--store", choices=("both", *places.KINDS), default="both", help="where tests have their stores")


def pytest_configure(config: pytest.Config) -> None:
    for option in ("game", "added"):
        for game in asked_for(config, option):
            if game not in EVERY_GAME:
                raise pytest.UsageError(f"--{option}: no game {game!r}, only {', '.join(sorted(EVERY_GAME))}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let no test of a browser be left out where one is required."""
    report = yield
    required = environ.get(BROWSER) == "required" and item.nodeid.startswith(SERVICE)
    if required and report.skipped and not any(file in str(report.longrepr) for file in PRESUMED):
        report.outcome, report.longrepr = "failed", f"left out, and {BROWSER} is required: {report.longrepr}"
    return report


def asked_for(config: pytest.Config, option: str = "game") -> list[str]:
    """The games that alone are tried; none: all of them."""
    return [game for game in config.getoption(option).split(",") if game]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Neighbours share what they build, so each process begins with a row of tests; who is done takes from another's
    end."""
    from xdist.scheduler import WorkStealingScheduling  # only where there are several processes

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Not even read the rules of other games, nor what compares nothing with a file where only that is asked for."""
    games = asked_for(config)
    if config.getoption("update") and collection_path.match("test_*.py"):
        return True if GOLDEN not in collection_path.read_text(encoding="utf-8") else None
    return True if games and collection_path.parent == RULES and about_others(collection_path.name, *games) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    games, update, new = asked_for(config), config.getoption("update"), frozenset(asked_for(config, "added"))
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if not games and not update and not new:
        return
    kept, left_out = [], []
    for item in items:
        unwanted = (
            (games and about_others(item.nodeid, *games))
            or (new and (about_others(item.nodeid, *new) or not added.concerned(item, new)))
            or (update and not golden(item))
        )
        (left_out if unwanted else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def about_others(name: str, *games: str) -> bool:
    """Does a test's name name games, and none of these?"""
    named = EVERY_GAME.intersection(re.split(r"[^a-z0-9]+", name.lower()))
    return bool(named) and named.isdisjoint(games)


def golden(item: pytest.Item) -> bool:
    """Does a test compare text with a file?"""
    return GOLDEN in getattr(item, "fixturenames", ())


@pytest.fixture(autouse=True, scope="session")
def _one_process() -> Iterator[None]:
    """A command that is not told how many processes it may begin begins none: each loads the law anew."""
    with pytest.MonkeyPatch.context() as patch:
        for command in ("compare", "corpus", "regress", "table"):
            patch.setattr(import_module(f"cli.many.{command}"), "cores", lambda: 1)
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL of the tests' own, one for each process of them."""
    with postgres.begun() as up:
        yield up


@pytest.fixture(scope="session")
def _schemas(cluster: postgres.Cluster) -> places.Schemas:
    """Empty stores in that PostgreSQL, used again and again."""
    return places.Schemas(cluster)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what has a store once for each kind of it that is asked for."""
    if "database" in metafunc.fixturenames:
        asked = metafunc.config.getoption("store")
        kinds = places.kinds_of(metafunc.module.__name__, metafunc.fixturenames)
        if len(kinds) > 1:
            wanted = [kind for kind in kinds if asked in (kind, "both")]
            metafunc.parametrize("database", wanted, indirect=True, scope="module")


@pytest.fixture(scope="module")
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The kind of the stores that `place` tells of: what is true of a store is tried on SQLite and on PostgreSQL.

    Which tests run on one alone, and why, says `places.kinds_of`. Where no PostgreSQL is, the second is left out by its
    name.
    """
    if getattr(request, "param", places.SQLITE) == places.SQLITE:
        yield places.SQLITE
        return
    schemas = request.getfixturevalue("_schemas")
    with pytest.MonkeyPatch.context() as patch, places.on_postgres(schemas):
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield request.param


@pytest.fixture
def place(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[places.Place]:
    """Where the store of this name lies: an SQLite file that is not there yet, or an empty store in a database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with places.borrowed():
        yield lambda name="a.sqlite": places.place(tmp_path / name)


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    """Where an SQLite file may be made, for what is about the file itself and tried on nothing else."""
    return tmp_path / "a.sqlite"


@pytest.fixture
def sqlite_memory() -> str:
    """The name of a store in memory, for what is about one and tried on nothing else."""
    return places.MEMORY


@pytest.fixture
def where(database: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where a store may be made: an SQLite file that is not there yet, or an empty schema of a database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if database == places.SQLITE:
        return str(tmp_path / "a.shinpan")
    cluster: postgres.Cluster = request.getfixturevalue("cluster")
    return cluster.new()


@pytest.fixture
def same_as_file(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Hold a text against the file that it is kept in; with `--update` the file is written first."""

    def hold(path: Path, text: str) -> None:
        if request.config.getoption("update"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is old: make fixtures, or pytest --update"

    return hold
