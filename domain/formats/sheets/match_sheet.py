"""Write a recorded match as a sheet whose lines are numbered like its entries."""

from collections.abc import Iterator

from domain.formats.actions import decode_action, write_action
from domain.formats.facts import write_fact
from domain.formats.notation.header import write as write_header
from domain.formats.notation.lines import divide
from domain.formats.sheets.lines import OPEN_QUESTION, Acted, AnyLine, ByHand, Late, SheetFact, SheetGap, SheetRemark
from domain.formats.sheets.reader import WITHOUT, Sheet
from domain.formats.tokens import tokens
from domain.law import entries as E
from domain.law.clause import CitedFacts
from domain.law.record import Record
from domain.law.slots import cards_of
from domain.law.unseen import seen_faces
from domain.table.evolve import fold
from domain.table.facts import Learned
from domain.table.table import CHANCE, Table


def sheet_of(record: Record, name: str = "") -> Sheet:
    """Return the sheet of a match, without undone entries and unseen shuffles."""
    rows, header = write_header(record.game, record.opening)
    pairs, _ = divide(rows)
    kept_pairs = tuple((pair.name, pair.values) for pair in pairs if pair.name not in WITHOUT)
    line_numbers = frozenset(E.line(record.entries))
    lines: list[AnyLine] = []
    for number, entry, before, _ in E.tables(record.entries):
        if number in line_numbers:
            lines += _write_lines(record, number, entry, before)
    return Sheet(kept_pairs, header, tuple(lines), name)


def _write_lines(record: Record, number: int, entry: E.Entry, before: Table) -> Iterator[AnyLine]:
    match entry:
        case E.Played():
            yield from _write_action_line(record, number, entry, before)
        case E.Corrected(reason=reason, told=((_, Learned(card, face)),)):
            yield Late(number, 1, before.pieces[card].thing, face, reason)
        case E.Corrected(reason=reason, told=told):
            yield ByHand(number, 1, reason, _write_facts(record, told, before))
        case E.Gap(reason=reason, most=most, told=told):
            yield SheetGap(number, 1, most, reason, _write_facts(record, told, before))
        case E.Noted(text=text):
            is_open = text.startswith(OPEN_QUESTION)
            yield SheetRemark(number, 1, text.removeprefix(OPEN_QUESTION), is_open)
        case _:
            return


def _write_action_line(record: Record, number: int, entry: E.Played, before: Table) -> Iterator[AnyLine]:
    action = decode_action(record.game, entry.action)
    seen, named = seen_faces(entry.told), frozenset(cards_of(action))
    shows = tuple(face for card, face in seen.items() if face is not None and card not in named)
    if entry.actor == CHANCE and not any(seen.values()):
        return
    table = fold(before, (fact for _, fact in E.leading_faces(entry.told)))
    text = write_action(record.game, table, entry.actor, action, schema=record.opening.schema)
    words = tuple(token.text for token in tokens(text.partition(":")[2]))
    yield Acted(number, 1, entry.actor, words, shows)


def _write_facts(record: Record, told: CitedFacts, before: Table) -> tuple[SheetFact, ...]:
    """Write facts without their clauses, because all facts of a sheet are by hand."""
    schema, display = record.opening.schema, record.game.display
    return tuple(SheetFact(write_fact(fact, before, schema, display).partition(" ")[2]) for fact in told)
