"""Knowledge of faces: who has seen which card since which entry, and where it is now as far as they can tell.

Undone entries count too, because knowledge survives a rewind. A viewer remembers what a person could: owner, face,
first sighting and possible place. The card itself is tracked only while the viewer can point at it. When a card leaves
a place unseen, the viewer loses track of all cards there.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from domain.law.entries import Rewound, entry_facts
from domain.law.game import Game
from domain.law.record import Record
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, NOBODY, CardId, Place, Seat, Table, blank
from domain.words import Lang, say
from projections.phrases import Names, place_words, seat_name, word
from projections.rows import Cell, Row
from projections.seen_facts import look, subjects
from projections.viewing import resolve_entry

TEACH_NOTHING: Final = frozenset(
    (F.Stanced, F.Began, F.Adjusted, F.Ended, F.Finished, F.Pushed, F.Altered, F.Popped, F.Clocked)
)
"""Facts that change nothing that a viewer knows. A mark does so only if it takes a seat out of the match."""


class KnownCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card that a viewer has seen, with the entry and its place. `sure` is True if the viewer can point at it. If
    not, it is one of the cards of `place`, or lost (no place). `gone` is True if it left the match."""

    face: str
    owner: Seat
    entry: int
    place: Place | None = None
    sure: bool = False
    gone: bool = False
    thing: int = 0


