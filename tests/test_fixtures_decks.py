"""Deck lists of the repository as a player submits them: sample decks, and errors in the bad ones."""

from pathlib import Path

from domain.formats.decks import read_deck
from tests.cli.runs import contents, fine, inside
from tests.rows import for_each
from tests.shelves import SHELVES

SAMPLES = {
    "dea": ("clockwork-marsh", "lantern-lane", "ledger-of-storms", "strings-in-the-rain"),
    "grimoire": ("ember", "grove", "prism", "tide"),
    "skillbook": ("drowned-sky", "forge-march", "high-road", "night-tax"),
}
BAD = {
    "dea": {
        "bad-thirteen": ("DEA-2.1", "13"),
        "bad-cost": ("DEA-2.2", "16"),
        "bad-two-inks": ("DEA-2.5", "G01"),
        "bad-token": ("DEA-2.7", "T01"),
        "bad-unknown-card": ("", "NOCARD"),
    },
    "grimoire": {
        "bad-forty": ("GR-2.11", "39"),
        "bad-two-characters": ("GR-2.11", "C05"),
        "bad-five-copies": ("GR-2.14", "S03"),
        "bad-unknown-card": ("", "NOCARD"),
    },
    "skillbook": {
        "bad-two-heroes": ("SB-1.9", "2"),
        "bad-large-book": ("SB-1.2", "31"),
        "bad-four-copies": ("SB-1.3", "S24"),
        "bad-two-casts": ("SB-1.4", "S26"),
        "bad-small-map": ("SB-1.5", "20"),
        "bad-unknown-card": ("", "NOCARD"),
    },
}


@for_each("key, name", [(key, name) for key, names in SAMPLES.items() for name in names])
def test_the_sample_decks_lie_there_as_files(key: str, name: str, tmp_path: Path) -> None:
    shelf = SHELVES[key]
    file = shelf.deck(name)
    deck = read_deck(shelf.game, file.read_text(encoding="utf-8"), name)
    assert deck == shelf.game.named_decks()[name.replace("-", "_")]
    fine(tmp_path / f"{name}.sqlite", "new", f"{key}@1", "--deck", f"p1={file}", "--deck", f"p2={file}", "--match", "m")


@for_each("key, name", [(key, name) for key, bad in BAD.items() for name in bad])
@for_each("lang", ["en", "ja"])
def test_a_bad_deck_is_refused_with_its_clause_and_what_is_wrong(
    key: str, name: str, lang: str, tmp_path: Path
) -> None:
    clause, what = BAD[key][name]
    store = tmp_path / "a.sqlite"
    for command in (("new", f"{key}@1"), ("simulate", f"{key}@1", "--matches", "1")):
        ran = inside(store, *command, "--deck", f"p2={SHELVES[key].deck(name)}", "--lang", lang)
        assert (ran.code, ran.out) == (2, "")
        assert clause in ran.message and what in ran.message, ran.message
    assert not store.exists() or contents(store) == {}


@for_each("key", SAMPLES)
def test_every_deck_is_a_sample_or_bad(key: str) -> None:
    assert {path.stem for path in (SHELVES[key].folder / "decks").iterdir()} == {*SAMPLES[key], *BAD[key]}
