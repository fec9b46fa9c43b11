"""Operations on a match, a function each: decide, append, answer. Refusals are values. Every function raises StoreError
if the store cannot be used; then nothing was recorded."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Unpack

from msgspec.structs import asdict, replace

from domain.law import entries as E
from domain.law.clause import BY_HAND, CitedFact, CitedFacts, Clause, Refusal
from domain.law.entries import Played, line
from domain.law.face_request import FaceRequest
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion, check_occasion, occasion_of
from domain.law.pledges import awaited_reveals
from domain.law.policy import Policy
from domain.law.slots import Action, verb
from domain.law.unseen import Faces, RealCardAction
from domain.table.facts import Clocked, Popped
from domain.table.physics import ACTORS, physics_of
from domain.table.table import CHANCE, LANES, Seat, Table, lane
from domain.words import Text, listed
from recorder import answers as A, chance, codec
from recorder.answers import RecordResult, Reused, Unavailable, Unfit
from recorder.commands import Command, find_command
from recorder.match_ids import new_id
from recorder.match_loader import Games, LoadedMatch, load_match
from recorder.match_opening import NO_PLEDGES, answer_opening, build_opening, with_pledges
from recorder.match_writer import Answer, Terms, Write, answer_again, begin
from recorder.real_cards import DictationOutcome, decide_with_faces, missing_outcome, unused_faces_error
from recorder.remarks import CALLS_FOR_REWIND, count_impossible, rewind_remark, write_remark
from recorder.store import Conflict, Repeated, Store

CALLS_AT = 3
"""A judge is called after this many commands of a match that only hidden cards forbid."""


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
    policy: Policy | None = None,
    deal: bool = True,
    phones: bool = False,
    with_croupier: bool = True,
    command: Command | None = None,
    pledges: Mapping[Seat, str] = NO_PLEDGES,
) -> str | A.DeckRefused | Unfit | Conflict | Reused:
    """Open a match with its layout and the croupier's first answers in one transaction, and return its id.

    A seat without a deck plays the game's own. Rules without cards get the newest ones. Without `deal`, real cards are
    used: there is no croupier and their order is unknown. A repeated `command` returns the same id again. With
    `pledges` the croupier waits until these seats reveal their secrets; `match_id` is required, since pledges cover it.
    `phones` records that the players act on their own phones.
    """
    if phones and not deal:
        return Unfit(Text("match.phones_real"))
    if pledges and match_id is None:
        return Unfit(Text("pledge.no_match"))
    match = match_id or new_id(store, law.game)
    seed = chance.new_seed() if deal and seed is None else seed
    opened = build_opening(law, version, names, decks, seed, match, at=at, by=by, occasion=occasion, policy=policy)
    if isinstance(opened, E.Opened):
        opened = with_pledges(opened, pledges)
    if not isinstance(opened, E.Opened):
        return opened
    entries = answer_opening(law, opened, seed, at=at, with_croupier=with_croupier, phones=phones)
    command_fields = (None, b"") if command is None else (command.id, command.asked)
    try:
        done = store.append(match, 0, entries, command_fields[0], seed, command_fields[1])
    except codec.CodecError as error:
        return Unfit(error.text)
    if isinstance(done, Repeated) and done.asked != command_fields[1]:
        return Reused(match, command_fields[0] or "", done.first)
    return done if isinstance(done, Conflict) else match


def answered_before(
    store: Store, match: str, command: Command, games: Games | None = None
) -> RecordResult | Reused | Unavailable | None:
    """Return the earlier answer to a command, or None for a new one. Call it before other checks."""
    before = find_command(store, match, command)
    if before is None:
        return None
    loaded = load_match(store, match, games)
    return loaded if isinstance(loaded, Unavailable) else answer_again(loaded, before, command)


def play(
    store: Store,
    match: str,
    actor: Seat,
    action: Action,
    as_played: bool = False,
    *,
    with_croupier: bool = True,
    faces: Faces | None = None,
    shows: Sequence[str] = (),
    ends: Callable[[], bool] | None = None,
    **terms: Unpack[Terms],
) -> Answer | Refusal | A.NoSuchActor | FaceRequest | A.Undetermined | A.Withheld:
    """Decide and record an action, with the croupier's answers, in one transaction.

    `as_played` records it even if it was not allowed. With real cards, `faces` are those of cards that the action
    names. `shows` are those that it reveals, in order. If one is missing, a FaceRequest names the card and nothing is
    recorded. `?` is an unseen face; the result is Undetermined if the outcome depends on it. `ends` must confirm an
    action that ends the match.
    """
    named_faces = (dict(faces or {}), tuple(shows)) if faces or shows else ()
    write = begin(store, match, terms, "play", actor, action, as_played, *named_faces)
    if not isinstance(write, Write):
        return write
    law, opened, before = write.match.law, write.match.opening, write.match.table
    if actor not in (*opened.seats, *ACTORS):
        return A.NoSuchActor(actor, law.awaited(before))
    if type(action) not in law.game.action_types:
        return Unfit(Text("match.no_action", {"verb": repr(verb(action)), "game": law.game.key}))
    unseen = RealCardAction(law, physics_of(opened.schema), opened, before, actor, action, faces or {}, as_played)
    dictation = decide_with_faces(unseen, shows)
    if not isinstance(dictation, DictationOutcome):
        return dictation
    outcome = dictation.outcome
    if isinstance(outcome, Refusal):
        return outcome
    played = Played(
        at=write.at,
        actor=actor,
        action=codec.raw_action(action),
        told=outcome.told,
        violations=outcome.violations,
        by_hand=actor == CHANCE and bool(opened.commitment),
    )
    answers, table, left = write.answer_chance(outcome.table, 1, with_croupier, dictation.left)
    if left:
        return unused_faces_error(left)
    if ends is not None and outcome.table.result is not None and before.result is None and not ends():
        return A.Withheld()
    return write.record(table, played, *answers)


def advance(
    store: Store, match: str, shows: Sequence[str] = (), **terms: Unpack[Terms]
) -> A.Advanced | FaceRequest | A.Undetermined | Conflict | Unavailable | Unfit | Reused:
    """Record the croupier's pending answers, one entry each. Real cards are shuffled at the table. `shows` are the
    faces revealed then, as for `play`."""
    write = begin(store, match, terms, "advance", *((tuple(shows),) if shows else ()))
    if not isinstance(write, Write):
        return _advanced(write) if isinstance(write, RecordResult) else write
    before = write.match
    if not before.undealt and CHANCE in before.law.awaited(before.table) and store.secret(match) is None:
        return Unavailable(match, Text("match.no_seed"))
    if seats := awaited_reveals(before.entries):
        return Unavailable(match, Text("pledge.awaited", {"seats": listed(seats)}))
    answers, table, left = write.answer_chance(before.table, shows=shows)
    if before.undealt and (left or not answers) and CHANCE in before.law.awaited(table):
        return missing_outcome(before.law, before.opening, table, left)
    if left:
        return unused_faces_error(left)
    if answers:
        done = write.record(table, *answers)
        return _advanced(done) if isinstance(done, RecordResult) else done
    return A.Advanced(before.version, (), table)


def _advanced(done: RecordResult) -> A.Advanced:
    assert isinstance(done.entry, Played)
    answers = (entry for entry in done.also if isinstance(entry, Played))
    return A.Advanced(done.last, (done.entry, *answers), done.table)


def correct(
    store: Store, match: str, by: str, reason: str, told: CitedFacts, **terms: Unpack[Terms]
) -> Answer | A.Impossible:
    """Enter physically possible facts by hand, as a judge. They trigger nothing."""
    write = begin(store, match, terms, "correct", by, reason, tuple(told))
    if not isinstance(write, Write):
        return write
    if not told:
        return Unfit(Text("match.no_fact"))
    after = write.enter_by_hand(told)
    if isinstance(after, A.Impossible):
        return after
    return write.record(after, E.Corrected(at=write.at, by=by, reason=reason, told=tuple(told)))


def report_gap(
    store: Store,
    match: str,
    by: str,
    reason: str,
    told: CitedFacts = (),
    most: int = 0,
    *,
    finished: bool = False,
    **terms: Unpack[Terms],
) -> Answer | A.Impossible:
    """Record that actions are missing, at most `most` (0 if unknown), and the visible changes after them. The facts are
    entered by hand as in `correct`. `finished`: what was under way ended in the gap, and the active player is next."""
    write = begin(store, match, terms, "gap", by, reason, tuple(told), most, *((finished,) if finished else ()))
    if not isinstance(write, Write):
        return write
    if most < 0:
        return Unfit(Text("record.gap", {"most": most}))
    after = write.enter_by_hand(told)
    if finished and not isinstance(after, A.Impossible):
        if after.clock.active is None:
            return Unfit(Text("record.gap_set_up"))
        told = (*told, *_finish(after))
        after = write.enter_by_hand(told)
    if isinstance(after, A.Impossible):
        return after
    return write.record(after, E.Gap(at=write.at, by=by, reason=reason, most=most, told=tuple(told)))


def _finish(table: Table) -> Iterator[CitedFact]:
    """Yield the facts that remove all frames and make the active player the awaited one."""
    for name in LANES:
        for frame in lane(table, name):
            yield BY_HAND, Popped(frame.id, "resolved")
    assert table.clock.active is not None, "checked by the caller"
    yield BY_HAND, Clocked(replace(table.clock, awaited=(table.clock.active,), passed=()))


def rewind_cost(store: Store, match: str, to: int, *, games: Games | None = None) -> A.RewindCost | Unavailable | Unfit:
    """Return the entries that a rewind would undo and restore."""
    write = begin(store, match, {"games": games})
    if not isinstance(write, Write):
        assert isinstance(write, Unavailable)
        return write
    before = write.match
    if (unfit := _check_rewind(before, to)) is not None:
        return unfit
    current, earlier = line(before.entries), line(before.entries, to)
    undone = tuple(sorted({*current} - {*earlier}))
    return A.RewindCost(to, undone, tuple(sorted({*earlier} - {*current})))


def rewind(
    store: Store, match: str, to: int, reason: str, by: str, *, with_croupier: bool = True, **terms: Unpack[Terms]
) -> Answer:
    """Continue from an earlier entry, possibly an undone one. Nothing is deleted. Show `rewind_cost` first. Chance is
    asked anew in the same transaction."""
    write = begin(store, match, terms, "rewind", to, reason, by)
    if not isinstance(write, Write):
        return write
    if (unfit := _check_rewind(write.match, to)) is not None:
        return unfit
    table, entries = write.go_back(to, reason, by, 1, with_croupier)
    return write.record(table, *entries)


def ask_rewind(
    store: Store, match: str, to: int, reason: str, by: str, *, calls: bool = False, **terms: Unpack[Terms]
) -> Answer:
    """Ask a judge to go back to an entry. `calls` also calls a judge to the table."""
    write = begin(store, match, terms, "ask_rewind", to, reason, by, calls)
    if not isinstance(write, Write):
        return write
    if (unfit := _check_rewind(write.match, to)) is not None:
        return unfit
    notes = [E.Noted(at=write.at, by=by, text=rewind_remark(to, reason), about=to)]
    if calls:
        judge_call = write_remark("call", Text(CALLS_FOR_REWIND, {"to": to}), reason)
        notes.append(E.Noted(at=write.at, by=by, text=judge_call, about=write.match.version + 1))
    return write.record(write.match.table, *notes)


def _check_rewind(match: LoadedMatch, to: int) -> Unfit | None:
    if not 1 <= to <= match.version:
        return Unfit(Text("match.no_entry", {"entry": to, "last": match.version}))
    return Unfit(Text("match.here", {"entry": to})) if to == match.version else None


def note(store: Store, match: str, by: str, text: str, *, about: int = 0, **terms: Unpack[Terms]) -> Answer:
    """Record a remark without effect; `about` is the entry it comments on, 0 for none."""
    write = begin(store, match, terms, "note", by, text, about)
    if not isinstance(write, Write):
        return write
    if not text.strip():
        return Unfit(Text("match.no_words"))
    if not 0 <= about <= write.match.version:
        return Unfit(Text("match.no_entry", {"entry": about, "last": write.match.version}))
    return write.record(write.match.table, E.Noted(at=write.at, by=by, text=text, about=about))


def note_refusal(
    store: Store, match: str, by: str, words: str, clause: Clause = BY_HAND, **terms: Unpack[Terms]
) -> Answer:
    """Record that a command was refused because of hidden cards. Judges see it, and every third one calls a judge. The
    refusal reveals something about hidden cards to the sender, so it must leave an entry."""
    write = begin(store, match, terms, "note_refusal", by, words, clause)
    if not isinstance(write, Write):
        return write
    before = write.match
    message = Text("remark.impossible_by" if clause else "remark.impossible", {"clause": clause} if clause else {})
    notes = [E.Noted(at=write.at, by=by, text=write_remark("impossible", message, words), about=before.version)]
    if (count := count_impossible(before.entries) + 1) % CALLS_AT == 0:
        calls = write_remark("call", Text("remark.call_impossible", {"n": count}))
        notes.append(E.Noted(at=write.at, by=by, text=calls, about=before.version + 1))
    return write.record(before.table, *notes)


def describe(store: Store, match: str, by: str, changes: Mapping[str, str], **terms: Unpack[Terms]) -> Answer:
    """Record the occasion of a match: fields of `Occasion`, and `announced`, the announced result. Fields that are not
    among the changes are kept."""
    write = begin(store, match, terms, "describe", by, dict(changes))
    if not isinstance(write, Write):
        return write
    if not changes:
        return Unfit(Text("occasion.nothing"))
    before = E.last_described(write.match.entries)
    texts = {**asdict(before.occasion), "announced": before.announced, **changes}
    announced, occasion = texts.pop("announced"), occasion_of(texts)
    if (wrong := check_occasion(occasion, announced)) is not None:
        return Unfit(wrong)
    return write.record(write.match.table, E.Described(at=write.at, by=by, occasion=occasion, announced=announced))


def close(
    store: Store, match: str, by: str, reason: str = "", *, abandon: bool = False, **terms: Unpack[Terms]
) -> Answer:
    """Complete the record and publish the croupier's seed. Nothing can be recorded afterwards. A match without a result
    must be given up (`abandon`), with a reason."""
    write = begin(store, match, terms, "close", by, reason, abandon)
    if not isinstance(write, Write):
        return write
    table = write.match.table
    if table.result is None and not (abandon and reason.strip()):
        return Unfit(Text("match.no_result", {"match": match}))
    return write.record(table, E.Closed(at=write.at, by=by, seed=(store.secret(match) or b"").hex(), reason=reason))
