"""Matches of real cards: opened by form, and played to the first turn with the offers of the recorder page."""

import re
from collections import Counter
from html import unescape
from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from domain.games.blackpoker.schema import DRIVEN
from domain.law.entries import Noted, Played
from domain.law.slots import slots, verb
from domain.law.unseen import count_listed_faces
from domain.table.facts import Moved
from domain.table.table import CHANCE, LANES, lane
from recorder.match_loader import LoadedMatch
from service.access import Role
from tests.laws.samples import sample
from tests.service.commands import head, send, uuid
from tests.service.harness import Served

FORM = "/en/record"


class RecorderPage:
    """The recorder page without scripts: buttons, fields and answers to questions."""

    def __init__(self, served: Served, match: str, lang: str = "en") -> None:
        self.served, self.match, self.sent = served, match, 0
        self.path = f"/{lang}/record/{match}"
        self.text = served.get(self.path, "scorekeeper").text

    @property
    def offers(self) -> list[str]:
        part = self.text.split('id="offers"')[1].split("</ol>")[0]
        return [unescape(line) for line in re.findall(r'name="take" value="([^"]*)"', part)]

    @property
    def questions(self) -> list[str]:
        return [unescape(each) for each in re.findall(r"<h2[^>]*>(.*?)</h2>", self.text.split('class="entries"')[0])]

    @property
    def lines(self) -> list[str]:
        """All lines that the page offers, except those that end the match."""
        part = self.text.split('id="entry"')[1].split('id="endings"')[0]
        return list(dict.fromkeys(unescape(line) for line in re.findall(r'name="take" value="([^"]*)"', part)))

    @property
    def fields(self) -> list[tuple[str, list[list[str]]]]:
        """The answer fields: the prefix of the line, and the buttons of each listed slot."""
        found = []
        for form in (part for part in self.text.split('id="entry"')[0].split("<form ") if "data-answer" in part):
            begins = re.search(r'name="begins" value="([^"]*)"', form)
            assert begins is not None
            groups = [re.findall(r'data-add="([^"]*)"', group) for group in form.split('role="group"')[1:]]
            found.append((unescape(begins[1]), groups))
        return found

    @property
    def asks_for_a_face(self) -> bool:
        return 'id="asked-title"' in self.text

    @property
    def completions(self) -> list[dict[str, str]]:
        """The forms that record an incomplete line: with a value that it lacks, or as it stands."""
        part = self.text.split('id="unread"')[1].split("</section>")[0] if "as it stands" in self.text else ""
        found = [dict(re.findall(r'name="(begins|line|shows)" value="([^"]*)"', form)) for form in part.split("<form ")]
        return [{name: unescape(value) for name, value in form.items()} for form in found if "begins" in form] + [
            {"do": "note", **form} for form in found if form and "begins" not in form
        ]

    def post(self, **fields: str) -> None:
        """Send a form with the head number that the page holds."""
        self.sent += 1
        head = re.search(r'name="head" value="(\d+)"', self.text)
        assert head is not None
        body = {"id": uuid(self.sent), "head": head[1], "asks": "true", **fields}
        answer = self.served.client.post(
            self.path, data=body, headers=self.served.bearer("scorekeeper"), follow_redirects=False
        )
        self.text = answer.text
        assert answer.status_code == 200 or self.completions, (fields, self.questions)

    def take(self, offered: str) -> None:
        self.post(take=next(line for line in self.offers if offered in line))

    def answer(self, says: str) -> None:
        begins = re.search(r'name="begins" value="([^"]*)"', self.text)
        assert begins is not None, self.questions
        self.post(begins=unescape(begins[1]), line=says)

    def show(self, *faces: str) -> None:
        """Answer each question for a face; `?` presses the button for an unseen card."""
        for face in faces:
            part = self.text.split('id="asked"')[1].split("</section>")[0]
            line, shows = (re.search(f'name="{name}" value="([^"]*)"', part) for name in ("line", "shows"))
            assert line is not None and shows is not None, self.questions
            named = {"do": "unseen"} if face == "?" else {"face": face}
            named |= {"stands": "true"} if 'name="stands" value="true"' in part else {}
            self.post(line=unescape(line[1]), shows=shows[1], **named)


