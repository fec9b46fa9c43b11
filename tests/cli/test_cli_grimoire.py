"""Every command on a Grimoire match, for two and four players, both languages and every viewer."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runs import ROOT, contents, fine, inside, read_records, refusal
from tests.cli.typist import at_random, lines, play

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

FIXTURES = ROOT / "fixtures" / "grimoire"
VOID, TEAMS, DISPUTED = "high-magic-4", "pairs-1", "high-magic-11"
FILES = {VOID: "void-control", TEAMS: "two-teams"}
FOUR = ("--set", "player_count=4", "--set", "teams=p1+p3/p2+p4")
CODE_NAME = re.compile(r"(?<![\w`])[a-z]+_[a-z_]+|\b(?:column|until|reason|chroma|used)\.\w+")
"""Placeholder for a term that the game does not translate."""
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("grimoire") / "shinpan.sqlite"
    for name in FILES.values():
        fine(made, "import", FIXTURES / "matches" / f"{name}.spn")
    return made


def open_match(folder: Path, *more: str, seed: str = "5") -> Path:
    made = folder / "shinpan.sqlite"
    fine(made, "new", "grimoire@1", "--seed", seed, "--match", "m", *more)
    while asked := fine(made, "show", "m", "--json").data["board"]["asked"]:
        by = asked[0]["by"]
        face = place(made, "m", f"{by}.bookmark", "judge")[0]["face"]
        fine(made, "do", "m", f"{by}: choose_opening_bookmark {face}")
    return made


def board(store: Path, match: str, viewer: str, *more: str) -> Any:
    return fine(store, "show", match, "--as", viewer, "--json", *more).data["board"]


def place(store: Path, match: str, name: str, viewer: str, *more: str) -> list[Any]:
    seen = board(store, match, viewer, *more)
    places = [one for seat in seen["seats"] for one in seat["places"]] + seen["shared"]
    return next(list(one.get("cards", ())) for one in places if one["place"] == name)


READING = (
    ("show", VOID), ("show", VOID, "--at", "44"), ("show", TEAMS), ("show", TEAMS, "--at", "70", "--as", "p3"),
    ("log", VOID), ("log", TEAMS, "--flow", "--as", "judge"), ("stack", VOID), ("stack", TEAMS, "--at", "90"),
    ("why", VOID, "37"), ("why", VOID, "45", "--as", "p1"), ("diff", VOID, "30", "60"), ("knows", TEAMS),
    ("knows", VOID, "--at", "40", "--as", "p1", "--diff", "20"), ("when", VOID, "S03"), ("when", VOID, "u122"),
    ("audit", VOID), ("audit", TEAMS), ("audit", VOID, "--reading", "character_collision=mutual"),
    ("why-not", VOID, "p1: cast S03", "--at", "40", "--as", "p1"), ("why-not", VOID, "p2: play S02 C01", "--at", "50"),
 ("export", VOID), ("rulebook", "grimoire"), ("matches",),
    ("rulebook", "grimoire", "GR-8.13"), ("rulebook", "grimoire", "S08"), ("games",),
)  # fmt: skip


def test_every_command_reads_in_both_languages(store: Path) -> None:
    for command in READING:
        english, japanese = (inside(store, *command, "--lang", lang) for lang in ("en", "ja"))
        assert english.code == japanese.code and english.code in (0, 1), english
        if command != ("games",):
            assert JAPANESE.search(japanese.out) and not JAPANESE.search(english.out)
        if command[0] not in ("rulebook", "why-not", "games", "matches"):  # these list verbs in the notation
            for told in (english.out, japanese.out):
                assert CODE_NAME.findall(told.replace("character_collision", "")) == [], command


def test_the_board_shows_who_does_what_to_whom_and_for_how_long(store: Path) -> None:
    shown = fine(store, "show", VOID, "--at", "44").out
    for line in (
        "p1 Iku mana 1, mana capacity 8, od 4, blue chroma 5, indigo chroma 3",
        "    C02 Velmira, Tidewright (u1) damage 6, power 2, toughness 14",
        "  S03 Flare Lance (u122) spent, of Leon, controlled by Iku, power 3, toughness 2",
        "void 1 S08 Ashen Return (u133) of Leon",
        "  r25 effect of C02 Velmira, Tidewright (Iku) source C02 Velmira, Tidewright (u1) at turn end"
        " next: being processed",
        "    at the end of your turn, you may remove 1 damage from this character.",
        "  r27 yes or no (Iku) for r25",
        "    you may remove 1 damage from this character",
        "  control (Iku) on S03 Flare Lance (u122), from S26 Borrowed Star (u131): take control of it as long as"
        " this spell is in play",
    ):
        assert line in shown.splitlines(), shown
    waiting = fine(store, "show", VOID, "--at", "48").out
    assert "  r28 Play (Leon) spell S02 Cinder Wall (u125) target S15 Drizzle Needle (u118)" in waiting.splitlines()
    assert "removed 0" not in waiting and "revealed for" not in waiting, "what is empty but for a moment is not shown"
    assert "side p2+p4" in fine(store, "show", TEAMS).out
    assert "actions this turn" not in waiting + fine(store, "log", VOID).out, "the law counts that for itself"


def test_what_is_shown_can_be_typed(store: Path) -> None:
    """The id printed before a card's name is the id that an action takes."""
    for at in ("20", "44"):
        for card in place(store, VOID, "field", "spectator", "--at", at):
            ran = inside(
                store, "why-not", VOID, f"{card.get('controller') or card['owner']}: play {card['face']} u1", "--at", at
            )
            assert ran.code in (0, 1) and not ran.err, ran
            assert f"{card['face']} " in fine(store, "show", VOID, "--at", at).out


