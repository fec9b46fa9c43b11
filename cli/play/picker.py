"""Choosing by keys: one of several by number or face, lists by toggling, pairs one side after the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cli.play.keys import BACKS, ENTER, Keys
from cli.play.offers import OpenSlot
from cli.play.paper import Paper
from domain.law.rulebook import Lang
from domain.table.table import CardId
from domain.words import say

ALL = "*"
LISTED_MAX = 60
"""How many things a prompt lists; the others are named by their faces."""


class Back(Exception):
    """The last step is taken back."""


class Aside(Exception):
    """A key that is always offered was pressed, and what was begun is left."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Outside(Exception):
    """A card was named that is not offered."""

    def __init__(self, card: CardId) -> None:
        super().__init__(card)
        self.card = card


class Item(Struct, frozen=True):
    """Something to choose: what it is, how it is shown, and the texts whose beginnings mean it.

    `spelled` says that words of its kind begin alike, whether or not they are offered now: whoever types one quickly
    types it whole, so it is taken when it is whole or at Enter, and not before.
    """

    value: Any
    label: str
    codes: tuple[str, ...]
    spelled: bool = False


class Picker:
    """Asks and reads. `aside` handles the keys that are always offered; it raises Aside where one leaves the action."""

    def __init__(self, keys: Keys, paper: Paper, aside: Callable[[str], bool]) -> None:
        self._keys, self._paper, self._aside = keys, paper, aside
        self.others: Sequence[Item] = ()
        """Cards that may be named though they are not offered."""
        self.listed: Mapping[int, Item] = {}
        """What is offered now."""
        self.heard: Callable[[str], None] = lambda _: None

    @property
    def _lang(self) -> Lang:
        return self._paper.lang

    def choose(
        self,
        head: str,
        items: Mapping[int, Item],
        enter: str = "",
        extra: Mapping[str, str] | None = None,
        *,
        ending: bool = False,
        again: bool = False,
    ) -> Any:
        """The number of an item, 0 for Enter (if `enter` says what it means), or one of the `extra` keys.

        `ending` says that the end of a line is Enter here, `again` that the items stand above.
        Raises Back, Aside, Outside and EOFError.
        """
        more = extra or {}
        self.listed = items
        shown: Mapping[int, Item] = {} if again else items
        self._show(head, shown, enter, more)
        buffer, fits = "", dict(items)
        while True:
            key = self._keys.key(pending=bool(buffer) or ending)
            if key == ENTER and not buffer and enter:
                self._echo_label(enter)
                return 0
            if key == ENTER and buffer:
                if len(fits) > 1 or not all(item.spelled for item in fits.values()):
                    fits = {n: item for n, item in fits.items() if buffer in (str(n), *item.codes)}
                if len(fits) == 1:
                    return self._accept_only_item(fits)
                if not fits:
                    self._outside([item for item in self.others if buffer in item.codes])
            elif key in BACKS and not buffer:
                self._paper.finish_prompt("<")
                raise Back
            elif key == ENTER:
                self._keys.forget()
            elif key == " ":  # names are typed with their blanks or without
                continue
            elif key not in BACKS:
                if not buffer and key in more:
                    self._echo_label(more[key])
                    return key
                if not buffer and self._aside(key):
                    self.listed = items
                    self._show(head, shown, enter, more)
                    continue
                fits = _fitting(fits, buffer, key.lower())
                buffer += key.lower()
                others = _beginning(self.others, buffer)
                if len(fits) == 1 and _is_meant(fits, buffer, others):
                    return self._accept_only_item(fits)
                if not fits:
                    self._outside(others)
                if fits or others:
                    self._narrowed(buffer, fits)
                    continue
                self._paper.finish_prompt(say("play.not_here", self._lang, key=buffer[:20]))
                self._keys.drop(len(buffer))
            buffer, fits = "", dict(items)
            self._show(head, shown, enter, more)

    def one(self, head: str, items: Sequence[Item], default: bool) -> Any:
        """One of these; with `default` Enter means the first."""
        numbered = dict(enumerate(items, start=1))
        enter = items[0].label if default and items else ""
        return numbered[self.choose(head, numbered, enter) or 1].value

    def several(self, head: str, items: Sequence[Item], slot: OpenSlot) -> tuple[Any, ...]:
        """Several of these, toggled until Enter, or until nothing else can be added."""
        numbered = dict(enumerate(items, start=1))
        picked: list[object] = []
        while True:
            free = {n: item.value for n, item in numbered.items() if _leads_on(slot, picked, item.value)}
            ending = _ends(slot, picked)
            if ending and picked and not free:
                return _tidy(slot, picked)
            on = {n for n, item in numbered.items() if item.value in picked}
            shown = {n: _marked(item, n in on) for n, item in numbered.items() if n in free or n in on}
            everything = [*picked, *free.values()]
            extra = {ALL: say("play.all", self._lang)} if len(free) > 1 and _ends(slot, everything) else {}
            try:
                got = self._toggle(picked, head, shown, ending, extra)
            except Outside as outside:
                slot = _widened(slot, outside.card)
                numbered[len(numbered) + 1] = self._other(outside.card)
                picked.append(outside.card)
                continue
            if got in (ALL, 0):
                return _tidy(slot, picked if got == 0 else everything)
            if got is not None:
                value = numbered[got].value
                picked.remove(value) if value in picked else picked.append(value)

    def row(self, head: str, items: Mapping[object, Item], rows: Sequence[tuple[object, ...]]) -> tuple[object, ...]:
        """One of these rows, thing by thing in its order; what alone leads on is not asked for."""
        picked: list[object] = []
        asked: list[int] = []
        while True:
            longer = (row for row in rows if len(row) > len(picked) and row[: len(picked)] == tuple(picked))
            following = list(dict.fromkeys(row[len(picked)] for row in longer))
            ending = tuple(picked) in rows
            if ending and not following:
                return tuple(picked)
            if len(following) == 1 and not ending:
                picked.append(following[0])
                continue
            numbered = {n: items[value] for n, value in enumerate(following, start=1)}
            enter = say("play.done" if picked else "play.none", self._lang) if ending else ""
            said = " ".join((head, *(items[value].label for value in picked)))
            try:
                got = self.choose(said, numbered, enter, ending=bool(picked and enter))
            except Back:
                if not asked:
                    raise
                del picked[asked.pop() :]
                continue
            if got == 0:
                return tuple(picked)
            asked.append(len(picked))
            picked.append(following[got - 1])

    def pairs(self, head: str, other_head: str, label: Callable[[Any], Item], slot: OpenSlot) -> tuple[object, ...]:
        """Pairs: first the one, then the other, until Enter or until nothing else can be added."""
        picked: list[Any] = []
        firsts = list(dict.fromkeys(pair[0] for pair in slot.choice.candidates))
        while True:
            open_pairs = [pair for pair in slot.choice.candidates if _leads_on(slot, picked, pair)]
            free = {first: [pair for pair in open_pairs if pair[0] == first] for first in firsts}
            bound = {pair[0]: pair for pair in picked}
            ending = _ends(slot, picked)
            if ending and picked and not open_pairs:
                return tuple(picked)
            numbered = {n: first for n, first in enumerate(firsts, 1) if free[first] or first in bound}
            shown = {n: _marked(label(first), first in bound) for n, first in numbered.items()}
            try:
                got = self._toggle(picked, head, shown, ending, {})
            except Outside as outside:
                pair = (outside.card, self.against(outside.card, other_head, label, slot))
                slot = _widened(slot, pair)
                firsts.append(outside.card)
                picked.append(pair)
                continue
            if got == 0:
                return tuple(picked)
            if got is None:
                continue
            first = firsts[got - 1]
            if slot.choice.once and first in bound:
                picked.remove(bound[first])
            elif len(free[first]) == 1:
                picked.append(free[first][0])
            elif free[first]:
                others = [label(pair[1]) for pair in free[first]]
                try:
                    second = self.one(f"{label(first).label} > {other_head}", others, default=False)
                except Back:
                    continue
                except Outside as outside:
                    second = outside.card
                    slot = _widened(slot, (first, second))
                picked.append((first, second))

    def against(self, first: CardId, head: str, label: Callable[[Any], Item], slot: OpenSlot) -> CardId:
        """Whom a card that is not offered stands against."""
        seconds = [label(second) for second in dict.fromkeys(pair[1] for pair in slot.choice.candidates)]
        if len(seconds) == 1:
            only: CardId = seconds[0].value
            return only
        try:
            card: CardId = self.one(f"{label(first).label} > {head}", seconds, default=False)
        except Outside as outside:
            return outside.card
        return card

    def _other(self, card: CardId) -> Item:
        return next(item for item in self.others if item.value == card)

    def _toggle(
        self, picked: list[object], head: str, items: Mapping[int, Item], ending: bool, extra: Mapping[str, str]
    ) -> Any:
        """What was chosen; None if the last of what was picked has been taken back."""
        enter = say("play.done" if picked else "play.none", self._lang) if ending else ""
        try:
            return self.choose(head, items, enter, extra, ending=bool(picked and enter))
        except Back:
            if not picked:
                raise
            picked.pop()
            return None

    def _show(self, head: str, items: Mapping[int, Item], enter: str, more: Mapping[str, str]) -> None:
        listed = [f"[{n}] {item.label}" for n, item in items.items()][:LISTED_MAX]
        listed += ["..."] if len(items) > LISTED_MAX else []
        listed += [f"[{key}] {label}" for key, label in more.items()]
        listed += [f"[{say('play.enter', self._lang)}] {enter}"] if enter else []
        self._paper.ask(head, listed)

    def _narrowed(self, buffer: str, fits: Mapping[int, Item]) -> None:
        self._paper.finish_prompt(buffer)
        self._paper.ask(buffer, [f"[{n}] {item.label}" for n, item in fits.items()][:LISTED_MAX])

    def _accept_only_item(self, fits: Mapping[int, Item]) -> int:
        ((number, item),) = fits.items()
        self._echo_label(item.label)
        return number

    def _outside(self, others: Sequence[Item]) -> None:
        """Raises Outside if one card alone is meant."""
        if len(others) == 1:
            self._echo_label(others[0].label)
            raise Outside(others[0].value)

    def _echo_label(self, label: str) -> None:
        self._paper.finish_prompt(label)
        self.heard(label)


