"""A line without a target or another value is asked about, and recorded as it stands only if that is meant."""

from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from domain.formats.actions import write_action
from domain.formats.typed import TypedAction, read_seen, read_shown
from domain.games import GAMES
from domain.judging.incomplete import find_incomplete
from domain.law.driver import accepts
from domain.law.entries import Entry, Noted, Played, Undealt
from domain.law.record import record_of
from domain.law.slots import Action, slots, verb
from domain.table.redact import SPECTATOR
from domain.table.table import Place, zone
from tests.laws.samples import Sample, sample
from tests.service.commands import head, send, uuid
from tests.service.harness import Served
from tests.service.test_real_tables import START, RecorderPage, at_the_table, place_heroes, record_up_to

MATCH = "m"
NEEDED = [
    ("blackpoker", "equip", "bulwarks"),
    ("grimoire", "play", "target"),
    ("dea", "use_ability", "targets"),
    ("skillbook", "use_skill", "targets"),
]
"""Actions of each game, and a slot that they need."""


def empty(action: Action, slot: str) -> object:
    return next(each.default for each in slots(type(action)) if each.name == slot)


def played_with(game: str, named: str, slot: str) -> Iterator[tuple[Sample, int, Played, Action]]:
    """Yield the actions of a sample match that fill a slot, with the number of entries before each."""
    for one in (sample(game, seed) for seed in range(12)):
        for number, entry in enumerate(one.entries):
            if isinstance(entry, Played) and entry.actor in one.first_entry.seats:
                action = one.game.decoder().decode(entry.action)
                if verb(action) == named and getattr(action, slot) != empty(action, slot):
                    yield one, number, entry, action


def write(one: Sample, number: int, entry: Played, action: Action) -> str:
    before = record_of(one.game, one.entries[:number]).after(number)
    return write_action(one.game, before, entry.actor, action, schema=one.first_entry.schema)


def begin(served: Served, game: str, named: str, slot: str) -> tuple[str, str]:
    """Open a match just before an action. Return its line, and the line without the value of the slot."""
    one, number, entry, action = next(played_with(game, named, slot))
    served.context.store.append(MATCH, 0, one.entries[:number])
    without = replace(action, **{slot: empty(action, slot)})
    return write(one, number, entry, action), write(one, number, entry, without)


def append_undealt(served: Served, entries: Sequence[Entry]) -> None:
    """Store entries as those of a match with real cards."""
    opened, *others = entries
    undealt = Undealt(**{name: getattr(opened, name) for name in Undealt.__struct_fields__})
    served.context.store.append(MATCH, 0, [undealt, *others])


def newest(served: Served) -> Entry:
    return served.context.match(MATCH).entries[-1]


def post(served: Served, page: RecorderPage, **fields: str) -> str:
    page.sent += 1
    body = {"id": uuid(page.sent), "head": str(head(served, page.match)), "asks": "true", **fields}
    return unescape(served.client.post(page.path, data=body, headers=served.bearer("scorekeeper")).text)


def assert_flagged(entry: Entry) -> None:
    assert isinstance(entry, Played) and entry.violations


@pytest.mark.parametrize("kind", ["line", "play"])
@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_an_incomplete_line_is_refused_with_what_it_lacks(
    served: Served, game: str, named: str, slot: str, kind: str
) -> None:
    _, short = begin(served, game, named, slot)
    before = head(served, MATCH)
    answer = send(served, MATCH, {"kind": kind, "text": short}, id=1)
    assert answer.status_code == 400 and answer.json()["missing"] == [slot]
    assert answer.json()["candidates"] and head(served, MATCH) == before
    tried = served.post(f"/api/v1/matches/{MATCH}/entries:try", {"kind": kind, "text": short}, "scorekeeper").json()
    if "stands" in tried:  # what names a card of a hidden hand cannot be tried
        assert tried["stands"] is False and tried["candidates"] == answer.json()["candidates"]
    completed = send(served, MATCH, {"kind": kind, "text": answer.json()["candidates"][0]}, id=2)
    assert completed.status_code == 201 and "flags" not in completed.json()


