"""Approvals of expected differences by class and clause, each with a reason. There is no blanket approval."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

from archive.regress.summary import DIFFERENCES, NO_CLAUSE, Summary
from domain.formats.errors import FormatError, decode_text, explain_unknown, read_toml
from domain.judging.rejudging.causes import AND, CAUSES
from domain.law.game import Game
from domain.law.pools import key_of
from domain.words import Text


class Approval(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Approval of the matches of a class and clause, limited to a cause if it is given."""

    kind: str = field(name="class")
    clause: str
    cause: str = ""
    reason: str

    def covers(self, match: Summary) -> bool:
        return (self.kind, self.clause) == match.key and (not self.cause or self.cause in (c.key for c in match.causes))


class _ApprovalFile(Struct, frozen=True, forbid_unknown_fields=True):
    approved: tuple[Approval, ...] = ()


def read_approvals(data: bytes, name: str, games: Iterable[Game]) -> tuple[Approval, ...]:
    """Parse an approval file for matches of these games. Raises FormatError naming entry and key."""
    text = decode_text(data, name)
    file = read_toml(text, _ApprovalFile, name)
    known = tuple(games)
    for number, approval in enumerate(file.approved, start=1):
        if (wrong := _find_fault(approval, known)) is not None:
            raise FormatError(Text("approval.wrong", {"n": number, "why": wrong}), _find_line(text, number), name=name)
    return file.approved


def _find_line(text: str, number: int) -> int:
    begins = [at for at, line in enumerate(text.splitlines(), start=1) if line.strip().startswith("[[approved]]")]
    return begins[number - 1] if number <= len(begins) else 1


def _find_fault(approval: Approval, games: tuple[Game, ...]) -> Text | None:
    if approval.kind not in DIFFERENCES:
        return explain_unknown("class", approval.kind, DIFFERENCES)
    clauses = [clause for game in games for clause in game.rulebook.clauses]
    if approval.clause not in (NO_CLAUSE, *clauses):
        return explain_unknown("clause", approval.clause, clauses, lists=False)
    fields = [key.encode_name for game in games for key in msgspec.structs.fields(game.rules_type)]
    fields += [key_of(face) for game in games if game.pools is not None for face in game.pools.faces]
    for part in approval.cause.split(AND) if approval.cause else ():
        if part not in (*CAUSES[-2:], *fields):
            return explain_unknown("cause", part, (*CAUSES[-2:], *fields), lists=False)
    return None if approval.reason.strip() else Text("approval.no_reason")


def approval_of(match: Summary, approvals: Iterable[Approval]) -> Approval | None:
    return next((approval for approval in approvals if approval.covers(match)), None)
