"""Matches of a service that are recorded afterwards: a sheet is read here, and recorded there, all of it or nothing."""

from cli.answer import Answer
from cli.away.asking import service, words
from cli.away.writing import sending
from cli.client.service import Refused
from cli.context import Desk
from cli.problems import Problem
from cli.record.paper import Line, Took, answer_took, ask_face, match_of, tell_behind
from cli.record.papers import read_text_of
from service import sheet_forms as F
from service.problems import Problem as Told


def paper_take(desk: Desk, sheet: str, match_id: str | None, mend: str) -> Answer[Took]:
    """Record a sheet, all of it or nothing."""
    text, written = read_text_of(desk, sheet)
    name = match_of(desk, written, match_id, sheet)
    took = _take(desk, sheet, text, name, mend)
    lines = tuple(Line(line.line, line.first, line.last, line.known, line.violations) for line in took.lines)
    return answer_took(desk, Took(took.match, took.head, lines))


def _take(desk: Desk, sheet: str, text: str, match: str, mend: str) -> F.Took:
    """Send a sheet, and again with each face that somebody names where a line shows a card. Raises Problem."""
    there, shows = service(desk), dict[int, list[str]]()
    while True:
        try:
            with sending(desk, "sheets.maybe"):
                return there.take_sheet(text, match, mend, shows)
        except Refused as refused:
            told = refused.problem
        face = ask_face(desk, f"{sheet}:{told.line}", told.place) if told.place and told.line else None
        if face is None:
            raise Problem(_against(desk, sheet, match, told), more=[desk.say("sheets.nothing")])
        shows.setdefault(told.line, []).append(face)


def _against(desk: Desk, sheet: str, match: str, told: Told) -> str:
    """What stands against a sheet, where it stands, as it is said of a store."""
    where = ":".join(str(part) for part in (sheet, told.line, told.column) if part)
    if told.undone:
        return tell_behind(desk, where, match, told.to, told.undone).message
    return f"{where}: {words(desk, told)}" if told.line else words(desk, told)
