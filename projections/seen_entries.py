"""Entries and actions redacted for one viewer. The result names its viewer and is not a record."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from domain.law import disputes as D, entries as E
from domain.law.clause import CitedFacts, Clause
from domain.law.game import Game
from domain.law.logged import FieldVisibility as V, entry_fields
from domain.law.occasion import NO_OCCASION, Occasion
from domain.law.record import Record
from domain.law.slots import LIST_KINDS, Action, NamedSlot, cards_of, slots, verb
from domain.law.timers import is_timer_note
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, fold
from domain.table.facts import AnyFact, Shown
from domain.table.redact import SeenFrame, TableViewer
from domain.table.table import JUDGE, CardId, Place, Seat, Table
from projections import retrospective_view, seen_facts as S
from projections.penalties import SeenPenalty, see_penalties
from projections.viewing import resolve_entry

NEAR: Final = 32
"""Entries between two wanted ones that are folded. A wider gap is skipped by a table of the record."""


class SeenSlot(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A viewer's view of one value of an action. `number` counts cards or pairs, visible or not."""

    name: str
    kind: str
    hidden: bool = False
    number: int | None = None
    cards: tuple[S.CardReference, ...] = ()
    pairs: tuple[tuple[S.CardReference, S.CardReference], ...] = ()
    frames: tuple[int, ...] = ()
    value: str | int | bool | None = None
    seat: Seat | None = None
    word: str = ""
    """For a number that answers a question: the word of that option, as `seat` is its seat."""
    places: tuple[Place, ...] = ()

    @property
    def names_none(self) -> bool:
        """True if the slot takes several values and has none."""
        named = self.hidden or self.number or self.frames or self.places
        return self.kind in LIST_KINDS and not named


class SeenAction(Struct, frozen=True, omit_defaults=True):
    verb: str
    slots: tuple[SeenSlot, ...] = ()


class SeenEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry for one viewer. It lacks the tag and facts of a recorded entry, so that it cannot be read as one."""

    viewer: Seat
    number: int
    seen: str
    at: int = 0
    actor: Seat | None = None
    action: SeenAction | None = None
    violations: tuple[Clause, ...] = ()
    facts: tuple[S.SeenFact, ...] = ()
    by: str = ""
    reason: str = ""
    text: str = ""
    to: int | None = None
    most: int = 0
    """For missing actions: their maximum number, 0 if unknown."""
    seed: str = ""
    game: str = ""
    version: str = ""
    rules: dict[str, Any] = {}
    rules_hash: str = ""
    seats: tuple[Seat, ...] = ()
    names: dict[Seat, str] = {}
    decks: dict[Seat, tuple[str, ...]] = {}
    match: str = ""
    commitment: str = ""
    parent: str = ""
    parent_at: int = 0
    sides: dict[Seat, tuple[str, ...]] = {}
    occasion: Occasion = NO_OCCASION
    policy: dict[str, Any] = {}
    announced: str = ""
    about: int = 0
    dispute: int = 0
    matter: D.Matter | None = None
    claims: dict[Seat, str] = {}
    """Claims by seat. Claims that this viewer may not read are empty."""
    outcome: D.Outcome | None = None
    verdict: D.Verdict | None = None
    clauses: tuple[Clause, ...] = ()
    penalties: tuple[SeenPenalty, ...] = ()
    repair: D.Repair | None = None
    departure: str = ""
    opinion: D.Opinion | None = None
    extension: int = 0
    eyes: Seat = Seat("")
    until: int = 0
    pledges: dict[Seat, str] = {}
    seat: Seat = Seat("")
    secret: str = ""


def line_seen(entries: Sequence[SeenEntry]) -> frozenset[int]:
    """Return the numbers of the entries that lead to the last one. `entries` must start at the first."""
    path: list[int] = []
    number = len(entries)
    while number > 0:
        path.append(number)
        to = entries[number - 1].to
        number = number - 1 if to is None else max(0, min(to, number - 1))
    return frozenset(path)


def seen_entries(
    record: Record,
    eyes: TableViewer,
    upto: int | None = None,
    *,
    first: int = 1,
    flow: bool = False,
    judges: bool = False,
) -> Iterator[SeenEntry]:
    """Yield the entries from `first` as a viewer sees them, including undone ones. Raises NotInMatch."""
    last = resolve_entry(record.entries, upto)
    if first > 1:
        yield from entries_at(record, eyes, range(first, last + 1), flow=flow, judges=judges)
        return
    policy = record.opening.policy
    for number, entry, before, _ in E.tables(record.entries[:last]):
        yield seen_entry(record.game, eyes, number, entry, before, flow=flow, policy=policy, judges=judges)


def entries_at(
    record: Record, eyes: TableViewer, numbers: Iterable[int], *, flow: bool = False, judges: bool = False
) -> Iterator[SeenEntry]:
    """Yield some entries, given by ascending numbers, as a viewer sees them."""
    policy, entries = record.opening.policy, record.entries
    at, before = -NEAR, record.after(0)
    for number in numbers:
        if number - at > NEAR:
            at, before = number, record.after(number - 1)
        for passed in range(at, number):
            entry = entries[passed - 1]
            before = record.after(passed) if isinstance(entry, E.Rewound) else E.apply_entry(before, entry)
        at = number
        yield seen_entry(
            record.game, eyes, number, entries[number - 1], before, flow=flow, policy=policy, judges=judges
        )


def see_entry_at(record: Record, eyes: TableViewer, number: int, *, judges: bool = False) -> SeenEntry:
    """Return entry `number` with all its facts as a viewer sees it. Raises NotInMatch."""
    (entry,) = seen_entries(record, eyes, number, first=number, flow=True, judges=judges)
    return entry


def seen_entry(
    game: Game,
    eyes: TableViewer,
    number: int,
    entry: E.Entry,
    before: Table,
    *,
    flow: bool = False,
    by: str | None = None,
    policy: Mapping[str, object] | None = None,
    judges: bool = False,
) -> SeenEntry:
    """Return one entry for a viewer, on the table before it, by the annotations of its fields and some exceptions.

    `by` is the caller's name if the caller has no seat. `policy` is the match's pinned one. With `judges` the caller is
    a judge of the match, who may read messages to judges in any view.
    """
    reads = judges or eyes.viewer == JUDGE
    viewer, eyes = eyes.viewer, retrospective_view.within(eyes, number, entry)
    kind = "restored" if isinstance(entry, E.Restored) else str(entry.__struct_config__.tag).partition("/")[0]
    seen = S.see_facts(eyes, Draft(before), E.entry_facts(entry), flow=flow)
    facts = seen if flow else tuple(fact for fact in seen if not counts_only(game, fact))
    known: dict[str, Any] = {"viewer": viewer, "number": number, "seen": kind, "at": entry.at, "facts": facts}
    is_own = not isinstance(entry, E.Played) and entry.by in (viewer, by)
    known |= visible_fields(entry, viewer, reads or is_own)
    if penalties := D.penalties_of(entry):
        known["penalties"] = see_penalties(policy or {}, penalties)
    match entry:
        case E.Played(actor=actor):
            telling = () if viewer in (actor, JUDGE) else eyes.physics.schema.telling
            violations = tuple(clause for clause in entry.violations if clause not in telling)
            known |= {"action": seen_action(game, eyes, entry, before), "violations": violations}
        case E.Noted() if is_note_visible(entry.text, viewer == JUDGE or is_own, reads):
            known |= {"text": entry.text, "about": entry.about}
        case D.Disputed(claims=claims):
            readable = tuple(claims) if reads or entry.by == by else (viewer,)
            known["claims"] = {seat: text if seat in readable else "" for seat, text in claims.items()}
        case _:
            pass
    return SeenEntry(**known)


def visible_fields(entry: E.Entry, viewer: Seat, reads: bool) -> dict[str, Any]:
    """Return the fields that a viewer may see; `reads` is True for judges of the match and the author of the entry.

    A judge's reasons are public. A seat's messages to judges and the law's opinion are not, because they may disclose
    hidden cards.
    """
    shown: dict[V | None, bool] = {
        V.PUBLIC: True,
        V.OWN_SEAT: True,
        V.JUDGES: reads,
        V.JUDGE_VIEW: viewer == JUDGE,
    }
    fields = [field for field in entry_fields(type(entry)) if shown.get(field.visibility)]
    known = {field.name: getattr(entry, field.name) for field in fields}
    return known | {
        field.name: _filter_decks(known[field.name], viewer) for field in fields if field.visibility is V.OWN_SEAT
    }


def is_note_visible(text: str, is_own: bool, reads: bool) -> bool:
    """True if a viewer may read a note: its author, a judge if it is not about hidden cards, anyone if it is a timer's.
    Its subject is hidden with it."""
    return is_own or (reads and not text.startswith(E.IMPOSSIBLE)) or is_timer_note(text)


def counts_only(game: Game, fact: S.SeenFact) -> bool:
    """True if the fact only advances a counter that the law keeps for itself."""
    return fact.fact == "mark" and game.display.is_counter(fact.name)


def _filter_decks(decks: dict[Seat, tuple[str, ...]], viewer: Seat) -> dict[Seat, tuple[str, ...]]:
    return {seat: deck for seat, deck in decks.items() if viewer in (seat, JUDGE)}


def seen_action(game: Game, eyes: TableViewer, entry: E.Played, before: Table) -> SeenAction:
    """Return a recorded action for a viewer; only its verb if the game's law does not know it."""
    try:
        action = _decoder(game).decode(entry.action)
    except msgspec.MsgspecError:
        return SeenAction(_verb(entry.action))
    first = E.leading_faces(entry.told)
    before = fold(before, (fact for _, fact in first)) if first else before
    return see_action(game, eyes, entry.actor, action, before, entry.told[len(first) :])


