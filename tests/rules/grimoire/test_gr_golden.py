"""The golden rules: a prohibition is reported with the entry that introduced it; text without a card; cards without
text.

Words that no sample card has are tested where they are carried out.
"""

from collections.abc import Mapping, Sequence

from domain.formats.actions import parse_action
from domain.games.grimoire import GAME, clauses as C, text as T
from domain.games.grimoire.effects.instructions import PERFORM
from domain.games.grimoire.rules import Rules
from domain.law.clause import BY_HAND, CitedFacts, Clause
from domain.law.driver import decide
from domain.law.entries import Corrected, Entry, Opened, Played, fold_entries
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.law.outcome import Accepted, Outcome
from domain.law.rulesets import digest, values
from domain.table import facts as F
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, CardId, Clock, Frame, FrameId, Obj, Place, Seat, Todo
from projections.why import WhyNot, why_not
from recorder.codec import raw_action
from tests.rows import for_each
from tests.shelves import seen_by

RULES = Rules()
P1, P2 = Seat("p1"), Seat("p2")
SPENDED = 1
BANNED = 3
"""Entry that brings the prohibiting card, after the opening and the entry that spends the target."""


def laid_out(field: Mapping[Seat, str], active: Seat = P1, phase: str = "main", step: str = "priority") -> list[Entry]:
    told: list[tuple[Clause, F.AnyFact]] = []
    made = 0
    for seat, character in ((P1, "C01"), (P2, "C02")):
        for place, row in (
            (f"{seat}.personal", (character,)),
            ("field", tuple(field.get(seat, "").split())),
            (f"{seat}.hand", ("S29",)),
            (f"{seat}.bookmark", ("S38", "S01")),
            (f"{seat}.grimoire", ("S01", "S02", "S15")),
        ):
            cards = tuple(map(CardId, range(made + 1, made + len(row) + 1)))
            made += len(row)
            if row:
                told.append((C.DECK_SEPARATED, F.Created(Place(place), cards, row, seat)))
            if row and (place == "field" or place.endswith("personal")):
                told.append((C.DECK_SEPARATED, F.Turned(cards, up=True)))
        told += [(C.INITIAL_OD, F.Marked(seat, name, 5)) for name in ("od", "mana", "capacity", "chroma.R", "chroma.B")]
    told.append((C.TURNS_ALTERNATE, F.Clocked(Clock(7, active, P1, phase, step, (P1,)))))
    return [
        Opened(
            game=GAME.key,
            version="1",
            rules=values(RULES),
            rules_hash=digest(RULES),
            schema=GAME.schema(RULES),
            seats=(P1, P2),
            decks={P1: (), P2: ()},
            match="golden",
            told=tuple(told),
        )
    ]


def by_hand(entries: list[Entry], *facts: F.AnyFact) -> list[Entry]:
    told: CitedFacts = tuple((BY_HAND, fact) for fact in facts)
    return [*entries, Corrected(by="judge", reason="seen on the table", told=told)]


def brought(entries: list[Entry], face: str, seat: Seat) -> list[Entry]:
    card = CardId(1 + max(fold_entries(entries).pieces))
    return by_hand(entries, F.Created(Place("field"), (card,), (face,), seat), F.Turned((card,), up=True))


def held_against(entries: list[Entry], text: str, viewer: Seat) -> WhyNot:
    actor, action = parse_action(GAME, fold_entries(entries), text)
    return why_not(*seen_by(GAME, entries, viewer), len(entries), actor, action)


def try_line(entries: list[Entry], text: str) -> Outcome:
    table = fold_entries(entries)
    actor, action = parse_action(GAME, table, text)
    return decide(Law(GAME, RULES), table, actor, action)


def spended(entries: list[Entry], *faces: str) -> list[Entry]:
    pieces = fold_entries(entries).pieces
    return by_hand(entries, F.Stanced(tuple(one for one, piece in pieces.items() if piece.face in faces), SPENDED))


FORBIDDEN = [
    ("S06", P1, "p1: play S06 S15"),
    ("S62", P1, "p1: play S62 C02"),
    ("S25", P2, "p1: od_explosion S15 draw"),
    ("S35", P2, "p1: od_explosion S15 bookmark S38"),
    ("S35", P1, "p1: od_explosion S15 bookmark S38"),
]
"""A card, its owner, and its prohibition: for itself, or for players."""


@for_each("face, whose, text", FORBIDDEN)
@for_each("viewer", [P1, P2, SPECTATOR, JUDGE])
def test_1_5_why_not_names_the_card_that_forbids_and_since_when(
    face: str, whose: Seat, text: str, viewer: Seat
) -> None:
    start = spended(laid_out({P1: "S03", P2: "S15"}), "S15")
    assert isinstance(try_line(start, text.replace(face, "S03")), Accepted)
    entries = brought(start, face, whose)
    refused = try_line(entries, text)
    assert not isinstance(refused, Accepted) and refused.clause == C.CARD_FORBIDS
    answer = held_against(entries, text, viewer)
    assert not answer.allowed and answer.failing[0].clause == C.CARD_FORBIDS
    named = [one for one in answer.failing[0].about if one.face == face]
    assert len(named) == 1 and named[0].kind == "card"
    assert named[0].since == len(entries) == BANNED


