"""The subjects of a check, in words for each viewer: cards with the entry that brought them, effects with cards."""

from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.law.clause import Clause, ClauseCheck, Count, EffectRef, FrameRef
from domain.law.entries import Entry, Played, fold_entries
from domain.law.law import Law
from domain.law.slots import Action
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, CardId, EffectId, FrameId, Seat
from projections.findings import about_words, render_shaped
from projections.rows import plain
from projections.thing_history import arrivals
from projections.why import CheckSubject, reasons, why, why_not
from tests.formats.tables import SCHEMA, TABLE, card
from tests.projections.records import GAME, P1, P2, RULES, laid_out, play
from tests.shelves import seen_by

SOLDIER = card("S4", "p1.soldiers")
EFFECT = replace(TABLE.effects[0], source=TABLE.effects[0].on[0])
ON_TABLE = TABLE.with_changes(effects=(EFFECT,))
HELD = card("H8", "p1.hand")
RESOLVED = 4


def about(viewer: Seat, *subjects: object) -> tuple[CheckSubject, ...]:
    step = ClauseCheck(Clause("BP-4.2"), False, tuple(subjects))  # type: ignore[arg-type]
    (reason,) = reasons(TableViewer(Physics(SCHEMA), viewer), ON_TABLE, (step,))
    return reason.about


def about_texts(viewer: Seat, *subjects: object) -> list[tuple[str, str]]:
    return [(about_words(GAME, one, "en", {}), about_words(GAME, one, "ja", {})) for one in about(viewer, *subjects)]


def test_an_effect_is_named_by_its_number_and_its_card() -> None:
    face = GAME.rulebook.word("S4", "en")
    assert about_texts(SPECTATOR, EffectRef(EFFECT.id)) == [(f"effect 1 of {face}", f"{face}の効果1")]
    assert about_texts(SPECTATOR, EffectRef(EffectId(9))) == [("effect 9", "効果9")]
    assert about(P1, EffectRef(EFFECT.id)) == (CheckSubject(kind="effect", name="1", face="S4", effect=1),)


