"""Write notation. Facts that follow from the law are omitted, others are listed."""

from collections.abc import Sequence

from domain.formats.actions import decode_action, write_action
from domain.formats.errors import FormatError
from domain.formats.notation import differences
from domain.formats.notation.directives import write_directive
from domain.formats.notation.header import Header, write as write_header
from domain.formats.notation.lines import ENTERED
from domain.formats.notation.verdicts import judge, lay_out
from domain.formats.tokens import write_word
from domain.law import entries as E
from domain.law.clause import CitedFacts, Clause
from domain.law.game import Game
from domain.law.outcome import Accepted
from domain.table.evolve import fold
from domain.table.table import Table, blank
from domain.words import Text


def write_notation(game: Game, entries: Sequence[E.Entry]) -> str:
    """Write a match as text that parses back to the same entries. Raises FormatError for entries that are not a match
    of this game."""
    opened = entries[0] if entries else None
    if not isinstance(opened, E.Opened) or opened.game != game.key:
        raise FormatError(Text("write.no_match", {"game": game.key}))
    lines, header = write_header(game, opened)
    lines.append("")
    lines += _write_opened(header, opened)
    lines += write_entries_after(header, entries, 1)
    return "\n".join(lines) + "\n"


def write_entries_after(header: Header, entries: Sequence[E.Entry], after: int) -> list[str]:
    """Write the entries after entry `after`. Raises FormatError."""
    lines: list[str] = []
    done = 0
    try:
        for number, entry, before, _ in E.tables(entries):
            if number > after:
                lines += _write_entry(header, number, entry, before)
            done = number
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        why = error.message if isinstance(error, FormatError) else Text("write.impossible")
        raise FormatError(Text("write.entry", {"n": done + 1, "why": why})) from None
    return lines


def _write_time(entry: E.Entry) -> str:
    return f" @{entry.at}" if entry.at else ""


def _write_opened(header: Header, opened: E.Opened) -> list[str]:
    table = blank(opened.seats)
    outcome = lay_out(header)
    law_facts = outcome.told if isinstance(outcome, Accepted) else None
    below = _write_facts(law_facts, opened.told, table, header)
    return [f"1. open{_write_time(opened)}", *below] if below or opened.at else []


def _write_facts(law_facts: CitedFacts | None, happened: CitedFacts, table: Table, header: Header) -> list[str]:
    """Return no fact lines if the law agrees, else the differences or the full list, whichever is shorter."""
    schema, display = header.opened.schema, header.game.display
    if law_facts is not None:
        if law_facts == happened:
            return []
        differing = differences.between(law_facts, happened)
        if len(differing) < max(len(happened), 1):
            return differences.write(differing, table, schema, display)
    return differences.write_fact_lines("=", happened, table, schema, display)


def _write_entry(header: Header, number: int, entry: E.Entry, before: Table) -> list[str]:
    head = f"{number}."
    match entry:
        case E.Played():
            return _write_played(header, head, entry, before)
        case E.Opened():
            raise FormatError(Text("record.opened_twice"))
        case _:
            below = differences.write_fact_lines(
                "+", E.entry_facts(entry), before, header.opened.schema, header.game.display
            )
            return [f"{head} {write_directive(entry)}{_write_time(entry)}", *below]


def _write_played(header: Header, head: str, entry: E.Played, before: Table) -> list[str]:
    action = decode_action(header.game, entry.action)
    seen = E.leading_faces(entry.told)
    table, rest = fold(before, (fact for _, fact in seen)), entry.told[len(seen) :]
    below = differences.write_fact_lines("?", seen, before, header.opened.schema, header.game.display)
    text = write_action(header.game, table, entry.actor, action, schema=header.opened.schema)
    outcome = judge(header, table, entry.actor, action, bool(entry.violations))
    law_facts: CitedFacts | None = None
    violations: tuple[Clause, ...] = ()
    if isinstance(outcome, Accepted):
        law_facts, violations = outcome.told, outcome.violations
    mark = ""
    if entry.violations:
        same = law_facts is not None and violations == entry.violations
        mark = " !" if same else f" !{','.join(write_word(clause) for clause in entry.violations)}"
    mark = f" {ENTERED}{mark}" if entry.by_hand else mark
    return [f"{head} {text}{mark}{_write_time(entry)}", *below, *_write_facts(law_facts, rest, before, header)]
