"""Options of the test suite, the markers that tests get automatically, and the summary of skipped tests.

`pytest` alone runs what `make test` runs. `--nightly` adds the tests marked `nightly`, every seed and PostgreSQL.
"""

import gc
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from domain.games import GAMES
from tests import places, postgres, rotation
from tools import chromium

os.environ["TZ"] = "UTC"
time.tzset()  # commands print times in the machine's zone

EVERY_GAME = frozenset(GAMES)
TESTS = Path(__file__).parent
RULES = TESTS / "rules"
GOLDEN = "same_as_file"
BROWSER, POSTGRES, NIGHTLY, SERVICE, ROTATES, SMOKE = "browser", "postgres", "nightly", "service", "rotates", "smoke"
PROCESS, RANDOM = "process", "random"
PROGRAMS = ("cli", "corpus", "evidence", "rejudging", SERVICE)
"""Folders of tests that run whole commands and services. `--quick` runs one journey of each, or one folder by name."""
NEEDS = {"chromium": BROWSER, "cluster": POSTGRES}
INSTALL = {
    BROWSER: f"apt-get install chromium fonts-noto-cjk, or {chromium.VARIABLE}=PATH",
    POSTGRES: "apt-get install postgresql pgbouncer",
    NIGHTLY: "make nightly",
}

settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="KEY[,KEY]", default="", help="leave out tests of other games alone")
    parser.addoption("--nightly", action="store_true", help="run everything: every seed, both databases, slow tests")
    parser.addoption("--quick", action="store_true", help="run unit tests, casebooks and a journey of each program")
    parser.addoption("--seed", type=int, help="choose random matches as the run with this seed did")
    parser.addoption("--update", action="store_true", help="rewrite the files that tests compare texts with")
    parser.addoption("--store", choices=("both", *places.KINDS), help="where stores lie (default: sqlite)")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker inherits the choices of its run
        whole = config.args_source is not pytest.Config.ArgsSource.ARGS and not config.getoption("update")
        rotation.choose(config.getoption("seed"), nightly=config.getoption("nightly"), whole=whole)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a script runs the suite in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for game in games_asked_for(config):
        if game not in EVERY_GAME:
            raise pytest.UsageError(f"--game: no game {game!r}, only {', '.join(sorted(EVERY_GAME))}")


