"""Count what matches exercise, and steer play towards the least exercised clauses, options, cards and actions."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from domain.law.clause import Refusal
from domain.law.driver import accepts, consult_clauses, decide
from domain.law.entries import Entry, Opened, Played, entry_facts, tables
from domain.law.game import Deck, Decks, Game
from domain.law.law import Law
from domain.law.offers import RandomBelow, Template, shuffle
from domain.law.options import Option
from domain.law.rulebook import value_text
from domain.law.rulesets import RulesetError, values, with_settings
from domain.law.slots import Action, cards_of, verb
from domain.table.table import CHANCE, Seat, Table
from recorder.simulate import pick

TIER = 1
"""Tier of the options that can be varied."""
ODDS = 3
"""In unsteered play, one option in this many gets a random value."""
CANDIDATES = 6
"""Allowed actions to weigh against each other."""
DRAWS = 18
"""Random samples of offered actions to find them."""
SCALE = 1_000
"""Denominator of integer weights."""
WEIGHT_MIN = 40
"""Minimum weight of every candidate."""
SWAPS = 30


class ExerciseCounts(Struct):
    """Counters of cited and consulted clauses, verbs, option values, faces used, and faces in decks."""

    told: Counter[str] = field(default_factory=Counter)
    consulted: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    options: Counter[str] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    dealt: Counter[str] = field(default_factory=Counter)

    def update(self, other: "ExerciseCounts") -> None:
        for name in self.__struct_fields__:
            getattr(self, name).update(getattr(other, name))


def count_exercise(law: Law, entries: Sequence[Entry]) -> ExerciseCounts:
    seen = ExerciseCounts()
    for _, entry, before, _ in tables(entries):
        seen.told.update(str(clause) for clause, _ in entry_facts(entry))
        if isinstance(entry, Opened):
            seen.dealt.update(face for deck in (*entry.decks.values(), *entry.sides.values()) for face in set(deck))
            seen.options.update(_option_values(law.game, law.rules))
        elif isinstance(entry, Played):
            note(law, seen, before, entry)
    return seen


def note(law: Law, seen: ExerciseCounts, before: Table, entry: Played) -> None:
    """Count what an action exercised, except for the clauses its facts cite."""
    action = law.game.decoder().decode(entry.action)
    seen.verbs[verb(action)] += 1
    if entry.actor != CHANCE:
        seen.cards.update(faces_of(before, action))
    seen.consulted.update(str(check.clause) for check in consult_clauses(law, before, entry.actor, action))


def faces_of(table: Table, action: Action) -> Iterator[str]:
    for card in dict.fromkeys(cards_of(action)):
        piece = table.pieces.get(card)
        if piece is not None and piece.face is not None:
            yield piece.face


def switchable(game: Game) -> tuple[Option, ...]:
    """Return the options that may be varied."""
    return tuple(option for option in game.options if option.tier == TIER)


def _option_values(game: Game, rules: Struct) -> Iterator[str]:
    current = values(rules)
    for option in switchable(game):
        yield f"{option.key}={value_text(current.get(option.key, option.values[0]))}"


# -- rules ------------------------------------------------------------------------------------------------------------


def readings(law: Law, below: RandomBelow, seen: ExerciseCounts | None) -> object:
    """Return the rules with varied options: at random, or the least used values if steered."""
    settings: dict[str, str] = {}
    for option in switchable(law.game):
        if seen is None:
            if below(ODDS) == 0:
                settings[option.key] = option.values[below(len(option.values))]
        else:
            least = min(seen.options[f"{option.key}={value}"] for value in option.values)
            rare = [value for value in option.values if seen.options[f"{option.key}={value}"] == least]
            settings[option.key] = rare[below(len(rare))]
    for key in shuffle(tuple(settings), below):
        try:
            law = Law(law.game, with_settings(law.game, law.rules, {key: _parse_value(law.rules, key, settings[key])}))
        except RulesetError:  # it conflicts with an option set before
            continue
    return law.rules


def _parse_value(rules: Struct, key: str, value: str) -> object:
    current = values(rules).get(key)
    if isinstance(current, bool):
        return value == "true"
    return int(value) if isinstance(current, int) and value.isdecimal() else value


# -- decks ------------------------------------------------------------------------------------------------------------


def decks(law: Law, below: RandomBelow, seen: ExerciseCounts | None) -> Decks | None:
    """Return random named decks; None if none is legal. If steered, prefer rare cards and swap more of them in."""
    named = {name: deck for name, deck in law.game.named_decks().items() if _legal(law, law.seats()[0], deck)}
    if not named:
        return None
    if seen is None:
        names = list(named)
        return {seat: named[names[below(len(names))]] for seat in law.seats()}
    dealt, chosen = Counter(seen.dealt), {}
    for seat in law.seats():
        names = sorted(
            shuffle(list(named), below), key=lambda name: sum(map(dealt.__getitem__, set(named[name].faces)))
        )
        chosen[seat] = _swap_in_rare_cards(law, seat, named[names[0]], dealt, below)
        dealt.update(set(chosen[seat].faces))
    return chosen


def _swap_in_rare_cards(law: Law, seat: Seat, deck: Deck, dealt: Counter[str], below: RandomBelow) -> Deck:
    """Return the deck with its commonest cards exchanged for the rarest legal ones."""
    rare = sorted(shuffle([face for face in law.game.faces() if face not in deck.faces], below), key=dealt.__getitem__)
    for face in rare[:SWAPS]:
        common = max(shuffle(range(len(deck.main)), below), key=lambda at: dealt[deck.main[at]])
        if dealt[face] >= dealt[deck.main[common]] and dealt[face]:
            break
        other = Deck((*deck.main[:common], face, *deck.main[common + 1 :]), deck.side)
        if _legal(law, seat, other):
            deck = other
    return deck


def _legal(law: Law, seat: Seat, deck: Deck) -> bool:
    return all(holds for _, holds, *_ in law.deck_checks(seat, deck))


# -- actions ----------------------------------------------------------------------------------------------------------


def steer(law: Law, table: Table, actor: Seat, below: RandomBelow, seen: ExerciseCounts) -> Action:
    """Return an allowed action of a seat, preferring the least exercised. Raises Stuck."""
    verbs: dict[str, list[Template]] = {}
    for template in law.offers(table, actor):
        verbs.setdefault(template.verb, []).append(template)
    weights: dict[Action, int] = {}
    rows = list(verbs.values())
    for attempt in range(DRAWS):
        templates = rows[attempt % len(rows)] if rows else []
        action = templates[below(len(templates))].sample(below) if templates else None
        if action is None or action in weights or not accepts(law, table, actor, action):
            continue
        weights[action] = _novelty(law, table, actor, action, seen)
        if len(weights) == CANDIDATES:
            break
    if not any(weights.values()):
        return pick(law, table, actor, below)
    ticket = below(sum(weights.values()))
    for action, weight in weights.items():
        if ticket < weight:
            return action
        ticket -= weight
    raise AssertionError("weights do not add up")


def _novelty(law: Law, table: Table, actor: Seat, action: Action, seen: ExerciseCounts) -> int:
    """Return the weight of an action by the novelty of its verb, cards and clauses."""
    outcome = decide(law, table, actor, action)
    if isinstance(outcome, Refusal):
        return WEIGHT_MIN
    if outcome.table.result is not None or outcome.table == table:
        # an end hides everything after it, and an action without effect makes no progress
        return 0 if seen.verbs[verb(action)] else 1
    counts = [seen.verbs[verb(action)]]
    counts += [seen.cards[face] for face in faces_of(table, action)]
    clauses = dict.fromkeys(str(clause) for clause, _ in outcome.told)
    consulted = dict.fromkeys(str(check.clause) for check in consult_clauses(law, table, actor, action))
    counts += [*map(seen.told.__getitem__, clauses), *map(seen.consulted.__getitem__, consulted)]
    return WEIGHT_MIN + sum(SCALE // (1 + count) ** 2 for count in counts)
