"""Audits of unseen cards: certain, possible or excluded findings, on constructed records and on matches fully known."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import asdict, replace

from domain.games import GAMES
from domain.judging.audit import AuditFinding, audit
from domain.law.clause import BY_HAND
from domain.law.driver import decide_as_played
from domain.law.entries import Entry, Opened, Played, Undealt, apply_entry, fold_entries, opened_of
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import make_ruleset
from domain.law.unseen import cards_mixed_up
from domain.table import facts as F
from domain.table.physics import physics_of
from domain.table.table import CHANCE, CardId, Seat
from recorder.answers import RecordResult
from recorder.codec import raw_action
from recorder.matches import correct, open_match, rewind
from recorder.store import Store
from tests.laws.samples import sample
from tests.laws.wild import wild
from tests.places import Place
from tests.recorder.test_real_cards import VERSION, bulwark_set, do, match

BP = GAMES["blackpoker"]


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """A match of real cards. In entry 6, p2 summons a soldier with an unseen key card."""
    with Store.open(place()) as found:
        assert (
            open_match(found, Law(BP, make_ruleset(BP, VERSION, "entry20")), VERSION, {}, match_id="m", deal=False)
            == "m"
        )
        assert isinstance(do(found, "chance: shuffle_deck p2", "S4", "H10", "C5", "D7"), RecordResult)
        bulwark_set(found, "?")
        table = match(found).table
        thing = table.pieces[table.places["p2.bulwarks"][-1]].thing  # type: ignore[index]
        for text, shows in (
            (f"p2: summon_soldier keys=? bulwarks=u{thing}", ("?", "?")),
            ("p2: pass", ()),
            ("p1: pass", ("?",)),
        ):
            assert isinstance(do(found, text, *shows), RecordResult)
        yield found


def found_in(store: Store) -> list[tuple[int, str, str, str]]:
    return [(one.entry, one.kind, one.clause, one.certainty) for one in audit(BP, match(store).entries).findings]


def tell(store: Store, face: str) -> int:
    soldier = match(store).table.places["p2.soldiers"][-1]  # type: ignore[index]
    told = correct(store, "m", "judge", "turned over", ((BY_HAND, F.Learned(soldier, face)),))
    assert isinstance(told, RecordResult)
    return told.version


def test_what_hangs_on_a_card_nobody_saw_is_possible_with_so_many_faces(store: Store) -> None:
    """Three of the deck's twenty cards were seen. Of the others, four aces, HJ, DQ and CK are not soldiers."""
    assert found_in(store) == [(6, "not_allowed", "BP-5.8", "possible")]
    (finding,) = audit(BP, match(store).entries).findings
    assert finding.detail is not None and (finding.detail.values["n"], finding.detail.values["of"]) == (7, 17)


def test_a_face_that_was_told_later_excludes_it_or_makes_it_certain(store: Store) -> None:
    at = tell(store, "S5")
    assert found_in(store) == [(6, "not_allowed", "BP-5.8", "excluded")]
    (finding,) = audit(BP, match(store).entries).findings
    assert finding.detail is not None and str(at) in str(finding.detail)
    assert isinstance(rewind(store, "m", at - 1, "misread", "judge"), RecordResult)
    assert found_in(store) == [(6, "not_allowed", "BP-5.8", "possible")], "what was undone tells nothing"
    at = tell(store, "HJ")
    assert found_in(store) == [(6, "not_allowed", "BP-5.8", "certain")]
    (finding,) = audit(BP, match(store).entries).findings
    assert finding.detail is not None and str(at) in str(finding.detail)


