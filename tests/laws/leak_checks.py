"""Leak checks: everything sent to a viewer, as bytes, and records that differ only in what the viewer cannot know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.law.clause import BY_HAND, CitedFacts
from domain.law.driver import decide, set_up
from domain.law.entries import (
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Played,
    Restored,
    Rewound,
    entry_facts,
    line,
    opened_of,
    tables,
)
from domain.law.game import Deck
from domain.law.outcome import Accepted
from domain.law.slots import Action, slots
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, fold
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import (
    EVERYONE,
    CardId,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Obj,
    Piece,
    Place,
    Seat,
    Table,
    blank,
)
from projections.board import board, board_of, hands, render_board
from projections.rows import plain
from projections.seen_entries import seen_entries
from projections.stack import stack_history
from projections.stack_rows import render_stack
from projections.timeline import render_timeline, timeline
from projections.why import list_shaping_clauses
from recorder.codec import raw_action
from tests.filing import filings
from tests.laws.samples import Sample, hidden_cards
from tests.shelves import seen_by

JSON = msgspec.json.Encoder().encode

EVERY = 3
"""The table itself is checked after every third entry."""
Screen = tuple[str, int, bytes]
"""One output for a viewer: the projection, the entry number and the bytes."""


def viewers(sample: Sample) -> tuple[Seat, ...]:
    """Return the viewers who may not know everything."""
    return (*sample.first_entry.seats, SPECTATOR)


def table_screens(sample: Sample, number: int, table: Table, viewer: Seat) -> Iterator[Screen]:
    record, eyes = seen_by(sample.game, sample.entries, viewer)
    yield "view", number, JSON(eyes.view(table))
    yield "board", number, JSON(board_of(record, eyes, number, table))


def history_screens(sample: Sample, entries: Sequence[Entry], viewer: Seat, numbers: Sequence[int]) -> Iterator[Screen]:
    """Yield the output of a record: every entry, the timeline, and after some entries the board and the stack."""
    game, seen_now = sample.game, seen_by(sample.game, entries, viewer)
    for seen in seen_entries(*seen_now, flow=True):
        yield "entry", seen.number, JSON(seen)
    yield from shapings(sample, entries, viewer)
    lines = timeline(*seen_now, "ja")
    yield "timeline", len(entries), JSON(lines)
    yield "timeline in words", len(entries), plain(render_timeline(lines, "ja")).encode()
    for number in numbers:
        history = stack_history(*seen_now, number)
        yield "stack", number, JSON(history)
        yield "stack in words", number, plain(render_stack(history, game, "en", sample.first_entry.names)).encode()
        drawn = board(*seen_now, number)
        yield "hands", number, JSON(hands(drawn, sample.first_entry.schema))
        shown = render_board(drawn, seen_now[0].law, sample.first_entry.schema, "en")
        yield "board in words", number, plain(shown).encode() + JSON(shown)


def shapings(sample: Sample, entries: Sequence[Entry], viewer: Seat) -> Iterator[Screen]:
    eyes = TableViewer(Physics(sample.first_entry.schema), viewer)
    for number, entry, before, after in tables(entries):
        if isinstance(entry, Played):
            yield "why", number, JSON(list_shaping_clauses(sample.law, eyes, entry, before, after))


def screens(sample: Sample, entries: Sequence[Entry], viewer: Seat, numbers: Sequence[int]) -> Iterator[Screen]:
    for number, _, _, after in tables(entries):
        if number % EVERY == 1:
            yield from table_screens(sample, number, after, viewer)
    yield from history_screens(sample, entries, viewer, numbers)


def never_known(entries: Sequence[Entry], viewer: Seat) -> list[CardId]:
    """Return the cards whose faces this viewer never knew, not even within an entry."""
    opened = opened_of(entries)
    physics = Physics(opened.schema)
    eyes = TableViewer(physics, viewer)
    unknown: set[CardId] = set()
    looked: dict[CardId, tuple[Piece, tuple[CardId, ...], Seat]] = {}
    for _, entry, before, _ in tables(entries):
        draft = Draft(before)
        for _, fact in entry_facts(entry):
            shown = _revealed_cards(physics, draft, viewer, fact)
            EVOLVE[type(fact)](draft, fact)
            if isinstance(fact, F.Created):
                unknown |= set(fact.cards)
            seat, learned = eyes.seat(draft), set(shown)
            for card in unknown:
                piece = draft.pieces.get(card)
                if piece is None:
                    learned.add(card)
                    continue
                last, around = looked.get(card), draft.places[piece.place]
                if last is not None and last[0] is piece and last[1] is around and last[2] == seat:
                    continue  # everything it is known by is unchanged
                looked[card] = piece, around, seat
                if eyes.knows(draft, card):
                    learned.add(card)
            unknown -= learned
    return sorted(unknown)


def _revealed_cards(physics: Physics, table: Table, viewer: Seat, fact: F.AnyFact) -> tuple[CardId, ...]:
    seen = isinstance(fact, F.Shown) and (EVERYONE in fact.to or TableViewer(physics, viewer).seat(table) in fact.to)
    return fact.cards if isinstance(fact, F.Shown) and seen else ()


def learned_within(physics: Physics, before: Table, facts: CitedFacts, viewer: Seat, card: CardId) -> bool:
    """True if the viewer knows the card's face at any moment of an entry, even briefly."""
    draft = Draft(before)
    for _, fact in facts:
        if card in _revealed_cards(physics, draft, viewer, fact):
            return True
        EVOLVE[type(fact)](draft, fact)
        if card in draft.pieces and TableViewer(physics, viewer).knows(draft, card):
            return True
    return False


