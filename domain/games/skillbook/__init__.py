"""Skillbook: a hero, a book that is deck and purse, and a map of terrains to explore."""

from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from domain.games.skillbook import clauses as C, schema as S
from domain.games.skillbook.actions import ACTION_TYPES, AnyAction
from domain.games.skillbook.cards import CARDS, POOLS
from domain.games.skillbook.carry_out import carry_out
from domain.games.skillbook.invariants import INVARIANTS
from domain.games.skillbook.legality import checks
from domain.games.skillbook.offers import chance, offers
from domain.games.skillbook.resolution import settle
from domain.games.skillbook.resuming import interrupt, resume
from domain.games.skillbook.rules import OPTIONS, VERSIONS, Rules
from domain.games.skillbook.setup import copies, deck, deck_checks, named_decks, plain, seats, set_up
from domain.games.skillbook.showing import display, words
from domain.games.skillbook.values import readings
from domain.law.game import Game
from domain.law.layout import load_layout
from domain.law.pools import PoolId
from domain.law.rulebook import Rulebook, load_rulebook
from domain.law.schemas import load_schemas
from domain.parts.asking import awaited

_BOOK: Final = load_rulebook(__package__)


@cache
def rulebook(pool: PoolId) -> Rulebook:
    """The rulebook, whose words include the cards of a pool."""
    return replace(_BOOK, words={**words(pool), **_BOOK.words})


GAME: Final[Game[Rules, AnyAction]] = Game(
    key="skillbook",
    rulebook=rulebook(POOLS.newest),
    rules_type=Rules,
    options=OPTIONS,
    versions=VERSIONS,
    action_types=ACTION_TYPES,
    seats=seats,
    by_hand=C.TIME_CALLED,
    schema=S.schema,
    schemas=partial(load_schemas, __package__),
    layout=partial(load_layout, __package__),
    deck=deck,
    named_decks=named_decks,
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
    plain=plain,
    invariants=lambda rules: INVARIANTS,
    faces=lambda: CARDS,
    copies=copies,
    display=display(POOLS.newest),
    pools=POOLS,
    wording=lambda pool: (rulebook(pool), display(pool)),
)
