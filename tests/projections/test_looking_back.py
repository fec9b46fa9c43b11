"""Knowledge gained later: shown to a judge at earlier entries, and to no other viewer."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry
from domain.law.law import Law
from domain.law.record import Record, record_of
from domain.law.rulesets import make_ruleset
from domain.table.facts import Learned
from domain.table.redact import LateFace
from domain.table.table import CardId
from projections import retrospective_view
from projections.answers import make_knowledge_answer
from projections.board import board, render_board
from projections.findings import render_reasons
from projections.log_knowledge import read_log_knowledge, render_log_knowledge
from projections.rows import plain
from projections.seen_entries import seen_entries
from projections.stack import stack_history
from projections.stack_rows import render_stack
from projections.steps import board_after, steps
from projections.thing_history import ThingHistory, find_latest_facts, render_traced
from projections.things import things_on
from projections.timeline import render_timeline, timeline
from projections.viewing import find_viewer
from projections.why import list_consulted_clauses
from recorder.answers import RecordResult
from recorder.match_loader import LoadedMatch
from recorder.matches import correct, open_match, rewind
from recorder.store import Store
from tests.recorder.test_real_cards import BP, VERSION, do, match

JSON = msgspec.json.Encoder().encode
SHUFFLED, SET, PASSED, LEARNED = 3, 5, 6, 7
THEN = "(unknown then; H9 by entry 7)"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> LoadedMatch:
    return at_the_table(tmp_path_factory.mktemp("s"))


def at_the_table(folder: Path) -> LoadedMatch:
    store = Store.open(folder / "s.sqlite")
    open_match(store, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
    for line, *shows in (
        ("chance: shuffle_deck p2", "S4", "H10", "C5", "D7"),
        ("p2: set_bulwark", "C6"),
        ("p2: choose_bulwark_card ?",),
        ("p2: pass",),
    ):
        assert isinstance(do(store, line, *shows), RecordResult), line
    table = match(store).table
    for at, face in ((-1, "H9"), (0, "S9")):
        card = table.places["p2.bulwarks"][at]  # type: ignore[index]
        done = correct(store, "m", "judge", "turned over", ((BY_HAND, Learned(card, face)),))
        assert isinstance(done, RecordResult)
    return match(store)


def bulwark(record: LoadedMatch) -> tuple[CardId, int]:
    card = record.after(SET).places["p2.bulwarks"][-1]  # type: ignore[index]
    return card, record.after(SET).pieces[card].thing


def in_words(record: Record, viewer: str, number: int, lang: str = "en") -> dict[str, str]:
    eyes, game = find_viewer(record, viewer), record.game
    drawn = board(record, eyes, number)
    return {
        "show": plain(render_board(drawn, record.law, record.opening.schema, lang)),  # type: ignore[arg-type]
        "log": plain(render_timeline(timeline(record, eyes, lang, number, flow=True), lang)),  # type: ignore[arg-type]
        "stack": plain(render_stack(stack_history(record, eyes, number), game, lang, {})),  # type: ignore[arg-type]
        "why": plain(render_reasons(list_consulted_clauses(record, eyes, number), record.law, lang, {}, 0)),  # type: ignore[arg-type]
    }


def in_bytes(record: Record, viewer: str, number: int) -> Iterator[bytes]:
    eyes = find_viewer(record, viewer)
    yield from (JSON(entry) for entry in seen_entries(record, eyes, number, flow=True))
    yield JSON(board(record, eyes, number))
    yield JSON(stack_history(record, eyes, number))
    yield JSON(make_knowledge_answer(record, "m", eyes, number))
    yield JSON(list_consulted_clauses(record, eyes, number))
    yield JSON(steps(record, eyes, number))
    yield from (JSON(board_after(record, eyes, number, at)) for at in range(1, len(steps(record, eyes, number)) + 1))
    for thing, _ in things_on(board(record, eyes, number)):
        yield JSON(find_latest_facts(record, eyes, f"u{thing.thing}", number))
    for lang in ("en", "ja"):
        yield from (text.encode() for text in in_words(record, viewer, number, lang).values())


def cut(record: LoadedMatch, number: int) -> Record:
    return record_of(record.game, record.entries[:number])


def test_a_judge_reads_at_every_earlier_entry_that_a_card_was_unknown_then(learned: LoadedMatch) -> None:
    _, thing = bulwark(learned)
    said = in_words(learned, "judge", SET)
    for what in ("show", "log", "stack"):
        assert f"u{thing} ? {THEN}" in said[what], what
    assert THEN in said["why"], "the card that the law looked at, still in the hand"
    assert f"u{thing} ?（この時点では不明。記録7でH9と判明）" in in_words(learned, "judge", SET, "ja")["show"]
    shown = in_words(learned, "judge", LEARNED)["show"]
    assert f"H9 (u{thing})" in shown and THEN not in shown, "from then on it is known"
    for number in range(1, learned.version + 1):
        said = in_words(learned, "judge", number)
        assert (THEN in said["show"]) == (SHUFFLED <= number <= PASSED), number
    assert all(
        THEN not in text
        for number in (SET, PASSED)
        for text in in_words(cut(learned, PASSED), "judge", number).values()
    )


def test_what_an_entry_says_before_it_shuffles_is_not_said_of_a_card_that_lies_there_behind(
    learned: LoadedMatch,
) -> None:
    """The entry that shuffles p2's deck lays out p2's first bulwark afterwards."""
    card = learned.after(SHUFFLED).places["p2.bulwarks"][0]  # type: ignore[index]
    before, after = learned.after(1).pieces[card].thing, learned.after(SHUFFLED).pieces[card].thing
    log = in_words(learned, "judge", SHUFFLED)["log"]
    assert f"u{after} ? (unknown then; S9 by entry 8): p2 life → p2 bulwarks" in log
    assert f"u{before} ? (unknown" not in log, "before the shuffle nobody knows which one it was"


def test_a_thing_is_said_to_have_been_unknown_when_it_is_looked_at_backwards(learned: LoadedMatch) -> None:
    card, thing = bulwark(learned)
    traced = find_latest_facts(learned, find_viewer(learned, "judge"), f"u{thing}", SET)
    assert isinstance(traced, ThingHistory) and traced.face is None and traced.later == LateFace("H9", LEARNED)
    assert plain(render_traced(traced, BP, "en", {})).splitlines()[0] == f"u{thing} ? {THEN}"
    now = find_latest_facts(learned, find_viewer(learned, "judge"), f"u{thing}")
    assert isinstance(now, ThingHistory) and (now.face, now.later) == ("H9", None)
    named = find_latest_facts(learned, find_viewer(learned, "judge"), f"#{card}", SET)
    assert isinstance(named, ThingHistory) and named.later == LateFace("H9", LEARNED)


def test_within_an_entry_the_table_says_it_too(learned: LoadedMatch) -> None:
    _, thing = bulwark(learned)
    eyes = find_viewer(learned, "judge")
    last = len(steps(learned, eyes, SET))
    assert {card.thing: card.later for card, _ in things_on(board_after(learned, eyes, SET, last))}[thing] == LateFace(
        "H9", 7
    )


def test_what_the_log_knew_and_when_is_for_a_judge(learned: LoadedMatch) -> None:
    knew = read_log_knowledge(learned, find_viewer(learned, "judge"), SET)
    assert knew is not None
    assert [(card.face, card.entry) for card in knew.known] == [("S4", 3), ("H10", 3), ("D7", 3), ("C5", 3), ("C6", 4)]
    assert [card.later for card in knew.later] == [LateFace("H9", 7), LateFace("S9", 8)]
    assert knew.unknown == sum(piece.face is None for piece in learned.after(SET).pieces.values()) > 2
    now = read_log_knowledge(learned, find_viewer(learned, "judge"))
    assert now is not None and ("H9", 7) in [(card.face, card.entry) for card in now.known]
    assert now.later == () and now.unknown == knew.unknown - 2
    assert "? (unknown then; H9 by entry 7) of p2: in p2 bulwarks" in plain(render_log_knowledge(knew, BP, "en", {}))
    for viewer in ("spectator", "p1", "p2"):
        assert read_log_knowledge(learned, find_viewer(learned, viewer), SET) is None
        assert b'"log"' not in JSON(make_knowledge_answer(learned, "m", find_viewer(learned, viewer), SET))


def test_a_face_that_a_rewind_took_back_says_nothing_of_earlier_entries(tmp_path: Path) -> None:
    at_the_table(tmp_path)
    store = Store.open(tmp_path / "s.sqlite")
    assert isinstance(rewind(store, "m", PASSED, "another card", "judge"), RecordResult)
    assert THEN not in in_words(match(store), "judge", SET)["show"]


def untold(entries: Sequence[Entry]) -> list[Entry]:
    return [replace(entry, told=()) if isinstance(entry, Corrected) else entry for entry in entries]


@pytest.mark.random
@pytest.mark.parametrize("viewer", ["spectator", "p1", "p2"])
def test_to_everybody_else_an_earlier_entry_is_the_same_whether_or_not_a_card_was_learned_later(
    learned: LoadedMatch, viewer: str
) -> None:
    never = record_of(learned.game, untold(learned.entries))
    assert find_viewer(learned, viewer).look_back is None
    for number in range(1, LEARNED):
        sent = list(in_bytes(learned, viewer, number))
        assert sent == list(in_bytes(never, viewer, number)) == list(in_bytes(cut(learned, number), viewer, number))
        assert not any(b"unknown then" in one or b'"later"' in one for one in sent)
        judged = list(in_bytes(learned, "judge", number)) != list(in_bytes(never, "judge", number))
        assert judged == (number >= SHUFFLED), "what a judge is told is what is kept from the others"


def test_eyes_that_are_turned_to_a_moment_stay_with_it(learned: LoadedMatch) -> None:
    card, _ = bulwark(learned)
    eyes = retrospective_view.after(find_viewer(learned, "judge"), SET)
    assert retrospective_view.after(eyes, learned.version) is eyes and eyes.late_face(
        learned.after(SET), card
    ) == LateFace("H9", 7)
    forged = replace(eyes, viewer=find_viewer(learned, "p1").viewer)
    assert forged.late_face(learned.after(SET), card) is None, "not even by eyes that hold it by mistake"
    assert [
        number for number, entry in enumerate(learned.entries, start=1) if retrospective_view.discloses_face(entry)
    ] == [
        3,
        4,
        7,
        8,
    ]
    assert retrospective_view.find_last_disclosure(find_viewer(learned, "judge"), learned.entries) == learned.version
    assert retrospective_view.find_last_disclosure(find_viewer(learned, "p1"), learned.entries) == 0