def test_a_stack_tells_what_was_played_at_what(store: Path) -> None:
    told = fine(store, "stack", VOID, "--at", "60").out
    assert "r11 Play (Leon) entry 24 spell S03 Flare Lance (u122) target C02 Velmira, Tidewright (u1) resolved" in told
    assert "triggered source S26 Borrowed Star (u131) chosen S03 Flare Lance (u122) when cast" in told
    assert "resolved without a target" not in told, "an effect without a target has not lost one"


def test_a_card_is_looked_up_by_its_id(store: Path) -> None:
    assert fine(store, "rulebook", "grimoire", "s08").out.splitlines() == [
        "S08 Ashen Return",
        "Spell · user Kaida · cost 2 · chroma R1 · 2/2",
        "When this spell is broken, you may pay 1 od; if you do, put this card into hand.",
    ]
    assert "霊力を1支払ってもよい" in fine(store, "rulebook", "grimoire", "S08", "--lang", "ja").out
    assert set(fine(store, "rulebook", "grimoire", "C01", "--json").data) == {"card", "en", "ja"}
    wrong = inside(store, "rulebook", "grimoire", "S99")
    assert (wrong.code, "there is no clause or card 'S99'" in wrong.message) == (2, True)
    assert "no clause 'S4'" in inside(store, "rulebook", "blackpoker", "S4").message


def test_a_turn_is_recorded_step_by_step(tmp_path: Path) -> None:
    store = open_match(tmp_path, "--p1", "Aoi", "--p2", "Ren")
    seat = board(store, "m", "judge")["clock"]["awaited"][0]
    hand = [card["face"] for card in place(store, "m", f"{seat}.hand", "judge")]
    done = fine(store, "do", "m", f"{seat}: trance_hand {hand[0]}").out
    name = {"p1": "Aoi", "p2": "Ren"}[seat]
    assert f"{name}: Trance a hand card: card {hand[0]} " in done and "GR-11.4" in done
    refused = inside(store, "do", "m", f"{seat}: trance_skip")
    assert (refused.code, "GR-16.5" in refused.message) == (1, True)
    assert inside(store, "do", "m", f"{seat}: cast S99").code == 2
    assert fine(store, "do", "m", f"{seat}: pass", "--lang", "ja").out.startswith("7 ")
    other = next(one for one in ("p1", "p2") if one != seat)
    assert "GR-16" in fine(store, "do", "m", f"{other}: pass").out
    assert "entries undone" in fine(store, "rewind", "m", "--to", "6", "--dry-run").out
    fine(store, "rewind", "m", "--to", "6", "--reason", "a mistake")
    fine(store, "branch", "m", "--at", "5", "--match", "what-if", "--seed", "3")
    file = tmp_path / "m.spn"
    file.write_text(fine(store, "export", "m", "--as", "judge").out, encoding="utf-8")
    again = tmp_path / "again.sqlite"
    fine(again, "import", file)
    assert read_records(again)["m"] == read_records(store)["m"]
    assert fine(store, "audit", "m").out.startswith("findings: 0")


