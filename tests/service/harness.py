"""A service without a socket: its context over a store, an adjustable clock and tokens by role.

Every response is checked against the API document.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar.testing import TestClient
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Closed
from domain.law.law import Law
from domain.law.policy import Policy
from domain.table.table import Seat
from recorder.evidence.notes import Signer
from recorder.keyring import Holder, Keyring
from recorder.matches import open_match
from recorder.store import Store
from service.access import Role
from service.context import AppContext
from service.settings import Settings
from tests.places import MEMORY, place
from tests.service.apps import app_over
from tests.service.documented import hold_to_document
from tests.shelves import SHELVES

START = 1_800_000_000_000
"""Start time of tests, in Unix milliseconds."""
SECOND_MS = 1_000
YEAR_MS = 365 * 86_400_000


class Clock:
    """A clock that tests set, in milliseconds."""

    def __init__(self, at: int = START) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


class Served(Struct, frozen=True):
    """A service, its clock, and a client without cookies."""

    context: AppContext
    clock: Clock
    client: TestClient[Any]
    tokens: dict[Holder, dict[str, str]] = {}

    def person(self, role: Role, *matches: str, seat: str = "", name: str = "") -> dict[str, str]:
        """Return the header of a person who has signed in once: the same token at every call."""
        holder = Holder(role=role, name=name or role, matches=matches, seat=Seat(seat))
        if holder not in self.tokens:
            self.tokens[holder] = self.bearer(role, *matches, seat=seat, name=name)
        return dict(self.tokens[holder])

    def bearer(self, role: Role, *matches: str, seat: str = "", name: str = "") -> dict[str, str]:
        """Return a header with a new token for a role."""
        holder = Holder(role=role, name=name or role, matches=matches, seat=Seat(seat))
        return {"Authorization": f"Bearer {self.context.keys.issue(holder, self.clock.at + YEAR_MS)}"}

    def get(self, path: str, role: Role = "spectator", *matches: str, seat: str = "", **more: Any) -> Any:
        headers = {} if role == "spectator" else self.bearer(role, *matches, seat=seat)
        return self.client.get(path, headers=headers | more.pop("headers", {}), follow_redirects=False, **more)

    def post(self, path: str, body: Any, role: Role = "spectator", *matches: str, seat: str = "", **more: Any) -> Any:
        """Send a POST request in a role, as a program."""
        headers = {} if role == "spectator" else self.bearer(role, *matches, seat=seat)
        return self.client.post(path, json=body, headers=headers | more.pop("headers", {}), **more)

    def open(self, game: str, version: str = "", seed: int = 1, match: str = "", policy: Policy | None = None) -> str:
        """Open a match shuffled by the seed and return its id."""
        law_of = GAMES[game]
        edition = version or tuple(law_of.versions)[-1]
        law = Law(law_of, law_of.versions[edition])
        names = {Seat(seat): f"Player {seat}" for seat in ("p1", "p2")}
        done = open_match(
            self.context.store,
            law,
            edition,
            names,
            seed=seed.to_bytes(16, "big"),
            match_id=match or None,
            at=self.clock.at,
            policy=policy,
        )
        assert isinstance(done, str), done
        return done

    def record_match(
        self, game: str, name: str, match: str = "", *, closed: bool = True, upto: int | None = None
    ) -> str:
        """Record a match of the repository and return its id. Times are one second apart, and the last one is now."""
        entries = [entry for entry in SHELVES[game].entries(name)[:upto] if not isinstance(entry, Closed)]
        entries += [Closed(by="judge", reason="time")] if closed else []
        began = self.clock.at - (len(entries) - 1) * SECOND_MS
        timed = [replace(entry, at=began + number * SECOND_MS) for number, entry in enumerate(entries)]
        self.context.store.append(match or name, 0, timed)
        return match or name


@contextmanager
def serve(settings: Settings | None = None, signer: Signer | None = None) -> Iterator[Served]:
    clock = Clock()
    settings = settings or Settings(store=MEMORY)
    settings = replace(settings, store=place(settings.store))
    context = AppContext(Store.open(settings.store), Keyring.open(":memory:"), settings, clock, signer)
    with app_over(context) as app, TestClient(app, raise_server_exceptions=False) as client:
        client.event_hooks = {"response": [hold_to_document]}
        yield Served(context, clock, client)
