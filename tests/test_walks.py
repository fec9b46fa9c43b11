"""The walks of CONTRIBUTING.md as a whole, in a copy of the tree: step by step, `make fixtures`, to a green suite."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_contributing import BLOCKS

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(2400)]  # each runs much of the suite once

ROOT = Path(__file__).parents[1]
LEFT_BEHIND = (
    ".git",
    ".venv",
    "venv",
    "*.pyc.*",
    ".*_cache",
    ".hypothesis",
    "build",
    "dist",
    ".demo",
    "*.egg-info",
)
"""What is compiled goes along, but for what is being written just now."""
GRIMOIRE = Path("domain", "games", "grimoire")
CASES = Path("fixtures", "grimoire", "cases")
UNSET = ("GAME", "JOBS", "PYTHONPATH", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE")
OTHERWISE = {"S90": "S88", "Lantern Tax": "Lantern Toll", "灯火の税": "灯火の関銭"}
"""The page's own test wants its card unpublished: what is published here has another name."""

GAME = "pebbles"
MATERIAL = Path(__file__).parent / "walks" / GAME
STONES = Path(__file__).parent / "toys" / "stones"
OWN_NAMES = {
    "tests.toys.stones": f"domain.games.{GAME}",
    '"stones"': f'"{GAME}"',
    "Stepping Stones": "Pebbles",
    "飛び石": "小石渡り",
    "chapter.ST-": "chapter.PB-",
    '"ST-': '"PB-',
}
SCHEMAS = f"""
from domain.games.{GAME} import GAME
from domain.law import rulesets, schemas
print("# 1")
print(f'{{rulesets.digest(GAME.latest)}} = ["{{schemas.digest(GAME.schema(GAME.latest))}}"]')
"""
OWED = (
    "tests/laws",
    "tests/test_corpora.py",
    "tests/verify/test_verify_perft.py",
    "tests/verify/test_verify_mutations.py",
)
"""Gates of a finished game that `make quick` leaves out."""
STATED = """
PEBBLES = {
    "normal": Stated("p1", "conceded", ("PB-2.7", "PB-2.8", "PB-3.3", "PB-3.4")),
    "disputed": Stated(
        "p2", "conceded", ("PB-2.7", "PB-3.3"), ((3, "not_allowed", "PB-2.4"), (6, "consequences", "PB-2.8"))
    ),
}
"""
SAMPLES = """    "pebbles": {
        "move": pb.Move(CARD, "d4"),
        "move.least": pb.Move(),
        "offer": pb.Offer(),
        "accept": pb.Accept(),
        "concede": pb.Concede(),
    },
"""
PLAYED = """def pebbles(seed: int) -> list[Entry]:
    game = GAMES["pebbles"]
    return simulate(Law(game, game.latest), seed)


"""


def in_the_tree(tree: Path, *command: str) -> str:
    """What a command says, run in the tree; it must do as asked."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "MAKE", "COV"))}
    env = {name: value for name, value in env.items() if name not in UNSET}
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6_000:]}\n{done.stderr[-2_000:]}"
    return done.stdout


def make(tree: Path, *arguments: str) -> str:
    venv = Path(sys.executable).parents[1]
    ready = [option for name in (".ready", ".ready-dev", "bin/python") for option in ("-o", str(venv / name))]
    return in_the_tree(tree, "make", *ready, f"VENV={venv}", *arguments)


def put(file: Path, before: str, *lines: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file}: {before!r} stands {text.count(before)} times"
    file.write_text(text.replace(before, "".join(lines) + before), encoding="utf-8")


def publish_a_card(tree: Path) -> None:
    card, case = BLOCKS["toml card"], BLOCKS["toml case"]
    for name, other in OTHERWISE.items():
        card, case = card.replace(name, other), case.replace(name, other)
    number = len(list((tree / GRIMOIRE / "pools").glob("*.toml"))) + 1
    (tree / GRIMOIRE / "pools" / f"{number}.toml").write_text(f"{card}\n{BLOCKS['toml erratum']}", encoding="utf-8")
    (tree / CASES / "walk-card.cases.toml").write_text(case, encoding="utf-8")
    hashes = "from domain.games.grimoire.cards import POOLS; print(POOLS.published)"
    published = in_the_tree(tree, sys.executable, "-c", hashes).strip()
    frozen = tree / "tests" / "rules" / "grimoire" / "test_grimoire_pools.py"
    put(frozen, '"""The hash of every pool ever published.', f"PUBLISHED = {published}\n")


