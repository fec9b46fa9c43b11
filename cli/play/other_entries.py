"""Other entries of a session: typed actions, manual facts, notes, manual chance, and the end of a match."""

from contextlib import suppress

from cli.play.labels import ending_verbs, form_of, items
from cli.play.omissions import correct_omission
from cli.play.picker import Back, Item
from cli.play.rewinds import correct, finish, go_to, need_all, plan_undo
from cli.play.session import PlaySession
from domain.formats.actions import parse_action
from domain.formats.errors import FormatError
from domain.formats.faces import read_learned, split_faces
from domain.formats.facts import parse_fact
from domain.formats.names import RealCards, resolve_card
from domain.formats.sentences import to_notation
from domain.formats.typed import TypedAction, with_clause
from domain.judging.incomplete import find_incomplete
from domain.law.clause import CitedFact, Refusal
from domain.law.driver import decide
from domain.law.entries import Played, line
from domain.law.offers import Template
from domain.law.slots import Action, NamedSlot, cards_of, slots, verb
from domain.law.unseen import has_unknown_faces
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.facts import Marked, Moved, Stanced
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, JUDGE, LANES, CardId, Seat, lane, seat_of, zone
from projections.phrases import effect_words, frame_words
from projections.verb_keys import answer_to
from recorder import matches
from recorder.answers import Advanced, Unavailable
from recorder.clock import read_wall_clock


def find_rewind_target(session: PlaySession, card: CardId) -> int:
    """Return the entry to undo so that a card in use can be entered again; 0 to change only the cards.

    The uses of the card are listed first.
    """
    what = _list_uses(session, card)
    entry = _find_entry(session, card)
    if not what or not entry:
        return 0
    listed = session.say("list.comma").join(what)
    session.print_message("play.carries", card=session.table.pieces[card].face or "?", what=listed)
    back, keep = session.say("play.carries_undo", entry=entry), session.say("play.carries_keep")
    chosen = session.picker.choose(session.say("play.carries_how"), {}, enter=back, extra={"k": keep})
    return 0 if chosen == "k" else entry


def _list_uses(session: PlaySession, card: CardId) -> list[str]:
    table, game, lang = session.table, session.match.game, session.paper.lang
    effects = [effect for effect in table.effects if effect.source.card == card]
    frames = [frame for name in LANES if name != "asked" for frame in lane(table, name) if card in frame.cards]
    return [
        *(effect_words(game, session.eyes.effect(table, effect), lang, session.match.names) for effect in effects),
        *(frame_words(game, session.eyes.frame(table, frame), lang, session.match.names) for frame in frames),
    ]


def _find_entry(session: PlaySession, card: CardId) -> int:
    entries, decode = session.match.entries, session.match.game.decoder().decode
    for at in reversed(line(entries)):
        entry = entries[at - 1]
        if not isinstance(entry, Played) or entry.actor not in session.match.opening.seats:
            continue
        if card in cards_of(decode(entry.action)):
            return at
    return 0


def resolve(session: PlaySession, text: str, actor: Seat, owner: Seat | None) -> CardId:
    """Return the card a text means, with its owner's deck first. Raises FormatError."""
    if owner is not None:
        with suppress(FormatError):
            return resolve_card(session.table, f"{owner}:{text}", owner)
    return resolve_card(session.table, text, actor, places=session.places)


DIGITS_MAX = 18
FACTS_MAX = 50


def ask_other_entry(session: PlaySession) -> None:
    """Ask for an action that is not offered, facts, a note, or manual chance."""
    now_by = session.say("yes" if session.by_hand else "no")
    endings = _endings(session)
    extra = {key: session.say(f"play.other.{key}", now=now_by) for key in ("amfxnce" if endings else "amfxnc")}
    does = {
        "e": _end,
        "a": _any_action,
        "m": correct_omission,
        "f": _facts,
        "x": _another_card,
        "n": _note,
        "c": _toggle_manual_chance,
    }
    does[session.picker.choose(session.say("play.other"), {}, extra=extra)](session)


def omit_ending_verbs(session: PlaySession, verbs: dict[str, list[Template]]) -> dict[str, list[Template]]:
    """Return the verbs without those that end the match, which have no key of their own."""
    ends = ending_verbs(session.match.game)
    return {name: templates for name, templates in verbs.items() if name not in ends}


def _endings(session: PlaySession) -> list[Item]:
    items = list[Item]()
    for actor in session.ours:
        for template in session.match.law.offers(session.table, actor):
            if template.action.ends_match and not template.choices:
                name, word = session.list_names((actor,)), session.word(template.verb)
                items.append(Item((actor, template.action(**dict(template.fixed))), f"{name}: {word}", (actor,)))
    return items


def _end(session: PlaySession) -> None:
    listed = dict(enumerate(_endings(session), start=1))
    actor, action = listed[session.picker.choose(session.say("play.ending"), listed)].value
    session.submit(actor, action)


