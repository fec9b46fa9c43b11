"""Late knowledge on small constructed tables: how far back a face belongs to the same card."""

from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry, Gap, Played, Rewound, Undealt
from domain.law.late_faces import collect_late_faces
from domain.table import facts as F
from domain.table.redact import LateFace
from domain.table.schema import Area, Schema, Visibility, same_for_all
from domain.table.table import CardId, Place, Seat, blank
from recorder.codec import raw_action
from tests.projections.records import GAME

P1 = Seat("p1")
HAND, DECK, FIELD, AWAY = Place("p1.hand"), Place("p1.deck"), Place("field"), Place("away")
SCHEMA = Schema(
    areas=(
        Area("hand", True, "bag", Visibility("all", "all", "count")),
        Area("deck", True, "pile", same_for_all("count")),
        Area("field", False, "row", same_for_all("each")),
        Area("away", False, "bag", same_for_all("each")),
    )
)
A, B, C, D = (CardId(number) for number in range(1, 5))


def record(*told: tuple[F.AnyFact, ...] | Rewound, deck: int = 4) -> list[Entry]:
    cards = tuple(CardId(number) for number in range(1, deck + 1))
    created = F.Created(DECK, cards, (None,) * deck, P1)
    opened = Undealt(
        game="toy", version="1", rules={}, rules_hash="", schema=SCHEMA, seats=(P1,), told=((BY_HAND, created),)
    )
    return [opened, *(entry if isinstance(entry, Rewound) else hand(*entry) for entry in told)]


def hand(*facts: F.AnyFact) -> Corrected:
    return Corrected(by="j", reason="seen", told=tuple((BY_HAND, fact) for fact in facts))


def move(card: CardId, to: Place) -> tuple[F.AnyFact, ...]:
    return (F.Moved((card,), to),)


def learn(card: CardId, face: str | None = "H8") -> tuple[F.AnyFact, ...]:
    return (F.Identified((card,), (face,)),)


def late_faces(entries: list[Entry], card: CardId) -> dict[int, LateFace]:
    return {number: cards[card] for number, cards in sorted(collect_late_faces(entries).items()) if card in cards}


def test_a_face_belongs_to_its_card_since_it_lay_in_the_deck() -> None:
    entries = record(move(D, FIELD), move(C, FIELD), learn(D))
    assert late_faces(entries, D) == dict.fromkeys((1, 2, 3), LateFace("H8", 4))
    assert collect_late_faces(entries)[3] == {D: LateFace("H8", 4)}, "of the others nothing was ever told"
    assert 4 not in collect_late_faces(entries), "from then on it is known"


def test_learned_by_hand_and_learned_as_it_is_played_say_the_same() -> None:
    entries = record(move(D, FIELD), (F.Learned(D, "H8"),))
    assert late_faces(entries, D) == dict.fromkeys((1, 2), LateFace("H8", 3))
    _, action = parse_action(GAME, blank((P1,)), "p1: pass")
    entries[-1] = Played(actor=P1, action=raw_action(action), told=((BY_HAND, F.Identified((D,), ("H8",))),))
    assert late_faces(entries, D) == dict.fromkeys((1, 2), LateFace("H8", 3))


def test_a_card_that_joins_others_in_a_hand_might_have_come_before_or_after_them() -> None:
    entries = record(move(D, HAND), move(C, HAND), move(D, FIELD), learn(D))
    assert late_faces(entries, D) == dict.fromkeys((3, 4), LateFace("H8", 5)), (
        "nobody knows which of the two was drawn first"
    )
    entries = record(move(D, HAND), move(D, FIELD), learn(D), move(C, HAND))
    assert late_faces(entries, D) == dict.fromkeys((1, 2, 3), LateFace("H8", 4)), "it was alone there"


def test_where_everybody_follows_each_card_none_is_mixed_up() -> None:
    entries = record(move(D, AWAY), move(C, AWAY), learn(D))
    assert late_faces(entries, D) == dict.fromkeys((1, 2, 3), LateFace("H8", 4))


