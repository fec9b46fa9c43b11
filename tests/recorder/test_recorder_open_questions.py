"""A store after a wrong pass: the open question is answered, and the log folds to the table shown."""

import pytest

from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.actions import Pass
from domain.law.clause import Refusal
from domain.law.entries import Played, fold_entries, tables
from domain.law.law import Law
from domain.parts.asking import open_question
from domain.table.table import CHANCE
from recorder import codec
from recorder.answers import RecordResult
from recorder.imports import import_records
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import play
from recorder.simulate import simulate
from recorder.store import Store


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_question_is_answered_after_a_pass_as_played(store: Store, key: str) -> None:
    game = GAMES[key]
    entries = simulate(Law(game, game.latest), 3, closing=False)
    number, answer = next(
        (number, entry)
        for number, entry, before, _ in tables(entries)
        if isinstance(entry, Played) and (asked := open_question(before)) is not None and asked.by != CHANCE
    )
    states = [codec.encode(entry) for entry in entries[: number - 1]]
    assert isinstance(import_records(store, [states], "m"), list)
    action = game.decoder().decode(answer.action)
    for actor in fold_entries(entries[:1]).seats:
        assert isinstance(play(store, "m", actor, Pass()), Refusal)
        passed = play(store, "m", actor, Pass(), as_played=True)
        assert isinstance(passed, RecordResult) and isinstance(passed.entry, Played) and passed.entry.violations
        loaded = load_match(store, "m")
        assert isinstance(loaded, LoadedMatch)
        assert loaded.table == passed.table == fold_entries(store.read("m"))
    answered = play(store, "m", answer.actor, action)
    assert isinstance(answered, RecordResult) and isinstance(answered.entry, Played)
    assert answered.entry.told == answer.told and not answered.entry.violations
    assert [finding.entry for finding in audit(game, store.read("m")).findings] == [number, number + 1]
