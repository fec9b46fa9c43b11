"""Limits: small inputs with a large cost and absurd numbers are refused by a named limit."""

import os
import zlib
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from archive.corpus import corpus_format
from archive.corpus.errors import CorpusError
from archive.corpus.reader import open_corpus
from cli import drawing, layout
from domain.formats import notation
from domain.formats.casebook import load
from domain.formats.notation import lines
from domain.law.live import FACTS_MAX
from domain.table.facts import Created
from domain.table.physics import PIECES_MAX, Physics
from domain.table.table import CardId, Place, Seat, blank
from domain.words import tomls
from tests.cli.runs import DISPUTED, Ran, fine, inside, program
from tests.corpus.small_files import forge
from tests.toy import TOY

DIGITS = "9" * 5_000
POSITION = 'game = "blackpoker"\nversion = "8.1-lite"\n[[case]]\nid = "a"\n'
DOTS = ".".join(["a"] * 50_000) + " = 1\n"
RULES = ("--rules", "many.toml")


def expect_refusal(ran: Ran, *says: str) -> None:
    assert ran.code == 2, ran
    assert all(one in ran.err for one in says), ran.err
    assert len(ran.err) < drawing.MESSAGE_MAX + 200, "an error fits a screen"


@pytest.mark.parametrize("command", ["case", "rules", "deck", "approvals"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DOTS, f"1:1: a key has {tomls.KEY_PARTS_MAX} or more parts"),
        (f"[x]\ny = {DIGITS}\n", "a number has too many digits"),
        ("x = " + "[" * 50_000, "nested too deeply"),
    ],
    ids=["dots", "digits", "depth"],
)
def test_toml_that_takes_long_to_read_is_refused_before_it_is_read(
    tmp_path: Path, command: str, text: str, says: str
) -> None:
    file, match = tmp_path / "many.toml", str(DISPUTED)
    file.write_text(text, encoding="utf-8")
    asked = {
        "case": ("case", "run", str(file)),
        "rules": ("rejudge", match, "--rules", str(file)),
        "deck": ("new", "blackpoker@8.1-lite", "--deck", f"p1={file}"),
        "approvals": ("regress", match, "--set", "hand.limit=5", "--approved", str(file)),
    }
    expect_refusal(inside(tmp_path / "s.sqlite", *asked[command]), "many.toml", says)


def test_a_dotted_key_of_ours_is_read() -> None:
    deep = ".".join(["a"] * (tomls.KEY_PARTS_MAX - 1))
    assert tomls.parse(f'{deep} = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18"\n')


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ("[[case.step]]\nwhen = []\n" * 50_000, f"case a: more than {load.STEPS_MAX} steps"),
        ("[[case.step]]\nwhen = [" + '"pp",' * 50_000 + "]\n", f"case a: more than {load.ACTIONS_MAX} actions"),
    ],
    ids=["steps", "actions"],
)
def test_a_case_has_so_many_steps_and_no_more(tmp_path: Path, steps: str, says: str) -> None:
    file = tmp_path / "long.cases.toml"
    file.write_text(POSITION + steps, encoding="utf-8")
    expect_refusal(inside(tmp_path / "s.sqlite", "case", "run", file), "long.cases.toml", says)


def test_a_file_has_so_many_variations_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "bushy.spn"
    branches = "".join(f"(branch 1 b{n}\n)\n" for n in range(20_000))
    file.write_text(DISPUTED.read_text(encoding="utf-8") + branches, encoding="utf-8")
    expect_refusal(inside(tmp_path / "s.sqlite", "import", file), f"more than {lines.BRANCHES_MAX} variations")


def test_a_match_with_more_branches_than_a_file_holds_is_not_gone_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "import", DISPUTED)
    for number in range(3):
        fine(store, "branch", "table-17", "--at", "5", "--match", f"b{number}")
    arguments = ("export", "table-17", "--as", "judge", "--with-branches")
    monkeypatch.setattr(notation, "BRANCHES_MAX", 3)
    fine(store, *arguments)
    monkeypatch.setattr(notation, "BRANCHES_MAX", 2)
    expect_refusal(inside(store, *arguments), "table-17", "more than 2 variations")


def export_lines(folder: Path) -> list[str]:
    store = folder / "s.sqlite"
    fine(store, "import", DISPUTED)
    return fine(store, "export", "table-17", "--format", "jsonl", "--as", "judge").out.splitlines()


def test_a_table_holds_so_many_cards_and_no_more(tmp_path: Path) -> None:
    entries = export_lines(tmp_path)
    heavy = msgspec.json.decode(entries[0]) | {"match": "heavy"}
    heavy["told"].append(["", ["new", "p1.hand", list(range(1_000, 21_000)), ["S4"] * 20_000, "p1"]])
    file = tmp_path / "heavy.jsonl"
    file.write_bytes(msgspec.json.encode(heavy))
    expect_refusal(inside(tmp_path / "other.sqlite", "import", file), f"more than {PIECES_MAX} cards on the table")


