"""Offers: the open questions and possible actions for one viewer, on pages, in the API and in `play`.

All is computed from the viewer's own table, so it reveals nothing else.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action, write_action, write_slots
from domain.formats.errors import FormatError
from domain.formats.names import SOME_CARD
from domain.formats.places import PlaceNames
from domain.formats.typed_squares import parse_shown
from domain.judging.allowed import CROUPIER, AllowedActions, interleave
from domain.judging.trails import known_table
from domain.law.actions import PASS
from domain.law.driver import accepts
from domain.law.game import Game
from domain.law.hidden_hands import hand_verbs, possible_values, possible_verbs, verbs_with_hidden_cards
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.slots import CARD_KINDS, Action, NamedSlot, Slot, slots, verb
from domain.table.table import CHANCE, CardId, Place, Seat, Table
from domain.words import Lang, say
from projections import phrases as P
from projections.phrases import seat_name
from projections.questions import Question, named_values, offer_words, question, slot_words
from projections.verb_keys import verb_keys
from service.context import AppContext, MatchView
from service.recording import checks
from service.recording.card_order import OrderItem, OrderQuery, OrderStep, choose_next, find_order, order_url
from service.recording.passes import can_all_pass

CHOICE_KINDS = ("seat", "place", "word", "card", "cards")
"""Slots whose values are listed for an answer that names a hidden card."""
CHOICES_MAX = 32
"""Values listed for a slot."""
UNGROUPED_MAX = 8
"""Lines of one verb that are listed without groups."""
WORDS_MAX = 8
"""Words that a field lists for a slot."""


class OfferedLine(Struct, frozen=True):
    """A line known to be allowed, in notation and in words."""

    line: str
    words: str


class OfferedGroup(Struct, frozen=True):
    """Lines of one verb with the same value in one slot, and that value in words."""

    words: str
    lines: tuple[OfferedLine, ...]


class SlotChoices(Struct, frozen=True):
    """Values of one slot of an answer that the viewer may know, in notation and in words."""

    words: str
    values: tuple[OfferedLine, ...]


class VerbOffer(Struct, frozen=True):
    """Actions of a seat by one verb: its key, its words, and lines. There may be other lines."""

    seat: Seat
    name: str
    words: str
    key: str
    lines: tuple[OfferedLine, ...]
    begins: str
    """Prefix of its lines; empty if its only line is complete."""
    form: str = ""
    """Remaining slots, in words."""
    choices: tuple[SlotChoices, ...] = ()
    """Values of the other slots if no line is known because of a hidden card."""
    typed: bool = False
    """True if no line is known, or if a card of the hidden hand can be named too."""
    more: int = 0
    """Number of allowed lines that are not listed."""
    groups: tuple[OfferedGroup, ...] = ()
    """Lines grouped by the first slot in which they differ; empty if there are few."""
    order: tuple[OrderItem, ...] = ()
    """Values to put in an order. No lines are listed then, since there are too many orders."""
    places: tuple[str, ...] = ()
    """Places of the ordered values, in words."""


class RecordingOffers(Struct, frozen=True):
    """Offers to a viewer: questions, suggested lines, verbs, and verbs that end the match.

    `verbs` and `first` contain no ending. `alone` is the only legal action, if there is just one; an empty Enter takes
    it. `all_pass`: all may pass until something is asked.
    """

    questions: tuple[Question, ...] = ()
    first: tuple[OfferedLine, ...] = ()
    verbs: tuple[VerbOffer, ...] = ()
    endings: tuple[VerbOffer, ...] = ()
    alone: str = ""
    all_pass: bool = False


def offers_of(context: AppContext, view: MatchView, lang: Lang) -> RecordingOffers:
    match = view.match
    doables = doables_of(context, view)
    if match.closed:
        return RecordingOffers()
    table, keys = known_table(match, view.eyes, view.head), verb_keys(match.game)
    several = len({doable.actor for doable in doables}) > 1
    doables += tuple(_list_other_endings(match.law, table, doables))
    offered = {doable: _make_verb_offer(view, table, doable, keys, lang, several=several) for doable in doables}
    playing = [doable for doable in doables if not _ends_match(match.law, doable.verb)]
    first = interleave([iter(each.actions) for each in playing if not offered[each].order], checks.NEXT)
    lines = {line.line: line for each in offered.values() for line in each.lines}
    known = [line for doable in playing for line in doable.actions]
    whole = all(_is_alone(doable) for doable in playing)
    return RecordingOffers(
        questions=tuple(_list_questions(view, table, playing, lang)),
        first=tuple(lines[line] for line in first),
        verbs=tuple(offered[doable] for doable in playing),
        endings=tuple(offered[doable] for doable in doables if doable not in playing),
        alone=known[0] if len(known) == 1 and whole else "",
        all_pass=any(doable.verb == PASS for doable in playing) and can_all_pass(view, table),
    )


def _list_other_endings(law: Law, table: Table, doables: Sequence[AllowedActions]) -> Iterator[AllowedActions]:
    """Yield the endings of seats that are not awaited. In most games a player may concede at any time."""
    listed = {(doable.actor, doable.verb) for doable in doables}
    for seat, kind in product(table.seats, law.game.action_types):
        if (
            kind.ends_match
            and not slots(kind)
            and (seat, verb(kind)) not in listed
            and accepts(law, table, seat, kind())
        ):
            yield AllowedActions(seat, verb(kind), (f"{seat}: {verb(kind)}",))


def order_step(verbs: Sequence[VerbOffer], url: str, query: OrderQuery) -> OrderStep | None:
    """Return the step of the order in the query; None if no such order is asked for now."""
    for each in verbs:
        if each.order and each.begins.strip() == query.order:
            return choose_next(url, each.begins, each.words, each.order, each.places, query.pick)
    return None


def order_urls(verbs: Sequence[VerbOffer], url: str) -> dict[str, str]:
    """Return the URL of the first step of each order, by the prefix of its lines."""
    return {each.begins: order_url(url, each.begins) for each in verbs if each.order}


def _list_questions(view: MatchView, table: Table, playing: list[AllowedActions], lang: Lang) -> list[Question]:
    match = view.match
    awaited = [seat for seat in match.law.awaited(table) if seat in (*table.seats, CHANCE)]
    by_seat = {seat: {doable.verb for doable in playing if doable.actor == seat} for seat in awaited}
    return [question(match, view.eyes, table, seat, by_seat[seat], lang) for seat in awaited]


def doables_of(context: AppContext, view: MatchView) -> tuple[AllowedActions, ...]:
    """Return the possible actions of the awaited seats. A verb without lines needs a card that only its seat sees."""
    match = view.match
    if match.closed:
        return ()
    known = list(context.doables(view, view.head, checks.LINES))
    offered_verbs = {(doable.actor, doable.verb) for doable in known}
    table = known_table(match, view.eyes, view.head)
    for seat in table.seats:
        if seat in match.law.awaited(table) and any(actor == seat for actor, _ in offered_verbs):
            templates = tuple(match.law.offers(table, seat))
            hidden = verbs_with_hidden_cards(match.law, view.eyes.physics, table, seat, templates)
            known = [
                replace(each, whole=False) if each.actor == seat and each.verb in hidden else each for each in known
            ]
            offered = [*possible_verbs(match.law, table, seat, templates)]
            faces = checks.deck_faces(view, seat) or sorted(match.game.faces())
            offered += hand_verbs(match.law, view.eyes.physics, table, seat, faces, offered)
            if all(_ends_match(match.law, name) for name in offered):  # the answer depends on cards in the hand
                offered += filter(None, (match.game.display.steps.get(table.clock.step),))
            for name in offered:
                if (seat, name) not in offered_verbs:
                    offered_verbs.add((seat, name))
                    bare = all(not slots(kind) for kind in match.game.action_types if verb(kind) == name)
                    lines = _laid_unseen(match.law, table, seat, name) if match.undealt else ()
                    lines = (f"{seat}: {name}",) if bare else lines
                    known.append(AllowedActions(seat, name, lines, 0 if lines else 1, not bare))
    return tuple(_without_orders(match.law, table, doable) for doable in known)


def _without_orders(law: Law, table: Table, doable: AllowedActions) -> AllowedActions:
    """Return an ordering answer with only one of its lines, since there are too many to list."""
    if not doable.actions or doable.whole or find_order(law, table, doable.actor, doable.verb) is None:
        return doable
    return replace(doable, actions=doable.actions[:1], more=max(1, doable.more + len(doable.actions) - 1))


def _laid_unseen(law: Law, table: Table, seat: Seat, verb_name: str) -> tuple[str, ...]:
    """Return the line that lays out a row of unseen cards, if the verb does just that."""
    for template in law.offers(table, seat):
        if template.verb == verb_name and template.orders_all and not template.fixed:
            cards = template.choices[0].candidates
            if cards and all(table.pieces[card].face is None for card in cards):
                return (f"{seat}: {verb_name} {','.join(SOME_CARD for card in cards)}",)
    return ()


def _ends_match(law: Law, verb_name: str) -> bool:
    return any(verb(kind) == verb_name and kind.ends_match for kind in law.game.action_types)


def _make_verb_offer(
    view: MatchView, table: Table, doable: AllowedActions, keys: dict[str, str], lang: Lang, *, several: bool
) -> VerbOffer:
    match = view.match
    name = seat_name(match.opening.names, doable.actor, lang)
    order, places = _list_order(view, table, doable, lang)
    typed = not doable.actions or not (doable.whole or doable.more)
    lines = tuple(
        OfferedLine(
            line, line_words(view, table, line, f"{name}: " if several and doable.actor != CHANCE else "", lang)
        )
        for line in (() if order else doable.actions)
    )
    return VerbOffer(
        seat=doable.actor,
        name=name,
        words=P.word(match.game, doable.verb, lang),
        key=keys.get(doable.verb, ""),
        lines=lines,
        begins="" if _is_alone(doable) else f"{doable.actor}: {doable.verb} ",
        form=_form_words(match.game, doable.verb, lang) + (f" ({' '.join(places)})" if places else ""),
        choices=tuple(_list_choices(view, table, doable, lang)) if typed else (),
        typed=typed,
        more=0 if order or not doable.actions else doable.more,
        groups=_group_lines(view, table, lines, lang) if len(lines) > UNGROUPED_MAX else (),
        order=order,
        places=places,
    )


def _group_lines(view: MatchView, table: Table, lines: tuple[OfferedLine, ...], lang: Lang) -> tuple[OfferedGroup, ...]:
    """Return the lines grouped by the first slot in which they differ; empty if every group would have one line."""
    match = view.match
    values_by_line = []
    for line in lines:
        actor, action = parse_action(match.game, table, line.line, eyes=view.eyes, schema=match.opening.schema)
        values_by_line.append(named_values(match, view.eyes, table, actor, action, lang))
    for slot in dict.fromkeys(slot for values in values_by_line for slot in values):
        groups: dict[str, list[OfferedLine]] = {}
        for line, values in zip(lines, values_by_line, strict=True):
            groups.setdefault(values.get(slot, "–"), []).append(line)
        if 1 < len(groups) < len(lines):
            words = P.word(match.game, slot, lang)
            return tuple(
                OfferedGroup(say("offer.choices", lang, slot=words, words=value), tuple(group))
                for value, group in groups.items()
            )
    return ()


def _list_order(
    view: MatchView, table: Table, doable: AllowedActions, lang: Lang
) -> tuple[tuple[OrderItem, ...], tuple[str, ...]]:
    """Return the values that an answer orders, and the places they come to, as the game calls them. No values if the
    lines are few or the viewer cannot name one of them."""
    template = find_order(view.match.law, table, doable.actor, doable.verb)
    if template is None:
        return (), ()
    (choice,) = template.choices
    names = PlaceNames(view.match.game.display, view.match.opening.schema)
    places = tuple(map(names.name, choice.places))
    items = []
    for value in choice.candidates if doable.actions else ():
        action = template.action(**{choice.slot: (value,)})
        if (line := _slot_line(view, table, doable, action, choice.slot, lang)) is None:
            return (), places
        piece = table.pieces.get(value)
        items.append(OrderItem(line.line, line.words, (piece and piece.face) or ""))
    return tuple(items), places


def _list_choices(view: MatchView, table: Table, doable: AllowedActions, lang: Lang) -> Iterator[SlotChoices]:
    match = view.match
    (kind,) = (kind for kind in match.game.action_types if verb(kind) == doable.verb)
    templates = [each for each in match.law.offers(table, doable.actor) if each.verb == doable.verb]
    possible = possible_values(match.law, table, doable.actor, templates)
    for named in slots(kind):
        lines: list[OfferedLine] = []
        values: dict[object, None] = {}
        own = _own_cards(table, doable.actor, named.slot)
        if named.slot.kind in CHOICE_KINDS and not named.slot.secret:
            offered = (value for each in templates for value in _values_of(each, named.name, possible))
            values = dict.fromkeys(offered if templates else _list_values(table, named.slot, own))
            actions = (kind(**{named.name: value}) for value in values if value != named.default)
            named_lines = (_slot_line(view, table, doable, action, named.name, lang) for action in actions)
            lines = [line for line in named_lines if line is not None][:CHOICES_MAX]
        is_first = named == slots(kind)[0]
        needed = own if is_first else tuple(card for card in own if (named.name, card) in possible)
        hides = match.undealt and any(table.pieces[card].face is None for card in needed)
        if named.slot.kind in ("card", "cards") and (
            hides or (is_first and not lines and (match.undealt or len(values) == 1))
        ):
            line = SOME_CARD if is_first else f"{named.name}={SOME_CARD}"
            lines.append(OfferedLine(line, say("record.unseen", lang)))
        if lines:
            yield SlotChoices(P.word(match.game, named.name, lang), tuple(lines))


def _own_cards(table: Table, seat: Seat, slot: Slot) -> tuple[CardId, ...]:
    """Return the cards in a seat's own areas that a slot takes, for an action that the law offers with a hidden
    card."""
    areas = slot.areas if slot.own and slot.kind in CARD_KINDS else ()
    return tuple(card for area in areas for card in table.places.get(Place(f"{seat}.{area}"), ()))


def _list_values(table: Table, slot: Slot, own: Sequence[CardId]) -> Iterator[object]:
    """Yield the values of a slot for an action that the law does not offer, because its card is not seen."""
    yield from table.seats if slot.kind == "seat" else ()
    yield from ((card,) if slot.kind == "cards" else card for card in own)


def _values_of(template: Template, slot: str, possible: Collection[tuple[str, object]]) -> Iterator[object]:
    yield from (value for name, value in template.fixed if name == slot and (name, value) in possible)
    for choice in template.choices:
        if choice.slot == slot:
            candidates = (value for value in choice.candidates if (slot, value) in possible)
            yield from ((value,) if choice.many else value for value in candidates)


def _slot_line(
    view: MatchView, table: Table, doable: AllowedActions, action: Action, slot: str, lang: Lang
) -> OfferedLine | None:
    """Return the value of one slot, in notation and words; None if the viewer cannot name it."""
    match, schema = view.match, view.match.opening.schema
    line = write_action(match.game, table, doable.actor, action, schema=schema)
    try:
        if parse_action(match.game, table, line, eyes=view.eyes, schema=schema) != (doable.actor, action):
            return None
    except FormatError:
        return None
    text = write_slots(match.game, table, doable.actor, action, schema=schema)[slot]
    part = text if len(slots(type(action))) == 1 else f"{slot}={text}"
    return OfferedLine(part, slot_words(match, view.eyes, table, doable.actor, action, lang))


def _form_words(game: Game, verb_name: str, lang: Lang) -> str:
    kinds = (kind for kind in game.action_types if verb(kind) == verb_name)
    return P.listed((_slot_words(game, each, lang) for kind in kinds for each in slots(kind)), lang)


def _slot_words(game: Game, named: NamedSlot, lang: Lang) -> str:
    """Return the name of a slot, with its words to choose from."""
    name = P.word(game, named.name, lang)
    if not 0 < len(named.slot.words) <= WORDS_MAX:
        return name
    return say(
        "offer.choices", lang, slot=name, words=" / ".join(P.word(game, each, lang) for each in named.slot.words)
    )


def line_words(view: MatchView, table: Table, line: str, who: str, lang: Lang) -> str:
    """Return a line in words after `who`; the line itself if the viewer's table does not show a card that it names."""
    match = view.match
    if line == CROUPIER:
        return say("offer.shuffled" if match.undealt else "offer.by_itself", lang)
    if line.endswith(f",{SOME_CARD}"):
        return who + say("offer.unseen", lang, verb=P.word(match.game, line.split()[1], lang))
    try:
        (actor, action), _ = parse_shown(match, table, line, view.eyes, None)
    except FormatError:
        return line
    return who + offer_words(match, view.eyes, table, actor, action, lang)


def _is_alone(doable: AllowedActions) -> bool:
    return len(doable.actions) == 1 and not doable.more and doable.whole
