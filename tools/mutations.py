"""Mutation tests of the suite: `python -m tools.mutations [ONLY ...]` breaks one line at a time.

Each mutation runs in a copy of the tree. The checks of `tools.trial` run against a game's rules. The tests that the
mutation names run in every case. Exit code 1 if a mutation survives, or if only the nightly run finds it and no reason
is given.
"""

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from os import environ
from pathlib import Path

import msgspec
from msgspec import Struct

from tools.trial import VERIFY, WITNESSES

ROOT = Path(__file__).parents[1]
LAWS = "domain/games/"
NOT_COPIED = (".git", ".venv", "venv", ".*_cache", ".hypothesis", "build", "dist", ".demo", "*.egg-info", "*.pyc.*")
SECONDS_MAX = 300
"""Time limit of a test run. A mutation that exceeds it counts as found."""
PYTEST = "-m pytest -x -q --tb=no --no-header -p no:cacheprovider"
NIGHTLY_WITNESSES = {VERIFY}
"""Checks that `make test` does not run: it plays other matches."""
FAILED = 1
"""Exit code of pytest if a test failed. Any other nonzero code means that no test ran, so nothing was found."""


class Mutation(Struct, frozen=True, forbid_unknown_fields=True):
    """A line to replace, and the behaviour that breaks.

    `found_by` are pytest arguments: a file, or a file with `-k`. A game's rules need none. `nightly` is the reason why
    `make test` may miss the mutation.
    """

    file: str
    line: str
    instead: str
    breaks: str
    found_by: tuple[str, ...] = ()
    nightly: str = ""

    @property
    def game(self) -> str:
        """Key of the game whose rules are mutated, or ''."""
        return self.file.removeprefix(LAWS).partition("/")[0] if self.file.startswith(LAWS) else ""


class _MutationFile(Struct, frozen=True, forbid_unknown_fields=True):
    mutation: tuple[Mutation, ...]


class Stale(ValueError):
    """The line of a mutation does not occur in its file exactly once."""


def mutations() -> tuple[Mutation, ...]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _MutationFile).mutation


def mutate(text: str, mutation: Mutation) -> str:
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if line.strip() == mutation.line]
    if len(places) != 1:
        raise Stale(f"{mutation.file}: {mutation.line!r} occurs {len(places)} times, not once: update mutations.toml")
    line = lines[places[0]]
    lines[places[0]] = line[: len(line) - len(line.lstrip())] + mutation.instead
    return "\n".join(lines)


@contextmanager
def copied_tree() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mut-") as name:
        yield shutil.copytree(ROOT, Path(name), ignore=shutil.ignore_patterns(*NOT_COPIED), dirs_exist_ok=True)


def attempt(mutation: Mutation) -> dict[str, str]:
    """Apply a mutation to a copy of the tree. Return the message of each check or test that finds it."""
    with copied_tree() as tree:
        path = tree / mutation.file
        path.write_text(mutate(path.read_text(encoding="utf-8"), mutation), encoding="utf-8")
        return {**(run_trial(tree, mutation.game) if mutation.game else {}), **run_tests(tree, mutation)}


def run_trial(tree: Path, game: str) -> dict[str, str]:
    """Run the checks of `tools.trial` on a game's rules. Return the message of each that fails."""
    done = _run(tree, "-m", "tools.trial", game, f"fixtures/{game}")
    if done is None:
        return dict.fromkeys(WITNESSES, f"more than {SECONDS_MAX} s")
    if done.returncode:
        return dict.fromkeys(WITNESSES, done.stderr.strip().rpartition("\n")[2][:200])
    caught: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return caught


def run_tests(tree: Path, mutation: Mutation) -> dict[str, str]:
    """Return the first failure of each test that the mutation names."""
    outcomes = {witness: run_pytest(tree, witness, nightly=bool(mutation.nightly)) for witness in mutation.found_by}
    return {witness: failure for witness, (code, failure) in outcomes.items() if code == FAILED}


def run_pytest(tree: Path, witness: str, *, nightly: bool) -> tuple[int, str]:
    """Return exit code and first failure of a pytest run. `nightly` includes the tests that `make test` skips."""
    done = _run(tree, *PYTEST.split(), *(("--nightly",) if nightly else ()), *shlex.split(witness))
    if done is None:
        return FAILED, f"more than {SECONDS_MAX} s"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode, (failed or [done.stdout[-400:] + done.stderr[-400:]])[0][:400]


def _run(tree: Path, *arguments: str) -> "subprocess.CompletedProcess[str] | None":
    """Run Python in a tree. Return None on timeout."""
    env = {**environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(
            (sys.executable, *arguments),
            cwd=tree,
            env=env,
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def find_stale(every: Iterable[Mutation]) -> list[str]:
    """Return an error for each mutation that no longer fits its file."""
    stale = []
    for mutation in every:
        try:
            mutate((ROOT / mutation.file).read_text(encoding="utf-8"), mutation)
        except (OSError, Stale) as error:
            stale.append(str(error))
    return stale


def find_false_alarms(every: Collection[Mutation]) -> list[str]:
    """Run each check once on the unchanged tree. Return the failures."""
    alarms = []
    with copied_tree() as tree:
        for game in sorted({mutation.game for mutation in every} - {""}):
            alarms += [f"{game}: {name}: {failure}" for name, failure in run_trial(tree, game).items()]
        for witness, nightly in sorted({(name, bool(one.nightly)) for one in every for name in one.found_by}):
            code, failure = run_pytest(tree, witness, nightly=nightly)
            alarms += [f"{witness}: exit code {code}: {failure}"] if code else []
    return alarms


def main(arguments: Sequence[str]) -> int:
    """Try the mutations with the given numbers or words of file names, by default all. Return the exit code."""
    every = {
        number: mutation
        for number, mutation in enumerate(mutations(), start=1)
        if not arguments
        or str(number) in arguments
        or any(word in mutation.file for word in arguments if not word.isdigit())
    }
    if wrong := find_stale(every.values()) or find_false_alarms(every.values()):
        print("before anything was mutated:", *wrong, sep="\n")
        return 1
    found = 0
    with ThreadPoolExecutor(max(1, int(environ.get("JOBS", "1")))) as pool:
        for number, mutation, caught in zip(every, every.values(), pool.map(attempt, every.values()), strict=True):
            daily = caught if mutation.nightly else caught.keys() - NIGHTLY_WITNESSES
            found += bool(daily)
            state = "found" if daily else "NIGHTLY" if caught else "SURVIVES"
            print(f"{number:>3}  {state:8}  {mutation.breaks} ({mutation.file})", flush=True)
            for witness, failure in caught.items():
                print(f"               {witness}: {failure}")
    print(f"{len(every)} mutations, {found} found, {len(every) - found} not")
    return 0 if every and found == len(every) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
