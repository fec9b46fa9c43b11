"""Authorization: every route by every role, in matches within and outside the scope of the token, open and closed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct

from domain.table.table import Seat
from recorder.usecases import commands as C
from service.access import OPERATIONS, RIGHTS, ROLES, Condition, Operation, Role, Session, may, view_access
from service.app import routes
from service.requests import HTML, JSON, Route
from tests.formats.sheets import HEAD as SHEET
from tests.service.commands import uuid
from tests.service.harness import Served, serve

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"
OWN, OTHER, CLOSED, EVENT = "own", "other", "closed", "event"
"""The match of the token, another match, a closed match, and the event."""
PARTS = {"n": "1", "thing": "47", "lang": "en", "game": "blackpoker", "moment": "1", "viewer": "spectator"}
"""Path parameters; all others are `x`."""
ASKED_BY_LOOKING = ("see", "see_seat", "see_closed", "break_seal")
"""Operations that every view needs."""
COMMANDS: dict[Operation, dict[str, Any]] = {
    "record": {"kind": "note", "text": "x"},
    "offer": {"kind": "play", "text": "p1: pass", "mode": "offer"},
    "call": {"kind": "call"},
    "undo": {"kind": "undo"},
    "ask_rewind": {"kind": "ask-rewind", "to": 1, "reason": "x"},
    "approve_rewind": {"kind": "rewind", "to": 1, "reason": "x"},
    "explain": {"kind": "note", "text": "x"},
    "dispute": {"kind": "dispute", "about": 1},
    "rule": {"kind": "pause"},
    "decide": {"kind": "decide", "dispute": 4, "outcome": "upheld", "reason": "x"},
    "reveal": {"kind": "reveal", "seat": "p1", "secret": "00" * 16},
}
QUERIES = {"whynot": "?do=p1:+pass", "casefile": "?for=players", "casefile.html": "?for=players"}
"""Required queries by the last part of the path."""
TOLD_TO_ONE = ("/offers",)
"""Routes that show a spectator closed matches only, by the last part of the path."""
BODIES: dict[str, dict[str, Any]] = {"break_seal": {"viewer": "judge"}, "reveal": COMMANDS["reveal"]}
"""Valid bodies for routes that parse the body before they check rights."""


class AuthorizationCase(Struct, frozen=True):
    route: Route
    operation: Operation
    role: Role
    state: str


def every() -> Iterator[AuthorizationCase]:
    for route in routes():
        if route.kind.startswith("text/event-stream"):
            continue
        for operation in (route.operation, *route.also) if takes_commands(route) else (route.operation,):
            for role in ROLES:
                for state in (OWN, OTHER, CLOSED) if "{match:str}" in route.path else (OWN, EVENT):
                    yield AuthorizationCase(route, operation, role, state)


def takes_commands(route: Route) -> bool:
    return set(get_args(route.body)) == set(get_args(C.AnyCommand))


def holds(condition: Condition, state: str) -> bool:
    return {
        "no": False,
        "yes": True,
        "delayed": True,
        "own": state != OTHER,
        "scoped": state != OTHER,
        "closed": state in (CLOSED, EVENT),
        "event": state == EVENT,
    }[condition]


def allowed(asked: AuthorizationCase) -> bool:
    in_match = "{match:str}" in asked.route.path
    state = asked.state if in_match or asked.state == EVENT else CLOSED
    if asked.route.path.endswith(TOLD_TO_ONE) and state != CLOSED:
        return False
    if asked.route.path.endswith("/audit") and state != CLOSED:
        return False
    enough: tuple[Operation, ...] = (asked.operation,)
    if not takes_commands(asked.route):
        enough = (asked.operation, *asked.route.also)
    elif asked.route.path.endswith(":try") and asked.operation == "offer":
        enough = ("offer", "record")
    sees = not in_match or holds(RIGHTS["see"][asked.role], state)
    return sees and any(holds(RIGHTS[operation][asked.role], state) for operation in enough)


def holds_somewhere(asked: AuthorizationCase) -> bool:
    operations = (asked.operation, *asked.route.also)
    return any(RIGHTS[operation][asked.role] != "no" for operation in operations)


def ask_at(route: Route, match: str) -> str:
    path = route.path
    for part in [piece.partition("}")[0] for piece in path.split("{")[1:]]:
        name = part.partition(":")[0]
        path = path.replace(f"{{{part}}}", match if name == "match" else PARTS.get(name, "x"))
    return path + QUERIES.get(path.rpartition("/")[2], "")


def ask(served: Served, asked: AuthorizationCase) -> Any:
    route, path = asked.route, ask_at(asked.route, asked.state)
    headers = {"Origin": "http://testserver.local", "If-Match": '"99999"'}
    if asked.role != "spectator":
        matches = () if asked.state == EVENT else (OWN, CLOSED)
        headers |= served.bearer(asked.role, *matches, seat="p1" if asked.role == "seat" else "")
    body = None
    if route.body is not None:
        kinds = COMMANDS if takes_commands(route) else BODIES
        body = {"id": uuid(1), **kinds[asked.operation]} if kinds is COMMANDS else kinds.get(asked.operation, {})
    return served.client.request(route.method, path, json=body, headers=headers, follow_redirects=False)


def test_every_route_lets_in_and_turns_away_whom_the_table_says() -> None:
    wrong: list[str] = []
    turned_away = let_in = 0
    with serve() as served:
        for match in (OWN, OTHER, CLOSED):
            served.open("blackpoker", match=match)
        closing = {"id": uuid(1), "kind": "close", "reason": "x", "abandon": True, "confirm": True}
        path = f"/api/v1/matches/{CLOSED}/entries"
        assert served.post(path, closing, "head", headers={"If-Match": '"3"'}).status_code == 201
        for asked in every():
            before = [served.context.store.version(match) for match in (OWN, OTHER, CLOSED)]
            answer = ask(served, asked)
            refused = answer.status_code in (401, 403)
            if not allowed(asked) and holds_somewhere(asked):
                refused = not answer.is_success  # an invalid request may be reported first
            after = [served.context.store.version(match) for match in (OWN, OTHER, CLOSED)]
            if answer.status_code in (429, 500) or refused == allowed(asked) or (refused and after != before):
                where = f"{asked.role}: {asked.route.method} {asked.route.path} ({asked.operation}, {asked.state})"
                wrong.append(f"{where}: {answer.status_code} {answer.text[:200] if asked.route.kind != HTML else ''}")
            let_in += not refused
            turned_away += refused
    assert not wrong, "\n".join(wrong)
    assert let_in > 100 and turned_away > 100


ADDED = "fbclid=IwAR0%FF&utm_source=line&gclid=1&gclid=2&x&="
"""Query parameters that chat and mail programs add to links."""


def test_pages_and_downloads_ignore_what_programs_add_to_a_link_and_data_does_not() -> None:
    with serve() as served:
        served.open("blackpoker", match=OWN)
        head = served.bearer("head")
        pages = downloads = 0
        for route in routes():
            if route.method != "GET" or route.kind.startswith("text/event-stream"):
                continue
            path = ask_at(route, OWN)
            plain, added = (
                served.client.get(link, headers=head, follow_redirects=False)
                for link in (path, f"{path}{'&' if '?' in path else '?'}{ADDED}")
            )
            if route.path.startswith("/api/") and route.kind == JSON:
                assert added.status_code == 400, path
            else:
                assert (added.status_code, plain.headers.get("location")) == (
                    plain.status_code,
                    added.headers.get("location"),
                ), path
                pages += 1
                downloads += route.path.startswith("/api/")
    assert pages > 40 and downloads > 5


def test_every_route_has_an_operation_and_every_operation_a_route() -> None:
    asked_for = {operation for route in routes() for operation in (route.operation, *route.also)}
    assert asked_for <= set(OPERATIONS)
    missing = set(OPERATIONS) - asked_for - set(ASKED_BY_LOOKING)
    assert missing == set(), "an operation nobody can ask for"
    assert set(RIGHTS) == set(OPERATIONS) and all(tuple(rights) == ROLES for rights in RIGHTS.values())


def test_no_right_is_loosened_by_a_slip_in_the_table() -> None:
    holders = {operation: {role for role in ROLES if RIGHTS[operation][role] != "no"} for operation in OPERATIONS}
    assert holders["approve_rewind"] == holders["decide"] == {"head"}
    assert holders["rule"] == holders["break_seal"] == holders["export_case"] == {"floor", "head"}
    assert holders["record"] == {"scorekeeper", "floor", "head"}
    assert holders["see_seat"] == holders["offer"] == {"seat"}
    of_open_matches = {role for role in ROLES if may(Session(role), "findings", "t0", closed=False)}
    assert of_open_matches == {"floor", "head"}


FOR_ALL_MATCHES: tuple[Operation, ...] = ("public", "see", "explain", "export", "read_jobs", "hold_sheets", "sign")
"""Operations outside the match scope of a token: they show a spectator's view or concern no match."""


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("role", ROLES)
def test_a_token_for_one_match_opens_no_other(role: Role, closed: bool) -> None:
    limited = Session(role, matches=("t0",))
    for operation in set(OPERATIONS) - {*FOR_ALL_MATCHES}:
        elsewhere = may(limited, operation, "t1", closed=closed)
        assert elsewhere == may(Session("spectator"), operation, "t1", closed=closed), operation
        of_the_event = RIGHTS[operation][role] == "event"
        everywhere = Session(role, matches=("t0", "t1")) if role == "seat" else Session(role)
        same = may(everywhere, operation, "t0", closed=closed) and not of_the_event
        assert may(limited, operation, "t0", closed=closed) == same, operation


