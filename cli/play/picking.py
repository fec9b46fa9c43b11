"""Choosing by keys: one of several by number or face, lists by toggling, pairs one side after the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cli.play.keys import BACKS, ENTER, Keys
from cli.play.offering import Slotted
from cli.play.paper import Paper
from domain.law.rulebook import Lang
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
    ) -> Any:
        """The number of an item, 0 for Enter (if `enter` says what it means), or one of the `extra` keys.

        `ending` says that the end of a line is Enter here. Raises Back, Aside and EOFError.
        """
        more = extra or {}
        self._show(head, items, enter, more)
        buffer, fits = "", dict(items)
        while True:
            key = self._keys.key(pending=bool(buffer) or ending)
            if key == ENTER and not buffer and enter:
                self._meant(enter)
                return 0
            if key == ENTER and buffer:
                if len(fits) > 1 or not all(item.spelled for item in fits.values()):
                    fits = {n: item for n, item in fits.items() if buffer in (str(n), *item.codes)}
                if len(fits) == 1:
                    return self._taken(fits)
            elif key in BACKS and not buffer:
                self._paper.said("<")
                raise Back
            elif key == ENTER:
                self._keys.forget()
            elif key == " " and buffer:  # names are typed with their blanks or without
                continue
            elif key not in BACKS:
                if not buffer and key in more:
                    self._meant(more[key])
                    return key
                if not buffer and self._aside(key):
                    self._show(head, items, enter, more)
                    continue
                fits = _fitting(fits, buffer, key.lower())
                buffer += key.lower()
                if len(fits) == 1 and _is_meant(fits, buffer):
                    return self._taken(fits)
                if fits:
                    self._narrowed(buffer, fits)
                    continue
                self._paper.said(say("play.not_here", self._lang, key=buffer[:20]))
                self._keys.drop(len(buffer))
            buffer, fits = "", dict(items)
            self._show(head, items, enter, more)

    def one(self, head: str, items: Sequence[Item], default: bool) -> Any:
        """One of these; with `default` Enter means the first."""
        numbered = dict(enumerate(items, start=1))
        enter = items[0].label if default else ""
        return numbered[self.choose(head, numbered, enter) or 1].value

    def several(self, head: str, items: Sequence[Item], slot: Slotted) -> tuple[Any, ...]:
        """Several of these, toggled until Enter, or until nothing else can be added."""
        numbered = dict(enumerate(items, start=1))
        picked: list[Any] = []
        while True:
            free = {n: item.value for n, item in numbered.items() if _leads_on(slot, picked, item.value)}
            ending = _ends(slot, picked)
            if ending and picked and not free:
                return _tidy(slot, picked)
            on = {n for n, item in numbered.items() if item.value in picked}
            shown = {n: _marked(item, n in on) for n, item in numbered.items() if n in free or n in on}
            everything = [*picked, *free.values()]
            extra = {ALL: say("play.all", self._lang)} if len(free) > 1 and _ends(slot, everything) else {}
            got = self._toggle(picked, head, shown, ending, extra)
            if got in (ALL, 0):
                return _tidy(slot, picked if got == 0 else everything)
            if got is not None:
                value = numbered[got].value
                picked.remove(value) if value in picked else picked.append(value)

    def pairs(self, head: str, other_head: str, label: Callable[[Any], Item], slot: Slotted) -> tuple[Any, ...]:
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
            got = self._toggle(picked, head, shown, ending, {})
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
                picked.append((first, second))

    def _toggle(
        self, picked: list[Any], head: str, items: Mapping[int, Item], ending: bool, extra: Mapping[str, str]
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
        self._paper.said(buffer)
        self._paper.ask(buffer, [f"[{n}] {item.label}" for n, item in fits.items()][:LISTED_MAX])

    def _taken(self, fits: Mapping[int, Item]) -> int:
        ((number, item),) = fits.items()
        self._meant(item.label)
        return number

    def _meant(self, label: str) -> None:
        self._paper.said(label)
        self.heard(label)


def _fitting(items: Mapping[int, Item], buffer: str, key: str) -> dict[int, Item]:
    """The items that what has been typed can mean: numbers by digits alone, else faces and the like."""
    text = buffer + key
    if text.isdecimal():
        return {n: item for n, item in items.items() if str(n).startswith(text)}
    fits = {n: item for n, item in items.items() if any(code.startswith(text) for code in item.codes)}
    if not fits and key.isdigit() and buffer and not buffer.isdigit():
        return {n: item for n, item in items.items() if str(n) == key}
    return fits


def _is_meant(fits: Mapping[int, Item], buffer: str) -> bool:
    """Is the only thing that fits what was typed, or may more of its word come?"""
    ((number, item),) = fits.items()
    return not item.spelled or buffer == str(number) or buffer in item.codes


def _leads_on(slot: Slotted, picked: list[Any], value: Any) -> bool:
    """Can what is picked and this, which is not yet, become a filling that is allowed?"""
    return value not in picked and _leads(slot, [*picked, value])


def _leads(slot: Slotted, picked: list[Any]) -> bool:
    """Can this become a filling that is allowed?"""
    if not slot.whole:
        return len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return any(filling[: len(picked)] == tuple(picked) for filling in slot.fillings)
    return any(set(picked) <= set(filling) for filling in slot.fillings)


def _ends(slot: Slotted, picked: list[Any]) -> bool:
    """Is this a filling that is allowed, as far as that is known?"""
    if not slot.whole:
        return slot.choice.least <= len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return tuple(picked) in slot.fillings
    return any(set(picked) == set(filling) for filling in slot.fillings)


def _tidy(slot: Slotted, picked: list[Any]) -> tuple[Any, ...]:
    """In the order chosen where order means something, else in the order of the candidates."""
    if slot.choice.ordered:
        return tuple(picked)
    return tuple(candidate for candidate in slot.choice.candidates if candidate in picked)


def _marked(item: Item, on: bool) -> Item:
    return replace(item, label=f"+{item.label}") if on else item
