"""Grimoire (グリモア): a spell duel with card text, for two to four players."""

from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from domain.games.grimoire import clauses as C, schema as S
from domain.games.grimoire.actions import ACTION_TYPES, AnyAction
from domain.games.grimoire.cards import CARDS, POOLS, PRINTED, decks
from domain.games.grimoire.carry_out import carry_out, interrupt, resume
from domain.games.grimoire.invariants import INVARIANTS
from domain.games.grimoire.legality import checks
from domain.games.grimoire.offers import chance, offers
from domain.games.grimoire.resolution import awaited, settle
from domain.games.grimoire.rules import OPTIONS, VERSIONS, Rules, seats_of
from domain.games.grimoire.setup import copies, deck, deck_checks, plain, set_up
from domain.games.grimoire.showing import display
from domain.games.grimoire.values import readings
from domain.law.game import Game
from domain.law.layout import load_layout
from domain.law.pools import PoolId
from domain.law.rulebook import Rulebook, load_rulebook
from domain.law.schemas import load_schemas

_BOOK: Final = load_rulebook(__package__)


@cache
def rulebook(pool: PoolId) -> Rulebook:
    """The rulebook, whose words include the cards of a pool: a name behind the id by which a card is typed."""
    return replace(_BOOK, words={**_BOOK.words, **PRINTED.words(pool)})


GAME: Final[Game[Rules, AnyAction]] = Game(
    key="grimoire",
    rulebook=rulebook(POOLS.newest),
    rules_type=Rules,
    options=OPTIONS,
    versions=VERSIONS,
    action_types=ACTION_TYPES,
    seats=lambda rules: seats_of(rules.player_count),
    by_hand=C.TIME_DECISION,
    schema=S.schema,
    schemas=partial(load_schemas, __package__),
    layout=partial(load_layout, __package__),
    deck=deck,
    named_decks=decks,
    own_decks=True,
    deck_checks=deck_checks,
    set_up=set_up,
    awaited=awaited,
    offers=offers,
    checks=checks,
    carry_out=carry_out,
    settle=settle,
    interrupt=interrupt,
    resume=resume,
    chance=chance,
    readings=readings,
    invariants=lambda rules: INVARIANTS,
    plain=plain,
    faces=lambda: CARDS,
    copies=copies,
    display=display(POOLS.newest),
    pools=POOLS,
    wording=lambda pool: (rulebook(pool), display(pool)),
)