def test_three_and_four_sit_at_one_table(tmp_path: Path) -> None:
    (tmp_path / "three").mkdir()
    three = open_match(tmp_path / "three", "--set", "player_count=3", "--deck", "p3=tide")
    assert [seat["seat"] for seat in board(three, "m", "spectator")["seats"]] == ["p1", "p2", "p3"]
    four = open_match(tmp_path, *FOUR, "--p4", "Kai")
    assert [seat["team"] for seat in board(four, "m", "judge")["seats"]] == ["p1+p3", "p2+p4", "p1+p3", "p2+p4"]
    assert place(four, "m", "p3.hand", "p1") and not place(four, "m", "p2.hand", "p1"), "friends see each other's hands"


def test_simulated_matches_are_sound(tmp_path: Path) -> None:
    store, out = tmp_path / "s.sqlite", tmp_path / "out"
    ran = fine(store, "simulate", "grimoire@1", "--matches", "1", "--seed", "3", "--out", str(out), *FOUR)
    assert "last_side" in ran.out
    assert fine(store, "audit", next(out.iterdir())).out.startswith("findings: 0")


def test_cases_run(store: Path) -> None:
    assert "failed: 0" in fine(store, "case", "run", FIXTURES / "cases" / "telling-turn.cases.toml").out


@pytest.mark.parametrize(("lang", "seed", "more"), [("en", 3, ()), ("ja", 2, FOUR)])
def test_a_match_is_recorded_by_keys(tmp_path: Path, lang: str, seed: int, more: tuple[str, ...]) -> None:
    store = tmp_path / "shinpan.sqlite"
    fine(store, "new", "grimoire@1", "--seed", str(seed), "--match", "m", *more)
    ran = play(store, "m", "--count", answers=at_random(seed, 400), lang=lang)
    assert ran.code == 0
    asked = [line for line in ran.out.splitlines() if " > " in line]
    assert len(asked) > 100 and not CODE_NAME.search(ran.out)
    assert all(f"[{key}]" in ran.out for key in "pcyot"), "verbs have keys that are easy to keep in mind"
    assert fine(store, "audit", "m").out.startswith("findings: 0")


def test_a_question_is_asked_at_once_with_what_the_card_says(tmp_path: Path) -> None:
    store = tmp_path / "shinpan.sqlite"
    fine(store, "new", "grimoire@1", "--seed", "5", "--match", "m")
    ran = play(store, "m", answers=lines("bonf/1/s/p/p/s/p/p/1/."))
    assert "choose the opening bookmark card  [1] S14 Bonfire Rite" in ran.out
    assert "> S14 Bonfire Rite\n" in ran.out, "a name may be typed by its beginning"
    assert (
        "C02 Velmira, Tidewright: you may remove 1 damage from this character\nchoose yes or no  [1] no  [2] yes"
        in ran.out
    )
    japanese = play(store, "m", answers=lines("=/."), lang="ja")
    assert "潮織りのヴェルミラ" in japanese.out


def test_options_are_listed_by_what_they_are_and_cards_alike_but_once(tmp_path: Path) -> None:
    store, deck = tmp_path / "shinpan.sqlite", tmp_path / "open.toml"
    deck.write_text('main = ["C05", "S56x40"]', encoding="utf-8")
    decks = [one for seat in ("p1", "p2", "p3") for one in ("--deck", f"{seat}={deck}")]
    fine(
        store,
        "new",
        "grimoire@1",
        "--seed",
        "2",
        "--match",
        "m",
        "--set",
        "player_count=3",
        "--set",
        "copy_limit=0",
        *decks,
    )
    first = board(store, "m", "judge")["clock"]["awaited"][0]
    others = [seat for seat in ("p1", "p2", "p3") if seat != first]
    ran = play(store, "m", answers=lines(f"t/c/{others[1]}/=/."))
    said, _, rest = ran.out.partition("S56 Open Book: choose an opponent\n")
    assert "cast" not in said.partition("Cast\n")[2], "of 40 cards that are alike none is asked for"
    asked = rest.splitlines()[0]
    assert {f"] {seat}" for seat in others} <= set(re.findall(r"\] p\d", asked)), asked
    assert re.search(rf"S56 Open\s+Book in {others[1]} hand shown to everyone", ran.out)
    assert f"choose an option: option 1 {others[1]}" in fine(store, "log", "m").out


# -- hidden cards -----------------------------------------------------------------------------------------------------


