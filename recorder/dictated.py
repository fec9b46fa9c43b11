"""Real cards: faces are named as they show, first those an action names, then each that is wanted."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.law.clause import Refusal
from domain.law.driver import decide, decide_as_played
from domain.law.entries import Opened, Played, Undealt
from domain.law.game import Game
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.slots import Action, slots
from domain.law.unseen import Faces, FaceWanted, decide_seen, hide_faces, not_there, of_real_cards
from domain.table.physics import physics_of
from domain.table.table import CHANCE, CardId, Seat, Table
from domain.words import Text
from recorder import chance, codec
from recorder.answers import Unfit


def undealt(opened: Opened) -> Undealt:
    """The first entry of a match whose cards lie on a real table."""
    told = hide_faces(physics_of(opened.schema), opened.told, opened.seats)
    return Undealt(**{**asdict(opened), "told": told, "commitment": ""})


class Dictated(Struct, frozen=True):
    """An outcome, and the faces that nothing has shown yet."""

    outcome: Accepted | Refusal
    left: tuple[str, ...] = ()


def decide_dictated(
    law: Law,
    opened: Opened,
    table: Table,
    actor: Seat,
    action: Action,
    faces: Faces,
    shows: Sequence[str],
    as_played: bool = False,
) -> Dictated | FaceWanted | Unfit:
    """Decide an action; each card whose face is wanted is the next of `shows`."""
    if not (faces or shows or of_real_cards(table, actor, action)):
        return Dictated((decide_as_played if as_played else decide)(law, table, actor, action))
    physics, seen, left = physics_of(opened.schema), dict[CardId, str | None](), list(shows)
    known = table
    for card, face in faces.items():
        if (unfit := _odd(law.game, opened, known, card, face)) is not None:
            return unfit
        seen[card] = face
        known = known if face is None else _with(known, card, face)
    while True:
        outcome = decide_seen(law, physics, table, actor, action, seen, as_played)
        if not isinstance(outcome, FaceWanted):
            return Dictated(outcome, tuple(left))
        if not left:
            return outcome
        face = left.pop(0)
        if (unfit := _odd(law.game, opened, known, outcome.card, face)) is not None:
            return unfit
        seen[outcome.card], known = face, _with(known, outcome.card, face)


def _with(table: Table, card: CardId, face: str) -> Table:
    return table.but(pieces={**table.pieces, card: replace(table.pieces[card], face=face)})


def _odd(game: Game, opened: Opened, table: Table, card: CardId, face: str | None) -> Unfit | None:
    why = None if face is None else not_there(game, opened, table, card, face)
    return None if why is None else Unfit(why)


def shuffles(
    law: Law, opened: Opened, table: Table, shows: Sequence[str], at: int
) -> tuple[tuple[Played, ...], Table, tuple[str, ...]]:
    """The shuffles chance is asked for now, one entry each: they are done, and nobody knows how the cards lie.

    It ends where something else is asked of chance, or where faces show that are not among `shows`.
    """
    entries: list[Played] = []
    left = tuple(shows)
    while CHANCE in law.game.awaited(table) and len(entries) < chance.IN_A_ROW_MAX:
        drawn = law.chance(table, lambda n: 0)
        action = None if drawn is None else unordered(drawn)
        if action is None:
            break
        dictated = decide_dictated(law, opened, table, CHANCE, action, {}, left)
        if not isinstance(dictated, Dictated) or isinstance(dictated.outcome, Refusal):
            break
        left, table = dictated.left, dictated.outcome.table
        entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=dictated.outcome.told, at=at))
    return tuple(entries), table, left


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
    """What chance is asked behind entry `version`, by the croupier or with real cards; the faces that did not show.

    Without a seed chance answers nothing.
    """
    if isinstance(opened, Undealt):
        return shuffles(law, opened, table, shows, at)
    if seed is None:
        return (), table, shows
    return *chance.answers(law, table, match=match, seed=seed, version=version, at=at), shows


def unordered(action: Action) -> Action | None:
    """A shuffle without its order; None if it is none."""
    orders = {slot.name: () for slot in slots(type(action)) if slot.slot.kind == "order"}
    return replace(action, **orders) if orders else None


def not_shown(left: Sequence[str]) -> Unfit:
    """Faces were named that nothing shows."""
    return Unfit(Text("seen.not_shown", {"faces": " ".join(left)}))
