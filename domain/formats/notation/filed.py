"""What people decide beside the play as directives of the notation: `%dispute`, `%rule` and their like.

Whatever has its default is left out; what is read is the entry that was written.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, assert_never, get_args

from domain.formats.errors import shown, unknown
from domain.formats.notation.directives import take, take_fields
from domain.formats.tokens import Token, quoted, unquoted, unword, unwords, whole, word, words
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words import Text

NAMES: Final = ("dispute", "rule", "appeal", "decide", "penalise", "pause", "resume", "unseal", "seal", "reveal")
_RULING: Final = ("clauses", "penalty", "repair", "to", "departure", "law", "finding", "found")
_VERDICTS: Final[tuple[D.Verdict, ...]] = get_args(D.Verdict)
_OUTCOMES: Final[tuple[D.Outcome, ...]] = get_args(D.Outcome)
_MENDINGS: Final[tuple[D.Mending, ...]] = get_args(D.Mending)
_CLAIM: Final = (2,)
_PENALTY: Final = (2, 3)
"""How many words a claim and a penalty are: seat and text; seat, step and, where there is one, infraction."""

Fields = Mapping[str, Sequence[Token]]
Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=str)


def write_filed(entry: D.Filed) -> str:
    """Such an entry on its line, without its time."""
    return " ".join(_write_parts(entry))


def _write_parts(entry: D.Filed) -> Iterator[str]:
    who = word(entry.by)
    match entry:
        case D.Disputed(matter=matter):
            yield f"%dispute {who}"
            yield from _write_fields(
                entry=matter.entry, thing=matter.thing, clause=matter.clause, dispute=entry.dispute
            )
            yield from (f"claim={word(seat)},{quoted(text)}" for seat, text in entry.claims.items())
        case D.Ruled():
            yield f"%rule {who} {entry.dispute} {entry.verdict}"
            yield from _write_text(entry.reason)
            yield from _write_ruling(entry)
        case D.Appealed():
            yield f"%appeal {who} {entry.dispute} {quoted(entry.reason)}"
        case D.Decided():
            yield f"%decide {who} {entry.dispute} {entry.outcome} {quoted(entry.reason)}"
            yield from _write_fields(verdict="" if entry.verdict == "unclear" else entry.verdict)
            yield from _write_ruling(entry)
        case D.Penalised():
            yield f"%penalise {who} {_write_penalty(entry.penalty)}"
            yield from _write_text(entry.reason)
            yield from _write_text(entry.departure, "departure=")
        case D.Paused():
            yield f"%pause {who}"
            yield from _write_text(entry.reason)
        case D.Resumed():
            yield f"%resume {who}"
            yield from _write_fields(extension=entry.extension)
        case D.Unsealed():
            yield f"%unseal {who} {word(entry.eyes)}"
            yield from _write_fields(until=entry.until)
        case D.Sealed():
            yield f"%seal {who} {word(entry.eyes)}"
        case D.Revealed():
            yield f"%reveal {who} {word(entry.seat)}"
            yield from _write_text(entry.reason)
            yield from _write_fields(secret=entry.secret)
        case never:
            assert_never(never)


def _write_ruling(entry: D.Ruled | D.Decided) -> Iterator[str]:
    repair, opinion = entry.repair, entry.opinion
    yield from _write_fields(clauses=entry.clauses)
    yield from (f"penalty={_write_penalty(penalty)}" for penalty in entry.penalties)
    yield from _write_fields(repair="" if repair.kind == "leave" else repair.kind, to=repair.to)
    yield from _write_text(entry.departure, "departure=")
    yield from _write_fields(law=opinion.law, finding=opinion.finding, found=opinion.clauses)


def _write_penalty(penalty: D.Penalty) -> str:
    return words((penalty.seat, penalty.step, *filter(None, (penalty.infraction,))))


def _write_text(text: str, name: str = "") -> Iterator[str]:
    if text:
        yield f"{name}{quoted(text)}"


def _write_fields(**values: str | int | tuple[str, ...]) -> Iterator[str]:
    for name, value in values.items():
        if value:
            text = words(value) if isinstance(value, tuple) else word(value) if isinstance(value, str) else f"{value}"
            yield f"{name}={text}"


def read_filed(name: str, line: list[Token], at: int) -> D.Filed:
    """The entry of a directive, whose words are taken from its line; those that are left are too many. Raises
    FormatError."""
    by = unword(take(line, "who"))
    match name:
        case "dispute":
            return _read_disputed(by, line, at)
        case "rule":
            dispute, verdict = whole(take(line, "dispute")), _choose(take(line, "verdict"), "verdict", _VERDICTS)
            reason, told = _read_text(line), _read_ruling(take_fields(line, _RULING, ("penalty",)))
            return D.Ruled(at=at, by=by, dispute=dispute, verdict=verdict, reason=reason, **told)
        case "appeal":
            return D.Appealed(at=at, by=by, dispute=whole(take(line, "dispute")), reason=unquoted(take(line, "reason")))
        case "decide":
            dispute, outcome = whole(take(line, "dispute")), _choose(take(line, "outcome"), "outcome", _OUTCOMES)
            reason, fields = unquoted(take(line, "reason")), take_fields(line, ("verdict", *_RULING), ("penalty",))
            verdict = _choose(fields["verdict"][0], "verdict", _VERDICTS) if "verdict" in fields else "unclear"
            told = _read_ruling(fields)
            return D.Decided(at=at, by=by, dispute=dispute, outcome=outcome, reason=reason, verdict=verdict, **told)
        case "penalise":
            penalty, reason = _read_penalty(take(line, "penalty")), _read_text(line)
            departure = _read_once(take_fields(line, ("departure",)), "departure", unword, "")
            return D.Penalised(at=at, by=by, penalty=penalty, reason=reason, departure=departure)
        case "pause":
            return D.Paused(at=at, by=by, reason=_read_text(line))
        case "resume":
            return D.Resumed(
                at=at, by=by, extension=_read_once(take_fields(line, ("extension",)), "extension", whole, 0)
            )
        case "unseal":
            eyes = Seat(unword(take(line, "seat")))
            return D.Unsealed(
                at=at, by=by, eyes=eyes, until=_read_once(take_fields(line, ("until",)), "until", whole, 0)
            )
        case "seal":
            return D.Sealed(at=at, by=by, eyes=Seat(unword(take(line, "seat"))))
        case "reveal":
            seat, reason = Seat(unword(take(line, "seat"))), _read_text(line)
            secret = _read_once(take_fields(line, ("secret",)), "secret", unword, "")
            return D.Revealed(at=at, by=by, seat=seat, secret=secret, reason=reason)
        case _:
            raise line[0].error(unknown("directive", name, NAMES))


def _read_disputed(by: str, line: list[Token], at: int) -> D.Disputed:
    fields = take_fields(line, ("entry", "thing", "clause", "dispute", "claim"), ("claim",))
    matter = D.Matter(
        _read_once(fields, "entry", whole, 0),
        _read_once(fields, "thing", whole, 0),
        Clause(_read_once(fields, "clause", unword, "")),
    )
    claims: dict[Seat, str] = {}
    for token in fields.get("claim", ()):
        seat, text = _read_words(token, "claim", _CLAIM)
        if seat in claims:
            raise token.error(Text("line.claim_twice", {"seat": seat}))
        claims[Seat(seat)] = text
    return D.Disputed(at=at, by=by, matter=matter, claims=claims, dispute=_read_once(fields, "dispute", whole, 0))


def _read_ruling(fields: Fields) -> dict[str, Any]:
    """What a ruling and what stands in its place have in common."""
    return {
        "clauses": _read_clauses(fields, "clauses"),
        "penalties": tuple(map(_read_penalty, fields.get("penalty", ()))),
        "repair": D.Repair(
            _choose(fields["repair"][0], "repair", _MENDINGS) if "repair" in fields else "leave",
            _read_once(fields, "to", whole, 0),
        ),
        "departure": _read_once(fields, "departure", unword, ""),
        "opinion": D.Opinion(
            _read_once(fields, "law", unword, ""),
            _read_once(fields, "finding", unword, ""),
            _read_clauses(fields, "found"),
        ),
    }


def _read_penalty(token: Token) -> D.Penalty:
    seat, *named = _read_words(token, "penalty", _PENALTY)
    return D.Penalty(Seat(seat), *named)


def _read_words(token: Token, what: str, many: Collection[int]) -> tuple[str, ...]:
    """The words of a list that has as many as it must."""
    given = unwords(token)
    if len(given) not in many:
        raise token.error(Text("format.needs", {"what": shown(token.text), "needed": Text(f"need.{what}")}))
    return given


def _read_clauses(fields: Fields, name: str) -> tuple[Clause, ...]:
    return tuple(map(Clause, unwords(fields[name][0]))) if name in fields else ()


def _read_text(line: list[Token]) -> str:
    """A text that may be left out."""
    return unquoted(line.pop(1)) if len(line) > 1 and line[1].text.startswith('"') else ""


def _read_once(fields: Fields, name: str, read: Callable[[Token], Value], default: Value) -> Value:
    return read(fields[name][0]) if name in fields else default


def _choose(token: Token, what: str, allowed: Sequence[Choice]) -> Choice:
    """The one of these words that is written. Raises FormatError."""
    text = unword(token)
    for choice in allowed:
        if choice == text:
            return choice
    raise token.error(unknown(what, text, allowed))
