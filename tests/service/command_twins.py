"""Pairs of matches that look the same to a sender, and commands of every kind to send to both.

Both matches answer an unrecorded command with the same bytes. Two answers can differ only by a recorded entry.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import verbs, write_action
from domain.formats.errors import FormatError
from domain.formats.facts import FACT_TYPES
from domain.law.clause import CitedFacts
from domain.law.disputes import Disputed, Matter
from domain.law.entries import Corrected, Entry, Gap, Opened, Played, entry_facts, fold_entries, opened_of, tables
from domain.table import facts as F
from domain.table.forms import fact_fields
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import CardId, Seat, Table
from domain.words import LANGS
from recorder.codec import raw_action
from service.access import Role
from tests.laws.leak_checks import never_known, replace_cards
from tests.laws.samples import Sample, sample
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.twins import Bytes, plain

CARDS = ("card", "host")
SEVERAL = ("cards", "ids")
UNNAMED = ("json", "marked")
TAIL = 4
"""Number of entries that follow before the next commands are tried."""


class Sender(Struct, frozen=True):
    role: Role
    seat: Seat = Seat("")


P1, P2 = Seat("p1"), Seat("p2")
SENDERS = (Sender("scorekeeper"), Sender("floor"), Sender("head"), Sender("seat", P1), Sender("seat", P2))


def never_followed(entries: Sequence[Entry], viewer: Seat) -> list[CardId]:
    """Return the cards that a viewer never knew nor could identify, and that the record names only as cards."""
    opened = opened_of(entries)
    eyes = TableViewer(Physics(opened.schema), viewer)
    hidden = set(never_known(entries, viewer))
    for _, entry, _, after in tables(entries):
        hidden -= {card for card in hidden if card not in after.pieces or eyes.follows(after, card)}
        for _, fact in entry_facts(entry):
            for part in fact_fields(type(fact)):
                if part.form.kind in UNNAMED or (part.form.kind == "struct"):
                    hidden -= cards_within(getattr(fact, part.name))
    dealt = {card for _, fact in opened.told if isinstance(fact, F.Created) for card in fact.cards}
    return sorted(hidden & dealt)


def cards_within(value: Any) -> set[int]:
    """Return all integers within a value, since each may be the id of a card."""
    if isinstance(value, Struct):
        return set().union(*(cards_within(getattr(value, name)) for name in value.__struct_fields__), set())
    if isinstance(value, tuple | list):
        return set().union(*map(cards_within, value), set())
    return {value} if isinstance(value, int) else set()


def swap_underneath(one: Sample, entries: Sequence[Entry], viewer: Seat, random: Random) -> list[Entry]:
    """Return the record with ids swapped among untracked cards and faces swapped among unknown cards.

    Cards move only within the facts of one layout for one owner.
    """
    hidden = never_followed(entries, viewer)
    opened, decoder = opened_of(entries), one.game.decoder()
    names: dict[CardId, CardId] = {}
    faces: dict[CardId, CardId] = {}
    unknown = set(never_known(entries, viewer))
    for _, fact in opened.told:
        if isinstance(fact, F.Created):
            own = [card for card in fact.cards if card in set(hidden)]
            names |= dict(zip(own, random.sample(own, len(own)), strict=True))
            own = [card for card in fact.cards if card in unknown]
            faces |= dict(zip(own, random.sample(own, len(own)), strict=True))

    def rename(facts: CitedFacts) -> CitedFacts:
        return tuple(
            (clause, redeal(fact, faces) if isinstance(fact, F.Created) else rename_cards(fact, names))
            for clause, fact in facts
        )

    anew: list[Entry] = [replace(opened, told=rename(opened.told))]
    for entry in entries[1:]:
        if isinstance(entry, Played):
            action = replace_cards(decoder.decode(entry.action), names)
            anew.append(replace(entry, action=raw_action(action), told=rename(entry.told)))
        elif isinstance(entry, Corrected | Gap):
            anew.append(replace(entry, told=rename(entry.told)))
        else:
            anew.append(entry)
    return anew


def redeal(fact: F.Created, names: Mapping[CardId, CardId]) -> F.Created:
    """Return the layout with the same cards in order and permuted faces."""
    faces = dict(zip(fact.cards, fact.faces, strict=True))
    return replace(fact, faces=tuple(faces[names.get(card, card)] for card in fact.cards))


def rename_cards(fact: F.AnyFact, names: Mapping[CardId, CardId]) -> F.AnyFact:
    changes: dict[str, Any] = {}
    for part in fact_fields(type(fact)):
        value = getattr(fact, part.name)
        if part.form.kind in CARDS:
            changes[part.name] = names.get(value, value)
        elif part.form.kind in SEVERAL:
            changes[part.name] = tuple(names.get(card, card) for card in value)
    return replace(fact, **changes)


class Pair(Struct, frozen=True):
    """Two records that look the same to a sender."""

    one: Sample
    viewer: Seat
    ours: list[Entry]
    theirs: list[Entry]
    following: tuple[Played, ...]
    """The next entries of our record."""


def pair_of(key: str, seed: int, viewer: Seat, random: Random) -> Pair:
    """Return two prefixes of a random match that differ in hidden faces and ids."""
    one = sample(key, seed)
    while True:
        upto = random.randrange(8, min(90, len(one.entries) - TAIL))
        entries = [entry for entry in one.entries[:upto] if isinstance(entry, Opened | Played)]
        entries.append(Disputed(by="p1", matter=Matter(entry=1), claims={P1: "mine"}))
        theirs = swap_underneath(one, entries, viewer, random)
        if theirs != entries:
            following = tuple(entry for entry in one.entries[upto : upto + TAIL] if isinstance(entry, Played))
            return Pair(one, viewer, entries, theirs, following)


class Bodies:
    """A generator of commands that guesses from the visible table."""

    def __init__(self, pair: Pair, random: Random) -> None:
        self.pair, self.random, self.game = pair, random, pair.one.game
        self.table = fold_entries(pair.ours)
        self.faces = sorted({face for table in self.tables() for face in self.faces_of(table)})
        self.lines = [line for played in pair.following if (line := self.line_of(played))]
        self.dispute = len(pair.ours)

    def tables(self) -> Iterator[Table]:
        yield self.table
        yield fold_entries(self.pair.theirs)

    def faces_of(self, table: Table) -> Iterator[str]:
        yield from (piece.face for piece in table.pieces.values() if piece.face)

    def line_of(self, played: Played) -> str:
        action = self.game.decoder().decode(played.action)
        try:
            line = write_action(self.game, self.table, played.actor, action, schema=opened_of(self.pair.ours).schema)
        except (FormatError, LookupError):
            return ""
        return re.sub(r"\bu(\d+)\b", lambda number: self.name_of(int(number[1])), line)

    def name_of(self, thing: int) -> str:
        """Return the sender's name of a card: its face if the id is hidden."""
        card, piece = next((card, piece) for card, piece in self.table.pieces.items() if piece.thing == thing)
        eyes = TableViewer(Physics(opened_of(self.pair.ours).schema), self.pair.viewer)
        return f"u{thing}" if eyes.follows(self.table, card) or not piece.face else piece.face

    def card(self) -> str:
        """Return a name for a card: an id, a face, or a face in a place."""
        random = self.random
        place = random.choice([place for place, row in self.table.places.items() if row])
        seat, face = random.choice(list(self.table.seats)), random.choice(self.faces)
        n, at = random.randrange(1, self.table.minted + 2), f"{face}@{place}"
        name = self.game.rulebook.word(face, random.choice(LANGS))
        begun = name.removeprefix(face).strip()[: random.randrange(1, 6)] or face
        ways = (
            f"u{n}",
            f"u{n}",
            f"#{n}",
            face,
            f"{seat}:{face}",
            at,
            f"{seat}:{at}",
            name,
            begun,
            f"{name} (u{n})",
            "?",
        )
        return random.choice(ways)

    def fact(self) -> str:
        """Return a fact recorded by hand."""
        random, card = self.random, self.card()
        place = random.choice([str(place) for place in self.table.places])
        return random.choice((
            f"turn {card} up", f"turn {card} down", f"move {card} {place}", f"stance {card} driven",
            f"show {card} p1", f"{random.choice(list(FACT_TYPES))} {card}",
            f"learned {card} {random.choice(self.faces)}",
            f"tie {card} {self.card()}", f"mark {card} x 1", f"shuffle {place}",
        ))  # fmt: skip

    def line(self) -> str:
        """Return a typed line: the next action of the match with another card or without its last values, or any
        verb."""
        random = self.random
        if self.lines and random.random() < 0.6:
            words = random.choice(self.lines).split(" ")
            if len(words) > 2 and random.random() < 0.7:
                words[random.randrange(2, len(words))] = self.card()
            if random.random() < 0.3:  # so the service asks what is missing
                words = words[: max(2, len(words) - random.randrange(1, 3))]
            return " ".join(words)
        seat, verb = random.choice(list(self.table.seats)), random.choice(list(verbs(self.game)))
        verb = random.choice((verb, verb, f"{self.game.rulebook.word(verb, random.choice(LANGS))}:", verb[1:]))
        return " ".join((f"{seat}:", verb, *(self.card() for _ in range(random.randrange(3)))))

    def some(self) -> dict[str, Any]:
        """Return a command of any kind."""
        random = self.random
        facts = [self.fact() for _ in range(random.randrange(1, 3))]
        ruled = {"dispute": self.dispute, "verdict": "wrong_outcome", "reason": "x"}
        play = {"kind": "play", "text": self.line()}
        kinds: tuple[tuple[int, dict[str, Any]], ...] = (
            (5, play), (3, {**play, "mode": "record"}), (3, {**play, "mode": "offer"}),
            (4, {"kind": "correct", "facts": facts, "reason": "x"}),
            (2, {"kind": "gap", "facts": facts, "reason": "x"}),
            (2, {"kind": "rule", "facts": facts, **ruled}),
            (1, {"kind": "decide", "outcome": "overturned", "facts": facts, **ruled}),
            (2, {"kind": "pass-all"}),
            (3, {"kind": "line", "text": self.line()}), (1, {"kind": "line", "text": self.line(), "asks": True}),
            (2, {"kind": "line", "text": self.line(), "note": True}),
            (1, {"kind": "line", "text": self.line(), "asks": True, "shows": random.sample(self.faces, 1)}),
            (2, {"kind": "line", "text": f"fix 2 {'; '.join(facts)}"}),
            (1, {"kind": "dispute", "about": self.dispute, "thing": random.randrange(1, self.table.minted + 2)}),
            (1, {"kind": "note", "text": self.line(), "about": random.randrange(self.dispute)}),
            (1, {"kind": "rewind", "to": random.randrange(1, self.dispute), "reason": "x"}),
            (1, {"kind": "ask-rewind", "to": random.randrange(1, self.dispute), "reason": "x"}),
            (1, {"kind": "rule", "to": random.randrange(1, self.dispute), "asks": True, **ruled}),
            (1, random.choice((
                {"kind": "call"}, {"kind": "close"}, {"kind": "describe", "round": "2"}, {"kind": "pause"},
                {"kind": "resume"}, {"kind": "appeal", "dispute": self.dispute, "reason": "x"},
                {"kind": "penalise", "penalty": {"seat": "p1", "step": "warning"}},
                {"kind": "reveal", "seat": "p1", "secret": "00" * 16},
            ))),
        )  # fmt: skip
        return random.choices([body for _, body in kinds], [weight for weight, _ in kinds])[0]