def start_blackpoker(page: RecorderPage) -> None:
    assert page.questions == ["Has the deck of Ren been shuffled?"]
    page.take("chance: auto")
    assert page.questions[0] == "Which card did Taro turn up as soldier?"
    page.show("S4")
    assert page.questions[0] == "Which card did Taro turn up as soldier?", "asked again, and nothing is noted"
    page.show("S2", "S3")
    assert page.questions[0] == "Which card did Taro turn up to see who goes first?"
    page.show("\u2665Q", "\u2666\uff18")


def start_grimoire(page: RecorderPage) -> None:
    page.take("chance: auto")
    assert page.questions[0] == "Which card did Taro turn up to see who goes first?"
    page.show("cinder wall", "S16")
    for _ in range(2):
        page.answer("?")


def test_an_opening_bookmark_is_a_card_of_the_bookmarks(served: Served) -> None:
    page = at_the_table(served, "grimoire")
    page.take("chance: auto")
    page.show("cinder wall", "S16")
    deck = GAMES["grimoire"].named_decks()["ember"]
    other = next(face for face in deck.main if face not in deck.side and face.startswith("S"))
    before = head(served, page.match)
    for face, is_recorded in ((other, False), (deck.side[0], True)):
        answer = send(served, page.match, {"kind": "line", "text": f"{page.fields[0][0]}{face}"}, id=90)
        assert (answer.status_code == 201) is is_recorded, answer.text
        assert (head(served, page.match) > before) is is_recorded
    page = RecorderPage(served, page.match)
    page.answer("?")
    assert page.questions[0].startswith("Which card does Taro trance")
    page.answer("?")
    page.show("?")
    wrong = re.search(r'id="asked-wrong">([^<]*)<', page.text)
    assert wrong is not None and "depends on" in wrong[1], "a card that the log knows is not meant by ?"
    page.show("cinder wall")
    assert "Noted" not in {type(entry).__name__ for entry in served.context.match(page.match).entries[before:]}
    assert page.questions[0].startswith("What does Taro"), "the card was turned up before, and came back"


def start_dea(page: RecorderPage) -> None:
    page.take("first_player p1")
    for number, column in enumerate("abcde", start=6):
        page.answer(f"? {column}1")
        assert page.questions[0].startswith("Which character does Ren"), "a card that stays face down has no question"
        page.answer(f"C{number:02} {column}5")
    for _ in range(2):
        page.take("set_foreshadows")
    page.take("chance: auto")
    page.show("C01", "C02", "C03", "C04", "C05")


def start_skillbook(page: RecorderPage) -> None:
    place_heroes(page)
    assert "to the hand" in page.text, "the field names the words it takes"
    page.answer("? to the hand")


def place_heroes(page: RecorderPage) -> None:
    page.take("toss p1")
    page.take("choose_order first")
    for _ in range(2):
        page.take("lay_out_map")
    for square, hero in (("d1", 0), ("d7", 1)):
        page.answer(square)
        assert page.questions[0] == f"Which card was turned up in {square} (terrain)?"
        named = [*GAMES["skillbook"].named_decks().values()][hero].main[0]
        page.show(named)
        assert "(terrain)" in page.questions[0], "a hero is no terrain"
        page.show("start")
        question = page.questions[0]
        assert "(terrain)" not in question
        page.show("start")
        assert page.questions[0] == question, "a terrain is no hero"
        page.show(named)


def open_with_heroes(served: Served, *names: str) -> RecorderPage:
    """Open a match of Skillbook with these decks, and place the heroes."""
    answer = post_opening(served, "skillbook", cards="real", **dict(zip(("d1", "d2"), names, strict=True)))
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2])
    heroes = {
        square: GAMES["skillbook"].named_decks()[name].main[0] for square, name in zip(("d1", "d7"), names, strict=True)
    }
    for offered in ("toss p1", "choose_order first", "lay_out_map", "lay_out_map"):
        page.take(offered)
    for square, hero in heroes.items():
        page.answer(square)
        page.show("start", hero)
    return page