def hands(store: Path, match: str, seats: tuple[str, ...], at: str) -> Iterator[tuple[str, Any]]:
    for seat in seats:
        for card in place(store, match, f"{seat}.hand", "judge", "--at", at):
            yield seat, card


def friends(viewer: str, seat: str, match: str) -> bool:
    return viewer == seat or (match == TEAMS and int(viewer[1:] or 0) % 2 == int(seat[1:]) % 2)


@pytest.mark.parametrize(
    ("match", "seats", "at"), [(VOID, ("p1", "p2"), "40"), (TEAMS, ("p1", "p2", "p3", "p4"), "60")]
)
def test_hands_stay_hidden_from_whoever_may_not_see_them(
    store: Path, match: str, seats: tuple[str, ...], at: str
) -> None:
    held = list(hands(store, match, seats, at))
    assert held
    for viewer in (*seats, "spectator"):
        own = [(seat, card) for seat, card in held if viewer != "spectator" and friends(viewer, seat, match)]
        shown = fine(store, "show", match, "--at", at, "--as", viewer).out
        told = shown + fine(store, "log", match, "--to", at, "--as", viewer, "--flow").out
        things = set(re.findall(r"\bu(\d+)\b", told))
        for seat, card in held:
            seen = str(card["thing"]) in things
            if (seat, card) in own:
                assert f"u{card['thing']}" in shown
            else:
                assert not seen, (viewer, seat, card)


def test_why_not_tells_nothing_of_another_hand(store: Path) -> None:
    known = {
        card["face"]
        for name in ("field", "p2.junkyard", "void")
        for card in place(store, VOID, name, "p1", "--at", "40")
    }
    own = {"p1.hand", "p1.bookmark", "p1.junkyard"}
    known |= {card["face"] for name in own for card in place(store, VOID, name, "p1", "--at", "40")}
    hidden = {card["face"] for _, card in hands(store, VOID, ("p2",), "40")} - known
    absent = {f"S{number:02}" for number in range(15, 28)} - known - hidden
    assert hidden and absent

    def answers(faces: set[str]) -> set[tuple[int, str]]:
        asked = [
            (face, inside(store, "why-not", VOID, f"p2: cast {face}", "--at", "40", "--as", "p1")) for face in faces
        ]
        return {(ran.code, (ran.out + ran.err.partition("(")[0]).replace(face, "X")) for face, ran in asked}

    assert answers(hidden) == answers(absent)


# -- refusals ---------------------------------------------------------------------------------------------------------

BAD: dict[str, tuple[tuple[str, ...], str, str]] = {
    "forty cards": (("--deck", f"p1={FIXTURES}/decks/bad-forty.toml"), "GR-2.11", "39"),
    "two characters": (("--deck", f"p2={FIXTURES}/decks/bad-two-characters.toml"), "GR-2.11", "C05"),
    "a copy too many": (("--deck", f"p1={FIXTURES}/decks/bad-five-copies.toml"), "GR-2.14", "S03"),
    "an unknown card": (("--deck", f"p1={FIXTURES}/decks/bad-unknown-card.toml"), "NOCARD", "bad-unknown-card.toml"),
    "no such deck": (("--deck", "p1=embers"), "embers", "ember, tide, grove, prism"),
    "a seat too many": (("--set", "player_count=5"), "player_count", "4"),
    "a chair that is not there": (("--p3", "Mio"), "p3", "p1, p2"),
    "a deck for nobody": (("--deck", "p4=ember"), "p4", "p1, p2"),
    "everybody on one side": (("--set", "player_count=4", "--set", "teams=p1+p2+p3+p4"), "teams", "p1+p2+p3+p4"),
    "a team with a stranger": (("--set", "player_count=4", "--set", "teams=p1+p5/p2"), "teams", "p5"),
}


def test_what_cannot_be_opened_is_said_in_both_languages_and_leaves_nothing(tmp_path: Path) -> None:
    made = tmp_path / "shinpan.sqlite"
    fine(made, "new", "grimoire@1", "--seed", "1", "--match", "before")
    before = contents(made)
    for arguments, *said in BAD.values():
        english, japanese = (refusal(made, "new", "grimoire@1", *arguments, "--lang", lang) for lang in ("en", "ja"))
        assert all(one in message.replace("、", ", ") for one in said for message in (english, japanese)), arguments
        assert JAPANESE.search(japanese) and not JAPANESE.search(english)
    assert contents(made) == before
