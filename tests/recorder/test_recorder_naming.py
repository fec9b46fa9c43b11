import pytest

from domain.law.law import Law
from recorder import match_ids
from recorder.branches import Branched, branch
from recorder.codec import MATCH_ID
from recorder.matches import open_match
from recorder.store import Store
from tests.places import Place
from tests.toy import GAMES, TOY

RULES = TOY.versions["1"]


def test_a_new_match_and_a_branch_have_short_ids_of_signs_that_nobody_takes_for_another(place: Place) -> None:
    with Store.open(place()) as store:
        assert open_match(store, Law(TOY, RULES), "1", {}, match_id="final") == "final", "an id that is given is taken"
        opened = [open_match(store, Law(TOY, RULES), "1", {}) for _ in range(50)]
        done = branch(store, "final", 1, games=GAMES)
        assert isinstance(done, Branched)
        for one in (*opened, done.match):
            assert isinstance(one, str) and MATCH_ID.fullmatch(one)
            letters, _, code = one.partition("-")
            assert (letters, len(code)) == ("t", 6) and set(code).isdisjoint("01aeilou")
        assert len({*opened, done.match}) == 51


def test_an_id_that_begins_another_is_not_taken(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("222222333333444444")
    monkeypatch.setattr(match_ids, "choice", lambda signs: next(drawn))
    with Store.open(place()) as store:
        open_match(store, Law(TOY, RULES), "1", {}, match_id="t-222222-final")
        open_match(store, Law(TOY, RULES), "1", {}, match_id="t-333333")
        assert open_match(store, Law(TOY, RULES), "1", {}) == "t-444444"