def _fitting(items: Mapping[int, Item], buffer: str, key: str) -> dict[int, Item]:
    """The items that what has been typed can mean: numbers by digits alone, else faces and the like."""
    text = buffer + key
    if text.isdecimal():
        return {n: item for n, item in items.items() if str(n).startswith(text)}
    fits = {n: item for n, item in items.items() if any(code.startswith(text) for code in item.codes)}
    if not fits and key.isdigit() and buffer and not buffer.isdigit():
        return {n: item for n, item in items.items() if str(n) == key and not item.spelled}
    return fits


def _beginning(others: Sequence[Item], text: str) -> list[Item]:
    """The cards whose names begin so."""
    return [item for item in others if any(code.startswith(text) for code in item.codes)]


def _is_meant(fits: Mapping[int, Item], buffer: str, others: Sequence[Item]) -> bool:
    """Is the only thing that fits what was typed, or may more of its word come, or be another's?"""
    ((number, item),) = fits.items()
    return buffer in (str(number), *item.codes) or not (item.spelled or others)


def _leads_on(slot: OpenSlot, picked: list[object], value: object) -> bool:
    """Can what is picked and this, which is not yet, become a filling that is allowed?"""
    return value not in picked and _leads(slot, [*picked, value])


def _leads(slot: OpenSlot, picked: list[object]) -> bool:
    """Can this become a filling that is allowed?"""
    if not slot.whole:
        return len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return any(filling[: len(picked)] == tuple(picked) for filling in slot.fillings)
    return any(set(picked) <= set(filling) for filling in slot.fillings)


def _ends(slot: OpenSlot, picked: list[object]) -> bool:
    """Is this a filling that is allowed, as far as that is known?"""
    if not slot.whole:
        return slot.choice.least <= len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return tuple(picked) in slot.fillings
    return any(set(picked) == set(filling) for filling in slot.fillings)


def _tidy(slot: OpenSlot, picked: list[object]) -> tuple[object, ...]:
    """In the order chosen where order means something, else in the order of the candidates."""
    if slot.choice.ordered:
        return tuple(picked)
    return tuple(candidate for candidate in slot.choice.candidates if candidate in picked)


def _widened(slot: OpenSlot, value: object) -> OpenSlot:
    """The slot with something that is not offered: nothing is known any more of what is allowed."""
    choice = slot.choice
    most = choice.most if choice.least == choice.most else choice.most + 1
    return OpenSlot(replace(choice, candidates=(*choice.candidates, value), most=most), (), False)


def _marked(item: Item, on: bool) -> Item:
    return replace(item, label=f"+{item.label}") if on else item
