"""Tab in real shells: every kind of value, typed at a prompt of bash and zsh, and asked of fish."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.runs import ROOT, disputed, environment, fine
from tests.cli.windows import Window

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="needs shells of Unix"),
]

SCRIPTS = ROOT / "cli" / "completing"
BEGIN = {
    "bash": ("bash", "--norc", "--noprofile", "-i"),
    "zsh": ("zsh", "-f", "-i"),
}
PLAINLY = "unset zle_bracketed_paste; unsetopt PROMPT_CR PROMPT_SP"
PREPARE = {
    "bash": "source {script}; PS1='READY''> '",
    "zsh": f"autoload -U compinit; compinit -D -u; {PLAINLY}; source {{script}}; PS1='READY''> '",
}
TOLD = "shinpan() {{ printf '<%s>' \"$@\"; printf '.\\n'; }}"
"""What is run instead of the program, whose place the shell completes for: it says with which words."""

LINES: dict[str, tuple[str, list[str]]] = {
    "a command": ("rewi", ["rewind"]),
    "a command of a group": ("case r", ["case", "run"]),
    "an option": ("matches --op", ["matches", "--open"]),
    "a match": ("show tab", ["show", "table-17"]),
    "a viewer": ("show table-17 --as spec", ["show", "table-17", "--as", "spectator"]),
    "a viewer by name": ("show cup-1 --as Ao", ["show", "cup-1", "--as", "Aoi Tanaka"]),
    "a viewer in quotes": ("show cup-1 --as 'Aoi T", ["show", "cup-1", "--as", "Aoi Tanaka"]),
    "a viewer of a strange name": ("show cup-1 --as \\$", ["show", "cup-1", "--as", "$(touch x)`y`"]),
    "a version": ("new blackpoker@8.0", ["new", "blackpoker@8.0-lite"]),
    "an option of a ruleset": (
        "new blackpoker@8.1-lite --set throwing.d",
        ["new", "blackpoker@8.1-lite", "--set", "throwing.damage_suit="],
    ),
    "a value of it": (
        "new blackpoker@8.1-lite --set throwing.damage_suit=cl",
        ["new", "blackpoker@8.1-lite", "--set", "throwing.damage_suit=club"],
    ),
    "a value behind =": ("show table-17 --as=spec", ["show", "table-17", "--as=spectator"]),
    "a clause": ("rulebook blackpoker BP-7.15", ["rulebook", "blackpoker", "BP-7.15"]),
    "a clause by its chapter": ("rulebook grimoire GR-12.2", ["rulebook", "grimoire", "GR-12.2"]),
    "a verb": ("do table-17 p1: atta", ["do", "table-17", "p1:", "attack"]),
    "an actor": ("do table-17 p2", ["do", "table-17", "p2:"]),
    "an action in quotes": ('do table-17 "p1: atta', ["do", "table-17", "p1: attack"]),
    "a language": ("matches --lang j", ["matches", "--lang", "ja"]),
    "a format": ("export table-17 --format js", ["export", "table-17", "--format", "jsonl"]),
    "a deck": ("new grimoire@1 --deck p1=em", ["new", "grimoire@1", "--deck", "p1=ember"]),
    "a file": ("import some-fi", ["import", "some-file.spn"]),
    "nothing": ("note table-17 wor", ["note", "table-17", "wor"]),
}


def needed(shell: str) -> str:
    """The shell's program; without it the test is skipped."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, a file, and the program under its name."""
    folder = tmp_path_factory.mktemp("shells")
    fine(disputed(folder), "new", "grimoire@1", "--match", "cup-1", "--p1", "Aoi Tanaka", "--p2", "$(touch x)`y`")
    (folder / "some-file.spn").touch()
    (folder / "bin").mkdir()
    program = folder / "bin" / "shinpan"
    begin = "from cli.start import main; main()"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{begin}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


