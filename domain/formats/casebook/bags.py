"""Match written pieces to cards: one by one in a row, by any possible assignment in a bag."""

from collections.abc import Iterator, Sequence

from domain.formats.casebook.pieces import Spec, fits
from domain.formats.names import Labels
from domain.table.table import CardId, Table

Cards = frozenset[CardId]


def arrange(
    specs: Sequence[Spec], table: Table, cards: Sequence[CardId], labels: Labels, bag: bool
) -> list[CardId] | None:
    """Return the card of each written piece, in order; None if the cards are different. A bag may be in any order. A
    tied piece is tied to the last untied piece before it."""
    wanted = [spec for spec in specs for _ in range(max(spec.fill, 1))]
    if len(wanted) != len(cards):
        return None
    if bag:
        return _Bag(wanted, table, cards, labels).arranged()
    bases = _bases(wanted)
    for at, (spec, card) in enumerate(zip(wanted, cards, strict=True)):
        if not fits(spec, table, card, labels):
            return None
        if spec.plus and table.pieces[card].host != cards[bases[at]]:
            return None
    return list(cards)


def _bases(wanted: Sequence[Spec]) -> list[int]:
    """Return, for each piece, the index of the last untied piece up to it."""
    bases: list[int] = []
    for at, spec in enumerate(wanted):
        bases.append(bases[-1] if spec.plus and bases else at)
    return bases


class _Bag:
    """Written pieces and the cards of a bag. Without tied pieces the assignment is a bipartite matching. A tied piece
    must stay with its base: if a matching separates them, the base is tried at each of its cards."""

    def __init__(self, wanted: Sequence[Spec], table: Table, cards: Sequence[CardId], labels: Labels) -> None:
        self.wanted, self.table, self.cards, self.bases = wanted, table, cards, _bases(wanted)
        distinct = {id(spec): spec for spec in wanted}
        fitting = {
            key: frozenset(card for card in cards if fits(spec, table, card, labels)) for key, spec in distinct.items()
        }
        self.fit: list[Cards] = [fitting[id(spec)] for spec in wanted]
        self.tied: dict[CardId, Cards] = {}
        for card in cards:
            host = table.pieces[card].host
            if host:
                self.tied[host] = self.tied.get(host, frozenset()) | {card}
        self.fits_by_spec = {card: tuple(card in each for each in fitting.values()) for card in cards}

    def arranged(self) -> list[CardId] | None:
        open_choices: list[Iterator[dict[int, CardId]]] = [iter([{}])]
        while open_choices:
            placed = next(open_choices[-1], None)
            if placed is None:
                open_choices.pop()
                continue
            matched = match([self._list_choices(at, placed) for at in range(len(self.wanted))])
            if matched is None:
                continue
            separated = next((base for at, base in enumerate(self.bases) if self._is_separated(matched, at)), None)
            if separated is None:
                return matched
            open_choices.append(self._list_placements(placed, separated, matched[separated]))
        return None

    def _is_separated(self, matched: Sequence[CardId], at: int) -> bool:
        base = self.bases[at]
        return base != at and self.table.pieces[matched[at]].host != matched[base]

    def _list_choices(self, at: int, placed: dict[int, CardId]) -> Cards:
        base = self.bases[at]
        if base in placed:
            return self.fit[at] & (self.tied.get(placed[base], frozenset()) if base != at else {placed[base]})
        return self.fit[at]

    def _list_placements(self, placed: dict[int, CardId], base: int, first: CardId) -> Iterator[dict[int, CardId]]:
        """Yield placements of the base, one per group of cards that the pieces cannot distinguish."""
        tried: set[object] = set()
        for card in sorted(self.fit[base], key=lambda card: (card != first, card)):
            signature = (
                self.fits_by_spec[card],
                tuple(sorted(self.fits_by_spec[other] for other in self.tied.get(card, ()))),
            )
            if signature not in tried:
                tried.add(signature)
                yield {**placed, base: card}


def match(choices: Sequence[Cards]) -> list[CardId] | None:
    """Return a different card for each choice, or None if impossible. Searches an augmenting path per choice."""
    holder: dict[CardId, int] = {}
    assigned: dict[int, CardId] = {}
    for start in range(len(choices)):
        reached_from: dict[CardId, int] = {}
        open_choices, searched = [start], set[int]()
        free: CardId | None = None
        while open_choices and free is None:
            at = open_choices.pop()
            if id(choices[at]) in searched:  # an equal choice was searched before
                continue
            searched.add(id(choices[at]))
            for card in choices[at] - reached_from.keys():
                reached_from[card] = at
                if card not in holder:
                    free = card
                    break
                open_choices.append(holder[card])
        if free is None:
            return None
        while free is not None:  # each piece on the path gives its card to the next
            at = reached_from[free]
            before = assigned.get(at)
            holder[free], assigned[at] = at, free
            free = before
    return [assigned[at] for at in range(len(choices))]
