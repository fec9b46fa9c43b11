"""The page of a player: their hand, their actions, and nothing hidden from them."""

from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Entry, Opened, Played
from domain.law.law import Law
from domain.table.table import JUDGE, Seat
from domain.words import Lang
from projections.board import board_of
from recorder.matches import open_match
from recorder.remarks import open_calls
from recorder.store import Store
from service.access import Role
from service.context import AppContext, MatchView
from service.live.messages import Feed
from service.recording import player_page
from service.recording.offers import RecordingOffers, offers_of
from tests.laws.leak_checks import never_known
from tests.service.commands import send, uuid
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.twins import FORM_ID, redeal_within

P1, P2 = Seat("p1"), Seat("p2")
MATCH = "bp-phones"
PAGE = f"/en/play/{MATCH}"
VERSION, SECRET = "8.1-lite", (1).to_bytes(16, "big")
TURN = (
    ("p1", "choose_grave_top HA"),
    ("p2", "p2: choose_grave_top DA"),
    ("p2", "set_bulwark"),
    ("p1", "set_bulwark"),
    ("p1", "choose_bulwark_card D3"),
    ("p1", "pass"),
    ("p2", "pass"),
)
"""A turn on two phones. An unexpected seat is refused, and the card of a bulwark stays hidden."""
REFUSED = ("p2", "set_bulwark")


JUDGED: tuple[tuple[dict[str, Any], Role], ...] = (
    ({"kind": "pause", "reason": "look"}, "floor"),
    ({"kind": "penalise", "penalty": {"seat": "p1", "step": "caution"}}, "floor"),
    ({"kind": "dispute", "about": 2, "claims": {"p2": "not so"}}, "seat"),
    ({"kind": "ask-rewind", "to": 2, "reason": "a slip"}, "floor"),
)


def begin(served: Served, *, phones: bool = True, deal: bool = True) -> None:
    game = GAMES["blackpoker"]
    law = Law(game, game.versions[VERSION])
    names = {P1: "Aoi", P2: "Beni"}
    seed = SECRET if deal else None
    done = open_match(served.context.store, law, VERSION, names, None, seed, MATCH, deal=deal, phones=phones)
    assert done == MATCH


def see(served: Served, seat: str = "p1", path: str = PAGE) -> Any:
    return served.client.get(path, headers=served.person("seat", MATCH, seat=seat))


def do(served: Served, seat: str, number: int, **fields: str) -> Any:
    form = {"id": uuid(number), "head": str(served.context.store.version(MATCH)), **fields}
    headers = served.person("seat", MATCH, seat=seat)
    return served.client.post(PAGE, data=form, headers=headers, follow_redirects=False)


def played(served: Served) -> list[Played]:
    entries = served.context.store.read(MATCH)
    return [entry for entry in entries if isinstance(entry, Played) and entry.actor in (P1, P2)]


def test_a_whole_turn_is_played_on_two_phones(served: Served) -> None:
    begin(served)
    mine, theirs = see(served, "p1").text, see(served, "p2").text
    assert "It is your turn to act" in mine and "Aoi to act" in theirs and "your turn" not in theirs
    assert 'value="p1: choose_grave_top HA"' in mine and 'name="take" value="p1' not in theirs
    for number, (seat, line) in enumerate(TURN):
        answer = do(served, seat, number, line=line)
        assert answer.status_code == (422 if (seat, line) == REFUSED else 303), (line, answer.text)
    assert [entry.actor for entry in played(served)] == ["p1", "p2", "p1", "p1", "p1", "p2"]
    assert "あなたの番です" in see(served, "p1", PAGE.replace("/en/", "/ja/")).text


def test_what_breaks_a_rule_is_refused_with_its_clause_and_kept_in_the_field(served: Served) -> None:
    begin(served)
    before = served.context.store.version(MATCH)
    answer = do(served, "p1", 1, line="attack")
    page = Page(answer.text, PAGE)
    assert answer.status_code == 422 and served.context.store.version(MATCH) == before
    assert [field["value"] for field in page.all("input", name="line")] == ["attack"]
    assert 'class="clause"' in answer.text
    assert do(served, "p1", 2, line="p2: pass").status_code == 403
    assert do(served, "p1", 3, line="dance").status_code == 400
    assert do(served, "p1", 4, line="choose_grave_top HA", head="1").status_code == 412
    assert served.context.store.version(MATCH) == before


