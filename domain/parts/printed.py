"""The printed cards of a game: published pools, sample decks, and the abilities and instructions in their text.

They are data in the game's folder. `pools/1.toml` has the first publication. Each later file has only new and changed
cards. `decks.toml` has sample decks, in which `S01x4` stands for four copies.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Generic, TypeVar

import tomli

from domain.law.game import Deck
from domain.law.pools import Overlay, PoolId, Pools
from domain.parts import cardfile
from domain.parts.cards import C, Card, CardFile
from domain.parts.grammar import Grammar
from domain.parts.programs import Blocks, Path, Program, find
from domain.table.table import CardId, Table
from domain.words import Lang, Message, Text


def name_of(cards: Mapping[str, Card], face: str, lang: Lang) -> str:
    """Return the name of a card; its id if it is not among `cards`."""
    card = cards.get(face)
    return face if card is None else card.name_in(lang)


Ability = TypeVar("Ability")
Instruction = TypeVar("Instruction")
Value = TypeVar("Value")


Misfits = Callable[[C, Mapping[str, C]], Iterator[cardfile.Misfit]]
"""Check of a well-formed card, given all cards it may name. It yields the errors."""
About = Callable[[C, Lang], str]
"""Renderer of the values of a card, on one line."""
Render = Callable[[C, Lang, Mapping[str, C]], tuple[str, ...]]
"""Renderer of the text of a card, line by line, given the cards it may name."""
_NO_CARDS: Final[Mapping[str, Any]] = {}


class ByFace(dict[str | None, Value]):
    """Values computed once from the text of each face."""

    def __init__(self, work: Callable[[str | None], Value]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, face: str | None) -> Value:
        value = self[face] = self._work(face)
        return value


class InPool(dict[PoolId, ByFace[Value]]):
    """Values computed once for each pool and face. Lookup is by pool, then by face, because it is frequent."""

    def __init__(self, work: Callable[[PoolId, str | None], Value]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, pool: PoolId) -> ByFace[Value]:
        value = self[pool] = ByFace(lambda face: self._work(pool, face))
        return value


def face_on(t: Table, card: CardId) -> str:
    """Return the face of a card on a table; '' if it is unknown."""
    piece = t.pieces.get(card)
    return "" if piece is None else piece.face or ""


class PrintedCards(Generic[C, Ability, Instruction]):
    """The cards of one game. `blank` is the card of an unknown face. `grammar` locates instructions in abilities."""

    def __init__(
        self,
        package: str,
        model: type[CardFile[C]],
        blank: C,
        grammar: Grammar,
        misfits: Misfits[C],
        unwritten: frozenset[str] = frozenset(),
    ) -> None:
        self._package, self._model, self._blank, self._grammar = package, model, blank, grammar
        self._misfits, self._unwritten = misfits, unwritten
        self.pools: Final[Pools[C]] = Pools("cards", self.load, _publications(package))
        self._cards = self.pools.cards_by_pool
        self._find, self.blocks, self.decks = cache(self._look_up), cache(self._blocks), cache(self._decks)

    def load(self, source: str | bytes, name: str, others: Mapping[str, C] = _NO_CARDS) -> dict[str, C]:
        """Return the cards of a file by id; they may name the cards in `others`. Raises CardError."""
        file = cardfile.load(source, name, self._model, lambda file: self._check(file.cards, others), self._unwritten)
        return {card.id: card for card in file.cards}

    def _check(self, cards: tuple[C, ...], others: Mapping[str, C]) -> Iterator[tuple[int, cardfile.Misfit]]:
        named = {**others, **{card.id: card for card in cards}}
        ids: set[str] = set()
        for place, card in enumerate(cards):
            if card.id in ids:
                yield place, ("id", Text("card.why.twice"), Text("card.allowed.own_id"))
            ids.add(card.id)
            for wrong in (*cardfile.unprintable(en=card.en, ja=card.ja), *self._misfits(card, named)):
                yield place, wrong

    def card(self, pool: PoolId, face: str | None) -> C:
        """Return the card with a face in a pool; the blank card for an unknown face."""
        return self._cards[pool].get(face, self._blank) if face else self._blank

    def cache_by_face(self, work: Callable[[C], Value]) -> InPool[Value]:
        """Return a cache of `work` by pool and face."""
        return InPool(lambda pool, face: work(self.card(pool, face)))

    def words(self, pool: PoolId) -> dict[str, Message]:
        """Return the names of a pool's cards: each id with its name."""
        return {face: Message(f"{face} {card.en}", f"{face} {card.ja}") for face, card in self._cards[pool].items()}

    def lines(self, pool: PoolId, face: str, lang: Lang, about: About[C], render: Render[C]) -> tuple[str, ...]:
        """Return a printed card line by line: id and name, values, text; () for no card."""
        cards = self._cards[pool]
        card = cards.get(face)
        return () if card is None else (f"{face} {card.name_in(lang)}", about(card, lang), *render(card, lang, cards))

    def text_of(self, pool: PoolId, t: Table, card: CardId, lang: Lang, render: Render[C]) -> str:
        """Return the full text of a card on a table; '' for no card."""
        cards = self._cards[pool]
        printed = cards.get(face_on(t, card))
        return "" if printed is None else " ".join(render(printed, lang, cards))

    def ability(self, pool: PoolId, face: str | None, path: Path) -> Ability:
        """Return the ability at a path: the index of a printed one, or the path of a text and an index inside it.
        Raises LookupError if there is none."""
        result: tuple[Ability, Program] = self._find(pool, face, path)
        if result[1]:
            raise LookupError(path)
        return result[0]

    def instruction(self, pool: PoolId, face: str | None, path: Path) -> Instruction:
        """Return the instruction at a path of a card's text. Raises LookupError if there is none."""
        result: tuple[Instruction, Program] = self._find(pool, face, path)
        if not result[1]:
            raise LookupError(path)
        return result[0]

    def find_instruction(self, pool: PoolId, face: str | None, path: Path) -> Instruction | None:
        """Return the instruction at a path of a card's text; None if there is none."""
        try:
            return self.instruction(pool, face, path)
        except LookupError:
            return None

    def program(self, pool: PoolId, face: str | None, path: Path) -> tuple[Instruction, ...]:
        """Return the program that contains the instruction at a path. Raises LookupError if there is none."""
        self.instruction(pool, face, path)
        return self._find(pool, face, path)[1]

    def _look_up(self, pool: PoolId, face: str | None, path: Path) -> tuple[Any, Program]:
        return find(self._grammar, self.card(pool, face).abilities, path)

    def _blocks(self, pool: PoolId, face: str) -> Blocks:

        @cache
        def block(path: Path) -> tuple[Instruction, ...]:
            try:
                return self.program(pool, face, (*path, 0))
            except LookupError:
                return ()

        return block

    def _decks(self) -> Mapping[str, Deck]:
        listed = tomli.loads(_read_packaged(self._package, "decks.toml"))
        return {name: Deck(**{part: _copies(faces) for part, faces in parts.items()}) for name, parts in listed.items()}


def _read_packaged(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _publications(package: str) -> Iterator[Overlay]:
    names = (file.name for file in files(package).joinpath("pools").iterdir() if file.name.endswith(".toml"))
    for name in sorted(names, key=lambda name: int(name.removesuffix(".toml"))):
        yield Overlay(f"pools/{name}", _read_packaged(package, f"pools/{name}"))


def _copies(listed: list[str]) -> tuple[str, ...]:
    faces: list[str] = []
    for entry in listed:
        face, _, number = entry.partition("x")
        faces += [face] * int(number or 1)
    return tuple(faces)
