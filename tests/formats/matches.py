"""Randomly played and then corrupted matches, which notation must carry without loss."""

from random import Random
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields, replace

from domain.law.clause import BY_HAND, CitedFacts, Refusal
from domain.law.driver import decide, decide_as_played, set_up
from domain.law.entries import (
    Closed,
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Played,
    Restored,
    Rewound,
    apply_facts,
    line as line_to,
)
from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion, occasion_of
from domain.law.outcome import Accepted
from domain.law.rulesets import digest, stored_values
from domain.law.slots import Action, may_name, slots
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.table import CHANCE, CardId, Seat, Table

TRIES = 30


class _Past(Struct, frozen=True):
    after: dict[int, Table]
    line: list[int]


def open_match(game: Game, rules: Any, version: str, random: Random) -> tuple[Opened, Table]:
    decks = Law(game, rules).decks()
    ids = [CardId(one) for one in range(1, sum(len(deck.faces) for deck in decks.values()) + 1)]
    if random.random() < 0.7:
        random.shuffle(ids)
    cards = {}
    for seat, deck in decks.items():
        cards[seat], ids = tuple(ids[: len(deck.faces)]), ids[len(deck.faces) :]
    accepted, refused = set_up(Law(game, rules), decks, cards)
    assert accepted is not None, refused
    entry = Opened(
        game=game.key,
        version=version,
        rules=stored_values(rules),
        rules_hash=digest(rules),
        schema=game.schema(rules),
        seats=tuple(decks),
        names={Seat("p1"): 'Aoi "the Fox"'} if random.random() < 0.5 else {},
        decks={seat: deck.main for seat, deck in decks.items()} if random.random() < 0.8 else {},
        match="m-7" if random.random() < 0.5 else "",
        commitment="ab12",
        by="judge",
        at=random.choice((0, 1_700_000_000_000)),
        told=accepted.told,
        sides={seat: deck.side for seat, deck in decks.items() if deck.side} if random.random() < 0.8 else {},
        occasion=occasion(random),
    )
    return entry, accepted.table


def candidates(game: Game, rules: Any, table: Table, random: Random) -> tuple[Seat, Action] | None:
    awaited = game.awaited(table)
    if not awaited:
        return None
    actor = random.choice(awaited)
    if actor == CHANCE:
        return actor, game.chance(rules, table, random.randrange)
    templates = [one for one in game.offers(rules, table, actor) if str(one.action.__struct_config__.tag) != "concede"]
    for _ in range(TRIES if templates else 0):
        template = random.choice(templates)
        given: dict[str, Any] = dict(template.fixed)
        for choice in template.choices:
            if choice.many:
                most = min(choice.most, len(choice.candidates))
                given[choice.slot] = tuple(
                    random.sample(choice.candidates, random.randint(min(choice.least, most), most))
                )
            elif choice.candidates:
                given[choice.slot] = random.choice(choice.candidates)
        action = template.action(**given)
        if isinstance(decide(Law(game, rules), table, actor, action), Accepted):
            return actor, action
    for template in templates:
        for action in template.expansions():
            if isinstance(decide(Law(game, rules), table, actor, action), Accepted):
                return actor, action
    return None


def wild(game: Game, table: Table, random: Random) -> tuple[Seat, Action]:
    actor = random.choice((*table.seats, CHANCE))
    action_type = random.choice(game.action_types)
    frames = [frame.id for frame in (*table.stack, *table.waiting, *table.running)] or [0]
    given: dict[str, Any] = {}
    for one in slots(action_type):
        pieces = table.pieces.items()
        cards = [card for card, piece in pieces if may_name(piece.place, actor, one.slot) or not one.slot.areas]
        match one.slot.kind if cards or one.slot.kind not in ("card", "pairs") else "":
            case "card":
                given[one.name] = random.choice(cards)
            case "cards" | "order":
                given[one.name] = tuple(random.sample(cards, min(len(cards), random.randint(0, 2))))
            case "pairs":
                given[one.name] = ((random.choice(cards), random.choice(cards)),)
            case "frame":
                given[one.name] = random.choice(frames)
            case "frames":
                given[one.name] = tuple(random.sample(frames, min(len(frames), random.randint(0, 3))))
            case "place":
                given[one.name] = random.choice(tuple(table.places))
            case "places":
                row = tuple(table.places)
                given[one.name] = tuple(random.sample(row, min(len(row), random.randint(0, 3))))
            case "seat":
                given[one.name] = random.choice(tuple(table.seats))
            case "word":
                given[one.name] = random.choice(one.slot.words or ("block", "odd word", "-"))
            case "flag":
                given[one.name] = random.random() < 0.5
            case "text":
                given[one.name] = random.choice(("", 'late; {twice} "so"', "a\nb"))
            case _:
                pass
    return actor, action_type(**given)


