"""The recorder pages without scripts: lines by form, and matches opened and closed."""

import re
from typing import Any

import pytest

from domain.games import GAMES
from domain.law.entries import Closed, Noted, Played, opened_of
from domain.law.law import Law
from domain.table.table import Seat
from domain.words import LANGS, Text
from recorder.matches import note, open_match
from recorder.remarks import kind_of, open_calls, write_remark
from service.access import Role
from tests.service.commands import send, uuid
from tests.service.harness import Served
from tests.service.page_parser import Page

MATCH = "t0"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def post(served: Served, path: str, fields: dict[str, Any], role: Role = "scorekeeper", *matches: str) -> Any:
    headers = served.bearer(role, *matches, name="Kato")
    return served.client.post(path, data=fields, headers=headers, follow_redirects=False)


def typed(served: Served, line: str = "", head: int = 3, id: int = 1, lang: str = "en", **more: Any) -> Any:
    role, matches = more.pop("role", "scorekeeper"), more.pop("matches", ())
    fields = {"id": uuid(id), "head": str(head), "line": line, **more}
    return post(served, f"/{lang}/record/{MATCH}", fields, role, *matches)


def hidden(text: str, name: str) -> str:
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', text)
    assert found is not None, name
    return found[1]


def offers(text: str) -> list[str]:
    part = text.split('id="offers"')[1].split("</ol>")[0]
    return re.findall(r'name="take" value="([^"]*)"', part)


