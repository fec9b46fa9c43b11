"""The code blocks of CONTRIBUTING.md work."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from domain.games.grimoire import GAME, cards
from domain.law.clause import Clause
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.law.outcome import Accepted
from domain.law.pools import Overlay, Pools
from domain.law.rulebook import Rulebook, RulebookClause
from domain.table.table import CardId, Frame, FrameId, Obj, Place, Seat, Table
from domain.words import Message
from tests.toy import TOY
from tools.clauses import module

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"
BLOCKS: dict[str, str] = dict(re.findall(r"```(\w+ \S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S))
CARD = "toml domain/games/grimoire/pools/2.toml"
P1 = Seat("p1")


def executed(name: str, imports: str) -> dict[str, Any]:
    room: dict[str, Any] = {}
    exec(compile(imports + "\n" + BLOCKS[name], f"{PAGE.name}: {name}", "exec"), room)
    return room


def test_the_page_shows_all_ways() -> None:
    assert set(BLOCKS) >= {CARD, "toml erratum", "python effect", "toml clause", "python clause", "python game"}


def test_the_rooms_of_a_game_are_those_that_games_have() -> None:
    games = [*(Path(__file__).parents[1] / "domain" / "games").glob("*"), Path(str(files("tests.toys.stones")))]
    table = PAGE.read_text(encoding="utf-8").partition("| module |")[2].partition("\n\n")[0]
    named = {room for row in re.findall(r"^\| (`[^|]+) \|", table, re.M) for room in re.findall(r"`([^`]+)`", row)}
    there = {f"{path.name}/" if path.is_dir() else path.name for game in games for path in game.glob("*")}
    assert named <= there and len(named) >= 12
    assert {path.name for path in games[-1].glob("*") if path.suffix} - {"__init__.py"} <= named


def test_the_core_that_a_newcomer_begins_with_is_there_and_short() -> None:
    root = PAGE.parent
    table = (root / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Begin with 150 lines")[2]
    named = re.findall(r"^\| `([^`]+)` \|", table.partition("\n## ")[0], re.M)
    lines = [line for name in named for line in (root / name).read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(named) == 3 and len([line for line in lines if not line.startswith(("from ", "import "))]) <= 150


def test_a_publication_adds_and_changes_cards_and_leaves_the_earlier_pools_alone() -> None:
    first = Overlay("pools/1.toml", files("domain.games.grimoire").joinpath("pools/1.toml").read_text("utf-8"))
    second = Overlay("pools/2.toml", BLOCKS[CARD] + "\n" + BLOCKS["toml erratum"])
    pools = Pools("cards", cards.load_cards, [first, second])
    assert list(pools.published) == ["1", "2"]
    assert pools.published["1"] == cards.POOLS.published["1"]
    assert pools.changed_faces(pools.published["1"], pools.newest) == ("S29", "S90")


def test_an_effect_becomes_facts() -> None:
    room = executed(
        "python effect",
        "from collections.abc import Iterator\n"
        "from domain.games.grimoire import clauses as C\n"
        "from domain.games.grimoire.effects.conditions import resolve_players\n"
        "from domain.games.grimoire.effects.moves import relocate\n"
        "from domain.parts.places import place_in\n"
        "from domain.games.grimoire import table_queries as R\n"
        "from domain.games.grimoire.rules import Rules\n"
        "from domain.games.grimoire import schema as S\n"
        "from domain.games.grimoire import meaning as M\n"
        "from domain.games.grimoire.text import Do\n"
        "from domain.law.live import LiveTable\n"
        "from domain.table.table import Table, Frame, Seat\n",
    )
    draft = LiveTable(_dealt())
    before = draft.places[Place("p1.grimoire")]
    nothing = Obj(CardId(0), 0)
    effect = Frame(id=FrameId(99), lane="running", kind="effect", by=P1, objs=(nothing,) * 4, words=("cast_self",))
    room["_mill"](GAME.versions["1"], draft, effect, P1, room["Mill"](n=2))
    assert draft.places[Place("p1.junkyard")] == before[:2]
    assert draft.places[Place("p1.grimoire")] == before[2:]


def _dealt() -> Table:
    from domain.law.driver import set_up

    rules = GAME.versions["1"]
    decks = Law(GAME, rules).decks()
    ids = iter(range(1, 1 + sum(len(deck.faces) for deck in decks.values())))
    accepted, _ = set_up(
        Law(GAME, rules), decks, {seat: tuple(CardId(next(ids)) for _ in deck.faces) for seat, deck in decks.items()}
    )
    assert isinstance(accepted, Accepted)
    return accepted.table


def test_a_clause_is_data_and_one_line() -> None:

    (entry,) = msgspec.convert(tomllib.loads(BLOCKS["toml clause"])["clause"], tuple[RulebookClause, ...])
    assert "{loop_guard}" in entry.en and "{loop_guard}" in entry.ja
    book = Rulebook(Message("", ""), {entry.id: entry}, {entry.chapter: Message("Casting", "")}, {})
    assert BLOCKS["python clause"].splitlines()[0] in module(book).splitlines()
    room = executed(
        "python clause",
        "from collections.abc import Iterator\n"
        "from typing import Final\n"
        "from domain.games.grimoire.table_queries import printed\n"
        "from domain.games.grimoire.rules import Rules\n"
        "from domain.law.clause import Check, Clause\n"
        "from domain.table.table import Table, CardId\n",
    )
    table = _dealt()
    card = table.places[Place("p1.grimoire")][0]
    ((clause, holds, about),) = room["_too_dear"](GAME.versions["1"], table, card)
    assert (clause, holds, about) == (entry.id, True, card)
    assert clause == Clause("GR-7.13") and clause not in GAME.rulebook.clauses, "the page's clause is made up"


def test_a_game_is_a_value() -> None:
    room = executed(
        "python game",
        "from domain.judging.audit import audit\nfrom domain.law.law import Law\n"
        "from recorder.simulate import simulate\nfrom tests.toy import TOY\n",
    )
    assert len(room["record"]) > 5
    assert TOY.key == "toy"
