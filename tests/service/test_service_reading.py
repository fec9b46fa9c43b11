"""Reading games and matches over the API: access, paging, entries and entity tags."""

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.actions import PASS
from domain.law.entries import opened_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.board import board, board_of
from projections.seen_entries import seen_entries
from projections.steps import steps, table_after
from recorder.match_loader import LoadedMatch, load_match
from service.access import ANONYMOUS, Role
from service.recording.offers import doables_of
from service.routes import API_ROUTES
from service.settings import Settings
from tests.service.commands import head
from tests.service.harness import SECOND_MS, Served, serve
from tests.shelves import SHELVES

ROOT = "/api/v1"
DISPUTED = f"{ROOT}/matches/disputed"
MOMENTS = ("", "/stack", "/why", "/known", "/whynot?do=p1: pass", "/offers")
DELAYED = Settings(store=":memory:", delay=5 * SECOND_MS)


def loaded(served: Served, match: str) -> LoadedMatch:
    found = load_match(served.context.store, match)
    assert isinstance(found, LoadedMatch)
    return found


def pages(served: Served, path: str, role: Any = "spectator") -> list[Any]:
    answers = []
    while path:
        answer = served.get(path, role)
        assert answer.status_code == 200, answer.text
        answers.append(answer.json())
        link = re.fullmatch(r'<(.+)>; rel="next"', answer.headers.get("link", ""))
        path = link[1] if link else ""
    return answers


def test_games_clauses_and_rulesets_are_public_and_tagged(served: Served) -> None:
    listed = served.get(f"{ROOT}/games").json()
    assert [row["game"] for row in listed] == list(GAMES)
    for row in listed:
        newest = served.get(f"{ROOT}/games/{row['game']}")
        assert newest.json()["version"] == row["versions"][-1]
        assert newest.headers["cache-control"] == "public, no-cache"
        clause = newest.json()["clauses"][0]
        one = served.get(f"{ROOT}/games/{row['game']}/clauses/{clause['clause']}?version={row['versions'][0]}")
        assert one.json()["en"] and one.json()["ja"]
        again = served.get(f"{ROOT}/games/{row['game']}", headers={"If-None-Match": newest.headers["etag"]})
        assert again.status_code == 304 and not again.content


def test_a_ruleset_is_found_by_the_hash_that_a_match_pins(served: Served) -> None:
    match = served.open("blackpoker")
    pinned = opened_of(loaded(served, match).entries)
    answer = served.get(f"{ROOT}/rulesets/{pinned.rules_hash}")
    assert answer.json()["rules"].items() >= pinned.rules.items()
    assert "immutable" in answer.headers["cache-control"]
    assert served.get(f"{ROOT}/rulesets/0123456789abcdef").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["games/chess", "games/chess/clauses/X-1", "games/dea?version=0", "games/dea?frame=none", "games/dea/clauses/BP-1"],
)
def test_what_no_game_has_is_unknown(served: Served, path: str) -> None:
    answer = served.get(f"{ROOT}/{path}")
    assert answer.status_code == 404 and answer.json()["ja"] != answer.json()["en"]


def test_matches_are_listed_page_by_page_as_they_came_into_the_store(served: Served) -> None:
    names = [served.open("blackpoker", match=f"m{number}") for number in range(5)]
    served.record_match("dea", "disputed", "d")
    told = pages(served, f"{ROOT}/matches?limit=2")
    assert [[row["match"] for row in page] for page in told] == [names[:2], names[2:4], [names[4], "d"]]
    assert [row["match"] for page in pages(served, f"{ROOT}/matches?limit=1&game=dea") for row in page] == ["d"]
    assert [row["match"] for page in pages(served, f"{ROOT}/matches?open=true") for row in page] == names
    assert [row["match"] for row in served.get(f"{ROOT}/matches?player=PLAYER p2").json()] == names
    assert served.get(f"{ROOT}/matches?player=nobody").json() == []


def test_a_page_begins_behind_a_match_that_may_be_seen_and_nowhere_else() -> None:
    with serve(DELAYED) as served:
        served.record_match("blackpoker", "normal", "seen")
        served.clock.at += 60 * SECOND_MS
        served.open("blackpoker", match="new")
        for after in ("none", "new", "%00", "'; --", "%F0%9F%82%A1", "m" * 199):
            answer = served.get(f"{ROOT}/matches?after={after}")
            assert answer.status_code == 400 and "after" in answer.json()["en"]
        assert served.get(f"{ROOT}/matches?after=seen").json() == []
        assert [row["match"] for row in served.get(f"{ROOT}/matches?after=seen", "floor").json()] == ["new"]


