"""What is written down: matches opened, actions done, corrections, rewinds, notes. Every answer is the recorder's."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import answers, files
from cli.context import Desk, clipped
from cli.decks import brought
from cli.describing import Date, Event, Round, Site, Start, Table, TimeLimit, occasion
from cli.problems import BAD_INPUT, FINDINGS, FINE, Problem
from cli.registry import (
    Action,
    By,
    Command,
    CommandId,
    Decks,
    Expect,
    Frame,
    Json,
    Match,
    Reason,
    Settings,
    Spec,
    Viewer,
)
from domain.words import Text
from domain.words.foreign import system

if TYPE_CHECKING:
    from domain.law.clause import Telling
    from domain.law.game import Game
    from domain.table.table import Seat
    from domain.table.table import Table as AnyTable
    from recorder.loading import Match as Loaded

Seed = Annotated[int | None, typer.Option("--seed", metavar="N", show_default=False)]
First = Annotated[str | None, typer.Option("--p1", metavar="NAME", show_default=False)]
Second = Annotated[str | None, typer.Option("--p2", metavar="NAME", show_default=False)]
Third = Annotated[str | None, typer.Option("--p3", metavar="NAME", show_default=False)]
Fourth = Annotated[str | None, typer.Option("--p4", metavar="NAME", show_default=False)]
NoDeal = Annotated[bool, typer.Option("--no-deal")]
Shows = Annotated[str, typer.Option("--shows", metavar="FACE,...", show_default=False)]
MatchId = Annotated[str | None, typer.Option("--match", metavar="ID", show_default=False)]
AsPlayed = Annotated[bool, typer.Option("--as-played")]
Files = Annotated[list[str], typer.Argument(metavar="FILE|FOLDER...", show_default=False)]
Facts = Annotated[list[str], typer.Argument(metavar="FACT...", show_default=False)]
Words = Annotated[str, typer.Argument(metavar="TEXT", show_default=False)]
About = Annotated[int | None, typer.Option("--at", metavar="N", show_default=False)]
Abandon = Annotated[bool, typer.Option("--abandon")]
MaybeReason = Annotated[str, typer.Option("--reason", metavar="TEXT", show_default=False)]


def new(
    desk: Desk,
    spec: Spec,
    frame: Frame = None,
    seed: Seed = None,
    first: First = None,
    second: Second = None,
    third: Third = None,
    fourth: Fourth = None,
    decks: Decks = None,
    settings: Settings = None,
    match_id: MatchId = None,
    event: Event = None,
    site: Site = None,
    date: Date = None,
    round_: Round = None,
    table: Table = None,
    start_time: Start = None,
    time_limit: TimeLimit = None,
    by: By = "",
    no_deal: NoDeal = False,
) -> None:
    """Open a match and let the croupier lay it out; its id alone is printed."""
    from domain.law.occasion import said
    from domain.table.table import Seat
    from recorder.clock import now
    from recorder.croupier import SEED_BYTES
    from recorder.matches import open_match

    game, version, rules = desk.rules(spec, frame, settings)
    if seed is not None and not 0 <= seed < 2 ** (8 * SEED_BYTES):
        raise desk.problem("cli.bad_seed", seed=clipped(seed), bits=8 * SEED_BYTES)
    if no_deal and seed is not None:
        raise desk.problem("cli.no_deal_seed")
    secret = None if seed is None else seed.to_bytes(SEED_BYTES, "big")
    given = enumerate((first, second, third, fourth), start=1)
    names = {Seat(f"p{number}"): name for number, name in given if name is not None}
    _seated(desk, game, rules, names)
    dealt = brought(desk, game, rules, decks)
    texts = said(occasion(event, site, date, round_, table, start_time, time_limit))
    with desk.store(writing=True) as store:
        deal = not no_deal
        opened = open_match(store, game, rules, version, names, dealt, secret, match_id, now(), by, texts, deal=deal)
        match = answers.opened(desk, game, rules, store, opened)
    desk.screen.line(match)
    desk.warn_of(seed)


def _seated(desk: Desk, game: "Game", rules: Any, names: "dict[Seat, str]") -> None:
    """Every name is of a seat of these rules; else it is said which option makes room, if one does."""
    from domain.law.rulesets import makes_room

    chairs = game.seats(rules)
    over = [seat for seat in names if seat not in chairs]
    if not over:
        return
    found = {"game": game.key, "seat": repr(over[0]), "seats": ", ".join(chairs)}
    wanted = max(int(seat[1:]) for seat in over)
    key = makes_room(game, rules, wanted)
    if key:
        raise desk.problem("new.more_seats", **found, setting=f"--set {key}={wanted}")
    raise desk.problem("match.no_seat", **found, what=Text("match.names"))


def do(
    desk: Desk,
    match: Match,
    action: Action,
    as_played: AsPlayed = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    as_json: Json = False,
    shows: Shows = "",
) -> int:
    """Record an action; what followed is printed as the viewer sees it. Names are read as the scorekeeper sees them."""
    return _do(desk, match, " ".join(action), as_played, expect, command_id, viewer, as_json, shows)


def _do(
    desk: Desk,
    match: str,
    action: str,
    as_played: bool,
    expect: int | None,
    command_id: str | None,
    viewer: str,
    as_json: bool,
    shows: str,
) -> int:
    from domain.law.clause import Refusal
    from recorder.clock import now
    from recorder.matches import advance, play

    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        seat = desk.viewer(found, viewer)
        repeated = store.command(found.id, command_id) if command_id is not None else None
        if repeated is None and expect is not None and expect != found.version:
            raise answers.conflict(desk, store, found.id, expect, found.version)
        if action.split() == ["chance:", "auto"]:
            done = answers.advanced(desk, store, found.id, advance(store, found.id, now()))
            answers.followed(desk, store, found.id, done.version - len(done.entries) + 1, done.entries, seat, as_json)
            return 0
        faces: dict[Any, str | None] = {}
        at = None if repeated is None else repeated.first - 1
        actor, meant = _action(desk, found, action, seat, at, faces)
        expected = found.version if expect is None else expect
        then = shows.replace(",", " ").split()
        answer = play(store, found.id, actor, meant, as_played, expected, command_id, now(), faces=faces, shows=then)
        if isinstance(answer, Refusal):
            answers.refused(desk, found, actor, action, meant, seat, answer, as_json)
            return FINDINGS
        recorded = answers.recorded(desk, store, answer)
        answers.followed(desk, store, found.id, recorded.version, (recorded.entry, *recorded.chance), seat, as_json)
    return 0


def _action(
    desk: Desk, found: "Loaded", text: str, viewer: "Seat", at: int | None, faces: dict[Any, str | None]
) -> Any:
    """What is meant, by all that the scorekeeper knows; where that is not clear, an error made of what the viewer sees.

    What the viewer's eyes alone find unambiguous is meant. `faces` takes those named of cards the log does not know.
    """
    from domain.formats.actions import parse_action
    from domain.formats.errors import FormatError
    from domain.formats.names import Eyes, RealCards
    from domain.law.entries import fold_entries
    from domain.law.unseen import unseen
    from domain.table.physics import Physics
    from domain.table.redact import blind
    from domain.table.table import JUDGE

    table = found.table if at is None else fold_entries(found.entries, at)
    names, physics = found.opened.names, Physics(found.opened.schema)
    try:
        real = RealCards(physics, faces) if unseen(table) else None
        return parse_action(found.game, table, text, names=names, real=real)
    except FormatError as error:
        if viewer == JUDGE:
            raise desk.mistyped(text, error) from None
    try:
        return parse_action(found.game, blind(physics, table, viewer), text, eyes=Eyes(physics, viewer), names=names)
    except FormatError as error:
        seen = error.message
        if seen.key.startswith("name.") or seen.values.get("what") in (Text("noun.card"), Text("noun.frame")):
            seen = Text("do.as_seen", {"what": seen, "viewer": viewer})
        raise desk.mistyped(text, FormatError(seen, error.line, error.column)) from None


def take_in(desk: Desk, paths: Files, match_id: MatchId = None) -> int:
    """Take whole records into the store, each file all or nothing; their ids alone are printed.

    A file that is refused is named and keeps no other from being taken in.
    """
    if len(paths) == 1 and not _is_folder(paths[0]):
        _take_in(desk, paths[0], match_id)
        return FINE
    if match_id is not None:
        raise desk.problem("import.many_renamed")
    records, closed = _records(desk, paths)
    for error in closed:
        desk.screen.aside(f"shinpan: {desk.say('cli.unreadable', file=str(error.filename), detail=system(error))}")
    refused = 0
    for file in records:
        try:
            _take_in(desk, file, None)
        except Problem as problem:
            refused += 1
            desk.screen.aside(f"shinpan: {problem.message}")
            for line in problem.more:
                desk.screen.aside(line)
    desk.screen.aside(desk.say("import.many", n=len(records) - refused, refused=refused))
    return BAD_INPUT if refused or closed else FINE


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _records(desk: Desk, paths: list[str]) -> tuple[list[str], list[OSError]]:
    """The files named, and those with records in the folders named; and what the system says against folders.

    Raises Problem for a folder without any.
    """
    from corpus.texts import SUFFIXES

    found: dict[str, None] = {}
    closed: list[OSError] = []
    for path in paths:
        if not _is_folder(path):
            found[path] = None
            continue
        inside = files.within(Path(path), SUFFIXES, closed)
        if not inside and not closed:
            raise desk.problem("corpus.no_matches", folder=path)
        found.update(dict.fromkeys(map(str, inside)))
    return list(found), closed


def _take_in(desk: Desk, file: str, match_id: str | None) -> None:
    from recorder.answers import BadRecord
    from recorder.imports import import_records
    from recorder.store import Conflict

    branches: list[list[bytes]] = []
    with files.states(desk, file, branches) as states, desk.store(writing=True) as store:
        if branches and match_id is not None:
            raise desk.problem("import.branches_renamed", file=file)
        done = import_records(store, (states, *branches), match_id)
    if isinstance(done, BadRecord):
        raise desk.problem("cli.bad_record", file=file, entry=done.entry, detail=done.what)
    if isinstance(done, Conflict):
        raise desk.problem("cli.other_record", match=done.match, actual=done.actual)
    for one in done:
        desk.screen.line(one.match)
        key = "import.new" if one.new else "import.known"
        desk.screen.aside(desk.say(key, match=one.match, entries=one.version))


def correct(
    desk: Desk,
    match: Match,
    facts: Facts,
    reason: Reason,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    as_json: Json = False,
) -> None:
    """Enter facts by hand, as a judge; they trigger nothing."""
    from domain.law.entries import fold_entries
    from recorder.clock import now
    from recorder.matches import correct as corrected

    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        seat = desk.viewer(found, viewer)
        repeated = store.command(found.id, command_id) if command_id is not None else None
        before = found.table if repeated is None else fold_entries(found.entries, repeated.first - 1)
        told = tuple(_fact(desk, found, before, one) for one in facts)
        answer = corrected(store, found.id, by, reason, told, expect, command_id, now())
        recorded = answers.recorded(desk, store, answer)
        answers.followed(desk, store, found.id, recorded.version, (recorded.entry,), seat, as_json)


def _fact(desk: Desk, found: "Loaded", table: "AnyTable", text: str) -> "Telling":
    """A fact as notation writes it; a bare tag is meant by hand."""
    from domain.formats.errors import FormatError, unknown
    from domain.formats.facts import PARSERS, parse_fact

    words = text.strip().removeprefix("+ ").strip()
    if words.partition(" ")[0] in PARSERS and words.partition(" ")[2].partition(" ")[0] not in PARSERS:
        words = f"- {words}"
    try:
        clause, fact = parse_fact(words, table, found.opened.schema)
    except FormatError as error:
        raise desk.mistyped(words, error) from None
    book = found.game.rulebook.clauses
    if clause and clause not in book:
        raise desk.refuse(unknown("clause", clause, book, lists=False))
    return clause, fact


def rewind(
    desk: Desk,
    match: Match,
    to: Annotated[int, typer.Option("--to", metavar="N", show_default=False)],
    reason: MaybeReason = "",
    by: By = "judge",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    as_json: Json = False,
) -> None:
    """Go on from an earlier entry; nothing is deleted. What it costs is shown first."""
    from recorder.answers import Cost
    from recorder.clock import now
    from recorder.matches import rewind as rewound
    from recorder.matches import rewind_cost

    if not dry_run and not reason.strip():
        raise desk.problem("cli.no_reason")
    with desk.store(writing=not dry_run) as store:
        found = desk.match(store, match)
        seat = desk.viewer(found, viewer)
        repeated = store.command(found.id, command_id) if command_id is not None else None
        if repeated is None:
            cost = rewind_cost(store, found.id, desk.entry(found, to))
            if not isinstance(cost, Cost):
                raise answers.trouble(desk, store, cost)
            answers.costs(desk, found, cost, seat, as_json and dry_run, aside=not dry_run)
        if dry_run:
            return
        answer = rewound(store, found.id, to, reason, by, expect, command_id, now())
        recorded = answers.recorded(desk, store, answer)
        answers.undrawn(desk, store, found, recorded.table)
        entries = (recorded.entry, *recorded.chance)
        answers.followed(desk, store, found.id, recorded.version, entries, seat, as_json)


def note(
    desk: Desk,
    match: Match,
    text: Words,
    about: About = None,
    by: By = "judge",
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Record something said or seen that changes nothing, about one entry if it is named."""
    from recorder.clock import now
    from recorder.matches import note as noted

    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        at = 0 if about is None else desk.entry(found, about)
        answer = noted(store, found.id, by, text.strip(), command_id, now(), about=at)
        recorded = answers.recorded(desk, store, answer)
        answers.followed(desk, store, found.id, recorded.version, (recorded.entry,), "judge", as_json)


def close(
    desk: Desk,
    match: Match,
    reason: MaybeReason = "",
    abandon: Abandon = False,
    by: By = "judge",
    expect: Expect = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Complete the record for good; the croupier's seed is published with it."""
    from recorder.clock import now
    from recorder.matches import close as closed

    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        answer = closed(store, found.id, by, reason, expect, command_id, now(), abandon=abandon)
        recorded = answers.recorded(desk, store, answer)
        answers.followed(desk, store, found.id, recorded.version, (recorded.entry,), "spectator", as_json)


COMMANDS: dict[str, Command] = {
    "new": new,
    "do": do,
    "import": take_in,
    "rewind": rewind,
    "correct": correct,
    "note": note,
    "close": close,
}
