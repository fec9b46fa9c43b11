"""Real cards: viewers learn only what the table showed, even if the log knows more."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry, Played, tables
from domain.law.law import Law
from domain.law.rulesets import make_ruleset
from domain.table.facts import AnyFact, Identified
from domain.table.table import CardId, Place, Seat
from recorder.answers import RecordResult
from recorder.matches import correct, open_match
from recorder.store import Store
from tests.laws.leak_checks import never_known, same, screens, table_law, viewers
from tests.laws.samples import Sample
from tests.recorder.test_real_cards import BP, VERSION, dictation, do, match

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]


def replace_faces(entry: Entry, cards: list[CardId], face: str | None) -> Entry:
    if not isinstance(entry, Played | Corrected):
        return entry
    told = ((clause, _replace_face(fact, cards, face)) for clause, fact in entry.told)
    return replace(entry, told=tuple((clause, fact) for clause, fact in told if fact != Identified((), ())))


def _replace_face(fact: AnyFact, cards: list[CardId], face: str | None) -> AnyFact:
    if not isinstance(fact, Identified):
        return fact
    seen = zip(fact.cards, fact.faces, strict=True)
    kept = [(card, known if card not in cards else known and face) for card, known in seen]
    left = [(card, now) for (card, now), known in zip(kept, fact.faces, strict=True) if now or not known]
    return Identified(tuple(card for card, _ in left), tuple(now for _, now in left))


@pytest.mark.parametrize(("key", "seed", "frame"), [("blackpoker", 1, "full54"), ("grimoire", 4, "")])
def test_nobody_is_told_what_only_the_log_was_told(tmp_path: Path, key: str, seed: int, frame: str) -> None:
    one, random = dictation(Store.open(tmp_path / "s.sqlite"), key, seed, frame), Random(seed)
    one.dictate()
    real = one.real
    sample = Sample(real.game, real.rules, real.entries)
    for viewer in viewers(sample):
        for number, _, _, table in random.sample(list(tables(real.entries)), 6):
            table_law(sample, number, table, viewer, random)
        unknown = never_known(real.entries, viewer)
        numbers = [random.randrange(1, real.version + 1), real.version]
        sent = list(screens(sample, real.entries, viewer, numbers))
        for face in ("S99", None):
            other = [replace_faces(entry, unknown, face) for entry in real.entries]
            assert (other != list(real.entries)) == (key == "blackpoker"), "next generation alone asks for such faces"
            same(sent, screens(sample, other, viewer, numbers))


def test_a_face_that_a_judge_names_of_a_hand_is_told_to_who_holds_it_alone(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s.sqlite")
    open_match(store, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
    assert isinstance(do(store, "chance: shuffle_deck p2", "S4", "H10", "C5", "D7"), RecordResult)
    card = match(store).table.places[Place("p1.hand")][0]
    assert isinstance(correct(store, "m", "judge", "seen", ((BY_HAND, Identified((card,), ("S9",))),)), RecordResult)
    real = match(store)
    sample = Sample(real.game, real.rules, real.entries)
    assert [viewer for viewer in viewers(sample) if card not in never_known(real.entries, viewer)] == ["p1"]
    for viewer in viewers(sample):
        sent = list(screens(sample, real.entries, viewer, [real.version]))
        assert any(b"S9" in shown for _, _, shown in sent) == (viewer == Seat("p1"))
        for face in ("S8", None):
            other = [replace_faces(entry, never_known(real.entries, viewer), face) for entry in real.entries]
            same(sent, screens(sample, other, viewer, [real.version]))