def test_whoever_may_see_nothing_of_a_match_is_not_told_that_it_is_there() -> None:
    with serve(DELAYED) as served:
        served.record_match("blackpoker", "normal", "done")
        served.clock.at += 60 * SECOND_MS
        served.open("blackpoker", match="new")
        late = [row["match"] for row in served.get(f"{ROOT}/matches").json()]
        assert late == ["done"] == [row["match"] for row in served.get(f"{ROOT}/matches", "designer").json()]
        missing, hidden = (served.get(f"{ROOT}/matches/{match}") for match in ("none", "new"))
        assert missing.status_code == hidden.status_code == 404
        assert missing.content.replace(b"none", b"new") == hidden.content
        served.clock.at += 6 * SECOND_MS
        assert [row["match"] for row in served.get(f"{ROOT}/matches").json()] == ["done", "new"]


def test_behind_the_delay_a_match_stands_as_it_stood_then() -> None:
    with serve(DELAYED) as served:
        served.record_match("blackpoker", "normal")
        whole = loaded(served, "normal").version
        for role, head in (("spectator", whole - 5), ("operator", whole - 5), ("floor", whole)):
            answer = served.get(f"{ROOT}/matches/normal", role)
            told = answer.json()
            assert told["head"] == told["stands"]["entries"] == head and answer.headers["etag"] == f'"{head}"'
            assert told["stands"]["closed"] is (role == "floor")
            assert served.get(f"{ROOT}/matches", role).json() == [told["stands"]]
            assert served.get(f"{ROOT}/matches/normal/at/{head}", role).status_code == 200
            assert served.get(f"{ROOT}/matches/normal/at/{head + 1}", role).status_code == 404
            assert served.get(f"{ROOT}/matches/normal/entries?limit=500", role).json()["entries"][-1]["number"] == head


def test_entries_are_what_the_viewer_saw_of_them_page_by_page(served: Served) -> None:
    served.record_match("blackpoker", "disputed")
    match = loaded(served, "disputed")
    told = [entry for page in pages(served, f"{DISPUTED}/entries?limit=20") for entry in page["entries"]]
    assert [entry["number"] for entry in told] == list(range(1, match.version + 1))
    assert told == jsoned(list(seen_entries(match, match.eyes(SPECTATOR))))
    one = served.get(f"{DISPUTED}/entries/9?as=p1", "floor").json()
    assert one == jsoned(list(seen_entries(match, match.eyes(Seat("p1")), 9, flow=True))[-1])
    assert served.get(f"{DISPUTED}/entries?after=9999").json()["entries"] == []