def see_action(
    game: Game, eyes: TableViewer, actor: Seat, action: Action, before: Table, told: CitedFacts | None = None
) -> SeenAction:
    """Return an action on a table as a viewer sees it. `told` are its facts; None if it is only offered."""
    looks = _looks(eyes, action, told, before)
    defaults = _defaults(type(action))
    parts = [(part, getattr(action, part.name)) for part in slots(type(action))]
    named = [(part, value) for part, value in parts if part.slot.kind == "flag" or value != defaults[part.name]]
    hidden = eyes.viewer not in (actor, JUDGE)
    question = _question(game, eyes, verb(action), actor, before)
    if question is not None and not named and parts and parts[0][0].slot.kind in LIST_KINDS:
        named = parts[:1]  # the answer is "none", such as no blockers
    seen_slots = (_slot(eyes, part, value, looks, hidden and part.slot.secret) for part, value in named)
    return SeenAction(verb(action), tuple(_resolve_answer(slot, question) for slot in seen_slots))


@cache
def _defaults(kind: type[Action]) -> dict[str, Any]:
    return {field.name: field.default for field in fields(kind)}


def _question(game: Game, eyes: TableViewer, answer: str, actor: Seat, before: Table) -> SeenFrame | None:
    for asked in before.asked:
        if asked.by == actor and game.display.answers.get(asked.kind, asked.kind) == answer:
            return eyes.frame(before, asked)
    return None


def _resolve_answer(slot: SeenSlot, question: SeenFrame | None) -> SeenSlot:
    index = slot.value
    if question is None or slot.kind != "number" or slot.hidden or not isinstance(index, int):
        return slot
    if 0 <= index < len(question.seats):
        return replace(slot, seat=question.seats[index])
    return replace(slot, word=question.words[index]) if 0 <= index < len(question.words) else slot


def _decoder(game: Game) -> "msgspec.msgpack.Decoder[Action]":
    decoder = _DECODERS.get(game.action_types)
    if decoder is None:
        decoder = _DECODERS[game.action_types] = game.decoder()
    return decoder


_DECODERS: "dict[tuple[type[Action], ...], msgspec.msgpack.Decoder[Action]]" = {}
"""Decoders by game, because creating one is slower than decoding."""


def _verb(raw: msgspec.Raw) -> str:
    try:
        raw_fields = msgspec.msgpack.decode(raw)
    except msgspec.MsgspecError:
        return ""
    return str(raw_fields.get("do", "")) if isinstance(raw_fields, dict) else ""


def _looks(
    eyes: TableViewer, action: Action, told: CitedFacts | None, before: Table
) -> dict[CardId, tuple[S.CardView, S.CardView]]:
    """Return the views of each named card before the entry and right after the first fact about it. Later views are
    useless, because the viewer may be unable to follow the card.

    An offer names a card by the face that the viewer knows. A recorded action does so only if the viewer can point at
    the card."""
    if told is None:
        return {card: (S.look_by_face(eyes, before, card), S.UNSEEN) for card in cards_of(action)}
    looks = {card: (S.look(eyes, before, card), S.UNSEEN) for card in cards_of(action)}
    open_cards = {card for card, (first, _) in looks.items() if not first.known}
    draft = Draft(before)
    for _, fact in told if open_cards else ():
        EVOLVE[type(fact)](draft, fact)
        for card in open_cards.intersection(S.subjects(fact)):
            looks[card] = (looks[card][0], _look_after(eyes, draft, card, fact))
            open_cards.discard(card)
    return looks


def _look_after(eyes: TableViewer, draft: Draft, card: CardId, fact: AnyFact) -> S.CardView:
    """Return the view of a card after a fact. A card shown alone is identified."""
    now = S.look(eyes, draft, card)
    if not now.known and isinstance(fact, Shown) and fact.cards == (card,) and eyes.can_see_faces(draft, fact):
        return S.CardView(now.thing, True, draft.pieces[card].face)
    return now


def _slot(
    eyes: TableViewer, part: NamedSlot, value: Any, looks: dict[CardId, tuple[S.CardView, S.CardView]], hidden: bool
) -> SeenSlot:
    name, kind = part.name, part.slot.kind
    if hidden:
        return SeenSlot(name=name, kind=kind, hidden=True)

    def make_reference(card: CardId) -> S.CardReference | None:
        return S.make_card_reference(eyes, card, *looks[card])

    match kind:
        case "card" | "cards" | "order":
            cards = (value,) if kind == "card" else value
            sightings = tuple(card for card in map(make_reference, cards) if card is not None)
            return SeenSlot(name=name, kind=kind, number=len(cards), cards=sightings)
        case "pairs":
            pairs = tuple(
                (make_reference(left) or S.CardReference(), make_reference(right) or S.CardReference())
                for left, right in value
            )
            return SeenSlot(name=name, kind=kind, number=len(pairs), pairs=pairs)
        case "frames":
            return SeenSlot(name=name, kind=kind, frames=value)
        case "places":
            return SeenSlot(name=name, kind=kind, places=value)
        case _:
            return SeenSlot(name=name, kind=kind, value=value)
