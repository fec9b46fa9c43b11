"""Buttons and log lines name the card that they mean, where the viewer knows its face."""

import re
from html import unescape

import pytest

from domain.games import GAMES
from domain.law.entries import Entry, Played, tables
from domain.law.law import Law
from domain.law.record import record_of
from domain.law.rulesets import make_ruleset
from domain.law.slots import cards_of, verb
from domain.table.redact import SPECTATOR
from domain.words import LANGS, Lang, say
from projections.phrases import action_words
from projections.seen_entries import seen_action
from projections.timeline import timeline
from recorder.simulate import simulate
from service.recording import player_page
from tests.games import PLAYED
from tests.laws.samples import sample, seeds_in_turn
from tests.service.commands import send
from tests.service.harness import Served
from tests.service.test_real_tables import RecorderPage, post_opening

BP = GAMES["blackpoker"]
SECRET = (32).to_bytes(16, "big")
SEARCHES, SEARCHED = 32, "choose_search_card"
"""A seed with a Search at once, and the verb of its answer."""


def search_match() -> tuple[list[Entry], int]:
    """Return a match and the number of the entry that takes the card searched for."""
    entries = simulate(Law(BP, make_ruleset(BP, "9.2-lite", "full54")), SEARCHES)
    decode = BP.decoder().decode
    played = ((number, entry) for number, entry in enumerate(entries, 1) if isinstance(entry, Played))
    return entries, next(number for number, entry in played if verb(decode(entry.action)) == SEARCHED)


def buttons(text: str) -> list[tuple[str, str]]:
    """Return the line and the words of each button that sends a line."""
    found = re.findall(r'name="take" value="([^"]*)"[^>]*>(.*?)</button>', text, re.DOTALL)
    return [
        (unescape(line), unescape(re.sub(r"<small.*?</small>|<[^>]*>", "", words)).strip()) for line, words in found
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_each_card_of_a_search_is_named_on_its_button(
    served: Served, lang: Lang, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_page, "is_played_on_phones", lambda entries: True)
    entries, number = search_match()
    served.context.store.append("M", 0, entries[: number - 1], secret=SECRET)
    text = served.client.get(f"/{lang}/play/M", headers=served.person("seat", "M", seat="p1")).text
    named = {line.rpartition(" ")[2]: words for line, words in buttons(text) if SEARCHED in line}
    assert len(named) > 30
    assert named == {face: BP.rulebook.word(face, lang) for face in named}


def test_buttons_of_real_cards_name_a_shown_card_and_one_is_for_an_unseen_card(served: Served) -> None:
    answer = post_opening(served, "blackpoker", cards="real", edition="blackpoker@9.2-lite/full54")
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2])
    page.take("chance: auto")
    page.show("S4", "S2", "S3", "H2")
    page.post(line="p1: search JK")
    page.post(line=f"p1: {SEARCHED} H7")
    assert "choose the card searched for: card H7" in page.text
    assert say("card.hidden", "en") not in page.text.split('id="entry"')[0]
    adds = re.findall(r'data-add="([^"]*)"[^>]*>([^<]*)<', page.text)
    assert {words for line, words in adds if "H7" in line} == {"H7"}
    summoned = [words for line, words in buttons(page.text) if line.startswith("p1: summon_soldier H7")]
    assert summoned and all("H7" in words for words in summoned)
    begins, groups = next(field for field in page.fields if field[0].endswith("throwing "))
    assert groups == [["keys=H7", "?"], ["target=p1", "target=p2"]]
    asked = send(served, page.match, {"kind": "line", "text": f"{begins}?,?"}, id=90).json()
    assert (asked["missing"], asked["candidates"]) == (["target"], [f"{begins}?,? p2"]), "no template, one seat"
    page.post(begins=begins, line="? target=p2")
    assert page.asks_for_a_face, "the card thrown is another one"


@pytest.mark.random
@pytest.mark.parametrize("key", PLAYED)
def test_a_log_line_names_a_card_shown_after_its_move_and_never_another(key: str) -> None:
    matches = [(sample(key, seed).game, list(sample(key, seed).entries)) for seed in seeds_in_turn(key)[:3]]
    matches += [(BP, search_match()[0])] if key == "blackpoker" else []
    named = 0
    for game, entries in matches:
        record, decode = record_of(game, entries), game.decoder().decode
        for viewer in (SPECTATOR, *record.opening.seats):
            eyes = record.eyes(viewer)
            lines = {line.number: line for line in timeline(record, eyes, "en")}
            for number, entry, before, after in tables(entries):
                if not isinstance(entry, Played):
                    continue
                plain = action_words(game, seen_action(game, eyes, entry, before), "en", record.names)
                if plain in lines[number].text:
                    continue
                (card,) = cards_of(decode(entry.action))
                face = after.pieces[card].face
                assert face
                names = plain.replace(say("card.hidden", "en"), game.rulebook.word(face, "en"))
                assert names in lines[number].text
                named += 1
    assert named or key != "blackpoker"