def test_what_ends_the_match_stands_apart_and_is_asked_for_once_more(served: Served) -> None:
    begin(served)
    for number, (seat, line) in enumerate(TURN[:2]):
        assert do(served, seat, 50 + number, line=line).status_code == 303
    shown = see(served, "p1").text
    offers, endings = shown.index('id="offers"'), shown.index('id="endings"')
    assert "p1: concede" not in shown[offers:endings] and 'value="p1: concede"' in shown[endings:]
    before = served.context.store.version(MATCH)
    asked = do(served, "p1", 1, take="p1: concede")
    assert asked.status_code == 200 and "This ends the match" in asked.text
    assert served.context.store.version(MATCH) == before
    assert do(served, "p1", 1, take="p1: concede", confirm="true").status_code == 303
    assert served.context.match(MATCH).table.result is not None
    page = see(served, "p1").text
    assert "your turn" not in page
    turn = page[page.index('id="turn"') :]
    assert "Beni won" in turn[: turn.index("</p>")]


def test_a_player_calls_a_judge(served: Served) -> None:
    begin(served)
    assert do(served, "p1", 1, do="call").status_code == 303
    page, theirs = see(served, "p1"), see(served, "p2").text
    assert "A judge has been called" in page.text and "A judge has been called" in theirs
    assert 'value="call"' not in page.text + theirs and 'value="answered"' not in theirs
    do(served, "p1", 2, do="call")
    assert [call.by for call in open_calls(served.context.store.read(MATCH))] == ["p1"]
    (entry,) = Page(page.text, PAGE).all("input", name="answered")
    assert do(served, "p1", 3, do="answered", answered=entry["value"]).status_code == 303
    assert open_calls(served.context.store.read(MATCH)) == () and 'value="call"' in see(served, "p1").text


def test_a_player_reads_what_judges_did_and_appeals_by_one_tap(served: Served) -> None:
    begin(served)
    assert do(served, "p1", 40, line="choose_grave_top HA").status_code == 303
    for number, (command, role) in enumerate(JUDGED[:3], start=50):
        seat = "p2" if role == "seat" else ""
        assert send(served, MATCH, command, role, seat=seat, id=number).status_code == 201
    dispute = served.context.store.version(MATCH)
    mine, theirs = see(served, "p1").text, see(served, "p2").text
    assert "Clock stopped" in mine and "You have a penalty" in mine and "You have a penalty" not in theirs
    rules = {"kind": "rule", "dispute": dispute, "verdict": "not_allowed", "reason": "it was seen", "to": 2}
    assert send(served, MATCH, rules, "head", id=60).status_code == 201
    for seat in ("p1", "p2"):
        page = Page(see(served, seat).text, PAGE)
        assert "it was seen" in page.text
        (appeal,) = (link for link in page.links if link.endswith("#appeal"))
        assert 'value="appeal"' in see(served, seat, appeal).text
    rewind = {"kind": "rewind", "to": 2, "reason": "a slip"}
    assert send(served, MATCH, rewind, "head", id=61).status_code == 201
    assert "a slip" in see(served, "p1").text and "あなたへのペナルティ" in see(served, "p1", f"/ja/play/{MATCH}").text


def test_a_player_reads_that_a_request_to_go_back_waits_without_its_reason(served: Served) -> None:
    begin(served)
    assert do(served, "p1", 40, line="choose_grave_top HA").status_code == 303
    asks = {"kind": "ask-rewind", "to": 2, "reason": "Beni saw a card"}
    assert send(served, MATCH, asks, "floor", id=50).status_code == 201
    waits = "floor judge floor has asked to go back to entry 2; the head judge decides."
    for seat in ("p1", "p2"):
        page = see(served, seat).text
        assert waits in page and "Beni saw a card" not in page
    assert "記録2への巻き戻しを申請しています" in see(served, "p1", f"/ja/play/{MATCH}").text
    assert do(served, "p2", 41, line="choose_grave_top DA").status_code == 303
    assert waits not in see(served).text, "the table has moved on: the request is void"


