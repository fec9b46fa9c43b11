"""Search from the command line, with the index of a store and without one."""

import shutil
from itertools import cycle, pairwise
from pathlib import Path

import pytest

from archive.corpus.sources import load
from archive.corpus.writer import pack
from cli.drawing import Screen
from cli.look import find as look
from recorder.store import Store
from service.search import indexing
from tests.cli.runs import Ran, disputed, fine, inside, refusal
from tests.rotation import rotate

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]
FIXTURES = Path(__file__).parents[2] / "fixtures"
MATCHES = FIXTURES / "blackpoker" / "matches"
QUESTIONS = (
    ("--clause", "BP-2.9"),
    ("--clause", "BP-6.10"),
    ("--finding", "not_allowed"),
    ("--finding", "not_allowed", "--clause", "BP-6.10"),
    ("--finding", "consequences"),
    ("--card", "C10"),
    ("--card", "nothing"),
    ("--player", "aOyAmA"),
    ("--player", "Aoi", "--game", "blackpoker"),
    ("--event", "spring"),
    ("--since", "2001-01-01"),
    ("--until", "2001-01-01"),
    ("--game", "dea"),
    ("--fresh",),
    ("--fresh", "--did", "designate_attackers"),
    ("--fresh", "--did", "attack"),
    ("--fresh", "--clause", "BP-2.9"),
    ("--did", "C10", "--card", "C10"),
    ("--ruling", "wrong_outcome"),
    ("--outcome", "upheld"),
    (),
)


@pytest.fixture(scope="module")
def archive_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with ten closed matches, an open match with a ruling, and a new match of a cup."""
    store = disputed(tmp_path_factory.mktemp("find"))
    for file in sorted(MATCHES.glob("*.spn"))[:10]:
        if file.stem != "disputed":
            fine(store, "import", file, "--match", file.stem)
    for row in fine(store, "matches", "--json").data:
        if not row["closed"] and row["match"] != "table-17":
            fine(store, "close", row["match"], "--abandon", "--reason", "x")
    fine(store, "dispute", "table-17", "--at", "47")
    fine(store, "rule", "table-17", "55", "--verdict", "wrong_outcome", "--reason", "clubs")
    fine(store, "new", "blackpoker@8.1-lite", "--match", "cup", "--p1", "Aoyama", "--event", "Spring Cup")
    return store


@pytest.fixture
def store(archive_store: Path, tmp_path: Path) -> Path:
    for file in archive_store.parent.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / archive_store.name


@pytest.fixture(scope="module")
def indexed(archive_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the store whose index was built by a first search."""
    folder = tmp_path_factory.mktemp("indexed")
    for file in archive_store.parent.iterdir():
        shutil.copy(file, folder)
    store = folder / archive_store.name
    fine(store, "find", "--index")
    assert Path(f"{store}.find").exists() and not Path(f"{archive_store}.find").exists()
    return store


def names(ran: Ran) -> list[str]:
    return [row["found"]["match"] for row in ran.data]


def test_an_index_finds_what_is_found_without_one(archive_store: Path, indexed: Path) -> None:
    for asked in rotate(QUESTIONS, 7):
        for viewer in ("spectator", "judge"):
            plain = fine(archive_store, "find", *asked, "--as", viewer, "--json")
            assert fine(indexed, "find", *asked, "--as", viewer, "--json").data == plain.data, asked
    assert not Path(f"{archive_store}.find").exists()


@pytest.mark.parametrize("viewer", ["spectator", "judge"])
def test_a_question_makes_the_index_that_it_is_answered_by(store: Path, viewer: str) -> None:
    asked = ("--clause", "BP-2.9", "--as", viewer, "--json")
    plain = fine(store, "find", *asked)
    assert plain.data and fine(store, "find", *asked, "--index").data == plain.data
    assert Path(f"{store}.find").exists()
    assert fine(store, "find", *asked, "--index").data == fine(store, "find", *asked).data == plain.data