def add_an_option(tree: Path) -> None:
    put(tree / GRIMOIRE / "rules.py", "    cards: PoolId = FIRST", BLOCKS["python option"].partition("\n")[2])
    book = tree / GRIMOIRE / "rulebook.toml"
    put(book, 'first_turn_draw = "', BLOCKS["toml row"])
    put(book, "first_turn_draw = {", BLOCKS["toml words"])
    varied = BLOCKS["toml sentence"].partition("\n")[0] + "\n"
    before, _, after = book.read_text(encoding="utf-8").partition(varied)
    book.write_text(before + BLOCKS["toml sentence"] + after[after.index("\n\n") + 1 :], encoding="utf-8")
    law = tree / GRIMOIRE / "effects" / "instructions.py"
    put(law, "    depart(rules, t, broken, S.JUNKYARD, C.BROKEN, broken=True)\n", BLOCKS["python law"])
    (tree / CASES / "walk-option.cases.toml").write_text(BLOCKS["toml values"], encoding="utf-8")


def begin_a_game(tree: Path) -> None:
    room = tree / "domain" / "games" / GAME
    room.mkdir()
    rooms = {file.name: under_its_own_name(file) for file in sorted(STONES.iterdir()) if file.is_file()}
    made = {"clauses.py": rooms.pop("clauses.py"), "schemas.toml": rooms.pop("schemas.toml")}
    (room / "rulebook.toml").write_text(rooms.pop("rulebook.toml"), encoding="utf-8")
    in_the_tree(tree, sys.executable, "-m", "tools.clauses", GAME)
    assert (room / "clauses.py").read_text(encoding="utf-8") == made["clauses.py"]
    for name, text in {**rooms, "schemas.toml": "", "README.md": (MATERIAL / "README.md").read_text("utf-8")}.items():
        (room / name).write_text(text, encoding="utf-8")
    games = tree / "domain" / "games" / "__init__.py"
    put(games, "\nfrom domain.law.game import Game\n", f", {GAME}")
    put(games, ")}\n", f", {GAME}.GAME")
    (room / "schemas.toml").write_text(in_the_tree(tree, sys.executable, "-c", SCHEMAS), encoding="utf-8")
    assert (room / "schemas.toml").read_text(encoding="utf-8") in made["schemas.toml"]


def under_its_own_name(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    for name, own in OWN_NAMES.items():
        text = text.replace(name, own)
    return text


def finish_a_game(tree: Path) -> None:
    fixtures = tree / "fixtures" / GAME
    for folder in ("cases", "matches"):
        shutil.copytree(MATERIAL / folder, fixtures / folder)
    shutil.copy(MATERIAL / "perft.toml", fixtures)
    put(tree / "fixtures" / "README.md", "## Decks\n", (MATERIAL / "matches.md").read_text("utf-8"))
    with (tree / "tools" / "mutations.toml").open("a", encoding="utf-8") as mutations:
        mutations.write((MATERIAL / "mutations.toml").read_text("utf-8"))
    put(tree / "tests" / "recorded.py", "\n\nclass Shelf(", STATED)
    put(tree / "tests" / "recorded.py", '"blackpoker": Shelf(', f'"{GAME}": Shelf("{GAME}", PEBBLES), ')
    samples = tree / "tests" / "frozen" / "samples.py"
    put(samples, "from domain.law.clause import BY_HAND", f"from domain.games.{GAME} import actions as pb\n")
    put(samples, '    "blackpoker": {\n', SAMPLES)
    corpora = tree / "fixtures" / "corpora.py"
    put(corpora, '"blackpoker": 20_000', f'"{GAME}": 1_000, ')
    put(corpora, '"blackpoker": 50', f'"{GAME}": 6, ')
    put(corpora, "PLAY: Mapping", PLAYED)
    put(corpora, '"blackpoker": blackpoker', f'"{GAME}": pebbles, ')


def test_a_card_an_option_and_a_game_are_added_to_a_green_suite(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    publish_a_card(tree)
    add_an_option(tree)
    begin_a_game(tree)
    verified = in_the_tree(tree, sys.executable, "-m", "cli.main", "verify", f"{GAME}@1", "--matches", "3")
    assert "matches: 3, " in verified and "with something wrong: 0" in verified
    finish_a_game(tree)
    made = make(tree, "fixtures")
    assert "grimoire/two.jsonl.gz: written" in made and "blackpoker/entry20.jsonl.gz: unchanged" in made
    assert f"fixtures/{GAME}/corpus/small.corpus: written" in made and f"{GAME} 1 to 3: 0 before, 1260 now" in made
    ran = make(tree, "quick", "JOBS=0", f"GAME=grimoire,{GAME}")
    assert " passed" in ran and " failed" not in ran
    assert "Lantern Toll" in (tree / "fixtures" / "grimoire" / "cards.en.txt").read_text(encoding="utf-8")
    assert " passed" in in_the_tree(
        tree, sys.executable, "-m", "pytest", *OWED, "-k", f"{GAME} or every_game or enough or fits_the_tree"
    )