def jsoned(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("key", SHELVES)
def test_the_table_at_a_moment_is_the_board_of_the_viewer(served: Served, key: str) -> None:
    served.record_match(key, SHELVES[key].matches[-1], "m")
    match = loaded(served, "m")
    for viewer in (SPECTATOR, "p1", JUDGE):
        for number in (1, match.version // 2, match.version):
            told = served.get(f"{ROOT}/matches/m/at/{number}?as={viewer}", "floor").json()
            assert told["board"] == jsoned(board(match, match.eyes(Seat(viewer)), number))


@pytest.mark.parametrize("key", SHELVES)
def test_the_table_after_a_fact_is_the_board_between_two_entries(served: Served, key: str) -> None:
    served.record_match(key, SHELVES[key].matches[-1], "m")
    match = loaded(served, "m")
    number = max(range(2, match.version), key=lambda at: len(steps(match, match.eyes(), at)))
    last = len(steps(match, match.eyes(), number))
    tags: set[str] = set()
    for viewer in (SPECTATOR, "p1", JUDGE):
        eyes = match.eyes(Seat(viewer))
        for fact in range(1, last + 1):
            answer = served.get(f"{ROOT}/matches/m/at/{number}.{fact}?as={viewer}", "floor")
            assert answer.json()["board"] == jsoned(board_of(match, eyes, number, table_after(match, number, fact)))
            tags.add(answer.headers["etag"])
    assert last > 1 and len(tags) == 3 * last
    whole = served.get(f"{ROOT}/matches/m/at/{number}")
    assert served.get(f"{ROOT}/matches/m/at/{number}.{last}").json() == whole.json()
    assert whole.headers["etag"] not in tags
    for bad in (f"{number}.0", f"{number}.{last + 1}", f"{number}.", f".{number}", f"{number}.1.1", f"{number}.x"):
        for held in ({}, {"If-None-Match": "*"}):
            assert served.get(f"{ROOT}/matches/m/at/{bad}", headers=held).status_code == 404, bad
    assert served.get(f"{ROOT}/matches/m/at/{number}.1/stack").status_code == 404


@pytest.mark.parametrize("below", MOMENTS)
def test_a_moment_is_tagged_by_match_entry_viewer_language_and_drawing(served: Served, below: str) -> None:
    served.record_match("blackpoker", "disputed")
    path = f"{DISPUTED}/at/30{below}"
    mark = "&" if "?" in below else "?"
    first = served.get(path)
    assert first.status_code == 200, first.text
    assert re.fullmatch(r'"disputed\.30\.spectator\.en\.[0-9a-f]{12}"', first.headers["etag"])
    assert first.headers["cache-control"] == "private, no-cache"
    own = served.get(f"{path}{mark}as=p1", "floor")
    assert own.headers["cache-control"] == "no-store" and own.headers["etag"] != first.headers["etag"]
    for held in (first.headers["etag"], f'"x", W/{first.headers["etag"]}', "*"):
        again = served.get(path, headers={"If-None-Match": held})
        assert again.status_code == 304 and again.content == b"" and again.headers["etag"] == first.headers["etag"]
    assert served.get(path, headers={"If-None-Match": '"x"'}).content == first.content


def test_what_a_seat_may_do_is_told_to_it_alone_until_the_match_is_closed(served: Served) -> None:
    match = served.open("blackpoker", match="m")
    head = loaded(served, match).version
    path = f"{ROOT}/matches/m/at/{head}/offers"
    own = served.get(f"{path}?as=p1", "seat", "m", seat="p1")
    assert {row["actor"] for row in own.json()["allowed"]} <= {"p1", "chance"}
    for role in ("spectator", "seat", "scorekeeper", "floor", "head", "operator"):
        assert served.get(path, role).json()["type"] == "/problem/not-your-eyes"
    assert served.get(f"{path}?as=p2", "seat", "m", seat="p1").json()["type"] == "/problem/not-your-eyes"
    assert served.get(f"{path}?as=judge", "head").json()["type"] == "/problem/sealed"


def test_whynot_is_decided_on_the_table_of_whoever_asks(served: Served) -> None:
    served.record_match("blackpoker", "disputed", closed=False, upto=40)
    told = served.get(f"{DISPUTED}/at/30/whynot?do=p2: pass", "floor").json()
    assert told["answer"]["allowed"] is False and told["clauses"]
    nonsense = served.get(f"{DISPUTED}/at/30/whynot?do=p1: fly", "floor")
    assert nonsense.status_code == 400 and nonsense.json()["type"] == "/problem/unreadable"
    assert served.get(f"{DISPUTED}/at/30/whynot", "floor").status_code == 400


def test_a_thing_tells_all_that_happened_to_it_that_the_viewer_saw(served: Served) -> None:
    served.record_match("blackpoker", "disputed")
    told = served.get(f"{DISPUTED}/at/40/things/64", "floor").json()["answer"]
    entries = [happened["entry"] for happened in told["last"]]
    assert len(entries) >= 2 and entries == sorted(entries, reverse=True) and max(entries) <= 40
    for thing in ("99999", "0", "x", "-1", "1" * 30, "%EF%BC%95"):
        assert served.get(f"{DISPUTED}/at/40/things/{thing}").status_code == 404


def test_two_moments_are_told_apart_and_a_thing_found_by_its_name(served: Served) -> None:
    match = served.record_match("grimoire", SHELVES["grimoire"].matches[0], closed=False)
    path = f"{ROOT}/matches/{match}/at/12"
    changed = served.get(f"{path}/changes?from=3").json()
    assert (changed["from"], changed["to"], changed["differences"]["viewer"]) == (3, 12, "spectator")
    assert served.get(f"{path}/changes?from=12").json()["differences"]["moved"] == []
    learned = [served.get(f"{path}/learned?from={n}", "seat", match, seat="p1").json() for n in (3, 40)]
    assert [(told["from"], told["to"]) for told in learned] == [(3, 12), (12, 40)]
    touched = served.get(f"{path}/touched?thing=u1").json()
    assert touched["name"] == "u1" and touched["answer"]["thing"] == 1
    for asked in ("changes?from=9999", "learned?from=9999", "touched?thing=u9999", "touched?thing=p1:nothing"):
        assert served.get(f"{path}/{asked}").status_code == 404, asked
    for asked in ("changes", "learned?from=0", "touched?thing="):
        assert served.get(f"{path}/{asked}").status_code == 400, asked


def test_findings_are_for_judges_until_the_match_is_closed(served: Served) -> None:
    served.record_match("blackpoker", "disputed", "open", closed=False)
    served.record_match("blackpoker", "disputed", "done")
    stated = [(entry, kind, clause) for entry, kind, clause in SHELVES["blackpoker"].stated["disputed"].findings]
    for match, role, status in (
        ("open", "spectator", 403), ("open", "scorekeeper", 403), ("open", "designer", 403), ("open", "floor", 200),
        ("done", "spectator", 200), ("done", "seat", 200), ("done", "head", 200),
    ):  # fmt: skip
        answer = served.get(f"{ROOT}/matches/{match}/findings", role)
        assert answer.status_code == status, (match, role, answer.text)
        assert served.get(f"{ROOT}/matches/{match}/audit", role).status_code == (403 if match == "open" else 200)
        if status == 200:
            flags = [row for row in stated if match == "done" or row[1] == "not_allowed"]
            assert [(row["entry"], row["kind"], row["clause"]) for row in answer.json()] == flags
    clause = stated[0][2]
    some = served.get(f"{ROOT}/matches/done/findings?clause={clause}").json()
    assert {row["clause"] for row in some} == {clause} and len(some) == [row[2] for row in stated].count(clause)


def test_a_sealed_judge_is_told_no_finding_and_no_card_by_a_cost(served: Served) -> None:
    served.record_match("blackpoker", "disputed", "open", closed=False)
    for row in served.get(f"{ROOT}/matches/open/findings", "head").json():
        assert row["flagged"] and not {"broken", "missing", "extra", "detail"} & row.keys()
    assert served.get(f"{ROOT}/matches/open/audit", "head").json()["type"] == "/problem/sealed"
    cost = served.get(f"{ROOT}/matches/open/rewind/20", "head").json()
    assert cost["viewer"] == SPECTATOR and cost["undone"]
    assert all(not sight["faces"] or sight["who"] == SPECTATOR for sight in cost["learned"])
    assert served.get(f"{ROOT}/matches/open/rewind/20?as=judge", "head").json()["type"] == "/problem/sealed"
    assert served.get(f"{ROOT}/matches/open/rewind/20", "scorekeeper").status_code == 403


def test_the_cost_of_going_back_is_told_where_one_can_go_back(served: Served) -> None:
    served.record_match("blackpoker", "disputed", "open", closed=False)
    head = loaded(served, "open").version
    assert served.get(f"{ROOT}/matches/open/rewind/{head}", "floor").status_code == 404
    served.record_match("blackpoker", "disputed", "done")
    assert served.get(f"{ROOT}/matches/done/rewind/5", "floor").json()["type"] == "/problem/closed"


def test_a_list_is_tagged_by_what_it_says_to_whoever_asks() -> None:
    with serve(DELAYED) as served:
        served.record_match("blackpoker", "disputed", "done")
        served.clock.at += DELAYED.delay
        entries = [replace(entry, at=served.clock.at) for entry in SHELVES["blackpoker"].entries("normal")[:20]]
        served.context.store.append("open", 0, [replace(entry, at=0) for entry in entries[:10]])
        for path in ("matches", "find", "games/blackpoker/heat"):
            for role in ("spectator", "floor"):
                tag = served.get(f"{ROOT}/{path}", role).headers["etag"]
                same = served.get(f"{ROOT}/{path}", role, headers={"If-None-Match": tag})
                assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)

        def tags() -> list[str]:
            return [served.get(f"{ROOT}/matches", role).headers["etag"] for role in ("spectator", "floor")]

        before = tags()
        assert before[0] == before[1], "who sees the same is told the same"
        served.context.store.append("open", 10, entries[10:])
        early = tags()
        assert early[0] == before[0], "what is not due is not told by a tag"
        assert early[1] != before[1]
        served.clock.at += DELAYED.delay
        assert tags() == [early[1], early[1]]


@pytest.mark.parametrize("n", ["0", "-1", "1.0", "+1", "0x1", "1" * 400, "%EF%BC%91", "%20", "1%00", "999999999"])
def test_no_number_is_no_moment(served: Served, n: str) -> None:
    served.record_match("blackpoker", "normal")
    for path in ("at/{}", "entries/{}", "at/{}/why", "at/{}/things/1"):
        assert served.get(f"{ROOT}/matches/normal/" + path.format(n)).status_code == 404


@pytest.mark.parametrize("match", ["none", "%00", "a%27b", "%ED%A0%80", "%F0%9F%82%A1", "x" * 5000, "..", "%ff"])
def test_no_id_is_no_match(served: Served, match: str) -> None:
    served.record_match("blackpoker", "normal")
    for path in ("", "/entries", "/at/1", "/findings", "/export.spn"):
        assert served.get(f"{ROOT}/matches/{match}{path}").status_code in (404, 405)


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "limit=1e9", "limit=", "as=p1&as=p2", "nosuch=1"])
def test_a_page_that_is_none_is_refused(served: Served, query: str) -> None:
    served.record_match("blackpoker", "normal")
    for path in ("matches/normal/entries", "matches"):
        answer = served.get(f"{ROOT}/{path}?{query}")
        assert answer.status_code == 400 and answer.json()["type"] == "/problem/unreadable", (path, answer.text)