def deal_again(entries: Sequence[Entry], hidden: Sequence[CardId], random: Random) -> list[Entry]:
    """Return the record with the faces of these cards dealt differently from the start."""
    opened = opened_of(entries)
    dealt = [fact for _, fact in opened.told if isinstance(fact, F.Created)]
    faces = {card: face for fact in dealt for card, face in zip(fact.cards, fact.faces, strict=True)}
    anew = [faces[card] for card in hidden]
    random.shuffle(anew)
    other = dict(zip(hidden, anew, strict=True))
    dealt_anew = replace(opened, told=_replace_dealt(opened.told, faces | other))
    return [dealt_anew, *(_replace_learned(entry, other) for entry in entries[1:])]


def _replace_dealt(facts: CitedFacts, faces: Mapping[CardId, str | None]) -> CitedFacts:
    return tuple(
        (
            clause,
            replace(fact, faces=tuple(faces[card] for card in fact.cards)) if isinstance(fact, F.Created) else fact,
        )
        for clause, fact in facts
    )


def _replace_learned(entry: Entry, faces: Mapping[CardId, str | None]) -> Entry:
    if not isinstance(entry, Corrected | Gap):
        return entry
    return replace(entry, told=tuple((clause, _told_anew(fact, faces)) for clause, fact in entry.told))


def _told_anew(fact: F.AnyFact, faces: Mapping[CardId, str | None]) -> F.AnyFact:
    match fact:
        case F.Learned(card):
            return replace(fact, face=faces.get(card, fact.face))
        case F.Identified(cards, printed):
            known = (face and faces.get(card, face) for card, face in zip(cards, printed, strict=True))
            return replace(fact, faces=tuple(known))
        case _:
            return fact


def table_law(one: Sample, number: int, table: Table, viewer: Seat, random: Random) -> bool:
    """Check that a table with unknown faces dealt again gives the same bytes; return False if nothing was dealt."""
    hidden = hidden_cards(TableViewer(Physics(one.first_entry.schema), viewer), table)
    other = redeal_table(table, hidden, random)
    same(table_screens(one, number, table, viewer), table_screens(one, number, other, viewer))
    return other != table


