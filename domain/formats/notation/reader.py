"""Read notation: decide each action again under the header's rules, then apply the listed differences."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec import Raw
from msgspec.structs import asdict, replace

from domain.formats.actions import parse_action
from domain.formats.errors import FormatError, explain_slip, explain_unknown, quote_input, shift_errors
from domain.formats.notation import differences
from domain.formats.notation.differences import Difference
from domain.formats.notation.directives import DIRECTIVES, read_directive, take
from domain.formats.notation.header import Header, read as read_header
from domain.formats.notation.lines import ENTERED, EntryLines, Line, divide
from domain.formats.notation.verdicts import judge, lay_out
from domain.formats.tokens import Token, read_words, tokens, unquote
from domain.law import entries as E
from domain.law.clause import CitedFacts, Clause, Refusal
from domain.law.game import Game
from domain.law.offers import RandomBelow
from domain.law.outcome import Accepted
from domain.law.pledges import seed_after
from domain.law.rulesets import values
from domain.law.slots import Action, verb
from domain.law.state_history import StateHistory
from domain.table.draft import Draft
from domain.table.table import CHANCE, Seat, Table, blank
from domain.words import Message, Text, listed
from domain.words.foreign import explain_decode_error

Croupier = Callable[[str, bytes, int], RandomBelow]
"""Source of chance for an entry, created from the match's id, the seed and the entry's number."""

RECENT_LINES_MAX = 64
"""Number of lines to remember for errors. An entry has fewer fact lines."""
OPEN = "open"
AUTO = "auto"

_NUMBER = re.compile(r"\s*(?:([0-9]{1,9})\.(?=\s|$))?\s*")
_TIME = re.compile(r"@([0-9]{1,18})")
ENTRY = "entry"
"""Directive of an entry as JSON."""


class Shelf(Protocol):
    """Target for entries in order: a list, or a container backed by a file."""

    def append(self, entry: E.Entry, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> E.Entry: ...


def parse_notation(text: str, games: Mapping[str, Game], croupier: Croupier | None = None) -> list[E.Entry]:
    """Parse the entries of a match. `croupier` draws for `auto` lines of chance if the header has a `[Seed]`. Raises
    FormatError with line and column, and with the clause if a rule refuses the line."""
    entries: list[E.Entry] = []
    read_notation(text.split("\n"), games, croupier, entries)
    return entries


def read_notation(
    lines: Iterable[str],
    games: Mapping[str, Game],
    croupier: Croupier | None,
    entries: Shelf,
    aside: list[Line] | None = None,
) -> Header:
    """Read a match line by line, append each entry to `entries` at once, and return the header. Lines of variations are
    appended to `aside` if given. Raises FormatError; the entries before the error are kept."""
    recent = _RecentLines(lines)
    try:
        return _read(recent, games, croupier, entries, aside)
    except FormatError as error:
        raise explain_slip(error, recent.line(error.line)) from None


def _read(
    lines: Iterable[str],
    games: Mapping[str, Game],
    croupier: Croupier | None,
    entries: Shelf,
    aside: list[Line] | None,
) -> Header:
    pairs, written = divide(lines, aside)
    first = next(written, None)
    opening = first if first is not None and _split_number(first.line)[1].text.startswith(OPEN) else None
    timed = opening is not None and _TIME.search(opening.line.text) is not None
    builder = _RecordBuilder(read_header(pairs, games, timed), croupier, entries)
    if first is not None and opening is None:
        builder.open(None)
        builder.enter(first)
    else:
        builder.open(first)
    for entry in written:
        builder.enter(entry)
    return builder.header


class _RecentLines:
    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = lines
        self.last: deque[tuple[int, str]] = deque(maxlen=RECENT_LINES_MAX)

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, start=1):
            self.last.append((number, line))
            yield line

    def line(self, number: int) -> str:
        """Return the line of this number, or '' if it is no longer remembered."""
        return next((line for at, line in self.last if at == number), "")


def go_on(header: Header, past: Sequence[E.Entry], written: Iterable[EntryLines]) -> list[E.Entry]:
    """Continue a match from its first entries with the written rest. Raises FormatError."""
    entries: list[E.Entry] = []
    builder = _RecordBuilder(header, None, entries)
    for _, entry, _, after in E.tables(past):
        builder.add(entry, after)
    for line in written:
        builder.enter(line)
    return entries


def _split_number(line: Line) -> tuple[int | None, Token]:
    match = _NUMBER.match(line.text)
    assert match is not None
    return int(match[1]) if match[1] else None, Token(line.text[match.end() :], match.end() + 1)


class _Tail:
    """The words after an action: `by-hand`, `!` with optional violations, and `@` with the time."""

    def __init__(self, body: Token) -> None:
        self.at = 0
        self.as_played = self.by_hand = False
        self.violations: tuple[Clause, ...] | None = None
        words = tokens(body.text, body.column)
        while words:
            token = words[-1]
            if match := _TIME.fullmatch(token.text):
                self.at = int(match[1])
            elif token.text == ENTERED and not body.text.startswith("%"):
                self.by_hand = True
            elif token.text.startswith("!"):
                self.as_played = True
                if listed := token.text[1:]:
                    self.violations = tuple(Clause(clause) for clause in read_words(Token(listed, token.column + 1)))
            else:
                break
            words.pop()
        self.tokens = words
        self.text = body.text[: words[-1].column - body.column + len(words[-1].text)] if words else ""
        self.column = body.column


class _RecordBuilder:
    def __init__(self, header: Header, croupier: Croupier | None, entries: Shelf) -> None:
        self.header = header
        self.croupier = croupier
        self.entries = entries
        self.table: Table = blank(header.opened.seats)
        self.history: StateHistory[Table] = StateHistory(
            lambda before, number: E.apply_entry(before, entries[number - 1])
        )

    def add(self, entry: E.Entry, table: Table) -> None:
        self.entries.append(entry)
        self.history.add(table)
        self.table = table

    def open(self, written: EntryLines | None) -> None:
        """Add the first entry: the header and the facts of set-up."""
        opened = self.header.opened
        line = written.line if written is not None else Line(1, "")
        fact_lines: Sequence[Line] = ()
        if written is not None:
            number, body = _split_number(line)
            tail = self._split_tail(line, body)
            if tail.text != OPEN or tail.as_played or tail.by_hand or number not in (None, 1):
                raise line.error(Text("line.open"))
            opened, fact_lines = replace(opened, at=tail.at), written.facts
        differing = self._read_differences(fact_lines)
        facts = differences.full(differing)
        if facts is None:
            facts = differences.apply(self._lay_out(line), differing)
        self.add(replace(opened, told=facts), self._fold_facts(facts, line))

    def _read_differences(self, lines: Sequence[Line]) -> list[Difference]:
        return differences.read(lines, self.table, self.header.opened.schema, self.header.game.display)

    def _lay_out(self, line: Line) -> CitedFacts:
        outcome = lay_out(self.header)
        if isinstance(outcome, Accepted):
            return outcome.told
        if outcome is None:
            raise line.error(self._explain_no_answer(Text("line.set_up")))
        seat, refusal = outcome
        assert isinstance(refusal, Refusal)
        raise self._make_refusal_error(line, 1, Text("line.deck", {"seat": seat}), refusal.clause, None)

    def enter(self, written: EntryLines) -> None:
        line = written.line
        number, body = _split_number(line)
        expected = len(self.entries) + 1
        if number is not None and number != expected:
            raise line.error(Text("line.number", {"n": expected, "given": number}))
        try:
            if body.text.startswith("%"):
                self._add_directive(written, body)
            else:
                self._add_action(written, body)
        except FormatError as error:
            raise (error if error.line > 1 or line.number == 1 else error.shifted(line.number, 1)) from None

    def _split_tail(self, line: Line, body: Token) -> _Tail:
        with shift_errors(line.number, 1):
            return _Tail(body)

    def _add_action(self, written: EntryLines, body: Token) -> None:
        line, header = written.line, self.header
        tail = self._split_tail(line, body)
        differing = self._read_differences(written.facts)
        seen = differences.pop_seen_facts(differing)
        before, self.table = self.table, self._fold_facts(seen, line)
        actor, action = self._read_action(line, tail)
        facts = differences.full(differing)
        violations = tail.violations
        if facts is None or (tail.as_played and violations is None):
            outcome = judge(header, self.table, actor, action, tail.as_played)
            if outcome is None:
                raise line.error(self._explain_no_answer(Text("line.this_action")))
            if isinstance(outcome, Refusal):
                as_played_outcome = outcome if tail.as_played else judge(header, self.table, actor, action, True)
                hint = Text("line.by_hand") if isinstance(as_played_outcome, Refusal) else Text("line.as_played")
                column = line.column if not tail.tokens else tail.tokens[0].column
                raise self._make_refusal_error(line, column, quote_input(tail.text), outcome.clause, hint)
            violations = outcome.violations if violations is None else violations
            if facts is None:
                facts = differences.apply(outcome.told, differing)
        if tail.by_hand and actor != CHANCE:
            raise line.error(Text("line.only_chance"))
        entry = E.Played(
            actor=actor,
            action=Raw(msgspec.msgpack.encode(action)),
            told=seen + facts,
            violations=violations or (),
            at=tail.at,
            by_hand=tail.by_hand,
        )
        after, self.table = self._fold_facts(facts, line), before
        self.add(entry, after)

    def _read_action(self, line: Line, tail: _Tail) -> tuple[Seat, Action]:
        text, column = tail.text, tail.column
        auto = len(tail.tokens) > 1 and tail.tokens[0].text == f"{CHANCE}:" and tail.tokens[-1].text == AUTO
        if auto:
            named = tail.tokens[1:-1]
            return CHANCE, self._draw_action(line, tail.tokens[-1], named[0] if named else None)
        with shift_errors(line.number, column):
            return parse_action(self.header.game, self.table, text, schema=self.header.opened.schema)

    def _draw_action(self, line: Line, token: Token, named: Token | None) -> Action:
        header = self.header
        if header.seed is None:
            raise line.error(Text("line.auto_seed"), token.column)
        if self.croupier is None:
            raise line.error(Text("line.auto_none"), token.column)
        seed = header.seed
        if isinstance(header.opened, E.Pledged):
            seat_seed = seed_after([self.entries[at] for at in range(len(self.entries))], seed)
            if seat_seed is None:
                raise line.error(Text("pledge.awaited", {"seats": listed(header.opened.pledges)}), token.column)
            seed = seat_seed
        try:
            below = self.croupier(header.opened.match, seed, len(self.entries) + 1)
            is_awaited = header.law is not None and CHANCE in header.law.awaited(self.table)
            action: Action | None = (
                header.law.chance(self.table, below) if header.law is not None and is_awaited else None
            )
        except Exception:  # a text may describe any table, but a law may assume a sound one
            action = None
        if action is None:
            raise line.error(Text("line.chance_idle"), token.column)
        if named is not None and verb(action) != named.text:
            verbs = {"verb": verb(action), "text": quote_input(named.text)}
            raise line.error(Text("line.chance_other", verbs), named.column)
        return action

    def _fold_facts(self, facts: CitedFacts, line: Line) -> Table:
        draft = Draft(self.table)
        for at, cited in enumerate(facts, start=1):
            try:
                E.apply_facts(draft, (cited,))
            except (LookupError, ValueError, TypeError, AttributeError):
                raise line.error(Text("line.impossible", {"n": at, "fact": cited[1]})) from None
        return draft.freeze()

    def _explain_no_answer(self, what: Text) -> Text:
        if self.header.law is None:
            return Text("line.speechless_rules", {"what": what, "why": self.header.why})
        return Text("line.speechless", {"what": what})

    def _make_refusal_error(
        self, line: Line, column: int, what: str | Text, clause: Clause, hint: Text | None
    ) -> FormatError:
        assert self.header.law is not None
        sentence = self.header.game.rulebook.both(clause, values(self.header.law.rules))
        refusal = {
            "what": what,
            "clause": clause,
            "sentence": Message(sentence.en.rstrip("."), sentence.ja.rstrip("。")),
        }
        return FormatError(Text("line.refused", {**refusal, "hint": hint or ""}), line.number, column, clause)

    def _add_directive(self, written: EntryLines, body: Token) -> None:
        tail = self._split_tail(written.line, body)
        words = tail.tokens
        name = words[0].text[1:] if words else ""
        kind = DIRECTIVES.get(name)
        if kind is None and name != ENTRY:
            raise FormatError(explain_unknown("directive", name, (*DIRECTIVES, ENTRY)), 1, body.column)
        if tail.as_played:
            raise FormatError(Text("line.not_played"), 1, body.column)
        if written.facts and kind not in E.FACT_ENTRIES:
            raise written.facts[0].error(Text("line.no_facts", {"name": f"%{name}"}))
        if kind is None:
            self.add(_read_json(words), self.table)
            return
        fields = words.copy()
        entry: E.Entry = read_directive(kind, words, tail.at)
        match entry:
            case E.Rewound():
                self.add(*self._find_rewind(fields[1], entry))
            case E.Corrected() | E.Gap():
                facts = self._read_facts_by_hand(written, f"%{name}")
                self.add(replace(entry, told=facts), self._fold_facts(facts, written.line))
            case E.Noted(about=about):
                named = next((token for token in fields if token.text.startswith("about=")), None)
                if named is not None and not 1 <= about <= len(self.entries):
                    raise named.error(Text("line.no_about", {"about": about}))
                self.add(entry, self.table)
            case _:
                self.add(entry, self.table)

    def _find_rewind(self, token: Token, entry: E.Rewound) -> tuple[E.Rewound, Table]:
        """Return the entry of a rewind and its table. The entry is `Restored` if the target is on an abandoned line."""
        if (table := self.history.rewind_to(entry.to)) is not None:
            return entry, table
        if (table := self.history.restore(entry.to)) is None:
            raise token.error(Text("line.no_rewind", {"to": entry.to}))
        return E.Restored(**asdict(entry)), table

    def _read_facts_by_hand(self, written: EntryLines, name: str) -> CitedFacts:
        differing = self._read_differences(written.facts)
        for difference in differing:
            if difference.sign != "+" or difference.position is not None:
                raise FormatError(Text("line.only_plus", {"name": name}), difference.line)
        return tuple(difference.cited for difference in differing if difference.cited is not None)


def _read_json(words: list[Token]) -> E.Entry:
    token = take(words, "entry_json")
    try:
        entry: E.Entry = msgspec.json.decode(unquote(token), type=E.Entry)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise token.error(Text("line.entry_json", {"why": explain_decode_error(error)})) from None
    if isinstance(entry, E.Opened | E.Rewound) or E.entry_facts(entry):
        raise token.error(Text("line.no_json"))
    if len(words) > 1:
        raise words[1].error(Text("format.nothing_more", {"what": words[0].text}))
    return entry
