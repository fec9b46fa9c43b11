"""`compare`: the matches that tell two readings apart, shortest first."""

from pathlib import Path

from tests.cli.runs import inside

ROOT = Path(__file__).parents[2]
MATCHES = str(ROOT / "fixtures" / "blackpoker" / "matches")


def test_the_matches_that_separate_two_readings_come_shortest_first() -> None:
    ran = inside("unused", "compare", "blackpoker", MATCHES, "--reading", "throwing.damage_suit=club,spade", "--json")
    assert ran.code == 1
    found = ran.data
    assert (found["option"], found["values"]) == ("throwing.damage_suit", ["club", "spade"])
    names = [Path(one["match"]).stem for one in found["separating"]]
    assert any(one.startswith("disputed") for one in names) and 0 < len(names) < found["matches"]
    order = [(one["entry"], one["entries"]) for one in found["separating"]]
    assert order == sorted(order)
    swapped = inside(
        "unused", "compare", "blackpoker", MATCHES, "--reading", "throwing.damage_suit=spade,club", "--json"
    )
    assert [one["entry"] for one in swapped.data["separating"]] == [one["entry"] for one in found["separating"]]
    assert [one["verdicts"][::-1] for one in swapped.data["separating"]] == [
        one["verdicts"] for one in found["separating"]
    ]


def test_people_read_it_in_their_language() -> None:
    reading = ("--reading", "equip.arrival=keep,reset")
    for lang, words in (("en", "matches that tell them apart"), ("ja", "二つを分ける対戦")):
        ran = inside("unused", "--lang", lang, "compare", "blackpoker", MATCHES, *reading)
        assert words in ran.out and ran.code in (0, 1)


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    for reading in (
        "throwing.damage_suit",
        "throwing.damage_suit=club",
        "throwing.damage_suit=club,club",
        "x=a,b",
        "throwing.damage_suit=club,heart",
    ):
        ran = inside("unused", "compare", "blackpoker", MATCHES, "--reading", reading)
        assert (ran.code, bool(ran.message), ran.out) == (2, True, "")
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    ran = inside(
        "unused", "compare", "blackpoker", str(broken), "--reading", "throwing.damage_suit=club,spade", "--json"
    )
    assert ran.code == 0 and "broken.spn" in ran.data["bad"][0]