@pytest.mark.parametrize("role", ["scorekeeper", "head"])
def test_a_token_for_one_match_opens_matches_of_that_name_alone(role: Role) -> None:
    with serve() as served:
        for number, (match, status) in enumerate((("t0", 201), ("t1", 403), ("", 403)), start=1):
            opening = {"id": uuid(number), "game": "blackpoker", "version": "8.1-lite", "match": match}
            answer = served.post("/api/v1/matches", opening, role, "t0")
            assert answer.status_code == status, (match, answer.text)
            limited, named = served.bearer(role, "t0-sheet"), {"match": f"{match}-sheet"}
            answer = served.client.post("/api/v1/sheets", content=SHEET, params=named, headers=limited)
            assert answer.status_code == status, (match, answer.text)
        assert {listed.match for listed in served.context.store.matches()} == {"t0", "t0-sheet"}


@pytest.mark.parametrize("role", ["head", "operator"])
def test_a_token_for_one_match_invites_to_that_match_alone(role: Role) -> None:
    with serve() as served:
        for match in ("t0", "t1"):
            served.open("blackpoker", match=match)
        for matches, status in ((["t0"], 201), (["t1"], 403), (["t0", "t1"], 403), ([], 403)):
            guest = {"role": "scorekeeper", "name": "x", "matches": matches}
            assert served.post("/api/v1/invitations", guest, role, "t0").status_code == status, matches


