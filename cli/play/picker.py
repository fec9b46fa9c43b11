"""Choice by keys: one item by number or face, lists by toggling, and pairs."""

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
"""Most items in a prompt. Others are chosen by name."""


class Back(Exception):
    """The user took back the last step."""


class Aside(Exception):
    """The user pressed a permanent key that drops the current input."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Outside(Exception):
    """The user named a card that is not offered."""

    def __init__(self, card: CardId) -> None:
        super().__init__(card)
        self.card = card


class Item(Struct, frozen=True):
    """An item to choose: value, label, and the codes whose prefixes select it.

    `spelled` marks words with common prefixes. Only the full code or Enter chooses such an item, because a fast typist
    types the whole word.
    """

    value: Any
    label: str
    codes: tuple[str, ...]
    spelled: bool = False


class Picker:
    """Prompt that reads choices. `aside` handles permanent keys and may raise Aside."""

    def __init__(self, keys: Keys, paper: Paper, aside: Callable[[str], bool]) -> None:
        self._keys, self._paper, self._aside = keys, paper, aside
        self.others: Sequence[Item] = ()
        """Cards that may be named though they are not offered."""
        self.listed: Mapping[int, Item] = {}
        """Items of the current prompt."""
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
        """Return the number of an item, 0 for Enter (if `enter` gives its meaning), or a key of `extra`.

        `ending` treats the end of a line as Enter. `again` does not list the items again. Raises Back, Aside, Outside
        and EOFError.
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
            elif key == " ":  # spaces in names are optional
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
                    self._show_matches(buffer, fits)
                    continue
                self._paper.finish_prompt(say("play.not_here", self._lang, key=buffer[:20]))
                self._keys.drop(len(buffer))
            buffer, fits = "", dict(items)
            self._show(head, shown, enter, more)

    def one(self, head: str, items: Sequence[Item], default: bool) -> Any:
        """Return one of these values. With `default`, Enter means the first."""
        numbered = dict(enumerate(items, start=1))
        enter = items[0].label if default and items else ""
        return numbered[self.choose(head, numbered, enter) or 1].value

    def several(self, head: str, items: Sequence[Item], slot: OpenSlot) -> tuple[Any, ...]:
        """Return several of these values, toggled until Enter, or until no other can be added."""
        numbered = dict(enumerate(items, start=1))
        picked: list[object] = []
        while True:
            free = {n: item.value for n, item in numbered.items() if _leads_on(slot, picked, item.value)}
            ending = _ends(slot, picked)
            if ending and picked and not free:
                return _order_picks(slot, picked)
            on = {n for n, item in numbered.items() if item.value in picked}
            shown = {n: _marked(item, n in on) for n, item in numbered.items() if n in free or n in on}
            everything = [*picked, *free.values()]
            extra = {ALL: say("play.all", self._lang)} if len(free) > 1 and _ends(slot, everything) else {}
            try:
                got = self._toggle(picked, head, shown, ending, extra)
            except Outside as outside:
                slot = _widen(slot, outside.card)
                numbered[len(numbered) + 1] = self._other(outside.card)
                picked.append(outside.card)
                continue
            if got in (ALL, 0):
                return _order_picks(slot, picked if got == 0 else everything)
            if got is not None:
                value = numbered[got].value
                picked.remove(value) if value in picked else picked.append(value)

    def row(self, head: str, items: Mapping[object, Item], rows: Sequence[tuple[object, ...]]) -> tuple[object, ...]:
        """Return one of these rows, chosen member by member. Forced members are not asked for."""
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
            prompt = " ".join((head, *(items[value].label for value in picked)))
            try:
                got = self.choose(prompt, numbered, enter, ending=bool(picked and enter))
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
        """Return pairs, each chosen one side after the other, until Enter or until no other can be added."""
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
                slot = _widen(slot, pair)
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
                    slot = _widen(slot, (first, second))
                picked.append((first, second))

    def against(self, first: CardId, head: str, label: Callable[[Any], Item], slot: OpenSlot) -> CardId:
        """Ask for the partner of a card that is not offered."""
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

    def _show_matches(self, buffer: str, fits: Mapping[int, Item]) -> None:
        self._paper.finish_prompt(buffer)
        self._paper.ask(buffer, [f"[{n}] {item.label}" for n, item in fits.items()][:LISTED_MAX])

    def _accept_only_item(self, fits: Mapping[int, Item]) -> int:
        ((number, item),) = fits.items()
        self._echo_label(item.label)
        return number

    def _outside(self, others: Sequence[Item]) -> None:
        if len(others) == 1:
            self._echo_label(others[0].label)
            raise Outside(others[0].value)

    def _echo_label(self, label: str) -> None:
        self._paper.finish_prompt(label)
        self.heard(label)


def _fitting(items: Mapping[int, Item], buffer: str, key: str) -> dict[int, Item]:
    text = buffer + key
    if text.isdecimal():
        return {n: item for n, item in items.items() if str(n).startswith(text)}
    fits = {n: item for n, item in items.items() if any(code.startswith(text) for code in item.codes)}
    if not fits and key.isdigit() and buffer and not buffer.isdigit():
        return {n: item for n, item in items.items() if str(n) == key and not item.spelled}
    return fits


def _beginning(others: Sequence[Item], text: str) -> list[Item]:
    return [item for item in others if any(code.startswith(text) for code in item.codes)]


def _is_meant(fits: Mapping[int, Item], buffer: str, others: Sequence[Item]) -> bool:
    """True if the only match is certain: no longer word or other card can be meant."""
    ((number, item),) = fits.items()
    return buffer in (str(number), *item.codes) or not (item.spelled or others)


def _leads_on(slot: OpenSlot, picked: list[object], value: object) -> bool:
    return value not in picked and _leads(slot, [*picked, value])


def _leads(slot: OpenSlot, picked: list[object]) -> bool:
    if not slot.whole:
        return len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return any(filling[: len(picked)] == tuple(picked) for filling in slot.fillings)
    return any(set(picked) <= set(filling) for filling in slot.fillings)


def _ends(slot: OpenSlot, picked: list[object]) -> bool:
    """True if the picks are a legal filling, as far as known."""
    if not slot.whole:
        return slot.choice.least <= len(picked) <= slot.choice.most
    if slot.choice.ordered:
        return tuple(picked) in slot.fillings
    return any(set(picked) == set(filling) for filling in slot.fillings)


def _order_picks(slot: OpenSlot, picked: list[object]) -> tuple[object, ...]:
    if slot.choice.ordered:
        return tuple(picked)
    return tuple(candidate for candidate in slot.choice.candidates if candidate in picked)


def _widen(slot: OpenSlot, value: object) -> OpenSlot:
    """Return the slot with an extra candidate. Its legal fillings become unknown."""
    choice = slot.choice
    most = choice.most if choice.least == choice.most else choice.most + 1
    return OpenSlot(replace(choice, candidates=(*choice.candidates, value), most=most), (), False)


def _marked(item: Item, on: bool) -> Item:
    return replace(item, label=f"+{item.label}") if on else item