def history_law(one: Sample, entries: Sequence[Entry], viewer: Seat, numbers: Sequence[int], random: Random) -> bool:
    """Check that a record with unknown faces dealt again gives the same bytes; return False if nothing was dealt."""
    other = deal_again(entries, never_known(entries, viewer), random)
    same(screens(one, entries, viewer, numbers), screens(one, other, viewer, numbers))
    return other != list(entries)


def same(ours: Iterable[object], theirs: Iterable[object]) -> None:
    """Check that two sequences of output are equal byte for byte; fail at the first difference."""
    for one, other in zip_longest(ours, theirs):
        assert one == other


def redeal_table(table: Table, hidden: Sequence[CardId], random: Random) -> Table:
    faces = [table.pieces[card].face for card in hidden]
    random.shuffle(faces)
    new = dict(zip(hidden, faces, strict=True))
    pieces = {card: replace(piece, face=new[card]) if card in new else piece for card, piece in table.pieces.items()}
    return table.with_changes(pieces=pieces)


def replace_cards(action: Action, names: Mapping[CardId, CardId]) -> Action:
    changes: dict[str, Any] = {}
    for one in slots(type(action)):
        value = getattr(action, one.name)
        match one.slot.kind:
            case "card":
                changes[one.name] = names.get(value, value)
            case "cards" | "order":
                changes[one.name] = tuple(names.get(card, card) for card in value)
            case "pairs":
                changes[one.name] = tuple((names.get(a, a), names.get(b, b)) for a, b in value)
            case _:
                pass
    return replace(action, **changes)


def decide_again(
    sample: Sample, faces: Mapping[CardId, str] = {}, names: Mapping[CardId, CardId] = {}
) -> list[Entry] | None:
    """Decide the record again with other faces or card ids; return None if an action is no longer allowed."""
    opened, decoder = sample.first_entry, sample.game.decoder()
    dealt = [fact for _, fact in opened.told if isinstance(fact, F.Created) and fact.owner in opened.decks]
    cards: dict[Seat, tuple[CardId, ...]] = {}
    lists: dict[Seat, tuple[str, ...]] = {}
    for fact in dealt:
        row = tuple(faces.get(c, face or "") for c, face in zip(fact.cards, fact.faces, strict=True))
        lists[fact.owner] = lists.get(fact.owner, ()) + row
        cards[fact.owner] = cards.get(fact.owner, ()) + tuple(names.get(card, card) for card in fact.cards)
    mains = {seat: len(opened.decks[seat]) for seat in lists}
    decks = {seat: Deck(row[: mains[seat]], row[mains[seat] :]) for seat, row in lists.items()}
    accepted, _ = set_up(sample.law, decks, cards)
    if accepted is None:
        return None
    entries: list[Entry] = [replace(opened, told=accepted.told)]
    table = accepted.table
    known = {**names, **_match_created(opened.told, accepted.told)} if names else {}
    for entry in sample.entries[1:]:
        if not isinstance(entry, Played):
            entries.append(entry)
            continue
        action = replace_cards(decoder.decode(entry.action), known)
        outcome = decide(sample.law, table, entry.actor, action)
        if not isinstance(outcome, Accepted):
            return None
        entries.append(replace(entry, action=raw_action(action), told=outcome.told))
        known |= _match_created(entry.told, outcome.told) if names else {}
        table = outcome.table
    return entries


def _match_created(ours: CitedFacts, theirs: CitedFacts) -> dict[CardId, CardId]:
    """Return a map from the cards created by one entry to those created by the other."""
    both = ([card for _, fact in told if isinstance(fact, F.Created) for card in fact.cards] for told in (ours, theirs))
    return dict(zip(*both, strict=True))


def facts(entries: Sequence[Entry]) -> list[list[F.AnyFact]]:
    return [
        [replace(fact, faces=()) if isinstance(fact, F.Created) else fact for _, fact in entry_facts(entry)]
        for entry in entries
    ]


