"""Lines typed in the recorder: an action, `fix 204 …` for a correction, or `call …` for a judge."""

import re
from typing import Final

from domain.formats.errors import FormatError
from domain.formats.lexicons import plain
from domain.words import Text
from recorder.usecases import commands as C
from service.context import MatchView

FIX: Final = re.compile(r"fix\s*#?([0-9]{1,9})(?:\s+(.*))?")
CALL: Final = re.compile(r"call(?:\s+(.*))?")
BETWEEN_FACTS: Final = ";"


def read_line(view: MatchView, text: str) -> C.AnyCommand:
    """Return the command of a line. The awaited seat acts if the line names none. Legality is not checked. Raises
    FormatError for a correction without a fact."""
    typed = plain(text)
    if (called := CALL.fullmatch(typed)) is not None:
        return C.CallJudge(text=called[1] or "")
    fix = FIX.fullmatch(typed)
    if fix is None or not 1 <= int(fix[1]) <= view.head:
        return _make_action(view, typed)
    facts = tuple(part.strip() for part in (fix[2] or "").split(BETWEEN_FACTS) if part.strip())
    if not facts:
        raise FormatError(Text("line.fix_nothing", {"entry": int(fix[1])}))
    return C.Correct(facts=facts, reason=f"#{fix[1]}")


def about(view: MatchView, text: str) -> int:
    """Return the entry that a correction is about; else 0."""
    fix = FIX.fullmatch(plain(text))
    return int(fix[1]) if fix is not None and 1 <= int(fix[1]) <= view.head else 0


def _make_action(view: MatchView, text: str) -> C.PlayAction:
    """Return an action. If only one seat is awaited, it acts unless the line names another."""
    awaited = view.match.law.awaited(view.match.table)
    return C.PlayAction(text=text, by=awaited[0]) if len(awaited) == 1 else C.PlayAction(text=text)