def test_a_created_card_is_new_once_and_the_table_has_room() -> None:
    physics, table = Physics(TOY.schema(TOY.versions["1"])), blank((Seat("p1"), Seat("p2")))
    place = next(Place(f"p1.{area.name}") for area in TOY.schema(TOY.versions["1"]).areas if area.per_seat)

    def wrong(cards: range | tuple[int, ...]) -> str:
        ids = tuple(map(CardId, cards))
        return str(physics.explain_impossible(table, Created(place, ids, ("A",) * len(ids), Seat("p1"))))

    assert "twice" in wrong((5, 5))
    assert str(PIECES_MAX) in wrong(range(1, PIECES_MAX + 2))
    assert wrong(range(1, PIECES_MAX + 1)) == "None"


def test_an_entry_holds_no_more_facts_than_law_ever_tells(tmp_path: Path) -> None:
    entries = export_lines(tmp_path)
    fact = ["BP-1.1", ["show", [1], ["p1"]]]
    entries.append(
        msgspec.json.encode({"entry": "corrected", "by": "j", "reason": "r", "told": [fact] * 6_000}).decode()
    )
    file = tmp_path / "long.jsonl"
    file.write_text("\n".join(entries).replace("table-17", "long") + "\n", encoding="utf-8")
    expect_refusal(
        inside(tmp_path / "other.sqlite", "import", file), f"6000 facts in one entry; at most {FACTS_MAX} are allowed"
    )


def bomb(folder: Path) -> Path:
    """Return a corpus of a few kilobytes whose only match expands to millions of facts."""
    plain = b"\xdd" + (40_000_000).to_bytes(4, "big") + b"\xc0" * 40_000_000
    data = zlib.compress(plain, 9)
    told = ("blackpoker", "8.1-lite", "0", sha256(plain).digest(), 40_000_000, len(plain))
    row = corpus_format.CorpusRow(1, "b", *told, 0, len(data))
    sound = msgspec.structs.replace(row, crc=corpus_format.crc_of(row, data))
    return forge(folder / "bomb.corpus", "blackpoker", [[*msgspec.structs.astuple(sound)[:-1], data]])


def test_a_packed_match_unpacks_to_so_many_times_its_size_and_no_more(tmp_path: Path) -> None:
    file = bomb(tmp_path)
    assert file.stat().st_size < 100_000
    with (
        open_corpus(file) as corpus,
        pytest.raises(CorpusError, match=f"more than {corpus_format.EXPANSION_MAX} times"),
    ):
        corpus.match("b")


@pytest.mark.process
def test_a_named_pipe_is_no_store(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.sqlite"
    os.mkfifo(pipe)
    for arguments in (("matches",), ("new", "blackpoker@8.1-lite"), ("import", DISPUTED)):
        expect_refusal(program(tmp_path, "--store", pipe, *arguments), "not an ordinary file")


def test_an_error_is_no_longer_than_a_screen(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "import", DISPUTED)
    ran = inside(store, "do", "table-17", "p1: " + "attack " * 20_000)
    expect_refusal(ran)
    ran = inside(store, "show", "n" * 100_000)
    expect_refusal(ran)
    assert (
        drawing.brief("b" * 5_000 + "end").endswith("end")
        and len(drawing.brief("b" * 5_000)) < drawing.MESSAGE_MAX + 10
    )


@pytest.mark.process
def test_names_of_thousands_of_letters_are_laid_side_by_side(tmp_path: Path) -> None:
    changes = DISPUTED.parent / "changes" / "rc-01.spn"
    seats = f'[Seat "p1" "{"N" * 4_000}"]\n[Seat "p2" "{"あ" * 4_000}"]\n'
    file = tmp_path / "long.spn"
    file.write_text(changes.read_text(encoding="utf-8").replace("[Match", seats + "[Match"), encoding="utf-8")
    rules = DISPUTED.parents[1] / "rules" / "9.0-on-older-decks.toml"
    ran = program(tmp_path, "rejudge", file, "--rules", rules, "--beside")
    assert ran.code == 1 and "NNNN" in ran.out and "life ran out" in ran.out


@pytest.mark.parametrize("text", ["x" * 200_000, "x " * 100_000, "あ" * 100_000], ids=["word", "words", "wide"])
def test_long_text_is_folded_in_one_pass(text: str) -> None:
    folded = layout.fold(text, 40)
    assert "".join(folded).replace(" ", "") == text.replace(" ", "")
    assert max(map(layout.width, folded)) <= 40


def test_text_is_folded_at_blanks_and_within_a_word_that_is_too_long() -> None:
    assert layout.fold("one two three", 7) == ["one two", "three"]
    assert layout.fold("abcdefgh ij", 4) == ["abcd", "efgh", "ij"]
    assert layout.fold("審判", 1) == ["審", "判"]
    assert layout.fold("", 4) == []
