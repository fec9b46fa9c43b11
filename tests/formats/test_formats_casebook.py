"""The casebook: files accepted or refused with file, case and key; positions built; steps played, failures reported."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from domain.formats.casebook import Case, Failure, Report, load_casebook, run_case
from domain.formats.casebook.run import begin
from domain.formats.casebook.start_position import Position
from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.law.entries import Entry
from domain.table.table import CardId, Obj, Place, Seat, Todo
from tests.formats.matches import play
from tests.formats.tables import GAME
from tests.rows import for_each

SEATS = (Seat("p1"), Seat("p2"))
"""A game without rules or a card list."""

FIXTURES = Path(__file__).parents[2] / "fixtures"
HEAD = """
game = "blackpoker"
version = "8.1-lite-seed"
[given]
turn = 5
active = "p1"
first = "p1"
awaited = ["p1"]
phase = "play"
places = { "p1.life" = ["x12"], "p2.life" = ["x12"] }
"""


def case(body: str, head: str = HEAD) -> Case:
    return load_casebook(f'{head}\n[[case]]\nid = "c"\n{body}', "my.cases.toml").cases[0]


def run(body: str, head: str = HEAD) -> Report:
    return run_case(case(body, head), GAME)


def failure(body: str, head: str = HEAD) -> Failure:
    report = run(body, head)
    assert report.failure is not None
    assert not report.passed
    return report.failure


def position(body: str, head: str = HEAD) -> Position:
    scene = begin(case(body, head), GAME)
    return Position(scene.table, scene.labels)


@for_each(
    "text, line, message",
    [
        ('game = "blackpoker"\nx = [1,\n', 3, "Invalid value"),
        ("game = 3 = 4", 1, ""),
        ('game = "blackpoker"', 1, "at least one [[case]]"),
        ("[[case]]\nid='a'", 1, "the key game is missing"),
        (f'{HEAD}[[case]]\nen = "x"', 11, "case 1: the key id is missing"),
        (f'{HEAD}[[case]]\nid = "c"\n[[case]]\nid = "c"', 13, "case c: this id appears twice"),
        (f'colour = "red"\n{HEAD}', 1, "there is no key 'colour'"),
        (f'{HEAD}[[case]]\nid = "c"\nclauze = []', 11, "case c: there is no key 'clauze' (did you mean clauses?)"),
        (f'{HEAD}[[case]]\nid = "c"\n[case.given]\nplase = 1', 11, "case c: given: there is no key 'plase'"),
        (f'{HEAD}[[case]]\nid = "c"\n[[case.step]]\nwhen = []\nthen.refuse = "x"', 11, "step 1 then: there is no key"),
        (
            f'{HEAD}[[case]]\nid = "c"\n[[case.step]]\nwhen = "pp"',
            11,
            "case c: Expected `array`, got `str` - at `step 1.when`",
        ),
        (f'{HEAD}[[case]]\nid = "c"\n[[case.step]]\nwhen = []\nthen.refused = "BP-4.2"', 11, "refused needs an action"),
        (f'{HEAD}[[case]]\nid = "c"\ngiven.match = "a"\ngiven.set_up = {{}}', 11, "cannot be used together"),
        (f'{HEAD}[[case]]\nid = "c"\ngiven.at = 3', 11, "at needs a match"),
    ],
)
def test_files_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_casebook(text, "my.cases.toml")
    assert caught.value.name == "my.cases.toml"
    assert message in caught.value.message
    assert caught.value.line == line


def test_given_is_laid_over() -> None:
    found = case('given.places."p1.life" = ["x3"]\ngiven.turn = 6\nset = { "hand.limit" = 5 }').given
    assert found.places == {"p1.life": ("x3",), "p2.life": ("x12",)}
    assert (found.turn, found.active) == (6, "p1")
    assert case("given.set_up = {}").given.places == {}


def test_pieces() -> None:
    built = position(
        """
        [case.given.places]
        "p1.soldiers" = ["a = D3 driven entered=5", "+ k = D7", "S4 by=p2 seen=* thing=77"]
        "p1.grave" = ["? up", "C5 tied=a"]
        "stage" = ["H8 owner=p2"]
        """
    )
    table, labels = built.table, built.labels
    a, k = labels.cards["a"], labels.cards["k"]
    soldiers = [table.pieces[card] for card in table.places[Place("p1.soldiers")]]
    assert [one.face for one in soldiers] == ["D3", "D7", "S4"]
    assert (soldiers[0].stance, soldiers[0].marks, soldiers[0].up) == (1, {"entered": 5}, True)
    assert soldiers[1].host == a != k
    assert (soldiers[2].controller, soldiers[2].seen, soldiers[2].thing) == ("p2", ("*",), 77)
    grave = [table.pieces[card] for card in table.places[Place("p1.grave")]]
    assert (grave[0].face, grave[0].up, grave[1].up, grave[1].host) == (None, True, False, a)
    assert table.pieces[table.places[Place("stage")][0]].owner == "p2"
    assert sorted(table.pieces) == list(range(1, len(table.pieces) + 1))
    assert table.minted == max(piece.thing for piece in table.pieces.values())


def test_fillers_are_plain_cards_of_the_deck_that_are_left() -> None:
    table = position('given.places."p1.hand" = ["S2", "H8"]').table
    life = [table.pieces[card].face for card in table.places[Place("p1.life")]]
    assert life == ["S3", "S4", "S5", "H9", "H10", "D3", "D7", "D10", "C5", "C6", "C10", "SA"]


def test_frames_and_effects() -> None:
    built = position(
        """
        [case.given.places]
        "p1.soldiers" = ["a = D3"]
        "p1.fog" = ["f = H8"]
        "p2.soldiers" = ["b = S4"]
        [[case.given.frame]]
        kind = "choose_grave_top"
        by = "p1"
        frames = ["end"]
        cards = ["f"]
        [[case.given.frame]]
        kind = "end"
        by = "p1"
        step = "clear"
        label = "end"
        pairs = ["b>a was 90"]
        objs = ["gone 95", "a"]
        todo = ["p1 0.2"]
        [[case.given.effect]]
        kind = "up"
        by = "p1"
        source = "f"
        on = ["a"]
        until = "turn"
        numbers = [8]
        """
    )
    table, cards = built.table, built.labels.cards
    (end,), (asked,), (effect,) = table.stack, table.asked, table.effects
    assert (asked.id, asked.frames, asked.cards) == (1, (2,), (cards["f"],))
    a, b = (Obj(cards[one], table.pieces[cards[one]].thing) for one in "ab")
    assert end.pairs == ((b, Obj(cards["a"], 90)),)
    assert end.objs == (Obj(CardId(0), 95), a)
    assert end.todo == (Todo((0, 2), Seat("p1")),)
    assert (effect.on, effect.numbers, table.begun, table.framed, table.minted) == ((a,), (8,), 1, 2, 95)


@for_each(
    "body, message",
    [
        ('given.places."p1.hnad" = []', "did you mean p1.hand"),
        ('given.places."p3.hand" = []', "there is no place 'p3.hand'"),
        ('given.places."p1.hand" = ["S4 asleep"]', "there is no word 'asleep'"),
        ('given.places."p1.hand" = ["S4 size=3"]', "there is no mark of a card 'size'"),
        ('given.places."p1.hand" = ["S4 entered=x"]', "whole number"),
        ('given.places."p1.hand" = ["S4 owner=p3"]', "there is no seat 'p3'"),
        ('given.places."p1.hand" = [""]', "has no face"),
        ('given.places."p1.hand" = ["+S4"]', "there is none"),
        ('given.places."p1.hand" = ["x99"]', "exceeds the rest of the deck"),
        ('given.places."p1.hand" = ["x999"]', "stands for 1 to"),
        ('given.places."p1.hand" = ["S4 tied=b"]', "there is no label 'b'"),
        ('given.places."p1.hand" = ["a = S4", "a = S5"]', "label a appears twice"),
        ('given.places."p1.hand" = ["S4 thing=1", "S5 thing=1"]', "the same thing number"),
        ('given.places.stage = ["S4"]', "needs owner"),
        ('given.phase = "night"', "set_up, play"),
        ('given.awaited = ["p3"]', "awaited: there is no seat 'p3'"),
        ("given.seats.p1 = { attack = 1 }", "attack"),
        ('given.frame = [{ kind = "attak", by = "p1" }]', "did you mean attack"),
        ('given.frame = [{ kind = "attack", by = "p1", lane = "asked" }]', "does not belong in lane"),
        ('given.frame = [{ kind = "attack", by = "p1", step = "fog" }]', "there is no step 'fog'"),
        ('given.frame = [{ kind = "attack", by = "p3" }]', "frame 1 (attack): there is no seat"),
        ('given.frame = [{ kind = "attack", by = "p1", frames = ["x"] }]', "label of a frame"),
        ('given.frame = [{ kind = "up", by = "p1", objs = ["S9"] }]', "frame 1 (up): there is no card 'S9'"),
        ('given.frame = [{ kind = "up", by = "p1", pairs = ["S9"] }]', "one>other"),
        ('given.frame = [{ kind = "up", by = "p1", todo = ["p1"] }]', "write todo"),
        ('given.effect = [{ kind = "fly", by = "p1" }]', "effect 1 (fly): there is no effect"),
        ('given.effect = [{ kind = "up", by = "p1", until = "noon" }]', "noon"),
        ("given.set_up.p3 = []", "there is no seat 'p3'"),
        ('given.set_up.p1 = ["S9"]', "the deck of p1 has no S9 left"),
        ('given.match = "a.jsonl"', "not available here"),
        ('version = "9"', "has no version '9'"),
        ('set = { "hand.limit" = "many" }', "ruleset"),
        ('clauses = ["BP-99.9"]', "there is no clause 'BP-99.9'"),
    ],
)
def test_positions_that_cannot_be(body: str, message: str) -> None:
    found = failure(body)
    assert (found.step, found.what) == (0, "position")
    assert message in found.found


STEP = '[case.given.places]\n"p1.hand" = ["S4", "S2"]\n"p1.bulwarks" = ["b = C6"]\n[[case.step]]\nwhen = [%s]\n'


@for_each(
    "when, then",
    [
        (
            '"p1: summon_soldier S4 b", "pp"',
            'then.places."p1.soldiers" = ["n = S4 entered=5"]\n[[case.step]]\n'
            'when = ["p1: end", "pp"]\nthen.places."p1.soldiers" = ["n"]',
        ),
        ('"p2: summon_soldier S4 b"', 'then.refused = "BP-4.2"\nthen.places."p1.hand" = ["S2", "S4"]'),
        ('"p1: attack", "p1: attack"', 'then.refused = "BP-4.4"\nthen.stack = ["attack"]'),
        (
            '"p1: pass"',
            'then = { awaited = ["p2"], passed = ["p1"], turn = 5, active = "p1", first = "p1", '
            'phase = "play", step = "" }',
        ),
        (
            '"p1: pass"',
            'then.count."p1.life" = 12\nthen.has."p1.hand" = ["S4"]\nthen.has_not."p1.hand" = ["H8"]\nthen.result = {}',
        ),
        (
            '"p1: pass"',
            'then.views = [{ viewer = "p2", place = "p1.hand", count = 2, cards = [] }, '
            '{ viewer = "p1", place = "p1.hand", cards = ["S2", "x ?"] }]',
        ),
        ('"p1: concede"', 'then.result = { winners = ["p2"] }'),
        ('"p1: attack"', 'then.seats.p1 = { attacks = 1 }\nthen.told = ["push"]\nthen.untold = ["move", "BP-8.5"]'),
        (
            "",
            'then = { actor = "p1", offers = ["summon_soldier S4 b"], '
            'no_offers = ["summon_soldier S2 -", "p2: pass"] }',
        ),
    ],
)
def test_steps_that_hold(when: str, then: str) -> None:
    report = run(STEP % when + then)
    assert report.passed, report.failure


def test_played_all_the_same() -> None:
    body = STEP % '"p2: attack"' + "as_played = true\n"
    assert run(body + 'then.violations = ["BP-4.2", "BP-4.4"]').failure == run(body + "").failure is None
    found = failure(body + "then.violations = []")
    assert (found.what, set(found.found)) == ("violations", {"BP-4.2", "BP-4.4"})


@for_each("when, then, what", [
        ('"p1: summon_soldier S2 -"', "", "when 'p1: summon_soldier S2 -'"),
        ('"p1: fly"', "", "when 'p1: fly'"),
        ('"p1: pass"', 'then.refused = "BP-4.2"', "refused"),
        ('"p2: pass"', 'then.refused = "BP-4.4"', "refused"),
        ('"p1: pass"', 'then.awaited = ["p1"]', "awaited"),
        ('"p1: pass"', "then.turn = 6", "turn"),
        ('"p1: pass"', 'then.stack = ["attack"]', "stack"),
        ('"p1: pass"', 'then.asked = ["p1 choose_discards"]', "asked"),
        ('"p1: pass"', 'then.count."p1.hand" = 3', "count p1.hand"),
        ('"p1: pass"', 'then.has."p1.hand" = ["S4", "S4"]', "has p1.hand"),
        ('"p1: pass"', 'then.has_not."p1.hand" = ["S4"]', "has_not p1.hand"),
        ('"p1: pass"', 'then.places."p1.hand" = ["S4", "H8"]', "places p1.hand"),
        ('"p1: pass"', 'then.places."p1.hand" = ["S4"]', "places p1.hand"),
        ('"p1: pass"', 'then.places."p1.hand" = []', "places p1.hand"),
        ('"p1: pass"', 'then.places."p1.bulwarks" = ["C6 driven"]', "places p1.bulwarks"),
        ('"p1: pass"', 'then.places."p1.hat" = []', "places"),
        ('"p1: pass"', "then.seats.p1 = { attacks = 1 }", "seats p1 attacks"),
        ('"p1: pass"', "then.seats.p1 = { jumps = 1 }", "seats"),
        ('"p1: pass"', 'then.result = { winners = ["p1"] }', "result"),
        ('"p1: concede"', "then.result = {}", "result"),
        ('"p1: concede"', 'then.result = { winners = ["p1"] }', "result winners"),
        ('"p1: concede"', 'then.result = { reason = "odd" }', "result reason"),
        ('"p1: concede"', 'then.result = { clause = "BP-4.2" }', "result clause"),
        ('"p1: attack"', 'then.told = ["move"]', "told"),
        ('"p1: attack"', 'then.told = ["moved"]', "told"),
        ('"p1: attack"', 'then.untold = ["push"]', "untold"),
        ('"p1: pass"', 'then.offers = ["p1: pass"]', "offers"),
        ('"p1: pass"', 'then.no_offers = ["p2: pass"]', "no_offers"),
        ('"p1: pass"', 'then.readings = { "b colour" = 3 }', "readings"),
        ('"p1: pass"', 'then.readings = { "b component" = "ace" }', "readings b component"),
        ('"p1: pass"', 'then.views = [{ viewer = "p2", place = "p1.hand", count = 3 }]', "views p2 p1.hand count"),
        ('"p1: pass"', 'then.views = [{ viewer = "p2", place = "p1.life", count = 12 }]', "views p2 p1.life count"),
        ('"p1: pass"', 'then.views = [{ viewer = "p2", place = "p1.hand", cards = ["S4"] }]', "views p2 p1.hand cards"),
        ('"p1: pass"', 'then.views = [{ viewer = "p7", place = "p1.hand" }]', "views"),
    ])  # fmt: skip
def test_steps_that_do_not_hold(when: str, then: str, what: str) -> None:
    found = failure(STEP % when + then)
    assert (found.step, found.what) == (1, what)


def test_a_report_says_what_was_claimed_and_witnessed() -> None:
    report = run('clauses = ["BP-4.2", "BP-8.5"]\n[[case.step]]\nwhen = ["p2: pass"]\nthen.refused = "BP-4.2"')
    assert report.claimed == ("BP-4.2", "BP-8.5")
    assert "BP-4.2" in report.witnessed
    assert "BP-8.5" not in report.witnessed


def test_a_refusal_nobody_expected_says_where_the_cards_lie_that_it_is_about() -> None:
    late = """given.places."p1.soldiers" = ["late = S4"]