def test_a_line_is_typed_the_page_answers_and_goes_on(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    page = served.get(f"/en/record/{MATCH}", "scorekeeper").text
    assert hidden(page, "head") == "3" and offers(page)[0] == "p1: pass" and len(offers(page)) == 3
    head = 3
    for _ in range(3):
        taken = offers(page)[0]
        answer = typed(served, take=taken, head=int(hidden(page, "head")), id=100 + head)
        page = answer.text
        assert answer.status_code == 200
        head = served.context.match(MATCH).version
        assert hidden(page, "head") == str(head) and f'data-head="{head}"' in page
    assert (
        sum(isinstance(entry, Played) and entry.actor != "chance" for entry in served.context.match(MATCH).entries) == 3
    )


def test_the_last_entries_are_of_the_game_and_not_of_seats(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    assert typed(served, "pass", id=7).status_code == 200
    for seat in ("p1", "p2") * 7:
        note(
            served.context.store,
            MATCH,
            "kato",
            write_remark("seat", Text("remark.seat", {"name": "Aoi", "seat": seat})),
        )
    for lang, words in (("en", "invites"), ("ja", "招待")):
        page = Page(served.get(f"/{lang}/record/{MATCH}", "scorekeeper").text, "")
        rows = page.text.split('id="rows"')[1].split("</ol>")[0]
        assert words not in rows and f"/{lang}/m/{MATCH}/4" in rows and f"/{lang}/m/{MATCH}/1" in rows


def test_at_a_table_with_phones_the_recorder_is_asked_for_nothing_hidden(served: Served) -> None:
    game = GAMES["skillbook"]
    version = next(reversed(game.versions))
    law = Law(game, game.versions[version])
    names = dict(zip(law.seats(), ("Aoi", "Beni"), strict=False))
    assert open_match(served.context.store, law, version, names, None, bytes(16), MATCH, phones=True) == MATCH
    for lang, words in (("en", "to choose on their own phone"), ("ja", "自分の端末で選ぶのを待っています")):
        text = served.get(f"/{lang}/record/{MATCH}", "scorekeeper").text
        question = text.split('id="question"')[1].split("</section>")[0]
        assert words in question and "Aoi" in question
        assert "data-answer" not in text and "?order=" not in text


def test_the_key_for_an_unseen_card_has_a_name(served: Served) -> None:
    game = GAMES["blackpoker"]
    version = next(reversed(game.versions))
    law = Law(game, game.versions[version])
    assert open_match(served.context.store, law, version, {}, None, None, MATCH, deal=False) == MATCH
    for lang, name in (
        ("en", "Insert ? for an unseen card"),
        ("ja", "誰も見ていないカードとして ? を入力する"),
    ):
        page = Page(served.get(f"/{lang}/record/{MATCH}", "scorekeeper").text, "")
        (key,) = page.all("button", **{"data-put": "? "})
        assert (key["title"], key["aria-label"]) == (name, name)


def test_an_id_is_new_on_each_page_and_a_line_sent_twice_is_recorded_once(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    ids = {hidden(served.get(f"/en/record/{MATCH}", "head").text, "id") for _ in range(3)}
    assert len(ids) == 3
    assert typed(served, "pass", id=7).status_code == typed(served, "pass", id=7).status_code == 200
    assert served.context.match(MATCH).version == 4
    typed(served, "pass", head=4, id=8)
    assert hidden(typed(served, "pass", id=7).text, "head") == "4", "the next line follows what was seen then"


@pytest.mark.parametrize(("lang", "said"), [("en", "Kept as a note"), ("ja", "メモとして残しました")])
def test_what_cannot_be_read_becomes_a_note_with_a_flag(served: Served, lang: str, said: str) -> None:
    served.open("blackpoker", match=MATCH)
    asked = typed(served, "something <b>else</b> happened", lang=lang)
    assert asked.status_code == 400 and hidden(asked.text, "head") == "3"
    assert asked.text.count("something &lt;b&gt;else&lt;/b&gt; happened") == 3, "in the field, and to be noted"
    assert served.context.match(MATCH).version == 3, "nothing is recorded before the answer"
    page = typed(served, "something <b>else</b> happened", lang=lang, do="note")
    assert page.status_code == 200 and said in page.text
    assert "something &lt;b&gt;else&lt;/b&gt; happened" in page.text and "⚑" in page.text
    noted = served.context.match(MATCH).entries[-1]
    assert isinstance(noted, Noted) and kind_of(noted.text) == "unread"
    others = served.client.get(f"/{lang}/record/{MATCH}", headers=served.bearer("head", name="Abe")).text
    assert "something" not in others and "⚑" in others, "a note is for who wrote it and for judges who may look"


def test_what_breaks_a_rule_is_flagged_with_its_clause(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    page = typed(served, "p2 pass").text
    assert "⚑ BP-4.2" in page and re.search(r'href="/en/rules/blackpoker@[^/]+/BP-4.2"', page)


def test_a_judge_is_called_on_any_head_and_the_next_line_follows_what_was_seen(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    typed(served, "pass", id=1)
    called = typed(served, "two hands", head=3, do="call", id=2)
    assert called.status_code == 200 and len(open_calls(served.context.match(MATCH).entries)) == 1
    assert hidden(called.text, "head") == "3"
    assert typed(served, "pass", head=3, id=3).status_code == 412


@pytest.mark.parametrize(("line", "stands"), [("p2 pass", "is still legal"), ("p1 pass", "breaks a rule")])
def test_a_second_recorder_is_shown_what_the_first_entered_and_may_append(
    served: Served, line: str, stands: str
) -> None:
    served.open("blackpoker", match=MATCH)
    assert typed(served, "pass", id=1).status_code == 200
    page = typed(served, line, id=2, role="floor")
    assert page.status_code == 412 and stands in page.text and served.context.match(MATCH).version == 4
    theirs = page.text.split('id="conflict"')[1].split("</section>")[0]
    assert "/m/t0/4" in theirs and "/m/t0/3" not in theirs and line in theirs
    assert (hidden(page.text, "id"), hidden(page.text, "head"), hidden(page.text, "line")) == (uuid(2), "4", line)
    again = typed(served, line, head=4, id=2, role="floor")
    assert again.status_code == 200 and served.context.match(MATCH).version >= 5
    version = served.context.match(MATCH).version
    for _ in range(20):
        assert typed(served, line, head=4, id=2, role="floor").status_code == 200
    assert served.context.match(MATCH).version == version


def test_another_table_is_out_of_scope(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    served.open("blackpoker", match="t1")
    assert served.get(f"/en/record/{MATCH}", "scorekeeper", "t1").status_code == 403
    assert typed(served, "pass", matches=("t1",)).status_code == 403
    listed = served.get("/en/record", "scorekeeper", "t1").text
    assert "/en/record/t1" in listed and "/en/record/t0" not in listed
    both = served.get("/en/record", "head").text
    assert "/en/record/t1" in both and "/en/record/t0" in both


def test_a_recorder_sees_no_more_than_a_spectator(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    page = served.get(f"/en/record/{MATCH}", "head").text
    mine = {str(face) for face in ("H4", "DQ")}
    lying = re.findall(r'data-f="([^"]*)"|data-face="([^"]*)"', page)
    assert not mine & {face for pair in lying for face in pair}
    assert not any(face in " ".join(offers(page)) for face in mine)


def test_a_form_that_is_none_is_refused(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    assert typed(served, "pass", head="x").status_code == 400  # type: ignore[arg-type]
    assert typed(served, "x" * 501).status_code == 400
    assert typed(served, "", id=4).status_code == 200 and served.context.match(MATCH).version == 3
    body = {"id": "no id", "head": "3", "line": "pass"}
    assert post(served, f"/en/record/{MATCH}", body).status_code == 400


def test_a_match_is_opened_by_a_form_and_recorded(served: Served) -> None:
    page = served.get("/ja/record", "scorekeeper").text
    assert "新しい対戦" in page and "blackpoker@8.1-lite/full54" in page
    fields = {
        "id": hidden(page, "id"), "edition": "blackpoker@8.1-lite", "p1": " Aoi ", "p2": "蓮", "event": "杯",
        "table": "17", "cards": "dealt",
    }  # fmt: skip
    answer = post(served, "/ja/record", fields)
    assert answer.status_code == 303, answer.text
    where = answer.headers["location"]
    match = where.rpartition("/")[2]
    assert where == f"/ja/record/{match}"
    opened = opened_of(served.context.match(match).entries)
    assert opened.names == {"p1": "Aoi", "p2": "蓮"} and opened.occasion.table == "17"
    assert "卓17" in served.get(where, "scorekeeper").text
    assert post(served, "/ja/record", fields).headers["location"] == where, "sent twice, opened once"
    assert len(served.context.store.matches()) == 1


def test_what_is_wrong_with_a_new_match_is_said_and_what_was_typed_is_kept(served: Served) -> None:
    for edition, extra, said in (
        ("chess@1", {}, "chess"),
        ("blackpoker@77", {}, "77"),
        ("blackpoker@8.1-lite", {"p3": "Cho"}, "p3"),
        ("grimoire@1", {"d1": "none"}, "none"),
    ):
        answer = post(served, "/en/record", {"id": uuid(1), "edition": edition, "p1": "A<b>", **extra})
        assert answer.status_code in (400, 422), (edition, answer.status_code)
        assert said in answer.text and 'value="A&lt;b&gt;"' in answer.text
        assert not served.context.store.matches()


def test_a_match_is_closed_with_a_reason(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    path, fields = f"/en/record/{MATCH}/close", {"id": uuid(1), "head": "3", "reason": "time"}
    early = post(served, path, fields)
    assert early.status_code in (400, 409, 422) and 'value="time"' in early.text
    assert post(served, path, fields | {"head": "2", "abandon": "true"}).status_code == 412
    asked = post(served, path, fields | {"abandon": "true"})
    assert asked.status_code == 200 and "ends the match without a result" in asked.text
    assert served.context.match(MATCH).version == 3 and hidden(asked.text, "confirm") == "true"
    assert served.get(path, "head").headers["location"] == f"/en/record/{MATCH}", "the confirmation was loaded again"
    answer = post(served, path, fields | {"abandon": "true", "confirm": "true", "id": uuid(2)})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/en/m/{MATCH}")
    assert isinstance(served.context.match(MATCH).entries[-1], Closed)
    late = typed(served, "pass", head=4, id=9)
    assert late.status_code == 409 and "data-closed" in late.text and 'id="entry"' not in late.text
    assert "data-closed" in served.get(f"/en/record/{MATCH}", "head").text
    assert MATCH not in served.get("/en/record", "head").text


def test_the_form_for_a_match_lists_what_fits_its_game_and_nothing_else(served: Served) -> None:
    for key, game in GAMES.items():
        text = served.get(f"/en/record?game={key}", "head").text
        page = Page(text, "/en/record")
        editions = [known["value"] for known in page.all("option") if "@" in known["value"]]
        assert {edition.partition("@")[0] for edition in editions} == {key}
        assert editions[0] == f"{key}@{[*game.versions][-1]}"
        decks = {known["value"] for known in page.all("option") if known["value"] and "@" not in known["value"]}
        assert decks == set(game.named_decks())
        seats = {len(Law(game, rules).seats()) for rules in game.versions.values()}
        assert sum(known["name"] in ("p1", "p2", "p3", "p4") for known in page.all("input")) == max(seats)
    assert served.get("/en/record?game=chess", "head").status_code == 400
    served.open("grimoire")
    assert 'value="grimoire@' in served.get("/en/record", "head").text


OPENED = {"names": {"p1": "Aoi", "p2": "Ren"}}
GAMES_PLAYED = ("blackpoker", "grimoire", "dea", "skillbook")


def part(text: str, name: str, tag: str) -> str:
    return text.split(f'id="{name}"')[1].split(f"</{tag}>")[0]


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_what_ends_a_match_stands_apart_and_is_asked_for_once_more(served: Served, game: str) -> None:
    served.open(game, match=MATCH)
    page, head = served.get(f"/en/record/{MATCH}", "head").text, served.context.match(MATCH).version
    for each in ("offers", "keys", "all"):
        assert "concede" not in part(page, each, {"offers": "ol", "keys": "div", "all": "details"}[each])
    offered = re.findall(r'value="(p\d): concede"', part(page, "endings", "details"))
    assert sorted(offered) == sorted(served.context.match(MATCH).table.seats), "a player may concede at any time"
    seat = offered[-1]
    line = f"{seat}: concede"
    for given in ({"line": line}, {"take": line}, {"line": line, "asks": "true"}):
        asked = typed(served, head=head, id=5, **given)
        assert asked.status_code == 200 and f"This ends the match: Player {seat}" in asked.text
        assert served.context.match(MATCH).version == head and hidden(asked.text, "line") == line
    assert typed(served, line, head=head, id=5, do="end").status_code == 200
    assert served.context.match(MATCH).table.result is not None


@pytest.mark.parametrize("asks", ["true", "false"])
@pytest.mark.parametrize("sign_in", ["once", "anew"])
def test_a_line_sent_again_is_known_whatever_waits_after_it(served: Served, asks: str, sign_in: str) -> None:
    served.open("blackpoker", match=MATCH)
    fields = {"id": uuid(7), "head": "3", "take": "p1: pass"}
    versions = set()
    for each in (asks, "true", "false"):
        headers = (served.person if sign_in == "once" else served.bearer)("scorekeeper", name="Kato")
        answer = served.client.post(f"/en/record/{MATCH}", data={**fields, "asks": each}, headers=headers)
        assert answer.status_code == 200, answer.text
        versions.add(served.context.match(MATCH).version)
    assert len(versions) == 1


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_the_question_comes_first_and_names_the_player(served: Served, game: str) -> None:
    served.open(game, match=MATCH)
    wanted = {
        "blackpoker": "What does Player p1 do?",
        "grimoire": "Which card does Player p2 take as opening bookmark?",
        "dea": "Which character does Player p2 place, and where?",
        "skillbook": "In which order does Player p1 lay out the map cards?",
    }
    page = served.get(f"/en/record/{MATCH}", "head").text
    assert page.index('id="question"') < page.index('id="entry"')
    asked = part(page, "question", "section")
    seat = "p2" if "p2" in wanted[game] else "p1"
    assert wanted[game].replace(f"Player {seat}", "Player p") in re.sub(r"Player p\d", "Player p", asked)
    assert "enter" not in part(page, "offers", "ol") and "data-alone" not in part(page, "offers", "ol")
    assert "data-answer" in asked, "a field for what is hidden from the scorekeeper"


@pytest.mark.parametrize("lang", LANGS)
def test_known_parts_of_a_hidden_answer_are_listed_beside_its_field(served: Served, lang: str) -> None:
    served.open("dea", match=MATCH)
    path = f"/{lang}/record/{MATCH}"
    for free in (10, 10, 9):
        page = served.get(path, "scorekeeper").text
        cells = re.findall(r'data-add="(cell=[a-e]\d)"[^>]*>([a-e]\d)<', page)
        assert len(cells) == free and all(part == f"cell={words}" for part, words in cells)
        match = served.context.match(MATCH)
        (seat,) = {
            line.partition(":")[0] for line in re.findall(r'name="begins" value="([^"]*place_character )"', page)
        }
        held = [piece for piece in match.table.pieces.values() if piece.place == f"{seat}.unplaced"]
        face = next(piece.face for piece in held if piece.face and piece.face.startswith("C"))
        assert page.count("data-add=") == free, "no card that is hidden from the scorekeeper"
        line = f"{seat}: place_character {face} {cells[0][0]}"
        answer = typed(served, line, head=match.version, id=match.version, lang=lang)
        assert answer.status_code == 200 and served.context.match(MATCH).version == match.version + 1


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_real_cards_are_started_by_what_the_page_offers(served: Served, game: str) -> None:
    law = Law(GAMES[game], GAMES[game].latest)
    named = next(iter(GAMES[game].named_decks().values()))
    decks = dict.fromkeys(law.seats(), named) if law.game.own_decks else None
    names = {seat: f"Player {seat}" for seat in law.seats()}
    version = tuple(GAMES[game].versions)[-1]
    assert open_match(served.context.store, law, version, names, decks, match_id=MATCH, deal=False) == MATCH
    faces = {seat: [*(decks or law.decks())[seat].faces] for seat in law.seats()}
    number = 0
    while "chance" in law.awaited(served.context.match(MATCH).table):
        number += 1
        page = served.get(f"/en/record/{MATCH}", "head").text
        head = served.context.match(MATCH).version
        assert re.search(r'id="question".*?<h2>[^<]+\?</h2>', page, re.S)
        asked = typed(served, take=offers(page)[0], head=head, id=number, asks="true").text
        while 'id="asked-title"' in asked:
            title = re.search(r'id="asked-title">([^<]*)<', asked)
            assert title is not None and "Player p" in title[1] and "life?" not in title[1], title
            seat = re.search(r"Player (p\d)", title[1])[1]  # type: ignore[index]
            given = {name: hidden(asked, name) for name in ("line", "shows")}
            asked = typed(served, head=head, id=number, asks="true", face=faces[seat].pop(1), **given).text
        assert served.context.match(MATCH).version > head, "what the page offers records something"
        assert number < 9
    assert served.context.match(MATCH).law.awaited(served.context.match(MATCH).table)[0] in law.seats()


def test_the_recorder_says_that_a_judge_is_called_and_that_the_clock_is_stopped(served: Served) -> None:
    served.open("blackpoker", match=MATCH)

    def standing(lang: str = "en") -> str:
        return (
            served.get(f"/{lang}/record/{MATCH}", "scorekeeper").text.partition('id="standing"')[2].split("</div>")[0]
        )

    assert "<p>" not in standing()
    called = typed(served, "two hands", do="call").text
    assert "A judge has been called" in called.partition('id="standing"')[2].split("</div>")[0]
    assert "審判を呼びました" in standing("ja")
    assert send(served, MATCH, {"kind": "pause"}, "floor", id=8).status_code == 201
    assert "A judge has been called" not in standing() and "Clock stopped" in standing()


def test_ending_a_match_is_confirmed_without_promising_what_undo_disproves(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    asked = typed(served, "p1: concede").text
    assert "This ends the match" in asked and "Only a" not in asked.partition('id="ending"')[2].split("</section>")[0]
    assert typed(served, "p1: concede", do="end", id=2).status_code == 200
    assert "no judge is needed" in served.get(f"/en/record/{MATCH}/undo", "scorekeeper").text


def test_the_heading_says_who_won_and_nobody_is_waited_for(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    page = typed(served, "p1: concede", do="end", asks="true").text
    heading = page[page.index("<h1>") : page.index("</h1>")]
    assert "Player p2 won" in heading and "to act" not in heading
    heading = served.get(f"/ja/record/{MATCH}", "scorekeeper").text.partition("<h1>")[2].partition("</h1>")[0]
    assert "Player p2の勝ち" in heading


def test_a_deck_list_is_pasted_for_a_seat(served: Served) -> None:
    deck = GAMES["grimoire"].named_decks()["ember"]
    lines = "\n".join((*deck.main, "side:", *deck.side))
    fields = {"id": uuid(900), "edition": "grimoire@1", "p1": "Ann", "p2": "Bo", "d2": "ember"}
    wrong = post(served, "/en/record", {**fields, "l1": "4 nothing"})
    assert wrong.status_code == 400 and "Deck list of Ann, line 1:" in wrong.text and "4 nothing" in wrong.text
    twice = post(served, "/ja/record", {**fields, "l1": f"[a]\n{lines}\n[b]\n{lines}"})
    assert twice.status_code == 400 and "デッキは一つ" in twice.text
    assert served.context.store.newest(9) == []
    answer = post(served, "/en/record", {**fields, "l1": lines})
    assert answer.status_code == 303, answer.text
    (row,) = served.context.store.newest(9)
    assert opened_of(served.context.store.read(row.match)).decks[Seat("p1")] == deck.main
