"""Players' names: control characters are refused on recording, and escaped on output."""

from msgspec.structs import replace

from domain.law.entries import Opened
from domain.words import LANGS, say
from recorder.store import Store
from tests.cli.runs import fine, refusal
from tests.laws.samples import sample
from tests.places import Place
from tests.service.harness import serve

EDITION = "blackpoker@8.1-lite"
STEERING = ("\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200f", "\x1b",
            "\x85", "\n", "\t", "\u2028")  # fmt: skip


def test_a_name_that_steers_text_is_refused_and_shown_escaped(place: Place) -> None:
    for letter in STEERING:
        for lang in LANGS:
            said = refusal(place(), "new", EDITION, "--p1", "Ren", "--p2", f"Aoi{letter}neR", "--lang", lang)
            assert "p2" in said and "neR" in said
    assert fine(place(), "matches", "--json").data == []


def test_every_other_name_is_recorded_as_it_is(place: Place) -> None:
    for match, name in enumerate(("Aoi", "青井 葵", "Zoë O'Brien", "علی‌رضا", "👩\u200d🏫", "<b>")):
        fine(place(), "new", EDITION, "--p1", name, "--match", f"m{match}")
        with Store.open(place(), read_only=True) as store:
            (opened,) = store.read(f"m{match}", upto=1)
        assert isinstance(opened, Opened) and opened.names["p1"] == name  # type: ignore[index]


def test_a_service_refuses_such_a_name_too() -> None:
    asked = {"id": "5d0a5a3e-0000-4000-8000-000000000001", "game": "blackpoker", "version": "8.1-lite", "match": "m",
             "names": {"p1": "Aoi\u202e"}}  # fmt: skip
    with serve() as served:
        refused = served.post("/api/v1/matches", asked, "head")
        assert refused.status_code == 400 and "p1" in refused.json()["en"]
        assert refused.json()["ja"] == say("match.steering", "ja", seat="p1", name="Aoi\\u202e")
        assert served.context.store.version("m") == 0


def test_an_old_record_with_such_a_name_is_read_and_shown_escaped(place: Place) -> None:
    opened, *others = sample("blackpoker", 1).entries[:5]
    assert isinstance(opened, Opened)
    with Store.open(place()) as store:
        store.append("m", 0, [replace(opened, names={opened.seats[0]: "Aoi\u202eneR"}), *others])
    for command in (("show", "m"), ("log", "m"), ("matches",)):
        assert "\u202e" not in fine(place(), *command).out
    assert "Aoi\\u202eneR" in fine(place(), "matches").out