def _note(session: PlaySession) -> None:
    text = session.need(session.say("play.note"))
    finish(session, lambda: matches.note(session.store, session.match.id, session.by, text, at=read_wall_clock()))


def _toggle_manual_chance(session: PlaySession) -> None:
    session.by_hand = not session.by_hand
    session.keys.clear()


def _default_actor(session: PlaySession) -> Seat:
    awaited = session.match.game.awaited(session.table)
    return session.preferred or next((seat for seat in session.ours if seat in awaited), session.ours[0])


# Typed actions


def _any_action(session: PlaySession) -> None:
    while True:
        text = session.need(session.say("play.action"))
        if text == "?":
            session.paper.line("; ".join(map(form_of, session.match.game.action_types)))
        elif _record_typed(session, _default_actor(session), text):
            return


def _record_typed(session: PlaySession, actor: Seat, text: str) -> bool:
    """Record an action in notation, as played if the rules refuse it. Return False if it cannot be parsed."""
    eyes = TableViewer(session.physics, JUDGE if session.all_ours else actor)
    faces: dict[CardId, str | None] = {}
    real = RealCards(session.physics, faces) if has_unknown_faces(session.table) else None
    try:
        game, opened = session.match.game, session.match.opening
        notation = to_notation(session.match, session.table, text, eyes, actor)
        who, action = parse_action(
            game,
            session.table,
            notation,
            actor=actor,
            eyes=None if session.all_ours else eyes,
            names=opened.names,
            real=real,
            schema=opened.schema,
        )
    except FormatError as error:
        session.complain(session.ctx.mistyped(text, error))
        return False
    if not session.all_ours and who not in session.ours:
        session.print_message("play.all_seats")
        return False
    lacking = find_incomplete(session.match, session.table, text, eyes, TypedAction(who, action, faces=faces))
    if lacking.missing:
        line = session.ask_missing(lacking.missing, lacking.candidates, can_stand=lacking.can_stand)
        if line:
            return _record_typed(session, who, line)
    session.submit(who, action, faces=faces)
    return True


def refused_verb(session: PlaySession, actor: Seat, tag: str) -> None:
    """Explain why a verb is not offered, and ask whether it was done all the same."""
    action_type = next(kind for kind in session.match.game.action_types if verb(kind) == tag)
    if not has_unknown_faces(session.table) and not _confirm_illegal(session, actor, tag, action_type):
        session.discard_input()
        return
    values = session.text(session.say("play.values", verb=form_of(action_type))) if slots(action_type) else ""
    if not _record_typed(session, actor, f"{tag} {values}".strip()):
        session.discard_input()


def _confirm_illegal(session: PlaySession, actor: Seat, tag: str, action_type: type[Action]) -> bool:
    session.print_message("play.not_now", verb=session.word(tag))
    bare = None
    with suppress(TypeError):  # has required slots
        bare = action_type()
    if bare is not None and isinstance(refusal := decide(session.match.law, session.table, actor, bare), Refusal):
        session.explain(refusal)
    return session.confirm(session.word(tag), session.say("play.type_it"))


# Facts


def _facts(session: PlaySession) -> None:
    need_all(session)
    facts: list[CitedFact] = []
    draft = Draft(session.table)
    while len(facts) < FACTS_MAX:
        text = session.text(session.say("play.facts", n=len(facts) + 1))
        if not text:
            break
        words = with_clause(text)
        try:
            match = session.match
            parsed = parse_fact(words, session.table, match.opening.schema, match.game.display)
            clause, fact = read_learned(match.game, parsed)
        except FormatError as error:
            session.complain(session.ctx.mistyped(words, error))
            continue
        if clause and clause not in session.match.game.rulebook.clauses:
            session.print_message("play.no_clause", clause=clause)
            continue
        if (why := session.physics.explain_impossible(draft, fact)) is not None:
            session.print_message("cli.impossible", number=len(facts) + 1, fact=fact.__struct_config__.tag, detail=why)
            continue
        apply(draft, fact)
        facts.append((clause, fact))
    if not facts:
        raise Back
    correct(session, tuple(facts), session.say("play.reason_fact"))


def _another_card(session: PlaySession) -> None:
    need_all(session)
    recorded = _card(session, session.say("play.card_recorded"))
    real = _card(session, session.say("play.card_real"), session.table.pieces[recorded].owner)
    pieces, places = session.table.pieces, session.table.places
    recorded_piece, real_piece = pieces[recorded], pieces[real]
    if recorded == real or recorded_piece.owner != real_piece.owner or recorded_piece.place == real_piece.place:
        session.print_message("play.other_deck", one=recorded_piece.face or "?", other=real_piece.face or "?")
        raise Back
    if entry := find_rewind_target(session, recorded):
        go_to(session, plan_undo(session, entry))
        return
    clause = session.match.game.by_hand
    facts: list[CitedFact] = [
        (clause, Moved((recorded,), real_piece.place, places[real_piece.place].index(real), real_piece.up)),
        (clause, Moved((real,), recorded_piece.place, places[recorded_piece.place].index(recorded), recorded_piece.up)),
    ]
    for card, piece in ((real, recorded_piece), (recorded, real_piece)):
        facts += [(clause, Stanced((card,), piece.stance))] if piece.stance else []
        facts += [(clause, Marked((card,), name, n)) for name, n in piece.marks.items()]
    correct(
        session,
        tuple(facts),
        session.say("play.reason_card", one=real_piece.face or "?", other=recorded_piece.face or "?"),
    )


