"""Opening of matches, single or by round. The order of the cards is drawn here only."""

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import to_builtins
from msgspec.structs import replace

from domain.formats.decks import DeckList, deck_of, named_deck
from domain.formats.errors import FormatError, explain_unknown
from domain.formats.pairings import Pairing, count_seats, deck_names, read_pairings
from domain.games import GAMES
from domain.law.game import Deck, Game
from domain.law.law import Law
from domain.law.occasion import occasion_of
from domain.law.policy import Policy, policy_of
from domain.law.rulesets import load, make_ruleset, with_seats
from domain.law.timers import read_minutes
from domain.table.table import Seat
from domain.words import Text
from projections.findings import sentence
from recorder import matches, pairings as rounds, seating
from recorder.answers import DeckRefused, RecordResult, Reused, Unfit
from recorder.commands import Command
from recorder.match_ids import opened_by
from recorder.pairings import RefusedPairing, Round, TableMatch
from recorder.person_names import person_name
from recorder.store import Conflict
from service import payloads
from service.access import ANY_MATCH
from service.context import AppContext
from service.idempotency import author_of, bind, key_of
from service.problems import HttpProblem, http_problem
from service.recording.commands import AnswerTerms, entries_response
from service.recording.refusals import problem_of_result
from service.requests import Request, Response

OF_ROUND: Final = ("event", "round", "site", "date", "start", "limit")
"""Fields of the occasion that the matches of a round share."""


def open_match(request: Request, body: payloads.OpenMatch) -> Response:
    """Open a match. A repeated id returns the same match."""
    context, game, key = request.context, game_of(body.game), key_of(request, body.id)
    command = None if key is None else bind(request, key, to_builtins(replace(body, id=None)))
    match = body.match or (None if command is None else opened_by(context.store, game, command))
    before = None if command is None or match is None else matches.answered_before(context.store, match, command)
    if before is not None and not isinstance(before, RecordResult):
        raise problem_of_result(before)
    if before is None:
        request.require("open", match or ANY_MATCH)
        match = open_new(request, game, body, match, command)
        context.keys.keep_writer(match, request.session.number)
        context.wake(match)
    assert match is not None
    view = context.look(request.session, match)
    last = view.head if before is None else before.last
    return entries_response(context, view, 1, last, AnswerTerms(acts=True, repeated=before is not None))


def open_new(request: Request, game: Game, body: payloads.OpenMatch, match: str | None, command: Command | None) -> str:
    """Open a match and return its id. Raises HttpProblem, FormatError, RulesetError."""
    law = Law(game, rules_of(game, body))
    if body.pledges and not body.match:
        raise http_problem("unreadable", Text("pledge.no_match"))
    result: object = matches.open_match(
        request.context.store,
        law,
        body.version,
        body.names,
        {seat: read_deck(game, deck) for seat, deck in body.decks.items()},
        match_id=match,
        at=request.context.clock(),
        by=author_of(request.session),
        occasion=occasion_of(to_builtins(body.occasion)),
        deal=body.cards != "real",
        phones=body.cards == "phones",
        command=command,
        policy=read_policy(body.policy),
        pledges=body.pledges,
    )
    if isinstance(result, str):
        record_seated(request.context, result, law.seats(), author_of(request.session))
        return result
    if isinstance(result, Conflict):
        raise http_problem("exists")
    if isinstance(result, DeckRefused):
        values = {"seat": result.seat, "what": result.what, "sentence": sentence(law, result.refusal.clause)}
        raise http_problem("not-allowed", Text("problem.deck", values), clause=result.refusal.clause)
    raise problem_of_result(result)


def open_round(request: Request, body: payloads.OpenRound) -> tuple[TableMatch, ...]:
    """Open the missing matches of a round. Raises HttpProblem with the table's line, FormatError, RulesetError."""
    shared, pairings = _read_round(request, body)
    tables = _require_paired(shared.law, rounds.open_round(request.context.store, shared, pairings))
    for table in tables:
        if table.new:
            request.context.wake(table.match)
            record_seated(request.context, table.match, shared.law.seats(), author_of(request.session))
    return tables