def games_asked_for(config: pytest.Config) -> list[str]:
    return [game for game in config.getoption("game").split(",") if game]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker adjacent tests, which share what they build. An idle worker takes from another's end."""
    from xdist.scheduler import WorkStealingScheduling  # needed only with several processes

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the tests of other games without collecting them. `--update` keeps only tests that compare with a file.
    `--quick` skips tests of whole programs, except journeys."""
    games = games_asked_for(config)
    if is_of_program(collection_path) and is_quick_everywhere(config) and collection_path.match("test_*.py"):
        return True if f"mark.{SMOKE}" not in collection_path.read_text(encoding="utf-8") else None
    if config.getoption("update") and collection_path.match("test_*.py"):
        return True if GOLDEN not in collection_path.read_text(encoding="utf-8") else None
    return True if games and collection_path.parent == RULES and is_about_others(collection_path.name, games) else None


def is_of_program(path: Path) -> bool:
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).parts[0] in PROGRAMS


def is_quick_everywhere(config: pytest.Config) -> bool:
    """True if `--quick` is set and no folder is named."""
    return bool(config.getoption("quick")) and config.args_source is not pytest.Config.ArgsSource.ARGS


def is_left_by_quick(item: pytest.Item, config: pytest.Config) -> bool:
    """True for a test that needs a browser, other processes or random play, and for program tests except journeys."""
    if not config.getoption("quick") or item.get_closest_marker(SMOKE) is not None:
        return False
    slow = any(item.get_closest_marker(each) is not None for each in (BROWSER, PROCESS, RANDOM))
    return slow or (is_quick_everywhere(config) and is_of_program(item.path))


def pytest_collection() -> None:
    gc.disable()  # collected objects live until the end


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        mark(item)
    if rotation.takes_turns():
        leave_for_other_days(items)
    games, update, nightly = games_asked_for(config), config.getoption("update"), config.getoption("nightly")
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        unwanted = (
            (games and is_about_others(item.nodeid, games))
            or (update and GOLDEN not in getattr(item, "fixturenames", ()))
            or (not nightly and item.get_closest_marker(NIGHTLY) is not None)
            or is_left_by_quick(item, config)
        )
        (left_out if unwanted else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def mark(item: pytest.Item) -> None:
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in NEEDS:
            item.add_marker(NEEDS[fixture])
    if item.path.is_relative_to(TESTS / SERVICE):
        item.add_marker(SERVICE)
    given = getattr(item, "callspec", None)
    if given is not None and places.POSTGRES in given.params.values():
        item.add_marker(POSTGRES)
    if item.get_closest_marker(POSTGRES) is not None:
        item.add_marker(NIGHTLY)


def leave_for_other_days(items: list[pytest.Item]) -> None:
    """Mark as nightly the tests that `rotates(n)` leaves out today. Every nth test of a module runs, different ones
    each day."""
    counts: Counter[Path] = Counter()
    for item in items:
        rotates = item.get_closest_marker(ROTATES)
        if rotates is not None and item.get_closest_marker(SMOKE) is None:
            counts[item.path] += 1
            if (counts[item.path] + rotation.seed()) % rotates.args[0]:
                item.add_marker(NIGHTLY)


def is_about_others(name: str, games: list[str]) -> bool:
    """True if a test's name mentions games but none of these."""
    named = EVERY_GAME.intersection(re.split(r"[^a-z0-9]+", name.lower()))
    return bool(named) and named.isdisjoint(games)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the seed of this run and, for each missing requirement, the number of skipped tests and the remedy."""
    skipped = terminalreporter.stats.get("skipped", [])
    for need in (BROWSER, POSTGRES):
        if count := sum(need in report.keywords for report in skipped):
            terminalreporter.write_line(f"{count} tests that need {need} were skipped: {INSTALL[need]}")
    repeat = "every seed" if config.getoption("nightly") else f"seed {rotation.seed()} (repeat with --seed)"
    terminalreporter.write_line(f"{repeat}; left for {INSTALL[NIGHTLY]}: the tests marked {NIGHTLY}")


@pytest.fixture(autouse=True, scope="session")
def _one_process() -> Iterator[None]:
    """Run commands in one process by default, because each worker would load the rules again."""
    with pytest.MonkeyPatch.context() as patch:
        for command in ("compare", "corpus", "regress"):
            patch.setattr(import_module(f"cli.many.{command}"), "cores", lambda: 1)
        yield


@pytest.fixture(autouse=True, scope="session")
def _signals_heeded() -> None:
    """Restore the default signal handlers, so that child processes do not inherit ignored signals."""
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    with postgres.start_cluster() as up:
        yield up


@pytest.fixture(scope="session")
def _schemas(cluster: postgres.Cluster) -> places.Schemas:
    return places.Schemas(cluster)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    asked = metafunc.config.getoption("store") or ("both" if rotation.is_nightly() else places.SQLITE)
    if asked != places.SQLITE and "database" in metafunc.fixturenames:
        kinds = places.kinds_of(metafunc.module.__name__, metafunc.fixturenames)
        if len(kinds) > 1:
            wanted = [kind for kind in kinds if asked in (kind, "both")]
            metafunc.parametrize("database", wanted, indirect=True, scope="module")


@pytest.fixture(scope="module")
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Set the database in which `place` creates stores. `places.kinds_of` lists the tests that run on both."""
    if getattr(request, "param", places.SQLITE) == places.SQLITE:
        yield places.SQLITE
        return
    schemas = request.getfixturevalue("_schemas")
    with pytest.MonkeyPatch.context() as patch, places.on_postgres(schemas):
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield request.param


@pytest.fixture
def place(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[places.Place]:
    """Yield a function from a store name to its address: a new SQLite file, or an empty store in a database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with places.borrowed():
        yield lambda name="a.sqlite": places.place(tmp_path / name)


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    return tmp_path / "a.sqlite"


@pytest.fixture
def sqlite_memory() -> str:
    return places.MEMORY


@pytest.fixture
def where(database: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Address of a new store: an SQLite file that does not exist yet, or an empty database schema."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if database == places.SQLITE:
        return str(tmp_path / "a.shinpan")
    cluster: postgres.Cluster = request.getfixturevalue("cluster")
    return cluster.new()


@pytest.fixture
def same_as_file(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a function that compares a text with a file. With `--update` the function writes the file first."""

    def hold(path: Path, text: str) -> None:
        if request.config.getoption("update"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is old: make fixtures, or pytest --update"

    return hold
