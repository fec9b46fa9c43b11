"""DEA (Deus Ex Ark): two writers, their characters on a map, hidden foreshadows, and a stack with hooks."""

from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from domain.games.dea import clauses as C, schema as S
from domain.games.dea.actions import ACTION_TYPES, AnyAction
from domain.games.dea.as_played import interrupt, resume
from domain.games.dea.cards import CARDS, POOLS
from domain.games.dea.carry_out import carry_out
from domain.games.dea.invariants import INVARIANTS
from domain.games.dea.legality import checks
from domain.games.dea.offers import chance, offers
from domain.games.dea.resolution import settle
from domain.games.dea.rules import OPTIONS, VERSIONS, Rules
from domain.games.dea.setup import copies, deck, deck_checks, named_decks, plain, seats, set_up
from domain.games.dea.showing import display, words
from domain.games.dea.values import readings
from domain.law.game import Game
from domain.law.layout import load_layout
from domain.law.pools import PoolId
from domain.law.rulebook import Rulebook, load_rulebook
from domain.law.schemas import load_schemas
from domain.parts.asking import awaited

_BOOK: Final = load_rulebook(__package__)


@cache
def rulebook(pool: PoolId) -> Rulebook:
    """The rulebook, whose words include the cards of a pool and the names of their abilities."""
    return replace(_BOOK, words={**words(pool), **_BOOK.words})


GAME: Final[Game[Rules, AnyAction]] = Game(
    key="dea",
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
    invariants=lambda rules: INVARIANTS,
    endless=lambda rules: rules.turns_most is None,
    plain=plain,
    faces=lambda: CARDS,
    copies=copies,
    display=display(POOLS.newest),
    pools=POOLS,
    wording=lambda pool: (rulebook(pool), display(pool)),
)