def test_a_shuffle_that_nobody_saw_ends_what_a_later_face_says() -> None:
    entries = record((F.Arranged(DECK, (A, B, C, D)),), move(D, FIELD), learn(D))
    assert late_faces(entries, D) == dict.fromkeys((2, 3), LateFace("H8", 4))
    entries = record((F.Arranged(DECK, (D, C, B, A), shuffled=False),), move(A, FIELD), learn(A))
    assert late_faces(entries, A) == dict.fromkeys((1, 2, 3), LateFace("H8", 4)), "that order was seen"


def test_what_shows_behind_a_shuffle_says_nothing_of_how_the_pile_lay_before_it() -> None:
    top = (*learn(D), F.Arranged(DECK, (A, B, C, D)), *move(D, FIELD))
    assert late_faces(record(top), D) == {}, "what was seen stands first in an entry"
    assert late_faces(record(move(D, FIELD), learn(D), (F.Arranged(DECK, (A, B, C)),)), D) == {
        1: LateFace("H8", 3),
        2: LateFace("H8", 3),
    }


def test_nobody_can_tell_any_more_holds_for_all_that_lies_with_it() -> None:
    entries = record(
        (*move(D, FIELD), *learn(D)), move(D, HAND), move(C, HAND), learn(D, None), learn(D), learn(C, "S4")
    )
    assert late_faces(entries, D) == {1: LateFace("H8", 2), 5: LateFace("H8", 6)}
    assert late_faces(entries, C) == dict.fromkeys((5, 6), LateFace("S4", 7)), "it may have been the other one"


def test_a_card_out_of_the_middle_of_a_deck_may_be_any_of_them() -> None:
    entries = record(move(B, FIELD), learn(B), learn(D, "S4"))
    assert late_faces(entries, B) == {2: LateFace("H8", 3)}
    assert late_faces(entries, D) == dict.fromkeys((2, 3), LateFace("S4", 4)), "so may those that are left"
    entries = record((F.Moved((C, D), HAND),), (F.Moved((A,), FIELD),), learn(A))
    assert late_faces(entries, A) == dict.fromkeys((1, 2, 3), LateFace("H8", 4)), "from either end everybody sees which"


def test_what_a_rewind_has_undone_tells_nothing() -> None:
    back = Rewound(to=2, reason="", by="j")
    entries = record(move(D, FIELD), learn(D), back, move(C, FIELD), learn(D, "S4"))
    assert late_faces(entries, D) == dict.fromkeys((1, 2, 4, 5), LateFace("S4", 6)), "entry 3 does not count"


def test_of_what_cannot_be_followed_a_gap_leaves_nothing() -> None:
    entries = record(move(D, FIELD), move(C, HAND), move(C, FIELD), learn(D), learn(C, "S4"))
    entries[3:3] = [Gap(by="j", reason="the video stood still", told=((BY_HAND, F.Moved((B,), FIELD)),))]
    entries.append(hand(*learn(B, "C5")))
    assert late_faces(entries, D) == dict.fromkeys((1, 2, 3, 4, 5), LateFace("H8", 6)), "it lay there all the time"
    assert late_faces(entries, C) == dict.fromkeys((4, 5, 6), LateFace("S4", 7))
    assert late_faces(entries, B) == dict.fromkeys((4, 5, 6, 7), LateFace("C5", 8))


def test_a_face_that_was_set_right_was_never_unknown() -> None:
    entries = record(move(D, FIELD), learn(D), learn(D, "S4"))
    assert late_faces(entries, D) == dict.fromkeys((1, 2), LateFace("H8", 3))


def test_a_match_that_was_dealt_learns_nothing() -> None:
    entries = record(move(D, FIELD), learn(D))
    ((_, created),) = entries[0].told  # type: ignore[union-attr]
    dealt = F.Created(created.place, created.cards, ("H8",) * 4, P1)
    entries[0] = replace(entries[0], told=((BY_HAND, dealt),))
    assert collect_late_faces(entries) == {}