class Services:
    """A service for each match of a pair. After a recorded entry both restart under another id."""

    def __init__(self, pair: Pair, served: Sequence[Served]) -> None:
        self.pair, self.served, self.count = pair, served, 0
        self.begin()

    def begin(self) -> None:
        """Open both matches under the next id."""
        self.count += 1
        self.match = f"twin-{self.count}"
        for served, entries in zip(self.served, (self.pair.ours, self.pair.theirs), strict=True):
            served.context.store.append(self.match, 0, [replace(entries[0], match=self.match), *entries[1:]])
        self.tokens: dict[tuple[int, Sender], dict[str, str]] = {}

    def token(self, at: int, sender: Sender) -> dict[str, str]:
        if (at, sender) not in self.tokens:
            matches = (self.match,) if sender.seat else ()
            self.tokens[at, sender] = self.served[at].bearer(sender.role, *matches, seat=sender.seat)
        return self.tokens[at, sender]

    def ask(self, at: int, sender: Sender, method: str, path: str, **more: Any) -> Bytes:
        served = self.served[at]
        served.clock.at += 1_000
        headers = {**self.token(at, sender), "Accept-Encoding": "identity", **more.pop("headers", {})}
        answer = served.client.request(method, path.replace("MATCH", self.match), headers=headers, **more)
        return plain(answer)

    def versions(self) -> tuple[int, int]:
        ours, theirs = (served.context.store.version(self.match) for served in self.served)
        return ours, theirs

    def send(self, sender: Sender, body: Mapping[str, Any], number: int, *, tries: bool = False, at: int = 0) -> int:
        """Send a command to both and return our status. Unrecorded commands must get the same bytes."""
        before = self.versions()
        path = f"/api/v1/matches/MATCH/entries{':try' if tries else ''}"
        headers = {"If-Match": f'"{at or before[0]}"'}
        sent = {"id": uuid(number), **body}
        ours, theirs = (self.ask(each, sender, "POST", path, json=sent, headers=headers) for each in (0, 1))
        after = self.versions()
        wrong = f"{sender.role} {sender.seat} {path} at {at}: {body}\n{ours}\n{theirs}"
        assert ours[0] < 500, wrong
        if after == before:
            assert ours == theirs, wrong
        else:
            assert not tries and after[0] > before[0] and after[1] > before[1], f"recorded in one alone: {wrong}"
            self.begin()
        return ours[0]

    def read(self, sender: Sender, path: str) -> int:
        ours, theirs = (self.ask(each, sender, "GET", path) for each in (0, 1))
        assert ours == theirs and ours[0] < 500, f"{sender.role} {sender.seat} {path}:\n{ours}\n{theirs}"
        return ours[0]


@contextmanager
def services(pair: Pair) -> Iterator[Services]:
    with ExitStack() as stack:
        both = [stack.enter_context(serve()) for _ in range(2)]
        for served in both:
            served.client.event_hooks = {}  # another test checks the answers against the API document
        yield Services(pair, both)