class Ledger(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Cards that one viewer has seen. `public` is True if only publicly seen cards are listed."""

    who: Seat
    cards: tuple[KnownCard, ...]
    public: bool = False


class KnowledgeChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A change of a remembered card between two entries. `before` is None if it was new."""

    before: KnownCard | None
    after: KnownCard


class Learning(Struct, frozen=True, omit_defaults=True, kw_only=True):
    who: Seat
    changes: tuple[KnowledgeChange, ...]
    public: bool = False


class CardSighting(Struct, frozen=True, kw_only=True):
    """Cards that a viewer first saw in an entry. `number` and `faces` are given only if the caller may know them."""

    entry: int
    who: Seat
    number: int | None
    faces: tuple[str, ...] = ()


class _Memory(Struct):
    """A remembered card and the pile it came from. `since` is the last entry that put a card on that pile."""

    face: str
    owner: Seat
    entry: int
    place: Place | None = None
    gone: bool = False
    pile: Place | None = None
    since: int = 0


class _ViewerMemory:
    def __init__(self, eyes: TableViewer) -> None:
        self.eyes = eyes
        self.memories: list[_Memory] = []
        self.tracked: dict[CardId, int] = {}
        self.shown: set[CardId] = set()
        """Cards just shown that have not moved since. Within an entry they are still in view."""
        self.entered: dict[Place, int] = {}
        """The last entry in which a card came to each place."""
        self.looked_through: dict[Place, set[CardId]] = {}
        """Cards to look at again when a fact concerns a place: the last one, and known ones without a number."""
        self.sights: dict[int, dict[CardId, Place]] = {}
        """Cards that came into view by entry, with their places, whether known or new."""
        self._saved: dict[int, tuple[list[tuple[Place | None, bool]], dict[CardId, int]]] = {}

    def save(self, number: int) -> None:
        """Save the state after an entry that is the target of a rewind."""
        self._saved[number] = [(memory.place, memory.gone) for memory in self.memories], dict(self.tracked)

    def restore(self, number: int) -> None:
        """Restore the places of cards after that entry. Cards first seen later are on their pile, or lost."""
        places, tracked = self._saved[number]
        self.tracked = dict(tracked)
        self.looked_through.clear()
        for at, memory in enumerate(self.memories):
            pile = memory.pile if memory.since <= number else None
            memory.place, memory.gone = places[at] if at < len(places) else (pile, False)

    def update(
        self, draft: Draft, fact: F.AnyFact, cards: tuple[CardId, ...], left: Mapping[CardId, Place], entry: int
    ) -> None:
        """Update the memory after a fact. `cards` are those it names that are in the match, `left` their former
        places."""
        taken: set[int] = set()
        if self.eyes.can_see_faces(draft, fact):
            for card in cards:
                self._sight(draft, card, entry)
                self._learn(draft, card, None, entry, taken)
            self.shown = set(cards) - self.tracked.keys()
        if isinstance(fact, F.Moved | F.Removed):
            self._follow(draft, fact, left, entry, taken)
        if isinstance(fact, F.Moved | F.Created):
            self.entered |= {draft.pieces[card].place: entry for card in cards}
        places = {draft.pieces[card].place for card in cards} | set(left.values())
        changes_all = isinstance(fact, F.Arranged)
        if isinstance(fact, F.Arranged):
            places.add(fact.place)
        if isinstance(fact, F.Marked) and fact.name == self.eyes.physics.schema.out:
            places, changes_all = set(draft.places), True
        if changes_all:
            self.looked_through.clear()
        self._forget(draft, places, cards, shuffled=isinstance(fact, F.Arranged) and fact.shuffled)
        if isinstance(fact, F.Shown) and not fact.to:
            return
        for place in [place for place in draft.places if place in places]:
            self._look_through(draft, place, cards, entry, taken)

    def _look_through(self, draft: Draft, place: Place, named: Collection[CardId], entry: int, taken: set[int]) -> None:
        """Learn the cards of a place that the viewer knows by now. Besides the `named` cards, only the last one can
        become known by a fact once the place was looked through."""
        cards = draft.places.get(place, ())
        if place in self.looked_through:
            wanted = self.looked_through[place].union(named, cards[-1:])
            cards = tuple(card for card in cards if card in wanted)
        for card in cards:
            if card not in self.tracked and self.eyes.knows(draft, card):
                self._learn(draft, card, None, entry, taken)
        again = {card for card in cards if card not in self.tracked and self.eyes.knows(draft, card)}
        self.looked_through[place] = again.union(cards[-1:])

    def _follow(
        self, draft: Draft, fact: F.Moved | F.Removed, left: Mapping[CardId, Place], entry: int, taken: set[int]
    ) -> None:
        """Follow cards that moved in view. If a card moved unseen, all cards of its old place become uncertain. Cards
        shown just before count as seen if they move together."""
        unseen: set[Place] = set()
        shown_together, self.shown = self.shown == set(fact.cards) - self.tracked.keys(), set()
        for card in fact.cards:
            if card in self.tracked:
                memory = self.memories[self.tracked[card]]
                gone = card not in draft.pieces
                memory.place, memory.gone = (None, True) if gone else (draft.pieces[card].place, False)
                if gone:
                    del self.tracked[card]
            elif card in draft.pieces and (shown_together or look(self.eyes, draft, card).known):
                self._learn(draft, card, left[card], entry, taken)
            elif card not in draft.pieces or draft.pieces[card].place != left[card]:
                unseen.add(left[card])
        self._lose(unseen)

    def _learn(self, draft: Draft, card: CardId, origin: Place | None, entry: int, taken: set[int]) -> None:
        piece = draft.pieces[card]
        if piece.face is None or card in self.tracked:
            return
        source, busy = origin or piece.place, taken | set(self.tracked.values())
        alike = [
            (memory.place, at)
            for at, memory in enumerate(self.memories)
            if at not in busy and (memory.owner, memory.face, memory.gone) == (piece.owner, piece.face, False)
        ]
        index = next(
            (at for place in (source, piece.place, None) for last_place, at in alike if last_place == place), None
        )
        if index is None:
            index = len(self.memories)
            area, since = self.eyes.physics.area(source), self.entered.get(source, 0)
            pile = source if area is not None and area.order == "pile" else None
            self.memories.append(_Memory(piece.face, piece.owner, entry, pile=pile, since=since))
        taken.add(index)
        self.memories[index].place = piece.place
        if look(self.eyes, draft, card).known:
            self._sight(draft, card, entry)
            self.tracked[card] = index

    def _sight(self, draft: Draft, card: CardId, entry: int) -> None:
        if card not in self.tracked:
            self.sights.setdefault(entry, {}).setdefault(card, draft.pieces[card].place)

    def _forget(self, draft: Draft, places: Collection[Place], named: Collection[CardId], *, shuffled: bool) -> None:
        """Keep only the place of cards that can no longer be pointed at."""
        cards = set(named)
        for place in places:
            cards.update(self.looked_through.get(place, draft.places.get(place, ())))
        for card in [card for card in cards if card in self.tracked]:
            if not look(self.eyes, draft, card).known and (shuffled or not self.eyes.follows(draft, card)):
                del self.tracked[card]

    def _lose(self, places: Collection[Place]) -> None:
        busy = set(self.tracked.values())
        for at, memory in enumerate(self.memories):
            if memory.place in places and at not in busy:
                memory.place = None

    def list_cards(self, draft: Draft) -> tuple[KnownCard, ...]:
        """Return the remembered cards in order of first sighting."""
        cards = {at: card for card, at in self.tracked.items()}
        return tuple(
            KnownCard(
                face=memory.face,
                owner=memory.owner,
                entry=memory.entry,
                place=memory.place,
                sure=at in cards,
                gone=memory.gone,
                thing=look(self.eyes, draft, cards[at]).thing if at in cards else 0,
            )
            for at, memory in enumerate(self.memories)
        )


_States = dict[Seat, dict[int, tuple[KnownCard, ...]]]


def _fold_knowledge(
    record: Record, eyes: TableViewer, wanted: Collection[int]
) -> tuple[dict[Seat, _ViewerMemory], _States]:
    """Return the memories of all seats and the spectator, and their cards after the `wanted` entries."""
    entries, seats, out = record.entries[: max(wanted)], record.opening.seats, eyes.physics.schema.out
    by_viewer = {viewer: _ViewerMemory(TableViewer(eyes.physics, viewer)) for viewer in (*seats, SPECTATOR)}
    states: _States = {viewer: {} for viewer in by_viewer}
    targets = {entry.to for entry in entries if isinstance(entry, Rewound)}
    tables: dict[int, Table] = {}
    draft = Draft(blank(seats))
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, Rewound):
            draft = Draft(tables[entry.to])
            for viewer_memory in by_viewer.values():
                viewer_memory.restore(entry.to)
        for viewer_memory in by_viewer.values():
            viewer_memory.shown = set()
        for _, fact in entry_facts(entry):
            kind = type(fact)
            if kind in TEACH_NOTHING or (isinstance(fact, F.Marked) and fact.name != out):
                continue
            named = subjects(fact)
            left = {card: draft.pieces[card].place for card in named if card in draft.pieces}
            EVOLVE[kind](draft, fact)
            cards = tuple(card for card in named if card in draft.pieces)
            for viewer_memory in by_viewer.values():
                viewer_memory.update(draft, fact, cards, left, number)
        if number in targets:
            tables[number] = draft.freeze()
            for viewer_memory in by_viewer.values():
                viewer_memory.save(number)
        if number in wanted:
            for viewer, viewer_memory in by_viewer.items():
                states[viewer][number] = viewer_memory.list_cards(draft)
    return by_viewer, states


