"""The page of what holds a match fast: the last checkpoint to be kept, the match's proof, its packs to be taken."""

from typing import Final, Literal

from msgspec import Struct

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.phrases import seat_name
from recorder.evidence.checkpoints import read_checkpoint
from service import evidence
from service.access import may, may_look
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.paper import form, go, page, said
from service.pages.within import match_name, way_to, within
from service.problems import STATUS, Halt


class Pack(Struct, frozen=True):
    """A pack to be taken along: of whose eyes, and whether the seal is to be broken first."""

    words: str
    url: str
    sealed: bool = False


class Held(Struct, frozen=True):
    """The last checkpoint as text and with how many leaves, and up to which entry it holds the match fast (0: nowhere,
    or that is not told to these eyes)."""

    note: str = ""
    leaves: int = 0
    upto: int = 0


def show_evidence(ask: Ask, query: Nothing, body: None) -> Reply:
    """What holds the match fast, and what of it may be taken along."""
    sight = ask.look(ask.viewer)
    way = way_to(ask, sight)
    return within(
        ask,
        sight,
        "evidence.html",
        said(ask, "evidence.title", match=match_name(sight.match, ask.lang)),
        0,
        lambda eyes: eyes.all("evidence"),
        held=_hold(ask, sight),
        entries=sight.head,
        proof=_api(sight, "proof", sight.eyes.viewer),
        packs=[] if sight.damaged else _list_packs(ask, sight),
        seals=ask.house.signer is not None and may(ask.session, "seal_log"),
        action=way.all("evidence"),
    )


def seal(ask: Ask, query: Nothing, body: Nothing) -> Reply:
    """Have a checkpoint signed, and show it."""
    sight = ask.look(ask.viewer)
    evidence.seal_log(ask.house)
    return go(way_to(ask, sight).all("evidence"))


def _hold(ask: Ask, sight: Sight) -> Held:
    try:
        note = evidence.read_checkpoint(ask.house)
    except Halt as none:
        if none.problem.status != STATUS["unknown"]:
            raise
        return Held()
    try:
        upto = evidence.prove_match(ask.house, sight).leaf.entries
    except Halt:
        upto = 0
    return Held(note, read_checkpoint(note).size, upto)


def _list_packs(ask: Ask, sight: Sight) -> list[Pack]:
    """The packs that whoever asks may take along: for everybody, of their own seat, for officials."""
    match, house = sight.match, ask.house
    if not may(ask.session, "export", match.id, closed=sight.over):
        return []
    broken = house.seals.broken(ask.session, match.id, house.clock())
    packs: list[Pack] = []
    for viewer in (SPECTATOR, *match.opened.seats, JUDGE):
        looking = may_look(ask.session, match.id, viewer, broken, closed=sight.over, published=house.settings.published)
        own = viewer in (SPECTATOR, JUDGE) or viewer == ask.session.seat
        if looking != "no" and own:
            packs.append(Pack(_words(ask, sight, viewer), _api(sight, "dossier", viewer), looking == "sealed"))
    return packs


def _words(ask: Ask, sight: Sight, viewer: Seat) -> str:
    names: dict[str, Literal["players", "officials"]] = {SPECTATOR: "players", JUDGE: "officials"}
    if viewer in names:
        return said(ask, f"evidence.pack_{names[viewer]}")
    return said(ask, "evidence.pack_seat", seat=seat_name(sight.match.names, viewer, ask.lang))


def _api(sight: Sight, what: str, viewer: str) -> str:
    """Where the API has it."""
    return f"/api/v1/matches/{sight.match.id}/{what}?as={viewer}"


PATH: Final = "/m/{match:str}/evidence"
ROUTES: Final = (
    page(PATH, show_evidence, "What holds a match fast, to be kept and taken along.", limit="tries"),
    page(f"{PATH}/as/{{viewer:str}}", show_evidence, "The same with other eyes.", limit="tries"),
    form(PATH, seal, "Have a checkpoint signed.", "seal_log", Nothing, "commands"),
    form(f"{PATH}/as/{{viewer:str}}", seal, "The same.", "seal_log", Nothing, "commands"),
)
