"""What a check was about, in words for whoever asks: cards with the entry that brought them, effects with cards."""

from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.law.clause import Clause, Consulted, Count, EffectRef, FrameRef
from domain.law.entries import Entry, fold_entries
from domain.law.slots import Action
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, CardId, EffectId, FrameId, Seat
from projections.findings import about_words
from projections.when import arrivals
from projections.why import About, reasons, why_not
from tests.formats.tables import SCHEMA, TABLE, card
from tests.projections.records import GAME, P1, P2, laid_out, play
from tests.recorded import seen_by

SOLDIER = card("S4", "p1.soldiers")
EFFECT = replace(TABLE.effects[0], source=TABLE.effects[0].on[0])
ON_TABLE = TABLE.but(effects=(EFFECT,))
HELD = card("H8", "p1.hand")
RESOLVED = 4
"""The entry in which the soldier arrives: opened, summoned, passed twice."""


def about(viewer: Seat, *subjects: object) -> tuple[About, ...]:
    step = Consulted(Clause("BP-4.2"), False, tuple(subjects))  # type: ignore[arg-type]
    (reason,) = reasons(Eyes(Physics(SCHEMA), viewer), ON_TABLE, (step,))
    return reason.about


def said(viewer: Seat, *subjects: object) -> list[tuple[str, str]]:
    return [(about_words(GAME, one, "en"), about_words(GAME, one, "ja")) for one in about(viewer, *subjects)]


def test_an_effect_is_named_by_its_number_and_its_card() -> None:
    face = GAME.rulebook.word("S4", "en")
    assert said(SPECTATOR, EffectRef(EFFECT.id)) == [(f"effect 1 of {face}", f"{face}の効果1")]
    assert said(SPECTATOR, EffectRef(EffectId(9))) == [("effect 9", "効果9")]
    assert about(P1, EffectRef(EFFECT.id)) == (About(kind="effect", name="1", face="S4", effect=1),)


def test_an_effect_of_a_card_that_a_viewer_does_not_know_has_no_face() -> None:
    hidden = TABLE.but(effects=(replace(EFFECT, source=replace(EFFECT.source, card=HELD, thing=HELD + 50)),))
    step = Consulted(Clause("BP-4.2"), False, (EffectRef(EFFECT.id),))
    faces = {
        viewer: reasons(Eyes(Physics(SCHEMA), viewer), hidden, (step,))[0].about[0].face
        for viewer in (P1, P2, SPECTATOR)
    }
    assert faces == {P1: "H8", P2: "", SPECTATOR: ""}


def test_the_other_subjects_are_named_as_ever() -> None:
    assert [one.name for one in about(P2, SOLDIER, HELD, Count(3), FrameRef(FrameId(4)), P1, Seat("odd"))] == [
        "u56 S4", "?", "3", "r4", "p1", "odd",
    ]  # fmt: skip
    assert [one.kind for one in about(P2, SOLDIER, Count(3), FrameRef(FrameId(4)), P1, Seat("odd"))] == [
        "card", "number", "frame", "seat", "word",
    ]  # fmt: skip
    assert said(P2, HELD, CardId(999)) == [("?", "?"), ("?", "?")]


def summoned() -> list[Entry]:
    entries = laid_out({"p1.hand": "S4 H7 H9", "p1.bulwarks": "D2", "p2.hand": "S5"})
    return play(entries, "p1: summon_soldier S4 D2", "pp", "p1: attack", "pp")


def parsed(entries: list[Entry], text: str) -> tuple[Seat, Action]:
    return parse_action(GAME, fold_entries(entries), text)


def test_why_not_says_since_when_a_card_lies_where_it_lies() -> None:
    entries = summoned()
    (actor, action) = parsed(entries, "p1: designate_attackers S4")
    for viewer in (P1, JUDGE, SPECTATOR):
        answer = why_not(*seen_by(GAME, entries, viewer), len(entries), actor, action)
        subjects = [one for step in answer.consulted for one in step.about if one.face == "S4"]
        assert subjects and {one.since for one in subjects} == {RESOLVED}
        thing, face = subjects[0].thing, GAME.rulebook.word("S4", "en")
        assert about_words(GAME, subjects[0], "en") == f"{face} (u{thing}, since entry {RESOLVED})"
        assert about_words(GAME, subjects[0], "ja") == f"{face}(u{thing}、エントリー{RESOLVED}から)"


def test_what_a_viewer_could_not_follow_came_from_nowhere() -> None:
    entries = summoned()
    table = fold_entries(entries)
    laid = next(card for card, piece in table.pieces.items() if piece.face == "D2" and piece.place == "p1.bulwarks")
    things = {table.pieces[laid].thing, 10_000}
    assert arrivals(*seen_by(GAME, entries, P1), len(entries), things) == {table.pieces[laid].thing: 1}
