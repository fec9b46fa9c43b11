"""Modifiers of one character are found by reading few cards, and none is missed."""

from msgspec.structs import replace

from domain.games.dea import table_queries as R, text as T
from domain.games.dea.cards import POOLS
from domain.games.dea.effects.queueing import SPRING, queue_turn
from domain.games.dea.rules import Rules
from domain.games.dea.static_index import STATICS, ModifierKey, faces_with_modifier
from domain.games.dea.values import ActiveModifiers, ModifierCache, applies_to
from domain.law.entries import tables
from domain.law.live import LiveTable
from domain.law.pools import PoolId
from domain.table.table import CardId, Table
from tests.rows import for_each
from tests.rules.dea.matches import match
from tests.rules.dea.position import pool_with, position
from tests.rules.dea.test_dea_changed_cards import reprint

NEIGHBOURS = reprint("C09", ('on = "self", while = [{ is = "in_home", whose = "own" }]', 'on = { whose = "own" }'))
SPRINGING_BOOTS = reprint("Q04", ('name = "immovable"', 'name = "spring"'))
POOL = {"printed": POOLS.newest, "neighbours": pool_with(NEIGHBOURS), "boots": pool_with(SPRINGING_BOOTS)}
EVERY_SO_MANY = 9


def matters(pool: PoolId) -> set[ModifierKey]:
    return {matter for face in POOLS.cards_by_pool[pool] for matter in STATICS[pool][face]}


def modifiers(rules: Rules, t: Table, working: ActiveModifiers, one: CardId) -> list[object]:
    return [(works, mod) for works, mod in working if applies_to(rules, t, works, one)]


@for_each("name", POOL)
def test_what_can_bear_on_a_character_is_all_that_concerns_it(name: str) -> None:
    pool, looked, concerned = POOL[name], 0, 0
    for seed in range(4):
        sample = match(seed)
        rules = replace(sample.rules, cards=pool)
        for t in [after for _, _, _, after in tables(sample.entries)][::EVERY_SO_MANY]:
            now = ModifierCache(rules, t)
            for one in R.characters(rules, t):
                for kind, word in matters(pool):
                    all_of_it = modifiers(rules, t, now.modifiers(kind, word), one)
                    assert modifiers(rules, t, now.modifiers_of(one, kind, word), one) == all_of_it
                    looked, concerned = looked + 1, concerned + bool(all_of_it)
    assert concerned > looked // 100, "the sample tells nothing"


def test_a_character_that_speaks_of_others_is_looked_for_from_everywhere() -> None:
    assert (
        faces_with_modifier(POOL["printed"], (T.Plus, "def")).selfish
        and not faces_with_modifier(POOL["neighbours"], (T.Plus, "def")).selfish
    )
    board = position(options={"cards": POOL["neighbours"]}).scene
    rules, t = board.law.rules, board.table
    (beside,) = [one for one in R.characters(rules, t) if t.pieces[one].face == "C07"]
    assert len(modifiers(rules, t, ModifierCache(rules, t).modifiers_of(beside, T.Plus, "def"), beside)) == 1


@for_each("name, springs", [("printed", ["C07"]), ("boots", ["C06", "C07"])])
def test_at_a_turns_start_those_spring_too_to_whom_it_is_lent(name: str, springs: list[str]) -> None:
    board = position({"p2.worn": ("Q04 tied=c06",)}, active="p2", options={"cards": POOL[name]}).scene
    t = LiveTable(board.table)
    queue_turn(board.law.rules, t, starts=True)
    waiting = [t.pieces[R.source_of(effect).card].face for effect in t.waiting if R.ability_of(effect) == SPRING]
    assert sorted(str(face) for face in waiting) == springs
