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


READING = ("--reading", "throwing.damage_suit=club,spade")


def test_what_cannot_be_read_is_named_and_the_rest_is_compared(tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    both = inside("unused", "compare", "blackpoker", str(broken), MATCHES, *READING, "--json")
    assert both.code == 1 and "broken.spn" in both.data["bad"][0] and both.data["matches"] > 10
    japanese = inside("unused", "--lang", "ja", "compare", "blackpoker", str(broken), MATCHES, *READING)
    assert "broken.spn" in japanese.err and not japanese.err.isascii()


def test_where_nothing_can_be_compared_it_is_bad_input_and_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("nothing", encoding="utf-8")
    (tmp_path / "none").mkdir()
    grimoire = str(ROOT / "fixtures" / "grimoire" / "matches")
    for paths in ([str(broken)], [str(tmp_path / "gone")], [str(tmp_path / "none")], [grimoire]):
        ran = inside("unused", "compare", "blackpoker", *paths, *READING)
        assert (ran.code, bool(ran.message), ran.out) == (2, True, ""), paths


def test_a_reading_that_does_not_fit_a_match_leaves_the_others_compared() -> None:
    corpus = str(ROOT / "fixtures" / "grimoire" / "corpus" / "small.corpus")
    ran = inside("unused", "compare", "grimoire", corpus, "--reading", "teams=none,p1+p3/p2+p4", "--json")
    assert ran.code in (0, 1) and ran.data["matches"] > 0
    assert ran.data["bad"] and all("p3" in one or "p4" in one for one in ran.data["bad"])
    assert ran.data["matches"] + len(ran.data["bad"]) == 24
    wrong = inside("unused", "compare", "grimoire", corpus, "--reading", "teams=none,p1+p9")
    assert (wrong.code, wrong.out) == (2, "") and "p9" in wrong.message
