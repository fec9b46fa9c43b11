"""Problem details (RFC 9457): types, status codes, and the exception that carries them."""

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
"""HTTP status of each type."""
WAIT_S: Final = 5
"""Seconds after which a client may retry when the service is busy."""
PARTING: Final[tuple[Type, ...]] = ("crowded", "draining")
"""Problems after which the connection is closed to free capacity."""


def _page_words(text: Text) -> Text | None:
    """Return page wording for a refusal whose own text names a command-line option; else None."""
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
    """A refused face: the card's place and purpose, and the faces named before and after it."""

    place: Place
    purpose: str = ""
    shows: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An error of a request. `en` and `ja` are for people; the other members are for programs.

    - Refusal: `clause`, its URL, and the `trail` of checks.
    - Conflict: `head` is the last visible entry, and `since` has the newest entries. `would_stand` says whether the
      command would be valid there; None if this viewer cannot know.
    - Text: `line` and `column`, from 1.
    - Record: the damaged `entry`.
    - Sheet that contradicts its match: `to`, the entry to go back to, and the entries `undone`. Two sheets: the `side`.
    - Real cards: the `place` whose face must be named, and its `purpose` if the place does not say it.
    - Face that cannot be there: `refused_face`.
    - Confirmation needed: the effect, as `sure`.
    - Ambiguous line: the possible `actors`.
    - Incomplete action: the slots that are `missing`, and `candidates`, the lines that add them and are allowed as far
      as the sender knows.

    `command_line` is the text for the command line, if that names an option.
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
    missing: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    command_line: Message | None = None
    first: int = 0
    """Entry of an earlier command with the same id."""

    def says(self, lang: Lang) -> str:
        return self.ja if lang == "ja" else self.en

    def says_to_commands(self, lang: Lang) -> str:
        return self.says(lang) if self.command_line is None else self.command_line.say(lang)


class HttpProblem(Exception):
    """Ends a request with a problem."""

    def __init__(self, problem: Problem, headers: dict[str, str] | None = None) -> None:
        super().__init__(problem.en)
        self.problem = problem
        self.headers = headers or {}


def problem(type: Type, text: Words | None = None, **members: object) -> Problem:
    """Return a problem. Its text defaults to that of the type."""
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
    """Return the exception of a problem."""
    return HttpProblem(problem(type, text, **members), headers)


def too_large(bytes_max: int) -> HttpProblem:
    """Return the refusal of a body or file with more bytes than this."""
    return http_problem("too-large", Text("problem.too_large", {"most": f"{bytes_max:,}"}))


def busy(type: Type, seconds: int = WAIT_S, text: Words | None = None) -> HttpProblem:
    """Return a temporary problem with a Retry-After header."""
    parting = {"Connection": "close"} if type in PARTING else {}
    return http_problem(type, text, headers={"Retry-After": str(seconds), **parting})
