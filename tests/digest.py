"""Digest of everything the rules decide about fixed matches, one number per game: `python -m tests.digest`.

Two builds of one source (ADR 44), or two versions that should decide alike, must print the same digest. It covers facts
and tables of every action, refusals with all checks consulted, and actions carried out as played. It also covers
requests for faces, offers and readings, findings of damaged records, and verdicts under another ruleset.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging import rejudge
from domain.law.driver import accepts, decide, decide_as_played
from domain.law.entries import Entry, Played, tables
from domain.law.game import Game
from domain.law.lane import LAW_BUILD
from domain.law.law import Law
from domain.law.outcome import EndlessError, UnknownFaceError
from domain.law.slots import Action
from domain.table.table import Seat, Table
from recorder.simulate import simulate

MATCHES = 6
OTHERS = 3
"""Number of earlier and of offered actions that are tried where they do not belong."""
ONE_IN = 5
"""At one action in five, the table is asked for offers and readings, with and without hidden faces."""


def decisions(law: Law, entries: Sequence[Entry]) -> Iterator[Any]:
    decode = law.game.decoder().decode
    before: list[Action] = []
    yield entries
    for number, entry, table, _ in tables(entries):
        if not isinstance(entry, Played):
            continue
        action = decode(entry.action)
        yield decide(law, table, entry.actor, action)
        before.append(action)
        if number % ONE_IN == 0:
            yield from _at(law, table, entry.actor, (action, *before[-OTHERS - 1 : -1]))
    yield audit(law.game, entries).findings
    yield audit(law.game, _damage_findings(entries)).findings
    for rules in law.game.versions.values():
        yield rejudge(law.game, entries, rules)


def _at(law: Law, table: Table, actor: Seat, actions: tuple[Action, ...]) -> Iterator[Any]:
    """Yield what a table offers and shows, and the outcomes of actions that may not belong there."""
    yield tuple(law.readings(table)), law.awaited(table)
    hidden = table.with_changes(pieces={card: replace(piece, face=None) for card, piece in table.pieces.items()})
    for seat in table.seats:
        offered = tuple(law.offers(table, seat))
        yield offered
        expanded = (action for template in offered for action in islice(template.expansions(), OTHERS))
        for action in (*actions, *islice(expanded, 4 * OTHERS)):
            yield seat, action, accepts(law, table, seat, action)
            yield decide(law, table, seat, action)
            yield _decide_or_ask(decide_as_played, law, table, seat, action)
            yield _decide_or_ask(decide_as_played, law, hidden, seat, action)
    yield _decide_or_ask(decide, law, hidden, actor, actions[0])


def _decide_or_ask(by: Any, law: Law, table: Table, seat: Seat, action: Action) -> Any:
    """Return an outcome, the card whose face the rules ask for, or the text of an endless-loop error."""
    try:
        return by(law, table, seat, action, asking=True)
    except UnknownFaceError as asked:
        return asked.card
    except EndlessError as endless:
        return str(endless)


def _damage_findings(entries: Sequence[Entry]) -> list[Entry]:
    return [
        replace(entry, told=entry.told[:-1]) if isinstance(entry, Played) and number % 17 == 0 else entry
        for number, entry in enumerate(entries)
    ]


def digest(game: Game, matches: int) -> str:
    total = sha256()
    encode = msgspec.json.Encoder(enc_hook=repr).encode
    versions = tuple(game.versions.values())
    for seed in range(matches):
        law = Law(game, versions[seed % len(versions)])
        for thing in decisions(law, simulate(law, seed)):
            total.update(encode(thing))
    return total.hexdigest()


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.digest", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"matches a game (default {MATCHES})")
    parser.add_argument("--game", choices=sorted(GAMES), nargs="*", default=sorted(GAMES))
    asked = parser.parse_args()
    print(LAW_BUILD)
    for key in asked.game:
        print(f"{key} {digest(GAMES[key], asked.matches)}")


if __name__ == "__main__":
    main()