def _card(session: PlaySession, head: str, owner: Seat | None = None) -> CardId:
    while True:
        text = session.need(head)
        try:
            return resolve(session, text, _default_actor(session), owner)
        except FormatError as error:
            session.complain(session.ctx.mistyped(text, error))


# Chance


def chance(session: PlaySession) -> bool:
    """Resolve chance by the croupier or by hand. Return False if neither is possible here."""
    if not session.by_hand or session.match.undealt:
        done = session.safely(lambda: matches.advance(session.store, session.match.id, at=read_wall_clock()))
        if isinstance(done, Advanced) and done.entries:
            session.refresh_quietly()
            session.show_entries(done.version - len(done.entries) + 1, done.entries)
            return True
        if isinstance(done, Unavailable):
            session.print_message("cli.no_croupier", match=session.match.id)
        elif done is not None and not isinstance(done, Advanced):
            session.trouble(done)
        session.by_hand = session.all_ours
    if not session.all_ours:
        return False
    action = _ask_chance_action(session)
    if action is None and not session.croupier:
        raise Back
    if action is None:
        session.by_hand = False
        is_answered = chance(session)
        session.by_hand = True
        session.keys.clear()
        return is_answered
    session.submit(CHANCE, action)
    return True


def _ask_chance_action(session: PlaySession) -> Action | None:
    """Ask for the result of chance. None lets the croupier draw."""
    frame = next(frame for frame in session.table.asked if frame.by == CHANCE)
    types = {verb(kind): kind for kind in session.match.game.action_types}
    action_type = types[answer_to(session.match.game, frame.kind)]
    values: dict[str, object] = {}
    seat: Seat | None = None
    for named in slots(action_type):
        if named.slot.kind == "seat" and frame.seats:
            value: object = (seat := frame.seats[0])
        elif named.slot.kind == "order":
            value = _order(session, frame.kind, named, seat)
        else:
            value = _outcome(session, frame.kind, named)
        if value is None:
            return None
        values[named.name] = value
    return action_type(**values)


def _order(session: PlaySession, kind: str, named: NamedSlot, seat: Seat | None) -> tuple[CardId, ...] | None:
    if session.match.undealt:
        return ()
    pile = [
        card
        for place, cards in session.table.places.items()
        if zone(place) in named.slot.areas and (seat is None or seat_of(place) == seat)
        for card in cards
    ]
    while True:
        key = "play.chance" if session.croupier else "play.chance_unseen"
        text = session.text(session.say(key, verb=session.word(kind), what=seat or session.word(named.name)))
        if not text:
            return None if session.croupier else ()
        order: list[CardId] = []
        for face in split_faces(session.match.game, (text,)):
            unplaced = (card for card in pile if card not in order)
            card = next((card for card in unplaced if session.table.pieces[card].face == face), None)
            if card is None:
                session.print_message("play.no_face", face=face)
                break
            order.append(card)
        else:
            return (*order, *(card for card in pile if card not in order))


def _outcome(session: PlaySession, kind: str, named: NamedSlot) -> object:
    values: tuple[object, ...]
    head = session.say("play.chance_text", verb=session.word(kind), what=session.word(named.name))
    match named.slot.kind:
        case "seat":
            values = session.match.opening.seats
        case "flag":
            values = (False, True)
        case "word":
            values = named.slot.words
        case _:
            text = session.text(head)
            return int(text) if text.isdecimal() and len(text) <= DIGITS_MAX else None
    listed = items(
        session.actor_position(session.ours[0]), session.physics, named.slot.kind, values, session.paper.lang
    )
    numbered: dict[int, Item] = dict(enumerate(listed, start=1))
    got = session.picker.choose(head, numbered, enter=session.say("play.chance_draws") if session.croupier else "")
    return numbered[got].value if got else None


# The end


def offer_to_close(session: PlaySession) -> bool:
    """Offer to close a match without awaited seats. Return False to end the session."""
    result = session.table.result
    if (reason := session.ask_to_close(result)) is None:
        return not session.discard_input()
    about, version = (session.store, session.match.id, session.by, reason), session.match.version
    return not finish(
        session, lambda: matches.close(*about, expected=version, at=read_wall_clock(), abandon=result is None)
    )