def test_a_seat_looks_with_its_own_eyes_alone() -> None:
    seat = Session("seat", matches=("t0",), seat=Seat("p1"))
    viewers = ("p1", "p2", "judge", "spectator")
    answers = {one: view_access(seat, "t0", Seat(one), None, closed=False, published=False) for one in viewers}
    assert answers == {"p1": "yes", "p2": "no", "judge": "no", "spectator": "yes"}


def test_every_command_comes_to_an_operation_of_its_route() -> None:
    (route,) = (route for route in routes() if route.path.endswith("/entries") and route.method == "POST")
    commands = set(get_args(C.AnyCommand))
    assert {*(command.right for command in commands - {C.PlayAction}), "offer"} == {route.operation, *route.also}


SAYS: dict[Operation, str] = {
    "public": "read rulebooks, the floor and one's own sign-in: nothing about hidden cards",
    "see": "view a match as a spectator",
    "see_seat": "view a match as a seat",
    "break_seal": "view a running match as a judge or as any seat, for a limited time; this is recorded",
    "see_closed": "view a closed match in full",
    "offer": "act as a seat; actions that the rules do not allow are refused",
    "record": "record actions as played, gaps, corrections, notes, details and the end; breaches of a rule are flagged",
    "open": "open a match",
    "pair": "open the matches of a round, see without delay that they are open, and start their timer",
    "branch": "open a branch of a match, with the right to see its hidden cards",
    "call": "call a judge; the caller or a judge marks the call as answered",
    "findings": "read the findings of a match; during the match only those flagged at once, all of them as a judge",
    "explain": "ask why or why not, from what the viewer can see (trying a command needs the right to send it)",
    "undo": "undo a mistake where no judge is needed; if one is needed, ask a judge (players always ask)",
    "ask_rewind": "request a rewind",
    "approve_rewind": "rewind a match",
    "dispute": "open a dispute, make a claim (a seat its own), appeal a ruling",
    "rule": "rule on a dispute, give a penalty, stop and start the clock; read messages to judges",
    "decide": "decide an appeal",
    "reveal": "reveal the secret that a seat pledged before the shuffles (a seat its own)",
    "read_jobs": "read reports",
    "run_jobs": "compare an archive with other rules",
    "approve_changes": "approve a class of changes in a report",
    "invite": "invite people (operators all roles; head judges seats, scorekeepers and floor judges)",
    "people": "list people and invitations, and cancel them",
    "export": "download a match",
    "export_case": "download the case file for officials, with its hidden cards",
    "import": "import whole records",
    "hold_sheets": "compare two score sheets and merge them",
    "seal_log": "sign a checkpoint of the whole log with the service's key",
    "sign": "sign in by an invitation and sign out",
}
TERMS: dict[Condition, tuple[str, str]] = {
    "no": ("–", ""),
    "yes": ("✓", "always"),
    "delayed": ("delayed", "after the event's delay"),
    "own": ("own", "for the own seat, in the own match"),
    "scoped": ("scoped", "in the matches that the token names, or all if it names none; elsewhere as a spectator"),
    "closed": ("closed", "in closed matches"),
    "event": ("event", "for the whole event: with a token that names no matches"),
}


def roles_page() -> str:
    rows = [
        "# Roles and their rights",
        "",
        "Made from the table in `service/access.py` by `make fixtures`. A test sends every request in every role and",
        "compares the answers with the table. The role decides which requests are allowed; the viewer decides which",
        "cards are shown.",
        "",
        "| operation | " + " | ".join(ROLES) + " |",
        "|---|" + "---|" * len(ROLES),
    ]
    for operation in OPERATIONS:
        terms = [TERMS[RIGHTS[operation][role]][0] for role in ROLES]
        rows.append(f"| `{operation}`: {SAYS[operation]} | " + " | ".join(terms) + " |")
    rows += ["", *(f"- {sign}: {says}" for sign, says in TERMS.values() if says), ""]
    return "\n".join(rows)


def test_the_page_of_roles_is_written_from_the_table(same_as_file: Callable[[Path, str], None]) -> None:
    same_as_file(PAGE, roles_page())