@pytest.mark.parametrize("command", [{"kind": "line", "note": True}, {"kind": "play", "mode": "record"}])
@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_an_incomplete_line_is_recorded_as_it_stands_if_that_is_said(
    served: Served, game: str, named: str, slot: str, command: dict[str, Any]
) -> None:
    _, short = begin(served, game, named, slot)
    assert send(served, MATCH, {**command, "text": short}, id=1).status_code == 201
    assert_flagged(newest(served))


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_the_page_asks_what_is_meant_and_offers_both_ways(
    served: Served, game: str, named: str, slot: str, lang: str
) -> None:
    _, short = begin(served, game, named, slot)
    before, page = head(served, MATCH), RecorderPage(served, MATCH, lang)
    asked = post(served, page, line=short).split('id="unread"')[1].split("</section>")[0]
    assert ("lacks" if lang == "en" else "足りません") in asked and head(served, MATCH) == before
    assert ("Record as it stands" if lang == "en" else "このまま記録する") in asked
    begins, line = (asked.split(f'name="{name}" value="')[1].split('"')[0] for name in ("begins", "line"))
    assert "lacks" not in post(served, page, begins=begins, line=line)
    done = newest(served)
    assert isinstance(done, Played) and not done.violations and head(served, MATCH) > before


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_the_page_records_an_incomplete_line_as_it_stands(served: Served, game: str, named: str, slot: str) -> None:
    _, short = begin(served, game, named, slot)
    post(served, RecorderPage(served, MATCH), line=short, do="note")
    assert_flagged(newest(served))


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED)
def test_a_slot_given_as_empty_is_complete(served: Served, game: str, named: str, slot: str) -> None:
    _, short = begin(served, game, named, slot)
    assert send(served, MATCH, {"kind": "line", "text": f"{short} {slot}=-"}, id=1).status_code == 201
    assert_flagged(newest(served))


@pytest.mark.parametrize(("game", "named", "slot"), NEEDED[1:])
def test_a_complete_line_that_breaks_a_rule_is_recorded_at_once(
    served: Served, game: str, named: str, slot: str
) -> None:
    one, number, entry, action = next(played_with(game, named, slot))
    served.context.store.append(MATCH, 0, one.entries[:number])
    table = served.context.match(MATCH).table
    eyes = served.context.match(MATCH).eyes(SPECTATOR)
    several = isinstance(getattr(action, slot), tuple)
    where = next(each.slot.areas for each in slots(type(action)) if each.name == slot)
    seen = [card for card, piece in table.pieces.items() if zone(piece.place) in where]
    illegal = [replace(action, **{slot: (card,) if several else card}) for card in seen if eyes.knows(table, card)]
    illegal = [each for each in illegal if not accepts(one.law, table, entry.actor, each)]
    line = write(one, number, entry, illegal[0])
    assert send(served, MATCH, {"kind": "line", "text": line}, id=1).status_code == 201
    assert_flagged(newest(served))


def test_what_cannot_be_carried_out_without_a_value_becomes_a_note(served: Served) -> None:
    complete, short = begin(served, "blackpoker", "counter", "target")
    asked = post(served, RecorderPage(served, MATCH), line=short)
    assert "Which target?" in asked and "Record as a note" in asked and "as it stands" not in asked
    answer = send(served, MATCH, {"kind": "line", "text": short}, id=8)
    assert answer.status_code == 422 and answer.json()["candidates"] == [complete]
    assert send(served, MATCH, {"kind": "line", "text": short, "note": True}, id=9).status_code == 201
    assert isinstance(newest(served), Noted)


@pytest.mark.parametrize(
    ("game", "named", "slot"),
    [("blackpoker", "counter", "target"), ("dea", "use_ability", "item"), ("skillbook", "use_skill", "item")],
)
def test_the_number_of_a_frame_fills_the_slot_of_a_frame(served: Served, game: str, named: str, slot: str) -> None:
    _, short = begin(served, game, named, slot)
    frame = served.context.match(MATCH).table.stack[-1].id
    answer = send(served, MATCH, {"kind": "play", "text": f"{short} r{frame}"}, id=1)
    assert answer.status_code == 201 and "flags" not in answer.json()


@pytest.mark.parametrize("line", ["place_card ?", "place_card"])
def test_a_drawn_card_is_asked_where_it_goes(served: Served, line: str) -> None:
    table = at_the_table(served, "skillbook")
    place_heroes(table)
    record_up_to(served, MATCH, "skillbook", 0, "place_card")
    for match in (table.match, MATCH):
        before = head(served, match)
        answer = send(served, match, {"kind": "line", "text": line}, id=1)
        assert answer.status_code in (400, 422) and "mode" in answer.json()["missing"], answer.text
        assert head(served, match) == before


def test_a_bookmark_card_that_pays_can_stay_unseen(served: Served) -> None:
    one, number, entry, _ = next(played_with("grimoire", "od_explosion", "mode"))
    append_undealt(served, one.entries[:number])
    page = RecorderPage(served, MATCH)
    groups = next(groups for begins, groups in page.fields if begins == f"{entry.actor}: od_explosion ")
    assert ["card=?"] in groups and ["mode=draw", "mode=bookmark"] in groups, groups