def test_a_player_may_ask_for_an_undo_and_comes_back_to_their_page(served: Served) -> None:
    begin(served)
    assert do(served, "p1", 40, line="choose_grave_top HA").status_code == 303
    page = Page(see(served, "p1").text, PAGE)
    undo = f"/en/record/{MATCH}/undo"
    assert undo in page.links
    assert PAGE in Page(see(served, "p1", undo).text, undo).links


@pytest.mark.parametrize(
    ("phones", "deal", "words"), [(False, True, "A scorekeeper records"), (False, False, "plays with real cards")]
)
def test_at_other_tables_the_page_only_shows(served: Served, phones: bool, deal: bool, words: str) -> None:
    begin(served, phones=phones, deal=deal)
    shown = see(served, "p2").text
    assert words in shown and 'name="take"' not in shown and 'name="line"' not in shown
    before = served.context.store.version(MATCH)
    assert do(served, "p2", 1, line="end").status_code == 403 and served.context.store.version(MATCH) == before


def test_nobody_else_has_the_page(served: Served) -> None:
    begin(served)
    for role in ("spectator", "scorekeeper", "head", "operator"):
        assert served.get(PAGE, role).status_code == 403, role
    other = served.client.get(PAGE, headers=served.bearer("seat", "other", seat="p1"))
    assert other.status_code == 403
    assert "My hand" in see(served, "p1", f"/en/m/{MATCH}").text
    assert "My hand" not in served.get(f"/en/m/{MATCH}", "head").text
    assert see(served, "p1", f"/en/record/{MATCH}").status_code == 403


def play_turn(entries: list[Entry]) -> tuple[list[tuple[int, bytes]], list[Entry]]:
    """Play a turn on two phones. Return all bytes sent to p1, and the record."""
    sent: list[tuple[int, bytes]] = []
    with serve() as served:
        served.context.store.append(MATCH, 0, entries, secret=SECRET)
        for number, (seat, line) in enumerate(TURN):
            answer = do(served, seat, number, line=line)
            seen = [see(served), see(served, path=PAGE.replace("/en/", "/ja/"))]
            seen += [answer] if seat == "p1" else []
            sent += [(each.status_code, FORM_ID.sub(b"", each.content)) for each in seen]
        asked = do(served, "p1", 9, take="p1: concede")
        sent.append((asked.status_code, FORM_ID.sub(b"", asked.content)))
        for number, (command, role) in enumerate(JUDGED, start=80):
            told = send(served, MATCH, command, role, seat="p2" if role == "seat" else "", id=number)
            assert told.status_code == 201
        sent.append((200, FORM_ID.sub(b"", see(served).content)))
        match = served.context.match(MATCH)
        sent += [(0, frame) for frame in Feed(P1, "en").frames(match, 1, match.version)]
        return sent, list(match.entries)


@cache
def twin_matches() -> tuple[list[Entry], list[Entry]]:
    """Return two matches that differ only in cards p1 never learns: the hand of p2 and the deck order."""
    game = GAMES["blackpoker"]
    with Store.open(":memory:") as store:
        law = Law(game, game.versions[VERSION])
        open_match(store, law, VERSION, {}, seed=SECRET, match_id=MATCH, phones=True)
        entries = list(store.read(MATCH))
    _, record = play_turn(entries)
    others = redeal_within(entries, set(never_known(record, P1)), Random(1))
    first, second = entries[0], others[0]
    assert isinstance(first, Opened) and isinstance(second, Opened) and first.told != second.told
    return entries, others


def test_a_player_is_sent_nothing_that_is_hidden_from_them() -> None:
    ours, theirs = (play_turn(entries)[0] for entries in twin_matches())
    assert {status for status, _ in ours} >= {0, 200} and ours == theirs


def offer_all(context: AppContext, view: MatchView, lang: Lang) -> RecordingOffers:
    """Offer a player every action, as a judge sees it."""
    offers = offers_of(context, replace(view, eyes=view.match.eyes(JUDGE)), lang)
    return replace(offers, verbs=tuple(replace(offered, seat=P1) for offered in offers.verbs))


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("offers_of", offer_all),
        ("board_of", lambda match, _, *at: board_of(match, match.eyes(JUDGE), *at)),
    ],
)
def test_a_player_page_that_redacts_nothing_is_found_out(
    name: str, instead: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = twin_matches()
    monkeypatch.setattr(player_page, name, instead)
    ours, theirs = (play_turn(entries)[0] for entries in both)
    assert ours != theirs