def test_1_5_a_spell_that_cannot_be_targeted_is_named_itself() -> None:
    entries = spended(brought(laid_out({P1: "S01"}), "S16", P2), "S16")
    (failing, *_) = held_against(entries, "p1: play S01 S16", P1).failing
    assert failing.clause == C.CARD_FORBIDS
    assert {(one.face, one.since) for one in failing.about} == {("S16", BANNED - 1)}
    assert held_against(entries, "p2: play S16 C01", P1).failing[0].clause == C.PRIORITY


def test_1_5_taking_a_bookmark_card_is_forbidden_in_the_trance_phase_too() -> None:
    start = laid_out({}, phase="trance", step="trance_choice")
    assert isinstance(try_line(start, "p1: trance_buy_bookmark S38"), Accepted)
    entries = brought(start, "S35", P2)
    for viewer in (P1, JUDGE):
        (failing,) = held_against(entries, "p1: trance_buy_bookmark S38", viewer).failing
        assert failing.clause == C.CARD_FORBIDS
        assert [(one.face, one.since) for one in failing.about] == [("S35", len(entries))]


def test_1_4_a_card_permits_what_the_rules_do_not() -> None:
    start = laid_out({P1: "S01"}, active=P2)
    refused = try_line(start, "p1: play S01 C02")
    assert not isinstance(refused, Accepted) and refused.clause == C.OFFTURN_EXTENDED_CHARACTER
    answer = held_against(brought(start, "S10", P1), "p1: play S10 C02", SPECTATOR)
    assert answer.allowed
    assert [step.holds for step in answer.consulted if step.clause == C.CARD_OVER_RULE] == [True]


def deck_refused(faces: Sequence[str]) -> str | None:
    deck = Deck(tuple(faces))
    return next((str(check[0]) for check in GAME.deck_checks(RULES, P1, deck) if not check[1]), None)


def test_2_15_a_deck_of_cards_nobody_knows_is_refused() -> None:
    whole = GAME.named_decks()["ember"].main
    assert deck_refused(whole) is None
    assert deck_refused((*whole[:-1], "S99")) == "GR-2.15"
    assert deck_refused((*whole[:-1], "C02")) == "GR-2.11"


def performed(words: object) -> tuple[CitedFacts, LiveTable]:
    table = fold_entries(laid_out({}))
    live = LiveTable(table)
    mine = next(one for one, piece in table.pieces.items() if piece.face == "C01")
    obj = Obj(mine, table.pieces[mine].thing)
    effect = Frame(
        id=FrameId(1),
        lane="running",
        kind="effect",
        by=P1,
        face="C01",
        objs=(obj,) * 4,
        words=("activate",),
        todo=(Todo((0, 0), P1),),
    )
    PERFORM[type(words)](RULES, live, effect, P1, words)
    return live.facts, live


@for_each("words", [T.Move("your_character", "hand"), T.Junk("your_character"), T.Void("your_character", "forever")])
def test_3_13_a_character_is_not_moved_by_an_instruction(words: object) -> None:
    told, after = performed(words)
    assert told == ()
    assert [after.pieces[one].face for one in after.places[Place("p1.personal")]] == ["C01"]


def test_12_5_breaking_a_character_is_beating_it() -> None:
    told, after = performed(T.Break("your_character"))
    assert told[0] == (C.BEAT, F.Marked(P1, "out", 1))
    assert isinstance(told[-1][1], F.Finished) and after.result is not None and after.result.winners == (P2,)


def test_1_3_what_is_pending_is_dropped_when_one_side_remains() -> None:
    """Two players are beaten together. The second one wins and is unchanged."""
    start = brought(laid_out({}), "S01", P1)
    pieces = fold_entries(start).pieces
    characters = {piece.face: one for one, piece in pieces.items()}
    entries = by_hand(start, F.Marked((characters["C01"],), "damage", 12), F.Marked((characters["C02"],), "damage", 14))
    table = fold_entries(entries)
    actor, action = parse_action(GAME, table, "p1: play S01 C01")
    outcome = decide(Law(GAME, RULES), table, actor, action)
    assert isinstance(outcome, Accepted) and outcome.table.result is not None
    assert outcome.table.result.winners == (P2,) and not outcome.table.seats[P2].get("out")
    played = Played(actor=actor, action=raw_action(action), told=outcome.told)
    refused = try_line([*entries, played], "p2: pass")
    assert not isinstance(refused, Accepted) and refused.clause == C.MATCH_OVER
