"""The help: every example of every command runs, in both languages."""

import io
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from cli.registry import FIRST as FIRST_SCREEN, PANELS
from domain.words import LANGS, Lang, load_messages
from tests.cli.runs import DISPUTED, ROOT, disputed, fine, inside
from tests.damaged import damage
from tests.rotation import rotate
from tools.reference import commands, reference

LASTING = "serve"
"""Commands that run until they are stopped. Their examples are tested in a process."""
EXAMPLES = {key.removeprefix("example."): load_messages()[key] for key in load_messages() if key.startswith("example.")}

DISPUTE, RULE, APPEAL = (
    "dispute table-17 --at 31",
    "rule table-17 56 --verdict unclear",
    "appeal table-17 56 --reason x",
)
FIRST = {
    "casefile": (DISPUTE,),
    "rule": (DISPUTE,),
    "appeal": (DISPUTE, RULE),
    "decide": (DISPUTE, RULE, APPEAL),
    "resume": ("pause table-17",),
    "results": ("describe table-17 --event Cup --round 1",),
    "seal": ("keygen seal.key",),
    "proof": ("close table-17 --abandon --reason x", "keygen seal.key", "seal --key seal.key"),
    "reveal": (
        "new blackpoker@8.1-lite --match table-18"
        " --pledge p1=22ec304aa638edd70fccd3ea603b0d7203b13e040824099ff9826efc49d68e65",
    ),
    "people": ("invite seat Aoi",),
    "forget": ("new blackpoker@8.1-lite --match table-18 --p1 Aiko",),
    "paper.learn": ("paper take fixtures/blackpoker/paper/kana.sheet",),
    "reseal": ("unseal table-17 --eyes p1 --by kato",),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set up a folder with every file that the examples name; its match continues from entry 29."""
    folder = tmp_path_factory.mktemp("examples")
    fine(disputed(folder), "rewind", "table-17", "--to", "29", "--reason", "p1 had no chance")
    shutil.copy(DISPUTED, folder / "table-17.spn")
    shutil.copy(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus", folder / "evening.corpus")
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    (folder / "round-1.csv").write_text("table,p1,p2\n1,Ann,Bo\n", encoding="utf-8")
    return folder


def test_every_command_has_help_with_an_example() -> None:
    assert {".".join(one.path) for one in commands()} == set(EXAMPLES)
    for name, example in EXAMPLES.items():
        for lang in LANGS:
            said = re.sub(r"\s+", " ", fine("unused.sqlite", *name.split("."), "--help", "--lang", lang).out)
            assert example.say(lang).startswith(f"shinpan {name.replace('.', ' ')}")
            assert re.sub(r"\s+", " ", example.say(lang)) in said and "--store" in said and "--lang" in said, name


@pytest.mark.random
@pytest.mark.rotates(2)
@pytest.mark.parametrize("lang", rotate(LANGS, 1))
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != LASTING])
def test_an_example_runs(desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lang: Lang) -> None:
    first, *arguments = shlex.split(EXAMPLES[name].say(lang))
    assert first == "shinpan" and arguments[: name.count(".") + 1] == name.split(".")
    for one in desk.iterdir():
        (tmp_path / one.name).symlink_to(one) if one.is_dir() else shutil.copy(one, tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    with chdir(tmp_path):
        store = tmp_path / ("new.sqlite" if name == "import" else "shinpan.sqlite")
        for line in FIRST.get(name, ()):
            fine(store, *line.split())
        if name == "quarantine":
            damage(str(store), "table-17", "a missing entry")
        ran = inside(store, *arguments, "--lang", lang)
    assert ran.code in (0, 1), ran
    assert ran.out, "it answers"


def test_the_reference_is_what_the_program_says(same_as_file: Callable[[Path, str], None]) -> None:
    same_as_file(ROOT / "docs" / "cli.md", reference())


def test_the_reference_names_every_command_and_option() -> None:
    text = reference()
    for one in commands():
        assert f"\n## shinpan {' '.join(one.path)}\n" in text
        for row in one.options:
            assert f"| `{row.name}` |" in text


def test_the_script_that_makes_a_shell_complete_is_shown() -> None:
    for lang in LANGS:
        text = re.sub(r"\s+", " ", inside("unused.sqlite", "--lang", lang, "--help").out)
        assert "--install-completion" in text and "--show-completion" in text
        for key in ("help.install_completion", "help.show_completion"):
            assert load_messages()[key].say(lang)[:12] in text


WRONG: dict[str, tuple[str, ...]] = {
    "usage.no_option": ("show", "t", "--loud"),
    "usage.no_command": ("replay",),
    "usage.no_argument": ("show",),
    "usage.missing_option": ("rewind", "t"),
    "usage.missing_command": ("case",),
    "usage.no_whole": ("why", "t", "ten"),
    "usage.needs_value": ("show", "t", "--at"),
    "usage.out_of_range": ("perft", "blackpoker@8.1-lite", "--depth", "0"),
    "usage.too_small": ("matches", "--limit", "0"),
    "usage.no_choice": ("export", "t", "--format", "pgn"),
    "usage.no_value": ("games", "--json=1"),
    "usage.too_many": ("games", "a", "b"),
}


def test_what_the_library_says_against_arguments_is_said_in_our_words() -> None:
    for key, arguments in WRONG.items():
        for lang in LANGS:
            ran = inside("unused.sqlite", "--lang", lang, *arguments)
            longest = max(re.split(r"\{\w+\}", load_messages()[key].say(lang)), key=len)
            assert ran.code == 2 and longest.rstrip(".") in ran.message, ran


def test_the_first_screen_lists_twelve_commands_and_the_topics_list_all() -> None:
    for lang in LANGS:
        first = inside("unused.sqlite", "--lang", lang).out
        assert len(FIRST_SCREEN) == 12 and all(re.search(rf"^  {name} ", first, re.M) for name in FIRST_SCREEN)
        assert "casefile" not in first and all(topic in first for topic in PANELS)
        everything = inside("unused.sqlite", "help", "--lang", lang).out
        names = {name.partition(".")[0] for panel in PANELS.values() for name in panel}
        assert all(re.search(rf"^  {re.escape(name)} ", everything, re.M) for name in names)
        judge = inside("unused.sqlite", "help", "judge", "--lang", lang).out
        assert set(re.findall(r"^  ([a-z-]+) ", judge, re.M)) == set(PANELS["judge"])
        assert "--at N" in inside("unused.sqlite", "help", "show", "--lang", lang).out
        wrong = inside("unused.sqlite", "help", "nothing", "--lang", lang)
        assert wrong.code == 2 and "'nothing'" in wrong.message and "evidence" in wrong.message