def test_eyes_that_nobody_has_are_unknown_and_those_of_others_refused_alike_at_every_moment(served: Served) -> None:
    served.record_match("blackpoker", "normal", closed=False)
    assert served.get(f"{ROOT}/matches/normal?as=ghost").status_code == 404
    told = {
        served.get(f"{ROOT}/matches/normal/at/{n}?as=p1").content.replace(f"/at/{n}".encode(), b"")
        for n in (1, 9, 99999)
    }
    assert len(told) == 1 and b"not-your-eyes" in told.pop()


def test_every_route_that_looks_at_a_match_is_refused_other_eyes(served: Served) -> None:
    looking = [route for route in API_ROUTES if "{match:str}" in route.path and route.method == "GET" and route.tagged]
    assert len(looking) >= 15
    served.record_match("blackpoker", "normal", closed=False)
    for route in looking:
        path = route.path.format_map(Filled()).replace(":str", "")
        more = {"whynot": "&do=p1: pass", "touched": "&thing=u1"}
        more |= dict.fromkeys(("changes", "learned"), "&from=1")
        query = "as=p1" + more.get(path.rpartition("/")[2], "")
        answer = served.get(f"{path}?{query}", "scorekeeper")
        assert answer.status_code == 403, (path, answer.text)


class Filled(dict[str, Any]):
    def __missing__(self, name: str) -> "Part":
        return Part("normal" if name == "match" else "5")


