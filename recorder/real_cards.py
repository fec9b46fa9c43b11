"""Decide actions with real cards, whose faces are entered as they are revealed."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.formats.faces import read_face, split_faces
from domain.law.clause import ClauseCheck, Refusal
from domain.law.driver import decide, decide_as_played
from domain.law.entries import Opened, Played, Undealt
from domain.law.face_request import FaceRequest
from domain.law.game import UNKNOWN_FACE, Game
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.slots import Action, cards_of, slots
from domain.law.unseen import (
    NO_FACES,
    RealCardAction,
    explain_impossible_face,
    faces_left,
    hide_faces,
    needs_seen_faces,
    unknown_lies_open,
    with_faces,
)
from domain.law.worlds import Worlds, decide_worlds
from domain.table.physics import physics_of
from domain.table.table import CHANCE, CardId, Table
from domain.words import Text
from recorder import chance, codec
from recorder.answers import PossibleOutcome, Undetermined, Unfit


def hide_dealt_cards(opened: Opened) -> Undealt:
    """Return the opening of a match with cards on a real table."""
    hidden = hide_faces(physics_of(opened.schema), opened.told, opened.seats)
    return Undealt(**{**asdict(opened), "told": hidden, "commitment": ""})


class DictationOutcome(Struct, frozen=True):
    """An outcome and the faces not used yet, with the last requested card and the faces before it."""

    outcome: Accepted | Refusal
    left: tuple[str, ...] = ()
    wanted: FaceRequest | None = None
    before: tuple[str, ...] = ()


def decide_with_faces(
    play: RealCardAction, shows: Sequence[str], hidden: Collection[CardId] = ()
) -> DictationOutcome | FaceRequest | Undetermined | Unfit:
    """Decide an action, taking each requested face from `shows`; `?` is a face that no player saw. Where the law reads
    only part of a face, `?` and an area (`?hand`) is an unseen card that was seen going there.

    With unseen faces the action is decided in all possible worlds. It is determined only if every world that allows it
    has the same outcome. An Unfit names the card of a refused face and the other faces. `hidden` cards are known to the
    log but not on this table, so `shows` has no face for them. Each is assumed to have any possible face. If a card of
    the action stays face down and any face is allowed, no face is requested for it.
    """
    law, opened, table = play.law, play.opened, play.table
    if not (play.faces or shows or needs_seen_faces(table, play.actor, play.action)):
        return DictationOutcome((decide_as_played if play.as_played else decide)(law, table, play.actor, play.action))
    left = list(split_faces(law.game, shows))
    named, unseen_cards = tuple(left), {card for card, face in play.faces.items() if face == UNKNOWN_FACE}
    seen = {card: face for card, face in play.faces.items() if card not in unseen_cards}
    known = _name_faces(play)
    if isinstance(known, Unfit):
        return known
    request: FaceRequest | None = None
    before: tuple[str, ...] = ()
    assumed, areas = dict[CardId, str](), dict[CardId, str]()
    first_unnamed: tuple[FaceRequest, tuple[str, ...], tuple[str, ...]] | None = None
    while True:
        unseen = replace(play, faces=seen, areas=areas)
        outcome = decide_unnamed(unseen, unseen_cards, assumed) if unseen_cards else unseen.decide(assumed)
        if isinstance(outcome, FaceRequest) and outcome.card in hidden:
            possible = faces_left(law.game, opened, with_faces(known, assumed), outcome.card)
            if not possible:
                return Undetermined((outcome.card,), 0, (), complete=False)
            assumed[outcome.card] = possible[0]
            continue
        if isinstance(outcome, Undetermined):
            return _at_first_unnamed(law.game, outcome, first_unnamed)
        if not isinstance(outcome, FaceRequest):
            return DictationOutcome(outcome, tuple(left), request, before)
        if only_area := _find_only_area(law.game, opened, with_faces(known, assumed), outcome):
            areas[outcome.card] = only_area
            continue
        if not left:
            if not _stays_unseen(unseen, outcome.card, unseen_cards, assumed):
                return outcome
            unseen_cards.add(outcome.card)
            continue
        request, before = outcome, named[: len(named) - len(left)]
        face = left.pop(0)
        area = _read_area(law.game, opened, with_faces(known, assumed), request, face)
        if isinstance(area, Text):
            return Unfit(area, request, before, tuple(left))
        if area:
            areas[request.card] = area
            if not _area_of_revealed(law.game, request):
                unseen_cards.add(request.card)
            continue
        read = read_face(law.game, face)  # an unreadable face is reported as it was typed
        unfit = Unfit(read) if isinstance(read, Text) else _check_face(law.game, opened, known, outcome.card, face)
        if unfit is not None:
            return replace(unfit, wanted=request, before=before, after=tuple(left))
        if face == UNKNOWN_FACE:
            unseen_cards.add(outcome.card)
            first_unnamed = first_unnamed or (request, before, tuple(left))
        else:
            seen[outcome.card], known = face, with_faces(known, {outcome.card: face})


def _find_only_area(game: Game, opened: Opened, table: Table, request: FaceRequest) -> str:
    """Return the area of an unseen card if each face that it can have leads there; '' if one of them would be
    revealed, or if the law does not ask for that."""
    area, split = _area_of_revealed(game, request), game.face_split(request.purpose)
    if split is None or not area:
        return ""
    leads_to = set(map(split.leads_to, faces_left(game, opened, table, request.card)))
    return area if leads_to <= {area} else ""


def _area_of_revealed(game: Game, request: FaceRequest) -> str:
    """Return the area of unseen cards if the law asks only whether a card is revealed; '' for another request."""
    split = game.face_split(request.purpose)
    return split.other_area if split is not None and not split.area else ""


def _read_area(game: Game, opened: Opened, table: Table, request: FaceRequest, face: str) -> str | Text:
    """Return the area that an unseen card was seen going to; '' for a face. Return a message if it cannot go there."""
    split, area = game.face_split(request.purpose), face.removeprefix(UNKNOWN_FACE)
    if face == UNKNOWN_FACE:
        area = _area_of_revealed(game, request) or area
    if split is None or area == face or area not in split.areas:
        return ""
    if area not in map(split.leads_to, faces_left(game, opened, table, request.card)):
        return Text("seen.cannot_go", {"area": game.rulebook.both_words(area)})
    return area


def _name_faces(play: RealCardAction) -> Table | Unfit:
    """Return the table with the faces that the action gives to its cards, or which of them is impossible."""
    known = play.table
    for card, face in play.faces.items():
        if (unfit := _check_face(play.law.game, play.opened, known, card, face)) is not None:
            return unfit
        known = known if face in (None, UNKNOWN_FACE) else with_faces(known, {card: face})
    return known


def _stays_unseen(
    play: RealCardAction, card: CardId, unseen_cards: Collection[CardId], known: Mapping[CardId, str]
) -> bool:
    """True if a card of the action can stay unseen: the action is allowed in all worlds, with one outcome that leaves
    the card face down."""
    if card not in cards_of(play.action):
        return False
    done = decide_unnamed(play, {*unseen_cards, card}, known)
    return isinstance(done, Accepted) and not done.violations and not unknown_lies_open(play.physics, done.table)


def _at_first_unnamed(
    game: Game, outcome: Undetermined, first: tuple[FaceRequest, tuple[str, ...], tuple[str, ...]] | None
) -> Undetermined:
    """Return the outcome with the first card answered with `?`, and the areas that it may have gone to."""
    if first is None:
        return outcome
    split = game.face_split(first[0].purpose)
    outcome = replace(outcome, areas=split.areas if split is not None else ())
    return replace(outcome, unnamed=Unfit(outcome.what, *first))


def decide_unnamed(
    unseen: RealCardAction, unseen_cards: Collection[CardId], known: Mapping[CardId, str] = NO_FACES
) -> Accepted | Refusal | FaceRequest | Undetermined:
    """Return the outcome shared by all worlds of the unseen cards, or all possible outcomes."""
    worlds = decide_worlds(unseen, lambda card: card in unseen_cards, known)
    if isinstance(worlds, FaceRequest):
        return worlds
    outcomes = [world.outcome for world in worlds.worlds]
    allowed = [outcome for outcome in outcomes if isinstance(outcome, Accepted) and not outcome.violations]
    accepted = allowed or [outcome for outcome in outcomes if isinstance(outcome, Accepted)]
    if not worlds.complete and not outcomes:
        return Undetermined((), 0, (), complete=False, lies_open=True)
    if not worlds.complete or not outcomes or any(outcome.told != accepted[0].told for outcome in accepted):
        return _undetermined(worlds)
    if accepted and not unseen.law.game.asks_open and unknown_lies_open(unseen.physics, accepted[0].table):
        return replace(_undetermined(worlds), complete=False, lies_open=True)
    if not accepted:
        return _merge_refusals(worlds)
    broken = set(accepted[0].violations).intersection(*(outcome.violations for outcome in accepted))
    if accepted[0].violations and not broken:
        return _undetermined(worlds)
    return replace(accepted[0], violations=tuple(clause for clause in accepted[0].violations if clause in broken))


def _undetermined(worlds: Worlds) -> Undetermined:
    ways: dict[bytes, PossibleOutcome] = {}
    for world in worlds.worlds:
        outcome = world.outcome
        way = (
            PossibleOutcome(1, outcome.told)
            if isinstance(outcome, Accepted)
            else PossibleOutcome(1, refused=outcome.clause)
        )
        key = msgspec.msgpack.encode(way)
        ways[key] = replace(way, worlds=ways[key].worlds + 1) if key in ways else way
    likely = tuple(sorted(ways.values(), key=lambda way: -way.worlds))
    return Undetermined(worlds.cards, len(worlds.worlds), likely, worlds.complete)


def _merge_refusals(worlds: Worlds) -> Refusal:
    """Return the refusal of all worlds, by the clause that most of them share, without details of single worlds."""
    refusals = [world.outcome for world in worlds.worlds if isinstance(world.outcome, Refusal)]
    (clause, _), *_ = Counter(refusal.clause for refusal in refusals).most_common()
    alike = [refusal for refusal in refusals if refusal.clause == clause]
    trail = alike[0].trail if all(refusal.trail == alike[0].trail for refusal in alike) else ()
    return Refusal(clause, trail or (ClauseCheck(clause, False),), all(refusal.by_hand for refusal in alike))


def _check_face(game: Game, opened: Opened, table: Table, card: CardId, face: str | None) -> Unfit | None:
    if face is None or (face == UNKNOWN_FACE and card in table.pieces and table.pieces[card].face is None):
        return None
    why = explain_impossible_face(game, opened, table, card, face)
    return None if why is None else Unfit(why)


def record_shuffles(
    law: Law, opened: Opened, table: Table, shows: Sequence[str], at: int, hidden: Collection[CardId] = ()
) -> tuple[tuple[Played, ...], Table, tuple[str, ...]]:
    """Return the shuffles that chance has to do, one entry each. The resulting order is unknown. The list ends when
    chance is asked something else, or a revealed face is not in `shows`. For `hidden` see `decide_with_faces`."""
    entries: list[Played] = []
    left, physics = tuple(shows), physics_of(opened.schema)
    while CHANCE in law.game.awaited(table) and len(entries) < chance.ANSWERS_MAX:
        draw = law.chance(table, lambda n: 0)
        action = None if draw is None else unordered(draw)
        if action is None:
            break
        play = RealCardAction(law, physics, opened, table, CHANCE, action, {})
        dictation = decide_with_faces(play, left, hidden)
        if not isinstance(dictation, DictationOutcome) or isinstance(dictation.outcome, Refusal):
            break
        left, table = dictation.left, dictation.outcome.table
        entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=dictation.outcome.told, at=at))
    return tuple(entries), table, left


def missing_outcome(
    law: Law, opened: Opened, table: Table, shows: Sequence[str], hidden: Collection[CardId] = ()
) -> FaceRequest | Undetermined | Unfit:
    """Return what the next outcome of chance on a real table waits for: a face, or an action that names the outcome."""
    draw = law.chance(table, lambda n: 0)
    action = None if draw is None else unordered(draw)
    if action is None:
        verbs = [
            law.game.display.answers.get(question.kind, question.kind)
            for question in table.asked
            if question.by == CHANCE
        ]
        return Unfit(Text("chance.at_the_table", {"what": law.game.rulebook.both_words(verbs[0]) if verbs else "-"}))
    play = RealCardAction(law, physics_of(opened.schema), opened, table, CHANCE, action, {})
    done = decide_with_faces(play, shows, hidden)
    if isinstance(done, FaceRequest | Undetermined | Unfit):
        return done
    return (
        unused_faces_error(shows)
        if isinstance(done, DictationOutcome) and done.left
        else Unfit(Text("chance.not_asked"))
    )


def answer_chance(
    law: Law,
    opened: Opened,
    table: Table,
    *,
    match: str,
    seed: bytes | None,
    version: int,
    at: int,
    shows: Sequence[str] = (),
) -> tuple[tuple[Played, ...], Table, Sequence[str]]:
    """Return the answers of chance after entry `version`, the final table, and the unused faces. Without a seed, dealt
    cards give no answers."""
    if isinstance(opened, Undealt):
        return record_shuffles(law, opened, table, shows, at)
    if seed is None:
        return (), table, shows
    return *chance.answers(law, table, match=match, seed=seed, version=version, at=at), shows


def unordered(action: Action) -> Action | None:
    """Return a shuffle without its order, or None for another action."""
    orders = {slot.name: () for slot in slots(type(action)) if slot.slot.kind == "order"}
    return replace(action, **orders) if orders else None


def unused_faces_error(left: Sequence[str]) -> Unfit:
    return Unfit(Text("seen.not_shown", {"faces": " ".join(left)}))
