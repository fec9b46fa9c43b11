"""A simulated table with real cards: a dealt match is played again, dictating only what it showed."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from domain.formats.actions import parse_action
from domain.formats.names import RealCards
from domain.law.entries import Entry, Played, fold_entries, opened_of, tables
from domain.law.face_request import FaceRequest
from domain.law.game import Decks, Game
from domain.law.law import Law
from domain.law.slots import Action, slots, verb
from domain.table.draft import Draft
from domain.table.evolve import apply, fold
from domain.table.facts import Arranged, Shown
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import EVERYONE, CardId, Table
from recorder.answers import RecordResult
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import open_match, play
from recorder.store import Store


class Dictation:
    """The dealt match, and the match with real cards that follows it entry by entry."""

    def __init__(self, store: Store, game: Game, rules: Any, dealt: list[Entry], decks: Decks) -> None:
        opened = opened_of(dealt)
        self.store, self.game, self.dealt = store, game, dealt
        self.physics = Physics(opened.schema)
        done = open_match(store, Law(game, rules), opened.version, {}, decks, match_id="real", deal=False)
        assert done == "real", done
        self.named: list[str] = []
        self.private: list[str] = []
        """Dictated faces that were not public at the table."""

    @property
    def real(self) -> LoadedMatch:
        found = load_match(self.store, "real")
        assert isinstance(found, LoadedMatch)
        return found

    def dictate(self) -> None:
        for number, entry, before, after in tables(self.dealt):
            if not isinstance(entry, Played):
                continue
            if self.real.version < number:
                self._play(before, entry)
            assert self.real.version >= number
            real = self.real
            here = real.table if real.version == number else fold_entries(real.entries, number)
            assert TableViewer(self.physics).view(after) == TableViewer(self.physics).view(here), number

    def _play(self, before: Table, entry: Played) -> None:
        action = self.game.decoder().decode(entry.action)
        shown = self._public_cards(before, entry)
        text = f"{entry.actor}: {verb(action)} {' '.join(self._values(before, action, shown))}"
        real = self.real
        naming = RealCards(self.physics, {})
        actor, meant = parse_action(self.game, real.table, text, real=naming)
        shows: list[str] = []
        while True:
            answer = play(self.store, "real", actor, meant, faces=naming.faces, shows=shows)
            if not isinstance(answer, FaceRequest):
                break
            lying = fold(before, (fact for _, fact in entry.told if isinstance(fact, Arranged)))
            face, public = self._face(
                lying, real.table, answer.card, shown, [*filter(None, naming.faces.values()), *shows]
            )
            shows.append(face)
            if not public:
                self.private.append(face)
        assert isinstance(answer, RecordResult), (text, answer)
        self.named += (*filter(None, naming.faces.values()), *shows)

    def _values(self, table: Table, action: Action, shown: list[CardId]) -> Iterator[str]:
        """Yield the action's slots as a player at the table could name them."""

        def name(card: CardId) -> str:
            if TableViewer(self.physics).follows(table, card):
                return f"u{table.pieces[card].thing}"
            known = TableViewer(self.physics).knows(table, card) or TableViewer(self.physics).is_visible_top(
                table, card
            )
            return str(table.pieces[card].face) if known or card in shown else "?"

        for one in slots(type(action)):
            value: Any = getattr(action, one.name)
            match one.slot.kind:
                case "card":
                    text = name(value) if value else "-"
                case "cards":
                    text = ",".join(map(name, value)) or "-"
                case "pairs":
                    text = ",".join(f"{name(left)}>{name(right)}" for left, right in value) or "-"
                case "order":
                    continue
                case "frame":
                    text = f"r{value}" if value else "-"
                case "frames":
                    text = ",".join(f"r{each}" for each in value) or "-"
                case "places":
                    text = ",".join(value) or "-"
                case "flag":
                    text = "yes" if value else "no"
                case _:
                    text = str(value) or "-"
            yield f"{one.name}={text}"

    def _public_cards(self, before: Table, entry: Played) -> list[CardId]:
        """Return the cards whose faces were public during an entry."""
        draft, shown = Draft(before), list[CardId]()
        for _, fact in entry.told:
            apply(draft, fact)
            for card in getattr(fact, "cards", ()):
                public = isinstance(fact, Shown) and EVERYONE in fact.to
                if card in draft.pieces and (public or TableViewer(self.physics).knows(draft, card)):
                    shown.append(card)
        return shown

    def _face(self, dealt: Table, real: Table, card: CardId, shown: list[CardId], given: list[str]) -> tuple[str, bool]:
        """Return the face printed on the card at that place, and whether it was public."""
        place = real.pieces[card].place
        area = self.physics.area(place)
        assert area is not None
        if area.order != "bag":
            there = dealt.places[place][real.places[place].index(card)]
            return str(dealt.pieces[there].face), there in shown
        known = Counter([*(str(real.pieces[one].face) for one in real.places[place] if real.pieces[one].face), *given])
        for there in dealt.places[place]:
            face = str(dealt.pieces[there].face)
            if there in shown and not known[face]:
                return face, True
            known[face] -= 1
        raise AssertionError((place, given))
