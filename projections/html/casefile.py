"""Case file as a page for screen and print."""

from collections.abc import Callable, Iterable
from typing import get_args

from domain.judging.audit import FindingKind
from domain.law.disputes import Verdict
from domain.law.record import Record
from domain.table.redact import SPECTATOR, View
from domain.words import LANGS, Lang, Message, say
from projections.board import render_board
from projections.casefile import CaseFile
from projections.docket_words import matter_words, penalty_words
from projections.findings import about_words, render_findings
from projections.html.drawing import draw
from projections.knowledge import CardSighting
from projections.moments import stamp
from projections.phrases import NO_NAMES, listed, occasion_words, seat_name, word
from projections.rows import Row, spaced
from projections.seen_entries import SeenEntry
from projections.timeline import TimelineEntry, entry_words
from projections.why import CheckSubject

CLOCK = "%H:%M:%S"
DAY = "%Y-%m-%d %H:%M UTC"


def to_html(file: CaseFile, record: Record, lang: Lang) -> bytes:
    """Return the page, which opens in language `lang`. It shows only what the file contains."""
    game, schema = record.game, record.opening.schema
    before = "before" if file.entry else "opened"

    def rows_of(view: View, lang: Lang) -> list[Row]:
        return render_board(view, record.law, schema, lang)

    def describe_entry(entry: SeenEntry, lang: Lang) -> TimelineEntry:
        return entry_words(game, entry, lang, record.names, left=entry.number in file.left)

    def describe_sight(sight: CardSighting, lang: Lang) -> str:
        who = say("who.everyone", lang) if sight.who == SPECTATOR else seat_name(record.names, sight.who, lang)
        faces = listed((word(game, face, lang) for face in sight.faces), lang)
        unseen = "some" if sight.number is None else "number"
        return say(f"casefile.saw.{'faces' if faces else unseen}", lang, who=who, faces=faces, n=sight.number)

    def about(named: Iterable[CheckSubject], lang: Lang) -> str:
        return listed((about_words(game, each, lang, record.names) for each in named if each.name), lang)

    def setting(key: str, value: str, lang: Lang) -> str:
        return game.rulebook.setting(key, value, lang)

    return draw(
        "casefile.html",
        lang,
        file=file,
        title=_both(game.rulebook.title.say),
        version=_both(lambda lang: game.rulebook.word(record.opening.version, lang)),
        boards=[(name, view) for name, view in ((before, file.before), ("after", file.after)) if view is not None],
        rows_of=rows_of,
        told=describe_entry,
        seen=describe_sight,
        about=about,
        setting=setting,
        key_words=lambda key, lang: word(game, key, lang),
        findings=lambda lang: render_findings(file.findings, record.law, lang, record.names),
        occasion=_both(lambda lang: occasion_words(file.occasion, "", lang)),
        matter=_both(lambda lang: matter_words(file.dispute.matter, lang)),
        penalty=lambda given, lang: penalty_words(given, lang, record.names),
        penalty_elsewhere=lambda given, lang: penalty_words(given, lang, NO_NAMES),
        who=lambda seat, lang: seat_name(record.names, seat, lang),
        listed=listed,
        spaced=spaced,
        kind=_kind_words,
        clock=lambda at: stamp(at, CLOCK),
        day=lambda at: stamp(at, DAY),
    )


def _kind_words(kind: str, lang: Lang) -> str:
    if kind in get_args(Verdict):
        return say(f"ruling.{kind}", lang)
    return say(f"finding.{kind}", lang) if kind in get_args(FindingKind) else kind


def _both(words: Callable[[Lang], str]) -> Message:
    return Message(*(words(lang) for lang in LANGS))