@pytest.mark.parametrize(("milled", "triggers"), [(("S18", "?", "S17"), True), (("?", "?", "S17"), False)])
def test_a_milled_card_is_asked_for_if_it_may_have_an_effect(
    served: Served, milled: tuple[str, ...], triggers: bool
) -> None:
    page = open_with_heroes(served, "night_tax", "high_road")
    page.show("S09")
    page.answer("? to the hand")
    page.take("decline_charge")
    page.post(line="p1: use_skill S41")
    for face in milled:
        assert "milled from the book of Taro" in page.questions[0], page.questions
        page.show(face)
    for face in ("S10", "S11") if triggers else ("S10",):
        assert "Ren's graveyard" in page.questions[0], "that deck has no card with such an effect"
        page.show(face)
    done = served.context.match(page.match).entries[-1]
    assert (
        isinstance(done, Played)
        and not done.violations
        and verb(GAMES["skillbook"].decoder().decode(done.action)) == "use_skill"
    )
    buried = [
        card for _, fact in done.told if isinstance(fact, Moved) and fact.to == "p2.graveyard" for card in fact.cards
    ]
    assert len(buried) == 3 + triggers


TURNS = 3
SEEDS = {"blackpoker": 4, "grimoire": 4, "dea": 3, "skillbook": 3}
"""Seeds with short first turns."""
STEPS_MAX = 300


def take_turns(served: Served, page: RecorderPage, random: Random) -> None:
    """Take random offers and answer the questions until three turns are over.

    Some answers name a card that all have seen before, which may have moved since.
    """
    named: list[str] = []
    for _ in range(STEPS_MAX):
        match = served.context.match(page.match)
        assert isinstance(match, LoadedMatch) and match.table.result is None
        if match.table.clock.turn > TURNS:
            return
        if page.asks_for_a_face:
            asked = [seat for seat, name in match.opening.names.items() if name in page.questions[0]]
            seats = asked or match.opening.seats
            held = Counter(face for seat in seats for face in count_listed_faces(match.opening, seat).elements())
            held -= Counter(piece.face for piece in match.table.pieces.values() if piece.face and piece.owner in seats)
            kinds = {"character": "C", "foreshadow": "F"}
            kind = next((kinds[word] for word in kinds if word in page.questions[0]), "")
            fitting = [face for face in held if face.startswith(kind)]
            again = named if named and not kind and random.random() < 1 / 4 else sorted(fitting or held)
            face = random.choice(again)
            named += [] if kind else [face]
            page.show(face)
        elif page.completions:
            page.post(**random.choice(page.completions))
        elif page.lines:
            page.post(take=random.choice(page.lines))
        else:
            begins, groups = random.choice(page.fields)
            page.post(begins=begins, line=" ".join(map(random.choice, groups)))
    raise AssertionError(f"{STEPS_MAX} steps, and turn {match.table.clock.turn}: {page.questions}")


START = {"blackpoker": start_blackpoker, "grimoire": start_grimoire, "dea": start_dea, "skillbook": start_skillbook}


def post_opening(served: Served, game: str, **more: str) -> Any:
    fields = {"id": uuid(900), "edition": f"{game}@{[*GAMES[game].versions][-1]}", "p1": "Taro", "p2": "Ren", **more}
    role: Role = "scorekeeper"
    return served.client.post(FORM, data=fields, headers=served.bearer(role), follow_redirects=False)


def at_the_table(served: Served, game: str) -> RecorderPage:
    decks = dict(zip(("d1", "d2"), GAMES[game].named_decks(), strict=False)) if GAMES[game].own_decks else {}
    return RecorderPage(
        served, post_opening(served, game, cards="real", **decks).headers["location"].rpartition("/")[2]
    )


@pytest.mark.parametrize("game", GAMES)
def test_real_cards_are_recorded_up_to_the_first_action_by_what_the_page_offers(served: Served, game: str) -> None:
    decks = dict(zip(("d1", "d2"), GAMES[game].named_decks(), strict=False)) if GAMES[game].own_decks else {}
    answer = post_opening(served, game, cards="real", **decks)
    assert answer.status_code == 303, answer.text
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2])
    START[game](page)
    match = served.context.match(page.match)
    assert isinstance(match, LoadedMatch) and match.table.clock.turn == 1, page.questions
    bare = {verb(kind) for kind in GAMES[game].action_types if not slots(kind)}
    assert not bare & {begins.split()[1] for begins, _ in page.fields}, "a verb that takes nothing has no field"
    before = match.version
    page.take(page.offers[0])
    match = served.context.match(page.match)
    assert match.version > before and not any(isinstance(entry, Noted) for entry in match.entries)
    page.post(line="chance: auto")
    assert "no outcome of chance is needed" in page.text, "what records nothing says so"


