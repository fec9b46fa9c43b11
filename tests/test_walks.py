"""The new-game walkthrough of CONTRIBUTING.md in a copy of the tree, step by step, until the suite passes."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.clones import clone, insert, make, run

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(2400)]  # it runs much of the suite once

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
"""Gates of a finished game that `make quick` omits."""
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


def begin_a_game(tree: Path) -> None:
    room = tree / "domain" / "games" / GAME
    room.mkdir()
    rooms = {file.name: under_its_own_name(file) for file in sorted(STONES.iterdir()) if file.is_file()}
    made = {"clauses.py": rooms.pop("clauses.py"), "schemas.toml": rooms.pop("schemas.toml")}
    (room / "rulebook.toml").write_text(rooms.pop("rulebook.toml"), encoding="utf-8")
    run(tree, sys.executable, "-m", "tools.clauses", GAME)
    assert (room / "clauses.py").read_text(encoding="utf-8") == made["clauses.py"]
    for name, text in {**rooms, "schemas.toml": "", "README.md": (MATERIAL / "README.md").read_text("utf-8")}.items():
        (room / name).write_text(text, encoding="utf-8")
    games = tree / "domain" / "games" / "__init__.py"
    insert(games, "\nfrom domain.law.game import Game\n", f", {GAME}")
    insert(games, ")}\n", f", {GAME}.GAME")
    (room / "schemas.toml").write_text(run(tree, sys.executable, "-c", SCHEMAS), encoding="utf-8")
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
    insert(tree / "fixtures" / "README.md", "## Decks\n", (MATERIAL / "matches.md").read_text("utf-8"))
    with (tree / "tools" / "mutations.toml").open("a", encoding="utf-8") as mutations:
        mutations.write((MATERIAL / "mutations.toml").read_text("utf-8"))
    insert(tree / "tests" / "shelves.py", "\n\nclass Shelf(", STATED)
    insert(tree / "tests" / "shelves.py", '"blackpoker": Shelf(', f'"{GAME}": Shelf("{GAME}", PEBBLES), ')
    samples = tree / "tests" / "frozen" / "samples.py"
    insert(samples, "from domain.law.clause import BY_HAND", f"from domain.games.{GAME} import actions as pb\n")
    insert(samples, '    "blackpoker": {\n', SAMPLES)
    corpora = tree / "fixtures" / "corpora.py"
    insert(corpora, '"blackpoker": 20_000', f'"{GAME}": 1_000, ')
    insert(corpora, '"blackpoker": 50', f'"{GAME}": 6, ')
    insert(corpora, "PLAY: Mapping", PLAYED)
    insert(corpora, '"blackpoker": blackpoker', f'"{GAME}": pebbles, ')


def test_a_game_is_added_to_a_green_suite(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    clone(tree)
    begin_a_game(tree)
    verified = run(tree, sys.executable, "-m", "cli.main", "verify", f"{GAME}@1", "--matches", "3")
    assert "matches: 3, " in verified and "with failures: 0" in verified
    finish_a_game(tree)
    made = make(tree, "fixtures")
    assert "grimoire/two.jsonl.gz: unchanged" in made and "blackpoker/entry20.jsonl.gz: unchanged" in made
    assert f"fixtures/{GAME}/corpus/small.corpus: written" in made and f"{GAME} 1 to 3: 0 before, 1260 now" in made
    ran = make(tree, "quick", "JOBS=0", f"GAME={GAME}")
    assert " passed" in ran and " failed" not in ran
    assert " passed" in run(
        tree, sys.executable, "-m", "pytest", *OWED, "-k", f"{GAME} or every_game or enough or fits_the_tree"
    )