given.places."p1.grave" = ["dead = D3 up"]
[[case.step]]
when = ["p1: attack", "pp", "p1: designate_attackers dead"]"""
    of_a_card, of_a_seat = failure(late).found, failure('[[case.step]]\nwhen = ["p2: attack"]').found
    assert of_a_card.say("en").startswith("refused by BP-7.") and of_a_card.say("en").endswith(" (about D3@p1.grave)")
    assert of_a_card.say("ja").endswith("（対象：D3@p1.grave）")
    assert of_a_seat.say("en").startswith("refused by BP-4.2") and "about" not in of_a_seat.say("en")


def test_a_case_may_begin_with_a_recorded_match() -> None:
    entries = play(GAME, GAME.versions["8.1-lite-seed"], "8.1-lite-seed", 3, 9, 0.0)

    def loader(path: str) -> list[Entry]:
        if path != "m.jsonl":
            raise FileNotFoundError(path)
        return entries

    body = 'given.match = "m.jsonl"\ngiven.at = %d\n[[case.step]]\nwhen = []\n'
    body += 'then.turn = 0\nthen.asked = ["chance shuffle_deck"]'
    assert run_case(case(body % 2), GAME, loader).passed
    for wrong in (body % 99, body.replace("m.jsonl", "n.jsonl") % 2):
        report = run_case(case(wrong), GAME, loader)
        assert report.failure is not None
        assert report.failure.what == "position"


def test_a_case_of_no_game_there_is_fails_and_says_so() -> None:
    report = run_case(case('[[case.step]]\nwhen = ["pp"]'), None)
    assert report.failure is not None and report.failure.what == "game"


FILES = sorted(FIXTURES.glob("*/*/*.cases.toml"))
TEXTS = [path.read_text(encoding="utf-8") for path in FILES if "blackpoker" in str(path)]


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_a_damaged_casebook_is_read_or_refused(seed: int) -> None:
    random = Random(seed)
    lines = random.choice(TEXTS).split("\n")
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, random.choice(lines))
        elif kind == 2:
            words = lines[at].split('"')
            random.shuffle(words)
            lines[at] = '"'.join(words)
        else:
            lines[at] = lines[at].replace(random.choice("SHDC123=,p "), random.choice(["", "x", "9", "S", '"']), 1)
    try:
        book = load_casebook("\n".join(lines), "damaged")
    except FormatError as error:
        assert error.name == "damaged"
        return
    for one in book.cases[:6]:
        report = run_case(one, GAMES.get(book.game))
        assert report.passed == (report.failure is None)