def test_a_corpus_finds_what_the_store_it_is_packed_from_finds_in_closed_matches(store: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "all.corpus"
    with Store.open(store, read_only=True) as opened:
        pack(corpus, [(listed.match, opened.read_record(listed.match)) for listed in opened.matches()])
        closed = {listed.match for listed in opened.matches() if listed.closed}
    for asked, viewer in zip(QUESTIONS[1::2], cycle(("judge", "spectator")), strict=False):
        options = (*asked, "--as", viewer, "--limit", "500", "--json")
        stored, packed = (fine(store, "find", *paths, *options).data for paths in ((), (corpus,)))
        alike = [
            {row["found"]["match"]: (row["found"], row.get("did")) for row in rows if row["found"]["match"] in closed}
            for rows in (stored, packed)
        ]
        assert alike[0] == alike[1], (asked, viewer)


def test_what_is_wanted_is_found(store: Path) -> None:
    assert names(fine(store, "find", "--event", "spring", "--json")) == ["cup"]
    assert names(fine(store, "find", "--json"))[:1] == ["cup"], "newest first"
    assert len(names(fine(store, "find", "--limit", "2", "--json"))) == 2
    refused = fine(store, "find", "--finding", "not_allowed", "--json").data
    assert refused and all(hit["kind"] == "not_allowed" for row in refused for hit in row["found"]["hits"])
    assert "nothing found" in fine(store, "find", "--game", "skillbook").out


def test_an_open_match_is_found_by_its_opening_alone(store: Path) -> None:
    assert "table-17" in names(fine(store, "find", "--player", "Aoi", "--json"))
    for hidden in (("--clause", "BP-2.9"), ("--card", "S3"), ("--finding", "consequences")):
        for viewer in ("spectator", "judge"):
            assert "table-17" not in names(fine(store, "find", *hidden, "--as", viewer, "--json"))


def test_rulings_and_deeds_are_found_in_both_languages(store: Path) -> None:
    (ruled,) = fine(store, "find", "--ruling", "wrong_outcome", "--json").data
    assert ruled["found"]["match"] == "table-17" and [did["entry"] for did in ruled["did"]] == [56]
    assert fine(store, "find", "--ruling", "no_fault", "--json").data == []
    for words in ("throwing p2 C10", "投擲 C10"):
        (thrown,) = (row for row in fine(store, "find", "--did", words, "--json").data if row["name"] == "table-17")
        assert [did["entry"] for did in thrown["did"]] == [45]
    fresh = fine(store, "find", "--did", "designate_attackers", "--fresh", "--json").data
    assert {"table-17"} <= {row["found"]["match"] for row in fresh}
    everything = fine(store, "find", "--did", "designate_attackers", "--json").data
    assert sum(len(row["did"]) for row in fresh) < sum(len(row["did"]) for row in everything)


def test_a_closed_match_tells_a_spectator_no_more_than_spectators_saw(store: Path) -> None:
    """A spectator finds a closed match neither by hidden cards nor by hidden actions."""
    asked = ("--game", "blackpoker", "--until", "2001-01-01", "--limit", "1")
    (match,) = fine(store, "find", *asked, "--json").data
    with Store.open(store, read_only=True) as opened:
        rows = indexing.index_rows(name := match["name"], opened.read(name))
    shown = {card.face for card in rows.cards if card.seen}
    hidden = [card.face for card in rows.cards if not any(card.face in face for face in shown)]
    assert hidden
    for face in hidden:
        for option in ("--did", "--card"):
            asked = ("find", option, face, "--limit", "500", "--json")
            assert name in names(fine(store, *asked, "--as", "judge")), (option, face)
            assert name not in names(fine(store, *asked)), (option, face)


def test_a_match_is_told_before_the_next_is_looked_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(look, "load", lambda source: (done.append("load"), load(source))[1])
    monkeypatch.setattr(Screen, "line", lambda *_: done.append("line"))
    fine(store, "find", "--game", "blackpoker", "--limit", "3")
    heads = [n for n, what in enumerate(done) if what == "line"]
    assert done[0] == "load" and done.count("line") == 3
    assert all("load" in done[before:after] for before, after in pairwise(heads))


def test_progress_counts_the_matches_that_are_looked_through(store: Path) -> None:
    """With an index, the search reads the only one of eleven matches that has a ruling."""
    for options, all in ((("--did", "nothing at all"), 11), (("--ruling", "no_fault"), 1)):
        assert f"0/{all}" in inside(store, "find", *options, "--progress").err


def test_files_and_corpora_are_looked_through(store: Path) -> None:
    corpus = FIXTURES / "blackpoker" / "corpus" / "small.corpus"
    found = fine(store, "find", corpus, MATCHES, "--clause", "BP-2.9", "--limit", "500", "--json").data
    places = {row["name"].rpartition(":")[0] or str(Path(row["name"]).parent) for row in found}
    assert places == {str(corpus), str(MATCHES), str(MATCHES / "changes")}
    assert "citations: 6" in fine(store, "find", corpus, "--clause", "BP-2.9", "--limit", "2").out


def test_what_cannot_be_looked_for_is_named(store: Path) -> None:
    cases: tuple[tuple[tuple[str, ...], str], ...] = (
        (("--finding", "guilty"), "there is no kind of finding 'guilty'"),
        (("--ruling", "guilty"), "verdict"),
        (("--outcome", "won"), "outcome"),
        (("--game", "chess"), "there is no game 'chess'"),
        (("--since", "yesterday"), "since: yesterday is not a date"),
        (("--until", "2026-13-01"), "until: 2026-13-01 is not a date"),
        (("--as", "p1"), "there is no viewer 'p1'"),
        (("--limit", "0"), "0"),
        (("gone.corpus",), "gone.corpus"),
        ((str(MATCHES), "--index"), "cannot be used together"),
    )
    assert [arguments for arguments, words in cases if words not in refusal(store, "find", *arguments)] == []


def test_a_match_that_cannot_be_read_is_said_beside_the_rest(store: Path, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    shutil.copy(MATCHES / "disputed.spn", tmp_path / "m")
    (tmp_path / "m" / "bad.spn").write_text("[Game x]", encoding="utf-8")
    ran = inside(store, "find", tmp_path / "m", "--player", "Aoi", "--json")
    assert names(ran) == ["table-17"] and "bad.spn" in ran.err
