"""Matches of a service written to: every command is sent under one id, and recorded once however often it is sent."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from msgspec import to_builtins
from msgspec.structs import replace

from cli import files
from cli.answer import Answer
from cli.away.asking import Away, asking, mistyped, service, words
from cli.client.sending import Unreachable
from cli.client.service import Refused as Halted
from cli.context import Desk
from cli.decks import read_decks
from cli.explore import Opened, answer_opened
from cli.problems import FINDINGS, Problem
from cli.record.new import names_of, read_kind, read_named, read_pledges
from cli.record.outcome import Refused, Written, draw_cost, tell_conflict, tell_refused, tell_written
from cli.record.take_in import take_each, tell_taken
from cli.values import Entering, OnOccasion
from domain.formats.decks import Written as Deck
from domain.formats.policies import stored_policy
from domain.law.law import Law
from domain.law.occasion import occasion_of
from domain.words import listed
from projections.findings import Sentence
from projections.seen_entries import line_seen
from projections.timeline import entry_words
from projections.undoing import PendingRewind, Priced
from recorder.usecases import commands as C
from service import wire
from service.problems import Problem as Told

NO_ENTRY: Final = 0
"""No match stands here: what is sent behind it is recorded never, and answered if it has been recorded before."""
BLANK: Final = " "
"""An empty text as it can be sent, to be refused or taken as of a store."""
NEEDED: Final[dict[type[C.Command], str]] = {C.Correct: "reason", C.Gap: "reason", C.Note: "text"}
"""Text fields that the API does not take empty."""
LAST: Final = 999_999_999
"""No match has more entries."""
UNSAID: Final = ("", "judge")
"""What `--by` says where nobody has said it."""
JUDGED: Final = ("/problem/not-allowed", "/problem/physically-impossible")


def new(
    desk: Desk,
    spec: str,
    frame: str | None,
    seed: int | None,
    first: str | None,
    second: str | None,
    third: str | None,
    fourth: str | None,
    decks: list[str] | None,
    settings: list[str] | None,
    match_id: str | None,
    occasion: OnOccasion,
    by: str,
    no_deal: bool,
    policy: str | None,
    pledges: list[str] | None,
    phones: bool,
) -> None:
    """Open a match; its id alone is printed."""
    require_own_name(desk, by)
    if seed is not None:
        raise desk.problem("client.no_seed")
    game, version, rules = desk.rules(spec, frame, settings)
    law = Law(game, rules)
    names = names_of(desk, law, (first, second, third, fourth))
    dealt = read_decks(desk, law, decks)
    pledged = read_pledges(desk, pledges)
    opening = wire.OpenMatch(
        game=game.key,
        version=version,
        match=match_id or "",
        rules=to_builtins(rules) if frame or settings else None,
        names=names,
        decks={seat: Deck(deck.main, deck.side) for seat, deck in dealt.items()},
        cards=read_kind(desk, no_deal=no_deal, phones=phones),
        policy=None if policy is None else stored_policy(read_named(desk, policy)),
        pledges=pledged,
        occasion=wire.Occasioned(**to_builtins(occasion_of(occasion.texts))),
    )
    with sending(desk, "client.maybe_opened"):
        opened = service(desk).open(opening)
    desk.screen.line(opened.match)
    if pledged:
        desk.hint("pledge.waits", match=opened.match, seats=listed(pledged))


def do(
    desk: Desk,
    match: str,
    action: Sequence[str],
    as_played: bool,
    confirm: bool,
    expect: int | None,
    command_id: str | None,
    viewer: str,
    shows: str,
) -> Answer[Written | Refused]:
    """Record an action. What is known to break a rule is refused unless it is to be recorded as it was played."""
    away, text = Away(desk, match, viewer), " ".join(action)
    then = (shows,) if shows.strip() else ()  # the service divides it
    mode: C.Mode | None = "record" if as_played else None
    said = C.Play(id=read_id(command_id), text=text, shows=then, mode=mode, confirm=confirm)
    if command_id is not None and (before := _written_before(away, said)) is not None:
        return before
    try:
        if not as_played and expect in (None, away.head.head):
            _try(away, said)
        answer = write(away, said, expect_head(away, expect), typed=text)
    except Halted as halted:
        return _answer_refused(away, text, halted.problem)
    flagged = not as_played and any(entry.violations for entry in answer.value().entries)
    return replace(answer, beside=lambda: desk.hint("client.flagged")) if flagged else answer


def branch(desk: Desk, match: str, at: int, match_id: str | None, seed: int | None, by: str) -> Answer[Opened]:
    """Open an unofficial match that shares the past of another one, of which all may be seen."""
    require_own_name(desk, by)
    if seed is not None:
        raise desk.problem("client.no_seed")
    away = Away(desk, match)
    try:
        with sending(desk, "client.maybe_opened"):
            made = away.match.branch(min(max(at, NO_ENTRY), LAST), match_id or "")
    except Halted as halted:
        told = halted.problem
        if told.type == "/problem/exists":
            raise desk.problem("cli.match_exists", match=match_id) from None
        if told.type == "/problem/unreadable":
            raise desk.problem("branch.refused", detail=told.says(desk.lang)) from None
        raise
    return answer_opened(desk, Opened(made.match, made.parent, made.at, made.head), made.parent_open)


def take_in(desk: Desk, paths: list[str], match_id: str | None) -> int:
    """Take whole records in, each file all or nothing; their ids alone are printed."""
    if match_id is not None:
        raise desk.problem("client.no_rename")
    there = service(desk)

    def take(file: str) -> None:
        data = files.read(desk, file)
        try:
            taken_in = there.take_in(data)
        except Halted as halted:
            told = halted.problem
            where = ":".join(str(part) for part in (file, told.line, told.column) if part)
            raise desk.problem("cli.misread", where=where, detail=words(desk, told)) from None
        for taken in taken_in.matches:
            tell_taken(desk, taken.match, taken.entries, new=taken.new)

    return take_each(desk, paths, take)


class HttpMatch(Away):
    """A match of a service, as a viewer sees it."""

    def __init__(self, desk: Desk, match: str, entering: Entering, viewer: str) -> None:
        require_own_name(desk, entering.by)
        super().__init__(desk, match, viewer)
        self.entering = entering

    def line(self) -> frozenset[int]:
        """Return the numbers of the entries that lead to the last one."""
        return line_seen(self.entries)

    def request(self) -> PendingRewind:
        """Return the request to go back that waits for an answer."""
        return self.match.request()

    def repeat(self, command: C.AnyCommand) -> Answer[Written] | None:
        """Return the answer to a command that was recorded before under this id. Raises Problem."""
        id = self.entering.command_id
        return None if id is None else _written_before(self, replace(command, id=read_id(id)))

    def price(self, to: int, *, aside: bool) -> Answer[Priced]:
        """Return what a rewind to an entry costs. Raises Problem."""
        priced = self.match.cost(self.entry(to))

        def draw() -> None:
            draw_cost(self.desk, self.law.game, priced, lambda number: self.entries[number - 1], self.when, aside)

        return Answer(lambda: priced, draw)

    def execute(self, command: C.AnyCommand, typed: str = "") -> Answer[Written]:
        """Send a command, under the id that the command line names or a new one. Raises Problem."""
        field = NEEDED.get(type(command), "")
        blank = {field: BLANK} if field and not getattr(command, field) else {}
        named = replace(command, id=read_id(self.entering.command_id), **blank)
        any_head = self.entering.expect is None and command.commutes
        return write(self, named, None if any_head else expect_head(self, self.entering.expect), typed)


@contextmanager
def open_http(desk: Desk, match: str, entering: Entering, viewer: str, *, writing: bool) -> Iterator[HttpMatch]:
    """Open a match of the service that the command names; what is refused is a Problem."""
    with asking(desk):
        yield HttpMatch(desk, match, entering, viewer)


def require_own_name(desk: Desk, by: str) -> None:
    """Raises Problem for another name than that of whoever holds the token."""
    if by not in UNSAID:
        raise desk.problem("client.by")


def read_id(text: str | None) -> UUID:
    """The id of a command: one that is no UUID stands for always the same one."""
    if text is None:
        return uuid4()
    try:
        return UUID(text)
    except ValueError:
        return uuid5(NAMESPACE_URL, text)


def expect_head(away: Away, expect: int | None) -> int:
    return away.head.head if expect is None else min(max(expect, NO_ENTRY), LAST)


def _try(away: Away, said: C.Play) -> None:
    """Raises Halted for an action that breaks a rule, as far as the viewer knows the table."""
    try:
        away.match.attempt(replace(said, id=None, mode="offer"))
    except Halted as halted:
        if halted.problem.type in JUDGED:
            raise


def _written_before(away: Away, said: C.AnyCommand) -> Answer[Written] | None:
    """What a command led to if it has been recorded before."""
    try:
        return _tell(away, away.match.write(said, NO_ENTRY))
    except Halted as halted:
        if halted.problem.type == "/problem/command-reused":
            raise _trouble(away, said, halted.problem) from None
        return None


def write(away: Away, said: C.AnyCommand, head: int | None = None, typed: str = "") -> Answer[Written]:
    """Send a command, and again where the connection is lost. Raises Halted for what the law refuses, else Problem.

    `typed` is the text that a column counts in.
    """
    assert said.id is not None
    try:
        with sending(away.desk, "client.maybe", id=str(said.id)):
            return _tell(away, away.match.write(said, head))
    except Halted as halted:
        if halted.problem.type in JUDGED and halted.problem.clause:
            raise
        raise _trouble(away, said, halted.problem, head, typed) from None


@contextmanager
def sending(desk: Desk, key: str, **values: str) -> Iterator[None]:
    """Where no answer comes, it is said how to find out whether something was recorded."""
    try:
        yield
    except Unreachable as lost:
        raise Problem(lost.text.say(desk.lang), more=[desk.say(key, **values)] if lost.sent else ()) from None


def _trouble(away: Away, said: C.AnyCommand, told: Told, head: int | None = None, typed: str = "") -> Problem:
    """What stands against a command, as it is said of a store."""
    desk, match = away.desk, away.match.id
    match told.type:
        case "/problem/conflict":
            news = [entry_words(away.law.game, entry, desk.lang, away.names) for entry in told.since]
            return tell_conflict(desk, match, head or NO_ENTRY, told.head, news)
        case "/problem/command-reused":
            return desk.problem("cli.reused", match=match, command=repr(str(said.id)), entry=told.first)
        case "/problem/unreadable" if typed and told.column:
            return mistyped(desk, typed, told)
        case "/problem/not-allowed":
            return Problem(told.says(desk.lang), FINDINGS)
        case _:
            return Problem(words(desk, told))


def _answer_refused(away: Away, text: str, told: Told) -> Answer[Refused]:
    """What the law has against an action: the clause, and what was looked at as far as whoever asks may know."""
    if not told.clause or told.entry:  # the service says which entry tells that it was tried
        raise _trouble(away, C.Play(), told)
    impossible = told.type == "/problem/physically-impossible"
    both = Sentence(told.en, told.ja)
    value = Refused(away.match.id, away.head.head, text, told.clause, both, impossible, told.trail)
    return tell_refused(away.desk, away.law, away.names, value, told.trail if impossible else ())


def _tell(away: Away, entered: wire.Entered) -> Answer[Written]:
    first = entered.head - len(entered.entries) + 1
    return tell_written(
        away.desk, away.law.game, away.names, Written(away.match.id, first, entered.head, entered.entries)
    )