def spoil(told: CitedFacts, table: Table, random: Random) -> CitedFacts:
    """Return facts as a table might misrecord them: some omitted, some repeated, some with another clause."""
    facts = list(told)
    for _ in range(random.randint(1, 3)):
        if facts and random.random() < 0.6:
            at = random.randrange(len(facts))
            if random.random() < 0.5:
                del facts[at]
            else:
                facts[at] = (BY_HAND, facts[at][1])
        else:
            facts.insert(random.randint(0, len(facts)), (BY_HAND, by_hand(table, random)))
    return tuple(facts) if folds(table, tuple(facts)) is not None else told


def by_hand(table: Table, random: Random) -> Any:
    card = random.choice(list(table.pieces))
    seat = random.choice(list(table.seats))
    return random.choice(
        (
            F.Turned((card,), random.random() < 0.5),
            F.Moved((card,), random.choice(list(table.places)), random.choice((-1, 0)), True),
            F.Shown((card,), (seat,), True),
            F.Marked(seat, "attacks", random.randint(0, 3)),
            F.Clocked(replace(table.clock, passed=(seat,))),
        )
    )


def occasion(random: Random) -> Occasion:
    names = random.sample([one.name for one in fields(Occasion)], random.randint(0, 4))
    return occasion_of({name: random.choice(('the "cup"; {open}', "春", "", "a=b, c")) for name in names})


def folds(table: Table, told: CitedFacts) -> Table | None:
    """Return the table after facts, or None if they cannot happen."""
    draft = Draft(table)
    try:
        apply_facts(draft, told)
    except (LookupError, ValueError):
        return None
    return draft.freeze()


def play(game: Game, rules: Any, version: str, seed: int, length: int, mischief: float = 0.3) -> list[Entry]:
    """Return a match of up to `length` entries; `mischief` is the rate of unlawful entries."""
    random = Random(seed)
    first, table = open_match(game, rules, version, random)
    entries: list[Entry] = [first]
    past = _Past({1: table}, [1])

    def add(entry: Entry, then: Table) -> None:
        nonlocal table
        entries.append(entry)
        past.line[:] = line_to(entries)
        table = past.after[len(entries)] = then

    while len(entries) < length:
        at = random.choice((0, 1_700_000_000_000 + len(entries)))
        if random.random() < mischief:
            _insert_mischief(Law(game, rules), random, past, table, add, at)
            continue
        try:
            found = candidates(game, rules, table, random)
            if found is None:
                break
            actor, action = found
            outcome = decide(Law(game, rules), table, actor, action)
        except Exception:  # the rules may not be able to read a corrupted table
            break
        assert isinstance(outcome, Accepted)
        add(_make_entry(actor, action, outcome.told, outcome, at), outcome.table)
    add(Closed(by="judge", seed=random.choice(("", "00ff")), reason=random.choice(("", "over")), at=7), table)
    return entries


def _make_entry(actor: Seat, action: Action, told: CitedFacts, outcome: Accepted, at: int) -> Played:
    raw = Raw(msgspec.msgpack.encode(action))
    return Played(actor=actor, action=raw, told=told, violations=outcome.violations, at=at)


def _insert_mischief(law: Law, random: Random, past: _Past, table: Table, add: Any, at: int) -> None:
    game, rules, after, line = law.game, law.rules, past.after, past.line
    kind = random.randrange(5)
    if kind == 0:
        about = random.choice((0, random.randint(1, len(after))))
        add(Noted(by="p1's coach", text='said "no"; {unheard}\nnew line', about=about, at=at), table)
        if random.random() < 0.5:
            add(Described(by="judge", occasion=occasion(random), announced=random.choice(("", "p1 @ 2-1"))), table)
    elif kind == 1 and len(line) > 1:
        left = sorted(after.keys() - {*line})
        kind_of, to = (Restored, random.choice(left)) if left and at else (Rewound, random.choice(line))
        add(kind_of(to=to, reason="misdeal", by="judge", at=at), after[to])
    elif kind == 2:
        told = tuple((BY_HAND, by_hand(table, random)) for _ in range(random.randint(0, 2)))
        then = folds(table, told)
        if then is not None:
            if random.random() < 0.5:
                add(Corrected(by="judge", reason="seen on camera", told=told, at=at), then)
            else:
                add(Gap(by="judge", reason="the video stood still", most=random.choice((0, 3)), told=told, at=at), then)
    else:
        actor, action = wild(game, table, random)
        try:
            if kind == 3 and (found := candidates(game, rules, table, random)) is not None:
                actor, action = found
            outcome = decide_as_played(Law(game, rules), table, actor, action)
        except Exception:  # the rules may not be able to read a corrupted table
            return
        if isinstance(outcome, Refusal):
            return
        told = spoil(outcome.told, table, random) if random.random() < 0.5 else outcome.told
        then = folds(table, told)
        if then is not None:
            add(_make_entry(actor, action, told, outcome, at), then)