def preview_round(request: Request, body: payloads.OpenRound) -> tuple[tuple[Pairing, TableMatch], ...]:
    """Return the tables that a round would open. Nothing is written. Raises the same errors as `open_round`."""
    shared, pairings = _read_round(request, body)
    return tuple(
        zip(
            pairings,
            _require_paired(shared.law, rounds.preview_round(request.context.store, shared, pairings)),
            strict=True,
        )
    )


def _read_round(request: Request, body: payloads.OpenRound) -> tuple[Round, tuple[Pairing, ...]]:
    """Return the shared settings and the tables. Raises FormatError and RulesetError."""
    game = game_of(body.game)
    law = Law(game, with_seats(game, rules_of(game, body), count_seats(body.pairings)))
    pairings = read_pairings(body.pairings, law.seats())
    decks = {name: deck_of(game, deck) for name, deck in body.decks.items()}
    pairings = tuple(replace(each, decks=_find_own_decks(each, decks) | each.decks) for each in pairings)
    if unused := decks.keys() - deck_names(pairings):
        raise FormatError(Text("decklist.unused", {"deck": min(unused)}))
    shared = Round(
        law=law,
        version=body.version,
        occasion=occasion_of({name: getattr(body, name) for name in OF_ROUND}),
        decks={name: decks[name] if name in decks else named_deck(game, name) for name in deck_names(pairings)},
        policy=read_policy(body.policy),
        cards=body.cards,
        minutes=0 if body.minutes is None else read_round_minutes(body.minutes),
        by=author_of(request.session),
        at=request.context.clock(),
    )
    return shared, pairings


def _find_own_decks(pairing: Pairing, deck_names: Collection[str]) -> dict[Seat, str]:
    """Return the deck of each seat whose player has the same name as a deck."""
    decks = {person_name(deck): deck for deck in deck_names}
    names = {seat: person_name(name) for seat, name in pairing.names.items()}
    return {seat: decks[name] for seat, name in names.items() if name in decks}


def read_round_minutes(minutes: str | int) -> int:
    """Return the length of a round in minutes. Raises FormatError."""
    read = read_minutes(minutes)
    if isinstance(read, Text):
        raise FormatError(read)
    return read


def _require_paired(law: Law, done: tuple[TableMatch, ...] | RefusedPairing) -> tuple[TableMatch, ...]:
    if isinstance(done, RefusedPairing):
        raise _unpaired_problem(law, done)
    return done


def _unpaired_problem(law: Law, unpaired: RefusedPairing) -> HttpProblem:
    table, line = unpaired.pairing.table, unpaired.pairing.line
    match unpaired.why:
        case Reused(match=match):
            return http_problem("exists", Text("pairings.otherwise", {"table": table, "match": match}), line=line)
        case Conflict(match=match):
            return http_problem("exists", Text("cli.match_exists", {"match": match}), line=line)
        case DeckRefused(seat=seat, refusal=refusal, what=what):
            values = {"seat": seat, "clause": refusal.clause, "what": what, "sentence": sentence(law, refusal.clause)}
            return http_problem("not-allowed", Text("cli.deck_refused", values), clause=refusal.clause, line=line)
        case Unfit(what=what):
            return http_problem("unreadable", what, line=line)


def game_of(key: str) -> Game:
    if key not in GAMES:
        raise FormatError(explain_unknown("game", key, GAMES))
    return GAMES[key]


def rules_of(game: Game, body: payloads.RulesChoice) -> object:
    """Return the rules of a version with options, or the full `rules` given. Raises RulesetError, FormatError."""
    rules = make_ruleset(game, body.version, body.frame, body.options)
    if body.rules is None:
        return rules
    if body.frame or body.options:
        raise FormatError(Text("problem.two_rules"))
    return load(game, body.rules)


def read_deck(game: Game, deck: str | DeckList) -> Deck:
    """Return a sample deck by name, or a deck list. Raises FormatError."""
    return named_deck(game, deck) if isinstance(deck, str) else deck_of(game, deck)


def read_policy(pinned: dict[str, object] | None) -> Policy | None:
    """Return a policy from its stored form. Raises FormatError."""
    policy = policy_of(pinned or {})
    if isinstance(policy, Text):
        raise FormatError(policy)
    return policy


def record_seated(context: AppContext, match: str, seats: Iterable[Seat], by: str) -> None:
    """Record who holds the seats of a newly opened match. Raises StoreError."""
    if seating.record_seat_holders(context.store, context.keys, match, seats, by, context.clock()):
        context.wake(match)
