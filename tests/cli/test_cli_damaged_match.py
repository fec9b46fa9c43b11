"""One match that cannot be read harms no other: every command answers for the others as in a store without it.

The commands are those of the help, each by its example: none can be forgotten.
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
from tests.cli.runs import DISPUTED, ROOT, Ran, disputed, fine, inside
from tests.cli.test_cli_help import EXAMPLES, FIRST, LASTING
from tests.damaged import WAYS, damage
from tests.rotation import rotate

BAD, SOUND = "table-16", "table-17"
ELSEWHERE = {LASTING, "play", "simulate", "verify", "perft", "games", "rulebook", "keygen", "pledge", "quarantine"}
"""Commands that look at no match of a store, or at a terminal; and the one that is for the damaged match."""
FOUND: dict[str, tuple[str, ...]] = {
    "matches": (),
    "backup": ("kept.sqlite",),
    "store.copy": ("shinpan.sqlite", "other.sqlite"),
    "check": (),
    "seal": ("--key", "seal.key"),
    "regress": ("--rules", "blackpoker@8.2-lite", "shinpan.sqlite"),
    "coverage": ("blackpoker", "--corpus", "shinpan.sqlite"),
    "compare": ("blackpoker", "--reading", "throwing.damage_suit=club,spade", "shinpan.sqlite"),
    "audit": ("shinpan.sqlite",),
}
"""Commands over all matches, which name the damaged one."""
CHANGING = re.compile(
    r"[0-9a-f]{8,}|[0-9A-Za-z+/=]{40,}|\b[A-Z]{2,3}-\w{4,6}\b|\d\d:\d\d:\d\d|\d+(?:\.\d+)? ?(?:s|ms|MB)\b"
)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the examples name."""
    folder = tmp_path_factory.mktemp("plain")
    fine(disputed(folder), "rewind", SOUND, "--to", "29", "--reason", "p1 had no chance")
    shutil.copy(DISPUTED, folder / "table-17.spn")
    shutil.copy(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus", folder / "evening.corpus")
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    (folder / "round-1.csv").write_text("table,p1,p2\n1,Ann,Bo\n", encoding="utf-8")
    return folder


def with_damage(plain: Path, folder: Path, way: str) -> Path:
    """The folder of a store that has one match more, which is damaged."""
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
    monkeypatch.setattr("recorder.clock.now", lambda: 1_767_323_045_000)


def run_example(folder: Path, name: str) -> Ran:
    with chdir(folder):
        store = folder / ("new.sqlite" if name == "import" else "shinpan.sqlite")
        for line in FIRST.get(name, ()):
            inside(store, *line.split())
        return inside(store, *shlex.split(EXAMPLES[name].say("en"))[1:])


def said(ran: Ran, folder: Path) -> tuple[list[str], list[str]]:
    """What was said without the damaged match, and without what is another at each run."""
    return tuple(
        sorted(CHANGING.sub("~", line.replace(str(folder), "")) for line in text.splitlines() if BAD not in line)
        for text in (ran.out, ran.err)
    )  # type: ignore[return-value]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ELSEWHERE])
def test_a_command_answers_for_others_as_without_the_damaged_match(plain: Path, tmp_path: Path, name: str) -> None:
    lay(plain, tmp_path / "a")
    way = rotate([*WAYS], 1)[0]
    there = run_example(with_damage(plain, tmp_path / "b", way), name)
    alone = run_example(tmp_path / "a", name)
    if name in FOUND:
        assert there.code in (alone.code, 1), there
    else:
        assert there.code == alone.code, (way, there)
        assert said(there, tmp_path / "b") == said(alone, tmp_path / "a"), way