def test_more_worlds_than_are_tried_leave_it_possible(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", 1)
    ((entry, _, _, certainty), *_) = found_in(store)
    assert (entry, certainty) == (6, "possible")
    (finding, *_) = audit(BP, match(store).entries).findings
    assert "not all were tried" in str(finding.detail)


# -- against matches of which all is known ----------------------------------------------------------------------------


def play_wildly(key: str, seed: int, length: int) -> list[Entry]:
    """Return the beginning of a dealt match with random actions as played, most of them flagged."""
    one, random = sample(key, seed), Random(seed)
    law, entries = Law(one.game, one.rules), list(one.entries[:4])
    table = fold_entries(entries)
    for _ in range(length):
        if CHANCE in one.game.awaited(table):
            actor, action = CHANCE, law.chance(table, random.randrange)
        elif random.random() < 0.15:
            actor, action = wild(one.game, table, random)
        else:
            actor = random.choice(one.game.awaited(table) or (Seat("p1"),))
            offers = [offer for offer in law.offers(table, actor) if offer.verb != "concede"]
            action = random.choice(offers).sample(random.randrange) if offers else None
        if action is None:
            break
        try:
            outcome = decide_as_played(law, table, actor, action)
        except Exception:  # the rules may not be able to read a random table
            break
        if not isinstance(outcome, Accepted):
            continue
        violations = outcome.violations if random.random() < 0.7 else ()
        entries.append(Played(actor=actor, action=raw_action(action), told=outcome.told, violations=violations))
        table = outcome.table
    return entries


def blind(entries: list[Entry], hidden: set[CardId]) -> list[Entry]:
    """Return the record without any knowledge of these cards and of the cards they were shuffled with."""
    opened = opened_of(entries)
    told = tuple((clause, _blind(fact, hidden)) for clause, fact in opened.told)
    record: list[Entry] = [Undealt(**{**asdict(opened), "told": told, "commitment": ""})]
    game, physics = GAMES[opened.game], physics_of(opened.schema)
    table = fold_entries(record)
    for entry in entries[1:]:
        if isinstance(entry, Played):
            lost = cards_mixed_up(physics, table, game.decoder().decode(entry.action), {})
            forgotten = ((BY_HAND, F.Identified(lost, (None,) * len(lost))),) if lost else ()
            record.append(replace(entry, told=forgotten + entry.told))
        else:
            record.append(entry)
        table = apply_entry(table, record[-1])
    return record


def _blind(fact: F.AnyFact, hidden: set[CardId]) -> F.AnyFact:
    if not isinstance(fact, F.Created):
        return fact
    faces = (None if card in hidden else face for card, face in zip(fact.cards, fact.faces, strict=True))
    return replace(fact, faces=tuple(faces))


def of_actions(entries: list[Entry]) -> dict[int, AuditFinding]:
    return {one.entry: one for one in audit(GAMES[opened_of(entries).game], entries).findings if one.entry > 1}


@pytest.mark.random
@pytest.mark.parametrize("key", ["blackpoker", "grimoire", "dea", "skillbook"])
def test_what_is_certain_blind_is_found_with_open_eyes_and_the_other_way_round(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", 60)
    told_apart = 0
    for seed in range(3):
        entries = play_wildly(key, seed, 40)
        seen = of_actions(entries)
        random = Random(seed)
        cards = sorted(fold_entries(entries[:1]).pieces)
        for number in (1, 3, 8):
            hidden = set(random.sample(cards, number))
            dark = of_actions(blind(entries, hidden))
            for entry, finding in dark.items():
                told_apart += finding.certainty == "possible"
                if finding.certainty == "certain":
                    assert entry in seen, (seed, number, entry, finding)
                if finding.certainty == "excluded":
                    assert entry not in seen, (seed, number, entry, finding)
            assert set(seen) <= {entry for entry, one in dark.items() if one.certainty != "excluded"}, (seed, number)
    assert told_apart or key not in ("blackpoker", "dea"), "nothing hung on a card that nobody saw"


def test_an_opening_is_the_only_thing_that_is_hidden() -> None:
    entries = play_wildly("blackpoker", 1, 10)
    assert isinstance(entries[0], Opened) and isinstance(blind(entries, set())[0], Undealt)
