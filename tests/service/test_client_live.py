"""The client follows matches at a real server."""

from pathlib import Path

import msgspec
import pytest

from client.service import connect
from domain.games import GAMES
from service import commands as C, wire
from tests.service.processes import server

GAME = "blackpoker"


@pytest.mark.process
def test_a_match_is_followed_while_it_is_written_to(tmp_path: Path) -> None:
    with server(store=tmp_path / "cup.sqlite") as running:
        operator = connect(running.url).sign_in(running.links["Operator"].partition("#")[2])
        head = connect(running.url).sign_in(operator.invite(wire.Invite(role="head", name="Aiko")).invitation)
        opened = head.open(C.OpenMatch(game=GAME, version=tuple(GAMES[GAME].versions)[-1], match="final"))
        match = head.match("final")
        first, second = match.note("a card fell"), match.note("it was picked up")
        told = connect(running.url).match("final").live(after=opened.head)
        events = [next(told), next(told)]
        told.close()
        assert [(event.kind, event.id) for event in events] == [
            ("entry", str(entered.head)) for entered in (first, second)
        ]
        assert [msgspec.json.decode(event.data)["n"] for event in events] == [first.head, second.head]
        assert match.film(opened.head)
