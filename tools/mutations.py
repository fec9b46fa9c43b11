"""The verifier verified: engines made wrong in one line, and who finds it out. `python -m tools.mutations`

Each mutation is tried in a copy of the packages, in a process of its own. Exit code 1 if one is found out by nobody.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import environ
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.games import GAMES
from tools.trial import WITNESSES

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "projections", "recorder", "verify", "tools")
GAME_FOLDER = Path("domain") / "games"
SECONDS_MAX = 300
"""An engine that does not come to an end in this time is found out by that."""
ENDLESS = "time"


class Mutation(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a game's law replaced, and what that breaks."""

    file: str
    line: str
    instead: str
    breaks: str

    @property
    def game(self) -> str:
        """The game whose law it is."""
        return self.file.partition("/")[0]


class Tried(Struct, frozen=True):
    """A mutation and what each witness says against it."""

    mutation: Mutation
    caught: dict[str, str]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    mutation: tuple[Mutation, ...]


class Stale(ValueError):
    """A mutation whose line does not stand in its file exactly once any more."""


def mutations() -> tuple[Mutation, ...]:
    """All of them."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _File).mutation


def mutate(text: str, mutation: Mutation) -> str:
    """The file with the line replaced. Raises Stale."""
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if line.strip() == mutation.line]
    if len(places) != 1:
        raise Stale(f"{mutation.file}: {mutation.line!r} stands {len(places)} times")
    line = lines[places[0]]
    lines[places[0]] = line[: len(line) - len(line.lstrip())] + mutation.instead
    return "\n".join(lines)


def source(mutation: Mutation, root: Path = ROOT) -> Path:
    """The file a mutation is about."""
    return root / GAME_FOLDER / mutation.file


def attempt(mutation: Mutation) -> Tried:
    """Make an engine wrong and try it."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        folder = Path(name)
        for package in PACKAGES:
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        path = source(mutation, folder)
        path.write_text(mutate(path.read_text(encoding="utf-8"), mutation), encoding="utf-8")
        return Tried(mutation, try_out(folder, mutation.game))


def try_out(folder: Path, game: str) -> dict[str, str]:
    """What the witnesses say of the engine in this folder."""
    command = [sys.executable, "-m", "tools.trial", game, str(ROOT / "fixtures" / game)]
    env = {**environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        return {ENDLESS: f"more than {SECONDS_MAX} s"}
    if done.returncode:
        return dict.fromkeys(WITNESSES, done.stderr.strip().rpartition("\n")[2][:200])
    caught: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return caught


def attempts(every: Sequence[Mutation], jobs: int) -> Iterator[Tried]:
    """All of them, in their order."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(attempt, every)


def _why_stale(mutation: Mutation) -> str:
    try:
        mutate(source(mutation).read_text(encoding="utf-8"), mutation)
    except (OSError, Stale) as error:
        return str(error)
    return ""


def main(arguments: Sequence[str]) -> int:
    """Try those whose number or a word of their file is given, or all; exit code 1 if any is not found out."""
    jobs = int(environ.get("JOBS", "1"))
    every = [
        mutation
        for number, mutation in enumerate(mutations(), start=1)
        if not arguments
        or str(number) in arguments
        or any(word in mutation.file for word in arguments if not word.isdigit())
    ]
    numbers = {mutation: number for number, mutation in enumerate(mutations(), start=1)}
    stale = [text for mutation in every if (text := _why_stale(mutation))]
    if stale:
        print("\n".join(stale))
        return 1
    for game in sorted({mutation.game for mutation in every}):
        sound = try_out(ROOT, game)
        if sound:
            print(f"{game}: the engine as it is: {sound}")
            return 1
    survivors = 0
    print(f"{'':>3}  {'casebook':8}  {'perft':5}  {'verify':6}  what is wrong")
    for tried_out in attempts(every, jobs):
        marks = ["x" if name in tried_out.caught else "-" for name in WITNESSES]
        survivors += not tried_out.caught
        late = "" if tried_out.caught else "   SURVIVES"
        print(
            f"{numbers[tried_out.mutation]:>3}  {marks[0]:8}  {marks[1]:5}  {marks[2]:6}  "
            f"{tried_out.mutation.breaks} ({tried_out.mutation.file}){late}",
            flush=True,
        )
        for name, said in tried_out.caught.items():
            print(f"       {name}: {said}")
    games = ", ".join(sorted(GAMES))
    print(f"{len(every)} mutations ({games}), {len(every) - survivors} found out, {survivors} not")
    return 1 if survivors or not every else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
