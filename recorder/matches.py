"""What can be done with a match, one function each: decide, append, then answer. Refusals are values.

Every function raises StoreError if the store cannot be used; nothing was recorded then.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import asdict

from domain.law.clause import Refusal, Told
from domain.law.entries import (
    Closed,
    Corrected,
    Described,
    Entry,
    Noted,
    Opened,
    Played,
    Restored,
    Rewound,
    fold_entries,
    last_described,
    line,
)
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion, misfit, said
from domain.law.rulesets import pinned
from domain.law.slots import Action, verb
from domain.law.unseen import Faces, FaceWanted
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import ACTORS, Physics
from domain.table.table import CHANCE, Seat, Table
from domain.words import Text
from recorder import chance, codec, croupier
from recorder.answers import (
    Advanced,
    Cost,
    DeckRefused,
    Impossible,
    NotAwaited,
    Recorded,
    Reused,
    Unavailable,
    Unfit,
    Withheld,
)
from recorder.commands import Command, command_of
from recorder.dictated import Dictated, decide_dictated, not_shown, shuffles
from recorder.glimpses import glimpses
from recorder.imports import import_entries
from recorder.loading import Games, Match, extended, load_match
from recorder.naming import new_id
from recorder.opening import opening
from recorder.store import Conflict, Repeated, Store

__all__ = [
    "advance",
    "close",
    "correct",
    "describe",
    "import_entries",
    "load_match",
    "note",
    "open_match",
    "opening",
    "play",
    "rewind",
    "rewind_cost",
]

Answer = Recorded | Conflict | Unavailable | Unfit | Reused


def open_match(
    store: Store,
    law: Law,
    version: str,
    names: Mapping[Seat, str],
    decks: Decks | None = None,
    seed: bytes | None = None,
    match_id: str | None = None,
    at: int = 0,
    by: str = "",
    occasion: Occasion = NO_OCCASION,
    *,
    deal: bool = True,
    with_croupier: bool = True,
) -> str | DeckRefused | Unfit | Conflict:
    """Open a match, lay out its cards and let the croupier answer what chance is asked, in one transaction; its id.

    `decks` and `names` may leave seats out; a seat without a deck plays the game's own. Rules that name no cards are
    given the newest. Without `deal` real cards are played with: there is no croupier, and nobody knows how they lie.
    """
    match = match_id or new_id(store, law.game)
    seed = croupier.new_seed() if deal and seed is None else seed
    law = Law(law.game, pinned(law.game, law.rules))
    opened = opening(law, version, names, decks, seed, match, at=at, by=by, occasion=occasion)
    if not isinstance(opened, Opened):
        return opened
    table, answers = fold_entries([opened]), tuple[Played, ...]()
    if seed is None:
        answers, _, _ = shuffles(law, opened, table, (), at)
    elif with_croupier:
        answers, _ = chance.answers(law, table, match=match, seed=seed, version=1, at=at)
    done = store.append(match, 0, [opened, *answers], secret=seed)
    assert not isinstance(done, Repeated)
    return done if isinstance(done, Conflict) else match


def play(
    store: Store,
    match: str,
    actor: Seat,
    action: Action,
    as_played: bool = False,
    expected: int | None = None,
    command_id: str | None = None,
    at: int = 0,
    *,
    with_croupier: bool = True,
    games: Games | None = None,
    faces: Faces | None = None,
    shows: Sequence[str] = (),
    ends: Callable[[], bool] | None = None,
) -> Answer | Refusal | NotAwaited | FaceWanted | Withheld:
    """Decide an action, record it, and let the croupier answer what chance is asked after it, in one transaction.

    `as_played` records what was done whether or not it was allowed. `expected` is the version the actor was looking
    at; if the match has moved on, nothing is recorded. A repeated `command_id` gives the first answer again;
    one that was another command's is refused.

    With real cards `faces` are those that the action names, `shows` those that then show, in the order in which they
    are wanted; a FaceWanted says which card comes next, and nothing is recorded. `ends` is asked before an action is
    recorded that ends the match.
    """
    seen = (dict(faces or {}), tuple(shows)) if faces or shows else ()
    command = command_of(command_id, "play", actor, action, as_played, *seen)
    found = _playable(store, match, expected, command, games)
    if not isinstance(found, Match):
        return found
    game, rules, before = found.game, found.rules, found.table
    if actor not in (*found.opened.seats, *ACTORS):
        return NotAwaited(actor, game.awaited(before))
    if type(action) not in game.action_types:
        return Unfit(Text("match.no_action", {"verb": repr(verb(action)), "game": game.key}))
    dictated = decide_dictated(Law(game, rules), found.opened, before, actor, action, faces or {}, shows, as_played)
    if not isinstance(dictated, Dictated):
        return dictated
    outcome = dictated.outcome
    if isinstance(outcome, Refusal):
        return outcome
    played = Played(
        at=at,
        actor=actor,
        action=codec.raw_action(action),
        told=outcome.told,
        violations=outcome.violations,
        by_hand=actor == CHANCE and bool(found.opened.commitment),
    )
    answers, table, left = _chance(store, found, outcome.table, found.version + 1, at, with_croupier, dictated.left)
    if left:
        return not_shown(left)
    if ends is not None and outcome.table.result is not None and before.result is None and not ends():
        return Withheld()
    return _record(store, found, (played, *answers), table, command)


def advance(
    store: Store, match: str, at: int = 0, *, games: Games | None = None
) -> Advanced | Conflict | Unavailable | Unfit:
    """Let the croupier answer everything chance is asked, one entry each, where it was not done at once."""
    found = _playable(store, match, None, None, games)
    if not isinstance(found, Match):
        assert not isinstance(found, Recorded | Reused)
        return found
    if not found.undealt and CHANCE in found.game.awaited(found.table) and store.secret(match) is None:
        return Unavailable(match, Text("match.no_seed"))
    answers, table, _ = _chance(store, found, found.table, found.version, at)
    if answers:
        done = _record(store, found, answers, table, None)
        if not isinstance(done, Recorded):
            assert isinstance(done, Conflict)
            return done
    return Advanced(found.version + len(answers), answers, table)


def correct(
    store: Store,
    match: str,
    by: str,
    reason: str,
    told: Told,
    expected: int | None = None,
    command_id: str | None = None,
    at: int = 0,
    *,
    games: Games | None = None,
) -> Answer | Impossible:
    """Enter facts by hand, as a judge. They must be physically possible, one after the other; they trigger nothing."""
    command = command_of(command_id, "correct", by, reason, tuple(told))
    found = _playable(store, match, expected, command, games)
    if not isinstance(found, Match):
        return found
    if not told:
        return Unfit(Text("match.no_fact"))
    physics, draft = Physics(found.opened.schema), Draft(found.table)
    full = set(physics.overfull(draft))
    for number, (clause, fact) in enumerate(told, start=1):
        if (why := physics.wrong(draft, fact)) is not None:
            return Impossible(number, clause, fact, why)
        apply(draft, fact)
    for place, most in physics.overfull(draft):
        if (place, most) not in full:
            return Impossible(len(told), *told[-1], Text("wrong.too_full", {"place": place, "most": most}))
    entry = Corrected(at=at, by=by, reason=reason, told=tuple(told))
    return _record(store, found, (entry,), draft.freeze(), command)


def rewind_cost(store: Store, match: str, to: int, *, games: Games | None = None) -> Cost | Unavailable | Unfit:
    """What a rewind to an entry would undo and bring back, and who has seen which faces in what it undoes."""
    found = _playable(store, match, None, None, games)
    if not isinstance(found, Match):
        assert isinstance(found, Unavailable | Unfit)
        return found
    unfit = _no_way_to(found, to)
    if unfit is not None:
        return unfit
    now, then = line(found.entries), line(found.entries, to)
    undone = tuple(sorted({*now} - {*then}))
    return Cost(to, undone, glimpses(found, frozenset(undone)), tuple(sorted({*then} - {*now})))


def rewind(
    store: Store,
    match: str,
    to: int,
    reason: str,
    by: str,
    expected: int | None = None,
    command_id: str | None = None,
    at: int = 0,
    *,
    with_croupier: bool = True,
    games: Games | None = None,
) -> Answer:
    """Go on from an earlier entry, also one that a rewind has undone; nothing is deleted. Show `rewind_cost` first.

    What chance is asked there is answered anew, in the same transaction.
    """
    command = command_of(command_id, "rewind", to, reason, by)
    found = _playable(store, match, expected, command, games)
    if not isinstance(found, Match):
        return found
    unfit = _no_way_to(found, to)
    if unfit is not None:
        return unfit
    kind = Rewound if to in line(found.entries) else Restored
    entry, table = kind(at=at, to=to, reason=reason, by=by), fold_entries(found.entries, to)
    answers, table, _ = _chance(store, found, table, found.version + 1, at, with_croupier)
    return _record(store, found, (entry, *answers), table, command)


def _no_way_to(match: Match, to: int) -> Unfit | None:
    if not 1 <= to <= match.version:
        return Unfit(Text("match.no_entry", {"entry": to, "last": match.version}))
    if to == match.version:
        return Unfit(Text("match.here", {"entry": to}))
    return None


def note(
    store: Store,
    match: str,
    by: str,
    text: str,
    command_id: str | None = None,
    at: int = 0,
    *,
    about: int = 0,
    games: Games | None = None,
) -> Answer:
    """Record something said or seen that changes nothing; `about` is the entry it comments on, 0 for none."""
    command = command_of(command_id, "note", by, text, about)
    found = _playable(store, match, None, command, games)
    if not isinstance(found, Match):
        return found
    if not 0 <= about <= found.version:
        return Unfit(Text("match.no_entry", {"entry": about, "last": found.version}))
    return _record(store, found, (Noted(at=at, by=by, text=text, about=about),), found.table, command)


def describe(
    store: Store,
    match: str,
    by: str,
    changes: Mapping[str, str],
    command_id: str | None = None,
    at: int = 0,
    *,
    games: Games | None = None,
) -> Answer:
    """Say on what occasion a match is played: fields of `Occasion`, and `announced`, the result that was announced.

    What is not among the changes stays as it was said before.
    """
    command = command_of(command_id, "describe", by, dict(changes))
    found = _playable(store, match, None, command, games)
    if not isinstance(found, Match):
        return found
    if not changes:
        return Unfit(Text("occasion.nothing"))
    before = last_described(found.entries)
    texts = {**asdict(before.occasion), "announced": before.announced, **changes}
    announced, occasion = texts.pop("announced"), said(texts)
    if (wrong := misfit(occasion, announced)) is not None:
        return Unfit(wrong)
    entry = Described(at=at, by=by, occasion=occasion, announced=announced)
    return _record(store, found, (entry,), found.table, command)


def close(
    store: Store,
    match: str,
    by: str,
    reason: str = "",
    expected: int | None = None,
    command_id: str | None = None,
    at: int = 0,
    *,
    abandon: bool = False,
    games: Games | None = None,
) -> Answer:
    """Complete the record and publish the croupier's seed. Nothing is recorded after it, and nothing takes it back.

    A match without a result is closed only if it is given up (`abandon`), for a reason.
    """
    command = command_of(command_id, "close", by, reason, abandon)
    found = _playable(store, match, expected, command, games)
    if not isinstance(found, Match):
        return found
    if found.table.result is None and not (abandon and reason.strip()):
        return Unfit(Text("match.no_result", {"match": match}))
    entry = Closed(at=at, by=by, seed=(store.secret(match) or b"").hex(), reason=reason)
    return _record(store, found, (entry,), found.table, command)


def _playable(
    store: Store, match: str, expected: int | None, command: Command | None, games: Games | None
) -> Match | Recorded | Conflict | Unavailable | Reused:
    """The match if something may be appended to it; what was answered before if the command is a repetition."""
    found = load_match(store, match, games)
    if isinstance(found, Unavailable):
        return found
    if command is not None and (before := store.command(match, command.id)) is not None:
        return _again(found, before, command)
    if found.closed:
        return Unavailable(match, Text("match.closed", {"entry": found.version}))
    if expected is not None and expected != found.version:
        return Conflict(match, expected, found.version)
    return found


def _again(match: Match, before: Repeated, command: Command) -> Recorded | Reused:
    if before.asked and before.asked != command.asked:
        return Reused(match.id, command.id, before.first)
    entries = match.entries[before.first - 1 : before.last]
    answers = tuple(entry for entry in entries[1:] if isinstance(entry, Played))
    first, table = _table_at(match.entries, before.first - 1), _table_at(match.entries, before.last)
    return Recorded(before.first, entries[0], first, table, answers)


def _table_at(entries: Sequence[Entry], version: int) -> Table:
    last = entries[version - 1]
    return fold_entries(entries, last.to if isinstance(last, Rewound) else version)


def _chance(
    store: Store,
    match: Match,
    table: Table,
    version: int,
    at: int,
    with_croupier: bool = True,
    shows: Sequence[str] = (),
) -> tuple[tuple[Played, ...], Table, Sequence[str]]:
    """What chance is asked behind entry `version`, by the croupier or with real cards; the faces that did not show."""
    game, rules, opened = match.game, match.rules, match.opened
    if match.undealt:
        return shuffles(Law(game, rules), opened, table, shows, at)
    seed = store.secret(match.id) if with_croupier and CHANCE in game.awaited(table) else None
    if seed is None:
        return (), table, shows
    answers, table = chance.answers(Law(game, rules), table, match=opened.match, seed=seed, version=version, at=at)
    return answers, table, shows


def _record(
    store: Store, match: Match, entries: tuple[Entry, ...], table: Table, command: Command | None
) -> Recorded | Conflict | Reused:
    named = () if command is None else (command.id, None, command.asked)
    done = store.append(match.id, match.version, entries, *named)
    if isinstance(done, Conflict):
        return done
    if isinstance(done, Repeated):
        # The same command was recorded between our look and our write.
        now = load_match(store, match.id, {match.game.key: match.game})
        assert isinstance(now, Match)
        assert command is not None
        return _again(now, done, command)
    extended(store, match, entries, table)
    answers = tuple(entry for entry in entries[1:] if isinstance(entry, Played))
    return Recorded(match.version + 1, entries[0], match.table, table, answers)