def _list_viewers(record: Record, asker: Seat) -> tuple[tuple[Seat, Seat, bool], ...]:
    """Return each viewer, the viewer whose memory is used, and True if that is only the public part."""
    whole = {who: asker in (JUDGE, who) or who == SPECTATOR for who in (SPECTATOR, *record.opening.seats)}
    return tuple((who, who if is_whole else SPECTATOR, not is_whole) for who, is_whole in whole.items())


def _place(known: KnownCard) -> tuple[int, Seat, str, str, int]:
    return known.entry, known.owner, known.face, known.place or "", known.thing


def knowledge(record: Record, asker: TableViewer, at: int | None = None) -> tuple[Ledger, ...]:
    """Return the knowledge of all viewers up to an entry, as far as the caller may know. Raises NotInMatch. A judge
    gets everything. A seat gets its own, and public sightings of others."""
    number = resolve_entry(record.entries, at)
    states = _fold_knowledge(record, asker, (number,))[1]
    return tuple(
        Ledger(who=who, cards=tuple(sorted(states[source][number], key=_place)), public=public)
        for who, source, public in _list_viewers(record, asker.viewer)
    )


def sights(record: Record, asker: TableViewer, numbers: Collection[int]) -> tuple[CardSighting, ...]:
    """Return the first sightings of cards in some entries, as far as the caller may know. Public sightings are listed
    once. Of another seat only the number of cards is given, if the caller can count them."""
    last = len(record.entries)
    by_viewer, states = _fold_knowledge(record, asker, (last,))
    public = Counter((known.entry, known.owner, known.face) for known in states[SPECTATOR][last])
    result: list[CardSighting] = []
    for who, source, public_only in _list_viewers(record, asker.viewer):
        if public_only:
            result += _count_sightings(record, by_viewer, who, asker, numbers)
            continue
        seen = Counter((known.entry, known.owner, known.face) for known in states[source][last])
        faces: dict[int, list[str]] = {}
        for entry, _, face in (seen if who == SPECTATOR else seen - public).elements():
            faces.setdefault(entry, []).append(face)
        result += [
            CardSighting(entry=entry, who=who, number=len(some), faces=tuple(sorted(some)))
            for entry, some in faces.items()
            if entry in numbers
        ]
    return tuple(sorted(result, key=lambda sight: (sight.entry, str(sight.who))))


def _count_sightings(
    record: Record, by_viewer: Mapping[Seat, _ViewerMemory], who: Seat, asker: TableViewer, numbers: Collection[int]
) -> Iterator[CardSighting]:
    """Yield the numbers of cards that came into another seat's view alone."""
    for entry in sorted(set(numbers) & set(by_viewer[who].sights)):
        open_to_all = by_viewer[SPECTATOR].sights.get(entry, {})
        places = [place for card, place in by_viewer[who].sights[entry].items() if card not in open_to_all]
        if places:
            table = record.after(entry)
            can_count = all(asker.knows_count(table, place) for place in places)
            yield CardSighting(entry=entry, who=who, number=len(places) if can_count else None)


