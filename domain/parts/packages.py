"""Assembly of a game from the modules of its package, by the names that all games share."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.display import Display
from domain.law.game import Game
from domain.law.layout import FILE as LAYOUT_FILE, load_layout
from domain.law.options import list_options
from domain.law.pools import PoolId
from domain.law.rulebook import Rulebook, load_rulebook
from domain.law.schemas import load_schemas
from domain.parts.asking import awaited

_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "schema": ("schema",),
    "setup": ("deck", "deck_checks", "fits", "named_decks", "plain", "seats", "set_up"),
    "offers": ("chance", "offers"),
    "legality": ("checks",),
    "carry_out": ("carry_out",),
    "as_played": ("interrupt", "resume"),
    "resolution": ("settle",),
    "values": ("readings",),
}
"""Parts of a game by the module that defines them."""


def load_game(package: str, by_hand: Clause, rulebook: Rulebook | None = None, **parts: Any) -> Game[Any, Any]:
    """Return the game of a package. `parts` adds those that other games lack or define elsewhere."""
    book = rulebook or load_rulebook(package)
    rules, actions = (import_module(f"{package}.{name}") for name in ("rules", "actions"))
    common = {
        "rulebook": book,
        "options": list_options(rules.Rules, book.options),
        "schemas": partial(load_schemas, package),
        "awaited": awaited,
        **dict(find_parts(package)),
    }
    if files(package).joinpath(LAYOUT_FILE).is_file():
        common["layout"] = partial(load_layout, package)
    if find_spec(f"{package}.invariants") is not None:
        invariants = import_module(f"{package}.invariants").INVARIANTS
        common["invariants"] = lambda rules: invariants
    return Game(
        key=package.rpartition(".")[2],
        rules_type=rules.Rules,
        versions=rules.VERSIONS,
        action_types=actions.ACTION_TYPES,
        by_hand=by_hand,
        **{**common, **parts},
    )


def find_parts(package: str) -> Iterator[tuple[str, object]]:
    for name, parts in _PARTS.items():
        if find_spec(f"{package}.{name}") is None:
            continue
        module = import_module(f"{package}.{name}")
        yield from ((part, getattr(module, part)) for part in parts if hasattr(module, part))


def load_card_game(package: str, by_hand: Clause, **parts: Any) -> Game[Any, Any]:
    """Return the game of a package with printed cards, in the words of its newest pool."""
    cards, setup, showing, rendering = (
        import_module(f"{package}.{name}") for name in ("cards", "setup", "showing", "rendering")
    )
    book, pools = load_rulebook(package), cards.POOLS

    @cache
    def wording(pool: PoolId) -> tuple[Rulebook, Display]:
        base: Display = showing.DISPLAY
        short = {"short": partial(showing.short, pool)} if hasattr(showing, "short") else {}
        pool_display = replace(
            base,
            card=lambda face, lang: cards.PRINTED.lines(pool, face, lang, rendering.about, rendering.render),
            text=partial(showing.text, pool),
            hint=partial(showing.hint, pool),
            **short,
        )
        return replace(book, words={**showing.words(pool), **book.words}), pool_display

    rulebook, display = wording(pools.newest)
    card_parts = {
        "rulebook": rulebook,
        "display": display,
        "own_decks": True,
        "named_decks": cards.decks,
        "faces": lambda: cards.CARDS,
        "copies": setup.copies,
        "pools": pools,
        "wording": wording,
    }
    return load_game(package, by_hand, **{**card_parts, **parts})
