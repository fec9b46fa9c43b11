"""Entries about a match besides its play, in words: disputes, rulings, penalties, pauses, broken seals, secrets."""

from collections.abc import Iterator, Mapping

from domain.law.disputes import Matter
from domain.law.docket import SECOND
from domain.law.game import Game
from domain.law.policy import NamedInBothLanguages
from domain.words import Lang, Message, say
from domain.words.lines import clock_time
from projections.penalties import SeenPenalty
from projections.phrases import Names, listed, seat_name
from projections.seen_entries import SeenEntry


def filed_words(game: Game, entry: SeenEntry, lang: Lang, names: Names) -> str:
    """Return a redacted entry in words: the text of its kind, then all other content."""
    match entry.seen:
        case "disputed" if entry.dispute:
            kind = "claimed"
        case "resumed" if entry.extension:
            kind = "extended"
        case "unsealed" if entry.until:
            kind = "unsealed_until"
        case "revealed" if not entry.secret:
            kind = "unrevealed"
        case kind:
            pass
    text = say(
        f"filed.{kind}",
        lang,
        by=seat_name(names, entry.by, lang),
        dispute=entry.dispute,
        matter=matter_words(entry.matter or Matter(), lang),
        outcome=say(f"outcome.{entry.outcome}", lang) if entry.outcome else "",
        extension=clock_time(entry.extension // SECOND),
        eyes=seat_name(names, entry.eyes, lang),
        until=clock_time((entry.until - entry.at) // SECOND),
        seat=seat_name(names, entry.seat, lang),
        secret=entry.secret,
    )
    more = tuple(_parts(entry, lang, names))
    return say("filed.more", lang, text=text, more=say("list.semicolon", lang).join(more)) if more else text


def _parts(entry: SeenEntry, lang: Lang, names: Names) -> Iterator[str]:
    for seat, text in entry.claims.items():
        yield say("filed.claim" if text else "filed.claim_hidden", lang, seat=seat_name(names, seat, lang), text=text)
    if entry.verdict is not None and entry.outcome in (None, "overturned"):
        verdict = say(f"ruling.{entry.verdict}", lang)
        clauses = listed(entry.clauses, lang)
        yield say("filed.by_clauses", lang, verdict=verdict, clauses=clauses) if clauses else verdict
        repair = entry.repair
        yield say(f"repair.{repair.kind if repair else 'leave'}", lang, to=repair.to if repair else 0)
    for penalty in entry.penalties:
        yield penalty_words(penalty, lang, names)
    yield from (text for text in (entry.reason,) if text)
    if entry.departure:
        yield say("filed.departure", lang, reason=entry.departure)
    if entry.opinion is not None and entry.opinion.law:
        clauses = listed(entry.opinion.clauses, lang)
        yield say("filed.opinion" if clauses else "filed.opinion_none", lang, clauses=clauses)


def matter_words(matter: Matter, lang: Lang) -> str:
    entry = say("stack.made", lang, n=matter.entry) if matter.entry else ""
    return listed((entry, f"u{matter.thing}" if matter.thing else "", matter.clause), lang)


def penalty_words(penalty: SeenPenalty, lang: Lang, names: Names) -> str:
    step = _word(penalty.step, penalty.step_words, lang)
    infraction = _word(penalty.infraction, penalty.infraction_words, lang)
    key = "" if not infraction else "_for" if infraction == penalty.infraction else "_as"
    return say(f"filed.penalty{key}", lang, seat=seat_name(names, penalty.seat, lang), step=step, infraction=infraction)


def _word(id: str, words: Message | None, lang: Lang) -> str:
    """Return the name of a step or infraction with its language-independent id, or the id alone."""
    word = "" if words is None else words.say(lang)
    return say("filed.named", lang, word=word, id=id) if word and word != id else id


def list_words(named: Mapping[str, NamedInBothLanguages], lang: Lang) -> list[tuple[str, str]]:
    """Return the steps or infractions of a policy by id, in words."""
    return [(id, _word(id, each.words, lang)) for id, each in named.items()]
