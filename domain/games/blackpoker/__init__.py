"""BlackPoker (ブラックポーカー), editions 8.0 to 9.2, format Lite."""

from functools import partial

from domain.games.blackpoker import actions as A
from domain.games.blackpoker import clauses as C
from domain.games.blackpoker import schema as S
from domain.games.blackpoker.carry_out import carry_out, resume
from domain.games.blackpoker.invariants import invariants_of
from domain.games.blackpoker.legality import checks
from domain.games.blackpoker.offers import chance, cosmetic, offers
from domain.games.blackpoker.reading import readings
from domain.games.blackpoker.resolution import awaited, settle
from domain.games.blackpoker.rules import (
    CHANGE_NOTES,
    OPTIONS,
    REGULATIONS,
    REGULATIONS_OF,
    VERSIONS,
    Rules,
    in_regulation,
)
from domain.games.blackpoker.setup import deck, deck_checks, faces, named_decks, plain, seats, set_up
from domain.law.game import Game
from domain.law.rulebook import load_rulebook
from domain.law.schemas import load_schemas

GAME: Game[Rules, A.AnyAction] = Game(
    key="blackpoker",
    rulebook=load_rulebook(__package__),
    rules_type=Rules,
    options=OPTIONS,
    versions=VERSIONS,
    regulations=REGULATIONS,
    regulations_of=REGULATIONS_OF,
    change_notes=CHANGE_NOTES,
    action_types=A.ACTION_TYPES,
    seats=seats,
    by_hand=C.SHORTCUTS,
    schema=S.schema,
    schemas=partial(load_schemas, __package__),
    in_regulation=in_regulation,
    deck=deck,
    deck_checks=deck_checks,
    set_up=set_up,
    awaited=awaited,
    offers=offers,
    checks=checks,
    carry_out=carry_out,
    settle=settle,
    resume=resume,
    chance=chance,
    readings=readings,
    invariants=invariants_of,
    plain=plain,
    cosmetic=cosmetic,
    named_decks=named_decks,
    faces=faces,
    other_verbs=dict.fromkeys((*A.TRIGGERED, *A.OTHER_FORMATS), A.Unoffered),
)