class Part(str):
    def __format__(self, spec: str) -> str:
        return str(self)


NEXT = "/api/v1/matches/m/next"


@pytest.mark.parametrize("game", [game for game in SHELVES if game != "stones"])
def test_who_records_is_told_what_a_spectator_could_know_of_it(served: Served, game: str) -> None:
    served.record_match(game, SHELVES[game].matches[0], "m", closed=False, upto=6)
    answer = served.get(NEXT, "scorekeeper")
    assert answer.status_code == 200, answer.text
    told = answer.json()
    view = served.context.look(ANONYMOUS, "m")
    assert told["viewer"] == SPECTATOR and told["head"] == head(served, "m") and told["awaited"]
    assert [doable["verb"] for doable in told["allowed"]] == [each.verb for each in doables_of(served.context, view)]
    assert served.get(NEXT, "scorekeeper", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_a_player_is_told_of_their_own_seat_with_their_own_eyes_alone(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=3)
    own = served.get(NEXT, "seat", "m", seat="p1").json()
    assert own["viewer"] == "p1" and {doable["actor"] for doable in own["allowed"]} == {"p1"}
    verbs = {doable["verb"]: doable["actions"] for doable in own["allowed"]}
    known = {doable["verb"]: doable["actions"] for doable in served.get(NEXT, "scorekeeper").json()["allowed"]}
    assert verbs["summon_soldier"] and not known["summon_soldier"] and PASS in verbs.keys() & known.keys()
    for asked in ("?as=p2", "?as=spectator", "?as=judge"):
        assert served.get(NEXT + asked, "seat", "m", seat="p1").status_code == 403, asked
    assert {doable["actor"] for doable in served.get(NEXT, "seat", "m", seat="p2").json()["allowed"]} <= {"p2"}


def test_who_does_not_record_is_told_nothing_and_of_a_closed_match_there_is_nothing(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=3)
    nobody: tuple[Role, ...] = ("spectator", "operator", "designer")
    for role in nobody:
        assert served.get(NEXT, role).status_code == 403
    assert served.get(NEXT, "scorekeeper", "other").status_code == 403
    assert served.get(NEXT + "?as=judge", "head").json()["type"] == "/problem/sealed"
    served.record_match("blackpoker", "normal", "closed", upto=3)
    told = served.get("/api/v1/matches/closed/next", "scorekeeper").json()
    assert told["closed"] and "allowed" not in told and "awaited" not in told