@pytest.mark.parametrize("game", GAMES)
def test_real_cards_are_played_for_three_turns_by_what_the_page_offers(served: Served, game: str) -> None:
    decks = dict(zip(("d1", "d2"), GAMES[game].named_decks(), strict=False)) if GAMES[game].own_decks else {}
    answer = post_opening(served, game, cards="real", **decks)
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2])
    take_turns(served, page, Random(SEEDS[game]))
    match = served.context.match(page.match)
    assert not any(isinstance(entry, Noted) for entry in match.entries), "a face that cannot be is asked for again"


@pytest.mark.parametrize(
    ("lang", "left"), [("en", "Cards of this deck not seen yet: "), ("ja", "このデッキでまだ見えていないカード：")]
)
@pytest.mark.parametrize("face", ["HQ", "S2"])
def test_a_face_that_is_not_in_the_deck_or_used_is_asked_for_again(
    served: Served, lang: str, left: str, face: str
) -> None:
    answer = post_opening(served, "blackpoker", cards="real", edition="blackpoker@8.1-lite")
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2], lang)
    page.take("chance: auto")
    page.show("S2", "S3")
    before = served.context.match(page.match).version
    page.show(face)
    wrong = re.search(r'id="asked-wrong">([^<]*)<', page.text)
    assert wrong is not None and left in wrong[1] and served.context.match(page.match).version == before
    rest = wrong[1].partition(left)[2].split()
    assert {"HQ": "♥Q", "S2": "♠2"}[face] not in rest and {"♠3", "♠4"} <= set(rest), "what is left of the deck"


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.own_decks])
@pytest.mark.parametrize(("lang", "says"), [("en", "choose a deck for"), ("ja", "デッキを選んで")])
def test_real_cards_without_decks_are_asked_for_in_words_of_the_form(
    served: Served, game: str, lang: str, says: str
) -> None:
    fields = {"id": uuid(900), "edition": f"{game}@{[*GAMES[game].versions][-1]}", "p1": "Taro", "cards": "real"}
    answer = served.client.post(f"/{lang}/record", data=fields, headers=served.bearer("scorekeeper"))
    assert answer.status_code == 400 and says in answer.text and "--" not in answer.text.split("<main")[1]


@pytest.mark.parametrize(
    ("game", "lang", "face", "says"),
    [
        ("blackpoker", "en", "S4", "S4 is not in the deck of Taro"),
        ("blackpoker", "ja", "S4", "S4は"),
        ("blackpoker", "en", "sx", "'sx' is not a card of this game"),
        ("blackpoker", "en", "s", "'s' could be several cards: "),
        ("grimoire", "en", "C04", "this card cannot be C04"),
        ("grimoire", "ja", "C04", "このカードはC04ではありえません"),
    ],
)
def test_a_refused_face_leaves_the_question_with_what_is_wrong(
    served: Served, game: str, lang: str, face: str, says: str
) -> None:
    decks = dict(zip(("d1", "d2"), GAMES[game].named_decks(), strict=False)) if GAMES[game].own_decks else {}
    page = RecorderPage(
        served, post_opening(served, game, cards="real", **decks).headers["location"].rpartition("/")[2], lang
    )
    page.take("chance: auto")
    question, faces = page.questions[0], re.findall(r'<option value="([^"]*)">([^<]*)<', page.text)
    assert (("H7", "\u26657") in faces) == (game == "blackpoker"), "what a deck of one's own holds is not listed"
    page.show(face)
    wrong = re.search(r'id="asked-wrong">([^<]*)<', page.text)
    assert page.questions[0] == question and wrong is not None and says in unescape(wrong[1]), page.questions
    assert "holds 0" not in page.text


def test_a_face_is_taken_by_its_sign_and_name_wherever_it_is_answered(served: Served) -> None:
    decks = dict(zip(("d1", "d2"), GAMES["grimoire"].named_decks(), strict=False))
    page = RecorderPage(
        served, post_opening(served, "grimoire", cards="real", **decks).headers["location"].rpartition("/")[2], "ja"
    )
    page.take("chance: auto")
    page.show(GAMES["grimoire"].rulebook.word("S02", "ja").removeprefix("S02").strip(), "s16")
    match = served.context.match(page.match)
    assert {"S02", "S16"} <= {piece.face for piece in match.table.pieces.values()}