def insert_corrections(sample: Sample, random: Random) -> list[Entry]:
    """Return a record with rewinds, notes and manual facts that no rules would emit, so that only physics can leak."""
    entries: list[Entry] = list(sample.entries[:2])
    for number, entry in enumerate(sample.entries[2:], start=3):
        entries.append(entry)
        dice = random.random()
        if dice < 0.25:
            entries.append(Corrected(by="judge", reason="by hand", told=_by_hand(entries, random)))
        elif dice < 0.27:
            entries.append(Gap(by="judge", reason="cut", most=2, told=_by_hand(entries, random)))
        elif dice < 0.3:
            entries += [Noted(by="p1", text="?", about=number - 1), Described(by="p2", announced="p2")]
            entries += filings(len(entries) + 1)
        elif dice < 0.35 and number < len(sample.entries):
            to = len(entries)
            entries += [Corrected(by="judge", reason="undone", told=_by_hand(entries, random)) for _ in range(2)]
            entries.append(Rewound(to=to, reason="back", by="judge"))
            if dice < 0.33:
                entries.append(Restored(to=to + random.randint(1, 2), reason="it counts", by="judge"))
    return entries


def _by_hand(entries: Sequence[Entry], random: Random) -> CitedFacts:
    """Return one fact that is physically possible and compatible with later facts."""
    opened = opened_of(entries)
    draft = blank(opened.seats)
    for number in line(entries):
        draft = fold(draft, [fact for _, fact in entry_facts(entries[number - 1])])
    card, other = random.sample(sorted(draft.pieces), 2)
    seat = random.choice(opened.seats)
    place = random.choice([place for place, cards in draft.places.items() if cards])
    order = list(draft.places[place])
    random.shuffle(order)
    mark = next(one.name for one in opened.schema.marks if one.of == "card") if _has_card_mark(opened) else ""
    ways: list[F.AnyFact] = [
        F.Shown(tuple(order[:2]), (seat,), lasting=True),
        F.Shown(tuple(order[:2]), (EVERYONE,), lasting=True),
        F.Shown((card,), (seat,)),
        F.Arranged(place, tuple(order), shuffled=False),
        F.Turned((card, other), up=random.random() < 0.5),
        F.Moved((card,), draft.pieces[card].place, at=random.randrange(3)),
        F.Tied((card,), other),
        F.Learned(card, draft.pieces[card].face or "?"),
        F.Identified((card, other), (draft.pieces[card].face, None)),
    ]
    if opened.schema.kinds:
        ways.append(F.Pushed(_frame(opened, draft, (card, other))))
    if opened.schema.effects:
        ways.append(F.Began(_effect(opened, draft, card, other)))
    if mark:
        ways.append(F.Marked((card, other), mark, random.randrange(1, 4)))
    return ((BY_HAND, random.choice(ways)),)


def _has_card_mark(opened: Opened) -> bool:
    return any(one.of == "card" for one in opened.schema.marks)


def _frame(opened: Opened, table: Table, cards: tuple[CardId, CardId]) -> Frame:
    objs = tuple(Obj(card, table.pieces[card].thing) for card in cards)
    kind = opened.schema.kinds[0]
    number = FrameId(1_000 + table.framed)
    return Frame(id=number, lane=kind.lanes[0], kind=kind.name, by=opened.seats[0], cards=cards, objs=objs)


def _effect(opened: Opened, table: Table, card: CardId, on: CardId) -> Effect:
    source, target = (Obj(one, table.pieces[one].thing) for one in (card, on))
    number = EffectId(1_000 + table.begun)
    return Effect(
        id=number, kind=opened.schema.effects[0], by=opened.seats[0], source=source, on=(target,), numbers=(1,)
    )


def place_of(table: Table, card: CardId) -> Place:
    return table.pieces[card].place
