"""What is always offered: something else that happened, chance by hand, and the match's end."""

from typing import Any

from cli.play.another import back_to, resolved
from cli.play.going_back import finish, undo_to
from cli.play.naming import items
from cli.play.offering import answer_to
from cli.play.picking import Back, Item
from cli.play.session import Session
from domain.formats.actions import parse_action
from domain.formats.errors import FormatError
from domain.formats.facts import TYPES, parse_fact
from domain.formats.names import Eyes, RealCards
from domain.law.clause import Refusal, Telling
from domain.law.driver import decide
from domain.law.slots import Action, NamedSlot, slots
from domain.law.unseen import unseen
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.facts import Marked, Moved, Stanced
from domain.table.table import CHANCE, CardId, Seat, whose, zone
from projections.phrases import result_words
from recorder import matches
from recorder.answers import Advanced, Unavailable
from recorder.clock import now

DIGITS_MAX = 18
"""How many digits a typed number has at most."""
FACTS_MAX = 50
"""How many facts are entered by hand at a time."""


def something_else(session: Session) -> None:
    """An action that is not offered, facts, a note, or chance by hand."""
    now_by = session.say("yes" if session.by_hand else "no")
    extra = {key: session.say(f"play.other.{key}", now=now_by) for key in "afxnc"}
    match session.picker.choose(session.say("play.other"), {}, extra=extra):
        case "a":
            _any_action(session)
        case "f":
            _facts(session)
        case "x":
            _another_card(session)
        case "n":
            text = session.text(session.say("play.note"))
            if not text:
                raise Back
            finish(session, lambda: matches.note(session.store, session.found.id, session.by, text, at=now()))
        case _:
            session.by_hand = not session.by_hand
            session.keys.clear()


def _first_of(session: Session) -> Seat:
    awaited = session.found.game.awaited(session.table)
    return session.preferred or next((seat for seat in session.ours if seat in awaited), session.ours[0])


# Any action


def _any_action(session: Session) -> None:
    while True:
        text = session.text(session.say("play.action"))
        if not text:
            raise Back
        if text == "?":
            _list_verbs(session)
            continue
        if _typed(session, _first_of(session), text):
            return


def _list_verbs(session: Session) -> None:
    parts = []
    for one in session.found.game.action_types:
        named = " ".join(slot.name for slot in slots(one))
        parts.append(f"{one.__struct_config__.tag} {named}".strip())
    session.paper.line("; ".join(parts))


def _typed(session: Session, actor: Seat, text: str) -> bool:
    """Record an action in notation, as played if the law refuses it. False if the text cannot be read."""
    eyes = None if session.all_ours else Eyes(session.physics, actor)
    faces: dict[CardId, str | None] = {}
    real = RealCards(session.physics, faces) if unseen(session.table) else None
    try:
        found = session.found
        who, action = parse_action(
            found.game, session.table, text, actor=actor, eyes=eyes, names=found.opened.names, real=real
        )
    except FormatError as error:
        session.complain(session.desk.mistyped(text, error))
        return False
    if not session.all_ours and who not in session.ours:
        session.line("play.all_seats")
        return False
    session.submit(who, action, faces=faces)
    return True


def refused_verb(session: Session, actor: Seat, tag: str) -> None:
    """A verb whose key was pressed though it is not offered: why not, and whether it was done all the same."""
    game = session.found.game
    action_type = next(one for one in game.action_types if one.__struct_config__.tag == tag)
    if not unseen(session.table) and not _wanted_all_the_same(session, actor, tag, action_type):
        session.let_go()
        return
    values = ""
    if slots(action_type):
        named = " ".join(one.name for one in slots(action_type))
        values = session.text(session.say("play.values", verb=f"{tag} {named}"))
    if not _typed(session, actor, f"{tag} {values}".strip()):
        session.let_go()


