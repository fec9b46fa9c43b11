"""Dialogue for one action: a key for the verb, then each slot with a choice."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from msgspec.structs import replace

from cli.play.labels import card_item, is_spelled, items, kind_of, one_of_alike, other_cards, seat_item, slot_of
from cli.play.offers import ActorPosition, OpenSlot, build_action, few_left, fill_first_slot, first_slot
from cli.play.paper import shortened
from cli.play.picker import Back, Item, Outside, Picker
from domain.law.offers import SlotChoice, Template
from domain.law.rulebook import Lang
from domain.law.slots import Action, SlotKind, may_name, slots
from domain.table.physics import Physics
from domain.table.table import CardId
from domain.words import say

NAME_CARDS = ("card", "cards", "pairs")
"""Kinds of slots that accept a card not offered."""


class Asker:
    """Dialogue that fills the slots of a template."""

    def __init__(
        self, picker: Picker, physics: Physics, seen: ActorPosition, lang: Lang, numbered: Sequence[str] = ()
    ) -> None:
        self._picker, self._physics, self._seen, self._lang = picker, physics, seen, lang
        self._numbered = numbered

    def action(self, templates: Sequence[Template], begun: bool) -> Action:
        """Return the chosen action. `begun` is True if a key has selected the verb, so that Enter may mean a default.

        Raises Back if the first step is taken back, and the errors of the picker.
        """
        before: list[Template] = []
        template = templates[0] if len(templates) == 1 else self._template(templates)
        pressed = begun or len(templates) > 1
        while True:
            if not template.choices:
                return build_action(template if pressed else self._confirm(template))
            slot = first_slot(self._seen, template)
            if not slot.fillings:  # an earlier slot holds a card that is not offered
                slot = OpenSlot(template.choices[0], (), False)
            if slot.whole and len(slot.fillings) == 1:
                template = fill_first_slot(template, slot.fillings[0])
                continue
            names, few = few_left(self._seen, template)
            try:
                if few:
                    after = self._fill_together(template, names, few)
                else:
                    after = fill_first_slot(template, self._value(template, slot, begun))
            except Back:
                if not before:
                    raise
                template = before.pop()
                continue
            except Outside as outside:
                after = self._with_other(template, outside.card)
            finally:
                self._picker.others = ()
            before.append(template)
            template, pressed = after, True

    def _template(self, templates: Sequence[Template]) -> Template:
        listed = [self._whole(template, n) for n, template in enumerate(templates, 1)]
        chosen: Template = self._picker.one(self._word(templates[0].verb), listed, default=False)
        return chosen

    def _whole(self, template: Template, number: int) -> Item:
        parts = [self._items(template, name, (single(value),)) for name, value in template.fixed if name]
        named = [*chain(*parts)]
        text = " ".join(item.label for item in named) or str(number)
        hint = ""
        with suppress(TypeError):  # incomplete action: a choice is left
            hint = self._seen.law.game.display.hint(self._seen.table, build_action(template), self._lang)
        if hint:
            text = shortened(say("play.says", self._lang, what=named[0].label if named else text, text=hint))
        return Item(template, text, tuple(code for item in named for code in item.codes) or (text.lower(),))

    def _fill_together(self, template: Template, names: Sequence[str], few: Sequence[Template]) -> Template:
        offered = (single(dict(whole.fixed)[name]) for whole in few for name in names)
        self._allow_others(template, template.choices[0].slot, offered)
        listed = self.wholes(template, names, few)
        chosen: Template = self._picker.one(" + ".join(map(self._word, names)), listed, default=False)
        return chosen

    def wholes(self, template: Template, names: Sequence[str], few: Sequence[Template]) -> list[Item]:
        shown = [(template, [single(dict(template.fixed)[name]) for name in names]) for template in few]
        columns = [self._items(template, name, [row[at] for _, row in shown]) for at, name in enumerate(names)]
        ranks = [{item.value: n for n, item in enumerate(column)} for column in columns]
        shown.sort(key=lambda pair: [rank[value] for rank, value in zip(ranks, pair[1], strict=True)])
        listed: list[Item] = []
        for filled_in, row in shown:
            cells = [column[rank[value]] for column, rank, value in zip(columns, ranks, row, strict=True)]
            codes = tuple(code for item in cells for code in item.codes)
            label, spelled = " + ".join(item.label for item in cells), any(item.spelled for item in cells)
            listed.append(Item(filled_in, label, codes, spelled))
        return listed

    def _items(self, template: Template, name: str, values: Sequence[object]) -> list[Item]:
        listed = self._named_by(kind_of(template.action, name), list(dict.fromkeys(values)))
        return _spell(listed) if is_spelled(template.action, name) else listed

    def _named_by(self, kind: SlotKind, values: Sequence[object]) -> list[Item]:
        if not any(isinstance(value, tuple) for value in values):
            return items(self._seen, self._physics, kind, values, self._lang)
        called = self._members(kind, values)
        return [self._row(value, [called[member] for member in _row(value)]) for value in values]

    def _members(self, kind: SlotKind, rows: Sequence[object]) -> dict[object, Item]:
        members = list(dict.fromkeys(chain(*map(_row, rows))))
        return {item.value: item for item in items(self._seen, self._physics, kind, members, self._lang)}

    def _row(self, value: object, members: Sequence[Item]) -> Item:
        label = say("list.comma", self._lang).join(item.label for item in members) or say("play.none", self._lang)
        code = ",".join(item.codes[0] for item in members)
        return Item(value, label, tuple(filter(None, (code,))), any(item.spelled for item in members))

    def _confirm(self, template: Template) -> Template:
        named = [text for name, value in template.fixed if (text := self._named(template, name, value))]
        text = say("list.comma", self._lang).join(named) or say("play.none", self._lang)
        self._allow_others(template, "", ())
        try:
            self._picker.choose(self._word(template.verb), {}, enter=text)
        except Outside as outside:
            return self._with_other(template, outside.card)
        finally:
            self._picker.others = ()
        return template

    def _allow_others(self, template: Template, name: str, offered: Iterable[Any]) -> None:
        slot = slot_of(template.action, name) if name else None
        if slot is None or slot.kind in NAME_CARDS:
            self._picker.others = other_cards(self._seen, self._physics, slot, {*offered}, self._lang)

    def _with_other(self, template: Template, card: CardId) -> Template:
        """Return the template with a card that is not offered. Open slots come first, then slots for the card's
        place."""
        open_names = {choice.slot for choice in template.choices}
        kinds = [named for named in slots(template.action) if named.slot.kind in NAME_CARDS]
        place = self._seen.table.pieces[card].place
        kinds.sort(key=lambda named: (named.name not in open_names, not may_name(place, self._seen.actor, named.slot)))
        if not kinds:
            raise Back
        name, kind = kinds[0].name, kinds[0].slot.kind
        value: object = card if kind == "card" else (card,)
        if kind == "pairs":
            slot = OpenSlot(SlotChoice(name, ()), (), False)
            value = ((card, self._picker.against(card, self._against, self._label, slot)),)
        rest = tuple(choice for choice in template.choices if choice.slot != name)
        fixed = tuple((other, was) for other, was in template.fixed if other != name)
        return Template(template.action, rest, (*fixed, (name, value)))

    def _named(self, template: Template, name: str, value: object) -> str:
        kind = kind_of(template.action, name)
        if kind == "pairs":
            return ""
        values = value if isinstance(value, tuple) else (value,)
        return say("list.comma", self._lang).join(item.label for item in self._named_by(kind, values))

    def _value(self, template: Template, slot: OpenSlot, begun: bool) -> object:
        kind = kind_of(template.action, slot.choice.slot)
        head = self._word(slot.choice.slot) if begun else self._word(template.verb)
        pairs = kind == "pairs"
        offered = (pair[0] for pair in slot.choice.candidates) if pairs else slot.choice.candidates
        self._allow_others(template, slot.choice.slot, offered)
        if pairs:
            return self._picker.pairs(head, self._against, self._label, slot)
        candidates: Sequence[Any] = slot.choice.candidates
        if not slot.choice.many and any(isinstance(value, tuple) for value in candidates):
            return self._picker.row(head, self._members(kind, candidates), candidates)
        if kind == "card" or (kind == "cards" and slot.choice.most == 1):
            candidates = one_of_alike(self._seen, self._physics, candidates)
        listed = self._named_by(kind, candidates)
        if is_spelled(template.action, slot.choice.slot):
            listed = _spell(listed)
        if kind == "number" and self._numbered:
            listed = [self._numbered_item(number) for number in slot.choice.candidates]
        if not slot.choice.many and begun and len(listed) == 1:
            return listed[0].value
        if not slot.choice.many:
            return self._picker.one(head, listed, default=begun)
        if slot.choice.least == slot.choice.most == 1:
            return (self._picker.one(head, listed, default=begun),)
        if slot.choice.least == slot.choice.most:
            head = say("play.how_many", self._lang, what=head, n=slot.choice.least)
        return self._picker.several(head, listed, slot)

    @property
    def _against(self) -> str:
        return say("play.against", self._lang)

    def _label(self, card: CardId) -> Item:
        return card_item(self._seen, self._physics, card, self._lang)

    def _numbered_item(self, number: int) -> Item:
        code = self._numbered[number]
        if code in self._seen.table.seats:
            return seat_item(number, code, self._seen.names, self._lang)
        label = self._word(code)
        return Item(number, label, tuple(dict.fromkeys((code.lower(), label.lower()))))

    def _word(self, code: str) -> str:
        return self._seen.law.game.rulebook.word(code, self._lang)


def _spell(listed: Sequence[Item]) -> list[Item]:
    return [replace(item, spelled=True) for item in listed]


def single(value: object) -> object:
    """Return the only member of a tuple, or the value unchanged."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _row(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
