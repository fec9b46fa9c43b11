"""The `serve --demo` option: a tournament of all games with tables that continue during a visit."""

import re
import signal
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.judging.opinions import audit_entry
from domain.judging.readings import find_other_readings
from domain.law import disputes as D, entries as E
from domain.law.docket import docket_of
from domain.law.entries import Closed, last_described
from domain.table.table import JUDGE
from domain.words import say
from projections.contradictions import contradictions
from projections.rulings import rulings_in
from recorder.clock import pause, read_wall_clock
from recorder.dispute_matches import ruled_matches
from recorder.keyring import Keyring
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import close
from recorder.store import Store
from service import demo
from service.context import AppContext
from service.settings import Settings
from tests.rotation import rotate
from tests.service.processes import PATIENCE, ROOT, Server, server

README = ("README.md", "README.ja.md")


def loaded(store: Store, match: str) -> LoadedMatch:
    done = load_match(store, match)
    assert isinstance(done, LoadedMatch)
    return done


def test_the_tournament_has_every_game_in_rounds_and_at_tables_of_their_own() -> None:
    with Store.open(":memory:") as store:
        rounds = demo.fill(store, read_wall_clock())
        matches = [loaded(store, listed.match) for listed in store.matches()]
    assert {match.game.key for match in matches} == set(GAMES)
    occasions = [last_described(match.entries).occasion for match in matches]
    places = {(occasion.round, occasion.table) for occasion in occasions}
    assert len(places) == len(matches) and {round for round, _ in places} == {str(n + 1) for n in range(rounds)}
    assert all(occasion.event == demo.EVENT and occasion.date and occasion.start for occasion in occasions)
    assert any(isinstance(match.entries[-1], Closed) for match in matches)
    assert any(not isinstance(match.entries[-1], Closed) for match in matches)
    assert all(0 < entry.at <= read_wall_clock() for match in matches for entry in match.entries)


def test_without_recorded_matches_there_are_simulated_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo, "FIXTURES", tmp_path)
    monkeypatch.setattr(demo, "SIMULATED", 1)
    with Store.open(":memory:") as store:
        assert demo.fill(store, read_wall_clock()) == 1
        assert {listed.game for listed in store.matches()} == set(GAMES)


@pytest.mark.parametrize("recorded_there", rotate([True, False], 1))
def test_judges_find_disputes_settled_open_and_contradictory(
    recorded_there: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not recorded_there:
        monkeypatch.setattr(demo, "FIXTURES", tmp_path)
        monkeypatch.setattr(demo, "SIMULATED", 2)
    with Store.open(":memory:") as store:
        demo.fill(store, read_wall_clock())
        matches = [loaded(store, listed.match) for listed in store.matches()]
        (contradiction, *_) = contradictions(rulings_in(ruled_matches(store), JUDGE))
    disputes = [(match, dispute) for match in matches for dispute in docket_of(match.entries).disputes.values()]
    assert all(audit_entry(match, dispute.matter.entry) for match, dispute in disputes), "from a finding each"
    assert all(len({claim.seat for claim in dispute.claims}) == 2 for _, dispute in disputes)
    assert {dispute.standing for _, dispute in disputes} == {"open", "ruled", "closed"}
    assert all(not match.closed for match, dispute in disputes if dispute.standing == "open")
    assert len({given.match for given in contradiction.rulings}) == 2
    assert len({given.verdict == "no_fault" for given in contradiction.rulings}) == 2
    ((match, settled),) = [each for each in disputes if each[1].standing == "closed"]
    deeds = [type(entry) for entry in match.entries if isinstance(entry, D.Filed | E.Rewound)]
    assert deeds == [
        D.Paused, D.Disputed, D.Disputed, D.Ruled, E.Rewound, D.Appealed, D.Decided, E.Restored, D.Resumed,
    ]  # fmt: skip
    assert isinstance(settled.in_force, D.Decided) and settled.in_force.outcome == "overturned"
    assert docket_of(match.entries).extension == demo.EXTENSION
    readings = [reading for reading in find_other_readings(match, settled.matter.entry) if not reading.finding]
    assert not recorded_there or readings[0].option in settled.in_force.reason


def context(store: Store) -> AppContext:
    return AppContext(store, Keyring.open(":memory:"), Settings(store=":memory:"))


def test_somebody_plays_on_and_whoever_watches_is_woken() -> None:
    woken: list[str] = []
    served = context(Store.open(":memory:"))
    served.match_callbacks.append(woken.append)
    with demo.Players(served, 1, pace=0.0) as players:
        first = list(players.matches)
        while not all(match in woken for match in first) or players.matches == first:
            pause(0.01)
        assert len(players.matches) == demo.LIVE
    opened = [loaded(served.store, listed.match) for listed in served.store.matches()]
    ended = next(match for match in opened if match.closed)
    assert ended.table.result is not None
    tables = [last_described(match.entries).occasion.table for match in opened]
    assert set(tables) == {str(demo.FIRST_LIVE + n) for n in range(demo.LIVE)}
    served.close()


def test_a_table_whose_match_somebody_closed_gets_another() -> None:
    served = context(Store.open(":memory:"))
    with demo.Players(served, 1, pace=0.0) as players:
        first = players.matches[0]
        close(served.store, first, "judge", "taken away", abandon=True)
        while players.matches[0] == first:
            pause(0.01)
    served.close()


def blanked(text: str) -> list[str]:
    text = re.sub(r"#\S{43}", "#token", re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "then", text))
    return re.sub(r"/\S+/demo.sqlite", "demo.sqlite", re.sub(r":\d{4,5}/", ":port/", text)).splitlines()


@pytest.fixture(scope="module")
def served() -> Server:
    with server("--demo") as running:
        folder = Path(running.store).parent
        assert folder.is_dir()
        with Store.open(running.store, read_only=True) as store:
            live = [listed for listed in store.matches() if listed.game and not listed.closed][-demo.LIVE :]
            grown = {listed.match: listed.entries for listed in live}
            late = read_wall_clock() + PATIENCE * 1000
            while not any(store.version(match) > entries for match, entries in grown.items()):
                assert read_wall_clock() < late, "nobody plays on"
                pause(0.05)
        assert running.get("/api/v1/sessions", headers=running.sign_in("Head judge")).json()["role"] == "head"
        assert running.end(signal.SIGINT) == 130
        assert not folder.exists(), "it is gone afterwards"
    return running


@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.parametrize("page", README)
def test_the_readme_shows_what_it_says(page: str, served: Server) -> None:
    (shown,) = re.findall(r"```text\n\$ make serve\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
    assert blanked(shown) == blanked(served.text)
    assert say("serve.filling", "en") in served.text
