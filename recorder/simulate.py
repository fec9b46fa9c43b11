"""Play random legal matches in memory, for corpora, benchmarks and property tests of every game."""

from domain.law import croupier
from domain.law.actions import CONCEDE, PASS
from domain.law.driver import accepts, carry_out
from domain.law.entries import Closed, Entry, Opened, Played, fold_entries
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.law.offers import RandomBelow, Template
from domain.law.rulesets import pin_cards, values
from domain.law.slots import Action
from domain.table.table import CHANCE, JUDGE, Seat, Table
from domain.words import Text, TextError
from recorder import chance, codec
from recorder.answers import DeckRefused, Unfit
from recorder.match_opening import build_opening

ENTRIES_MAX = 5_000
TRIES = 24
"""Random samples to try for one verb before the next."""
EXPANDED_MAX = 5_000
"""Expansions to try for one template if no random sample was allowed."""

PASS_WEIGHT, OTHER_WEIGHT = 1, 2
"""A pass is half as likely as any other verb, so that matches make progress."""
INTERRUPTION_INTERVAL = 6
"""A seat that is not awaited acts at one entry in this many."""
GIVE_UP_AFTER, GIVE_UP_PROBABILITY = 2_440, 0.25
"""In an endless game, entries after which seats may give up, and the probability at each choice."""
PROBABILITY_SCALE = 10_000
"""Denominator of integer probabilities."""


class Unopened(TextError):
    """A match cannot be opened under these rules; `text` says why."""

    def __init__(self, law: Law, answer: DeckRefused | Unfit) -> None:
        if isinstance(answer, DeckRefused):
            clause = answer.refusal.clause
            sentence = law.game.rulebook.both(clause, values(law.rules))
            about = {"seat": answer.seat, "clause": clause, "what": answer.what, "sentence": sentence}
            super().__init__(Text("cli.deck_refused", about))
        else:
            super().__init__(answer.what)


class Stuck(RuntimeError):
    """A seat is awaited but no offered action is allowed: a bug of the law."""


def simulate(
    law: Law,
    seed: int,
    max_entries: int = ENTRIES_MAX,
    *,
    concede: float = 0.0,
    interrupt: bool = False,
    decks: Decks | None = None,
    match: str = "",
    version: str = "",
    closing: bool = True,
) -> list[Entry]:
    """Return the record of a random match, deterministic by seed.

    It ends when no seat is awaited (then it is closed if `closing`) or after `max_entries`. `concede` is the
    probability of conceding at each choice that offers it. `interrupt` lets seats act when they are not awaited. An
    endless match is given up when it is long. Raises Stuck.
    """
    match = match or f"sim-{law.game.key}-{seed}"
    law, secret, opened = open_simulated(law, seed, match, decks, version)
    entries: list[Entry] = [opened]
    table = fold_entries(entries)
    while len(entries) < max_entries:
        answers, table = chance.answers(law, table, match=match, seed=secret, version=len(entries))
        entries += answers[: max_entries - len(entries)]
        awaited = [seat for seat in law.game.awaited(table) if seat != CHANCE]
        if not awaited or len(entries) >= max_entries:
            break
        below = croupier.make_random_source(f"{match}/players", secret, len(entries) + 1)
        actor = awaited[below(len(awaited))]
        action = pick(law, table, actor, below, max(concede, give_up_probability(law, len(entries))))
        if interrupt:
            other = croupier.make_random_source(f"{match}/others", secret, len(entries) + 1)
            actor, action = interruption(law, table, other) or (actor, action)
        live = LiveTable(table)
        carry_out(law, live, actor, action)
        entries.append(Played(actor=actor, action=codec.raw_action(action), told=live.facts))
        table = live.freeze()
    if closing and not law.game.awaited(table):
        entries.append(Closed(by=JUDGE, seed=secret.hex()))
    return entries


def open_simulated(
    law: Law, seed: int, match: str, decks: Decks | None = None, version: str = ""
) -> tuple[Law, bytes, Opened]:
    """Return the law with pinned cards, the croupier's seed, and the opening. Raises Unopened."""
    secret = seed.to_bytes(croupier.SEED_BYTES, "big")
    names = (name for name, published in law.game.versions.items() if published == law.rules)
    version = version or next(names, "custom")
    law = Law(law.game, pin_cards(law.game, law.rules))
    opened = build_opening(law, version, {}, decks, secret, match)
    if not isinstance(opened, Opened):
        raise Unopened(law, opened)
    return law, secret, opened


def pick(law: Law, table: Table, actor: Seat, below: RandomBelow, concede: float = 0.0) -> Action:
    """Return a random allowed action of a seat: first a verb, then values for its slots. Raises Stuck."""
    verbs: dict[str, list[Template]] = {}
    for template in law.offers(table, actor):
        verbs.setdefault(template.verb, []).append(template)
    giving_up = verbs.pop(CONCEDE, [])
    if giving_up and concede > 0 and below(PROBABILITY_SCALE) < concede * PROBABILITY_SCALE:
        verbs = {CONCEDE: giving_up}
    refused: list[Template] = []
    while verbs:
        tickets = [name for name in verbs for _ in range(PASS_WEIGHT if name == PASS else OTHER_WEIGHT)]
        templates = verbs.pop(tickets[below(len(tickets))])
        for _ in range(TRIES):
            action = templates[below(len(templates))].sample(below)
            if action is not None and accepts(law, table, actor, action):
                return action
        refused += templates
    for template in refused:
        for _, action in zip(range(EXPANDED_MAX), template.expansions(), strict=False):
            if accepts(law, table, actor, action):
                return action
    for template in refused:
        for _ in range(TRIES):
            action = _fill_pairs_once(template, below)
            if action is not None and accepts(law, table, actor, action):
                return action
    raise Stuck(f"{actor} is awaited, but none of these is allowed: {sorted({template.verb for template in refused})}")


def give_up_probability(law: Law, entries: int) -> float:
    """Return the probability that a seat gives up an endless match after this many entries."""
    return GIVE_UP_PROBABILITY if entries > GIVE_UP_AFTER and law.endless() else 0.0


def interruption(law: Law, table: Table, below: RandomBelow) -> tuple[Seat, Action] | None:
    """Return an occasional action of a seat that is not awaited, or None. A seat with only one verb besides conceding
    is skipped: offering a draw would end most matches."""
    if below(INTERRUPTION_INTERVAL):
        return None
    for seat in table.seats:
        if seat not in law.awaited(table) and len({one.verb for one in law.offers(table, seat)} - {CONCEDE}) > 1:
            return seat, pick(law, table, seat, below)
    return None


def _fill_pairs_once(template: Template, below: RandomBelow) -> Action | None:
    """Return a random filling that names each second part of pairs once: each attacker has one blocker. If all must be
    blocked, random pairs hardly ever do so, and ordered expansion starts with millions of smaller answers."""
    values: dict[str, object] = {}
    for choice in template.choices:
        pairs: dict[object, list[object]] = {}
        for pair in choice.candidates if choice.many else ():
            if isinstance(pair, tuple):
                pairs.setdefault(pair[1], []).append(pair)
        values[choice.slot] = tuple(group[below(len(group))] for group in pairs.values()) or choice.sample(below)
    return None if None in values.values() else template.action(**dict(template.fixed), **values)
