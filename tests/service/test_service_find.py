"""Search and heat over HTTP: queries, access, and no hidden data of open matches."""

from typing import Any

import pytest

from domain.games import GAMES
from domain.judging.audit import audit
from domain.law import disputes as D
from domain.law.entries import Closed, Entry, faces
from recorder.finding import index_queries
from recorder.finding.index_follower import SearchIndex
from recorder.finding.index_queries import HITS_MAX, count_clause_usage
from recorder.finding.rows import ClauseTally, SearchLimits
from recorder.store import Store
from service.search.indexing import index_rows
from service.search.queries import NEW_MAX
from service.settings import Settings
from tests.disputed import dispute
from tests.service.harness import START, Served, serve
from tests.shelves import SHELVES

FIND = "/api/v1/find"
SHELF = SHELVES["blackpoker"]
RECORD = tuple(entry for entry in SHELF.entries("as-played") if not isinstance(entry, Closed))
FINDING = audit(SHELF.game, RECORD).findings[0]


def add_match(store: Store, match: str, entries: tuple[Entry, ...] = RECORD, closed_at: int | None = START) -> None:
    ends = () if closed_at is None else (Closed(by="judge", at=closed_at),)
    store.append(match, 0, (*entries, *ends))


def search(served: Served, query: str, role: Any = "spectator") -> list[str]:
    served.context.search_index.catch_up()  # without the wait, a search may return an unfinished index
    answer = served.get(f"{FIND}?{query}", role)
    assert answer.status_code == 200, answer.text
    assert answer.json()["complete"] is True
    return [match["match"] for match in answer.json()["matches"]]


def test_a_closed_match_is_found_by_clause_verdict_game_player_and_card(served: Served) -> None:
    add_match(served.context.store, "done")
    opened = served.open("dea", match="open")
    asked = f"clause={FINDING.clause}&verdict={FINDING.kind}"
    row = served.get(f"{FIND}?{asked}").json()["matches"][0]
    hits = [(hit["entry"], hit["kind"], hit["clause"]) for hit in row["findings"]]
    assert (FINDING.entry, FINDING.kind, FINDING.clause) in hits
    assert row["entries"] == len(RECORD) + 1
    assert search(served, "") == [opened, "done"]
    assert search(served, "game=dea") == [opened]
    assert search(served, "player=PLAYER%20p1") == [opened]
    assert search(served, "verdict=unfair") == []
    assert search(served, "card=no%20such%20card") == []
    assert search(served, "since=2027-01-15&until=2027-01-15&game=dea") == [opened]
    assert search(served, "until=2027-01-14&game=dea") == []


def test_a_card_that_stayed_hidden_is_found_by_judges_only_unless_all_is_published() -> None:
    with serve() as served:
        add_match(served.context.store, "done")
        hidden = [face for face in sorted(faces(RECORD)) if not search(served, f"card={face}")]
        assert hidden
        for face in hidden:
            assert search(served, f"card={face}", "floor") == ["done"]
            assert search(served, f"card={face}", "scorekeeper") == []
    with serve(Settings(store=":memory:", published=True)) as served:
        add_match(served.context.store, "done")
        assert search(served, f"card={hidden[0]}") == ["done"]


def test_what_was_done_by_what_came_in_the_same_turn_is_found_by_its_verb(served: Served) -> None:
    add_match(served.context.store, "done")
    add_match(served.context.store, "open", closed_at=None)
    rows = index_rows("done", (*RECORD, Closed(by="judge", at=START)))
    assert {deed.seen for deed in rows.deeds} == {True, False}, "some of it only judges see"
    for role, deeds in (
        ("spectator", [(deed.entry, deed.verb) for deed in rows.deeds if deed.seen]),
        ("floor", [(deed.entry, deed.verb) for deed in rows.deeds if deed.known]),
    ):
        for fresh in ("any", *sorted({deed.verb for deed in rows.deeds})):
            matches = served.get(f"{FIND}?fresh={fresh}&limit=500", role).json()["matches"]
            wanted = [deed for deed in deeds if fresh in ("any", deed[1])][:HITS_MAX]
            assert [match["match"] for match in matches] == ["done"] * bool(wanted), (role, fresh)
            assert [(deed["entry"], deed["verb"]) for match in matches for deed in match["deeds"]] == wanted
    assert search(served, "fresh=concede") == []


def test_an_open_match_is_found_by_nothing_that_was_told_or_found_in_it(served: Served) -> None:
    add_match(served.context.store, "open", closed_at=None)
    cards = [f"card={face}" for face in faces(RECORD)]
    for query in (f"clause={FINDING.clause}", f"verdict={FINDING.kind}", "fresh=any", *cards):
        for role in ("spectator", "head", "operator"):
            assert search(served, query, role) == []
    assert search(served, "") == ["open"]
    assert search(served, "", "designer") == []
    heat = served.get(f"/api/v1/games/{SHELF.key}/heat", "head").json()
    assert {row["clause"] for row in heat["clauses"]} == set(SHELF.game.rulebook.clauses)
    assert all("uses" not in row and "findings" not in row for row in heat["clauses"])


def test_whoever_sees_with_a_delay_finds_a_match_closed_when_its_end_is_due() -> None:
    with serve(Settings(store=":memory:", delay=60_000)) as served:
        match = served.open(SHELF.key, match="live")
        add_match(served.context.store, "done", closed_at=START)
        query = f"clause={FINDING.clause}"
        assert search(served, query) == [] and search(served, query, "floor") == ["done"]
        assert search(served, "player=player") == [] and search(served, "player=player", "floor") == [match]
        assert search(served, f"after={match}") == []
        served.clock.at += 60_000
        assert search(served, query) == ["done"]
        assert search(served, "player=player") == [match]