def test_an_answer_kept_from_before_is_dropped_where_no_card_is_asked_for(served: Served) -> None:
    page = at_the_table(served, "grimoire")
    page.take("chance: auto")
    page.post(line="chance: auto", shows="_,S16,S16,?", face="cinder_wall")
    match = served.context.match(page.match)
    assert not page.asks_for_a_face and not any(isinstance(entry, Noted) for entry in match.entries)
    assert [piece.face for piece in match.table.pieces.values()].count("S16") == 1


def test_a_name_typed_with_an_underscore_is_kept_whole(served: Served) -> None:
    page = at_the_table(served, "grimoire")
    page.take("chance: auto")
    page.show("cinder_wall", "S16")
    match = served.context.match(page.match)
    assert not page.asks_for_a_face and not any(isinstance(entry, Noted) for entry in match.entries)


@pytest.mark.parametrize("known", [("C01", "?", "?", "?", "?"), ("?", "C02", "?", "C04", "?")])
def test_a_face_down_character_that_was_named_is_not_asked_for_when_it_is_turned_up(
    served: Served, known: tuple[str, ...]
) -> None:
    page = at_the_table(served, "dea")
    page.take("first_player p1")
    for face, column in zip(known, "abcde", strict=True):
        page.answer(f"{face} {column}1")
        page.answer(f"? {column}5")
    for _ in range(2):
        page.take("set_foreshadows")
    page.take("chance: auto")
    for number, face in enumerate(known, start=1):
        if face == "?":
            assert f" {'abcde'[number - 1]}1?" in page.questions[0], page.questions
            page.show(f"C{number:02}")
    assert " a5?" in page.questions[0], page.questions
    page.show("C01")
    assert " a5?" in page.questions[0], "a face that cannot be is asked for again on its own square"
    page.show("C06", "C07", "C08", "C09", "C10")
    match = served.context.match(page.match)
    assert match.table.clock.turn == 1 and not any(isinstance(entry, Noted) for entry in match.entries)


@pytest.mark.parametrize("named", ["", "C01"])
def test_of_answers_that_do_not_suffice_only_those_are_asked_for_again_that_nobody_saw(
    served: Served, named: str
) -> None:
    page = at_the_table(served, "dea")
    page.take("first_player p1")
    for face, column in zip((named or "?", *"????"), "abcde", strict=True):
        page.answer(f"{face} {column}1")
        page.answer(f"? {column}5")
    for _ in range(2):
        page.take("set_foreshadows")
    page.take("chance: auto")
    faces = [f"C{number:02}" for number in range(1, 11)]
    faces = faces[1:] if named else faces
    unseen = (faces[1], faces[-1])
    page.show(*("?" if face in unseen else face for face in faces))
    for face in unseen:
        wrong = re.search(r'id="asked-wrong">([^<]*)<', page.text)
        assert wrong is not None and "depends on unseen cards" in wrong[1], page.questions
        column = "abcdeabcde"[int(face[1:]) - 1]
        assert f" {column}{1 if int(face[1:]) < 6 else 5}?" in page.questions[0], page.questions
        page.show(face)
    match = served.context.match(page.match)
    assert match.table.clock.turn == 1 and not any(isinstance(entry, Noted) for entry in match.entries)


def test_undo_goes_past_a_shuffle_that_records_itself(served: Served) -> None:
    page = at_the_table(served, "dea")
    page.take("first_player p1")
    for column in "abcde":
        for row in (1, 5):
            page.answer(f"? {column}{row}")
    for _ in range(2):
        page.take("set_foreshadows")
    entries = served.context.match(page.match).entries
    assert entries[-1].actor == CHANCE, "the first deck needs no face"
    chosen = len(entries) - 1
    for steps, left in enumerate((chosen - 1, chosen - 2)):
        before = served.context.match(page.match)
        body = {"kind": "undo"}
        answer = send(served, page.match, body, "scorekeeper", id=700 + steps)
        assert answer.status_code == 201, answer.text
        now = served.context.match(page.match)
        assert now.entries[before.version].to == left and now.version == before.version + 1
    answer = send(served, page.match, {"kind": "undo", "redo": True}, "scorekeeper", id=800)
    assert answer.status_code == 201 and served.context.match(page.match).table == served.context.match(
        page.match
    ).after(chosen - 1)


