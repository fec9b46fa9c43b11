"""What is printed on the cards of a game: its published pools, its sample decks, what stands at a place of a text.

A game's folder holds them as data: `pools/1.toml` with the cards published first, each later file only what is new or
reads otherwise, and `decks.toml`, in which `S01x4` is four copies.
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
    """What a card is called; its id where it is not among those."""
    card = cards.get(face)
    return face if card is None else card.named(lang)


Ability = TypeVar("Ability")
Do = TypeVar("Do")
Worth = TypeVar("Worth")


Misfits = Callable[[C, Mapping[str, C]], Iterator[cardfile.Misfit]]
"""What is wrong with a card whose form is right, and which may name those cards."""
About = Callable[[C, Lang], str]
"""The values of a card in one line."""
Render = Callable[[C, Lang, Mapping[str, C]], tuple[str, ...]]
"""The text of a card, line by line, with the cards it may speak of."""
NONE_BESIDE: Final[Mapping[str, Any]] = {}


class ByFace(dict[str | None, Worth]):
    """What follows from the words of each face of a pool, worked out once."""

    def __init__(self, work: Callable[[str | None], Worth]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, face: str | None) -> Worth:
        value = self[face] = self._work(face)
        return value


class InPool(dict[PoolId, ByFace[Worth]]):
    """The same for every pool: what is asked for at every step is looked up by the pool, then by the face alone."""

    def __init__(self, work: Callable[[PoolId, str | None], Worth]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, pool: PoolId) -> ByFace[Worth]:
        value = self[pool] = ByFace(lambda face: self._work(pool, face))
        return value


def face_on(t: Table, card: CardId) -> str:
    """The face of a card of a table; empty where it is not known."""
    piece = t.pieces.get(card)
    return "" if piece is None else piece.face or ""


class PrintedCards(Generic[C, Ability, Do]):
    """The cards of one game. `blank` is the card of a face that the log does not know; `grammar` says where in an
    ability its instructions stand."""

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
        """The published pools, and what was laid over them."""
        self._held = self.pools.held
        self._find, self.blocks, self.decks = cache(self._look_up), cache(self._blocks), cache(self._decks)

    def load(self, source: str | bytes, name: str, beside: Mapping[str, C] = NONE_BESIDE) -> dict[str, C]:
        """The cards of a file by id, which may name those beside them. Raises CardError naming file, card, field and
        what is allowed there."""
        file = cardfile.load(source, name, self._model, lambda file: self._check(file.cards, beside), self._unwritten)
        return {card.id: card for card in file.cards}

    def _check(self, cards: tuple[C, ...], beside: Mapping[str, C]) -> Iterator[tuple[int, cardfile.Misfit]]:
        """What is wrong with cards whose form is right, by their places."""
        named = {**beside, **{card.id: card for card in cards}}
        seen: set[str] = set()
        for place, card in enumerate(cards):
            if card.id in seen:
                yield place, ("id", Text("card.why.twice"), Text("card.allowed.own_id"))
            seen.add(card.id)
            for wrong in (*cardfile.unprintable(en=card.en, ja=card.ja), *self._misfits(card, named)):
                yield place, wrong

    def card(self, pool: PoolId, face: str | None) -> C:
        """The card with that face in a pool; a blank one where the face is not known."""
        return self._held[pool].get(face, self._blank) if face else self._blank

    def work_out(self, work: Callable[[C], Worth]) -> InPool[Worth]:
        """What follows from the words of each card, worked out when it is first asked for."""
        return InPool(lambda pool, face: work(self.card(pool, face)))

    def words(self, pool: PoolId) -> dict[str, Message]:
        """What the cards of a pool are called: a name behind the id by which a card is typed."""
        return {face: Message(f"{face} {card.en}", f"{face} {card.ja}") for face, card in self._held[pool].items()}

    def lines(self, pool: PoolId, face: str, lang: Lang, about: About[C], render: Render[C]) -> tuple[str, ...]:
        """A card as it is printed: its id and name, its values, its text; nothing for what is no card."""
        cards = self._held[pool]
        card = cards.get(face)
        return () if card is None else (f"{face} {card.named(lang)}", about(card, lang), *render(card, lang, cards))

    def text_of(self, pool: PoolId, t: Table, card: CardId, lang: Lang, render: Render[C]) -> str:
        """All that a card of a table says; empty for what is no card."""
        cards = self._held[pool]
        held = cards.get(face_on(t, card))
        return "" if held is None else " ".join(render(held, lang, cards))

    def ability(self, pool: PoolId, face: str | None, path: Path) -> Ability:
        """The ability at a path: a printed one by its index, one inside another piece of text by the path of that and
        its place there. Raises LookupError where none stands."""
        there: tuple[Ability, Program] = self._find(pool, face, path)
        if there[1]:
            raise LookupError(path)
        return there[0]

    def instruction(self, pool: PoolId, face: str | None, path: Path) -> Do:
        """The instruction at a path of a card's text. Raises LookupError where none stands."""
        there: tuple[Do, Program] = self._find(pool, face, path)
        if not there[1]:
            raise LookupError(path)
        return there[0]

    def standing_at(self, pool: PoolId, face: str | None, path: Path) -> Do | None:
        """The instruction at a path of a card's text; None where none stands."""
        try:
            return self.instruction(pool, face, path)
        except LookupError:
            return None

    def program(self, pool: PoolId, face: str | None, path: Path) -> tuple[Do, ...]:
        """The instructions among which the one at a path stands. Raises LookupError where none stands."""
        self.instruction(pool, face, path)
        return self._find(pool, face, path)[1]

    def _look_up(self, pool: PoolId, face: str | None, path: Path) -> tuple[Any, Program]:
        return find(self._grammar, self.card(pool, face).abilities, path)

    def _blocks(self, pool: PoolId, face: str) -> Blocks:
        """The programs inside what stands at the paths of a card's text."""

        @cache
        def block(path: Path) -> tuple[Do, ...]:
            try:
                return self.program(pool, face, (*path, 0))
            except LookupError:
                return ()

        return block

    def _decks(self) -> Mapping[str, Deck]:
        """The sample decks by name."""
        listed = tomli.loads(_read_packaged(self._package, "decks.toml"))
        return {name: Deck(**{part: _copies(faces) for part, faces in parts.items()}) for name, parts in listed.items()}


def _read_packaged(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _publications(package: str) -> Iterator[Overlay]:
    """The files of the published pools in their order."""
    there = (file.name for file in files(package).joinpath("pools").iterdir() if file.name.endswith(".toml"))
    for name in sorted(there, key=lambda name: int(name.removesuffix(".toml"))):
        yield Overlay(f"pools/{name}", _read_packaged(package, f"pools/{name}"))


def _copies(listed: list[str]) -> tuple[str, ...]:
    faces: list[str] = []
    for entry in listed:
        face, _, number = entry.partition("x")
        faces += [face] * int(number or 1)
    return tuple(faces)
