"""What a match waits for and what may be done, for one viewer: the page of a recorder or player, the API and `play`.

Everything is a function of the viewer's own table, so that it holds nothing that they may not know.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.formats.names import SOME_CARD
from domain.formats.places import PlaceNames
from domain.judging.allowed import CROUPIER, Doable
from domain.judging.trails import asked_table
from domain.law.actions import PASS
from domain.law.game import Game
from domain.law.hidden_hands import hand_verbs, possible_verbs
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.slots import Action, NamedSlot, slots, verb
from domain.table.table import CHANCE, Seat, Table
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
"""Kinds of slots whose values are listed beside an answer that names a hidden card."""
CHOICES_MAX = 32
"""Most values of one slot that are listed."""
GROUPED_MIN = 8
"""More lines of one verb than this are grouped."""
WORDS_MAX = 8
"""Most words of one slot that a field lists."""


class OfferedLine(Struct, frozen=True):
    """A line that is known to be allowed: in notation, and in words."""

    line: str
    words: str


class OfferedGroup(Struct, frozen=True):
    """Lines of one verb that name the same value in one slot, and that value in words."""

    words: str
    lines: tuple[OfferedLine, ...]


class SlotChoices(Struct, frozen=True):
    """What may stand in one slot of an answer, as far as the viewer may know: each in notation and in words."""

    words: str
    values: tuple[OfferedLine, ...]


class VerbOffer(Struct, frozen=True):
    """What a seat may do by one verb: its key, its words, and lines that do it; there may be others."""

    seat: Seat
    name: str
    words: str
    key: str
    lines: tuple[OfferedLine, ...]
    begins: str
    """How its lines begin; empty where the only line there is does without more."""
    form: str = ""
    """What comes after that, in words."""
    choices: tuple[SlotChoices, ...] = ()
    """Where no line is known since it names a hidden card: what its other slots may hold."""
    more: int = 0
    """How many more lines are known to be allowed and not listed."""
    groups: tuple[OfferedGroup, ...] = ()
    """The lines by the first slot in which they differ; () where there are few or each would stand alone."""
    order: tuple[OrderItem, ...] = ()
    """The values to put in an order; then no line is listed, since there are too many orders."""
    places: tuple[str, ...] = ()
    """The places that values in an order come to, in words."""


class RecordingOffers(Struct, frozen=True):
    """What a viewer may record now: who is asked what, the first lines, all verbs, and what would end the match.

    No verb that ends the match is among `verbs` or `first`. `alone` is the one legal action where nothing else could be
    meant and nothing ends by it; an empty Enter takes it. `all_pass`: everybody may pass until something is asked.
    """

    questions: tuple[Question, ...] = ()
    first: tuple[OfferedLine, ...] = ()
    verbs: tuple[VerbOffer, ...] = ()
    endings: tuple[VerbOffer, ...] = ()
    alone: str = ""
    all_pass: bool = False


def offers_of(context: AppContext, view: MatchView, lang: Lang) -> RecordingOffers:
    """Return what the viewer may record now, in words."""
    match = view.match
    doables = doables_of(context, view)
    if match.closed:
        return RecordingOffers()
    table, keys = asked_table(match, view.eyes, view.head), verb_keys(match.game)
    several = len({doable.actor for doable in doables}) > 1
    offered = {doable: _make_verb_offer(view, table, doable, keys, lang, several=several) for doable in doables}
    playing = [doable for doable in doables if not _ends(match.law, doable.verb)]
    first = checks.first_lines([doable for doable in playing if not offered[doable].order])
    lines = {line.line: line for each in offered.values() for line in each.lines}
    known = [line for doable in playing for line in doable.actions]
    whole = all(_is_alone(doable) for doable in playing)
    return RecordingOffers(
        questions=tuple(_questions(view, table, playing, lang)),
        first=tuple(lines[line] for line in first),
        verbs=tuple(offered[doable] for doable in playing),
        endings=tuple(offered[doable] for doable in doables if doable not in playing),
        alone=known[0] if len(known) == 1 and whole else "",
        all_pass=any(doable.verb == PASS for doable in playing) and can_all_pass(view, table),
    )


def order_step(verbs: Sequence[VerbOffer], url: str, query: OrderQuery) -> OrderStep | None:
    """Return the step of an order that a page was asked for; None for no order, or one that is not asked now."""
    for each in verbs:
        if each.order and each.begins.strip() == query.order:
            return choose_next(url, each.begins, each.words, each.order, each.places, query.pick)
    return None


def order_urls(verbs: Sequence[VerbOffer], url: str) -> dict[str, str]:
    """Return the address of the first step of each order, by what its lines begin with."""
    return {each.begins: order_url(url, each.begins) for each in verbs if each.order}


def _questions(view: MatchView, table: Table, playing: list[Doable], lang: Lang) -> list[Question]:
    match = view.match
    awaited = [seat for seat in match.law.awaited(table) if seat in (*table.seats, CHANCE)]
    by_seat = {seat: {doable.verb for doable in playing if doable.actor == seat} for seat in awaited}
    return [question(match, view.eyes, table, seat, by_seat[seat], lang) for seat in awaited]


def doables_of(context: AppContext, view: MatchView) -> tuple[Doable, ...]:
    """All that awaited seats may do as far as the viewer knows; verbs without lines need a card that only they see."""
    match = view.match
    if match.closed:
        return ()
    known = list(context.doables(view, view.head, checks.LINES))
    named = {(doable.actor, doable.verb) for doable in known}
    table = asked_table(match, view.eyes, view.head)
    for seat in table.seats:
        if seat in match.law.awaited(table) and any(actor == seat for actor, _ in named):
            offered = [*possible_verbs(match.law, table, seat, match.law.offers(table, seat))]
            faces = checks.deck_faces(view, seat) or sorted(match.game.faces())
            offered += hand_verbs(match.law, view.eyes.physics, table, seat, faces, offered)
            if all(_ends(match.law, name) for name in offered):  # what is asked for here hangs on cards they hold
                offered += filter(None, (match.game.display.steps.get(table.clock.step),))
            for name in offered:
                if (seat, name) not in named:
                    named.add((seat, name))
                    bare = all(not slots(kind) for kind in match.game.action_types if verb(kind) == name)
                    laid = _laid_unseen(match.law, table, seat, name) if match.undealt else ()
                    laid = (f"{seat}: {name}",) if bare else laid
                    known.append(Doable(seat, name, laid, 0 if laid else 1, not bare))
    return tuple(_without_orders(match.law, table, doable) for doable in known)


def _without_orders(law: Law, table: Table, doable: Doable) -> Doable:
    """Return an answer that puts many values in an order with one of its lines: they are too many to list."""
    if not doable.actions or doable.whole or find_order(law, table, doable.actor, doable.verb) is None:
        return doable
    return replace(doable, actions=doable.actions[:1], more=max(1, doable.more + len(doable.actions) - 1))


def _laid_unseen(law: Law, table: Table, seat: Seat, named: str) -> tuple[str, ...]:
    """Return the line that lays out all cards of a row whose faces and order nobody saw, if a verb does just that."""
    for template in law.offers(table, seat):
        if template.verb == named and template.orders_all and not template.fixed:
            cards = template.choices[0].candidates
            if cards and all(table.pieces[card].face is None for card in cards):
                return (f"{seat}: {named} {','.join(SOME_CARD for card in cards)}",)
    return ()


def _ends(law: Law, named: str) -> bool:
    return any(verb(kind) == named and kind.ends_match for kind in law.game.action_types)


def _make_verb_offer(
    view: MatchView, table: Table, doable: Doable, keys: dict[str, str], lang: Lang, *, several: bool
) -> VerbOffer:
    match = view.match
    name = seat_name(match.opening.names, doable.actor, lang)
    order, places = _order(view, table, doable, lang)
    lines = tuple(
        OfferedLine(line, _words(view, table, line, f"{name}: " if several and doable.actor != CHANCE else "", lang))
        for line in (() if order else doable.actions)
    )
    return VerbOffer(
        seat=doable.actor,
        name=name,
        words=P.word(match.game, doable.verb, lang),
        key=keys.get(doable.verb, ""),
        lines=lines,
        begins="" if _is_alone(doable) else f"{doable.actor}: {doable.verb} ",
        form=_form(match.game, doable.verb, lang) + (f" ({' '.join(places)})" if places else ""),
        choices=() if doable.actions else tuple(_choices(view, table, doable, lang)),
        more=0 if order or not doable.actions else doable.more,
        groups=_groups(view, table, lines, lang) if len(lines) > GROUPED_MIN else (),
        order=order,
        places=places,
    )


def _groups(view: MatchView, table: Table, lines: tuple[OfferedLine, ...], lang: Lang) -> tuple[OfferedGroup, ...]:
    """Return lines of one verb by the first slot in which they differ; () if that leaves each line alone."""
    match = view.match
    named = []
    for line in lines:
        actor, action = parse_action(match.game, table, line.line, eyes=view.eyes, schema=match.opening.schema)
        named.append(named_values(match, view.eyes, table, actor, action, lang))
    for slot in dict.fromkeys(slot for values in named for slot in values):
        groups: dict[str, list[OfferedLine]] = {}
        for line, values in zip(lines, named, strict=True):
            groups.setdefault(values.get(slot, "–"), []).append(line)
        if 1 < len(groups) < len(lines):
            words = P.word(match.game, slot, lang)
            return tuple(
                OfferedGroup(say("offer.choices", lang, slot=words, words=value), tuple(group))
                for value, group in groups.items()
            )
    return ()


def _order(view: MatchView, table: Table, doable: Doable, lang: Lang) -> tuple[tuple[OrderItem, ...], tuple[str, ...]]:
    """Return the values that an answer puts in an order, and the places they come to one by one, as the game calls
    them. No values where the lines are few, or where the viewer cannot name one of them."""
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


def _choices(view: MatchView, table: Table, doable: Doable, lang: Lang) -> Iterator[SlotChoices]:
    """Yield the values of each slot that the law offers on the viewer's own table and the viewer can name."""
    match = view.match
    (kind,) = (kind for kind in match.game.action_types if verb(kind) == doable.verb)
    templates = [each for each in match.law.offers(table, doable.actor) if each.verb == doable.verb]
    for named in slots(kind):
        lines: list[OfferedLine] = []
        if named.slot.kind in CHOICE_KINDS and not named.slot.secret:
            values = dict.fromkeys(value for each in templates for value in _values_of(each, named.name))
            actions = (kind(**{named.name: value}) for value in values if value != named.default)
            lines = [line for action in actions if (line := _slot_line(view, table, doable, action, named.name, lang))]
        if not lines and match.undealt and named == slots(kind)[0] and named.slot.kind in ("card", "cards"):
            lines = [OfferedLine(SOME_CARD, say("record.unseen", lang))]
        if lines:
            yield SlotChoices(P.word(match.game, named.name, lang), tuple(lines[:CHOICES_MAX]))