def list_learned(record: Record, asker: TableViewer, start: int, end: int) -> tuple[Learning, ...]:
    """Return the changes of knowledge after entry `start` up to entry `end`. Raises NotInMatch."""
    first, last = sorted((resolve_entry(record.entries, start), resolve_entry(record.entries, end)))
    states = _fold_knowledge(record, asker, (first, last))[1]
    learnings: list[Learning] = []
    for who, source, public in _list_viewers(record, asker.viewer):
        pairs = zip_longest(states[source][first], states[source][last])  # a remembered card stays in the list
        changes = [KnowledgeChange(before=before, after=after) for before, after in pairs if before != after]
        changes.sort(key=lambda change: (change.before is not None, _place(change.after)))
        learnings.append(Learning(who=who, changes=tuple(changes), public=public))
    return tuple(learnings)


def group_cards(cards: Sequence[KnownCard]) -> tuple[tuple[KnownCard, ...], ...]:
    """Return cards grouped by row. Equal cards without an owner share a row at the end; others have their own."""
    alike: dict[tuple[str, int], list[KnownCard]] = {}
    single: list[tuple[KnownCard, ...]] = []
    for card in cards:
        if card.owner == NOBODY and card.place is not None and card.sure:
            alike.setdefault((card.face, card.entry), []).append(card)
        else:
            single.append((card,))
    return (*single, *map(tuple, alike.values()))


def face_words(row: Sequence[KnownCard], game: Game, lang: Lang) -> str:
    """Return the face of the cards of a row, and their number."""
    face = word(game, row[0].face, lang)
    return face if len(row) == 1 else say("knows.several", lang, face=face, n=len(row))


def row_where_words(row: Sequence[KnownCard], game: Game, lang: Lang, names: Names) -> str:
    if len(row) == 1:
        return where_words(row[0], game, lang, names)
    places = say("list.comma", lang).join(place_words(game, known.place, lang, names) for known in row if known.place)
    return say("knows.there", lang, place=places, thing="").strip()


def render_knowledge(ledgers: Sequence[Ledger], game: Game, lang: Lang, names: Names) -> list[Row]:
    """Render ledgers: a heading for each viewer, then one row per card."""
    rows: list[Row] = []
    for ledger in ledgers:
        rows.append(_heading(ledger.who, len(ledger.cards), ledger.public, lang, names))
        rows += [_row(_words(row, game, lang, names)) for row in group_cards(() if ledger.public else ledger.cards)]
    return rows


def render_learned(learnings: Sequence[Learning], game: Game, lang: Lang, names: Names) -> list[Row]:
    """Render changes: a heading for each viewer, then one row per card."""
    rows: list[Row] = []
    for learning in learnings:
        rows.append(_heading(learning.who, len(learning.changes), learning.public, lang, names))
        for change in () if learning.public else learning.changes:
            before = "" if change.before is None else where_words(change.before, game, lang, names)
            card = _words((change.after,), game, lang, names)
            rows.append(_row(say("knows.changed" if before else "knows.new", lang, card=card, before=before)))
    return rows


def _row(text: str) -> Row:
    return Row("known", (Cell(text, "known"),), 1)


def _heading(who: Seat, number: int, public: bool, lang: Lang, names: Names) -> Row:
    name = say("who.everyone", lang) if who == SPECTATOR else seat_name(names, who, lang)
    text = say("knows.public" if public else "knows.who", lang, who=name, n=number)
    return Row("heading", (Cell(text, "heading"),))


def _words(row: Sequence[KnownCard], game: Game, lang: Lang, names: Names) -> str:
    face, where = face_words(row, game, lang), row_where_words(row, game, lang, names)
    owner = seat_name(names, row[0].owner, lang)
    return say("knows.card", lang, owner=owner, face=face, entry=row[0].entry, where=where)


def where_words(known: KnownCard, game: Game, lang: Lang, names: Names) -> str:
    """Return the place of a remembered card in words, as far as its viewer can tell."""
    if known.gone or known.place is None:
        return say("knows.gone" if known.gone else "knows.lost", lang)
    place = place_words(game, known.place, lang, names)
    if not known.sure:
        return say("knows.among", lang, place=place)
    thing = say("card.thing", lang, thing=known.thing) if known.thing else ""
    return say("knows.there", lang, place=place, thing=thing).strip()
