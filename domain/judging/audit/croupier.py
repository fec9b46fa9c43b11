"""Check chance against the croupier's seed: the seed against its commitment, each draw against the seed. The seed is
known once the match is closed and the seed published; before that only to its keeper."""

from collections.abc import Sequence

import msgspec

from domain.judging.audit.audit_findings import AuditFinding, Fairness, Part, Proof
from domain.law import docket
from domain.law.clause import CitedFacts
from domain.law.croupier import card_ids, commitment, make_random_source
from domain.law.disputes import Revealed
from domain.law.entries import Closed, Entry, Opened, Played, Undealt
from domain.law.game import Decks, decks_of
from domain.law.law import Law
from domain.law.pledges import seed_in_force
from domain.table.facts import Created
from domain.table.table import CHANCE, CardId, Seat, Table
from domain.words import Text, listed


class Croupier:
    """Check of all outcomes of chance in a record, entry by entry."""

    def __init__(self, law: Law, opened: Opened, last: Entry, secret: bytes | None) -> None:
        self.law, self.opened = law, opened
        self.decoder = law.game.decoder()
        self.published = isinstance(last, Closed) and bool(last.seed)
        self.seed = _parse_seed(last.seed) if isinstance(last, Closed) and last.seed else secret
        self.proof = self._check_seed()
        self.drawn = self.inherited = self.unproved = 0
        self.differs: list[int] = []
        self.by_hand: list[int] = []
        self.pending = docket.open_docket(opened)
        self.misfits: dict[int, Seat] = {}

    def _check_seed(self) -> Proof:
        if isinstance(self.opened, Undealt) or not self.opened.commitment:
            return "none"
        if self.seed is None:
            return "broken" if self.published else "sealed"
        return "holds" if commitment(self.opened.match, self.seed) == self.opened.commitment else "broken"

    @property
    def fairness(self) -> Fairness:
        return Fairness(
            proof=self.proof,
            published=self.published,
            drawn=self.drawn,
            differs=tuple(self.differs),
            by_hand=tuple(self.by_hand),
            inherited=self.inherited,
            unproved=self.unproved,
            parts={seat: self._describe_part(seat) for seat in self.pending.seats if seat in self.pending.pledges},
            misfits=tuple(self.misfits),
            real=isinstance(self.opened, Undealt),
        )

    def _describe_part(self, seat: Seat) -> Part:
        if seat not in self.pending.revealed:
            return "awaited"
        _, reveal = self.pending.revealed[seat]
        return "revealed" if reveal.secret else "missing"

    def look(self, number: int, entry: Entry, tables: Sequence[Table]) -> AuditFinding | None:
        """Return a finding if the entry contradicts the seed on all `tables` that may precede it."""
        if self.proof == "broken" and (isinstance(entry, Closed) if self.published else number == 1):
            key = "audit.seed" if self.published else "audit.secret"
            return self._make_finding(number, Text(key, {"commitment": self.opened.commitment}))
        if isinstance(entry, Opened):
            return self._check_ids(number, entry)
        if isinstance(entry, Revealed):
            return self._check_reveal(number, entry)
        if isinstance(entry, Played) and entry.actor == CHANCE:
            return self._check_outcome(number, entry, tables)
        return None

    def _check_ids(self, number: int, entry: Opened) -> AuditFinding | None:
        if self.proof != "holds" or entry.parent:
            return None
        decks = decks_of(entry)
        cards, wrong_seat = dealt(entry.told, decks)
        assert self.seed is not None
        ids = card_ids(entry.match, self.seed, sum(map(len, cards.values())))
        if wrong_seat is not None or ids == tuple(card for seat in cards.values() for card in seat):
            self.drawn += wrong_seat is None
            return None
        self.differs.append(number)
        return self._make_finding(number, Text("audit.card_ids"))

    def _check_reveal(self, number: int, entry: Revealed) -> AuditFinding | None:
        after = docket.apply_filing(self.pending, number, entry)
        if not isinstance(after, Text):
            self.pending = after
            return None
        self.misfits[number] = entry.seat
        return self._make_finding(number, Text("audit.reveal", {"why": after}))

    def _check_outcome(self, number: int, entry: Played, tables: Sequence[Table]) -> AuditFinding | None:
        # a branch that does not record where it begins inherits every entry
        if self.opened.parent and number <= (self.opened.parent_at or number):
            self.inherited += 1
        elif entry.by_hand:
            self.by_hand.append(number)
        elif awaited_seats := self.pending.unrevealed:
            if not set(awaited_seats).isdisjoint(self.misfits.values()):
                self.unproved += 1
                return None
            self.differs.append(number)
            return self._make_finding(number, Text("audit.early", {"seats": listed(awaited_seats)}))
        elif self.proof != "holds":
            self.unproved += 1
        elif any(self._is_drawn(number, entry, table) for table in tables):
            self.drawn += 1
        else:
            self.differs.append(number)
            return self._make_finding(number, Text("audit.draw"))
        return None

    def _is_drawn(self, number: int, entry: Played, table: Table) -> bool:
        if CHANCE not in self.law.awaited(table):
            return False
        assert self.seed is not None
        seed = seed_in_force(self.pending, self.seed)
        assert seed is not None, "nothing is compared before all is revealed"
        action = self.law.chance(table, make_random_source(self.opened.match, seed, number))
        try:
            return bool(action == self.decoder.decode(entry.action))
        except msgspec.DecodeError:
            return False

    def _make_finding(self, number: int, detail: Text) -> AuditFinding:
        return AuditFinding(entry=number, kind="unfair", clause=self.law.game.by_hand, detail=detail)


def _parse_seed(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def dealt(told: CitedFacts, decks: Decks) -> tuple[dict[Seat, tuple[CardId, ...]], Seat | None]:
    """Return the ids of each seat's deck cards, as the record created them. If the record created too many or too few
    cards for a deck, all ids are 0 and the second value names its seat."""
    cards: dict[Seat, tuple[CardId, ...]] = dict.fromkeys(decks, ())
    for _, fact in told:
        if type(fact) is Created and fact.owner in decks:  # cards without an owner are not dealt to a seat
            cards[fact.owner] += fact.cards
    wrong_seat = next((seat for seat, deck in decks.items() if len(cards[seat]) != len(deck.faces)), None)
    if wrong_seat is None:
        return cards, None
    return {seat: tuple(CardId(0) for _ in deck.faces) for seat, deck in decks.items()}, wrong_seat
