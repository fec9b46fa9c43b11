"""Write a case for a recorded match: its table as a position, and the next action as the first step."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from domain.formats.actions import decode_action, write_action
from domain.formats.casebook.checks import broken_by
from domain.formats.casebook.pieces import describe
from domain.formats.names import Labels
from domain.formats.places import PlaceNames
from domain.law.disputes import AnyRuling
from domain.law.docket import docket_of
from domain.law.entries import Entry, Opened, Played, fold_entries, opened_of, predecessor
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import load, make_ruleset, values
from domain.law.slots import Action, cards_of, slots
from domain.table.physics import Physics
from domain.table.table import (
    CHANCE,
    LANES,
    CardId,
    Effect,
    Frame,
    FrameId,
    Obj,
    Place,
    Table,
    ValueColumns,
    is_same_object,
    lane,
)
from domain.words import Text, TextError, tomls

WIDTH, INDENT = 110, "    "
"""Lists longer than this are written on several lines."""

_NON_WORD = re.compile(r"\W+")


class NoPosition(TextError):
    """No case can be written: the match is over, or the ruling is not about an action."""


def write_ruling(game: Game, entries: Sequence[Entry], opened: int, name: str) -> str:
    """Write the ruling of the dispute opened at entry `opened` as a casebook with one case.

    The case has the table before the disputed entry, its action, and the judge's verdict even if the law disagrees.
    Raises NoPosition if there is no clear ruling on an action, and RulesetError for unknown rules.
    """
    dispute = docket_of(entries).disputes.get(opened)
    if dispute is None:
        raise NoPosition(Text("docket.no_dispute", {"entry": opened}))
    number, ruling = dispute.matter.entry, dispute.in_force
    if ruling is None:
        raise NoPosition(Text("skeleton.no_ruling", {"dispute": dispute.number}))
    if not number or not isinstance(entries[number - 1], Played):
        raise NoPosition(Text("skeleton.no_action", {"dispute": dispute.number}))
    if ruling.verdict == "unclear":
        raise NoPosition(Text("skeleton.unclear", {"dispute": dispute.number}))
    return write_case(game, entries, predecessor(entries, number), name, ruling, number)


def write_case(
    game: Game,
    entries: Sequence[Entry],
    at: int,
    name: str,
    ruling: AnyRuling | None = None,
    number: int | None = None,
) -> str:
    """Write a casebook with one case that starts after entry `at` and plays entry `number`, by default the next.

    With a ruling the case expects its verdict. Raises NoPosition if the match is over, RulesetError if its rules cannot
    be loaded.
    """
    opened, table = opened_of(entries), fold_entries(entries, at)
    if table.result is not None:
        raise NoPosition(Text("skeleton.over", {"at": at}))
    law = Law(game, load(game, opened.rules))
    head = list(_write_head(game, opened, law.rules))
    number = at + 1 if number is None else number
    following = entries[number - 1] if number <= len(entries) else None
    entry = following if isinstance(following, Played) else None
    action = None if entry is None or entry.actor == CHANCE else decode_action(game, entry.action)
    position = _Position(Physics(opened.schema), PlaceNames(game.display, opened.schema), table, action)
    case: dict[str, object] = {"id": name, "en": "", "ja": "", "clauses": []}
    if ruling is not None:
        case |= {"en": ruling.reason, "ja": ruling.reason, "clauses": list(ruling.clauses)}
    lines = [*head, "", "[[case]]", *(f"{key} = {tomls.write(value)}" for key, value in case.items())]
    lines += position.lines(broken_by(law, table))
    lines += _write_step(game, opened, entry, position, ruling)
    return "\n".join(lines) + "\n"


def _write_head(game: Game, opened: Opened, rules: Struct) -> Iterator[str]:
    """Yield game, version, frame and changed options. Rules without a version use the closest one."""
    wanted = values(rules)
    pool = None if game.pools is None else game.pools.field
    candidates: list[tuple[str, str, dict[str, object]]] = []
    for version in (opened.version,) if opened.version in game.versions else game.versions:
        for frame in ("", *game.regulations_in(version)):
            known = values(make_ruleset(game, version, frame))
            changed = {key: value for key, value in wanted.items() if known[key] != value and key != pool}
            candidates.append((version, frame, changed))
    version, frame, settings = min(candidates, key=lambda candidate: len(candidate[2]))
    if game.pools is not None and pool is not None and (cards := game.pools.hash_of(wanted[pool])) != game.pools.newest:
        settings[pool] = next((name for name, pool_hash in game.pools.published.items() if pool_hash == cards), cards)
    yield f"game = {tomls.write(game.key)}"
    yield f"version = {tomls.write(version)}"
    if frame:
        yield f"frame = {tomls.write(frame)}"
    if settings:
        yield f"set = {tomls.write(settings)}"


def _write_step(
    game: Game, opened: Opened, entry: Played | None, position: "_Position", ruling: AnyRuling | None
) -> Iterator[str]:
    """Yield the action with its expectations; without an action, a step that checks the position."""
    table, action = position.table, position.action
    yield ""
    yield "[[case.step]]"
    if entry is None:
        yield "when = []"
        yield f"then.awaited = {tomls.write(game.awaited(table))}"
        return
    line = str(CHANCE)
    if action is not None:
        line = write_action(game, table, entry.actor, action, position.labels, schema=opened.schema)
    yield f"when = {tomls.write([line])}"
    if ruling is not None and ruling.verdict != "no_fault":
        if ruling.verdict == "not_allowed" and ruling.clauses:
            yield f"then.refused = {tomls.write(ruling.clauses[0])}"
        return
    if entry.violations and ruling is None:
        yield "as_played = true"
        yield f"then.violations = {tomls.write(entry.violations)}"
    if action is not None:
        yield f"then.told = {tomls.write(list(dict.fromkeys(clause for clause, _ in entry.told)))}"


class _Position(Struct):
    """Writer of a table as a position. Cards and frames that are referred to get labels."""

    physics: Physics
    named: PlaceNames
    table: Table
    action: Action | None
    labels: Labels = Labels()
    things: bool = False

    def lines(self, broken: Sequence[str]) -> Iterator[str]:
        self._assign_labels()
        table, clock = self.table, self.table.clock
        yield "[case.given]"
        if broken:
            yield f"breaks = {tomls.write(broken)}"
        for key in clock.__struct_fields__:
            if value := getattr(clock, key):
                yield f"{key} = {tomls.write(value)}"
        if seats := {seat: dict(marks) for seat, marks in table.seats.items()}:
            yield f"seats = {tomls.write(seats)}"
        if table.marks:
            yield f"marks = {tomls.write(dict(table.marks))}"
        yield "[case.given.places]"
        occupied = [place for place, cards in table.places.items() if cards]
        yield from (_write_list(self.named.name(place), list(self._write_row(place))) for place in occupied)
        for frame in self._list_frames():
            yield "[[case.given.frame]]"
            yield from _write_keys(self._frame(frame))
        for effect in table.effects:
            yield "[[case.given.effect]]"
            yield from _write_keys(self._effect(effect))

    def _assign_labels(self) -> None:
        """Assign labels to all references of frames, effects, ties and the action. Decide if things need numbers."""
        holders: list[ValueColumns] = [*self.table.effects, *self._list_frames()]
        cards: dict[CardId, None] = dict.fromkeys(() if self.action is None else cards_of(self.action))
        frames: dict[FrameId, None] = dict.fromkeys(_list_frames_of(self.action))
        objs: list[Obj] = [effect.source for effect in self.table.effects]
        for holder in holders:
            objs += (*getattr(holder, "on", ()), *holder.objs, *chain.from_iterable(holder.pairs))
            cards |= dict.fromkeys(holder.cards)
            frames |= dict.fromkeys(holder.frames)
        cards |= dict.fromkeys(obj.card for obj in objs)
        for card, piece in self.table.pieces.items():
            if piece.host:
                cards |= dict.fromkeys((piece.host, card))
        self.things = any(not is_same_object(self.table, obj) for obj in objs) or not self._is_in_order()
        taken: set[str] = set()
        pieces, kinds = self.table.pieces, {frame.id: frame.kind for frame in self._list_frames()}
        self.labels = Labels(
            {_new_label(pieces[card].face or "card", taken): card for card in cards if card in pieces},
            {_new_label(kinds[frame], taken): frame for frame in frames if frame in kinds},
        )

    def _is_in_order(self) -> bool:
        """True if things are numbered in order of appearance, in places where they can be told apart."""
        rows = (row for place, row in self.table.places.items() if self._is_trackable(place))
        things = [self.table.pieces[card].thing for row in rows for card in row]
        return things == sorted(things)

    def _is_trackable(self, place: Place) -> bool:
        declared = self.physics.area(place)
        return declared is not None and declared.sight.others in ("each", "all")

    def _write_row(self, place: Place) -> Iterator[str]:
        named = {card: label for label, card in self.labels.cards.items()}
        declared = self.physics.area(place)
        cards = self.table.places[place]
        bag = declared is not None and declared.order == "bag"
        if bag:  # a tied card follows its base
            cards = tuple(sorted(cards, key=lambda card: (cards.index(self._base(place, card)), self._is_tied(card))))
        base = CardId(0)
        for card in cards:
            piece = self.table.pieces[card]
            plus = piece.host == base != 0
            base = base if plus else card
            also = (
                frozenset(("thing",)) if self.things and (card in named or self._is_trackable(place)) else frozenset()
            )
            text = describe(self.physics, self.table, card, self.labels, also, plus)
            label = f"{named[card]} = " if card in named else ""
            yield f"+{label}{text[1:]}" if plus else f"{label}{text}"

    def _is_tied(self, card: CardId) -> bool:
        return self.table.pieces[card].host != 0

    def _base(self, place: Place, card: CardId) -> CardId:
        host = self.table.pieces[card].host
        return host if host in self.table.places[place] else card

    def _list_frames(self) -> list[Frame]:
        """Return all open frames, oldest first unless their lanes are out of order."""
        lanes = [lane(self.table, name) for name in LANES]
        if all([frame.id for frame in row] == sorted(frame.id for frame in row) for row in lanes):
            return sorted(chain.from_iterable(lanes), key=lambda frame: frame.id)
        return list(chain.from_iterable(lanes))

    def _frame(self, frame: Frame) -> Mapping[str, object]:
        label = next((label for label, number in self.labels.frames.items() if number == frame.id), "")
        todo = [f"{each.seat} {'.'.join(map(str, each.path))}" for each in frame.todo]
        head = {"lane": frame.lane, "kind": frame.kind, "by": frame.by, "label": label}
        return {**head, "step": frame.step, "face": frame.face, "todo": todo, **self._write_columns(frame)}

    def _effect(self, effect: Effect) -> Mapping[str, object]:
        source = self._write_obj(effect.source) if effect.source.card or effect.source.thing else ""
        head = {
            "kind": effect.kind,
            "by": effect.by,
            "source": source,
            "on": [self._write_obj(obj) for obj in effect.on],
        }
        tail = {"until": effect.until, "since": effect.since, "face": effect.face, "path": effect.path}
        return {**head, **tail, **self._write_columns(effect)}

    def _write_columns(self, columns: ValueColumns) -> Mapping[str, object]:
        frames = {number: label for label, number in self.labels.frames.items()}
        return {
            "objs": [self._write_obj(obj) for obj in columns.objs],
            "pairs": [f"{self._write_obj(left)}>{self._write_obj(right)}" for left, right in columns.pairs],
            "cards": [self._write_card(card) for card in columns.cards],
            "frames": [frames[frame] for frame in columns.frames if frame in frames],
            "seats": columns.seats,
            "places": [self.named.name(place) for place in columns.places],
            "numbers": columns.numbers,
            "words": columns.words,
        }

    def _write_obj(self, obj: Obj) -> str:
        if obj.card not in self.table.pieces:
            return f"gone {obj.thing}"
        name = self._write_card(obj.card)
        return name if is_same_object(self.table, obj) else f"{name} was {obj.thing}"

    def _write_card(self, card: CardId) -> str:
        return next(label for label, labelled in self.labels.cards.items() if labelled == card)


def _list_frames_of(action: Action | None) -> Iterator[FrameId]:
    for named in () if action is None else slots(type(action)):
        if named.slot.kind == "frame":
            yield getattr(action, named.name)
        elif named.slot.kind == "frames":
            yield from getattr(action, named.name)


def _new_label(word: str, taken: set[str]) -> str:
    """Return a new label. It is in lower case, which distinguishes it from faces."""
    plain = _NON_WORD.sub("_", word).lower()
    first = plain if plain[:1].isalpha() else f"c_{plain}"
    label = next(text for n in range(1, len(taken) + 2) if (text := first if n == 1 else f"{first}_{n}") not in taken)
    taken.add(label)
    return label


def _write_keys(table: Mapping[str, object]) -> Iterator[str]:
    return (f"{key} = {tomls.write(value)}" for key, value in table.items() if value)


def _write_list(place: str, texts: Sequence[str]) -> str:
    line = f"{tomls.write_key(place)} = {tomls.write(texts)}"
    if len(line) <= WIDTH:
        return line
    lines = [f"{tomls.write_key(place)} = [", INDENT]
    for text in map(tomls.write, texts):
        if len(lines[-1]) + len(text) + len(", ") > WIDTH and lines[-1] != INDENT:
            lines.append(INDENT)
        lines[-1] += f"{text}, "
    return "\n".join([line.rstrip() for line in lines] + ["]"])
