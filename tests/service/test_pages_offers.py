"""Complete offers on the pages of players and recorders: long lists, and card orders entered one by one."""

import re
from html import unescape
from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.allowed import CHECKED_MAX, allowed
from domain.law.entries import Played
from domain.law.law import Law
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from recorder.matches import open_match
from service.context import MatchView
from service.recording import pages, player_page
from service.recording.offers import offers_of
from tests.laws.leak_checks import never_known
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.twins import FORM_ID, redeal_within
from tests.shelves import SHELVES

MANY = 7
"""The entry of a BlackPoker match after which p1 has many answers with one verb."""
MATCH, VERB = "sb", "lay_out_map"
P1 = Seat("p1")
SECRET = (1).to_bytes(16, "big")


def offered_lines(text: str) -> list[str]:
    return [unescape(line) for line in re.findall(r'name="take" value="([^"]*)"', text)]


@pytest.mark.parametrize(("path", "role"), [("/en/play/M", "seat"), ("/ja/record/M", "scorekeeper")])
def test_a_long_list_of_answers_is_whole(served: Served, path: str, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_page, "is_played_on_phones", lambda entries: True)
    served.context.store.append("M", 0, SHELVES["blackpoker"].entries("normal")[:MANY], secret=SECRET)
    match = served.context.match("M")
    viewer = P1 if role == "seat" else SPECTATOR
    doables = [each for each in allowed(match, match.eyes(viewer), MANY, CHECKED_MAX) if each.actor == P1]
    known = {line for each in doables for line in each.actions}
    headers = served.person("seat", "M", seat="p1") if role == "seat" else served.bearer("scorekeeper")
    text = served.client.get(path, headers=headers).text
    assert max(len(each.actions) for each in doables) > 24 or role != "seat"
    assert known <= set(offered_lines(text))
    if role == "seat":
        (twists,) = (each.actions for each in doables if each.verb == "twist")
        assert f"({len(twists)})" in text and len([*Page(text, path).all("details", class_="group")]) > 2


def lay(served: Served) -> None:
    game = GAMES["skillbook"]
    law = Law(game, version := next(iter(game.versions.values())))
    key = next(key for key, each in game.versions.items() if each is version)
    assert open_match(served.context.store, law, key, {}, None, SECRET, MATCH, phones=True) == MATCH


def look_as(view: MatchView, seat: Seat) -> MatchView:
    return replace(view, eyes=view.match.eyes(seat))


def follow(served: Served, address: str, role: str) -> str:
    headers = served.person("seat", MATCH, seat="p1") if role == "seat" else served.bearer("scorekeeper")
    answer = served.client.get(unescape(address), headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def links(text: str, *, last: bool = False) -> list[str]:
    """Return the next links of a page: add one card, or all that remain."""
    found = re.findall(r'href="([^"]*[?]order=[^"]*)"', text)
    return sorted(found, key=lambda url: unescape(url).count("pick="), reverse=last)


@pytest.mark.parametrize("role", ["seat", "scorekeeper"])
def test_an_order_of_many_cards_is_chosen_card_by_card(
    served: Served, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(served)
    if role == "scorekeeper":  # as if the cards were open
        monkeypatch.setattr(pages, "offers_of", lambda context, view, lang: offers_of(context, look_as(view, P1), lang))
    path = f"/en/{'play' if role == 'seat' else 'record'}/{MATCH}"
    text = follow(served, path, role)
    assert not any(VERB in line for line in offered_lines(text)), "one tap would lay out the whole map"
    (begin,) = set(links(text))
    text = follow(served, begin, role)
    (mountain,) = {link for link in links(text) if link.endswith("pick=mountain")}
    assert "×8" in text and "0 of 21 chosen" in text and "Choose the card that goes to a1:" in text
    text = follow(served, mountain, role)
    assert "1 of 21 chosen" in text and "×7" in text and not any(VERB in line for line in offered_lines(text))
    assert "<li>a1: " in text and "Choose the card that goes to b1:" in text
    text = follow(served, links(text, last=True)[0], role)
    head = served.context.store.version(MATCH)
    assert "21 of 21 chosen" in text and text.count("<li>g3: ") == 1 and "goes to" not in text
    if role == "scorekeeper":
        assert 'value="p1: lay_out_map mountain,start,' in text
        return
    (line,) = (line for line in offered_lines(text) if VERB in line)
    headers = served.person("seat", MATCH, seat="p1")
    form = {"id": uuid(1), "head": str(head), "take": line}
    assert served.client.post(path, data=form, headers=headers, follow_redirects=False).status_code == 303
    done = served.context.store.read(MATCH)[head]
    assert isinstance(done, Played) and done.actor == P1 and VERB.encode() in bytes(done.action)


def test_an_order_that_is_not_asked_now_is_passed_over(served: Served) -> None:
    lay(served)
    for asked in ("p2%3A+lay_out_map&pick=mountain", "p1%3A+dance", "p1%3A+lay_out_map&pick=u9999"):
        text = follow(served, f"/en/play/{MATCH}?order={asked}", "seat")
        assert "1 of 21" not in text and "21 of 21" not in text


def test_the_steps_of_an_order_are_alike_for_matches_that_differ_in_hidden_cards() -> None:
    with serve() as served:
        lay(served)
        ours = list(served.context.store.read(MATCH))
    sent = []
    for hidden_from, role in ((P1, "seat"), (SPECTATOR, "scorekeeper")):
        theirs = redeal_within(ours, set(never_known(ours, hidden_from)), Random(2))
        assert theirs != ours
        path = f"/en/{'play' if role == 'seat' else 'record'}/{MATCH}?order=p1%3A+{VERB}"
        for entries in (ours, theirs):
            with serve() as served:
                served.context.store.append(MATCH, 0, entries, secret=SECRET)
                texts = [follow(served, path, role)]
                texts += [follow(served, link, role) for link in links(texts[0])[:2]]
                sent.append([FORM_ID.sub(b"", text.encode()) for text in texts])
    assert sent[0] == sent[1] and sent[2] == sent[3] and len(sent[0]) > 1