def _wanted_all_the_same(session: Session, actor: Seat, tag: str, action_type: type[Action]) -> bool:
    session.line("play.not_now", verb=session.word(tag))
    try:
        bare = action_type()
    except TypeError:
        bare = None
    if bare is not None:
        outcome = decide(session.found.law, session.table, actor, bare)
        if isinstance(outcome, Refusal):
            session.explain(outcome)
    return session.sure(session.word(tag), session.say("play.type_it"))


# Facts


def _facts(session: Session) -> None:
    if not session.all_ours:
        session.line("play.all_seats")
        raise Back
    told: list[Telling] = []
    draft = Draft(session.table)
    while len(told) < FACTS_MAX:
        text = session.text(session.say("play.facts", n=len(told) + 1))
        if not text:
            break
        words = text.removeprefix("+ ").strip()
        if words.partition(" ")[0] in TYPES and words.partition(" ")[2].partition(" ")[0] not in TYPES:
            words = f"- {words}"
        try:
            clause, fact = parse_fact(words, session.table, session.found.opened.schema)
        except FormatError as error:
            session.complain(session.desk.mistyped(words, error))
            continue
        if clause and clause not in session.found.game.rulebook.clauses:
            session.line("play.no_clause", clause=clause)
            continue
        if (why := session.physics.wrong(draft, fact)) is not None:
            session.line("cli.impossible", number=len(told) + 1, fact=fact.__struct_config__.tag, detail=why)
            continue
        apply(draft, fact)
        told.append((clause, fact))
    if not told:
        raise Back
    _correct(session, tuple(told), session.say("play.reason_fact"))


def _correct(session: Session, told: tuple[Telling, ...], usual: str) -> None:
    reason = session.text(session.say("play.reason"), [f"[{session.say('play.enter')}] {usual}"]) or usual
    version = session.found.version
    finish(
        session,
        lambda: matches.correct(session.store, session.found.id, session.by, reason, told, expected=version, at=now()),
    )


def _another_card(session: Session) -> None:
    """A card is not the one the record has there: the two change places in the record."""
    if not session.all_ours:
        session.line("play.all_seats")
        raise Back
    one = _card(session, session.say("play.card_recorded"))
    other = _card(session, session.say("play.card_real"), session.table.pieces[one].owner)
    pieces, places = session.table.pieces, session.table.places
    here, there = pieces[one], pieces[other]
    if one == other or here.owner != there.owner or here.place == there.place:
        session.line("play.other_deck", one=here.face or "?", other=there.face or "?")
        raise Back
    if to := back_to(session, one):
        undo_to(session, to)
        return
    clause = session.found.game.by_hand
    told: list[Telling] = [
        (clause, Moved((one,), there.place, places[there.place].index(other), there.up)),
        (clause, Moved((other,), here.place, places[here.place].index(one), here.up)),
    ]
    for card, piece in ((other, here), (one, there)):
        told += [(clause, Stanced((card,), piece.stance))] if piece.stance else []
        told += [(clause, Marked((card,), name, n)) for name, n in piece.marks.items()]
    _correct(session, tuple(told), session.say("play.reason_card", one=there.face or "?", other=here.face or "?"))


def _card(session: Session, head: str, owner: Seat | None = None) -> CardId:
    while True:
        text = session.text(head)
        if not text:
            raise Back
        try:
            return resolved(session, text, _first_of(session), owner)
        except FormatError as error:
            session.complain(session.desk.mistyped(text, error))


# Chance


def chance(session: Session) -> bool:
    """Let chance be answered: by the croupier, or by hand. False if nobody here can."""
    if not session.by_hand or session.found.undealt:
        done = session.safely(lambda: matches.advance(session.store, session.found.id, now()))
        if isinstance(done, Advanced) and done.entries:
            session.refresh_quietly()
            session.followed(done.version - len(done.entries) + 1, done.entries)
            return True
        if isinstance(done, Unavailable):
            session.line("cli.no_croupier", match=session.found.id)
        elif done is not None and not isinstance(done, Advanced):
            session.trouble(done)
        session.by_hand = session.all_ours
    if not session.all_ours:
        return False
    action = _drawn(session)
    if action is None and not session.croupier:
        raise Back
    if action is None:
        session.by_hand = False
        done = chance(session)
        session.by_hand = True
        session.keys.clear()
        return done
    session.submit(CHANCE, action)
    return True


