"""Every entry is decoded again before it is written, for every caller."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.games import GAMES
from domain.law.entries import Noted, Rewound
from domain.law.law import Law
from domain.law.live import FACTS_MAX
from domain.law.rulesets import published_as, with_settings
from domain.table import facts as F
from domain.words import LANGS
from recorder import matches as M
from recorder.answers import RecordResult, Unfit
from recorder.codec import TIME_MAX, CodecError
from recorder.match_loader import LoadedMatch, forget_matches, load_match
from recorder.store import Store
from tests.places import Place
from tests.recorder.test_recorder_store import OPENED, make_note

BLACKPOKER = GAMES["blackpoker"]
LABEL, OTHER = "8.1-lite", "9.2-lite"
TURNS: Any = (("", F.Turned((1,), True)),) * (FACTS_MAX + 1)

Call = Callable[[Store], object]
UNFIT: dict[str, Call] = {
    "a time with a fraction": lambda store: M.note(store, "m", "judge", "hm", at=1_767_323_045.5),  # type: ignore[arg-type]
    "a time that is no number": lambda store: M.note(store, "m", "judge", "hm", at=float("nan")),  # type: ignore[arg-type]
    "a time of another type": lambda store: M.note(store, "m", "judge", "hm", at=None),  # type: ignore[arg-type]
    "a truth for a time": lambda store: M.note(store, "m", "judge", "hm", at=True),
    "a time before 1970": lambda store: M.note(store, "m", "judge", "hm", at=-1),
    "a time of no calendar": lambda store: M.note(store, "m", "judge", "hm", at=TIME_MAX + 1),
    "a time of no integer on disk": lambda store: M.note(store, "m", "judge", "hm", at=2**70),
    "a name that is no text": lambda store: M.note(store, "m", 5, "hm"),  # type: ignore[arg-type]
    "bytes for a text": lambda store: M.note(store, "m", "judge", b"hm"),  # type: ignore[arg-type]
    "half a character": lambda store: M.note(store, "m", "judge", "\ud800"),
    "an entry with a fraction": lambda store: M.note(store, "m", "judge", "hm", about=1.0),  # type: ignore[arg-type]
    "a count with a fraction": lambda store: M.report_gap(store, "m", "judge", "?", most=1.5),  # type: ignore[arg-type]
    "too many facts": lambda store: M.correct(store, "m", "judge", "?", TURNS),
    "a reason that is no text": lambda store: M.rewind(store, "m", 1, 7, "judge"),  # type: ignore[arg-type]
}
NOT_OPENED: dict[str, dict[str, Any]] = {
    "a time with a fraction": {"at": 1.5},
    "a name that is no text": {"by": 5},
    "half a character": {"names": {"p1": "\ud800"}},
    "a label that is no text": {"version": 8},
    "rules of another edition": {"version": OTHER},
}
RAW: dict[str, tuple[object, ...]] = {
    "a text": ("hm",),
    "an entry of another type": (make_note("a"), Noted(by="x", text=b"y")),  # type: ignore[arg-type]
    "an entry to a fraction": (Rewound(to=1.5, reason="", by=""),),  # type: ignore[arg-type]
}


@pytest.fixture
def store(place: Place) -> Store:
    return Store.open(place())


def open_blackpoker(store: Store, **given: Any) -> object:
    asked = {"version": LABEL, "names": {}, "match_id": "m", "seed": bytes(16), **given}
    return M.open_match(store, Law(BLACKPOKER, BLACKPOKER.versions[LABEL]), **asked)


@pytest.mark.parametrize("name", UNFIT)
def test_what_could_not_be_read_back_is_refused_and_nothing_is_recorded(store: Store, name: str) -> None:
    with store:
        open_blackpoker(store)
        before = store.version("m")
        done = UNFIT[name](store)
        assert isinstance(done, Unfit) and len({done.what.say(lang) for lang in LANGS}) == len(LANGS), done
        forget_matches(store)
        match = load_match(store, "m")
        assert isinstance(match, LoadedMatch) and match.version == before
        assert isinstance(M.note(store, "m", "judge", "hm", at=TIME_MAX), RecordResult), "the match goes on"


@pytest.mark.parametrize("name", NOT_OPENED)
def test_an_opening_that_could_not_be_read_back_is_refused(store: Store, name: str) -> None:
    with store:
        assert isinstance(done := open_blackpoker(store, **NOT_OPENED[name]), Unfit), done
        assert store.version("m") == 0 and store.matches() == []


def test_a_label_of_another_edition_is_refused_by_both_names(store: Store) -> None:
    with store:
        done = open_blackpoker(store, version=OTHER)
        assert isinstance(done, Unfit) and OTHER in done.what.say("en") and LABEL in done.what.say("en")


def test_rules_of_no_edition_take_the_label_they_came_from_and_one_of_their_own(store: Store) -> None:
    rules = with_settings(BLACKPOKER, BLACKPOKER.versions[LABEL], {"judge.compare": "printed"})
    assert not published_as(BLACKPOKER, rules)
    with store:
        for at, label in enumerate((LABEL, "house")):
            law = Law(BLACKPOKER, rules)
            assert M.open_match(store, law, label, {}, match_id=f"n{at}", seed=bytes(16)) == f"n{at}"


@pytest.mark.parametrize("name", RAW)
def test_a_store_takes_no_entry_that_it_could_not_give_back(store: Store, name: str) -> None:
    with store:
        store.append("m", 0, [OPENED, make_note("a")])
        with pytest.raises(CodecError):
            store.append("m", 2, RAW[name])  # type: ignore[arg-type]
        assert store.read("m") == (OPENED, make_note("a"))


def test_a_store_takes_no_match_under_a_name_that_is_no_id(store: Store) -> None:
    with store:
        for match in ("a b", "", "x" * 65, "../m", 7):
            with pytest.raises(CodecError):
                store.append(match, 0, [OPENED])  # type: ignore[arg-type]
        assert store.count() == 0


def test_an_unknown_term_is_refused_before_anything_is_recorded(store: Store) -> None:
    with store:
        open_blackpoker(store)
        before = store.version("m")
        with pytest.raises(TypeError, match="comand_id"):
            M.note(store, "m", "judge", "hm", comand_id="1")  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="command_id"):
            M.note(store, "m", "judge", "hm", command_id=5)  # type: ignore[arg-type]
        assert store.version("m") == before