def test_pages_lead_on_to_one_another(served: Served) -> None:
    for number in range(5):
        add_match(served.context.store, f"m{number}")
    served.context.search_index.catch_up()
    seen: list[str] = []
    path = f"{FIND}?limit=2&game={SHELF.key}"
    while path:
        answer = served.get(path)
        seen += [match["match"] for match in answer.json()["matches"]]
        link = answer.headers.get("link", "")
        path = link[1 : link.index(">")] if link else ""
    assert seen == ["m4", "m3", "m2", "m1", "m0"]


def test_while_the_index_is_made_an_answer_says_how_much_of_the_store_it_holds(served: Served) -> None:
    served.context.index_follower.stop()  # without the wait, indexing may finish before the request
    for number in range(2 * NEW_MAX):
        add_match(served.context.store, f"m{number}")
    first = served.get(FIND).json()
    assert first["complete"] is False and 0 < first["share"] < 1
    page = served.get("/en/find").text
    assert f"{int(served.context.search_index.get_indexed_fraction() * 100)}% of the records" in page
    served.context.search_index.catch_up()
    last = served.get(FIND).json()
    assert (
        last["complete"] is True and last.get("share", 1) == 1 and "% of the records" not in served.get("/en/find").text
    )


def test_heat_is_what_was_told_and_found_in_closed_matches(served: Served) -> None:
    add_match(served.context.store, "one")
    add_match(served.context.store, "two")
    heat = served.get(f"/api/v1/games/{SHELF.key}/heat").json()
    rows = {row["clause"]: row for row in heat["clauses"]}
    assert rows[FINDING.clause]["findings"] == 2
    assert list(rows) == list(GAMES[SHELF.key].rulebook.clauses)
    assert served.get("/api/v1/games/nosuch/heat").status_code == 404


def test_heat_counts_hidden_uses_of_a_clause_for_judges_alone() -> None:
    with serve() as served:
        served.record_match("skillbook", "normal")
        served.context.search_index.catch_up()
        uses = {}
        for role in ("spectator", "floor"):
            rows = served.get("/api/v1/games/skillbook/heat", role).json()["clauses"]
            uses[role] = {row["clause"]: row.get("uses", 0) for row in rows}["SB-10.5"]
        assert 0 < uses["spectator"] < uses["floor"]


def test_heat_is_counted_once_for_those_who_see_alike_until_more_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[SearchLimits] = []

    def count(finder: SearchIndex, game: str, limits: SearchLimits) -> tuple[ClauseTally, ...]:
        counted.append(limits)
        return count_clause_usage(finder, game, limits)

    monkeypatch.setattr(index_queries, "count_clause_usage", count)
    with serve() as served:
        for n in (1, 2):
            add_match(served.context.store, f"m{n}")
            served.context.search_index.catch_up()
            for role in ("spectator", "floor", "spectator", "head"):
                rows = served.get(f"/api/v1/games/{SHELF.key}/heat", role).json()["clauses"]
                assert {row["clause"]: row.get("findings", 0) for row in rows}[FINDING.clause] == n
            assert len(counted) == 2 * n, "for spectators and for judges"


def test_what_cannot_be_looked_for_is_said(served: Served) -> None:
    for query, word in (
        ("limit=0", "limit"), ("limit=501", "limit"), ("verdict=wrong", "verdict"), ("since=tomorrow", "since"),
        ("game=nosuch", "nosuch"), ("nothing=1", "nothing"), ("fresh=dance", "dance"),
    ):  # fmt: skip
        answer = served.get(f"{FIND}?{query}")
        assert answer.status_code == 400 and word in answer.json()["en"], answer.text


def test_a_ruling_and_the_end_of_an_appeal_are_found_in_closed_matches(served: Served) -> None:
    """The matches differ only in the decision of their dispute, and one is open."""
    overturned = D.Decided(by="abe", dispute=len(RECORD) + 1, outcome="overturned", reason="x", verdict="no_fault")
    for match, verdict in (("wrong", "wrong_outcome"), ("none", "no_fault"), ("open", "no_fault")):
        entries = dispute(RECORD, FINDING.entry, verdict=verdict)[0]  # type: ignore[arg-type]
        add_match(served.context.store, match, entries, None if match == "open" else START)
    add_match(served.context.store, "other", (*dispute(RECORD, FINDING.entry)[0][:-1], overturned))
    ruled, ended = len(RECORD) + 3, len(RECORD) + 6
    assert search(served, "ruling=wrong_outcome") == ["other", "wrong"]
    assert search(served, "ruling=no_fault") == ["other", "none"]
    assert search(served, "outcome=upheld") == ["none", "wrong"] and search(served, "ruling=unclear") == []
    assert search(served, "ruling=no_fault&outcome=overturned") == ["other"]
    assert search(served, "ruling=no_fault&outcome=upheld") == [], "of one entry"
    rows = served.get(f"{FIND}?ruling=no_fault").json()["matches"]
    assert rows[0]["rulings"] == [{"entry": ended, "verdict": "no_fault", "outcome": "overturned"}]
    assert rows[1]["rulings"] == [{"entry": ruled, "verdict": "no_fault"}]
    assert served.get(f"{FIND}?ruling=gone").status_code == 400
    page = served.get("/en/find?ruling=no_fault&outcome=").text
    assert f'<a href="/en/m/none/{ruled}">◆ #{ruled} no infraction</a>' in page
    assert '<option value="no_fault" selected>' in page and 'href="/en/m/open' not in page
    assert "裁定を変更" in served.get("/ja/find?outcome=overturned").text