def _drawn(session: Session) -> Action | None:
    """What chance brought, typed; None lets the croupier draw."""
    frame = next(one for one in session.table.asked if one.by == CHANCE)
    types = {str(one.__struct_config__.tag): one for one in session.found.game.action_types}
    action_type = types[answer_to(session.found.game, frame.kind)]
    values: dict[str, Any] = {}
    seat: Seat | None = None
    for one in slots(action_type):
        if one.slot.kind == "seat" and frame.seats:
            values[one.name] = seat = frame.seats[0]
        elif one.slot.kind == "order":
            found = _order(session, frame.kind, one, seat)
            if found is None:
                return None
            values[one.name] = found
        else:
            values[one.name] = _outcome(session, frame.kind, one)
            if values[one.name] is None:
                return None
    return action_type(**values)


def _order(session: Session, kind: str, one: NamedSlot, seat: Seat | None) -> tuple[CardId, ...] | None:
    if session.found.undealt:
        return ()
    pile = [
        card
        for place, cards in session.table.places.items()
        if zone(place) in one.slot.areas and (seat is None or whose(place) == seat)
        for card in cards
    ]
    while True:
        key = "play.chance" if session.croupier else "play.chance_unseen"
        text = session.text(session.say(key, verb=session.word(kind), what=seat or session.word(one.name)))
        if not text:
            return None if session.croupier else ()
        order: list[CardId] = []
        unknown = ""
        for face in text.upper().replace(",", " ").split():
            left = (
                card for card in pile if card not in order and (session.table.pieces[card].face or "").upper() == face
            )
            card = next(left, None)
            if card is None:
                unknown = face
                break
            order.append(card)
        if not unknown:
            return (*order, *(card for card in pile if card not in order))
        session.line("play.no_face", face=unknown)


def _outcome(session: Session, kind: str, one: NamedSlot) -> Any:
    """A seat, a word, a yes or no, or a number that chance brought."""
    values: tuple[Any, ...]
    match one.slot.kind:
        case "seat":
            values = session.found.opened.seats
        case "flag":
            values = (False, True)
        case "word":
            values = one.slot.words
        case _:
            text = session.text(session.say("play.chance_text", verb=session.word(kind), what=session.word(one.name)))
            return int(text) if text.isdecimal() and len(text) <= DIGITS_MAX else None
    listed = items(session.seen(session.ours[0]), session.physics, one.slot.kind, values, session.paper.lang)
    numbered: dict[int, Item] = dict(enumerate(listed, start=1))
    head = session.say("play.chance_text", verb=session.word(kind), what=session.word(one.name))
    got = session.picker.choose(head, numbered, enter=session.say("play.chance_draws") if session.croupier else "")
    return numbered[got].value if got else None


# The end


def over(session: Session) -> bool:
    """Nobody is awaited any more: the record may be closed. False to end the session."""
    result = session.table.result
    if result is not None:
        session.paper.line(result_words(session.found.game, result, session.paper.lang))
    head = session.say("play.over")
    session.picker.choose(head, {}, extra={"c": session.say("play.close")})
    reason = "" if result is not None else session.text(session.say("play.abandon"))
    if result is None and not reason:
        raise Back
    if not session.sure(session.say("play.close_sure"), session.say("play.close")):
        return not session.let_go()
    store, found, by = session.store, session.found, session.by
    closed = finish(
        session,
        lambda: matches.close(store, found.id, by, reason, expected=found.version, at=now(), abandon=result is None),
    )
    return not closed
