"""Several services over one database of PostgreSQL: what either acknowledges is recorded once, whichever is killed."""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from time import sleep
from uuid import uuid4

import httpx
import pytest

from domain.games import GAMES
from domain.law.entries import Noted
from recorder.matches import open_match
from recorder.store import Store
from service import demo
from tests.postgres import Cluster
from tests.service.processes import PATIENCE, Server, bearer, server

pytestmark = pytest.mark.deep
MATCHES = ("t0", "t1", "t2")
NOTES, KILLED_AT = 90, 30
COME_BACK = (429, 503)


def test_services_over_one_database_lose_and_double_nothing_when_one_is_killed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    address = cluster.new()
    version, law = demo.newest(next(iter(GAMES.values())))
    with Store.open(address) as store:
        for match in MATCHES:
            assert open_match(store, law, version, {}, match_id=match) == match
        begun = {match: store.version(match) for match in MATCHES}
        headers = bearer(store.beside, "scorekeeper", name="Ito")
    ids = [str(uuid4()) for _ in range(NOTES)]

    def send(served: Server, number: int) -> int:
        """Its status, or 0 where nobody answers; who is told to come back does."""
        command = {"id": ids[number], "kind": "note", "text": f"{number}"}
        path = f"/api/v1/matches/{MATCHES[number % len(MATCHES)]}/entries"
        try:
            while True:
                answer = httpx.post(
                    f"{served.url}{path}", json=command, headers={**headers, "If-Match": "*"}, timeout=PATIENCE
                )
                if answer.status_code not in COME_BACK:
                    return answer.status_code
                sleep(float(answer.headers["Retry-After"]))
        except httpx.TransportError:
            return 0

    with ExitStack() as servers, ThreadPoolExecutor(6) as pool:
        mine, other = (servers.enter_context(server(store=address)) for _ in range(2))  # type: ignore[arg-type]
        sent = [pool.submit(send, (mine, other)[number % 2], number) for number in range(NOTES)]
        for answered in sent[:KILLED_AT]:
            answered.result()
        other.process.send_signal(signal.SIGKILL)
        answers = [answered.result() for answered in sent]
        assert set(answers) <= {0, 201} and answers.count(201) >= KILLED_AT
        again = list(pool.map(lambda number: send(mine, number), range(NOTES)))
        assert set(again) <= {200, 201}, "what was recorded is answered as it was"
        assert mine.get("/api/v1/matches").status_code == 200
    with Store.open(address) as store:
        for at, match in enumerate(MATCHES):
            entries = store.read(match)[begun[match] :]
            texts = [int(entry.text) for entry in entries if isinstance(entry, Noted)]
            assert len(texts) == len(entries) and sorted(texts) == list(range(at, NOTES, len(MATCHES)))
            assert [store.command(match, ids[number]) is None for number in texts] == [False] * len(texts)