def test_an_effect_of_a_card_that_a_viewer_does_not_know_has_no_face() -> None:
    hidden = TABLE.with_changes(effects=(replace(EFFECT, source=replace(EFFECT.source, card=HELD, thing=HELD + 50)),))
    step = ClauseCheck(Clause("BP-4.2"), False, (EffectRef(EFFECT.id),))
    faces = {
        viewer: reasons(TableViewer(Physics(SCHEMA), viewer), hidden, (step,))[0].about[0].face
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
    assert about_texts(P2, HELD, CardId(999)) == [("?", "?"), ("?", "?")]


def summon() -> list[Entry]:
    entries = laid_out({"p1.hand": "S4 H7 H9", "p1.bulwarks": "D2", "p2.hand": "S5"})
    return play(entries, "p1: summon_soldier S4 D2", "pp", "p1: attack", "pp")


def parse(entries: list[Entry], text: str) -> tuple[Seat, Action]:
    return parse_action(GAME, fold_entries(entries), text)


def test_why_not_says_since_when_a_card_lies_where_it_lies() -> None:
    entries = summon()
    (actor, action) = parse(entries, "p1: designate_attackers S4")
    for viewer in (P1, JUDGE, SPECTATOR):
        answer = why_not(*seen_by(GAME, entries, viewer), len(entries), actor, action)
        subjects = [one for step in answer.consulted for one in step.about if one.face == "S4"]
        assert subjects and {one.since for one in subjects} == {RESOLVED}
        thing, face = subjects[0].thing, GAME.rulebook.word("S4", "en")
        assert about_words(GAME, subjects[0], "en", {}) == f"{face} (u{thing}, since entry {RESOLVED})"
        assert about_words(GAME, subjects[0], "ja", {}) == f"{face}（u{thing}、記録{RESOLVED}から）"


def test_what_a_viewer_could_not_follow_came_from_nowhere() -> None:
    entries = summon()
    table = fold_entries(entries)
    laid = next(card for card, piece in table.pieces.items() if piece.face == "D2" and piece.place == "p1.bulwarks")
    things = {table.pieces[laid].thing, 10_000}
    assert arrivals(*seen_by(GAME, entries, P1), len(entries), things) == {table.pieces[laid].thing: 1}


LAW = Law(GAME, RULES)
VIEWERS = (P1, P2, SPECTATOR, JUDGE)
THROWN = {"p1.hand": "S2 CK S4", "p1.bulwarks": "D2"}


def explain(entries: list[Entry], viewer: Seat, number: int | None = None) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for noted in why(*seen_by(GAME, entries, viewer), number or len(entries)).shaped:
        found.setdefault(noted.clause, []).append([one.name for one in noted.about])
    return found


def countered(key: str) -> list[Entry]:
    entries = laid_out({"p1.hand": "H8 C2", "p1.soldiers": "D3", "p2.hand": f"{key} D4"})
    return play(entries, "p1: up H8 C2 D3", "p1: pass", f"p2: counter {key} D4 @up", "p2: pass", "p1: pass")


def test_a_counter_that_did_nothing_is_named_to_everybody_in_both_languages() -> None:
    entries = countered("C5")
    seen = [why(*seen_by(GAME, entries, viewer), len(entries)).shaped for viewer in VIEWERS]
    assert [noted.clause for noted in seen[0]] == ["BP-9.17"] and seen == [seen[0]] * len(VIEWERS)
    english, japanese = (plain(render_shaped(seen[0], LAW, lang, {}, 1)) for lang in ("en", "ja"))
    assert (
        english.startswith("  BP-9.17 If its number is too low for a target with one key card") and "5, 8]" in english
    )
    assert japanese.startswith("  BP-9.17 ") and "カウンター" in japanese and "5, 8]" in japanese


def test_a_number_is_said_layer_by_layer() -> None:
    entries = laid_out({"p1.hand": "H8 C2", "p1.soldiers": "D3", "p2.hand": "S5"})
    entries = play(entries, "p1: up H8 C2 D3", "pp", "p1: attack", "pp", "p1: designate_attackers D3", "pp")
    entries = play(entries, "p2: designate_blockers", "pp")
    noted = why(*seen_by(GAME, entries, SPECTATOR), len(entries)).shaped
    assert [(one.value, [layer.n for layer in one.layers]) for one in noted if one.layers] == [(11, [3, 8])]
    said = plain(render_shaped([one for one in noted if one.layers], LAW, "en", {}, 0)).splitlines()[1].split()
    assert said[:3] == ["11", "=", "3"] and "+8" in said and said[-1] == "BP-12.1)"


def test_what_was_noted_of_the_checks_goes_to_who_acted_and_to_the_judge() -> None:
    entries = laid_out({"p1.hand": "H8 C2", "p2.soldiers": "D3"})
    entries = play(entries, "p1: up H8 C2 D3")
    assert {viewer: "BP-5.11" in explain(entries, viewer) for viewer in VIEWERS} == {
        P1: True, P2: False, SPECTATOR: False, JUDGE: True,
    }  # fmt: skip


def test_what_hangs_on_a_hidden_card_is_named_to_those_who_know_it() -> None:
    """Thirteen damage takes a jack below the top of its owner's grave, so no card is called."""
    entries = laid_out(
        {"p1.hand": "S2 CK", "p2.life": "C5 C6 HJ " + " ".join(f"D{n}" for n in range(2, 11)) + " S3 S5"}
    )
    entries = play(entries, "p1: throwing S2,CK p2", "pp")
    named = {
        viewer: ["HJ"] in [words[0].split()[-1:] for words in explain(entries, viewer).get("BP-7.39", [])]
        for viewer in VIEWERS
    }
    assert named == {P1: False, P2: True, SPECTATOR: False, JUDGE: True}


def test_where_the_law_would_tell_something_else_today_nothing_is_named() -> None:
    entries = countered("C5")
    last = entries[-1]
    assert isinstance(last, Played) and explain(entries, JUDGE)
    other = replace(last, told=last.told[1:])
    assert {viewer: explain([*entries[:-1], other], viewer) for viewer in VIEWERS} == {viewer: {} for viewer in VIEWERS}


def test_what_was_recorded_as_played_is_shaped_as_well() -> None:
    entries = laid_out({"p1.hand": "", "p1.soldiers": "D3", "p2.hand": ""})
    entries = play(entries, "p2: set_bulwark !")
    assert list(explain(entries, SPECTATOR)) == ["BP-6.15", "BP-6.3"]


def test_an_entry_that_is_no_action_is_shaped_by_nothing() -> None:
    assert explain(laid_out({}), JUDGE) == {}


def test_why_not_names_what_shapes_its_answer() -> None:
    entries = laid_out({"p1.hand": "H8 C2", "p2.soldiers": "D3"})
    actor, action = parse(entries, "p1: up H8 C2 D3")
    assert [noted.clause for noted in why_not(*seen_by(GAME, entries, P1), 1, actor, action).shaped] == ["BP-5.11"]
    assert why_not(*seen_by(GAME, entries, SPECTATOR), 1, actor, action).shaped == ()


def test_what_permits_is_not_named_where_something_else_forbids() -> None:
    entries = laid_out({"p1.hand": "H8 C2 D5", "p2.soldiers": "D3"})
    actor, action = parse(entries, "p1: up D5 C2 D3")
    refused = why_not(*seen_by(GAME, entries, P1), 1, actor, action)
    assert not refused.allowed and refused.shaped == ()