@pytest.mark.parametrize(
    ("place", "face"),
    [("p1.foreshadow", "G07"), ("p1.hand", "C09"), ("p1.unplaced", "F09"), ("map:3,4", "G07"), ("map:3,4", "F09")],
)
def test_a_card_of_dea_has_a_face_of_its_place(place: str, face: str) -> None:
    fits = GAMES["dea"].fits
    assert not fits(Place(place), face) and fits(Place("map:3,4"), "C09")
    assert fits(Place("p1.foreshadow"), "F09") and fits(Place("p1.hand"), "G07") and fits(Place("p1.unplaced"), "C09")
    assert fits(Place("p1.sleeve"), face), "everything may come to the sleeve"


@pytest.mark.parametrize("game", GAMES)
def test_no_allowed_action_is_asked_about_though_its_cards_are_unseen(game: str) -> None:
    for one in (sample(game, seed) for seed in range(3)):
        match = record_of(one.game, one.entries)
        eyes = match.eyes(SPECTATOR)
        for number, entry in enumerate(one.entries):
            if isinstance(entry, Played) and entry.actor in one.first_entry.seats and not entry.violations:
                action = one.game.decoder().decode(entry.action)
                line = write(one, number, entry, action)
                lacking = find_incomplete(match, match.after(number), line, eyes, TypedAction(entry.actor, action))
                assert not lacking.missing, (number, line, lacking)


def test_a_line_recorded_as_it_stands_stays_so_when_a_face_is_asked(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    START["blackpoker"](page)
    line = "summon_soldier D5"
    assert "as it stands" in post(served, page, line=line)
    asked = post(served, page, line=line, do="note")
    assert 'id="face"' in asked and 'name="stands" value="true"' in asked
    text = asked.split('name="line" value="')[1].split('"')[0]
    before = head(served, page.match)
    for face in ("C6", "H7", "D8"):
        if 'id="face"' in asked:
            shows = asked.split('name="shows" value="')[1].split('"')[0]
            asked = post(served, page, line=text, shows=shows, face=face, stands="true")
    assert head(served, page.match) > before, asked
    assert_flagged(next(each for each in served.context.match(page.match).entries[before:] if isinstance(each, Played)))


@pytest.mark.parametrize("verb_name", ["up", "down", "twist"])
def test_a_target_is_asked_before_the_faces_of_unseen_keys(verb_name: str) -> None:
    one, number, entry, action = next(played_with("blackpoker", verb_name, "target"))
    match = record_of(one.game, one.entries)
    typed = TypedAction(entry.actor, replace(action, target=empty(action, "target")))
    lacking = find_incomplete(match, match.after(number), f"{verb_name} ? ?", match.eyes(SPECTATOR), typed)
    assert "target" in lacking.missing


def test_a_list_that_names_too_few_cards_is_incomplete() -> None:
    one, number, entry, action = next(played_with("dea", "set_foreshadows", "cards"))
    match = record_of(one.game, one.entries[:number])
    table, eyes = match.after(number), match.eyes(entry.actor)
    first = write(one, number, entry, replace(action, cards=action.cards[:1]))
    typed = TypedAction(*read_seen(match, table, first, eyes))
    lacking = find_incomplete(match, table, first, eyes, typed)
    assert lacking.missing == ("cards",) and lacking.candidates
    assert all(first.split()[-1] in line for line in lacking.candidates), "the named card stays named"


def test_a_list_of_unseen_cards_that_is_too_short_is_incomplete() -> None:
    discards = (each for each in played_with("blackpoker", "choose_discards", "cards") if len(each[3].cards) == 2)
    one, number, entry, _ = next(discards)
    match = record_of(one.game, one.entries[:number])
    table = match.eyes(SPECTATOR).without_hidden_faces(match.after(number))
    typed = read_shown(match, table, "choose_discards ?", match.eyes(SPECTATOR), entry.actor)
    lacking = find_incomplete(match, table, "choose_discards ?", match.eyes(SPECTATOR), typed)
    assert lacking.missing == ("cards",) and f"{entry.actor}: choose_discards ?,?" in lacking.candidates


@pytest.mark.parametrize("face", ["G05", "burning sheet", "燃え紙"])
def test_a_line_with_the_face_it_asked_for_is_asked_for_its_target(served: Served, face: str) -> None:
    page = at_the_table(served, "dea")
    START["dea"](page)
    page.post(line="play_event ?")
    page.show(face)
    first, *_, as_it_stands = page.completions
    assert first["shows"] == as_it_stands["shows"] == face and first["line"].startswith("play_event ? targets=")
    assert "Which targets?" in page.text
    before = head(served, page.match)
    page.post(**first)
    done = served.context.match(page.match).entries[before]
    assert isinstance(done, Played) and not done.violations
