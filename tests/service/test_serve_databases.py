"""Several services over one PostgreSQL database: each acknowledged command is recorded once, even if one is killed."""

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

pytestmark = pytest.mark.process
MATCHES = ("t0", "t1", "t2")
NOTES, KILLED_AT = 90, (30, 60)
"""Numbers of responses after which the first and the second service are killed."""
COME_BACK = (429, 503)


def follow(url: str, match: str, headers: dict[str, str], last: int) -> list[int]:
    told: list[int] = []
    with httpx.stream("GET", f"{url}/api/v1/matches/{match}/live?after=0", headers=headers, timeout=PATIENCE) as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                told.append(int(line[4:]))
                if told[-1] == last:
                    break
    return told


def test_services_over_one_database_lose_and_double_nothing_when_others_are_killed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    address = cluster.new()
    version, law = demo.newest_rules(next(iter(GAMES.values())))
    with Store.open(address) as store:
        for match in MATCHES:
            assert open_match(store, law, version, {}, match_id=match) == match
        begun = {match: store.version(match) for match in MATCHES}
        headers = bearer(address, "scorekeeper", name="Ito")
    ids = [str(uuid4()) for _ in range(NOTES)]

    def send(served: Server, number: int) -> int:
        """Return the status, or 0 without an answer; retry as the response says."""
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

    with ExitStack() as servers, ThreadPoolExecutor(6) as pool, ThreadPoolExecutor(len(MATCHES)) as watching:
        mine, *others = (servers.enter_context(server(store=address)) for _ in range(3))  # type: ignore[arg-type]
        lasts = {match: begun[match] + NOTES // len(MATCHES) for match in MATCHES}
        told = {match: watching.submit(follow, mine.url, match, headers, last) for match, last in lasts.items()}
        sent = [pool.submit(send, (mine, *others)[number // 3 % 3], number) for number in range(NOTES)]
        for killed, at in zip(others, KILLED_AT, strict=True):
            for answered in sent[:at]:
                answered.result()
            killed.process.send_signal(signal.SIGKILL)
        answers = [answered.result() for answered in sent]
        assert set(answers) <= {0, 201} and answers.count(201) >= KILLED_AT[0]
        again = list(pool.map(lambda number: send(mine, number), range(NOTES)))
        assert set(again) <= {200, 201}, "what was recorded is answered as it was"
        assert mine.get("/api/v1/matches").status_code == 200
        for match, last in lasts.items():
            heard = told[match].result(PATIENCE)
            assert heard == list(range(1, last + 1)), "whoever watches is told of each entry once, in order"
    with Store.open(address) as store:
        for at, match in enumerate(MATCHES):
            entries = store.read(match)[begun[match] :]
            texts = [int(entry.text) for entry in entries if isinstance(entry, Noted)]
            assert len(texts) == len(entries) and sorted(texts) == list(range(at, NOTES, len(MATCHES)))
            assert [store.command(match, ids[number]) is None for number in texts] == [False] * len(texts)
