"""The search index of a store: equal to a scan of the store after any write and any interruption."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from threading import Event, Thread

import msgspec
import pytest

from domain.games import GAMES
from domain.law.entries import Closed, Described, Entry
from domain.law.occasion import Occasion
from recorder import codec
from recorder.finding import index_queries, scanning
from recorder.finding.index_follower import SUFFIX, SearchIndex
from recorder.finding.rows import MatchQuery, Rows, SearchLimits, plain, statements
from recorder.store import Store
from recorder.store_location import on_server
from service.search.indexing import index_rows, law_digest
from tests.cli.forks import PATIENCE
from tests.rotation import is_nightly, rotate
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

ROOT = Path(__file__).parents[2]
ALL = SearchLimits(hidden=True)
PUBLIC = SearchLimits()
TIMES = (None, 50)


@cache
def records() -> dict[str, tuple[Entry, ...]]:
    some = {
        f"{shelf.key}-{name}": shelf.entries(name)
        for shelf in SHELVES.values()
        for name in shelf.matches
        if len(shelf.entries(name)) < 60
    }
    return {name: tuple(entry for entry in entries if not isinstance(entry, Closed)) for name, entries in some.items()}


def copied(number: int, name: str) -> str:
    return f"{name}-{number}"


def scan(store: Store) -> dict[str, Rows]:
    rows: dict[str, Rows] = {}
    for listed in store.matches():
        entries = store.read(listed.match)
        rows[listed.match] = index_rows(listed.match, entries if isinstance(entries[-1], Closed) else entries[:1])
    return rows


def read_rows(finder: SearchIndex) -> dict[str, tuple[object, ...]]:
    matches: dict[str, tuple[object, ...]] = {}
    asked = "SELECT number, match, game, names, event, at, closed, entries, last FROM found"
    for number, match, *head in finder.select(asked):
        assert match not in matches
        told = finder.select("SELECT clause, uses, seen FROM told WHERE number=? ORDER BY clause", (number,))
        hits = finder.select("SELECT entry, kind, clause, undone FROM hits WHERE number=? ORDER BY rowid", (number,))
        cards = finder.select("SELECT face, seen FROM cards WHERE number=? ORDER BY face", (number,))
        deeds = finder.select("SELECT entry, verb, seen, known FROM deeds WHERE number=? ORDER BY entry", (number,))
        matches[match] = (tuple(head), told, hits, cards, deeds)
    return matches


def expected(rows: Rows) -> tuple[object, ...]:
    names = msgspec.json.encode(rows.names).decode()
    return (
        (rows.game, names, rows.event, rows.at, rows.closed, rows.entries, rows.closed_event),
        [(told.clause, told.uses, told.seen) for told in rows.clauses],
        [(hit.entry, hit.kind, hit.clause, hit.undone) for hit in rows.hits],
        [(card.face, card.seen) for card in rows.cards],
        [(deed.entry, deed.verb, deed.seen, deed.known) for deed in rows.deeds],
    )


def fits(finder: SearchIndex, store: Store) -> None:
    assert read_rows(finder) == {match: expected(rows) for match, rows in scan(store).items()}


def finder_of(store: Store) -> SearchIndex:
    return SearchIndex(store, index_rows, law_digest())


def fill(store: Store, names: Sequence[str] = (), *, close: bool = True) -> None:
    for name in names or records():
        ends = (Closed(by="judge", at=5),) if close else ()
        store.append(name, 0, (*records()[name], *ends))


@pytest.mark.random
@pytest.mark.parametrize("seed", rotate(range(3), 1))
def test_the_index_equals_a_scan_after_random_writes_rewinds_and_imports(store: Store, seed: int) -> None:
    random = Random(seed)
    coming = {copied(number, name): list(records()[name]) for number in range(2) for name in records()}
    coming = {name: coming[name] for name in random.sample(sorted(coming), 14)}
    for name in coming:
        if random.random() < 0.2:
            coming[name].append(Described(by="x", occasion=Occasion(event="Cup")))
        if random.random() < 0.7:
            coming[name].append(Closed(by="judge", at=random.randrange(100)))
    finder = finder_of(store)
    while coming:
        name = random.choice(sorted(coming))
        rest, version = coming[name], store.version(name)
        if not version and random.random() < 0.3:
            assert store.append_bytes(name, [codec.encode(entry) for entry in rest]) == len(rest)
            del coming[name]
        else:
            n = random.choice((1, 1, 5, 20))
            assert store.append(name, version, rest[:n]) == version + len(rest[:n])
            coming[name] = rest[n:]
        coming = {name: rest for name, rest in coming.items() if rest}
        if random.random() < 0.2:
            finder.catch_up(random.choice((None, 1)))
        if random.random() < 0.1:
            finder.close()
            finder = finder_of(store)
    while not finder.catch_up(2):
        pass
    fits(finder, store)
    answers_equal_a_scan(finder, scan(store), random)
    finder.close()


def answers_equal_a_scan(finder: SearchIndex, rows: dict[str, Rows], random: Random) -> None:
    clauses = sorted({told.clause for row in rows.values() for told in row.clauses})
    faces = sorted({card.face for row in rows.values() for card in row.cards})
    kinds = sorted({hit.kind for row in rows.values() for hit in row.hits})
    verbs = sorted({deed.verb for row in rows.values() for deed in row.deeds})
    assert index_queries.verbs(finder) == set(verbs)
    for _ in range(60):
        wanted = MatchQuery(
            clause=random.choice(("", "", random.choice(clauses))),
            kind=random.choice(("", "", *kinds)),
            faces=random.choice((None, None, tuple(random.sample(faces, 2)))),
            game=random.choice(("", *GAMES)),
            event=random.choice(("", "", "cup")),
            fresh=random.random() < 0.3,
            verbs=random.choice(((), tuple(random.sample(verbs, 1)))),
        )
        limits = SearchLimits(opened=random.random() < 0.5, hidden=random.random() < 0.5, until=random.choice(TIMES))
        found = index_queries.find(finder, wanted, limits, limit=1000)
        assert {row.match for row in found} == {match for match, row in rows.items() if wanted_in(row, wanted, limits)}
        assert {match for match, row in rows.items() if scanning.find_in(match, row, wanted, limits)} == {
            row.match for row in found
        }
        opened = {match for match, row in rows.items() if row.closed < 0 and wanted_in(row, MatchQuery(), limits)}
        assert set(index_queries.list_candidates(finder, wanted, limits)) == opened | {row.match for row in found}
        pages: list[str] = []
        while page := index_queries.find(finder, wanted, limits, pages[-1] if pages else "", limit=3):
            pages += [row.match for row in page]
        assert pages == [row.match for row in found]


def wanted_in(row: Rows, wanted: MatchQuery, limits: SearchLimits) -> bool:
    """True if the query matches, computed without the index."""
    closed = row.closed >= 0 and (limits.until is None or row.closed <= limits.until)
    if not closed and not (limits.opened and (limits.until is None or row.at <= limits.until)):
        return False
    told = {one.clause for one in row.clauses if one.seen or limits.hidden} if closed else set()
    hits = [hit for hit in row.hits if wanted.clause in ("", hit.clause)] if closed else []
    kinds = [hit for hit in hits if hit.kind == wanted.kind]
    cards = {card.face for card in row.cards if card.seen or limits.hidden} if closed else set()
    if wanted.kind and not kinds:
        return False
    if wanted.clause and not wanted.kind and wanted.clause not in told and not hits:
        return False
    if wanted.faces is not None and not cards & set(wanted.faces):
        return False
    deeds = [deed for deed in row.deeds if wanted.verbs == () or deed.verb in wanted.verbs] if closed else []
    if wanted.fresh and not any(deed.known if limits.hidden else deed.seen for deed in deeds):
        return False
    event = row.closed_event if closed else row.event
    return wanted.game in ("", row.game) and plain(wanted.event) in plain(event)


def test_of_an_open_match_nothing_is_found_but_what_was_said_when_it_was_opened(store: Store) -> None:
    fill(store, close=False)
    finder = finder_of(store)
    assert finder.catch_up()
    assert len(index_queries.find(finder, MatchQuery(), ALL, limit=1000)) == len(records())
    for table in ("told", "hits", "cards", "deeds"):
        assert finder.select(f"SELECT COUNT(*) FROM {table}") == [(0,)]
    assert all(not row.closed and not row.entries for row in index_queries.find(finder, MatchQuery(), ALL, limit=1000))
    assert all(index_queries.count_clause_usage(finder, game, ALL) == () for game in GAMES)
    finder.close()


def test_heat_counts_what_was_told_and_found_in_closed_matches(store: Store) -> None:
    fill(store)
    finder = finder_of(store)
    assert finder.catch_up()
    rows = scan(store)
    for game in GAMES:
        mine = [row for row in rows.values() if row.game == game]
        told = sum(one.uses for row in mine for one in row.clauses)
        found = sum(not hit.undone for row in mine for hit in row.hits)
        heat = index_queries.count_clause_usage(finder, game, ALL)
        assert (sum(row.uses for row in heat), sum(row.findings for row in heat)) == (told, found)
    assert sum(row.findings for row in index_queries.count_clause_usage(finder, "blackpoker", PUBLIC)) > 0
    finder.close()


def test_a_card_that_was_never_shown_is_found_by_those_who_may_see_all(store: Store) -> None:
    fill(store)
    finder = finder_of(store)
    assert finder.catch_up()
    hidden = {(match, card.face) for match, row in scan(store).items() for card in row.cards if not card.seen}
    assert hidden
    for match, face in sorted(hidden)[:20]:
        wanted = MatchQuery(faces=(face,))
        assert match in {row.match for row in index_queries.find(finder, wanted, ALL, limit=1000)}
        assert match not in {row.match for row in index_queries.find(finder, wanted, PUBLIC, limit=1000)}
    finder.close()


def test_an_index_that_is_missing_damaged_foreign_or_old_is_made_anew(store: Store, tmp_path: Path) -> None:
    names = sorted(records())[:4]
    fill(store, names)
    path = Path(store.local_prefix + SUFFIX)

    def harmed() -> None:
        data = bytearray(path.read_bytes())
        data[100:3000] = b"x" * 2900
        path.write_bytes(data)

    def stale() -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE about SET value='other' WHERE key='law'")
            connection.execute("DELETE FROM found")

    def ahead() -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE tracking SET notification_id=10000")
            connection.execute("DELETE FROM found")

    for harm in (path.unlink, lambda: path.write_bytes(b"no database at all " * 99), harmed, stale, ahead):
        finder = finder_of(store)
        assert finder.catch_up()
        fits(finder, store)
        finder.close()
        harm()
    finder = finder_of(store)
    assert finder.catch_up()
    fits(finder, store)
    finder.close()
    assert path.stat().st_mode & 0o077 == 0


def test_a_match_that_cannot_be_read_keeps_no_other_from_being_found(store: Store) -> None:
    names = sorted(records())[:3]
    fill(store, names)
    with store.transaction() as c:
        c.execute("UPDATE stored_events SET state=? WHERE originator_id=?", (b"\0", names[1]))
    finder = finder_of(store)
    assert finder.catch_up()
    assert {row.match for row in index_queries.find(finder, MatchQuery(), ALL)} == {names[0], names[2]}
    finder.close()


def test_to_put_a_match_in_no_table_is_gone_through(store: Store) -> None:
    """A full scan would make each insertion slower than the one before."""
    with finder_of(store) as finder:
        for statement, values in statements(1, "m", Rows(game="g", version="v")):
            plan = finder.select(f"EXPLAIN QUERY PLAN {statement}", values)
            assert not [step for step in plan if step[-1].startswith("SCAN")], statement


def test_whoever_asks_waits_for_no_look_at_a_match(store: Store) -> None:
    fill(store)
    looked_at, go_on = Event(), Event()

    def look_slowly(match: str, entries: tuple[Entry, ...]) -> Rows:
        looked_at.set()
        assert go_on.wait(PATIENCE)
        return index_rows(match, entries)

    with SearchIndex(store, look_slowly, law_digest()) as finder:
        following = Thread(target=finder.catch_up, daemon=True)
        following.start()
        assert looked_at.wait(PATIENCE)
        assert index_queries.find(finder, MatchQuery(), PUBLIC) == ()
        assert not finder.catch_up(patience=0)
        go_on.set()
        following.join()
        fits(finder, store)


def test_who_follows_while_another_program_does_goes_on_behind_it(store: Store) -> None:
    fill(store)
    with SearchIndex(store, index_rows, law_digest()) as other:

        def look_behind(match: str, entries: tuple[Entry, ...]) -> Rows:
            other.catch_up(1)
            return index_rows(match, entries)

        with SearchIndex(store, look_behind, law_digest()) as finder:
            assert finder.catch_up()
            fits(finder, store)


FOLLOW = """
import sys
from recorder.finding.index_follower import SearchIndex
from recorder.store import Store
from service.search.indexing import index_rows, law_digest
finder = SearchIndex(Store.open(sys.argv[1]), index_rows, law_digest())
while not finder.catch_up(1):
    print("step", flush=True)
print("done", flush=True)
"""


@pytest.mark.process
def test_a_follower_that_is_killed_over_and_over_loses_and_doubles_nothing(store: Store) -> None:
    for number in range(3 if is_nightly() and not on_server(store.name) else 1):
        for name, entries in records().items():
            store.append(copied(number, name), 0, (*entries, Closed(by="judge", at=number)))
    random, kills = Random(1), 0
    while True:
        with subprocess.Popen(
            [sys.executable, "-c", FOLLOW, store.name],
            cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as follower:  # fmt: skip
            assert follower.stdout is not None
            lines = (follower.stdout.readline() for _ in range(random.randrange(1, 12)))
            if "done\n" in lines:
                break
            follower.send_signal(signal.SIGKILL)
            kills += 1
    assert kills
    finder = finder_of(store)
    assert finder.catch_up()
    fits(finder, store)
    finder.close()
