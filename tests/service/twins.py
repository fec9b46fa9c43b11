"""Two services whose matches differ only in what a viewer cannot know, and a comparison of every byte they send.

Bytes are compared before compression, with headers. Only the headers `date` and `set-cookie` are left out.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.entries import Entry, fold_entries, opened_of
from domain.table.facts import AnyFact, Created
from domain.table.redact import SPECTATOR
from domain.table.table import CardId, Seat
from recorder.evidence.verifier import read_pack
from service.live import event_stream
from service.requests import Route
from service.settings import Settings
from tests.service.harness import Served, serve

MATCH = "bp-twins2"
LEFT_OUT = frozenset(("date", "set-cookie"))
LANGS = ("en", "ja")
ZIP = "application/zip"
FORM_ID = re.compile(rb'(?<=name="id" value=")[0-9a-f-]{36}(?=")')
"""The command id of a form, issued for each token."""
KEY_NUMBER = re.compile(rb'(?<="number":")[0-9a-f]{64}|(?<=/people/)[0-9a-f]{64}')
"""A key id, which differs between services."""
NAME_HASHES = rb'"name_hashes":\{[^}]*\}'
STREAM = event_stream.KIND
"""The media type of streams. Tests of streams compare them by entry."""

Bytes = tuple[int, tuple[tuple[str, str], ...], bytes]


class Twins(Struct, frozen=True):
    ours: Served
    theirs: Served

    def alike(self, path: str, viewer: Seat = SPECTATOR) -> int:
        """Assert that both send the same bytes to a viewer, and return the status."""
        ours, theirs = (fetch(served, path, viewer) for served in (self.ours, self.theirs))
        assert ours == theirs, f"{path} as {viewer}"
        assert ours[0] < 500, (path, ours)
        return ours[0]


def fetch(served: Served, path: str, viewer: Seat) -> Bytes:
    held = {} if viewer == SPECTATOR else served.bearer("seat", MATCH, seat=viewer)
    headers = {"Accept-Encoding": "identity", **held}
    return plain(served.client.get(path, headers=headers, follow_redirects=False))


def plain(answer: Any) -> Bytes:
    """Return a response without values that differ between services: times, form ids and salts."""
    packed = answer.status_code == 200 and answer.headers["content-type"] == ZIP
    left_out = LEFT_OUT | {"etag"} if packed else LEFT_OUT
    shown = tuple((name, value) for name, value in sorted(answer.headers.items()) if name not in left_out)
    return (
        answer.status_code,
        shown,
        unbound(answer.content) if packed else KEY_NUMBER.sub(b"", FORM_ID.sub(b"", answer.content)),
    )


def unbound(packed: bytes) -> bytes:
    """Return the content of a pack without salts and salted hashes."""
    files = read_pack(packed)
    listed = msgspec.json.decode(files["manifest.json"])
    salted = {"commitments.jsonl": rb'"[0-9a-f]{64}"', "names.json": rb'"[0-9a-f]{64}"', "seen.jsonl": NAME_HASHES}
    for name in salted.keys() & files.keys():
        del listed["files"][name]["sha256"]
        files[name] = re.sub(salted[name], b"", files[name])
    return repr({**files, "manifest.json": listed}).encode()


def redeal_within(entries: Sequence[Entry], hidden: Collection[CardId], random: Random) -> list[Entry]:
    """Return the record with these cards permuted within their own decks, which stays legal."""
    opened = opened_of(entries)
    told: list[tuple[Clause, AnyFact]] = []
    decks, sides = dict(opened.decks), dict(opened.sides)
    for clause, laid in opened.told:
        fact = laid
        if isinstance(fact, Created) and fact.owner in decks:
            faces = dict(zip(fact.cards, fact.faces, strict=True))
            own = [card for card in fact.cards if card in hidden]
            faces |= dict(zip(own, random.sample([faces[card] for card in own], len(own)), strict=True))
            row = tuple(faces[card] or "" for card in fact.cards)
            fact, main = replace(fact, faces=row), len(decks[fact.owner])
            decks[fact.owner] = row[:main]
            sides |= {fact.owner: row[main:]} if fact.owner in sides else {}
        told.append((clause, fact))
    return [replace(opened, told=tuple(told), decks=decks, sides=sides), *entries[1:]]


@contextmanager
def twins(ours: Sequence[Entry], theirs: Sequence[Entry], settings: Settings | None = None) -> Iterator[Twins]:
    assert list(ours) != list(theirs)
    with ExitStack() as stack:
        both = [stack.enter_context(serve(settings)) for _ in range(2)]
        for served, entries in zip(both, (ours, theirs), strict=True):
            assert served.context.store.append(MATCH, 0, entries) == len(entries)
        yield Twins(*both)


def addresses(routes: Sequence[Route], entries: Sequence[Entry], viewer: Seat, random: Random, most: int) -> list[str]:
    """Return sampled paths of every readable route for a viewer, at most `most` for each."""
    table = fold_entries(entries)
    things = sorted(piece.thing for piece in table.pieces.values())
    first = entries[0]
    last = len(entries)
    words: Mapping[str, Sequence[str]] = {
        "match": (MATCH,),
        "lang": LANGS,
        "viewer": (viewer,),
        "n": [str(random.randint(1, last)) for _ in range(3)],
        "moment": [f"{random.randint(1, last)}{fact}" for fact in ("", ".1", ".2")],
        "at": [str(random.randint(1, last)) for _ in range(3)],
        "t": [str(thing) for thing in random.sample(things, min(3, len(things)))],
        "thing": [str(thing) for thing in random.sample(things, min(3, len(things)))],
        "g": (getattr(first, "game", "x"),),
        "game": (getattr(first, "game", "x"),),
    }
    listed: list[str] = []
    for route in routes:
        if route.method != "GET" or route.kind == STREAM:
            continue
        names = [part[1:-1].partition(":")[0] for part in route.path.split("/") if part.startswith("{")]
        ways = list(product(*(words.get(name, ("1",)) for name in names)))
        for way in random.sample(ways, min(most, len(ways))):
            path = route.path
            for name, value in zip(names, way, strict=True):
                path = path.replace(f"{{{name}:str}}", value).replace(f"{{{name}:int}}", value)
            listed.append(path + query(route, viewer, getattr(first, "seats", ("p1",))))
    return listed


def query(route: Route, viewer: Seat, seats: Sequence[Seat]) -> str:
    values = {"as": viewer, "do": f"{seats[0]}: pass", "from": "1", "thing": "u1", "for": "players"}
    taken = {name: value for name, value in values.items() if name in route.query.__struct_encode_fields__}
    return f"?{urlencode(taken)}" if taken else ""