def _values_of(template: Template, slot: str) -> Iterator[object]:
    yield from (value for name, value in template.fixed if name == slot)
    for choice in template.choices:
        if choice.slot == slot:
            yield from ((value,) if choice.many else value for value in choice.candidates)


def _slot_line(
    view: MatchView, table: Table, doable: Doable, action: Action, slot: str, lang: Lang
) -> OfferedLine | None:
    """Return what fills one slot, in notation and words; None for what the viewer cannot name."""
    match, schema = view.match, view.match.opening.schema
    line = write_action(match.game, table, doable.actor, action, schema=schema)
    try:
        if parse_action(match.game, table, line, eyes=view.eyes, schema=schema) != (doable.actor, action):
            return None
    except FormatError:
        return None
    text = line.removeprefix(f"{doable.actor}: {doable.verb} ")
    part = text if len(slots(type(action))) == 1 or text.startswith(f"{slot}=") else f"{slot}={text}"
    return OfferedLine(part, slot_words(match, view.eyes, table, doable.actor, action, lang))


def _form(game: Game, named: str, lang: Lang) -> str:
    kinds = (kind for kind in game.action_types if verb(kind) == named)
    return P.listed((_slot_words(game, each, lang) for kind in kinds for each in slots(kind)), lang)


def _slot_words(game: Game, named: NamedSlot, lang: Lang) -> str:
    """Return what belongs in a slot: its name, and the words there are to choose from."""
    name = P.word(game, named.name, lang)
    if not 0 < len(named.slot.words) <= WORDS_MAX:
        return name
    return say(
        "offer.choices", lang, slot=name, words=" / ".join(P.word(game, each, lang) for each in named.slot.words)
    )


def _words(view: MatchView, table: Table, line: str, who: str, lang: Lang) -> str:
    match = view.match
    if line == CROUPIER:
        return say("offer.shuffled" if match.undealt else "offer.by_itself", lang)
    if line.endswith(f",{SOME_CARD}"):
        return who + say("offer.unseen", lang, verb=P.word(match.game, line.split()[1], lang))
    try:
        actor, action = parse_action(match.game, table, line, eyes=view.eyes, schema=match.opening.schema)
    except FormatError:
        return line
    return who + offer_words(match, view.eyes, table, actor, action, lang)


def _is_alone(doable: Doable) -> bool:
    return len(doable.actions) == 1 and not doable.more and doable.whole
