"""The `shrink` command: the shortest record that shows a finding, as a record and as a case."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archive.corpus.writer import pack
from domain.games import GAMES
from domain.judging.rejudging.causes import Spares, spare_none
from domain.judging.rejudging.shared_prefix import SharedPrefix
from domain.law.entries import Entry, Played
from domain.law.law import Law
from domain.table.facts import Popped
from domain.table.table import FrameId
from recorder import codec
from recorder.simulate import simulate
from tests.cli.runs import inside
from tests.corpus.small_files import real

ROOT = Path(__file__).parents[2]
MATCHES = ROOT / "fixtures" / "blackpoker" / "matches"


def test_a_separating_match_becomes_short_and_still_separates(tmp_path: Path) -> None:
    reading = "throwing.damage_suit=club,spade"
    record = str(MATCHES / "tie-first-player.spn")
    ran = inside("unused", "shrink", record, "--reading", reading, "--out", str(tmp_path), "--json")
    assert ran.code == 0, ran
    found = ran.data
    assert found["to"] < found["from"] / 3
    again = inside("unused", "compare", "blackpoker", found["record"], "--reading", reading, "--json")
    assert (again.code, len(again.data["separating"])) == (1, 1)
    assert inside("unused", "audit", found["record"]).code == 0, "what is left is still played by the rules"
    assert inside("unused", "case", "run", found["case"]).code == 0


def test_a_rejudged_match_keeps_its_class_and_clause(tmp_path: Path) -> None:
    change = ("--set", "hand.limit=3")
    record = str(MATCHES / "normal.spn")
    before = inside("unused", "rejudge", record, *change, "--json").data["verdict"]
    ran = inside("unused", "shrink", record, *change, "--out", str(tmp_path), "--json")
    assert ran.code == 0, ran
    after = inside("unused", "rejudge", ran.data["record"], *change, "--json").data["verdict"]
    assert (after["kind"], after["clause"]) == (before["kind"], before["clause"])
    assert ran.data["to"] < ran.data["from"]


@pytest.mark.parametrize(
    "asked",
    [
        ("--set", "judge.compare=printed"),
        pytest.param(("--reading", "judge.compare=size,printed"), marks=pytest.mark.random),
    ],
)
def test_what_need_not_be_decided_changes_no_byte(
    asked: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = simulate(Law(GAMES["blackpoker"], GAMES["blackpoker"].versions["8.1-lite"]), 8)
    record = tmp_path / "record.jsonl"
    record.write_bytes(codec.to_json_lines(map(codec.encode, entries)))
    spared: list[int] = []

    def shrunk(folder: Path) -> dict[str, bytes]:
        ran = inside("unused", "shrink", record, *asked, "--out", folder, "--json")
        assert ran.code == 0 and ran.data["to"] < ran.data["from"]
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def counted(self: SharedPrefix[Any, Any], entries: Sequence[Entry]) -> Spares:
        spares = spares_of(self, entries)

        def some(rules: Any) -> bytes:
            known = spares(rules)
            spared.append(known.count(1))
            return known

        return some

    spares_of = SharedPrefix.spares
    monkeypatch.setattr(SharedPrefix, "spares", counted)
    shorter = shrunk(tmp_path / "spared")
    assert sum(spared) > 5 * len(spared)
    monkeypatch.setattr(SharedPrefix, "spares", lambda self, entries: spare_none)
    assert shrunk(tmp_path / "whole") == shorter


def test_what_shows_nothing_is_said_and_nothing_written(tmp_path: Path) -> None:
    out = tmp_path / "none"
    record = str(MATCHES / "normal.spn")
    ran = inside("unused", "shrink", record, "--set", "set_bulwark.requests_per_turn=2", "--out", str(out))
    assert (ran.code, "no difference to show" in ran.out, out.exists()) == (1, True, False)


def test_a_record_that_differs_under_its_own_rules_is_said_to(tmp_path: Path) -> None:
    given = (str(MATCHES / "disputed.spn"), "--set", "hand.limit=6", "--out", str(tmp_path / "none"))
    ran = inside("unused", "shrink", *given)
    assert (ran.code, "already differs under its own rules" in ran.out, (tmp_path / "none").exists()) == (
        1,
        True,
        False,
    )
    assert "元のルール" in inside("unused", "--lang", "ja", "shrink", *given).out


def test_a_record_is_not_written_over_by_what_becomes_of_it(tmp_path: Path) -> None:
    change = ("--set", "hand.limit=3", "--out", str(tmp_path))
    first = inside("unused", "shrink", str(MATCHES / "normal.spn"), *change, "--json")
    record = Path(first.data["record"])
    own = inside("unused", "shrink", record, *change)
    held = record.read_bytes()
    named = record.with_name(f"shrunk-{record.stem.removeprefix('shrunk-')}.spn")
    assert named == record and own.code == 2 and "--out" in own.message and record.read_bytes() == held


def test_forged_facts_in_a_packed_match_are_refused(tmp_path: Path) -> None:
    opened, *rest = real("blackpoker", 1)
    at = next(number for number, one in enumerate(rest) if isinstance(one, Played) and one.told)
    played = rest[at]
    assert isinstance(played, Played)
    clause, _ = played.told[0]
    forged = msgspec.structs.replace(played, told=((clause, Popped(FrameId(999), "resolved")),))
    file = tmp_path / "a.corpus"
    pack(file, [("forged", (opened, *rest[:at], forged))])
    for command in (("rejudge",), ("shrink", "--out", str(tmp_path / "out"))):
        ran = inside("unused.sqlite", *command, f"{file}:forged", "--set", "hand.limit=5")
        assert ran.code == 2 and f"entry {at + 2}" in ran.message, ran


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    record = str(MATCHES / "normal.spn")
    for more in (
        ["--set", "hand.limit=3", "--reading", "throwing.damage_suit=club,spade"],
        ["--set", "no.such=3"],
        ["--reading", "throwing.damage_suit=club"],
        [],
    ):
        ran = inside("unused", "shrink", record, "--out", str(tmp_path / "x"), *more)
        assert (ran.code, bool(ran.message), (tmp_path / "x").exists()) == (2, True, False)


def test_a_match_with_an_action_of_no_game_is_one_clear_line(tmp_path: Path) -> None:
    opened, *rest = real("blackpoker", 1)
    at = next(number for number, one in enumerate(rest) if isinstance(one, Played) and one.actor == "p1")
    played = rest[at]
    assert isinstance(played, Played)
    flown = msgspec.structs.replace(played, action=msgspec.Raw(msgspec.msgpack.encode({"do": "fly"})))
    file = tmp_path / "a.corpus"
    pack(file, [("odd", (opened, *rest[:at], flown))])
    ran = inside("unused.sqlite", "shrink", f"{file}:odd", "--set", "hand.limit=5", "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "'fly'" in ran.message, ran
    assert not (tmp_path / "out").exists()


def test_a_coverage_page_is_not_written_over_a_folder(tmp_path: Path) -> None:
    ran = inside("unused.sqlite", "coverage", "grimoire", "--html", str(tmp_path))
    assert ran.code == 2 and "Is a directory" in ran.message, ran
    assert not list(tmp_path.iterdir())
