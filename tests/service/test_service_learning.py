"""Types are learnt before anybody asks: two threads that read one for the first time at once end the process."""

import subprocess
import sys

from msgspec import Struct, json

from service.learning import learn_types
from tests.service.processes import ROOT, environment
from tests.service.serving import serve

READINGS: list[str] = []


def read_late() -> type[int]:
    READINGS.append("learnt")
    return int


class Late(Struct):
    """A type that nothing has read yet."""

    number: "read_late()"  # type: ignore[valid-type]


def test_a_service_has_learnt_every_type_before_it_answers() -> None:
    learn_types.cache_clear()
    with serve():
        assert READINGS == ["learnt"]
    assert json.decode(b'{"number": 1}', type=Late).number == 1 and READINGS == ["learnt"], "it is learnt once"


RACE = """
import sys, threading, msgspec
from service.app import routes
from service.learning import learn_types
learn_types()
sys.setswitchinterval(1e-6)
gate = threading.Barrier(8)
def read():
    for route in routes():
        for kind in (route.body, route.query):
            gate.wait()
            try:
                msgspec.json.decode(b'{"kind":"line"}', type=kind)
            except msgspec.ValidationError:
                pass
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_what_is_learnt_is_read_by_many_at_once() -> None:
    """Without the learning it ends one of three processes."""
    command = [sys.executable, "-c", RACE]
    for _ in range(3):
        ran = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
