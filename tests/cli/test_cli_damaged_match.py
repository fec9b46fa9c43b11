"""One unreadable match: every command answers for the other matches as if it did not exist.

The commands come from the examples of the help, so that none is missed.
"""

import io
import re
import shlex
import shutil
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.law.entries import Opened
from recorder.store import Store
from tests.cli.runs import DISPUTED, ROOT, Ran, disputed, fine, inside, refusal
from tests.cli.test_cli_help import EXAMPLES, FIRST, LASTING
from tests.damaged import WAYS, damage
from tests.places import rows
from tests.rotation import rotate

BAD, SOUND = "table-16", "table-17"
ELSEWHERE = {
    LASTING, "play", "simulate", "verify", "perft", "games", "rulebook", "keygen", "pledge", "quarantine",
    "case.run", "case.new", "corpus.unpack", "corpus.info", "corpus.sample", "corpus.index", "shrink", "paper.compare",
    "paper.settle", "corpus.pack",
}  # fmt: skip
"""Commands on files, on one match or on a terminal, the repair command, and `pack`, which packs all or nothing."""
RANDOM = ("new", "invite", "reveal", "proof", "dossier")
"""Commands whose output differs between two runs."""
LISTS: dict[str, tuple[str, ...]] = {
    "matches": ("--json",),
    "find": ("--clause", "BP-10.6", "--json"),
    "docket": ("--json",),
    "contradictions": ("--json",),
    "audit": ("shinpan.sqlite", "--json"),
    "coverage": ("blackpoker", "--corpus", "shinpan.sqlite", "--json"),
    "regress": ("--rules", "blackpoker@8.2-lite", "shinpan.sqlite", "--json"),
    "compare": ("blackpoker", "--reading", "throwing.damage_suit=club,spade", "shinpan.sqlite", "--json"),
    "check": (),
    "seal": ("--key", "seal.key"),
    "backup": ("kept.sqlite", "--json"),
    "store.copy": ("shinpan.sqlite", "other.sqlite", "--json"),
}
SLOW = ("regress", "compare", "coverage")
NAMELESS = ("docket", "contradictions")
"""Commands that skip the damaged entry, because they read disputed matches only."""
CHANGING = re.compile(
    r"[0-9a-f]{8,}|[0-9A-Za-z+/=]{40,}|\b[A-Z]{2,3}-\w{4,6}\b|\d\d:\d\d:\d\d|\d+(?:\.\d+)? ?(?:s|ms|MB)\b"
)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every file that the examples name."""
    folder = tmp_path_factory.mktemp("plain")
    fine(disputed(folder), "rewind", SOUND, "--to", "29", "--reason", "p1 had no chance")
    shutil.copy(DISPUTED, folder / "table-17.spn")
    shutil.copy(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus", folder / "evening.corpus")
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    (folder / "round-1.csv").write_text("table,p1,p2\n1,Ann,Bo\n", encoding="utf-8")
    return folder


def with_damage(plain: Path, folder: Path, way: str) -> Path:
    """Return a copy of the folder whose store has a damaged match in addition."""
    lay(plain, folder)
    with Store.open(folder / "shinpan.sqlite") as store:
        opened, *entries = store.read(SOUND)
        assert isinstance(opened, Opened)
        store.append(BAD, 0, [replace(opened, match=BAD), *entries])
    damage(str(folder / "shinpan.sqlite"), BAD, way)
    return folder


def lay(plain: Path, folder: Path) -> None:
    folder.mkdir()
    for one in plain.iterdir():
        (folder / one.name).symlink_to(one.resolve()) if one.is_dir() else shutil.copy(one, folder)


@pytest.fixture(autouse=True)
def _no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    monkeypatch.setattr("recorder.clock.read_wall_clock", lambda: 1_767_323_045_000)


def run_example(folder: Path, name: str) -> Ran:
    with chdir(folder):
        store = folder / ("new.sqlite" if name == "import" else "shinpan.sqlite")
        for line in FIRST.get(name, ()):
            inside(store, *line.split())
        return inside(store, *shlex.split(EXAMPLES[name].say("en"))[1:])


def comparable_output(ran: Ran, folder: Path) -> tuple[list[str], list[str]]:
    """Return the output lines without the damaged match, with values that change at each run masked."""
    return tuple(
        sorted(CHANGING.sub("~", line.replace(str(folder), "")) for line in text.splitlines() if BAD not in line)
        for text in (ran.out, ran.err)
    )  # type: ignore[return-value]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ELSEWHERE | {*LISTS}])
def test_a_command_answers_for_others_as_without_the_damaged_match(plain: Path, tmp_path: Path, name: str) -> None:
    lay(plain, tmp_path / "a")
    way = rotate([*WAYS], 1)[0]
    there = run_example(with_damage(plain, tmp_path / "b", way), name)
    alone = run_example(tmp_path / "a", name)
    assert there.code == alone.code, (way, there)
    assert name in RANDOM or comparable_output(there, tmp_path / "b") == comparable_output(alone, tmp_path / "a"), way


@pytest.mark.parametrize("way", WAYS)
def test_commands_over_all_matches_answer_for_others_and_name_the_damaged_one(
    plain: Path, tmp_path: Path, way: str
) -> None:
    folder = with_damage(plain, tmp_path / "b", way)
    lay(plain, tmp_path / "a")
    slow = () if way in rotate([*WAYS], 1) else SLOW
    for name in LISTS.keys() - slow:
        command = (*name.split("."), *LISTS[name])
        ran = {}
        for where in (tmp_path / "a", folder):
            with chdir(where):
                inside("shinpan.sqlite", "keygen", "seal.key")
                ran[where] = inside("shinpan.sqlite", *command)
        alone, there = ran.values()
        assert there.code in (alone.code, 1), (name, there)
        assert alone.code == 0 or name in ("audit", "check", "regress"), alone
        assert BAD in there.out + there.err or name in NAMELESS, (name, there)
        if name in ("matches", "find", "docket", "contradictions"):
            others = [row for row in there.data if row["match"] != BAD] if there.data else []
            assert others == alone.data, name


@pytest.mark.parametrize("name", ["backup", "store.copy"])
def test_a_copy_has_the_damaged_rows_and_the_exit_code_says_so(plain: Path, tmp_path: Path, name: str) -> None:
    way = rotate([*WAYS], 1)[0]
    folder = with_damage(plain, tmp_path / "b", way)
    with chdir(folder):
        ran = inside("shinpan.sqlite", *name.split("."), *LISTS[name])
        made = Path("kept.sqlite" if name == "backup" else "other.sqlite")
        assert ran.code == 1 and ran.data["damaged"] == [BAD], (way, ran)
        every = "SELECT originator_id, originator_version, topic, state FROM stored_events ORDER BY 1, 2"
        assert rows(made, every) == rows("shinpan.sqlite", every)


def test_quarantine_takes_the_damaged_match_out_and_a_good_copy_comes_back(plain: Path, tmp_path: Path) -> None:
    way = rotate([*WAYS], 1)[0]
    folder = with_damage(plain, tmp_path / "b", way)
    with chdir(folder):
        assert "can be read to its end" in refusal("shinpan.sqlite", "quarantine", SOUND)
        ran = fine("shinpan.sqlite", "quarantine", "table-16", "--json")
        assert (ran.data["match"], ran.data["entry"]) == (BAD, WAYS[way].entry) and Path("table-16.quarantine").exists()
        assert [row["match"] for row in fine("shinpan.sqlite", "matches", "--json").data] == [SOUND]
        assert inside("shinpan.sqlite", "backup", "whole.sqlite").code == 0
        fine("shinpan.sqlite", "import", "table-17.spn", "--match", BAD)
        assert len(fine("shinpan.sqlite", "matches", "--json").data) == 2
