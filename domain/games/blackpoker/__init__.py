"""BlackPoker (ブラックポーカー), editions 8.0 to 9.2, format Lite."""

from functools import partial
from typing import Final

from domain.games.blackpoker import actions as A, clauses as C, rules as N, schema as S
from domain.games.blackpoker.cards import NUMBER_OF
from domain.games.blackpoker.carry_out import carry_out, interrupt, resume
from domain.games.blackpoker.invariants import INVARIANTS
from domain.games.blackpoker.legality import checks
from domain.games.blackpoker.offers import chance, cosmetic, offers
from domain.games.blackpoker.reading import SEATS, readings
from domain.games.blackpoker.resolution import settle
from domain.games.blackpoker.setup import deck, deck_checks, named_decks, plain, set_up
from domain.games.blackpoker.showing import DISPLAY
from domain.law.game import Game
from domain.law.layout import load_layout
from domain.law.rulebook import load_rulebook
from domain.law.schemas import load_schemas
from domain.parts.asking import awaited

GAME: Final[Game[N.Rules, A.AnyAction]] = Game(
    key="blackpoker",
    rulebook=load_rulebook(__package__),
    rules_type=N.Rules,
    options=N.OPTIONS,
    versions=N.VERSIONS,
    regulations=N.REGULATIONS,
    regulations_of=N.REGULATIONS_OF,
    change_notes=N.CHANGE_NOTES,
    corrected=N.CORRECTED,
    action_types=A.ACTION_TYPES,
    seats=lambda rules: SEATS,
    by_hand=C.SHORTCUTS,
    schema=S.schema,
    schemas=partial(load_schemas, __package__),
    layout=partial(load_layout, __package__),
    display=DISPLAY,
    in_regulation=N.in_regulation,
    deck=deck,
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
    cosmetic=cosmetic,
    named_decks=named_decks,
    faces=lambda: tuple(NUMBER_OF),
    asks_open=True,
    copies=lambda rules, face: rules.deck_list.count(face),
    other_verbs=dict.fromkeys((*A.TRIGGERED, *A.OTHER_FORMATS), A.Unoffered),
)