def around(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a shell that finds the program and the store, and waits however busy the machine is."""
    path = os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))
    own = {"PATH": path, "SHINPAN_TAB_SECONDS": "60", "LC_ALL": "C.UTF-8", "HISTFILE": "", "TERM": "dumb"}
    return environment(folder, folder / "shinpan.sqlite", **own, **more)


class Prompt:
    """A shell at work in a window."""

    def __init__(self, shell: str, folder: Path, prepare: str, **more: str) -> None:
        command = (needed(shell), *BEGIN[shell][1:])
        self.window = Window(command, folder, around(folder, **more), columns=200)
        self.window.press(prepare + "\n", "READY> $")
        self.window.press(TOLD.format() + "\n", "READY> $")

    def completed(self, line: str) -> list[str]:
        """The words of a line that was typed as far as here, once Tab has been pressed."""
        answer = self.window.press(f"shinpan {line}\t\n", r"\.\n(.|\n)*READY> $")
        (told,) = re.findall(r"^((?:<[^\n]*>)?)\.$", answer, re.M)
        return re.findall(r"<(.*?)>", told)

    def end(self) -> None:
        """Leave it."""
        os.write(self.window.own, b"exit\n")
        self.window.ended()


@pytest.fixture(scope="module", params=["bash", "zsh"])
def prompt(request: pytest.FixtureRequest, folder: Path) -> Iterator[Prompt]:
    script = SCRIPTS / f"shinpan.{request.param}"
    prompt = Prompt(request.param, folder, PREPARE[request.param].format(script=script))
    yield prompt
    prompt.end()


@pytest.mark.parametrize("kind", LINES)
def test_tab_completes_at_a_prompt(prompt: Prompt, folder: Path, kind: str) -> None:
    line, words = LINES[kind]
    assert prompt.completed(line) == words
    assert not (folder / "x").exists(), "what a player is called is no command"


@pytest.mark.parametrize("kind", LINES)
def test_fish_offers_it(folder: Path, kind: str) -> None:
    line, words = LINES[kind]
    ask = f"source {SCRIPTS}/shinpan.fish; complete -C $argv[1]"
    done = subprocess.run(
        [needed("fish"), "--no-config", "-c", ask, f"shinpan {line}"],
        cwd=folder,
        env=around(folder),
        capture_output=True,
        check=True,
        timeout=120,
    )
    offered = [row.partition("\t")[0] for row in done.stdout.decode().splitlines()]
    assert offered == ([] if kind == "nothing" else words[-1:]) and not done.stderr
    assert not (folder / "x").exists()


@pytest.mark.parametrize(
    ("shell", "script", "begin"),
    [
        ("bash", ".bash_completions/shinpan.sh", "source ~/.bashrc; PS1='READY''> '"),
        (
            "zsh",
            ".zfunc/_shinpan",
            f"source ~/.zshrc; {PLAINLY}; PS1='READY''> '",
        ),
        ("fish", ".config/fish/completions/shinpan.fish", ""),
    ],
)
def test_what_is_installed_is_what_is_shown_and_completes(folder: Path, shell: str, script: str, begin: str) -> None:
    home = folder / f"home-{shell}"
    home.mkdir()
    own = around(folder, HOME=str(home), _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    ours = (SCRIPTS / f"shinpan.{shell}").read_text("utf-8").strip()
    for asked in ("--show-completion", "--install-completion"):
        done = subprocess.run(["shinpan", asked, shell], cwd=folder, env=own, capture_output=True, check=True)
        assert not done.stderr and (asked != "--show-completion" or done.stdout.decode().strip() == ours)
    assert (home / script).read_text("utf-8").strip() == ours
    if shell == "fish":
        ask = [needed(shell), "-c", "complete -C 'shinpan show tab'"]
        done = subprocess.run(ask, cwd=folder, env=own, capture_output=True, check=True, timeout=120)
        assert done.stdout.decode().split() == ["table-17"]
        return
    prompt = Prompt(shell, folder, begin, HOME=str(home))
    assert prompt.completed("show tab") == ["show", "table-17"]
    prompt.end()