HAND_VERBS = {
    "blackpoker": {"up", "down", "twist"},
    "grimoire": {"cast"},
    "dea": {"play_event", "play_equipment"},
    "skillbook": {"use_skill"},
}


@pytest.mark.parametrize("game", ["blackpoker", "dea", "skillbook"])
def test_what_a_card_of_a_hidden_hand_may_do_has_a_field(served: Served, game: str) -> None:
    page = at_the_table(served, game)
    take_turns(served, page, Random(SEEDS[game]))
    assert {begins.split()[1] for begins, _ in page.fields} >= HAND_VERBS[game], page.questions


@pytest.mark.parametrize("game", GAMES)
def test_what_a_card_of_a_hidden_hand_may_do_has_a_field_where_the_program_dealt(served: Served, game: str) -> None:
    entries, found = sample(game, 0).entries, set[str]()
    for upto in range(10, len(entries)):
        served.context.store.append(f"t{upto}", 0, entries[:upto])
        page = RecorderPage(served, f"t{upto}")
        found |= {begins.split()[1] for begins, _ in page.fields}
        if found >= HAND_VERBS[game]:
            return
    raise AssertionError(found)


def test_an_action_that_the_turn_allows_once_is_offered_once(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    start_blackpoker(page)
    who = next(line for line in page.lines if line.endswith("set_bulwark"))
    page.post(take=who)
    page.show("?")
    page.answer("?")
    assert page.questions == ["What does Taro do?"] and who not in page.lines
    attack = next(line for line in page.lines if line.endswith("attack"))
    page.post(take=attack)
    for _ in range(6):
        if page.questions == ["What does Taro do?"]:
            break
        page.post(take=page.lines[0])
    assert not any("attack" in begins for begins, _ in page.fields) and attack not in page.lines, "one attack a turn"


def test_undo_of_a_drawn_real_card_needs_a_judge(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    start_blackpoker(page)
    before = served.context.match(page.match).version
    answer = send(served, page.match, {"kind": "undo"}, "scorekeeper", id=700)
    assert answer.status_code == 403, "the opening hands were drawn"
    page = RecorderPage(served, page.match)
    page.take("pass")
    answer = send(served, page.match, {"kind": "undo"}, "scorekeeper", id=701)
    assert answer.status_code == 201 and served.context.match(page.match).version == before + 2


def test_a_bulwark_that_pays_for_a_hidden_card_is_listed(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    start_blackpoker(page)
    begins, groups = next(field for field in page.fields if field[0].endswith("summon_soldier "))
    assert groups[0] == ["?"] and len(groups) == 2 and groups[1][0].startswith("bulwarks=u")
    (bulwark,) = groups[1]
    page.post(begins=begins, line=f"D10 {bulwark}")
    if page.asks_for_a_face:
        page.show("C6")
    pieces = served.context.match(page.match).table.pieces.values()
    assert [piece.stance for piece in pieces if f"u{piece.thing}" == bulwark.partition("=")[2]] == [DRIVEN]
    assert "BP-5.3" not in page.text


def test_a_possible_finding_is_called_so_in_the_list_and_in_its_dispute(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    start_blackpoker(page)
    begins = next(begins for begins, _ in page.fields if begins.endswith("summon_ace "))
    page.post(begins=begins, line="?")
    while page.asks_for_a_face:
        page.show("?")
    number, path = served.context.match(page.match).version, f"/en/m/{page.match}"
    assert send(served, page.match, {"kind": "dispute", "about": number}, "head", id=700).status_code == 201
    judge, dispute = served.bearer("head"), f"{path}/disputes/{number + 1}"
    sealed, words = "open the judge&#39;s view below", "not allowed (possible)"
    before = served.get(dispute, headers=judge).text
    assert sealed in before and words not in before and "find no fault" not in before
    for viewer in ("p1", "p2", "judge"):
        assert served.post(f"/api/v1/matches/{page.match}/seal", {"viewer": viewer}, headers=judge).is_success
    after = served.get(dispute, headers=judge).text
    assert words in after and sealed not in after
    assert words in served.get(f"{path}/findings/as/judge", headers=judge).text


def test_a_gap_asks_whether_what_was_under_way_was_finished(served: Served) -> None:
    page = at_the_table(served, "blackpoker")
    start_blackpoker(page)
    page.post(take=next(line for line in page.lines if line.endswith("attack")))
    before, path = served.context.match(page.match), f"/en/record/{page.match}"
    fields = {"id": uuid(900), "head": str(before.version), "reason": "a glass fell over", "facts": ""}
    assert (
        "Attack" in served.get(f"{path}/after", "scorekeeper").text.split('id="gap-under-way"')[1].split("<label>")[0]
    )

    def post(**more: str) -> Any:
        headers = served.bearer("scorekeeper")
        return served.client.post(f"{path}/gap", data=fields | more, headers=headers, follow_redirects=False)

    unanswered = post()
    assert unanswered.status_code == 422 and "under way was finished" in unanswered.text
    assert served.context.match(page.match).version == before.version
    assert post(under_way="finished").status_code == 303
    after = served.context.match(page.match)
    assert not any(lane(after.table, name) for name in LANES) and after.table.clock.awaited == (
        after.table.clock.active,
    )
    assert RecorderPage(served, page.match).questions == ["What does Taro do?"]
    assert 'id="gap-under-way"' not in served.get(f"{path}/after", "scorekeeper").text


def record_up_to(served: Served, match: str, game: str, seed: int, name: str) -> tuple[int, Played]:
    """Record a sample match before its first action with a verb. Return the entry number and that action."""
    played = sample(game, seed)
    decode = played.game.decoder().decode
    number, entry = next(
        (number, entry)
        for number, entry in enumerate(played.entries, start=1)
        if isinstance(entry, Played) and verb(decode(entry.action)) == name
    )
    served.context.store.append(match, 0, played.entries[: number - 1], secret=bytes(16))
    return number, entry


def test_a_drawn_card_that_only_its_owner_sees_is_placed_by_a_button(served: Served) -> None:
    number, placed = record_up_to(served, "sb", "skillbook", 0, "place_card")
    page = RecorderPage(served, "sb")
    begins, groups = next(field for field in page.fields if field[0].endswith("place_card "))
    card, where = groups
    assert card == ["?"] and "mode=to_hand" in where
    page.post(begins=begins, line=f"{card[0]} mode=to_hand")
    entry = served.context.store.read("sb")[number - 1]
    assert isinstance(entry, Played) and entry.actor == placed.actor and not entry.violations


def test_a_question_that_a_hidden_card_can_answer_has_a_field(served: Served) -> None:
    number, paid = record_up_to(served, "dea", "dea", 7, "pay_or_decline")
    page = RecorderPage(served, "dea")
    begins = next(begins for begins, _ in page.fields if begins.endswith("pay_or_decline "))
    page.post(begins=begins, line="yes Q04")
    recorded = served.context.store.read("dea")[number - 1]
    assert isinstance(recorded, Played) and recorded.action == paid.action and not recorded.violations


def test_a_drawn_card_is_not_discarded_by_a_button_while_there_is_room(served: Served) -> None:
    page = at_the_table(served, "skillbook")
    place_heroes(page)
    assert page.fields == [("p1: place_card ", [["?"], ["mode=to_table", "mode=to_hand"]])]


def test_an_ability_is_offered_in_its_own_turn_alone_and_once(served: Served) -> None:
    answer = post_opening(served, "grimoire", cards="real", d1="grove", d2="grove")
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2])

    def offers_it() -> bool:
        return any("activate" in line for line in (*page.lines, *(begins for begins, _ in page.fields)))

    spells = [face for face in dict.fromkeys(GAMES["grimoire"].named_decks()["grove"].main) if face.startswith("S")]
    page.take("chance: auto")
    page.show(spells[0], spells[-1])
    page.post(line="trance_skip")
    assert page.questions[0] == "What does Taro do?" and offers_it(), page.questions
    page.take("activate")
    assert not offers_it() and 'data-put="p2: activate' not in page.text, "the opponent may respond, in Taro's turn"
    page.post(line="p2: pass")
    assert page.questions[0] == "What does Taro do?" and not offers_it(), "once in a turn"
