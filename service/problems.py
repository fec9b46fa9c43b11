"""What is answered where something cannot be done: problem details (RFC 9457), a type a class, clauses in members."""

from typing import Final, Literal

from msgspec import Struct

from domain.law.clause import Clause
from domain.table.table import Place, Seat
from domain.words import Lang, Message, Text, Words
from projections.seen_entries import SeenEntry
from projections.why import Reason

Type = Literal[
    "not-allowed", "physically-impossible", "unreadable", "conflict", "precondition-required", "command-reused",
    "exists", "out-of-order", "needs-confirmation",
    "closed", "unknown", "not-your-eyes", "sealed", "no-authority", "no-token", "no-key",
    "foreign-origin", "too-large", "too-slow", "too-many", "crowded", "draining", "store-unavailable", "wrong-method",
    "invitation-used", "invitation-expired", "invitation-revoked", "our-fault",
]  # fmt: skip

STATUS: Final[dict[Type, int]] = {
    "not-allowed": 422,
    "physically-impossible": 422,
    "unreadable": 400,
    "conflict": 412,
    "precondition-required": 428,
    "command-reused": 409,
    "exists": 409,
    "out-of-order": 409,
    "needs-confirmation": 409,
    "closed": 409,
    "unknown": 404,
    "not-your-eyes": 403,
    "sealed": 403,
    "no-authority": 403,
    "no-token": 401,
    "no-key": 409,
    "foreign-origin": 403,
    "too-large": 413,
    "too-slow": 408,
    "too-many": 429,
    "crowded": 503,
    "draining": 503,
    "store-unavailable": 503,
    "wrong-method": 405,
    "invitation-used": 410,
    "invitation-expired": 410,
    "invitation-revoked": 410,
    "our-fault": 500,
}
"""The status each type is answered with."""
WAIT_S: Final = 5
"""Seconds after which a client that found the service busy may ask again."""
PARTING: Final[tuple[Type, ...]] = ("crowded", "draining")
"""Problems after which the connection is closed, to make room."""


def _page_words(text: Text) -> Text | None:
    """Return a refusal in the words of pages if its own name an option of the command line; else None."""
    match text.key:
        case "match.no_result":
            fields = {"abandon": Text("record.abandon"), "reason": Text("record.reason")}
            return Text("match.no_result_form", {**text.values, **fields})
        case "occasion.nothing":
            return Text("occasion.nothing_form")
        case "policy.departs":
            return Text("policy.departs_form", {**text.values, "field": Text("disputes.departure")})
        case "pool.unknown":
            return Text("pool.unknown_form", {**text.values})
        case "proof.no_leaf":
            return Text("proof.no_leaf_form", {**text.values, "seal": Text("evidence.seal")})
        case _:
            return None


class RefusedFace(Struct, frozen=True, omit_defaults=True):
    """The card that a refused face was named for: its place, its purpose, and the faces that were named before and
    after it."""

    place: Place
    purpose: str = ""
    shows: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Why something was not done. `en` and `ja` say it to people; the rest is for programs.

    Of a refusal: the `clause` with its sentences' address, and what was looked at. Of a conflict: `head`, the number of
    the match's last entry as this viewer may see it, what came `since` (the newest of it), and whether the same command
    `would_stand` there: nothing is said where this viewer cannot know. Of a text: `line` and `column`, from 1. Of a
    record: the `entry` that is wrong. Of a sheet that says something else than its match: the entry `to` go back to and
    those that are `undone`. Of two sheets: the `side`. Of real cards: the `place` of the card whose face must be named,
    and the `purpose` it is turned up for, where the place does not say it. Of a face that cannot be there: what card it
    was named for, as `refused_face`. Of what must be confirmed: what it would do, as `sure`. Of a line that may be the
    action of several seats: these, as `actors`. Of what a command line does by an option: `command_line` names that
    option.
    """

    type: str
    title: str
    status: int
    en: str
    ja: str
    instance: str = ""
    clause: Clause = Clause("")
    clause_url: str = ""
    trail: tuple[Reason, ...] = ()
    head: int = 0
    since: tuple[SeenEntry, ...] = ()
    would_stand: bool | None = None
    line: int = 0
    column: int = 0
    side: str = ""
    entry: int = 0
    to: int = 0
    undone: tuple[int, ...] = ()
    place: Place = Place("")
    purpose: str = ""
    refused_face: RefusedFace | None = None
    sure: Message | None = None
    actors: tuple[Seat, ...] = ()
    command_line: Message | None = None
    first: int = 0
    """Of a command's id that was used before: the entry it led to."""

    def says(self, lang: Lang) -> str:
        """What it says to people, on pages."""
        return self.ja if lang == "ja" else self.en

    def says_to_commands(self, lang: Lang) -> str:
        """What it says on a command line."""
        return self.says(lang) if self.command_line is None else self.command_line.say(lang)


class HttpProblem(Exception):
    """A request ends here, with a problem and headers."""

    def __init__(self, problem: Problem, headers: dict[str, str] | None = None) -> None:
        super().__init__(problem.en)
        self.problem = problem
        self.headers = headers or {}


def problem(type: Type, text: Words | None = None, **members: object) -> Problem:
    """A problem of a type; what it says is the type's own text unless another is given."""
    title = Text(f"problem.{type}")
    given = text or title
    on_pages = _page_words(given) if isinstance(given, Text) else None
    says = on_pages or given
    known: dict[str, object] = {"type": f"/problem/{type}", "title": title.say("en"), "status": STATUS[type]}
    if on_pages is not None:
        known["command_line"] = Message(given.say("en"), given.say("ja"))
    return Problem(**{**known, "en": says.say("en"), "ja": says.say("ja"), **members})  # type: ignore[arg-type]


def http_problem(
    type: Type, text: Words | None = None, headers: dict[str, str] | None = None, **members: object
) -> HttpProblem:
    """The same, to be raised."""
    return HttpProblem(problem(type, text, **members), headers)


def too_large(bytes_max: int) -> HttpProblem:
    """Return the refusal of a body or file with more bytes than this."""
    return http_problem("too-large", Text("problem.too_large", {"most": f"{bytes_max:,}"}))


def busy(type: Type, seconds: int = WAIT_S, text: Words | None = None) -> HttpProblem:
    """A problem that may be gone in a while, with the seconds after which to ask again."""
    parting = {"Connection": "close"} if type in PARTING else {}
    return http_problem(type, text, headers={"Retry-After": str(seconds), **parting})
